// The canvas: all of it when the view changes, and otherwise only the cells and clues that changed, once a frame.

import { readTheme, rgb } from "./theme.js";

export class Sheet {
  constructor(board) {
    this.board = board;
    this.theme = readTheme(board.root);
    this.context = board.canvas.getContext("2d", { alpha: false });
    this.pixels = document.createElement("canvas"); // a pixel a cell: how boards with tiny cells are drawn at once
    this.pixels.width = board.puzzle.width;
    this.pixels.height = board.puzzle.height;
    this.waiting = new Set();
    this.whole = true;
    this.frame = 0;
    this.spent = 0;
    this.recolour();
  }

  resize() {
    const { across, down } = this.board.view;
    const ratio = window.devicePixelRatio || 1;
    const { canvas } = this.board;
    this.board.view.ratio = ratio;
    this.hair = Math.max(1, Math.floor(ratio)) / ratio; // as thick as a line can be drawn sharply
    canvas.width = Math.round(across * ratio);
    canvas.height = Math.round(down * ratio);
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.whole = true;
    this.flush(); // now, not in a frame: a canvas that was resized is empty
  }

  /** The stylesheet's colours may be others now. */
  retheme() {
    this.theme = readTheme(this.board.root);
    this.recolour();
  }

  recolour() {
    this.board.face.recolour(this.theme);
    const { cells, face } = this.board;
    const image = new ImageData(this.pixels.width, this.pixels.height);
    const words = new Uint32Array(image.data.buffer);
    const known = new Map();
    for (let index = 0; index < cells.length; index += 1) {
      const value = cells[index];
      if (!known.has(value)) {
        const bytes = Uint8Array.of(...rgb(face.fill(value, this.theme)), 255);
        known.set(value, new Uint32Array(bytes.buffer)[0]); // four bytes at once, in the machine's order
      }
      words[index] = known.get(value);
    }
    this.pixels.getContext("2d").putImageData(image, 0, 0);
    this.all();
  }

  all() {
    this.whole = true;
    this.ask();
  }

  dirty(cells) {
    cells.forEach((index) => this.waiting.add(index));
    if (cells.length) this.ask();
  }

  /** The cursor or the pointer went from or to these cells (null: nowhere). */
  pointed(...places) {
    const { width } = this.board.puzzle;
    this.dirty(places.filter((place) => place).map(({ row, column }) => row * width + column));
  }

  ask() {
    this.frame ||= requestAnimationFrame(() => this.flush());
  }

  flush() {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    const began = performance.now();
    if (this.whole) this.paintAll();
    else this.paintSome(this.waiting);
    if (this.board.mode === "edit") this.board.read(); // what was drawn has other clues
    this.waiting.clear();
    this.whole = false;
    this.spent = performance.now() - began;
  }

  paintAll() {
    const { view, face } = this.board;
    const { context, theme } = this;
    this.keepPixels(this.waiting);
    context.fillStyle = theme.paper;
    context.fillRect(0, 0, view.across + 1, view.down + 1); // the last pixel of the screen may be a part of one
    face.refresh(null);
    this.clipped(() => {
      const { rows, columns } = view.seen();
      this.paintPixels(rows, columns);
      if (view.cell >= 4) {
        for (let row = rows[0]; row < rows[1]; row += 1) {
          for (let column = columns[0]; column < columns[1]; column += 1) {
            this.paintMarks(row, column);
          }
        }
      }
      this.paintLit(rows, columns);
      this.paintGrid(rows, columns);
      this.paintCursor();
    });
    face.paintBands(context, theme);
  }

  paintPixels(rows, columns) {
    const { view } = this.board;
    const part = [columns[0], rows[0], columns[1] - columns[0], rows[1] - rows[0]];
    this.context.imageSmoothingEnabled = view.cell < 1;
    this.context.drawImage(this.pixels, ...part, ...view.box(rows, columns));
  }

  paintSome(cells) {
    const { board } = this;
    const { width } = board.puzzle;
    const lines = { rows: new Set(), columns: new Set() };
    this.keepPixels(cells);
    this.clipped(() => {
      for (const index of cells) {
        const [row, column] = [Math.floor(index / width), index % width];
        lines.rows.add(row);
        lines.columns.add(column);
        this.paintCell(row, column);
      }
      this.paintCursor();
    });
    board.face.refresh(lines);
    board.face.paintBands(this.context, this.theme, lines);
  }

  keepPixels(cells) {
    const { board } = this;
    const context = this.pixels.getContext("2d");
    for (const index of cells) {
      context.fillStyle = board.face.fill(board.cells[index], this.theme);
      context.fillRect(index % board.puzzle.width, Math.floor(index / board.puzzle.width), 1, 1);
    }
  }

