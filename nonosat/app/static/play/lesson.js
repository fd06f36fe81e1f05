// A lesson: a first puzzle that is solved step by step, each with a sentence and the line that it is about.

import { button, fill, h } from "../dom.js";
import { framed } from "../model.js";

export class Lesson {
  constructor({ lesson, goal, puzzle }) {
    Object.assign(this, { steps: lesson, goal, puzzle, shown: -1, helped: false });
    this.root = h("section.lesson", { label: "The lesson" });
  }

  /** The first step that is not done, and the cells that are other than they should be. */
  look(cells) {
    const done = ({ cells: wanted }) => wanted.every((cell) => cells[cell] === this.goal[cell]);
    const at = this.steps.findIndex((step) => !done(step));
    return { at, wrong: cells.flatMap((value, cell) => (value >= 0 && value !== this.goal[cell] ? [cell] : [])) };
  }

  /** What the board is to show beside the cells. */
  overlay(cells) {
    const { at, wrong } = this.look(cells);
    const step = this.steps[at];
    if (wrong.length || !step) return { outline: wrong.map((cell) => framed(this.puzzle, cell, "wrong")) };
    const missing = step.cells.filter((cell) => cells[cell] !== this.goal[cell]);
    const outline = this.helped ? missing.map((cell) => framed(this.puzzle, cell, "settled")) : [];
    return { lines: step.lines, outline };
  }

  /** Show where it stands; `again()` when the board has to show more. */
  update(cells, again) {
    const { at, wrong } = this.look(cells);
    if (at !== this.shown) this.helped = false;
    this.shown = at;
    const { width, kind } = this.puzzle;
    const place = (cell) => `row ${Math.floor(cell / width) + 1}, column ${(cell % width) + 1}`;
    const back = kind === "nonogram" ? "press on it again, or undo" : "set another height, or undo";
    const sentence = wrong.length ? `Not quite: ${place(wrong[0])} is something else. To take it back, ${back}.` : this.steps[at]?.text;
    const help = () => {
      this.helped = true;
      again();
    };
    fill(this.root, h("p.quiet.small.numbers", `Step ${Math.max(0, at) + 1} of ${this.steps.length}`),
      h("p", { role: "status" }, sentence ?? ""), !wrong.length && !this.helped && button("Show me", help));
    this.root.hidden = at < 0 && !wrong.length;
  }
}
