// The keys of Simon Tatham's Pattern: arrows move; Enter and Space cycle a cell; arrows with Control fill the cells that are
// left and entered, with Shift mark them, with both open them.

import { MARKED, operation } from "./strokes.js";

const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
export const DIGIT = /^(?:Digit|Numpad)([0-9])$/;
const ASKED = { u: "undo", z: "undo", r: "redo", y: "redo", t: "trial" };

export function keyPressed(board, event) {
  const taken = event.key in ARROWS ? arrow(board, event) : [command, digit, other].some((work) => work(board, event));
  if (taken) {
    event.preventDefault();
    event.stopPropagation();
  }
}

const held = (event) => event.ctrlKey || event.metaKey;
const index = (board) => board.index(board.cursor);
const blankOf = (board) => (board.mode === "edit" ? 0 : -1);

function arrow(board, event) {
  if (event.altKey || event.metaKey) return false;
  const { height, width, kind } = board.puzzle;
  const [down, across] = ARROWS[event.key];
  const row = Math.min(Math.max(board.cursor.row + down, 0), height - 1);
  const column = Math.min(Math.max(board.cursor.column + across, 0), width - 1);
  if ((event.ctrlKey || event.shiftKey) && kind === "nonogram") {
    const value = event.ctrlKey && event.shiftKey ? blankOf(board) : event.ctrlKey ? board.colour : 0;
    setCells(board, value, [index(board), board.index({ row, column })]);
  }
  if ([board.view.y.reveal(row), board.view.x.reveal(column)].includes(true)) board.sheet.all();
  board.point(row, column, true);
  return true;
}

/** What a key asks of the host: "undo", "redo" or "trial"; `everywhere` on the page only with Control. */
export function asked(event, everywhere = false) {
  const key = event.key.toLowerCase();
  if (event.altKey || (everywhere && !held(event))) return undefined;
  if (held(event)) return { z: event.shiftKey ? "redo" : "undo", y: "redo" }[key];
  return ASKED[key];
}

function command(board, event) {
  const type = asked(event);
  if (type) board.model.send({ type });
  return type;
}

function digit(board, event) {
  const found = DIGIT.exec(event.code);
  if (!found || held(event) || event.altKey) return false;
  const value = Number(found[1]);
  if (board.puzzle.kind !== "nonogram") enter(board, typed(board, value), event.shiftKey || board.tool === "mark");
  else if (value >= 1 && value < board.puzzle.palette.length) board.model.send({ type: "colour", colour: value });
  return true;
}

/** Two digits typed behind each other are one number, where the board has such ones. */
function typed(board, value) {
  const { cell, number = 0, at } = board.typed ?? {};
  const [now, joined] = [performance.now(), 10 * number + value];
  const joins = cell === index(board) && now - at < 900 && joined <= board.puzzle.values[1];
  board.typed = { cell: index(board), number: joins ? joined : value, at: now };
  return board.typed.number;
}

export function enter(board, value, note) {
  const [least, most] = board.puzzle.values;
  const now = board.cells[index(board)];
  const noted = -1 - ((now < -1 ? -1 - now : 0) ^ (1 << value));
  if (value >= least && value <= most) setCells(board, note ? noted : now === value ? -1 : value);
}

function other(board, event) {
  const { key } = event;
  if (held(event) || event.altKey) return false;
  if (key === "Enter" && board.goal && board.cells[index(board)] === 0) board.tell(MARKED);
  else if (key === "Enter" || key === " ") setCells(board, pressed(board, board.cells[index(board)], key === "Enter" ? 1 : -1));
  else if (key === "Backspace" || key === "Delete") setCells(board, blankOf(board));
  else if (key === "+" || key === "-") board.zoom(key === "+" ? 1.4 : 1 / 1.4);
  else return false;
  return true;
}

function pressed({ puzzle, mode, colour, goal, face }, now, step) {
  let { cycle } = face;
  if (puzzle.kind === "nonogram") {
    if (mode === "edit") return now === colour ? 0 : colour;
    // with lives nothing cycles through "filled": Enter uncovers, Space marks
    if (goal) return operation(step > 0 ? "uncover" : "mark", now, colour) ?? now;
    cycle = [-1, colour, 0]; // gray, black, white, as Tatham's Pattern has it; a cell of another colour counts as open
  }
  return cycle.at((Math.max(0, cycle.indexOf(now)) + step) % cycle.length);
}

function setCells(board, value, cells = [index(board)]) {
  if (board.mode === "show") return;
  if (!board.begun) return board.tell("Choose a cell first.");
  const changes = new Map();
  for (const cell of cells) {
    const now = board.cells[cell];
    const kept = board.goal && (now > 0 || (now === 0 && value > 0)); // a fact, which no key takes back; a mark, which protects
    if (!board.fixed(cell) && !kept && now !== value) {
      changes.set(cell, value);
      board.put(cell, value);
      if (board.errs(cell)) break;
    }
  }
  board.commit(changes);
  board.point(board.cursor.row, board.cursor.column, true);
}
