// Solve: up to four searches at a time, live, and the solutions that they find.

import { get, part, stream } from "../api.js";
import { newName } from "../outbox.js";
import { atEnd, button, fill, h, primary, select, signed, turns } from "../dom.js";
import { Lane, STOPPED } from "./lane.js";
import { solutions } from "./solutions.js";
import { Timeline } from "./timeline.js";

const COUNTS = [[1, "One solution"], [2, "Is there another?"], [1000, "All solutions"]];
const CLOSELY = 300;
const NEXT = ["minisat22", "propagation", "phases", "cadical195", "cpsat", "beliefs"];
const remembered = { lanes: [{}], count: 2, closely: true, seconds: 60 };

/** Lanes as an address has them: `auto,minisat22:order`. */
const lanesOf = (text) => text.split(",").map((lane) => lane.split(":")).map(([solver, encoding]) => ({ solver, encoding }));

export function showSolve(el, puzzle, choices, { signal, rest: address, keep }) {
  if (address.get("lanes")) remembered.lanes = lanesOf(address.get("lanes")).slice(0, choices.most.lanes);
  let lanes = [];
  let job = null;
  const [resting, working] = [turns(signal), turns(signal)];
  const timeline = new Timeline(() => lanes);
  const grid = h("div.lanes");
  const browse = h("div");
  const rows = h("div.lane-rows");
  const start = primary("Solve", () => (job ? stop() : solve()));
  const more = button("Add a solver", add);
  const count = select("How many solutions", COUNTS, (value) => (remembered.count = Number(value)), remembered.count);
  const closely = h("input", { type: "checkbox", checked: remembered.closely, onchange: () => (remembered.closely = closely.checked) });
  const limit = h("input.short", { type: "number", min: 1, max: 3600, value: remembered.seconds,
    onchange: () => (remembered.seconds = Number(limit.value)) });
  const running = () => lanes.filter((lane) => lane.running);
  const kindOf = (name) => choices.solvers.find((one) => one.name === name);

  function row(chosen) {
    if (!kindOf(chosen.solver)) chosen.solver = "auto";
    if (!choices.encodings.includes(chosen.encoding)) chosen.encoding = choices.encoding;
    const encoding = select("Encoding", choices.encodings, (value) => ((chosen.encoding = value), rest()), chosen.encoding);
    const solver = select("Solver", choices.solvers.map(({ name }) => name), (value) => ((chosen.solver = value), fit(), rest()), chosen.solver);
    const fit = () => {
      solver.title = kindOf(chosen.solver).meaning;
      encoding.hidden = !kindOf(chosen.solver).encodes;
    };
    fit();
    return h("div.lane-row", solver, encoding, remembered.lanes.length > 1 && signed("×", "Leave out", () => remove(chosen)));
  }

  function refresh() {
    fill(rows, remembered.lanes.map(row));
    more.hidden = remembered.lanes.length >= choices.most.lanes;
    prepare();
  }

  /** The address names the solvers; the race that was shown is no longer that of the address. */
  function rest() {
    const named = ({ solver, encoding }) => (kindOf(solver).encodes ? `${solver}:${encoding}` : solver);
    keep({ lanes: remembered.lanes.map(named).join(","), race: null });
    prepare();
  }

  function add() {
    const used = remembered.lanes.map(({ solver }) => solver);
    remembered.lanes.push({ solver: NEXT.find((name) => !used.includes(name) && kindOf(name)) });
    refresh();
    rest();
  }

  function remove(chosen) {
    remembered.lanes = remembered.lanes.filter((other) => other !== chosen);
    refresh();
    rest();
  }

  function prepare() {
    stop();
    const shown = resting();
    lanes = remembered.lanes.map(({ solver, encoding }) => new Lane(puzzle, encoding, kindOf(solver)));
    fill(grid, lanes.map((lane) => lane.root));
    grid.dataset.many = lanes.length;
    lanes.forEach((lane) => lane.mount(shown));
    fill(browse);
    timeline.root.hidden = true;
    timeline.live();
  }

  async function solve() {
    rest();
    const race = newName();
    keep({ race });
    const body = { ...remembered, race, puzzle, closely: remembered.closely ? CLOSELY : 0 };
    const mine = working();
    let waiting = false;
    const any = (said) => {
      (said.lane === undefined ? running() : [lanes[said.lane]]).forEach((lane) => lane.hear(said));
      if (!waiting) requestAnimationFrame(() => ((waiting = false), timeline.show()));
      waiting = true;
    };
    fill(start, "Stop");
    timeline.root.hidden = false;
    job = stream("/api/watch/run", body, { any }, mine);
    await job;
    if (!mine.aborted) ended();
  }

  /** Show a race again that was run before; one that the server has lost is not there. */
  async function recall(name) {
    const mine = working();
    const race = await get(`/api/watch/races/${part(name)}`).catch(() => null);
    if (!race || mine.aborted) return;
    const shown = resting();
    lanes = race.lanes.map(({ encoding, about }) => new Lane(puzzle, encoding, about));
    fill(grid, lanes.map((lane) => lane.root));
    grid.dataset.many = lanes.length;
    lanes.forEach((lane, at) => {
      lane.mount(shown);
      race.events[at].forEach((said) => lane.hear(said));
      if (lane.running) lane.hear({ type: "failed", error: STOPPED });
    });
    timeline.root.hidden = false;
    ended();
  }

  function stop() {
    working();
    if (job) running().forEach((lane) => lane.hear({ type: "failed", error: STOPPED }));
    ended();
  }

  function ended() {
    job = null;
    fill(start, "Solve");
    timeline.show();
    const best = lanes.find((lane) => lane.found.length > 1 && lane.answer?.solutions > 1);
    fill(browse, best && solutions(puzzle, best, signal));
  }

  el.append(
    h("div.bar", rows, h("div.buttons", more, count,
      h("label.field", { title: "At first the smallest steps, one by one" }, closely, "Step by step"),
      h("label.field", limit, "s at most"), start)),
    timeline.root, browse, grid);
  refresh();
  if (address.get("race")) recall(address.get("race"));
  atEnd(signal, () => (timeline.playing = false));
}
