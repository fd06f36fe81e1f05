"""Nonograms in XCSP3 as its competitions have them: an array of cells, an automaton (``regular``) for each line.

::

    <instance format="XCSP3" type="CSP">
      <variables> <array id="x" size="[2][3]"> 0 1 </array> </variables>
      <constraints>
        <regular>
          <list> x[0][] </list>
          <transitions> (q0,0,q0)(q0,1,q1)(q1,0,q1) </transitions>
          <start> q0 </start> <final> q1 </final>
        </regular>
        ...
        <instantiation> <list> x[1][2] </list> <values> 1 </values> </instantiation>
      </constraints>
    </instance>

The clues are found again in the automata, whatever their states are called, and in tables: see ``xcsp3_reader``. Given
cells are an ``instantiation``; colours are the values 1, 2, ...; their letters and shades, title, author, licence,
source, goal and solutions are dropped on writing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from nonosat.errors import UnsupportedError
from nonosat.puzzles.nonogram.formats.automata import automaton_of
from nonosat.puzzles.nonogram.formats.written_clues import refuse_more_colours
from nonosat.puzzles.nonogram.formats.xcsp3_reader import read
from nonosat.puzzles.nonogram.puzzle import Clue, Nonogram

__all__ = ["instance", "is_instance", "marks", "read", "write"]

_INSTANCE = re.compile(r"<instance\b[^>]{0,300}XCSP3")


def is_instance(text: str) -> bool:
    """It is XML with an ``instance`` of XCSP3."""
    return text.lstrip().startswith("<") and _INSTANCE.search(text) is not None


def marks(text: str) -> bool:
    """An instance with automata."""
    return is_instance(text) and "<regular" in text


def write(puzzles: Sequence[Nonogram]) -> str:
    """One puzzle by automata; several raise ``UnsupportedError``."""
    return instance(puzzles, "xcsp3", _regular)


def _regular(cells: str, clue: Clue, length: int) -> list[str]:
    automaton = automaton_of(clue)
    transitions = "".join(f"({state},{value},{then})" for state, value, then in automaton.triples)
    final = " ".join(sorted(automaton.final))
    return [
        "<regular>",
        f"  <list> {cells} </list>",
        f"  <transitions> {transitions} </transitions>",
        f"  <start> {automaton.start} </start>",
        f"  <final> {final} </final>",
        "</regular>",
    ]


def instance(puzzles: Sequence[Nonogram], name: str, line: Callable[[str, Clue, int], list[str]]) -> str:
    """One puzzle, each line of it by ``line(its cells, its clue, how many cells)``."""
    if len(puzzles) != 1:
        raise UnsupportedError(f"{name} holds one puzzle, not {len(puzzles)}; non, webpbn and json hold many")
    (puzzle,) = puzzles
    refuse_more_colours(puzzle, name)
    values = " ".join(map(str, range(puzzle.colours + 1)))
    constraints: list[str] = []
    for axis, index, clue in puzzle.lines():
        cells, length = (f"x[{index}][]", puzzle.width) if axis == "row" else (f"x[][{index}]", puzzle.height)
        constraints += line(cells, clue, length)
    if puzzle.given:
        cells = " ".join(f"x[{row}][{column}]" for row, column, _ in puzzle.given)
        constraints += ["<instantiation>", f"  <list> {cells} </list>"]
        constraints += [
            f"  <values> {' '.join(str(value) for *_, value in puzzle.given)} </values>",
            "</instantiation>",
        ]
    lines = [
        '<instance format="XCSP3" type="CSP">',
        "  <variables>",
        f'    <array id="x" size="[{puzzle.height}][{puzzle.width}]"> {values} </array>',
        "  </variables>",
        "  <constraints>",
        *(f"    {text}" for text in constraints),
        "  </constraints>",
        "</instance>",
    ]
    return "\n".join([*lines, ""])
