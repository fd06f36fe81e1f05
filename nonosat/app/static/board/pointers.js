// Mouse, pen and fingers: one paints, two fingers (or the middle button) move and zoom.

import { Stroke } from "./strokes.js";

export function listenToPointers(board) {
  const { canvas } = board;
  const down = new Map();
  let pinch = null;

  const place = (event) => {
    const { left, top } = canvas.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };

  const spread = () => {
    const [one, two] = [...down.values()];
    return { x: (one.x + two.x) / 2, y: (one.y + two.y) / 2, apart: Math.hypot(one.x - two.x, one.y - two.y) };
  };

  const begin = (event) => {
    const at = place(event);
    canvas.setPointerCapture(event.pointerId);
    canvas.focus({ preventScroll: true });
    down.set(event.pointerId, { ...at, pans: event.button === 1 || !board.view.inside(at.x, at.y) });
    if (down.size === 2) {
      board.stroke?.cancel();
      pinch = spread();
    } else if (down.size === 1 && board.view.inside(at.x, at.y) && event.button !== 1) {
      const { row, column } = board.view.at(at.x, at.y);
      const paints = board.puzzle.kind === "nonogram";
      board.cursor.shown = !paints;
      board.point(row, column);
      if (board.mode === "show") {
        board.send("cell", { row, column });
      } else if (paints) {
        board.stroke = new Stroke(board, row, column, event.button === 2);
      }
    }
    event.preventDefault();
  };

  const hover = (at) => {
    const cell = board.view.inside(at.x, at.y) ? board.view.at(at.x, at.y) : null;
    if (cell?.row !== board.hover?.row || cell?.column !== board.hover?.column) {
      board.hovered(cell);
    }
  };

  const drag = (event) => {
    const at = place(event);
    const known = down.get(event.pointerId);
    if (!known) {
      hover(at);
      return;
    }
    const moved = { dx: at.x - known.x, dy: at.y - known.y };
    Object.assign(known, at);
    if (down.size === 2 && pinch) {
      const now = spread();
      board.view.pan(now.x - pinch.x, now.y - pinch.y);
      board.zoom(now.apart / Math.max(1, pinch.apart), now.x, now.y);
      pinch = now;
    } else if (known.pans) {
      if (board.view.pan(moved.dx, moved.dy)) {
        board.sheet.all();
      }
    } else if (board.stroke) {
      const { row, column } = board.view.at(at.x, at.y);
      board.stroke.toCell(row, column);
      board.point(board.stroke.last.row, board.stroke.last.column);
    }
  };

  const end = (event) => {
    down.delete(event.pointerId);
    pinch = null;
    board.stroke?.finish();
  };

  const wheel = (event) => {
    const { view } = board;
    const { x, y } = place(event);
    if (event.deltaY > 0 && view.fitted && !event.ctrlKey) {
      return; // nothing smaller to see: let the page scroll
    }
    event.preventDefault();
    if (event.shiftKey || event.deltaX) {
      view.pan(-(event.deltaX || event.deltaY), 0);
      board.sheet.all();
    } else {
      board.zoom(Math.exp(-Math.sign(event.deltaY) * Math.min(Math.abs(event.deltaY), 100) * 0.0022), x, y);
    }
  };

  const listeners = {
    pointerdown: begin,
    pointermove: drag,
    pointerup: end,
    pointercancel: end,
    pointerleave: () => board.hover && board.hovered(null),
    wheel,
    contextmenu: (event) => event.preventDefault(),
  };
  for (const [name, listener] of Object.entries(listeners)) {
    canvas.addEventListener(name, listener, { passive: false });
  }
  return () => Object.entries(listeners).forEach(([name, listener]) => canvas.removeEventListener(name, listener));
}
