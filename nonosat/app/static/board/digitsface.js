// How boards of numbers look: Skyscrapers with their clues, and any other kind as it is.

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
    return theme.open;
  }

  refresh() {}

  paintCell(context, theme, { index, x, y, wide, tall }) {
    const { board } = this;
    const value = board.cells[index];
    const [least] = board.puzzle.values;
    if (board.given.has(index) || board.wrong.has(index)) {
      context.fillStyle = board.wrong.has(index) ? theme.bad : theme.soft;
      context.globalAlpha = board.wrong.has(index) ? 0.3 : 1;
      context.fillRect(x, y, wide, tall);
      context.globalAlpha = 1;
    }
    context.textAlign = "center";
    context.textBaseline = "middle";
    if (value >= least) {
      context.font = `${board.given.has(index) ? "600 " : ""}${this.font(board.view.cell)}px ${theme.font}`;
      context.fillStyle = board.wrong.has(index) ? theme.bad : board.trial.has(index) ? theme.accent : theme.ink;
      context.fillText(String(value), x + wide / 2 + 0.5, y + tall / 2 + 1);
    } else if (value < -1 && board.view.cell >= 14) {
      this.paintNotes(context, theme, -1 - value, x, y, wide, tall);
    }
  }

  paintNotes(context, theme, mask, x, y, wide, tall) {
    const most = this.board.puzzle.values[1];
    const across = Math.ceil(Math.sqrt(most));
    context.font = `${Math.max(7, Math.round((wide / across) * 0.72))}px ${theme.font}`;
    context.fillStyle = theme.muted;
    for (let value = 1; value <= Math.min(most, 30); value += 1) {
      if (mask & (1 << value)) {
        const [row, column] = [Math.floor((value - 1) / across), (value - 1) % across];
        context.fillText(
          String(value),
          x + (wide * (column + 0.5)) / across + 0.5,
          y + (tall * (row + 0.5)) / across + 1,
        );
      }
    }
  }

  paintBands(context, theme, lines = null) {
    if (!this.clues || !this.board.view.left) {
      return;
    }
    const { view, puzzle, pointed } = this.board;
    context.font = `${Math.round(this.font(view.cell) * 0.82)}px ${theme.font}`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    for (const edge of EDGES) {
      const across = edge === "left" || edge === "right";
      for (let index = 0; index < puzzle.size; index += 1) {
        const changed = !lines || lines[across ? "rows" : "columns"].has(index);
        const [start, end] = across
          ? [view.edgeY(index), view.edgeY(index + 1)]
          : [view.edgeX(index), view.edgeX(index + 1)];
        const hidden = across
          ? start < view.top - 1 || end > view.down - view.bottom + 1
          : start < view.left - 1 || end > view.across - view.right + 1;
        if (!changed || hidden) {
          continue;
        }
        this.paintClue(context, theme, edge, index, start, end, index === (across ? pointed?.row : pointed?.column));
      }
    }
  }

  paintClue(context, theme, edge, index, start, end, pointed) {
    const { view, puzzle } = this.board;
    const first = {
      left: Math.max(view.left, view.edgeX(0)) - view.left,
      top: Math.max(view.top, view.edgeY(0)) - view.top,
    }[edge];
    const last = {
      right: Math.min(view.across - view.right, view.edgeX(puzzle.size)) + 2,
      bottom: Math.min(view.down - view.bottom, view.edgeY(puzzle.size)) + 2,
    }[edge];
    const from = first ?? last;
    const band = view.left - 2;
    const across = edge === "left" || edge === "right";
    const bounds = across ? [from, start, band, end - start] : [start, from, end - start, band];
    const box = bounds.map((length) => view.snapped(length));
    context.fillStyle = pointed || this.isLit(across, index) ? theme.soft : theme.paper;
    context.fillRect(...box);
    const clue = this.clues[edge][index];
    if (clue) {
      const state = this.lineState(edge, index, clue);
      context.fillStyle = state === "bad" ? theme.bad : state === "done" ? theme.faint : theme.ink;
      const middle = (start + end) / 2 + 0.5;
      context.fillText(String(clue), across ? from + band / 2 : middle, across ? middle + 1 : from + band / 2 + 1);
    }
  }

  isLit(across, index) {
    return this.board.lines.some(([name, at]) => name === (across ? "row" : "column") && at === index);
  }

  /** Whether a full line shows as many towers as its clue says. */
  lineState(edge, index, clue) {
    const { cells, puzzle } = this.board;
    const { size } = puzzle;
    const line = Array.from(
      { length: size },
      (_, at) => cells[edge === "left" || edge === "right" ? index * size + at : at * size + index],
    );
    if (line.some((value) => value < 1)) {
      return "open";
    }
    let [seen, highest] = [0, 0];
    for (const value of edge === "right" || edge === "bottom" ? line.reverse() : line) {
      if (value > highest) {
        [seen, highest] = [seen + 1, value];
      }
    }
    return seen === clue ? "done" : "bad";
  }

  lines(row, column) {
    const place = `Row ${row + 1}, column ${column + 1}`;
    if (!this.clues) {
      return place;
    }
    const { left, right, top, bottom } = this.clues;
    const say = (clue) => (clue ? String(clue) : "none");
    return `${place} · from the left ${say(left[row])}, right ${say(right[row])}, top ${say(top[column])}, bottom ${say(bottom[column])}`;
  }

  speak(row, column) {
    const { board } = this;
    const index = row * board.puzzle.width + column;
    const value = board.cells[index];
    const notes =
      value < -1 ? Array.from({ length: 30 }, (_, at) => at + 1).filter((at) => (-1 - value) & (1 << at)) : [];
    const what = value >= board.puzzle.values[0] ? String(value) : notes.length ? `notes ${notes.join(" ")}` : "open";
    return `${board.wrong.has(index) ? "An error, it is " : ""}${what}. ${this.lines(row, column)}`;
  }

  cycled(value, step) {
    const [least, most] = this.board.puzzle.values;
    const values = [-1, ...Array.from({ length: most - least + 1 }, (_, at) => least + at)];
    return values[(Math.max(0, values.indexOf(value)) + step + values.length) % values.length];
  }
}
