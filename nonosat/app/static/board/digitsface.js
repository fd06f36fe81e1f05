// How boards of numbers look: Skyscrapers with their clues, and any other kind as it is.

import { isRow, paintBands } from "./bands.js";

const EDGES = ["top", "bottom", "left", "right"];

export class DigitsFace {
  every = 0;
  help = "Digits set a cell, Shift and a digit notes it, Backspace clears.";

  constructor(board) {
    this.board = board;
    this.clues = board.puzzle.clues ?? null;
  }

  font(cell) {
    return Math.max(9, Math.min(30, Math.round(cell * 0.52)));
  }

  bands(cell) {
    const side = this.clues && cell >= 8 ? Math.max(14, Math.round(cell * 0.85)) : 0;
    return { left: side, top: side, right: side, bottom: side };
  }

  recolour() {}

  fill(_, theme) {
    return theme.sheet;
  }

  refresh() {}

  paintCell(context, theme, { index, x, y, wide, tall }) {
    const { board } = this;
    const value = board.cells[index];
    const [given, wrong] = [board.given.has(index), board.wrong.has(index)];
    if (given || wrong) {
      context.fillStyle = wrong ? theme.bad : theme.soft;
      context.globalAlpha = wrong ? 0.3 : 1;
      context.fillRect(x, y, wide, tall);
      context.globalAlpha = 1;
    }
    context.textAlign = "center";
    context.textBaseline = "middle";
    if (value >= board.puzzle.values[0]) {
      // while clues are edited, what only follows from them is faint
      const ink = board.mode === "edit" && !given ? theme.muted : theme.ink;
      context.font = `${given ? "600 " : ""}${this.font(board.view.cell)}px ${theme.font}`;
      context.fillStyle = wrong ? theme.bad : board.trial.has(index) ? theme.accent : ink;
      context.fillText(String(value), x + wide / 2 + 0.5, y + tall / 2 + 1);
    } else if (value < -1 && board.view.cell >= 14) {
      this.paintNotes(context, theme, -1 - value, x, y, wide, tall);
    }
  }

  paintNotes(context, theme, mask, x, y, wide, tall) {
    const most = Math.min(this.board.puzzle.values[1], 30);
    const side = Math.ceil(Math.sqrt(this.board.puzzle.values[1]));
    context.font = `${Math.max(7, Math.round((wide / side) * 0.72))}px ${theme.font}`;
    context.fillStyle = theme.muted;
    for (let value = 1; value <= most; value += 1) {
      if (mask & (1 << value)) {
        const [row, column] = [Math.floor((value - 1) / side), (value - 1) % side];
        context.fillText(String(value), x + (wide * (column + 0.5)) / side + 0.5, y + (tall * (row + 0.5)) / side + 1);
      }
    }
  }

  paintBands(context, theme, lines = null) {
    context.font = `${Math.round(this.font(this.board.view.cell) * 0.82)}px ${theme.font}`;
    paintBands(this.board, context, theme, EDGES, lines, (edge, index, { start, end, first }) => {
      const clue = this.clues[edge][index];
      if (!clue) return;
      const state = this.lineState(edge, index, clue);
      const [middle, across] = [(start + end) / 2 + 0.5, first + this.board.view.left / 2 - 1];
      context.fillStyle = { bad: theme.bad, done: theme.faint, open: theme.ink }[state];
      context.fillText(String(clue), isRow(edge) ? across : middle, isRow(edge) ? middle + 1 : across + 1);
    });
  }

  /** Whether a full line shows as many towers as its clue says. */
  lineState(edge, index, clue) {
    const { cells, puzzle, mode } = this.board;
    const { size } = puzzle;
    const at = (place) => cells[isRow(edge) ? index * size + place : place * size + index];
    const line = Array.from({ length: size }, (_, place) => at(place));
    if (mode === "edit" || line.some((value) => value < 1)) return "open";
    if (edge === "right" || edge === "bottom") line.reverse();
    let [seen, highest] = [0, 0];
    for (const value of line) {
      if (value > highest) [seen, highest] = [seen + 1, value];
    }
    return seen === clue ? "done" : "bad";
  }

  lines(row, column) {
    const place = `Row ${row + 1}, column ${column + 1}`;
    if (!this.clues) return place;
    const { left, right, top, bottom } = this.clues;
    const clues = { left: left[row], right: right[row], top: top[column], bottom: bottom[column] };
    return `${place} · from the ${Object.entries(clues).map(([edge, clue]) => `${edge} ${clue || "none"}`).join(", ")}`;
  }

  speak(row, column) {
    const { board } = this;
    const index = row * board.puzzle.width + column;
    const value = board.cells[index];
    const notes = Array.from({ length: 30 }, (_, at) => at + 1).filter((at) => value < -1 && (-1 - value) & (1 << at));
    const what = value >= board.puzzle.values[0] ? value : notes.length ? `notes ${notes.join(" ")}` : "open";
    return `${board.wrong.has(index) ? "An error, it is " : ""}${what}. ${this.lines(row, column)}`;
  }

  cycled(value, step) {
    const [least, most] = this.board.puzzle.values;
    const values = [-1, ...Array.from({ length: most - least + 1 }, (_, at) => least + at)];
    return values.at((Math.max(0, values.indexOf(value)) + step) % values.length);
  }
}
