// Clues that are typed: a text field a line of a nonogram (an empty clue shows 0), or a number an end of a line of Skyscrapers.

import { button, fill, h, keysStay, notice, signed } from "../dom.js";
import { pad } from "../play/tools.js";
import { EDGES } from "./state.js";

const HIGH = 36; // pixels of a line
const BEYOND = 8; // lines that are there above and below those in sight
const MOST = 512;
const PAUSE_MS = 700;
const LETTERS = "abcdefghijklmnopqrstuvwxyz";

/** A clue as it is typed: `3 1 2`, in more colours than one `3a 1b`. */
const written = (runs, coloured) => runs.map(([length, colour]) => `${length}${coloured ? LETTERS[colour - 1] : ""}`).join(" ");

/** The runs of a typed clue; a number without a letter has the `colour`. null: it is none. */
export function typedClue(text, colours, colour = 1) {
  const words = text.toLowerCase().split(/[\s,.;]+/).filter((word) => word && word !== "0");
  const form = colours > 1 ? /^(\d{1,4})([a-z]?)$/ : /^(\d{1,4})()$/; // in one colour no letter says anything
  const runs = words.map((word) => form.exec(word)).map((found) =>
    found && [Number(found[1]), found[2] ? LETTERS.indexOf(found[2]) + 1 : Math.max(1, colour)]);
  return runs.every((run) => run && run[0] >= 1 && run[1] <= colours) ? runs : null;
}

const waiting = new Map(); // what is typed and not taken yet: its timer by what takes it

/** What is typed is taken after a pause, or when the field or the page is left. */
function taken(take) {
  const now = () => {
    clearTimeout(waiting.get(now));
    waiting.delete(now);
    take();
  };
  const oninput = () => {
    clearTimeout(waiting.get(now));
    waiting.set(now, setTimeout(now, PAUSE_MS));
  };
  return { oninput, onchange: now };
}

// Listens before any draft does: these write what they have by then.
window.addEventListener("pagehide", () => [...waiting.keys()].forEach((now) => now()));

export class ClueEntry {
  constructor(maker) {
    const [rows, columns] = [new ClueAxis(maker, "rows", "Row"), new ClueAxis(maker, "columns", "Column")];
    rows.next = () => columns.focus(0);
    this.axes = [rows, columns];
    this.help = h("p.small.quiet");
    this.root = h("div.entry", this.help, ...this.axes.map(({ root }) => root));
  }

  update() {
    const coloured = this.axes[0].colours > 1;
    const form = coloured ? "3a 1b, with the letter of the colour; without one it is the chosen colour" : "3 1 2";
    fill(this.help, `A line a field: ${form}. Enter goes to the next one. A list that is pasted fills the lines below, too.`);
    this.axes.forEach((axis) => axis.update());
  }

  /** Why a field cannot be read, of the first such one; undefined: all can. */
  get why() {
    return this.axes.flatMap(({ unread }) => [...unread.values()])[0]?.why;
  }
}

/** The rows or the columns. Only the lines in sight have fields; that with the focus keeps it. `unread`: what stands in fields
 * that cannot be read, and why, for as long as their lines stay as they were. */
class ClueAxis {
  constructor(maker, key, word) {
    Object.assign(this, { maker, key, word, items: new Map(), unread: new Map(), next: () => {} });
    this.list = h("ol");
    this.scroller = h("div.clue-list", { onscroll: () => this.paint(), onfocusout: () => setTimeout(() => this.paint()) }, this.list);
    new ResizeObserver(() => this.paint()).observe(this.scroller);
    const add = button(`Add a ${word.toLowerCase()}`, () => this.add());
    this.root = h("section", { label: `${word}s` }, h("h2.small", `${word}s`), this.scroller, add);
  }

  get lines() {
    return this.maker.puzzle[this.key] ?? []; // there are none of them by the time that a field of another kind is left
  }

  get colours() {
    return this.maker.puzzle.palette.length - 1;
  }

  change(lines) {
    this.maker.retyped({ [this.key]: lines });
  }

  add() {
    this.change([...this.lines, []]);
    this.focus(this.lines.length - 1);
  }

  update() {
    this.unread.forEach(({ runs }, index) => runs !== this.lines[index] && this.unread.delete(index));
    this.list.style.height = `${HIGH * this.lines.length}px`;
    this.items.forEach((item, index) => (index < this.lines.length ? this.show(item, index) : this.drop(item, index)));
    this.paint();
  }

