"""The command line: parse, call, print. Nothing is imported before it is used; a cold start is part of every run."""

from __future__ import annotations

import contextlib
import math
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

import nonosat
from nonosat.errors import FormatError, InterruptedSolve, NonosatError, SizeError, UnsupportedError
from nonosat.interrupts import fatal_interrupts, plain_interrupts

if TYPE_CHECKING:
    from nonosat.generators.repair import Repair
    from nonosat.puzzles.nonogram import Nonogram
    from nonosat.puzzles.puzzle import Board, Puzzle
    from nonosat.solvers.answer import Answer, Statistics
    from nonosat.solvers.csp import CspAnswer
    from nonosat.solvers.propagation.difficulty import Difficulty

EXIT_SAT, EXIT_UNSAT, EXIT_NONE, EXIT_FAILED, EXIT_BAD_INPUT, EXIT_INTERRUPTED = 10, 20, 0, 1, 2, 130
EXIT_NO_READER = 141  # as of a process that SIGPIPE ended


def main() -> NoReturn:
    """Run the command; an error that is not a bug is one line on stderr and exit code 2."""
    sys.stdout, sys.stderr = (stream or Path(os.devnull).open("w") for stream in (sys.stdout, sys.stderr))  # noqa: SIM115
    try:
        code = _run()
        sys.stdout.flush()
    except click.exceptions.NoArgsIsHelpError as error:
        _tell(error.format_message())
        code = EXIT_BAD_INPUT
    except click.ClickException as error:
        context = getattr(error, "ctx", None)
        hint = f" (see {context.command_path} --help)" if context is not None else ""
        _complain(" ".join(error.format_message().split()) + hint)
        code = EXIT_BAD_INPUT
    except NonosatError as error:
        _complain(str(error))
        code = EXIT_BAD_INPUT
    except BrokenPipeError:  # the reader of our output has gone, as `head` does
        code = EXIT_NO_READER
    except OSError as error:  # our own files have errors of their own; this is stdout on a full disk
        _complain(f"cannot write: {(error.strerror or str(error)).lower()}")
        code = EXIT_BAD_INPUT
    except MemoryError:
        _complain("out of memory")
        code = EXIT_BAD_INPUT
    except (click.Abort, KeyboardInterrupt):
        _complain("interrupted")
        code = EXIT_INTERRUPTED
    _leave(code)


def _run() -> int:
    """The command's exit code. Not by ``cli.main``, which makes an exit code of its own of a broken pipe."""
    try:
        with cli.make_context("nonosat", sys.argv[1:]) as context:
            code = cli.invoke(context)
    except click.exceptions.Exit as leaving:  # --help, --version
        code = leaving.exit_code
    return code if isinstance(code, int) else EXIT_NONE


def _leave(code: int) -> NoReturn:
    """End at once: what could not be written is not tried again, and a solver's thread may be at work."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


def _tell(text: str) -> None:
    """Say something on stderr. That nobody can hear it changes no answer."""
    with contextlib.suppress(OSError, ValueError):
        print(text, file=sys.stderr, flush=True)


def _complain(text: str) -> None:
    _tell(f"nonosat: {text}")


class _Commands(click.Group):
    """The commands of this module, and groups of commands that are imported when they are asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*super().list_commands(ctx), "study"]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name == "study":
            from nonosat.cli_study import study

            return study
        return super().get_command(ctx, cmd_name)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(nonosat.__version__, prog_name="nonosat")
def cli() -> None:
    """Puzzles as SAT and CSP: solve, encode, decode, generate, check, convert, draw."""


# ---------------------------------------------------------------- options that several commands share

_from = click.option("--from", "from_format", metavar="FORMAT", help="Format of FILE, if its suffix does not tell.")
_index = click.option("--index", type=click.IntRange(min=1), help="Which puzzle of a file with many (from 1).")
_encoding = click.option("--encoding", metavar="NAME", help="How to encode; see `nonosat list encodings`.")
_format = click.option(
    "--format", "output", type=click.Choice(["text", "json"]), default="text", show_default=True, help="What to print."
)


@cli.command()
@click.argument("file")
@_encoding
@click.option("--solver", metavar="NAME", help="Who solves; see `nonosat list solvers`.")
@click.option("--unique", is_flag=True, help="Settle whether the solution is the only one.")
@click.option("--all", "everything", is_flag=True, help="Find all solutions.")
@click.option("--count", type=click.IntRange(min=1), metavar="N", help="Find at most N solutions.")
@click.option("--time-limit", type=float, metavar="S", help="Wall seconds a puzzle; kills the solver.")
@click.option("--cpu-limit", type=float, metavar="S", help="CPU seconds a puzzle; kills the solver.")
@click.option("--memory-limit", type=float, metavar="MB", help="MiB of resident memory; kills the solver.")
@_format
@click.option("--draw", metavar="OUT", help="Draw the picture too: .png, .svg or .txt.")
@_index
@_from
def solve(
    file: str,
    encoding: str | None,
    solver: str | None,
    unique: bool,
    everything: bool,
    count: int | None,
    time_limit: float | None,
    cpu_limit: float | None,
    memory_limit: float | None,
    output: str,
    draw: str | None,
    index: int | None,
    from_format: str | None,
) -> int:
    """Solve the puzzle(s) in FILE and print the picture, which has been checked against the clues.

    Exit code: 10 satisfiable, 20 unsatisfiable, 0 no answer within the limits, 1 the solver crashed or gave a wrong
    picture, 2 bad input. Of several puzzles: 1 if any failed, else 0 if any has no answer, else 10 if any has a
    picture, else 20. A picture goes to stdout, what is said about it to stderr.
    """
    from nonosat.progress import ticker

    if everything and count:
        raise click.UsageError("--all and --count exclude each other")
    with ticker() as show, fatal_interrupts():  # the ticker before numpy is imported
        show("reading")
        from nonosat.puzzles.formats import load, load_all
        from nonosat.solvers.registry import COMMAND_LINE_DEFAULT
        from nonosat.solvers.solve import solve as solve_puzzle

        puzzles = [load(file, from_format, index)] if index else load_all(file, from_format)
        if draw is not None and len(puzzles) > 1:
            raise UnsupportedError(f"{file} has {len(puzzles)} puzzles: --draw needs --index")
        drawer = None if draw is None else _drawer(draw)
        show("loading the solver (a native one is compiled at its first use on a machine: some 20 s)")
        default = COMMAND_LINE_DEFAULT if solver is None and encoding is None else solver
        name = _load_solver(default, time_limit, memory_limit, cpu_limit)
        answers: list[Answer] = []
        for number, puzzle in enumerate(puzzles, 1):
            place = f"puzzle {number} of {len(puzzles)}: " if len(puzzles) > 1 else ""

            def progress(stage: str, found: int, place: str = place) -> None:
                show(f"{place}{stage}{f', {found} found' if found else ''} with {name}")

            try:
                answer = solve_puzzle(
                    puzzle,
                    encoding=encoding,
                    solver=name,
                    count=None if everything else count or 1,
                    unique=unique,
                    time_limit_s=time_limit,
                    cpu_limit_s=cpu_limit,
                    memory_limit_mb=memory_limit,
                    on_progress=progress,
                )
            except InterruptedSolve as interrupt:
                show.close()
                place_in_file = number if len(puzzles) > 1 else index
                _print_interrupted(interrupt.answer, puzzle, place_in_file, output, everything or bool(count))
                raise KeyboardInterrupt from None
            answers.append(answer)
            show.hide()
            if output == "json":
                _print_json(answer, number if len(puzzles) > 1 else index, everything or bool(count))
            elif len(puzzles) > 1:
                print(f"{number}: {_headline(answer)} · {answer.statistics.total_s:.3f} s{_titled(puzzle)}", flush=True)
    if output == "text":
        if len(puzzles) > 1:
            _print_summary(answers)
        else:
            _print_answer(answers[0], file)
    if drawer and answers[0].picture is not None:
        drawer(answers[0].puzzle, answers[0].picture)
    return _exit_code(answers)


