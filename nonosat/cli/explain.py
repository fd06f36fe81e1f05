"""``nonosat explain``: a puzzle solved in steps that a person can follow."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING, Any

import click

from nonosat.cli.shared import completion, models, options
from nonosat.cli.shared.commands import Exit, SearchCommand
from nonosat.cli.shared.output import note, plural
from nonosat.cli.shared.puzzles import puzzle_of
from nonosat.errors import UnsupportedError

if TYPE_CHECKING:
    from nonosat.explanations.steps import Step
    from nonosat.progress import Ticker
    from nonosat.puzzles.puzzle import Puzzle
    from nonosat.runs.events import Stopped


@click.command("explain", cls=SearchCommand)
@options.file
@click.option(
    "--board",
    metavar="BOARD",
    shell_complete=completion.files,
    help="Begin with this board: text as `solve` prints it, ? for open.",
)
@click.option("--steps", type=click.IntRange(min=1), metavar="N", help="The next N steps, and no more.")
@options.limits("for all steps", "ends a step, too")
@options.output("html")
@options.index
@options.from_format
@click.pass_obj
def command(
    show: Ticker,
    file: str,
    board: str | None,
    steps: int | None,
    limits: dict[str, Any],
    output: str,
    index: int | None,
    from_format: str | None,
) -> Exit:
    """Tell how the puzzle in FILE is solved, step by step, in words that players use.

    Each step names the lines and the known cells that it rests on, and is checked by them alone; easy ones come before
    hard ones. The page that --format html prints needs no other file; the arrow keys walk through it. JSON is a line a
    step, with rows and columns from 0. Exit code: 0, or 1 if the position is wrong or the puzzle has no solution, which
    the last step tells. Where a limit is reached, the steps before it are printed. Of a model (.py, .csp, .xml,
    .cnf) without a solution, constraints are printed that exclude all: the fewest that are found in the wall seconds; a
    line says so if there may be fewer.
    """
    if models.named([file], from_format):
        models.refuse(board=board, steps=steps, from_format=from_format)
        if output == "html":
            raise UnsupportedError("--format html is for puzzles: what is wrong with a model is a list of constraints")
        return models.explain(file, show, index, output, limits)
    from nonosat.explanations.explain import read_board, values_of
    from nonosat.explanations.steps import ERROR
    from nonosat.runs.events import Stopped, Verdict

    puzzle = puzzle_of(file, from_format, index)
    values = values_of(puzzle, None if board is None else read_board(board, puzzle))
    begun, stopped = [list(row) for row in values], None
    made: list[Step] = []
    try:
        for step in _steps(puzzle, values, steps, limits, show):
            if isinstance(step, Stopped):
                stopped = step
                break
            made.append(step)
            if output != "html":
                show.hide()
                _print(puzzle, step, len(made), values, output)
            for row, column, (value,) in step.fixes:
                values[row][column] = value
    except KeyboardInterrupt:
        stopped = Stopped(Verdict.INTERRUPTED, "interrupted")
    end = _end(made, values, board is not None) + (f"; {stopped.reason}" if stopped else "")
    show.hide()
    if output == "html":
        from nonosat.explanations.drawing import page

        print(page(puzzle, begun, made, end), end="", flush=True)
    note(f"{file}: {end}")
    if stopped is not None and stopped.verdict is Verdict.INTERRUPTED:
        raise KeyboardInterrupt
    return Exit.FAILED if made and made[-1].technique == ERROR else Exit.DONE


def _steps(
    puzzle: Puzzle, values: list[list[int]], at_most: int | None, limits: dict[str, Any], show: Ticker
) -> Iterator[Step | Stopped]:
    """The steps from ``values`` on, each of them checked, within the limits."""
    from nonosat.explanations.explain import steps_within

    show("looking for step 1")
    with closing(steps_within(puzzle, values, **limits)) as steps:  # type: ignore[type-var]
        for count, step in enumerate(steps, 1):
            yield step
            if count == at_most:
                return
            show(f"looking for step {count + 1}")


def _print(puzzle: Puzzle, step: Step, number: int, values: list[list[int]], output: str) -> None:
    if output == "json":
        print(json.dumps({"step": number, **step.record()}, ensure_ascii=False), flush=True)
        return
    from nonosat.explanations.drawing import step_text

    print(step_text(puzzle, step, number, values, colour=sys.stdout.isatty()), flush=True)


def _end(steps: list[Step], values: list[list[int]], half_played: bool) -> str:
    """How far it went. An error is the puzzle's own if nothing was played, and nothing guessed."""
    from nonosat.explanations.steps import ERROR, GUESS

    left = sum(value < 0 for row in values for value in row)
    guesses = sum(step.technique == GUESS for step in steps)
    end = f"{plural(left, 'cell')} left open" if left else "solved"
    if steps and steps[-1].technique == ERROR:
        end = "the position is wrong" if half_played or guesses else "there is no solution"
    guessed = f", {guesses} of them guessed" if guesses else ""
    return f"{plural(len(steps), 'step')}{guessed}, {end}"
