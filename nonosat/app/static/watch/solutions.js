// The solutions of a search, one after the other, and what they share.

import { stream } from "../api.js";
import { fill, group, h, plural, signed, toggle } from "../dom.js";
import { framed } from "../model.js";

export function solutions(puzzle, lane, signal) {
  let index = 0;
  let common = null;
  const { found, answer, model } = lane;
  const status = h("p.numbers", { role: "status" });
  const sharing = toggle(false, "What they share", share);

  function show() {
    const cells = common ?? found[index];
    const differ = common ? [] : cells.flatMap((value, cell) => (value === found[0][cell] ? [] : [framed(puzzle, cell, "settled")]));
    model.set("cells", Array.from(cells));
    model.set("overlay", { outline: differ });
    Object.assign(lane, { heated: true, shown: null });
    const differs = index ? `, ${plural(differ.length, "cell")} unlike the first` : "";
    fill(status, common
      ? `${plural(common.filter((value) => value >= 0).length, "cell")} of ${cells.length} the same in all solutions`
      : `Solution ${index + 1} of ${answer.exhausted ? "" : "the first "}${found.length}${differs}`);
    sharing.ariaPressed = String(common !== null);
  }

  function go(step) {
    common = null;
    index = (index + step + found.length) % found.length;
    show();
  }

  async function share() {
    if (common) {
      go(0);
      return;
    }
    sharing.disabled = true;
    fill(status, "Looking at all solutions …");
    await stream("/api/watch/common", { puzzle }, { common: ({ cells }) => (common = cells) }, signal);
    sharing.disabled = false;
    show();
  }

  show();
  // the text is last: it changes its length, and the buttons stay under the pointer
  return group("div.solutions", "Solutions",
    signed("‹", "The one before", () => go(-1)), signed("›", "The next", () => go(1)), sharing, status);
}
