// The board's element: what it shows of the model, and the events that it sends.

import { fill, h } from "./elements.js";
import { CluesFace } from "./cluesface.js";
import { DigitsFace } from "./digitsface.js";
import { DIGIT, enter, keyPressed } from "./keys.js";
import { Sheet } from "./sheet.js";
import { pointers } from "./pointers.js";
import { View } from "./view.js";

const KEYS = ["puzzle", "cells", "overlay", "trial", "wrong"];

export class BoardView {
  constructor(model, host) {
    Object.assign(this, { model, hover: null, stroke: null, cursor: { row: 0, column: 0, shown: false } });
    this.build(host);
    this.adopt();
    this.listeners = [
      ...KEYS.map((key) => [`change:${key}`, () => this.changed(key)]),
      ["msg:custom", ({ type, value, note }) => type === "enter" && enter(this, value, note)],
    ];
    this.listeners.forEach(([event, listener]) => model.on(event, listener));
    this.sizes = new ResizeObserver(() => this.resize());
    this.sizes.observe(this.box);
    this.ending = new AbortController();
    const { signal } = this.ending;
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.sheet.retheme(), { signal });
  }

  build(host) {
    this.canvas = h("canvas.board-canvas", {
      tabindex: 0,
      role: "application",
      ...pointers(this),
      onkeydown: (event) => keyPressed(this, event),
      onfocus: () => this.showCursor(this.canvas.matches(":focus-visible")),
      // Numbers are chosen beside the board too: there the cursor stays in sight.
      onblur: () => this.showCursor(this.puzzle.kind !== "nonogram" && this.cursor.shown, false),
    });
    this.readout = h("p.board-readout");
    this.live = h("p.board-unseen.board-live", { "aria-live": "polite" });
    this.box = h("div.board-box", this.canvas);
    const zoom = (title, sign, factor) => h("button", { type: "button", label: title, title, onclick: () => this.zoom(factor) }, sign);
    const zooms = [zoom("Zoom out", "−", 1 / 1.4), zoom("Fit the board", "□", 0), zoom("Zoom in", "+", 1.4)];
    this.root = h("div.board", this.box, h("div.board-foot", this.readout, h("div.board-zoom", zooms)), this.live);
    this.root.boardView = this; // for who looks into the page
    host.append(this.root);
  }

  adopt() {
    this.puzzle = this.model.get("puzzle");
    const { height, width, kind, title, given } = this.puzzle;
    const { row, column, shown } = this.cursor;
    this.given = new Set(given.map(([y, x]) => y * width + x));
    this.cells = Int32Array.from(this.model.get("cells") ?? new Array(height * width).fill(-1));
    this.view = new View(this, this.puzzle);
    this.face = kind === "nonogram" ? new CluesFace(this) : new DigitsFace(this);
    this.root.classList.toggle("coloured", this.puzzle.palette?.length > 2);
    this.sheet?.close();
    this.sheet = new Sheet(this);
    this.sheet.retheme();
    this.marks();
    this.canvas.ariaLabel = `${title || "Puzzle"}, ${height} rows, ${width} columns. Arrow keys move; ${this.face.help}`;
    this.cursor = { row: Math.min(row, height - 1), column: Math.min(column, width - 1), shown };
    this.resize();
  }

  index({ row, column }) {
    return row * this.puzzle.width + column;
  }

  line(isRow, index) {
    const { height, width } = this.puzzle;
    if (isRow) return this.cells.subarray(index * width, (index + 1) * width);
    const line = new Int32Array(height);
    for (let row = 0; row < height; row += 1) line[row] = this.cells[row * width + index];
    return line;
  }

  get mode() {
    return this.model.get("mode") ?? "play";
  }

  get tool() {
    return this.model.get("tool") ?? "free";
  }

  get colour() {
    return typeof this.tool === "number" ? this.tool : (this.model.get("colour") ?? 1);
  }

  get goal() {
    return this.mode === "play" ? (this.model.get("goal") ?? null) : null;
  }

  changed(key) {
    if (key === "puzzle") {
      this.adopt();
    } else if (key === "cells") {
      this.take(this.model.get("cells"));
      if (!this.stroke && this.face.grow()) this.resize(); // not under a pointer that draws
      this.retell();
    } else {
      this.marks();
      this.sheet.all();
      this.retell();
    }
  }

  marks() {
    const overlay = this.model.get("overlay") ?? {};
    this.wrong = new Set(this.model.get("wrong") ?? []);
    this.trial = new Map(this.model.get("trial") ?? []);
    this.heat = overlay.heat ?? null;
    this.outline = new Map(overlay.outline?.map(([row, column, how]) => [this.index({ row, column }), how]));
    this.lines = overlay.lines ?? [];
  }

  /** Cells from outside; those of a stroke that is under way stay. */
  take(cells) {
    const others = [];
    cells.forEach((value, index) => {
      if (this.cells[index] === value || this.stroke?.changes.has(index)) return;
      this.cells[index] = value;
      others.push(index);
    });
    this.sheet.dirty(others);
  }

  fixed(index) {
    return (this.mode !== "edit" && this.given.has(index)) || this.wrong.has(index);
  }

  put(index, value) {
    this.cells[index] = value;
    this.sheet.dirty([index]);
  }

  /** Is what was put into a cell an error, where lives hang on it? Then it is marked. */
  errs(index) {
    const { goal } = this;
    const error = goal !== null && this.cells[index] > 0 && goal[index] !== this.cells[index];
    if (error) this.wrong.add(index);
    return error;
  }

  commit(changes) {
    if (changes.size) {
      this.model.set("cells", Array.from(this.cells));
      this.model.send({ type: "move", changes: [...changes] });
    }
  }

  /** The cell whose lines are lit, while somebody is at the board; or null. */
  get pointed() {
    const { shown } = this.cursor;
    return this.hover ?? (this.begun && (shown || this.canvas.matches(":focus")) ? this.cursor : null);
  }

  /** Move the cursor; `spoken`: by the keyboard, so say where it is. */
  point(row, column, spoken = false) {
    const before = [this.pointed, this.cursor];
    Object.assign(this, { hover: null, begun: true });
    this.cursor = { row, column, shown: this.cursor.shown || spoken };
    this.sheet.pointed(...before, this.cursor);
    this.face.refresh({ rows: [row], columns: [column] }); // a drawing's clues may be others by now
    this.read();
    if (spoken) this.say();
  }

  /** A press beside the cells, perhaps on the clues of a line: none is chosen until one is pointed at again. */
  leave(line) {
    this.begun = false;
    this.showCursor(false);
    this.read(line);
  }

  /** The focus is the board's again, after a press of the pointer elsewhere: all is as if it had never gone. */
  resume() {
    const { shown } = this.cursor;
    this.canvas.focus({ preventScroll: true });
    this.showCursor(shown, false);
  }

  /** A key that was pressed where nothing takes it: an arrow begins at the cursor, or moves that if there has been one; a
   * digit is a colour, or the number at the cursor. */
  outside(event) {
    const { begun } = this;
    if (event.key.startsWith("Arrow")) this.canvas.focus();
    else if (!DIGIT.test(event.code)) return;
    if (begun || DIGIT.test(event.code)) keyPressed(this, event);
    else event.preventDefault();
  }

  /** Tell a screen reader of the cell at the cursor, behind what has `happened`. */
  say(happened = "") {
    this.spoken = this.face.speak(this.cursor.row, this.cursor.column);
    fill(this.live, happened + this.spoken);
  }

  /** The host changed something: what a screen reader has spoken of a cell stays true. */
  retell() {
    const { row, column } = this.cursor;
    if (this.live.firstChild && this.face.speak(row, column) !== this.spoken) this.say();
  }

  hovered(cell) {
    const before = this.pointed;
    this.hover = cell;
    this.sheet.pointed(before, this.pointed);
    this.read();
  }

  /** The clues of a `line`, or else of the cell that is pointed at. */
  read(line = null) {
    const at = line ?? this.pointed;
    fill(this.readout, at ? this.face.lines(at.row, at.column) : this.hint);
  }

  /** Say below the board, and to a screen reader, why nothing is done. */
  tell(text) {
    fill(this.readout, text);
    fill(this.live, text);
  }

  get hint() {
    const { face, touched, view: { fitted, x, y } } = this;
    if (face.clues && !x.before && !y.before) return "Zoom in to see the clues: with + or two fingers.";
    return touched && !fitted ? "Two fingers move the board and zoom. □ shows all of it." : "";
  }

  /** Are its cells changed by a finger? */
  get touched() {
    return this.mode !== "show" && matchMedia("(pointer: coarse)").matches;
  }

  showCursor(shown, spoken = shown) {
    this.cursor = { ...this.cursor, shown };
    this.sheet.pointed(this.cursor);
    if (spoken) this.point(this.cursor.row, this.cursor.column, true);
  }

  pan(dx, dy) {
    if (!this.view.pan(dx, dy)) return;
    this.sheet.all();
    this.onView();
  }

  /** Somebody moved or zoomed: for a host that shows several boards alike. */
  onView() {}

  /** Show what another board shows. */
  follow(other) {
    this.view.follow(other.view);
    this.sheet.all();
  }

  zoom(factor, x = this.view.x.length / 2, y = this.view.y.length / 2) {
    this.view.zoom(factor, x, y);
    this.sheet.all();
    this.read();
    this.onView();
  }

  resize() {
    const { width, height } = this.box.getBoundingClientRect();
    if (width && height) {
      if (!this.sheet.theme.paper) this.sheet.retheme(); // a notebook puts the board into its page only after it was made
      this.view.resize(width, height);
      this.sheet.resize();
      this.read();
    }
  }

  close() {
    this.listeners.forEach(([event, listener]) => this.model.off(event, listener));
    this.ending.abort();
    this.sizes.disconnect();
    this.sheet.close();
    this.root.remove();
  }
}
