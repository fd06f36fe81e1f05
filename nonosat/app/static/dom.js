// What several rooms are made of.

import { fill, h } from "./board/elements.js";

export { fill, h };

export const button = (text, onclick, more) => h("button", { onclick, ...more }, text);

/** A button of work that may take seconds: it cannot be pressed again before that is done, and says that it lasts. */
export function lasting(text, work, more) {
  const pressed = async () => {
    made.disabled = true;
    const said = setTimeout(() => fill(made, `${text} …`), SLOW_MS);
    try {
      await work();
    } catch (error) {
      if (error.status === undefined) throw error; // a fault of the page
      notice(error.message); // what the server refuses
    } finally {
      clearTimeout(said);
      fill(made, text);
      made.disabled = false;
    }
  };
  const made = button(text, pressed, more);
  return made;
}

export const primary = (text, onclick, more) => button(text, onclick, { class: "primary", ...more });

export const signed = (sign, title, onclick, more) => button(sign, onclick, { title, label: title, ...more });

export const toggle = (on, text, onclick) => button(text, onclick, { "aria-pressed": String(on) });

export const group = (tag, label, ...children) => h(tag, { role: "group", label }, ...children);

export const options = (list, chosen) =>
  list.map((one) => {
    const [value, text = value] = [one].flat();
    return h("option", { value, selected: value === chosen }, text);
  });

export const select = (label, list, onChange = () => {}, chosen) =>
  h("select", { label, onchange: ({ target }) => onChange(target.value) }, options(list, chosen));

export const papers = () => select("Paper", ["A4", "Letter", "A3"]);

export const number = (value) => value.toLocaleString("en");

export const plural = (count, word) => `${number(count)} ${word}${count === 1 ? "" : "s"}`;

/** What a card calls a puzzle: its title gives the picture away, so it comes when that is solved, or was made here. */
export function calledBy({ name, title, won, secret }, pack) {
  if (won || (["own", "new"].includes(pack) && !secret)) return title || "untitled";
  return secret ? "Shared puzzle" : `No. ${name}`;
}

/** What a solved puzzle is worth, as `win` of game.py has it. */
export const MEDALS = "Gold: at the first try, with lives. Silver: any other way.";

export const kindName = ({ kind }) => kind[0].toUpperCase() + kind.slice(1);

export const percent = (share) => `${Math.round(100 * share)} %`;

/** Rows x columns, as everywhere. */
export const size = ({ width, height }) => `${height}x${width}`;

export function clock(seconds) {
  const parts = [seconds / 3600, (seconds / 60) % 60, seconds % 60].map((value) => String(Math.floor(value)).padStart(2, "0"));
  return parts.join(":").replace(/^(00:)?0?/, "");
}

/** A press of the pointer on a button in `root` leaves the keys to the `board()`, if there is one; one by a key keeps them. */
export function keysStay(root, board) {
  root.addEventListener("click", ({ detail, target }) => {
    if (detail && target.closest("button") && !document.querySelector("dialog[open]")) (board() || null)?.resume();
  });
}

/** So long nobody is told that something is being done. */
export const SLOW_MS = 300;

const FEW = 3; // links of a chain that are shown at once; a longer one is folded
const chain = (details) => h("ol.small", details.map((line) => h("li", line.trim())));

/** A technique's name as people write it. */
export const techniqueName = ({ technique }) => technique[0].toUpperCase() + technique.slice(1).replaceAll("-", " ");

export const stepWords = ({ bounded, sentence, details, ...step }) => [
  h("p.technique", techniqueName(step) + (bounded ? " · an easier step was not ruled out" : "")),
  h("p", sentence),
  details.length > FEW
    ? h("details.small", h("summary", `${details.length} steps of reasoning`), chain(details))
    : details.length > 0 && chain(details),
];

/** A table that scrolls by itself; the columns `texts` are no numbers. */
export function table(label, heads, texts, ...rest) {
  const head = heads.map((name) => name ? h(texts.includes(name) ? "th" : "th.right", { scope: "col" }, name) : h("td"));
  return h("div.scroll", { tabindex: 0, role: "region", label }, h("table", h("thead", h("tr", head)), ...rest));
}

/** A small drawing, a pixel a cell; the stylesheet makes it larger. */
export function thumbnail({ cells, palette }, width, label) {
  const named = label ? { role: "img", label } : { "aria-hidden": "true" };
  const canvas = h("canvas.pixels", { width, height: cells.length / width, ...named });
  const context = canvas.getContext("2d");
  cells.forEach((value, index) => {
    context.fillStyle = palette[Math.max(0, value)];
    context.fillRect(index % width, Math.floor(index / width), 1, 1);
  });
  return canvas;
}

