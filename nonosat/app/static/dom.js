// Elements without a framework.

/** `h("button.quiet", { onclick, "aria-label": ... }, "text", child, [children])`. */
export function h(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name);
  element.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) {
      element.addEventListener(key.slice(2), value);
    } else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(key, value === true ? "" : value);
    }
  }
  element.append(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

/** A small drawing of flat `cells` in the shades of `palette`, a pixel a cell; the stylesheet makes it larger. */
export function thumbnail({ cells, palette }, width, label) {
  const canvas = h("canvas.pixels", { width, height: cells.length / width, role: "img", "aria-label": label });
  const context = canvas.getContext("2d");
  cells.forEach((value, index) => {
    context.fillStyle = palette[Math.max(0, value)];
    context.fillRect(index % width, Math.floor(index / width), 1, 1);
  });
  return canvas;
}

/** Ask before something is lost: resolves to whether it is meant. */
export function sure(question, yes) {
  return new Promise((resolve) => {
    const dialog = h(
      "dialog",
      { "aria-labelledby": "question", onclose: () => (dialog.remove(), resolve(dialog.returnValue === "yes")) },
      h("p", { id: "question" }, question),
      h(
        "div.buttons",
        {},
        h("button", { onclick: () => dialog.close("no") }, "Cancel"),
        h("button.primary", { onclick: () => dialog.close("yes") }, yes),
      ),
    );
    document.body.append(dialog);
    dialog.showModal();
  });
}

let fading = 0;

/** Say something at the foot of the page for a while. */
export function notice(text) {
  const place = document.getElementById("notice");
  place.textContent = text;
  clearTimeout(fading);
  fading = setTimeout(() => (place.textContent = ""), 6000);
}
