// Puzzles from elsewhere: a text in any format, or an image with a preview that follows its settings.

import { post } from "../api.js";
import { h, notice, thumbnail } from "../dom.js";

const MOST_BYTES = 600000;
const SHRUNK = 1200;

function dialogOf(label, ...children) {
  const dialog = h("dialog.bring", { "aria-label": label, onclose: () => dialog.remove() }, ...children);
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

export function askText(take) {
  const text = h("textarea", { rows: 12, spellcheck: "false", "aria-label": "Text of a puzzle" });
  const read = async () => {
    try {
      await take(text.value);
      dialog.close();
    } catch (error) {
      told.textContent = error.message;
    }
  };
  const told = h("p.failing", { role: "alert" });
  const dialog = dialogOf(
    "Paste text",
    h("p", {}, "A link, a shared string, or a file's text: .mk, .non, .json, .sky, .clues, tournament."),
    text,
    told,
    h(
      "div.buttons",
      {},
      h("button", { onclick: () => dialog.close() }, "Cancel"),
      h("button.primary", { onclick: read }, "Open"),
    ),
  );
}

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
  for (let at = 0; at < bytes.length; at += 8192) {
    text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  }
  return btoa(text);
}

export function askImage(first, take) {
  let data = null;
  let found = null;
  let turn = 0;
  const size = h("input", { type: "number", min: 2, max: 100, value: 25, "aria-label": "Cells of the longer side" });
  const colours = h("input", { type: "range", min: 1, max: 8, value: 1, "aria-label": "Colours" });
  const own = h("input", { type: "checkbox", checked: true });
  const threshold = h("input", { type: "range", min: 0, max: 1, step: 0.02, value: 0.5, "aria-label": "Threshold" });
  const invert = h("input", { type: "checkbox" });
  const names = ["none", "floyd-steinberg", "bayer"];
  const dither = h(
    "select",
    { "aria-label": "Dither" },
    names.map((name) => h("option", {}, name)),
  );
  const file = h("input", { type: "file", accept: "image/*", "aria-label": "Image" });
  const preview = h("div.preview", {}, h("p.quiet", {}, "Choose an image, or drop one."));
  const use = h("button.primary", { disabled: true, onclick: () => (dialog.close(), take(found)) }, "Use it");

  async function look() {
    if (data === null) {
      return;
    }
    const mine = ++turn;
    const plain = colours.value === "1";
    threshold.disabled = !plain || own.checked;
    own.disabled = invert.disabled = !plain;
    const how = {
      size: Math.min(100, Math.max(1, Math.round(Number(size.value)) || 1)),
      colours: Number(colours.value),
      dither: dither.value,
    };
    const more = plain ? { threshold: own.checked ? null : Number(threshold.value), invert: invert.checked } : {};
    try {
      const answer = await post("/api/make/image", { data, ...how, ...more });
      if (mine === turn) {
        found = answer;
        const { palette, width, height } = found.puzzle;
        preview.replaceChildren(thumbnail({ cells: found.cells, palette }, width, `Preview, ${width} by ${height}`));
        use.disabled = false;
      }
    } catch (error) {
      preview.replaceChildren(h("p.failing", { role: "alert" }, error.message));
      use.disabled = true;
    }
  }

  async function adopt(image) {
    try {
      data = await bytesOf(image);
      await look();
    } catch {
      notice("That image cannot be read.");
    }
  }

  let waiting = 0;
  const later = () => {
    clearTimeout(waiting);
    waiting = setTimeout(look, 120);
  };
  [size, colours, own, threshold, invert, dither].forEach((input) => input.addEventListener("input", later));
  file.addEventListener("change", () => file.files[0] && adopt(file.files[0]));
  const field = (label, ...inputs) => h("label", {}, h("span", {}, label), ...inputs);
  const dialog = dialogOf(
    "Image",
    file,
    h(
      "div.image",
      {},
      preview,
      h(
        "div.fields",
        {},
        field("Longer side", size),
        field("Colours", colours),
        field("Dither", dither),
        field("Find the threshold", own),
        field("Threshold", threshold),
        field("Light cells filled", invert),
      ),
    ),
    h("div.buttons", {}, h("button", { onclick: () => dialog.close() }, "Cancel"), use),
  );
  dialog.addEventListener("dragover", (event) => event.preventDefault());
  dialog.addEventListener("drop", (event) => {
    event.preventDefault();
    if (event.dataTransfer.files[0]) {
      adopt(event.dataTransfer.files[0]);
    }
  });
  if (first) {
    adopt(first);
  }
}
