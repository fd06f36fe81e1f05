// The page's stand-in for anywidget's model, so that the board is the same module here and in a notebook.

export class Model {
  #values;
  #listeners = new Map();

  /** `onSend(message)` gets what the board sends. */
  constructor(values, onSend = () => {}) {
    this.#values = { ...values };
    this.onSend = onSend;
  }

  get(key) {
    return this.#values[key];
  }

  /** Set a key, and tell who listens to it. Set whole values: a list that is changed in place tells nobody. */
  set(key, value) {
    this.#values[key] = value;
    for (const listener of this.#listeners.get(`change:${key}`) ?? []) {
      listener();
    }
  }

  on(event, listener) {
    this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), listener]);
  }

  off(event, listener) {
    this.#listeners.set(
      event,
      (this.#listeners.get(event) ?? []).filter((other) => other !== listener),
    );
  }

  send(message) {
    this.onSend(message);
  }

  /** What a notebook's Python says with `widget.send(message)`. */
  tell(message) {
    for (const listener of this.#listeners.get("msg:custom") ?? []) {
      listener(message);
    }
  }

  save_changes() {}
}
