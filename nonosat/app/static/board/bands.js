// The clues beside a board, whatever they are: a box for each line, painted anew where something changed.

import { paint } from "./paint.js";

export const isRow = (edge) => edge === "left" || edge === "right";

/** Where the box of a line's clues is: its bounds, the middle along the edge, and from `first` to `near` the board. */
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

/** Paint the clues at `edges` of `lines` (`{ rows, columns }`) or of all in sight, by `draw(edge, index, box)`. */
export function paintBands(board, edges, lines, draw) {
  const { view, pointed, sheet: { context, theme } } = board;
  context.textBaseline = "middle";
  context.textAlign = "center";
  for (const edge of edges) {
    const [key, name, axis] = isRow(edge) ? ["rows", "row", view.y] : ["columns", "column", view.x];
    for (let index = axis.seen[0]; index < axis.seen[1]; index += 1) {
      const box = boxAt(view, edge, index);
      if (!box.depth || (lines && !lines[key].has(index))) continue;
      const lit = pointed?.[name] === index || board.lines.some(([line, at]) => line === name && at === index);
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
