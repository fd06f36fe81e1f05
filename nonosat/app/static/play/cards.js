// The cards: packs with what is solved of them; puzzles in grey, silver or gold.

import { get } from "../api.js";
import { h, thumbnail } from "../dom.js";

export function clock(seconds) {
  const [minutes, rest] = [Math.floor(seconds / 60), Math.floor(seconds % 60)];
  const hours = Math.floor(minutes / 60);
  const padded = (number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${padded(minutes % 60)}:${padded(rest)}` : `${minutes}:${padded(rest)}`;
}

/** A pack's icon, in the page's accent colour. */
function icon(rows) {
  const accent = getComputedStyle(document.documentElement).getPropertyValue("--accent").trim();
  const cells = rows.flatMap((row) => [...row].map((symbol) => (symbol === "#" ? 1 : 0)));
  const drawn = thumbnail({ cells, palette: ["transparent", accent] }, rows[0].length, "");
  drawn.classList.add("pack-icon");
  drawn.setAttribute("aria-hidden", "true");
  drawn.removeAttribute("role");
  drawn.removeAttribute("aria-label");
  return drawn;
}

export async function mountPacks(el) {
  const packs = await get("/api/play/packs");
  el.append(
    h("h1", {}, "Play"),
    h(
      "ul.cards",
      {},
      packs.map((pack) => h("li", {}, packCard(pack))),
    ),
  );
}

function packCard(pack) {
  const told = `${pack.percent} % · ${pack.solved} of ${pack.count}`;
  return h(
    "a.card.pack-card",
    { href: `#/play/${encodeURIComponent(pack.name)}`, "data-pack": pack.name },
    icon(pack.icon),
    h(
      "div",
      {},
      h("h2", {}, pack.title),
      h("p.quiet.small.numbers", {}, told),
      h("progress", { value: pack.solved, max: pack.count, "aria-label": `solved: ${told}` }),
    ),
  );
}

export async function mountPack(el, name) {
  const pack = await get(`/api/play/packs/${encodeURIComponent(name)}`);
  document.title = `${pack.title} · nonosat`;
  el.append(
    h("p.crumbs", {}, h("a", { href: "#/play" }, "Packs")),
    h("h1", {}, pack.title),
    h(
      "ul.cards.small-cards",
      {},
      pack.puzzles.map((puzzle) => h("li", {}, puzzleCard(name, puzzle))),
    ),
  );
}

const STATES = {
  untouched: "not begun",
  playing: "begun",
  silver: "solved: silver",
  gold: "solved: gold",
};

function puzzleCard(pack, puzzle) {
  const medal = puzzle.won || "none";
  const state = puzzle.state === "playing" ? "playing" : puzzle.won || "untouched";
  const title = puzzle.won || !puzzle.hidden ? puzzle.title : `No. ${puzzle.name}`;
  return h(
    "a.card.puzzle-card",
    {
      href: `#/play/${encodeURIComponent(pack)}/${encodeURIComponent(puzzle.name)}`,
      "data-won": medal,
      "data-state": puzzle.state,
    },
    h(
      "div.face.numbers",
      {},
      puzzle.picture
        ? thumbnail(puzzle.picture, puzzle.width, `The picture: ${title}`)
        : `${puzzle.width}×${puzzle.height}`,
    ),
    h("h2", {}, title || `No. ${puzzle.name}`),
    h(
      "p.state",
      {},
      h(`span.dot.${state === "playing" ? "started" : state}`),
      STATES[state],
      puzzle.won && state === "playing" ? ` (${puzzle.won})` : "",
    ),
    h("p.label", {}, [puzzle.label, `${puzzle.width}×${puzzle.height}`].filter(Boolean).join(" · ")),
  );
}
