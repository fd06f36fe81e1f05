"""``nonosat csp``: the solutions of a CSP in Sugar's language."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from nonosat.cli.shared import completion, options
from nonosat.cli.shared.commands import Exit, SearchCommand, exit_code, printing_if_interrupted
from nonosat.cli.shared.output import note, plural, print_json
from nonosat.cli.shared.puzzles import load_solver
from nonosat.errors import UnsupportedError
from nonosat.files import shown

if TYPE_CHECKING:
    from nonosat.modelling.solve import ModelAnswer
    from nonosat.progress import Ticker


@click.command("csp", cls=SearchCommand)
@click.argument("file", metavar="FILE.csp", shell_complete=completion.files)
@options.solver
@options.encoding("Integer encoding for SAT solvers: order, ..", completion.integer_encodings)
@options.everything
@options.count
@options.limits("in all")
@options.output()
@click.pass_obj
def command(
    show: Ticker,
    file: str,
    solver: str | None,
    encoding: str | None,
    everything: bool,
    count: int | None,
    limits: dict[str, Any],
    output: str,
) -> Exit:
    """Solve the CSP in FILE.csp, which is in Sugar's language, and print what Sugar prints.

    A line `s SATISFIABLE` (UNSATISFIABLE, UNKNOWN; with an objective a line `o VALUE`, and OPTIMUM FOUND), and for each
    solution a line `a NAME VALUE` a variable and a line `a`. Exit code as of `solve`.
    """
    wanted = options.at_most(everything, count)
    from nonosat.modelling.files import is_other_than_sugar, sugar_model
    from nonosat.solvers.registry import DEFAULT_SAT

    if is_other_than_sugar(file):
        raise UnsupportedError(f"{shown(file)}: by its suffix no text in Sugar's language: see `nonosat solve`")
    model = sugar_model(file)
    chosen = load_solver(solver or DEFAULT_SAT, limits)
    show(f"solving with {chosen.name}")
    integers: dict[str, Any] = {} if encoding is None else {"encoding": encoding}
    with printing_if_interrupted(show, partial(_print_solutions, output=output)):
        answer = model.solve(**integers, solver=chosen, count=wanted, **limits)
    show.hide()
    _print_solutions(answer, output)
    if output == "text":
        _print_note(answer, file, chosen.name)
    return exit_code([answer])


def _print_note(answer: ModelAnswer, file: str, solver: str) -> None:
    """Print a line about the answer on stderr."""
    found = len(answer.solutions)
    more = "" if answer.exhausted or not found else ", there may be more"
    reason = f" ({answer.reason})" if answer.reason else ""
    about = answer.statistics
    size = f" · {about.variables:,} variables, {about.clauses:,} clauses" if about.clauses is not None else ""
    solutions = f", {plural(found, 'solution')}{more}" if found else ""
    note(f"{shown(file)}: {answer.verdict}{solutions}{reason} · {solver}{size}")


def _print_solutions(answer: ModelAnswer, output: str) -> None:
    """Print the solutions in Sugar's form, or as one JSON object; Booleans as true and false."""
    if output == "json":
        print_json(answer.record())
        return
    status = {"SAT": "s SATISFIABLE", "UNSAT": "s UNSATISFIABLE"}.get(str(answer.verdict), "s UNKNOWN")
    lines = [f"o {answer.objective}"] if answer.objective is not None else []
    lines.append("s OPTIMUM FOUND" if answer.optimal else status)
    for solution in answer.solutions:
        lines += (f"a {name} {str(value).lower()}" for name, value in solution.dict().items())
        lines.append("a")
    print("\n".join(lines), flush=True)
