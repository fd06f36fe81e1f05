// The keyboard, with the keys of Simon Tatham's Pattern: arrows move; Enter and Space cycle a cell; arrows with Control
// fill the cells that are left and entered, with Shift mark them, with both open them.

const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const ASKED = { u: "undo", z: "undo", r: "redo", y: "redo", t: "trial" };

export function keyPressed(board, event) {
  const hand = event.key in ARROWS ? arrow(board, event) : command(board, event) || digit(board, event) || other(board, event);
  if (hand) {
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
    setCells(board, [index(board), board.index({ row, column })], value);
  }
  if ([board.view.y.reveal(row), board.view.x.reveal(column)].includes(true)) board.sheet.all();
  board.point(row, column, true);
  return true;
}

/** What the host is asked for by a key: "undo", "redo" or "trial"; by Control and a key `everywhere` on the page. */
export function asked(event, everywhere = false) {
  const key = event.key.toLowerCase();
  if (event.altKey || (everywhere && !held(event))) return undefined;
  if (held(event)) return { z: event.shiftKey ? "redo" : "undo", y: "redo" }[key];
  return ASKED[key];
}

function command(board, event) {
  const action = asked(event);
  if (action) board.send(action);
  return Boolean(action);
}

/** A digit sets a cell, with Shift (or the tool "mark") a note; in nonograms it chooses the colour. */
function digit(board, event) {
  const found = /^(?:Digit|Numpad)([0-9])$/.exec(event.code);
  if (!found || held(event) || event.altKey) return false;
  const value = Number(found[1]);
  if (board.puzzle.kind !== "nonogram") enter(board, typed(board, value), event.shiftKey || board.tool === "mark");
  else if (value >= 1 && value < board.puzzle.palette.length) board.send("colour", { colour: value });
  return true;
}

/** Two digits typed behind each other are one number, where the board has such ones. */
function typed(board, value) {
  const last = board.typed;
  const joined = last?.cell === index(board) && performance.now() - last.at < 900 ? last.value * 10 + value : Infinity;
  const number = joined <= board.puzzle.values[1] ? joined : value;
  board.typed = { cell: index(board), value: number, at: performance.now() };
  return number;
}

/** Put a number into the cursor's cell, or note it. */
export function enter(board, value, note) {
  const [least, most] = board.puzzle.values;
  const now = board.cells[index(board)];
  if (value < least || value > most) return;
  const noted = -1 - ((now < -1 ? -1 - now : 0) ^ (1 << value));
  setCells(board, [index(board)], note ? noted : now === value ? -1 : value);
}

function other(board, event) {
  const { key } = event;
  if (held(event) || event.altKey) return false;
  if (key === "Enter" || key === " ") {
    if (board.mode === "show") board.send("cell", { row: board.cursor.row, column: board.cursor.column });
    else setCells(board, [index(board)], pressed(board, board.cells[index(board)], key === "Enter" ? 1 : -1));
  } else if (key === "Backspace" || key === "Delete") {
    setCells(board, [index(board)], blankOf(board));
  } else if (key === "+" || key === "-") {
    board.zoom(key === "+" ? 1.4 : 1 / 1.4);
  } else {
    return false;
  }
  return true;
}

function pressed(board, now, step) {
  if (board.puzzle.kind !== "nonogram") return board.face.cycled(now, step);
  if (board.mode === "edit") return now === board.colour ? 0 : board.colour;
  if (!board.goal) return board.face.cycled(now, step);
  // with lives nothing cycles through "filled": Enter uncovers, Space marks
  return step > 0 ? (now < 0 ? board.colour : now) : now < 0 ? 0 : now === 0 ? -1 : now;
}

function setCells(board, indexes, value) {
  if (board.mode === "show") return;
  const changes = new Map();
  for (const cell of indexes) {
    const uncovered = board.goal && board.cells[cell] > 0; // a fact, which no key takes back
    if (!board.fixed(cell) && !uncovered && board.cells[cell] !== value) {
      changes.set(cell, value);
      board.put(cell, value);
      if (board.errs(cell)) break;
    }
  }
  board.commit(changes);
  board.point(board.cursor.row, board.cursor.column, true);
}
