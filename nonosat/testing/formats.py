"""Checks of a format: what it writes is read back; a broken text is refused in one line, and nothing else happens."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from nonosat.chance import Chance
from nonosat.errors import NonosatError, UnsupportedError
from nonosat.puzzles.formats import dumps, loads
from nonosat.puzzles.kinds import Format
from nonosat.puzzles.puzzle import Puzzle
from nonosat.testing.brute import solutions
from nonosat.testing.samples import samples

BROKEN = 300
LETTERS = '0123456789.#,:;/|-+ \n\t"{}[]xX\x00é𝟙'


def checks(known: Format, kind: str, puzzles: Sequence[Puzzle]) -> Iterator[tuple[str, Callable[[], None]]]:
    """Those of one format, on puzzles of one kind."""
    own = [*samples(kind), *(puzzle for puzzle in puzzles if puzzle.kind == kind)]
    yield f"{known.name}: what is written is read back ({kind})", partial(round_trip, known, own)
    yield f"{known.name}: broken texts are refused ({kind})", partial(broken, known, own)


def written(known: Format, puzzles: Sequence[Puzzle]) -> list[tuple[Puzzle, str]]:
    """The puzzles that the format can hold, each with its text; others are refused in one line."""
    found = []
    for puzzle in puzzles:
        try:
            found.append((puzzle, dumps(puzzle, known.name)))
        except UnsupportedError as error:
            one_line(error)
    assert found or not puzzles, f"{known.name} holds none of these puzzles"
    return found


def round_trip(known: Format, puzzles: Sequence[Puzzle]) -> None:
    """A puzzle comes back with the same solutions, and is written the same again."""
    for puzzle, text in written(known, puzzles):
        [read] = loads(text, known.name)
        assert (read.kind, read.shape) == (puzzle.kind, puzzle.shape)
        assert solutions(read) == solutions(puzzle), f"another puzzle comes back:\n{text}"
        assert dumps(read, known.name) == text, f"what is read is written differently:\n{text}"


def broken(known: Format, puzzles: Sequence[Puzzle]) -> None:
    """Texts cut and changed at random: read, or refused by a NonosatError of one line."""
    stream = Chance(0)
    texts = [text for _, text in written(known, puzzles)] or [""]
    for trial in range(BROKEN):
        text = texts[stream.below(len(texts))]
        for _ in range(stream.below(3) + (trial > 0)):
            at, end = sorted((stream.below(len(text) + 1), stream.below(len(text) + 1)))
            letter = LETTERS[stream.below(len(LETTERS))]
            text = (text[:at], text[:at] + letter + text[at + 1 :], text[:at] + text[end:])[stream.below(3)]
        try:
            loads(text, known.name)
        except NonosatError as error:
            one_line(error)


def one_line(error: Exception) -> None:
    """What people are told is one line."""
    assert "\n" not in str(error), f"an error of several lines: {error}"
