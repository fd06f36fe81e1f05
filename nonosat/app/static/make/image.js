// An image becomes a drawing: what of it, how, and a preview of the puzzle that comes out.

import { post } from "../api.js";
import { shadeName } from "../board/theme.js";
import { button, dialog, fill, h, options, select, size, thumbnail, turns } from "../dom.js";
import { sent } from "./state.js";

const SHRUNK = 600; // pixels of the longer side that are kept: boards have few cells
const [LEAST, USUAL, MOST] = [2, 25, 100]; // cells of the longer side
const SHOWN = 240; // pixels of the longer side on the page, of a small image
const WHOLE = [0, 0, 1, 1];

/** An image at hand, of which a part is taken: left, top, right and bottom from 0 to 1. */
class Photo {
  constructor(bitmap) {
    const scale = Math.min(1, SHRUNK / Math.max(bitmap.width, bitmap.height));
    const [width, height] = [bitmap.width, bitmap.height].map((side) => Math.max(1, Math.round(side * scale)));
    this.source = new OffscreenCanvas(width, height);
    const context = this.source.getContext("2d", { willReadFrequently: true });
    Object.assign(context, { fillStyle: "#ffffff" }).fillRect(0, 0, width, height); // what can be seen through is paper
    context.drawImage(bitmap, 0, 0, width, height);
    this.crop = WHOLE;
  }

  get box() {
    const { width, height } = this.source;
    const [left, top, right, bottom] = this.crop;
    const [x, y] = [Math.floor(left * width), Math.floor(top * height)];
    return [x, y, Math.max(1, Math.round(right * width) - x), Math.max(1, Math.round(bottom * height) - y)];
  }

  /** The part as PNG in base64, with its contrast and brightness, 1 as they are. */
  async data(contrast, brightness) {
    const [x, y, width, height] = this.box;
    const image = this.source.getContext("2d").getImageData(x, y, width, height);
    const table = Uint8ClampedArray.from({ length: 256 }, (_, value) => ((value - 127.5) * contrast + 127.5) * brightness);
    for (let at = 0; at < image.data.length; at += 1) if (at % 4 < 3) image.data[at] = table[image.data[at]];
    const canvas = new OffscreenCanvas(width, height);
    canvas.getContext("2d").putImageData(image, 0, 0);
    const blob = await canvas.convertToBlob({ type: "image/png" });
    const small = blob.size < 900000 ? blob : await canvas.convertToBlob({ type: "image/jpeg", quality: 0.92 });
    return new Uint8Array(await small.arrayBuffer()).toBase64();
  }

  paint(canvas) {
    const { width, height } = this.source;
    const zoom = Math.max(1, Math.floor(SHOWN / Math.max(width, height)));
    Object.assign(canvas, { width, height });
    Object.assign(canvas.style, { width: zoom > 1 ? `${zoom * width}px` : "", imageRendering: zoom > 1 ? "pixelated" : "" });
    const context = canvas.getContext("2d");
    context.drawImage(this.source, 0, 0);
    if (this.crop === WHOLE) return;
    context.fillStyle = "rgb(0 0 0 / 55%)";
    context.fillRect(0, 0, width, height);
    context.drawImage(this.source, ...this.box, ...this.box);
    Object.assign(context, { strokeStyle: "#ffffff", lineWidth: 2 / zoom }).strokeRect(...this.box);
  }
}

/** Any image that the server reads; most are read here. */
async function bitmapOf(image) {
  try {
    return await createImageBitmap(image);
  } catch {
    const data = new Uint8Array(await image.arrayBuffer()).toBase64();
    const { png } = await post("/api/make/bitmap", { data });
    return createImageBitmap(new Blob([Uint8Array.fromBase64(png)], { type: "image/png" }));
  }
}

/** Is the file an image? Systems do not know the type of each. */
export const isImage = ({ name, type }) => type.startsWith("image/") || /\.(p[bgpn]m|tiff?)$/i.test(name);

