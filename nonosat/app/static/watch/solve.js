// Solve: up to four searches at a time, live, and the solutions that they find.

import { stream } from "../api.js";
import { h, notice } from "../dom.js";
import { Lane, STOPPED } from "./lane.js";
import { solutions } from "./solutions.js";
import { Timeline } from "./timeline.js";

const COUNTS = [
  [1, "One solution"],
  [2, "Is there another?"],
  [1000, "All solutions"],
];
const CLOSELY = 300;
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
  const more = h("button", { onclick: () => add() }, "Add a solver");
  const count = select(COUNTS, remembered.count, "How many solutions", (value) => (remembered.count = Number(value)));
  const closely = h("input", {
    type: "checkbox",
    checked: remembered.closely,
    onchange: () => (remembered.closely = closely.checked),
  });
  const limit = h("input.short", {
    type: "number",
    min: 1,
    max: 3600,
    value: remembered.seconds,
    onchange: () => (remembered.seconds = Number(limit.value)),
  });

  function row(chosen) {
    const known = choices.solvers.some(({ name }) => name === chosen.solver);
    chosen.solver = known ? chosen.solver : "auto";
    chosen.encoding = choices.encodings.includes(chosen.encoding) ? chosen.encoding : choices.encoding;
    const encodings = choices.encodings.map(pair);
    const encoding = select(encodings, chosen.encoding, "Encoding", (value) => (chosen.encoding = value));
    const fit = () => (encoding.hidden = kindOf(chosen.solver).family === "own");
    const solver = select(choices.solvers.map(({ name }) => pair(name)), chosen.solver, "Solver", (value) => {
      chosen.solver = value;
      solver.title = kindOf(value).meaning;
      fit();
      rest();
    });
    solver.title = kindOf(chosen.solver).meaning;
    fit();
    const drop = h("button", { "aria-label": "Leave out", title: "Leave out", onclick: () => remove(chosen) }, "×");
    return h("div.lane-row", {}, solver, encoding, remembered.lanes.length > 1 && drop);
  }

  const kindOf = (name) => choices.solvers.find((one) => one.name === name);

  function refresh() {
    rows.replaceChildren(...remembered.lanes.map(row));
    more.hidden = remembered.lanes.length >= choices.most.lanes;
    rest();
  }

  function add() {
    const used = remembered.lanes.map(({ solver }) => solver);
    const next = ["minisat22", "propagation", "phases", "cadical195", "cpsat", "beliefs"];
    const fresh = next.find((name) => !used.includes(name) && kindOf(name));
    remembered.lanes.push({ solver: fresh, encoding: choices.encoding });
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
    const told = (chosen) => {
      const { family, seen } = kindOf(chosen.solver);
      return { ...chosen, encoding: family === "own" ? null : chosen.encoding, seen };
    };
    lanes = remembered.lanes.map((chosen, number) => new Lane(number, puzzle, told(chosen)));
    grid.replaceChildren(...lanes.map((lane) => lane.root));
    grid.dataset.many = lanes.length;
    lanes.forEach((lane) => lane.mount());
    browse.replaceChildren();
    timeline.root.hidden = true;
    timeline.live();
  }

  async function solve() {
    rest();
    const body = {
      puzzle,
      lanes: lanes.map(({ chosen: { solver, encoding } }) => ({ solver, encoding: encoding ?? choices.encoding ?? "" })),
      count: remembered.count,
      closely: remembered.closely ? CLOSELY : 0,
      seconds: remembered.seconds,
    };
    const mine = ++asked;
    start.textContent = "Stop";
    timeline.root.hidden = false;
    let waiting = false;
    job = stream("/api/watch/run", body, (said) => {
      (said.type === "waiting" ? lanes : [lanes[said.lane]]).forEach((lane) => lane.hear(said));
      if (!waiting) {
        waiting = true;
        requestAnimationFrame(() => ((waiting = false), timeline.show()));
      }
    });
    try {
      await job.done;
    } catch (error) {
      notice(error.message);
      lanes.forEach((lane) => lane.running && lane.hear({ type: "failed", error: error.message }));
    }
    if (mine === asked) {
      ended();
    }
  }

  function stop() {
    job?.stop();
    lanes.filter((lane) => job && lane.running).forEach((lane) => lane.hear({ type: "failed", error: STOPPED }));
    ended();
  }

  function ended() {
    job = null;
    asked += 1;
    start.textContent = "Solve";
    timeline.show();
    const best = lanes.find((lane) => lane.found.length > 1) ?? lanes.find((lane) => lane.answer?.solutions);
    browse.replaceChildren();
    if (best?.answer?.solutions > 1) {
      browse.append(solutions(puzzle, best));
    }
  }

  const settings = h(
    "div.watch-settings",
    {},
    rows,
    h(
      "div.buttons",
      {},
      more,
      count,
      h("label.field", { title: "At first the smallest steps, one by one" }, closely, "Step by step"),
      h("label.field", {}, limit, "s at most"),
      start,
    ),
  );
  el.append(settings, timeline.root, browse, grid);
  refresh();
  return () => {
    timeline.playing = false;
    stop();
    lanes.forEach((lane) => lane.close());
  };
}

const pair = (name) => [name, name];

export function select(options, value, label, onChange) {
  const made = h(
    "select",
    { "aria-label": label, onchange: () => onChange(made.value) },
    options.map(([name, text]) => h("option", { value: name }, text)),
  );
  made.value = value;
  return made;
}
