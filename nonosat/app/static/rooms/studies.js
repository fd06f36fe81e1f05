// Studies: the stores of a folder, how far each is, its records, and its report.

import { get, stream } from "../api.js";
import { choose } from "../choose.js";
import { h, notice } from "../dom.js";

const EVERY_MS = 2000;
const HEADS = ["Puzzle", "Solver", "Encoding", "Outcome", "Solutions", "Time"];

export default {
  title: "Studies",
  mount(el, { words }) {
    return words[0] ? mountStudy(el, words[0]) : mountAll(el);
  },
};

const heading = (text, at) => h(at > 3 ? "th.right" : "th", { scope: "col" }, text);
const sum = (outcomes) => Object.values(outcomes ?? {}).reduce((total, many) => total + many, 0);
const told = (outcomes) => Object.entries(outcomes ?? {}).map(([name, many]) => `${name} ${many.toLocaleString("en")}`);

function age(seconds) {
  const [size, word] = [
    [86400, "day"],
    [3600, "hour"],
    [60, "minute"],
    [1, "second"],
  ].find(([length]) => seconds >= length) ?? [1, "second"];
  const many = Math.floor(seconds / size);
  return `${many} ${word}${many === 1 ? "" : "s"} ago`;
}

/** Call `work` now and then, as long as the page is there and seen. */
function often(work) {
  const timer = setInterval(() => !document.hidden && work().catch((error) => notice(error.message)), EVERY_MS);
  return () => clearInterval(timer);
}

async function mountAll(el) {
  const list = h("ul.cards");
  const folder = h("p.quiet");

  async function show() {
    const found = await get("/api/studies/all");
    folder.textContent = found.studies.length
      ? `In ${found.folder}`
      : `No stores in ${found.folder}. "nonosat study run" makes one; "--studies DIR" shows another folder.`;
    list.replaceChildren(...found.studies.map(card));
  }

  const card = (one) =>
    h(
      "li",
      {},
      h(
        "a.card",
        { href: `#/studies/${encodeURIComponent(one.name)}` },
        h(
          "div",
          {},
          h("h2", {}, one.study || one.name),
          h("p.quiet.small", {}, one.error ?? told(one.outcomes).join(" · ")),
          h(
            "p.small",
            {},
            one.running && h("strong", {}, "running "),
            `${sum(one.outcomes).toLocaleString("en")} runs, ${age(one.age_s)}`,
          ),
        ),
      ),
    );

  el.append(h("h1", {}, "Studies"), folder, list);
  await show();
  return often(show);
}

async function mountStudy(el, name) {
  const path = `/api/studies/one/${encodeURIComponent(name)}`;
  const jobs = [];
  let page = 0;
  let runs = 0;
  const head = h("h1", {}, name);
  const state = h("div", { role: "status" });
  const body = h("tbody");
  const pages = h("div.buttons");
  const link = h("span");
  const making = h("button", { onclick: report }, "Make its report");

  async function show() {
    const found = await get(`${path}?page=${page}`);
    const done = sum(found.outcomes);
    head.textContent = found.study || name;
    const of = runs ? ` of ${runs.toLocaleString("en")}` : "";
    state.replaceChildren(
      h("p.numbers", {}, found.running ? h("strong", {}, "running · ") : "", `${done.toLocaleString("en")}${of} runs`),
      runs ? h("progress", { max: runs, value: Math.min(done, runs), "aria-label": "Runs that are done" }) : "",
      h("p.quiet.small", {}, told(found.outcomes).join(" · ")),
    );
    const named = (values) => Object.fromEntries(found.columns.map((column, at) => [column, values[at]]));
    body.replaceChildren(...found.rows.map((values) => line(named(values))));
    pages.replaceChildren(
      h("button", { disabled: page === 0, onclick: () => turn(-1) }, "Newer"),
      h("button", { disabled: !found.full, onclick: () => turn(1) }, "Older"),
    );
    return found;
  }

  function turn(step) {
    page += step;
    show();
  }

  function line(run) {
    const time = run.solve_s ?? run.wall_s;
    return h(
      "tr",
      {},
      h("td", {}, h("button.plain.link", { title: "Open on the board", onclick: () => open(run.key) }, run.instance)),
      h("td", {}, run.solver),
      h("td", {}, run.encoding ?? ""),
      h("td", { title: run.reason ?? "" }, run.outcome),
      h("td.right.numbers", {}, run.solutions ?? ""),
      h("td.right.numbers", {}, time === null ? "" : `${time.toPrecision(3)} s`),
    );
  }

  async function ask(path, more, onEvent) {
    const job = stream(path, { store: name, ...more }, (said) => (said.error ? notice(said.error) : onEvent(said)));
    jobs.push(job);
    await job.done.catch((error) => notice(error.message));
  }

  function open(key) {
    return ask("/api/studies/puzzle", { key }, ({ puzzle }) => {
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
    await ask("/api/studies/report", {}, (said) => (href = said.href ?? href));
    making.disabled = false;
    link.replaceChildren(href ? h("a", { href, target: "_blank" }, "Open the report") : "");
  }

  el.append(
    h("p.crumbs", {}, h("a", { href: "#/studies" }, "Studies")),
    head,
    state,
    h("p.buttons", {}, making, link),
    h(
      "div.scroll",
      { tabindex: 0, role: "region", "aria-label": "Records" },
      h("table", {}, h("thead", {}, h("tr", {}, HEADS.map(heading))), body),
    ),
    pages,
  );
  await show();
  ask("/api/studies/total", {}, (said) => (runs = said.runs ?? runs)).then(show);
  const end = often(async () => page === 0 && (await show()));
  return () => {
    end();
    jobs.forEach((job) => job.stop());
  };
}
