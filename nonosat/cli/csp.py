"""``nonosat csp``: a CSP in Sugar's language, solved."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from nonosat.cli.shared import completion, options
from nonosat.cli.shared.exits import exit_code
from nonosat.cli.shared.output import tell
from nonosat.cli.shared.puzzles import load_solver
from nonosat.errors import FormatError, InterruptedSolve, UnsupportedError
from nonosat.interrupts import fatal_interrupts
from nonosat.progress import ticker

if TYPE_CHECKING:
    from nonosat.csp.sugar import Declarations
    from nonosat.solvers.solve import CspAnswer


@click.command("csp")
@click.argument("file", metavar="FILE.csp", shell_complete=completion.files)
@options.solver
@click.option(
    "--encoding",
    metavar="NAME",
    shell_complete=completion.integer_encodings,
    help="Integer encoding for SAT solvers: order, ..",
)
@options.everything
@options.count
@click.option("--time-limit", type=options.POSITIVE, metavar="S", help="Wall seconds; kills the solver.")
@click.option("--memory-limit", type=options.POSITIVE, metavar="MB", help="MiB of resident memory; kills the solver.")
@options.output
def command(
    file: str,
    solver: str | None,
    encoding: str | None,
    everything: bool,
    count: int | None,
    time_limit: float | None,
    memory_limit: float | None,
    output: str,
) -> int:
    """Solve the CSP in FILE.csp, which is in Sugar's language, and print what Sugar prints.

    A line `s SATISFIABLE` (UNSATISFIABLE, UNKNOWN), and for each solution a line `a NAME VALUE` a variable and a line
    `a`. Exit code as of `solve`.
    """
    if everything and count:
        raise click.UsageError("--all and --count exclude each other")
    with ticker() as show, fatal_interrupts():  # the ticker before numpy is imported
        show("reading")
        from nonosat.solvers.solve import solve_csp

        statement = _statement(file)
        chosen = load_solver(solver, time_limit, memory_limit)
        show(f"solving with {chosen.name}")
        try:
            answer = solve_csp(
                statement.csp,
                **({} if encoding is None else {"integers": encoding}),
                solver=chosen,
                count=None if everything else count or 1,
                time_limit_s=time_limit,
                memory_limit_mb=memory_limit,
            )
        except InterruptedSolve as interrupt:
            show.close()
            _print_assignments(interrupt.answer, statement.booleans, output)
            raise KeyboardInterrupt from None
    _print_assignments(answer, statement.booleans, output)
    if output == "text":
        _tell_answer(answer, file, chosen.name)
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


def _tell_answer(answer: CspAnswer, file: str, solver: str) -> None:
    from nonosat.files import shown

    found = len(answer.solutions)
    more = "" if answer.exhausted or not found else ", there may be more"
    reason = f" ({answer.reason})" if answer.reason else ""
    about = answer.statistics
    size = f" · {about.variables:,} variables, {about.clauses:,} clauses" if about.clauses is not None else ""
    solutions = f", {found} solution{'s' * (found != 1)}{more}" if found else ""
    tell(f"{shown(file)}: {answer.verdict}{solutions}{reason} · {solver}{size}")


def _print_assignments(answer: object, booleans: tuple[str, ...], output: str) -> None:
    """The solutions in Sugar's form, or as one JSON object; Booleans as true and false."""
    from nonosat.solvers.solve import CspAnswer

    assert isinstance(answer, CspAnswer)
    solutions: list[dict[str, int | bool]] = [
        {name: bool(value) if name in booleans else value for name, value in solution.items()}
        for solution in answer.solutions
    ]
    if output == "json":
        import json

        print(json.dumps({**answer.record(), "solutions": solutions}, ensure_ascii=False), flush=True)
        return
    lines = [{"SAT": "s SATISFIABLE", "UNSAT": "s UNSATISFIABLE"}.get(str(answer.verdict), "s UNKNOWN")]
    for solution in solutions:
        lines += (f"a {name} {str(value).lower()}" for name, value in solution.items())
        lines.append("a")
    print("\n".join(lines), flush=True)
