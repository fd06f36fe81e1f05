// Play: the packs, a pack's puzzles in grey, silver or gold, or a game, as the address says.

import { get, part } from "../api.js";
import { h, size, thumbnail } from "../dom.js";

export async function mount(el, { words: [pack, puzzle], signal }) {
  if (!pack || !puzzle) return pack ? mountPack(el, pack) : mountPacks(el);
  const { Game } = await import("../play/game.js"); // the cards need no board
  return new Game(el, pack, puzzle).open(signal);
}

function icon(rows) {
  const accent = getComputedStyle(document.documentElement).getPropertyValue("--accent").trim();
  const cells = [...rows.join("")].map((symbol) => (symbol === "#" ? 1 : 0));
  const drawn = thumbnail({ cells, palette: ["transparent", accent] }, rows[0].length);
  drawn.classList.add("pack-icon");
  return drawn;
}

async function mountPacks(el) {
  const packs = await get("/api/play/packs");
  el.append(h("h1", "Play"), h("ul.cards", packs.map((pack) => h("li", packCard(pack)))));
}

function packCard(pack) {
  const told = `${pack.percent} % · ${pack.solved} of ${pack.count}`;
  return h("a.card.pack-card", { href: `#/play/${part(pack.name)}`, "data-pack": pack.name }, icon(pack.icon), h("div",
    h("h2", pack.title),
    h("p.quiet.small.numbers", told),
    h("progress", { value: pack.solved, max: pack.count, label: `solved: ${told}` })));
}

async function mountPack(el, name) {
  const pack = await get(`/api/play/packs/${part(name)}`);
  document.title = `${pack.title} · nonosat`;
  el.append(
    h("p.crumbs", h("a", { href: "#/play" }, "Packs")), h("h1", pack.title),
    h("ul.cards.small-cards", pack.puzzles.map((puzzle) => h("li", puzzleCard(name, puzzle)))));
}

const STATES = { untouched: "not begun", playing: "begun", silver: "solved: silver", gold: "solved: gold" };

function puzzleCard(pack, puzzle) {
  const { name, won, state, title, picture, width, label } = puzzle;
  const shown = state === "playing" ? state : won || "untouched";
  const called = title || `No. ${name}`;
  return h("a.card.puzzle-card", { href: `#/play/${part(pack)}/${part(name)}`, "data-won": won || "none" },
    h("div.face.numbers", picture ? thumbnail(picture, width, `The picture: ${called}`) : size(puzzle)),
    h("h2", called),
    h("p.state", h(`span.dot.${shown === "playing" ? "started" : shown}`), STATES[shown], won && state === "playing" && ` (${won})`),
    h("p", [label, size(puzzle)].filter(Boolean).join(" · ")));
}
