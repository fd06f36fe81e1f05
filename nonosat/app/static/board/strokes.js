// A stroke: the first cell sets the operation, the second locks the line, and from then on the pointer is projected on
// that line (Wałejko 2022). It changes the cells that are as its first one was. Drawing (`edit`) is freehand.

/** What a tool makes of a cell with `value`: the value to put, or null for nothing. */
function operation(tool, value, colour) {
  if (tool === "mark") {
    return value < 0 ? 0 : value === 0 ? -1 : null;
  }
  if (tool === "uncover") {
    return value < 0 ? colour : null;
  }
  return value < 0 ? colour : value === colour || value === 0 ? -1 : colour;
}

export class Stroke {
  /** `other`: the second button, which marks where the first fills, and the other way round. */
  constructor(board, row, column, other = false) {
    this.board = board;
    this.changes = new Map();
    this.before = new Map();
    this.line = null;
    this.first = this.last = { row, column };
    this.ended = false;
    const index = row * board.puzzle.width + column;
    this.from = board.cells[index];
    if (board.mode === "edit") {
      this.to = other || this.from === board.colour ? 0 : board.colour;
    } else {
      const paints = board.model.get("goal") ? "uncover" : "free";
      const tool = other ? (board.tool === "mark" ? paints : "mark") : board.tool;
      this.to = operation(tool, this.from, board.colour);
    }
    if (this.to !== null && !board.fixed(index)) {
      this.put(index);
    } else if (board.fixed(index)) {
      this.ended = true;
    }
  }

  put(index) {
    const { board } = this;
    const value = board.cells[index];
    if (this.ended || board.fixed(index) || value === this.to || this.changes.has(index)) {
      return;
    }
    if (board.mode !== "edit" && Math.min(value, 0) !== Math.min(this.from, 0)) {
      return;
    }
    if (board.mode !== "edit" && value >= 0 && value !== this.from) {
      return;
    }
    this.before.set(index, value);
    this.changes.set(index, this.to);
    board.put(index, this.to);
    const goal = board.model.get("goal");
    if (goal && this.to > 0 && goal[index] !== this.to && board.mode === "play") {
      board.wrong.add(index); // an error ends the stroke; the host counts it
      this.ended = true;
    }
  }

  /** The pointer is at this cell now, maybe outside the board. */
  toCell(row, column) {
    if (this.to === null || this.ended) {
      return;
    }
    const { height, width } = this.board.puzzle;
    let target = { row: Math.min(Math.max(row, 0), height - 1), column: Math.min(Math.max(column, 0), width - 1) };
    if (this.board.mode !== "edit") {
      const [down, across] = [Math.abs(target.row - this.first.row), Math.abs(target.column - this.first.column)];
      if (this.line === null && (down || across)) {
        this.line = down > across ? "column" : "row";
      }
      target = this.line === "column" ? { ...target, column: this.first.column } : { ...target, row: this.first.row };
    }
    const steps = Math.max(Math.abs(target.row - this.last.row), Math.abs(target.column - this.last.column));
    for (let step = 1; step <= steps; step += 1) {
      const along = (from, to) => Math.round(from + ((to - from) * step) / steps);
      this.put(along(this.last.row, target.row) * width + along(this.last.column, target.column));
    }
    this.last = target;
  }

  finish() {
    this.board.stroke = null;
    this.board.commit(this.changes);
  }

  /** Take it back, as if nothing had been: a second finger came to zoom. */
  cancel() {
    this.board.stroke = null;
    for (const [index, value] of this.before) {
      this.board.wrong.delete(index);
      this.board.put(index, value);
    }
  }
}
