// The canvas: painted once a frame, all of it when the view changes, else what changed.

import { inset, outline, paint, readTheme, rgb } from "./theme.js";

const MANY = 2000; // cells: so many are painted faster with all others than one by one

export class Sheet {
  constructor(board) {
    const { canvas, puzzle: { height, width } } = board;
    // a pixel a cell: boards with tiny cells are drawn at once
    const pixels = Object.assign(document.createElement("canvas"), { width, height });
    Object.assign(this, { board, pixels, waiting: new Set(), whole: true, frame: 0 });
    this.context = canvas.getContext("2d", { alpha: false });
  }

  resize() {
    const { canvas, view } = this.board;
    const ratio = window.devicePixelRatio || 1;
    view.ratio = ratio;
    this.hair = Math.max(1, Math.floor(ratio)) / ratio; // as thick as a line can be drawn sharply
    canvas.width = Math.round(view.x.length * ratio);
    canvas.height = Math.round(view.y.length * ratio);
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.whole = true;
    this.flush(); // now, not in a frame: a canvas that was resized is empty
  }

  retheme() {
    const { root, face } = this.board;
    this.theme = readTheme(root);
    Object.assign(face, { context: this.context, theme: this.theme });
    face.recolour();
    this.fillPixels();
    this.all();
  }

  fillPixels() {
    const { face, cells } = this.board;
    const image = new ImageData(this.pixels.width, this.pixels.height);
    const words = new Uint32Array(image.data.buffer);
    const known = new Map();
    cells.forEach((value, index) => {
      if (!known.has(value)) {
        const bytes = Uint8Array.of(...rgb(face.fill(value)), 255);
        known.set(value, new Uint32Array(bytes.buffer)[0]); // four bytes at once, in the machine's order
      }
      words[index] = known.get(value);
    });
    this.pixels.getContext("2d").putImageData(image, 0, 0);
  }

  all() {
    this.whole = true;
    this.ask();
  }

  dirty(cells) {
    cells.forEach((index) => this.waiting.add(index));
    if (cells.length) this.ask();
  }

  pointed(...places) {
    this.dirty(places.filter(Boolean).map((place) => this.board.index(place)));
  }

  ask() {
    this.frame ||= requestAnimationFrame(() => this.flush());
  }

  flush() {
    this.close();
    if (this.waiting.size > MANY) {
      this.fillPixels();
      this.whole = true;
    } else {
      this.keepPixels();
    }
    if (this.whole || this.board.face.drawing) this.paintAll();
    else this.paintSome();
    if (this.board.mode === "edit") this.board.read(); // what was drawn has other clues
    this.waiting.clear();
    this.whole = false;
  }

  paintAll() {
    const { view, face } = this.board;
    paint(this.context, this.theme.paper, [0, 0, view.x.length + 1, view.y.length + 1]); // the last pixel may be a part of one
    face.refresh(null);
    face.drawing?.paint(this.context); // which has paper and lines of its own
    const drawn = face.drawing?.ready;
    this.clipped(() => {
      const [rows, columns] = [view.y.seen, view.x.seen];
      if (!drawn) this.paintPixels(rows, columns);
      for (let row = rows[0]; row < rows[1] && view.cell >= 4; row += 1) {
        for (let column = columns[0]; column < columns[1]; column += 1) this.paintMarks(row, column);
      }
      this.paintLit(rows, columns);
      if (!drawn) this.paintGrid(rows, columns);
    });
    face.paintBands(null);
  }

  paintSome() {
    const { face, view, puzzle: { width } } = this.board;
    const lines = { rows: new Set(), columns: new Set() };
    this.clipped(() => {
      for (const index of this.waiting) {
        const [row, column] = [Math.floor(index / width), index % width];
        const box = [[row, row + 1], [column, column + 1]];
        lines.rows.add(row);
        lines.columns.add(column);
        this.paintPixels(...box);
        if (view.cell >= 4) this.paintMarks(row, column);
        this.paintLit(...box);
        this.paintGrid(...box);
      }
    });
    face.refresh(lines);
    face.paintBands(lines);
  }

