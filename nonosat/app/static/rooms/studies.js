// Studies: the stores of a folder, how far each is, its records, and its report.

import { get, part, stream } from "../api.js";
import { choose } from "../choose.js";
import { atEnd, button, fill, h, lasting, notice, plural, table } from "../dom.js";
import { heatMap } from "../heat.js";
import { studyState } from "../study.js";

const EVERY_MS = 2000;
const TEXTS = ["Puzzle", "Solver", "Encoding", "Outcome"];
const choices = {}; // by store the records that were chosen, as long as the page is open

export const mount = (el, { words: [name], signal }) => (name ? mountStudy(el, name, signal) : mountAll(el, signal));

/** Call `work` now, and now and then, while the page is seen. */
async function often(work, signal) {
  await work();
  const timer = setInterval(() => !document.hidden && work().catch((error) => notice(error.message)), EVERY_MS);
  atEnd(signal, () => clearInterval(timer));
}

function mountAll(el, signal) {
  const list = h("ul.cards");
  const place = h("p.quiet");
  const card = ({ name, title, summary, runs, running, age }) =>
    h("li", h("a.card", { href: `#/studies/${part(name)}` }, h("div", h("h2", title),
      title !== name && h("p.small", name), h("p.quiet.small", summary),
      h("p.small", running && h("strong", "running "), `${plural(runs, "run")}, ${age}`))));

  async function show() {
    const { studies, folder } = await get("/api/studies/all");
    const none = `No studies in ${folder}. A study solves many puzzles by several solvers and keeps what each run took in a file, its store: ` +
      `"nonosat study new my.toml --size 10 --density 0.5" writes one, "nonosat study run my.toml" runs it. ` +
      `"--studies DIR" shows another folder.`;
    fill(place, studies.length ? `In ${folder}` : none);
    fill(list, studies.map(card));
  }

  el.append(h("h1", "Studies"), place, list);
  return often(show, signal);
}

async function mountStudy(el, name, signal) {
  let page = 0;
  let total = 0;
  const head = h("h1", name);
  const state = h("div", { role: "status" });
  const body = h("tbody");
  const pages = h("div.buttons");
  const link = h("span");
  const making = lasting("Make its report", report);
  const chosen = (choices[name] ??= new Map()); // records by their keys
  const racing = button("Race the chosen in Watch", race);
  const why = h("span.quiet.small", { role: "status" });

  async function show() {
    const { title, summary, runs, running, records, full } = await get(`/api/studies/one/${part(name)}?page=${page}`);
    fill(head, title);
    fill(state, studyState({ running, runs, total, summary }));
    fill(body, records.map(line));
    fill(pages, button("Newer", () => turn(-1), { disabled: page === 0 }), button("Older", () => turn(1), { disabled: !full }));
  }

  function turn(step) {
    page += step;
    return show();
  }

  function choosing(record, on) {
    if (on) chosen.set(record.key, record);
    else chosen.delete(record.key);
    judge();
  }

  /** Up to four records of one puzzle can be raced. */
  function judge() {
    const puzzles = new Set([...chosen.values()].map(({ instance }) => instance));
    const several = puzzles.size > 1 ? "These records are of several puzzles: choose up to four of one." : "";
    const many = chosen.size > 4 ? `${chosen.size} are chosen: four at most can be raced.` : "";
    fill(why, chosen.size ? several || many : "Choose up to four records of one puzzle.");
    racing.disabled = !chosen.size || Boolean(several || many);
  }

  function race() {
    const [first] = chosen.values();
    const lanes = [...chosen.values()].map(({ solver, encoding }) => (encoding ? `${solver}:${encoding}` : solver));
    return open(first.key, [...new Set(lanes)]);
  }

  function line(record) {
    const { key, instance, source, kind, solver, encoding, outcome, reason, solutions, solve_s: solve, wall_s: wall } = record;
    const time = solve ?? wall;
    const choice = h("input", { type: "checkbox", checked: chosen.has(key), label: `Choose ${solver} on ${instance}`,
      onchange: ({ target }) => choosing(record, target.checked) });
    const [, of] = /^file\/[^/]*\/(.*)$/.exec(instance) ?? [];
    const named = of && source ? (of === "1" ? source : `${source} ${of}`) : instance;
    const opening = kind === "model" ? named : button(named, () => open(key), { title: "Open on the board", class: "plain link" });
    return h("tr", h("td", choice), h("td", opening), h("td", solver), h("td", encoding), h("td", { title: reason ?? "" }, outcome),
      h("td.right.numbers", solutions), h("td.right.numbers", time === null ? "" : `${time.toFixed(4)} s`));
  }

  const ask = (what, handlers, more) => stream(`/api/studies/${what}`, { store: name, ...more }, handlers, signal);

  function open(key, lanes = []) {
    const opened = ({ puzzle }) => {
      choose(puzzle);
      location.hash = `#/watch${lanes.length ? `?${new URLSearchParams({ lanes: lanes.join(","), run: 1 })}` : ""}`;
    };
    return ask("puzzle", { puzzle: opened }, { key });
  }

  async function report() {
    fill(link);
    let href = "";
    await ask("report", { done: (report) => (href = report.href) });
    fill(link, href && h("a", { href, target: "_blank" }, "Open the report"));
  }

  /** The puzzles that took longest, by solver and encoding; a cell opens its run. */
  async function heat({ target }) {
    if (!target.open || heats.childElementCount) return;
    fill(heats, heatMap(await get(`/api/studies/heat/${part(name)}`), (key, lane) => open(key, [lane])));
  }

  const heats = h("div");
  const heating = h("details", { ontoggle: heat }, h("summary", "Heat map: the puzzles that took longest, by solver"), heats);
  const shown = table("Records", ["", ...TEXTS, "Solutions", "Time"], TEXTS, body);
  judge();
  await often(async () => page === 0 && (await show()), signal);
  // Whole, so that nothing moves from under the pointer.
  el.append(h("p.crumbs", h("a", { href: "#/studies" }, "Studies")), head, state, h("p.buttons", making, link, racing, why), heating, shown, pages);
  ask("total", { planned: ({ runs }) => (total = runs) }).then(show);
}
