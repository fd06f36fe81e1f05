"""What `count`, `sample` and `backbone` share: a search a puzzle, and what is printed of how many solutions it has."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from nonosat.cli.shared.commands import printing_if_interrupted
from nonosat.cli.shared.output import print_json, warn
from nonosat.cli.shared.puzzles import LocatedPuzzle, Sources

if TYPE_CHECKING:
    from nonosat.counting.answer import Tally
    from nonosat.progress import Ticker

    _Tally = TypeVar("_Tally", bound=Tally)


def searched(
    sources: Sources,
    show: Ticker,
    output: str,
    search: Callable[..., _Tally],
    write: Callable[[_Tally, LocatedPuzzle, bool], None],
) -> list[_Tally]:
    """What ``search(puzzle, on_progress=...)`` finds of each puzzle: its record is printed, or it is written.

    ``write`` also gets where the puzzle is, and whether it is the first.
    """
    every: list[_Tally] = []
    for located in sources:
        known = partial(_print_known, located=located, output=output)
        with sources.guarded(located.label), printing_if_interrupted(show, known):
            every.append(search(located.puzzle, on_progress=sources.progress()))
            show.hide()
            if output == "json":
                _print_record(every[-1], located)
            else:
                write(every[-1], located, len(every) == 1)
    return every


def _print_record(found: Tally, located: LocatedPuzzle) -> None:
    from nonosat.counting.answer import json_text

    print_json(found.record(), found.puzzle, located.file, located.index, json_text)


def _print_known(found: Tally, located: LocatedPuzzle, output: str) -> None:
    """What was known when Ctrl-C came."""
    if output == "json":
        _print_record(found, located)
    else:
        warn(f"{format_number(found)}{format_stop(found)}")


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
    """Why the count was stopped, or its other reason, as the end of a phrase."""
    stopped = f"; then {found.stopped}" if found.stopped is not None else ""
    return f"{stopped} ({found.reason})" if found.reason else stopped


def format_cost(found: Tally) -> list[str]:
    """The counter, and what the count cost."""
    about = found.statistics
    who = f"{found.counter}{f', {found.encoding}' if found.encoding else ''}"
    times = f"{about.total_s:.3f} s"
    counters = (("nodes", about.nodes), ("lines checked", about.lines_checked), ("clauses", about.clauses))
    work = ", ".join(f"{value:,} {name}" for name, value in counters if value is not None)
    logarithm = f"10^{found.log10:.2f}" if found.log10 is not None and found.log10 >= 4 else ""
    return [part for part in (logarithm, who, times, work) if part]
