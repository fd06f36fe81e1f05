// Watch: searches side by side on one puzzle, its encodings compared, and what can be taken away.

import { get, part } from "../api.js";
import { chooser } from "../choose.js";
import { group, h, toggle } from "../dom.js";
import { encodingsPart } from "../watch/encodings.js";
import { filesPart } from "../watch/files.js";
import { solvePart } from "../watch/solve.js";

const PARTS = [["solve", "Solve", solvePart], ["encodings", "Encodings", encodingsPart], ["files", "Files and proofs", filesPart]];

export default {
  title: "Watch",
  async mount(el, { words, query }) {
    let leave = () => {};
    let puzzle = null;
    let chosen = PARTS.find(([name]) => name === words[0]) ?? PARTS[0];
    let turn = 0;
    const place = h("div");
    const choices = {};
    const parts = group("div.group", "What to see");
    const bar = h("div.bar");
    el.append(h("h1", "Watch"), bar, place);

    async function show() {
      const mine = ++turn;
      leave();
      leave = () => {};
      place.replaceChildren();
      parts.replaceChildren(...PARTS.map((one) => toggle(one === chosen, one[1], () => ((chosen = one), show()))));
      choices[puzzle.kind] ??= await get(`/api/watch/choices/${part(puzzle.kind)}`);
      if (mine === turn) leave = chosen[2](place, puzzle, choices[puzzle.kind]) ?? leave;
    }

    const choosing = await chooser(query, (found) => {
      puzzle = found;
      if (bar.childElementCount) show();
    });
    bar.append(choosing, parts);
    if (puzzle) await show();
    return () => ((turn += 1), leave());
  },
};
