"""``nonosat equivalent``: have two models the same solutions?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from nonosat.cli.shared import completion, models, options
from nonosat.cli.shared.commands import Exit, SearchCommand
from nonosat.errors import UnsupportedError
from nonosat.files import shown

if TYPE_CHECKING:
    from nonosat.progress import Ticker


@click.command("equivalent", cls=SearchCommand)
@options.file
@click.argument("other", shell_complete=completion.files)
@options.encoding()
@options.solver
@options.limits("for each direction")
@options.output()
@click.pass_obj
def command(
    show: Ticker,
    file: str,
    other: str,
    encoding: str | None,
    solver: str | None,
    limits: dict[str, Any],
    output: str,
) -> Exit:
    """Have the models in FILE and OTHER (.py, .csp, .xml, .cnf) the same solutions, by the names of their variables?

    Prints a solution that only one of them has. Objectives play no part. Exit code: 0 the same, or not known within the
    limits (which is printed), 1 another solution, 2 bad input.
    """
    if not models.named([file, other]):
        raise UnsupportedError(f"{shown(file)}: models are compared (.py, .csp, .xml, .cnf), not puzzles")
    return models.equivalent(file, other, show, output, limits, encoding=encoding, solver=solver)
