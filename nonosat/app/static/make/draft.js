// A draft: what Make has under its hands is kept with every change, under an address of its own.

import { atEnd, notice, setAddress, shownAt } from "../dom.js";
import { newName, outbox } from "../outbox.js";

const LAST = "nonosat/draft";

/** The draft that this browser changed last; "" when the next puzzle of Make is a new one. */
export const lastDraft = () => localStorage.getItem(LAST) ?? "";

export function forgetLast() {
  localStorage.removeItem(LAST);
}

export class Draft {
  /** `name` and `version` of one that was read; a new one has its name when it is kept first. */
  constructor(signal, { draft: name = "", version = 0 } = {}) {
    Object.assign(this, { signal, name, version, state: null, from: shownAt.hash });
    if (name) this.settle();
    window.addEventListener("pagehide", () => this.write(), { signal });
    atEnd(signal, () => this.write());
  }

  /** The address is the draft's from now on, for reload, Back and other tabs; as long as it has none, the page's. */
  settle() {
    localStorage.setItem(LAST, this.name);
    if (!this.signal.aborted) setAddress(this.name ? `#/make/draft/${this.name}` : this.from);
  }

  /** Keep what `state()` is as soon as the page has time, of a large board in a moment of its own. */
  keep(state) {
    if (!this.name) {
      this.name = newName();
      this.settle();
    }
    if (!this.state) setTimeout(() => this.write());
    this.state = state;
  }

  async write() {
    const { name, state: now } = this;
    if (!now) return;
    this.state = null;
    const state = now();
    const body = { draft: name, version: this.version, ...state };
    const answer = await outbox.add("/api/make/draft", body, name).catch((error) => notice(`Not kept: ${error.message}`));
    if (!answer) return;
    this.version = answer.version;
    if (answer.draft === this.name || name !== this.name) return;
    this.name = answer.draft;
    this.settle();
    notice("This draft was changed in another tab, too: yours is a draft of its own from now on.");
  }
}
