// The editor: the board, and what is known of the puzzle on it. Drawn cells make the clues, or clues are typed.

import board from "../board.js";
import { post } from "../api.js";
import { choose } from "../choose.js";
import { notice, h } from "../dom.js";
import { Model } from "../model.js";
import { askImage, askText } from "./bring.js";
import { panel } from "./panel.js";
import { blank, download, nextShade, relined, resized, told } from "./state.js";

const UNDONE = 200;

export class Maker {
  constructor(el, { puzzle, cells, id = null }) {
    this.el = el;
    this.look = "heat";
    this.colour = 1;
    this.take({ puzzle, cells, id });
  }

  /** Begin with another puzzle; one with a solution is drawn, the others are typed. */
  take({ puzzle, cells, id = null }) {
    const drawn = puzzle.kind === "nonogram" && Boolean(cells);
    Object.assign(this, { puzzle, cells: cells ?? null, drawn, id, about: null, past: [], future: [] });
    this.colour = Math.min(this.colour, (puzzle.palette?.length ?? 2) - 1);
  }

  open() {
    this.place = h("div.game-board");
    this.panel = panel(this);
    this.root = h("div.game.make", {}, this.place, this.panel.root);
    this.root.maker = this; // for who looks into the page
    this.el.append(this.root);
    this.listeners = [
      [document, "keydown", (event) => this.key(event)],
      [document, "paste", (event) => this.pasted(event)],
      [this.el, "dragover", (event) => event.preventDefault()],
      [this.el, "drop", (event) => this.dropped(event)],
    ];
    this.listeners.forEach(([on, event, listener]) => on.addEventListener(event, listener));
    this.show();
  }

  close() {
    this.closed = true;
    this.listeners.forEach(([on, event, listener]) => on.removeEventListener(event, listener));
    this.unmount?.();
  }

  /** Another puzzle takes the place of this one. */
  replace(found) {
    this.take(found);
    history.replaceState(null, "", found.id ? `#/make/own/${found.id}` : "#/make");
    this.panel.rebuild();
    this.show();
  }

  /** The board anew, for a puzzle of another size, or another way to edit it. */
  show() {
    this.unmount?.();
    const { puzzle } = this;
    const mode = this.drawn ? "edit" : "show";
    const cells = this.drawn ? this.cells : new Array(puzzle.height * puzzle.width).fill(-1);
    this.model = new Model({ puzzle, cells: [...cells], mode, tool: this.colour, overlay: {} }, (said) =>
      this.heard(said),
    );
    this.place.replaceChildren();
    this.unmount = board.render({ model: this.model, el: this.place });
    this.panel.update();
    this.analyse();
  }

  heard({ type, changes, colour }) {
    if (type === "move") {
      this.past = [...this.past.slice(-UNDONE), this.cells];
      this.future = [];
      this.cells = [...this.cells];
      changes.forEach(([cell, value]) => (this.cells[cell] = value));
      this.analyse();
      this.panel.update();
    } else if (type === "undo" || type === "redo") {
      this.step(type);
    } else if (type === "colour") {
      this.choose(colour);
    }
  }

  step(type) {
    const [from, to] = type === "undo" ? [this.past, this.future] : [this.future, this.past];
    if (this.drawn && from.length) {
      to.push(this.cells);
      this.cells = from.pop();
      this.model.set("cells", [...this.cells]);
      this.analyse();
      this.panel.update();
    }
  }

  choose(colour) {
    this.colour = Math.min(colour, this.puzzle.palette.length - 1);
    this.model.set("tool", this.colour);
    this.panel.update();
  }

  /** Ask what the puzzle is; while an answer is on its way, only the latest state is asked for next. */
  async analyse() {
    this.stale = true;
    this.panel.light();
    if (this.asking) {
      return;
    }
    this.asking = true;
    while (this.stale && !this.closed) {
      this.stale = false;
      const begin = performance.now();
      try {
        this.about = await post("/api/make/analyse", told(this));
        this.failed = null;
      } catch (error) {
        this.failed = error.message;
      }
      this.took = performance.now() - begin;
    }
    this.asking = false;
    if (!this.closed) {
      this.overlay();
      this.panel.light();
    }
  }

  /** What is known, on the board: heat, cells that differ between solutions, and what typed clues tell. */
  overlay() {
    const { about, puzzle } = this;
    const fits = about && !this.failed && about.shared.length === puzzle.height * puzzle.width;
    const overlay = {};
    if (fits && this.look === "heat" && about.heat) {
      overlay.heat = about.heat.map((share) => (share > 0 ? share : null));
    }
    if (fits && this.look === "shared" && about.verdict === "several") {
      const cells = about.shared.map((value, index) => (value < 0 ? index : -1)).filter((index) => index >= 0);
      overlay.outline = cells.map((index) => [Math.floor(index / puzzle.width), index % puzzle.width, "wrong"]);
    }
    this.model.set("overlay", overlay);
    if (!this.drawn && fits) {
      this.model.set("cells", about.shared);
    }
  }

