"""What is committed in results/ is what the records there say, by the command that makes it again; and so is prose."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import matplotlib
import pandas as pd
import pytest

from nonosat.studies.analysis.frames import load

ROOT = Path(__file__).parents[1]
DRAWN_BY = "3.11.2"
"""The version whose figures are committed: another one may draw other bytes."""


@pytest.mark.slow
def test_every_figure_and_table_is_made_again(tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "benchmarks/figures.py"), str(tmp_path)]
    subprocess.run(command, check=True, capture_output=True)
    made = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file())
    assert len(made) == 38
    for path in made:
        if path.suffix != ".png" or matplotlib.__version__ == DRAWN_BY:
            assert (tmp_path / path).read_bytes() == (ROOT / "results" / path).read_bytes(), path
    drawn = {path.relative_to(ROOT / "results") for path in (ROOT / "results").rglob("*.png")}
    assert drawn <= set(made)


def records_told() -> list[tuple[Path, str, str]]:
    """Of every README in experiments/ its table of records: the file, the number of runs, CPU hours."""
    line = re.compile(r"^\| \[[\w-]+\]\(([\w./-]+\.parquet)\) \| ([\d,]+) \| ([\d.]+) \|$", re.MULTILINE)
    pages = sorted((ROOT / "experiments").glob("*/README.md"))
    return [
        ((page.parent / path).resolve(), runs, hours)
        for page in pages
        for path, runs, hours in line.findall(page.read_text(encoding="utf-8"))
    ]


def test_every_study_says_how_many_runs_its_records_have() -> None:
    told = records_told()
    assert {path for path, _, _ in told} == set((ROOT / "results").rglob("*.parquet"))
    for path, runs, hours in told:
        frame = load(path)
        assert (runs, hours) == (f"{len(frame):,}", f"{frame['cpu_s'].sum() / 3600:.2f}"), path


def test_an_analysis_imports_what_is_public() -> None:
    scripts = sorted((ROOT / "experiments").glob("*/analysis.py"))
    assert len(scripts) == 5
    for script in scripts:
        for node in ast.walk(ast.parse(script.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and str(node.module).partition(".")[0] == "nonosat":
                assert node.module == "nonosat" or str(node.module).startswith("nonosat.studies.analysis"), script
                assert not any(alias.name.startswith("_") for alias in node.names), script


# Numbers in prose. A sentence is written here once more, with what it says computed from the records, or from a table
# that the test above makes of them again; it has to stand on its page so. To say something new of records: add it.


@cache
def runs_of(name: str) -> pd.DataFrame:
    return load(ROOT / "results" / f"{name}.parquet")


@cache
def table_of(name: str) -> pd.DataFrame:
    return pd.read_csv(ROOT / "results" / name, keep_default_na=False, na_values=[""])


def prose_of(page: str) -> str:
    """The text of a page, of a notebook its cells of text, with every white space one blank."""
    text = (ROOT / page).read_text(encoding="utf-8")
    if page.endswith(".ipynb"):
        cells = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "markdown"]
        text = "\n".join("".join(cell["source"]) for cell in cells)
    return re.sub(r"\s+", " ", text)


def ratio(
    measured: str, of: str = "decisions", estimator: str = "means", digits: int = 2, solver: str = "minisat22"
) -> str:
    """A number of Castilho & Welter's verdicts with its interval: "0.69 (0.57 to 0.83)"."""
    table = table_of("castilho2018-again/verdicts.csv")
    row = table[table["measured"].eq(measured) & table["of"].eq(of) & table["estimator"].eq(estimator)]
    row = row[row["solver"].eq(solver)].iloc[0]
    return "{:.{d}f} ({:.{d}f} to {:.{d}f})".format(row["value"], row["low"], row["high"], d=digits)


def typical(measured: str, of: str = "decisions") -> str:
    return ratio(measured, of, "typical")


def in_cell(measured: str, size: str, density: float) -> str:
    """The same of one cell, as a ratio of means of decisions."""
    table = table_of("castilho2018-again/verdicts-by-cell.csv")
    row = table[table["measured"].eq(measured) & table["size"].eq(size) & table["density"].eq(density)]
    row = row[row["of"].eq("decisions") & row["estimator"].eq("means")].iloc[0]
    return f"{row['value']:.2f} ({row['low']:.2f} to {row['high']:.2f})"


def boards_of(measured: str, cells: bool = True, solver: str = "minisat22") -> str:
    table = table_of("castilho2018-again/verdicts.csv")
    row = table[table["measured"].eq(measured) & table["solver"].eq(solver)].iloc[0]
    return f"{row['cells']} cells, {row['boards']} boards" if cells else f"{row['boards']}"


def growth(of: str) -> str:
    """The least and the most growth of right encodings at 20x20: "3.0 to 4.5"."""
    table = table_of("castilho2018-again/verdicts.csv")
    here = table[table["measured"].str.fullmatch(r"2(alt)?/(3|5|3[+]4|5[+]6) at 40 % by 10 %") & table["of"].eq(of)]
    here = here[here["estimator"].eq("means")]
    assert set(here["cells"]) == {2}
    return f"{here['value'].min():.1f} to {here['value'].max():.1f}"


