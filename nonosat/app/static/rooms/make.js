// Make: draw or type a puzzle, or take one from a text, an image or the shelf.

import { get, part, post } from "../api.js";
import { mountShelf } from "../make/shelf.js";
import { Maker } from "../make/maker.js";
import { blank } from "../make/state.js";

/** What the address says: a puzzle of one's own (`own/3`), of a pack (`pack/NAME/2`), or a shared string. */
async function found([first, ...rest]) {
  if (first === "own") return { ...(await get(`/api/make/own/${part(rest[0])}`)), id: Number(rest[0]) };
  if (first === "pack") return get(`/api/play/packs/${rest.map(part).join("/")}`);
  return first ? (await post("/api/make/read", { text: first })).puzzles[0] : blank(10, 10);
}

export async function mount(el, { words, signal }) {
  if (words[0] === "mine") return mountShelf(el);
  return new Maker(el, await found(words), signal).open();
}
