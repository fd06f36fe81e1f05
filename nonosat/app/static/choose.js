// The puzzle that Watch and Explain are about: of a pack, of our own, or from a text. Both rooms have the same one.

import { get, post } from "./api.js";
import { h, notice } from "./dom.js";

const MINE = "own";
const PASTED = "/pasted";
const part = encodeURIComponent;
let current = null;

/** Let Watch or Explain begin with this puzzle. */
export function choose(puzzle) {
  current = { puzzle, pack: PASTED };
}

async function puzzlesOf(pack) {
  if (pack === MINE) {
    return (await get("/api/make/own")).map((one) => ({ ...one, name: String(one.id) }));
  }
  return pack && pack !== PASTED ? (await get(`/api/play/packs/${part(pack)}`)).puzzles : [];
}

async function found(pack, name) {
  const path = pack === MINE ? `/api/make/own/${part(name)}` : `/api/play/packs/${part(pack)}/${part(name)}`;
  return { puzzle: (await get(path)).puzzle, pack, name };
}

/** A bar to choose a puzzle by; `onPuzzle(puzzle)` is called with the first one too. */
export async function chooser(query, onPuzzle) {
  const packs = (await get("/api/play/packs")).filter((one) => one.name !== MINE);
  const names = [...packs.map(({ name, title }) => [name, title]), [MINE, "My puzzles"], [PASTED, "Pasted"]];
  const pack = h(
    "select",
    { "aria-label": "Pack", onchange: () => turnTo(pack.value) },
    names.map(([value, text]) => h("option", { value }, text)),
  );
  const name = h("select", { "aria-label": "Puzzle", onchange: () => take(pack.value, name.value) });
  const told = h("span.quiet.small");
  let turn = 0;

  async function fill(which) {
    const puzzles = await puzzlesOf(which);
    const label = (one) => `${one.title || one.name} · ${one.width}×${one.height}`;
    name.replaceChildren(...puzzles.map((one) => h("option", { value: one.name }, label(one))));
    name.hidden = !puzzles.length;
    return puzzles;
  }

  /** A pack's first puzzle; `worth`: one that is neither tiny nor large. */
  async function turnTo(which, worth = false) {
    const mine = ++turn;
    const puzzles = await fill(which);
    const first = (worth && puzzles.find(({ width }) => width >= 15)) || puzzles[0];
    if (mine === turn && first) {
      await take(which, first.name);
    }
  }

  async function take(which, puzzle) {
    const mine = ++turn;
    const one = await found(which, puzzle);
    if (mine === turn) {
      adopt(one);
    }
  }

  function adopt(one) {
    current = one;
    pack.value = one.pack;
    name.hidden = one.pack === PASTED;
    name.value = one.name ?? "";
    const { title, width, height } = one.puzzle;
    told.textContent = one.name ? "" : `${title || "untitled"} · ${width}×${height}`;
    onPuzzle(one.puzzle);
  }

  if (query.get("pack")) {
    current = await found(query.get("pack"), query.get("puzzle"));
  }
  if (current) {
    await fill(current.pack);
    adopt(current);
  } else {
    await turnTo(packs[0]?.name, true);
  }
  return h("div.choose", {}, pack, name, h("button", { onclick: () => paste(adopt) }, "Paste…"), told);
}

/** Ask for a text, and read it, whatever its format is. */
function paste(adopt) {
  const text = h("textarea", { rows: 12, spellcheck: "false", "aria-label": "A puzzle in any of our formats" });
  async function read() {
    try {
      const { puzzles } = await post("/api/make/read", { text: text.value });
      adopt({ puzzle: puzzles[0].puzzle, pack: PASTED });
      dialog.close();
    } catch (error) {
      notice(error.message);
    }
  }
  const dialog = h(
    "dialog.paste",
    { "aria-label": "Paste a puzzle", onclose: () => dialog.remove() },
    h("p", {}, "A puzzle in any of our formats: .mk, .non, .sky, JSON, a link …"),
    text,
    h(
      "div.buttons",
      {},
      h("button", { onclick: () => dialog.close() }, "Cancel"),
      h("button.primary", { onclick: read }, "Read"),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
}
