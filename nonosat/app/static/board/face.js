// What all faces have in common: values in turn, and clues beside the board, a box for each line.

import { paint } from "./theme.js";

export const isRow = (edge) => edge === "left" || edge === "right";

/** Where a line's clues are: from `start` to `end` along the edge, from `first` to `near` the board. */
function boxAt(view, edge, index) {
  const row = isRow(edge);
  const [along, across] = row ? [view.y, view.x] : [view.x, view.y];
  const before = edge === "left" || edge === "top";
  const [start, end, depth] = [along.edge(index), along.edge(index + 1), before ? across.before : across.behind];
  const near = before ? across.ends[0] : across.ends[1] + 2;
  const first = before ? near - depth : near;
  const from = Math.max(start, along.before);
  const bounds = row ? [first, from, depth - 1, end - from] : [from, first, end - from, depth - 1];
  return { bounds: bounds.map((length) => view.snapped(length)), start, end, near, first, depth };
}

export class Face {
  constructor(board) {
    const [least, most] = board.puzzle.values;
    this.board = board;
    this.cycle = [-1, ...Array.from({ length: most - least + 1 }, (_, at) => least + at)];
  }

  recolour() {}

  /** The cells are others: whether the bands need more room by now. */
  grow() {
    return false;
  }

  /** The cells of `lines`, or of all, are others now. */
  refresh() {}

  paintWrong(box) {
    paint(this.context, this.theme.bad, box, 0.3);
  }

  /** Paint the clues at `edges` of `lines` or of all in sight, by `draw(edge, index, box)`. */
  paintEdges(edges, lines, font, draw) {
    const { context, theme, board: { view, pointed, lines: shaded } } = this;
    Object.assign(context, { font: `${font}px ${theme.font}`, textAlign: "center", textBaseline: "middle" });
    for (const edge of edges) {
      const [key, name, axis] = isRow(edge) ? ["rows", "row", view.y] : ["columns", "column", view.x];
      for (let index = axis.seen[0]; index < axis.seen[1]; index += 1) {
        const box = boxAt(view, edge, index);
        if (!box.depth || (lines && !lines[key].has(index))) continue;
        const lit = pointed?.[name] === index || shaded.some(([line, at]) => line === name && at === index);
        context.save();
        context.beginPath();
        context.rect(...box.bounds);
        context.clip();
        paint(context, lit ? theme.soft : theme.paper, box.bounds);
        draw(edge, index, box);
        context.restore();
      }
    }
  }
}
