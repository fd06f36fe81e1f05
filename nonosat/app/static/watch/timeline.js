// What time is shown: live, held, step by step, or in slow motion. Frames are held back here; searches go on meanwhile.

import { h } from "../dom.js";
import { seconds } from "./lane.js";

const SPEEDS = [1, 0.1, 0.01, 0.001, 0.0001];

export class Timeline {
  /** `lanes()`: those that are shown. */
  constructor(lanes) {
    this.lanes = lanes;
    this.speed = h(
      "select",
      { "aria-label": "Speed" },
      SPEEDS.map((speed) => h("option", { value: speed }, speed < 1 ? `${1 / speed} × slower` : "as fast as it was")),
    );
    const range = { type: "range", min: 0, max: 1000, value: 1000, "aria-label": "Time" };
    this.range = h("input", { ...range, oninput: () => this.drag() });
    this.clock = h("output.numbers");
    const button = (label, title, action) => h("button", { title, "aria-label": title, onclick: action }, label);
    this.hold = button("❚❚", "Hold", () => this.toggle());
    this.root = h(
      "div.timeline",
      { role: "group", "aria-label": "Time" },
      button("«", "To the beginning", () => this.go(0)),
      button("‹", "A step back", () => this.step(0)),
      this.hold,
      button("›", "A step on", () => this.step(1)),
      button("»", "Live", () => this.live()),
      this.range,
      this.clock,
      this.speed,
    );
    this.live();
  }

  get end() {
    return Math.max(0, ...this.lanes().map((lane) => lane.end));
  }

  live() {
    Object.assign(this, { time: Infinity, playing: false });
    this.show();
  }

  /** Hold at `time`. */
  go(time) {
    Object.assign(this, { time, playing: false });
    this.show();
  }

  drag() {
    this.go((Number(this.range.value) / 1000) * this.end);
  }

  step(side) {
    const now = Math.min(this.time, this.end);
    const times = this.lanes().map((lane) => lane.around(now)[side]);
    const known = times.filter((time) => time !== undefined && (side ? time > now : time < now));
    if (known.length) {
      this.go(side ? Math.min(...known) : Math.max(...known));
    } else {
      this.go(now);
    }
  }

  toggle() {
    if (this.playing || this.time === Infinity) {
      this.go(Math.min(this.time, this.end));
      return;
    }
    Object.assign(this, { playing: true, since: performance.now() });
    if (this.time >= this.end) {
      this.time = 0;
    }
    this.tick();
  }

  tick() {
    if (this.playing) {
      const now = performance.now();
      this.time += ((now - this.since) / 1000) * Number(this.speed.value);
      this.since = now;
      if (this.time >= this.end && !this.lanes().some((lane) => lane.running)) {
        this.live();
      }
      this.show();
      requestAnimationFrame(() => this.tick());
    }
  }

  /** News: shown if it is live. */
  show() {
    const time = Math.min(this.time, this.end);
    this.lanes().forEach((lane) => lane.show(this.time));
    this.range.value = this.end ? Math.round((time / this.end) * 1000) : 1000;
    this.clock.textContent = seconds(time);
    const moving = this.playing || this.time === Infinity;
    this.hold.textContent = moving ? "❚❚" : "▶";
    this.hold.setAttribute("aria-label", moving ? "Hold" : "Play");
    this.hold.title = moving ? "Hold" : "Play";
  }
}
