// The searches beside each other: their boards move and zoom together, under one time.

import { fill, group, h, signed } from "../dom.js";
import { STOPPED } from "./lane.js";
import { Timeline } from "./timeline.js";

const PLACES = ["first", "second", "third", "fourth"];

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

  /** The race is over: who came first, unless some were stopped. No ratios: being watched costs each a time of its own. */
  end() {
    const answered = this.lanes.filter(({ answer }) => answer?.complete);
    if (this.lanes.length > 1 && this.lanes.every(({ failed }) => failed !== STOPPED)) {
      answered.forEach((lane) => (lane.standing = PLACES[answered.filter(({ end }) => end < lane.end).length]));
    }
    this.timeline.suit();
    this.timeline.show();
  }
}

/** The lanes of a race that was recorded, with all their events; `head(index)` is what stands above a board. */
export function recalled({ lanes, events }, make) {
  return lanes.map(({ encoding, about }, at) => {
    const lane = make(encoding, about, at);
    events[at].forEach((event) => lane.take(event));
    if (lane.running) lane.take({ type: "failed", error: "Stopped" });
    return lane;
  });
}
