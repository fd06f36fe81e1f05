// What is brought to the editor from anywhere on the page: text that is pasted, files that are dropped, undo and redo.

import { asked } from "../board/keys.js";
import { askImage } from "./image.js";

export function listen(maker, signal) {
  const isField = ({ target }) => target.matches?.("input, textarea");

  function keydown(event) {
    const action = !isField(event) && asked(event, true);
    if (action) {
      event.preventDefault();
      maker.step(action);
    }
  }

  async function paste(event) {
    const text = event.clipboardData?.getData("text");
    if (text && !isField(event)) {
      event.preventDefault();
      await maker.readText(text);
    }
  }

  async function drop(event) {
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (file?.type.startsWith("image/")) askImage(file, (found) => maker.replace(found));
    else if (file) await maker.readText(await file.text());
  }

  document.addEventListener("keydown", keydown, { signal });
  document.addEventListener("paste", paste, { signal });
  maker.el.addEventListener("dragover", (event) => event.preventDefault());
  maker.el.addEventListener("drop", drop);
}