def castilho() -> list[str]:
    again, readings = runs_of("castilho2018-again"), runs_of("castilho2018-readings")
    both = pd.concat([again, readings], ignore_index=True)
    both = both[both["rules"].isin(["4", "6"]) & both["outcome"].isin(["SAT", "UNSAT", "WRONG"])]
    ends = dict(iter(both.groupby("reading")))
    assert ends["ends"]["wrong"].all()
    assert not (ends["mirrored"]["wrong"] | ends["mirrored"]["false_unsat"]).any()
    wrong, false = int(ends["printed"]["wrong"].sum()), int(ends["printed"]["false_unsat"].sum())
    assert wrong + false == len(ends["printed"])
    numbers = int(table_of("castilho2018-again/verdicts.csv")["p"].notna().sum())
    assert not again["censored"].any()
    six, four, plus = "2alt/6 by 2alt/3", "2alt/6 by 2alt/4", "2alt/5+6 by 2alt/3"
    five, closed, alt = "2alt/5 by 2alt/3", "2alt/5+6 by 2alt/3+4", "2alt/3+4 by 2/3+4"
    dense = [f"(2alt/6 by 2alt/3) at {share} %, by that at 10 to 30 %" for share in (40, 50)]
    spread = "most by least of 12 encodings"
    return [
        f"**All {len(ends['ends']):,} answers of rules 4 and 6 alone were wrong pictures**",
        f"all {len(ends['printed'])} answers were a wrong picture ({wrong}) or a false UNSAT ({false}). "
        f"Mirrored, none of {len(ends['mirrored'])} was wrong.",
        f"With 2-alt it needs {ratio(six)} of rule 3's decisions by the ratio of means, and {typical(six)} times as "
        f"many on the typical board ({boards_of(six)}).",
        f"At 20x20 and 40 % the ratio of means is {in_cell(six, '20x20', 0.4)}, at 30x30 and 30 % it is "
        f"{in_cell(six, '30x30', 0.3)}, of 32 boards each.",
        f"falls to {ratio(dense[0])} of what it was, but at 50 % it is {ratio(dense[1], digits=1)} times that "
        f"(2-alt; ratios of means; {boards_of(dense[0], False)} and {boards_of(dense[1], False)} boards)",
        f"With 2-alt it takes {ratio(six, 'solving')} of rule 3's time for solving, and {ratio(six, 'total')} in "
        f"total, by the ratio of means; on the typical board {typical(six, 'solving')} and {typical(six, 'total')}.",
        f"{ratio(plus)} of rule 3's by the ratio of means, {typical(plus)} on the typical board ({boards_of(plus)}). "
        f"Nor does 6 need far fewer than 4: {ratio(four)} and {typical(four)} ({boards_of(four)}).",
        f"5 by 3 with 2-alt is {ratio(five)} by the ratio of means, 5+6 by 3+4 is {ratio(closed)}, which the "
        f"correction for {numbers} numbers leaves open; on the typical board {typical(five)} and {typical(closed)}.",
        f"where the report saw no difference: {typical(alt, 'total')} in total and {typical(alt, 'solving')} for "
        "solving. By the ratio of means it cannot be told with rule 3: "
        f"{ratio('2alt/3 by 2/3', 'total')} and {ratio('2alt/3 by 2/3', 'solving')}.",
        f"{growth('total')} times in total and {growth('solving')} times for solving from 10 % to 40 % at 20x20 "
        "(ratios of means, 64 boards)",
        f"the most by the least of twelve encodings is {ratio(spread, solver='glucose4')} under Glucose and "
        f"{ratio(spread, solver='lingeling')} under Lingeling, by the ratio of means "
        f"({boards_of(spread, solver='glucose4')})",
        f"no run of {len(again):,} met the limit",
    ]


def castilho_notebook() -> list[str]:
    six, both, plus = "2alt/6 by 2alt/3", "2alt/5+6 by 2alt/3", "2alt/3+4 by 2/3+4"
    dense, spread = "(2alt/6 by 2alt/3) at 50 %, by that at 10 to 30 %", "most by least of 12 encodings"

    def with_boards(measured: str, **more: str | int) -> str:
        text = ratio(measured, **more)  # type: ignore[arg-type]
        count = boards_of(measured, cells=False, solver=str(more.get("solver", "minisat22")))
        return f"{text[:-1]}; {count} boards)"

    return [
        f"with 2-alt, {with_boards(six).replace('(', '(95 %: ')} of rule 3's decisions; on the typical board "
        f"{typical(six)} times as many. At 20x20 and 40 % the ratio of means is "
        f"{in_cell(six, '20x20', 0.4)[:-1]}; 32 boards).",
        f"its ratio to rule 3 is {with_boards(dense, digits=1)} times that on sparser boards",
        f"{ratio(six, 'solving')} of rule 3's CPU time for solving and {ratio(six, 'total')} in total, by the ratio of "
        f"means; on the typical board {typical(six, 'solving')} and {typical(six, 'total')}.",
        f"{with_boards(both)} of rule 3's by the ratio of means, {typical(both)} on the typical board",
        f"{with_boards(plus, of='total', estimator='typical')} in total, {typical(plus, 'solving')} for solving",
        f"the most by the least is {with_boards(spread, solver='glucose4')} under Glucose, "
        f"{with_boards(spread, solver='lingeling')} under Lingeling",
        f"{growth('total')} times as long in total at 40 % as at 10 % (20x20, ratio of means), and {growth('solving')} "
        "times as long to solve",
    ]


SENTENCES: dict[str, Callable[[], list[str]]] = {
    "experiments/castilho2018/README.md": castilho,
    "notebooks/01-castilho-welter-2018.ipynb": castilho_notebook,
}
"""By page: what is said there of records."""


@pytest.mark.parametrize("page", SENTENCES)
def test_sentences_say_what_the_records_say(page: str) -> None:
    text = prose_of(page)
    missing = [sentence for sentence in SENTENCES[page]() if re.sub(r"\s+", " ", sentence) not in text]
    assert missing == []
