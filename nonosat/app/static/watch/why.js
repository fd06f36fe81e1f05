// Why one search is faster than another: how strong their encodings are on this board, before any search.

import { stream } from "../api.js";
import { fill, h, number, thumbnail } from "../dom.js";

const fixedBy = ({ cells }) => (cells ?? []).filter((value) => value >= 0).length;

/** Show into `el` what unit propagation fixes in the encodings of `lanes`, the strongest first. */
export function whyFaster(el, puzzle, lanes, signal) {
  const names = [...new Set(lanes.filter(({ about }) => about.encodes).map(({ encoding }) => encoding))];
  const bare = [...new Set(lanes.filter(({ about }) => !about.encodes).map(({ name }) => name))];
  const without = bare.length > 0 && h("p.quiet", `${bare.join(", ")}: no encoding; the puzzle itself is solved.`);
  const found = [];
  if (!names.length) return fill(el);
  const encoding = (result) => {
    found.push(result);
    found.sort((one, other) => fixedBy(other) - fixedBy(one) || one.clauses - other.clauses);
    fill(el, h("section.why", h("h2", "Why is it faster?"),
      h("p.quiet", "What unit propagation fixes in an encoding need not be searched for. Here it is, on this board, before any decision."),
      h("ul.cards", found.map((one) => h("li", card(puzzle, one)))), without,
      h("p", h("a", { href: `#/watch/encodings?${location.hash.split("?")[1] ?? ""}` }, "All encodings on this board"))));
  };
  return stream("/api/watch/compare", { puzzle, names, seconds: 60 }, { encoding, any: () => {} }, signal);
}

function card(puzzle, result) {
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(name).trim();
  const cells = puzzle.height * puzzle.width;
  const shown = (result.cells ?? new Array(cells).fill(-1)).map((value) => (value < 0 ? 0 : value > 0 ? 2 : 1));
  const drawn = thumbnail({ cells: shown, palette: [colour("--line"), colour("--sheet"), colour("--accent")] }, puzzle.width);
  drawn.classList.add("pack-icon", "framed");
  const share = Math.round((100 * fixedBy(result)) / cells);
  const text = result.contradiction ? "a contradiction: there is no solution" : `${share} % of the cells (${number(fixedBy(result))} of ${number(cells)})`;
  return h("div.card.pack-card", drawn, h("div", h("h3", result.name), h("p.small", text),
    h("p.quiet.small.numbers", `${number(result.clauses)} clauses, ${number(result.variables)} variables`)));
}
