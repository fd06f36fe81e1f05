"""Smallest sets: of all things that an argument could rest on, few that it needs.

``minimal`` leaves out one after the other (deletion; Chinneck and Dravnieks 1991): what is left needs each of its
elements. ``minimum`` finds a set of fewest elements by implicit hitting sets (Ignatiev, Previti, Liffiton and
Marques-Silva, *Smallest MUS extraction with minimal hitting set dualization*, CP 2015), as do Bogaerts, Gamba and Guns
for steps. Espasa, Gent, Hoffmann and Jefferson explain pencil puzzles by "small MUSes" (arXiv 2104.15040).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from time import monotonic
from typing import TypeVar

T = TypeVar("T")

Holds = Callable[[list[T]], bool]
"""Does the argument hold with these alone? It must hold with more whenever it does with fewer."""

Core = Callable[[list[T]], "list[T] | None"]
"""Of elements with which the argument holds, those that it rests on, in their order; None: it does not hold."""


def minimal(elements: Sequence[T], holds: Holds[T]) -> list[T]:
    """Elements of which none can be left out; ``holds`` must hold of all. Those at the beginning are left out first.

    Halves are tried before single ones, which takes O(kept * log(all)) questions where few are needed.

    >>> minimal(range(100), lambda kept: {3, 70} <= set(kept))
    [3, 70]
    """
    kept = list(elements)
    for fewer in shrinking(elements, holds):
        kept = fewer
    return kept


def shrinking(elements: Sequence[T], holds: Holds[T]) -> Iterator[list[T]]:
    """The search of ``minimal``: fewer and fewer elements, as they are found."""
    kept = list(elements)
    size = max(1, len(kept) // 2)
    while kept:
        at = 0
        while at < len(kept):
            without = kept[:at] + kept[at + size :]
            if holds(without):
                kept = without
                yield kept
            else:
                at += size
        if size == 1:
            break
        size //= 2


def refined(elements: Sequence[T], core: Core[T], most: int | None = None) -> list[T] | None:
    """As ``minimal``, where it is known on which elements the argument rests; None: it needs more than ``most``.

    >>> refined(range(100), lambda kept: [3, 70] if {3, 70} <= set(kept) else None)
    [3, 70]
    """
    kept, needed = list(elements), 0
    while needed < len(kept):
        if needed == most:
            return None
        fewer = core(kept[:needed] + kept[needed + 1 :])
        if fewer is None:
            needed += 1
        else:
            kept = fewer
    return kept


NODES = 4
"""Of the search for hitting sets that go with a question."""


class Budget:
    """How many solver calls are allowed; ``spent``: none are left, and some call was not made for that.

    The search for hitting sets has a budget of its own in it, of so many nodes a question.
    """

    def __init__(self, questions: int) -> None:
        self.left, self.nodes = questions, questions * NODES
        self.spent = False

    def ask(self, cost: int = 1) -> bool:
        """Are ``cost`` more allowed?"""
        if self.left < cost:
            self.spent = True
            return False
        self.left -= cost
        return True

    def node(self) -> bool:
        """May the search for hitting sets go on?"""
        self.nodes -= 1
        self.spent |= self.nodes < 0
        return self.nodes >= 0


class TimeBudget(Budget):
    """A budget of time: anything is allowed until ``end`` by the monotonic clock, and nothing from then on."""

    def __init__(self, end: float) -> None:
        super().__init__(0)
        self.end = end

    def ask(self, cost: int = 1) -> bool:
        """Is there time left?"""
        self.spent |= monotonic() >= self.end
        return not self.spent

    def node(self) -> bool:
        """Is there time left?"""
        return self.ask()


def minimum(elements: Sequence[T], holds: Holds[T], most: int, budget: Budget) -> list[T] | None:
    """A set of fewest elements, if that is ``most`` at most; else None, and also if the ``budget`` is spent before.

    >>> cuts = [{0, 1}, {2, 3}, {1, 4}]
    >>> minimum(range(5), lambda kept: all(cut & set(kept) for cut in cuts), 5, Budget(100))
    [1, 2]
    """

    def with_these(numbers: set[int]) -> bool:
        return holds([elements[i] for i in sorted(numbers)])

    def cut(chosen: set[int]) -> frozenset[int] | None:
        if with_these(chosen):
            return None
        without = set(chosen)
        for i in range(len(elements)):
            if i not in without and budget.ask() and not with_these({*without, i}):
                without.add(i)
        return frozenset(range(len(elements))) - without

    found = fewest(cut, most, budget)
    return None if found is None else [elements[i] for i in sorted(found)]


Cut = Callable[[set[int]], frozenset[int] | None]
"""None: the argument holds with these numbers alone. Else numbers of which it needs one: all but as many as there can
be, with these among them, without the argument."""


def fewest(cut: Cut, most: int, budget: Budget) -> set[int] | None:
    """Fewest numbers of which the argument holds, as ``minimum``; ``cut`` says what it holds of."""
    to_hit: list[frozenset[int]] = []
    while (chosen := hitting(to_hit, most, budget)) is not None and budget.ask():
        if (another := cut(chosen)) is None:
            return chosen
        if not another:
            return None
        to_hit.append(another)
    return None


def hitting(sets: Iterable[frozenset[int]], most: int, budget: Budget) -> set[int] | None:
    """Fewest numbers of which every one of ``sets`` has one, ``most`` at most; None: that takes more, or the budget.

    >>> sorted(hitting([frozenset({1, 2}), frozenset({2, 3}), frozenset({4})], 3, Budget(1)))
    [2, 4]
    """
    left = sorted(set(sets), key=lambda one: (len(one), sorted(one)))
    return next((found for size in range(most + 1) if (found := _hit(left, size, budget)) is not None), None)


def _hit(left: Sequence[frozenset[int]], size: int, budget: Budget) -> set[int] | None:
    """At most ``size`` numbers that hit all."""
    if not left:
        return set()
    if size == 0 or not budget.node() or _disjoint(left) > size:
        return None
    counts: dict[int, int] = {}
    for one in left:
        for number in one:
            counts[number] = counts.get(number, 0) + 1
    for number in sorted(left[0], key=lambda n: (-counts[n], n)):
        found = _hit([one for one in left if number not in one], size - 1, budget)
        if found is not None:
            return {number, *found}
    return None


def _disjoint(left: Sequence[frozenset[int]]) -> int:
    """How many of the sets have nothing in common with each other, at least: as many numbers are needed."""
    met: set[int] = set()
    count = 0
    for one in left:
        if not met & one:
            met |= one
            count += 1
    return count
