// How a nonogram looks: filled cells, dots, and clues that grey out when they are settled.

import { isRow, paintBands } from "./bands.js";
import { clueText, runsOf, settledRuns } from "./clues.js";
import { luminance, shadeName, shades } from "./theme.js";

export class CluesFace {
  every = 5;
  help = "Enter and Space change a cell, Control and arrows fill, Shift and arrows mark.";

  constructor(board) {
    this.board = board;
    const { rows, columns, palette, height, width } = board.puzzle;
    const drawn = board.mode === "edit";
    this.clues = { rows: [...rows], columns: [...columns] };
    this.states = { rows: [], columns: [] };
    const longest = (lines, most) => lines.reduce((sum, clue) => Math.max(sum, clue.length), drawn ? Math.ceil(most / 4) : 1);
    this.longest = { rows: longest(rows, width), columns: longest(columns, height) };
    const digits = drawn || [...rows, ...columns].some((clue) => clue.some(([length]) => length > 9));
    this.wide = digits ? 1.62 : palette.length > 2 ? 1.5 : 1.3; // of a run, in heights of the font
    const names = palette.slice(1).map((shade) => (palette.length > 2 ? shadeName(shade) : "filled"));
    this.names = ["blank", ...names];
  }

  font(cell) {
    return Math.max(9, Math.min(15, Math.round(cell * 0.62)));
  }

  bands(cell) {
    if (cell < 8) return { left: 0, top: 0, right: 0, bottom: 0 };
    const font = this.font(cell);
    const left = Math.ceil(this.longest.rows * font * this.wide) + 6;
    return { left, top: Math.ceil(this.longest.columns * font * 1.3) + 6, right: 0, bottom: 0 };
  }

  recolour(theme) {
    this.shades = shades(this.board.puzzle.palette, theme);
  }

  fill(value, theme) {
    if (value > 0) return this.shades[value];
    return value === 0 && this.board.mode !== "edit" ? theme.paper : theme.sheet;
  }

  /** Look again at the clues of `lines` (`{ rows, columns }`), or of all. */
  refresh(lines) {
    const { cells, puzzle, mode } = this.board;
    const { height, width } = puzzle;
    const lineOf = {
      rows: (row) => cells.subarray(row * width, (row + 1) * width),
      columns: (column) => Int32Array.from({ length: height }, (_, row) => cells[row * width + column]),
    };
    for (const axis of ["rows", "columns"]) {
      for (const index of lines?.[axis] ?? this.clues[axis].keys()) {
        const line = lineOf[axis](index);
        if (mode === "edit") this.clues[axis][index] = runsOf(line);
        // of a drawing all would be settled, and grey
        this.states[axis][index] = mode === "edit" ? { done: [] } : settledRuns(line, this.clues[axis][index]);
      }
    }
  }

  paintCell(context, theme, { index, x, y, wide, tall }) {
    const { board } = this;
    const value = board.cells[index];
    const on = board.trial.has(index);
    if (board.wrong.has(index)) {
      this.paintWrong(context, theme, x, y, wide, tall);
    } else if (value === 0 && board.mode !== "edit") {
      context.fillStyle = on ? theme.accent : theme.muted;
      context.beginPath();
      context.arc(x + wide / 2 + 0.5, y + tall / 2 + 0.5, Math.max(1, Math.min(3, wide / 9)), 0, 2 * Math.PI);
      context.fill();
    } else if (value > 0 && on) {
      context.fillStyle = theme.accent;
      const inset = Math.max(1, Math.round(wide / 5));
      context.fillRect(x + inset + 1, y + inset + 1, wide - 2 * inset - 1, tall - 2 * inset - 1);
    }
  }

  paintWrong(context, theme, x, y, wide, tall) {
    context.fillStyle = context.strokeStyle = theme.bad;
    context.globalAlpha = 0.3;
    context.fillRect(x, y, wide, tall);
    context.globalAlpha = 1;
    context.lineWidth = Math.max(1.5, wide / 9);
    const inset = wide * 0.24;
    const [left, top, right, bottom] = [x + inset, y + inset, x + wide - inset, y + tall - inset];
    context.stroke(new Path2D(`M${left} ${top}L${right} ${bottom}M${right} ${top}L${left} ${bottom}`));
  }

  /** The clues beside the board, of `lines` or of all that are in sight. */
  paintBands(context, theme, lines = null) {
    const font = this.font(this.board.view.cell);
    context.font = `${font}px ${theme.font}`;
    paintBands(this.board, context, theme, ["left", "top"], lines, (edge, index, box) => {
      this.paintClue(context, theme, isRow(edge) ? "rows" : "columns", index, font, box);
    });
  }

  paintClue(context, theme, axis, index, font, { start, end, near, first }) {
    const across = axis === "rows";
    const runs = this.clues[axis][index].length ? this.clues[axis][index] : [[0, 0]];
    const state = this.states[axis][index];
    const step = across ? font * this.wide : font * 1.3;
    const middle = (start + end) / 2 + 0.5;
    for (let back = 0; back < runs.length; back += 1) {
      const at = near - 4 - step * (back + 0.5);
      const [x, y] = across ? [at, middle] : [middle, at];
      if (at < first + step / 2 && back < runs.length - 1) {
        context.fillStyle = theme.muted;
        context.fillText("…", x, y);
        break;
      }
      const place = runs.length - 1 - back;
      const settled = runs[place][1] === 0 || state.done[place];
      this.paintRun(context, theme, runs[place], x, y, font, across ? step - 1 : end - start - 2, settled, state.bad);
    }
  }

  paintRun(context, theme, [length, colour], x, y, font, room, settled, bad) {
    if (this.shades.length > 2 && colour > 0) {
      const shade = this.shades[colour];
      const side = Math.min(font * 1.36, room + 1);
      context.globalAlpha = settled ? 0.35 : 1;
      context.fillStyle = shade;
      context.fillRect(x - side / 2, y - font * 0.62, side, font * 1.24);
      context.fillStyle = luminance(shade) > 0.3 ? "#000000" : "#ffffff";
    } else {
      context.fillStyle = bad ? theme.bad : settled ? theme.faint : theme.ink;
    }
    context.fillText(String(length), x, y + font * 0.06, room); // squeezed, if there is less room
    context.globalAlpha = 1;
  }

  /** The clues of a cell's lines, for the line below the board. */
  lines(row, column) {
    const [across, down] = [this.clues.rows[row], this.clues.columns[column]].map((clue) => clueText(clue, this.names));
    return `Row ${row + 1}: ${across} · Column ${column + 1}: ${down}`;
  }

  /** What a screen reader says of a cell. */
  speak(row, column) {
    const { board } = this;
    const index = row * board.puzzle.width + column;
    const value = board.cells[index];
    const what = board.wrong.has(index) ? "an error" : value < 0 ? "open" : this.names[value];
    const trial = board.trial.has(index) ? ", on trial" : "";
    return `Row ${row + 1}, column ${column + 1}: ${what}${trial}. ${this.lines(row, column)}`;
  }

  /** What Enter (`step` 1) and Space (-1) make of a value: gray, black, white as in Tatham's Pattern. */
  cycled(value, step) {
    const values = [-1, ...this.shades.keys()].filter((one) => one !== 0).concat(0);
    return values.at((values.indexOf(Math.max(-1, value)) + step) % values.length);
  }
}
