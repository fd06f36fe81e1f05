// Elements without a framework, for the board and the page.

/** `h("button.quiet", { onclick, label: "its aria-label" }, "text", [children])`; the attributes may be left out. */
export function h(tag, ...rest) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name);
  const attributes = Object.getPrototypeOf(rest[0] ?? "") === Object.prototype ? rest.shift() : {};
  element.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (typeof value === "boolean") element.toggleAttribute(key, value);
    else if (value !== undefined) element.setAttribute(key === "label" ? "aria-label" : key, value);
  }
  fill(element, ...rest);
  return element;
}

/** Put `children` in the place of what is there; null, undefined and false are none. */
export function fill(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter((child) => (child ?? false) !== false));
}
