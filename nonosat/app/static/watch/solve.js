// Solve: up to four searches at a time, live, and the solutions that they find.

import { stream } from "../api.js";
import { button, h, notice, select, signed } from "../dom.js";
import { Lane, STOPPED } from "./lane.js";
import { solutions } from "./solutions.js";
import { Timeline } from "./timeline.js";

const COUNTS = [[1, "One solution"], [2, "Is there another?"], [1000, "All solutions"]];
const CLOSELY = 300;
const NEXT = ["minisat22", "propagation", "phases", "cadical195", "cpsat", "beliefs"];
const remembered = { lanes: [{}], count: 2, closely: true, seconds: 60 };

export function solvePart(el, puzzle, choices) {
  let lanes = [];
  let job = null;
  let asked = 0;
  const timeline = new Timeline(() => lanes);
  const grid = h("div.lanes");
  const browse = h("div");
  const rows = h("div.lane-rows");
  const start = h("button.primary", { onclick: () => (job ? stop() : solve()) }, "Solve");
  const more = button("Add a solver", () => add());
  const count = select("How many solutions", COUNTS, (value) => (remembered.count = Number(value)), remembered.count);
  const input = (type, name, more) => {
    const made = h("input", { type, onchange: () => (remembered[name] = type === "number" ? Number(made.value) : made.checked), ...more });
    return made;
  };
  const closely = input("checkbox", "closely", { checked: remembered.closely });
  const limit = input("number", "seconds", { min: 1, max: 3600, value: remembered.seconds, class: "short" });
  const kindOf = (name) => choices.solvers.find((one) => one.name === name);
  const isOwn = (name) => kindOf(name).family === "own"; // which encodes nothing

  function row(chosen) {
    chosen.solver = kindOf(chosen.solver) ? chosen.solver : "auto";
    chosen.encoding = choices.encodings.includes(chosen.encoding) ? chosen.encoding : choices.encoding;
    const encoding = select("Encoding", choices.encodings, (value) => ((chosen.encoding = value), rest()), chosen.encoding);
    const solver = select("Solver", choices.solvers.map(({ name }) => name), (value) => {
      chosen.solver = value;
      fit();
      rest();
    }, chosen.solver);
    const fit = () => {
      solver.title = kindOf(chosen.solver).meaning;
      encoding.hidden = isOwn(chosen.solver);
    };
    fit();
    return h("div.lane-row", solver, encoding, remembered.lanes.length > 1 && signed("×", "Leave out", () => remove(chosen)));
  }

  function refresh() {
    rows.replaceChildren(...remembered.lanes.map(row));
    more.hidden = remembered.lanes.length >= choices.most.lanes;
    rest();
  }

  function add() {
    const used = remembered.lanes.map(({ solver }) => solver);
    remembered.lanes.push({ solver: NEXT.find((name) => !used.includes(name) && kindOf(name)), encoding: choices.encoding });
    refresh();
  }

  function remove(chosen) {
    remembered.lanes = remembered.lanes.filter((other) => other !== chosen);
    refresh();
  }

  /** Boards as they are before a search. */
  function rest() {
    stop();
    lanes.forEach((lane) => lane.close());
    lanes = remembered.lanes.map(({ solver, encoding }) =>
      new Lane(puzzle, { solver, encoding: isOwn(solver) ? null : encoding, seen: kindOf(solver).seen }));
    grid.replaceChildren(...lanes.map((lane) => lane.root));
    grid.dataset.many = lanes.length;
    lanes.forEach((lane) => lane.mount());
    browse.replaceChildren();
    timeline.root.hidden = true;
    timeline.live();
  }

  async function solve() {
    rest();
    const wanted = lanes.map(({ chosen: { solver, encoding } }) => ({ solver, encoding: encoding ?? choices.encoding ?? "" }));
    const { count: most, seconds } = remembered;
    const body = { puzzle, lanes: wanted, count: most, closely: remembered.closely ? CLOSELY : 0, seconds };
    const mine = ++asked;
    start.textContent = "Stop";
    timeline.root.hidden = false;
    let waiting = false;
    job = stream("/api/watch/run", body, (said) => {
      (said.type === "waiting" ? lanes : [lanes[said.lane]]).forEach((lane) => lane.hear(said));
      if (!waiting) requestAnimationFrame(() => ((waiting = false), timeline.show()));
      waiting = true;
    });
    try {
      await job.done;
    } catch (error) {
      notice(error.message);
      end(error.message);
    }
    if (mine === asked) ended();
  }

  /** What is at work of the lanes is so no longer. */
  function end(error) {
    lanes.filter((lane) => lane.running).forEach((lane) => lane.hear({ type: "failed", error }));
  }

  function stop() {
    job?.stop();
    if (job) end(STOPPED);
    ended();
  }

  function ended() {
    job = null;
    asked += 1;
    start.textContent = "Solve";
    timeline.show();
    const best = lanes.find((lane) => lane.found.length > 1 && lane.answer?.solutions > 1);
    browse.replaceChildren(...(best ? [solutions(puzzle, best)] : []));
  }

  el.append(
    h("div.bar", rows, h("div.buttons", more, count,
      h("label.field", { title: "At first the smallest steps, one by one" }, closely, "Step by step"),
      h("label.field", limit, "s at most"), start)),
    timeline.root, browse, grid);
  refresh();
  return () => {
    timeline.playing = false;
    stop();
    lanes.forEach((lane) => lane.close());
  };
}
