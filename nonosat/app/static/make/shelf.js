// The puzzles there are: those that were entered or made here, and those that come along.

import { get, post } from "../api.js";
import { h, sure } from "../dom.js";
import { download } from "./state.js";

export async function mountShelf(el) {
  const [mine, packs] = await Promise.all([get("/api/make/own"), get("/api/play/packs")]);
  const chosen = new Set();
  const list = h("ul.shelf");
  const paper = h(
    "select",
    { "aria-label": "Paper" },
    ["A4", "Letter", "A3"].map((name) => h("option", {}, name)),
  );
  const print = h("button", { onclick: booklet }, "Print the chosen (PDF)");

  async function booklet() {
    const ids = mine.filter((one) => chosen.has(one.id)).map((one) => one.id);
    download("booklet", await post("/api/make/booklet", { ids, paper: paper.value }));
  }

  async function remove(one, item) {
    if (await sure(`Delete “${one.title || "untitled"}”? It cannot be brought back.`, "Delete")) {
      await post("/api/make/delete", { id: one.id });
      mine.splice(mine.indexOf(one), 1);
      chosen.delete(one.id);
      item.remove();
      update();
    }
  }

  function row(one) {
    const name = one.title || "untitled";
    const tick = h("input", { type: "checkbox", "aria-label": `Choose ${name}` });
    tick.addEventListener("change", () => {
      chosen[tick.checked ? "add" : "delete"](one.id);
      update();
    });
    const item = h(
      "li",
      { "data-own": one.id },
      tick,
      h("a", { href: `#/make/own/${one.id}` }, name),
      h("span.quiet.small.numbers", {}, `${one.width}×${one.height} · ${one.kind} · ${one.made.slice(0, 10)}`),
      h("a.button.tiny", { href: `#/play/own/${one.id}`, "aria-label": `Play ${name}` }, "Play"),
      h("button.tiny", { "aria-label": `Delete ${name}`, onclick: () => remove(one, item) }, "Delete"),
    );
    return item;
  }

  function update() {
    print.disabled = !chosen.size;
    empty.hidden = mine.length > 0;
    bar.hidden = !mine.length;
  }

  const empty = h("p.quiet", {}, "Nothing yet. What you save in Make is kept here.");
  const bar = h("div.pair", {}, paper, print);
  list.append(...mine.map(row));
  el.append(
    h("h1", {}, "Puzzles"),
    h("div.buttons", {}, h("a.button.primary", { href: "#/make" }, "New puzzle")),
    h("h2", {}, "My puzzles"),
    empty,
    list,
    bar,
    h("h2", {}, "From the packs"),
    ...packs.filter((one) => one.name !== "own").map(packed),
  );
  update();
}

/** A pack's puzzles, asked for when it is opened. */
function packed({ name, title, count }) {
  const list = h("ul.shelf");
  const details = h("details", {}, h("summary", {}, `${title} `, h("span.quiet.small", {}, String(count))), list);
  details.addEventListener("toggle", async () => {
    if (details.open && !list.childElementCount) {
      const { puzzles } = await get(`/api/play/packs/${encodeURIComponent(name)}`);
      list.append(
        ...puzzles.map((one) =>
          h(
            "li",
            {},
            h(
              "a",
              { href: `#/make/pack/${encodeURIComponent(name)}/${encodeURIComponent(one.name)}` },
              one.won ? one.title : `No. ${one.name}`,
            ),
            h("span.quiet.small.numbers", {}, `${one.width}×${one.height} · ${one.label}`),
          ),
        ),
      );
    }
  });
  return details;
}
