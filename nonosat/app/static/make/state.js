// Puzzles as they are edited: plain objects as `wire.py` has them, and flat cells.

export const SHADES = ["#000000", "#d55e00", "#0072b2", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#f0e442"];
const PAPER = "#ffffff";

/** An empty drawing. */
export function blank(height, width, palette = [PAPER, SHADES[0]], title = "") {
  const empty = (count) => Array.from({ length: count }, () => []);
  const puzzle = { kind: "nonogram", height, width, title, palette, given: [], values: [0, palette.length - 1] };
  return {
    puzzle: { ...puzzle, rows: empty(height), columns: empty(width) },
    cells: new Array(height * width).fill(0),
  };
}

/** A drawing of another size: what fits stays where it is. */
export function resized(puzzle, cells, height, width) {
  const made = blank(height, width, puzzle.palette, puzzle.title);
  for (let row = 0; row < Math.min(height, puzzle.height); row += 1) {
    for (let column = 0; column < Math.min(width, puzzle.width); column += 1) {
      made.cells[row * width + column] = cells[row * puzzle.width + column];
    }
  }
  return made;
}

/** Clues of another size: lines are added at the end, or those at the end are gone. */
export function relined(puzzle, rows, columns) {
  return { ...puzzle, rows, columns, height: rows.length, width: columns.length, given: [] };
}

/** A colour that no other is like: the next of eight that the colour-blind can tell apart. */
export function nextShade(palette) {
  return (
    SHADES.find((shade) => !palette.includes(shade)) ??
    `#${(palette.length * 0x2a3b1d).toString(16).padStart(6, "0").slice(-6)}`
  );
}

/** What the server is told of a puzzle that is drawn (cells) or typed (clues). */
export function told({ puzzle, cells, drawn }) {
  return drawn ? { puzzle, cells } : { puzzle };
}

/** Let the browser keep a file that the server has made. */
export function download(name, { suffix, data }) {
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  const link = document.createElement("a");
  const stem =
    name
      .trim()
      .replace(/[^\p{L}\p{N} _-]+/gu, "")
      .slice(0, 60) || "puzzle";
  link.href = URL.createObjectURL(new Blob([bytes]));
  link.download = stem + suffix;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
