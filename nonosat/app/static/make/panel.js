// Beside the board: what the puzzle is, tools, and what can be done with it.

import { askText, button, fill, group, h, keysStay, lasting, notice, options, papers, primary, select, signed, swatch, toggle } from "../dom.js";
import { ClueEntry, TowersEntry } from "./entry.js";
import { Sharing } from "./sharing.js";
import { nextShade, resized, towers } from "./state.js";

const LEGENDS = {
  heat: "Framed: a change of this cell alone makes the puzzle unique; in full colour, solvable by lines too. Paler: it leaves fewer cells open.",
  shared: "Framed: solutions differ in this cell.",
};
const MOST = 100;
const MOST_TOWERS = 30;

export function panel(maker) {
  const ways = group("div.group", "How it is made");
  const tools = h("div.tools.hand");
  const typing = h("div.typing");
  keysStay(tools, () => maker.view);
  let entry = null;
  const light = h("div.light", { role: "status" });
  const looks = group("div.group", "Shown on the board");
  const legend = h("p.small.quiet");
  const files = h("div.files");
  const sharing = new Sharing(maker);
  const title = h("input", { label: "Title", placeholder: "Title", maxlength: 100,
    oninput: () => {
      maker.puzzle.title = title.value;
      maker.changed();
    } });
  const stands = h("p.quiet.small");
  const standing = () => fill(stands, maker.draft.name ? "A draft: it is kept as it is, until you save it." : maker.id ? "Saved." : "");
  const mend = (text, more, byLines) => button(text, () => maker.repair(byLines), { title: `Change few cells until ${more}` });
  const repairs = group("div.group", "Repair: change few cells until the puzzle is",
    mend("Make unique", "there is one solution", false), mend("… by lines", "lines alone solve it", true));
  const root = h("aside.panel", { label: "The puzzle" }, h("h1.board-unseen", "Make a puzzle"),
    h("div.tools", title, stands), light, looks, legend, repairs, h("hr"), ways, tools, typing, h("hr"), files);

  const shown = () => {
    const { about, drawn, failed, look } = maker;
    legend.hidden = Boolean(failed) || !{ heat: drawn && about?.heat, shared: about?.verdict === "several" }[look];
    fill(legend, LEGENDS[look]);
  };
  const update = () => {
    const { kind } = maker.puzzle;
    const look = (name, text) => toggle(maker.look === name, text, () => maker.lookAt(name));
    title.value = maker.puzzle.title;
    standing();
    shown();
    root.dataset.way = maker.drawn ? "drawn" : "typed";
    repairs.hidden = kind !== "nonogram";
    const way = (drawn, text) => toggle(maker.drawn === drawn, text, () => maker.way(drawn));
    fill(ways, kind === "nonogram" && [way(true, "Draw"), way(false, "Type clues")]);
    fill(looks, maker.drawn && look("heat", "Heat map"), look("shared", "Differences"));
    if (maker.drawn) fill(tools, drawing(maker));
  };
  /** Typed clues stay where they are while they change: only the lines that are others are made anew. */
  const type = (kind) => {
    const Entry = maker.drawn ? null : { nonogram: ClueEntry, skyscrapers: TowersEntry }[kind];
    if (entry?.constructor !== Entry || entry?.size !== maker.puzzle.size) {
      entry = Entry ? new Entry(maker) : null;
      fill(typing, entry?.root);
    }
    entry?.update();
  };
  const rebuild = () => {
    const { kind } = maker.puzzle;
    const first = {
      nonogram: () => colours(maker),
      skyscrapers: () => sizing(MOST_TOWERS, { Size: maker.puzzle.size }, (size) => maker.become(towers(size, maker.puzzle))),
    }[kind];
    if (!maker.drawn) fill(tools, first && [first(), steps(maker)]);
    type(kind);
    fill(files, doing(maker, sharing));
    update();
  };
  rebuild();
  const changed = () => {
    sharing.hide(); // what it shows is of the puzzle before
    standing();
  };
  const shines = () => {
    repairs.querySelectorAll("button").forEach((one) => (one.disabled = Boolean(maker.repairing)));
    shine(light, maker, entry?.why);
    shown();
  };
  return { root, update, rebuild, changed, light: shines, unread: () => entry?.why };
}