def _load_solver(
    name: str | None, time_limit: float | None, memory_limit: float | None, cpu_limit: float | None = None
) -> str:
    """The proper name of the solver called ``name`` (None: the default), which is loaded now if it runs here."""
    from importlib import import_module

    from nonosat.solvers import registry
    from nonosat.solvers.solve import limits_of

    entry = registry.solver(registry.DEFAULT if name is None else name)
    if limits_of(entry, time_limit, memory_limit, cpu_limit) is None:
        with plain_interrupts():
            import_module(entry.module)
    return entry.name


def _exit_code(answers: Sequence[Answer | CspAnswer]) -> int:
    verdicts = {str(answer.verdict) for answer in answers}
    if verdicts & {"WRONG", "CRASH"} or any(str(answer.stopped) == "CRASH" for answer in answers):
        return EXIT_FAILED
    if verdicts - {"SAT", "UNSAT"}:
        return EXIT_NONE
    return EXIT_SAT if "SAT" in verdicts else EXIT_UNSAT


def _headline(answer: Answer) -> str:
    """The answer in a few words: ``SAT, the only solution``."""
    text = str(answer.verdict)
    if answer.pictures:
        found = len(answer.pictures)
        if answer.unique:
            text += ", the only solution"
        elif answer.exhausted:
            text += f", all {found} solutions"
        elif found > 1:
            text += f", {found} solutions found, there may be more"
    if answer.stopped is not None and answer.pictures:
        text += f"; then {answer.stopped}"
    if answer.reason:
        text += f" ({answer.reason})"
    return text


def _titled(puzzle: Puzzle) -> str:
    return f" · {puzzle.title}" if puzzle.title else ""


def _print_answer(answer: Answer, file: str) -> None:
    from nonosat.puzzles.drawing.text import picture_text

    if answer.pictures:
        colour = sys.stdout.isatty()
        print("\n\n".join(picture_text(picture, colour=colour) for picture in answer.pictures), flush=True)
    else:
        print(answer.verdict, flush=True)
    if answer.rejected is not None:
        _tell(picture_text(answer.rejected))
        blamed = "the encoding is wrong, or this is a bug" if answer.encoding else "this is a bug of the solver"
        _complain(f"the picture above breaks the clues: {blamed}")
    about = answer.statistics
    parts = [f"{file}: {_headline(answer)}{', checked' if answer.pictures else ''}", f"{answer.solver}"]
    if answer.encoding:
        parts[1] += f", {answer.encoding}"
    if about.clauses is not None:
        parts.append(f"{about.variables:,} variables, {about.clauses:,} clauses")
    times = ((about.encode_s, "encode"), (about.load_s, "load"), (about.solve_s, "solve"))
    if any(seconds is not None for seconds, _ in times):
        parts.append(", ".join(f"{name} {seconds:.4f} s" for seconds, name in times if seconds is not None))
    parts.append(", ".join(f"{count:,} {what}" for what, count in _counters(about) if count is not None))
    parts = [part for part in parts if part]
    _tell(" · ".join(parts))


def _counters(about: Statistics) -> list[tuple[str, int | None]]:
    """The counters that tell most of a search: of SAT solvers, and of native ones."""
    names = ("decisions", "conflicts", "placements", "lines_checked", "assumptions", "probes", "nodes")
    return [(name.replace("_", " "), getattr(about, name)) for name in names]


def _print_json(answer: Answer, index: int | None, pictures: bool) -> None:
    import json

    record: dict[str, Any] = answer.record()
    if answer.puzzle is not None and answer.puzzle.title:
        record["title"] = answer.puzzle.title
    if index is not None:
        record["index"] = index
    if pictures:
        record["pictures"] = [picture.rows() for picture in answer.pictures]
    print(json.dumps(record, ensure_ascii=False), flush=True)


def _print_interrupted(answer: object, puzzle: Puzzle, number: int | None, output: str, pictures: bool) -> None:
    """What was known when Ctrl-C came: in JSON as a record like the others, in text the number found."""
    from nonosat.solvers.answer import Answer

    if not isinstance(answer, Answer):
        return
    if output == "json":
        _print_json(answer, number, pictures)
    elif answer.pictures:
        from nonosat.puzzles.drawing.text import picture_text

        print("\n\n".join(picture_text(picture) for picture in answer.pictures), flush=True)
        _complain(f"{_headline(answer)}{_titled(puzzle)}")


