// A step of an explanation on the board: its lines lit, the cells that it uses and settles framed; and in words.

import { h } from "../dom.js";

export function overlay(step) {
  const lines = step.constraints.filter(({ family }) => ["row", "column"].includes(family));
  return {
    lines: lines.map(({ family, place }) => [family, place]),
    outline: [
      ...step.known.map(({ row, column }) => [row, column, step.settles.length ? "used" : "wrong"]),
      ...step.settles.map(({ row, column }) => [row, column, "settled"]),
    ],
  };
}

export function words(step) {
  return [
    h("p.technique", {}, step.technique + (step.bounded ? " · an easier step was not ruled out" : "")),
    h("p", {}, step.sentence),
    ...(step.details.length ? [h("ol.small", {}, step.details.map((line) => h("li", {}, line.trim())))] : []),
  ];
}
