// The encodings of a puzzle: their formulas' sizes, and what unit propagation settles.

import { stream } from "../api.js";
import { button, fill, h, number, table } from "../dom.js";
import { looked, openCells } from "../model.js";

/** Lines break between parts only. */
const whole = (parts) => parts.replaceAll(" ", "\u00a0").replaceAll("·\u00a0", "· ");

const settled = ({ cells }) => (cells ?? []).filter((value) => value >= 0).length;

export function showEncodings(el, puzzle, choices, { signal }) {
  const count = puzzle.height * puzzle.width;
  const model = looked(puzzle);
  const place = h("div.lane-board");
  const status = h("p", { role: "status" }, "Making the formulas …");
  const body = h("tbody");
  const what = "Settled: cells that unit propagation knows without a decision; choose a row to see them.";
  el.append(h("div.compare", h("div", place, status, h("p.quiet.small", what)),
    table("Encodings", ["Encoding", "Settled", "Variables", "Clauses", "of which", "Literals", "Made in"],
      ["Encoding", "of which"], body)));
  model.mount(place, signal);

  function show(result, row) {
    [...body.children].forEach((other) => (other.ariaSelected = String(other === row)));
    model.set("cells", result.cells ?? openCells(puzzle));
    const found = result.contradiction ? "finds a contradiction" : `settles ${settled(result)} of ${number(count)} cells`;
    fill(status, `${result.name}: unit propagation ${found}`);
  }

  function encoding(result) {
    const share = result.contradiction ? "contradiction" : `${Math.round((100 * settled(result)) / count)} %`;
    const right = (text) => h("td.right.numbers", text);
    const row = h("tr", { onclick: () => show(result, row), "aria-selected": "false" },
      h("th", { scope: "row" }, button(result.name, () => {}, { class: "plain" })),
      right(share), right(number(result.variables)), right(number(result.clauses)),
      h("td.quiet.numbers.wraps", whole(result.of_which)), right(number(result.literals)),
      right(`${(1000 * result.seconds).toFixed(1)} ms`));
    body.append(row);
    if (row === body.firstChild) show(result, row);
  }

  const failed = ({ error }) => fill(status, error);
  stream("/api/watch/compare", { puzzle, seconds: 120 }, { loading: () => fill(body), encoding, failed }, signal);
}
