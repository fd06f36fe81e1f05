// Beside the board: what the puzzle is, tools to draw or type it with, and what can be done with it.

import { h, notice } from "../dom.js";
import { post } from "../api.js";
import { entry } from "./entry.js";
import { told } from "./state.js";

const WORDS = {
  lines: "Solvable by lines",
  unique: "Unique",
  several: "Several solutions",
  none: "No solution",
  unsettled: "Not settled",
};
const MOST = 100;

const pressed = (on, action, ...label) => h("button", { "aria-pressed": String(on), onclick: action }, ...label);

export function panel(maker) {
  const place = { ways: h("div.group", { role: "group", "aria-label": "How it is made" }), tools: h("div.tools") };
  const light = h("div.light", { role: "status" });
  const looks = h("div.group", { role: "group", "aria-label": "Shown on the board" });
  const files = h("div.files");
  const title = h("input", {
    "aria-label": "Title",
    placeholder: "Title",
    maxlength: 100,
    oninput: () => (maker.puzzle = { ...maker.puzzle, title: title.value }),
  });
  const root = h(
    "aside.panel",
    { "aria-label": "The puzzle" },
    h("h1.out", {}, "Make a puzzle"),
    title,
    light,
    looks,
    h(
      "div.group",
      { role: "group", "aria-label": "Repair: change few cells until the puzzle is" },
      h(
        "button",
        { onclick: () => maker.repair(false), title: "Change few cells until there is one solution" },
        "Make unique",
      ),
      h(
        "button",
        { onclick: () => maker.repair(true), title: "Change few cells until lines alone solve it" },
        "… by lines",
      ),
    ),
    h("hr"),
    place.ways,
    place.tools,
    h("hr"),
    files,
  );
  const update = () => {
    title.value = maker.puzzle.title;
    root.dataset.way = maker.drawn ? "drawn" : "typed";
    const nonogram = maker.puzzle.kind === "nonogram";
    place.ways.replaceChildren(
      ...(nonogram
        ? [
            pressed(maker.drawn, () => maker.way(true), "Draw"),
            pressed(!maker.drawn, () => maker.way(false), "Type clues"),
          ]
        : []),
    );
    looks.replaceChildren(
      pressed(maker.look === "heat", () => maker.lookAt("heat"), "Heat map"),
      pressed(maker.look === "shared", () => maker.lookAt("shared"), "Differences"),
    );
    if (maker.drawn) {
      place.tools.replaceChildren(...drawing(maker));
    }
  };
  const rebuild = () => {
    place.tools.replaceChildren(
      ...(maker.drawn || maker.puzzle.kind !== "nonogram" ? [] : [colours(maker), entry(maker)]),
    );
    files.replaceChildren(...doing(maker));
    update();
  };
  rebuild();
  return { root, update, rebuild, light: () => shine(light, maker) };
}

/** The light: in words too, since colours are not for everybody. */
function shine(light, maker) {
  const { about, failed, asking, stale } = maker;
  const say = (verdict, word, more) => {
    light.dataset.verdict = verdict;
    light.replaceChildren(h("i"), h("div", {}, h("strong", {}, word), h("p.small", {}, more)));
  };
  light.dataset.busy = String(Boolean(asking || stale));
  if (failed) {
    say("failed", "Not a puzzle", failed);
  } else if (about) {
    const plain = ["several", "none"].includes(about.verdict) || !about.label;
    say(about.verdict, headline(about) + (plain ? "" : ` · ${about.label}`), details(about, maker));
  } else {
    say("", "Looking …", "For the first time on a machine this takes a while.");
  }
}

function headline({ verdict, solutions }) {
  return verdict === "several" && solutions
    ? `${solutions.length > 12 ? "Very many" : solutions} solutions`
    : WORDS[verdict];
}

function details(about, maker) {
  const { verdict, reason, shared, exact, helpful, heat, tried_all: triedAll } = about;
  if (verdict === "none") {
    return reason ?? "The clues contradict each other.";
  }
  if (verdict === "lines") {
    return "One solution, and nobody has to guess.";
  }
  const parts = [];
  if (verdict === "several") {
    const differ = shared.filter((value) => value < 0).length;
    parts.push(`${exact ? "" : "At least "}${differ} cells differ between solutions.`);
  } else if (verdict === "unique") {
    parts.push("One solution, but lines alone do not find it.");
  } else {
    parts.push("A second solution was neither found nor ruled out.");
  }
  if (heat && maker.drawn) {
    const some = helpful
      ? `${helpful} single ${helpful === 1 ? "cell" : "cells"} would make it solvable by lines`
      : "No single cell that was tried is enough";
    parts.push(`${some}${triedAll ? "" : " (not all were tried)"}.`);
  }
  return parts.join(" ");
}

