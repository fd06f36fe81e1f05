"""``nonosat solve``: puzzles in, checked pictures out."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import click

from nonosat.cli.shared import options
from nonosat.cli.shared.exits import exit_code
from nonosat.cli.shared.output import complain, drawer_to, headline, print_answer, print_json, titled
from nonosat.cli.shared.puzzles import LocatedPuzzle, Sources, files_argument, load_solver
from nonosat.errors import InterruptedSolve, UnsupportedError
from nonosat.interrupts import fatal_interrupts
from nonosat.progress import ticker

if TYPE_CHECKING:
    from nonosat.progress import Ticker
    from nonosat.runs.events import Answer


@click.command("solve")
@files_argument
@options.encoding
@options.solver
@click.option("--unique", is_flag=True, help="Settle whether the solution is the only one.")
@options.everything
@options.count
@options.limits
@options.output
@options.draw
@options.index
@options.from_format
def command(
    files: tuple[str, ...],
    encoding: str | None,
    solver: str | None,
    unique: bool,
    everything: bool,
    count: int | None,
    time_limit: float | None,
    cpu_limit: float | None,
    memory_limit: float | None,
    output: str,
    draw: str | None,
    index: int | None,
    from_format: str | None,
) -> int:
    """Solve the puzzles in FILES and print the picture, which has been checked against the clues.

    FILES may be folders, too. Of several puzzles a line each is printed, or a JSON object each on a line. Exit code: 10
    satisfiable, 20 unsatisfiable, 0 no answer within the limits, 1 the solver crashed or gave a wrong picture, 2 bad
    input. Of several puzzles: 2 if any could not be read (the others are solved all the same), else 1 if any failed,
    else 0 if any has no answer, else 10 if any has a picture, else 20. A picture goes to stdout, what is said about it
    to stderr.
    """
    if everything and count:
        raise click.UsageError("--all and --count exclude each other")
    with ticker() as show, fatal_interrupts():  # the ticker before numpy is imported
        show("reading")
        from nonosat.solvers.registry import COMMAND_LINE_DEFAULT
        from nonosat.solvers.solve import solve

        sources = Sources(files, from_format, index, show)
        if draw is not None and sources.several:
            raise UnsupportedError("there are several puzzles: --draw takes one; --index says which of a file")
        drawer = None if draw is None else drawer_to(draw)
        show("loading the solver (a native one is compiled at its first use on a machine)")
        default = COMMAND_LINE_DEFAULT if solver is None and encoding is None else solver
        chosen = load_solver(default, time_limit, memory_limit, cpu_limit)
        limited = partial(solve, time_limit_s=time_limit, cpu_limit_s=cpu_limit, memory_limit_mb=memory_limit)
        at_most = None if everything else count or 1
        wanted = partial(limited, encoding=encoding, solver=chosen, count=at_most, unique=unique)
        answers = _solve_each(sources, wanted, chosen.name, show, output, everything or bool(count))
    if output == "text" and sources.several and answers:
        _print_summary(answers)
    elif output == "text" and answers:
        print_answer(answers[0], files[0])
    if drawer and answers and answers[0].picture is not None:
        drawer(answers[0].puzzle, answers[0].picture)
    return sources.code(exit_code(answers))


def _solve_each(
    sources: Sources, solve: Callable[..., Answer], solver: str, show: Ticker, output: str, pictures: bool
) -> list[Answer]:
    """The answers. In JSON each is printed when it is there, and of several puzzles a line about each.

    Ctrl-C: what is known of the puzzle at hand is printed. ``pictures``: a record has all that were found.
    """
    answers = []
    for asked in sources:
        with sources.told(asked.label):
            try:
                answer = solve(asked.puzzle, on_progress=_shown_by(sources, solver))
            except InterruptedSolve as interrupt:
                show.close()
                _print_interrupted(interrupt.answer, asked, output, pictures)
                raise KeyboardInterrupt from None
            answers.append(answer)
            show.hide()
            if output == "json":
                print_json(answer, asked.index, pictures, asked.file)
            elif sources.several:
                told = f"{headline(answer)} · {answer.statistics.total_s:.3f} s{titled(asked.puzzle)}"
                print(f"{asked.label}: {told}", flush=True)
    return answers


def _shown_by(sources: Sources, solver: str) -> Callable[[str, int], None]:
    """What shows how far the solver is."""

    def progress(stage: str, found: int) -> None:
        sources.showing(f"{stage}{f', {found:,} found' if found else ''} with {solver}")

    return progress


def _print_interrupted(answer: object, asked: LocatedPuzzle, output: str, pictures: bool) -> None:
    """What was known when Ctrl-C came: in JSON as a record like the others, in text the number found."""
    from nonosat.runs.events import Answer

    if not isinstance(answer, Answer):
        return
    if output == "json":
        print_json(answer, asked.index, pictures, asked.file)
    elif answer.pictures:
        from nonosat.puzzles.drawing import picture_text

        print("\n\n".join(picture_text(picture) for picture in answer.pictures), flush=True)
        complain(f"{headline(answer)}{titled(asked.puzzle)}")


def _print_summary(answers: list[Answer]) -> None:
    """A line about several answers."""
    from collections import Counter

    counts = Counter(str(answer.verdict) for answer in answers)
    only = sum(1 for answer in answers if answer.unique)
    settled = sum(1 for answer in answers if answer.unique is not None and answer.pictures)
    shown = ", ".join(f"{count} {verdict}" for verdict, count in counts.most_common())
    unique = f"; {only} of {settled} with a single solution" if settled else ""
    total = sum(answer.statistics.total_s for answer in answers)
    print(f"{len(answers)} puzzles: {shown}{unique}; {total:.3f} s")
