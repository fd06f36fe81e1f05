// A game as the page knows it: cells, what the server says of them, and moves that are on their way.

import { get, part, post } from "../api.js";

const MOST_S = 3600;

export class Session {
  /** `onChange({ lost, faults, elsewhere, failed })`: the play changed. */
  constructor(pack, puzzle, onChange) {
    Object.assign(this, { pack, puzzle, onChange });
    this.path = `/api/play/packs/${part(pack)}/${part(puzzle)}`;
    this.queue = Promise.resolve();
    this.ahead = []; // moves that the player has made, and the server has not answered
    this.since = performance.now();
  }

  async open() {
    const found = await get(this.path);
    this.play = found.play;
    this.cells = found.play.cells;
    return found;
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

  tell(action, seconds, more, options) {
    const { pack, puzzle, play: { version } } = this;
    return post("/api/play/do", { pack, puzzle, do: action, version, seconds, ...more }, options);
  }

  async send(action, more) {
    const answer = await this.tell(action, this.spent(), more).catch((error) => ({ error }));
    if (action === "move") this.ahead.shift();
    if (answer.error) await this.failed(answer.error);
    else this.take(answer, {});
  }

  /** Another page played on, or the server is gone: show what is true, and lose no word about it. */
  async failed(error) {
    let { play } = error.data;
    const elsewhere = Boolean(play);
    if (!play) this.onChange({ failed: error.message });
    if (error.status) play ??= (await get(this.path).catch(() => ({}))).play; // an own puzzle may be deleted by now
    if (play) this.take(play, { elsewhere });
  }

  take(play, what) {
    this.play = play;
    if (play.cells) this.cells = play.cells;
    else this.put(play.changed);
    this.ahead.forEach((changes) => this.put(changes));
    this.onChange({ ...what, lost: play.lost, faults: play.faults });
  }

  spent(seen = !document.hidden) {
    const seconds = seen ? (performance.now() - this.since) / 1000 : 0;
    this.since = performance.now();
    return Math.min(seconds, MOST_S);
  }

  get clock() {
    const running = this.play.state !== "won" && !document.hidden;
    return this.play.seconds + (running ? (performance.now() - this.since) / 1000 : 0);
  }

  /** The page is seen again: another one may have played on. */
  async back() {
    this.since = performance.now();
    await this.queue; // what is on its way is no news
    const { play } = await get(this.path);
    if (play.version !== this.play.version) this.take(play, { elsewhere: true });
  }

  leave() {
    const seconds = this.spent(true);
    if (this.play.state === "playing") {
      this.play.seconds += seconds;
      this.tell("leave", seconds, {}, { keepalive: true }).catch(() => {});
    }
  }
}