def _print_summary(answers: list[Answer]) -> None:
    from collections import Counter

    counts = Counter(str(answer.verdict) for answer in answers)
    only = sum(1 for answer in answers if answer.unique)
    settled = sum(1 for answer in answers if answer.unique is not None and answer.pictures)
    shown = ", ".join(f"{count} {verdict}" for verdict, count in counts.most_common())
    unique = f"; {only} of {settled} with a single solution" if settled else ""
    total = sum(answer.statistics.total_s for answer in answers)
    print(f"{len(answers)} puzzles: {shown}{unique}; {total:.3f} s")


@cli.command()
@click.argument("file")
@click.option("-o", "--output", "out", required=True, metavar="OUT.cnf|OUT.csp", help="Where to write ('-': stdout).")
@_encoding
@_index
@_from
def encode(file: str, out: str, encoding: str | None, index: int | None, from_format: str | None) -> None:
    """Write the puzzle in FILE as DIMACS CNF, with comments that say how to decode a model.

    An OUT that ends in .csp gets the CSP of the encoding's rules instead, in Sugar's language. A further
    suffix .gz, .xz or .zst (OUT.cnf.gz) compresses it.
    """
    from nonosat.encodings import dimacs
    from nonosat.encodings.registry import default_for
    from nonosat.encodings.registry import encoding as encoding_named
    from nonosat.files import suffix_of, write_atomically
    from nonosat.puzzles.formats import dumps, load

    puzzle = load(file, from_format, index)
    parts = encoding_named(default_for(puzzle) if encoding is None else encoding)
    parts.refuse(puzzle.kind)
    if suffix_of(out) == ".csp":
        from nonosat.encodings.nonogram.sugar import sugar_text

        write_atomically(out, sugar_text(_nonogram(puzzle, "Sugar's text"), parts))
        return
    formula = parts.formula(puzzle)
    write_atomically(out, dimacs.write(formula, parts.name, dumps([puzzle], "json")))
    _tell(f"{out}: {formula.cnf.variables:,} variables, {formula.cnf.clauses:,} clauses ({parts.name})")


def _nonogram(puzzle: Puzzle, what: str) -> Nonogram:
    """``puzzle``, if it is one. UnsupportedError: ``what`` is for nonograms only."""
    from nonosat.puzzles.nonogram import Nonogram

    if not isinstance(puzzle, Nonogram):
        raise UnsupportedError(f"{what} is for nonograms, not for {puzzle.kind}")
    return puzzle


@cli.command()
@click.argument("cnf")
@click.argument("solver_output")
@_format
@click.option("--draw", metavar="OUT", help="Draw the picture too: .png, .svg or .txt.")
def decode(cnf: str, solver_output: str, output: str, draw: str | None) -> int:
    """Decode what a SAT solver printed for CNF (which `nonosat encode` wrote) into a checked picture.

    SOLVER_OUTPUT is a file with 's' and 'v' lines, or a result file as MiniSat writes it; '-' reads stdin.
    Exit code as of `solve`.
    """
    from nonosat.solvers.sat.decode import decode_output

    drawer = None if draw is None else _drawer(draw)
    answer = decode_output(cnf, solver_output)
    if output == "json":
        _print_json(answer, None, False)
    else:
        _print_answer(answer, solver_output)
    if drawer and answer.picture is not None:
        drawer(answer.puzzle, answer.picture)
    return _exit_code([answer])


@cli.command()
@click.option("--puzzle", "kind", type=click.Choice(["nonogram", "skyscrapers"]), default="nonogram", show_default=True)
@click.option("--size", metavar="HxW", help="Rows x columns, such as 30x30 (30 is 30x30).")
@click.option("--density", metavar="D", help="Nonograms: share of filled cells; one share a colour: 0.2,0.3.")
@click.option("--level", metavar="L", help="Skyscrapers: 0 to 11; or with --size: easy, normal or hard.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Puzzle i gets seed + i.")
@click.option("--count", type=click.IntRange(min=1), default=1, show_default=True, help="How many puzzles.")
@click.option("--unique", is_flag=True, help="Only boards with a single solution.")
@click.option(
    "--line-solvable", is_flag=True, help="Only boards that lines by themselves solve (these are unique, too)."
)
@click.option("--label", metavar="LABEL", help="Only boards of this difficulty, such as medium; see `difficulty`.")
@click.option("--attempts", type=click.IntRange(min=1), metavar="N", help="Boards to try in all [default: 10,000].")
@click.option("--repair", is_flag=True, help="Change cells until a board is as wanted, rather than try other seeds.")
@click.option("--max-changes", type=click.IntRange(min=0), metavar="N", help="Of a board [default: a quarter].")
@click.option("-o", "--output", "out", default=".", metavar="DIR", help="Folder to write to ('-': one to stdout).")
@click.option("--to", "to_format", default="json", show_default=True, metavar="FORMAT", help="Format to write.")
def generate(
    kind: str,
    size: str | None,
    density: str | None,
    level: str | None,
    seed: int,
    count: int,
    unique: bool,
    line_solvable: bool,
    label: str | None,
    attempts: int | None,
    repair: bool,
    max_changes: int | None,
    out: str,
    to_format: str,
) -> None:
    """Write random puzzles: nonograms of a given density, or skyscrapers of a given level.

    Skyscrapers have a single solution. Levels 0 to 2 are 4x4, 3 to 5 are 5x5, 6 to 8 are 6x6: easy (all clues), normal
    (half of them) and hard (only those that are needed); 9, 10 and 11 are 7x7, 8x8 and 9x9, hard.

    Nonograms have a solution by construction, perhaps several.
    With --unique, --line-solvable or --label, boards that are not as wanted are passed over: seed after seed is tried,
    so that the boards are random ones, given that they are as wanted. With --repair, a board that is not as wanted has
    cells changed (the title says how many, and which is told): this works at every density, but its boards are not
    random ones any more.
    """
    from nonosat.progress import ticker

    wishes = ["unique"] * unique + ["line-solvable"] * line_solvable + ([] if label is None else [label])
    _check_wishes(wishes, label, attempts, repair, max_changes)
    if kind == "skyscrapers":
        if density is not None or wishes:
            raise click.UsageError("--density, --unique, --line-solvable and --label are for nonograms")
        _generate_skyscrapers(level, size, seed, count, out, to_format)
        return
    if level is not None:
        raise click.UsageError("--level is for --puzzle skyscrapers")
    if size is None or density is None:
        raise click.UsageError(f"{'--size' if size is None else '--density'} is missing")
    with ticker() as show:  # before numpy is imported
        show("generating")
        from nonosat.files import made_folder, shown
        from nonosat.generators.density import random_density
        from nonosat.puzzles.formats import FORMATS, save
        from nonosat.puzzles.formats import format as format_named

        height, width = _size(size)
        shares = _shares(density)
        suffix = format_named(to_format).suffixes[0]

        def board(number: int) -> Nonogram:
            show(f"generating, seed {number}")
            return random_density(height, width, shares, number)

        if wishes and not repair:
            puzzles = _wanted(board, seed, count, wishes[0], attempts)
        else:
            puzzles = ((number, board(number)) for number in range(seed, seed + count))
        told: dict[int, str] = {}
        if repair:
            puzzles = _repaired(puzzles, line_solvable, max_changes, told)
        if out == "-":
            save([puzzle for _, puzzle in puzzles], "-", to_format)
            show.hide()
            for number, changes in told.items():
                _tell(f"seed {number}: {changes}")
            return
        folder = made_folder(out)
        number = seed
        stem = f"random-{height}x{width}-d{'+'.join(f'{s:g}' for s in shares)}"
        repaired = f"-{wishes[0]}" if repair else ""
        for number, puzzle in puzzles:
            path = folder / f"{stem}-s{number}{repaired}{suffix}"
            save(puzzle, path, to_format)
            if number in told:
                show.hide()
                _tell(f"{shown(path)}: {told[number]}")
    tried = f", the first {wishes[0]} ones from seed {seed} to {number}" if wishes and not repair else ""
    _tell(f"{out}: {count} puzzle{'s' * (count > 1)} of {height}x{width} ({FORMATS[to_format].name}){tried}")


