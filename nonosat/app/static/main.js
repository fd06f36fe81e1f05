// The page: which room the address names, and the rooms' menu. A room's module is loaded when it is entered.

import { h, notice } from "./dom.js";

const ROOMS = ["Play", "Make", "Watch", "Explain", "Studies"];

const room = document.getElementById("room");
const links = ROOMS.map((title) => h("a", { href: `#/${title.toLowerCase()}`, "data-room": title.toLowerCase() }, title));
let leave = () => {};
let turn = 0;

/** Enter the room of the address. It is told `{ words, query }`, the address behind the room's name. */
async function enter() {
  const mine = ++turn;
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [first, ...words] = path.split("/").filter(Boolean).map(decoded);
  const link = links.find(({ dataset }) => dataset.room === first) ?? links[0];
  const name = link.dataset.room;
  links.forEach((other) => other.removeAttribute("aria-current"));
  link.setAttribute("aria-current", "page");
  const { default: found } = await import(`./rooms/${name}.js`);
  if (mine !== turn) return; // another address was asked for meanwhile
  leave();
  leave = () => {};
  const place = h("div.place"); // its own: who mounts and is left before that ends writes where nobody looks
  room.replaceChildren(place);
  document.title = `${found.title} · nonosat`;
  try {
    const ended = await found.mount(place, { words, query: new URLSearchParams(query) });
    if (mine === turn) leave = ended ?? leave;
    else ended?.();
  } catch (error) {
    if (mine !== turn) return;
    const told = h("p.failing", { role: "alert" }, error.message);
    room.replaceChildren(told, h("p", h("a", { href: `#/${name}` }, "Back")));
    if (error.status === undefined) throw error;
  }
}

/** A word of the address; what is no code for a character stays as it is. */
function decoded(word) {
  try {
    return decodeURIComponent(word);
  } catch {
    return word;
  }
}

document.getElementById("rooms").append(...links);
window.addEventListener("hashchange", () => enter().then(() => room.focus({ preventScroll: true })));
window.addEventListener("unhandledrejection", (event) => notice(event.reason?.message ?? String(event.reason)));
if (location.search) history.replaceState(null, "", `/${location.hash}`); // the token is used up, and no bookmark needs it
enter();
