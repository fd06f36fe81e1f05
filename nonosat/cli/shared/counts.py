"""What the commands that count have in common: limits, and how numbers of solutions are told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from nonosat.errors import InterruptedSolve

if TYPE_CHECKING:
    from nonosat.cli.shared.puzzles import LocatedPuzzle
    from nonosat.counting.answer import Tally
    from nonosat.progress import Ticker


def shown_by(show: Callable[[str], None]) -> Callable[[str, int], None]:
    """What shows how far a count is."""

    def progress(stage: str, found: int) -> None:
        show(f"{stage}{f', {found:,} so far' if found else ''}")

    return progress


def format_number(found: Tally) -> str:
    """How many solutions: ``1,234``, ``at least 56; some 10^7.1 by Bethe's estimate, which promises nothing``."""
    if found.solutions is not None:
        return str(found.solutions)
    words = [f"at least {found.at_least}"] if found.at_least > 1 or found.estimate is None else []
    if (guess := found.estimate) is not None:
        number = f"{10**guess.log10:.3g}" if guess.log10 < 15 else f"10^{guess.log10:.1f}"
        words.append(f"some {number} by {guess.method}{_promise(guess.epsilon, guess.delta)}")
    return "; ".join(words)


def _promise(epsilon: float | None, delta: float | None) -> str:
    if epsilon is None or delta is None:
        return "'s estimate, which promises nothing"
    return f" (within a factor of {1 + epsilon:g} with probability {1 - delta:g})"


def format_stop(found: Tally) -> str:
    """Why it was stopped, or what else there is to say, as the end of a phrase."""
    stopped = f"; then {found.stopped}" if found.stopped is not None else ""
    return f"{stopped} ({found.reason})" if found.reason else stopped


def format_cost(found: Tally) -> list[str]:
    """Who counted, and what it cost."""
    about = found.statistics
    who = f"{found.counter}{f', {found.encoding}' if found.encoding else ''}"
    times = f"{about.total_s:.3f} s"
    counters = (("nodes", about.nodes), ("lines checked", about.lines_checked), ("clauses", about.clauses))
    told = ", ".join(f"{value:,} {name}" for name, value in counters if value is not None)
    logarithm = f"10^{found.log10:.2f}" if found.log10 is not None and found.log10 >= 4 else ""
    return [part for part in (logarithm, who, times, told) if part]


def print_record(found: Tally, asked: LocatedPuzzle) -> None:
    """The record on a line, with the puzzle's title, its file, and its index there, if it has them."""
    from nonosat.counting.answer import json_text

    title = {"title": found.puzzle.title} if found.puzzle is not None and found.puzzle.title else {}
    numbered = {"file": asked.file} | ({} if asked.index is None else {"index": asked.index})
    print(json_text({**found.record(), **title, **numbered}), flush=True)


@contextmanager
def reported_if_interrupted(show: Ticker, asked: LocatedPuzzle, output: str) -> Iterator[None]:
    """Ctrl-C: what was known when it came is printed."""
    try:
        yield
    except InterruptedSolve as interrupt:
        show.close()
        _print_interrupted(interrupt.answer, asked, output)
        raise KeyboardInterrupt from None


def _print_interrupted(found: Any, asked: LocatedPuzzle, output: str) -> None:
    """What was known when Ctrl-C came."""
    from nonosat.cli.shared.output import complain
    from nonosat.counting.answer import Tally

    if not isinstance(found, Tally):
        return
    if output == "json":
        print_record(found, asked)
    else:
        complain(f"{format_number(found)}{format_stop(found)}")