  paintPixels(rows, columns) {
    const { view } = this.board;
    const part = [columns[0], rows[0], columns[1] - columns[0], rows[1] - rows[0]];
    this.context.imageSmoothingEnabled = view.cell < 1;
    this.context.drawImage(this.pixels, ...part, ...view.box(rows, columns));
  }

  keepPixels() {
    const { cells, face, puzzle: { width } } = this.board;
    const context = this.pixels.getContext("2d");
    for (const index of this.waiting) {
      paint(context, face.fill(cells[index]), [index % width, Math.floor(index / width), 1, 1]);
    }
  }

  /** Draw, and the cursor over it, but not over the clues. */
  clipped(draw) {
    const { context, board: { view } } = this;
    const [[left, right], [top, bottom]] = [view.x.ends, view.y.ends];
    context.save();
    context.beginPath();
    context.rect(left - 1, top - 1, right - left + 3, bottom - top + 3);
    context.clip();
    draw();
    this.paintCursor();
    context.restore();
  }

  paintMarks(row, column) {
    const { board, context, theme } = this;
    const index = board.index({ row, column });
    const box = board.view.box([row, row + 1], [column, column + 1]);
    if (board.heat?.[index] > 0) {
      const share = Math.min(1, board.heat[index]);
      const window = board.cells[index] > 0 ? inset(box, Math.round(box[2] / 4)) : box; // on ink it is seen in a window
      if (window !== box) paint(context, theme.sheet, window, Math.min(1, 2 * share));
      paint(context, theme.accent, window, 0.85 * share);
    }
    board.face.paintCell(index, box);
    if (board.outline.has(index)) {
      const how = board.outline.get(index);
      const width = Math.max(1.5, board.view.cell / 10);
      context.setLineDash(how === "used" ? [2, 2] : []);
      outline(context, { wrong: theme.bad, used: theme.muted, settled: theme.accent }[how], width, inset(box, width / 2 + 1));
      context.setLineDash([]);
    }
  }

  paintLit(rows, columns) {
    for (const [axis, index] of this.board.lines) {
      const [first, last] = axis === "row" ? rows : columns;
      const line = [index, index + 1];
      const box = axis === "row" ? [line, columns] : [rows, line];
      if (index >= first && index < last) paint(this.context, this.theme.accent, this.board.view.box(...box), 0.16);
    }
  }

  /** Hairlines, stronger ones at the edges and every so many cells. */
  paintGrid(rows, columns) {
    const { context, theme, hair } = this;
    const { view, face: { every } } = this.board;
    const [x, y, wide, tall] = view.box(rows, columns);
    for (const strong of [false, true]) {
      for (const [axis, [first, last]] of [[view.x, columns], [view.y, rows]]) {
        for (let index = first; index <= last; index += 1) {
          const edge = index === 0 || index === axis.count;
          const isStrong = edge || index % every === 0;
          if (isStrong !== strong || (view.cell < 4 && !edge && (!isStrong || view.cell < 2))) continue;
          const at = axis.edge(index);
          const line = axis === view.x ? [at, y, hair, tall + hair] : [x, at, wide + hair, hair];
          paint(context, strong ? theme.strong : theme.line, line);
        }
      }
    }
  }

  paintCursor() {
    const { context, theme, board: { cursor: { row, column, shown }, view } } = this;
    if (!shown) return;
    const [x, y, wide, tall] = view.box([row, row + 1], [column, column + 1]);
    // a ring in the accent colour and one in the paper's inside it: one of them is seen on any cell
    for (const [style, width, by] of [[theme.accent, 2, 2], [theme.paper, 1, 3.5]]) {
      outline(context, style, width, [x + by, y + by, Math.max(1, wide + 1 - 2 * by), Math.max(1, tall + 1 - 2 * by)]);
    }
  }

  close() {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
  }
}
