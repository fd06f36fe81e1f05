// The stylesheet's colours, shades that differ from the paper, and brushes.

const NAMES = ["ink", "paper", "sheet", "line", "strong", "muted", "accent", "soft", "bad"];

export function readTheme(root) {
  const style = getComputedStyle(root);
  const theme = Object.fromEntries(NAMES.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
  return { ...theme, font: style.fontFamily };
}

export function rgb(shade) {
  const digits = shade.length === 4 ? shade.replace(/[0-9a-f]/gi, "$&$&") : shade;
  return [1, 3, 5].map((start) => parseInt(digits.slice(start, start + 2), 16));
}

/** Relative luminance, 0 (black) to 1 (white), as WCAG 2 has it. */
export function luminance(shade) {
  const [red, green, blue] = rgb(shade).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one, other) {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** The palette as it is drawn: black is the page's ink; a shade too near to the paper moves towards it. */
export function shades(palette, theme) {
  const drawn = palette.slice(1).map((shade) => {
    if (luminance(shade) < 0.01) return theme.ink;
    let mixed = shade;
    for (let share = 0.1; contrast(mixed, theme.paper) < 1.5 && share < 1.05; share += 0.1) {
      mixed = blend(shade, theme.ink, share);
    }
    return mixed;
  });
  return [theme.paper, ...drawn];
}

function blend(one, other, share) {
  const goal = rgb(other);
  const mixed = rgb(one).map((channel, index) => Math.round(channel + (goal[index] - channel) * share));
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}

// As nonosat/puzzles/nonogram/puzzle.py has them: colours have one name everywhere.
const NAMED = {
  black: "#000000", white: "#ffffff", grey: "#808080", red: "#d73c0a", orange: "#eb8c00", yellow: "#f5e632",
  green: "#00963c", "light blue": "#5ab4eb", blue: "#0050c8", purple: "#800080", pink: "#eb82b4", brown: "#8c501e",
  olive: "#78781e", "slate blue": "#5f64a0",
};

export function shadeName(shade) {
  const own = rgb(shade);
  const far = (name) => rgb(NAMED[name]).reduce((sum, channel, index) => sum + (channel - own[index]) ** 2, 0);
  return Object.keys(NAMED).reduce((best, name) => (far(name) < far(best) ? name : best));
}

/** A box is `[x, y, width, height]`. */
export const inset = ([x, y, wide, tall], by) => [x + by, y + by, wide - 2 * by, tall - 2 * by];

export function paint(context, fillStyle, box, globalAlpha = 1) {
  Object.assign(context, { fillStyle, globalAlpha });
  context.fillRect(...box);
  context.globalAlpha = 1;
}

export function outline(context, strokeStyle, lineWidth, box) {
  Object.assign(context, { strokeStyle, lineWidth });
  context.strokeRect(...box);
}

/** A line through what is written about (x, y): it is done. */
export function strike(context, shade, x, y, long) {
  paint(context, shade, [Math.round(x - long / 2), Math.round(y), Math.round(long), 1]);
}

export function write(context, fillStyle, text, x, y, room) {
  context.fillStyle = fillStyle;
  context.fillText(text, x, y, room);
}
