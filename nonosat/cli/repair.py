"""``nonosat repair``: a picture changed until its puzzle has it alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from nonosat.cli.shared import options
from nonosat.cli.shared.commands import Exit, SearchCommand, printing_if_interrupted
from nonosat.cli.shared.output import format_repair, note, plural
from nonosat.cli.shared.puzzles import puzzles_of
from nonosat.errors import UnsupportedError

if TYPE_CHECKING:
    from nonosat.making.repair import Repair
    from nonosat.progress import Ticker
    from nonosat.puzzles.nonogram import Nonogram


@click.command("repair", cls=SearchCommand)
@options.source
@options.target
@options.line_solvable("Until lines by themselves solve the puzzle, not only until unique.")
@options.max_changes("Cells of a picture [default: a quarter].")
@options.seed("Decides among equal changes.")
@options.limits()
@options.from_format
@options.to_format()
@options.index
@click.pass_obj
def command(
    show: Ticker,
    source: str,
    target: str,
    line_solvable: bool,
    max_changes: int | None,
    seed: int,
    limits: dict[str, Any],
    from_format: str | None,
    to_format: str | None,
    index: int | None,
) -> Exit:
    """Change few cells of the picture in IN until its puzzle has a single solution, and write that puzzle to OUT.

    IN is a puzzle (its goal picture is taken, or else one of its solutions), or an image of a cell a pixel, as for
    `picture`. The changes are printed: row,column (from 1), the old and the new value. Exit code 0: that is done, or a
    limit was reached; then the changes so far are printed, and nothing is written.
    """
    from nonosat.files import shown
    from nonosat.making.criteria import repair
    from nonosat.puzzles.formats import format as format_named
    from nonosat.puzzles.formats import format_of, save
    from nonosat.puzzles.nonogram import nonogram_of

    chosen = format_of(target, "--to") if to_format is None else format_named(to_format)
    puzzles = [nonogram_of(puzzle, "repair") for puzzle in puzzles_of(source, from_format, index)]
    how: dict[str, Any] = {"line_solvable": line_solvable, "max_changes": max_changes, "seed": seed, **limits}
    done: list[Repair] = []
    for number, puzzle in enumerate(puzzles, 1):
        place = f"{shown(source)}{f': puzzle {number}' if len(puzzles) > 1 else ''}"
        show(f"{place}: repairing")

        def progress(stage: str, changed: int, place: str = place) -> None:
            show(f"{place}: {stage}, {plural(changed, 'cell')} changed")

        def print_changes(repair: Repair, place: str = place) -> None:
            show.hide()
            note(f"{place}: {format_repair(repair, line_solvable)}")

        pictured = _pictured(puzzle, place, limits, show) if puzzle.goal is None else puzzle
        if pictured is None:
            return Exit.NO_ANSWER
        try:
            with printing_if_interrupted(show, print_changes):
                done.append(repair(pictured, **how, on_progress=progress))
        except UnsupportedError as error:
            raise UnsupportedError(f"{place}: {error}") from None
        print_changes(done[-1])
        if done[-1].reason is not None:
            return Exit.NO_ANSWER
    save([repaired.puzzle for repaired in done], target, chosen.name)
    return Exit.DONE


def _pictured(puzzle: Nonogram, place: str, limits: dict[str, Any], show: Ticker) -> Nonogram | None:
    """The puzzle with one of its solutions as its goal; None: none was found within the limits."""
    from dataclasses import replace

    from nonosat.runs.events import Verdict
    from nonosat.solvers.solve import solve

    answer = solve(puzzle, solver="propagation", **limits)
    if answer.picture is not None:
        return replace(puzzle, goal=puzzle.picture(answer.picture.cells))
    if answer.verdict == Verdict.UNSAT:
        raise UnsupportedError(f"{place}: UNSAT: there is no picture to repair")
    show.hide()
    note(f"{place}: no picture to repair was found: {answer.reason or answer.verdict}")
    return None
