// The times of a study's puzzles by solver and encoding, as a table of shades.

import { button, h, plural, table } from "./dom.js";

const DECIDED = ["SAT", "UNSAT", "MEASURED"]; // others ran as long as they were allowed to, or failed: their names stand there
const LEAST_S = 1e-6;

/** `open(key, lane)` shows a run. Shades are those of the times' logarithms. */
export function heatMap({ lanes, rows, left_out: more }, open) {
  const names = lanes.map(([solver, encoding]) => (encoding ? `${solver}:${encoding}` : solver));
  const log = ({ seconds }) => Math.log(Math.max(seconds, LEAST_S));
  const decided = (run) => DECIDED.includes(run.outcome);
  const logs = rows.flatMap(({ cells }) => cells).filter((run) => run && decided(run)).map(log);
  const [least, most] = [Math.min(...logs), Math.max(...logs)];
  const cell = (instance) => (run, at) => {
    if (!run) return h("td");
    const title = `${names[at]} on ${instance}: ${run.outcome}. Watch it`;
    const text = decided(run) ? `${run.seconds.toPrecision(2)} s` : run.outcome;
    const made = h("td.heat", button(text, () => open(run.key, names[at]), { class: "plain numbers", title }));
    made.style.setProperty("--share", decided(run) ? (log(run) - least) / (most - least || 1) : 1);
    return made;
  };
  const line = ({ instance, cells }) => h("tr", h("td", instance), cells.map(cell(instance)));
  return [
    table("Times by puzzle and solver", ["Puzzle", ...names], ["Puzzle"], h("tbody", rows.map(line))),
    more > 0 && h("p.quiet.small", `${plural(more, "more column")} left out.`),
  ];
}
