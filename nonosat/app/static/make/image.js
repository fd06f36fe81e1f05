// An image becomes a drawing: its settings, and a preview that follows them.

import { post } from "../api.js";
import { button, dialog, h, notice, select, thumbnail } from "../dom.js";

const MOST_BYTES = 600000;
const SHRUNK = 1200;

/** The bytes of an image in base64; a large one is made smaller here, since boards have few cells. */
async function bytesOf(file) {
  let blob = file;
  if (file.size > MOST_BYTES) {
    const image = await createImageBitmap(file);
    const scale = Math.min(1, SHRUNK / Math.max(image.width, image.height));
    const canvas = h("canvas", { width: Math.round(image.width * scale), height: Math.round(image.height * scale) });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.9));
  }
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}

export function askImage(first, take) {
  let data = null;
  let found = null;
  let turn = 0;
  let waiting = 0;
  const later = () => {
    clearTimeout(waiting);
    waiting = setTimeout(look, 120);
  };
  const input = (label, type, more) => h("input", { type, "aria-label": label, oninput: later, ...more });
  const size = input("Cells of the longer side", "number", { min: 2, max: 100, value: 25 });
  const colours = input("Colours", "range", { min: 1, max: 8, value: 1 });
  const own = input("Find the threshold", "checkbox", { checked: true });
  const threshold = input("Threshold", "range", { min: 0, max: 1, step: 0.02, value: 0.5 });
  const invert = input("Light cells filled", "checkbox");
  const dither = select("Dither", ["none", "floyd-steinberg", "bayer"], later);
  const file = h("input", { type: "file", accept: "image/*", "aria-label": "Image", onchange: () => adopt(file.files[0]) });
  const preview = h("div.preview", h("p", "Choose an image, or drop one."));
  const use = h("button.primary", { disabled: true, onclick: () => (asking.close(), take(found)) }, "Use it");

  async function look() {
    if (data === null) return;
    const mine = ++turn;
    const plain = colours.value === "1";
    threshold.disabled = !plain || own.checked;
    own.disabled = invert.disabled = !plain;
    const cells = Math.min(100, Math.max(1, Math.round(Number(size.value)) || 1));
    const how = { size: cells, colours: Number(colours.value), dither: dither.value };
    const more = plain ? { threshold: own.checked ? null : Number(threshold.value), invert: invert.checked } : {};
    try {
      const answer = await post("/api/make/image", { data, ...how, ...more });
      if (mine !== turn) return;
      found = answer;
      const { palette, width, height } = found.puzzle;
      preview.replaceChildren(thumbnail({ cells: found.cells, palette }, width, `Preview, ${width} by ${height}`));
      use.disabled = false;
    } catch (error) {
      if (mine !== turn) return;
      preview.replaceChildren(h("p.failing", { role: "alert" }, error.message));
      use.disabled = true;
    }
  }

  async function adopt(image) {
    if (!image) return;
    try {
      data = await bytesOf(image);
      await look();
    } catch {
      notice("That image cannot be read.");
    }
  }

  const named = (made, text = made.getAttribute("aria-label")) => h("label", h("span", text), made);
  const fields = [named(size, "Longer side"), ...[colours, dither, own, threshold, invert].map((one) => named(one))];
  const asking = dialog("Image", () => clearTimeout(waiting), file,
    h("div.image", preview, h("div.fields", fields)),
    h("div.buttons", button("Cancel", () => asking.close()), use));
  asking.classList.add("wide");
  asking.addEventListener("dragover", (event) => event.preventDefault());
  asking.addEventListener("drop", (event) => {
    event.preventDefault();
    event.stopPropagation();
    adopt(event.dataTransfer.files[0]);
  });
  adopt(first);
}
