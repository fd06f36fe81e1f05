"""The tables and figures of the transition, from records made up so that it is known what must come out."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from records_made import record
from transition import scaling
from transition.analysis import (
    STUDIES,
    boards,
    by_cell,
    ended_early,
    growth,
    growths,
    half_way,
    peaks,
    rests,
    scaling_figure,
    solutions_figure,
    states_figure,
    three_peaks,
    write,
)
from transition.analysis import load_boards as load_all

import nonosat
from nonosat.studies.analysis import plots, style, summary
from nonosat.studies.analysis.frames import load
from nonosat.studies.records import Record
from nonosat.studies.study import read

EXPERIMENTS = Path(__file__).parents[1] / "experiments"
DENSITIES = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]


def made(n: int, density: float, seed: int, **told: Any) -> Record:
    name = f"density/{n}x{n}/{density}/{seed}"
    solver = told.pop("solver")
    return record(
        key=f"{name} {solver}", instance=name, rows=n, columns=n, density=density, seed=seed, solver=solver,
        encoding=None, parts=None, sound=None, cpu_limit_s=3.0, time_limit_s=60.0, decisions=None, conflicts=None,
        **told,
    )  # fmt: skip


def of_board(n: int, density: float, seed: int, count: int) -> list[Record]:
    """Of ``count`` boards the first 10 n^-1 at 50 % are unique, all above, none below.

    Counting peaks at 20 %, finding at 40 %, where one in ten is not found at all.
    """
    alone = density > 0.5 or (density == 0.5 and seed < count * 10 / n)
    late = density == 0.4 and seed % 10 == 9
    find = 1.0 if density == 0.4 else 0.01
    sat = {"first_cpu_s": find + 0.02, "cpu_s": find + 0.05, "encode_cpu_s": 0.01, "load_cpu_s": 0.01}
    told = {**sat, "first_conflicts": 7, "unique": alone, "solutions": 2 - alone, "counted": "1" if alone else None}
    if late:
        told = {"outcome": "CPUOUT", "cpu_s": 3.02, "encode_cpu_s": 0.01, "load_cpu_s": 0.01, "solutions": 0}
    stopped = density == 0.2
    number = 1 if alone else 1000
    counts: dict[str, Any] = {
        "outcome": "MEASURED", "counted": str(number), "log10_solutions": math.log10(number), "solutions": number,
        "unique": alone, "solve_cpu_s": 0.1, "entropy_bethe": 2.0,
    }  # fmt: skip
    if stopped:
        counts = {"outcome": "CPUOUT", "solutions": 100, "unique": False, "solve_cpu_s": 3.0, "entropy_bethe": 2.5}
    backbone = float(np.clip((density - 0.3) / 0.2, 0, 1))
    ended = {"outcome": "MEASURED", "solutions": 0}
    shared = {**ended, "backbone_least": backbone, "backbone_most": backbone, "backbone": backbone}
    return [
        made(n, density, seed, solver="minisat22", **told),
        made(n, density, seed, solver="components", **counts),
        made(n, density, seed, solver="backbone", **shared),
        made(
            n,
            density,
            seed,
            solver="difficulty",
            outcome="MEASURED",
            by_lines=backbone / 2,
            hardness="easy",
            solutions=0,
        ),
        made(n, density, seed, solver="beliefs", first_cpu_s=find, solve_cpu_s=find, solutions=1),
    ]


@pytest.fixture(scope="module")
def runs() -> pd.DataFrame:
    cells = [(n, density, seed) for n in (10, 20, 40) for density in DENSITIES for seed in range(20)]
    records = [each for cell in cells for each in of_board(*cell, 20)]
    return load(records)


@pytest.fixture(scope="module")
def table(runs: pd.DataFrame) -> pd.DataFrame:
    return boards(runs)


def test_a_row_a_board(table: pd.DataFrame) -> None:
    assert len(table) == 3 * len(DENSITIES) * 20
    row = table[table["n"].eq(20) & table["density"].eq(0.4) & table["seed"].eq(1)].iloc[0]
    assert row[["find_s", "prove_s", "count_s", "beliefs_s"]].tolist() == pytest.approx([1.0, 0.03, 0.1, 1.0])
    assert (row["log10"], row["counted"], row["unique"], row["hardness"]) == (3.0, True, False, "ambiguous")
    late = table[table["n"].eq(20) & table["density"].eq(0.4) & table["seed"].eq(9)].iloc[0]
    assert not late["find_ended"]
    assert late["find_s"] == pytest.approx(3.0)
    assert math.isnan(late["prove_s"])
    assert not late["unique"]  # the count says so
    assert row[["backbone_least", "backbone_most"]].tolist() == pytest.approx([0.5, 0.5])
    stopped = table[table["density"].eq(0.2)]
    assert not stopped["counted"].any()
    assert stopped["log10"].eq(2.0).all()


def test_cells(table: pd.DataFrame) -> None:
    cells = by_cell(table).set_index(["n", "density"])
    assert cells.loc[(20, 0.5), "unique"] == 0.5
    assert cells.loc[(20, 0.5), "unique_low"] < 0.5 < cells.loc[(20, 0.5), "unique_high"]
    assert cells.loc[(10, 0.4), "find_s"] == pytest.approx(0.9 * 1 + 0.1 * 3)
    assert cells.loc[(10, 0.4), "find_late"] == 0.1
    assert cells.loc[(10, 0.3), "log10"] == 3.0
    assert math.isinf(cells.loc[(10, 0.2), "log10"])
    assert cells.loc[(10, 0.2), ["log10_least", "bethe", "counted"]].tolist() == [2.0, 2.5, 0.0]
    assert ended_early(table, "count").loc[0.2].tolist() == [1.0, 1.0, 1.0]


def test_peaks_are_where_they_were_put(table: pd.DataFrame) -> None:
    found = peaks(table, ("find", "count")).set_index(["n", "cost"])
    for n in (10, 20, 40):
        assert found.loc[(n, "find"), "density"] == 0.4
        assert found.loc[(n, "count"), ["density", "late", "from", "to"]].tolist() == [0.2, 1.0, 0.2, 0.2]


def test_where_curves_cross_one_half(table: pd.DataFrame) -> None:
    backbone = table.assign(backbone=table["backbone_least"])
    assert half_way(backbone, "backbone")["half"].tolist() == pytest.approx([0.4] * 3)
    assert half_way(backbone, "backbone")["width"].tolist() == pytest.approx([0.1] * 3)
    unique = half_way(table, "unique").set_index("n")
    assert unique.loc[20, "half"] == pytest.approx(0.5)
    assert unique.loc[40, "half"] > 0.5 > unique.loc[10, "half"]
    assert unique.loc[20, "half_low"] <= unique.loc[20, "half"] <= unique.loc[20, "half_high"]


def test_growth_is_an_exponent() -> None:
    """Boards whose share of unique ones is exp(-n^1.5 / 100)."""
    rows = []
    for n in (10, 15, 20, 30):
        alone = round(2000 * math.exp(-(n**1.5) / 100))
        rows += [{"n": n, "density": 0.6, "seed": seed, "unique": seed < alone} for seed in range(2000)]
    table = pd.DataFrame(rows)
    found = growth(table, 0.6)
    assert found.value == pytest.approx(1.5, abs=0.02)
    assert found.low < found.value < found.high
    assert growths(table, [0.6]).iloc[0].tolist() == [0.6, *(found.value, found.low, found.high)]
    assert rests(table)["causes"].to_numpy() == pytest.approx([n**1.5 / 100 for n in (10, 15, 20, 30)], rel=0.02)


def test_counts_are_censored_as_times_are(runs: pd.DataFrame) -> None:
    counts = runs[runs["solver"].eq("components")]
    stopped = summary.solutions_of(counts[counts["density"].eq(0.2)]).median()
    assert (stopped.value, stopped.low, stopped.high) == (math.inf, math.inf, math.inf)
    whole = summary.solutions_of(counts[counts["density"].eq(0.3)]).median()
    assert whole.value == 3.0
    mixed = summary.solutions_of(counts[counts["density"].isin([0.2, 0.3])])
    assert mixed.median().value == 3.0
    assert mixed.last == 3.0
    drawn = plots.heat(runs, "components", "solutions", "solver")
    words = {text.get_text() for axes in drawn.axes for text in axes.texts}
    assert {"3.0", ">2.0", "0.0"} <= words


@pytest.mark.slow
def test_the_figures_draw(table: pd.DataFrame) -> None:
    cells = by_cell(table)
    halves = {"unique": half_way(table, "unique")}
    with style.drawn_for(style.paper(style.COLUMNS[1])):
        made = three_peaks(cells), states_figure(cells), solutions_figure(cells), scaling_figure(table, halves)
    for figure in made:
        assert figure.get_figwidth() * 2.54 == pytest.approx(style.COLUMNS[1])
        assert style.rendered(figure, "png").startswith(b"\x89PNG")


def test_nothing_is_drawn_through_what_is_not_known(table: pd.DataFrame) -> None:
    drawn = solutions_figure(by_cell(table)).axes[0].lines
    through = [line for line in drawn if line.get_linestyle() != "None" and {10.0, 30.0} <= set(line.get_xdata())]
    assert not through  # at 20 % nothing was counted


@pytest.mark.slow
def test_files(runs: pd.DataFrame, tmp_path: Path) -> None:
    write(runs, tmp_path, runs)
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {
        "by-cell.csv",
        "peaks.csv",
        "solver-peaks.csv",
        "solvers.csv",
        *(f"{n}.{end}" for n in ("three-peaks", "states", "solutions", "scaling") for end in ("png", "txt")),
    }
    assert len(pd.read_csv(tmp_path / "by-cell.csv")) == 3 * len(DENSITIES)


@pytest.mark.slow
def test_records_of_the_studies_are_read_together(runs: pd.DataFrame, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    for study in STUDIES:
        assert read(str(EXPERIMENTS / f"transition/{study}.toml")).name == study
        runs.head(10).drop(columns=["size"]).to_parquet(tmp_path / f"{study}.parquet")
    assert len(load_all(tmp_path)) == 30


def test_a_backbone_that_is_not_known_lies_between_0_and_1() -> None:
    told = {"outcome": "CPUOUT", "solutions": 0}
    records = [
        made(10, 0.4, 1, solver="minisat22", first_cpu_s=1.0, cpu_s=1.0, encode_cpu_s=0.0, load_cpu_s=0.0),
        made(10, 0.4, 1, solver="backbone", **told),
        made(10, 0.4, 2, solver="backbone", backbone_least=0.25, backbone_most=0.75, **told),
        made(10, 0.4, 3, solver="beliefs", first_cpu_s=1.0, solve_cpu_s=1.0),
    ]
    table = boards(load(records)).set_index("seed")
    assert table.loc[[1, 2], ["backbone_least", "backbone_most"]].to_numpy().tolist() == [[0, 1], [0.25, 0.75]]
    assert table.loc[3, ["backbone_least", "backbone_most"]].isna().all()
    (cell,) = by_cell(table.reset_index()).to_dict("records")
    assert (cell["backbone_least"], cell["backbone"], cell["backbone_most"]) == (0.125, 0.5, 0.875)
    assert cell["backbone_open"] == 2


def test_no_large_board_is_unique() -> None:
    """Four cells in a ring of blank ones, anywhere on a board: it has another solution, and the bound counts them."""
    rng = np.random.default_rng(3)
    for _ in range(20):
        cells = (rng.random((9, 9)) < 0.6).astype(int)
        row, column = rng.integers(0, 6, 2)
        cells[row : row + 4, column : column + 4] = 0
        cells[row + 1, column + 1] = cells[row + 2, column + 2] = 1
        puzzle = nonosat.Nonogram.from_picture(["".join(".#"[cell] for cell in line) for line in cells])
        assert len(nonosat.solve(puzzle, count=2).pictures) == 2
    shares = [scaling.bound(n, 0.5) for n in (4, 40, 400, 4000)]
    assert shares == sorted(shares, reverse=True)
    assert shares[-1] < 1e-10


@pytest.mark.slow
def test_the_fit_finds_a_transition_that_is_there() -> None:
    rng, rows = np.random.default_rng(1), []
    for n in (10, 20, 40):
        for density in np.arange(0.3, 0.6, 0.02):
            yes = rng.binomial(400, 1 / (1 + math.exp(-8 * (density - 0.45) * n ** (1 / 1.5))))
            rows.append(("lines", n, density, 400, 400, yes, yes / 400))
    table = pd.DataFrame(rows, columns=["what", "n", "density", "boards", "decided", "yes", "share"])
    found = scaling.fitted(table, "lines")
    assert found.critical_low <= 0.45 <= found.critical_high
    assert found.nu_low <= 1.5 <= found.nu_high
    assert found.critical_high - found.critical_low < 0.1
    assert math.isnan(scaling.fitted(table, "unique").critical)
