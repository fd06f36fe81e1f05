// Elements without a framework.

/** `h("button.quiet", { onclick, "aria-label": ... }, "text", child, [children])`; the attributes may be left out. */
export function h(tag, ...rest) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name);
  element.className = classes.join(" ");
  const attributes = Object.getPrototypeOf(rest[0] ?? "") === Object.prototype ? rest.shift() : {};
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(key, value === true ? "" : value);
    }
  }
  const children = rest.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
  element.append(...children);
  return element;
}

/** A button; `more`: attributes, such as what it is called where its text is only a sign. */
export const button = (text, onclick, more = {}) => h("button", { onclick, ...more }, text);

/** A button that is a sign only, with a name. */
export const signed = (sign, title, onclick) => button(sign, onclick, { title, "aria-label": title });

/** A button that is pressed, or not. */
export const toggle = (on, text, onclick) => button(text, onclick, { "aria-pressed": String(on) });

/** `children` together under a name. */
export const group = (tag, label, ...children) => h(tag, { role: "group", "aria-label": label }, ...children);

/** A list to choose from: `options` are values, or `[value, text]`. */
export function select(label, options, onChange = () => {}, value = undefined) {
  const made = h("select", { "aria-label": label, onchange: () => onChange(made.value) });
  const one = (option) => (Array.isArray(option) ? option : [option, option]);
  made.append(...options.map(one).map(([name, text]) => h("option", { value: name }, text)));
  if (value !== undefined) made.value = value;
  return made;
}

export const papers = () => select("Paper", ["A4", "Letter", "A3"]);

export const plural = (count, word) => `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;

/** A small drawing of flat `cells` in the shades of `palette`, a pixel a cell; the stylesheet makes it larger. */
export function thumbnail({ cells, palette }, width, label) {
  const named = label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" };
  const canvas = h("canvas.pixels", { width, height: cells.length / width, ...named });
  const context = canvas.getContext("2d");
  cells.forEach((value, index) => {
    context.fillStyle = palette[Math.max(0, value)];
    context.fillRect(index % width, Math.floor(index / width), 1, 1);
  });
  return canvas;
}

/** A button with a colour on it. */
export function swatch(shade, on, label, onclick) {
  const attributes = { "aria-pressed": String(on), "aria-label": label, title: label, onclick };
  return h("button.swatch", attributes, thumbnail({ cells: [0], palette: [shade] }, 1));
}

/** A dialog over the page, gone when it is closed. */
export function dialog(label, onclose, ...children) {
  const made = h("dialog", { "aria-label": label, onclose: () => (made.remove(), onclose(made.returnValue)) }, ...children);
  document.body.append(made);
  made.showModal();
  return made;
}

/** Ask before something is lost: resolves to whether it is meant. */
export function sure(question, yes) {
  return new Promise((resolve) => {
    const buttons = [
      button("Cancel", () => asking.close("no")), h("button.primary", { onclick: () => asking.close("yes") }, yes),
    ];
    const ended = (said) => resolve(said === "yes");
    const asking = dialog(question, ended, h("p", question), h("div.buttons", buttons));
  });
}

/** Ask for a text and give it to `take`, which throws what is wrong with it. */
export function askText(take) {
  const text = h("textarea", { rows: 12, spellcheck: "false", "aria-label": "Text of a puzzle" });
  const told = h("p.failing", { role: "alert" });
  const open = async () => {
    try {
      await take(text.value);
      asking.close();
    } catch (error) {
      told.textContent = error.message;
    }
  };
  const forms = "A link, a shared string, a game ID of Simon Tatham's Pattern or Towers, or a file's text: " +
    ".mk, .non, .json, .sky, .clues, tournament.";
  const buttons = [button("Cancel", () => asking.close()), h("button.primary", { onclick: open }, "Open")];
  const asking = dialog("Paste text", () => {}, h("p", forms), text, told, h("div.buttons", buttons));
  asking.classList.add("wide");
}

let fading = 0;

/** Say something at the foot of the page for a while. */
export function notice(text) {
  const place = document.getElementById("notice");
  place.textContent = text;
  clearTimeout(fading);
  fading = setTimeout(() => (place.textContent = ""), 6000);
}
