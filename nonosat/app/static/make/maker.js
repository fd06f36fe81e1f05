// The editor: a board, and what is known of the puzzle on it, whose cells are drawn or whose clues are typed.

import { post } from "../api.js";
import { asked } from "../board/keys.js";
import { choose } from "../choose.js";
import { h, notice, plural, turns } from "../dom.js";
import { framed, Model, openCells } from "../model.js";
import { askImage } from "./image.js";
import { panel } from "./panel.js";
import { blank, download, nextShade, resized, towers } from "./state.js";

const UNDONE = 200;

export class Maker {
  constructor(el, found, signal) {
    Object.assign(this, { el, signal, look: "heat", colour: 1 });
    this.take(found);
  }

  /** One with a solution is drawn, the others are typed. */
  take({ puzzle, goal = null, cells = goal, id = null }) {
    const drawn = puzzle.kind === "nonogram" && Boolean(cells);
    Object.assign(this, { puzzle, cells, drawn, id, about: null, repaired: null, past: [], future: [] });
    this.colour = Math.min(this.colour, (puzzle.palette?.length ?? 2) - 1);
  }

  open() {
    this.place = h("div.game-board");
    this.panel = panel(this);
    this.showing = turns(this.signal);
    const root = h("div.game.make", this.place, this.panel.root);
    root.maker = this; // for who looks into the page
    this.el.append(root);
    this.listen();
    this.show();
  }

  /** Undo and redo, pasted text and dropped files come from anywhere on the page. */
  listen() {
    const listen = (name, asks, work) => {
      const heard = (event) => {
        const what = !event.target.matches?.("input, textarea") && asks(event);
        if (!what) return;
        event.preventDefault();
        work(what);
      };
      document.addEventListener(name, heard, { signal: this.signal });
    };
    listen("keydown", (event) => asked(event, true), (type) => this.step(type));
    listen("paste", (event) => event.clipboardData?.getData("text"), (text) => this.readText(text));
    this.el.addEventListener("dragover", (event) => event.preventDefault());
    this.el.addEventListener("drop", (event) => {
      event.preventDefault();
      this.drop(event.dataTransfer.files[0]);
    });
  }

  async drop(file) {
    if (file?.type.startsWith("image/")) askImage(file, (found) => this.replace(found));
    else if (file) await this.readText(await file.text());
  }

  ask(what, more = {}) {
    const { puzzle, cells, drawn } = this;
    return post(`/api/make/${what}`, { puzzle, ...(drawn && { cells }), ...more });
  }

  replace(found) {
    this.take(found);
    history.replaceState(null, "", found.id ? `#/make/own/${found.id}` : "#/make");
    this.rebuild();
  }

  rebuild() {
    this.panel.rebuild();
    this.show();
  }

  show() {
    const { puzzle } = this;
    const mode = this.drawn || puzzle.kind === "skyscrapers" ? "edit" : "show";
    const cells = this.drawn ? [...this.cells] : openCells(puzzle);
    this.model = new Model({ puzzle, cells, mode, tool: this.colour, overlay: {} }, (said) => this.heard(said));
    this.model.mount(this.place, this.showing());
    this.panel.update();
    this.analyse();
  }

  heard({ type, changes, colour }) {
    if (type === "move" && !this.drawn) {
      this.give(...changes[0]);
    } else if (type === "move") {
      this.past = [...this.past.slice(-UNDONE), this.cells];
      this.future = [];
      const cells = [...this.cells];
      changes.forEach(([cell, value]) => (cells[cell] = value));
      this.draw(cells);
    } else if (type === "colour") {
      this.choose(colour);
    } else if (type !== "trial") {
      this.step(type);
    }
  }

