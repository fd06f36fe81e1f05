"""Refutations told: what follows from an assumption, line after line, up to the contradiction."""

from __future__ import annotations

from collections.abc import Iterable

from nonosat.solvers.explain.nonogram.chains import Chain, Link
from nonosat.solvers.explain.nonogram.position import Position
from nonosat.solvers.explain.nonogram.sayings import refutation_told
from nonosat.solvers.explain.nonogram.trials import Refuted
from nonosat.solvers.explain.steps import Branch, Constraint, Fact, Inference


def refutation(position: Position, refuted: Refuted, marks: tuple[Fact, ...]) -> Link:
    """The link that a value is no value of a cell. ``marks``: what is known of cells beside their values."""
    trial = refuted.trial
    nested = [trial.split] if trial.split >= 0 else _cells(position, refuted.lines) if trial.probing else []
    link = _refuted(position, (trial.row, trial.column), trial.value, refuted.lines, marks, nested)
    assert link is not None, "what the compiled solver refutes, so do chains"
    return link


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
    told, used = chain.needed(())
    left = tuple(v for v in position.every if v != value)
    own = [fact for fact in facts if fact[:2] == cell]
    for fact in own:
        left = tuple(v for v in left if v in fact.values)
    gives = Fact(*cell, left)
    uses = tuple(sorted((used | set(own)) - {assumed}))
    constraints = _rested_on(told)
    deep = any(inference.branches for inference in told)
    sentence = refutation_told(position, assumed, gives, constraints, deep)
    technique = "nested" if deep else "contradiction"
    inference = Inference(technique, constraints, uses, (gives,), sentence, (Branch(assumed, tuple(told)),))
    return Link(-1, [], (gives,), inference)


def _nested(position: Position, chain: Chain, lines: tuple[int, ...], cells: list[int]) -> bool:
    """Go on by refuting values of ``cells``, until a line has no placement left. False: that does not happen."""
    width, learnt = position.puzzle.width, True
    while learnt:
        learnt = False
        for number in cells:
            cell = divmod(number, width)
            for value in position.every:
                facts = (*chain.assumed, *(fact for link in chain.links for fact in link.gives))
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
