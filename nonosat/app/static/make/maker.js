// The editor: a board, and what is known of the puzzle on it, whose cells are drawn or whose clues are typed.

import { module, part, post } from "../api.js";
import { asked } from "../board/keys.js";
import { choose } from "../choose.js";
import { atEnd, go, h, notice, pause, plural, setAddress, turns } from "../dom.js";
import { framed, Model, openCells } from "../model.js";
import { outbox } from "../outbox.js";
import { Draft, forgetLast } from "./draft.js";
import { panel } from "./panel.js";
import { blank, clued, download, sent } from "./state.js";

const UNDONE = 200;
const HISTORY = "nonosat/undo";
const MOST_KEPT = 2e6; // characters: browsers keep five million

export class Maker {
  constructor(el, found, signal) {
    Object.assign(this, { el, signal, look: "heat", colour: 1, past: [], future: [], draft: new Draft(signal, found) });
    this.take(found);
    this.remember(found.draft);
  }

  /** What can be undone of the draft at hand survives a reload and other rooms, in this tab. */
  remember(draft) {
    const kept = draft && JSON.parse(sessionStorage.getItem(HISTORY) ?? "null");
    const here = (states) => states.map((state) => ({ ...state, draft: this.draft }));
    if (kept && kept.draft === draft) Object.assign(this, { past: here(kept.past), future: here(kept.future) });
    const keep = () => {
      if (!this.draft.name) return; // what is only looked at takes no draft's place
      let left = MOST_KEPT;
      const own = (states) => states.filter((state) => state.draft === this.draft).map(({ draft: _, ...state }) => state);
      const last = (states) => own(states).toReversed().filter((state) => (left -= JSON.stringify(state).length) > 0).toReversed();
      sessionStorage.setItem(HISTORY, JSON.stringify({ draft: this.draft.name, past: last(this.past), future: last(this.future) }));
    };
    window.addEventListener("pagehide", keep, { signal: this.signal });
    atEnd(this.signal, keep);
  }

  /** One with a solution is drawn, the others are typed. */
  take({ puzzle, goal = null, cells = goal, id = null, drawn = puzzle.kind === "nonogram" && Boolean(cells) }) {
    Object.assign(this, { puzzle, cells, drawn, id, about: null, repaired: null });
    this.colour = Math.min(this.colour, (puzzle.palette?.length ?? 2) - 1);
  }

  open() {
    this.place = h("div.game-board");
    this.panel = panel(this);
    this.showing = turns(this.signal);
    this.el.append(h("div.game.make", this.place, this.panel.root));
    this.listen();
    this.show();
    this.panel.rebuild(); // swatches are as the board paints them
  }

