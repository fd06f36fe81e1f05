"""The report of a study: its page, what it draws and leaves out, its files for a paper."""

from __future__ import annotations

import itertools
import json
import math
import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from castilho2018 import analysis as report_figures
from click.testing import CliRunner
from matplotlib.text import Text
from records_made import record, stopped, study
from sampling import spread

from nonosat.cli import cli
from nonosat.errors import NonosatError
from nonosat.studies.analysis import axes, plots, style, summary
from nonosat.studies.analysis.frames import load
from nonosat.studies.analysis.intervals import wilson
from nonosat.studies.analysis.lines import OPEN, PlotLine
from nonosat.studies.analysis.report import references, tables
from nonosat.studies.analysis.report.figures import figures
from nonosat.studies.analysis.report.tables import ReportedStudy
from nonosat.studies.analysis.report.write import sheets, write_report
from nonosat.studies.analysis.sheets import TOO_WIDE, Column, Sheet, TableStyle, columns_named, latex, markdown, points
from nonosat.studies.analysis.style import TitledFigure, drawn, logarithmic, shortened
from nonosat.studies.study import EXAMPLES

HOSTILE = "</script><img src=x onerror=alert(1)> $\\frac{a$ \x1b[31m & \"'"
OWN = ("tight+r3", "automaton+support", "tight+r3+mine", "weird")
THEMES = {"alone": style.ALONE, "page": style.PAGE, "column": style.paper(8.4), "columns": style.paper(17.8)}


class Page(HTMLParser):
    """Every element that is opened is closed, in order."""

    VOID = ("meta", "img", "link")

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def needs_latex(*packages: str) -> None:
    """Skip the test where pdfLaTeX or one of the packages is not installed."""
    if shutil.which("pdflatex") is None:
        pytest.skip("no LaTeX here: Debian has it as texlive-latex-recommended")
    for package in packages:
        found = subprocess.run(["kpsewhich", f"{package}.sty"], stdout=subprocess.DEVNULL, check=False)
        if found.returncode:
            pytest.skip(f"LaTeX without {package} here: Debian has it in texlive-pictures or texlive-science")


def read(path: Path) -> Page:
    page = Page()
    page.feed(path.read_text(encoding="utf-8"))
    page.close()
    assert page.open == []
    return page


def own() -> list[dict[str, Any]]:
    """A study of encodings that the report of 2018 has never heard of, two solvers, and puzzles from files."""
    rows = [dict(r) for r in study(boards=3, densities=(0.3, 0.5), encodings=OWN, solvers=("minisat22", "cpsat"))]
    for name, solver in itertools.product(OWN, ("minisat22", "cpsat")):
        for number in range(3):
            told = {"instance": f"file/{number}/1", "source": f"{number}.mk", "density": None, "seed": None}
            made = stopped if number == 2 and solver == "cpsat" else record
            seconds = {} if made is stopped else {"solve_s": 0.1 * (number + 1)}
            named = {"encoding": name, "parts": None, "solver": solver, "key": f"f{name}{number}{solver}"}
            rows.append(dict(made(**told, **seconds, **named)))
    return [{**row, "variables": 100, "clauses": 300 + len(str(row["encoding"]))} for row in rows]


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    return load(own())


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("report")
    provenance = {"id": {"versions": {"nonosat": "9.9"}, "machine": {"cpu": "A processor", "cores": 2}}}
    return write_report(load(own()), out, "A study", provenance, formats=("svg",), toml='title = "<A>"')


@pytest.mark.slow
def test_the_page_begins_with_the_question_and_the_result(written: Path) -> None:
    page = read(written)
    places = [page.text.index(word) for word in ("A study", "15 puzzles", "9.9", "The result", "Formula sizes")]
    assert places == sorted(places)
    assert "Wrong answers" not in page.text
    assert "Castilho" not in page.text
    assert '{"versions"' not in page.text
    assert re.search(r"\S+ · minisat22 solved \d+ of \d+ runs, PAR2", page.text)
    for name in OWN:
        assert name in page.text
    links = [str(attrs["href"]) for tag, attrs in page.seen if tag == "a" and not str(attrs["href"]).startswith("#")]
    assert links
    assert all((written.parent / link).is_file() for link in links)
    assert not [attrs for _, attrs in page.seen if str(attrs.get("src", "")).startswith("http")]


@pytest.mark.slow
def test_a_study_brings_tables_and_figures_of_its_own(tmp_path: Path) -> None:
    made = tmp_path / "mine.py"
    made.write_text(
        "from nonosat.studies.analysis.sheets import Column, Sheet\n"
        "def sheets(study):\n"
        "    table = study.runs.groupby('solver', as_index=False)['decisions'].max()\n"
        "    columns = [Column('solver', 'solver'), Column('decisions', 'most', 'count')]\n"
        "    yield 'Mine', Sheet('mine', 'The most decisions.', table, columns, True)\n"
    )
    page = read(write_report(load(own()), tmp_path / "out", "x", formats=(), analysis=made)).text
    assert "The most decisions." in page
    assert (tmp_path / "out/tables/mine.csv").read_text().startswith("solver,decisions\n")
    for text, reason in (
        ("def sheets(:", ":1: SyntaxError"),
        ("import nix", ":1: ModuleNotFoundError"),
        (None, ": no such file"),
    ):
        made.unlink() if text is None else made.write_text(text)
        with pytest.raises(NonosatError, match=rf"mine\.py{reason}"):
            write_report(load(own()), tmp_path / "out", "x", formats=(), analysis=made)


def test_a_file_of_records_has_the_analysis_of_the_study_of_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    pytest.importorskip("pyarrow")
    load(own()).assign(study="mine").drop(columns=["size"]).to_parquet("some.parquet")
    (tmp_path / "experiments/mine").mkdir(parents=True)
    text = (EXAMPLES / "encodings-small.toml").read_text(encoding="utf-8")
    (tmp_path / "experiments/mine/mine.toml").write_text('analysis = "own.py"\n' + text, encoding="utf-8")
    done = CliRunner().invoke(cli, ["study", "report", "some.parquet", "--format", "svg"])
    assert str(done.exception) == "experiments/mine/own.py: no such file"
    done = CliRunner().invoke(cli, ["study", "report", "some.parquet", "--style", "paper", "--font-size", "0"])
    assert str(done.exception).startswith("text of 0 points: expected")
    assert not (tmp_path / "some-report").exists()


def test_every_table_and_caption_is_beside_the_page(written: Path) -> None:
    tables, drawings = ({path.name for path in (written.parent / name).iterdir()} for name in ("tables", "figures"))
    for name in ("result", "differences", "formulas", "by-size", "by-density", "by-file", "encodings-by-solvers"):
        assert {f"{name}.tex", f"{name}.csv", f"{name}.md"} <= tables
    assert {name.replace(".svg", ".txt") for name in drawings if name.endswith(".svg")} < drawings
    assert "limit" in (written.parent / "tables/result.tex").read_text(encoding="utf-8")
    assert "runs" in (written.parent / "figures/cactus.txt").read_text(encoding="utf-8")


