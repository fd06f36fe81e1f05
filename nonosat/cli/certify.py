"""``nonosat certify``: a certificate of what the solutions of a puzzle are, over its own statement."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from nonosat.cli.shared import completion, models, options
from nonosat.cli.shared.commands import Exit, SearchCommand, printing_if_interrupted
from nonosat.cli.shared.output import note, print_json, record_of, warn
from nonosat.cli.shared.puzzles import puzzle_of
from nonosat.errors import SolverError

if TYPE_CHECKING:
    from nonosat.certificates.certify import Certificate
    from nonosat.certificates.equivalence import Equivalence
    from nonosat.progress import Ticker
    from nonosat.puzzles.puzzle import Puzzle
    from nonosat.runs.events import Answer


@click.command("certify", cls=SearchCommand, leaves_files=True)
@options.file
@options.out("DIR", "Folder for the statement and the proof.")
@click.option(
    "--proof", "version", type=click.Choice(["3.0", "1.1"]), default="3.0", show_default=True, help="Its format."
)
@options.unique("Decide whether the solution is the only one (the default).")
@click.option("--count", type=click.IntRange(min=1), metavar="N", help="Find N solutions, or prove these are all.")
@options.encoding()
@options.prover("Who proves: auto, or a SAT solver (a wrong name lists them).", completion.certifiers)
@options.limits()
@options.output()
@options.index
@options.from_format
@click.pass_obj
def command(
    show: Ticker,
    file: str,
    out: str | None,
    version: str,
    unique: bool,
    count: int | None,
    encoding: str | None,
    solver: str | None,
    limits: dict[str, Any],
    output: str,
    index: int | None,
    from_format: str | None,
) -> Exit:
    """Prove from the rules of the puzzle in FILE alone that it has no solution, or one and no other.

    Writes DIR/NAME.opb, the puzzle as pseudo-Boolean constraints, and DIR/NAME.pbp, a proof over these in VeriPB's
    format, and checks it. Prints what is proved. Exit code: 20 no solution, or a single one; 10 there are several (the
    proof names two, or N); 0 no answer within the limits (nothing is written); 1 the solver failed, 2 bad input.

    With --encoding and without -o: is the encoding right for this puzzle? Proves, without a solver, that every clause
    follows from the rules of the puzzle and they from the clauses, or prints the clause (by its rule, line and runs) or
    the constraint that is lost, and a board that shows it. Exit code: 0 both are proved, or a limit was reached (then
    it says "not decided"), 1 one does not hold, 3 it cannot tell: a lemma is left open, or auxiliaries do not mean
    what is said of them, 2 bad input.

    FILE may be a model (.py, .csp, .xml, .cnf): proves of its constraints that there is no solution, no other, or none
    better than the best (exit code 20). Of more than one solution, or N, nothing is proved or written (10).
    """
    if unique and count:
        raise click.UsageError("--unique and --count exclude each other")
    of_model = models.named([file], from_format)
    if out is None and not of_model and (encoding is None or unique or solver is not None or count is not None):
        raise click.UsageError(
            "-o DIR is missing: where the certificate goes; or name an --encoding alone, to prove it right"
        )
    if of_model:
        models.refuse(from_format=from_format)
        if out is None:
            raise click.UsageError("-o DIR is missing: where the certificate of a model goes")
        count = count if count or not unique else 2
        return _of_model(
            file, show, index, out, output, limits, encoding=encoding, solver=solver, count=count, proof=version
        )
    puzzle = puzzle_of(file, from_format, index)
    try:
        if out is None:
            return _compare(puzzle, encoding or "", limits, file, output, show)
        wanted = {"encoding": encoding, "solver": solver, "count": count or 2, "proof": version, **limits}
        made, written = _certified(puzzle, wanted, file, index, out, show)
    except SolverError as error:
        warn(f"{file}: {error}")
        return Exit.FAILED
    show.hide()
    (_print_json if output == "json" else _print_text)(made, written, file, index)
    if made.claim is None:
        return Exit.NO_ANSWER
    return Exit.UNSAT if made.claim.complete and made.claim.solutions < 2 else Exit.SAT


def _of_model(
    file: str, show: Ticker, index: int | None, out: str, output: str, limits: dict[str, Any], **how: Any
) -> Exit:
    try:
        return models.certify(file, show, index, out, output, limits, **how)
    except SolverError as error:
        warn(f"{file}: {error}")
        return Exit.FAILED


def _certified(
    puzzle: Puzzle, wanted: dict[str, Any], file: str, index: int | None, out: str, show: Ticker
) -> tuple[Certificate, tuple[Path, Path] | None]:
    """The certificate, and its files; no files: nothing is proved."""
    from nonosat.certificates.certify import certify, who
    from nonosat.files import check_folder, unpacked_name

    check_folder(out)  # before the work, not after it
    name = who(puzzle, wanted["encoding"], wanted["solver"])

    def progress(stage: str, found: int) -> None:
        show(f"{stage}{f', {found} found' if found else ''} with {name}")

    with printing_if_interrupted(show, lambda answer: _print_known(answer, file)):
        made = certify(puzzle, **wanted, on_progress=progress)
    if made.claim is None:
        return made, None
    show("writing")
    stem = "puzzle" if file == "-" else unpacked_name(file).stem
    return made, made.write(out, stem if index is None else f"{stem}-{index}")


def _print_known(answer: Answer, file: str) -> None:
    """What was known when Ctrl-C came: solutions that are not proved to be all."""
    if answer.pictures:
        note(f"{file}: {answer.headline}, nothing is proved")


def _print_text(made: Certificate, files: tuple[Path, Path] | None, file: str, _: int | None) -> None:
    answer = made.answer
    about = ", ".join(filter(None, (answer.solver, answer.encoding)))
    if made.claim is None or files is None:
        print(answer.stopped or answer.verdict, flush=True)
        note(f"{file}: {answer.headline}, nothing is proved · {about}")
        return
    print(made.claim, flush=True)
    cost, (opb, proof) = answer.statistics, files
    seconds = f"solve {cost.solve_s or 0:.3f} s, check {cost.check_s or 0:.3f} s"
    note(f"{file}: proved and checked · {about} · {seconds} · {cost.certificate_steps:,} lines · {opb}, {proof}")


def _print_json(made: Certificate, files: tuple[Path, Path] | None, file: str, index: int | None) -> None:
    """Print the answer's record, and what is proved of it (null: nothing), by which files."""
    record = record_of(made.answer, True)
    record["proved"] = None if made.claim is None else str(made.claim)
    record["complete"] = None if made.claim is None else made.claim.complete
    record["version"] = None if made.claim is None else made.claim.version
    record["opb"], record["pbp"] = (None, None) if files is None else map(str, files)
    print_json(record, None, file, index)


