// The light: what the puzzle is, in words too, since colours are not for everybody.

import { fill, h, plural } from "../dom.js";

const WORDS = {
  lines: "Solvable by lines", unique: "Unique", several: "Several solutions", none: "No solution", unsettled: "Not settled",
};

export function shine(light, { about, changes, drawn, failed, asking, stale }) {
  const say = (verdict, word, more) => {
    light.dataset.verdict = verdict;
    fill(light, h("i"), h("div", h("strong", word), h("p.small", more)));
  };
  light.dataset.busy = String(Boolean(asking || stale));
  if (failed) {
    say("failed", "Not a puzzle", failed);
  } else if (about) {
    const labelled = about.label && !["several", "none"].includes(about.verdict);
    say(about.verdict, headline(about) + (labelled ? ` · ${about.label}` : ""), details(about, drawn, changes));
  } else {
    say("", "Looking …", "For the first time on a machine this takes a while.");
  }
}

function headline({ verdict, solutions }) {
  const many = solutions?.length > 12 ? "Very many" : solutions;
  return verdict === "several" && solutions ? `${many} solutions` : WORDS[verdict];
}

function details(about, drawn, changes) {
  const { verdict, reason, shared, exact } = about;
  if (verdict === "none") return reason ?? "The clues contradict each other.";
  if (verdict === "lines") return "One solution, and nobody has to guess.";
  const told = {
    several: `${exact ? "" : "At least "}${shared.filter((value) => value < 0).length} cells differ between solutions.`,
    unique: "One solution, but lines alone do not find it.",
    unsettled: "A second solution was neither found nor ruled out.",
  }[verdict];
  return [told, drawn && about.heat && help(about, changes)].filter(Boolean).join(" ");
}

/** Which changes of one cell help, and how far that is known. */
function help({ heat, tried_all: triedAll }, changes) {
  const byLines = heat.filter((share) => share === 1).length;
  if (!changes) return `${some(byLines)} solvable by lines${triedAll ? "" : " (not all were tried)"}.`;
  const open = changes.unique.filter((one) => one < 0).length;
  const rest = open ? ` (${open} ${changes.done ? "could not be settled" : "are still looked at"})` : "";
  const many = changes.unique.filter((one) => one > 0).length;
  const also = byLines === many ? " and solvable by lines" : `, ${byLines} of them solvable by lines`;
  return `${some(many)} unique${byLines ? also : ""}${rest}.`;
}

const some = (many) => (many ? `${plural(many, "single cell")} would make it` : "No single cell would make it");

/** How dark each cell is in the heat map: changes that make the puzzle unique stand out from those that only help. */
export function heatOf({ heat }, changes) {
  return heat.map((share, cell) => {
    if (share === 1) return 1;
    return changes?.unique[cell] === 1 ? 0.8 : (share ?? 0) * (changes ? 0.35 : 1);
  });
}
