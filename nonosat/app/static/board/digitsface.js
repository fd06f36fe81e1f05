// How boards of numbers look: Skyscrapers with their clues, and any other kind as it is.

import { Face, isRow } from "./face.js";
import { paint, strike, write } from "./theme.js";

const EDGES = ["top", "bottom", "left", "right"];
const ON_PAPER = { sheet: "#ffffff", ink: "#1f5fa8", muted: "#5a5a5a", accent: "#0b6b66", bad: "#b3261e" };

/** The puzzle as its kind draws it, on white paper: it stands behind the cells, with its margins beside them. */
class Drawing {
  constructor(board) {
    const { svg, cell, box } = board.puzzle.drawing;
    Object.assign(this, { board, cell, box, ready: false, image: new Image() });
    this.image.onload = () => {
      this.ready = true;
      board.sheet?.all();
    };
    this.image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  }

  bands(cell) {
    const { box: [left, top, width, height], board: { puzzle } } = this;
    const [across, down] = [puzzle.width, puzzle.height].map((count) => count * this.cell);
    const pixels = (room) => Math.max(0, Math.round((room / this.cell) * cell));
    const margins = (before, length, inside) => [-before, length + before - inside].map(pixels);
    return { x: margins(left, width, across), y: margins(top, height, down) };
  }

  paint(context) {
    if (!this.ready) return;
    const { view, puzzle } = this.board;
    const scale = view.cell / this.cell;
    const [x, y] = view.box([0, puzzle.height], [0, puzzle.width]);
    const [left, top, width, height] = this.box;
    context.drawImage(this.image, x + left * scale, y + top * scale, width * scale, height * scale);
  }
}

export class DigitsFace extends Face {
  every = 0;
  help = "Digits set a cell, Shift and a digit notes it, Backspace clears.";
  clues = this.board.puzzle.clues;
  drawing = this.board.puzzle.drawing && new Drawing(this.board);

  get font() {
    return Math.max(9, Math.min(30, Math.round(this.board.view.cell * 0.52)));
  }

  bands(cell) {
    if (this.drawing) return this.drawing.bands(cell);
    const side = this.clues && cell >= 8 ? Math.max(14, Math.round(cell * 0.85)) : 0;
    return { x: [side, side], y: [side, side] };
  }

  fill() {
    return this.theme.sheet;
  }

  paintCell(index, box) {
    const { board, context, theme } = this;
    const [x, y, wide, tall] = box;
    const value = board.cells[index];
    const [given, wrong] = [board.given.has(index), board.wrong.has(index)];
    if (wrong) this.paintWrong(box);
    else if (given && !this.drawing) paint(context, theme.soft, box);
    if (given && this.drawing) return;
    context.textAlign = "center";
    context.textBaseline = "middle";
    if (value >= board.puzzle.values[0]) {
      // while clues are edited, what only follows from them is faint
      const ink = board.mode === "edit" && !given ? theme.muted : theme.ink;
      context.font = `${given ? "600 " : ""}${this.font}px ${theme.font}`;
      write(context, board.trial.has(index) ? theme.accent : ink, value, x + wide / 2 + 0.5, y + tall / 2 + 1);
    } else if (value < -1 && board.view.cell >= 14) {
      this.paintNotes(this.notes(value), box);
    }
  }

  paintNotes(notes, [x, y, wide, tall]) {
    const { context, theme } = this;
    const side = Math.ceil(Math.sqrt(this.board.puzzle.values[1]));
    context.font = `${Math.max(7, Math.round((wide / side) * 0.72))}px ${theme.font}`;
    for (const value of notes) {
      const [row, column] = [Math.floor((value - 1) / side), (value - 1) % side];
      write(context, theme.muted, value, x + (wide * (column + 0.5)) / side + 0.5, y + (tall * (row + 0.5)) / side + 1);
    }
  }

  notes(value) {
    return Array.from({ length: 30 }, (_, at) => at + 1).filter((at) => value < -1 && (-1 - value) & (1 << at));
  }

  paintBands(lines) {
    if (this.drawing) return;
    this.paintEdges(EDGES, lines, Math.round(this.font * 0.82), (edge, index, { start, end, first, depth }) => {
      const clue = this.clues[edge][index];
      const [middle, across] = [(start + end) / 2 + 0.5, first + depth / 2 - 1];
      const at = isRow(edge) ? [across, middle + 1] : [middle, across + 1];
      if (!clue) return;
      const ink = this.inkOf(edge, index, clue);
      write(this.context, ink, clue, ...at);
      if (ink === this.theme.muted) strike(this.context, ink, ...at, this.font * 0.8);
    });
  }

  /** The colour of a clue: does a full line show as many towers as it says? */
  inkOf(edge, index, clue) {
    const line = [...this.board.line(isRow(edge), index)];
    if (this.board.mode === "edit" || line.some((value) => value < 1)) return this.theme.ink;
    if (edge === "right" || edge === "bottom") line.reverse();
    const seen = line.filter((value, at) => value > Math.max(0, ...line.slice(0, at))).length;
    return seen === clue ? this.theme.muted : this.theme.bad;
  }

  recolour() {
    if (this.drawing) this.theme = { ...this.theme, ...ON_PAPER };
  }

  lines(row, column) {
    const place = `Row ${row + 1}, column ${column + 1}`;
    if (!this.clues) return place;
    const clue = (edge, at) => `${edge} ${this.clues[edge][at] || "none"}`;
    return `${place} · from the ${clue("left", row)}, ${clue("right", row)}, ${clue("top", column)}, ${clue("bottom", column)}`;
  }

  speak(row, column) {
    const { board } = this;
    const index = board.index({ row, column });
    const value = board.cells[index];
    const notes = this.notes(value);
    const what = value >= board.puzzle.values[0] ? value : notes.length ? `notes ${notes.join(" ")}` : "open";
    return `${board.wrong.has(index) ? "An error, it is " : ""}${what}. ${this.lines(row, column)}`;
  }
}
