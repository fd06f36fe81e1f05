"""``nonosat prove``: a proof that there is no solution, or no second one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from nonosat.cli.shared import completion, exits, options
from nonosat.cli.shared.output import complain, tell
from nonosat.interrupts import answered_interrupts
from nonosat.progress import ticker

if TYPE_CHECKING:
    from nonosat.progress import Ticker
    from nonosat.solvers.sat.proofs import Proof


@click.command("prove")
@click.argument("file", shell_complete=completion.files)
@click.option(
    "-o",
    "--output",
    "out",
    required=True,
    metavar="DIR",
    shell_complete=completion.files,
    help="Folder for the formula and the proof.",
)
@options.encoding
@click.option(
    "--solver",
    metavar="NAME",
    shell_complete=completion.provers,
    help="Who proves (a wrong name lists those whose proofs hold).",
)
@click.option("--check/--no-check", "checked", default=True, show_default=True, help="Check the proof afterwards.")
@options.index
@options.from_format
def command(
    file: str,
    out: str,
    encoding: str | None,
    solver: str | None,
    checked: bool,
    index: int | None,
    from_format: str | None,
) -> int:
    """Prove that the puzzle in FILE has no solution, or no second one, and print the commands that check it.

    Writes DIR/formula.cnf and DIR/proof.drat (DRAT), and for a puzzle with a solution DIR/picture.txt, which the
    formula rules out. Exit code: 20 the proof is written, 10 there are several solutions (two are printed, nothing is
    written), 1 the check failed, 2 bad input.
    """
    with ticker() as show, answered_interrupts():  # the ticker before numpy is imported
        show("reading")
        from nonosat.cli.shared.puzzles import puzzle_of
        from nonosat.errors import SolverError
        from nonosat.files import check_folder
        from nonosat.solvers.sat import DRAT
        from nonosat.solvers.sat.proofs import prove

        puzzle = puzzle_of(file, from_format, index)
        check_folder(out)  # before the work, not after it
        name = solver or DRAT
        try:
            proof = prove(
                puzzle, encoding=encoding, solver=name, on_progress=lambda stage: show(f"{stage} with {name}")
            )
        except SolverError as error:
            complain(f"{file}: {error}")
            return exits.FAILED
        fault = _write(proof, out, checked, show)
    return _tell_several(proof, file) if proof.steps is None else _tell_proof(proof, file, out, checked, fault)


def _write(proof: Proof, out: str, checked: bool, show: Ticker) -> str | None:
    """Write the proof, if there is one, and check it, if it is to be ``checked``: why it does not hold, or None."""
    from nonosat.solvers.sat import proofs

    if proof.steps is None:
        return None
    show("writing")
    proofs.write(proof, out)
    if not checked:
        return None
    show(f"checking {len(proof.steps):,} steps (--no-check skips it)")
    return proofs.check(out)


def _tell_several(proof: Proof, file: str) -> int:
    """There is nothing to prove: two solutions. The exit code."""
    from nonosat.puzzles.drawing import picture_text

    print("\n\n".join(picture_text(picture) for picture in proof.pictures), flush=True)
    tell(f"{file}: {proof.claim}, of which these are two · {_about(proof)}")
    return exits.SAT


def _tell_proof(proof: Proof, file: str, out: str, checked: bool, fault: str | None) -> int:
    """What was proved, and the commands that check it; or why the proof does not hold. The exit code."""
    from nonosat.solvers.sat.proofs import COMMANDS

    assert proof.steps is not None
    cnf = proof.formula.cnf
    size = f"{cnf.variables:,} variables, {cnf.clauses:,} clauses, {len(proof.steps):,} steps"
    if fault is not None:
        complain(f"{out}: the proof that {proof.claim} does not hold: {fault} · {_about(proof)} · {size}")
        return exits.FAILED
    print("\n".join(COMMANDS), flush=True)
    state = "proved and checked" if checked else "proved, not checked"
    tell(f"{file}: {proof.claim}: {state} · {_about(proof)} · {size} · to check it in {out}: as printed")
    return exits.UNSAT


def _about(proof: Proof) -> str:
    return f"{proof.solver}, {proof.encoding} · {proof.solve_s:.3f} s"
