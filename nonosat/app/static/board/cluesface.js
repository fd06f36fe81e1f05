// How a nonogram looks: filled cells, dots, and clues that grey out when they are settled.

import { clueText, runsOf, settledRuns } from "./clues.js";
import { Face, isRow } from "./face.js";
import { inset, luminance, outline, paint, shadeName, shades, strike, write } from "./theme.js";

const STRUCK = 10; // pixels of a font: smaller numbers could not be read behind a line

export class CluesFace extends Face {
  every = 5;

  constructor(board) {
    super(board);
    const { rows, columns, palette, height, width } = board.puzzle;
    const drawn = board.mode === "edit";
    const enter = drawn ? "Enter and Space change a cell" : "Enter fills a cell, Space marks it blank";
    this.help = `${enter}, Control and arrows fill, Shift and arrows mark.`;
    const longest = (lines, most) => (drawn ? Math.ceil(most / 4) : lines.reduce((runs, clue) => Math.max(runs, clue.length), 1));
    const digits = drawn || [...rows, ...columns].some((clue) => clue.some(([length]) => length > 9));
    this.clues = { rows, columns };
    this.judged = { rows: [], columns: [] };
    this.refresh(null);
    this.longest = { rows: longest(rows, width), columns: longest(columns, height) };
    this.grow();
    this.least = board.model.get("compact") ? [7, 7] : [9, 8]; // pixels of a font, and of a cell whose clues are shown
    this.wide = digits ? 1.62 : palette.length > 2 ? 1.5 : 1.3; // of a run, in heights of the font
    this.names = ["blank", ...palette.slice(1).map((shade) => (palette.length > 2 ? shadeName(shade) : "filled"))];
  }

  /** Room for the clues of what is drawn, which never shrinks: the board moves as seldom as it can. Whether it grew. */
  grow() {
    const { board, longest, board: { puzzle: { height, width } } } = this;
    if (board.mode !== "edit") return false;
    const before = String(Object.values(longest));
    const most = (isRow, count, upto) => {
      let runs = upto;
      for (let index = 0; index < count; index += 1) runs = Math.max(runs, runsOf(board.line(isRow, index)).length);
      return runs;
    };
    this.longest = { rows: most(true, height, longest.rows), columns: most(false, width, longest.columns) };
    return String(Object.values(this.longest)) !== before;
  }

  font(cell) {
    return Math.max(this.least[0], Math.min(15, Math.round(cell * 0.62)));
  }

  bands(cell) {
    const font = this.font(cell);
    const band = (runs, room) => (cell < this.least[1] ? 0 : Math.ceil(runs * font * room) + 6);
    return { x: [band(this.longest.rows, this.wide), 0], y: [band(this.longest.columns, 1.3), 0] };
  }

  recolour() {
    this.shades = shades(this.board.puzzle.palette, this.theme);
  }

  fill(value) {
    if (value > 0) return this.shades[value];
    return value === 0 && this.board.mode !== "edit" ? this.theme.paper : this.theme.sheet;
  }

  refresh(lines) {
    if (!lines) this.looked = { rows: [], columns: [] };
    else Object.entries(lines).forEach(([axis, indices]) => indices.forEach((index) => delete this.looked[axis][index]));
  }

  /** The clue of a line as it is now, and which of its runs are settled; found when it is looked at: few lines are. */
  known(axis, index) {
    return (this.looked[axis][index] ??= this.look(axis, index));
  }

  look(axis, index) {
    const line = this.board.line(axis === "rows", index);
    if (this.board.mode === "edit") return { runs: runsOf(line), state: { done: [] } }; // all would be settled, and grey
    const runs = this.clues[axis][index];
    if (this.board.model.get("typed")) return { runs, state: { done: [] } }; // they are what is worked on
    const [before, state] = this.judged[axis][index] ?? []; // all clues are looked at again whenever the view moves
    if (before?.every((value, at) => value === line[at])) return { runs, state };
    this.judged[axis][index] = [line.slice(), settledRuns(line, runs)];
    return { runs, state: this.judged[axis][index][1] };
  }