  lookAt(what) {
    this.look = this.look === what ? "none" : what;
    this.overlay();
    this.panel.update();
  }

  /** Draw, or type clues: clues begin with those of the drawing, a drawing with a solution of the clues. */
  way(drawn) {
    if (drawn === this.drawn) {
      return;
    }
    if (drawn) {
      const { height, width, palette, title } = this.puzzle;
      const size = height * width;
      const found = this.about?.picture?.length === size ? this.about.picture : null;
      this.cells = found ? [...found] : blank(height, width, palette, title).cells;
    } else if (this.about && !this.failed && this.about.puzzle) {
      this.puzzle = { ...this.about.puzzle, title: this.puzzle.title };
    }
    Object.assign(this, { drawn, past: [], future: [] });
    this.panel.rebuild();
    this.show();
  }

  resize(height, width) {
    const { puzzle, cells, id } = this;
    this.take({ ...resized(puzzle, cells, height, width), id });
    this.show();
  }

  /** Typed clues have changed. */
  retyped(rows, columns) {
    const size = [this.puzzle.height, this.puzzle.width];
    this.puzzle = relined(this.puzzle, rows, columns);
    this.panel.rebuild();
    if (size[0] !== rows.length || size[1] !== columns.length) {
      this.show();
    } else {
      this.model.set("cells", new Array(size[0] * size[1]).fill(-1));
      this.model.set("puzzle", this.puzzle);
      this.analyse();
    }
  }

  addColour() {
    const palette = [...this.puzzle.palette, nextShade(this.puzzle.palette)];
    this.puzzle = { ...this.puzzle, palette, values: [0, palette.length - 1] };
    this.colour = palette.length - 1;
    this.panel.rebuild();
    this.show();
  }

  recolour(shade) {
    const palette = this.puzzle.palette.map((old, index) => (index === this.colour ? shade : old));
    this.puzzle = { ...this.puzzle, palette };
    this.show();
  }

  clear() {
    this.heard({ type: "move", changes: this.cells.map((_, index) => [index, 0]) });
    this.model.set("cells", [...this.cells]);
  }

  async repair(byLines) {
    const { puzzle, cells, changes } = await post("/api/make/repair", { ...told(this), by_lines: byLines });
    const before = this.cells;
    const { id } = this;
    this.take({ puzzle: { ...puzzle, title: this.puzzle.title }, cells, id });
    this.past = before ? [before] : [];
    this.panel.rebuild();
    this.show();
    const outline = changes.map(([row, column]) => [row, column, "settled"]);
    this.model.set("overlay", { outline });
    notice(
      changes.length
        ? `${changes.length} ${changes.length === 1 ? "cell" : "cells"} changed.`
        : "Nothing had to change.",
    );
  }

  async save(asNew = false) {
    const goal = this.drawn ? undefined : this.about?.verdict === "lines" ? this.about.picture : undefined;
    const { id } = await post("/api/make/save", { ...told(this), goal, id: asNew ? null : this.id });
    this.id = id;
    history.replaceState(null, "", `#/make/own/${id}`);
    notice("Saved among your puzzles.");
    this.panel.update();
  }

  async share() {
    const { share } = await post("/api/make/share", told(this));
    return `${location.origin}/#/make/${share}`;
  }

  async print(paper) {
    download(this.puzzle.title, await post("/api/make/booklet", { ...told(this), paper }));
  }

  /** Let Watch solve it. */
  solve() {
    choose({ ...(this.about?.puzzle ?? this.puzzle), title: this.puzzle.title });
    location.hash = "#/watch";
  }

  async export(format) {
    download(this.puzzle.title, await post("/api/make/export", { ...told(this), format }));
  }

  async readText(text) {
    const { puzzles } = await post("/api/make/read", { text });
    this.replace(puzzles[0]);
    if (puzzles.length > 1) {
      notice(`The first of ${puzzles.length} puzzles.`);
    }
  }

  bringText() {
    askText((text) => this.readText(text));
  }

  bringImage(file = null) {
    askImage(file, (found) => this.replace(found));
  }

  key(event) {
    const key = event.key.toLowerCase();
    if ((event.ctrlKey || event.metaKey) && (key === "z" || key === "y") && !event.target.matches("input, textarea")) {
      event.preventDefault();
      this.step(key === "y" || event.shiftKey ? "redo" : "undo");
    }
  }

  async pasted(event) {
    const text = event.clipboardData?.getData("text");
    if (text && !event.target.matches?.("input, textarea")) {
      event.preventDefault();
      await this.readText(text);
    }
  }

  async dropped(event) {
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (file?.type.startsWith("image/")) {
      this.bringImage(file);
    } else if (file) {
      await this.readText(await file.text());
    }
  }
}
