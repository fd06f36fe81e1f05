"""``nonosat generate``: random puzzles, a kind of them a file."""

from __future__ import annotations

import click


@click.command("generate")
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
def command(
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
    wishes = ["unique"] * unique + ["line-solvable"] * line_solvable + ([] if label is None else [label])
    _check_wishes(wishes, label, attempts, repair, max_changes)
    if kind == "skyscrapers":
        from nonosat.cli.generate.skyscrapers import write_skyscrapers

        if density is not None or wishes:
            raise click.UsageError("--density, --unique, --line-solvable and --label are for nonograms")
        write_skyscrapers(level, size, seed, count, out, to_format)
        return
    from nonosat.cli.generate.nonograms import Wish, write_nonograms

    if level is not None:
        raise click.UsageError("--level is for --puzzle skyscrapers")
    wish = Wish(wishes[0] if wishes else None, attempts, repair, max_changes)
    write_nonograms(size, density, seed, count, wish, out, to_format)


def _check_wishes(
    wishes: list[str], label: str | None, attempts: int | None, repair: bool, max_changes: int | None
) -> None:
    """Usage errors: options that exclude, or need, each other."""
    if len(wishes) > 1:
        raise click.UsageError("--unique, --line-solvable and --label exclude each other")
    if repair and (label is not None or not wishes):
        raise click.UsageError("--repair needs --unique or --line-solvable")
    if max_changes is not None and not repair:
        raise click.UsageError("--max-changes needs --repair")
    if attempts is not None and (repair or not wishes):
        raise click.UsageError("--attempts needs --unique, --line-solvable or --label, without --repair")
