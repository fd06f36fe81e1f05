// Clues of a nonogram: the runs of a line, and which of them are settled.

/** The runs of a line of values, `[length, colour]` each; what is not known counts as blank. */
export function runsOf(line) {
  const runs = [];
  let before = 0;
  for (const value of line) {
    if (value > 0 && value === before) runs.at(-1)[0] += 1;
    else if (value > 0) runs.push([1, value]);
    before = value;
  }
  return runs;
}

/** How many runs are settled from the beginning: all cells up to their end are known. */
function settledFrom(line, runs) {
  const open = line.findIndex((value) => value < 0);
  const found = runsOf(open < 0 ? line : line.slice(0, open));
  const other = runs.findIndex((run, at) => String(run) !== String(found[at]));
  return other < 0 ? runs.length : other;
}

/** Which runs are `done`; `bad`: a full line is not as its clue says. */
export function settledRuns(line, runs) {
  const found = runsOf(line);
  if (found.length === runs.length && String(found) === String(runs)) return { done: runs.map(() => true), bad: false };
  if (line[0] < 0 && line.at(-1) < 0) return { done: runs.map(() => false), bad: false };
  const before = settledFrom(line, runs);
  const behind = runs.length - settledFrom(line.toReversed(), runs.toReversed());
  return { done: runs.map((_, index) => index < before || index >= behind), bad: !line.includes(-1) };
}

export function clueText(runs, names) {
  const coloured = names.length > 2;
  const texts = runs.map(([length, colour]) => (coloured ? `${length} ${names[colour]}` : length));
  return texts.join(coloured ? ", " : " ") || "0";
}
