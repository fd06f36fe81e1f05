// The page's stand-in for anywidget's model, so that the board is the same module here and in a notebook.

import board from "./board.js";

export class Model {
  #values;
  #listeners = new Map();

  /** `onSend(message)` gets what the board sends. */
  constructor(values, onSend = () => {}) {
    this.#values = { ...values };
    this.send = onSend;
  }

  get(key) {
    return this.#values[key];
  }

  #tellAll(event, ...said) {
    this.#listeners.get(event)?.forEach((listener) => listener(...said));
  }

  /** Set a key, and tell who listens to it. Set whole values: a list that is changed in place tells nobody. */
  set(key, value) {
    this.#values[key] = value;
    this.#tellAll(`change:${key}`);
  }

  on(event, listener) {
    this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), listener]);
  }

  off(event, listener) {
    this.#listeners.set(event, (this.#listeners.get(event) ?? []).filter((other) => other !== listener));
  }

  /** What a notebook's Python says with `widget.send(message)`. */
  tell(message) {
    this.#tellAll("msg:custom", message);
  }

  save_changes() {}

  /** Show it on a board in `place`; the function that is returned takes the board away. */
  mount(place) {
    return board.render({ model: this, el: place });
  }
}

/** A puzzle's cells before anything is known of them but what is given. */
export function openCells({ height, width, given }) {
  const cells = new Array(height * width).fill(-1);
  given.forEach(([row, column, value]) => (cells[row * width + column] = value));
  return cells;
}

/** A puzzle on a board that is only looked at. */
export const looked = (puzzle) => new Model({ puzzle, cells: openCells(puzzle), mode: "show", overlay: {} });

/** `[row, column, how]` of a cell, for an overlay's outline. */
export const framed = ({ width }, cell, how) => [Math.floor(cell / width), cell % width, how];
