// Studies: the stores of a folder, how far each is, its records, and its report.

import { get, part, stream } from "../api.js";
import { choose } from "../choose.js";
import { button, h, notice, plural } from "../dom.js";

const EVERY_MS = 2000;
const HEADS = ["Puzzle", "Solver", "Encoding", "Outcome", "Solutions", "Time"];
const AGES = [[86400, "day"], [3600, "hour"], [60, "minute"], [1, "second"]];

export default {
  title: "Studies",
  mount(el, { words }) {
    return words[0] ? mountStudy(el, words[0]) : mountAll(el);
  },
};

const number = (value) => value.toLocaleString("en");
const sum = (outcomes) => Object.values(outcomes ?? {}).reduce((total, many) => total + many, 0);
const told = (outcomes) => Object.entries(outcomes ?? {}).map(([name, many]) => `${name} ${number(many)}`).join(" · ");

function age(seconds) {
  const [size, word] = AGES.find(([length]) => seconds >= length) ?? AGES.at(-1);
  return `${plural(Math.floor(seconds / size), word)} ago`;
}

/** Call `work` now and then, as long as the page is there and seen. */
function often(work) {
  const timer = setInterval(() => !document.hidden && work().catch((error) => notice(error.message)), EVERY_MS);
  return () => clearInterval(timer);
}

async function mountAll(el) {
  const list = h("ul.cards");
  const place = h("p.quiet");
  const card = ({ name, study, error, outcomes, running, age_s: old }) =>
    h("li", h("a.card", { href: `#/studies/${part(name)}` }, h("div", h("h2", study || name),
      h("p.quiet.small", error ?? told(outcomes)),
      h("p.small", running && h("strong", "running "), `${plural(sum(outcomes), "run")}, ${age(old)}`))));

  async function show() {
    const { studies, folder } = await get("/api/studies/all");
    place.textContent = studies.length
      ? `In ${folder}`
      : `No stores in ${folder}. "nonosat study run" makes one; "--studies DIR" shows another folder.`;
    list.replaceChildren(...studies.map(card));
  }

  el.append(h("h1", "Studies"), place, list);
  await show();
  return often(show);
}

async function mountStudy(el, name) {
  const jobs = [];
  let page = 0;
  let runs = 0;
  const head = h("h1", name);
  const state = h("div", { role: "status" });
  const body = h("tbody");
  const pages = h("div.buttons");
  const link = h("span");
  const making = button("Make its report", report);

  async function show() {
    const { study, outcomes, running, rows, columns, full } = await get(`/api/studies/one/${part(name)}?page=${page}`);
    const done = sum(outcomes);
    head.textContent = study || name;
    state.replaceChildren(
      h("p.numbers", running && h("strong", "running · "), `${number(done)}${runs ? ` of ${number(runs)}` : ""} runs`),
      runs ? h("progress", { max: runs, value: Math.min(done, runs), "aria-label": "Runs that are done" }) : "",
      h("p.quiet.small", told(outcomes)));
    body.replaceChildren(...rows.map((values) => line(Object.fromEntries(columns.map((column, at) => [column, values[at]])))));
    pages.replaceChildren(button("Newer", () => turn(-1), { disabled: page === 0 }), button("Older", () => turn(1), { disabled: !full }));
  }

  function turn(step) {
    page += step;
    return show();
  }

  function line({ key, instance, solver, encoding, outcome, reason, solutions, solve_s: solve, wall_s: wall }) {
    const time = solve ?? wall;
    const opening = button(instance, () => open(key), { title: "Open on the board", class: "plain link" });
    return h("tr", h("td", opening), h("td", solver), h("td", encoding), h("td", { title: reason ?? "" }, outcome),
      h("td.right.numbers", solutions), h("td.right.numbers", time === null ? "" : `${time.toPrecision(3)} s`));
  }

  async function ask(what, more, onEvent) {
    const hear = (said) => (said.error ? notice(said.error) : onEvent(said));
    const job = stream(`/api/studies/${what}`, { store: name, ...more }, hear);
    jobs.push(job);
    await job.done.catch((error) => notice(error.message));
  }

  function open(key) {
    return ask("puzzle", { key }, ({ puzzle }) => {
      if (puzzle) {
        choose(puzzle);
        location.hash = "#/watch";
      }
    });
  }

  async function report() {
    making.disabled = true;
    link.textContent = "At work …";
    let href = "";
    await ask("report", {}, (said) => (href = said.href ?? href));
    making.disabled = false;
    link.replaceChildren(href ? h("a", { href, target: "_blank" }, "Open the report") : "");
  }

  const heads = HEADS.map((text, at) => h(at > 3 ? "th.right" : "th", { scope: "col" }, text));
  const table = h("table", h("thead", h("tr", heads)), body);
  el.append(h("p.crumbs", h("a", { href: "#/studies" }, "Studies")), head, state, h("p.buttons", making, link),
    h("div.scroll", { tabindex: 0, role: "region", "aria-label": "Records" }, table), pages);
  await show();
  ask("total", {}, (said) => (runs = said.runs ?? runs)).then(show);
  const end = often(async () => page === 0 && (await show()));
  return () => {
    end();
    jobs.forEach((job) => job.stop());
  };
}
