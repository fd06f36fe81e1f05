// Counters of a search as small curves over its time, each to its own height, and the cells that are known.

import { h } from "../dom.js";

const SERIES = [
  ["conflicts", "conflicts"],
  ["contradictions", "dead ends"],
  ["decisions", "decisions"],
  ["assumptions", "guesses"],
  ["propagations", "propagations"],
  ["lines_checked", "lines"],
];
const STYLES = [
  ["--bad", []],
  ["--accent", [6, 3]],
  ["--ink", [2, 2]],
];

const short = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });

export class Curves {
  constructor() {
    this.points = [];
    this.canvas = h("canvas.curves", { "aria-hidden": "true" });
    this.legend = h("p.curve-legend.small.numbers");
    this.root = h("div", {}, this.canvas, this.legend);
  }

  add(at, about, cells) {
    this.points.push({ at, about, cells });
  }

  /** Draw all that is known up to now, with a line at `time`. */
  show(time) {
    const known = SERIES.filter(([key]) => this.points.some(({ about }) => about[key])).slice(0, STYLES.length);
    const now = this.points.findLast(({ at }) => at <= time);
    const items = known.map(([key, word], index) =>
      h(`span.curve-${index}`, {}, `${word} ${short.format(now?.about[key] ?? 0)}`),
    );
    this.legend.replaceChildren(...items);
    this.draw(known, time);
  }

  draw(known, time) {
    const { canvas, points } = this;
    const ratio = window.devicePixelRatio || 1;
    const [wide, tall] = [canvas.clientWidth * ratio, canvas.clientHeight * ratio];
    if (canvas.width !== Math.round(wide) || canvas.height !== Math.round(tall)) {
      [canvas.width, canvas.height] = [wide, tall];
    }
    const context = canvas.getContext("2d");
    const style = getComputedStyle(canvas);
    context.clearRect(0, 0, canvas.width, canvas.height);
    const last = points.at(-1)?.at || 1;
    const path = (value, most) => {
      const drawn = points.filter((point) => value(point) !== null && value(point) !== undefined);
      context.beginPath();
      context.moveTo(0, tall - 1);
      drawn.forEach((point) => context.lineTo((point.at / last) * wide, tall - 1 - (value(point) / most) * (tall - 3)));
      return drawn.length ? (drawn.at(-1).at / last) * wide : 0;
    };
    const most = Math.max(1, ...points.map(({ cells }) => cells ?? 0));
    const end = path(({ cells }) => cells, most);
    context.lineTo(end, tall);
    context.fillStyle = style.getPropertyValue("--soft");
    context.fill();
    known.forEach(([key], index) => {
      const [colour, dashes] = STYLES[index];
      path(({ about }) => about[key], Math.max(1, ...points.map(({ about }) => about[key] ?? 0)));
      context.strokeStyle = style.getPropertyValue(colour);
      context.setLineDash(dashes.map((dash) => dash * ratio));
      context.lineWidth = 1.5 * ratio;
      context.stroke();
    });
    context.setLineDash([]);
    context.fillStyle = style.getPropertyValue("--strong");
    context.fillRect(Math.min(wide - ratio, (time / last) * wide), 0, ratio, tall);
  }
}