def _generate_skyscrapers(level: str | None, size: str | None, seed: int, count: int, out: str, to: str) -> None:
    from nonosat.progress import ticker

    with ticker() as show:  # before numpy is imported
        show("generating")
        from nonosat.files import made_folder
        from nonosat.generators.proved import made
        from nonosat.generators.skyscrapers import DIFFICULTIES, LEVELS, named_level
        from nonosat.puzzles.formats import format as format_named
        from nonosat.puzzles.formats import save

        if level is None:
            raise click.UsageError("--level is missing")
        if level.isascii() and level.isdigit() and len(level) < 4:
            if size is not None:
                raise click.UsageError(f"--level {level} has a size of its own; with --size: {', '.join(DIFFICULTIES)}")
            if int(level) >= len(LEVELS):
                raise click.UsageError(f"--level {level}: levels are 0 to {len(LEVELS) - 1}")
            name, wanted = named_level(int(level))
        else:
            if size is None:
                raise click.UsageError(f"--level {level} needs --size; or a number from 0 to {len(LEVELS) - 1}")
            height, width = _size(size)
            if height != width:
                raise click.UsageError(f"--size {size}: skyscrapers stand on a square")
            name, wanted = named_level(None, height, level)
        chosen = format_named(to)

        def boards() -> Iterator[tuple[int, Puzzle]]:
            for number in range(seed, seed + count):
                show(f"generating, seed {number}")
                yield number, made(wanted, number, f"{name}, seed {number}")

        if out == "-":
            save([puzzle for _, puzzle in boards()], "-", chosen.name)
            return
        folder = made_folder(out)
        for number, puzzle in boards():
            save(puzzle, folder / f"skyscrapers-{name.replace(' ', '-')}-s{number}{chosen.suffixes[0]}", chosen.name)
    _tell(f"{out}: {_plural(count, 'puzzle')} of {name} ({chosen.name})")


def _check_wishes(
    wishes: list[str], label: str | None, attempts: int | None, repair: bool, max_changes: int | None
) -> None:
    """Usage errors of `generate`."""
    if len(wishes) > 1:
        raise click.UsageError("--unique, --line-solvable and --label exclude each other")
    if repair and (label is not None or not wishes):
        raise click.UsageError("--repair needs --unique or --line-solvable")
    if max_changes is not None and not repair:
        raise click.UsageError("--max-changes needs --repair")
    if attempts is not None and (repair or not wishes):
        raise click.UsageError("--attempts needs --unique, --line-solvable or --label, without --repair")


def _wanted(
    board: Callable[[int], Nonogram], seed: int, count: int, wish: str, attempts: int | None
) -> Iterator[tuple[int, Nonogram]]:
    """The first boards from ``seed`` on that are as wished, each with its seed."""
    from itertools import count as numbers

    from nonosat.generators.rejection import ATTEMPTS, accepted
    from nonosat.generators.wishes import judge

    name = "very hard" if wish == "very-hard" else wish
    boards = map(board, numbers(seed))
    for place, puzzle in accepted(boards, judge(name), name, count, attempts or ATTEMPTS):
        yield seed + place, puzzle


def _repaired(
    puzzles: Iterator[tuple[int, Nonogram]], line_solvable: bool, max_changes: int | None, told: dict[int, str]
) -> Iterator[tuple[int, Nonogram]]:
    """The puzzles, each with its seed, repaired; ``told`` gets what was changed, by the seed."""
    from nonosat.generators.wishes import repair

    for number, puzzle in puzzles:
        try:
            done = repair(puzzle, by_lines=line_solvable, max_changes=max_changes, seed=number)
        except UnsupportedError as error:
            raise UnsupportedError(f"seed {number}: {error}") from None
        told[number] = _told_repair(done, line_solvable)
        yield number, done.puzzle


def _size(text: str) -> tuple[int, int]:
    words = text.lower().split("x")
    if not 1 <= len(words) <= 2 or not all(word.isascii() and word.isdigit() and len(word) < 7 for word in words):
        raise click.UsageError(f"--size {text}: expected ROWSxCOLUMNS, such as 30x30")
    return int(words[0]), int(words[-1])


def _shares(text: str) -> list[float]:
    try:
        return [float(word) for word in text.split(",")]
    except ValueError:
        raise click.UsageError(f"--density {text}: expected a number such as 0.4, or one a colour: 0.2,0.3") from None


