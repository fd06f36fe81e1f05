// One of the searches side by side: its board, what it is at, its counters as curves, and how it ended.

import { h, plural } from "../dom.js";
import { looked, openCells } from "../model.js";
import { Curves } from "./curves.js";

const KEPT = 5000;
export const STOPPED = "Stopped";
const SEEN = {
  board: "",
  rests: "Seen where it rests: cells that are known for good. Its guesses cannot be seen.",
  log: "Only its log can be seen.",
  time: "It cannot be looked into: only that it works, and its end.",
};
const VERDICTS = { TIMEOUT: "Out of time", MEMOUT: "Out of memory", UNKNOWN: "Gave up", INTERRUPTED: STOPPED };

/** Seconds, for people. */
export function seconds(value) {
  if (value >= 100) return `${Math.round(value)} s`;
  return value >= 0.1 ? `${value.toFixed(2)} s` : `${(1000 * value).toFixed(value >= 0.01 ? 1 : 2)} ms`;
}

const known = (cells) => cells.reduce((sum, value) => sum + (value >= 0), 0);

export class Lane {
  constructor(puzzle, chosen) {
    Object.assign(this, { puzzle, chosen });
    this.place = h("div.lane-board");
    this.status = h("p.lane-status", { role: "status" });
    this.curves = new Curves();
    const name = [chosen.solver, chosen.encoding].filter(Boolean).join(" · ");
    this.root = h("section.lane", { "aria-label": name },
      h("h2", name), this.place, this.status, this.curves.root, h("p.quiet.small", SEEN[chosen.seen]));
    this.model = looked(puzzle);
    this.forget();
  }

  /** The board can be drawn once it stands in the page. */
  mount() {
    this.unmount = this.model.mount(this.place);
    this.show(Infinity);
  }

  /** All begins anew: code that it needs was loaded meanwhile. */
  forget() {
    this.frames = [{ at: 0, cells: Int16Array.from(openCells(this.puzzle)), doing: "not begun", about: {} }];
    Object.assign(this, { found: [], answer: null, failed: "", stage: "", shown: null });
  }

  get end() {
    return this.frames.at(-1).at;
  }

  get running() {
    return !this.answer && !this.failed;
  }

  /** What the search says. */
  hear(said) {
    const last = this.frames.at(-1);
    const heard = {
      loading: () => (this.forget(), (this.stage = said.what && "loading code")),
      waiting: () => (this.stage = `waiting for ${plural(said.before, "other job")}`),
      stage: () => (this.stage = said.stage),
      pulse: () => this.pulse(said.s, last),
      look: () => this.look(said, last),
      found: () => this.found.push(said.cells),
      answer: () => this.finish(said, last),
      failed: () => (this.failed = said.error),
    };
    heard[said.type]?.();
  }

  /** It says nothing, but it is at work: of one that can be looked into, the next look tells the time. */
  pulse(at, last) {
    this.worked = at;
    if (["time", "log"].includes(this.chosen.seen)) this.keep({ ...last, at, doing: this.stage, odds: null, blind: true });
  }

  look(said, { cells: before }) {
    const changed = said.changed ?? [];
    const cells = changed.length ? before.slice() : before;
    for (let at = 0; at < changed.length; at += 2) cells[changed[at]] = changed[at + 1];
    this.keep({ ...said, cells, blind: !said.changed });
  }

  keep(frame) {
    if (this.frames.length >= KEPT || frame.at < this.end) return;
    this.frames.push(frame);
    this.curves.add(frame.at, frame.about, frame.blind ? null : known(frame.cells));
  }

  finish(said, last) {
    this.answer = said;
    const { encode_s: encode = 0, load_s: load = 0, solve_s: solve = 0 } = said.about;
    const blind = ["time", "log"].includes(this.chosen.seen); // its clock was ours: its own time may be less
    const at = blind ? encode + load + solve : Math.max(this.end, encode + load + solve);
    if (blind) this.frames = this.frames.filter((frame) => frame.at < at || frame.at === 0);
    const cells = said.cells ? Int16Array.from(said.cells) : last.cells;
    this.frames.push({ at, cells, doing: "done", about: said.about, last: true });
    this.curves.add(at, said.about, said.cells && !blind ? cells.length : null);
  }

  /** The times of the frames next to `time`, before and after it. */
  around(time) {
    const index = this.index(time);
    return [this.frames[index - 1]?.at, this.frames[index + 1]?.at];
  }

  index(time) {
    let [low, high] = [0, this.frames.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      [low, high] = this.frames[middle].at <= time ? [middle, high] : [low, middle - 1];
    }
    return low;
  }

  /** Show the search as it was at `time`, in its own seconds. */
  show(time) {
    const frame = this.frames[this.index(time)];
    this.status.replaceChildren(...this.words(frame));
    if (frame === this.shown) return;
    this.shown = frame;
    this.model.set("cells", Array.from(frame.cells));
    const heat = frame.odds?.map((odds) => (odds < 0 ? null : odds / 100));
    if (heat || this.heated) this.model.set("overlay", heat ? { heat } : {});
    this.heated = Boolean(heat);
    this.curves.show(frame.at);
  }

  words(frame) {
    const { failed, answer, running, stage } = this;
    if (failed && frame === this.frames.at(-1)) {
      return [h(failed === STOPPED ? "strong" : "strong.failing", failed), frame.at ? ` after ${seconds(frame.at)}` : ""];
    }
    if (frame.last) {
      const reason = answer.reason && h("span.quiet", ` · ${answer.reason}`);
      return [h("strong", verdict(answer)), ` in ${seconds(frame.at)}`, reason || ""];
    }
    if (frame.at === 0) return [running && this.frames.length === 1 ? `${stage}${this.worked ? ` ${seconds(this.worked)}` : ""}` : ""];
    const guesses = frame.guesses ? `, on ${frame.guesses.toLocaleString("en")} guess${frame.guesses === 1 ? "" : "es"}` : "";
    return [h("span.numbers", seconds(frame.at)), ` ${frame.doing}${frame.blind ? "" : `, ${known(frame.cells)} cells`}${guesses}`];
  }

  close() {
    this.unmount?.();
  }
}

/** The answer in words. */
export function verdict({ verdict: said, solutions, unique, exhausted, stopped }) {
  if (said === "UNSAT") return "No solution";
  if (said !== "SAT") return VERDICTS[said] ?? said;
  if (unique) return "One solution, and no other";
  if (stopped) return `${plural(solutions, "solution")} until it was stopped (${stopped})`;
  if (exhausted) return `${solutions} solutions, and no others`;
  return solutions === 1 ? "A solution" : plural(solutions, "solution");
}