@pytest.mark.slow
def test_wrong_answers_come_first(tmp_path: Path) -> None:
    rows = study(sizes=(10,), boards=3, encodings=("2/3", "2/6"))
    page = read(write_report(load(rows), tmp_path, "x", formats=())).text
    assert page.index("Wrong answers") < page.index("The result")
    assert "15 of 30 runs gave a wrong answer" in page
    assert "one of these has a bug" in page  # the made records say that the encoding is sound


def lines_of(drawing: TitledFigure) -> set[str]:
    return {text.get_text() for legend in drawing.legends for text in legend.get_texts()}


@pytest.mark.slow
def test_every_encoding_has_a_line_along_every_axis_whatever_its_name(frame: pd.DataFrame) -> None:
    made = {drawn.name: drawn.figure for drawn in figures(ReportedStudy(frame, "x"))}
    for axis in ("size", "density"):
        [name] = [name for name in made if name.startswith(f"encodings-by-{axis}")]
        assert lines_of(made[name]) == set(OWN)
    assert "by-file" in made


@pytest.mark.slow
def test_more_encodings_than_a_panel_holds_are_on_several_figures() -> None:
    many = tuple(f"own+{number}" for number in range(12))
    made = list(figures(ReportedStudy(load(study(boards=2, densities=(0.3, 0.5), encodings=many)), "x")))
    shown = [lines_of(drawn.figure) for drawn in made if drawn.name.startswith("encodings-by-size")]
    assert len(shown) == 2
    assert set.union(*shown) == set(many)


def test_one_configuration_on_one_board_has_no_figure() -> None:
    assert list(figures(ReportedStudy(load([record()]), "x"))) == []
    one_axis = list(figures(ReportedStudy(load(study(sizes=(10,), densities=(0.4,), encodings=("a", "b"))), "x")))
    assert {drawn.section for drawn in one_axis} == {"Solvers and encodings"}


def test_skyscrapers_and_parameters_of_plug_ins_are_axes_too() -> None:
    rows = []
    for level, knob, solver in itertools.product((0, 8), ("low", "high"), ("phases", "cpsat")):
        told = {
            "instance": f"x/{level}/{knob}",
            "kind": "skyscrapers",
            "rows": 4 + level // 4,
            "columns": 4 + level // 4,
        }
        parameters = json.dumps({"level": str(level), "knob": knob})
        rows.append(record(**told, parameters=parameters, level=level, density=None, encoding=None, parts=None,
                           solver=solver, family="own", key=f"{level}{knob}{solver}"))  # fmt: skip
    frame = load(rows)
    assert [axis.name for axis in axes.axes_of(frame)] == ["size", "knob"]  # a level is a size here
    names = {drawn.name for drawn in figures(ReportedStudy(frame, "x"))}
    assert {"solvers-by-size", "solvers-by-knob"} <= names


def test_shares_of_colours_are_distinguished() -> None:
    told = {"0.4": 1, "0.2+0.2": 2, "0.3": 1}
    rows = [
        record(instance=text, key=text, colours=count, density=0.3 if text == "0.3" else 0.4,
               parameters=json.dumps({"density": text}))
        for text, count in told.items()
    ]  # fmt: skip
    [axis] = axes.axes_of(load(rows))
    assert axis.values == ("30", "20+20", "40")


# honest lines


def test_a_group_without_a_result_breaks_the_line_and_is_open_on_the_limit() -> None:
    rows = [*study(sizes=(20,), boards=3, densities=(0.3, 0.5), encodings=("2/3",))]
    rows += [stopped(instance=f"d/{at}", key=f"d{at}", density=0.4, encoding="2/3", parts=None) for at in range(3)]
    frame = load(rows)
    line = report_figures.line_of(frame, "3", "time_s", report_figures.look(0))
    assert [math_is_known(y) for y in line.y] == [True, False, True]
    assert list(line.beyond) == [40.0]
    drawn = plots.along(frame, next(a for a in axes.axes_of(frame) if a.name == "density"), clock=None)
    assert "stand side by side" not in drawn.caption
    assert "of 3 boards a point" in drawn.caption
    told = [item for item in drawn.axes[0].lines if item.get_markerfacecolor() == "white"]
    assert len(told) == 1
    curve = drawn.axes[0].lines[0].get_ydata()
    assert [math_is_known(float(y)) for y in curve] == [True, False, True]


def test_a_density_that_was_not_run_breaks_the_line_without_an_arrow() -> None:
    frame = load(study(sizes=(20,), boards=3, densities=(0.3, 0.5), encodings=("2/3",)))
    for made in (report_figures.line_of, report_figures.medians):
        line = made(frame, "3", "time_s", report_figures.look(0), 0.0, (0.3, 0.4, 0.5))
        assert list(line.x) == [30.0, 40.0, 50.0]
        assert [math_is_known(y) for y in line.y] == [True, False, True]
        assert list(line.beyond) == []


def math_is_known(value: float) -> bool:
    return value == value and value < float("inf")


def test_line_markers_and_intervals_are_drawn_where_the_values_are() -> None:
    line = PlotLine("a", [1, 2], [3, float("inf")], report_figures.look(0), low=[2, 2], high=[4, float("inf")])
    figure, (panel,) = rendering_of_one()
    report_figures.draw_lines(panel, [line])
    drawn = [tuple(item.get_xydata().ravel()) for item in panel.lines]
    assert (1.0, 2.0, 1.0, 4.0) in drawn
    assert figure.caption == "A title. 3 runs."


def test_an_interval_without_an_upper_end_is_drawn_with_an_open_end() -> None:
    look = report_figures.look(0)
    for limit, top in ((math.nan, 3.0), (10.0, 10.0)):
        line = PlotLine("a", [1, 2], [3, 3], look, low=[2, 2], high=[math.inf, 4], limit=limit)
        _, (panel,) = rendering_of_one()
        report_figures.draw_lines(panel, [line])
        arrows = [item.get_xydata().tolist() for item in panel.lines if item.get_marker() is OPEN]
        assert arrows == [[[1.0, top]]]
        assert (1.0, 2.0, 1.0, top) in [tuple(item.get_xydata().ravel()) for item in panel.lines]


def timed(*seconds: float | None, **values: Any) -> list[dict[str, Any]]:
    """Boards of two sizes and densities with these times each; None: over the limit of 10 s."""
    rows = []
    for size, density, (at, time) in itertools.product((10, 20), (0.3, 0.5), enumerate(seconds)):
        told = {"instance": f"d/{size}/{density}/{at}", "density": density, "rows": size, "columns": size, **values}
        told["key"] = f"{size}/{density}/{at}/{told.get('encoding')}"
        rows.append(dict(stopped(**told) if time is None else record(solve_s=time, **told)))
    return rows


