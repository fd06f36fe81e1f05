// What can be taken away: formula, map of its variables, proof, and certificate.

import { stream } from "../api.js";
import { fill, h, lasting, select } from "../dom.js";

const ABOUT = "What the solutions are, proved from the puzzle's rules alone (as pseudo-Boolean constraints), and checked " +
  "by a program that shares nothing with the solver.";
const bytes = (size) => (size < 1e6 ? `${Math.ceil(size / 1e3)} kB` : `${(size / 1e6).toFixed(1)} MB`);
const link = ({ name, href, bytes: size }) => h("li", h("a", { href, download: name }, name), ` ${bytes(size)}`);

export function showFiles(el, puzzle, choices, { signal }) {
  let { encoding } = choices;

  function maker(text, path, what) {
    const place = h("div.made", { role: "status" });
    const quiet = (line) => fill(place, h("p.quiet", line));
    const making = lasting(text, async () => {
      let words = "";
      quiet("At work …");
      await stream(`/api/watch/${path}`, { puzzle, what, encoding, seconds: 300 }, {
        loading: () => quiet("Loading code …"),
        written: ({ summary }) => (words = summary),
        failed: ({ error }) => fill(place, h("p.failing", error)),
        done: ({ files }) => place.querySelector(".failing") ?? fill(place, words && h("p", words), h("ul", files.map(link))),
      }, signal);
    });
    return [making, place];
  }

  el.append(
    h("section.files", h("h2", "Certificate"), h("p", ABOUT), ...maker("Certify", "certify")),
    h("section.files", h("h2", "Formula and proof"),
      h("p", select("Encoding", choices.encodings, (name) => (encoding = name), encoding)),
      maker("Formula (DIMACS)", "make", "cnf"), maker("Map of its variables", "make", "map"),
      maker("Proof that there is no other (DRAT)", "make", "drat")));
}
