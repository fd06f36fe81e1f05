"""The report as files: the page, the figures with their captions, and the tables.

A study may have an analysis of its own, a Python file with one or both of these functions:

    def sheets(study: ReportedStudy) -> Iterator[tuple[str, Sheet]]: ...        # (the page's section, table)
    def figures(study: ReportedStudy, every: bool) -> Iterator[Drawn]: ...

Its tables and figures stand on the page with those of any study.
"""

from __future__ import annotations

import re
import signal
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import replace
from html import escape
from itertools import chain
from multiprocessing import get_context
from pathlib import Path
from types import ModuleType
from typing import Any

import pandas as pd

from nonosat.errors import NonosatError, UnsupportedError
from nonosat.files import made_folder, shown, write_atomically
from nonosat.plugins import load_error, module_of
from nonosat.studies.analysis import html
from nonosat.studies.analysis.report import tables
from nonosat.studies.analysis.report.figures import Drawn, figures
from nonosat.studies.analysis.report.references import PREAMBLE, REFERENCES, references_of
from nonosat.studies.analysis.report.tables import ReportedStudy
from nonosat.studies.analysis.sheets import (
    TOO_WIDE,
    Sheet,
    TableStyle,
    columns_named,
    csv,
    escaped,
    latex,
    markdown,
    plain_columns,
)
from nonosat.studies.analysis.style import PAGE, Theme, TitledFigure, coloured, drawn_for, lacking, rendered
from nonosat.studies.analysis.summary import HEADS, MEANINGS, summarise

PAGE_FORMATS = ("svg", "png")
PAPER_FORMATS = ("pdf", "svg", "png")
TABLE_FORMS = ("tex", "md", "csv")
RESULT, WRONG, FORMULAS, MORE, PROVENANCE = "The result", "Wrong answers", "Formula sizes", "More tables", "Provenance"
Progress = Callable[[str], None]


def write_report(
    frame: pd.DataFrame,
    out_dir: str | Path,
    title: str,
    provenance: Mapping[str, Mapping[str, Any]] | None = None,
    formats: Sequence[str] = PAGE_FORMATS,
    seed: int = 0,
    jobs: int = 1,
    *,
    toml: str = "",
    theme: Theme = PAGE,
    every: bool = False,
    by: str = "total",
    table_style: TableStyle | None = None,
    analysis: Path | None = None,
    progress: Progress = lambda text: None,
    state: str = "",
) -> Path:
    """Write the report of ``frame`` (of ``frames.load``) into ``out_dir``, and return the path of its page.

    Figures go to ``figures/``, each with its caption as text, tables to ``tables/`` as LaTeX, Markdown and CSV.
    ``provenance`` and ``toml``: as ``reading.about`` has them. ``theme``: of ``theme``, such as ``paper(8.4)``.
    ``every``: also the figures that most readers pass over. ``by``: what is ranked by, one
    of ``boards.BY``. ``table_style``: of the tables as LaTeX; ``report.tex`` has all tables and figures, and
    ``report.bib`` what they rest on. ``analysis``: the study's own file (see above). ``state``: a sentence about how
    complete the records are.

    Equal records give equal bytes. If ``jobs`` is above 1, so many processes make the files; a script that asks for
    them needs ``if __name__ == "__main__"``, as with all of multiprocessing.

    Raises ``NonosatError`` if the folder cannot be written to or the analysis cannot be imported, and
    ``UnsupportedError``, when all else is written, if figures cannot be made in one of the ``formats`` (PGF needs
    LaTeX).
    """
    own = None if analysis is None else _loaded(analysis)
    out = Path(out_dir)
    for folder in (out / "figures", out / "tables"):
        made_folder(folder)
    unmade = {form: lack for form in formats if (lack := lacking(form))}
    formats = [form for form in formats if form not in unmade]
    study = ReportedStudy(frame, title, toml, provenance or {}, seed, by, state)
    if len(study.runs):
        study.clock  # noqa: B018 - a study that does not tell it is refused before anything is written
    sections: dict[str, list[str]] = {}
    if not study.right:
        sections[WRONG] = [f'<p class="alarm">{escape(tables.wrong_words(study))}</p>']
    sections[RESULT] = []
    with drawn_for(theme), coloured(study.names):
        drawn = chain(figures(study, every), _called(own, "figures", study, every))
        files = _rendered(drawn, tuple(dict.fromkeys(("svg", *formats))), jobs)
        progress("tables")
        more = _write_tables(study, own, sections, out, progress, table_style)
        unmade |= _write_figures(files, sections, out, formats, progress)
    sections[MORE] = more
    if text := tables.provenance_table(study):
        sections[PROVENANCE] = [text]
    index = out / "index.html"
    parts = [(head, "".join(inside)) for head, inside in sections.items() if inside]
    write_atomically(index, html.page(title, tables.opening(study), parts))
    _write_paper(study, out, title, theme, table_style or TableStyle())
    if unmade:
        text = "; ".join(f"figures are missing as {form.upper()}: {why}" for form, why in unmade.items())
        raise UnsupportedError(f"{shown(index)} is written, with all that could be made; {text}")
    return index


