// What is brought to the editor from anywhere on the page: text that is pasted, files that are dropped, undo and redo.

import { askImage } from "./image.js";

/** Listen; the function that is returned ends it. */
export function listen(maker) {
  const keydown = (event) => {
    const key = event.key.toLowerCase();
    if ((event.ctrlKey || event.metaKey) && (key === "z" || key === "y") && !event.target.matches("input, textarea")) {
      event.preventDefault();
      maker.step(key === "y" || event.shiftKey ? "redo" : "undo");
    }
  };

  const paste = async (event) => {
    const text = event.clipboardData?.getData("text");
    if (text && !event.target.matches?.("input, textarea")) {
      event.preventDefault();
      await maker.readText(text);
    }
  };

  const drop = async (event) => {
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (file?.type.startsWith("image/")) askImage(file, (found) => maker.replace(found));
    else if (file) await maker.readText(await file.text());
  };

  const { el } = maker;
  const listeners = [
    [document, "keydown", keydown], [document, "paste", paste],
    [el, "dragover", (event) => event.preventDefault()], [el, "drop", drop],
  ];
  listeners.forEach(([on, name, listener]) => on.addEventListener(name, listener));
  return () => listeners.forEach(([on, name, listener]) => on.removeEventListener(name, listener));
}
