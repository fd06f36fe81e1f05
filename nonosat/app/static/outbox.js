// What is on its way to the server: writes that the browser keeps until they are answered. They are sent in order, one after
// the other, and a server that has done one already knows it by its page (`client`) and its number. With the server gone
// they wait, also for a page that is opened later; a banner says so as long as that lasts.

import { get, lost, post } from "./api.js";
import { button, fill, h, pause, plural } from "./dom.js";

const KEPT = "nonosat/out/";
const LARGE = 100000; // characters
const WAITS_MS = [500, 1000, 2000, 4000, 8000];

export const newName = () => Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");

const client = Date.now().toString(36).padStart(9, "0") + newName(); // this page's; those of older pages come first

/** Nobody could do the write now: no server, one that does not know this browser, or one that cannot keep anything. */
const waits = ({ status }) => status === 0 || status === 403 || status >= 500;

class Outbox {
  constructor() {
    Object.assign(this, { mine: [], others: [], number: 0, away: null, tries: 0, sending: null, unkept: false });
    lost.add((error) => this.gone(error));
    const look = () => this.away && this.look();
    window.addEventListener("online", look);
    window.addEventListener("focus", look);
    this.collect();
  }

  /** Send a write, and keep it until then: its answer, `behind` if another page was first meanwhile. One of the same
   * `name` that was not tried yet is left out. */
  add(path, body, name = null) {
    const number = (this.number += 1);
    const entry = { key: `${KEPT}${client}/${String(number).padStart(9, "0")}`, path, name, body: { ...body, client, number } };
    entry.text = JSON.stringify(entry.body);
    const answer = new Promise((resolve, reject) => Object.assign(entry, { resolve, reject }));
    this.mine.filter((other) => name && other.name === name && !other.tried).forEach((other) => this.end(other).resolve(null));
    this.mine.push(entry);
    try {
      localStorage.setItem(entry.key, `{"path":${JSON.stringify(path)},"body":${entry.text}}`);
    } catch {
      this.unkept = true; // the browser is full, or keeps nothing: this page has it as long as it is open
    }
    if (this.away) this.show();
    else this.send();
    return answer;
  }

  end(entry) {
    entry.ended = true;
    for (const list of [this.mine, this.others]) {
      if (list.includes(entry)) list.splice(list.indexOf(entry), 1);
    }
    localStorage.removeItem(entry.key);
    return entry;
  }

  /** What other pages have left behind, in the order in which these were opened. */
  collect() {
    const known = new Set(this.others.map(({ key }) => key));
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(KEPT) && !key.startsWith(KEPT + client) && !known.has(key));
    const left = () => {};
    keys.sort().forEach((key) => {
      const kept = localStorage.getItem(key);
      if (kept) this.others.push({ key, ...JSON.parse(kept), waited: true, resolve: left, reject: left });
    });
  }

  /** When all is sent, or must wait. */
  idle() {
    if (this.waiting && !this.away) this.send();
    return this.sending ?? Promise.resolve();
  }

  send() {
    this.sending ??= this.sendAll().finally(() => {
      this.sending = null;
      if (!this.away && this.waiting) this.send(); // added while the last answer came
    });
  }

  async sendAll() {
    for (let entry; (entry = this.others[0] ?? this.mine[0]); ) {
      if (entry.text?.length > LARGE) await pause(); // of a large board one thing at a time
      if (entry.ended) continue; // by a newer one of its name
      entry.tried = true;
      try {
        const answer = await post(entry.path, entry.text ?? entry.body);
        this.end(entry).resolve({ ...answer, behind: entry.behind });
        this.here();
      } catch (error) {
        entry.waited ||= waits(error);
        if (waits(error)) return this.gone(error);
        const { play } = error.data ?? {};
        const move = entry.waited && play && entry.body.do === "move";
        // another page was first: the cells that were set here come on top of what it did
        if (move) Object.assign(entry, { behind: true, text: null }).body.version = play.version;
        else this.end(entry).reject(error);
      }
    }
  }

  gone(error) {
    if (!waits(error) || (error.status >= 500 && !this.waiting)) return;
    this.away = error;
    this.show();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.look(), WAITS_MS[Math.min(this.tries, WAITS_MS.length - 1)]);
    this.tries += 1;
  }

  here() {
    if (!this.away) return;
    clearTimeout(this.timer);
    Object.assign(this, { away: null, tries: 0, unkept: false });
    this.show();
    window.dispatchEvent(new Event("server-back"));
  }

  /** Is the server there again? Then all that waits is sent. */
  async look() {
    clearTimeout(this.timer);
    try {
      await get("/api/here");
    } catch {
      return; // `gone` knows, and looks again
    }
    this.collect();
    if (this.waiting) this.send();
    else this.here();
  }

  get waiting() {
    return this.mine.length + this.others.length;
  }

  show() {
    const place = document.getElementById("away");
    place.hidden = !this.away;
    if (!this.away) return;
    const { status, message } = this.away;
    const words = {
      0: ["The server does not answer.", "Is `nonosat app` still running? This page goes on when it is back."],
      403: ["The server was started anew.", "Open the address that `nonosat app` printed, in this browser; then this page goes on."],
    }[status] ?? [message, "It is tried again and again."];
    const where = this.unkept ? "in this page, which has to stay open" : "in this browser";
    const many = this.waiting > 0 && h("span.numbers", ` Kept ${where}: ${plural(this.waiting, "change")}.`);
    fill(place, h("p", h("strong", words[0]), ` ${words[1]}`, many), button("Try now", () => this.look(), { class: "link plain" }));
  }
}

export const outbox = new Outbox();