def _loaded(path: Path) -> ModuleType:
    """A study's analysis. NonosatError: there is no such file, or it cannot be imported."""
    try:
        return module_of(path.absolute())
    except (Exception, SystemExit) as error:
        raise NonosatError(load_error(error, str(path.absolute()), shown(path))) from None


def _called(own: ModuleType | None, function: str, *arguments: object) -> Iterator[Any]:
    """What a function of a study's analysis yields; nothing if there is none."""
    return iter(getattr(own, function, lambda *_: ())(*arguments))


def _write_tables(
    study: ReportedStudy, own: ModuleType | None, sections: dict[str, list[str]], out: Path, progress: Progress,
    table_style: TableStyle | None,
) -> list[str]:  # fmt: skip
    """The tables as files and in their sections; given back are those that come last on the page."""
    more: list[str] = []
    names: set[str] = set()
    every = list(sheets(study, own))
    _check_columns([made for _, made in every], table_style.columns if table_style else ())
    for section, made in every:
        progress(f"table {made.name}")
        name = _unique(made.name, names)
        texts = (latex(made, table_style), markdown(made), csv(made.frame))
        for form, text in zip(TABLE_FORMS, texts, strict=True):
            write_atomically(out / f"tables/{name}.{form}", text)
        text = html.sheet(made, {form: f"tables/{name}.{form}" for form in TABLE_FORMS})
        if section == RESULT and not sections[RESULT]:
            words = escape(" ".join(tables.paragraph(study, tables.differences_table(study))))
            first = escape(study.names[0]) if study.names else ""
            bold = f"<b>{first}</b>{words.removeprefix(first)}" if first and words.startswith(first) else words
            sections[RESULT].append(f'<p class="result">{bold}</p>\n')
        (more if section == MORE else sections.setdefault(section, [])).append(text)
    return more


def _check_columns(made: Sequence[Sheet], names: Sequence[str]) -> None:
    """UnsupportedError: some of ``names`` are columns of no table."""
    used = {at for sheet in made for at in columns_named(sheet, names)[1]}
    if lost := [name for at, name in enumerate(names) if at not in used]:
        known = dict.fromkeys(column.head for sheet in made if sheet.name != "groups" for column in sheet.columns)
        heads = "; ".join(head for head in known if head)
        raise UnsupportedError(f"no table has a column {' nor '.join(map(repr, lost))}; there are: {heads}")


def _write_figures(
    files: Iterable[tuple[Drawn, Made]], sections: dict[str, list[str]], out: Path, formats: Sequence[str],
    progress: Progress,
) -> dict[str, str]:  # fmt: skip
    """The figures as files and in their sections; given back is why some could not be made, by their format."""
    names: set[str] = set()
    unmade: dict[str, str] = {}
    for drawn, (made, faults) in files:
        unmade = {**faults, **unmade}
        progress(f"figure {len(names) + 1}: {drawn.figure.title}")
        name = _unique(drawn.name, names)
        links = {form: f"figures/{name}.{form}" for form in formats if form in made}
        for form, path in links.items():
            write_atomically(out / path, made[form])
        write_atomically(out / f"figures/{name}.txt", drawn.figure.caption + "\n")
        sections.setdefault(drawn.section, []).append(html.picture(made["svg"], drawn.figure.caption, links))
    return unmade


TOGETHER = 4
"""Tables and figures that LaTeX may place freely: it holds 18 at most that have no place yet."""


