// The encodings of a puzzle: how large each formula is, which part made its clauses, and what unit propagation settles.

import { stream } from "../api.js";
import { button, h, notice } from "../dom.js";
import { looked, openCells } from "../model.js";

const HEADS = ["Encoding", "Settled", "Variables", "Clauses", "of which", "Literals", "Made in"];
const number = (value) => value.toLocaleString("en");
const settled = ({ cells }) => (cells ?? []).filter((value) => value >= 0).length;

export function encodingsPart(el, puzzle) {
  const count = puzzle.height * puzzle.width;
  const model = looked(puzzle);
  const place = h("div.lane-board");
  const told = h("p", { role: "status" }, "Making the formulas …");
  const body = h("tbody");
  const heads = HEADS.map((head, at) => h(at && at !== 4 ? "th.right" : "th", { scope: "col" }, head));
  const caption = "Settled: cells that unit propagation knows without a decision; choose a row to see them.";
  const table = h("table", h("caption.quiet.small", caption), h("thead", h("tr", heads)), body);
  const scroll = h("div.scroll", { tabindex: 0, role: "region", "aria-label": "Encodings" }, table);
  el.append(h("div.compare", h("div", place, told), scroll));
  const unmount = model.mount(place);

  function show(said, row) {
    [...body.children].forEach((other) => other.setAttribute("aria-selected", String(other === row)));
    model.set("cells", said.cells ?? openCells(puzzle));
    const found = said.contradiction ? "finds a contradiction" : `settles ${settled(said)} of ${number(count)} cells`;
    told.textContent = `${said.name}: unit propagation ${found}`;
  }

  function line(said) {
    const families = Object.entries(said.families).filter(([, many]) => many).map(([name, many]) => `${name} ${number(many)}`);
    const share = said.contradiction ? "contradiction" : `${Math.round((100 * settled(said)) / count)} %`;
    const right = (text) => h("td.right.numbers", text);
    const row = h("tr", { "aria-selected": "false", onclick: () => show(said, row) },
      h("th", { scope: "row" }, button(said.name, () => {}, { class: "plain" })),
      right(share), right(number(said.variables)), right(number(said.clauses)),
      h("td.quiet.numbers", families.join(" · ")), right(number(said.literals)),
      right(`${(1000 * said.seconds).toFixed(1)} ms`));
    return row;
  }

  const job = stream("/api/watch/compare", { puzzle, seconds: 120 }, (said) => {
    if (said.type === "loading") {
      body.replaceChildren();
    } else if (said.type === "encoding") {
      const row = line(said);
      body.append(row);
      if (body.childElementCount === 1) show(said, row);
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