  /** Draw inside the board only: clues are not painted over. */
  clipped(draw) {
    const { view } = this.board;
    const { context } = this;
    context.save();
    context.beginPath();
    const [x, y] = [Math.max(view.left, view.edgeX(0)) - 1, Math.max(view.top, view.edgeY(0)) - 1];
    const right = Math.min(view.across - view.right, view.edgeX(view.width)) + 2;
    const bottom = Math.min(view.down - view.bottom, view.edgeY(view.height)) + 2;
    context.rect(x, y, right - x, bottom - y);
    context.clip();
    draw();
    context.restore();
  }

  paintCell(row, column) {
    const [rows, columns] = [[row, row + 1], [column, column + 1]];
    this.paintPixels(rows, columns);
    if (this.board.view.cell >= 4) this.paintMarks(row, column);
    this.paintLit(rows, columns);
    this.paintGrid(rows, columns);
  }

  paintMarks(row, column) {
    const { board, context, theme } = this;
    const index = row * board.puzzle.width + column;
    const [x, y, wide, tall] = board.view.box([row, row + 1], [column, column + 1]);
    if (board.heat?.[index] > 0) {
      const share = Math.min(1, board.heat[index]);
      const inset = board.cells[index] > 0 ? Math.round(wide / 4) : 0; // on ink, a window in which it is seen
      const window = [x + inset, y + inset, wide - 2 * inset, tall - 2 * inset];
      context.globalAlpha = inset ? Math.min(1, 2 * share) : 0;
      context.fillStyle = theme.sheet;
      context.fillRect(...window);
      context.globalAlpha = 0.85 * share;
      context.fillStyle = theme.accent;
      context.fillRect(...window);
      context.globalAlpha = 1;
    }
    board.face.paintCell(context, theme, { index, x, y, wide, tall });
    if (board.outline.has(index)) {
      const how = board.outline.get(index);
      context.strokeStyle = { wrong: theme.bad, used: theme.muted, settled: theme.accent }[how];
      context.lineWidth = Math.max(1.5, board.view.cell / 10);
      context.setLineDash(how === "used" ? [2, 2] : []);
      const inset = context.lineWidth / 2 + 1;
      context.strokeRect(x + inset, y + inset, wide - 2 * inset, tall - 2 * inset);
      context.setLineDash([]);
    }
  }

  /** Lines that an explanation is about. */
  paintLit(rows, columns) {
    const { board, context, theme } = this;
    context.globalAlpha = 0.16;
    context.fillStyle = theme.accent;
    for (const [axis, index] of board.lines) {
      const line = [index, index + 1];
      const [first, last] = axis === "row" ? rows : columns;
      if (index < first || index >= last) continue;
      context.fillRect(...board.view.box(axis === "row" ? line : rows, axis === "row" ? columns : line));
    }
    context.globalAlpha = 1;
  }

  /** Hairlines, stronger ones every five cells (every `strong` of the face) and at the edges. */
  paintGrid(rows, columns) {
    const { board, context, theme, hair } = this;
    const { view, face } = board;
    const [x, y, wide, tall] = view.box(rows, columns);
    for (const strong of [false, true]) {
      context.fillStyle = strong ? theme.strong : theme.line;
      const drawn = (index, last) => {
        const edge = index === 0 || index === last;
        const isStrong = edge || (face.every > 0 && index % face.every === 0);
        return isStrong === strong && (view.cell >= 4 || edge || (isStrong && view.cell >= 2));
      };
      for (let column = columns[0]; column <= columns[1]; column += 1) {
        if (drawn(column, view.width)) context.fillRect(view.edgeX(column), y, hair, tall + hair);
      }
      for (let row = rows[0]; row <= rows[1]; row += 1) {
        if (drawn(row, view.height)) context.fillRect(x, view.edgeY(row), wide + hair, hair);
      }
    }
  }

  paintCursor() {
    const { context, theme } = this;
    const { cursor, view } = this.board;
    if (!cursor.shown) return;
    const { row, column } = cursor;
    const [x, y, wide, tall] = view.box([row, row + 1], [column, column + 1]);
    // a ring in the accent colour, and one in that of the paper inside it: one of them is seen on any cell
    for (const [style, lineWidth, inset] of [[theme.accent, 2, 2], [theme.paper, 1, 3.5]]) {
      Object.assign(context, { strokeStyle: style, lineWidth });
      context.strokeRect(x + inset, y + inset, Math.max(1, wide + 1 - 2 * inset), Math.max(1, tall + 1 - 2 * inset));
    }
  }

  close() {
    cancelAnimationFrame(this.frame);
  }
}
