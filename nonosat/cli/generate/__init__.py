"""``nonosat generate``: random puzzles, by any generator of the table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from nonosat.cli.generate.options import WithParameters, chosen, texts_of
from nonosat.cli.shared import completion, exits, options
from nonosat.cli.shared.telling import tell
from nonosat.cli.shared.words import plural
from nonosat.progress import ticker

if TYPE_CHECKING:
    from nonosat.cli.generate.writing import Boards


@click.command("generate", cls=WithParameters)
@click.option(
    "--puzzle", "kind", metavar="KIND", shell_complete=completion.kinds, help="The kind of puzzle [default: nonogram]."
)
@click.option(
    "--generator",
    "name",
    metavar="NAME",
    shell_complete=completion.generators,
    help="One of `list generators` [default: the kind's first].",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Puzzle i gets seed + i.")
@click.option("--count", type=click.IntRange(min=1), default=1, show_default=True, help="How many puzzles.")
@click.option("--unique", is_flag=True, help="Only boards with a single solution.")
@click.option(
    "--line-solvable", is_flag=True, help="Only boards that lines by themselves solve (these are unique, too)."
)
@click.option(
    "--label",
    metavar="LABEL",
    shell_complete=completion.labels,
    help="Only boards of this difficulty, such as medium; see `difficulty`, and docs/explain.md.",
)
@click.option(
    "--technique",
    metavar="NAME",
    shell_complete=completion.techniques,
    help="Only boards that take this technique of `explain`, and nothing harder.",
)
@click.option(
    "--solutions", type=click.IntRange(min=1), metavar="N", help="Only boards with exactly so many solutions."
)
@click.option("--attempts", type=click.IntRange(min=1), metavar="N", help="Boards to try in all [default: 10,000].")
@click.option("--repair", is_flag=True, help="Change cells until a board is as wanted, rather than try other seeds.")
@click.option("--give", is_flag=True, help="Give cells until a board is as wanted, rather than try other seeds.")
@click.option("--max-changes", type=click.IntRange(min=0), metavar="N", help="Of a board [default: a quarter].")
@options.limits
@click.option(
    "-o",
    "--output",
    "out",
    default=".",
    metavar="DIR",
    shell_complete=completion.files,
    help="Folder to write to ('-': one to stdout).",
)
@click.option(
    "--to",
    "to_format",
    default="json",
    show_default=True,
    metavar="FORMAT",
    shell_complete=completion.formats,
    help="Format to write.",
)
def command(kind: str | None, name: str | None, seed: int, count: int, out: str, to_format: str, **given: Any) -> int:
    """Write random puzzles: nonograms of a given density, or skyscrapers of a given level.

    Cells are filled one by one, or with --style so that boards look like pictures. Puzzles have a solution by
    construction, perhaps several; those of some generators, such as skyscrapers, have one. With --unique, --solutions,
    --line-solvable, --label or --technique, boards that are not as wanted are passed over: seed after seed is tried, so
    that the boards are random ones, given that they are as wanted. That is of no use where such boards are rare; where
    there are too few, it is told which densities have some. With --give, as few cells as we can find are given from the
    start, until a random board is unique or has N solutions. With --repair, a board that is not as wanted has cells
    changed (the title says how many, and which is told). Both work at every density; repaired boards are not random
    ones any more. Exit code 0; where a limit is reached, which is on all boards together, those found before are
    written, and that there are fewer is told.
    """
    limits = {f"{limit}_{unit}": given[limit] for limit, unit in options.LIMIT_UNITS.items()}
    wished = _wished(given)
    generator = chosen(kind, name, given)
    with ticker() as show:  # before numpy is imported
        show("generating")
        from nonosat.cli.generate.boards import Wish, boards_within
        from nonosat.cli.generate.writing import Boards, new_folder, printed, saved
        from nonosat.puzzles.formats import format as format_named

        _check_technique(given["technique"])
        texts = texts_of(generator, given)
        wish = Wish(wished, *(given[word] for word in ("attempts", "repair", "give", "max_changes"))).of(generator)
        target = format_named(to_format)
        made = Boards(boards_within(generator, texts, seed, count, wish, limits, show))
        if out == "-":
            return _code(made, printed(made, target.name, show), count)
        stem = "-".join((generator.name, *texts))
        ending = f"{f'-{wish.what}' if wish.repair or wish.give else ''}{target.suffixes[0]}"
        with new_folder(out) as folder:
            numbers = saved(made, folder, stem, ending, target.name, show)
    if made.stopped is not None:
        return _code(made, len(numbers), count)
    tried = f", the first {wish.what} ones from seed {seed} to {numbers[-1]}" if wish.chooses else ""
    tell(f"{out}: {plural(count, 'puzzle')} of {' '.join((generator.name, *texts))} ({target.name}){tried}")
    return exits.DONE


def _code(made: Boards, found: int, count: int) -> int:
    """The exit code; if a limit was reached, that is told."""
    if made.stopped is None:
        return exits.DONE
    tell(f"{found:,} of {plural(count, 'puzzle')}: {made.stopped.reason}")
    return exits.NO_ANSWER


def _wished(given: dict[str, Any]) -> str | None:
    """What is wanted of the boards, in the words of ``Wish``; None: nothing. Usage errors."""
    solutions = given["solutions"]
    exactly = None if solutions is None else "unique" if solutions == 1 else f"{solutions}-solution"
    wishes = ["unique"] * given["unique"] + ["line-solvable"] * given["line_solvable"]
    wishes += [wish for wish in (given["label"], given["technique"], exactly) if wish is not None]
    _check_wishes(wishes, given["attempts"], given["repair"], given["give"], given["max_changes"])
    return wishes[0] if wishes else None


def _check_technique(name: str | None) -> None:
    """An unknown technique ends the command before it makes anything."""
    from nonosat.solvers.explain.techniques import TECHNIQUES

    if name is not None:
        TECHNIQUES.named(name)


def _check_wishes(wishes: list[str], attempts: int | None, repair: bool, give: bool, max_changes: int | None) -> None:
    """Usage errors: options that exclude, or need, each other."""
    number = [wish for wish in wishes if wish == "unique" or wish.endswith("-solution")]
    if len(wishes) > 1:
        raise click.UsageError("--unique, --solutions, --line-solvable, --label and --technique exclude each other")
    if repair and give:
        raise click.UsageError("--repair and --give exclude each other")
    if repair and wishes not in (["unique"], ["line-solvable"]):
        raise click.UsageError("--repair needs --unique or --line-solvable")
    if give and not number:
        raise click.UsageError("--give needs --unique or --solutions")
    if max_changes is not None and not repair:
        raise click.UsageError("--max-changes needs --repair")
    if attempts is not None and (repair or give or not wishes):
        raise click.UsageError(
            "--attempts needs --unique, --solutions, --line-solvable, --label or --technique; not --repair or --give"
        )
