// The puzzle that Watch and Explain are about: from a pack, or from a text. Both rooms have the same one.

import { get, stream } from "./api.js";
import { h, notice } from "./dom.js";

let current = null;

/** Read a puzzle from a text, in whatever format it is. */
async function pasted(text) {
  let found = null;
  let error = "nothing was read";
  await stream("/api/watch/read", { text }, (said) => {
    found = said.puzzle ?? found;
    error = said.error ?? error;
  }).done;
  if (!found) {
    throw new Error(error);
  }
  return { puzzle: found, pack: "", name: "" };
}

export async function fromPack(pack, name) {
  const found = await get(`/api/play/packs/${encodeURIComponent(pack)}/${encodeURIComponent(name)}`);
  return { puzzle: found.puzzle, pack, name };
}

/** Let another room open this puzzle, or this one begin with it. */
export function choose(puzzle) {
  current = { puzzle, pack: "", name: "" };
}

/** A bar to choose a puzzle by; `onPuzzle(puzzle)` is called with the first one too. */
export async function chooser(query, onPuzzle) {
  const packs = await get("/api/play/packs");
  const pack = h("select", { "aria-label": "Pack", onchange: () => changed() });
  const name = h("select", { "aria-label": "Puzzle", onchange: () => take(name.value) });
  const told = h("span.quiet.small");
  let turn = 0;
  const bar = h("div.choose", {}, pack, name, h("button", { onclick: () => ask(adopt) }, "Paste…"), told);
  pack.append(...packs.map((one) => h("option", { value: one.name }, one.title)), h("option", { value: "" }, "Pasted"));

  async function changed() {
    const mine = ++turn;
    await fill(pack.value);
    if (mine === turn) {
      await take(name.value);
    }
  }

  async function fill(which) {
    const { puzzles } = which ? await get(`/api/play/packs/${encodeURIComponent(which)}`) : { puzzles: [] };
    const label = (one) => `${one.title || one.name} · ${one.width}×${one.height}`;
    name.replaceChildren(...puzzles.map((one) => h("option", { value: one.name }, label(one))));
    name.hidden = !puzzles.length;
  }

  async function take(which) {
    const mine = ++turn;
    const found = which ? await fromPack(pack.value, which) : null;
    if (found && mine === turn) {
      adopt(found);
    }
  }

  function adopt(found) {
    current = found;
    const { puzzle } = found;
    pack.value = found.pack;
    name.hidden = !found.pack;
    told.textContent = found.pack ? "" : `${puzzle.title || "untitled"} · ${puzzle.width}×${puzzle.height}`;
    onPuzzle(puzzle);
  }

  /** A puzzle that is worth a look: neither tiny nor large. */
  async function middling(which) {
    const { puzzles } = which ? await get(`/api/play/packs/${encodeURIComponent(which)}`) : { puzzles: [] };
    return (puzzles.find((one) => one.width >= 15) ?? puzzles[0])?.name;
  }

  if (query.get("pack")) {
    current = await fromPack(query.get("pack"), query.get("puzzle"));
  }
  const start = current ?? { pack: packs[0]?.name ?? "", name: null };
  await fill(start.pack);
  pack.value = start.pack;
  name.value = start.name ?? (await middling(start.pack)) ?? "";
  await (current ? adopt(current) : take(name.value));
  return bar;
}

/** Ask for a text, and read it. */
function ask(adopt) {
  const text = h("textarea", { rows: 12, spellcheck: "false", "aria-label": "A puzzle in any of our formats" });
  const read = async () => {
    try {
      adopt(await pasted(text.value));
      dialog.close();
    } catch (error) {
      notice(error.message);
    }
  };
  const dialog = h(
    "dialog.paste",
    { "aria-label": "Paste a puzzle", onclose: () => dialog.remove() },
    h("p", {}, "A puzzle in any of our formats: .mk, .non, .sky, JSON, a link's text …"),
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
