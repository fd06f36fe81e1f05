"""Which cases of a battery `make test` tries, and which `make test-slow` alone; CI runs both.

Of the widest batteries, `make test-slow` tries a sample, too, and `make test-nightly` the rest: those are marked
``nightly`` as well as slow, here or, where a test has very many slow cases, by conftest.py.

A sample has every value of every argument at least once, and is spread over the cases. It is the same every time::

    @pytest.mark.parametrize(("encoding", "solver"), sampled(product(ENCODINGS, SOLVERS)))
    @pytest.mark.parametrize("seeds", portions(range(200), 20))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from inspect import Parameter, signature
from typing import Any

import pytest
from _pytest.mark import ParameterSet
from hypothesis import given, settings

RARE = (pytest.mark.slow, pytest.mark.nightly)
"""The marks of a case that `make test-nightly` alone tries."""


def evenly(length: int, wanted: int) -> set[int]:
    """Indices of ``wanted`` of ``length`` items, as far from each other as can be; all if there are no more.

    >>> evenly(10, 2), evenly(2, 10)
    ({2, 7}, {0, 1})
    """
    return set(range(length)) if wanted >= length else {(2 * i + 1) * length // (2 * wanted) for i in range(wanted)}


def covering(cases: Sequence[tuple[Any, ...]], wanted: int) -> set[int]:
    """Indices of a sample: each value at each place occurs, and there are at least ``wanted`` if there are so many.

    >>> cases = [(letter, number) for letter in "ab" for number in (1, 2, 3)]
    >>> [cases[index] for index in sorted(covering(cases, 0))]
    [('a', 1), ('a', 3), ('b', 2)]
    """
    values = [{(place, repr(value)) for place, value in enumerate(case)} for case in cases]
    chosen = evenly(len(cases), wanted)
    open_ = set().union(*values).difference(*(values[index] for index in chosen))
    while open_:
        best = max(range(len(cases)), key=lambda index: len(values[index] & open_))
        chosen.add(best)
        open_ -= values[best]
    return chosen


def marked(cases: Sequence[Any], kept: set[int], mark: pytest.MarkDecorator = pytest.mark.slow) -> list[Any]:
    """The cases for ``parametrize``, all but those at ``kept`` with this mark; a ``pytest.param`` keeps its own."""
    made = []
    for index, case in enumerate(cases):
        one = case if isinstance(case, ParameterSet) else pytest.param(*(case if isinstance(case, tuple) else (case,)))
        marks = [*one.marks, *([] if index in kept else [mark])]
        made.append(pytest.param(*one.values, id=one.id, marks=marks))
    return made


def sampled(cases: Iterable[Any], wanted: int = 0) -> list[Any]:
    """All cases for ``parametrize``, those outside the sample marked slow; a case of several arguments is a tuple.

    A single argument has ``wanted`` cases in the sample; of several, each value has one at least. (A tuple that is one
    argument's value is written ``(value,)``.)
    """
    whole = list(cases)
    listed = [case if isinstance(case, tuple) else (case,) for case in whole]
    alone = all(len(case) == 1 for case in listed)
    kept = evenly(len(listed), wanted) if alone else covering(listed, wanted)
    return marked(whole, kept)


def spread(cases: Iterable[Any], wanted: int) -> list[Any]:
    """As ``sampled``, of cases of several arguments too, but not with every value: each is tried by other tests."""
    listed = list(cases)
    return marked(listed, evenly(len(listed), wanted))


def nightly(cases: Iterable[Any], wanted: int) -> list[Any]:
    """The cases of a slow test for ``parametrize``: so many are left to `make test-slow`, all others marked nightly."""
    listed = list(cases)
    return marked(listed, evenly(len(listed), wanted), pytest.mark.nightly)


def portions(items: Iterable[Any], wanted: int) -> list[Any]:
    """For ``parametrize``: a list of ``wanted`` of the items, and, marked slow, the list of all others."""
    listed = list(items)
    kept = evenly(len(listed), wanted)
    first, rest = ([item for index, item in enumerate(listed) if (index in kept) is some] for some in (True, False))
    others = [pytest.param(rest, id="others", marks=pytest.mark.slow)] if rest else []
    return [pytest.param(first, id="some"), *others]


def repeated(few: int, many: int, most: int | None = None) -> list[Any]:
    """For ``parametrize``: how often a loop over random cases goes round, ``few`` or, marked slow, ``many`` times.

    ``most`` times is marked nightly.
    """
    slow = [pytest.param(few, id="few"), pytest.param(many, id="many", marks=pytest.mark.slow)]
    return slow if most is None else [*slow, pytest.param(most, id="most", marks=RARE)]


def examples(few: int, many: int, base: settings, **strategies: Any) -> Callable[[Callable[..., None]], Any]:
    """``given`` these strategies and settings with ``few`` examples, and, marked slow, with ``many``.

    All other arguments of the test are those of other ``parametrize``.
    """

    def decorate(test: Callable[..., None]) -> Any:
        def run(number: int, **arguments: Any) -> None:
            @settings(base, max_examples=number)
            @given(**strategies)
            def holds(**values: Any) -> None:
                test(**arguments, **values)

            holds()

        taken = signature(test)
        others = [parameter for name, parameter in taken.parameters.items() if name not in strategies]
        first = Parameter("number", Parameter.POSITIONAL_OR_KEYWORD)
        run.__name__, run.__doc__, run.__module__ = test.__name__, test.__doc__, test.__module__
        run.__signature__ = taken.replace(parameters=[first, *others])  # type: ignore[attr-defined]
        return pytest.mark.parametrize("number", repeated(few, many))(run)

    return decorate
