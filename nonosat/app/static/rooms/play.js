// Play: the packs, a pack's puzzles, or a game, as the address says.

import { mountPack, mountPacks } from "../play/cards.js";

export async function mount(el, { words: [pack, puzzle], signal }) {
  if (!pack || !puzzle) return pack ? mountPack(el, pack) : mountPacks(el);
  const { Game } = await import("../play/game.js"); // the cards need no board
  return new Game(el, pack, puzzle).open(signal);
}
