// Counters of a search, each to its own height, and the cells that are known, over time or over events.

import { fill, h, plural } from "../dom.js";

const SERIES = [
  ["conflicts"], ["contradictions", "dead ends"], ["decisions"], ["assumptions", "guesses"], ["propagations"],
  ["lines_checked", "lines"],
];
const STYLES = [["--bad", []], ["--ink", [2, 2]]];

const short = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });
const span = (end) => (end >= 1 ? `${end.toPrecision(3)} s` : `${(1000 * end).toPrecision(3)} ms`);

export class Curves {
  constructor(cells) {
    this.cells = cells;
    this.canvas = h("canvas.curves", { "aria-hidden": "true" });
    this.legend = h("p.curve-legend.small.numbers");
    this.axis = h("p.axis.numbers");
    this.root = h("div", this.legend, this.canvas, this.axis);
  }

  /** All `frames`, and where `now` is among them; the axis ends at `end` events or seconds. */
  show(now, frames, byEvents, end) {
    const series = SERIES.filter(([key]) => frames.at(-1).about[key] || now.about[key]).slice(0, STYLES.length);
    const most = (value) => frames.reduce((sum, frame) => Math.max(sum, value(frame) || 0), 1);
    const drawn = series.map(([key, word = key]) => ({ value: ({ about }) => about[key], word, most: most(({ about }) => about[key]) }));
    const text = ({ value, word, most: top }) => `${word} ${short.format(value(now) ?? 0)} of ${short.format(top)}`;
    const seen = frames.some(({ known }) => known > 0);
    fill(this.legend, seen && h("span.curve-cells", `cells ${now.known ?? 0} of ${this.cells}`),
      drawn.map((one, index) => h(`span.curve-${index}`, text(one))));
    fill(this.axis, h("span", "0"), h("span", end ? (byEvents ? plural(end, "event") : span(end)) : ""));
    this.draw(drawn, now, frames, byEvents, end);
  }

  draw(series, now, frames, byEvents, end) {
    const { canvas } = this;
    const ratio = window.devicePixelRatio || 1;
    const [wide, tall] = [canvas.clientWidth, canvas.clientHeight].map((length) => Math.round(length * ratio));
    Object.assign(canvas, { width: wide, height: tall }); // which clears it
    const context = canvas.getContext("2d");
    const colour = (name) => getComputedStyle(canvas).getPropertyValue(name);
    const across = (index) => ((byEvents ? index : frames[index].at) / (end || 1)) * wide;
    const path = (value, most) => {
      let last = 0;
      context.beginPath();
      context.moveTo(0, tall - 1);
      frames.forEach((frame, index) => {
        if (!Number.isFinite(value(frame))) return;
        last = across(index);
        context.lineTo(last, tall - 1 - (value(frame) / most) * (tall - 3));
      });
      return last;
    };
    context.lineTo(path(({ known }) => known, this.cells), tall);
    context.fillStyle = colour("--soft");
    context.fill();
    context.lineWidth = 1.5 * ratio;
    series.forEach(({ value, most }, index) => {
      path(value, most);
      context.strokeStyle = colour(STYLES[index][0]);
      context.setLineDash(STYLES[index][1].map((dash) => dash * ratio));
      context.stroke();
    });
    context.fillStyle = colour("--strong");
    context.fillRect(Math.min(wide - ratio, across(frames.indexOf(now))), 0, ratio, tall);
  }
}
