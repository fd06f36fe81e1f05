// The page: the room that the address names, and the rooms' menu. A room is loaded when it is entered.

import { fill, h, notice, turns } from "./dom.js";
import { outbox } from "./outbox.js";

const ROOMS = ["Play", "Make", "Watch", "Explain", "Studies"];

const room = document.getElementById("room");
const links = ROOMS.map((title) => h("a", { href: `#/${title.toLowerCase()}` }, title));
const entering = turns();
const loaded = {}; // rooms; an import takes a turn even then
let failing = null;

/** Enter the room of the address. `words` and `query` are what stands behind its name; `signal`: the room is left. */
async function enter() {
  const signal = entering();
  failing = null;
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  const [first, ...words] = path.split("/").filter(Boolean).map(decoded);
  const link = links.find(({ hash }) => hash === `#/${first}`) ?? links[0];
  links.forEach((other) => (other.ariaCurrent = other === link ? "page" : null));
  const name = link.hash.slice(2);
  const { mount } = (loaded[name] ??= await import(`./rooms/${name}.js`));
  if (signal.aborted) return; // another address was asked for meanwhile
  const place = h("div.place"); // its own: who mounts and is left before that ends writes where nobody looks
  fill(room, place);
  document.title = `${link.textContent} · nonosat`;
  try {
    await mount(place, { words, query: new URLSearchParams(query), signal });
  } catch (error) {
    if (signal.aborted) return;
    failing = error;
    fill(room, h("p.failing", { role: "alert" }, error.message), h("p", h("a", { href: link.hash }, "Back")));
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
// a room that could not be entered without the server is entered with it
window.addEventListener("server-back", () => [0, 403].includes(failing?.status) && enter());
if (location.search) history.replaceState(null, "", `/${location.hash}`); // the token is used up, and no bookmark needs it
await outbox.idle(); // what earlier pages could not send comes before all that this one reads
enter();
