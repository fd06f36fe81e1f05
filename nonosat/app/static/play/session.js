// A game as the page knows it: the board's cells, what the server says of them, and the moves that are on their way.

import { get, post } from "../api.js";

export class Session {
  /** `onChange(what)`: the play changed; `what` has `lost`, `error_at`, `faults`, `elsewhere` where that happened. */
  constructor(pack, puzzle, onChange) {
    Object.assign(this, { pack, puzzle, onChange });
    this.path = `/api/play/packs/${encodeURIComponent(pack)}/${encodeURIComponent(puzzle)}`;
    this.queue = Promise.resolve();
    this.ahead = []; // moves that the player has made, and the server has not answered
    this.since = performance.now();
  }

  async open() {
    this.found = await get(this.path);
    const { puzzle, goal } = this.found;
    if (goal && puzzle.palette) {
      this.found.picture ??= { palette: puzzle.palette, cells: goal };
    }
    this.play = this.found.play;
    this.cells = this.play.cells;
    return this.found;
  }

  /** The board has these cells already; the server is told, one request after the other. */
  move(changes) {
    this.put(changes);
    this.ahead.push(changes);
    return this.ask("move", { changes });
  }

  put(changes) {
    changes.forEach(([cell, value]) => (this.cells[cell] = value));
  }

  ask(action, more = {}) {
    this.queue = this.queue.then(() => this.send(action, more));
    return this.queue;
  }

  async send(action, more) {
    const { pack, puzzle, play } = this;
    const body = { pack, puzzle, do: action, version: play.version, seconds: this.spent(), ...more };
    const answer = await post("/api/play/do", body).catch((error) => ({ error }));
    if (action === "move") {
      this.ahead.shift();
    }
    if (answer.error) {
      await this.failed(answer.error);
    } else {
      this.take(answer, {});
    }
  }

  /** Another page played on, or the server is gone: show what is true, and lose no word about it. */
  async failed(error) {
    if (error.data?.play) {
      this.take(error.data.play, { elsewhere: true });
    } else {
      this.onChange({ failed: error.message });
      if (error.status) {
        const { play } = await get(this.path).catch(() => ({})); // an own puzzle may be deleted by now
        play && this.take(play, {});
      }
    }
  }

  take(play, what) {
    this.play = play;
    if (play.cells) {
      this.cells = play.cells;
    } else {
      this.put(play.changed);
    }
    this.ahead.forEach((changes) => this.put(changes));
    this.onChange({ ...what, lost: play.lost, error_at: play.error_at, faults: play.faults });
  }

  /** Seconds since this was asked last, while the page was seen. */
  spent() {
    const now = performance.now();
    const seconds = document.hidden ? 0 : (now - this.since) / 1000;
    this.since = now;
    return Math.min(seconds, 3600);
  }

  /** The time on the clock, in seconds. */
  get clock() {
    const running = this.play.state !== "won" && !document.hidden;
    return this.play.seconds + (running ? (performance.now() - this.since) / 1000 : 0);
  }

  /** The page is seen again: another one may have played on. */
  async back() {
    this.since = performance.now();
    const { play } = await get(this.path);
    if (play.version !== this.play.version) {
      this.take(play, { elsewhere: true });
    }
  }

  /** Keep the time; the page is left or hidden. */
  leave() {
    const seconds = Math.min((performance.now() - this.since) / 1000, 3600);
    this.since = performance.now();
    if (this.play.state === "playing") {
      this.play.seconds += seconds;
      const body = { pack: this.pack, puzzle: this.puzzle, do: "leave", version: this.play.version, seconds };
      post("/api/play/do", body, { keepalive: true }).catch(() => {});
    }
  }
}