  paintCell(index, box) {
    const { board, context, theme } = this;
    const [x, y, wide, tall] = box;
    const value = board.cells[index];
    const on = board.trial.has(index);
    if (board.wrong.has(index)) {
      const [left, top, across, down] = inset(box, wide * 0.24);
      this.paintWrong(box);
      Object.assign(context, { strokeStyle: theme.bad, lineWidth: Math.max(1.5, wide / 9) });
      context.stroke(new Path2D(`M${left} ${top}l${across} ${down}m0 ${-down}l${-across} ${down}`));
    } else if (value === 0 && board.mode !== "edit") {
      context.fillStyle = on ? theme.accent : theme.muted;
      context.beginPath();
      context.arc(x + wide / 2 + 0.5, y + tall / 2 + 0.5, Math.max(1, Math.min(3, wide / 9)), 0, 2 * Math.PI);
      context.fill();
    } else if (value > 0 && on) {
      paint(context, theme.accent, inset([x + 1, y + 1, wide - 1, tall - 1], Math.max(1, Math.round(wide / 5))));
    }
  }

  paintBands(lines) {
    const font = this.font(this.board.view.cell);
    this.paintEdges(["left", "top"], lines, font, (edge, index, box) => this.paintClue(isRow(edge), index, font, box));
  }

  paintClue(across, index, font, { start, end, near, first }) {
    const axis = across ? "rows" : "columns";
    const { runs: found, state } = this.known(axis, index);
    const runs = found.length ? found : [[0, 0]];
    const step = font * (across ? this.wide : 1.3);
    const middle = (start + end) / 2 + 0.5;
    for (let place = runs.length - 1; place >= 0; place -= 1) {
      const at = near - 4 - step * (runs.length - place - 0.5);
      const [x, y] = across ? [at, middle] : [middle, at];
      if (at < first + 1.5 * step && place > 0) { // no room for the next one
        write(this.context, this.theme.muted, "…", x, y);
        break;
      }
      const settled = runs[place][1] === 0 || state.done[place];
      this.paintRun(runs[place], x, y, font, across ? step - 1 : end - start - 2, settled, state.bad);
    }
  }

  paintRun([length, colour], x, y, font, room, settled, bad) {
    const { context, theme, shades: { [colour]: shade, length: many } } = this;
    let ink = bad ? theme.bad : settled ? theme.muted : theme.ink;
    if (many > 2 && colour > 0) {
      const side = Math.min(font * 1.36, room + 1);
      const box = [x - side / 2, y - font * 0.62, side, font * 1.24];
      if (settled) {
        outline(context, shade, 1, inset(box, 0.5));
      } else {
        paint(context, shade, box);
        ink = luminance(shade) > 0.18 ? "#000000" : "#ffffff"; // 4.5:1 or more on every shade
      }
    }
    write(context, ink, length, x, y + font * 0.06, room); // squeezed, if there is less room
    if (settled && colour > 0 && !bad && font >= STRUCK) strike(context, ink, x, y, Math.min(room, font * (length > 9 ? 1.3 : 0.8)));
  }

  /** The clues of a row, of a column, or of both. */
  lines(row, column) {
    const clue = (name, key, at) => at !== undefined && `${name} ${at + 1}: ${clueText(this.known(key, at).runs, this.names)}`;
    return [clue("Row", "rows", row), clue("Column", "columns", column)].filter(Boolean).join(" · ");
  }

  /** What a screen reader says of a cell. */
  speak(row, column) {
    const { board } = this;
    const index = board.index({ row, column });
    const value = board.cells[index];
    const what = board.wrong.has(index) ? "an error" : value < 0 ? "open" : this.names[value];
    const trial = board.trial.has(index) ? ", on trial" : "";
    return `Row ${row + 1}, column ${column + 1}: ${what}${trial}. ${this.lines(row, column)}`;
  }
}
