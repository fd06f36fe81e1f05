// Beside the board: lives, clock, tools, trials, hints.

import { part, stream } from "../api.js";
import { another } from "./new.js";
import { tools } from "./tools.js";
import { outbox } from "../outbox.js";
import { button, clock, fill, group, h, kindName, MEDALS, plural, size, stepWords } from "../dom.js";

const HELP = {
  "Right button": "mark blank",
  Arrows: "move",
  Enter: "fill the cell; the next number",
  Space: "mark the cell blank; the number before",
  "Ctrl + arrows": "fill",
  "Shift + arrows": "mark blank",
  "Ctrl + Shift + arrows": "open again",
  "1 to 9": "colour, or the number",
  "Shift + digit": "note (numbers)",
  "U, R": "undo, redo",
  T: "begin a trial",
  "+, −": "zoom; so do the wheel and two fingers",
};

const GESTURES = {
  "One finger": "changes the cell, and draws along its line",
  "Two fingers": "move the board and zoom",
  "Fill, Mark": "what a finger does",
  "The numbers": "drag there to move the board",
};

export function panel(game) {
  const { puzzle, pack, label } = game.found;
  const hinted = h("div");
  const watch = h("span.clock", { role: "timer", label: "Time" });
  const address = `pack=${part(game.session.pack)}&puzzle=${part(game.session.puzzle)}`;
  const live = h("div.live"); // what is beside it stays, with the focus that may be in it
  const touch = matchMedia("(pointer: coarse)").matches;
  const name = h("h1");
  const root = h("aside.panel", { label: "The game" },
    h("div", h("p.crumbs", h("a", { href: game.address }, pack)), name,
      h("p.quiet.small", [kindName(puzzle), label, size(puzzle)].filter(Boolean).join(" · "))),
    game.lesson?.root,
    live,
    !game.lesson && h("p.small", h("a", { href: `#/explain?${address}` }, "Explain it"), " · ",
      h("a", { href: `#/watch?${address}&lanes=auto&run=1` }, "Watch it solved")),
    puzzle.text && h("pre", puzzle.text),
    touch && puzzle.kind === "nonogram" && help("Gestures", GESTURES, "strong"),
    help("Keys", HELP, "kbd"));

  const tick = (text) => watch.textContent !== text && fill(watch, text);

  const update = () => {
    const { won, hasLives, play, hintedAt, hinting } = game;
    if (play.version !== hintedAt && !hinting) fill(hinted);
    fill(name, game.name);
    document.title = `${game.name} · nonosat`;
    game.lesson?.update(game.session.cells, () => game.model.set("overlay", game.values().overlay));
    const stands = h("div", h("div.standing", standing(game), watch), hasLives && !won && stakes(game));
    fill(live, !game.lesson && stands, !won && [h("div.tools", tools(game.found.puzzle, game)), steps(game)],
      !won && !hasLives && !game.lesson && trials(game), won && result(game), !game.lesson && more(game, hinted), hinted);
    tick(clock(game.session.clock));
  };
  return { root, update, tick };
}

function help(title, lines, tag) {
  return h("details.keys", h("summary", title), h("dl", Object.entries(lines).map(([key, what]) => [h("dt", h(tag, key)), h("dd", what)])));
}

function standing({ play, found, hasLives }) {
  if (!hasLives) return h("span.quiet", "Free play");
  const marks = Array.from({ length: found.lives }, (_, index) => h(index < play.lives ? "i" : "i.lost"));
  return h("span.lives", { "aria-hidden": "true" }, marks);
}

/** What the marks are, before an error says it. */
const stakes = ({ play: { lives }, found: { lives: all } }) =>
  h("p.quiet.small", `${lives < all ? `${lives} of ` : ""}${all === 1 ? "1 life" : `${all} lives`}. An error costs one.`);

function steps(game) {
  const step = (text, action) => button(text, () => game.ask(action), { disabled: !game.play[action] });
  return h("div.buttons", step("Undo", "undo"), step("Redo", "redo"));
}

function trials(game) {
  const depth = game.play.trials;
  const asking = (text, action) => button(text, () => game.ask(action));
  if (!depth) return h("div.buttons", asking("Try something", "trial"));
  const deep = depth === 1 ? "On trial." : `On trial, ${depth} deep.`;
  const text = [deep, h("br"), "New cells can be taken back whole."]; // two lines at any depth: buttons stay where they are
  const buttons = [asking("Keep", "accept"), asking("Take back", "reject"), asking("Try deeper", "trial")];
  return group("div.trial", "Trial", h("p.small", text), h("div.buttons", buttons));
}

function more(game, hinting) {
  const { won, hasLives, found, play } = game;
  const other = hasLives ? ["free", "Free play"] : ["lives", "With lives"];
  return h("div.buttons",
    !hasLives && !won && found.goal && button("Check", () => game.ask("check")),
    !won && game.session.pack === "new" && button("Another like this", () => another({ like: game.session.puzzle })),
    !won && button("Hint", () => hint(game, hinting)),
    button(won ? "Play again" : "Start anew", () => game.restart(play.style)),
    found.goal && button(other[1], () => game.restart(other[0])));
}

/** Show the next step of an explanation from here. That it was asked for is kept with the play. */
async function hint(game, place) {
  const now = () => game.session.cells.map((value) => Math.max(-1, value));
  const cells = now();
  if (outbox.away) return game.ask("hint");
  fill(place, h("p.quiet.small", { role: "status" }, "A step is looked for …"));
  game.hinting = true; // which changes the play, too: the sentence stays
  let found = null;
  const { puzzle } = game.found;
  try {
    await game.ask("hint");
    await stream("/api/explain/steps", { puzzle, cells, steps: 1 }, { step: (step) => (found = step) });
  } finally {
    game.hinting = false;
    fill(place);
  }
  game.hintedAt = game.play.version;
  if (found && String(now()) === String(cells)) {
    game.model.set("overlay", found.overlay);
    fill(place, h("div.sentence", { role: "status" }, stepWords(found)));
    place.scrollIntoView({ block: "nearest" });
  }
}

function result(game) {
  const { play, found, address, lesson } = game;
  if (lesson) {
    return h("div", h("p", { role: "status" }, h("strong", "Solved."), " That is all there is to know; the rest is practice."),
      h("p.buttons", h("a.button.primary", { href: "#/play" }, "Choose a puzzle")));
  }
  const again = game.session.pack === "new" && button("Another like this", () => another({ like: game.session.puzzle }));
  const back = { new: "All packs", own: "Back to my puzzles" }[game.session.pack] ?? "Back to the pack";
  const [href, text] = found.next ? [`${address}/${part(found.next)}`, "Next puzzle"] : [address, back];
  const hard = h("p.small.quiet");
  game.hardest().then((result) => result?.hardest && fill(hard, demand(result)), () => {});
  return h("div", h("p", { role: "status" }, h("strong", "Solved"), ` in ${clock(play.seconds)}: ${play.won}.`), h("p.small.quiet", MEDALS),
    h("p.buttons", h("a.button.primary", { href }, text), again), hard); // which comes later: no button moves for it
}

/** What was hard about it, in a sentence. */
const demand = ({ steps, hardest: { short, count } }) => `Hardest step: ${short} (${count} of ${plural(steps, "step")}).`;
