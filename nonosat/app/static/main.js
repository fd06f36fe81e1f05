// The page: which room the address names, and the rooms' menu. A room's module is loaded when it is entered.

import { h, notice } from "./dom.js";

const ROOMS = [
  ["play", "Play"],
  ["make", "Make"],
  ["watch", "Watch"],
  ["explain", "Explain"],
  ["studies", "Studies"],
];

const room = document.getElementById("room");
let leave = () => {};
let turn = 0;

function parts() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const words = path.split("/").filter(Boolean).map(decodeURIComponent);
  return { words, query: new URLSearchParams(query) };
}

/** Enter the room of the address. `params`: `{ words, query }`, the address behind the room's name. */
async function enter() {
  const mine = ++turn;
  const { words, query } = parts();
  const name = ROOMS.some(([known]) => known === words[0]) ? words[0] : ROOMS[0][0];
  for (const link of document.querySelectorAll("#rooms a")) {
    link.toggleAttribute("aria-current", link.dataset.room === name);
    if (link.dataset.room === name) {
      link.setAttribute("aria-current", "page");
    }
  }
  const { default: found } = await import(`./rooms/${name}.js`);
  if (mine !== turn) {
    return; // another address was asked for meanwhile
  }
  leave();
  leave = () => {};
  room.replaceChildren();
  document.title = `${found.title} · nonosat`;
  try {
    const ended = await found.mount(room, { words: words.slice(1), query });
    if (mine === turn) {
      leave = ended ?? leave;
    } else {
      ended?.();
    }
  } catch (error) {
    room.replaceChildren(
      h("p.failing", { role: "alert" }, error.message),
      h("p", {}, h("a", { href: `#/${name}` }, "Back")),
    );
    if (error.status === undefined) {
      throw error;
    }
  }
}

document
  .getElementById("rooms")
  .append(...ROOMS.map(([name, title]) => h("a", { href: `#/${name}`, "data-room": name }, title)));
window.addEventListener("hashchange", () => {
  enter().then(() => room.focus({ preventScroll: true }));
});
window.addEventListener("unhandledrejection", (event) => notice(event.reason?.message ?? String(event.reason)));
if (location.search) {
  history.replaceState(null, "", `/${location.hash}`); // the token is used up, and no bookmark needs it
}
enter();