@cli.command()
@click.argument("file")
@click.argument("picture")
@_index
@_from
def check(file: str, picture: str, index: int | None, from_format: str | None) -> int:
    """Is the text PICTURE ('-': stdin) a solution of the puzzle in FILE?

    Exit code 0: yes; 1: no, and why not (the first line that is wrong, or another size than the puzzle's); 2: PICTURE
    is no picture.
    """
    from nonosat.files import read_text, shown
    from nonosat.puzzles.check import fault
    from nonosat.puzzles.drawing.text import read_picture
    from nonosat.puzzles.formats import load

    puzzle = load(file, from_format, index)
    pictures = _several(read_text(picture), puzzle.shape[0])
    code = EXIT_NONE
    for number, text in enumerate(pictures, 1):
        wrong: object
        try:
            wrong = fault(puzzle, read_picture(text, puzzle))
        except SizeError as error:
            wrong = error.reason
        except FormatError as error:
            raise error.at(shown(picture)) from None
        which = f"picture {number}: " if len(pictures) > 1 else ""
        print(f"{shown(picture)}: {which}" + ("right" if wrong is None else f"wrong: {wrong}"))
        code = code if wrong is None else EXIT_FAILED
    return code


def _several(text: str, height: int) -> list[str]:
    """The pictures in ``text``: with `--all` and the like, `solve` prints several, with an empty line between them."""
    blocks = [block for block in text.strip("\n").split("\n\n") if block]
    return blocks if len(blocks) > 1 and all(block.count("\n") == height - 1 for block in blocks) else [text]


@cli.command()
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@_from
@click.option("--to", "to_format", metavar="FORMAT", help="Format of OUT, if its suffix does not tell.")
@_index
def convert(source: str, target: str, from_format: str | None, to_format: str | None, index: int | None) -> None:
    """Write the puzzle(s) in IN to OUT in another format. What OUT cannot hold and matters is an error."""
    from nonosat.puzzles.formats import load, load_all, save

    puzzles = [load(source, from_format, index)] if index else load_all(source, from_format)
    save(puzzles, target, to_format)


@cli.command("picture")
@click.argument("image", metavar="IMAGE")
@click.argument("out", metavar="OUT")
@click.option("--size", metavar="HxW", help="Rows x columns; 30x or x40 in proportion, 40 the longer side, or auto.")
@click.option(
    "--threshold", type=float, metavar="T", help="Cells darker than T (0 to 1) are filled; Otsu's by default."
)
@click.option("--invert", is_flag=True, help="Fill the light cells, not the dark ones.")
@click.option("--dither", default="none", show_default=True, metavar="NAME", help="none, floyd-steinberg or bayer.")
@click.option("--colours", type=int, metavar="N", help="A puzzle in at most N colours.")
@click.option("--blank", metavar="#RRGGBB", help="The colour that is blank; by default transparency, or the lightest.")
@click.option("--frame", type=click.IntRange(min=1), default=1, show_default=True, help="Of an animation, from 1.")
@click.option("--title", default="", metavar="TEXT", help="The puzzle's title.")
@click.option("--to", "to_format", metavar="FORMAT", help="Format of OUT, if its suffix does not tell.")
def picture_(
    image: str,
    out: str,
    size: str | None,
    threshold: float | None,
    invert: bool,
    dither: str,
    colours: int | None,
    blank: str | None,
    frame: int,
    title: str,
    to_format: str | None,
) -> None:
    """Make a puzzle of the picture in IMAGE ('-': stdin): PNG, GIF, JPEG, PBM, ..., a cell a pixel unless --size says.

    With --size auto, pixel art that was enlarged gets a cell for each of its squares. A puzzle may have solutions
    beside the picture: `nonosat solve --unique` tells.
    """
    from nonosat.puzzles.formats import format as format_named
    from nonosat.puzzles.formats import format_of, save
    from nonosat.puzzles.nonogram import Nonogram
    from nonosat.puzzles.nonogram.images import Reading, load_image, size_of

    chosen = format_of(out, "--to") if to_format is None else format_named(to_format)
    wanted = None if size is None else size_of(size)
    drawn = load_image(image, Reading(wanted, threshold, invert, dither, colours, blank, frame))
    puzzle = Nonogram.from_picture(drawn, title)
    save(puzzle, out, chosen.name)
    shades = f"{puzzle.colours} colours" if colours and puzzle.colours > 1 else "one colour"
    _tell(f"{out}: {puzzle.height}x{puzzle.width}, {shades}, {(drawn.cells > 0).mean():.0%} filled ({chosen.name})")


@cli.command("repair")
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@click.option(
    "--line-solvable", is_flag=True, help="Until lines by themselves solve the puzzle, not only until unique."
)
@click.option("--max-changes", type=click.IntRange(min=0), metavar="N", help="Cells of a picture [default: a quarter].")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Decides among equal changes.")
@_from
@click.option("--to", "to_format", metavar="FORMAT", help="Format of OUT, if its suffix does not tell.")
@_index
def repair_(
    source: str,
    target: str,
    line_solvable: bool,
    max_changes: int | None,
    seed: int,
    from_format: str | None,
    to_format: str | None,
    index: int | None,
) -> None:
    """Change few cells of the picture in IN until its puzzle has a single solution, and write that puzzle to OUT.

    IN is a puzzle (its goal picture is taken, or else one of its solutions), or an image of a cell a pixel, as for
    `picture`. What was changed is told: row,column (from 1), the old and the new value.
    """
    from nonosat.progress import ticker

    with ticker() as show:  # before numpy is imported
        show("reading")
        from nonosat.files import shown
        from nonosat.generators.wishes import repair
        from nonosat.puzzles.formats import format as format_named
        from nonosat.puzzles.formats import format_of, save

        chosen = format_of(target, "--to") if to_format is None else format_named(to_format)
        puzzles = _pictured(source, from_format, index)
        done = []
        for number, puzzle in enumerate(puzzles, 1):
            place = f"{shown(source)}{f': puzzle {number}' if len(puzzles) > 1 else ''}"
            show(f"{place}: repairing")
            try:
                done.append(repair(puzzle, by_lines=line_solvable, max_changes=max_changes, seed=seed))
            except UnsupportedError as error:
                raise UnsupportedError(f"{place}: {error}") from None
            show.hide()
            _tell(f"{place}: {_told_repair(done[-1], line_solvable)}")
        save([repaired.puzzle for repaired in done], target, chosen.name)


