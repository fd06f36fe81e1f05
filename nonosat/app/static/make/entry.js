// Clues typed number by number: add a number to a line, add a line, remove it. An empty clue shows 0.

import { h } from "../dom.js";

export function entry(maker) {
  return h("div.entry", {}, axis(maker, "rows", "Row"), axis(maker, "columns", "Column"));
}

function axis(maker, key, word) {
  const { puzzle } = maker;
  const change = (lines) => {
    const { rows, columns } = { rows: puzzle.rows, columns: puzzle.columns, [key]: lines };
    focused = document.activeElement?.dataset?.place;
    maker.retyped(rows, columns);
    document.querySelector(`[data-place="${focused}"]`)?.focus();
  };
  let focused = null;
  const lines = puzzle[key];
  return h(
    "section",
    { "aria-label": `${word}s` },
    h("h2.small", {}, `${word}s`),
    h(
      "ol",
      {},
      lines.map((runs, index) => line(maker, { key, word, lines, runs, index, change })),
    ),
    h("button", { onclick: () => change([...lines, []]), "data-place": `${key}-add` }, `Add a ${word.toLowerCase()}`),
  );
}

function line(maker, { key, word, lines, runs, index, change }) {
  const name = `${word} ${index + 1}`;
  const put = (next) => change(lines.map((old, at) => (at === index ? next : old)));
  const number = ([length, colour], at) => {
    const input = h("input.run", {
      type: "number",
      min: 0,
      value: length,
      "aria-label": `${name}, number ${at + 1}`,
      "data-place": `${key}-${index}-${at}`,
    });
    input.style.setProperty("--shade", maker.puzzle.palette[colour]);
    input.addEventListener("change", () => {
      const value = Math.round(Number(input.value));
      put(
        value >= 1
          ? runs.map((run, other) => (other === at ? [value, colour] : run))
          : runs.filter((_, other) => other !== at),
      );
    });
    return input;
  };
  return h(
    "li",
    {},
    h("span.quiet.small", {}, `${index + 1}`),
    h(
      "div.runs",
      {},
      runs.length ? runs.map(number) : h("span.zero.quiet", {}, "0"),
      h(
        "button.tiny",
        {
          "aria-label": `Add a number to ${name.toLowerCase()}`,
          "data-place": `${key}-${index}-add`,
          onclick: () => put([...runs, [1, Math.max(1, maker.colour)]]),
        },
        "+",
      ),
    ),
    lines.length > 1 &&
      h(
        "button.tiny",
        { "aria-label": `Remove ${name.toLowerCase()}`, onclick: () => change(lines.filter((_, at) => at !== index)) },
        "×",
      ),
  );
}
