"""Reads a bolshak table and prints its cells: number, cell and position, parted by tabs.

Written from docs/FORMAT.md, independently of the library, and plain rather than fast.
"""

import json
import math
import pathlib
import string
import sys

import blake3
import xxhash
import zstandard

PREFIX = 64
MOST_DICTIONARY = 4210623
MOST_PAGES = 4194304
MOST_NUMBERS = 16383
CHUNK = 32
ZSTD_BLOCK = 8192


def number(data, at, length):
    return int.from_bytes(data[at : at + length], "little")


def check(condition, what):
    if not condition:
        sys.exit(f"the {what} is damaged")


def decompress(frame, most):
    """The bytes of one zstd frame, at most so many."""
    check(frame[:4] == zstandard.FRAME_HEADER and len(frame) <= most + most // 256 + 64, "frame")
    decompressor = zstandard.ZstdDecompressor().decompressobj()
    data = decompressor.decompress(frame)
    check(decompressor.eof and not decompressor.unused_data and len(data) <= most, "frame")
    return data


def rules_digest(variant, kind):
    """The digest of the definition that the document has of the rules of a kind of table."""
    name = "none" if kind in ("value", "distance") else kind.removesuffix("-kings")
    document = pathlib.Path(__file__).resolve().parents[4] / "docs/FORMAT.md"
    lines = [line for line in document.read_text().splitlines() if line.startswith('{"variant":')]
    definition = next(json.loads(line) for line in lines if json.loads(line)["set"]["name"] == name)
    if variant == "giveaway":
        definition["variant"] = variant
        definition["set"] |= {"three_kings": None, "main_road": None}
    return blake3.blake3(json.dumps(definition, separators=(",", ":")).encode()).digest()


class Header:
    """Reads the values of a header one after another."""

    def __init__(self, data):
        self.data = data

    def take(self, length):
        check(length <= len(self.data), "header")
        taken, self.data = self.data[:length], self.data[length:]
        return taken

    def number(self):
        value = shift = 0
        while True:
            byte = self.take(1)[0]
            value |= (byte & 127) << shift
            if byte < 128:
                check((byte or not shift) and value < 1 << 64, "header")
                return value
            shift += 7

    def numbers(self):
        count = self.number()
        check(count <= MOST_NUMBERS, "header")
        return [self.number() for _ in range(count)]

    def text(self):
        return self.take(self.number()).decode()

    def name(self):
        text = self.text()
        check(1 <= len(text) <= 64 and all(letter in NAME_LETTERS for letter in text), "header")
        return text

    def text_or_none(self):
        there = self.take(1)[0]
        check(there <= 1, "header")
        return self.text() if there else None


class Table:
    def __init__(self, path):
        self.data = data = pathlib.Path(path).read_bytes()
        check(data[:8] == b"bolshak\n" and number(data, 8, 4) == 3, "magic or version")
        check(xxhash.xxh3_64_intdigest(data[:56]) == number(data, 56, 8), "prefix")
        check(13 <= data[12] <= 20 and data[13] <= 1 and number(data, 20, 4) == 0, "prefix")
        check(number(data, 16, 4) <= MOST_DICTIONARY, "prefix")
        self.page_cells, self.free_captures = 1 << data[12], data[13] == 1
        self.positions = number(data, 24, 8)
        header_end = PREFIX + number(data, 14, 2)
        self.dictionary_end = header_end + number(data, 16, 4)
        check(xxhash.xxh3_64_intdigest(data[PREFIX : self.dictionary_end]) == number(data, 40, 8), "header")
        self.read_header(data[PREFIX:header_end])
        place = pathlib.Path(path).absolute()
        check((self.variant, f"{self.slice}.{self.kind}") == (place.parent.name, place.name), "name")
        pages, start = -(-self.positions // self.page_cells), number(data, 32, 8)
        check(pages <= MOST_PAGES and start + 16 * pages == len(data), "page table")
        self.page_table = data[start:]
        check(xxhash.xxh3_64_intdigest(self.page_table) == number(data, 48, 8), "page table")
        dictionary = data[header_end : self.dictionary_end]
        check(bool(dictionary) == (self.kind == "value" or self.kind.endswith("-kings")), "dictionary")
        if self.kind.endswith("-kings"):
            self.read_steps(decompress(dictionary, 33553408))
        elif dictionary:
            self.read_dictionary(decompress(dictionary, 274434))

    def read_header(self, data):
        header = Header(data)
        self.variant, self.slice, self.kind = header.name(), header.name(), header.name()
        check(header.take(32) == rules_digest(self.variant, self.kind), "digest of the rules")
        histogram = header.numbers(), header.numbers(), [header.number()], header.numbers(), header.numbers()
        counted = 0 if self.kind.endswith("-kings") else self.positions
        check(sum(map(sum, histogram)) == counted, "histogram")
        check(all(counts[-1:] != [0] for counts in histogram if counts is not histogram[2]), "histogram")
        without_rules = self.kind in ("value", "distance")
        check(not (without_rules and (histogram[1] or histogram[3])), "histogram")
        check(not (self.kind == "distance" and self.free_captures), "prefix")
        self.longest_win, self.longest_loss = header.text_or_none(), header.text_or_none()
        check((self.longest_win is None, self.longest_loss is None) == (not histogram[0], not histogram[4]), "longest")
        named = [position for position in (self.longest_win, self.longest_loss) if position is not None]
        check(all(is_of_slice(position, self.slice) for position in named), "longest")
        check(not header.data, "header")

    def read_steps(self, data):
        self.lists, at = [], 0
        while at < len(data):
            steps = data[at + 2 : at + 2 + 2 * data[at]]
            check(len(steps) == 2 * data[at], "dictionary")
            slack, pairs = data[at + 1], list(zip(steps[::2], steps[1::2]))
            self.lists.append((slack, pairs))
            at += 2 + 2 * data[at]
            check(slack + sum(steps[1::2]) <= WHOLE_COUNT, "dictionary")
            if len(pairs) > 1 and pairs[-2][0] == 0:
                check(pairs[-2][1] and pairs[-1][0] and not pairs[-1][1], "dictionary")
                pairs = pairs[:-2]
            check(all(rise and run for rise, run in pairs), "dictionary")
        check(len(self.lists) <= 65534, "dictionary")

    def read_dictionary(self, data):
        count = number(data, 0, 2)
        lengths = [number(data, 2 + 2 * phrase, 2) for phrase in range(count)]
        code_bits = data[2 + 2 * count : 2 + 3 * count]
        packed = data[2 + 3 * count :]
        check(1 <= count <= 4096 and len(code_bits) == count, "dictionary")
        check(all(1 <= length <= 4096 for length in lengths) and sum(lengths) <= 1 << 20, "dictionary")
        check(all(1 <= bits <= 12 for bits in code_bits) and len(packed) == -(-sum(lengths) // 4), "dictionary")
        check(sum(1 << 12 - bits for bits in code_bits) <= 1 << 12, "dictionary")
        cells = [packed[place // 4] >> place % 4 * 2 & 3 for place in range(sum(lengths))]
        phrases, at = [], 0
        for length in lengths:
            phrases.append(cells[at : at + length])
            at += length
        check(all(cell < 3 for cell in cells), "dictionary")
        self.codes, code, last = {}, 0, 0
        for bits, phrase in sorted((code_bits[phrase], phrase) for phrase in range(count)):
            code <<= bits - last
            self.codes[bits, code] = phrases[phrase]
            code, last = code + 1, bits

    def cells(self):
        start = self.dictionary_end
        for page in range(len(self.page_table) // 16):
            end, checksum = number(self.page_table, 16 * page, 8), number(self.page_table, 16 * page + 8, 8)
            check(start <= end <= start + 65536, f"page {page}")
            data, start = self.data[start:end], end
            seed = xxhash.xxh3_64_intdigest(f"{self.variant}/{self.slice}.{self.kind}#{page}".encode())
            check(xxhash.xxh3_64_intdigest(data, seed) == checksum, f"page {page}")
            yield from self.read_page(data, min(self.page_cells, self.positions - page * self.page_cells))
        check(start == number(self.data, 32, 8), "page table")

    def read_page(self, page, count):
        tag, body = page[0], page[1:]
        if tag == 0:
            check(len(body) == 2, "page")
            return [number(body, 0, 2)] * count
        check(tag in ((1, 2) if self.kind == "value" else (3, 4)), "page")
        return self.read_phrases(body, tag + 1, count) if tag in (1, 2) else read_blocks(body, tag - 2, count)

    def read_phrases(self, body, width, count):
        chunks = -(-(len(body) + width) // (CHUNK + width))
        starts = [number(body, width * chunk, width) for chunk in range(chunks - 1)]
        codes, cells, bits_left = body[width * (chunks - 1) :], [], 0
        for chunk, end in enumerate(starts + [count]):
            bit, code, bits = 8 * CHUNK * chunk, 0, 0
            chunk_end = min(8 * CHUNK * (chunk + 1), 8 * len(codes))
            check(len(cells) < end, "chunk")
            while len(cells) < end:
                check(bit < chunk_end, "chunk")
                code = code << 1 | codes[bit // 8] >> 7 - bit % 8 & 1
                bits, bit = bits + 1, bit + 1
                if (bits, code) in self.codes:
                    # The first code of a chunk did not fit into what was left of the one before.
                    check(bits_left < bits, "chunk")
                    cells += self.codes[bits, code]
                    code = bits = bits_left = 0
                check(bits < 12, "chunk")
            left = [codes[place // 8] >> 7 - place % 8 & 1 for place in range(bit, chunk_end)]
            bits_left = len(left)
            check(end == len(cells) or end == count and chunk == chunks - 1, "chunk")
            check(not any(left) and (chunk < chunks - 1 or bits_left < 8), "chunk")
        return cells[:count]


def read_blocks(body, width, count):
    blocks = -(-count // ZSTD_BLOCK)
    frames, cells, start = body[4 * blocks :], [], 0
    for block in range(blocks):
        end, length = number(body, 4 * block, 4), min(ZSTD_BLOCK, count - len(cells))
        data, start = frames[start:end], end
        if len(data) == width:
            cells += [number(data, 0, width)] * length
        else:
            plain = decompress(data, width * length)
            check(len(plain) == width * length, "page")
            cells += [number(plain, at, width) for at in range(0, len(plain), width)]
    check(start == len(frames), "page")
    return cells


FILE_RANK = {(4 * rank - 3 * file) % 32: (file, rank) for rank in range(8) for file in range(rank % 2, 8, 2)}


SQUARES = {"abcdefgh"[file] + str(rank + 1): square for square, (file, rank) in FILE_RANK.items()}
NAME_LETTERS = string.ascii_letters + string.digits + "-"


def is_of_slice(text, slice_name):
    """Whether it is the FEN of a position of a slice in the one way to write it."""
    turn, *sides = text.split(":")
    if turn != "W" or [side[:1] for side in sides] != ["W", "B"]:
        return False
    found = []
    for side, material in zip(sides, slice_name.split("v")):
        pieces = side[1:].split(",")
        men = [SQUARES.get(piece) for piece in pieces if piece[:1] != "K"]
        kings = [SQUARES.get(piece[1:]) for piece in pieces if piece[:1] == "K"]
        if None in men + kings or "K" * len(kings) + "m" * len(men) != material:
            return False
        found += [men, kings]
    squares = sum(found, [])
    may_stand = all(FILE_RANK[square][1] < 7 for square in found[0]) and all(FILE_RANK[square][1] for square in found[2])
    return len(set(squares)) == len(squares) and may_stand and fen(*found) == text


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


WHOLE_COUNT = 30


def by_kings_left(steps, plies):
    """How long it takes with less than min(plies, whole count) plies left to kings, down to 1; - where it is gone."""
    slack, rises = steps
    top = min(plies, WHOLE_COUNT)
    by_left = [plies] * slack
    for place, (rise, run) in enumerate(rises):
        if rise == 0:
            by_left += [f"{plies + 1}..{plies + rises[place + 1][0]}"] * run
            break
        plies += rise
        by_left += [plies] * run
    return " ".join(str(entry) for entry in (by_left + ["-"] * top)[: top - 1])


def kings_lines(table, path):
    kinds = ["value", "distance", table.kind.removesuffix("-kings")]
    others = [Table(path.with_suffix("." + kind)).cells() for kind in kinds]
    cells = zip(table.cells(), *others, positions(table.slice), strict=True)
    for place, (cell, value, distance, change, position) in enumerate(cells):
        plies = change - 1 if change else distance
        told = value and change != 1 and plies > 1 and cell < len(table.lists)
        yield f"{place}\t{position}\t{by_kings_left(table.lists[cell], plies) if told else ''}\n"


def main():
    path = pathlib.Path(sys.argv[1])
    table = Table(path)
    if table.kind.endswith("-kings"):
        sys.stdout.write("".join(kings_lines(table, path)))
        return
    out = []
    for place, (cell, position) in enumerate(zip(table.cells(), positions(table.slice), strict=True)):
        out.append(f"{place}\t{cell}\t{position}\n")
    sys.stdout.write("".join(out))


try:
    main()
except (ArithmeticError, LookupError, StopIteration, ValueError, zstandard.ZstdError) as error:
    sys.exit(f"the file is damaged: {error!r}")
