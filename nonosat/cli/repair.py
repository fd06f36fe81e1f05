"""``nonosat repair``: a picture changed until its puzzle has it alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from nonosat.cli.shared import completion, exits, options
from nonosat.cli.shared.output import format_repair, plural, tell
from nonosat.cli.shared.puzzles import puzzles_of
from nonosat.errors import UnsupportedError
from nonosat.progress import ticker

if TYPE_CHECKING:
    from nonosat.puzzles.nonogram import Nonogram


@click.command("repair")
@click.argument("source", metavar="IN", shell_complete=completion.files)
@click.argument("target", metavar="OUT", shell_complete=completion.files)
@click.option(
    "--line-solvable", is_flag=True, help="Until lines by themselves solve the puzzle, not only until unique."
)
@click.option("--max-changes", type=click.IntRange(min=0), metavar="N", help="Cells of a picture [default: a quarter].")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Decides among equal changes.")
@options.limits
@options.from_format
@options.to_format
@options.index
def command(
    source: str,
    target: str,
    line_solvable: bool,
    max_changes: int | None,
    seed: int,
    time_limit: float | None,
    cpu_limit: float | None,
    memory_limit: float | None,
    from_format: str | None,
    to_format: str | None,
    index: int | None,
) -> int:
    """Change few cells of the picture in IN until its puzzle has a single solution, and write that puzzle to OUT.

    IN is a puzzle (its goal picture is taken, or else one of its solutions), or an image of a cell a pixel, as for
    `picture`. What was changed is told: row,column (from 1), the old and the new value. Exit code 0: that is done, or a
    limit was reached; then the changes so far are told, and nothing is written.
    """
    limits = {"time_limit_s": time_limit, "cpu_limit_s": cpu_limit, "memory_limit_mb": memory_limit}
    with ticker() as show:  # before numpy is imported
        show("reading")
        from nonosat.files import shown
        from nonosat.making.criteria import repair
        from nonosat.puzzles.formats import format as format_named
        from nonosat.puzzles.formats import format_of, save
        from nonosat.puzzles.nonogram import nonogram_of

        chosen = format_of(target, "--to") if to_format is None else format_named(to_format)
        puzzles = [nonogram_of(puzzle, "repair") for puzzle in puzzles_of(source, from_format, index)]
        done = []
        for number, puzzle in enumerate(puzzles, 1):
            place = f"{shown(source)}{f': puzzle {number}' if len(puzzles) > 1 else ''}"
            show(f"{place}: repairing")

            def progress(stage: str, changed: int, place: str = place) -> None:
                show(f"{place}: {stage}, {plural(changed, 'cell')} changed")

            pictured = _pictured(puzzle, place, limits) if puzzle.goal is None else puzzle
            if pictured is None:
                return exits.NO_ANSWER
            how: dict[str, Any] = {"by_lines": line_solvable, "max_changes": max_changes, "seed": seed, **limits}
            try:
                done.append(repair(pictured, **how, on_progress=progress))
            except UnsupportedError as error:
                raise UnsupportedError(f"{place}: {error}") from None
            show.hide()
            tell(f"{place}: {format_repair(done[-1], line_solvable)}")
            if done[-1].reason is not None:
                return exits.NO_ANSWER
        save([repaired.puzzle for repaired in done], target, chosen.name)
    return exits.DONE


def _pictured(puzzle: Nonogram, place: str, limits: dict[str, Any]) -> Nonogram | None:
    """The puzzle with one of its solutions as its goal; None: none was found within the limits, which is told."""
    from dataclasses import replace

    from nonosat.runs.events import Verdict
    from nonosat.solvers.solve import solve

    answer = solve(puzzle, solver="propagation", **limits)
    if answer.picture is not None:
        return replace(puzzle, goal=puzzle.picture(answer.picture.cells))
    if answer.verdict == Verdict.UNSAT:
        raise UnsupportedError(f"{place}: UNSAT: there is no picture to repair")
    tell(f"{place}: no picture to repair was found: {answer.reason or answer.verdict}")
    return None
