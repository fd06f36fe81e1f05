// Clues typed number by number: a nonogram's lines (an empty clue shows 0), or the ends of those of Skyscrapers.

import { button, fill, h, signed } from "../dom.js";
import { pad } from "../play/panel.js";
import { clueOf, EDGES } from "./state.js";

const AT_ONCE = 60; // fields of an axis that are made at a time
const FEW = 400; // so many are all made, one part after the other; of more only those of the lines in sight are there

const field = (label, place, value, take) =>
  h("input.run", { type: "number", min: 0, value, label, "data-place": place,
    onchange: ({ target }) => take(Math.round(Number(target.value))) });

/** What was done stays in hand: the field of that name has the focus again when it is made anew. */
function retype(maker, changed) {
  const held = document.activeElement;
  maker.retyped(changed);
  if (held && !held.isConnected) document.querySelector(`[data-place="${held.dataset.place}"]`)?.focus();
}

const sameColours = (before, runs) => before?.length === runs.length && runs.every(([, colour], at) => colour === before[at][1]);

export class ClueEntry {
  constructor(maker) {
    this.axes = [new ClueAxis(maker, "rows", "Row"), new ClueAxis(maker, "columns", "Column")];
    this.root = h("div.entry", this.axes.map(({ root }) => root));
  }

  update() {
    this.axes.forEach((axis) => axis.update());
  }

  close() {
    this.axes.forEach(({ watching, timer }) => (watching.disconnect(), clearTimeout(timer)));
  }
}

/** The rows or the columns: an item a line, which has its fields while it is in sight, or all are few. */
class ClueAxis {
  constructor(maker, key, word) {
    Object.assign(this, { maker, key, word, items: [], shown: [] });
    this.list = h("ol");
    this.watching = new IntersectionObserver((seen) => seen.forEach((one) => this.seen(one)), { root: this.list, rootMargin: "100% 0px" });
    const add = button(`Add a ${word.toLowerCase()}`, () => this.change([...this.lines, []]), { "data-place": `${key}-add` });
    this.root = h("section", { label: `${word}s` }, h("h2.small", `${word}s`), this.list, add);
  }

  get lines() {
    return this.maker.puzzle[this.key];
  }

  change(lines) {
    retype(this.maker, { [this.key]: lines });
  }

  update() {
    const { items, lines, maker: { puzzle: { palette } } } = this;
    const fields = lines.reduce((sum, runs) => sum + runs.length + 2, 0);
    const looks = `${palette} ${lines.length > 1}`;
    const fresh = lines.slice(items.length).map(() => h("li"));
    items.splice(lines.length).forEach((item) => (this.watching.unobserve(item), item.remove()));
    items.push(...fresh);
    this.list.append(...fresh);
    this.all = fields <= FEW;
    let room = AT_ONCE;
    items.forEach((item, index) => {
      const runs = lines[index];
      const before = this.looks === looks ? this.shown[index] : null;
      const other = before !== runs;
      this.shown[index] = runs;
      if (other && item.firstChild && sameColours(before, runs)) this.put(item, runs);
      else if ((other && item.firstChild) || (room > 0 && !item.firstChild)) this.fill(item, index);
      else if (other) item.style.minHeight = `${2.25 * Math.ceil((runs.length + 1) / 4)}rem`; // about as high as it will be
      room -= runs.length + 2;
    });
    this.shown.length = lines.length;
    this.looks = looks;
    fresh.forEach((item) => this.watching.observe(item));
    this.later();
  }

  /** Of few fields those that are not there yet, some at a time. */
  later() {
    clearTimeout(this.timer);
    const missing = this.all ? this.items.flatMap((item, index) => (item.firstChild ? [] : [index])) : [];
    if (missing.length) this.timer = setTimeout(() => this.some(missing));
  }

  some(missing) {
    let room = AT_ONCE;
    for (const index of missing) {
      if (room <= 0) break;
      this.fill(this.items[index], index);
      room -= this.lines[index].length + 2;
    }
    this.later();
  }

  /** Only lengths are others: whoever is at a field stays there. */
  put(item, runs) {
    item.querySelectorAll("input").forEach((input, at) => (input.value = runs[at][0]));
  }

  seen({ target, isIntersecting, boundingClientRect: { height } }) {
    if (isIntersecting === Boolean(target.firstChild)) return;
    if (isIntersecting) {
      this.fill(target, this.items.indexOf(target));
    } else if (!this.all && !target.contains(document.activeElement)) {
      target.style.minHeight = `${height}px`;
      fill(target);
    }
  }

  fill(item, index) {
    const { key, word, lines, maker } = this;
    const runs = lines[index];
    const now = () => this.lines[index]; // lengths may be others by then
    const name = `${word} ${index + 1}`;
    const place = `${key}-${index}`;
    const put = (next) => this.change(this.lines.with(index, next));
    const number = ([length, colour], at) => {
      const input = field(`${name}, number ${at + 1}`, `${place}-${at}`, length, (value) =>
        put(value >= 1 ? now().with(at, [value, colour]) : now().toSpliced(at, 1)));
      input.style.setProperty("--shade", maker.puzzle.palette[colour]);
      return input;
    };
    const more = { label: `Add a number to ${name.toLowerCase()}`, "data-place": `${place}-add`, class: "tiny" };
    const drop = () => this.change(this.lines.toSpliced(index, 1));
    item.style.minHeight = "";
    fill(item, h("span.quiet.small", index + 1),
      h("div.runs", runs.length ? runs.map(number) : h("span.zero.quiet", "0"),
        button("+", () => put([...now(), [1, Math.max(1, maker.colour)]]), more)),
      lines.length > 1 && signed("×", `Remove ${name.toLowerCase()}`, drop, { class: "tiny" }));
  }
}

export function towersEntry(maker) {
  const { clues, size } = maker.puzzle;
  const one = (edge) => (clue, index) =>
    field(`${edge} ${index + 1}`, `${edge}-${index}`, clue || "", (value) =>
      retype(maker, { clues: { ...clues, [edge]: clues[edge].with(index, clueOf(value, size)) } }));
  const edge = (name) => h("section", { label: name }, h("h2.small", name), h("div.runs", clues[name].map(one(name))));
  return h("div.tools", h("div.entry", EDGES.map(edge)),
    h("p.small.quiet", "Digits on the board give a height; the same digit again, or Backspace, takes it away."),
    pad(maker.puzzle, (value) => maker.model.tell({ type: "enter", value })));
}