def _write_paper(study: ReportedStudy, out: Path, title: str, theme: Theme, style: TableStyle) -> None:
    """``report.tex``, which compiles by itself, and ``report.bib``."""
    width = f"{style.width_pt:g}pt" if theme.width is None else f"{theme.width * 72.27:.1f}pt"
    packages = ["[T1]{fontenc}", "{textcomp}", "{graphicx}", "{rotating}", "{cite}", "{url}"]
    packages += ["{booktabs}"] * (style.rules == "booktabs") + ["{siunitx}"] * style.siunitx
    figures_ = []
    for caption in sorted((out / "figures").glob("*.txt")):
        found = next((form for form in ("pdf", "png") if caption.with_suffix(f".{form}").exists()), None)
        if found is not None:
            words = escaped(" ".join(caption.read_text(encoding="utf-8").split()))
            name = f"figures/{caption.stem}"
            figures_.append(
                "\\begin{figure}[htbp]\n\\centering\n"
                f"\\includegraphics[width=\\linewidth,height=0.8\\textheight,keepaspectratio]{{{{{name}}}.{found}}}\n"
                f"\\caption{{{words}}}\n\\label{{fig:{re.sub('[^A-Za-z0-9]', '-', caption.stem)}}}\n"
                "\\end{figure}\n"
            )
    tables_, wide = [], []
    for path in sorted((out / "tables").glob("*.tex")):
        if TOO_WIDE in path.read_text(encoding="utf-8").partition("\\begin")[0]:
            wide.append(path.stem)
        else:
            tables_.append(f"\\input{{tables/{path.stem}}}\n")
    left = f"Too wide for a page: {', '.join(f'tables/{name}.csv' for name in wide)}." if wide else ""
    floats = [*tables_, *figures_]
    body = "\\clearpage\n".join("".join(floats[at : at + TOGETHER]) for at in range(0, len(floats), TOGETHER))
    keys = references_of(study)
    text = escaped(" ".join(tables.paragraph(study, tables.differences_table(study)))) if len(study.runs) else ""
    head = "\n".join(f"\\usepackage{package}" for package in packages)
    write_atomically(
        out / "report.tex",
        f"% pdflatex report; bibtex report; pdflatex report; pdflatex report\n\\documentclass{{article}}\n{head}\n"
        "\\IfFileExists{lmodern.sty}{\\usepackage{lmodern}}{}\\emergencystretch=6em\n"
        f"\\usepackage[textwidth={width},textheight=600pt]{{geometry}}\n\\begin{{document}}\n"
        f"\\title{{{escaped(title)}}}\\author{{}}\\date{{}}\\maketitle\n{text}\n\n"
        f"Made by nonosat~\\cite{{{','.join(keys)}}}. {escaped(left)}\n"
        f"{body}\\clearpage\n"
        "\\bibliographystyle{plain}\n\\bibliography{report}\n\\end{document}\n",
    )
    write_atomically(out / "report.bib", "\n".join((PREAMBLE, *(REFERENCES[key] for key in keys))))


def sheets(study: ReportedStudy, own: ModuleType | None = None) -> Iterator[tuple[str, Sheet]]:
    """(section, table), in the page's order; ``own``: the study's analysis."""
    names = study.whole["study"].dropna().unique()
    for section, made in _sheets(study, own):
        yield section, replace(made, study=str(names[0]) if len(names) == 1 else "")


def _sheets(study: ReportedStudy, own: ModuleType | None) -> Iterator[tuple[str, Sheet]]:
    if study.runs.empty:
        return
    if not study.right:
        yield WRONG, tables.wrong_sheet(study)
    yield RESULT, tables.ranking_sheet(study)
    table = tables.differences_table(study)
    if len(table):
        yield RESULT, tables.differences_sheet(study, table)
    more = (
        (tables.objectives_sheet(study), RESULT),
        (tables.crossed_sheet(study), RESULT),
        (tables.selection_sheet(study), RESULT),
        (tables.collections_sheet(study), RESULT),
        (tables.formulas_sheet(study), FORMULAS),
    )
    for made, section in more:
        if made is not None:
            yield section, made
    for made in tables.axis_sheets(study):
        yield MORE, made
    yield from _called(own, "sheets", study)
    by = ["solver", "label", *(axis.name for axis in study.axes if axis.name != "file")]
    groups = summarise(
        study.runs.assign(**{axis.name: axis.of for axis in study.axes}), by, study.seed, study.times.column
    )
    caption = "All groups of runs: what was counted, means without what a limit ended, and times that heed limits."
    paper = {*by, "runs", "solved", "par2_s", "km_median_s"}
    columns = [replace(column, minor=column.name not in paper) for column in plain_columns(groups, MEANINGS, HEADS)]
    yield MORE, Sheet("groups", caption, groups, columns)


Made = tuple[dict[str, bytes], dict[str, str]]
"""Of a figure its files by their formats, and of formats in which it cannot be made why."""


def _rendered(figures: Iterable[Drawn], formats: tuple[str, ...], jobs: int) -> Iterator[tuple[Drawn, Made]]:
    """Each figure with its files; matplotlib takes most of a second for one, so that other processes may do it."""
    if jobs == 1:
        for drawn in figures:
            yield drawn, _files(drawn.figure, formats)
        return
    # Not forked from here: numpy's threads may hold locks.
    workers = ProcessPoolExecutor(jobs, get_context("spawn"), _leave_interrupts)
    try:
        made: list[tuple[Drawn, Future[Made]]] = [
            (drawn, workers.submit(_files, drawn.figure, formats)) for drawn in figures
        ]
        for drawn, files in made:
            yield drawn, files.result()
    finally:
        workers.shutdown(cancel_futures=True)


def _leave_interrupts() -> None:
    """Ctrl-C is for the process that waits."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _files(figure: TitledFigure, formats: tuple[str, ...]) -> Made:
    made: dict[str, bytes] = {}
    faults: dict[str, str] = {}
    for form in formats:
        try:
            made[form] = rendered(figure, form)
        except UnsupportedError as error:
            faults[form] = str(error)
    return made, faults


def _unique(name: str, names: set[str]) -> str:
    base = re.sub(r"[^A-Za-z0-9+-]+", "-", name).strip("-")[:80] or "figure"
    found, number = base, 2
    while found in names:
        found, number = f"{base}-{number}", number + 1
    names.add(found)
    return found
