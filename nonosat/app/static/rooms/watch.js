// Watch: searches side by side, encodings compared, and what can be taken away.

import { get, part } from "../api.js";
import { mountChosen } from "../choose.js";
import { fill, group, setAddress, shownAt, toggle } from "../dom.js";
import { showEncodings } from "../watch/encodings.js";
import { showFiles } from "../watch/files.js";
import { showSolve } from "../watch/solve.js";

const PARTS = [["solve", "Solve", showSolve], ["encodings", "Encodings", showEncodings], ["files", "Files and proofs", showFiles]];

export function mount(el, about) {
  let chosen = PARTS.find(([name]) => name === about.words[0]) ?? PARTS[0];
  const choices = {};
  const parts = group("div.group", "What to see");

  function turnTo(one, again) {
    chosen = one;
    setAddress(`#/watch/${one[0]}?${shownAt.hash.split("?")[1] ?? ""}`);
    again();
  }

  async function show(place, puzzle, about) {
    fill(parts, PARTS.map((one) => toggle(one === chosen, one[1], () => turnTo(one, about.again))));
    choices[puzzle.kind] ??= await get(`/api/watch/choices/${part(puzzle.kind)}`);
    if (!about.signal.aborted) chosen[2](place, puzzle, choices[puzzle.kind], about);
  }

  return mountChosen(el, "Watch", about, show, parts);
}