def _pictured(source: str, from_format: str | None, index: int | None) -> list[Nonogram]:
    """The puzzles in the file ``source``, each with a goal picture; or the puzzle of the image that it is."""
    from dataclasses import replace

    from nonosat.experiments.puzzles import IMAGES, puzzles_in
    from nonosat.files import suffix_of
    from nonosat.generators.wishes import solutions
    from nonosat.puzzles.formats import load, load_all

    if from_format is None and suffix_of(source) in IMAGES:
        return [_nonogram(puzzle, "repair") for puzzle in puzzles_in(Path(source))]
    loaded = [load(source, from_format, index)] if index else load_all(source, from_format)
    puzzles = [_nonogram(puzzle, "repair") for puzzle in loaded]
    for place, puzzle in enumerate(puzzles):
        if puzzle.goal is None:
            found = solutions(puzzle, 1, work=None)
            if not found:
                which = f": puzzle {place + 1}" if len(puzzles) > 1 else ""
                raise UnsupportedError(f"{source}{which}: UNSAT: there is no picture to repair")
            puzzles[place] = replace(puzzle, goal=found[0])
    return puzzles


def _told_repair(repair: Repair, line_solvable: bool) -> str:
    """What was changed, for people: ``unique, 1 of 9 cells changed (11 %): 2,3 #→.``."""
    goal = "line-solvable" if line_solvable else "unique"
    if not repair.changes:
        return f"{goal} as it is, no cell changed"
    puzzle = repair.puzzle
    symbols = "." + "".join(colour.symbol for colour in puzzle.palette)
    told = "  ".join(f"{c.row + 1},{c.column + 1} {symbols[c.old]}→{symbols[c.new]}" for c in repair.changes)
    cells = puzzle.height * puzzle.width
    return f"{goal}, {len(repair.changes):,} of {cells:,} cells changed ({100 * repair.share:.2g} %): {told}"


@cli.command()
@click.argument("file")
@click.option("--time-limit", type=float, default=10.0, show_default=True, metavar="S", help="Wall seconds a search.")
@_format
@_index
@_from
def difficulty(file: str, time_limit: float, output: str, index: int | None, from_format: str | None) -> None:
    """How hard is the puzzle in FILE for somebody who reasons, and which kind of reasoning does it take?

    By lines alone: the number of sweeps (all rows, all columns, all rows, ..) until the board is full, as in Batenburg,
    Henstra, Kosters and Palenstijn 2009, and Batenburg and Kosters 2012. By probing, where lines are stuck: each value
    of a cell is tried for what it implies (Wu et al. 2013); the number of rounds over all cells. By guessing, where
    probing is stuck: the size and depth of a search tree.

    Labels (ours): trivial (up to 2 sweeps), easy (10), medium (30), long; hard (probing); very hard (up to 3 guesses
    deep), extreme (deeper, or the time limit came first); ambiguous (several solutions), unsolvable.
    """
    from nonosat.progress import ticker

    if not (math.isfinite(time_limit) and time_limit > 0):
        raise click.UsageError(f"--time-limit {time_limit:g}: expected a positive number of seconds")
    with ticker() as show:  # before numpy is imported
        show("reading")
        from nonosat.puzzles.formats import load, load_all
        from nonosat.solvers.propagation.difficulty import difficulty as difficulty_of

        puzzles = [load(file, from_format, index)] if index else load_all(file, from_format)
        measured = []
        for number, puzzle in enumerate(puzzles, 1):
            show(f"puzzle {number} of {len(puzzles)}" if len(puzzles) > 1 else "measuring")
            about = difficulty_of(_nonogram(puzzle, "difficulty"), time_limit)
            measured.append(about)
            show.hide()
            if output == "json":
                place = number if len(puzzles) > 1 else index
                _print_difficulty_json(about, puzzle, place)
            elif len(puzzles) > 1:
                print(
                    f"{number}: {about.label} · {_told_effort(about)}, {_told_solutions(about)}{_titled(puzzle)}",
                    flush=True,
                )
    if output == "text" and len(puzzles) > 1:
        from collections import Counter

        counts = Counter(about.label for about in measured).most_common()
        late = sum(about.solutions is None for about in measured)
        settled = f"; {late} not settled in time" if late else ""
        print(f"{len(measured)} puzzles: {', '.join(f'{count} {label}' for label, count in counts)}{settled}")
    elif output == "text":
        _print_difficulty(measured[0])


def _print_difficulty_json(about: Difficulty, puzzle: Puzzle, index: int | None) -> None:
    import json
    from dataclasses import asdict

    titled = {"title": puzzle.title} if puzzle.title else {}
    numbered = {} if index is None else {"index": index}
    print(json.dumps({**asdict(about), **titled, **numbered}, ensure_ascii=False), flush=True)


def _told_solutions(about: Difficulty) -> str:
    return {0: "no solution", 1: "a single solution", 2: "several solutions"}.get(
        -1 if about.solutions is None else about.solutions, "not settled in time"
    )


def _plural(count: int, thing: str) -> str:
    return f"{count:,} {thing}{'s' * (count != 1)}"


def _told_effort(about: Difficulty) -> str:
    """The measure that goes with the kind of reasoning."""
    if about.kind == "lines":
        return f"lines, {_plural(about.sweeps, 'sweep')}"
    if about.kind == "probing":
        return f"probing, {_plural(about.rounds, 'round')}"
    return f"guessing, {_plural(about.nodes, 'node')}, {about.depth:,} deep"


def _print_difficulty(about: Difficulty) -> None:
    """A table for one puzzle."""
    rows = [
        ("difficulty", about.label),
        ("reasoning", about.kind),
        ("solutions", _told_solutions(about)),
        ("lines", f"{_plural(about.sweeps, 'sweep')}, {_plural(about.lines_checked, 'line')} checked"),
        ("left open", f"{about.open_cells:,} of {_plural(about.cells, 'cell')}"),
        ("probing", f"{_plural(about.rounds, 'round')}, {_plural(about.probes, 'probe')}"),
        ("search", f"{_plural(about.nodes, 'node')}, {about.depth:,} deep"),
    ]
    print("\n".join(f"{name:12}{text}" for name, text in rows))


