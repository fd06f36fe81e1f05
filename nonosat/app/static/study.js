// How far a study is: in Studies, and, as an anywidget module, in a notebook.

import { fill, h, number } from "./dom.js";

export const studyState = ({ running, runs, total, summary }) => [
  h("p.numbers", running && h("strong", "running · "), `${number(runs)}${total ? ` of ${number(total)}` : ""} runs`),
  // before the total is known too: what is below stays where it is
  h("progress", { max: total || 1, value: total ? Math.min(runs, total) : 0, label: "Runs that are done" }),
  h("p.quiet.small", summary),
];

function render({ model, el }) {
  const place = h("div.study-state", { role: "status" });
  const show = () => {
    const study = model.get("study");
    const head = [h("strong", study.title), study.title !== study.name && ` · ${study.name}`, ` · ${study.age}`];
    fill(place, h("p", head), studyState(study));
  };
  model.on("change:study", show);
  el.append(place);
  show();
  return () => model.off("change:study", show);
}

export default { render };