/** The shades of a picture: its own, or ink on paper if it is in one colour. */
export function shadesOf(palette) {
  const style = getComputedStyle(document.documentElement);
  const [paper, ink] = ["--sheet", "--ink"].map((name) => style.getPropertyValue(name).trim());
  return [paper, ...(palette.length > 2 ? palette.slice(1) : [ink])];
}

/** A shade for each height from 0 to `most`. */
export const heightShades = (most) => mixes("--accent", "--soft", most, 0);

/** The shades of a draft of Skyscrapers of a `size`: nothing, heights, and the clues around. */
export function towerShades(size) {
  return ["transparent", ...mixes("--accent", "--soft", size, 1), ...mixes("--ink", "--line", size, 1)];
}

function mixes(full, none, most, least) {
  const style = getComputedStyle(document.documentElement);
  const [one, other] = [full, none].map((name) => style.getPropertyValue(name).trim());
  return Array.from({ length: most + 1 - least }, (_, at) => `color-mix(in srgb, ${one} ${(100 * (least + at)) / most}%, ${other})`);
}

export const swatch = (shade, on, title, onclick) =>
  h("button.swatch", { "aria-pressed": String(on), label: title, title, onclick }, thumbnail({ cells: [0], palette: [shade] }, 1));

/** A dialog with Cancel and a button `yes`; it stays, and says why, if `work` throws. */
export function dialog(title, yes, work, ...children) {
  const status = h("p.quiet", { role: "status" });
  let working = false;
  const done = primary(yes, async () => {
    if (working) return;
    working = true;
    const telling = setTimeout(() => fill(status, "One moment …"), SLOW_MS);
    try {
      await work();
      made.close();
    } catch (error) {
      made.querySelector(".failing")?.remove();
      buttons.before(h("p.failing", { role: "alert" }, error.message));
    }
    working = false;
    clearTimeout(telling);
    fill(status);
  });
  const buttons = h("div.buttons", button("Cancel", () => made.close()), done);
  const made = h("dialog", { label: title, onclose: () => made.remove() }, ...children, status, buttons);
  document.body.append(made);
  made.showModal();
  return { made, done };
}

export const sure = (question, yes) =>
  new Promise((resolve) => {
    dialog(question, yes, () => resolve(true), h("p", question)).made.addEventListener("close", () => resolve(false));
  });

export function askText(take) {
  const text = h("textarea", { rows: 12, spellcheck: "false", label: "Text of a puzzle" });
  const forms = "A link, a shared string, a game ID of Simon Tatham's Pattern or Towers, a drawing (lines such as .##.), " +
    "or a file's text: .mk, .non, .json, .sky, .clues, tournament.";
  dialog("Paste text", "Open", () => take(text.value), h("p", forms), text);
}

/** Let the page do what waits. */
export const pause = () => new Promise((done) => setTimeout(done));

/** Do `work` when `signal` is aborted, at once if it is. */
export const atEnd = (signal, work) => (signal.aborted ? work() : signal.addEventListener("abort", work));

/** Signals one after the other: asking for the next one aborts the last; `signal` aborts them all. */
export function turns(signal = new AbortController().signal) {
  let last = new AbortController();
  return () => {
    last.abort();
    last = new AbortController();
    return AbortSignal.any([signal, last.signal]);
  };
}

/** The address of the page that is shown. The browser may have another one already, which is still asked for. */
export const shownAt = { hash: "" };

/** Give the page that is shown another address, for reload, Back and other tabs. */
export function setAddress(hash) {
  const another = location.hash !== shownAt.hash;
  if (!another) history.replaceState(null, "", hash);
  shownAt.hash = another ? hash : location.hash;
}

let later = ""; // what is said when the next page is there

/** Go to another page, and say there what has happened. */
export function go(hash, text = "") {
  if (location.hash === hash) return notice(text);
  later = text;
  location.hash = hash;
}

/** A page is there: what was noticed before is over. */
export const arrived = () => notice(later);

let fading = 0;
let noticed = 0; // when
const READ_MS = 1500;

/** What is said is over with the next thing that is done, once it could be read. */
for (const type of ["pointerdown", "keydown"]) {
  document.addEventListener(type, () => fading && performance.now() > noticed + READ_MS && notice(), { capture: true });
}

export function notice(text = "") {
  const place = document.getElementById("notice");
  fill(place, text);
  later = "";
  clearTimeout(fading);
  fading = text ? setTimeout(() => notice(), 6000) : 0;
  noticed = performance.now();
}
