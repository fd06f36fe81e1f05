// Explain: from any position to the solution, a step at a time, with the lines that each rests on.

import { stream } from "../api.js";
import board from "../board.js";
import { chooser } from "../choose.js";
import { h, notice } from "../dom.js";
import { overlay, words } from "../explain/overlay.js";
import { Model } from "../model.js";

export default {
  title: "Explain",
  async mount(el, { query }) {
    let leave = () => {};
    const place = h("div");
    const bar = h("div.watch-bar");
    el.append(h("h1", {}, "Explain"), bar, place);
    const choosing = await chooser(query, (puzzle) => {
      leave();
      place.replaceChildren();
      leave = walk(place, puzzle);
    });
    bar.append(choosing);
    return () => leave();
  },
};

/** The walk through one explanation. */
function walk(el, puzzle) {
  const { width, height } = puzzle;
  const start = new Array(width * height).fill(-1);
  puzzle.given.forEach(([row, column, value]) => (start[row * width + column] = value));
  let from = start;
  let steps = [];
  let at = -1;
  let job = null;
  let complete = false;
  const model = new Model({ puzzle, cells: start, mode: "show", overlay: {} });
  const list = h("ol.steps");
  const sentence = h("div.sentence", { "aria-live": "polite" });
  const status = h("p.quiet.small", { role: "status" });
  const button = (text, title, go) => h("button", { title, "aria-label": title, onclick: go }, text);
  const next = h("button.primary", { onclick: () => go(at + 1) }, "Next");
  const mine = h("button", { "aria-pressed": "false", onclick: edit }, "Set cells");

  function position(upto) {
    const cells = [...from];
    steps.slice(0, upto).forEach((step) => settle(cells, step));
    return cells;
  }

  const settle = (cells, step) =>
    step.settles.forEach(({ row, column, values }) => values.length === 1 && (cells[row * width + column] = values[0]));

  function go(to) {
    if (to >= steps.length && !complete) {
      status.textContent = "The next step is looked for …";
    }
    at = Math.max(-1, Math.min(to, steps.length - 1));
    const step = steps[at];
    model.set("cells", position(at + 1));
    model.set("overlay", step ? overlay(step) : {});
    sentence.replaceChildren(...(step ? words(step) : [h("p.quiet", {}, "Next plays the first step.")]));
    [...list.children].forEach((item, index) => item.toggleAttribute("data-on", index === at));
    list.children[at]?.scrollIntoView({ block: "nearest" });
    next.disabled = complete && at >= steps.length - 1;
  }

  function begin(cells) {
    job?.stop();
    from = cells;
    steps = [];
    complete = false;
    list.replaceChildren();
    status.textContent = "Looking for steps …";
    go(-1);
    job = stream("/api/explain/steps", { puzzle, cells: from }, (said) => {
      if (said.type === "loading") {
        steps = [];
        list.replaceChildren();
      } else if (said.type === "step") {
        const index = steps.push(said) - 1;
        const name = h("span.technique", {}, said.technique);
        const item = h("button.plain", { onclick: () => go(index) }, name, said.sentence);
        list.append(h("li", {}, item));
        status.textContent = `${steps.length} steps so far`;
        next.disabled = false;
      } else if (said.type === "failed") {
        status.textContent = said.error;
      } else if (said.type === "done") {
        complete = true;
        status.textContent = told();
        next.disabled = at >= steps.length - 1;
      }
    });
    job.done.catch((error) => notice(error.message));
  }

  function told() {
    const last = steps.at(-1);
    const open = position(steps.length).filter((value) => value < 0).length;
    const guesses = steps.filter(({ technique }) => technique === "guess").length;
    const end = last?.technique === "error" ? "the position is wrong" : open ? `${open} cells left open` : "solved";
    return `${steps.length} steps${guesses ? `, ${guesses} of them guessed` : ""}: ${end}.`;
  }

  /** Let the position be set by hand, and explain from there. */
  function edit() {
    const editing = model.get("mode") !== "play";
    mine.setAttribute("aria-pressed", String(editing));
    mine.textContent = editing ? "Explain from here" : "Set cells";
    const cells = model.get("cells");
    model.set("overlay", {});
    model.set("mode", editing ? "play" : "show");
    model.set("tool", "free");
    if (editing) {
      job?.stop();
      sentence.replaceChildren(h("p.quiet", {}, "Set cells as in Play; then the explanation begins there."));
    } else {
      begin(cells.map((value) => Math.max(-1, value)));
    }
  }

  function key(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step && !event.target.closest("canvas, select, textarea, input")) {
      event.preventDefault();
      go(at + step);
    }
  }

  const place = h("div.lane-board");
  el.append(
    h(
      "div.explain",
      {},
      place,
      h(
        "aside.panel",
        { "aria-label": "Steps" },
        sentence,
        h(
          "div.buttons",
          {},
          button("«", "To the beginning", () => go(-1)),
          button("‹", "A step back", () => go(at - 1)),
          next,
          button("»", "To the end", () => go(steps.length - 1)),
        ),
        h("div.buttons", {}, mine, h("button", { onclick: () => begin(start) }, "From the beginning")),
        status,
        list,
      ),
    ),
  );
  const unmount = board.render({ model, el: place });
  document.addEventListener("keydown", key);
  begin(start);
  return () => {
    job?.stop();
    document.removeEventListener("keydown", key);
    unmount();
  };
}
