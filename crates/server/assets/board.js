// The board: shows a position and tells which square was chosen, put on or dragged to.

import { MAIN_ROAD, SQUARES } from "./position.js";
import { words } from "./words.js";

const CROWN = "M28 64 L24 36 L40 48 L50 28 L60 48 L76 36 L72 64 Z";

/** A piece as a picture. */
export function picture(piece) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 100 100");
  svg.setAttribute("class", `piece ${piece[0]}`);
  svg.setAttribute("aria-hidden", "true");
  const draw = (name, attributes) => {
    const part = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) part.setAttribute(key, value);
    svg.append(part);
  };
  draw("circle", { class: "body", cx: 50, cy: 50, r: 46 });
  draw("circle", { class: "ring", cx: 50, cy: 50, r: 36 });
  if (piece.length === 2) draw("path", { class: "crown", d: CROWN });
  else draw("circle", { class: "ring", cx: 50, cy: 50, r: 22 });
  return svg;
}

export class Board {
  /** `choose(square)`: a square was clicked. `drag(from, to)`: a piece was dragged; `to` is null off the board. */
  constructor(element, { choose, drag, mayDrag, remove }) {
    this.element = element;
    this.on = { choose, drag, mayDrag, remove };
    this.cells = new Map();
    this.flipped = false;
    this.focus = "a1";
    element.addEventListener("keydown", (event) => this.key(event));
    element.addEventListener("pointerdown", (event) => this.press(event));
    this.layOut();
  }

  layOut() {
    const hadFocus = this.element.contains(document.activeElement);
    this.element.replaceChildren();
    this.cells.clear();
    const order = this.flipped ? [1, 2, 3, 4, 5, 6, 7, 8] : [8, 7, 6, 5, 4, 3, 2, 1];
    const files = this.flipped ? "hgfedcba" : "abcdefgh";
    for (const rank of order) {
      const row = document.createElement("div");
      row.className = "row";
      row.setAttribute("role", "row");
      for (const file of files) {
        const square = file + rank;
        const dark = SQUARES.includes(square);
        const cell = document.createElement(dark ? "button" : "div");
        cell.className = "cell";
        cell.dataset.file = file;
        cell.dataset.rank = rank;
        if (rank === order[7]) cell.classList.add("name-file");
        if (file === files[0]) cell.classList.add("name-rank");
        cell.setAttribute("role", "gridcell");
        if (dark) {
          cell.type = "button";
          cell.dataset.square = square;
          cell.tabIndex = square === this.focus ? 0 : -1;
          if (MAIN_ROAD.has(square)) cell.classList.add("road");
          cell.addEventListener("click", () => { if (!this.dragged) this.on.choose(square); });
          cell.addEventListener("focus", () => this.enter(square));
          this.cells.set(square, cell);
        } else {
          cell.setAttribute("aria-hidden", "true");
        }
        row.append(cell);
      }
      this.element.append(row);
    }
    if (hadFocus) this.cells.get(this.focus).focus();
  }

  flip() {
    this.flipped = !this.flipped;
    this.layOut();
  }

  enter(square) {
    this.cells.get(this.focus).tabIndex = -1;
    this.focus = square;
    this.cells.get(square).tabIndex = 0;
  }

  /** Shows pieces and marks: { chosen, movable, targets, last }, squares or sets of them. */
  show(pieces, { chosen = null, movable = new Set(), targets = new Set(), last = new Set(), editing = false } = {}) {
    this.element.classList.toggle("editing", editing);
    for (const [square, cell] of this.cells) {
      const piece = pieces.get(square);
      cell.replaceChildren(...(piece ? [picture(piece)] : []));
      cell.setAttribute("aria-label", `${square} ${piece ? words()[piece] : words().emptySquare}`);
      cell.setAttribute("aria-selected", String(square === chosen));
      cell.classList.toggle("chosen", square === chosen);
      cell.classList.toggle("movable", movable.has(square));
      cell.classList.toggle("target", targets.has(square));
      cell.classList.toggle("last", last.has(square));
    }
  }

  key(event) {
    const step = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key];
    if (step) {
      event.preventDefault();
      event.stopPropagation();
      const turn = this.flipped ? -1 : 1;
      const [file, rank] = ["abcdefgh".indexOf(this.focus[0]), +this.focus[1] - 1];
      // Along a rank the next dark square is two files on; along a file it is on the neighbouring one.
      const [df, dr] = [step[0] * turn * 2, step[1] * turn];
      let to = [file + df, rank + dr];
      if (dr) to[0] += rank % 2 ? -1 : 1;
      const square = "abcdefgh"[to[0]] + (to[1] + 1);
      if (this.cells.has(square)) this.cells.get(square).focus();
    } else if (event.key === "Delete" || event.key === "Backspace") {
      event.preventDefault();
      this.on.remove(this.focus);
    }
  }

  press(event) {
    this.dragged = false;
    const from = event.target.closest("[data-square]")?.dataset.square;
    if (!from || event.button !== 0 || !this.on.mayDrag(from)) return;
    this.carry(event, from, this.cells.get(from).querySelector("svg"));
  }

  /** Follows the pointer with a picture and tells where it is let go. `from` is null for a new piece. */
  carry(event, from, image, dropped = (to) => this.on.drag(from, to)) {
    const size = this.cells.get("a1").getBoundingClientRect().width * 0.9;
    const [x, y] = [event.clientX, event.clientY];
    let ghost = null;
    const at = (move) => document.elementFromPoint(move.clientX, move.clientY)?.closest("#board [data-square]")?.dataset.square ?? null;
    const follow = (move) => {
      if (!ghost && Math.hypot(move.clientX - x, move.clientY - y) < 6) return;
      if (!ghost) {
        ghost = image.cloneNode(true);
        ghost.classList.add("ghost");
        ghost.style.width = ghost.style.height = `${size}px`;
        document.body.append(ghost);
        this.dragged = true;
      }
      ghost.style.left = `${move.clientX}px`;
      ghost.style.top = `${move.clientY}px`;
    };
    const end = (move) => {
      window.removeEventListener("pointermove", follow);
      window.removeEventListener("pointerup", end);
      window.removeEventListener("pointercancel", end);
      ghost?.remove();
      if (ghost && move.type === "pointerup") dropped(at(move));
      // The click that ends a drag comes before this.
      setTimeout(() => { this.dragged = false; });
    };
    window.addEventListener("pointermove", follow);
    window.addEventListener("pointerup", end);
    window.addEventListener("pointercancel", end);
  }
}
