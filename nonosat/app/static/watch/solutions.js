// All solutions that a search found, one after the other, and what they have in common.

import { stream } from "../api.js";
import { h, notice } from "../dom.js";
import { plural } from "./lane.js";

export function solutions(puzzle, lane) {
  let index = 0;
  let common = null;
  const { found, answer } = lane;
  const told = h("p.numbers", { role: "status" });
  const sharing = h("button", { "aria-pressed": "false", onclick: share }, "What they share");

  function show() {
    const cells = common ?? found[index];
    const { width } = puzzle;
    const differ = common ? [] : found[index].flatMap((value, cell) => (value === found[0][cell] ? [] : [cell]));
    lane.model.set("cells", Array.from(cells));
    lane.model.set("overlay", { outline: differ.map((cell) => [Math.floor(cell / width), cell % width, "settled"]) });
    lane.heated = true;
    lane.shown = null;
    const many = answer.exhausted ? `of ${found.length}` : `of the first ${found.length}`;
    const differs = index ? `, ${plural(differ.length, "cell")} unlike the first` : "";
    told.textContent = common
      ? `${plural(common.filter((value) => value >= 0).length, "cell")} of ${cells.length} the same in all solutions`
      : `Solution ${index + 1} ${many}${differs}`;
    sharing.setAttribute("aria-pressed", String(common !== null));
  }

  function go(step) {
    common = null;
    index = (index + step + found.length) % found.length;
    show();
  }

  async function share() {
    if (common) {
      common = null;
      show();
      return;
    }
    sharing.disabled = true;
    told.textContent = "Looking at all solutions …";
    try {
      await stream("/api/watch/common", { puzzle }, (said) => {
        common = said.type === "common" ? said.cells : common;
        said.error && notice(said.error);
      }).done;
    } catch (error) {
      notice(error.message);
    }
    sharing.disabled = false;
    show();
  }

  show();
  return h(
    "div.solutions",
    { role: "group", "aria-label": "Solutions" },
    h("button", { "aria-label": "The one before", onclick: () => go(-1) }, "‹"),
    told,
    h("button", { "aria-label": "The next", onclick: () => go(1) }, "›"),
    sharing,
  );
}
