// A hint in a game: the next step of an explanation from here. That it was asked for is kept with the play.

import { stream } from "../api.js";
import { h, notice } from "../dom.js";
import { overlay, words } from "../explain/overlay.js";

/** Show the next step beside the board and on it. */
export async function hint(game, place) {
  const now = () => game.session.cells.map((value) => Math.max(-1, value));
  const cells = now();
  place.replaceChildren(h("p.quiet.small", "A step is looked for …"));
  await game.session.ask("hint");
  let found = null;
  const { puzzle } = game.found;
  const job = stream("/api/explain/steps", { puzzle, cells, steps: 1 }, (said) => {
    if (said.type === "step") found = said;
    else if (said.error) notice(said.error);
  });
  await job.done.catch((error) => notice(error.message));
  place.replaceChildren();
  game.hintedAt = game.play.version;
  if (found && String(now()) === String(cells)) {
    game.model.set("overlay", overlay(found));
    place.append(h("div.sentence", { role: "status" }, words(found)));
  }
}
