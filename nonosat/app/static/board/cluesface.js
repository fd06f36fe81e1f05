// How a nonogram looks: filled cells, dots, and clues that grey out when they are settled.

import { clueText, runsOf, settledRuns } from "./clues.js";
import { luminance, shadeName, shades } from "./theme.js";

export class CluesFace {
  every = 5;
  help = "Enter and Space change a cell, Control and arrows fill, Shift and arrows mark.";

  constructor(board) {
    this.board = board;
    const { rows, columns } = board.puzzle;
    this.clues = { rows: rows.map((clue) => [...clue]), columns: columns.map((clue) => [...clue]) };
    this.states = { rows: [], columns: [] };
    this.longest = {
      rows: Math.max(1, ...rows.map((clue) => clue.length)),
      columns: Math.max(1, ...columns.map((clue) => clue.length)),
    };
    if (board.mode === "edit") {
      this.longest.rows = Math.max(this.longest.rows, Math.ceil(board.puzzle.width / 4));
      this.longest.columns = Math.max(this.longest.columns, Math.ceil(board.puzzle.height / 4));
    }
    const { palette } = board.puzzle;
    const digits = [...rows, ...columns].flat().some(([length]) => length > 9) || board.mode === "edit";
    this.wide = digits ? 1.62 : palette.length > 2 ? 1.5 : 1.3; // of a run, in heights of the font
    this.names = palette.map((shade, index) =>
      index === 0 ? "blank" : palette.length > 2 ? shadeName(shade) : "filled",
    );
  }

  font(cell) {
    return Math.max(9, Math.min(15, Math.round(cell * 0.62)));
  }

  bands(cell) {
    if (cell < 8) {
      return { left: 0, top: 0, right: 0, bottom: 0 };
    }
    const font = this.font(cell);
    return {
      left: Math.ceil(this.longest.rows * font * this.wide) + 6,
      top: Math.ceil(this.longest.columns * font * 1.3) + 6,
      right: 0,
      bottom: 0,
    };
  }

  recolour(theme) {
    this.shades = shades(this.board.puzzle.palette, theme);
  }

  fill(value, theme) {
    return value > 0 ? this.shades[value] : value === 0 && this.board.mode !== "edit" ? theme.paper : theme.open;
  }

  lineOf(axis, index) {
    const { cells, puzzle } = this.board;
    if (axis === "rows") {
      return cells.subarray(index * puzzle.width, (index + 1) * puzzle.width);
    }
    return Array.from({ length: puzzle.height }, (_, row) => cells[row * puzzle.width + index]);
  }

  /** Look again at the clues of `lines` (`{ rows, columns }`), or of all. */
  refresh(lines) {
    const { puzzle, mode } = this.board;
    const counts = { rows: puzzle.height, columns: puzzle.width };
    for (const axis of ["rows", "columns"]) {
      const asked = lines ? lines[axis] : Array(counts[axis]).keys();
      for (const index of asked) {
        const line = this.lineOf(axis, index);
        if (mode === "edit") {
          this.clues[axis][index] = runsOf(line);
          this.states[axis][index] = { done: [], bad: false }; // all would be settled, and grey
        } else {
          this.states[axis][index] = settledRuns(line, this.clues[axis][index]);
        }
      }
    }
  }

  paintCell(context, theme, { index, x, y, wide, tall }) {
    const { board } = this;
    const value = board.cells[index];
    if (board.wrong.has(index)) {
      this.paintWrong(context, theme, x, y, wide, tall);
    } else if (value === 0) {
      if (board.mode !== "edit") {
        const radius = Math.max(1, Math.min(3, wide / 9));
        context.fillStyle = board.trial.has(index) ? theme.accent : theme.muted;
        context.beginPath();
        context.arc(x + wide / 2 + 0.5, y + tall / 2 + 0.5, radius, 0, 2 * Math.PI);
        context.fill();
      }
    } else if (value > 0 && board.trial.has(index)) {
      context.fillStyle = theme.accent;
      const inset = Math.max(1, Math.round(wide / 5));
      context.fillRect(x + inset + 1, y + inset + 1, wide - 2 * inset - 1, tall - 2 * inset - 1);
    }
  }