export function askImage(first, take) {
  let photo = null;
  let chosen = null;
  let found = null;
  let waiting = 0;
  const turn = turns();
  const later = () => {
    done.disabled = true; // what would be taken is not what was chosen last
    clearTimeout(waiting);
    waiting = setTimeout(look, 120);
  };
  const input = (label, type, more) => h("input", { type, label, oninput: later, ...more });
  const longer = input("Cells of the longer side", "number", { min: LEAST, max: MOST, value: USUAL });
  const sideOf = () => Math.min(MOST, Math.max(LEAST, Math.round(Number(longer.value)) || USUAL));
  longer.onchange = () => (longer.value = sideOf()); // not before: 1 is how 15 begins
  const contrast = input("Contrast", "range", { min: 0.3, max: 3, step: 0.05, value: 1 });
  const brightness = input("Brightness", "range", { min: 0.3, max: 2, step: 0.05, value: 1 });
  const colours = input("Colours", "range", { min: 1, max: 8, value: 1 });
  const own = input("Find the threshold", "checkbox", { checked: true });
  const threshold = input("Threshold", "range", { min: 0, max: 1, step: 0.01, value: 0.5, oninput: () => ((own.checked = false), later()) });
  const invert = input("Light cells filled", "checkbox");
  const blank = select("Blank colour", [["", "the lightest"]], later);
  const dither = select("Dithering", [["none", "none"], ["floyd-steinberg", "Floyd and Steinberg"], ["bayer", "ordered (Bayer)"]], later);
  const file = h("input", { type: "file", accept: "image/*,.pbm,.pgm,.ppm,.pnm", label: "Image", onchange: () => adopt(file.files[0]) });
  const preview = h("div.preview", h("p", "Choose an image, or drop one."));
  const verdict = h("p.small", { role: "status" });

  const sheet = h("canvas", { role: "img", label: "The image; drag over the part that is to be the puzzle" });
  const oninput = () => cut(edges.map(({ value }) => Number(value)));
  const edge = (label, at) => input(label, "range", { min: 0, max: 1, step: 0.01, value: WHOLE[at], oninput });
  const edges = ["Left edge", "Top edge", "Right edge", "Bottom edge"].map(edge);

  /** Take a part; one that is too small to be meant is all of it. */
  function cut([left, top, right, bottom]) {
    const crop = [Math.min(left, right), Math.min(top, bottom), Math.max(left, right), Math.max(top, bottom)];
    photo.crop = crop[2] - crop[0] < 0.02 || crop[3] - crop[1] < 0.02 || String(crop) === String(WHOLE) ? WHOLE : crop;
    edges.forEach((range, at) => document.activeElement !== range && (range.value = photo.crop[at]));
    tell();
    photo.paint(sheet);
    later();
  }

  let from = null;
  const at = ({ clientX, clientY }) => {
    const { left, top, width, height } = sheet.getBoundingClientRect();
    return [(clientX - left) / width, (clientY - top) / height].map((share) => Math.min(1, Math.max(0, share)));
  };
  sheet.addEventListener("pointerdown", (event) => {
    sheet.setPointerCapture(event.pointerId);
    from = at(event);
  });
  sheet.addEventListener("pointermove", (event) => from && cut([...from, ...at(event)]));
  sheet.addEventListener("pointerup", () => (from = null));

  async function look() {
    if (!photo) return;
    const signal = turn();
    const plain = colours.value === "1";
    blank.disabled = plain;
    [threshold, own, invert].forEach((made) => (made.disabled = !plain));
    threshold.disabled = own.disabled = invert.disabled = !plain;
    if (Number(longer.value) > MOST) longer.value = MOST;
    const cells = sideOf();
    const data = await photo.data(Number(contrast.value), Number(brightness.value));
    const how = { data, size: cells, colours: Number(colours.value), dither: dither.value };
    if (!plain && blank.value) how.blank = blank.value;
    if (plain) Object.assign(how, { threshold: own.checked ? null : Number(threshold.value), invert: invert.checked });
    try {
      found = await post("/api/make/image", how, { signal });
      const { palette, width } = found.puzzle;
      if (!plain) { // another one can be blank
        const shades = [...new Set([...palette.slice(1), ...(blank.value ? [blank.value] : [])])];
        fill(blank, options([["", "the lightest"], ...shades.map((shade) => [shade, `${shadeName(shade)}, ${shade}`])], blank.value));
      }
      const many = size(found.puzzle);
      fill(preview, thumbnail({ cells: found.cells, palette }, width, `The puzzle, ${many}`));
      done.disabled = false;
      fill(verdict, h("span.quiet", `${many} · looking …`));
      const about = await post("/api/make/analyse", { puzzle: sent(found.puzzle, true), cells: found.cells }, { signal });
      const [what] = about.details.split(". "); // the rest is of changes of single cells
      fill(verdict, h("strong", about.headline), h("span.quiet", ` · ${many}. ${what.replace(/\.?$/, ".")}`));
    } catch (error) {
      if (signal.aborted) return;
      found = null;
      done.disabled = true;
      fill(verdict);
      fill(preview, h("p.failing", { role: "alert" }, error.message));
    }
  }

  async function adopt(image) {
    if (!image) return;
    fill(preview, h("p.quiet", "Looking …"));
    chosen = image;
    const before = longer.value;
    try {
      const bitmap = await bitmapOf(image);
      if (chosen !== image) return; // another has been chosen since
      const side = Math.max(bitmap.width, bitmap.height);
      // A small one has been drawn pixel by pixel; what was typed while it was read stays.
      if (side <= MOST && longer.value === before) longer.value = side;
      photo = new Photo(bitmap);
      crop.hidden = false;
      cut(WHOLE);
      await look();
    } catch (error) {
      if (chosen !== image) return;
      clearTimeout(waiting);
      turn(); // what was asked of the image before is not waited for
      photo = found = null;
      crop.hidden = done.disabled = true;
      fill(verdict);
      const why = error.status === 413 ? "That file is too large: 6 MB at most. A PNG or JPEG of it is smaller." : "That image cannot be read.";
      fill(preview, h("p.failing", { role: "alert" }, why));
    }
  }

  const ranges = [];
  /** What a slider says; the threshold that is found is that of the image. */
  const tell = () => ranges.forEach(([made, told]) => fill(told, made === threshold && own.checked ? "found" : made.value));
  const ranged = (made) => {
    const told = h("output.numbers");
    ranges.push([made, told]);
    return [made, told];
  };
  const named = (made, text = made.ariaLabel) => h("label", h("span", text), made.type === "range" ? ranged(made) : made);
  const group = (...ones) => h("div.fields", ones.map((one) => named(one)));
  const crop = h("div.crop", { hidden: true }, sheet,
    h("details", h("summary.small", "Crop"), h("p.small.quiet", "Drag over the image, or move its edges."), group(...edges),
      button("Whole image", () => cut(WHOLE))));
  const { made, done } = dialog("Image", "Use it", () => take(found), file,
    h("div.image", crop, h("div.outcome", preview, verdict)),
    h("div.image", group(longer, colours, blank, dither), group(contrast, brightness, threshold, own, invert)));
  done.disabled = true;
  made.addEventListener("input", tell);
  tell();
  made.addEventListener("dragover", (event) => event.preventDefault());
  made.addEventListener("drop", (event) => {
    event.preventDefault();
    event.stopPropagation();
    adopt(event.dataTransfer.files[0]);
  });
  adopt(first);
}
