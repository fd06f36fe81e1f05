// Clues typed number by number. Nonograms: add a number to a line, add a line, remove it; an empty clue shows 0.
// Skyscrapers: a number for each end of a line, empty for none.

import { button, h, signed } from "../dom.js";
import { pad } from "../play/panel.js";
import { clueOf, EDGES } from "./state.js";

const field = (label, place, value, onchange) =>
  h("input.run", { type: "number", min: 0, value, label, "data-place": place, onchange });

/** What was done stays in hand: the field of that name has the focus again when all is drawn anew. */
function kept(work) {
  const { place } = document.activeElement?.dataset ?? {};
  work();
  document.querySelector(`[data-place="${place}"]`)?.focus();
}

export function entry(maker) {
  if (maker.puzzle.kind === "skyscrapers") return towersEntry(maker);
  return h("div.entry", axis(maker, "rows", "Row"), axis(maker, "columns", "Column"));
}

function axis(maker, key, word) {
  const lines = maker.puzzle[key];
  const change = (changed) => kept(() => maker.retyped({ [key]: changed }));
  return h("section", { label: `${word}s` }, h("h2.small", `${word}s`),
    h("ol", lines.map((runs, index) => line(maker, key, word, lines, runs, index, change))),
    button(`Add a ${word.toLowerCase()}`, () => change([...lines, []]), { "data-place": `${key}-add` }));
}

function line(maker, key, word, lines, runs, index, change) {
  const name = `${word} ${index + 1}`;
  const put = (next) => change(lines.with(index, next));
  const number = ([length, colour], at) => {
    const input = field(`${name}, number ${at + 1}`, `${key}-${index}-${at}`, length, () => {
      const value = Math.round(Number(input.value));
      put(value >= 1 ? runs.with(at, [value, colour]) : runs.toSpliced(at, 1));
    });
    input.style.setProperty("--shade", maker.puzzle.palette[colour]);
    return input;
  };
  const called = name.toLowerCase();
  const more = { label: `Add a number to ${called}`, "data-place": `${key}-${index}-add`, class: "tiny" };
  const drop = signed("×", `Remove ${called}`, () => change(lines.toSpliced(index, 1)), { class: "tiny" });
  return h("li", h("span.quiet.small", index + 1),
    h("div.runs", runs.length ? runs.map(number) : h("span.zero.quiet", "0"),
      button("+", () => put([...runs, [1, Math.max(1, maker.colour)]]), more)),
    lines.length > 1 && drop);
}

function towersEntry(maker) {
  const { clues, size } = maker.puzzle;
  const one = (edge) => (clue, index) => {
    const input = field(`${edge} ${index + 1}`, `${edge}-${index}`, clue || "", () => {
      const value = clueOf(Math.round(Number(input.value)), size);
      kept(() => maker.retyped({ clues: { ...clues, [edge]: clues[edge].with(index, value) } }));
    });
    input.max = size;
    return input;
  };
  const edge = (name) => h("section", { label: name }, h("h2.small", name), h("div.runs", clues[name].map(one(name))));
  return h("div.tools", h("div.entry", EDGES.map(edge)),
    h("p.small.quiet", "Digits on the board give a height; the same digit again, or Backspace, takes it away."),
    pad(maker.puzzle, (value) => maker.model.tell({ type: "enter", value })));
}
