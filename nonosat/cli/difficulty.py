"""``nonosat difficulty``: how hard a puzzle is for a person who reasons."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from nonosat.cli.shared import options
from nonosat.cli.shared.commands import Exit, SearchCommand, printing_if_interrupted
from nonosat.cli.shared.output import plural, print_json, titled
from nonosat.cli.shared.puzzles import LocatedPuzzle, Sources
from nonosat.errors import UnsupportedError

if TYPE_CHECKING:
    from nonosat.explanations.measures import Explained
    from nonosat.progress import Ticker
    from nonosat.solvers.propagation.difficulty import Difficulty


@click.command("difficulty", cls=SearchCommand)
@options.files
@options.limits("a puzzle", "ends the measuring", time_limit=10.0)
@click.option(
    "--explained", is_flag=True, help="Tell the hardest technique of its explanation, and steps by technique."
)
@options.output()
@options.index
@options.from_format
@click.pass_obj
def command(
    show: Ticker,
    files: tuple[str, ...],
    limits: dict[str, Any],
    explained: bool,
    output: str,
    index: int | None,
    from_format: str | None,
) -> Exit:
    """How hard is the puzzle in FILES for somebody who reasons, and which kind of reasoning does it take?

    By lines alone: the number of sweeps (all rows, all columns, all rows, ..) until the board is full, as in Batenburg,
    Henstra, Kosters and Palenstijn 2009, and Batenburg and Kosters 2012. By probing, where lines are stuck: each value
    of a cell is tried for what it implies (Wu et al. 2013); the number of rounds over all cells. By guessing, where
    probing is stuck: the size and depth of a search tree.

    Labels (ours): trivial (up to 2 sweeps), easy (10), medium (30), long; hard (probing); very hard (up to 3 guesses
    deep), extreme (deeper, or a limit came first); ambiguous (several solutions), unsolvable. With --explained, the
    steps that `nonosat explain` takes are measured, too: a label from that (docs/explain.md), the hardest technique,
    steps by technique, lines of the widest step. Of puzzles that are no nonograms that is all there is.

    FILES may be folders, too. Of several puzzles a line each is printed, or a JSON object each on a line; what can't be
    read is named on stderr, and is exit code 2 in the end. The wall seconds are for the search tree (and for the
    explanation): lines and probing are finished. Where a limit is reached, what was measured is printed, and the exit
    code is 0.
    """
    from nonosat.explanations import measures
    from nonosat.puzzles.nonogram import Nonogram
    from nonosat.puzzles.puzzle import puzzle_kind
    from nonosat.solvers.propagation.difficulty import difficulty

    sources = Sources(files, from_format, index, show)
    form = "line" if output == "text" and sources.several else output
    measured, late = [], 0
    for located in sources:
        with sources.guarded(located.label):
            sources.showing("measuring")
            about = steps = None
            nonogram = isinstance(located.puzzle, Nonogram)
            if not nonogram and not explained:
                kind = puzzle_kind(located.puzzle).name
                raise UnsupportedError(f"difficulty is for nonograms, not for {kind}; with --explained it is for all")
            if nonogram:
                with printing_if_interrupted(show, partial(_print, steps=None, located=located, output=form)):
                    about = difficulty(located.puzzle, **limits)
            if explained:
                sources.showing("explaining")
                with printing_if_interrupted(show, partial(_print, about, located=located, output=form)):
                    steps = measures.explained(located.puzzle, **limits)
            measured.append(about.label if about else steps.label or "not finished" if steps else "")
            late += about is not None and about.solutions is None
            show.hide()
            _print(about, steps, located, form)
    if output == "text" and sources.several and measured:
        _print_summary(measured, late)
    return sources.code(Exit.DONE)


def _print(about: Difficulty | None, steps: Explained | None, located: LocatedPuzzle, output: str) -> None:
    """Print what was measured: as a record (``json``), as a ``line``, or as a table (``text``)."""
    if output == "line":
        _print_line(about, steps, located)
    elif output == "text":
        _print_table(about, steps)
    else:
        by_technique = {} if steps is None else {"explained": asdict(steps)}
        record = ({} if about is None else asdict(about)) | by_technique
        print_json(record, located.puzzle, located.file, located.index)


def _print_line(about: Difficulty | None, steps: Explained | None, located: LocatedPuzzle) -> None:
    measured = [] if about is None else [f"{about.label} · {_effort(about)}, {_solutions(about)}"]
    if steps is not None:
        hardest = f", {steps.hardest}" if steps.hardest else ""
        measured.append(f"explained {steps.label or 'in part'}{hardest}")
    print(f"{located.label}: {'; '.join(measured)}{titled(located.puzzle)}", flush=True)


def _print_summary(labels: list[str], late: int) -> None:
    from collections import Counter

    counts = Counter(labels).most_common()
    undecided = f"; {late} not decided in time" if late else ""
    print(f"{len(labels)} puzzles: {', '.join(f'{count} {label}' for label, count in counts)}{undecided}")


def _print_table(about: Difficulty | None, steps: Explained | None) -> None:
    """Print what is known of one puzzle."""
    rows = [] if about is None else _measures(about)
    if steps is not None:
        end = "" if steps.finished else ", not finished in time"
        rows += [
            ("explained", steps.label or "not known"),
            ("hardest", f"{steps.hardest or 'nothing'}{end}"),
            ("steps", ", ".join(f"{count:,} {name}" for name, count in steps.steps.items())),
            ("widest step", plural(steps.widest, "line" if about else "constraint")),
        ]
    print("\n".join(f"{name:12}{text}" for name, text in rows))


def _measures(about: Difficulty) -> list[tuple[str, str]]:
    return [
        ("difficulty", about.label),
        ("reasoning", about.kind),
        ("solutions", _solutions(about)),
        ("lines", f"{plural(about.sweeps, 'sweep')}, {plural(about.lines_checked, 'line')} checked"),
        ("left open", f"{about.open_cells:,} of {plural(about.cells, 'cell')}"),
        ("probing", f"{plural(about.rounds, 'round')}, {plural(about.probes, 'probe')}"),
        ("search", f"{plural(about.nodes, 'node')}, {about.depth:,} deep"),
    ]


def _solutions(about: Difficulty) -> str:
    return {0: "no solution", 1: "a single solution", 2: "several solutions"}.get(
        -1 if about.solutions is None else about.solutions, "not decided in time"
    )


def _effort(about: Difficulty) -> str:
    """The measure that goes with the kind of reasoning."""
    if about.kind == "lines":
        return f"lines, {plural(about.sweeps, 'sweep')}"
    if about.kind == "probing":
        return f"probing, {plural(about.rounds, 'round')}"
    return f"guessing, {plural(about.nodes, 'node')}, {about.depth:,} deep"