  /** Undo and redo, pasted text and dropped files come from anywhere on the page. */
  listen() {
    const listen = (name, asks, work) =>
      document.addEventListener(name, (event) => {
        const what = asks(event);
        if (!what) return;
        event.preventDefault();
        work(what);
      }, { signal: this.signal });
    const free = ({ target }) => !target.matches?.("input, textarea");
    listen("keydown", (event) => free(event) && asked(event, true), (type) => this.step(type));
    listen("paste", (event) => free(event) && event.clipboardData?.getData("text"), (text) => this.readText(text));
    listen("dragover", ({ dataTransfer }) => dataTransfer.types.includes("Files"), () => {}); // else the page is left
    const repaint = () => setTimeout(() => this.panel.rebuild()); // swatches are as the board paints them by then
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint, { signal: this.signal });
    window.addEventListener("server-back", () => this.away && this.analyse(), { signal: this.signal });
    listen("drop", ({ dataTransfer }) => dataTransfer.files[0], (file) => this.drop(file));
  }

  async drop(file) {
    if ((await module("./make/image.js")).isImage(file)) this.askImage(file);
    else this.readText(await file.text());
  }

  async askImage(file) {
    (await module("./make/image.js")).askImage(file, (found) => this.replace(found));
  }

  ask(what, more = {}) {
    const { puzzle, cells, drawn } = this;
    return post(`/api/make/${what}`, { puzzle: sent(puzzle, drawn), ...(drawn && { cells }), ...more });
  }

  /** Whatever is changed is kept as a draft. */
  changed() {
    this.draft.keep(() => {
      const { puzzle, cells, drawn, id } = this;
      return { puzzle: sent(puzzle, drawn), cells, drawn, id };
    });
    this.panel.changed();
  }

  get state() {
    const { puzzle, cells, drawn, draft, id } = this;
    return { puzzle, cells, drawn, draft, id };
  }

  /** Undo brings back what is there now. */
  keep() {
    this.past = [...this.past.slice(-UNDONE), this.state];
    this.future = [];
  }

  /** Go on with another puzzle in the place of this one. */
  become(found, id = this.id, changes = true) {
    this.keep();
    this.take({ ...found, id });
    this.rebuild(changes);
  }

  /** Another puzzle, which is not saved yet. */
  replace(found) {
    this.draft.write();
    this.keep();
    this.draft = new Draft(this.signal); // what was here before stays a draft
    this.take({ ...found, id: null });
    this.rebuild();
    scrollTo(0, 0);
  }

  rebuild(changes = true) {
    this.panel.rebuild();
    this.show();
    if (changes) this.changed();
  }

  show() {
    const { puzzle } = this;
    const mode = this.drawn || puzzle.kind === "skyscrapers" ? "edit" : "show";
    const cells = this.drawn ? [...this.cells] : openCells(puzzle);
    this.model = new Model({ puzzle, cells, mode, tool: this.colour, overlay: {}, typed: true }, (event) => this.onBoard(event));
    this.view = this.model.mount(this.place, this.showing());
    this.panel.update();
    this.analyse();
  }

  onBoard({ type, changes, colour }) {
    if (type === "move" && !this.drawn) {
      this.give(...changes[0]);
    } else if (type === "move") {
      this.keep();
      const cells = [...this.cells];
      changes.forEach(([cell, value]) => (cells[cell] = value));
      this.draw(cells);
    } else if (type === "colour") {
      this.choose(colour);
    } else if (type !== "trial") {
      this.step(type);
    }
  }

  put(cells) {
    this.draw(cells);
    this.model.set("cells", [...cells]);
  }

  draw(cells) {
    Object.assign(this, { cells, repaired: null });
    this.changed();
    this.analyse();
    this.panel.update();
  }

  /** A typed height is given, or, the same again (-1), no longer; one that only followed from clues is given then. */
  give(cell, value) {
    const [row, column] = framed(this.puzzle, cell);
    const others = this.puzzle.given.filter(([y, x]) => y !== row || x !== column);
    const known = others.length < this.puzzle.given.length;
    const height = value < 0 && !known ? this.about?.shared[cell] : value;
    this.retyped({ given: height > 0 ? [...others, [row, column, height]] : others });
  }

  /** Undo or redo, across puzzles too: each is the draft again that it was. */
  step(type) {
    const [from, to] = type === "undo" ? [this.past, this.future] : [this.future, this.past];
    if (!from.length) return;
    const back = from.pop();
    const there = back.draft !== this.draft;
    to.push(this.state);
    if (there) {
      this.draft.write();
      this.draft = back.draft;
      this.draft.settle();
    }
    if (back.puzzle === this.puzzle) {
      this.put(back.cells);
    } else {
      this.take(back);
      this.rebuild(!there);
    }
  }

  choose(colour) {
    this.colour = Math.min(colour, this.puzzle.palette.length - 1);
    this.model.set("tool", this.colour);
    this.panel.update();
  }

  /** Ask what the puzzle is, and for more of that until it is done; what has changed meanwhile is asked for next. */
  async analyse() {
    this.stale = true;
    this.panel.light();
    if (this.asking) return;
    this.asking = true;
    while (!this.signal.aborted && (this.stale || !(this.failed || this.about.done))) {
      const about = this.stale ? null : this.about;
      this.stale = false;
      this.panel.light();
      await pause(); // of a large board one thing at a time
      try {
        const result = await this.ask(about ? "changes" : "analyse");
        if (this.stale) continue;
        Object.assign(this, { away: false, failed: result?.fault ?? null });
        if (!this.failed) this.about = { ...about, ...(result ?? { done: true }) };
      } catch (error) {
        this.away = Boolean(outbox.away); // nothing is wrong with the puzzle then
        if (this.away) break;
        this.failed = error.message;
      }
      if (!this.stale) this.overlay();
    }
    this.asking = false;
    this.panel.light();
  }

  overlay() {
    const { about, puzzle, look } = this;
    const overlay = {};
    if (about && !this.failed && about.shared.length === puzzle.height * puzzle.width) {
      const frames = (values, how, wanted) => values.flatMap((value, cell) => (wanted(value) ? [framed(puzzle, cell, how)] : []));
      if (this.drawn && look === "heat" && about.heat) {
        overlay.heat = about.heat;
        overlay.outline = frames(about.heat, "settled", (share) => share >= 0.8);
      }
      if (look === "shared" && about.verdict === "several") {
        overlay.outline = frames(about.shared, "wrong", (value) => value < 0);
      }
      const given = openCells(puzzle); // which stay in sight where there is no solution
      if (!this.drawn) this.model.set("cells", about.shared.map((value, cell) => Math.max(value, given[cell])));
    }
    if (this.repaired) overlay.outline = this.repaired;
    this.model.set("overlay", overlay);
  }

  lookAt(what) {
    this.look = this.look === what ? "none" : what;
    this.overlay();
    this.panel.update();
  }

  /** Clues begin with those of the drawing, a drawing with a solution of the clues: what was drawn, as long as it is one. */
  way(drawn) {
    if (drawn === this.drawn || this.refuses("Not drawn")) return;
    const { about, cells, failed, puzzle: { height, width }, stale } = this;
    const found = stale || failed || about?.picture?.length !== height * width ? null : [...about.picture];
    if (drawn && !this.former && !found) {
      notice("No solution of these clues is known, so there is nothing to draw. Change them, or begin a new nonogram.");
      return;
    }
    const looks = !this.draft.name; // at what is saved or blank, which is no draft until it is changed
    this.become({ puzzle: this.stated(), cells: drawn ? (this.former ?? found) : cells, drawn }, this.id, !looks);
  }

  /** A clue that cannot be read is no clue of the puzzle yet: whether that is said, as `what`. */
  refuses(what) {
    const why = this.panel.unread();
    if (why) notice(`${what}: ${why}`);
    return Boolean(why);
  }

  /** The cells that were drawn before clues were typed, if they are still a solution of them. */
  get former() {
    const { cells, drawn, puzzle: { height, width, rows, columns } } = this;
    if (drawn || cells?.length !== height * width) return null;
    return JSON.stringify(clued(cells, height, width)) === JSON.stringify({ rows, columns }) ? cells : null;
  }

  /** The puzzle with its clues: those of a drawing as it is now. */
  stated() {
    const { cells, drawn, puzzle } = this;
    return { ...puzzle, ...(drawn && clued(cells, puzzle.height, puzzle.width)) };
  }

  /** A nonogram's given cells go, since lines may be others. */
  retyped(changed) {
    const { height, width, kind } = this.puzzle;
    const puzzle = { ...this.puzzle, ...(kind === "nonogram" && { given: [] }), ...changed };
    if (kind === "nonogram") Object.assign(puzzle, { height: puzzle.rows.length, width: puzzle.columns.length });
    if (puzzle.height !== height || puzzle.width !== width) {
      this.become({ puzzle });
    } else {
      this.keep();
      this.puzzle = puzzle;
      this.panel.rebuild();
      this.model.set("cells", openCells(puzzle));
      this.model.set("puzzle", puzzle);
      this.changed();
      this.analyse();
    }
  }

  paint(palette) {
    this.become({ ...this.state, puzzle: { ...this.puzzle, palette, values: [0, palette.length - 1] } });
  }

  /** It takes seconds on a large board: who goes on to draw meanwhile keeps that. */
  async repair(byLines) {
    const { state } = this;
    this.repairing = true;
    this.panel.light();
    const { changes, ...found } = await this.ask("repair", { by_lines: byLines }).finally(() => {
      this.repairing = false;
      this.panel.light();
    });
    if (this.signal.aborted) return;
    if (this.puzzle !== state.puzzle || this.cells !== state.cells) {
      notice("The puzzle was changed meanwhile, so it was not repaired.");
      return;
    }
    found.puzzle.title = state.puzzle.title;
    this.become(found);
    this.repaired = changes.map(([row, column]) => [row, column, "settled"]);
    this.overlay();
    notice(changes.length ? `${plural(changes.length, "cell")} changed.` : "Nothing had to change.");
  }

  /** A second click while it is saved saves nothing more. */
  async save(asNew = false) {
    if (this.saving || this.refuses("Not saved")) return;
    this.saving = true;
    await this.saved(asNew).finally(() => (this.saving = false));
  }

  async saved(asNew) {
    const goal = this.drawn ? undefined : (this.former ?? (this.about?.verdict === "lines" ? this.about.picture : undefined));
    this.draft.write();
    await outbox.idle(); // no change of the draft comes behind its end
    const { id } = await this.ask("save", { goal, id: asNew ? null : this.id, draft: this.draft.name });
    forgetLast();
    if (!this.signal.aborted) setAddress(`#/make/own/${id}`);
    const [done, draft] = [this.draft, new Draft(this.signal)];
    const saved = (states) => states.map((state) => (state.draft === done ? { ...state, draft, id } : state));
    Object.assign(this, { id, draft, past: saved(this.past), future: saved(this.future) }); // undo changes what was saved
    notice("Saved among your puzzles.");
    this.panel.rebuild();
  }

  async share() {
    return (await this.ask("share")).share;
  }

  async download(what, more) {
    download(this.puzzle.title, await this.ask(what, more));
  }

  solve() {
    choose(this.stated());
    location.hash = "#/watch?run=1";
  }

  async readText(text) {
    const { puzzles, draft } = await post("/api/make/read", { text, made: true });
    if (draft) return go(`#/make/draft/${part(draft)}`, "This puzzle is one of your drafts already: here it is.");
    this.replace(puzzles[0]);
    if (puzzles.length > 1) notice(`The first of ${puzzles.length} puzzles.`);
  }
}
