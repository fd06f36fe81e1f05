"""``nonosat decode``: what a SAT solver printed, as a picture."""

from __future__ import annotations

import click

from nonosat.cli.shared import completion, models, options
from nonosat.cli.shared.commands import Exit, exit_code
from nonosat.cli.shared.output import drawer_to, print_answer, print_json, record_of


@click.command("decode")
@click.argument("cnf", shell_complete=completion.files)
@click.argument("solver_output", shell_complete=completion.files)
@options.output()
@options.draw
@click.option(
    "--model", "of", metavar="FILE", help="CNF is of the model in this file.", shell_complete=completion.files
)
def command(cnf: str, solver_output: str, output: str, draw: str | None, of: str | None) -> Exit:
    """Decode what a SAT solver printed for CNF into a checked picture, or a model's solution.

    CNF is a file of `nonosat encode`; SOLVER_OUTPUT has 's' and 'v' lines, or is a result file as MiniSat writes it;
    '-' reads stdin. Exit code as of `solve`.
    """
    if of is not None:
        models.refuse(draw=draw)
        return models.decode(of, cnf, solver_output, output)
    from nonosat.solvers.sat.decode import decode_output

    drawer = None if draw is None else drawer_to(draw)
    answer = decode_output(cnf, solver_output)
    if output == "json":
        print_json(record_of(answer, False), answer.puzzle)
    else:
        print_answer(answer, solver_output)
    if drawer and answer.picture is not None:
        drawer(answer.puzzle, answer.picture)
    return exit_code([answer])