ARROWS, BARS = "Open markers on the limit", "Bars that end in an arrow"
HOLLOW, OVER, BRACKETS = "hollow", ">: half of the runs", "in brackets solved of runs"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seconds", "told"),
    spread(
        [
            ([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8], set()),
            ([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, None], {HOLLOW, BRACKETS}),
            ([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, None, None], {BARS, HOLLOW, BRACKETS}),
            ([0.1, 0.2, 0.3, 0.4, None, None, None, None], {ARROWS, HOLLOW, OVER, BRACKETS}),
        ],
        2,
    ),
)
def test_captions_name_what_is_drawn_and_nothing_else(seconds: list[float | None], told: set[str]) -> None:
    """Runs over the limit are in three of the studies; arrows, open bars and the like only where they are drawn."""
    frame = load(timed(*seconds, encoding="2/3", parts=None) + timed(*[0.5] * 8, encoding="2/5", parts=None))
    known = {axis.name: axis for axis in axes.axes_of(frame)}
    along = plots.along(frame, known["density"], known["size"])
    assert "stand side by side" in along.caption  # 2/3 and 2/5
    models = frame.assign(kind="model")
    assert " models a point" in plots.along(models, known["density"], known["size"]).caption
    marks = [item.get_marker() for panel in along.axes for item in panel.lines]
    assert (BARS in along.caption) == (OPEN in marks) == (BARS in told)
    white = [item for panel in along.axes for item in panel.lines if item.get_markerfacecolor() == "white"]
    assert (ARROWS in along.caption) == bool(white) == (ARROWS in told)
    heat = plots.heat(frame, "minisat22", "median")
    assert (OVER in heat.caption) == (OVER in told)
    by_axis = [made.caption for _, made in sheets(ReportedStudy(frame, "x")) if made.name.startswith("by-")]
    assert by_axis
    assert {BRACKETS in caption for caption in by_axis} == {BRACKETS in told}
    files = frame.assign(instance="file/" + frame["instance"], source=frame["instance"] + ".mk", density=math.nan)
    file = next(axis for axis in axes.axes_of(files) if axis.name == "file")
    assert (HOLLOW in plots.by_file(files, file).caption) == (HOLLOW in told)
    assert " a board, the hardest above" in plots.by_file(files, file).caption
    assert " a model, the hardest above" in plots.by_file(files.assign(kind="model"), file).caption
    castilho = report_figures.time_by_size(frame, "minisat22").caption
    assert ("open marker" in castilho) == ("on the limit: all were" in castilho or None in seconds)
    assert "✗" not in castilho
    assert (BARS in castilho) == (BARS in told)
    assert (ARROWS in castilho) == (ARROWS in told)


def test_a_limit_on_time_is_none_on_decisions() -> None:
    frame = load(timed(0.1, 0.2, 0.3, 0.4, 0.5, 0.6, None, None, encoding="2/3", parts=None))
    for made in (report_figures.line_of, report_figures.medians):
        assert math.isnan(made(frame, "3", "decisions", report_figures.look(0)).limit)
        assert made(frame, "3", "time_s", report_figures.look(0)).limit == 10


def rendering_of_one() -> tuple[TitledFigure, Any]:
    from nonosat.studies.analysis.style import drawn

    return drawn("A title", "3 runs.")


OTHERS = [pytest.param(name, marks=pytest.mark.nightly) for name in THEMES if name != "column"]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["column", *OTHERS])
def test_nothing_is_clipped_and_no_two_words_overlap(name: str, frame: pd.DataFrame) -> None:
    """On every figure of a study, at every width that there is."""
    with style.drawn_for(THEMES[name]):
        made = [drawn.figure for drawn in figures(ReportedStudy(frame, "x"), every=name == "column")]
        made += [report_figures.time_by_size(load(study(boards=2)), "minisat22")]
    for drawing in made:
        drawing.draw_without_rendering()
        whole = drawing.bbox
        hidden = undrawn(drawing)
        texts = [text for text in drawing.findobj(Text) if text.get_text() and text.get_visible()]
        words = [(text, text.get_window_extent()) for text in texts if id(text) not in hidden]
        for text, box in words:
            inside = (
                whole.x0 - 2 <= box.x0 and box.x1 <= whole.x1 + 2 and whole.y0 - 2 <= box.y0 and box.y1 <= whole.y1 + 2
            )
            assert inside, f"{drawing.title}: {text.get_text()!r} is clipped"
        for (one, a), (two, b) in itertools.combinations(words, 2):
            wide, high = min(a.x1, b.x1) - max(a.x0, b.x0), min(a.y1, b.y1) - max(a.y0, b.y0)
            assert min(wide, high) < 2.5, f"{drawing.title}: {one.get_text()!r} and {two.get_text()!r} overlap"


def undrawn(drawing: TitledFigure) -> set[int]:
    """The texts of ticks that are not drawn."""
    found = set()
    for axis in (axis for panel in drawing.axes for axis in (panel.xaxis, panel.yaxis)):
        drawn = axis._update_ticks()
        left = [tick for tick in (*axis.majorTicks, *axis.minorTicks) if tick not in drawn]
        found |= {id(label) for tick in left for label in (tick.label1, tick.label2)}
    return found


# for papers


def test_a_papers_figures_have_its_width_its_font_and_no_title(frame: pd.DataFrame) -> None:
    with style.drawn_for(style.paper(8.5, 9, "DejaVu Serif")):
        drawn = plots.cactus(frame, "configuration")
    assert drawn.get_figwidth() == pytest.approx(8.5 / 2.54)
    assert drawn.get_suptitle() == ""
    fonts = {text.get_fontname() for text in drawn.findobj(Text) if text.get_text()}
    assert fonts == {"DejaVu Serif"}
    assert f"{len(frame)} runs" in drawn.caption
    with style.drawn_for(style.paper(8.5)):
        assert plots.cactus(frame, "configuration").dpi == 300


@pytest.mark.parametrize("words", [{"width_cm": 1}, {"size": 6}, {"size": 99}, {"font": "No Such Font"}])
def test_what_no_paper_has_is_refused(words: dict[str, Any]) -> None:
    with pytest.raises(NonosatError):
        style.paper(**words)


def test_a_table_has_one_format_a_column_and_marks_the_best() -> None:
    rows = pd.DataFrame(
        {"a": ["x_1", "y & z", "all"], "t": [0.5, 12.25, 0.1], "low": [0.4, 10, None], "high": [0.6, 15, None]}
    )
    columns = [Column("a", "name"), Column("t", "time", "seconds", "low", "high", best="least")]
    sheet = Sheet("times", "Times of 2 things.", rows, columns, aside=1)
    assert sheet.heads() == ["name", "time, s"]
    assert [row[1].text for row in sheet.cells()] == ["0.500 [0.400, 0.600]", "12.250 [10.000, 15.000]", "0.100"]
    text = latex(sheet)
    assert r"x\_1 & \textbf{0.500 [0.400, 0.600]} \\" in text
    assert text.count(r"\midrule") == 2
    assert r"y \& z" in text
    assert "| x_1 | **0.500 [0.400, 0.600]** |" in markdown(sheet)
    short = Sheet("s", "", rows.assign(t=[0.05, 0.2, 0.01], low=None, high=None), columns)
    assert short.heads()[1] == "time, ms"


