"""``nonosat check-certificate``: does a proof prove what it claims of a puzzle or a model?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from nonosat.cli.shared import completion, models, options
from nonosat.cli.shared.commands import Exit, SearchCommand
from nonosat.cli.shared.output import note, warn
from nonosat.cli.shared.puzzles import puzzle_of

if TYPE_CHECKING:
    from nonosat.progress import Ticker


@click.command("check-certificate", cls=SearchCommand)
@click.argument("opb", metavar="FILE.opb", shell_complete=completion.files)
@click.argument("proof", metavar="FILE.pbp", shell_complete=completion.files)
@click.option(
    "--puzzle",
    "file",
    metavar="FILE",
    shell_complete=completion.files,
    help="Compare FILE.opb with the statement of this puzzle, or model, too.",
)
@options.index
@options.from_format
@click.pass_obj
def command(show: Ticker, opb: str, proof: str, file: str | None, index: int | None, from_format: str | None) -> Exit:
    """Does the proof in FILE.pbp prove what it claims of the statement in FILE.opb?

    FILE.opb: pseudo-Boolean constraints; FILE.pbp: a proof in VeriPB's format, version 1.1 or 3.0. Prints what is
    proved. Exit code: 0 it is; 1 it is not, and why not (the first step that does not hold, or another puzzle's
    statement); 2 bad input.

    The FILE.opb of a model excludes the solutions that were found, which is said. With the model, these are checked.
    """
    from nonosat.certificates.certify import check_files
    from nonosat.certificates.checker import RefusedError
    from nonosat.files import shown

    if file is not None and models.named([file], from_format):
        models.refuse(from_format=from_format)
        return models.check_certificate(file, show, index, opb, proof)
    puzzle = None if file is None else puzzle_of(file, from_format, index)
    show("checking")
    try:
        claim = check_files(opb, proof, puzzle)
    except RefusedError as refused:
        show.hide()
        name = shown(proof) if refused.what == "proof" else refused.what
        where = name if refused.line is None else f"{name}:{refused.line}"
        warn(f"{where}: {refused.reason}")
        return Exit.FAILED
    show.hide()
    print(claim, flush=True)
    of = "" if file is None else f" of {file}"
    kept = f" · {len(claim.kept):,} deletions were not carried out" if claim.kept else ""
    note(f"{shown(proof)}: proved{of} · version {claim.version}, {claim.steps:,} steps{kept}")
    return Exit.DONE
