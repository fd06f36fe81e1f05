// Puzzles as they are edited: plain objects as `wire.py` has them, and flat cells.

import { runsOf } from "../board/clues.js";
import { h } from "../dom.js";

const SHADES = ["#000000", "#d55e00", "#0072b2", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#f0e442"];
export const EDGES = ["top", "bottom", "left", "right"];

export function blank(height, width, palette = ["#ffffff", SHADES[0]], title = "") {
  const empty = (count) => Array.from({ length: count }, () => []);
  const puzzle = { kind: "nonogram", height, width, title, palette, given: [], values: [0, palette.length - 1] };
  return { puzzle: { ...puzzle, rows: empty(height), columns: empty(width) }, cells: new Array(height * width).fill(0) };
}

/** Skyscrapers of another size: what fits stays where it is. */
export function towers(size, { title = "", clues = {}, given = [] } = {}) {
  const kept = EDGES.map((edge) => [edge, Array.from({ length: size }, (_, at) => clueOf(clues[edge]?.[at], size))]);
  const inside = given.filter((cell) => cell[0] < size && cell[1] < size && cell[2] <= size);
  const puzzle = { kind: "skyscrapers", height: size, width: size, size, title, given: inside, values: [1, size] };
  return { puzzle: { ...puzzle, clues: Object.fromEntries(kept) } };
}

/** The clues of a drawing. */
export function clued(cells, height, width) {
  const down = (column) => Array.from({ length: height }, (_, row) => cells[row * width + column]);
  return {
    rows: Array.from({ length: height }, (_, row) => runsOf(cells.slice(row * width, (row + 1) * width))),
    columns: Array.from({ length: width }, (_, column) => runsOf(down(column))),
  };
}

/** A drawing is sent by its cells: its clues follow from them. */
export const sent = (puzzle, drawn) => (drawn ? { ...puzzle, rows: undefined, columns: undefined } : puzzle);

const clueOf = (clue, size) => (clue >= 1 && clue <= size ? clue : 0);

export function resized({ puzzle, cells }, height, width) {
  const made = blank(height, width, puzzle.palette, puzzle.title);
  const old = (row, column) => (row < puzzle.height && column < puzzle.width ? cells[row * puzzle.width + column] : 0);
  made.cells = made.cells.map((_, index) => old(Math.floor(index / width), index % width));
  return made;
}

/** A colour that no other is like: the next of eight that the colour-blind can tell apart. */
export function nextShade(palette) {
  return SHADES.find((shade) => !palette.includes(shade)) ??
    `#${(palette.length * 0x2a3b1d).toString(16).padStart(6, "0").slice(-6)}`;
}

export function download(name, { suffix, data }) {
  const stem = name.trim().replace(/[^\p{L}\p{N} _-]+/gu, "").slice(0, 60);
  const href = URL.createObjectURL(new Blob([Uint8Array.fromBase64(data)]));
  h("a", { href, download: (stem || "puzzle") + suffix }).click();
  setTimeout(() => URL.revokeObjectURL(href), 10000);
}
