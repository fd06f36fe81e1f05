// A lesson: a first puzzle that is solved step by step, each with a sentence and the line that it is about.

import { button, fill, h } from "../dom.js";
import { framed } from "../model.js";

export class Lesson {
  constructor({ lesson, goal, puzzle }) {
    Object.assign(this, { steps: lesson, goal, puzzle, shown: -1, helped: false, erased: false });
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

  /** Show where it stands; `again()` when the board has to show more. There is room for the longest sentence at all times:
   * in narrow windows the board is below, and must not move from under the finger. */
  update(cells, again) {
    const { at, wrong } = this.look(cells);
    if (at !== this.shown) {
      this.helped = false;
      this.erased = at >= 0 && at < this.shown;
    }
    this.shown = at;
    const { width, kind } = this.puzzle;
    const place = (cell) => `row ${Math.floor(cell / width) + 1}, column ${(cell % width) + 1}`;
    const filled = cells[wrong[0]] > 0;
    const nonogram = filled ? "stays blank. Choose Fill and press on it again" : "is to be filled. Press on it again";
    const other = kind === "nonogram" ? nonogram : "has another height. Press on it and choose that";
    const sentence = wrong.length ? `Not quite: ${place(wrong[0])} ${other}, or undo.` : this.steps[at]?.text;
    const help = () => {
      this.helped = true;
      again();
      this.update(cells, again); // it cannot be shown again
    };
    const back = this.erased ? ": cells were erased; undo brings them back" : "";
    const stands = h("p.quiet.small.numbers", `Step ${Math.max(0, at) + 1} of ${this.steps.length}${back}`);
    const all = this.steps.map(({ text }) => h("p.unsaid", { "aria-hidden": "true" }, text));
    fill(this.root, h("div.standing", stands, !wrong.length && !this.helped && button("Show me", help)),
      h("div.stacked", all, h("p", { role: "status" }, sentence ?? "")));
    this.root.hidden = at < 0 && !wrong.length;
  }
}
