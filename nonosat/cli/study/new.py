"""``nonosat study new``: a study's file from options."""

from __future__ import annotations

import click

from nonosat.cli.shared import completion, options
from nonosat.cli.shared.output import note, plural
from nonosat.errors import FormatError, NonosatError


@click.command("new")
@click.argument("out", metavar="OUT.toml", shell_complete=completion.files)
@click.option(
    "--title", default="", metavar="TEXT", shell_complete=completion.nothing, help="What it asks, for people."
)
@click.option(
    "--encoding",
    "encodings",
    multiple=True,
    metavar="NAME",
    shell_complete=completion.encodings,
    help="May be repeated [default: that of the kind of puzzle].",
)
@click.option(
    "--solver",
    "solvers",
    multiple=True,
    metavar="NAME",
    shell_complete=completion.solvers,
    help="May be repeated [default: minisat22].",
)
@click.option(
    "--puzzles",
    "files",
    multiple=True,
    metavar="PATTERN",
    shell_complete=completion.files,
    help="Files of puzzles, such as 'boards/*.mk', from OUT's folder; may be repeated.",
)
@click.option(
    "--size",
    "sizes",
    multiple=True,
    metavar="LIST",
    shell_complete=completion.nothing,
    help="Random nonograms: 10,20x30. May be repeated, as the other two.",
)
@click.option(
    "--density",
    "densities",
    multiple=True,
    metavar="LIST",
    shell_complete=completion.nothing,
    help="Their densities: 0.4,0.5.",
)
@click.option(
    "--level",
    "levels",
    multiple=True,
    metavar="LIST",
    shell_complete=completion.nothing,
    help="Skyscrapers of levels: 0,4,8.",
)
@options.number("Random boards of each combination.")
@options.seed("Of the first board.", default=1)
@options.unique("Decide whether solutions are unique.")
@click.option(
    "--repetitions", type=click.IntRange(min=1), default=1, show_default=True, metavar="N", help="Of every run."
)
@options.limits("of a run", then="a run that meets it is recorded so", time_limit=60.0)
def command(
    out: str, title: str, encodings: tuple[str, ...], solvers: tuple[str, ...], files: tuple[str, ...],
    sizes: tuple[str, ...], densities: tuple[str, ...], levels: tuple[str, ...], count: int, seed: int, unique: bool,
    repetitions: int, limits: dict[str, float | None],
) -> None:  # fmt: skip
    """Write the file of a new study to OUT.toml, with comments, and say what it would take.

    Its puzzles are random nonograms (--size and --density), random skyscrapers (--level), files (--puzzles), or all
    of one kind. An OUT that is there already is not touched.
    """
    from pathlib import Path

    from nonosat.files import shown, write_atomically
    from nonosat.studies.checking import check
    from nonosat.studies.study import parse

    if bool(sizes) != bool(densities):
        raise click.UsageError("--size and --density go together")
    if not (sizes or levels or files):
        raise click.UsageError("no puzzles: --size and --density, --level, or --puzzles")
    _refuse_lists(encodings, solvers)
    path = Path(out)
    if path.suffix != ".toml":
        raise click.UsageError(f"{out}: a study's file is called NAME.toml")
    if path.exists():
        raise NonosatError(f"{shown(out)}: is there already")
    kind = "skyscrapers" if levels else "nonogram"
    text = _text(
        path.stem, title, encodings or (_default(kind),), solvers or ("minisat22",), unique, repetitions,
        limits,
        _generated(sizes, densities, levels, count, seed), files,
    )  # fmt: skip
    try:
        stated = parse(text, path)
    except FormatError as error:  # of a line of a file that is not there
        raise NonosatError(f"{shown(out)} is not written: {error.reason}") from None
    report = check(stated)
    report.refuse()
    write_atomically(out, text)
    note(f"{out}: {plural(report.instances, 'puzzle')}, {plural(report.runs, 'run')}; next: nonosat study run {out}")


