"""``nonosat bench``: a thesis' tables, measured again."""

from __future__ import annotations

import click

from nonosat.cli.shared.telling import tell
from nonosat.progress import ticker


@click.command("bench")
@click.argument("folder")
@click.option("-o", "--output", "out", required=True, metavar="DIR", help="Folder for tables.md and tables.csv.")
@click.option("--limit", type=float, default=300.0, show_default=True, metavar="S", help="Wall seconds a run.")
@click.option("--runs", type=click.IntRange(min=3), default=5, show_default=True, help="Runs of each puzzle.")
@click.option("--table", "tables", multiple=True, metavar="N", help="Only table N (4.1 .. 4.4); may be repeated.")
def command(folder: str, out: str, limit: float, runs: int, tables: tuple[str, ...]) -> None:
    """Measure the tables 4.1-4.4 of Wałejko (2022) on the pictures in FOLDER, beside the thesis' figures.

    FOLDER has a picture or puzzle file for each of the thesis' names (or some of them), such as 20-cherries.png. Of the
    runs of a puzzle the fastest and the slowest are dropped. A solver that takes too long costs the limit, once.
    """
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
    tell(f"{out}: tables.md, tables.csv: {len(results)} cells, {len(puzzles)} puzzles")
