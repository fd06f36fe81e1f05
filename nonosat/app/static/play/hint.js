// A hint in a game: the next step of an explanation from here. That it was asked for is kept with the play.

import { stream } from "../api.js";
import { fill, h, stepWords } from "../dom.js";

/** Show the next step beside the board and on it. */
export async function hint(game, place) {
  const now = () => game.session.cells.map((value) => Math.max(-1, value));
  const cells = now();
  fill(place, h("p.quiet.small", "A step is looked for …"));
  await game.session.ask("hint");
  let found = null;
  const { puzzle } = game.found;
  await stream("/api/explain/steps", { puzzle, cells, steps: 1 }, { step: (said) => (found = said) });
  fill(place);
  game.hintedAt = game.play.version;
  if (found && String(now()) === String(cells)) {
    game.model.set("overlay", found.overlay);
    fill(place, h("div.sentence", { role: "status" }, stepWords(found)));
  }
}
