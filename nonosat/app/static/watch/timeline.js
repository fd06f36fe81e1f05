// What of the searches is shown: all that has come, or what there was at a time, or up to an event. Searches go on meanwhile.

import { fill, group, h, plural, signed } from "../dom.js";
import { seconds } from "./lane.js";

const EVENTS = [1, 5, 20, 100];
const TIMES = [1, 0.1, 0.01, 0.001, 0.0001];
const LOOKED_AT_S = 2;

function speeds(chosen) {
  const option = (value, text) => h("option", { value, selected: value === chosen }, text);
  const part = (label, ...children) => Object.assign(h("optgroup", children), { label });
  return [
    part("By events, however long they took", EVENTS.map((rate) => option(`events:${rate}`, `${rate} event${rate > 1 ? "s" : ""}/s`))),
    part("By time: a race", TIMES.map((rate) => option(`time:${rate}`, rate < 1 ? `${1 / rate} × slower` : "as it was"))),
  ];
}

export class Timeline {
  /** `lanes()`: what is shown now. `at` is a number of events, or of seconds; Infinity: all that has come. */
  constructor(lanes) {
    Object.assign(this, { lanes, at: Infinity, playing: false });
    this.speed = h("select", { label: "Speed", onchange: () => ((this.chosen = true), this.turn()) }, speeds("events:20"));
    this.range = h("input", { type: "range", min: 0, max: 1000, value: 1000, label: "Time",
      oninput: () => this.go((Number(this.range.value) / 1000) * this.end) });
    this.clock = h("output.numbers");
    this.hold = signed("❚❚", "Hold", () => this.toggle());
    this.root = group("div.timeline", "Time",
      signed("«", "To the beginning", () => this.go(0)), signed("‹", "A step back", () => this.step(-1)), this.hold,
      signed("›", "A step on", () => this.step(1)), signed("»", "Live", () => this.live()), this.range, this.clock, this.speed);
    this.turn();
  }

  get end() {
    return this.lanes().reduce((most, lane) => Math.max(most, this.byEvents ? lane.frames.length - 1 : lane.end), 0);
  }

  /** Another speed: what is shown stays, whether it is counted in events or in seconds. */
  turn() {
    const [unit, rate] = this.speed.value.split(":");
    const byEvents = unit === "events";
    if (this.at !== Infinity && byEvents !== this.byEvents) {
      const { frames, shown } = this.lanes().reduce((one, other) => (other.frames.length > one.frames.length ? other : one));
      this.at = byEvents ? frames.indexOf(shown) : shown.at; // events are counted by the one that has most
    }
    Object.assign(this, { byEvents, rate: Number(rate) });
    this.show();
  }

  /** Several that have ended are replayed as a race, slowly enough to be looked at, unless a speed was chosen. */
  suit() {
    const ended = this.lanes().length > 1 && !this.lanes().some((lane) => lane.running);
    if (this.chosen || !ended || this.at !== Infinity) return;
    const end = Math.max(...this.lanes().map((lane) => lane.end));
    this.speed.value = `time:${TIMES.find((rate) => end / rate >= LOOKED_AT_S) ?? TIMES.at(-1)}`;
    this.turn();
  }

  live() {
    this.go(Infinity);
  }

  /** From the beginning, at the chosen speed. */
  replay() {
    this.go(0);
    this.toggle();
  }

  go(at) {
    Object.assign(this, { at, playing: false });
    this.show();
  }

  step(side) {
    const now = Math.min(this.at, this.end);
    if (this.byEvents) return this.go(Math.min(this.end, Math.max(0, (side > 0 ? Math.floor(now) : Math.ceil(now)) + side)));
    const times = this.lanes().flatMap(({ frames }) => frames.map(({ at }) => at));
    const near = times.filter((time) => (side > 0 ? time > now : time < now));
    return this.go(near.length ? Math[side > 0 ? "min" : "max"](...near) : now);
  }

  toggle() {
    if (this.playing || (this.at === Infinity && this.lanes().some((lane) => lane.running))) {
      this.go(Math.min(this.at, this.end));
    } else {
      Object.assign(this, { playing: true, since: performance.now() });
      if (this.at >= this.end) this.at = 0;
      this.tick();
    }
  }

  tick() {
    if (!this.playing) return;
    const now = performance.now();
    this.at += ((now - this.since) / 1000) * this.rate;
    this.since = now;
    if (this.at >= this.end && !this.lanes().some((lane) => lane.running)) return this.live();
    this.show();
    requestAnimationFrame(() => this.tick());
  }

  show() {
    const { end, byEvents } = this;
    const at = Math.min(this.at, end);
    this.lanes().forEach((lane) => lane.show(this.at, byEvents, end));
    this.range.value = end ? Math.round((at / end) * 1000) : 1000;
    fill(this.clock, byEvents ? `${Math.floor(at)} of ${plural(end, "event")}` : seconds(at));
    const running = this.playing || (this.at === Infinity && this.lanes().some((lane) => lane.running));
    const [sign, name] = running ? ["❚❚", "Hold"] : ["▶", "Play"];
    Object.assign(this.hold, { textContent: sign, ariaLabel: name, title: name });
  }
}