  paintWrong(context, theme, x, y, wide, tall) {
    context.fillStyle = theme.bad;
    context.globalAlpha = 0.3;
    context.fillRect(x, y, wide, tall);
    context.globalAlpha = 1;
    context.strokeStyle = theme.bad;
    context.lineWidth = Math.max(1.5, wide / 9);
    const inset = wide * 0.24;
    context.beginPath();
    context.moveTo(x + inset, y + inset);
    context.lineTo(x + wide - inset, y + tall - inset);
    context.moveTo(x + wide - inset, y + inset);
    context.lineTo(x + inset, y + tall - inset);
    context.stroke();
  }

  /** The clues beside the board, of `lines` or of all that are in sight. */
  paintBands(context, theme, lines = null) {
    const { view } = this.board;
    if (!view.left || !view.top) {
      return;
    }
    const seen = view.seen();
    const font = this.font(view.cell);
    context.font = `${font}px ${theme.font}`;
    context.textBaseline = "middle";
    context.textAlign = "center";
    for (const axis of ["rows", "columns"]) {
      for (let index = seen[axis][0]; index < seen[axis][1]; index += 1) {
        if (!lines || lines[axis].has(index)) {
          this.paintClue(context, theme, axis, index, font);
        }
      }
    }
  }

  paintClue(context, theme, axis, index, font) {
    const { view, pointed } = this.board;
    const across = axis === "rows";
    const edge = across ? Math.max(view.left, view.edgeX(0)) : Math.max(view.top, view.edgeY(0));
    const [start, end] = across
      ? [view.edgeY(index), view.edgeY(index + 1)]
      : [view.edgeX(index), view.edgeX(index + 1)];
    const band = across ? view.left : view.top;
    context.save();
    context.beginPath();
    const first = across ? Math.max(start, view.top) : Math.max(start, view.left);
    const bounds = across ? [edge - band, first, band - 1, end - first] : [first, edge - band, end - first, band - 1];
    const box = bounds.map((length) => view.snapped(length));
    context.rect(...box);
    context.clip();
    context.fillStyle = theme.paper;
    context.fillRect(...box);
    const lit = this.board.lines.some(([name, at]) => `${name}s` === axis && at === index);
    if (lit || index === (across ? pointed?.row : pointed?.column)) {
      context.fillStyle = theme.soft;
      context.fillRect(...box);
    }
    const runs = this.clues[axis][index].length ? this.clues[axis][index] : [[0, 0]];
    const state = this.states[axis][index];
    const step = across ? font * this.wide : font * 1.3;
    const middle = (start + end) / 2 + 0.5;
    for (let back = 0; back < runs.length; back += 1) {
      const at = edge - 4 - step * (back + 0.5);
      if (at < edge - band + step / 2 && back < runs.length - 1) {
        context.fillStyle = theme.muted;
        context.fillText("…", across ? at : middle, across ? middle : at);
        break;
      }
      const place = runs.length - 1 - back;
      const [x, y] = across ? [at, middle] : [middle, at];
      this.paintRun(context, theme, runs[place], {
        x,
        y,
        font,
        room: across ? step - 1 : end - start - 2,
        done: runs[place][1] === 0 || state.done[place],
        bad: state.bad,
      });
    }
    context.restore();
  }

  paintRun(context, theme, [length, colour], { x, y, font, room, done, bad }) {
    if (this.shades.length > 2 && colour > 0) {
      const shade = this.shades[colour];
      const side = Math.min(font * 1.36, room + 1);
      context.globalAlpha = done ? 0.35 : 1;
      context.fillStyle = shade;
      context.fillRect(x - side / 2, y - font * 0.62, side, font * 1.24);
      context.fillStyle = luminance(shade) > 0.3 ? "#000000" : "#ffffff";
    } else {
      context.fillStyle = bad ? theme.bad : done ? theme.faint : theme.ink;
    }
    context.fillText(String(length), x, y + font * 0.06, room); // squeezed, if there is less room
    context.globalAlpha = 1;
  }

  /** The clues of a cell's lines, for the line below the board. */
  lines(row, column) {
    const { rows, columns } = this.clues;
    return `Row ${row + 1}: ${clueText(rows[row], this.names)} · Column ${column + 1}: ${clueText(columns[column], this.names)}`;
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

  /** What Enter (`step` 1) and Space (-1) make of a value. */
  cycled(value, step) {
    const values = [-1, ...this.shades.keys()];
    values.splice(1, 1); // open, then the colours, then blank: gray, black, white as in Tatham's Pattern
    values.push(0);
    return values[(values.indexOf(Math.max(-1, value)) + step + values.length) % values.length];
  }
}
