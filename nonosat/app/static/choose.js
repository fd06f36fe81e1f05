// A room about a puzzle of a pack, of our own, or from a text: the same one in Watch and Explain.

import { get, part, post } from "./api.js";
import { newName, outbox } from "./outbox.js";
import { askText, button, calledBy, fill, h, options, select, setAddress, shownAt, size, turns } from "./dom.js";

const MINE = "own";
const PASTED = "/pasted";
const PLACES = ["pack", "puzzle", "share", "draft"]; // of an address: what brings the puzzle back
const EVERY_MS = 200;
let current = null;

export function choose(puzzle) {
  current = { puzzle, pack: PASTED };
}

/** What of an address brings the puzzle back, and what a room keeps beside it. */
function parted(query) {
  const [place, rest] = [new URLSearchParams(), new URLSearchParams()];
  query.forEach((value, key) => (PLACES.includes(key) ? place : rest).set(key, value));
  return [String(place), rest];
}

/** The puzzle that an address tells of (`addressed`). */
async function ofAddress(query) {
  const [place] = parted(query);
  if (query.get("pack")) return { ...(await found(query.get("pack"), query.get("puzzle"))), address: place };
  const [share, draft] = [query.get("share"), query.get("draft")];
  if (current && current.address === place) return current;
  const pasted = (puzzle) => ({ puzzle, pack: PASTED, address: place });
  if (share) return pasted((await post("/api/make/read", { text: share })).puzzles[0].puzzle);
  if (draft) return pasted((await get(`/api/make/drafts/${part(draft)}`)).puzzle);
  return current;
}

/** What of the address brings a puzzle back: its place, its shared string, or, where its kind has none, a draft of it. */
async function addressed({ puzzle, pack, name }) {
  if (name) return new URLSearchParams({ pack, puzzle: name });
  const kept = async () => {
    const draft = newName();
    await outbox.add("/api/make/draft", { draft, puzzle, cells: null, drawn: false });
    return { draft };
  };
  return new URLSearchParams(await post("/api/make/share", { puzzle }).catch(kept));
}

/** One of ours, or of a pack: that is called by its title when it has been solved. */
async function found(pack, name) {
  if (pack === MINE) return { puzzle: (await get(`/api/make/own/${part(name)}`)).puzzle, pack, name };
  const { puzzle, secret, play } = await get(`/api/play/packs/${part(pack)}/${part(name)}`);
  const title = calledBy({ name, title: puzzle.title, secret, won: play.won }, pack);
  return { puzzle: { ...puzzle, title }, pack, name };
}

/** A bar with `more` in it to choose a puzzle by, which `show(place, puzzle, { signal, again, rest, keep })` shows, and
 * `again()` again. `rest` is what the address has beside the puzzle's place; `keep({ key: text or null })` changes that. */
export async function mountChosen(el, title, { query, signal }, show, more) {
  const place = h("div");
  const bar = h("div.bar");
  const [showing, choosing] = [turns(signal), turns(signal)];
  let rest = parted(query)[1];
  let changing = 0;
  window.addEventListener("pagehide", () => write(current), { signal });
  const heading = h("h1", title);
  fill(bar, heading);
  el.append(bar, place);

  const packs = (await get("/api/play/packs")).filter((one) => one.name !== MINE);
  const names = [...packs.map(({ name, title: called }) => [name, called]), [MINE, "My puzzles"], [PASTED, "Pasted"]];
  const pack = select("Pack", names, (which) => turnTo(which));
  const name = select("Puzzle", [], (which) => take(pack.value, which));
  const note = h("span.quiet.small");

  async function list(which) {
    const puzzles = which && which !== PASTED ? (await get(`/api/play/packs/${part(which)}`)).puzzles : [];
    fill(name, options(puzzles.map((one) => [one.name, `${calledBy(one, which)} · ${size(one)}`])));
    name.hidden = !puzzles.length;
    return puzzles;
  }

  /** A pack's first puzzle; `worth`: one that is neither tiny nor large. */
  async function turnTo(which, worth = false) {
    const mine = choosing();
    const puzzles = await list(which);
    const first = (worth && puzzles.find(({ width }) => width >= 15)) || puzzles[0];
    if (mine.aborted) return;
    if (first) await take(which, first.name);
    else fill(note, which === MINE ? "Nothing yet: what you save in Make is kept here." : "");
  }

  async function take(which, puzzle) {
    const mine = choosing();
    const one = await found(which, puzzle);
    if (mine.aborted) return;
    rest = new URLSearchParams(); // it was about another one
    adopt(one);
  }

  /** Browsers bound how often an address may change: what comes fast behind another change waits for a moment. */
  async function readdress(one, wait = 0) {
    one.address ??= String(await addressed(one));
    clearTimeout(changing);
    changing = setTimeout(() => write(one), wait);
  }

  function write(one) {
    clearTimeout(changing);
    if (signal.aborted || current !== one || one?.address === undefined) return;
    const query = [one.address, String(rest)].filter(Boolean).join("&");
    setAddress(`${shownAt.hash.split("?")[0]}?${query}`);
  }

  function adopt(one) {
    current = one;
    readdress(one);
    pack.value = one.pack;
    name.hidden = one.pack === PASTED || !pack.value;
    name.value = one.name ?? "";
    fill(note, one.name && pack.value ? "" : `${one.puzzle.title || "untitled"} · ${size(one.puzzle)}`);
    again();
  }

  function again() {
    const one = current;
    const keep = (changes) => {
      Object.entries(changes).forEach(([key, value]) => (value === null ? rest.delete(key) : rest.set(key, value)));
      readdress(one, EVERY_MS);
    };
    fill(place);
    show(place, one.puzzle, { signal: showing(), again, rest, keep });
  }

  const paste = () =>
    askText(async (text) => {
      rest = new URLSearchParams();
      adopt({ puzzle: (await post("/api/make/read", { text })).puzzles[0].puzzle, pack: PASTED });
    });

  current = await ofAddress(query);
  if (current) await list(current.pack);
  fill(bar, heading, h("div.choose", pack, name, button("Paste…", paste), note), more);
  if (current) adopt(current);
  else await turnTo((packs.find(({ shapes }) => shapes.at(-1)?.[1] >= 15) ?? packs[0])?.name, true);
}
