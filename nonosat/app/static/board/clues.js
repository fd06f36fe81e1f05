// Clues of a nonogram: the runs of a line, and which of them are settled.

/** The runs of a line of values, `[length, colour]` each; what is not known counts as blank. */
export function runsOf(line) {
  const runs = [];
  let [length, colour] = [0, 0];
  for (let at = 0; at <= line.length; at += 1) {
    const next = at < line.length && line[at] > 0 ? line[at] : 0;
    if (next === colour) {
      length += 1;
    } else {
      if (colour) {
        runs.push([length, colour]);
      }
      [length, colour] = [1, next];
    }
  }
  return runs;
}

function sameRuns(some, others) {
  return (
    some.length === others.length &&
    some.every(([length, colour], at) => length === others[at][0] && colour === others[at][1])
  );
}

/** How many runs are settled from the beginning: all cells before the end of the last of them are known. */
function settledFrom(line, runs) {
  let at = 0;
  let settled = 0;
  while (at < line.length && settled < runs.length) {
    if (line[at] < 0) {
      break;
    }
    if (line[at] > 0) {
      const [length, colour] = runs[settled];
      let end = at;
      while (end < line.length && line[end] === line[at]) {
        end += 1;
      }
      if (line[at] !== colour || end - at !== length) {
        break;
      }
      settled += 1;
      at = end;
    } else {
      at += 1;
    }
  }
  return settled;
}

/** `{ done: [a Boolean a run], bad }`: `bad` is a full line that is not as its clue says. */
export function settledRuns(line, runs) {
  if (sameRuns(runsOf(line), runs)) {
    return { done: runs.map(() => true), bad: false };
  }
  if (line[0] < 0 && line.at(-1) < 0) {
    return { done: runs.map(() => false), bad: false };
  }
  const before = settledFrom(line, runs);
  const behind = settledFrom([...line].reverse(), [...runs].reverse());
  const done = runs.map((_, index) => index < before || index >= runs.length - behind);
  return { done, bad: line.every((value) => value >= 0) };
}

export function clueText(runs, names) {
  return (
    runs
      .map(([length, colour]) => (names.length > 2 ? `${length} ${names[colour]}` : String(length)))
      .join(names.length > 2 ? ", " : " ") || "0"
  );
}
