"""Texts that ask for more than a puzzle is worth: refused in one line, before memory is taken; nothing is opened."""

from __future__ import annotations

import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest
from fuzz_formats import fuzz
from sampling import spread

from nonosat.errors import FormatError
from nonosat.puzzles.formats import FORMATS, dumps, loads, texts
from nonosat.puzzles.nonogram import Nonogram

BOMB = "<!DOCTYPE p [" + "".join(f'<!ENTITY a{k + 1} "{f"&a{k};" * 10}">' for k in range(9)) + "]><puzzle>&a9;</puzzle>"
SMALL = Nonogram.from_lengths([[1]], [[1]])
ARRAY = "[[0,0,0,9],[{w},0,0,999999999],[{h},0,0,999999999],[{n},0,0,999],[0,0,0,0],[0,0,0,0],[0,0,0,9],[0,0,0,0]]"
XCSP3 = (
    '<instance format="XCSP3" type="CSP"><variables><array id="x" size="[{h}][{w}]"> {values} </array></variables>'
    "<constraints>{constraints}</constraints></instance>"
)
LOOP = "".join(f"(q{k},0,q{k + 1})(q{k},1,q{(7 * k) % 3000})" for k in range(3000))
HOSTILE = [
    ("mk", "999999999 999999999\n1\n", '"999999999" rows are announced, the file has 2 lines'),
    ("nin", "999999999 999999999\n1\n", '"999999999" columns are announced, the file has 2 lines'),
    ("nin", "999999 999999\n1\n", "row 2 has no clue"),
    ("webpbn", BOMB, 'it declares an entity ("a1")'),
    (
        "webpbn",
        '<!DOCTYPE p [<!ENTITY x SYSTEM "file:///etc/passwd">]><puzzle><title>&x;</title></puzzle>',
        "it declares",
    ),
    ("webpbn", '<!DOCTYPE p [<!ENTITY % x SYSTEM "http://localhost/x"> %x;]><puzzle/>', "it declares an entity"),
    ("webpbn", "<a>" * 100_000, "elements nested more than 40 deep"),
    ("webpbn", "<puzzle a='" + "x" * 10**6, "not XML"),
    ("xcsp3", BOMB.replace("puzzle", "instance"), "it declares an entity"),
    ("xcsp3", XCSP3.format(h=99999999, w=99999999, values="0 1", constraints=""), "a board of 99999999x99999999"),
    ("xcsp3", XCSP3.format(h=8192, w=8192, values="0 1", constraints=""), "no constraint of row 1"),
    ("xcsp3", XCSP3.format(h=67108864, w=1, values="0 1", constraints=""), "no constraint of row 1"),
    ("xcsp3", XCSP3.format(h=2, w=2, values="0..99", constraints=""), "a domain has values from 0 to 52"),
    (
        "xcsp3",
        XCSP3.format(
            h=8192,
            w=8192,
            values="0 1",
            constraints="<instantiation><list>x[][]</list><values>1</values></instantiation>",
        ),
        "a list of more than 1,048,576 cells",
    ),
    (
        "xcsp3",
        XCSP3.format(
            h=1,
            w=3000,
            values="0 1",
            constraints=f"<regular><list>x[0][]</list><transitions>{LOOP}</transitions><start>q0</start>"
            "<final>q2999</final></regular>",
        ),
        "an automaton",
    ),
    ("nonograms-org", ARRAY.format(w=9999999, h=9999999, n=1), "a board of 9999999x9999999; at most 262,144 cells"),
    ("nonograms-org", ARRAY.format(w=1, h=1, n=998), "998 colours; 1 to 52 are read"),
    ("pzpr", "https://puzz.link/p?nonogram/999999/999999/g", "sides from 1 to 10,000 are read"),
    ("pzpr", "https://puzz.link/p?nonogram/8000/8000/g", "1 of 64000000 places"),
    ("pzpr", "https://puzz.link/p?skyscrapers/9999/9999/g", "a board of 9999x9999; sizes from 1 to 99"),
    ("glpk", "param m := 999999; param n := 999999;", "for which the text is too short"),
    ("glpk", "param m := 9999999999; param n := 1;", "is not a number of at most 6 digits"),
    ("glpk", "param m := 1; param n := 1; param row := 999999 999999 1;", "row 999999 has no run 999999"),
    ("minizinc", "rows = array2d(1..999999, 1..999999, [1]); cols = [|1|];", "a matrix of 999999x999999 has 1 numbers"),
    (
        "olsak",
        "#d\n" + "".join(f"{chr(0x4E00 + k)}:. red\n" for k in range(200)) + ":\n1\n:\n1\n:\n",
        "is not a colour",
    ),
    ("opb", dumps(SMALL, "opb").replace("[1]", "[1], []" * 1000), "the puzzle in the comments"),
    ("non", "height 999999\nwidth 999999\nrows\n1\n", "row 2 has no clue"),
    ("json", "[" * 10**6, "nested too deeply"),
]


@pytest.mark.parametrize(
    ("name", "text", "reason"), spread(HOSTILE, 10), ids=[f"{case[0]}-{case[2][:30]}" for case in HOSTILE]
)
def test_it_is_refused_before_memory_is_taken(name: str, text: str, reason: str) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(FormatError) as caught:
            loads(text, name, "file")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert reason in str(caught.value)
    assert str(caught.value).startswith("file:")
    assert str(caught.value).isprintable()
    assert peak < 8 * 2**20 + 600 * len(text) / 4


def test_xml_has_so_many_elements(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "MAX_NODES", 1000)
    with pytest.raises(FormatError, match=r"^file:2: more than 1,000 elements$"):
        loads("<puzzle>\n" + "<a/>" * 1000, "webpbn", "file")


@pytest.mark.slow
def test_a_board_of_more_than_a_format_reads_is_not_written() -> None:
    wide = Nonogram(((),), ((),) * (2**20 + 1))
    for name in ("opb", "nonograms-org"):
        with pytest.raises(ValueError, match=r"opb holds boards of 1,048,576 variables|has no goal"):
            dumps(wide, name)


def test_the_command_reports_it_in_one_line(tmp_path: Path) -> None:
    script = "from nonosat.cli.main import main; main()"
    (tmp_path / "bad").write_text("2 2\n1\n?\n")
    for name in ("mk", "webpbn", "opb", "sky"):
        command = [sys.executable, "-c", script, "convert", "bad", "out.json", "--from", name]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 2
        assert done.stderr.startswith("nonosat: bad:")
        assert done.stderr.count("\n") == 1
        assert not (tmp_path / "out.json").exists()


@pytest.mark.parametrize("count", [150, pytest.param(5000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", FORMATS)
def test_texts_changed_at_random_are_read_or_refused(name: str, count: int) -> None:
    """``make fuzz-formats`` tries more of them."""
    assert fuzz(FORMATS[name], count, seed=2)[3] == []