# Is an encoding right for a puzzle? Proved in both directions, without a solver.


def _compare(puzzle: Puzzle, encoding: str, limits: dict[str, Any], file: str, output: str, show: Ticker) -> Exit:
    """Prove that the encoding states what the puzzle's own statement states, and print that, or the difference."""
    from nonosat.certificates.equivalence import equivalent

    found = equivalent(puzzle, encoding, **limits, on_progress=show)
    show.hide()
    (_print_comparison_json if output == "json" else _print_comparison)(found, file)
    if found.stopped is not None:
        return Exit.NO_ANSWER
    return {True: Exit.DONE, False: Exit.FAILED, None: Exit.NOT_KNOWN}[found.equivalent]


def _print_comparison(found: Equivalence, file: str) -> None:
    print(found, flush=True)
    if found.stopped is not None:
        return
    if found.difference is not None and found.difference.board is not None:
        print(f"\n{found.difference.about_board}:\n{found.difference.board}", flush=True)
    verdicts = {True: "equivalent", False: "not equivalent", None: "cannot tell whether they are equivalent"}
    note(f"{file}: {verdicts[found.equivalent]} · {found.lines:,} lines of proof, checked")


def _print_comparison_json(found: Equivalence, file: str) -> None:
    fault = found.difference
    record = {
        "file": file,
        "encoding": found.encoding,
        "equivalent": found.equivalent,
        "stopped": None if found.stopped is None else str(found.stopped),
        "reason": found.reason,
        "clauses": found.clauses,
        "constraints": found.constraints,
        "lines": found.lines,
        "lost": None if fault is None else fault.lost,
        "part": None if fault is None else fault.part,
        "said": None if fault is None else fault.words,
        "board": None if fault is None or fault.board is None else fault.board.rows(),
    }
    print_json(record)
