// The clues beside a board, whatever they are: a box for each line, painted anew where something changed.

export const isRow = (edge) => edge === "left" || edge === "right";

/** Where the box of a line's clues is: its bounds, and `start` and `end` along the edge, `near` the board's side. */
function boxAt(view, edge, index) {
  const row = isRow(edge);
  const [start, end] = row ? [view.edgeY(index), view.edgeY(index + 1)] : [view.edgeX(index), view.edgeX(index + 1)];
  const from = Math.max(start, row ? view.top : view.left);
  const near = {
    left: Math.max(view.left, view.edgeX(0)),
    top: Math.max(view.top, view.edgeY(0)),
    right: Math.min(view.across - view.right, view.edgeX(view.width)) + 2,
    bottom: Math.min(view.down - view.bottom, view.edgeY(view.height)) + 2,
  }[edge];
  const first = edge === "left" || edge === "top" ? near - view[edge] : near;
  const bounds = row ? [first, from, view[edge] - 1, end - from] : [from, first, end - from, view[edge] - 1];
  return { bounds: bounds.map((length) => view.snapped(length)), start, end, near, first };
}

/** Paint the clues at `edges` of `lines` (`{ rows, columns }`) or of all in sight, by `draw(edge, index, box)`. */
export function paintBands(board, context, theme, edges, lines, draw) {
  const { view, pointed } = board;
  const seen = view.seen();
  context.textBaseline = "middle";
  context.textAlign = "center";
  for (const edge of edges.filter((one) => view[one])) {
    const [axis, name] = isRow(edge) ? ["rows", "row"] : ["columns", "column"];
    for (let index = seen[axis][0]; index < seen[axis][1]; index += 1) {
      if (lines && !lines[axis].has(index)) continue;
      const box = boxAt(view, edge, index);
      const lit = pointed?.[name] === index || board.lines.some(([line, at]) => line === name && at === index);
      context.save();
      context.beginPath();
      context.rect(...box.bounds);
      context.clip();
      context.fillStyle = lit ? theme.soft : theme.paper;
      context.fillRect(...box.bounds);
      draw(edge, index, box);
      context.restore();
    }
  }
}
