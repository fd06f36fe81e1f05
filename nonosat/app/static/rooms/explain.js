// Explain: from any position to the solution, a step at a time, with the lines that each rests on.

import { stream } from "../api.js";
import { chooser } from "../choose.js";
import { button, h, notice, plural, signed, toggle } from "../dom.js";
import { overlay, words } from "../explain/overlay.js";
import { looked, openCells } from "../model.js";

export default {
  title: "Explain",
  async mount(el, { query }) {
    let leave = () => {};
    const place = h("div");
    const bar = h("div.bar");
    el.append(h("h1", "Explain"), bar, place);
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
  const start = openCells(puzzle);
  let [from, steps, at, job, complete] = [start, [], -1, null, false];
  const model = looked(puzzle);
  const list = h("ol.steps");
  const sentence = h("div.sentence", { "aria-live": "polite" });
  const status = h("p.quiet.small", { role: "status" });
  const next = h("button.primary", { onclick: () => go(at + 1) }, "Next");
  const setting = toggle(false, "Set cells", edit);

  function position(upto) {
    const cells = [...from];
    for (const { row, column, values } of steps.slice(0, upto).flatMap(({ settles }) => settles)) {
      if (values.length === 1) cells[row * puzzle.width + column] = values[0];
    }
    return cells;
  }

  const isLast = () => complete && at >= steps.length - 1;

  function go(to) {
    if (to >= steps.length && !complete) status.textContent = "The next step is looked for …";
    at = Math.max(-1, Math.min(to, steps.length - 1));
    const step = steps[at];
    model.set("cells", position(at + 1));
    model.set("overlay", step ? overlay(step) : {});
    sentence.replaceChildren(...(step ? words(step) : [h("p.quiet", "Next plays the first step.")]));
    [...list.children].forEach((item, index) => item.toggleAttribute("data-on", index === at));
    list.children[at]?.scrollIntoView({ block: "nearest" });
    next.disabled = isLast();
  }

  function forget() {
    steps = [];
    complete = false;
    status.textContent = "Looking for steps …";
    list.replaceChildren();
  }

  function begin(cells) {
    job?.stop();
    from = cells;
    forget();
    if (setting.ariaPressed === "true") shown(false);
    go(-1);
    job = stream("/api/explain/steps", { puzzle, cells: from }, (said) => {
      if (said.type === "loading") {
        forget();
        go(-1);
      } else if (said.type === "step") {
        const index = steps.push(said) - 1;
        const attributes = { onclick: () => go(index) };
        list.append(h("li", h("button.plain", attributes, h("span.technique", said.technique), said.sentence)));
        status.textContent = `${plural(steps.length, "step")} so far`;
        next.disabled = false;
      } else if (said.type === "failed") {
        status.textContent = said.error;
      } else if (said.type === "done") {
        complete = true;
        status.textContent = told();
        next.disabled = isLast();
      }
    });
    job.done.catch((error) => notice(error.message));
  }

  function told() {
    const open = position(steps.length).filter((value) => value < 0).length;
    const guesses = steps.filter(({ technique }) => technique === "guess").length;
    const wrong = steps.at(-1)?.technique === "error";
    const end = wrong ? "the position is wrong" : open ? `${plural(open, "cell")} left open` : "solved";
    return `${plural(steps.length, "step")}${guesses ? `, ${guesses} of them guessed` : ""}: ${end}.`;
  }

  /** Show that cells are set by hand, or steps looked at. */
  function shown(editing) {
    setting.ariaPressed = String(editing);
    setting.textContent = editing ? "Explain from here" : "Set cells";
    model.set("overlay", {});
    model.set("mode", editing ? "play" : "show");
  }

  /** Let the position be set by hand, and explain from there. */
  function edit() {
    if (model.get("mode") === "play") {
      begin(model.get("cells").map((value) => Math.max(-1, value)));
      return;
    }
    job?.stop();
    shown(true);
    sentence.replaceChildren(h("p.quiet", "Set cells as in Play; then the explanation begins there."));
  }

  function key(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step && !event.target.closest("canvas, select, textarea, input")) {
      event.preventDefault();
      go(at + step);
    }
  }

  const place = h("div.lane-board");
  el.append(h("div.explain", place, h("aside.panel", { "aria-label": "Steps" }, sentence,
    h("div.buttons", signed("«", "To the beginning", () => go(-1)), signed("‹", "A step back", () => go(at - 1)), next,
      signed("»", "To the end", () => go(steps.length - 1))),
    h("div.buttons", setting, button("From the beginning", () => begin(start))), status, list)));
  const unmount = model.mount(place);
  document.addEventListener("keydown", key);
  begin(start);
  return () => {
    job?.stop();
    document.removeEventListener("keydown", key);
    unmount();
  };
}
