// An image becomes a drawing: its settings, and a preview that follows them.

import { post } from "../api.js";
import { dialog, fill, h, notice, select, thumbnail, turns } from "../dom.js";

const MOST_BYTES = 600000;
const SHRUNK = 1200;

/** The bytes of an image in base64; a large one is made smaller here, since boards have few cells. */
async function bytesOf(file) {
  let blob = file;
  if (file.size > MOST_BYTES) {
    const image = await createImageBitmap(file);
    const scale = Math.min(1, SHRUNK / Math.max(image.width, image.height));
    const canvas = new OffscreenCanvas(Math.round(image.width * scale), Math.round(image.height * scale));
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    blob = await canvas.convertToBlob({ type: "image/jpeg", quality: 0.9 });
  }
  return new Uint8Array(await blob.arrayBuffer()).toBase64();
}

export function askImage(first, take) {
  let data = null;
  let found = null;
  let waiting = 0;
  const turn = turns();
  const later = () => {
    clearTimeout(waiting);
    waiting = setTimeout(look, 120);
  };
  const input = (label, type, more) => h("input", { type, label, oninput: later, ...more });
  const size = input("Cells of the longer side", "number", { min: 2, max: 100, value: 25 });
  const colours = input("Colours", "range", { min: 1, max: 8, value: 1 });
  const own = input("Find the threshold", "checkbox", { checked: true });
  const threshold = input("Threshold", "range", { min: 0, max: 1, step: 0.02, value: 0.5 });
  const invert = input("Light cells filled", "checkbox");
  const dither = select("Dither", ["none", "floyd-steinberg", "bayer"], later);
  const file = h("input", { type: "file", accept: "image/*", label: "Image", onchange: () => adopt(file.files[0]) });
  const preview = h("div.preview", h("p", "Choose an image, or drop one."));

  async function look() {
    if (data === null) return;
    const signal = turn();
    const plain = colours.value === "1";
    threshold.disabled = !plain || own.checked;
    own.disabled = invert.disabled = !plain;
    const cells = Math.min(100, Math.max(1, Math.round(Number(size.value)) || 1));
    const how = { data, size: cells, colours: Number(colours.value), dither: dither.value };
    if (plain) Object.assign(how, { threshold: own.checked ? null : Number(threshold.value), invert: invert.checked });
    try {
      found = await post("/api/make/image", how, { signal });
      const { palette, width, height } = found.puzzle;
      fill(preview, thumbnail({ cells: found.cells, palette }, width, `Preview, ${width} by ${height}`));
    } catch (error) {
      if (signal.aborted) return;
      found = null;
      fill(preview, h("p.failing", { role: "alert" }, error.message));
    }
    done.disabled = !found;
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

  const named = (made, text = made.ariaLabel) => h("label", h("span", text), made);
  const fields = [named(size, "Longer side"), ...[colours, dither, own, threshold, invert].map((one) => named(one))];
  const { made, done } = dialog("Image", "Use it", () => take(found), file, h("div.image", preview, h("div.fields", fields)));
  done.disabled = true;
  made.addEventListener("dragover", (event) => event.preventDefault());
  made.addEventListener("drop", (event) => {
    event.preventDefault();
    event.stopPropagation();
    adopt(event.dataTransfer.files[0]);
  });
  adopt(first);
}
