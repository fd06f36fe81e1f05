// Clues typed number by number: a nonogram's lines (an empty clue shows 0), or the ends of those of Skyscrapers.

import { button, h, signed } from "../dom.js";
import { pad } from "../play/panel.js";
import { clueOf, EDGES } from "./state.js";

const field = (label, place, value, take) =>
  h("input.run", { type: "number", min: 0, value, label, "data-place": place,
    onchange: ({ target }) => take(Math.round(Number(target.value))) });

/** What was done stays in hand: the field of that name has the focus again when all is drawn anew. */
function retype(maker, changed) {
  const { place } = document.activeElement?.dataset ?? {};
  maker.retyped(changed);
  document.querySelector(`[data-place="${place}"]`)?.focus();
}

export function entry(maker) {
  if (maker.puzzle.kind === "skyscrapers") return towersEntry(maker);
  return h("div.entry", axis(maker, "rows", "Row"), axis(maker, "columns", "Column"));
}

function axis(maker, key, word) {
  const lines = maker.puzzle[key];
  const change = (changed) => retype(maker, { [key]: changed });

  function line(runs, index) {
    const name = `${word} ${index + 1}`;
    const place = `${key}-${index}`;
    const put = (next) => change(lines.with(index, next));
    const number = ([length, colour], at) => {
      const input = field(`${name}, number ${at + 1}`, `${place}-${at}`, length, (value) =>
        put(value >= 1 ? runs.with(at, [value, colour]) : runs.toSpliced(at, 1)));
      input.style.setProperty("--shade", maker.puzzle.palette[colour]);
      return input;
    };
    const more = { label: `Add a number to ${name.toLowerCase()}`, "data-place": `${place}-add`, class: "tiny" };
    const drop = () => change(lines.toSpliced(index, 1));
    return h("li", h("span.quiet.small", index + 1),
      h("div.runs", runs.length ? runs.map(number) : h("span.zero.quiet", "0"),
        button("+", () => put([...runs, [1, Math.max(1, maker.colour)]]), more)),
      lines.length > 1 && signed("×", `Remove ${name.toLowerCase()}`, drop, { class: "tiny" }));
  }

  return h("section", { label: `${word}s` }, h("h2.small", `${word}s`), h("ol", lines.map(line)),
    button(`Add a ${word.toLowerCase()}`, () => change([...lines, []]), { "data-place": `${key}-add` }));
}

function towersEntry(maker) {
  const { clues, size } = maker.puzzle;
  const one = (edge) => (clue, index) =>
    field(`${edge} ${index + 1}`, `${edge}-${index}`, clue || "", (value) =>
      retype(maker, { clues: { ...clues, [edge]: clues[edge].with(index, clueOf(value, size)) } }));
  const edge = (name) => h("section", { label: name }, h("h2.small", name), h("div.runs", clues[name].map(one(name))));
  return h("div.tools", h("div.entry", EDGES.map(edge)),
    h("p.small.quiet", "Digits on the board give a height; the same digit again, or Backspace, takes it away."),
    pad(maker.puzzle, (value) => maker.model.tell({ type: "enter", value })));
}
