// Beside the board: lives, clock, tools, undo and redo, trials, and how to begin again.

import { shadeName } from "../board/theme.js";
import { h } from "../dom.js";
import { clock } from "./cards.js";
import { hint } from "./hint.js";

const HELP = [
  ["Arrows", "move"],
  ["Enter, Space", "change the cell"],
  ["Ctrl + arrows", "fill"],
  ["Shift + arrows", "mark blank"],
  ["Ctrl + Shift + arrows", "open again"],
  ["1 to 9", "colour, or the number"],
  ["Shift + digit", "note (numbers)"],
  ["U, R", "undo, redo"],
  ["T", "begin a trial"],
  ["+, −", "zoom; so do the wheel and two fingers"],
];

export function panel(game) {
  const { found } = game;
  const place = {
    standing: h("div.standing"),
    tools: h("div.tools"),
    steps: h("div.buttons"),
    trials: h("div"),
    result: h("div"),
    more: h("div.buttons"),
    hint: h("div"),
    ways: h("p.small"),
  };
  const watch = h("span.clock", { role: "timer", "aria-label": "Time" });
  const root = h(
    "aside.panel",
    { "aria-label": "The game" },
    h(
      "div",
      {},
      h("p.crumbs", {}, h("a", { href: game.address }, found.pack)),
      h("h1", {}, found.puzzle.title || "Puzzle"),
      h("p.quiet.small", {}, `${found.label} · ${found.puzzle.width}×${found.puzzle.height}`),
    ),
    ...Object.values(place),
    found.puzzle.text && h("pre", {}, found.puzzle.text),
    help(),
  );
  const address = `pack=${encodeURIComponent(game.session.pack)}&puzzle=${encodeURIComponent(game.session.puzzle)}`;
  place.ways.append(
    h("a", { href: `#/explain?${address}` }, "Explain it"),
    " · ",
    h("a", { href: `#/watch?${address}` }, "Watch it solved"),
  );
  const update = () => {
    const won = game.play.state === "won";
    place.standing.replaceChildren(standing(game), watch);
    place.tools.replaceChildren(...(won ? [] : tools(game)));
    place.steps.replaceChildren(...(won ? [] : steps(game)));
    place.trials.replaceChildren(...(won || game.hasLives ? [] : [trials(game)]));
    place.more.replaceChildren(...more(game, place.hint));
    if (game.play.version !== game.hintedAt) {
      place.hint.replaceChildren();
    }
    place.result.replaceChildren(...(won ? result(game) : []));
    watch.textContent = clock(game.session.clock);
  };
  return { root, update, tick: (text) => watch.textContent !== text && (watch.textContent = text) };
}

function help() {
  return h(
    "details.keys",
    {},
    h("summary", {}, "Keys"),
    h(
      "dl",
      {},
      HELP.map(([keys, what]) => [h("dt", {}, h("kbd", {}, keys)), h("dd", {}, what)]),
    ),
  );
}

function standing({ play, found, hasLives }) {
  if (!hasLives) {
    return h("span.quiet", {}, "Free play");
  }
  const told = `${play.lives} of ${found.lives} lives`;
  const marks = Array.from({ length: found.lives }, (_, index) => h(index < play.lives ? "i" : "i.lost"));
  return h("span.lives", { role: "img", "aria-label": told, title: told }, marks);
}

const pressed = (on, action, ...label) => h("button", { "aria-pressed": String(on), onclick: action }, ...label);

function tools(game) {
  const { puzzle } = game.found;
  if (puzzle.kind !== "nonogram") {
    const [least, most] = puzzle.values;
    const values = Array.from({ length: Math.min(most, 30) - least + 1 }, (_, at) => least + at);
    const note = game.tool === "mark";
    return [
      h(
        "div.group",
        { role: "group", "aria-label": "What a number does" },
        pressed(!note, () => game.choose("fill"), "Number"),
        pressed(note, () => game.choose("mark"), "Note"),
      ),
      h(
        "div.pad",
        {},
        values.map((value) => h("button", { onclick: () => game.enter(value) }, String(value))),
      ),
    ];
  }
  const fill = game.hasLives ? "Uncover" : "Fill";
  const group = h(
    "div.group",
    { role: "group", "aria-label": "What a cell becomes" },
    pressed(game.tool === "fill", () => game.choose("fill"), fill),
    pressed(game.tool === "mark", () => game.choose("mark"), "Mark"),
  );
  return puzzle.palette.length > 2 ? [group, colours(game)] : [group];
}

function colours(game) {
  const { palette } = game.found.puzzle;
  const swatch = (shade, index) => {
    const canvas = h("canvas", { width: 1, height: 1, "aria-hidden": "true" });
    const context = canvas.getContext("2d");
    context.fillStyle = game.shades[index + 1];
    context.fillRect(0, 0, 1, 1);
    const on = game.tool === "fill" && game.colour === index + 1;
    const label = `Colour ${index + 1}: ${shadeName(shade)}`;
    const attributes = { "aria-pressed": String(on), "aria-label": label, title: label };
    return h("button.swatch", { ...attributes, onclick: () => game.choose("fill", index + 1) }, canvas);
  };
  return h("div.buttons", { role: "group", "aria-label": "Colour" }, palette.slice(1).map(swatch));
}

function steps(game) {
  return [
    h("button", { disabled: !game.play.undo, onclick: () => game.ask("undo") }, "Undo"),
    h("button", { disabled: !game.play.redo, onclick: () => game.ask("redo") }, "Redo"),
  ];
}

function trials(game) {
  const depth = game.play.trials;
  if (!depth) {
    return h("div.buttons", {}, h("button", { onclick: () => game.ask("trial") }, "Try something"));
  }
  return h(
    "div.trial",
    { role: "group", "aria-label": "Trial" },
    h("p.small", {}, depth === 1 ? "On trial: new cells can be taken back whole." : `On trial, ${depth} deep.`),
    h(
      "div.buttons",
      {},
      h("button", { onclick: () => game.ask("accept") }, "Keep"),
      h("button", { onclick: () => game.ask("reject") }, "Take back"),
      h("button", { onclick: () => game.ask("trial") }, "Try deeper"),
    ),
  );
}

function more(game, hinting) {
  const won = game.play.state === "won";
  const buttons = [h("button", { onclick: () => game.restart(game.play.style) }, won ? "Play again" : "Start anew")];
  if (!won) {
    buttons.unshift(h("button", { onclick: () => hint(game, hinting) }, "Hint"));
  }
  if (!game.hasLives && !won && game.found.goal) {
    buttons.unshift(h("button", { onclick: () => game.ask("check") }, "Check"));
  }
  if (game.found.goal) {
    const [style, text] = game.hasLives ? ["free", "Free play"] : ["lives", "With lives"];
    buttons.push(h("button", { onclick: () => game.restart(style) }, text));
  }
  return buttons;
}

function result(game) {
  const medal = game.play.won;
  return [
    h("p", { role: "status" }, h("strong", {}, "Solved"), ` in ${clock(game.play.seconds)}: ${medal}.`),
    h(
      "p.buttons",
      {},
      game.found.next
        ? h("a.button.primary", { href: `${game.address}/${encodeURIComponent(game.found.next)}` }, "Next puzzle")
        : h("a.button.primary", { href: game.address }, "Back to the pack"),
    ),
  ];
}
