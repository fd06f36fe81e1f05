// Play: the packs, a pack's puzzles, or a game, as the address says.

import { mountPack, mountPacks } from "../play/cards.js";

export default {
  title: "Play",
  async mount(el, { words: [pack, puzzle] }) {
    if (!pack || !puzzle) return pack ? mountPack(el, pack) : mountPacks(el);
    const { mountGame } = await import("../play/game.js"); // the cards need no board
    return mountGame(el, pack, puzzle);
  },
};
