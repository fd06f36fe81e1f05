"""``nonosat certify``: a certificate of what the solutions of a puzzle are, over its own statement."""

from __future__ import annotations

import click

from nonosat.cli.shared import exits, options
from nonosat.cli.shared.telling import complain, tell
from nonosat.progress import ticker


@click.command("certify")
@click.argument("file")
@click.option("-o", "--output", "out", required=True, metavar="DIR", help="Folder for the statement and the proof.")
@click.option(
    "--format", "version", type=click.Choice(["3.0", "1.1"]), default="3.0", show_default=True, help="Of the proof."
)
@options.encoding
@click.option("--solver", metavar="NAME", help="Who proves (a wrong name lists those whose proofs hold).")
@options.index
@options.from_format
def command(
    file: str,
    out: str,
    version: str,
    encoding: str | None,
    solver: str | None,
    index: int | None,
    from_format: str | None,
) -> int:
    """Prove from the rules of the puzzle in FILE alone that it has no solution, or one and no other.

    Writes DIR/NAME.opb, the puzzle as pseudo-Boolean constraints, and DIR/NAME.pbp, a proof over these in VeriPB's
    format, and checks it. Prints what is proved. Exit code: 20 no solution, or a single one; 10 there are several (the
    proof names two); 1 the solver failed, 2 bad input.
    """
    with ticker() as show:  # before numpy is imported
        show("reading")
        from nonosat.certificates.certify import DEFAULT, certify
        from nonosat.errors import SolverError
        from nonosat.files import unpacked_name
        from nonosat.puzzles.formats import load

        puzzle = load(file, from_format, index)
        try:
            made = certify(puzzle, encoding=encoding, solver=solver or DEFAULT, format=version, on_progress=show)
        except SolverError as error:
            complain(f"{file}: {error}")
            return exits.FAILED
        stem = "puzzle" if file == "-" else unpacked_name(file).stem
        opb, proof = made.write(out, stem if index is None else f"{stem}-{index}")
    print(made.claim, flush=True)
    size = f"{len(made.lines):,} lines of proof"
    tell(
        f"{file}: proved and checked · {made.solver}, {made.encoding} · {made.solve_s:.3f} s · {size} · {opb}, {proof}"
    )
    return exits.UNSAT if made.claim.complete else exits.SAT
