"""``nonosat certify``: a certificate of what the solutions of a puzzle are, over its own statement."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from nonosat.cli.shared import completion, exits, options
from nonosat.cli.shared.equivalence import compare
from nonosat.cli.shared.output import complain, headline, tell
from nonosat.interrupts import answered_interrupts
from nonosat.progress import ticker

if TYPE_CHECKING:
    from nonosat.certificates.certify import Certificate
    from nonosat.progress import Ticker
    from nonosat.puzzles.puzzle import Puzzle


@click.command("certify")
@click.argument("file", shell_complete=completion.files)
@click.option(
    "-o",
    "--output",
    "out",
    metavar="DIR",
    shell_complete=completion.files,
    help="Folder for the statement and the proof.",
)
@click.option(
    "--proof", "version", type=click.Choice(["3.0", "1.1"]), default="3.0", show_default=True, help="Its format."
)
@click.option("--unique", is_flag=True, help="Settle whether the solution is the only one (the default).")
@click.option("--solutions", type=click.IntRange(min=1), metavar="N", help="Find N solutions, or prove these are all.")
@options.encoding
@click.option(
    "--solver",
    metavar="NAME",
    shell_complete=completion.certifiers,
    help="Who proves: auto, or a SAT solver (a wrong name lists them).",
)
@options.time_limit
@options.cpu_limit
@options.memory_limit
@options.output
@options.index
@options.from_format
def command(
    file: str,
    out: str | None,
    version: str,
    unique: bool,
    solutions: int | None,
    encoding: str | None,
    solver: str | None,
    time_limit: float | None,
    cpu_limit: float | None,
    memory_limit: float | None,
    output: str,
    index: int | None,
    from_format: str | None,
) -> int:
    """Prove from the rules of the puzzle in FILE alone that it has no solution, or one and no other.

    Writes DIR/NAME.opb, the puzzle as pseudo-Boolean constraints, and DIR/NAME.pbp, a proof over these in VeriPB's
    format, and checks it. Prints what is proved. Exit code: 20 no solution, or a single one; 10 there are several (the
    proof names two, or N); 0 no answer within the limits (nothing is written); 1 the solver failed, 2 bad input.

    With --encoding and without -o: is the encoding right for this puzzle? Proves, without a solver, that every clause
    follows from the rules of the puzzle and they from the clauses, or tells the clause (by its rule, line and runs) or
    the constraint that is lost, and a board that shows it. Exit code: 0 both are proved, or a limit was reached (then
    it says "not settled"), 1 one is not proved, 2 bad input.
    """
    if unique and solutions:
        raise click.UsageError("--unique and --solutions exclude each other")
    limits = {"time_limit_s": time_limit, "cpu_limit_s": cpu_limit, "memory_limit_mb": memory_limit}
    if out is None and (encoding is None or unique or solver is not None or solutions is not None):
        raise click.UsageError("-o DIR is missing; without it there is --encoding NAME: is that right for the puzzle?")
    with ticker() as show, answered_interrupts():  # the ticker before numpy is imported
        show("reading")
        from nonosat.cli.shared.puzzles import puzzle_of

        puzzle = puzzle_of(file, from_format, index)
        if out is None:
            return compare(puzzle, encoding or "", limits, file, output == "json", show)
        wanted = {"encoding": encoding, "solver": solver, "count": solutions or 2, "format": version, **limits}
        made, files = _certified(puzzle, wanted, file, index, out, show)
    if made is None:
        return exits.FAILED
    (_print_json if output == "json" else _print_text)(made, files, file, index)
    if made.claim is None:
        return exits.NO_ANSWER
    return exits.UNSAT if made.claim.complete and made.claim.solutions < 2 else exits.SAT


def _certified(
    puzzle: Puzzle, wanted: dict[str, Any], file: str, index: int | None, out: str, show: Ticker
) -> tuple[Certificate | None, tuple[Path, Path] | None]:
    """The certificate, and its files; None: a solver failed; no files: nothing is proved."""
    from nonosat.certificates.certify import certify, who
    from nonosat.errors import SolverError
    from nonosat.files import check_folder, unpacked_name

    check_folder(out)  # before the work, not after it
    name = who(puzzle, wanted["encoding"], wanted["solver"])

    def progress(stage: str, found: int) -> None:
        show(f"{stage}{f', {found} found' if found else ''} with {name}")

    try:
        made = certify(puzzle, **wanted, on_progress=progress)
    except SolverError as error:
        complain(f"{file}: {error}")
        return None, None
    if made.claim is None:
        return made, None
    show("writing")
    stem = "puzzle" if file == "-" else unpacked_name(file).stem
    return made, made.write(out, stem if index is None else f"{stem}-{index}")


def _print_text(made: Certificate, files: tuple[Path, Path] | None, file: str, _: int | None) -> None:
    answer = made.answer
    about = ", ".join(filter(None, (answer.solver, answer.encoding)))
    if made.claim is None or files is None:
        print(answer.stopped or answer.verdict, flush=True)
        tell(f"{file}: {headline(answer)}, nothing is proved · {about}")
        return
    print(made.claim, flush=True)
    cost, (opb, proof) = answer.statistics, files
    seconds = f"solve {cost.solve_s or 0:.3f} s, check {cost.check_s or 0:.3f} s"
    tell(f"{file}: proved and checked · {about} · {seconds} · {cost.certificate_steps:,} lines · {opb}, {proof}")


def _print_json(made: Certificate, files: tuple[Path, Path] | None, file: str, index: int | None) -> None:
    """The answer's record, and what is proved of it (null: nothing), by which files."""
    import json

    record = made.answer.record()
    record["pictures"] = [picture.rows() for picture in made.answer.pictures]
    record["proved"] = None if made.claim is None else str(made.claim)
    record["complete"] = None if made.claim is None else made.claim.complete
    record["version"] = None if made.claim is None else made.claim.version
    record["opb"], record["pbp"] = (None, None) if files is None else map(str, files)
    record["file"] = file
    if index is not None:
        record["index"] = index
    print(json.dumps(record, ensure_ascii=False), flush=True)
