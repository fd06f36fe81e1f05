"""A puzzle as text in Sugar's language, rule by rule, in the form of Castilho & Welter 2018, ch. 4."""

from __future__ import annotations

from collections.abc import Iterator

from nonosat.csp.model import Ints, Precedes
from nonosat.encodings.nonogram import Runs
from nonosat.encodings.registry import PARTS, Encoding
from nonosat.errors import UnsupportedError
from nonosat.puzzles.nonogram import Nonogram


def sugar_text(puzzle: Nonogram, rules: Encoding) -> str:
    """The ``.csp`` text of ``puzzle`` by the domain and the orderings of ``rules``; the channel is the report's.

    Names are the CSP's (``x_0_1``; the report writes ``x01``, which is ambiguous from 11 cells on). Where the report
    does not say how: a line without runs of some colour says so of each of its cells; each of several colours has a
    predicate and its equivalences of its own; given cells are equations.
    """
    if rules.domain is None:
        raise UnsupportedError(
            f"{rules.rules} has no starts, which Sugar's text is about: choose a domain and orderings"
        )
    runs = Runs.of(puzzle)
    height, width = puzzle.shape
    starts = runs.names(height)
    names = [f"x_{row}_{column}" for row in range(height) for column in range(width)] + starts
    lines = [f"; nonosat: {height}x{width}, {'+'.join((rules.domain, *rules.ordering))}", "; rule 1"]
    lines += (f"(int {name} 0 {puzzle.colours})" for name in names[: height * width])
    lines.append("; rule 2")
    lines += _domains(starts, *PARTS[rules.domain].make(runs))
    for line in range(height + width):
        lines += _channel(runs, line, names)
    for ordering in rules.ordering:
        lines.append(f"; {PARTS[ordering].meaning}")
        lines += _precedences(PARTS[ordering].make(runs), runs, names)
    lines += (f"(= x_{row}_{column} {value})" for row, column, value in puzzle.given)
    return "\n".join(lines) + "\n"


def _domains(starts: list[str], lower: Ints, upper: Ints) -> Iterator[str]:
    """``(int h_0_0 0 1)`` of every run."""
    for name, low, high in zip(starts, lower.tolist(), upper.tolist(), strict=True):
        yield f"(int {name} {low} {high})"


def _channel(runs: Runs, line: int, names: list[str]) -> Iterator[str]:
    """A cell of the line has a colour exactly if a run of that colour covers it: ``(iff (= x_0_0 1) (r0 0))``."""
    cells = [names[runs.base[line] + j * runs.stride[line]] for j in range(runs.size[line])]
    own = range(runs.first[line], runs.first[line + 1])
    for colour in range(1, runs.colours + 1):
        covers = [
            f"(and (<= {names[runs.start[k]]} j) (< j (+ {names[runs.start[k]]} {runs.length[k]})))"
            for k in own
            if runs.colour[k] == colour
        ]
        if not covers:
            yield from (f"(!= {cell} {colour})" for cell in cells)
            continue
        predicate = f"r{line}" if runs.colours == 1 else f"r{line}_{colour}"
        yield f"(predicate ({predicate} j) {covers[0] if len(covers) == 1 else f'(or {chr(32).join(covers)})'})"
        yield from (f"(iff (= {cell} {colour}) ({predicate} {j}))" for j, cell in enumerate(cells))


def _precedences(family: object, runs: Runs, names: list[str]) -> Iterator[str]:
    """``before + distance <= after``, as ``(< (+ h T) h2)`` where h has the length T: so the report writes rule 3."""
    if not isinstance(family, Precedes):
        raise UnsupportedError("only orderings that are precedences can be written in Sugar's language")
    columns = (family.before.tolist(), family.distance.tolist(), family.after.tolist())
    lengths = dict(zip(runs.start.tolist(), runs.length.tolist(), strict=True))
    for before, distance, after in zip(*columns, strict=True):
        if distance == lengths[before] + 1:
            yield f"(< (+ {names[before]} {lengths[before]}) {names[after]})"
        else:
            yield f"(<= (+ {names[before]} {distance}) {names[after]})"
