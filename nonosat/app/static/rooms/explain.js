// Explain: from any position to the solution, a step at a time.

import { stream } from "../api.js";
import { asked } from "../board/keys.js";
import { mountChosen } from "../choose.js";
import { button, fill, h, plural, primary, signed, stepWords, techniqueName, toggle, turns } from "../dom.js";
import { looked, openCells } from "../model.js";
import { tools } from "../play/tools.js";

export const mount = (el, about) => mountChosen(el, "Explain", about, walk);

const SIGNS = "-0123456789abcdefghijklmnopqrstuvwxyz";

/** A position as an address has it: a sign a cell, `-` for open, repeated ones with their number before them. */
const written = (cells) =>
  cells.map((value) => SIGNS[value + 1]).join("").replace(/(.)\1{2,}/g, (same) => `(${same.length})${same[0]}`);

function readCells(text, count) {
  const signs = text.replace(/\((\d{1,6})\)(.)/g, (_, many, sign) => sign.repeat(Math.min(many, count + 1)));
  return signs.length === count ? [...signs].map((sign) => SIGNS.indexOf(sign) - 1) : null;
}

function walk(el, puzzle, { signal, rest, keep }) {
  const start = openCells(puzzle);
  let [from, steps, at, complete] = [start, [], -1, false];
  let wanted = (Math.floor(Number(rest.get("step"))) || 0) - 1; // to which the address goes, as soon as it is found
  const working = turns(signal);
  const model = looked(puzzle);
  const list = h("ol.steps");
  const sentence = h("div.sentence", { "aria-live": "polite" });
  const status = h("p.quiet.small", { role: "status" });
  const next = primary("Next", () => (editing() ? edit(1) : go(at + 1)));
  const setting = toggle(false, "Set cells", () => edit());

  const hand = h("div.tools", { hidden: true });
  const editing = () => model.get("mode") === "play";

  // Cells that are set: how they were before, and after an undo. The address has them as they are, for a reload.
  let [past, future, set] = [[], [], null];
  const plain = (cells) => cells.map((value) => Math.max(-1, value)); // without notes
  const undo = button("Undo", () => stepBack("undo"));
  const redo = button("Redo", () => stepBack("redo"));

  function changed(cells) {
    set = [...cells];
    [undo.disabled, redo.disabled] = [!past.length, !future.length];
    keep({ cells: written(plain(set)), step: null });
  }

  function stepBack(type) {
    const [before, after] = type === "undo" ? [past, future] : [future, past];
    if (!editing() || !before.length) return;
    after.push(set);
    changed(before.pop());
    model.set("cells", [...set]);
  }

  model.send = ({ type, colour }) => {
    if (type === "move") {
      past.push(set);
      future = [];
      changed(model.get("cells"));
    } else if (type === "colour") {
      choose("fill", colour);
    } else if (type !== "trial") {
      stepBack(type);
    }
  };

  /** What a cell becomes that is set. */
  function choose(tool, colour = model.get("colour") ?? 1) {
    model.set("tool", tool === "mark" ? "mark" : "free");
    model.set("colour", colour);
    const shades = place.querySelector(".board")?.boardView.face.shades ?? puzzle.palette;
    const enter = (value) => model.tell({ type: "enter", value, note: tool === "mark" });
    fill(hand, tools(puzzle, { tool, colour, shades, choose, enter }), h("div.buttons", undo, redo));
  }

  function position(upto) {
    const cells = [...from];
    for (const { row, column, values } of steps.slice(0, upto).flatMap(({ settles }) => settles)) {
      if (values.length === 1) cells[row * puzzle.width + column] = values[0];
    }
    return cells;
  }

  function go(to) {
    if (to >= steps.length && !complete) fill(status, "The next step is looked for …");
    at = Math.max(-1, Math.min(to, steps.length - 1));
    const step = steps[at];
    model.set("cells", position(at + 1));
    model.set("overlay", step?.overlay ?? {});
    fill(sentence, step ? stepWords(step) : h("p.quiet", "Next plays the first step."));
    [...list.children].forEach((item, index) => item.toggleAttribute("data-on", index === at));
    const item = list.children[at]; // in sight, without the page moving
    if (item) list.scrollTop = item.offsetTop - (list.clientHeight - item.offsetHeight) / 2;
    next.disabled = complete && at >= steps.length - 1;
    if (wanted < 0) keep({ step: at >= 0 ? String(at + 1) : null });
  }

  function loading() {
    [steps, complete] = [[], false];
    fill(status, "Looking for steps …");
    fill(list);
    go(-1);
  }

  function step(result) {
    const index = steps.push(result) - 1;
    list.append(h("li", button([h("span.technique", techniqueName(result)), result.sentence], () => go(index), { class: "plain" })));
    fill(status, `${plural(steps.length, "step")} so far`);
    next.disabled = false;
    if (index !== wanted) return;
    wanted = -1;
    go(index);
  }

  function ended({ summary, error }) {
    const beyond = wanted >= 0; // the address wants a step that there is none of
    complete = true;
    wanted = -1;
    if (beyond) go(steps.length - 1);
    fill(status, summary ?? error);
    next.disabled = at >= steps.length - 1;
  }

  function begin(cells) {
    from = cells;
    if (editing()) shown(false);
    loading();
    stream("/api/explain/steps", { puzzle, cells: from }, { loading, step, ended, failed: ended }, working());
  }

  function shown(set) {
    setting.ariaPressed = String(set);
    fill(setting, set ? "Explain from here" : "Set cells");
    model.set("overlay", {});
    model.set("mode", set ? "play" : "show");
    [hand.hidden, list.hidden] = [!set, set];
    back.forEach((one) => (one.disabled = set)); // they would leave the cells that are set
    next.disabled = false;
  }

  /** Set cells, or begin with those that are set, and go to so many steps from there. */
  function edit(steps = 0) {
    if (editing()) {
      begin(plain(model.get("cells")));
      wanted = steps - 1;
      keep({ cells: written(from) });
    } else {
      working();
      shown(true);
      [past, future, set] = [[], [], [...model.get("cells")]];
      undo.disabled = redo.disabled = true;
      choose("fill");
      fill(status);
      fill(sentence, h("p.quiet", "Set cells as in Play; then the explanation begins there."));
    }
  }

  function keydown(event) {
    const type = editing() && asked(event, true);
    if (type) {
      event.preventDefault();
      stepBack(type);
    }
    const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (way && !editing() && !event.target.closest("canvas, select, textarea, input")) {
      event.preventDefault();
      go(at + way);
    }
  }

  const first = signed("«", "To the beginning", () => go(-1));
  const before = signed("‹", "A step back", () => go(at - 1));
  const last = signed("»", "To the end", () => go(steps.length - 1));
  const back = [first, before, last];
  const place = h("div.lane-board");
  el.append(h("div.explain", place, h("aside.panel", { label: "Steps" }, h("div.now", sentence,
    h("div.buttons.ways", first, before, next, last)), hand,
    h("div.buttons", setting, button("From the beginning", () => {
      wanted = -1;
      begin(start);
      keep({ cells: null });
    })), status, list)));
  model.mount(place, signal);
  document.addEventListener("keydown", keydown, { signal });
  begin((rest.get("cells") && readCells(rest.get("cells"), start.length)) ?? start);
}
