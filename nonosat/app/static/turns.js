// How long things last: a room, and what is shown in it, have an AbortSignal each, with which listeners, jobs and boards end.

/** Do `work` when `signal` is aborted, at once if it is. */
export const atEnd = (signal, work) => (signal.aborted ? work() : signal.addEventListener("abort", work));

/** Signals one after the other: asking for the next one aborts the last; `signal` aborts them all. */
export function turns(signal) {
  let last = new AbortController();
  return () => {
    last.abort();
    last = new AbortController();
    return signal ? AbortSignal.any([signal, last.signal]) : last.signal;
  };
}