def test_a_long_table_is_continued_on_the_next_page() -> None:
    rows = pd.DataFrame({"name": [f"row {number}" for number in range(100)], "number": range(100)})
    text = latex(
        Sheet("long", "Rows.", rows, [Column("name", "name"), Column("number", "number", "count")], note="End")
    )
    assert text.count(r"\begin{table}") == text.count(r"\end{table}") == text.count(r"\toprule") == 3
    assert text.count(r"\caption{Rows. (Continued.)}") == text.count(r"\addtocounter{table}{-1}") == 2
    assert text.count(r"\label{tab:long}") == 1
    assert text.count("End") == 1
    assert [int(number) for number in re.findall(r"row (\d+) &", text)] == [*range(100)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("table_style", "packages"),
    [
        (TableStyle(), "booktabs"),
        (TableStyle(245, rules="plain"), "textcomp"),
        (TableStyle(245, siunitx=True), "booktabs,siunitx,rotating"),
        (TableStyle(500, spanning=True), "booktabs,rotating"),
    ],
)
def test_all_tables_compile_in_latex(
    table_style: TableStyle, packages: str, frame: pd.DataFrame, tmp_path: Path
) -> None:
    needs_latex("textcomp", "geometry", *packages.split(","))
    made = [sheet for _, sheet in sheets(ReportedStudy(frame, "x"))]
    made += [sheet for _, sheet in sheets(ReportedStudy(load(study(boards=3)), "y"))]
    made.append(
        Sheet("odd", HOSTILE.replace("\x1b", ""), pd.DataFrame({"a": ["Wałejko ✗ ≥ ∞ 漢 _^~"]}), [Column("a", "&%")])
    )
    made.append(Sheet("long", "Long.", pd.DataFrame({"a": range(100)}), [Column("a", "a", "count")]))
    for number, sheet in enumerate(made):
        (tmp_path / f"{number}.tex").write_text(latex(sheet, table_style), encoding="utf-8")
    fitting = [number for number, sheet in enumerate(made) if TOO_WIDE not in latex(sheet, table_style)]
    assert len(fitting) > len(made) / 2
    inputs = "\n".join(rf"\input{{{number}}}\clearpage" for number in fitting)
    columns = "twocolumn" if table_style.spanning else ""
    head = rf"\documentclass[{columns}]{{article}}\usepackage[T1]{{fontenc}}\usepackage{{textcomp,{packages}}}"
    head += rf"\usepackage[textwidth={table_style.width_pt}pt,textheight=600pt]{{geometry}}"
    (tmp_path / "all.tex").write_text(f"{head}\n\\begin{{document}}\n{inputs}\n\\end{{document}}\n", encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "all.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    said = done.stdout.decode(errors="replace")
    assert done.returncode == 0, said[-2000:]
    assert "Float too large" not in said
    assert "Overfull" not in said


@pytest.mark.slow
def test_pgf_is_for_latex(frame: pd.DataFrame, tmp_path: Path) -> None:
    needs_latex("pgf")
    with style.drawn_for(style.paper(8.5)):
        (tmp_path / "f.pgf").write_bytes(style.rendered(plots.cactus(frame, "configuration"), "pgf"))
    text = "\\documentclass{article}\\usepackage{pgf}\n\\begin{document}\n\\input{f.pgf}\n\\end{document}\n"
    (tmp_path / "all.tex").write_text(text, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "all.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout.decode(errors="replace")[-2000:]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("latex_says", "told"),
    [
        pytest.param(None, "figures are missing as PGF: no pdflatex is found", marks=pytest.mark.slow),
        (
            "! LaTeX Error: File `pgf.sty' not found.",
            "LaTeX Error: File `pgf.sty' not found. (it needs LaTeX with pgf)",
        ),
    ],
)
def test_pgf_without_latex_leaves_all_else(latex_says: str | None, told: str, tmp_path: Path) -> None:
    """Neither a machine without LaTeX, nor one whose LaTeX lacks the package pgf."""
    (tmp_path / "bin").mkdir()
    if latex_says is not None:
        (tmp_path / "bin/pdflatex").write_text(f'#!/bin/sh\necho "{latex_says}"\nexit 1\n'.replace("`", "\\`"))
        (tmp_path / "bin/pdflatex").chmod(0o755)
    (tmp_path / "few.jsonl").write_text("".join(json.dumps(row) + "\n" for row in timed(0.1, 0.2, 0.3)))
    command = [sys.executable, "-m", "nonosat", "study", "report", "few.jsonl", "-o", "out"]
    command += ["--format", "pgf", "--format", "pdf", "--format", "png"]
    paths = {**os.environ, "PATH": f"{tmp_path / 'bin'}:/nowhere"}
    # /bin/sh is named by its path, and the package needs no other program
    done = subprocess.run(command, cwd=tmp_path, env=paths, capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stderr
    line = done.stderr.strip().splitlines()[-1]
    assert line.startswith("nonosat: out/index.html is written, with all that could be made; ")
    assert line.endswith(told)
    assert "Traceback" not in done.stderr
    page = read(tmp_path / "out/index.html")
    figures_ = sorted((tmp_path / "out/figures").iterdir())
    assert {path.suffix for path in figures_} == {".pdf", ".png", ".txt"}
    assert (tmp_path / "out/tables/result.tex").is_file()
    assert not [attrs for tag, attrs in page.seen if tag == "a" and str(attrs["href"]).endswith(".pgf")]


# the page holds what comes


@pytest.mark.slow
def test_the_tables_are_the_same_bytes_whatever_the_order_of_the_runs(written: Path) -> None:
    study_ = ReportedStudy(load(own()[::-1]), "A study")
    for _, made in sheets(study_):
        assert latex(made).encode() == (written.parent / f"tables/{made.name}.tex").read_bytes()


@pytest.mark.slow
def test_hostile_names_do_no_harm(tmp_path: Path) -> None:
    frame = load([record(solver=f"exec:../../{HOSTILE}", study=HOSTILE, encoding=HOSTILE, parts=None),
                  record(key="2", solver="b", encoding=HOSTILE, parts=None)])  # fmt: skip
    provenance = {HOSTILE: {"versions": {HOSTILE: HOSTILE}, "machine": {"cpu": HOSTILE}}}
    page = read(write_report(frame, tmp_path / "a" / "b", HOSTILE, provenance, formats=(), toml=HOSTILE))
    assert "script" not in [tag for tag, _ in page.seen][:-1]
    assert [tag for tag, _ in page.seen].count("script") == 1
    assert not [attrs for _, attrs in page.seen if "onerror" in attrs]
    assert {p.name for p in (tmp_path / "a").iterdir()} == {"b"}


@pytest.mark.parametrize(
    "records", [[], [record(encoding=None, parts=None, density=None, decisions=None)], [stopped()]]
)
def test_a_page_of_next_to_nothing(records: list[dict[str, object]], tmp_path: Path) -> None:
    page = read(write_report(load(records), tmp_path, "Nothing", formats=("svg",)))
    assert "Nothing" in page.text


def test_a_folder_that_cannot_be_made_is_reported_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(NonosatError, match="file"):
        write_report(load([]), tmp_path / "file" / "out", "x")


def test_a_cell_whose_runs_failed_has_no_time_and_none_over_a_limit() -> None:
    failed = {"outcome": "ERROR", "solve_s": None, "load_s": None, "encode_s": None}
    rows = []
    for size, encoding in itertools.product((10, 20), ("tight+r3", "mine")):
        how = failed if (size, encoding) == (20, "mine") else {}
        rows.append(
            record(
                instance=f"p/{size}", key=f"{size}{encoding}", rows=size, columns=size, encoding=encoding, parts=None,
                parameters=json.dumps({"size": f"{size}x{size}"}), **how,
            )
        )  # fmt: skip
    [sheet] = [sheet for sheet in tables.axis_sheets(ReportedStudy(load(rows), "x")) if sheet.name == "by-size"]
    cells = {row[0].text: row[2].text for row in sheet.cells()}
    assert [text for name, text in cells.items() if name.startswith("mine")] == ["– (0/1)"]
    assert len(cells) == 2


def by_style(first: float, second: float) -> pd.DataFrame:
    """Boards of two styles and two sizes, the larger ones with other times; and a third size in one style only."""
    rows = []
    cells = [(10, first, "blobs"), (10, first, "waves"), (30, second, "blobs"), (30, second, "waves"), (40, 1, "blobs")]
    for (size, seconds, looks), encoding, seed in itertools.product(cells, ("tight+r3", "mine"), range(3)):
        told = {"size": f"{size}x{size}", "style": looks}
        rows.append(
            dict(
                record(
                    instance=f"p/{size}/{style}/{seed}", key=f"{size}{style}{seed}{encoding}", density=None, seed=seed,
                    encoding=encoding, parts=None, rows=size, columns=size, solve_s=seconds,
                    parameters=json.dumps(told),
                )
            )
        )  # fmt: skip
    return load(rows)


@pytest.mark.parametrize("times", spread([((0.01, 0.5),), ((0.5, 0.01),), ((5, 0.01),), ((0.01, 5),)], 1))
def test_all_panels_show_all_points_whichever_is_drawn_first(times: tuple[float, float]) -> None:
    frame = by_style(*times)
    size, style = axes.axes_of(frame)
    made = plots.along(frame, style, size)
    for panel in made.axes:
        low, high = panel.get_ylim()
        shown = [y for line in panel.lines if line.get_marker() in "os" for y in line.get_ydata()]
        assert len(shown) == 4
        assert all(low < y < high for y in shown)


def test_values_without_an_order_are_not_joined_and_the_caption_counts_what_is_drawn() -> None:
    frame = by_style(0.1, 0.2)
    size, style = axes.axes_of(frame)
    assert (size.ordered, style.ordered) == (True, False)
    made = plots.along(frame, style, size)
    assert "24 runs: 24 solved" in made.caption
    assert "Not drawn: size 40x40, of one style only." in made.caption
    drawn = [line for panel in made.axes for line in panel.lines if len(set(line.get_xdata())) > 1]
    assert {line.get_linestyle() for line in drawn} == {"None"}
    assert any(line.get_linestyle() not in ("None", "") for line in plots.along(frame, size).axes[0].lines)


@pytest.mark.slow
def test_one_board_is_one_board(tmp_path: Path) -> None:
    rows = [
        dict(record(encoding=name, parts=None, key=f"{name}{repetition}", repetition=repetition, solve_s=seconds))
        for name, seconds in (("tight+r3", 0.1), ("mine", 2.5))
        for repetition in (0, 1)
    ]
    text = read(write_report(load(rows), tmp_path, "One", {}, formats=("svg",))).text
    assert "1 board is too few to say how sure that is." in text
    assert "on 1 board, 2 runs each, best first" in text
    assert "1 boards" not in text


@pytest.mark.slow
def test_differences_are_in_a_fitting_unit(tmp_path: Path) -> None:
    rows = [
        dict(record(instance=f"d/{seed}", seed=seed, encoding=name, parts=None, key=f"{name}{seed}", solve_s=seconds))
        for name, seconds in (("tight+r3", 0.01), ("mine", 1.7), ("weird", 0.05))
        for seed in range(12)
    ]
    text = read(write_report(load(rows), tmp_path, "Two", {}, formats=("svg",))).text
    assert re.search(r"mine · minisat22 takes .*?; its PAR2 is 1\.\d+ s higher \[1\.\d+, 1\.\d+\]", text)
    assert re.search(r"weird · minisat22 takes .*?; its PAR2 is \d+(\.\d)? ms higher", text)
    assert "e+0" not in text


def test_names_of_files_keep_both_ends() -> None:
    assert shortened("pictures-15x15-0.2+0.2+0.1-blobs-s3.json", 32) != shortened(
        "pictures-15x15-0.2+0.2+0.1-blobs-s4.json", 32
    )
    assert shortened("short.json", 32) == "short.json"


def test_a_narrow_scale_labels_every_tick_and_a_wide_one_powers_of_ten() -> None:
    for low, high, least in ((0.011, 0.024, 2), (0.002, 0.03, 3), (0.001, 100, 4), (0.013, 0.045, 2), (0.12, 3.8, 4)):
        figure, (panel,) = drawn("", "", 1)
        panel.plot([0, 1], [low, high])
        logarithmic(panel)
        figure.canvas.draw()
        told = [tick.get_text() for minor in (False, True) for tick in panel.get_yticklabels(minor=minor)]
        shown = [float(text) for text in told if text and panel.get_ylim()[0] <= float(text) <= panel.get_ylim()[1]]
        assert len(shown) >= least


def test_a_scatter_has_times_of_microseconds_where_they_are() -> None:
    records = [
        record(instance=f"i{board}", key=f"{name}{board}", solver=name, solve_s=seconds)
        for name, each in (("minisat22", (3e-5, 5e-5, 2e-4)), ("glucose4", (6e-5, 8e-5, 0.0)))
        for board, seconds in enumerate(each)
    ]
    drawn = plots.scatter(load(records), "2alt/3 · minisat22", "2alt/3 · glucose4", "solving_s")
    points = {tuple(map(float, xy)) for line in drawn.axes[0].lines for xy in line.get_xydata()}
    assert {(3e-5, 6e-5), (5e-5, 8e-5), (2e-4, 3e-5)} <= points


def test_a_heat_map_has_plain_numbers_and_the_solver_for_a_heading() -> None:
    rows = [
        dict(record(instance=f"d/{size}/{d}", key=f"{size}{d}", encoding=None, parts=None, solver="propagation",
                    rows=size, columns=size, density=d, solve_s=seconds))
        for size, d, seconds in ((10, 0.3, 0.0017), (10, 0.5, 0.002), (20, 0.3, 0.0036), (20, 0.5, 0.0021))
    ]  # fmt: skip
    frame = load(rows)
    made = plots.heat(frame, "propagation", "median")
    made.canvas.draw()
    words = {text.get_text() for text in made.findobj(Text) if text.get_text()}
    assert "propagation" in words
    assert not [word for word in words if "mathdefault" in word or "times" in word]
    bar = made.axes[-1].yaxis
    told = [tick.get_text() for minor in (False, True) for tick in bar.get_ticklabels(minor=minor) if tick.get_text()]
    assert len([float(text) for text in told]) > 1


@pytest.mark.slow
def test_a_heat_map_fits_on_a_page_and_names_the_encodings_that_it_leaves_out() -> None:
    rows = [
        record(instance=f"d/{size}/{d}", key=f"{name}{size}{d}", encoding=name, parts=None, rows=size, columns=size,
               density=d)
        for name in (f"mine+{letter}" for letter in "abcdefghijkl") for size in (10, 20) for d in (0.3, 0.5)
    ]  # fmt: skip
    frame = load(rows)
    everything = plots.heat(frame, frame["solver"].iloc[0], "median")
    assert "Not shown" not in everything.foot
    with style.drawn_for(style.paper(8.4)):
        made = plots.heat(frame, frame["solver"].iloc[0], "median")
    shown = len(made.axes) - 1
    high = load([
        {**row, "rows": size, "columns": size, "key": f"{row['key']}{size}", "instance": f"{row['instance']}/{size}"}
        for row in rows[:8] for size in range(5, 45)
    ])  # fmt: skip
    with style.drawn_for(style.paper(8.4)):  # higher than a page by itself
        assert len(plots.heat(high, high["solver"].iloc[0], "median").axes) == 1 + 1
    assert 2.54 * made.get_size_inches()[1] <= style.HIGHEST
    assert made.foot.startswith(f"{4 * shown} runs")
    assert made.foot.partition("Not shown: ")[2].count("mine+") == 12 - shown > 0


def test_an_axis_covers_its_panels_and_lists_what_is_left_out() -> None:
    rows = own() + [record(key=f"w{name}", instance="file/9/1", source="9.mk", rows=99, columns=99, density=None,
                           seed=None, encoding=name, parts=None) for name in OWN]  # fmt: skip
    frame = load(rows)
    known = {axis.name: axis for axis in axes.axes_of(frame)}
    size, density, file = (known[name] for name in ("size", "density", "file"))
    assert "99x99" in size.values
    for panel in plots.along(frame, size, density).axes:
        assert [label.get_text() for label in panel.get_xticklabels()] == ["10x10", "20x20"]
    every = sorted(set(frame["configuration"]))
    assert plots.by_file(frame, file).foot.endswith("over the limit.")
    assert plots.by_file(frame, file, names=every[1:]).foot.endswith(f" Not shown: {every[0]}.")


def test_hashes_of_plug_ins_are_cut_as_others_are() -> None:
    document = {"plugins": ["mine.py sha256:" + "0123456789ab" + "c" * 52, "other 1.0"]}
    told = tables.provenance_table(ReportedStudy(load(own()), "x", "", {"id": document}))
    assert "mine.py sha256:0123456789ab, other 1.0" in told


# ---------------------------------------------------------------- what is ranked by


def ranked_by(frame: pd.DataFrame, by: str) -> ReportedStudy:
    return ReportedStudy(frame, "study", by=by)


def counted_frame() -> pd.DataFrame:
    """Two encodings: one is quick to make and hard to solve; a native solver counts nothing."""
    records = []
    for board in range(8):
        for name, encode, solve, conflicts in (("tight+r3", 0.02, 0.001, 5), ("plain+r3", 0.01, 0.005, 50 + board)):
            records.append(record(instance=f"i{board}", encoding=name, encode_s=encode, encode_cpu_s=encode, load_s=0.0,
                                  load_cpu_s=0.0, solve_s=solve, solve_cpu_s=solve, conflicts=conflicts))  # fmt: skip
        records.append(record(instance=f"i{board}", encoding=None, parts=None, solver="propagation", conflicts=None,
                              encode_s=None, load_s=None, solve_s=0.5, solve_cpu_s=0.5))  # fmt: skip
    return load(records)


def test_loading_is_not_said_to_outweigh_what_limits_ended() -> None:
    """Runs that a limit ended were solving: the few that are solved quickly are not typical."""
    records = []
    for board in range(8):
        ended = {"outcome": "CPUOUT", "solve_s": None, "solve_cpu_s": None, "cpu_s": 1.0} if board > 2 else {
            "solve_s": 0.002, "solve_cpu_s": 0.002, "cpu_s": 0.023
        }  # fmt: skip
        records.append(
            record(instance=f"i{board}", encode_s=0.02, encode_cpu_s=0.02, load_s=0.001, load_cpu_s=0.001, **ended)
        )
    study = ReportedStudy(load(records), "x")
    assert tables.formulas_first(study) == []
    assert tables.formulas_first(ReportedStudy(load(records[:3]), "x")) != []


@pytest.mark.parametrize(
    ("by", "first", "head"),
    [
        ("total", "plain+r3 · minisat22", "PAR2 (CPU time), ms"),
        ("solve", "tight+r3 · minisat22", "PAR2 (CPU time of solving), ms"),
        ("conflicts", "tight+r3 · minisat22", "PAR2 (conflicts)"),
    ],
)
def test_the_ranking_is_by_the_chosen_measure(by: str, first: str, head: str) -> None:
    study = ranked_by(counted_frame(), by)
    assert study.ranked["configuration"].iloc[0] == first
    assert head in tables.ranking_sheet(study).heads()
    sentences = tables.paragraph(study, tables.differences_table(study))
    if by == "total":
        assert sentences[0].startswith("On the typical board, encoding (15 ms) and loading (0 ms) outweigh solving (3")
    else:
        assert sentences[0].startswith(first)
    if by == "conflicts":
        assert study.ranked["par2_s"].iloc[0] == 5
        assert "Without conflicts of a SAT solver: propagation." in tables.ranking_sheet(study).note
        assert "times as many conflicts" in sentences[1]


@pytest.mark.parametrize(("boards", "differs", "alike"), [(4, False, True), (1, False, False), (4, True, False)])
def test_encodings_whose_formulas_are_one_are_named(boards: int, differs: bool, alike: bool) -> None:
    records = [
        record(instance=f"i{board}", encoding=encoding, parts=None, solver=solver,
               cnf=f"{board}" + "x" * (differs and board == 1 and encoding == "automaton+log"))
        for board in range(boards) for solver in ("minisat22", "glucose4")
        for encoding in ("automaton+order", "automaton+log")
    ]  # fmt: skip
    records += [record(instance=f"i{board}", encoding="tight+r3", cnf=f"other {board}") for board in range(boards)]
    study = ranked_by(load(records), "total")
    sentences = tables.paragraph(study, tables.differences_table(study))
    told = [sentence for sentence in sentences if "same formula" in sentence]
    sentence = "automaton+log and automaton+order have the same formula on all 4 boards: there they are one encoding."
    assert told == [sentence] * alike


def test_counters_are_those_of_sat_solvers_and_may_be_zero() -> None:
    """No ratio to a first that has none; CP-SAT's count other things; what is left out is said."""
    solvers = {"minisat22": [0, 0, 0], "glucose4": [3, 4, 5], "exec:a {cnf}": [6, 7, None], "cpsat": [0, 0, 0]}
    records = [
        record(instance=f"i{board}", solver=solver, family="CP" if solver == "cpsat" else "SAT", conflicts=conflicts)
        for solver, row in solvers.items()
        for board, conflicts in enumerate(row)
    ]
    study = ranked_by(load(records), "conflicts")
    note = tables.ranking_sheet(study).note
    assert "Left out: 1 board that not every configuration has a number of conflicts for." in note
    assert "Without conflicts of a SAT solver: 2alt/3 · cpsat." in note
    made = {sheet.name: sheet for _, sheet in sheets(study)}
    assert {"times as many conflicts", "PAR2 (conflicts) less the first's", "more on"} <= {*made["differences"].heads()}
    assert "par2_conflicts" in made["result"].frame.columns
    sentences = tables.paragraph(study, tables.differences_table(study))
    glucose = "2alt/3 · glucose4: no ratio, since the first has no conflicts on 3 of 3 boards; whether its PAR2 differs"
    assert f"{glucose} is not settled." in sentences
    records[3:6] = [{**one, "outcome": "TIMEOUT"} if board < 1 else one for board, one in enumerate(records[3:6])]
    study = ranked_by(load(records), "conflicts")
    [sentence] = [
        s for s in tables.paragraph(study, tables.differences_table(study)) if s.startswith("2alt/3 · glucose4")
    ]
    assert "the first has no conflicts on 2 of 3 boards and it has no result on 1, solves 1 fewer" in sentence
    assert "Rankings and comparisons are by conflicts, all else by wall time." in sentences


def test_a_limit_on_time_is_none_on_counts() -> None:
    """The median of a configuration that solves little is not known, whatever the limit is."""
    records = [
        record(instance=f"i{board}", solver=solver, conflicts=board if done else None, time_limit_s=9.0,
               outcome="SAT" if done else "TIMEOUT")
        for board in range(7) for solver, done in (("minisat22", True), ("glucose4", board < 2))
    ]  # fmt: skip
    study = ranked_by(load(records), "conflicts")
    [cells] = [row for row in tables.ranking_sheet(study).cells() if "glucose4" in {cell.text for cell in row}]
    assert not any("> 9" in cell.text for cell in cells)
    assert any(cell.text.startswith("∞ [") for cell in cells)


@pytest.mark.slow
def test_a_report_says_what_is_left_of_the_study_and_what_is_not_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    toml = tmp_path / "s.toml"
    text = 'encodings = ["tight+r3+order"]\nsolvers = ["minisat22"]\n[limits]\ntime_limit_s = 60\n'
    text += '[[puzzles]]\ngenerator = "density"\nsizes = [3]\ndensities = [0.5]\ncount = {}\nseed = {}\n'
    toml.write_text(text.format(2, 1))
    store = str(tmp_path / "s.sqlite")
    assert CliRunner().invoke(cli, ["study", "run", str(toml)]).exit_code == 0
    for count, seed, said in ((2, 1, ""), (3, 1, "1 of the study&#x27;s 3 runs are not done."),
                              (1, 1, "1 stored runs are not of the study as s.toml states it now, and left out."),
                              ):  # fmt: skip
        toml.write_text(text.format(count, seed))
        for file in (str(toml), store):
            done = CliRunner().invoke(cli, ["study", "report", file, "-o", str(tmp_path / "out")])
            assert done.exit_code == 0, done.output
            page = (tmp_path / "out/index.html").read_text(encoding="utf-8")
            told = [line for line in page.splitlines() if "not done" in line or "not of the study" in line]
            assert bool(told) == bool(said and file == str(toml)), (file, told)
            assert not said or file != str(toml) or said in told[0]
            runs = f"{min(count, 2) if file == str(toml) else 2} of {min(count, 2) if file == str(toml) else 2} runs"
            assert f"solved {runs}" in page, runs  # nothing else enters a number
    toml.write_text(text.format(2, 1).replace("solvers = [", 'count = "all"\nsolvers = ['))
    done = CliRunner().invoke(cli, ["study", "report", str(toml), "-o", str(tmp_path / "out")])
    assert "all 2 runs are of another study than" in str(done.exception)
    assert CliRunner().invoke(cli, ["study", "run", str(toml)]).exit_code == 0
    other = tmp_path / "first.toml"
    other.write_text('name = "s"\n' + text.format(2, 1))  # into the same store
    apart = tmp_path / "apart.toml"
    apart.write_text(text.format(2, 1))
    (tmp_path / "apart.sqlite").write_bytes((tmp_path / "s.sqlite").read_bytes())
    for files, runs in (([other], 2), ([other, toml], 4)):
        done = CliRunner().invoke(cli, ["study", "report", *map(str, files), "-o", str(tmp_path / "out")])
        assert done.exit_code == 0, done.output
        page = (tmp_path / "out/index.html").read_text(encoding="utf-8")
        assert ("and left out" in page) == (runs == 2)
        assert f">{runs} runs" in page or f" {runs} runs" in page
    for files in ([str(toml), store], [str(toml), "s.sqlite"], [store, store], [str(toml), str(apart)]):
        done = CliRunner().invoke(cli, ["study", "report", *files, "-o", str(tmp_path / "out")])
        assert done.exit_code == 2
        assert "files that are reported together are studies that share a store" in done.output
    assert set(load(store)["configuration"]) == {
        "tight+r3+order · minisat22 · 1", "tight+r3+order · minisat22 · all",
    }  # fmt: skip


def test_a_measure_without_values_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NonosatError, match="no run of the study tells its propagations"):
        write_report(load([record(propagations=None)]), tmp_path, "study", by="propagations")
    with pytest.raises(NonosatError, match="unknown measure 'memory'"):
        write_report(load([record()]), tmp_path, "study", by="memory")


def test_an_encoding_has_one_colour_in_every_figure() -> None:
    with style.coloured(["a · glucose4", "native", "a · minisat22", "b · glucose4", "b · minisat22"]):
        alone = style.looks(["b"])["b"]
        both = style.looks(["native", "b · minisat22", "b · glucose4", "a · glucose4"])
    for name in ("b · minisat22", "b · glucose4"):
        assert both[name][::2] == alone[::2]  # colour and dash
    assert both["b · glucose4"].marker == both["a · glucose4"].marker != both["b · minisat22"].marker
    assert len({look.colour for look in both.values()}) == 3


# ---------------------------------------------------------------- into a paper


COLUMN_PT = 241.0


@pytest.mark.parametrize("width", spread([COLUMN_PT, 345.0], 0))
def test_tables_fit_a_column_and_an_article_without_being_turned(width: float, frame: pd.DataFrame) -> None:
    made = {sheet.name: latex(sheet, TableStyle(width)) for _, sheet in sheets(ReportedStudy(frame, "x"))}
    for name in ("result", "differences", "formulas"):
        assert TOO_WIDE not in made[name]
        assert "sideways" not in made[name]
    assert all(r"\label{tab:" in text for text in made.values())


def test_what_is_too_wide_is_broken_made_smaller_and_turned_last() -> None:
    def made(columns: int, width: float) -> str:
        data = pd.DataFrame({f"c{at}": ["1234567 words"] for at in range(columns)})
        return latex(
            Sheet("t", "T.", data, [Column(f"c{at}", "a heading of words") for at in range(columns)]), TableStyle(width)
        )

    assert points("1234567 words") > 50
    assert r"\shortstack" not in made(2, 345)
    assert r"\shortstack[l]{a heading" in made(4, 345)
    assert r"\footnotesize" in made(5, 345)
    assert "sidewaystable" in made(8, 345)
    assert TOO_WIDE in made(20, 345)


def test_columns_rules_and_numbers_of_tables() -> None:
    rows = pd.DataFrame({"a": ["x", "y"], "n": [5, 1200], "t": [0.5, 12.25]})
    columns = [Column("a", "name"), Column("n", "runs", "count", best="most"), Column("t", "time", "seconds")]
    sheet = Sheet("times", "Times.", rows, columns, study="my_study")
    assert r"\label{tab:my-study-times}" in latex(sheet)
    some = latex(sheet, TableStyle(columns=("name", "t"), rules="plain"))
    assert some.startswith("% needs no package\n")
    assert r"\begin{tabular}{lr}" in some
    assert r"\hline" in some
    assert latex(sheet, TableStyle(columns=("name",))) == latex(sheet, TableStyle())  # nothing would be left to read
    numbers = latex(sheet, TableStyle(siunitx=True))
    assert r"\begin{tabular}{lS[table-format=4]S[table-format=2.3]}" in numbers
    assert r"x & 5 & 0.500 \\" in numbers
    assert r"y & {\textbf{1,200}} & 12.250 \\" in numbers
    assert r"\begin{table*}" in latex(sheet, TableStyle(spanning=True))


def test_columns_that_no_table_has_are_refused(tmp_path: Path) -> None:
    with pytest.raises(NonosatError, match=r"no table has a column 'PAR2 \(time\)'; there are: encoding; solver; "):
        write_report(
            load([record()]), tmp_path, "x", table_style=TableStyle(columns=("encoding", "PAR2 (time)", "median"))
        )
    shown = Sheet("t", "T.", pd.DataFrame({"p": [0.01], "m": [0.02]}), [Column("p", "PAR2, all", "seconds"),
                  Column("m", "median", "seconds")])  # fmt: skip
    assert columns_named(shown, ("PAR2", "all", "ms")) == ({0}, {0, 1, 2})  # what --columns 'PAR2, all, ms' is
    assert columns_named(shown, ("all", "m")) == ({1}, {1})


def test_a_paper_is_whole(written: Path) -> None:
    text = (written.parent / "report.tex").read_text(encoding="utf-8")
    for kind, name in re.findall(r"\\(input|includegraphics\[[^]]*\])\{(.*)\}", text):
        file = name.replace("{", "").replace("}", "") + (".tex" if kind == "input" else "")
        assert (written.parent / file).is_file(), name
    labels = re.findall(r"\\label\{(.*?)\}", "".join(p.read_text() for p in (written.parent / "tables").glob("*.tex")))
    assert len(labels) == len(set(labels)) > 2
    cited = re.findall(r"cite\{(.*?)\}", text)[0].split(",")
    keys = re.findall(r"@\w+\{(\w+),", (written.parent / "report.bib").read_text(encoding="utf-8"))
    assert keys == cited
    assert {"nonosat", "pysat", "kaplanmeier"} <= set(keys)


def test_each_solver_and_part_of_an_encoding_is_cited() -> None:
    few = load([record(encoding="order<=6,log", parts=None)])
    assert "castilho2018" not in references.references_of(ReportedStudy(few, "x"))
    names = ["support+ladder", "tight+r3+order", "log+adder", "order+mdd+channel", "automaton+coupled"]
    solvers = ["cadical195", "lingeling", "maplecm", "glucose4", "minisat22"]
    rows = [record(key=a, encoding=a, parts=None, solver=b) for a, b in zip(names, solvers, strict=True)]
    keys = references.references_of(ReportedStudy(load(rows), "x"))
    assert {
        "cadical",
        "lingeling",
        "maplesat",
        "glucose",
        "minisat",
        "supportencoding",
        "ladder",
        "castilho2018",
    } < set(keys)
    assert {"orderencoding", "logencoding", "adder", "mdd", "channel", "automata", "coupledencoding"} < set(keys)
    assert not {"directencoding", "totalizer", "cpsat", "product"} & set(keys)


@pytest.mark.slow
def test_the_paper_compiles(written: Path, tmp_path: Path) -> None:
    if (program := shutil.which("tectonic")) is None:
        needs_latex("booktabs", "geometry", "rotating")
        program = "pdflatex"
    shutil.copytree(written.parent, tmp_path / "paper")
    words = [] if program.endswith("tectonic") else ["-interaction=nonstopmode", "-halt-on-error"]
    done = subprocess.run([program, *words, "report.tex"], cwd=tmp_path / "paper", capture_output=True, check=False)
    assert done.returncode == 0, done.stdout.decode(errors="replace")[-2000:]
    log = (done.stdout + done.stderr).decode(errors="replace")
    assert not [
        float(pt) for pt in re.findall(r"Overfull \\hbox \(([\d.]+)pt too wide\) in alignment", log) if float(pt) > 1
    ]


def test_who_is_stopped_while_it_waits_for_the_processor_counts_as_longer_than_the_limit() -> None:
    """One of six has a result, after 0.5 s of CPU time; the others had used 0.08 s when 20 s of wall time ended."""
    rows = [record(instance="d/0", key="d0", time_limit_s=20.0, cpu_limit_s=None, encode_cpu_s=0.1, load_cpu_s=0.1,
                   solve_cpu_s=0.3, cpu_s=0.5)]  # fmt: skip
    rows += [
        stopped(instance=f"d/{at}", key=f"d{at}", time_limit_s=20.0, cpu_limit_s=None, cpu_s=0.08, encode_cpu_s=0.04,
                load_cpu_s=0.02, solve_cpu_s=None, wall_s=20.0)
        for at in range(1, 6)
    ]  # fmt: skip
    frame = load(rows)
    for outcome in ("TIMEOUT", "MEMOUT"):
        middle = summary.survival_of(
            frame.assign(outcome=frame["outcome"].replace("TIMEOUT", outcome)), "cpu_time_s"
        ).median()
        assert middle.value == math.inf
    page = ReportedStudy(frame, "waited")
    assert tables.ranking(page.runs, page.clock)["median_s"].tolist() == [math.inf]
    assert "5 runs that the limit on wall time ended had used 0 % of it as CPU time" in tables.limits(page)
    busy = load([{**row, "cpu_s": 19.0} if row["outcome"] == "TIMEOUT" else row for row in rows])
    assert "they waited" not in tables.limits(ReportedStudy(busy, "waited"))


@pytest.mark.slow
def test_repetitions_of_a_board_are_no_boards() -> None:
    once = load([record(repetition=0, solve_cpu_s=value, instance=f"i{at}") for at, value in enumerate((1.0, 3.0))])
    often = load(
        [
            record(repetition=again, solve_cpu_s=value + again, instance=f"i{at}", key=f"{at} {again}")
            for at, value in enumerate((0.0, 2.0))
            for again in range(3)
        ]
    )
    for frame in (once, often):
        found = summary.describe(frame, time="solve_cpu_s")
        assert (found["km_median_s"], found["solved_median_s"]) == (2.0, 2.0)
        assert math.isnan(found["km_median_low_s"])  # two boards are too few
        assert math.isnan(found["solved_median_low_s"])
        assert found["share_low"] == pytest.approx(wilson(2, 2).low)


def test_what_a_figure_counts_is_what_it_shows() -> None:
    good = [record(instance=f"i{at}", encoding="tight+r3", decisions=5, solve_s=1.0 + at) for at in range(3)]
    bad = [
        record(instance=f"i{at}", encoding="plain+r4ends", outcome="WRONG", decisions=5, solve_s=1.0 + at)
        for at in range(3)
    ]
    figure = plots.decisions_against_time(load(good + bad), "minisat22")
    assert "6 runs: 3 solved, 0 timed out, 0 failed, 3 wrong" in figure.foot
    assert "×: wrong answers" in figure.foot
    crosses = [line for line in figure.axes[0].lines if line.get_marker() == "x" and len(line.get_xdata())]
    assert sum(len(line.get_xdata()) for line in crosses) == 3


def test_counts_of_a_caption_add_up_to_the_runs() -> None:
    rows = [record(instance="a", key="1"), record(instance="a", key="2", outcome="UNSAT", solver="cadical153")]
    assert summary.counts_line(load(rows)).endswith(
        "2 runs: 1 solved, 0 timed out, 0 failed, 1 wrong (1 of them false UNSAT)"
    )
