// One puzzle as a page of its own: it is played without a server, and keeps its board in the browser.

import { runsOf } from "../board/clues.js";
import { asked } from "../board/keys.js";
import { shadeName } from "../board/theme.js";
import { button, fill, group, h, keysStay, kindName, notice, size, swatch, toggle } from "../dom.js";
import { Model, openCells } from "../model.js";

const RULES = {
  nonogram: "Each number says how many cells of its line are filled without a gap, in this order; " +
    "between two of one colour there is a blank.",
  skyscrapers: "In every row and column each height comes once. A number at the edge says how many towers are seen from there: " +
    "higher ones hide lower ones.",
};
const AROUND = ["top", "bottom", "left", "right"];
const KEPT_MOVES = 1000;

const { puzzle } = JSON.parse(document.getElementById("data").textContent);
const { height, width, kind, palette = [] } = puzzle;
const store = `nonosat/offline/${puzzle.title}/${JSON.stringify([puzzle.rows, puzzle.columns, puzzle.clues, puzzle.given])}`;

const rowOf = (cells, row) => cells.slice(row * width, (row + 1) * width);
const columnOf = (cells, column) => Array.from({ length: height }, (_, row) => cells[row * width + column]);
const rowsOf = (cells) => Array.from({ length: height }, (_, row) => rowOf(cells, row));
const columnsOf = (cells) => Array.from({ length: width }, (_, column) => columnOf(cells, column));
const seenFrom = (line) => line.filter((value, at) => value > Math.max(0, ...line.slice(0, at))).length;

/** Does every line fulfil its clue? That is all there is to know: the page has no solution. */
function solves(cells) {
  const [rows, columns] = [rowsOf(cells), columnsOf(cells)];
  if (kind === "nonogram") {
    const right = (lines, clues) => lines.every((line, at) => String(runsOf(line)) === String(clues[at]));
    return right(rows, puzzle.rows) && right(columns, puzzle.columns);
  }
  const whole = (line) => line.every((value) => value > 0) && new Set(line).size === line.length;
  const back = (some) => some.map((line) => line.toReversed());
  const lines = { top: columns, bottom: back(columns), left: rows, right: back(rows) };
  const seen = (edge) => lines[edge].every((line, at) => !puzzle.clues[edge][at] || seenFrom(line) === puzzle.clues[edge][at]);
  return [...rows, ...columns].every(whole) && AROUND.every(seen);
}

// To a page from a file that asks before the browser knows that it is there, Chromium gives an empty store for good. Once
// it is painted, the browser knows.
await new Promise(requestAnimationFrame);

let keeps = true;
const state = { cells: openCells(puzzle), past: [], future: [], tool: "free", colour: 1 };
try {
  Object.assign(state, JSON.parse(localStorage.getItem(store) ?? "{}"));
} catch {
  keeps = false;
  notice("This browser keeps nothing for a page from a file: leave it open while you play.");
}

const { tool: first, colour: ink } = state;
const shownPuzzle = { ...puzzle, title: "" };
const model = new Model({ puzzle: shownPuzzle, cells: [...state.cells], mode: "play", tool: first, colour: ink, overlay: {} }, onBoard);
const place = h("div.game-board");
const title = h("h1");
const live = h("div.live");

function keep() {
  const { cells, past, future } = state;
  try {
    localStorage.setItem(store, JSON.stringify({ cells, past, future }));
  } catch {
    // it is as long as the page is open
  }
}

function onBoard({ type, changes, colour }) {
  if (type === "move") {
    state.past = [...state.past.slice(-KEPT_MOVES), changes.map(([cell, value]) => [cell, state.cells[cell], value])];
    state.future = [];
    changes.forEach(([cell, value]) => (state.cells[cell] = value));
    changed();
  } else if (type === "colour") {
    choose("free", colour);
  } else if (type === "undo" || type === "redo") {
    step(type === "undo");
  }
}

function step(back) {
  const [from, to] = back ? [state.past, state.future] : [state.future, state.past];
  const moves = from.pop();
  if (!moves) return;
  to.push(moves);
  moves.forEach(([cell, before, after]) => (state.cells[cell] = back ? before : after));
  changed();
}

function changed() {
  model.set("cells", [...state.cells]);
  keep();
  show();
}

function choose(tool, colour = state.colour) {
  Object.assign(state, { tool, colour });
  model.set("tool", tool);
  model.set("colour", colour);
  show();
}

/** Undo brings back what was there. */
function anew() {
  const open = openCells(puzzle);
  const changes = open.flatMap((value, cell) => (value === state.cells[cell] ? [] : [[cell, value]]));
  if (changes.length) onBoard({ type: "move", changes });
}

/** Another window may have played on: what is kept is how it is now. */
function look() {
  const kept = JSON.parse(localStorage.getItem(store) ?? "null");
  if (!kept || JSON.stringify(kept.cells) === JSON.stringify(state.cells)) return;
  Object.assign(state, kept);
  model.set("cells", [...state.cells]);
  show();
  notice("This puzzle was played on in another window; here is how it is now.");
}

function show() {
  const solved = solves(state.cells);
  const name = solved && puzzle.title ? puzzle.title : kindName(puzzle);
  fill(title, name);
  document.title = name;
  if (model.get("mode") !== (solved ? "show" : "play")) model.set("mode", solved ? "show" : "play");
  const tool = (which, text) => toggle(state.tool === which, text, () => choose(which));
  const shades = board.face.shades ?? palette;
  const colours = palette.slice(1).map((shade, at) =>
    swatch(shades[at + 1], state.colour === at + 1, `Colour ${at + 1}: ${shadeName(shade)}`, () => choose("free", at + 1)));
  const numbers = Array.from({ length: puzzle.values[1] }, (_, at) => button(at + 1, () => put(at + 1)));
  fill(live, solved ? h("p", { role: "status" }, h("strong", "Solved."), " Well done.") : [
    kind === "nonogram"
      ? group("div.group", "What a cell becomes", tool("free", "Fill"), tool("mark", "Mark"))
      : group("div.group", "What a number does", tool("free", "Number"), tool("mark", "Note")),
    kind === "nonogram" ? colours.length > 1 && group("div.buttons", "Colour", colours) : h("div.pad", numbers)],
    h("div.buttons", button("Undo", () => step(true), { disabled: !state.past.length || solved }),
      button("Redo", () => step(false), { disabled: !state.future.length || solved }), button("Start anew", anew)));
}

const put = (value) => model.tell({ type: "enter", value, note: state.tool === "mark" });

keysStay(live, () => board);
document.getElementById("room").append(h("div.place", h("div.game", place,
  h("aside.panel", { label: "The game" }, h("div", title, h("p.quiet.small", size(puzzle))), live, h("p.small.quiet", RULES[kind])))));
const board = model.mount(place, new AbortController().signal);
show();
document.addEventListener("keydown", (event) => {
  const type = asked(event, true);
  if (type) step(type === "undo");
  else if (document.activeElement === document.body) board.outside(event);
});
if (keeps) {
  window.addEventListener("storage", look);
  window.addEventListener("focus", look);
}
