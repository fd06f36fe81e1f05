// Counters of a search over time, each to its own height, and the cells that are known.

import { fill, h } from "../dom.js";

const SERIES = [
  ["conflicts"], ["contradictions", "dead ends"], ["decisions"], ["assumptions", "guesses"], ["propagations"],
  ["lines_checked", "lines"],
];
const STYLES = [["--bad", []], ["--accent", [6, 3]], ["--ink", [2, 2]]];

const short = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });

export class Curves {
  constructor() {
    this.points = [];
    this.canvas = h("canvas.curves", { "aria-hidden": "true" });
    this.legend = h("p.curve-legend.small.numbers");
    this.root = h("div", this.canvas, this.legend);
  }

  add(at, about, cells) {
    this.points.push({ at, about, cells });
  }

  show(time) {
    const known = SERIES.filter(([key]) => this.points.some(({ about }) => about[key])).slice(0, STYLES.length);
    const now = this.points.findLast(({ at }) => at <= time);
    const text = ([key, word = key]) => `${word} ${short.format(now?.about[key] ?? 0)}`;
    fill(this.legend, known.map((series, index) => h(`span.curve-${index}`, text(series))));
    this.draw(known, time);
  }

  draw(series, time) {
    const { canvas, points } = this;
    const ratio = window.devicePixelRatio || 1;
    const [wide, tall] = [canvas.clientWidth, canvas.clientHeight].map((length) => Math.round(length * ratio));
    Object.assign(canvas, { width: wide, height: tall }); // which clears it
    const context = canvas.getContext("2d");
    const colour = (name) => getComputedStyle(canvas).getPropertyValue(name);
    const last = points.at(-1)?.at || 1;
    const across = (at) => (at / last) * wide;
    const path = (value) => {
      const drawn = points.filter((point) => Number.isFinite(value(point)));
      const most = drawn.reduce((sum, point) => Math.max(sum, value(point)), 1);
      context.beginPath();
      context.moveTo(0, tall - 1);
      drawn.forEach((point) => context.lineTo(across(point.at), tall - 1 - (value(point) / most) * (tall - 3)));
      return across(drawn.at(-1)?.at ?? 0);
    };
    context.lineTo(path(({ cells }) => cells), tall);
    context.fillStyle = colour("--soft");
    context.fill();
    context.lineWidth = 1.5 * ratio;
    series.forEach(([key], index) => {
      path(({ about }) => about[key]);
      context.strokeStyle = colour(STYLES[index][0]);
      context.setLineDash(STYLES[index][1].map((dash) => dash * ratio));
      context.stroke();
    });
    context.fillStyle = colour("--strong");
    context.fillRect(Math.min(wide - ratio, across(time)), 0, ratio, tall);
  }
}
