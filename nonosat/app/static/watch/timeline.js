// What time is shown. Only frames are held back: searches go on meanwhile.

import { fill, group, h, select, signed } from "../dom.js";
import { seconds } from "./lane.js";

const SPEEDS = [1, 0.1, 0.01, 0.001, 0.0001];

export class Timeline {
  constructor(lanes) {
    this.lanes = lanes;
    this.speed = select("Speed", SPEEDS.map((speed) => [speed, speed < 1 ? `${1 / speed} × slower` : "as fast as it was"]));
    const drag = () => this.go((Number(this.range.value) / 1000) * this.end);
    this.range = h("input", { type: "range", min: 0, max: 1000, value: 1000, label: "Time", oninput: drag });
    this.clock = h("output.numbers");
    this.hold = signed("❚❚", "Hold", () => this.toggle());
    this.root = group("div.timeline", "Time",
      signed("«", "To the beginning", () => this.go(0)), signed("‹", "A step back", () => this.step(0)), this.hold,
      signed("›", "A step on", () => this.step(1)), signed("»", "Live", () => this.live()), this.range, this.clock, this.speed);
    this.live();
  }

  get end() {
    return Math.max(0, ...this.lanes().map((lane) => lane.end));
  }

  live() {
    this.go(Infinity);
  }

  go(time) {
    Object.assign(this, { time, playing: false });
    this.show();
  }

  step(side) {
    const now = Math.min(this.time, this.end);
    const times = this.lanes().flatMap(({ frames }) => frames.map(({ at }) => at));
    const near = times.filter((time) => (side ? time > now : time < now));
    this.go(near.length ? Math[side ? "min" : "max"](...near) : now);
  }

  toggle() {
    if (this.playing || this.time === Infinity) {
      this.go(Math.min(this.time, this.end));
    } else {
      Object.assign(this, { playing: true, since: performance.now() });
      if (this.time >= this.end) this.time = 0;
      this.tick();
    }
  }

  tick() {
    if (!this.playing) return;
    const now = performance.now();
    this.time += ((now - this.since) / 1000) * Number(this.speed.value);
    this.since = now;
    if (this.time >= this.end && !this.lanes().some((lane) => lane.running)) this.live();
    this.show();
    requestAnimationFrame(() => this.tick());
  }

  show() {
    const time = Math.min(this.time, this.end);
    this.lanes().forEach((lane) => lane.show(this.time));
    this.range.value = this.end ? Math.round((time / this.end) * 1000) : 1000;
    fill(this.clock, seconds(time));
    const [sign, name] = this.playing || this.time === Infinity ? ["❚❚", "Hold"] : ["▶", "Play"];
    Object.assign(this.hold, { textContent: sign, ariaLabel: name, title: name });
  }
}
