// Beside the board: lives, clock, tools, trials, hints.

import { part, stream } from "../api.js";
import { shadeName } from "../board/theme.js";
import { outbox } from "../outbox.js";
import { button, clock, fill, group, h, size, stepWords, swatch, toggle } from "../dom.js";

const HELP = {
  Arrows: "move",
  "Enter, Space": "change the cell",
  "Ctrl + arrows": "fill",
  "Shift + arrows": "mark blank",
  "Ctrl + Shift + arrows": "open again",
  "1 to 9": "colour, or the number",
  "Shift + digit": "note (numbers)",
  "U, R": "undo, redo",
  T: "begin a trial",
  "+, −": "zoom; so do the wheel and two fingers",
};

export function panel(game) {
  const { puzzle, pack, label } = game.found;
  const hinted = h("div");
  const watch = h("span.clock", { role: "timer", label: "Time" });
  const address = `pack=${part(game.session.pack)}&puzzle=${part(game.session.puzzle)}`;
  const live = h("div.live"); // what is beside it stays, with the focus that may be in it
  const root = h("aside.panel", { label: "The game" },
    h("div", h("p.crumbs", h("a", { href: game.address }, pack)), h("h1", puzzle.title || "Puzzle"),
      h("p.quiet.small", [label, size(puzzle)].filter(Boolean).join(" · "))),
    live,
    h("p.small", h("a", { href: `#/explain?${address}` }, "Explain it"), " · ",
      h("a", { href: `#/watch?${address}` }, "Watch it solved")),
    puzzle.text && h("pre", puzzle.text),
    h("details.keys", h("summary", "Keys"),
      h("dl", Object.entries(HELP).map(([key, what]) => [h("dt", h("kbd", key)), h("dd", what)]))));

  const tick = (text) => watch.textContent !== text && fill(watch, text);

  const update = () => {
    const { won, hasLives, play, hintedAt } = game;
    if (play.version !== hintedAt) fill(hinted);
    fill(live, h("div.standing", standing(game), watch), !won && [h("div.tools", tools(game)), steps(game)],
      !won && !hasLives && trials(game), won && result(game), more(game, hinted), hinted);
    tick(clock(game.session.clock));
  };
  return { root, update, tick };
}

function standing({ play, found, hasLives }) {
  if (!hasLives) return h("span.quiet", "Free play");
  const title = `${play.lives} of ${found.lives} lives`;
  const marks = Array.from({ length: found.lives }, (_, index) => h(index < play.lives ? "i" : "i.lost"));
  return h("span.lives", { role: "img", label: title, title }, marks);
}

export function pad({ values: [least, most] }, enter) {
  const values = Array.from({ length: Math.min(most, 30) - least + 1 }, (_, at) => least + at);
  return h("div.pad", values.map((value) => button(value, () => enter(value))));
}

function tools(game) {
  const { puzzle } = game.found;
  const tool = (name, text) => toggle(game.tool === name, text, () => game.choose(name));
  if (puzzle.kind !== "nonogram") {
    const two = group("div.group", "What a number does", tool("fill", "Number"), tool("mark", "Note"));
    return [two, pad(puzzle, (value) => game.enter(value))];
  }
  const fills = tool("fill", game.hasLives ? "Uncover" : "Fill");
  const two = group("div.group", "What a cell becomes", fills, tool("mark", "Mark"));
  return [two, puzzle.palette.length > 2 && colours(game)];
}

function colours(game) {
  const one = (shade, index) => {
    const on = game.tool === "fill" && game.colour === index + 1;
    const label = `Colour ${index + 1}: ${shadeName(shade)}`;
    return swatch(game.shades[index + 1], on, label, () => game.choose("fill", index + 1));
  };
  return group("div.buttons", "Colour", game.found.puzzle.palette.slice(1).map(one));
}

function steps(game) {
  const step = (text, action) => button(text, () => game.ask(action), { disabled: !game.play[action] });
  return h("div.buttons", step("Undo", "undo"), step("Redo", "redo"));
}

function trials(game) {
  const depth = game.play.trials;
  const asking = (text, action) => button(text, () => game.ask(action));
  if (!depth) return h("div.buttons", asking("Try something", "trial"));
  const told = depth === 1 ? "On trial: new cells can be taken back whole." : `On trial, ${depth} deep.`;
  const buttons = [asking("Keep", "accept"), asking("Take back", "reject"), asking("Try deeper", "trial")];
  return group("div.trial", "Trial", h("p.small", told), h("div.buttons", buttons));
}

function more(game, hinting) {
  const { won, hasLives, found, play } = game;
  const other = hasLives ? ["free", "Free play"] : ["lives", "With lives"];
  return h("div.buttons",
    !hasLives && !won && found.goal && button("Check", () => game.ask("check")),
    !won && button("Hint", () => hint(game, hinting)),
    button(won ? "Play again" : "Start anew", () => game.restart(play.style)),
    found.goal && button(other[1], () => game.restart(other[0])));
}

/** Show the next step of an explanation from here. That it was asked for is kept with the play. */
async function hint(game, place) {
  const now = () => game.session.cells.map((value) => Math.max(-1, value));
  const cells = now();
  if (outbox.away) return game.ask("hint");
  fill(place, h("p.quiet.small", "A step is looked for …"));
  await game.ask("hint");
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

function result({ play, found, address }) {
  const [href, text] = found.next ? [`${address}/${part(found.next)}`, "Next puzzle"] : [address, "Back to the pack"];
  return h("div", h("p", { role: "status" }, h("strong", "Solved"), ` in ${clock(play.seconds)}: ${play.won}.`),
    h("p.buttons", h("a.button.primary", { href }, text)));
}
