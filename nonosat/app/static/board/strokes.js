// A stroke: the first cell sets the operation, the second locks the line, on which the pointer is projected from then on
// (Wałejko 2022). It changes the cells that are as its first one was. Drawing (`edit`) is freehand.

export const MARKED = "It is marked as blank, and the mark protects it: take that away first.";

/** What a tool makes of a `value`; null: nothing. */
export function operation(tool, value, colour) {
  if (tool === "mark") return value < 0 ? 0 : value === 0 ? -1 : null;
  if (tool === "uncover") return value < 0 ? colour : null;
  return value < 0 ? colour : value === colour || value === 0 ? -1 : colour;
}

export class Stroke {
  /** `other`: the second button, which marks where the first fills, and back; where an error costs a life it only marks. */
  constructor(board, row, column, other = false) {
    Object.assign(this, { board, changes: new Map(), before: board.cells.slice(), line: null });
    this.first = this.last = { row, column };
    const index = board.index({ row, column });
    this.from = board.cells[index];
    this.ended = board.fixed(index);
    if (board.mode === "edit") {
      this.to = other || this.from === board.colour ? 0 : board.colour;
    } else {
      const second = board.tool === "mark" && !board.goal ? "free" : "mark";
      this.to = operation(other ? second : board.tool, this.from, board.colour);
    }
    if (this.to !== null) this.put(index);
  }

  put(index) {
    const { board, from, to } = this;
    const value = board.cells[index];
    const alike = board.mode === "edit" || (value < 0 ? from < 0 : value === from);
    if (this.ended || board.fixed(index) || value === to || this.changes.has(index) || !alike) return;
    this.changes.set(index, to);
    board.put(index, to);
    this.ended = board.errs(index); // the host counts it
  }

  toCell(row, column) {
    if (this.to === null || this.ended) return;
    const { board } = this;
    const { height, width } = board.puzzle;
    const target = { row: Math.min(Math.max(row, 0), height - 1), column: Math.min(Math.max(column, 0), width - 1) };
    const apart = (from) => [Math.abs(target.row - from.row), Math.abs(target.column - from.column)];
    if (board.mode !== "edit") {
      const [down, across] = apart(this.first);
      if (down || across) this.line ??= down > across ? "column" : "row";
      if (this.line === "column") target.column = this.first.column;
      else target.row = this.first.row;
    }
    const steps = Math.max(...apart(this.last));
    for (let step = 1; step <= steps; step += 1) {
      const along = (key) => Math.round(this.last[key] + ((target[key] - this.last[key]) * step) / steps);
      this.put(board.index({ row: along("row"), column: along("column") }));
    }
    this.last = target;
  }

  finish() {
    this.board.stroke = null;
    this.board.commit(this.changes);
    if (this.to === null && this.from === 0) this.board.tell(MARKED);
  }

  /** Take it back, as if nothing had been: a second finger came to zoom. */
  cancel() {
    this.board.stroke = null;
    for (const index of this.changes.keys()) {
      this.board.wrong.delete(index);
      this.board.put(index, this.before[index]);
    }
  }
}