let analysed = false; // anything, by this page

/** The light: what the puzzle is, in words too, since colours are not for everybody. */
function shine(light, { about, away, failed, asking, repairing, stale }, unread) {
  analysed ||= Boolean(about);
  const fault = unread ?? failed;
  const known = fault ? { verdict: "failed", headline: "Not a puzzle", details: fault } : about;
  const first = analysed ? "" : "For the first time on a machine this takes a while.";
  const waiting = away && { headline: "Not known yet", details: "The server does not answer. It is asked again when it does." };
  const mending = repairing && { headline: "Repairing …", details: "A large board takes a while. A change of the picture ends it." };
  const { verdict = "", headline, details } = mending || waiting || known || { headline: "Looking …", details: first };
  Object.assign(light.dataset, { verdict, busy: Boolean(asking || stale || repairing) });
  fill(light, h("i"), h("div", h("strong", headline), h("p.small", details)));
}

function sizing(most, sides, take) {
  const fields = Object.entries(sides).map(([label, value]) => h("input", { type: "number", min: 1, max: most, value, label }));
  const resize = () => {
    const sizes = fields.map((input) => Math.round(Number(input.value)));
    if (sizes.every((count) => count >= 1 && count <= most)) take(...sizes);
    else notice(`Sizes are from 1 to ${most}.`);
  };
  return h("div.size", fields.map((input, at) => [at > 0 && "x", input]), button("Resize", resize));
}

function drawing(maker) {
  return [
    colours(maker),
    steps(maker, button("Clear", () => maker.become({ ...maker.state, cells: maker.cells.map(() => 0) }))),
    sizing(MOST, { Rows: maker.puzzle.height, Columns: maker.puzzle.width }, (...sizes) => maker.become(resized(maker, ...sizes))),
  ];
}

function steps(maker, more) {
  const step = (text, type, left) => button(text, () => maker.step(type), { disabled: !left.length });
  return h("div.buttons", step("Undo", "undo", maker.past), step("Redo", "redo", maker.future), more);
}

function colours(maker) {
  const { palette } = maker.puzzle;
  const shades = maker.place.querySelector(".board")?.boardView.face.shades ?? palette; // as the board paints them
  const letter = (index) => String.fromCharCode(96 + index);
  const named = !maker.drawn && palette.length > 2; // clues that are typed name their colours
  const name = (index) => (index === 0 ? "Blank" : palette.length > 2 ? `Colour ${index}${named ? `: ${letter(index)}` : ""}` : "Filled");
  const one = (shade, index) => {
    const made = swatch(shades[index] ?? shade, maker.colour === index, name(index), () => maker.choose(index));
    if (named && index > 0) made.append(letter(index));
    return made;
  };
  const tone = h("input.tone", { type: "color", value: palette[Math.max(1, maker.colour)], label: "Shade of this colour",
    disabled: maker.colour === 0, onchange: () => maker.paint(palette.with(maker.colour, tone.value)) });
  const add = () => {
    maker.paint([...palette, nextShade(palette)]);
    maker.choose(palette.length);
  };
  const more = signed("+", "Add a colour", add);
  return group("div.buttons", "Colours", palette.map(one), tone, palette.length <= 12 && more);
}

function doing(maker, sharing) {
  const [paper, format] = [papers(), select("File format", [])];
  maker.ask("formats").then((names) => fill(format, options(names)), () => {});
  return [
    h("div.buttons", primary("Save", () => maker.save()),
      maker.id && button("Save as new", () => maker.save(true)), button("Share", () => sharing.show())),
    sharing.root,
    h("div.pair", format, lasting("Export", () => maker.download("export", { format: format.value }))),
    h("div.pair", paper, lasting("Print (PDF)", () => maker.download("booklet", { paper: paper.value }))),
    h("div.buttons", button("Paste text…", () => askText((text) => maker.readText(text))),
      button("Image…", () => maker.askImage(null)),
      button("Solve", () => maker.solve()), h("a.button", { href: "#/make/new" }, "New nonogram"),
      h("a.button", { href: "#/make/new/skyscrapers" }, "New Skyscrapers"), h("a.button", { href: "#/make/mine" }, "My puzzles")),
  ];
}
