// A puzzle for others: a text to paste, the same text as a QR code, and a page to play offline.

import { module } from "../api.js";
import { button, fill, h, lasting, notice, thumbnail } from "../dom.js";

const LONGEST = 1000; // characters: a code of 109 modules, which a phone still reads from a screen
const QUIET = 4; // modules of white around a code, which readers need

/** Black on white in dark mode too, a pixel a module. */
async function code(text) {
  if (text.length > LONGEST) return h("p.small.quiet", "The text is too long for a QR code.");
  const { encode } = await module("./vendored/uqr.js");
  const { data, size } = encode(text, { ecc: "L", border: QUIET });
  const drawn = thumbnail({ cells: data.flat().map(Number), palette: ["#ffffff", "#000000"] }, size, "The text as a QR code");
  drawn.classList.add("code");
  return drawn;
}

export class Sharing {
  constructor(maker) {
    this.maker = maker;
    this.text = h("input.link", { readonly: true, label: "Text to paste in Play", onfocus: () => this.text.select() });
    this.place = h("div");
    this.root = h("div.files", { hidden: true },
      h("p.small.quiet", "For others: this text, which they paste in Play or Make, or a page that needs nothing else."),
      h("div.pair", this.text, button("Copy", () => this.copy())), this.place,
      h("div.buttons", lasting("Page to play offline", () => maker.download("page"))));
  }

  async show() {
    const text = await this.maker.share();
    fill(this.place, await code(text));
    this.text.value = text;
    this.root.hidden = false;
    this.root.scrollIntoView({ block: "nearest" });
    this.text.select();
  }

  /** The puzzle is another one now. */
  hide() {
    this.root.hidden = true;
  }

  copy() {
    navigator.clipboard?.writeText(this.text.value).then(() => notice("The text is copied."), () => this.text.select());
  }
}
