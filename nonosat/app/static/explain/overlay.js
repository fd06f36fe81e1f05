// A step of an explanation on the board: its lines lit, the cells that it uses and settles framed; and in words.

import { h } from "../dom.js";

export function overlay({ constraints, known, settles }) {
  const lines = constraints.filter(({ family }) => ["row", "column"].includes(family));
  const framed = (cells, how) => cells.map(({ row, column }) => [row, column, how]);
  const outline = [...framed(known, settles.length ? "used" : "wrong"), ...framed(settles, "settled")];
  return { lines: lines.map(({ family, place }) => [family, place]), outline };
}

export function words({ technique, bounded, sentence, details }) {
  return [
    h("p.technique", technique + (bounded ? " · an easier step was not ruled out" : "")),
    h("p", sentence),
    ...(details.length ? [h("ol.small", details.map((line) => h("li", line.trim())))] : []),
  ];
}