  draw(cells) {
    Object.assign(this, { cells, repaired: null });
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

  step(type) {
    const [from, to] = type === "undo" ? [this.past, this.future] : [this.future, this.past];
    if (this.drawn && from.length) {
      to.push(this.cells);
      this.draw(from.pop());
      this.model.set("cells", [...this.cells]);
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
      try {
        const said = await this.ask(about ? "changes" : "analyse");
        if (this.stale) continue;
        this.about = { ...about, ...(said ?? { done: true }) };
        this.failed = null;
      } catch (error) {
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
      const frames = (values, how, wanted) =>
        values.flatMap((value, cell) => (wanted(value) ? [framed(puzzle, cell, how)] : []));
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

  /** Clues begin with those of the drawing, a drawing with a solution of the clues. */
  way(drawn) {
    if (drawn === this.drawn) return;
    const { height, width, palette, title } = this.puzzle;
    if (drawn) {
      const found = this.about?.picture?.length === height * width ? this.about.picture : null;
      this.cells = found ? [...found] : blank(height, width, palette, title).cells;
    } else if (this.about?.puzzle && !this.failed) {
      this.puzzle = { ...this.about.puzzle, title };
    }
    Object.assign(this, { drawn, past: [], future: [] });
    this.rebuild();
  }

  resize(height, width) {
    this.take({ ...resized(this.puzzle, this.cells, height, width), id: this.id });
    this.show();
  }

  resizeTowers(size, anew = false) {
    this.replace(anew ? towers(size) : { ...towers(size, this.puzzle), id: this.id });
  }

  /** A nonogram's given cells go, since lines may be others. */
  retyped(changed) {
    const { height, width, kind } = this.puzzle;
    const puzzle = { ...this.puzzle, ...(kind === "nonogram" && { given: [] }), ...changed };
    if (kind === "nonogram") Object.assign(puzzle, { height: puzzle.rows.length, width: puzzle.columns.length });
    this.puzzle = puzzle;
    if (puzzle.height !== height || puzzle.width !== width) {
      this.rebuild();
    } else {
      this.panel.rebuild();
      this.model.set("cells", openCells(puzzle));
      this.model.set("puzzle", puzzle);
      this.analyse();
    }
  }

  addColour() {
    const palette = [...this.puzzle.palette, nextShade(this.puzzle.palette)];
    this.puzzle = { ...this.puzzle, palette, values: [0, palette.length - 1] };
    this.colour = palette.length - 1;
    this.rebuild();
  }

  recolour(shade) {
    this.puzzle = { ...this.puzzle, palette: this.puzzle.palette.with(this.colour, shade) };
    this.show();
  }

  clear() {
    this.heard({ type: "move", changes: this.cells.map((_, index) => [index, 0]) });
    this.model.set("cells", [...this.cells]);
  }

  async repair(byLines) {
    const { puzzle, cells, changes } = await this.ask("repair", { by_lines: byLines });
    const { cells: before, id } = this;
    this.take({ puzzle: { ...puzzle, title: this.puzzle.title }, cells, id });
    this.past = before ? [before] : [];
    this.rebuild();
    this.repaired = changes.map(([row, column]) => [row, column, "settled"]);
    this.overlay();
    notice(changes.length ? `${plural(changes.length, "cell")} changed.` : "Nothing had to change.");
  }

  async save(asNew = false) {
    const goal = !this.drawn && this.about?.verdict === "lines" ? this.about.picture : undefined;
    const { id } = await this.ask("save", { goal, id: asNew ? null : this.id });
    this.id = id;
    history.replaceState(null, "", `#/make/own/${id}`);
    notice("Saved among your puzzles.");
    this.panel.rebuild();
  }

  async share() {
    return `${location.origin}/#/make/${(await this.ask("share")).share}`;
  }

  async download(what, more) {
    download(this.puzzle.title, await this.ask(what, more));
  }

  solve() {
    choose({ ...(this.about?.puzzle ?? this.puzzle), title: this.puzzle.title });
    location.hash = "#/watch";
  }

  async readText(text) {
    const { puzzles } = await post("/api/make/read", { text });
    this.replace(puzzles[0]);
    if (puzzles.length > 1) notice(`The first of ${puzzles.length} puzzles.`);
  }
}
