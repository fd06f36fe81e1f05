// Play: the beginning with all packs, a pack's puzzles in grey, silver or gold, or a game, as the address says.

import { get, module, part, post } from "../api.js";
import { newPuzzle } from "../play/new.js";
import { askText, button, calledBy, fill, go, h, heightShades, kindName, MEDALS, pause, percent, shadesOf, size, thumbnail } from "../dom.js";

const LABELS = ["trivial", "easy", "normal", "medium", "hard"];

export async function mount(el, { words: [pack, puzzle], signal }) {
  if (!pack || !puzzle) {
    await (pack === "begun" ? mountBegun(el) : pack && pack !== "new" ? mountPack(el, pack) : mountHome(el, signal));
    pause().then(loadGame).catch(() => {}); // which is there by the time that a card is chosen
    return;
  }
  if (!Game) await loadGame();
  return new Game(el, pack, puzzle).open(signal);
}

let Game = null; // the cards need no board

/** Once it is there nobody waits for it: even an import of what is loaded takes a turn, in which the page is painted. */
async function loadGame() {
  ({ Game } = await module("./play/game.js"));
}

function icon(rows) {
  const cells = [...rows.join("")].map((symbol) => (symbol === "#" ? 1 : 0));
  const accent = getComputedStyle(document.documentElement).getPropertyValue("--accent").trim();
  const drawn = thumbnail({ cells, palette: ["transparent", accent] }, rows[0].length);
  drawn.classList.add("pack-icon");
  return drawn;
}

/** A puzzle that somebody shared is kept among one's own, and played. */
async function playText(text) {
  const { puzzle, cells } = (await post("/api/make/read", { text })).puzzles[0];
  const { id, there } = await post("/api/make/save", { puzzle, goal: cells ?? undefined, received: true });
  go(`#/play/own/${id}`, there && "This puzzle is among yours already: here it is.");
}

async function mountHome(el, signal) {
  document.addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text");
    if (!text || event.target.matches?.("input, textarea")) return;
    event.preventDefault();
    playText(text);
  }, { signal });
  const [packs, last] = await Promise.all(["/api/play/packs", "/api/play/last"].map(get));
  const lessons = packs.find(({ name }) => name === "learn");
  const fresh = !last.length && packs.every(({ solved }) => !solved);
  fill(el,
    h("h1", "Play"),
    fresh && lessons && h("section.welcome", h("div",
      h("p.lead", "Puzzles to play, to make, and to see solved."),
      h("p", "A nonogram is a picture that hides behind numbers: each number says how many cells of its line are filled. " +
        "No guessing is needed. Nothing leaves this machine, and every move is kept."),
      h("p.buttons", h("a.button.primary", { href: "#/play/learn/1" }, "Learn it in half a minute"),
        h("a.button", { href: "#/play/learn/2" }, "Skyscrapers instead"))), icon(lessons.icon)),
    last.length > 0 && [h("h2", "Continue"), lastCards(last), h("p.small", h("a", { href: "#/play/begun" }, "All that you began"))],
    newPuzzle(button("Paste a puzzle…", () => askText(playText))),
    h("h2", "Packs"),
    h("ul.cards", packs.map((pack) => h("li", packCard(pack)))));
}

/** All boards that are under way. */
async function mountBegun(el) {
  const boards = await get("/api/play/begun");
  const none = h("p.quiet", "No board is under way.");
  fill(el, h("p.crumbs", h("a", { href: "#/play" }, "Play")), h("h1", "Begun, not yet solved"), boards.length ? lastCards(boards) : none);
}

const lastCards = (boards) => h("ul.cards", boards.map((one) => h("li", lastCard(one))));

/** A board that is under way, as it stands. */
function lastCard(one) {
  const { pack, name, cells, palette, width, label, share, shelf } = one;
  const shades = palette ? shadesOf(palette) : heightShades(Math.max(1, ...cells));
  const called = calledBy(one, pack);
  const drawn = thumbnail({ cells, palette: shades }, width);
  drawn.classList.add("pack-icon", "framed");
  return h("a.card.pack-card", { href: `#/play/${part(pack)}/${part(name)}`, "data-last": `${pack}/${name}` }, drawn, h("div",
    h("h3", `${shelf} · ${called}`),
    h("p.quiet.small", [kindName(one), size(one), label].filter(Boolean).join(" · ")),
    h("progress", { value: share, max: 1, label: `done: ${percent(share)}` })));
}

function packCard(pack) {
  const { name, title, solved, count, percent, shapes, kinds } = pack;
  const labels = LABELS.filter((label) => pack.labels.includes(label));
  const text = `${percent} % · ${solved} of ${count}`;
  const [small, large] = shapes.map(([height, width]) => size({ height, width }));
  const sizes = small === large ? small : `${small} to ${large}`;
  const hard = labels.length > 2 ? `${labels[0]} to ${labels.at(-1)}` : labels.join(", ");
  const kind = kinds.map((one) => kindName({ kind: one })).join(", ");
  return h("a.card.pack-card", { href: `#/play/${part(name)}`, "data-pack": name }, icon(pack.icon), h("div",
    h("h3", title),
    h("p.quiet.small", [kind, sizes, hard].filter(Boolean).join(" · ")),
    h("p.quiet.small.numbers.of", h("progress", { value: solved, max: count, label: `solved: ${text}` }), text)));
}

async function mountPack(el, name) {
  const pack = await get(`/api/play/packs/${part(name)}`);
  document.title = `${pack.title} · nonosat`;
  const { kinds } = pack;
  const next = pack.puzzles.find(({ won, state }) => !won && state !== "playing");
  fill(el,
    h("p.crumbs", h("a", { href: "#/play" }, "Packs")), h("h1", pack.title),
    kinds.length === 1 && h("p.quiet", kindName({ kind: kinds[0] })),
    pack.solved > 0 && h("p.quiet.small", MEDALS),
    h("ul.cards.small-cards", pack.puzzles.map((puzzle) => h("li", puzzleCard(name, puzzle, puzzle === next, kinds.length > 1)))));
}

const STATES = { untouched: "not begun", playing: "begun", silver: "solved: silver", gold: "solved: gold" };

function puzzleCard(pack, puzzle, next, mixed) {
  const { name, won, state, picture, width, label, share } = puzzle;
  const shown = state === "playing" ? state : won || "untouched";
  const called = calledBy(puzzle, pack);
  const now = shown === "playing" ? `begun: ${percent(share)}` : STATES[shown];
  return h("a.card.puzzle-card", { href: `#/play/${part(pack)}/${part(name)}`, "data-won": won || "none", "data-next": next },
    h("div.face.numbers", picture ? thumbnail(picture, width, `The picture: ${called}`) : size(puzzle)),
    h("h2", called),
    h("p.state", h(`span.dot.${shown === "playing" ? "started" : shown}`), now, won && state === "playing" && ` (${won})`),
    h("p", [mixed && kindName(puzzle), label, size(puzzle)].filter(Boolean).join(" · ")));
}
