"""``nonosat prove``: a proof that there is no solution, or no second one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from nonosat.cli.shared import completion, models, options
from nonosat.cli.shared.commands import Exit, SearchCommand, printing_if_interrupted
from nonosat.cli.shared.output import note, print_json, proof_record, warn
from nonosat.cli.shared.puzzles import puzzle_of
from nonosat.errors import SolverError

if TYPE_CHECKING:
    from nonosat.progress import Ticker
    from nonosat.solvers.sat.proofs import Proof


@click.command("prove", cls=SearchCommand)
@options.file
@options.out("DIR", "Folder for the formula and the proof.", required=True)
@options.encoding()
@options.prover("Who proves (a wrong name lists those whose proofs hold).", completion.provers)
@click.option("--check/--no-check", "checked", default=True, show_default=True, help="Check the proof afterwards.")
@options.limits()
@options.output()
@options.index
@options.from_format
@click.pass_obj
def command(
    show: Ticker,
    file: str,
    out: str,
    encoding: str | None,
    solver: str | None,
    checked: bool,
    limits: dict[str, Any],
    output: str,
    index: int | None,
    from_format: str | None,
) -> Exit:
    """Prove that the puzzle in FILE has no solution, or no second one, and print the commands that check it.

    Writes DIR/formula.cnf and DIR/proof.drat (DRAT), and for a puzzle with a solution DIR/picture.txt, which the
    formula rules out. Exit code: 20 the proof is written, 10 there are several solutions (two are printed, nothing is
    written), 0 no answer within the limits (a solution that was found is printed, nothing is written), 1 the solver or
    the check failed, 2 bad input. The limits do not hold for the check.

    FILE may be a model (.py, .csp, .xml, .cnf), of which it may be proved, too, that no solution is
    better than the best.
    """
    from nonosat.files import check_folder
    from nonosat.solvers.sat import DRAT
    from nonosat.solvers.sat.proofs import prove

    if models.named([file], from_format):
        models.refuse(from_format=from_format)
        try:
            return models.prove(file, show, index, out, checked, output, limits, encoding=encoding, solver=solver)
        except SolverError as error:
            warn(f"{file}: {error}")
            return Exit.FAILED
    puzzle = puzzle_of(file, from_format, index)
    check_folder(out)  # before the work, not after it
    name = solver or DRAT

    def as_json(proof: Proof) -> None:
        pictures = {"pictures": [picture.rows() for picture in proof.pictures], "solve_s": proof.solve_s}
        end = proof.stopped
        ended = (
            {"stopped": None, "reason": None} if end is None else {"stopped": str(end.verdict), "reason": end.reason}
        )
        print_json(proof_record(proof, out, checked) | pictures | ended, puzzle, file, index)

    known = as_json if output == "json" else _print_pictures
    try:
        with printing_if_interrupted(show, known):
            proof = prove(
                puzzle, encoding=encoding, solver=name, **limits, on_progress=lambda stage: show(f"{stage} with {name}")
            )
    except SolverError as error:
        warn(f"{file}: {error}")
        return Exit.FAILED
    if proof.steps is None:
        show.hide()
        if output == "json":
            as_json(proof)
            return Exit.SAT if proof.stopped is None else Exit.NO_ANSWER
        return _print_unproved(proof, file)
    fault = _write(proof, out, checked, show)
    show.hide()
    if output == "json" and fault is None:
        as_json(proof)
        return Exit.UNSAT
    return _print_proof(proof, file, out, checked, fault)


def _write(proof: Proof, out: str, checked: bool, show: Ticker) -> str | None:
    """Write the proof, and check it, if it is to be ``checked``: why it does not hold, or None."""
    from nonosat.solvers.sat import proofs

    assert proof.steps is not None
    show("writing")
    proof.write(out)
    if not checked:
        return None
    show(f"checking {len(proof.steps):,} steps (--no-check skips it)")
    return proofs.check(out)


def _print_pictures(proof: Proof) -> None:
    """Print the solutions that were found."""
    from nonosat.puzzles.drawing import picture_text

    if proof.pictures:
        print("\n\n".join(picture_text(picture) for picture in proof.pictures), flush=True)


def _print_unproved(proof: Proof, file: str) -> Exit:
    """Nothing is proved: there are two solutions, or a limit was reached. The exit code."""
    if proof.stopped is None:
        _print_pictures(proof)
        note(f"{file}: {proof.claim}, of which these are two · {_about(proof)}")
        return Exit.SAT
    verdict = proof.stopped.verdict
    if not proof.pictures:
        print(verdict, flush=True)
    _print_pictures(proof)
    found = "SAT; then " if proof.pictures else ""
    note(f"{file}: {found}{verdict} ({proof.stopped.reason}), nothing is proved · {_about(proof)}")
    return Exit.NO_ANSWER


def _print_proof(proof: Proof, file: str, out: str, checked: bool, fault: str | None) -> Exit:
    """Print what was proved, and the commands that check it; or why the proof does not hold. The exit code."""
    from nonosat.solvers.sat.proofs import COMMANDS

    assert proof.steps is not None
    assert proof.formula is not None
    cnf = proof.formula.cnf
    size = f"{cnf.variables:,} variables, {cnf.clauses:,} clauses, {len(proof.steps):,} steps"
    if fault is not None:
        warn(f"{out}: the proof that {proof.claim} does not hold: {fault} · {_about(proof)} · {size}")
        return Exit.FAILED
    print("\n".join(COMMANDS), flush=True)
    state = "proved and checked" if checked else "proved, not checked"
    note(f"{file}: {proof.claim}: {state} · {_about(proof)} · {size} · to check it in {out}: as printed")
    return Exit.UNSAT


def _about(proof: Proof) -> str:
    return f"{proof.solver}, {proof.encoding} · {proof.solve_s:.3f} s"