  drop(item, index) {
    this.items.delete(index);
    item.remove();
  }

  /** Make the fields that are in sight, and take away those that are not. */
  paint() {
    const { scrollTop, clientHeight } = this.scroller;
    const first = Math.max(0, Math.floor(scrollTop / HIGH) - BEYOND);
    const end = Math.min(this.lines.length, Math.ceil((scrollTop + clientHeight) / HIGH) + BEYOND);
    this.items.forEach((item, index) => {
      if ((index < first || index >= end) && !item.contains(document.activeElement)) this.drop(item, index);
    });
    for (let index = first; index < end; index += 1) if (!this.items.has(index)) this.make(index);
  }

  make(index) {
    const name = `${this.word} ${index + 1}`;
    const take = () => this.items.get(index) === item && this.take(index, [input.value]);
    const input = h("input", { label: name, placeholder: "0", autocomplete: "off", spellcheck: "false",
      ...taken(take),
      onblur: () => setTimeout(() => this.items.get(index) === item && index < this.lines.length && this.show(item, index)),
      onkeydown: (event) => this.pressed(event, index),
      onpaste: (event) => this.paste(event, index) });
    const remove = signed("×", `Remove ${name.toLowerCase()}`, () => this.change(this.lines.toSpliced(index, 1)),
      { class: "tiny plain", tabindex: -1, title: "Remove (Ctrl + Delete)" });
    const item = h("li", { "aria-posinset": index + 1 }, h("span.quiet.small.numbers", index + 1), input, remove);
    item.style.top = `${HIGH * index}px`;
    this.items.set(index, item);
    const after = [...this.items.keys()].filter((other) => other > index).sort((one, other) => one - other)[0];
    this.list.insertBefore(item, this.items.get(after) ?? null); // Tab goes from line to line
    this.show(item, index);
  }

  show(item, index) {
    const { lines, colours, maker: { puzzle } } = this;
    const [runs, input] = [lines[index], item.querySelector("input")];
    const needed = runs.reduce((sum, [length, colour], at) => sum + length + (at > 0 && runs[at - 1][1] === colour), 0);
    const room = this.key === "rows" ? puzzle.columns.length : puzzle.rows.length;
    const unread = this.unread.get(index);
    const text = unread?.text ?? written(runs, colours > 1);
    const typing = document.activeElement === input && String(typedClue(input.value, colours, this.maker.colour)) === String(runs);
    if (input.value !== text && !typing) input.value = text; // under one's hands it stays as it is typed
    input.inputMode = colours > 1 ? "text" : "decimal"; // a phone's keyboard of numbers has a point for a space
    input.ariaInvalid = String(Boolean(unread) || needed > room);
    input.title = unread ? unread.why : needed > room ? `${needed} cells are needed, there are ${room}` : "";
    item.ariaSetSize = String(lines.length);
    item.querySelector("button").hidden = lines.length === 1;
  }

  /** Typed or pasted clues, from the line `index` on. */
  take(index, texts) {
    const read = texts.map((text) => typedClue(text, this.colours, this.maker.colour));
    const wrong = read.findIndex((runs) => !runs);
    if (wrong >= 0 || index + read.length > MOST) {
      const letters = this.colours > 1 ? `, with a letter from a to ${LETTERS[this.colours - 1]} for the colour` : "";
      const form = `numbers of at most four digits, with spaces between them${letters}`;
      const why = wrong < 0 ? `At most ${MOST} lines.` : `${this.word} ${index + wrong + 1} is no clue: ${form}.`;
      if (read.length > 1) notice(why);
      else this.reads(index, { text: texts[0], why, runs: this.lines[index] }); // the light says why: a notice would lie over fields
      return false;
    }
    read.forEach((_, at) => this.reads(index + at, null));
    const others = read.some((runs, at) => String(runs) !== String(this.lines[index + at]));
    if (others) this.change([...this.lines.slice(0, index), ...read, ...this.lines.slice(index + read.length)]);
    else this.update();
    return true;
  }

  reads(index, unread) {
    if (unread) this.unread.set(index, unread);
    else if (!this.unread.delete(index)) return;
    if (this.items.has(index)) this.show(this.items.get(index), index);
    this.maker.panel.light();
  }

