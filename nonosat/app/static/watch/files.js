// What can be taken away: the formula, the map of its variables, a proof, and a certificate that was checked.

import { stream } from "../api.js";
import { button, fill, h, number, select } from "../dom.js";
import { seconds } from "./lane.js";

const ABOUT = "What the solutions are, proved from the puzzle's rules alone (as pseudo-Boolean constraints), and checked " +
  "by a program that shares nothing with the solver.";
const bytes = (size) => (size < 1e6 ? `${Math.ceil(size / 1e3)} kB` : `${(size / 1e6).toFixed(1)} MB`);
const link = ({ name, href, bytes: size }) => h("li", h("a", { href, download: name }, name), ` ${bytes(size)}`);
const proved = ({ claim, steps }) => claim && `${claim}: ${number(steps)} steps, checked`;
const certified = ({ claim, steps, solver, solve_s: solve = 0, check_s: check = 0 }) =>
  `${claim[0].toUpperCase()}${claim.slice(1)}. ${number(steps)} lines of proof by ${solver}, ` +
  `solved in ${seconds(solve)}, checked in ${seconds(check)}.`;

export function showFiles(el, puzzle, choices, signal) {
  let { encoding } = choices;

  /** A button that lets something be made; `words(said)` tells of it. */
  function maker(text, path, body, words) {
    const told = h("div.made", { role: "status" });
    const quiet = (line) => fill(told, h("p.quiet", line));
    const making = button(text, async () => {
      let claim = "";
      const tell = (said) => (claim = words(said));
      making.disabled = true;
      quiet("At work …");
      await stream(`/api/watch/${path}`, { puzzle, ...body(), seconds: 300 }, {
        loading: () => quiet("Loading code …"),
        certified: tell,
        written: tell,
        failed: ({ error }) => fill(told, h("p.failing", error)),
        done: ({ files }) => told.querySelector(".failing") ?? fill(told, claim && h("p", claim), h("ul", files.map(link))),
      }, signal);
      making.disabled = false;
    });
    return [making, told];
  }

  const made = (text, what) => maker(text, "make", () => ({ what, encoding }), proved);
  el.append(
    h("section.files", h("h2", "Certificate"), h("p", ABOUT), maker("Certify", "certify", () => ({}), certified)),
    h("section.files", h("h2", "Formula and proof"),
      h("p", select("Encoding", choices.encodings, (name) => (encoding = name), encoding)),
      made("Formula (DIMACS)", "cnf"), made("Map of its variables", "map"),
      made("Proof that there is no other (DRAT)", "drat")));
}
