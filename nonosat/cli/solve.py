"""``nonosat solve``: the solutions of puzzles, checked."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from nonosat.cli.shared import models, options
from nonosat.cli.shared.commands import Exit, SearchCommand, exit_code, printing_if_interrupted
from nonosat.cli.shared.output import drawer_to, plural, print_answer, print_json, record_of, titled, warn
from nonosat.cli.shared.puzzles import LocatedPuzzle, Sources, load_solver
from nonosat.errors import UnsupportedError

if TYPE_CHECKING:
    from nonosat.progress import Ticker
    from nonosat.runs.events import Answer


@click.command("solve", cls=SearchCommand)
@options.files
@options.encoding()
@options.solver
@options.unique()
@options.everything
@options.count
@options.limits()
@options.output()
@options.draw
@options.index
@options.from_format
@click.pass_obj
def command(
    show: Ticker,
    files: tuple[str, ...],
    encoding: str | None,
    solver: str | None,
    unique: bool,
    everything: bool,
    count: int | None,
    limits: dict[str, Any],
    output: str,
    draw: str | None,
    index: int | None,
    from_format: str | None,
) -> Exit:
    """Solve the puzzles in FILES and print the picture, which has been checked against the clues.

    Models (a Python file that makes a nonosat.Model, a .csp in Sugar's language, an .xml in XCSP3, a CNF) are solved,
    too: their variables are printed, of the best solution if there is an objective.

    FILES may be folders, too. Of several puzzles a line each is printed, or a JSON object each on a line. Exit code: 10
    satisfiable, 20 unsatisfiable, 0 no answer within the limits, 1 the solver crashed or gave a wrong picture, 2 bad
    input. Of several puzzles: 2 if any could not be read (the others are solved all the same), else 1 if any failed,
    else 0 if any has no answer, else 10 if any has a picture, else 20. Pictures go to stdout, notes about them to
    stderr.
    """
    wanted = options.at_most(everything, count)
    if of_models := models.named(files, from_format):
        models.refuse(draw=draw, from_format=from_format)
        return models.solve(
            of_models, show, solver, output, limits, index, encoding=encoding, count=wanted, unique=unique
        )
    from nonosat.solvers.registry import default_for
    from nonosat.solvers.solve import request_of

    sources = Sources(files, from_format, index, show)
    if draw is not None and sources.several:
        raise UnsupportedError("there are several puzzles: --draw takes one; --index says which of a file")
    drawer = None if draw is None else drawer_to(draw)
    show("loading the solver (a native one is compiled at its first use on a machine)")
    chosen = load_solver(default_for(encoding) if solver is None else solver, limits, once=not sources.several)
    how: dict[str, Any] = {"encoding": encoding, "solver": chosen, "count": wanted, "unique": unique, **limits}
    progress, pictures = sources.progress("found", f" with {chosen.name}"), everything or bool(count)
    answers: list[Answer] = []
    for located in sources:
        known = partial(_print_known, located=located, output=output, pictures=pictures)
        with sources.guarded(located.label), printing_if_interrupted(show, known):
            request = request_of(located.puzzle, **how)
            answers.append(request.solved(progress, once=not sources.several))
            show.hide()
            if output == "json":
                print_json(record_of(answers[-1], pictures), located.puzzle, located.file, located.index)
            elif sources.several:
                cost = f"{answers[-1].statistics.total_s:.3f} s{titled(located.puzzle)}"
                print(f"{located.label}: {answers[-1].headline} · {cost}", flush=True)
    if output == "text" and sources.several and answers:
        _print_summary(answers)
    elif output == "text" and answers:
        print_answer(answers[0], files[0])
    if drawer and answers and answers[0].picture is not None:
        drawer(answers[0].puzzle, answers[0].picture)
    return sources.code(exit_code(answers))


def _print_known(answer: Answer, located: LocatedPuzzle, output: str, pictures: bool) -> None:
    """What was known when Ctrl-C came: in JSON a record like the others, in text the pictures."""
    if output == "json":
        print_json(record_of(answer, pictures), located.puzzle, located.file, located.index)
    elif answer.pictures:
        from nonosat.puzzles.drawing import picture_text

        print("\n\n".join(picture_text(picture) for picture in answer.pictures), flush=True)
        warn(f"{answer.headline}{titled(located.puzzle)}")


def _print_summary(answers: list[Answer]) -> None:
    """Print a line about several answers."""
    from collections import Counter

    counts = Counter(str(answer.verdict) for answer in answers)
    only = sum(1 for answer in answers if answer.unique)
    decided = sum(1 for answer in answers if answer.unique is not None and answer.pictures)
    shown = ", ".join(f"{count} {verdict}" for verdict, count in counts.most_common())
    unique = f"; {only} of {decided} with a single solution" if decided else ""
    total = sum(answer.statistics.total_s for answer in answers)
    print(f"{plural(len(answers), 'puzzle')}: {shown}{unique}; {total:.3f} s")
