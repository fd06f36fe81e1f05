// Stands in for anywidget's model, so that the board is the same module as in a notebook.

import { BoardView } from "./board/boardview.js";
import { atEnd, fill } from "./dom.js";

export class Model {
  /** `send(message)` gets what the board sends. */
  constructor(values, send = () => {}) {
    Object.assign(this, { values: { ...values }, listeners: {}, send });
  }

  get(key) {
    return this.values[key];
  }

  /** Set a key, and tell who listens to it. Set whole values: a list that is changed in place tells nobody. */
  set(key, value) {
    this.values[key] = value;
    this.listeners[`change:${key}`]?.forEach((listener) => listener());
  }

  on(event, listener) {
    (this.listeners[event] ??= new Set()).add(listener);
  }

  off(event, listener) {
    this.listeners[event].delete(listener);
  }

  tell(message) {
    this.listeners["msg:custom"]?.forEach((listener) => listener(message));
  }

  /** Show it in `place` until `signal`: the board's view. */
  mount(place, signal) {
    fill(place);
    const { height, width } = this.get("puzzle");
    place.style.setProperty("--tall", height / width); // a high board has more room on a narrow page
    const view = new BoardView(this, place);
    atEnd(signal, () => view.close());
    return view;
  }
}

export function openCells({ height, width, given }) {
  const cells = new Array(height * width).fill(-1);
  given.forEach(([row, column, value]) => (cells[row * width + column] = value));
  return cells;
}

/** A board to look at; `compact`: one of several, with small clues. */
export const looked = (puzzle, compact = false) => new Model({ puzzle, cells: openCells(puzzle), mode: "show", overlay: {}, compact });

export const framed = ({ width }, cell, how) => [Math.floor(cell / width), cell % width, how];