@cli.command()
@click.argument("file")
@click.argument("out")
@click.option("--picture", metavar="PICTURE", help="Draw this text picture into the board (it is not checked).")
@click.option("--solve", "solved", is_flag=True, help="Solve the puzzle and draw the picture.")
@_index
@_from
def draw(file: str, out: str, picture: str | None, solved: bool, index: int | None, from_format: str | None) -> None:
    """Draw the puzzle in FILE with its clues to OUT: .png, .svg or .txt ('-': text on stdout)."""
    from nonosat.files import read_text, shown
    from nonosat.puzzles.drawing.text import read_picture
    from nonosat.puzzles.formats import load

    if picture is not None and solved:
        raise click.UsageError("--picture and --solve exclude each other")
    drawer = _drawer(out)
    puzzle = load(file, from_format, index)
    drawn: Board | None = None
    if picture is not None:
        try:
            drawn = read_picture(read_text(picture), puzzle)
        except FormatError as error:
            raise error.at(shown(picture)) from None
    elif solved:
        from nonosat.solvers.solve import solve as solve_puzzle

        answer = solve_puzzle(puzzle)
        if answer.picture is None:
            raise UnsupportedError(f"{file}: {_headline(answer)}: there is no picture to draw")
        drawn = answer.picture
    drawer(puzzle, drawn)


def _drawer(out: str) -> Callable[[Puzzle | None, Board | None], None]:
    """What draws to the file ``out``; its suffix is looked at now, before anything has been computed."""
    from nonosat.files import suffix_of

    suffix = suffix_of(out)
    if out != "-" and suffix not in (".png", ".svg", ".txt"):
        raise UnsupportedError(f"{out}: draws .png, .svg or .txt")

    def drawer(puzzle: Puzzle | None, picture: Board | None) -> None:
        from nonosat.files import write_atomically

        assert puzzle is not None
        data: str | bytes
        if suffix == ".png":
            from nonosat.puzzles.drawing.png import png

            data = png(puzzle, picture)
        elif suffix == ".svg":
            from nonosat.puzzles.drawing.svg import svg

            data = svg(puzzle, picture)
        else:
            from nonosat.puzzles.drawing.text import puzzle_text

            data = puzzle_text(puzzle, picture, colour=out == "-" and sys.stdout.isatty()) + "\n"
        write_atomically(out, data)

    return drawer


@cli.command("list")
@click.argument("what", type=click.Choice(["encodings", "solvers", "formats"]))
def list_(what: str) -> None:
    """List what there is: a name and a line about it."""
    rows: list[tuple[str, str]]
    if what == "encodings":
        from nonosat.encodings.nonogram.parts import FIGURES, RELAXED, REPORT
        from nonosat.encodings.registry import KINDS, PARTS
        from nonosat.encodings.registry import encoding as encoding_named

        def told(part: str) -> str:
            entry = PARTS[part]
            faults = ("" if entry.sound else "; NOT SOUND: wrong pictures") + ("" if entry.complete else ", lost ones")
            return f"{entry.slot}: {entry.meaning} ({entry.source}){faults}"

        integers = [name for name, entry in PARTS.items() if entry.slot == "integers"]
        rows = [("parts", "joined by +; an integer encoding goes with any rules")]
        rows += [(f"  {name}", told(name)) for name in integers]
        for kind in KINDS.values():
            forms = "; or ".join(", ".join((*form, "integers")) for form in kind.forms)
            rows += [("", ""), (kind.name, f"parts: {forms}")]
            rows += [(f"  {name}", told(name)) for name in kind.parts]
            rows += [("", ""), (f"{kind.name}, sound", "every model is a solution, and every solution a model")]
            rows += [(f"  {name}", "the default" if name == kind.default else "") for name in kind.tested]
        rows += [("", ""), ("report", "the twelve of Castilho & Welter 2018, by its rules' numbers")]
        for name, parts in REPORT.items():
            relaxed = "" if encoding_named(name).sound else "; relaxed: models may be WRONG"
            rows.append((f"  {name}", f"{parts}+order; figures {FIGURES[name]}{relaxed}"))
        rows += [("", ""), ("relaxed", "readings of rules 4 and 6 alone, whose models may be WRONG")]
        rows += [(f"  {name}", "") for name in RELAXED]
    elif what == "solvers":
        from nonosat.solvers.registry import COMMAND_LINE_DEFAULT, DEFAULT, EXTERNAL, solvers

        default = {
            DEFAULT: "; the default where an encoding is named, and from Python",
            COMMAND_LINE_DEFAULT.partition("+")[0]: f"; the default of `nonosat solve`, as {COMMAND_LINE_DEFAULT}",
        }
        rows = [
            (
                entry.name,
                f"{entry.family:4} {entry.meaning}"
                + (f"; switches: {', '.join(map(_switch, entry.switches))}" if entry.switches else "")
                + (f"; also {', '.join(entry.aliases)}" if entry.aliases else "")
                + default.get(entry.name, ""),
            )
            for entry in solvers().values()
        ]
        about = "SAT  any program that reads DIMACS, such as 'exec:kissat --time={seconds} {cnf}'; also {out}, {memory}"
        rows.append((f"{EXTERNAL}COMMAND", about))
    else:
        from nonosat.puzzles.formats import FORMATS

        rows = [(entry.name, f"{' '.join(entry.suffixes)}: {entry.description}") for entry in FORMATS.values()]
    width = max(len(name) for name, _ in rows)
    print("\n".join(f"{name:{width}}  {about}".rstrip() for name, about in rows))


def _switch(switch: tuple[tuple[str, ...], str]) -> str:
    """A solver's switch for people: ``+fifo|unchanged (else lifo)``."""
    words, base = switch
    shown = "|".join(word + "N" * word.endswith("=") for word in words)
    return f"+{shown}" + (f" (else {base})" if base else "")


# ---------------------------------------------------------------- CSPs in Sugar's language


