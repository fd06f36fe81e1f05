// The encodings of a puzzle: their formulas' sizes, and what unit propagation settles.

import { stream } from "../api.js";
import { button, fill, h, number, table } from "../dom.js";
import { looked, openCells } from "../model.js";

const settled = ({ cells }) => (cells ?? []).filter((value) => value >= 0).length;

export function showEncodings(el, puzzle, choices, { signal }) {
  const count = puzzle.height * puzzle.width;
  const model = looked(puzzle);
  const place = h("div.lane-board");
  const told = h("p", { role: "status" }, "Making the formulas …");
  const body = h("tbody");
  const caption = "Settled: cells that unit propagation knows without a decision; choose a row to see them.";
  el.append(h("div.compare", h("div", place, told),
    table("Encodings", ["Encoding", "Settled", "Variables", "Clauses", "of which", "Literals", "Made in"],
      ["Encoding", "of which"], h("caption.quiet.small", caption), body)));
  model.mount(place, signal);

  function show(said, row) {
    [...body.children].forEach((other) => (other.ariaSelected = String(other === row)));
    model.set("cells", said.cells ?? openCells(puzzle));
    const found = said.contradiction ? "finds a contradiction" : `settles ${settled(said)} of ${number(count)} cells`;
    fill(told, `${said.name}: unit propagation ${found}`);
  }

  function encoding(said) {
    const share = said.contradiction ? "contradiction" : `${Math.round((100 * settled(said)) / count)} %`;
    const right = (text) => h("td.right.numbers", text);
    const row = h("tr", { onclick: () => show(said, row), "aria-selected": "false" },
      h("th", { scope: "row" }, button(said.name, () => {}, { class: "plain" })),
      right(share), right(number(said.variables)), right(number(said.clauses)),
      h("td.quiet.numbers", said.of_which), right(number(said.literals)),
      right(`${(1000 * said.seconds).toFixed(1)} ms`));
    body.append(row);
    if (row === body.firstChild) show(said, row);
  }

  const failed = ({ error }) => fill(told, error);
  stream("/api/watch/compare", { puzzle, seconds: 120 }, { loading: () => fill(body), encoding, failed }, signal);
}
