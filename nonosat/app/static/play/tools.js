// What a cell becomes: Fill and Mark, the colours of a nonogram, the numbers of other kinds.

import { shadeName } from "../board/theme.js";
import { button, group, h, swatch, toggle } from "../dom.js";

export function pad({ values: [least, most] }, enter) {
  const values = Array.from({ length: Math.min(most, 30) - least + 1 }, (_, at) => least + at);
  return h("div.pad", values.map((value) => button(value, () => enter(value))));
}

/** `hand`: the `tool` ("fill" or "mark") and `colour` that are chosen, `choose(tool, colour)`, `enter(value)`, and the `shades`
 * of the board; `hasLives`: filling uncovers. */
export function tools(puzzle, hand) {
  const tool = (name, text) => toggle(hand.tool === name, text, () => hand.choose(name));
  if (puzzle.kind !== "nonogram") {
    const two = group("div.group", "What a number does", tool("fill", "Number"), tool("mark", "Note"));
    return [two, pad(puzzle, (value) => hand.enter(value))];
  }
  const fills = tool("fill", hand.hasLives ? "Uncover" : "Fill");
  const two = group("div.group", "What a cell becomes", fills, tool("mark", "Mark"));
  return [two, puzzle.palette.length > 2 && colours(puzzle, hand)];
}

function colours({ palette }, hand) {
  const one = (shade, index) => {
    const on = hand.tool === "fill" && hand.colour === index + 1;
    const label = `Colour ${index + 1}: ${shadeName(shade)}`;
    return swatch(hand.shades[index + 1], on, label, () => hand.choose("fill", index + 1));
  };
  return group("div.buttons", "Colour", palette.slice(1).map(one));
}
