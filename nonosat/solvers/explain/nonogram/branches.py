"""What lines refute or show together, told: what follows, line after line, and what comes of assumptions."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, partial

from nonosat.solvers.explain.nonogram.chains import Chain, Link
from nonosat.solvers.explain.nonogram.position import Position
from nonosat.solvers.explain.nonogram.sayings import refutation_told
from nonosat.solvers.explain.nonogram.trials import ASSUMED, EXCLUDED, NONE_LEFT, PROBED, Refuted
from nonosat.solvers.explain.steps import Branch, Constraint, Fact, Inference


def chain_of(position: Position, refuted: Refuted, marks: Iterable[Link]) -> tuple[Chain, tuple[Fact, ...]]:
    """The chain that shows what a trial found, and its goal (nothing: a contradiction), from ``marks`` on."""
    (row, column, value, split, way), lines = refuted.trial, refuted.lines
    chain = Chain(position, technique="lines-together", links=list(marks))
    if len(position.every) > 2:
        dead = chain.run(lines, lines)
        assert dead == (way == NONE_LEFT), "chains come to what the compiled solver comes to"
    if way == NONE_LEFT:
        return chain, ()
    if way in (ASSUMED, PROBED):
        nested = [split] if split >= 0 else _cells(position, lines) if way == PROBED else []
        return chain, _drop(chain, (row, column), value, lines, nested)
    goal = Fact(row, column, (value,))
    if way == EXCLUDED:
        for other in _left(chain, row, column):
            if other != value:
                _drop(chain, (row, column), other, lines, [])
    return chain, chain.beside(goal)


def _drop(
    chain: Chain, cell: tuple[int, int], value: int, lines: tuple[int, ...], nested: list[int]
) -> tuple[Fact, ...]:
    """Go on with the link that ``value`` is no value of a cell; what it gives."""
    open_facts = tuple(fact for fact in chain.found if chain.position.values[fact.row][fact.column] < 0)
    link = _refuted(chain.position, cell, value, lines, open_facts, nested)
    assert link is not None, "what the compiled solver refutes, so do chains"
    chain.links.append(link)
    return link.gives


def _left(chain: Chain, row: int, column: int) -> tuple[int, ...]:
    """The values that a chain leaves to a cell."""
    left = set(chain.position.cell(row, column))
    left.intersection_update(*(fact.values for fact in chain.found if fact[:2] == (row, column)))
    return tuple(sorted(left))


def _cells(position: Position, lines: Iterable[int]) -> list[int]:
    """The open cells of lines, as numbers."""
    chosen, height, width = set(lines), position.puzzle.height, position.puzzle.width
    return [r * width + c for r, c in position.open_cells() if r in chosen or height + c in chosen]


def _refuted(
    position: Position,
    cell: tuple[int, int],
    value: int,
    lines: tuple[int, ...],
    facts: tuple[Fact, ...],
    nested: list[int],
) -> Link | None:
    """The link that ``value`` is refuted by ``lines``, given ``facts``; ``nested``: cells to try under it. None: it is
    not refuted so.
    """
    assumed = Fact(*cell, (value,))
    chain = Chain(position, (*facts, assumed))
    first = (cell[0], position.puzzle.height + cell[1])
    if not chain.run(lines, first) and not _nested(position, chain, lines, nested):
        return None
    left = tuple(v for v in position.every if v != value)
    own = [fact for fact in facts if fact[:2] == cell]
    for fact in own:
        left = tuple(v for v in left if v in fact.values)
    gives = Fact(*cell, left)
    return Link(-1, [], (gives,), cache(partial(_story, chain, assumed, gives, own)))


def _story(chain: Chain, assumed: Fact, gives: Fact, own: list[Fact]) -> Inference:
    """What comes of an assumption; ``own``: what was known of its cell."""
    told, used = chain.shortest()
    uses = tuple(sorted((used | set(own)) - {assumed}))
    constraints = _rested_on(told)
    deep = any(inference.branches for inference in told)
    sentence = refutation_told(chain.position, assumed, gives, constraints, deep)
    technique = "nested" if deep else "contradiction"
    return Inference(technique, constraints, uses, (gives,), sentence, (Branch(assumed, tuple(told)),))


def _nested(position: Position, chain: Chain, lines: tuple[int, ...], cells: list[int]) -> bool:
    """Go on by refuting values of ``cells``, until a line has no placement left. False: that does not happen."""
    width, learnt = position.puzzle.width, True
    while learnt:
        learnt = False
        for number in cells:
            cell = divmod(number, width)
            for value in position.every:
                facts = (*chain.assumed, *chain.found)
                left = set(position.cell(*cell)).intersection(*(f.values for f in facts if f[:2] == cell))
                if len(left) < 2 or value not in left:
                    continue
                if (link := _refuted(position, cell, value, lines, facts, [])) is not None:
                    chain.links.append(link)
                    learnt = True
                    if chain.run(lines, (cell[0], position.puzzle.height + cell[1])):
                        return True
    return False


def _rested_on(inferences: Iterable[Inference]) -> tuple[Constraint, ...]:
    return tuple(dict.fromkeys(constraint for each in inferences for constraint in each.constraints))
