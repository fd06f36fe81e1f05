// Watch: searches side by side on one puzzle, its encodings compared, and what can be taken away.

import { get } from "../api.js";
import { chooser } from "../choose.js";
import { h } from "../dom.js";
import { encodingsPart } from "../watch/encodings.js";
import { filesPart } from "../watch/files.js";
import { solvePart } from "../watch/solve.js";

const PARTS = [
  ["solve", "Solve", solvePart],
  ["encodings", "Encodings", encodingsPart],
  ["files", "Files and proofs", filesPart],
];

export default {
  title: "Watch",
  async mount(el, { words, query }) {
    let leave = () => {};
    let puzzle = null;
    let part = PARTS.find(([name]) => name === words[0]) ?? PARTS[0];
    const place = h("div");
    const choices = {};

    async function show() {
      leave();
      leave = () => {};
      place.replaceChildren();
      buttons.forEach((button, index) => button.setAttribute("aria-pressed", String(PARTS[index] === part)));
      choices[puzzle.kind] ??= await get(`/api/watch/choices/${encodeURIComponent(puzzle.kind)}`);
      leave = part[2](place, puzzle, choices[puzzle.kind]) ?? leave;
    }

    const buttons = PARTS.map((one) => h("button", { onclick: () => ((part = one), show()) }, one[1]));
    const bar = h("div.watch-bar");
    el.append(h("h1", {}, "Watch"), bar, place);
    const choosing = await chooser(query, (found) => {
      puzzle = found;
      bar.isConnected && bar.childElementCount && show();
    });
    bar.append(choosing, h("div.group", { role: "group", "aria-label": "What to see" }, buttons));
    if (puzzle) {
      await show();
    }
    return () => leave();
  },
};
