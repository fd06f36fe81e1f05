// A new puzzle, as somebody wants it, and that of the day.

import { post } from "../api.js";
import { go, group, h, primary, select } from "../dom.js";

const KINDS = {
  nonogram: { sizes: [5, 10, 15, 20, 25], size: 10, difficulties: ["easy", "medium", "hard"] },
  skyscrapers: { sizes: [4, 5, 6, 7], size: 5, difficulties: ["easy", "normal", "hard"] },
};
const STYLES = [["any", "Any style"], ["blobs", "Blobs"], ["symmetric", "Symmetric"], ["waves", "Waves"], ["noise", "Noise"]];
const COLOURS = [[1, "1 colour"], ...[2, 3, 4].map((count) => [count, `${count} colours`])];
const NUMBERS = ["size", "colours"];
const LAST = "nonosat/new"; // what was wanted before

/** Make a puzzle of these wishes, and go to it. */
export async function another(wanted) {
  const { name, missed } = await post("/api/play/new", wanted);
  go(`#/play/new/${name}`, missed && `In the time there is, none was found that is ${wanted.difficulty}: this one is ${missed}.`);
}

/** Today's date where the player is, as `2026-11-23`. */
export function today(now = new Date()) {
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((value) => String(value).padStart(2, "0")).join("-");
}

/** A row to choose by, with `more` at its end. */
export function newPuzzle(more) {
  const wanted = { kind: "nonogram", size: 10, style: "any", colours: 1, difficulty: "easy", ...JSON.parse(localStorage.getItem(LAST) ?? "{}") };
  const root = group("section.new", "New puzzle");
  const field = (label, list, key) => select(label, list, (value) => {
    wanted[key] = NUMBERS.includes(key) ? Number(value) : value;
    if (key === "kind") Object.assign(wanted, { size: KINDS[value].size, difficulty: "easy" });
    show();
  }, wanted[key]);
  const make = async (event) => {
    event.target.disabled = true;
    localStorage.setItem(LAST, JSON.stringify(wanted));
    try {
      const { style, colours, ...others } = wanted;
      await another({ ...others, ...(wanted.kind === "nonogram" && { style, colours }) });
    } finally {
      event.target.disabled = false;
    }
  };
  function show() {
    const { sizes, difficulties } = KINDS[wanted.kind];
    root.replaceChildren(
      field("Kind", [["nonogram", "Nonogram"], ["skyscrapers", "Skyscrapers"]], "kind"),
      field("Size", sizes.map((side) => [side, `${side}x${side}`]), "size"),
      ...(wanted.kind === "nonogram" ? [field("Style", STYLES, "style"), field("Colours", COLOURS, "colours")] : []),
      field("Difficulty", difficulties, "difficulty"),
      primary("New puzzle", make), h("a.button", { href: `#/play/new/daily-${today()}` }, "Puzzle of the day"), more);
  }
  show();
  return root;
}
