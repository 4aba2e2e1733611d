// Positions as the board needs them. What is legal, and what a text means in full, is for the service to say; this
// reads enough to show a position that the service has no tables for.

/** All dark squares, by rank from a1. */
export const SQUARES = [];
for (let rank = 1; rank <= 8; rank++) {
  for (let file = (rank + 1) % 2; file < 8; file += 2) SQUARES.push("abcdefgh"[file] + rank);
}

export const MAIN_ROAD = new Set(["a1", "b2", "c3", "d4", "e5", "f6", "g7", "h8"]);

const LOOK_ALIKES = { а: "a", А: "A", в: "b", В: "B", с: "c", С: "C", е: "e", Е: "E", к: "K", К: "K", н: "h", Н: "H" };

/** The square with a number of GameType 25: 1 is b8, 32 is g1. */
function numbered(number) {
  if (!(number >= 1 && number <= 32)) return null;
  const rank = 8 - Math.floor((number - 1) / 4);
  return "abcdefgh"[((number - 1) % 4) * 2 + ((rank - 1) % 2)] + rank;
}

/** Reads a FEN into { turn, pieces }, pieces being a Map from squares to "W", "B", "WK" or "BK"; null if it cannot. */
export function readFen(text) {
  const latin = [...text.trim().replace(/\.$/, "")].map((letter) => LOOK_ALIKES[letter] ?? letter).join("");
  const [turn, ...lists] = latin.split(":").map((part) => part.trim());
  if (turn !== "W" && turn !== "B") return null;
  const pieces = new Map();
  for (const list of lists.slice(0, 2)) {
    const color = list[0];
    if (color !== "W" && color !== "B") return null;
    for (const item of list.slice(1).split(",").map((item) => item.trim()).filter(Boolean)) {
      const king = item.startsWith("K");
      const place = (king ? item.slice(1) : item).toLowerCase();
      const range = place.match(/^(\d+)(?:-(\d+))?$/);
      const squares = [];
      if (range) {
        for (let number = +range[1]; number <= +(range[2] ?? range[1]) && number <= 33; number++) squares.push(numbered(number));
      } else {
        squares.push(place);
      }
      for (const square of squares) {
        if (!SQUARES.includes(square) || pieces.has(square)) return null;
        pieces.set(square, king ? color + "K" : color);
      }
    }
  }
  return { turn, pieces };
}

/** Writes a position as the service does. */
export function writeFen({ turn, pieces }) {
  const list = (color) =>
    color + SQUARES.filter((square) => pieces.get(square)?.[0] === color)
      .map((square) => (pieces.get(square)[1] ?? "") + square).join(",");
  return `${turn}:${list("W")}:${list("B")}`;
}

/** The same position with the colours swapped and the board turned by half. */
export function swapped({ turn, pieces }) {
  const other = { W: "B", B: "W" };
  const turned = (square) => "hgfedcba"["abcdefgh".indexOf(square[0])] + (9 - square[1]);
  return {
    turn: other[turn],
    pieces: new Map([...pieces].map(([square, piece]) => [turned(square), other[piece[0]] + piece.slice(1)])),
  };
}

/** The same position seen in a mirror that stands on a long diagonal: "main" is a1-h8, "other" a8-h1. It keeps the value only
 * where there are kings alone: men go one way. */
export function mirrored({ turn, pieces }, diagonal) {
  const image = (square) => {
    const [file, rank] = ["abcdefgh".indexOf(square[0]), square[1] - 1];
    const [toFile, toRank] = diagonal === "main" ? [rank, file] : [7 - rank, 7 - file];
    return "abcdefgh"[toFile] + (toRank + 1);
  };
  return { turn, pieces: new Map([...pieces].map(([square, piece]) => [image(square), piece])) };
}

/** Whether nobody has a man. */
export function kingsOnly({ pieces }) {
  return [...pieces.values()].every((piece) => piece.length === 2);
}

/** The name of the slice from the mover's side, or null when a side has no piece. */
export function sliceOf({ turn, pieces }) {
  const side = (color) => {
    const own = [...pieces.values()].filter((piece) => piece[0] === color);
    const kings = own.filter((piece) => piece.length === 2).length;
    return "K".repeat(kings) + "m".repeat(own.length - kings);
  };
  const [mover, other] = turn === "W" ? [side("W"), side("B")] : [side("B"), side("W")];
  return mover && other ? `${mover}v${other}` : null;
}

/** Whether a piece may stand on a square: no man does on its promotion rank. */
export function mayStand(piece, square) {
  return piece.length === 2 || square[1] !== (piece === "W" ? "8" : "1");
}

/** The squares that a move names, in order. */
export function squaresOf(text) {
  return text.split(/[-:]/);
}
