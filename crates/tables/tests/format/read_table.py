"""Reads a bolshak table and prints its cells: number, cell and position, parted by tabs.

Written from docs/FORMAT.md, independently of the library, and plain rather than fast.
"""

import json
import math
import pathlib
import sys

import xxhash
import zstandard

PAGE_CELLS = 65536
PHRASE_BLOCK = 1024
ZSTD_BLOCK = 8192


def number(data, at, length):
    return int.from_bytes(data[at : at + length], "little")


def check(condition, what):
    if not condition:
        sys.exit(f"the {what} is damaged")


class Table:
    def __init__(self, path):
        self.data = pathlib.Path(path).read_bytes()
        data = self.data
        check(data[:8] == b"bolshak\n" and number(data, 8, 4) == 3, "magic or version")
        check(xxhash.xxh3_64_intdigest(data[:40]) == number(data, 40, 8), "prefix")
        offset, length = number(data, 16, 8), number(data, 24, 8)
        check(xxhash.xxh3_64_intdigest(data[offset : offset + length]) == number(data, 32, 8), "header")
        self.header = json.loads(data[offset : offset + length])
        name = f"{self.header['slice']}.{self.header['kind']}"
        check(name == pathlib.Path(path).name, "name")
        histogram = self.header["statistics"]["histogram"]
        counted = sum(sum(counts) if isinstance(counts, list) else counts for counts in histogram.values())
        check(counted == self.header["positions"], "histogram")
        self.key = f"{self.header['variant']}/{name}"
        self.dictionary_end = 48 + self.header["dictionary_bytes"]
        dictionary = data[48 : self.dictionary_end]
        check(xxhash.xxh3_64_intdigest(dictionary) == self.header["dictionary_xxh3"], "dictionary")
        pages = -(-self.header["positions"] // PAGE_CELLS)
        start = self.header["page_table_offset"]
        self.page_table = data[start : start + 16 * pages]
        check(xxhash.xxh3_64_intdigest(self.page_table) == self.header["page_table_xxh3"], "page table")
        if dictionary:
            self.read_dictionary(zstandard.ZstdDecompressor().decompress(dictionary, max_output_size=274434))

    def read_dictionary(self, data):
        count = number(data, 0, 2)
        lengths = [number(data, 2 + 2 * phrase, 2) for phrase in range(count)]
        code_bits = data[2 + 2 * count : 2 + 3 * count]
        packed = data[2 + 3 * count :]
        cells = [packed[place // 4] >> place % 4 * 2 & 3 for place in range(sum(lengths))]
        phrases, at = [], 0
        for length in lengths:
            phrases.append(cells[at : at + length])
            at += length
        self.codes, code, last = {}, 0, 0
        for bits, phrase in sorted((code_bits[phrase], phrase) for phrase in range(count)):
            code <<= bits - last
            self.codes[bits, code] = phrases[phrase]
            code, last = code + 1, bits

    def cells(self):
        start = self.dictionary_end
        for page in range(len(self.page_table) // 16):
            end, checksum = number(self.page_table, 16 * page, 8), number(self.page_table, 16 * page + 8, 8)
            data, start = self.data[start:end], end
            seed = xxhash.xxh3_64_intdigest(f"{self.key}#{page}".encode())
            check(xxhash.xxh3_64_intdigest(data, seed) == checksum, f"page {page}")
            yield from self.page_cells(data, min(PAGE_CELLS, self.header["positions"] - page * PAGE_CELLS))

    def page_cells(self, page, count):
        tag, body = page[0], page[1:]
        if tag == 0:
            return [number(body, 0, 2)] * count
        cells = []
        if tag in (1, 2):
            width, blocks = 2 * tag, -(-count // PHRASE_BLOCK)
            codes = body[width * blocks :]
            for block in range(blocks):
                self.read_phrases(codes, number(body, width * block, width), cells, min(count, (block + 1) * PHRASE_BLOCK))
        else:
            width, blocks = tag - 2, -(-count // ZSTD_BLOCK)
            frames, start = body[4 * blocks :], 0
            for block in range(blocks):
                end = number(body, 4 * block, 4)
                plain = zstandard.ZstdDecompressor().decompress(frames[start:end], max_output_size=2 * ZSTD_BLOCK)
                cells += [number(plain, at, width) for at in range(0, len(plain), width)]
                start = end
        return cells

    def read_phrases(self, codes, bit, cells, end):
        code = bits = 0
        while len(cells) < end:
            code = code << 1 | codes[bit // 8] >> 7 - bit % 8 & 1
            bits, bit = bits + 1, bit + 1
            if (bits, code) in self.codes:
                cells += self.codes[bits, code]
                code = bits = 0
        del cells[end:]


FILE_RANK = {(4 * rank - 3 * file) % 32: (file, rank) for rank in range(8) for file in range(rank % 2, 8, 2)}


def placements(white, black):
    """All placements of so many men in the order of the format, as (white, black) lists of squares."""

    def put(square, white, black):
        if square < 0:
            if white == black == 0:
                yield 0, [], []
            return
        rank = FILE_RANK[square][1]
        yield from put(square - 1, white, black)
        if white and rank < 7:
            for total, whites, blacks in put(square - 1, white - 1, black):
                yield total + rank, whites + [square], blacks
        if black and rank > 0:
            for total, whites, blacks in put(square - 1, white, black - 1):
                yield total + 7 - rank, whites, blacks + [square]

    # The sort is stable: within equal advancement the order of digits remains.
    return sorted(put(31, white, black), key=lambda placement: -placement[0])


def king_sets(free, kings):
    """All sets of so many of the free squares in colexicographic order."""
    for rank in range(math.comb(len(free), kings)):
        squares, below = [], len(free)
        for size in range(kings, 0, -1):
            while math.comb(below, size) > rank:
                below -= 1
            rank -= math.comb(below, size)
            squares.append(free[below])
        yield squares


def positions(name):
    mover, opponent = name.split("v")
    for _, white, black in placements(mover.count("m"), opponent.count("m")):
        free = [square for square in range(32) if square not in white + black]
        for black_kings in king_sets(free, opponent.count("K")):
            still_free = [square for square in free if square not in black_kings]
            for white_kings in king_sets(still_free, mover.count("K")):
                yield fen(white, white_kings, black, black_kings)


def fen(white, white_kings, black, black_kings):
    def side(men, kings):
        squares = sorted(men + kings, key=lambda square: FILE_RANK[square][::-1])
        return ",".join(
            ("K" if square in kings else "") + "abcdefgh"[FILE_RANK[square][0]] + str(FILE_RANK[square][1] + 1)
            for square in squares
        )

    return f"W:W{side(white, white_kings)}:B{side(black, black_kings)}"


def main():
    table = Table(sys.argv[1])
    out = []
    for place, (cell, position) in enumerate(zip(table.cells(), positions(table.header["slice"]), strict=True)):
        out.append(f"{place}\t{cell}\t{position}\n")
    sys.stdout.write("".join(out))


main()
