// The page: the room that the address names, and the rooms' menu. A room is loaded when it is entered.

import { get, module } from "./api.js";
import { arrived, fill, h, notice, shownAt, SLOW_MS, turns } from "./dom.js";
import { outbox } from "./outbox.js";

const ROOMS = ["Play", "Make", "Watch", "Explain", "Studies"];

const room = document.getElementById("room");
const links = ROOMS.map((title) => h("a", { href: `#/${title.toLowerCase()}` }, title));
const [asking, entering] = [turns(), turns()];
const loaded = {}; // rooms; an import takes a turn even then
let failing = null;

/** Enter the room of the address, and leave the one before, if there is a server to do that with; whether that is done.
 * `words` and `query` are what stands behind the room's name; `signal`: it is left. */
async function enter() {
  const asked = asking();
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  const [first, ...words] = path.split("/").filter(Boolean).map(decoded);
  const link = links.find(({ hash }) => hash === `#/${first}`) ?? links[0];
  const name = link.hash.slice(2);
  try {
    if (room.firstChild) await get("/api/here");
    loaded[name] ??= await module(`./rooms/${name}.js`);
  } catch (error) {
    if (!asked.aborted) (room.firstChild ? stay : fail)(error, link);
    return false;
  }
  if (asked.aborted) return false; // another address was asked for meanwhile
  const signal = entering();
  failing = null;
  shownAt.hash = location.hash;
  links.forEach((other) => (other.ariaCurrent = other === link ? "page" : null));
  document.querySelectorAll("dialog").forEach((open) => open.close()); // they were about the page before
  arrived();
  const place = h("div.place"); // its own: who mounts and is left before that ends writes where nobody looks
  const opening = h("p.opening.quiet", { role: "status" });
  fill(room, opening, place);
  setTimeout(() => place.firstChild || fill(opening, "Opening …"), SLOW_MS); // seen until something is there
  document.title = `${link.textContent} · nonosat`;
  try {
    await loaded[name].mount(place, { words, query: new URLSearchParams(query), signal });
  } catch (error) {
    if (!signal.aborted) fail(error, link);
  }
  return true;
}

/** The page that is shown stays, with its address: moves can be made on it, and it could not be read again. */
function stay({ message }) {
  history.replaceState(null, "", shownAt.hash);
  notice(`This page stays, with all that is done on it: ${message.split(": ")[0]}.`);
}

function fail(error, link) {
  failing = error;
  fill(room, h("p.failing", { role: "alert" }, error.message), h("p", h("a", { href: link.hash }, "Back")));
  if (error.status === undefined) throw error;
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
window.addEventListener("hashchange", async () => {
  if (location.hash === "#room") history.replaceState(null, "", shownAt.hash); // "Skip to the page" is there already
  else if (await enter()) room.focus({ preventScroll: true });
});
window.addEventListener("unhandledrejection", (event) => {
  notice(event.reason?.message ?? String(event.reason));
  if (event.reason?.status !== undefined) event.preventDefault(); // the server refused something, which is no fault of a page
});
// a room that could not be entered without the server is entered with it
window.addEventListener("server-back", () => [0, 403].includes(failing?.status) && enter());
if (location.search) history.replaceState(null, "", `/${location.hash}`); // the token is used up, and no bookmark needs it
await outbox.idle(); // what earlier pages could not send comes before all that this one reads
enter();
