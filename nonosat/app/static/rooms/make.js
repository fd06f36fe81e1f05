// Make: draw or type a puzzle, or take one from a text, an image or the shelf; what it is stands beside it at once.

import { get, post } from "../api.js";
import { mountShelf } from "../make/shelf.js";
import { Maker } from "../make/maker.js";
import { blank } from "../make/state.js";

/** What the address says: a shelf, a puzzle of one's own (`own/3`), of a pack (`pack/NAME/2`), or a shared string. */
async function found([first, second, third]) {
  if (first === "own") {
    const { puzzle, cells } = await get(`/api/make/own/${encodeURIComponent(second)}`);
    return { puzzle, cells, id: Number(second) };
  }
  if (first === "pack") {
    const path = [second, third].map(encodeURIComponent).join("/");
    const { puzzle, goal } = await get(`/api/play/packs/${path}`);
    return { puzzle, cells: goal };
  }
  if (first) {
    const { puzzles } = await post("/api/make/read", { text: first });
    return puzzles[0];
  }
  return blank(10, 10);
}

export default {
  title: "Make",
  async mount(el, { words }) {
    if (words[0] === "mine") {
      return mountShelf(el);
    }
    const maker = new Maker(el, await found(words));
    maker.open();
    return () => maker.close();
  },
};
