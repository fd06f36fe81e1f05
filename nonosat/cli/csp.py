"""``nonosat csp``: the solutions of a CSP in Sugar's language."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from nonosat.cli.shared import completion, options
from nonosat.cli.shared.commands import Exit, SearchCommand, exit_code, printing_if_interrupted
from nonosat.cli.shared.output import note, plural, print_json
from nonosat.cli.shared.puzzles import load_solver
from nonosat.errors import FormatError, UnsupportedError

if TYPE_CHECKING:
    from nonosat.csp.sugar import Declarations
    from nonosat.progress import Ticker
    from nonosat.solvers.solve import CspAnswer


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

    A line `s SATISFIABLE` (UNSATISFIABLE, UNKNOWN), and for each solution a line `a NAME VALUE` a variable and a line
    `a`. Exit code as of `solve`.
    """
    wanted = options.at_most(everything, count)
    from nonosat.solvers.registry import DEFAULT_SAT
    from nonosat.solvers.solve import solve_csp

    statement = _statement(file)
    chosen = load_solver(solver or DEFAULT_SAT, limits)
    show(f"solving with {chosen.name}")
    integers: dict[str, Any] = {} if encoding is None else {"integers": encoding}
    with printing_if_interrupted(show, partial(_print_solutions, booleans=statement.booleans, output=output)):
        answer = solve_csp(statement.csp, **integers, solver=chosen, count=wanted, **limits)
    show.hide()
    _print_solutions(answer, statement.booleans, output)
    if output == "text":
        _print_note(answer, file, chosen.name)
    return exit_code([answer])


def _statement(file: str) -> Declarations:
    """The CSP in ``file``; its errors begin with the file's name."""
    from nonosat.csp.sugar import read_statement
    from nonosat.files import read_text, shown

    try:
        return read_statement(read_text(file))
    except FormatError as error:
        raise (error if error.source else error.at(shown(file))) from None
    except UnsupportedError as error:
        raise UnsupportedError(f"{shown(file)}: {error}") from None


def _print_note(answer: CspAnswer, file: str, solver: str) -> None:
    """Print a line about the answer on stderr."""
    from nonosat.files import shown

    found = len(answer.solutions)
    more = "" if answer.exhausted or not found else ", there may be more"
    reason = f" ({answer.reason})" if answer.reason else ""
    about = answer.statistics
    size = f" · {about.variables:,} variables, {about.clauses:,} clauses" if about.clauses is not None else ""
    solutions = f", {plural(found, 'solution')}{more}" if found else ""
    note(f"{shown(file)}: {answer.verdict}{solutions}{reason} · {solver}{size}")


def _print_solutions(answer: CspAnswer, booleans: tuple[str, ...], output: str) -> None:
    """Print the solutions in Sugar's form, or as one JSON object; Booleans as true and false."""
    solutions: list[dict[str, int | bool]] = [
        {name: bool(value) if name in booleans else value for name, value in solution.items()}
        for solution in answer.solutions
    ]
    if output == "json":
        print_json({**answer.record(), "solutions": solutions})
        return
    lines = [{"SAT": "s SATISFIABLE", "UNSAT": "s UNSATISFIABLE"}.get(str(answer.verdict), "s UNKNOWN")]
    for solution in solutions:
        lines += (f"a {name} {str(value).lower()}" for name, value in solution.items())
        lines.append("a")
    print("\n".join(lines), flush=True)
