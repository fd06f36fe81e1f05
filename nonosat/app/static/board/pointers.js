// Mouse, pen and fingers: one paints, two fingers (or the middle button) move and zoom.

import { Stroke } from "./strokes.js";

export function pointers(board) {
  const down = new Map();
  let pinch = null;

  const place = ({ clientX, clientY }) => {
    const { left, top } = board.canvas.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  };

  const spread = () => {
    const [one, two] = [...down.values()];
    return { x: (one.x + two.x) / 2, y: (one.y + two.y) / 2, apart: Math.hypot(one.x - two.x, one.y - two.y) };
  };

  const onpointerdown = (event) => {
    const at = place(event);
    const inside = board.view.inside(at) && event.button !== 1;
    board.canvas.setPointerCapture(event.pointerId);
    board.canvas.focus({ preventScroll: true });
    down.set(event.pointerId, { ...at, pans: !inside });
    event.preventDefault();
    if (down.size === 2) {
      board.stroke?.cancel();
      pinch = spread();
    } else if (down.size === 1 && inside) {
      const { row, column } = board.view.at(at);
      const paints = board.puzzle.kind === "nonogram";
      board.cursor.shown = !paints;
      board.point(row, column);
      if (paints && board.mode !== "show") board.stroke = new Stroke(board, row, column, event.button === 2);
    } else if (down.size === 1 && event.button !== 1) {
      board.leave(beside(at));
    }
  };

  let line = null; // whose clues the pointer is over

  /** The line of a nonogram whose clues are there; they may be cut on the board. */
  const beside = (at) => (at && board.puzzle.kind === "nonogram" ? board.view.beside(at) : null);

  const hover = (at) => {
    const cell = at && board.view.inside(at) ? board.view.at(at) : null;
    if (cell?.row !== board.hover?.row || cell?.column !== board.hover?.column) board.hovered(cell);
    const former = line;
    line = beside(at);
    if (former || line) board.read(line);
  };

  const onpointermove = (event) => {
    const at = place(event);
    const known = down.get(event.pointerId);
    if (!known) {
      hover(at);
      return;
    }
    const [dx, dy] = [at.x - known.x, at.y - known.y];
    Object.assign(known, at);
    if (down.size === 2 && pinch) {
      const now = spread();
      board.view.pan(now.x - pinch.x, now.y - pinch.y);
      board.zoom(now.apart / Math.max(1, pinch.apart), now.x, now.y);
      pinch = now;
    } else if (known.pans) {
      board.pan(dx, dy);
    } else if (board.stroke) {
      const { row, column } = board.view.at(at);
      board.stroke.toCell(row, column);
      board.point(board.stroke.last.row, board.stroke.last.column);
    }
  };

  const onpointerup = (event) => {
    down.delete(event.pointerId);
    pinch = null;
    board.stroke?.finish();
  };

  const onwheel = (event) => {
    const { deltaX, deltaY } = event;
    if (deltaY > 0 && board.view.fitted && !event.ctrlKey) return; // nothing smaller to see: let the page scroll
    const { x, y } = place(event);
    event.preventDefault();
    if (event.shiftKey || deltaX) {
      board.pan(-(deltaX || deltaY), 0);
    } else {
      board.zoom(Math.exp(-Math.sign(deltaY) * Math.min(Math.abs(deltaY), 100) * 0.0022), x, y);
    }
  };

  const onpointerleave = () => hover(null);
  const oncontextmenu = (event) => event.preventDefault();
  return { onpointerdown, onpointermove, onpointerup, onpointercancel: onpointerup, onpointerleave, onwheel, oncontextmenu };
}
