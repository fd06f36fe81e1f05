// The game: the board, and beside it what is at stake and what can be asked for.

import board from "../board.js";
import { h, notice, sure, thumbnail } from "../dom.js";
import { Model } from "../model.js";
import { clock } from "./cards.js";
import { panel } from "./panel.js";
import { Session } from "./session.js";

export async function mountGame(el, pack, name) {
  const game = new Game(el, pack, name);
  await game.open();
  return () => game.close();
}

class Game {
  constructor(el, pack, name) {
    this.el = el;
    this.session = new Session(pack, name, (what) => this.changed(what));
    this.address = `#/play/${encodeURIComponent(pack)}`;
    this.tool = "fill";
    this.colour = 1;
  }

  async open() {
    this.found = await this.session.open();
    document.title = `${this.found.puzzle.title || "Puzzle"} · nonosat`;
    this.model = new Model(this.values(), (message) => this.heard(message));
    this.place = h("div.game-board");
    this.panel = panel(this);
    const root = h("div.game", {}, this.place, this.panel.root);
    root.game = this; // for who looks into the page
    this.el.append(root);
    this.show();
    this.ticking = setInterval(() => this.panel.tick(clock(this.session.clock)), 500);
    this.onHide = () => (document.hidden ? this.session.leave() : this.session.back());
    this.onKey = (event) => this.key(event);
    document.addEventListener("visibilitychange", this.onHide);
    document.addEventListener("keydown", this.onKey);
  }

  get play() {
    return this.session.play;
  }

  /** The palette as the board draws it. */
  get shades() {
    return this.place.querySelector(".board")?.boardView.face.shades ?? this.found.puzzle.palette;
  }

  get hasLives() {
    return this.play.style === "lives";
  }

  /** The board's keys as they are now. */
  values() {
    return {
      puzzle: this.found.puzzle,
      cells: [...this.session.cells],
      goal: this.hasLives ? this.found.goal : null,
      mode: this.play.state === "won" ? "show" : "play",
      tool: this.tool === "mark" ? "mark" : this.hasLives ? "uncover" : "free",
      colour: this.colour,
      trial: this.play.trial,
      wrong: this.play.wrong,
      overlay: {},
    };
  }

  /** The board, or the finished picture in its place. */
  show() {
    this.unmount?.();
    this.unmount = null;
    this.place.replaceChildren();
    const { picture, puzzle } = this.found;
    this.isShown = this.play.state === "won" && picture !== null;
    if (this.isShown) {
      const drawn = thumbnail(picture, puzzle.width, `The finished picture: ${puzzle.title || "untitled"}`);
      this.place.append(h("div.finished", {}, h("div.frame", {}, drawn)));
    } else {
      this.unmount = board.render({ model: this.model, el: this.place });
    }
    this.panel.update();
  }

  changed({ lost, elsewhere, failed, faults }) {
    if (failed) {
      notice(failed);
      return;
    }
    const { width } = this.found.puzzle;
    const outline = (faults ?? []).map((cell) => [Math.floor(cell / width), cell % width, "wrong"]);
    const values = { ...this.values(), overlay: outline.length ? { outline } : {} };
    for (const key of ["goal", "mode", "tool", "trial", "wrong", "overlay"]) {
      const known = this.model.get(key);
      if (elsewhere || (known !== values[key] && JSON.stringify(known) !== JSON.stringify(values[key]))) {
        this.model.set(key, values[key]); // which paints all of the board
      }
    }
    this.model.set("cells", values.cells);
    if (lost) {
      notice("No lives left: the puzzle starts anew.");
    } else if (elsewhere) {
      notice("This puzzle was played on in another tab; here is how it is now.");
    } else if (faults) {
      notice(
        faults.length
          ? `${faults.length} ${faults.length === 1 ? "cell is" : "cells are"} wrong.`
          : "No cell is wrong.",
      );
    }
    if ((this.play.state === "won" && this.found.picture !== null) !== this.isShown) {
      this.show();
    }
    this.panel.update();
  }

  /** What the board says. */
  heard(message) {
    if (message.type === "move") {
      this.session.move(message.changes);
    } else if (message.type === "undo" || message.type === "redo") {
      this.ask(message.type);
    } else if (message.type === "trial" && !this.hasLives) {
      this.ask("trial");
    } else if (message.type === "colour") {
      this.choose("fill", message.colour);
    }
  }

  /** A number from the pad. */
  enter(value) {
    this.model.tell({ type: "enter", value, note: this.tool === "mark" });
  }

  ask(action, more) {
    if (this.play.state !== "won" || action === "restart") {
      this.session.ask(action, more);
    }
  }

  choose(tool, colour = this.colour) {
    Object.assign(this, { tool, colour });
    const values = this.values();
    this.model.set("tool", values.tool);
    this.model.set("colour", values.colour);
    this.panel.update();
  }

  /** Begin again, with lives or without; what is begun is lost only after a question. */
  async restart(style) {
    const question = "Start anew? The cells of this attempt are lost; its best result stays.";
    if (this.play.state !== "playing" || (await sure(question, "Start anew"))) {
      this.ask("restart", { style });
    }
  }

  /** Undo and redo wherever the focus is; arrows begin to play where it is nowhere. */
  key(event) {
    if (event.key.startsWith("Arrow") && [document.body, this.el].includes(document.activeElement)) {
      this.place.querySelector("canvas.board-canvas")?.focus();
      event.preventDefault();
    }
    const held = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    if (held && (key === "z" || key === "y")) {
      event.preventDefault();
      this.ask(key === "y" || event.shiftKey ? "redo" : "undo");
    }
  }

  close() {
    clearInterval(this.ticking);
    document.removeEventListener("visibilitychange", this.onHide);
    document.removeEventListener("keydown", this.onKey);
    this.session.leave();
    this.unmount?.();
  }
}
