// What can be taken away: the formula, the map of its variables, a proof, and a certificate that was checked.

import { stream } from "../api.js";
import { button, h, select } from "../dom.js";
import { seconds } from "./lane.js";

const bytes = (size) => (size < 1e6 ? `${Math.ceil(size / 1e3)} kB` : `${(size / 1e6).toFixed(1)} MB`);
const link = ({ name, href, bytes: size }) => h("li", h("a", { href, download: name }, name), ` ${bytes(size)}`);
const proved = ({ claim, steps }) => (claim ? `${claim}: ${steps.toLocaleString("en")} steps, checked` : "");
const certified = ({ claim, steps, solver, solve_s: solve = 0, check_s: check = 0 }) =>
  `${claim[0].toUpperCase()}${claim.slice(1)}. ${steps.toLocaleString("en")} lines of proof by ${solver}, ` +
  `solved in ${seconds(solve)}, checked in ${seconds(check)}.`;

export function filesPart(el, puzzle, choices) {
  const jobs = new Set();
  let { encoding } = choices;

  /** A button that lets something be made; `words(said)` tells of it. */
  function maker(text, path, body, words = () => "") {
    const told = h("div.made", { role: "status" });
    const say = (kind, line) => told.replaceChildren(h(kind, line));
    const making = button(text, async () => {
      making.disabled = true;
      say("p.quiet", "At work …");
      let failed = false;
      const job = stream(path, { puzzle, ...body(), seconds: 300 }, (said) => {
        if (said.type === "failed") {
          failed = true;
          say("p.failing", said.error);
        } else if (said.type === "loading") {
          say("p.quiet", "Loading code …");
        } else if (["certified", "written"].includes(said.type)) {
          say("p", words(said));
        } else if (said.type === "done" && !failed) {
          told.querySelectorAll(".quiet, p:empty").forEach((old) => old.remove());
          told.append(h("ul", said.files.map(link)));
        }
      });
      jobs.add(job);
      await job.done.catch((error) => say("p.failing", error.message));
      jobs.delete(job);
      making.disabled = false;
    });
    return [making, told];
  }

  const about = "What the solutions are, proved from the puzzle's rules alone (as pseudo-Boolean constraints), and checked " +
    "by a program that shares nothing with the solver.";
  const made = (what) => () => ({ what, encoding });
  el.append(
    h("section.files", h("h2", "Certificate"), h("p", about), maker("Certify", "/api/watch/certify", () => ({}), certified)),
    h("section.files", h("h2", "Formula and proof"),
      h("p", select("Encoding", choices.encodings, (name) => (encoding = name), encoding)),
      maker("Formula (DIMACS)", "/api/watch/make", made("cnf")),
      maker("Map of its variables", "/api/watch/make", made("map")),
      maker("Proof that there is no other (DRAT)", "/api/watch/make", made("drat"), proved)));
  return () => jobs.forEach((job) => job.stop());
}
