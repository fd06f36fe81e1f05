// The puzzles there are: our own, and those that come along.

import { get, part, post } from "../api.js";
import { button, calledBy, fill, h, lasting, papers, shadesOf, size, sure, thumbnail, towerShades } from "../dom.js";
import { outbox } from "../outbox.js";
import { download } from "./state.js";

export async function mountShelf(el) {
  await outbox.idle(); // a draft that was just changed is among them
  const asked = ["/api/make/own", "/api/play/packs", "/api/make/drafts"].map(get);
  const [mine, packs, drafts] = await Promise.all(asked);
  const chosen = new Set();
  const paper = papers();
  const print = lasting("Print the chosen (PDF)", async () => {
    const ids = mine.map(({ id }) => id).filter((id) => chosen.has(id));
    download("booklet", await post("/api/make/booklet", { ids, paper: paper.value }));
  });
  const empty = h("p.quiet", "Nothing yet. What you save in Make is kept here.");
  const bar = h("div.pair", paper, print);

  async function remove(one, item) {
    if (await sure(`Delete “${calledBy(one, "own")}”? It cannot be brought back.`, "Delete")) {
      await post("/api/make/delete", { id: one.id });
      mine.splice(mine.indexOf(one), 1);
      chosen.delete(one.id);
      item.remove();
      update();
    }
  }

  function row(one) {
    const { id, kind, made } = one;
    const name = calledBy(one, "own");
    const choose = ({ target }) => (chosen[target.checked ? "add" : "delete"](id), update());
    const item = h("li", { "data-own": id },
      h("input", { type: "checkbox", label: `Choose ${name}`, onchange: choose }), one.picture && small(one.picture),
      h("a", { href: `#/make/own/${id}` }, name),
      h("span.quiet.small.numbers", `${size(one)} · ${kind} · ${made.slice(0, 10)}`),
      h("a.button.tiny", { href: `#/play/own/${id}`, label: `Play ${name}` }, "Play"),
      button("Delete", () => remove(one, item), { label: `Delete ${name}`, class: "tiny" }));
    return item;
  }

  function draft(one) {
    const { draft: name, title, kind, made, picture } = one;
    const called = title || "untitled";
    const item = h("li", { "data-draft": name }, picture && small(picture), h("a", { href: `#/make/draft/${part(name)}` }, called),
      h("span.quiet.small.numbers", `${size(one)} · ${kind} · ${made.slice(0, 16).replace("T", " ")}`),
      button("Delete", () => discard(name, called, item), { label: `Delete the draft ${called}`, class: "tiny" }));
    return item;
  }

  async function discard(name, called, item) {
    if (await sure(`Delete the draft “${called}”? It cannot be brought back.`, "Delete")) {
      await post("/api/make/discard", { draft: name });
      item.remove();
    }
  }

  function update() {
    print.disabled = !chosen.size;
    empty.hidden = mine.length > 0;
    bar.hidden = !mine.length;
  }

  el.append(h("h1", "Puzzles"), h("div.buttons", h("a.button.primary", { href: "#/make/new" }, "New puzzle")),
    ...(drafts.length ? [h("h2", "Drafts"), h("ul.shelf", drafts.map(draft))] : []),
    h("h2", "My puzzles"), empty, h("ul.shelf", mine.map(row)), bar,
    h("h2", "From the packs"), ...packs.filter(({ name }) => name !== "own").map(packed));
  update();
}

function small({ cells, palette, size: towers, width }) {
  const drawn = thumbnail({ cells, palette: towers ? towerShades(towers) : shadesOf(palette ?? []) }, width);
  drawn.classList.add("draft-picture", "framed");
  return drawn;
}

function packed({ name, title, count }) {
  const list = h("ul.shelf");
  const row = (one) => h("li",
    h("a", { href: `#/make/pack/${part(name)}/${part(one.name)}` }, one.won ? one.title : `No. ${one.name}`),
    h("span.quiet.small.numbers", `${size(one)} · ${one.label}`));
  const toggled = async ({ target }) => {
    if (target.open && !list.childElementCount) {
      const { puzzles } = await get(`/api/play/packs/${part(name)}`);
      fill(list, puzzles.map(row));
    }
  };
  return h("details", { ontoggle: toggled }, h("summary", `${title} `, h("span.quiet.small", count)), list);
}
