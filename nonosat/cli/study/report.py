"""``nonosat study report``: the result, figures and tables, on a page and as files for a paper."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from nonosat.cli.shared import completion, options
from nonosat.cli.shared.commands import SearchCommand
from nonosat.cli.shared.output import note
from nonosat.cli.shared.studies import store_of

if TYPE_CHECKING:
    from nonosat.progress import Ticker
    from nonosat.studies.analysis.sheets import TableStyle
    from nonosat.studies.analysis.style import Theme


def _measures(begun: str) -> Iterable[str]:
    from nonosat.studies.analysis.boards import BY

    return BY


RECORDS = (".sqlite", ".parquet", ".jsonl", ".csv")


@click.command("report", cls=SearchCommand)
@click.argument("files", nargs=-1, required=True, metavar="FILE...", shell_complete=completion.studies)
@options.out("DIR", "Where the page and its files go; else NAME-report.")
@click.option(
    *("--format", "formats"),
    type=click.Choice(["svg", "png", "pdf", "pgf"]),
    multiple=True,
    help="Kinds of files for the figures; may be given several times. [default: svg, png; of a paper pdf, too]",
)
@click.option(
    "--style",
    type=click.Choice(["page", "paper"]),
    default="page",
    show_default=True,
    help="paper: figures without a title inside, of the width and text of a paper, PNG with 300 dpi.",
)
@click.option(
    "--width",
    metavar="WIDTH",
    shell_complete=completion.nothing,
    help="Of a paper's figures and tables: 1 or 2 (columns), or such as 12cm. [default: figures 2, tables 12 cm]",
)
@click.option(
    "--font",
    metavar="NAME",
    shell_complete=completion.nothing,
    help="Of a paper's figures. [default: STIXGeneral, which is like Times]",
)
@click.option("--font-size", type=float, metavar="POINTS", help="Of a paper's figures. [default: 8]")
@click.option(
    "--by",
    default="total",
    show_default=True,
    metavar="MEASURE",
    shell_complete=completion.names_of(_measures),
    help="What the ranking is by: total (encoding, loading, solving), solve, conflicts, decisions or propagations.",
)
@click.option(
    "--columns",
    metavar="LIST",
    shell_complete=completion.nothing,
    help="Of tables as LaTeX, those to keep where they are: 'encoding,solver,PAR2 (CPU time),median'.",
)
@click.option(
    "--tables",
    type=click.Choice(["booktabs", "plain", "siunitx"]),
    default="booktabs",
    show_default=True,
    help="The packages that tables as LaTeX use: booktabs; none; or booktabs and siunitx.",
)
@click.option("--all", "every", is_flag=True, help="All figures, also those that most readers pass over.")
@options.store
@click.pass_obj
def command(
    show: Ticker, files: tuple[str, ...], out: str | None, formats: tuple[str, ...], style: str, width: str | None,
    font: str | None, font_size: float | None, by: str, columns: str | None, tables: str, every: bool,
    store: str | None,
) -> None:  # fmt: skip
    """Write the result of the study in FILE, its tables and figures, with a page that needs nothing else.

    FILE may also be a file of records: .sqlite, .parquet, .jsonl or .csv. The study may still be running. Stored runs
    that are not of the study as FILE states it now are left out; studies that share a store are named together. Tables
    are written as LaTeX (booktabs), Markdown and CSV, captions as text next to the figures.
    """
    if style == "page" and (width or font or font_size is not None):
        raise click.UsageError("--width, --font and --font-size are for --style paper")
    show("loading")
    from nonosat.errors import NonosatError
    from nonosat.studies.analysis import frames
    from nonosat.studies.analysis.report.write import PAGE_FORMATS, PAPER_FORMATS, write_report
    from nonosat.studies.analysis.style import PAGE
    from nonosat.studies.store import title_in
    from nonosat.studies.study import analysis_of

    (source, title, analysis), *others = (_source(file, store) for file in files)
    if others and (source in files or any(other != source for other, *_ in others)):
        raise click.UsageError("files that are reported together are studies that share a store")
    about, frame = frames.about(Path(source)), frames.load(source)
    state, strangers = _state(files, source)
    if strangers:
        frame = frame[~frame["key"].isin(strangers)].reset_index(drop=True)
        if frame.empty:
            raise NonosatError(
                f"{source}: all {len(strangers):,} runs are of another study than {' or '.join(files)} states now, or "
                f"of another version of nonosat: nonosat study report {source}"
            )
    title = title or title_in(about.toml) or Path(source).stem
    if analysis is None and frame["study"].nunique() == 1:
        analysis = analysis_of(frame["study"].dropna().iloc[0])
    theme = PAGE if style == "page" else _paper(width, font, font_size)
    page = write_report(
        frame, out or f"{Path(source).stem}-report", title,
        about.provenance, formats or (PAGE_FORMATS if style == "page" else PAPER_FORMATS),
        jobs=len(os.sched_getaffinity(0)), toml=about.toml, theme=theme, every=every, by=by,
        table_style=_tables(theme, width, columns, tables),
        analysis=analysis, progress=show, state=state,
    )  # fmt: skip
    show.hide()
    note(f"{page}")


def _state(files: tuple[str, ...], source: str) -> tuple[str, set[str]]:
    """What of the studies in ``files`` is left to run, in words, and the keys in their store that are of none of them;
    nothing of a file of records.
    """
    from nonosat.cli.study.status import strangers
    from nonosat.errors import NonosatError
    from nonosat.studies.session import LEFT, status
    from nonosat.studies.store import StoreReader
    from nonosat.studies.study import read

    if files == (source,):
        return "", set()
    try:
        with StoreReader(source) as reader:
            found = [status(read(file), reader, ["solver"]) for file in files]
    except NonosatError as error:  # its puzzle files are elsewhere
        return f"All stored runs are shown, whether they are of the study or not: {error}.", set()
    whole, left = sum(one.total.total() for one in found), sum(one.total[LEFT] for one in found)
    lines = [f"{left:,} of the study's {whole:,} runs are not done."] if left else []
    of_none = set.intersection(*(set(one.strangers) for one in found))
    if of_none:
        origin = " or ".join(Path(file).name for file in files)
        lines.append(f"{strangers(len(of_none), origin)}, and left out.")
    return " ".join(lines), of_none


def _source(file: str, store: str | None) -> tuple[str, str, Path | None]:
    """The file of records, and the title and the analysis that a study states."""
    from nonosat.errors import NonosatError
    from nonosat.studies.study import read

    if file.endswith(RECORDS):
        return file, "", None
    stated = read(file)
    path = store_of(stated, store, None)
    if store is None and not Path(path).exists():
        raise NonosatError(f"{path}: no such file: nonosat study run {file} makes it")
    return path, stated.title or stated.name, stated.analysis


def _tables(theme: Theme, width: str | None, columns: str | None, packages: str) -> TableStyle:
    """How tables are written as LaTeX: as wide as the figures of a paper, or for LaTeX's article."""
    from nonosat.studies.analysis.sheets import ARTICLE_PT, TableStyle

    kept = tuple(word.strip() for word in (columns or "").split(",") if word.strip())
    wide = ARTICLE_PT if theme.width is None or width is None else theme.width * 72.27
    rules: Any = "plain" if packages == "plain" else "booktabs"
    return TableStyle(wide, kept, rules, packages == "siunitx", spanning=width == "2")


def _paper(width: str | None, font: str | None, font_size: float | None) -> Theme:
    from nonosat.studies.analysis.style import COLUMNS, paper

    text = (width or "2").removesuffix("cm").strip()
    try:
        number = float(text)
    except ValueError:
        raise click.UsageError(f"--width {width}: expected 1, 2 or such as 12cm") from None
    width_cm = number if (width or "").endswith("cm") else COLUMNS.get(int(number) if number.is_integer() else 0)
    if width_cm is None:
        raise click.UsageError(f"--width {width}: expected 1, 2 or such as 12cm")
    return paper(width_cm, 8.0 if font_size is None else font_size, font or "STIXGeneral")
