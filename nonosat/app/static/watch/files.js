// What can be taken away: the formula, the map of its variables, a proof, and a certificate that was checked.

import { stream } from "../api.js";
import { h } from "../dom.js";
import { seconds } from "./lane.js";
import { select } from "./solve.js";

const bytes = (size) => (size < 1e6 ? `${Math.ceil(size / 1e3)} kB` : `${(size / 1e6).toFixed(1)} MB`);

export function filesPart(el, puzzle, choices) {
  const jobs = new Set();
  let encoding = choices.encoding;

  /** A button that lets something be made; `words(said)` tells of it. */
  function maker(text, path, body, words) {
    const told = h("div.made", { role: "status" });
    const button = h("button", { onclick: make }, text);

    async function make() {
      button.disabled = true;
      told.replaceChildren(h("p.quiet", {}, "At work …"));
      let failed = false;
      const job = stream(path, { puzzle, ...body(), seconds: 300 }, (said) => {
        if (said.type === "failed") {
          failed = true;
          told.replaceChildren(h("p.failing", {}, said.error));
        } else if (said.type === "loading") {
          told.replaceChildren(h("p.quiet", {}, "Loading code …"));
        } else if (words && ["certified", "written"].includes(said.type)) {
          told.replaceChildren(h("p", {}, words(said)));
        } else if (said.type === "done" && !failed) {
          told.querySelectorAll(".quiet").forEach((old) => old.remove());
          told.append(h("ul", {}, said.files.map(link)));
        }
      });
      jobs.add(job);
      await job.done.catch((error) => told.replaceChildren(h("p.failing", {}, error.message)));
      jobs.delete(job);
      button.disabled = false;
    }

    return [button, told];
  }

  const link = ({ name, href, bytes: size }) => h("li", {}, h("a", { href, download: name }, name), ` ${bytes(size)}`);
  const proved = (said) => (said.claim ? `${said.claim}: ${said.steps.toLocaleString("en")} steps, checked` : "");
  const certified = (said) =>
    `${said.claim[0].toUpperCase()}${said.claim.slice(1)}. ` +
    `${said.steps.toLocaleString("en")} lines of proof by ${said.solver}, ` +
    `solved in ${seconds(said.solve_s ?? 0)}, checked in ${seconds(said.check_s ?? 0)}.`;

  const names = choices.encodings.map((name) => [name, name]);
  el.append(
    h(
      "section.files",
      {},
      h("h2", {}, "Certificate"),
      h(
        "p",
        {},
        "What the solutions are, proved from the puzzle's rules alone (as pseudo-Boolean constraints), and checked " +
          "by a program that shares nothing with the solver.",
      ),
      maker("Certify", "/api/watch/certify", () => ({}), certified),
    ),
    h(
      "section.files",
      {},
      h("h2", {}, "Formula and proof"),
      h("p", {}, select(names, encoding, "Encoding", (name) => (encoding = name))),
      maker("Formula (DIMACS)", "/api/watch/make", () => ({ what: "cnf", encoding })),
      maker("Map of its variables", "/api/watch/make", () => ({ what: "map", encoding })),
      maker("Proof that there is no other (DRAT)", "/api/watch/make", () => ({ what: "drat", encoding }), proved),
    ),
  );
  return () => jobs.forEach((job) => job.stop());
}
