// One of the searches side by side: its board, its counters as curves, and how it ended.

import { fill, h, number, plural } from "../dom.js";
import { looked, openCells } from "../model.js";
import { Curves } from "./curves.js";

const KEPT = 5000;
export const STOPPED = "Stopped";

export function seconds(value) {
  if (value >= 100) return `${Math.round(value)} s`;
  return value >= 0.1 ? `${value.toFixed(2)} s` : `${(1000 * value).toFixed(value >= 0.01 ? 1 : 2)} ms`;
}

const knownOf = (cells) => cells.reduce((sum, value) => sum + (value >= 0), 0);

export class Lane {
  /** `about`: the solver; of one that is `blind` nothing is seen but its time, or its log. `head`: what chooses it. */
  constructor(puzzle, encoding, about, head = null) {
    Object.assign(this, { puzzle, about, encoding, blind: about.blind });
    this.place = h("div.lane-board");
    this.status = h("p.lane-status", { role: "status" });
    this.curves = new Curves(puzzle.height * puzzle.width);
    this.name = about.encodes ? `${about.name} · ${encoding}` : about.name;
    this.root = h("section.lane", { label: this.name }, head ?? h("h2", this.name), this.place, this.status, this.curves.root, h("p.quiet.small", about.seen));
    this.model = looked(puzzle, true);
    Object.assign(this, { found: [], answer: null, failed: "" });
    this.rewind("");
  }

  /** The board can be drawn once it stands in the page. */
  mount(signal) {
    this.board = this.model.mount(this.place, signal);
    this.show(Infinity, false, 0);
  }

  /** Code that it needs is loaded: the search begins, or begins again. What it found stays. */
  rewind(stage) {
    this.frames = [{ at: 0, cells: Int16Array.from(openCells(this.puzzle)), about: {}, known: 0 }];
    Object.assign(this, { stage, shown: null });
  }

  get last() {
    return this.frames.at(-1);
  }

  get end() {
    return this.last.at;
  }

  get running() {
    return !this.answer && !this.failed;
  }

  take(event) {
    const handlers = {
      loading: () => this.rewind(event.what && "loading code"),
      waiting: () => (this.stage = `waiting for ${plural(event.before, "other job")}`),
      stage: () => (this.stage = event.stage),
      pulse: () => this.pulse(event.s),
      look: () => this.look(event),
      found: () => this.found.push(event.cells),
      answer: () => this.finish(event),
      failed: () => (this.failed = event.error),
    };
    handlers[event.type]?.();
  }

  /** It says nothing, but is at work: unless it is blind, the next look tells the time. */
  pulse(at) {
    this.worked = at;
    if (this.blind) this.keep({ ...this.last, at, doing: this.stage, odds: null, blind: true });
  }

  look(event) {
    const cells = event.changed?.length ? this.last.cells.slice() : this.last.cells;
    for (let at = 0; at < event.changed?.length; at += 2) cells[event.changed[at]] = event.changed[at + 1];
    this.keep({ ...event, cells, blind: !event.changed });
  }

  keep(frame) {
    if (this.frames.length >= KEPT || frame.at < this.end) return;
    this.frames.push({ ...frame, known: frame.blind ? null : knownOf(frame.cells) });
  }

  finish(event) {
    this.answer = event;
    const { encode_s: encode = 0, load_s: load = 0, solve_s: solve = 0 } = event.about;
    const spent = encode + load + solve;
    const at = this.blind ? spent : Math.max(this.end, spent); // a blind one's clock was ours: its own time may be less
    const cells = event.cells ? Int16Array.from(event.cells) : this.last.cells;
    if (this.blind) this.frames = this.frames.filter((frame) => frame.at < at || frame.at === 0);
    this.frames.push({ at, cells, about: event.about, last: true, known: event.cells && !this.blind ? cells.length : null });
  }

  /** Show what there was after so many events, or seconds; all lanes end at `end`. */
  show(upto, byEvents, end) {
    const { frames } = this;
    const frame = byEvents ? frames[Math.min(Math.floor(upto), frames.length - 1)] : frames.findLast(({ at }) => at <= upto);
    fill(this.status, this.words(frame));
    const scale = `${byEvents} ${end} ${frames.length}`;
    if (frame === this.shown && scale === this.scale) return;
    Object.assign(this, { shown: frame, scale });
    this.curves.show(frame, frames, byEvents, end);
    this.model.set("cells", Array.from(frame.cells));
    const heat = frame.odds?.map((odds) => (odds < 0 ? null : odds / 100));
    if (heat || this.heated) this.model.set("overlay", heat ? { heat } : {});
    this.heated = Boolean(heat);
  }

  words(frame) {
    const { failed, answer, running, stage } = this;
    if (failed && frame === this.last) {
      return [h(failed === STOPPED ? "strong" : "strong.failing", failed), frame.at > 0 && ` after ${seconds(frame.at)}`];
    }
    if (frame.last) {
      const reason = answer.reason && h("span.quiet", ` · ${answer.reason}`);
      return [h("strong", answer.summary), ` · ${seconds(frame.at)}`, this.standing && ` · ${this.standing}`, reason];
    }
    if (frame.at === 0) return running && frame === this.last && [stage, this.worked > 0 && ` ${seconds(this.worked)}`];
    const guesses = frame.guesses ? `, on ${number(frame.guesses)} guess${frame.guesses === 1 ? "" : "es"}` : "";
    return [h("span.numbers", seconds(frame.at)), ` · ${frame.doing}${frame.blind ? "" : `, ${knownOf(frame.cells)} cells`}${guesses}`];
  }
}
