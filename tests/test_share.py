"""Strings to share: short, whole or refused, whatever is pasted. (test_formats.py has round trips of nonograms.)"""

from __future__ import annotations

from base64 import urlsafe_b64encode
from dataclasses import replace
from pathlib import Path
from zlib import crc32

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sampling import examples, spread

import nonosat
from nonosat.errors import FormatError, NonosatError, UnsupportedError
from nonosat.generators.registry import GENERATORS
from nonosat.puzzles.formats import dumps, loads
from nonosat.puzzles.formats.share import BitReader, BitWriter, shared
from nonosat.puzzles.nonogram import Nonogram
from nonosat.puzzles.puzzle import Given
from nonosat.puzzles.skyscrapers import Skyscrapers

EXAMPLES = Path(__file__).parents[1] / "examples"
SMALL = "n1pUlSWIdmdA"


def string(letter: str, data: bytes) -> str:
    """A string whose checksum is right."""
    whole = data + crc32(data).to_bytes(4, "big")[-3:]
    return f"{letter}1{urlsafe_b64encode(whole).decode().rstrip('=')}"


def refused(text: str) -> str:
    with pytest.raises(FormatError) as caught:
        loads(text, "share", "pasted")
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_string_is_short_and_fits_into_a_link() -> None:
    lengths = [len(shared(replace(nonosat.random_density(n, n, 0.5, 1), title=""))) for n in (10, 15, 25)]
    assert lengths[0] < 70
    assert lengths[2] < 220
    assert shared(nonosat.load(EXAMPLES / "gchq.json")).replace("-", "").replace("_", "").isalnum()


@pytest.mark.parametrize("level", spread(["0", "4", "8", "9x9-hard"], 1))
def test_skyscrapers_come_back(level: str) -> None:
    generator = GENERATORS.named("skyscrapers")
    puzzle = generator.puzzle([level], 3)
    assert loads(dumps(puzzle, "share"), "share") == [replace(puzzle, goal=None)]


def test_many_given_heights_and_a_large_size_come_back() -> None:
    puzzle = Skyscrapers.from_clues([0, 99, *[7] * 97] * 4, [Given(0, 0, 99), Given(98, 98, 1)], "é")
    assert loads(dumps(puzzle, "share"), "share") == [puzzle]


@pytest.mark.slow
def test_a_large_board_comes_back() -> None:
    puzzle = replace(nonosat.random_density(200, 300, 0.5, 1), goal=None)
    assert loads(dumps(puzzle, "share"), "share") == [puzzle]


@pytest.mark.parametrize("link", ["http://127.0.0.1:8765/#/make/{}", "#/play/{}", "  {}  ", "/{}"])
def test_a_link_is_read_by_its_end(link: str) -> None:
    assert loads(link.format(SMALL), "share") == [Nonogram.from_lengths([[2], [1]], [[2], [1]])]


def test_every_cut_and_every_change_of_a_letter_is_refused() -> None:
    text = shared(nonosat.load(EXAMPLES / "heart.mk"))
    for end in range(len(text)):
        refused(text[:end] or "x")
    for at in range(2, len(text)):
        refused(text[:at] + ("A" if text[at] != "A" else "B") + text[at + 1 :])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("hello world", 'pasted:1: "hello world" is no shared puzzle: *'),
        ("n2" + SMALL[2:], "pasted:1: version 2 of shared puzzles; this reader knows 1"),
        ("z1" + SMALL[2:], "pasted:1: shared puzzles that begin with z are of no kind that is known"),
        (f"{SMALL}\n{SMALL}x", "pasted:2: the string is damaged: *"),
        (string("n", b"\x00" * 4), "pasted:1: a number of more than 32 bits"),
        (string("s", b"\x80\x01\x00"), "pasted:1: it ends too soon"),
    ],
)
def test_errors_are_reported(text: str, said: str) -> None:
    told = refused(text)
    assert told == said or (said.endswith("*") and told.startswith(said[:-1]))


def test_a_claim_of_billions_of_rows_costs_nothing() -> None:
    bits = BitWriter()
    for number in (1, 2**31, 2**31):
        bits.gamma(number)
    assert "for which the string is too short" in refused(string("n", bits.data()))


def test_half_a_character_is_not_written() -> None:
    with pytest.raises(UnsupportedError, match="cannot hold a character of the title"):
        shared(Nonogram.from_lengths([[1]], [[1]], title="\ud800"))


@examples(
    300,
    1500,
    settings(deadline=None, derandomize=True),
    letter=st.sampled_from("ns"),
    size=st.integers(1, 12),
    data=st.binary(max_size=40),
)
def test_bits_at_random_are_a_puzzle_or_refused(letter: str, size: int, data: bytes) -> None:
    bits = BitWriter()
    bits.text("")
    bits.gamma(size)
    head = bits.data()
    text = string(letter, bytes([head[0] | (data[0] if data else 0) & 3]) + head[1:] + data)
    try:
        [puzzle] = loads(text, "share")
    except NonosatError as error:
        told, puzzle = str(error), None
    if puzzle is None:
        assert "\n" not in told
    else:
        assert loads(shared(puzzle), "share") == [puzzle]


@given(numbers=st.lists(st.integers(1, 2**32 - 1)))
@settings(deadline=None, derandomize=True)
def test_numbers_come_back(numbers: list[int]) -> None:
    bits = BitWriter()
    for number in numbers:
        bits.gamma(number)
    reader = BitReader(bits.data())
    assert [reader.gamma() for _ in numbers] == numbers
    reader.end()