function drawing(maker) {
  const { puzzle } = maker;
  const side = (label, value) => h("input", { type: "number", min: 1, max: MOST, value, "aria-label": label });
  const [rows, columns] = [side("Rows", puzzle.height), side("Columns", puzzle.width)];
  const resize = () => {
    const [height, width] = [rows, columns].map((input) => Math.round(Number(input.value)));
    if ([height, width].every((count) => count >= 1 && count <= MOST)) {
      maker.resize(height, width);
    } else {
      notice(`Sizes are from 1 to ${MOST}.`);
    }
  };
  return [
    h("div.size", {}, rows, "×", columns, h("button", { onclick: resize }, "Resize")),
    colours(maker),
    h(
      "div.buttons",
      {},
      h("button", { disabled: !maker.past.length, onclick: () => maker.step("undo") }, "Undo"),
      h("button", { disabled: !maker.future.length, onclick: () => maker.step("redo") }, "Redo"),
      h("button", { onclick: () => maker.clear() }, "Clear"),
    ),
  ];
}

function colours(maker) {
  const { palette } = maker.puzzle;
  const swatch = (shade, index) => {
    const canvas = h("canvas", { width: 1, height: 1, "aria-hidden": "true" });
    const context = canvas.getContext("2d");
    context.fillStyle = shade;
    context.fillRect(0, 0, 1, 1);
    const name = index === 0 ? "Blank" : palette.length > 2 ? `Colour ${index}` : "Filled";
    const on = maker.colour === index;
    return h(
      "button.swatch",
      { "aria-pressed": String(on), "aria-label": name, title: name, onclick: () => maker.choose(index) },
      canvas,
    );
  };
  const tone = h("input.tone", {
    type: "color",
    value: palette[Math.max(1, maker.colour)],
    "aria-label": "Shade of this colour",
  });
  tone.disabled = maker.colour === 0;
  tone.addEventListener("change", () => maker.recolour(tone.value));
  return h(
    "div.buttons.palette",
    { role: "group", "aria-label": "Colours" },
    palette.map(swatch),
    tone,
    palette.length <= 12 &&
      h("button", { onclick: () => maker.addColour(), "aria-label": "Add a colour", title: "Add a colour" }, "+"),
  );
}

function doing(maker) {
  const paper = h(
    "select",
    { "aria-label": "Paper" },
    ["A4", "Letter", "A3"].map((name) => h("option", {}, name)),
  );
  const format = h("select", { "aria-label": "File format" });
  post("/api/make/formats", told(maker)).then(
    (names) => format.replaceChildren(...names.map((name) => h("option", {}, name))),
    () => {},
  );
  const link = h("input.link", { readonly: true, "aria-label": "Link", hidden: true });
  const share = async () => {
    link.value = await maker.share();
    link.hidden = false;
    link.select();
    await navigator.clipboard?.writeText(link.value).then(
      () => notice("The link is copied."),
      () => {},
    );
  };
  return [
    h(
      "div.buttons",
      {},
      h("button.primary", { onclick: () => maker.save() }, "Save"),
      maker.id && h("button", { onclick: () => maker.save(true) }, "Save as new"),
      h("button", { onclick: share }, "Share"),
    ),
    link,
    h("div.pair", {}, format, h("button", { onclick: () => maker.export(format.value) }, "Export")),
    h("div.pair", {}, paper, h("button", { onclick: () => maker.print(paper.value) }, "Print (PDF)")),
    h(
      "div.buttons",
      {},
      h("button", { onclick: () => maker.bringText() }, "Paste text…"),
      h("button", { onclick: () => maker.bringImage() }, "Image…"),
      h("button", { onclick: () => maker.solve() }, "Solve"),
      h("a.button", { href: "#/make/mine" }, "My puzzles"),
    ),
  ];
}
