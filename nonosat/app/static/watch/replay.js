// A race as a file of its own: it replays without a server.

import { h, plural, size } from "../dom.js";
import { Lane } from "./lane.js";
import { recalled, Theatre } from "./theatre.js";

const race = JSON.parse(document.getElementById("data").textContent);
const { puzzle } = race;
const theatre = new Theatre();
const about = `${plural(race.lanes.length, "solver")} on ${size(puzzle)} cells, as they were on one machine. Press ▶.`;

document.getElementById("room").append(h("div.place", h("h1", puzzle.title || "A race of solvers"),
  h("p.quiet.small", about), h("div.controls", theatre.timeline.root, theatre.zooms), theatre.grid));
theatre.show(recalled(race, (encoding, about) => new Lane(puzzle, encoding, about)), new AbortController().signal);
theatre.end();
