// The game: the board, or the finished picture in its place, and its panel.

import { part } from "../api.js";
import { stream } from "../api.js";
import { asked } from "../board/keys.js";
import { atEnd, calledBy, clock, fill, h, keysStay, notice, plural, sure, thumbnail, turns } from "../dom.js";
import { framed, Model } from "../model.js";
import { outbox } from "../outbox.js";
import { Lesson } from "./lesson.js";
import { panel } from "./panel.js";
import { Session } from "./session.js";

const MOST_EXPLAINED = 900; // cells: explaining more takes long
const WAVE_MS = 900;

/** The picture comes cell by cell, from one corner to the other, over the black cells. */
function reveal(canvas, { cells, palette }, { width, height }) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const context = canvas.getContext("2d");
  const paint = (cell, shade) => {
    context.fillStyle = shade;
    context.fillRect(cell % width, Math.floor(cell / width), 1, 1);
  };
  cells.forEach((value, cell) => paint(cell, value > 0 ? "#23211d" : palette[0]));
  const began = performance.now();
  const last = width + height - 2;
  let upto = -1;
  const frame = (now) => {
    const to = Math.floor(((now - began) / WAVE_MS) * (last + 1));
    cells.forEach((value, cell) => {
      const at = (cell % width) + Math.floor(cell / width);
      if (at > upto && at <= to) paint(cell, palette[Math.max(0, value)]);
    });
    upto = to;
    if (upto < last && canvas.isConnected) requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}

export class Game {
  constructor(el, pack, name) {
    const session = new Session(pack, name, (what) => this.changed(what));
    Object.assign(this, { el, session, address: pack === "new" ? "#/play" : `#/play/${part(pack)}`, tool: "fill", colour: 1 });
  }

  async open(signal) {
    this.found = await this.session.open();
    signal.throwIfAborted();
    this.lesson = this.found.lesson.length ? new Lesson(this.found) : null;
    this.model = new Model(this.values(), (message) => this.onBoard(message));
    this.place = h("div.game-board");
    Object.assign(this, { signal, wasWon: this.won, lives: this.play.lives });
    this.panel = panel(this);
    keysStay(this.panel.root, () => !this.isShown && this.view);
    this.showing = turns(signal);
    const root = h("div.game", this.place, this.panel.root);
    root.game = this; // for who looks into the page
    this.el.append(root);
    this.show();
    const ticking = setInterval(() => this.panel.tick(clock(this.session.clock)), 500);
    const seen = () => (document.hidden ? this.session.leave() : this.session.back());
    document.addEventListener("visibilitychange", seen, { signal });
    window.addEventListener("focus", () => this.session.look(), { signal }); // of two windows side by side both are seen
    document.addEventListener("keydown", (event) => this.key(event), { signal });
    atEnd(signal, () => {
      clearInterval(ticking);
      this.session.leave();
    });
  }

  get play() {
    return this.session.play;
  }

  get shades() {
    return this.place.querySelector(".board")?.boardView.face.shades ?? this.found.puzzle.palette;
  }

  get hasLives() {
    return this.play.style === "lives";
  }

  /** Its title, once it gives nothing away. */
  get name() {
    const { session: { pack, puzzle: name }, found: { puzzle: { title }, secret }, play } = this;
    return calledBy({ name, title, secret, won: this.won || play.won }, pack);
  }

  get won() {
    return this.play.state === "won";
  }

  values() {
    const { trial, wrong } = this.play;
    return {
      puzzle: { ...this.found.puzzle, title: this.name },
      cells: [...this.session.cells],
      goal: this.hasLives ? this.found.goal : null,
      mode: this.won ? "show" : "play",
      tool: this.tool === "mark" ? "mark" : this.hasLives ? "uncover" : "free",
      colour: this.colour,
      trial,
      wrong,
      overlay: this.lesson?.overlay(this.session.cells) ?? {},
    };
  }

