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

/** Can the cells that are not known make this a line of these runs? */
function fits(line, runs) {
  const gaps = runs.map(([, colour], at) => Number(runs[at + 1]?.[1] === colour)); // a blank behind, before the next of its colour
  const slack = line.length - runs.reduce((sum, [length], at) => sum + length + gaps[at], 0);
  if (slack < 0) return false;
  let base = 0; // cells that the runs so far take at least; they may take as many more as `reached` says
  const reached = new Uint8Array(slack + 1);
  const blanks = () => {
    for (let more = 0; more < slack; more += 1) if (reached[more] && line[base + more] <= 0) reached[more + 1] = 1;
  };
  reached[0] = 1;
  blanks();
  runs.forEach(([length, colour], at) => {
    let other = -1; // the last cell of another colour
    let seen = base;
    for (let more = 0; more <= slack; more += 1) {
      const end = base + more + length;
      for (; seen < end; seen += 1) if (line[seen] >= 0 && line[seen] !== colour) other = seen;
      if (other >= end - length || (gaps[at] && line[end] > 0)) reached[more] = 0;
    }
    base += length + gaps[at];
    blanks();
  });
  return reached[slack] === 1;
}

/** Which runs are `done`: none of a line that contradicts its clue. `bad`: it does, and as many cells are known or filled as
 * the clue needs. */
export function settledRuns(line, runs) {
  const found = runsOf(line);
  if (found.length === runs.length && String(found) === String(runs)) return { done: runs.map(() => true), bad: false };
  const none = runs.map(() => false);
  const sum = (some) => some.reduce((cells, [length]) => cells + length, 0);
  if (!line.some((value) => value < 0) || sum(found) >= sum(runs)) return { done: none, bad: true };
  if ((line[0] < 0 && line.at(-1) < 0) || !fits(line, runs)) return { done: none, bad: false };
  const before = settledFrom(line, runs);
  const behind = runs.length - settledFrom(line.toReversed(), runs.toReversed());
  return { done: runs.map((_, index) => index < before || index >= behind), bad: false };
}

export function clueText(runs, names) {
  const coloured = names.length > 2;
  const texts = runs.map(([length, colour]) => (coloured ? `${length} ${names[colour]}` : length));
  return texts.join(coloured ? ", " : " ") || "0";
}
