// A game as the page knows it: cells, what the server says of them, and moves that are on their way.

import { get, part, post } from "../api.js";
import { outbox } from "../outbox.js";

const MOST_S = 3600;

export class Session {
  /** `onChange({ made, lost, faults, stays, elsewhere, failed })`: the play changed; `made`: by these changes of cells. */
  constructor(pack, puzzle, onChange) {
    Object.assign(this, { pack, puzzle, onChange });
    this.path = `/api/play/packs/${part(pack)}/${part(puzzle)}`;
    this.queue = Promise.resolve();
    this.ahead = []; // moves that the player has made, and the server has not answered
    this.since = performance.now();
  }

  async open() {
    await outbox.idle(); // moves that this page has made before, and left
    const found = await get(this.path);
    this.play = found.play;
    this.cells = found.play.cells;
    return found;
  }

  /** The board has these cells already; the server gets it, one request after the other, sooner or later. */
  move(changes) {
    this.put(changes);
    this.ahead.push(changes);
    return this.ask("move", { changes });
  }

  put(changes) {
    changes.forEach(([cell, value]) => (this.cells[cell] = value));
  }

  ask(action, more = {}) {
    const sent = outbox.add("/api/play/do", this.action(action, this.spent(), more));
    sent.catch(() => {}); // `answered` hears it, when those before are answered
    this.queue = this.queue.then(() => this.answered(action, sent));
    return this.queue;
  }

  action(action, seconds, more) {
    const { pack, puzzle, play: { version } } = this;
    return { pack, puzzle, do: action, version, seconds, ...more };
  }

  async answered(action, sent) {
    const answer = await sent.catch((error) => ({ error }));
    const made = action === "move" ? this.ahead.shift() : [];
    if (answer.error) await this.failed(answer.error);
    else if (answer.behind) this.take((await get(this.path)).play, { elsewhere: true });
    else this.take(answer, { made });
  }

  /** Another page played on, or that could not be done: show what is true, and lose no word about it. */
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
    this.onChange({ ...what, lost: play.lost, faults: play.faults, stays: play.stays });
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
  back() {
    this.since = performance.now();
    return this.look();
  }

  async look() {
    await this.queue; // what is on its way is no news
    const { play } = await get(this.path);
    if (!this.ahead.length && play.version !== this.play.version) this.take(play, { elsewhere: true });
  }

  leave() {
    const seconds = this.spent(true);
    if (this.play.state === "playing") {
      this.play.seconds += seconds;
      post("/api/play/do", this.action("leave", seconds), { keepalive: true }).catch(() => {});
    }
  }
}
