// The searches beside each other: their boards move and zoom together, under one time.

import { fill, group, h, number, signed } from "../dom.js";
import { Timeline } from "./timeline.js";

export class Theatre {
  constructor() {
    this.lanes = [];
    this.grid = h("div.lanes");
    this.timeline = new Timeline(() => this.lanes);
    const zoom = (factor) => this.lanes[0]?.board.zoom(factor); // the others follow
    this.zooms = group("div.zooms", "Zoom",
      signed("−", "Zoom out", () => zoom(1 / 1.4)), signed("□", "Fit the boards", () => zoom(0)), signed("+", "Zoom in", () => zoom(1.4)));
  }

  show(lanes, signal) {
    this.lanes = lanes;
    fill(this.grid, lanes.map((lane) => lane.root));
    this.grid.dataset.many = lanes.length;
    lanes.forEach((lane) => {
      lane.mount(signal);
      lane.board.onView = () => lanes.forEach((other) => other !== lane && other.board.follow(lane.board));
    });
    this.timeline.show();
  }

  /** The race is over: which was the fastest, and how many times as long the others took. */
  end() {
    const answered = this.lanes.filter(({ answer }) => answer?.complete);
    const least = Math.min(...answered.map((lane) => lane.end));
    if (this.lanes.length > 1) {
      answered.forEach((lane) => (lane.standing = lane.end === least ? "fastest" : `${times(lane.end / least)} as long`));
    }
    this.timeline.suit();
    this.timeline.show();
  }
}

const times = (ratio) => `${ratio < 10 ? ratio.toFixed(1) : number(Math.round(ratio))} times`;

/** The lanes of a race that was recorded, with all their events; `head(index)` is what stands above a board. */
export function recalled({ lanes, events }, make) {
  return lanes.map(({ encoding, about }, at) => {
    const lane = make(encoding, about, at);
    events[at].forEach((event) => lane.take(event));
    if (lane.running) lane.take({ type: "failed", error: "Stopped" });
    return lane;
  });
}
