// Make: draw or type a puzzle, or take one from a text, an image or the shelf.

import { get, module, part, post } from "../api.js";
import { forgetLast, lastDraft } from "../make/draft.js";
import { Maker } from "../make/maker.js";
import { blank, towers } from "../make/state.js";
import { outbox } from "../outbox.js";

/** A draft as it was kept; a drawing comes without its clues. */
async function draft(name) {
  await outbox.idle(); // its last changes come first
  const { puzzle, ...more } = await get(`/api/make/drafts/${part(name)}`);
  const { rows, columns } = more.drawn ? blank(puzzle.height, puzzle.width).puzzle : puzzle;
  return { puzzle: { ...puzzle, rows, columns }, ...more };
}

/** The draft that was worked at last, if it is still one, or nothing yet. */
async function last() {
  const name = lastDraft();
  const gone = (error) => {
    if (error.status !== 404) throw error;
    forgetLast();
  };
  return (name && (await draft(name).catch(gone))) || blank(10, 10);
}

/** What the address says: a draft (`draft/NAME`), a puzzle of one's own (`own/3`), of a pack (`pack/NAME/2`), a shared
 * string, `new`, `new/skyscrapers`, or nothing, which is the draft that was worked at last. */
async function found([first, ...rest]) {
  if (!first) return last();
  if (first === "draft") return draft(rest[0] ?? "");
  if (first === "new") {
    forgetLast();
    return rest[0] === "skyscrapers" ? towers(5) : blank(10, 10);
  }
  if (first === "own") return { ...(await get(`/api/make/own/${part(rest[0])}`)), id: Number(rest[0]) };
  if (first === "pack") return get(`/api/play/packs/${rest.map(part).join("/")}`);
  return (await post("/api/make/read", { text: first })).puzzles[0];
}

export async function mount(el, { words, signal }) {
  if (words[0] === "mine") return (await module("./make/shelf.js")).mountShelf(el);
  return new Maker(el, await found(words), signal).open();
}
