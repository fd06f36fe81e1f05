// The race: up to four searches at a time, live, and the solutions that they find.

import { get, part, stream } from "../api.js";
import { atEnd, button, fill, h, notice, primary, select, signed, turns } from "../dom.js";
import { newName } from "../outbox.js";
import { Lane, STOPPED } from "./lane.js";
import { solutions } from "./solutions.js";
import { recalled, Theatre } from "./theatre.js";
import { whyFaster } from "./why.js";

const COUNTS = [[1, "One solution"], [2, "Is there another?"], [1000, "All solutions"]];
const CLOSELY = 300;
const SHORT_S = 3;
const NEXT = ["minisat22", "propagation", "phases", "cadical195", "cpsat", "beliefs"];
const remembered = { lanes: [{}], count: 2, closely: true, seconds: 60 };

/** Lanes as an address has them: `auto,minisat22:order`. */
const lanesOf = (text) => text.split(",").map((lane) => lane.split(":")).map(([solver, encoding]) => ({ solver, encoding }));

export function showSolve(el, puzzle, choices, { signal, rest: address, keep }) {
  const kindOf = (name) => choices.solvers.find((one) => one.name === name);
  if (address.get("lanes")) {
    remembered.lanes = lanesOf(address.get("lanes")).slice(0, choices.most.lanes);
    const strange = remembered.lanes.flatMap(({ solver, encoding }) => [
      ...(kindOf(solver) ? [] : [solver]), ...(encoding && !choices.encodings.includes(encoding) ? [encoding] : [])]);
    if (strange.length) notice(`Not known for this puzzle: ${strange.join(", ")}. The usual one is shown.`);
  }
  let job = null;
  let race = null; // its name, when it is kept
  let shown = signal; // until other lanes are
  const [resting, working] = [turns(signal), turns(signal)];
  const theatre = new Theatre();
  const { timeline } = theatre;
  const browse = h("div");
  const why = h("div");
  const reason = button("Why?", () => why.scrollIntoView({ block: "start", behavior: "smooth" }), { hidden: true, title: "Why is it faster?" });
  const start = primary("Solve", () => (job ? stop() : solve()));
  const more = button("Add a solver", add);
  const count = select("How many solutions", COUNTS, (value) => (remembered.count = Number(value)), remembered.count);
  const closely = h("input", { type: "checkbox", checked: remembered.closely, onchange: () => (remembered.closely = closely.checked) });
  const limit = h("input.short", { type: "number", min: 1, max: 3600, value: remembered.seconds,
    onchange: () => (remembered.seconds = Number(limit.value)) });
  const file = h("a.button", { hidden: true, title: "A page that replays the race, without a server" }, "Save the race");
  const running = () => theatre.lanes.filter((lane) => lane.running);

  /** The head of a lane: what solves there. */
  function chooser(chosen) {
    if (!kindOf(chosen.solver)) chosen.solver = "auto";
    if (!choices.encodings.includes(chosen.encoding)) chosen.encoding = choices.encoding;
    const encoding = select("Encoding", choices.encodings, (value) => ((chosen.encoding = value), rest()), chosen.encoding);
    const solver = h("select", { label: "Solver", title: kindOf(chosen.solver).meaning,
      onchange: () => ((chosen.solver = solver.value), rest()) }, grouped(chosen.solver));
    encoding.hidden = !kindOf(chosen.solver).encodes;
    const drop = remembered.lanes.length > 1 && signed("×", "Leave out", () => remove(chosen), { class: "tiny" });
    return h("div.lane-head", solver, encoding, drop);
  }

  function grouped(chosen) {
    const groups = Map.groupBy(choices.solvers, ({ group }) => group);
    return [...groups].map(([label, known]) =>
      Object.assign(h("optgroup", known.map(({ name }) => h("option", { value: name, selected: name === chosen }, name))), { label }));
  }

  function add() {
    const used = remembered.lanes.map(({ solver }) => solver);
    remembered.lanes.push({ solver: NEXT.find((name) => !used.includes(name) && kindOf(name)) });
    rest();
  }

  function remove(chosen) {
    remembered.lanes = remembered.lanes.filter((other) => other !== chosen);
    rest();
  }

  const make = (encoding, about, at) => new Lane(puzzle, encoding, about, chooser(remembered.lanes[at]));

  function prepare() {
    stop();
    race = null;
    more.disabled = remembered.lanes.length >= choices.most.lanes;
    const heads = remembered.lanes.map(chooser);
    const lanes = remembered.lanes.map(({ solver, encoding }, at) => new Lane(puzzle, encoding, kindOf(solver), heads[at]));
    theatre.show(lanes, (shown = resting()));
    fill(browse);
    fill(why);
    reason.hidden = file.hidden = true;
    timeline.live();
  }

  /** The address names the solvers; the race that was shown is no longer that of the address. */
  function rest() {
    prepare();
    const named = ({ solver, encoding }) => (kindOf(solver).encodes ? `${solver}:${encoding}` : solver);
    keep({ lanes: remembered.lanes.map(named).join(","), race: null });
  }

  async function solve() {
    rest();
    race = newName();
    keep({ race, run: null });
    const body = { ...remembered, race, puzzle, closely: remembered.closely ? CLOSELY : 0 };
    const mine = working();
    let waiting = false;
    const any = (event) => {
      (event.lane === undefined ? running() : [theatre.lanes[event.lane]]).forEach((lane) => lane.take(event));
      if (!waiting) requestAnimationFrame(() => ((waiting = false), timeline.show()));
      waiting = true;
    };
    fill(start, "Stop");
    job = stream("/api/watch/run", body, { any }, mine);
    await job;
    if (mine.aborted) return;
    ended();
    compare();
  }

  /** The address of a link says that it runs; then it is the race's. What was over before it could be watched is replayed. */
  async function startedByLink() {
    await solve();
    if (!signal.aborted && race && Math.max(...theatre.lanes.map((lane) => lane.end)) < SHORT_S) timeline.replay();
  }

  const compare = () => {
    if (!theatre.lanes.some(({ answer }) => answer)) return;
    reason.hidden = !theatre.lanes.some(({ about }) => about.encodes);
    whyFaster(why, puzzle, theatre.lanes, shown);
  };

  /** Show a race again that was run before; if the server does not have it, say so. */
  async function recall(name) {
    const mine = working();
    const other = () => ({ error: "the race of this address was run by other solvers" });
    const fitting = (race) => (race.lanes.length === remembered.lanes.length ? race : other());
    const found = await get(`/api/watch/races/${part(name)}`).then(fitting, ({ message }) => ({ error: message }));
    if (mine.aborted) return;
    if (found.error) return fill(browse, h("p", { role: "status" }, `No race to show: ${found.error}.`));
    race = name;
    theatre.show(recalled(found, make), (shown = resting()));
    ended();
    compare();
  }

  function stop() {
    working();
    if (job) running().forEach((lane) => lane.take({ type: "failed", error: STOPPED }));
    ended();
  }

  function ended() {
    job = null;
    fill(start, "Solve");
    theatre.end();
    const best = theatre.lanes.find((lane) => lane.found.length > 1 && lane.answer?.solutions > 1);
    fill(browse, best && solutions(puzzle, best, signal));
    file.hidden = !race;
    if (race) file.href = `/api/watch/races/${part(race)}/page`;
  }

  const settings = h("details.options", h("summary.button", "Options"), h("div.fields",
    h("label", h("span", "Look for"), count),
    h("label", { title: "At first the smallest steps, one by one" }, h("span", "Step by step"), closely),
    h("label", h("span", "Seconds at most"), limit), file));
  document.addEventListener("pointerdown", ({ target }) => settings.contains(target) || (settings.open = false), { signal });
  document.addEventListener("keydown", ({ key }) => key === "Escape" && (settings.open = false), { signal });
  el.append(h("div.controls", start, timeline.root, theatre.zooms, more, reason, settings), theatre.grid, browse, why);
  prepare();
  if (address.get("race")) recall(address.get("race"));
  else if (address.get("run")) startedByLink();
  atEnd(signal, () => (timeline.playing = false));
}