def _refuse_lists(encodings: tuple[str, ...], solvers: tuple[str, ...]) -> None:
    """UsageError: one word has several names with commas between them, which are no part of a name here."""
    from nonosat.encodings.registry import encoding
    from nonosat.solvers.registry import solver

    for option, given, known in (("--encoding", encodings, encoding), ("--solver", solvers, solver)):
        for word in given:
            names = _words(word)
            try:
                every = [known(name).name for name in names]
            except NonosatError:  # the commas are its own, or the study's check tells what is wrong
                continue
            if len(every) > 1:
                raise click.UsageError(f"one name each: {' '.join(f'{option} {name}' for name in names)}")


def _default(kind: str) -> str:
    from nonosat.encodings.registry import default_for

    return default_for(kind)


def _generated(
    sizes: tuple[str, ...], densities: tuple[str, ...], levels: tuple[str, ...], count: int, seed: int
) -> list[str]:
    """The entries of random puzzles."""
    last = f"count = {count:<29}# boards of each combination ...\nseed = {seed:<30}# ... with the seeds from here on\n"
    found = []
    if sizes:
        shares = [_density(word) for word in _words(*densities)]
        found.append(
            f'generator = "density"                # nonosat list generators\nsizes = {_quoted(_words(*sizes))}\n'
            f"densities = [{', '.join(shares)}]\n{last}"
        )
    if levels:
        found.append(f'generator = "skyscrapers"\nlevels = {_quoted(_words(*levels))}\n{last}')
    return found


def _density(text: str) -> str:
    """A density in TOML: of several colours, ``0.3+0.2``, a list. UsageError: it is none."""
    try:
        shares = [float(share) for share in text.split("+")]
    except ValueError:
        raise click.UsageError(f"--density {text}: is no number, such as 0.4") from None
    return repr(shares if len(shares) > 1 else shares[0])


def _words(*lists: str) -> list[str]:
    return [word.strip() for text in lists for word in text.split(",") if word.strip()]


def _quoted(words: tuple[str, ...] | list[str]) -> str:
    """A list in TOML: whole numbers bare, all else as strings."""
    from json import dumps

    return "[" + ", ".join(word if word.isdecimal() else dumps(word, ensure_ascii=False) for word in words) + "]"


def _text(
    name: str, title: str, encodings: tuple[str, ...], solvers: tuple[str, ...], unique: bool, repetitions: int,
    limits: dict[str, float | None], generated: list[str], files: tuple[str, ...],
) -> str:  # fmt: skip
    """The file."""
    from json import dumps

    from nonosat.studies.study import LIMITS

    about = dict(zip(LIMITS, ("wall seconds of a run", "CPU seconds of a run", "MiB of a run"), strict=True))
    given = {key: value for key, value in limits.items() if value is not None}
    limited = [f"{key} = {value:g}".ljust(36) + f" # {about[key]}" for key, value in given.items()]
    entries = [*generated, *([f"files = {_quoted(files)}            # relative to this file\n"] if files else [])]
    return "\n".join(
        [
            "# A study of nonosat: every encoding with every SAT solver on every puzzle. docs/studies.md has all keys.",
            f"name = {dumps(name, ensure_ascii=False)}",
            f"title = {dumps(title, ensure_ascii=False)}",
            "",
            f"encodings = {_quoted(encodings)}".ljust(36) + " # nonosat list encodings",
            f"solvers = {_quoted(solvers)}".ljust(36) + " # nonosat list solvers; also 'exec:COMMAND {cnf}'",
            f"repetitions = {repetitions}".ljust(36) + " # of every run",
            f"unique = {str(unique).lower()}".ljust(36) + " # decide whether a solution is the only one",
            'order = "interleaved"'.ljust(36) + " # all cells grow together, so that a look is fair at any time",
            *(["", "[limits]", *limited] if limited else []),
            *(f"\n[[puzzles]]\n{entry.rstrip()}" for entry in entries),
            "",
        ]
    )