  show() {
    const byKeys = this.place.contains(document.activeElement);
    const signal = this.showing();
    const { picture, puzzle } = this.found;
    this.isShown = this.won && picture !== null;
    if (this.isShown) {
      const drawn = thumbnail(picture, puzzle.width, `The finished picture: ${puzzle.title || "untitled"}`);
      const finished = h("figure.finished", { tabIndex: -1 }, h("div.frame", drawn), puzzle.title && h("figcaption", puzzle.title));
      fill(this.place, finished);
      if (byKeys) finished.focus({ preventScroll: true }); // else keys would go on from the top of the page
      if (this.solvedNow) reveal(drawn, picture, puzzle);
    } else {
      this.view = this.model.mount(this.place, signal);
    }
    this.panel.update();
  }

  /** Which technique the puzzle took at most, as the explanation has it; null: nobody knows. */
  async hardest() {
    const { puzzle } = this.found;
    if (puzzle.height * puzzle.width > MOST_EXPLAINED) return null;
    let result = null;
    this.demand ??= stream("/api/explain/steps", { puzzle }, { ended: (end) => (result = end), any: () => {} }, this.signal).then(() => result);
    return this.demand;
  }

  changed({ made = [], lost, elsewhere, failed, faults, stays }) {
    if (failed) {
      notice(failed);
      return;
    }
    const values = this.values();
    const { goal } = this.found;
    if (lost) faults = made.filter(([cell, value]) => value > 0 && value !== goal[cell]).map(([cell]) => cell); // the last error
    if (faults?.length) values.overlay = { outline: faults.map((cell) => framed(this.found.puzzle, cell, "wrong")) };
    for (const key of ["goal", "mode", "tool", "trial", "wrong", "overlay"]) {
      if (elsewhere || JSON.stringify(this.model.get(key)) !== JSON.stringify(values[key])) {
        this.model.set(key, values[key]); // which paints all of the board
      }
    }
    this.model.set("cells", values.cells);
    const { lives } = this.play;
    const error = this.hasLives && lives < this.lives && !elsewhere;
    if (error) this.view?.say(`A life is lost: ${lives} of ${this.found.lives} left. `);
    this.lives = lives;
    if (lost) notice("No lives left: the puzzle starts anew.");
    else if (stays) notice("An error cannot be undone. Undo again takes back the move before it.");
    else if (error) notice(`An error: the cell shows what it is. A life is lost: ${lives} of ${this.found.lives} left.`);
    else if (elsewhere) notice("This puzzle was played on in another tab; here is how it is now.");
    else if (faults) notice(faults.length ? `${plural(faults.length, "cell")} ${faults.length === 1 ? "is" : "are"} wrong.` : "No cell is wrong.");
    this.solvedNow = this.won && !this.wasWon;
    this.wasWon = this.won;
    if ((this.won && this.found.picture !== null) !== this.isShown) this.show();
    this.panel.update();
  }

  onBoard({ type, changes, colour }) {
    if (type === "move") this.session.move(changes);
    else if (type === "colour") this.choose("fill", colour);
    else if (type !== "trial" || !this.hasLives) this.ask(type);
  }

  enter(value) {
    this.model.tell({ type: "enter", value, note: this.tool === "mark" });
  }

  /** Moves wait for a server that is gone; all else needs what it knows. */
  ask(action, more) {
    if (outbox.away) notice("That needs the server. Moves can be made meanwhile.");
    else if (!this.won || action === "restart") return this.session.ask(action, more);
  }

  choose(tool, colour = this.colour) {
    Object.assign(this, { tool, colour });
    this.model.set("tool", this.values().tool);
    this.model.set("colour", colour);
    this.panel.update();
  }

  async restart(style) {
    const lost = "The cells that are filled now are lost; the puzzle's best result stays.";
    const how = style === this.play.style ? "Start anew" : style === "lives" ? "Play with lives" : "Play freely";
    if (this.play.state !== "playing" || (await sure(`${how}? ${lost}`, how))) this.ask("restart", { style });
  }

  /** Undo and redo wherever the focus is; arrows begin to play where it is on nothing, or on the room, and digits choose. */
  key(event) {
    const action = asked(event, true);
    if (action) {
      event.preventDefault();
      this.ask(action);
    } else if (document.activeElement?.contains(this.el) && !this.isShown) {
      this.view.outside(event);
    }
  }
}
