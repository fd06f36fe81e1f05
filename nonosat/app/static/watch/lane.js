// One of the searches side by side: its board, what it is at, its counters as curves, and how it ended.

import board from "../board.js";
import { h } from "../dom.js";
import { Model } from "../model.js";
import { Curves } from "./curves.js";

const KEPT = 5000;
export const STOPPED = "Stopped";
const SEEN = {
  board: "",
  rests: "Seen where it rests: cells that are known for good. Its guesses cannot be seen.",
  log: "Only its log can be seen.",
  time: "It cannot be looked into: only its end can be seen.",
};

/** Seconds, for people. */
export function seconds(value) {
  if (value >= 100) {
    return `${Math.round(value)} s`;
  }
  return value >= 0.1 ? `${value.toFixed(2)} s` : `${(1000 * value).toFixed(value >= 0.01 ? 1 : 2)} ms`;
}

export const plural = (count, word) => `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;

export class Lane {
  constructor(number, puzzle, chosen) {
    Object.assign(this, { number, puzzle, chosen });
    this.count = puzzle.height * puzzle.width;
    this.place = h("div.lane-board");
    this.status = h("p.lane-status", { role: "status" });
    this.note = h("p.quiet.small", {}, SEEN[chosen.seen]);
    this.curves = new Curves();
    const name = [chosen.solver, chosen.encoding].filter(Boolean).join(" · ");
    this.root = h("section.lane", { "aria-label": name }, h("h2", {}, name), this.place, this.status, this.curves.root);
    this.root.append(this.note);
    this.model = new Model({ puzzle, cells: this.open(), mode: "show", overlay: {} });
    this.forget();
  }

  /** The board can be drawn once it stands in the page. */
  mount() {
    this.unmount = board.render({ model: this.model, el: this.place });
    this.show(Infinity);
  }

  open() {
    const cells = new Array(this.count).fill(-1);
    this.puzzle.given.forEach(([row, column, value]) => (cells[row * this.puzzle.width + column] = value));
    return cells;
  }

  /** All begins anew: code that it needs was loaded meanwhile. */
  forget() {
    this.frames = [{ at: 0, cells: Int16Array.from(this.open()), doing: "not begun", about: {} }];
    this.found = [];
    this.answer = null;
    this.failed = "";
    this.stage = "";
    this.shown = null;
  }

  get end() {
    return this.frames.at(-1).at;
  }

  get running() {
    return !this.answer && !this.failed;
  }

  /** What the search says. */
  hear(said) {
    if (said.type === "loading") {
      this.forget();
      this.stage = said.what && "loading code";
    } else if (said.type === "waiting") {
      this.stage = `waiting for ${plural(said.before, "other job")}`;
    } else if (said.type === "stage") {
      this.stage = said.stage;
    } else if (said.type === "look") {
      this.look(said);
    } else if (said.type === "found") {
      this.found.push(said.cells);
    } else if (said.type === "answer") {
      this.finish(said);
    } else if (said.type === "failed") {
      this.failed = said.error;
    }
  }

  look(said) {
    const before = this.frames.at(-1);
    const cells = said.changed?.length ? before.cells.slice() : before.cells;
    for (let at = 0; at < (said.changed ?? []).length; at += 2) {
      cells[said.changed[at]] = said.changed[at + 1];
    }
    if (this.frames.length < KEPT) {
      this.frames.push({ ...said, cells, blind: !said.changed });
      this.curves.add(said.at, said.about, said.changed ? cells.reduce((sum, value) => sum + (value >= 0), 0) : null);
    }
  }

  finish(said) {
    this.answer = said;
    const { encode_s = 0, load_s = 0, solve_s = 0 } = said.about;
    const at = Math.max(this.end, encode_s + load_s + solve_s);
    const cells = said.cells ? Int16Array.from(said.cells) : this.frames.at(-1).cells;
    this.frames.push({ at, cells, doing: "done", about: said.about, last: true });
    this.curves.add(at, said.about, said.cells ? this.count : null);
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
    const waits = this.running && this.frames.length === 1 ? this.stage : "";
    this.status.replaceChildren(...this.words(frame, waits));
    if (frame !== this.shown) {
      this.shown = frame;
      this.model.set("cells", Array.from(frame.cells));
      const heat = frame.odds?.map((odds) => (odds < 0 ? null : odds / 100));
      if (heat || this.heated) {
        this.model.set("overlay", heat ? { heat } : {});
      }
      this.heated = Boolean(heat);
      this.curves.show(frame.at);
    }
  }

  words(frame, waits) {
    if (this.failed && frame === this.frames.at(-1)) {
      return [h(this.failed === STOPPED ? "strong" : "strong.failing", {}, this.failed), this.spent(frame)];
    }
    if (!frame.last) {
      if (frame.at === 0) {
        return [waits];
      }
      const guesses = frame.guesses ? `, on ${plural(frame.guesses, "guess").replace("guesss", "guesses")}` : "";
      const known = frame.blind ? "" : `, ${frame.cells.filter((value) => value >= 0).length} cells`;
      return [h("span.numbers", {}, seconds(frame.at)), ` ${frame.doing}${known}${guesses}`];
    }
    return [h("strong", {}, verdict(this.answer)), ` in ${seconds(frame.at)}`, this.reason()];
  }

  spent(frame) {
    return frame.at ? ` after ${seconds(frame.at)}` : "";
  }

  reason() {
    return this.answer.reason ? h("span.quiet", {}, ` · ${this.answer.reason}`) : "";
  }

  close() {
    this.unmount?.();
  }
}

/** The answer in words. */
export function verdict({ verdict, solutions, unique, exhausted, stopped }) {
  if (verdict === "UNSAT") {
    return "No solution";
  }
  if (verdict !== "SAT") {
    const words = { TIMEOUT: "Out of time", MEMOUT: "Out of memory", UNKNOWN: "Gave up", INTERRUPTED: "Stopped" };
    return words[verdict] ?? verdict;
  }
  if (unique) {
    return "One solution, and no other";
  }
  const many = exhausted ? `${solutions} solutions, and no others` : plural(solutions, "solution");
  return stopped ? `${many} until it was stopped (${stopped})` : many === "1 solution" ? "A solution" : many;
}
