"""A proof as a folder: the formula, the proof, what it rules out, and how it is checked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from nonosat.encodings import dimacs
from nonosat.errors import UnsupportedError
from nonosat.files import made_folder, read_text, write_atomically
from nonosat.interrupts import late_interrupts
from nonosat.solvers.sat.proof import Proof

FORMULA, PROOF, PICTURE, CHECK = "formula.cnf", "proof.drat", "picture.txt", "CHECK.txt"
COMMANDS = (
    f"drat-trim {FORMULA} {PROOF}",
    f"python -c \"import dratify as d; print(d.check_proof(d.parse_dimacs_file('{FORMULA}'), open('{PROOF}').read())"
    '.report())"',
)
"""What checks a proof, in its folder: the C program that the SAT competitions use, and pure Python."""
_MAX_BYTES = 2**33


def write(proof: Proof, folder: str | Path) -> None:
    """Write the formula, the proof, the picture that is ruled out, and how to check them, into ``folder``."""
    from nonosat.puzzles.drawing.text import picture_text

    if proof.steps is None:
        raise UnsupportedError(f"{proof.claim}: there is nothing to prove")
    with late_interrupts():  # all of it, or nothing
        target = made_folder(folder)
        write_atomically(target / FORMULA, _dimacs(proof))
        write_atomically(target / PROOF, (f"{step}\n" for step in proof.steps))
        if proof.pictures:
            write_atomically(target / PICTURE, picture_text(proof.pictures[0]) + "\n")
        else:
            (target / PICTURE).unlink(missing_ok=True)  # of an earlier proof
        beside = f", beside that in {PICTURE}" if proof.pictures else ""
        write_atomically(
            target / CHECK,
            f"{FORMULA}: what a solution of the puzzle in its comments would be{beside} (encoding {proof.encoding}).\n"
            f"{PROOF}: a proof by {proof.solver} that it has no model: {proof.claim}.\nEither of these checks it:\n\n"
            + "".join(f"    {command}\n" for command in COMMANDS),
        )


def _dimacs(proof: Proof) -> Iterator[str]:
    from nonosat.puzzles.formats import dumps

    for picture in proof.pictures:
        yield "".join(f"c blocked {row}\n" for row in picture.rows())
    yield from dimacs.write(proof.formula, proof.encoding, dumps([proof.puzzle], "json"))


def check(folder: str | Path) -> str | None:
    """Why the proof in ``folder`` does not hold, or None if it does: dratify reads both files and checks every step."""
    from dratify import check_proof, parse_dimacs

    formula = parse_dimacs(read_text(Path(folder) / FORMULA, _MAX_BYTES))
    try:
        result = check_proof(formula, read_text(Path(folder) / PROOF, _MAX_BYTES), engine="python")
    except ValueError as error:  # it cannot even be read
        return str(error)
    if result.ok:
        return None
    return f"step {result.failed_step}: {result.reason}" if result.failed_step >= 0 else str(result.reason)
