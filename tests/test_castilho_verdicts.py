"""The report's claims as numbers with intervals: on records that are made so that the right verdicts are known."""

from __future__ import annotations

import pandas as pd
import pytest
from castilho2018.analysis import FAILS, HOLDS, MINISAT, times_of, verdicts
from records_made import record, stopped, study

from nonosat.studies.analysis.boards import clock_of
from nonosat.studies.analysis.frames import load


@pytest.fixture(scope="module")
def told() -> pd.DataFrame:
    """Of ``records_made.study``: rules 4 and 6 alone are wrong and need 0.12 / 3 and 0.1 / 3 of the decisions."""
    return verdicts(load(study(boards=16, solvers=("minisat22", "glucose4")))).set_index("measured")


def test_ratios_are_of_the_same_boards(told: pd.DataFrame) -> None:
    few = told.loc["2alt/6 by 2alt/3"]
    both = few[few["claim"].eq("6 and 5+6 need very few decisions")].iloc[0]
    assert both["value"] == pytest.approx(0.1 / 3, rel=0.05)
    assert (both["verdict"], both["boards"]) == (HOLDS, 160)
    same = told[told["claim"].eq("2-alt needs far fewer decisions than 2")]
    assert same["value"].eq(1).all()
    assert same["verdict"].eq(FAILS).all()
    faster = told[told["claim"].eq("2-alt is faster than 2, but with 3+4")]
    assert faster.loc["2alt/3 by 2/3", "value"] == pytest.approx(0.7, rel=0.02)
    assert faster.loc["2alt/3 by 2/3", "verdict"] == HOLDS
    assert faster.loc["2alt/3+4 by 2/3+4", "verdict"] == FAILS


def test_claims_of_solvers_wrong_pictures_and_peaks(told: pd.DataFrame) -> None:
    spread = told[told["claim"].eq("only MiniSAT's decisions differ between the rules")].set_index("solver")
    assert spread.loc["minisat22", "verdict"] == HOLDS
    assert spread.loc["glucose4", "verdict"] == FAILS, "the made records differ as much under Glucose"
    assert told.loc["rules 4: share of wrong pictures", "value"] == 1
    assert told.loc["rules 3, 5, 3+4, 5+6: share of wrong pictures", "verdict"] == HOLDS
    assert told.loc["2alt/3: density of the highest mean time, 20x20", "value"] == 0.4


def test_a_run_over_the_limit_is_a_bound() -> None:
    runs = []
    for board in range(8):
        name = f"density/20x20/0.4/{board}"
        runs.append(record(key=f"a{board}", instance=name, encoding="2alt/3", parts="tight+r3+iff+order"))
        runs.append(stopped(key=f"b{board}", instance=name, encoding="2/3", parts="plain+r3+iff+order"))
    frame = load(runs)
    pair = times_of(frame, clock_of(frame), "2alt/3", "2/3")
    assert (pair.boards, pair.over) == (8, 8)
    assert pair.found.low == 0
    assert pair.found.high == pytest.approx(0.01)
    assert MINISAT in set(frame["solver"])
