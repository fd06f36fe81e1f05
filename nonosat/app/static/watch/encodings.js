// The encodings of a puzzle: how large each formula is, which part made its clauses, and what unit propagation settles.

import board from "../board.js";
import { stream } from "../api.js";
import { h, notice } from "../dom.js";
import { Model } from "../model.js";

const number = (value) => value.toLocaleString("en");

export function encodingsPart(el, puzzle) {
  const count = puzzle.height * puzzle.width;
  const model = new Model({ puzzle, cells: new Array(count).fill(-1), mode: "show", overlay: {} });
  const place = h("div.lane-board");
  const told = h("p", { role: "status" }, "Making the formulas …");
  const body = h("tbody");
  const heads = ["Encoding", "Settled", "Variables", "Clauses", "of which", "Literals", "Made in"];
  const table = h(
    "table",
    {},
    h("caption.quiet.small", {}, "Settled: cells that unit propagation knows without a decision; choose a row to see them."),
    h("thead", {}, h("tr", {}, heads.map((head, at) => h(at && at !== 4 ? "th.right" : "th", { scope: "col" }, head)))),
    body,
  );
  const scroll = h("div.scroll", { tabindex: 0, role: "region", "aria-label": "Encodings" }, table);
  el.append(h("div.compare", {}, h("div", {}, place, told), scroll));
  const unmount = board.render({ model, el: place });
  let rows = [];

  function show(said, row) {
    rows.forEach((other) => other.setAttribute("aria-selected", String(other === row)));
    model.set("cells", said.cells ?? new Array(count).fill(-1));
    told.textContent = said.contradiction
      ? `${said.name}: unit propagation finds a contradiction`
      : `${said.name}: unit propagation settles ${settled(said)} of ${number(count)} cells`;
  }

  const settled = (said) => (said.cells ?? []).filter((value) => value >= 0).length;

  function line(said) {
    const families = Object.entries(said.families).filter(([, many]) => many);
    const share = said.contradiction ? "contradiction" : `${Math.round((100 * settled(said)) / count)} %`;
    const right = (text) => h("td.right.numbers", {}, text);
    const row = h(
      "tr",
      { "aria-selected": "false", onclick: () => show(said, row) },
      h("th", { scope: "row" }, h("button.plain", {}, said.name)),
      right(share),
      right(number(said.variables)),
      right(number(said.clauses)),
      h("td.quiet.numbers", {}, families.map(([part, many]) => `${part} ${number(many)}`).join(" · ")),
      right(number(said.literals)),
      right(`${(1000 * said.seconds).toFixed(1)} ms`),
    );
    return row;
  }

  const job = stream("/api/watch/compare", { puzzle, seconds: 120 }, (said) => {
    if (said.type === "loading") {
      rows = [];
      body.replaceChildren();
    } else if (said.type === "encoding") {
      rows.push(line(said));
      body.append(rows.at(-1));
      rows.length === 1 && show(said, rows[0]);
    } else if (said.error) {
      told.textContent = said.error;
    }
  });
  job.done.catch((error) => notice(error.message));
  return () => {
    job.stop();
    unmount();
  };
}