  pressed(event, index) {
    const { key, target, ctrlKey } = event;
    if (key === "Delete" && ctrlKey && this.lines.length > 1) {
      event.preventDefault();
      this.change(this.lines.toSpliced(index, 1));
      this.focus(Math.min(index, this.lines.length - 1));
      return;
    }
    const to = { Enter: event.shiftKey ? index - 1 : index + 1, ArrowDown: index + 1, ArrowUp: index - 1 }[key];
    if (to === undefined || event.isComposing) return;
    event.preventDefault();
    if (this.take(index, [target.value])) this.focus(to);
  }

  paste(event, index) {
    const texts = event.clipboardData.getData("text").split(/\r?\n/);
    while (texts.length > 1 && !texts.at(-1).trim()) texts.pop();
    if (texts.length < 2) return;
    event.preventDefault();
    if (this.take(index, texts)) this.focus(Math.min(index + texts.length, this.lines.length - 1));
  }

  /** Go to a line; behind the last one to what comes next. */
  focus(index) {
    if (index >= this.lines.length) return void this.next();
    const [at, { scrollTop, clientHeight }] = [HIGH * Math.max(0, index), this.scroller];
    if (at < scrollTop || at + HIGH > scrollTop + clientHeight) this.scroller.scrollTop = at - clientHeight / 2;
    this.paint();
    const input = this.items.get(Math.max(0, index))?.querySelector("input");
    input?.focus({ preventScroll: true });
    input?.scrollIntoView({ block: "nearest" });
    input?.select();
  }
}

/** The clues at the four edges of Skyscrapers; `unread` as above, by place, for as long as nothing else changes the clues. */
export class TowersEntry {
  constructor(maker) {
    Object.assign(this, { maker, size: maker.puzzle.size, unread: new Map(), fields: [] });
    const one = (edge, index) => {
      const take = () => input.isConnected && this.take(edge, index, input);
      const left = () => setTimeout(() => input.isConnected && this.update());
      const input = h("input.run", { type: "number", min: 0, label: `${edge} ${index + 1}`, onblur: left, ...taken(take) });
      this.fields.push([edge, index, input]);
      return input;
    };
    const row = (edge) => h("div.runs", Array.from({ length: this.size }, (_, index) => one(edge, index)));
    const heights = pad(maker.puzzle, (value) => maker.model.tell({ type: "enter", value }));
    keysStay(heights, () => maker.view);
    this.root = h("div.tools", h("div.entry", EDGES.map((edge) => h("section", { label: edge }, h("h2.small", edge), row(edge)))),
      h("p.small.quiet", "Digits on the board give a height; the same digit again, or Backspace, takes it away."), heights);
  }

  /** Other clues are the maker's; of a text that is none the clue before stays. */
  take(edge, index, input) {
    const { maker, size, unread } = this;
    const { clues } = maker.puzzle;
    const text = input.validity.badInput ? "that" : input.value;
    const clue = Number(text);
    const place = `${edge} ${index + 1}`;
    if (Number.isInteger(clue) && clue >= 0 && clue <= size) {
      unread.delete(place);
      if (clue !== clues[edge][index]) {
        this.clues = { ...clues, [edge]: clues[edge].with(index, clue) };
        return maker.retyped({ clues: this.clues });
      }
    } else {
      const why = `${place[0].toUpperCase()}${place.slice(1)}: nobody sees ${text} of ${size} towers. A clue is from 1 to ${size}, or empty.`;
      unread.set(place, { text: input.value, why });
      notice(why);
    }
    this.update();
    maker.panel.light();
  }

  update() {
    const { maker: { puzzle: { clues } }, unread } = this;
    if (clues !== this.clues) unread.clear(); // an undo, or another puzzle
    this.clues = clues;
    for (const [edge, index, input] of this.fields) {
      const bad = unread.get(`${edge} ${index + 1}`);
      const clue = clues[edge][index];
      const text = bad?.text ?? (clue ? String(clue) : "");
      if (input.value !== text && document.activeElement !== input) input.value = text; // under one's hands it stays
      input.ariaInvalid = String(Boolean(bad));
      input.title = bad?.why ?? "";
    }
  }

  get why() {
    return [...this.unread.values()][0]?.why;
  }
}
