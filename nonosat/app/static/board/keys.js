// The keyboard, with the keys of Simon Tatham's Pattern: arrows move; Enter and Space cycle a cell; arrows with Control
// fill the cells that are left and entered, with Shift mark them, with both open them.

const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const ASKED = { u: "undo", z: "undo", r: "redo", y: "redo", t: "trial" };

export function keyPressed(board, event) {
  const handled =
    event.key in ARROWS ? arrow(board, event) : command(board, event) || digit(board, event) || other(board, event);
  if (handled) {
    event.preventDefault();
    event.stopPropagation();
  }
}

function arrow(board, event) {
  if (event.altKey || event.metaKey) {
    return false;
  }
  const { height, width, kind } = board.puzzle;
  const [down, across] = ARROWS[event.key];
  const from = board.cursor;
  const row = Math.min(Math.max(from.row + down, 0), height - 1);
  const column = Math.min(Math.max(from.column + across, 0), width - 1);
  if ((event.ctrlKey || event.shiftKey) && kind === "nonogram" && board.mode !== "show") {
    const value = event.ctrlKey && event.shiftKey ? blankOf(board) : event.ctrlKey ? board.colour : 0;
    setCells(board, [from.row * width + from.column, row * width + column], value);
  }
  if (board.view.reveal(row, column)) {
    board.sheet.all();
  }
  board.point(row, column, true);
  return true;
}

function command(board, event) {
  const key = event.key.toLowerCase();
  const held = event.ctrlKey || event.metaKey;
  if (held && key === "z" && event.shiftKey) {
    board.send("redo");
  } else if (key in ASKED && !event.altKey && (!held || ["z", "y"].includes(key))) {
    board.send(ASKED[key]);
  } else {
    return false;
  }
  return true;
}

/** A digit sets a cell, with Shift (or the tool "mark") a note; in nonograms it chooses the colour. */
function digit(board, event) {
  const found = /^(?:Digit|Numpad)([0-9])$/.exec(event.code);
  if (!found || event.ctrlKey || event.metaKey || event.altKey) {
    return false;
  }
  const value = Number(found[1]);
  if (board.puzzle.kind === "nonogram") {
    if (value >= 1 && value < board.puzzle.palette.length) {
      board.send("colour", { colour: value });
    }
    return true;
  }
  enter(board, typed(board, value), event.shiftKey || board.tool === "mark");
  return true;
}

/** Two digits typed behind each other are one number, where the board has such ones. */
function typed(board, value) {
  const { row, column } = board.cursor;
  const last = board.typed;
  const joins = last && last.row === row && last.column === column && performance.now() - last.at < 900;
  const number = joins && last.value * 10 + value <= board.puzzle.values[1] ? last.value * 10 + value : value;
  board.typed = { row, column, value: number, at: performance.now() };
  return number;
}

/** Put a number into the cursor's cell, or note it. */
export function enter(board, value, note) {
  const [least, most] = board.puzzle.values;
  const index = board.cursor.row * board.puzzle.width + board.cursor.column;
  const now = board.cells[index];
  if (board.mode === "show" || value < least || value > most) {
    return;
  }
  if (note) {
    setCells(board, [index], -1 - ((now < -1 ? -1 - now : 0) ^ (1 << value)));
  } else {
    setCells(board, [index], now === value ? -1 : value);
  }
}

function other(board, event) {
  const index = board.cursor.row * board.puzzle.width + board.cursor.column;
  if (event.ctrlKey || event.metaKey || event.altKey) {
    return false;
  }
  if (event.key === "Enter" || event.key === " ") {
    if (board.mode === "show") {
      board.send("cell", { row: board.cursor.row, column: board.cursor.column });
    } else {
      setCells(board, [index], pressed(board, index, event.key === "Enter" ? 1 : -1));
    }
  } else if (event.key === "Backspace" || event.key === "Delete") {
    setCells(board, [index], blankOf(board));
  } else if (event.key === "+" || event.key === "-") {
    board.zoom(event.key === "+" ? 1.4 : 1 / 1.4);
  } else {
    return false;
  }
  return true;
}

function pressed(board, index, step) {
  const now = board.cells[index];
  if (board.mode === "edit") {
    return now === board.colour ? 0 : board.colour;
  }
  if (board.model.get("goal") && board.puzzle.kind === "nonogram") {
    // with lives nothing cycles through "filled": Enter uncovers, Space marks
    return step > 0 ? (now < 0 ? board.colour : now) : now < 0 ? 0 : now === 0 ? -1 : now;
  }
  return board.face.cycled(now, step);
}

function blankOf(board) {
  return board.mode === "edit" ? 0 : -1;
}

function setCells(board, indexes, value) {
  const goal = board.model.get("goal");
  const changes = new Map();
  for (const index of indexes) {
    const uncovered = goal && board.mode === "play" && board.cells[index] > 0; // a fact, which no key takes back
    if (board.mode !== "show" && !board.fixed(index) && !uncovered && board.cells[index] !== value) {
      changes.set(index, value);
      board.put(index, value);
      if (goal && value > 0 && goal[index] !== value && board.mode === "play") {
        board.wrong.add(index);
        break;
      }
    }
  }
  board.commit(changes);
  board.point(board.cursor.row, board.cursor.column, true);
}
