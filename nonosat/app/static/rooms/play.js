// Play: the packs, a pack's puzzles, or a game, as the address says.

import { mountPack, mountPacks } from "../play/cards.js";
import { mountGame } from "../play/game.js";

export default {
  title: "Play",
  mount(el, { words }) {
    const [pack, puzzle] = words;
    if (pack && puzzle) {
      return mountGame(el, pack, puzzle);
    }
    return pack ? mountPack(el, pack) : mountPacks(el);
  },
};
