// The puzzle that Watch and Explain are about: of a pack, of our own, or from a text. Both rooms have the same one.

import { get, part, post } from "./api.js";
import { askText, button, h, select } from "./dom.js";

const MINE = "own";
const PASTED = "/pasted";
let current = null;

/** Let Watch or Explain begin with this puzzle. */
export function choose(puzzle) {
  current = { puzzle, pack: PASTED };
}

async function puzzlesOf(pack) {
  if (pack === MINE) return (await get("/api/make/own")).map((one) => ({ ...one, name: String(one.id) }));
  return pack && pack !== PASTED ? (await get(`/api/play/packs/${part(pack)}`)).puzzles : [];
}

async function found(pack, name) {
  const path = pack === MINE ? "/api/make/own" : `/api/play/packs/${part(pack)}`;
  return { puzzle: (await get(`${path}/${part(name)}`)).puzzle, pack, name };
}

const size = ({ width, height }) => `${width}×${height}`;

/** A bar to choose a puzzle by; `onPuzzle(puzzle)` is called with the first one too. */
export async function chooser(query, onPuzzle) {
  const packs = (await get("/api/play/packs")).filter((one) => one.name !== MINE);
  const names = [...packs.map(({ name, title }) => [name, title]), [MINE, "My puzzles"], [PASTED, "Pasted"]];
  const pack = select("Pack", names, (which) => turnTo(which));
  const name = select("Puzzle", [], (which) => take(pack.value, which));
  const told = h("span.quiet.small");
  let turn = 0;

  async function fill(which) {
    const puzzles = await puzzlesOf(which);
    const option = (one) => h("option", { value: one.name }, `${one.title || one.name} · ${size(one)}`);
    name.replaceChildren(...puzzles.map(option));
    name.hidden = !puzzles.length;
    return puzzles;
  }

  /** A pack's first puzzle; `worth`: one that is neither tiny nor large. */
  async function turnTo(which, worth = false) {
    const mine = ++turn;
    const puzzles = await fill(which);
    const first = (worth && puzzles.find(({ width }) => width >= 15)) || puzzles[0];
    if (mine !== turn) return;
    if (first) await take(which, first.name);
    else told.textContent = which === MINE ? "Nothing yet: what you save in Make is kept here." : "";
  }

  async function take(which, puzzle) {
    const mine = ++turn;
    const one = await found(which, puzzle);
    if (mine === turn) adopt(one);
  }

  function adopt(one) {
    current = one;
    pack.value = one.pack;
    name.hidden = one.pack === PASTED;
    name.value = one.name ?? "";
    told.textContent = one.name ? "" : `${one.puzzle.title || "untitled"} · ${size(one.puzzle)}`;
    onPuzzle(one.puzzle);
  }

  const paste = () =>
    askText(async (text) => adopt({ puzzle: (await post("/api/make/read", { text })).puzzles[0].puzzle, pack: PASTED }));

  if (query.get("pack")) current = await found(query.get("pack"), query.get("puzzle"));
  if (current) {
    await fill(current.pack);
    adopt(current);
  } else {
    await turnTo(packs[0]?.name, true);
  }
  return h("div.choose", pack, name, button("Paste…", paste), told);
}