@cli.command()
@click.argument("file", metavar="FILE.csp")
@click.option("--solver", metavar="NAME", help="Who solves; see `nonosat list solvers`.")
@click.option("--encoding", metavar="NAME", help="Integer encoding for SAT solvers: order, ..")
@click.option("--all", "everything", is_flag=True, help="Find all solutions.")
@click.option("--count", type=click.IntRange(min=1), metavar="N", help="Find at most N solutions.")
@click.option("--time-limit", type=float, metavar="S", help="Wall seconds; kills the solver.")
@click.option("--memory-limit", type=float, metavar="MB", help="MiB of resident memory; kills the solver.")
@_format
def csp(
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
    from nonosat.progress import ticker

    if everything and count:
        raise click.UsageError("--all and --count exclude each other")
    with ticker() as show, fatal_interrupts():  # the ticker before numpy is imported
        show("reading")
        from nonosat.csp.sugar import read_statement
        from nonosat.files import read_text, shown
        from nonosat.solvers.csp import solve_csp

        try:
            statement = read_statement(read_text(file))
        except FormatError as error:
            raise (error if error.source else error.at(shown(file))) from None
        except UnsupportedError as error:
            raise UnsupportedError(f"{shown(file)}: {error}") from None
        name = _load_solver(solver, time_limit, memory_limit)
        show(f"solving with {name}")
        try:
            answer = solve_csp(
                statement.csp,
                **({} if encoding is None else {"integers": encoding}),
                solver=name,
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
        found = len(answer.solutions)
        more = "" if answer.exhausted or not found else ", there may be more"
        reason = f" ({answer.reason})" if answer.reason else ""
        about = answer.statistics
        size = f" · {about.variables:,} variables, {about.clauses:,} clauses" if about.clauses is not None else ""
        solutions = f", {found} solution{'s' * (found != 1)}{more}" if found else ""
        _tell(f"{shown(file)}: {answer.verdict}{solutions}{reason} · {name}{size}")
    return _exit_code([answer])


def _print_assignments(answer: object, booleans: tuple[str, ...], output: str) -> None:
    """The solutions in Sugar's form, or as one JSON object; Booleans as true and false."""
    from nonosat.solvers.csp import CspAnswer

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


# ---------------------------------------------------------------- experiments


@cli.command()
@click.argument("folder")
@click.option("-o", "--output", "out", required=True, metavar="DIR", help="Folder for tables.md and tables.csv.")
@click.option("--limit", type=float, default=300.0, show_default=True, metavar="S", help="Wall seconds a run.")
@click.option("--runs", type=click.IntRange(min=3), default=5, show_default=True, help="Runs of each puzzle.")
@click.option("--table", "tables", multiple=True, metavar="N", help="Only table N (4.1 .. 4.4); may be repeated.")
def bench(folder: str, out: str, limit: float, runs: int, tables: tuple[str, ...]) -> None:
    """Measure the tables 4.1-4.4 of Wałejko (2022) on the pictures in FOLDER, beside the thesis' figures.

    FOLDER has a picture or puzzle file for each of the thesis' names (or some of them), such as 20-cherries.png. Of the
    runs of a puzzle the fastest and the slowest are dropped. A solver that takes too long costs the limit, once.
    """
    from nonosat.progress import ticker

    with ticker() as show:  # before numpy is imported
        show("reading")
        from nonosat.errors import UnknownNameError
        from nonosat.experiments import walejko2022 as study
        from nonosat.experiments.machine import machine
        from nonosat.files import made_folder, write_atomically

        known = {table.number: table for table in study.TABLES}
        if unknown := [number for number in tables if number not in known]:
            raise UnknownNameError("table", unknown[0], list(known))
        target = made_folder(out)
        puzzles = study.pictures_in(folder)
        chosen = [known[number] for number in tables or known]
        results = list(study.measure(puzzles, chosen, limit, runs, on_progress=show))
    write_atomically(target / "tables.csv", study.csv_text(results))
    write_atomically(target / "tables.md", study.markdown(results, limit, runs, machine()))
    _tell(f"{out}: tables.md, tables.csv: {len(results)} cells, {len(puzzles)} puzzles")


# ---------------------------------------------------------------- proofs


@cli.command()
@click.argument("file")
@click.option("-o", "--output", "out", required=True, metavar="DIR", help="Folder for the formula and the proof.")
@_encoding
@click.option("--solver", metavar="NAME", help="Who proves (a wrong name lists those whose proofs hold).")
@click.option("--check/--no-check", "checked", default=True, show_default=True, help="Check the proof afterwards.")
@_index
@_from
def prove(
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
    from nonosat.progress import ticker

    with ticker() as show:  # before numpy is imported
        show("reading")
        from nonosat.errors import SolverError
        from nonosat.puzzles.drawing.text import picture_text
        from nonosat.puzzles.formats import load
        from nonosat.solvers.sat import proof as proofs

        puzzle = load(file, from_format, index)
        name = solver or proofs.DEFAULT
        try:
            proof = proofs.prove(
                puzzle,
                **({} if encoding is None else {"encoding": encoding}),
                solver=name,
                on_progress=lambda stage: show(f"{stage} with {name}"),
            )
        except SolverError as error:
            _complain(f"{file}: {error}")
            return EXIT_FAILED
        wrong: str | None = None
        if proof.steps is not None:
            show("writing")
            proofs.write(proof, out)
            if checked:
                show(f"checking {len(proof.steps):,} steps (--no-check skips it)")
                wrong = proofs.check(out)
    about = f"{proof.solver}, {proof.encoding} · {proof.solve_s:.3f} s"
    if proof.steps is None:
        print("\n\n".join(picture_text(picture) for picture in proof.pictures), flush=True)
        _tell(f"{file}: {proof.claim}, of which these are two · {about}")
        return EXIT_SAT
    cnf = proof.formula.cnf
    size = f"{cnf.variables:,} variables, {cnf.clauses:,} clauses, {len(proof.steps):,} steps"
    if wrong is not None:
        _complain(f"{out}: the proof that {proof.claim} does not hold: {wrong} · {about} · {size}")
        return EXIT_FAILED
    print("\n".join(proofs.COMMANDS), flush=True)
    state = "proved and checked" if checked else "proved, not checked"
    _tell(f"{file}: {proof.claim}: {state} · {about} · {size} · to check it in {out}: as printed")
    return EXIT_UNSAT
