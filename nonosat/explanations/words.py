"""Words for sentences: places, values, numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from nonosat.explanations.steps import Fact

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def ordinal(number: int) -> str:
    """Which one, from 1.

    >>> ordinal(2), ordinal(12), ordinal(21), ordinal(111)
    ('second', '12th', '21st', '111th')
    """
    if number <= len(_ORDINALS):
        return _ORDINALS[number - 1]
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def listed(words: Sequence[str], last: str = "and") -> str:
    """Words as a list.

    >>> listed(["1"]), listed(["1", "2"]), listed(["1", "2", "3"])
    ('1', '1 and 2', '1, 2 and 3')
    """
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"


def stretches(cells: Iterable[int]) -> list[tuple[int, int]]:
    """The first and the last of neighbours.

    >>> stretches([2, 3, 4, 7])
    [(2, 4), (7, 7)]
    """
    found: list[tuple[int, int]] = []
    for cell in sorted(cells):
        if found and found[-1][1] == cell - 1:
            found[-1] = (found[-1][0], cell)
        else:
            found.append((cell, cell))
    return found


def places(word: str, cells: Iterable[int]) -> str:
    """Cells by their numbers, from 1.

    >>> places("column", [2]), places("column", [2, 3]), places("column", [2, 3, 4, 7])
    ('column 3', 'columns 3 and 4', 'columns 3 to 5 and 8')
    """
    numbers: list[str] = []
    found = stretches(cells)
    for first, last in found:
        if last - first < 2:
            numbers += [str(cell + 1) for cell in range(first, last + 1)]
        else:
            numbers.append(f"{first + 1} to {last + 1}")
    several = len(found) > 1 or found[0][0] < found[0][1]
    return f"{word}{'s' * several} {listed(numbers)}"


def many(number: int, thing: str) -> str:
    """``1 way``, ``2,000 ways``."""
    return f"{number:,} {thing}{'s' * (number != 1)}"


def format_values(row: bool, facts: Iterable[Fact], format_value: Callable[[Fact], str]) -> list[str]:
    """What facts say of cells of a row, or a column, by values: ``columns 3 and 4 are filled``.

    Several facts of one cell are given as the values that they leave to it, if any. ``format_value`` formats one.

    >>> format_values(True, [Fact(0, 2, (1, 2)), Fact(0, 2, (2, 3)), Fact(0, 4, (2,))], lambda fact: str(fact.values))
    ['columns 3 and 5 are (2,)']
    """
    left: dict[int, Fact] = {}
    for fact in facts:
        cell = fact.column if row else fact.row
        before = left.get(cell, fact).values
        left[cell] = fact._replace(values=tuple(value for value in before if value in fact.values) or fact.values)
    by_value: dict[str, list[int]] = {}
    for cell, fact in left.items():
        by_value.setdefault(format_value(fact), []).append(cell)
    word = "column" if row else "row"
    return [f"{places(word, cells)} {'is' if len(cells) == 1 else 'are'} {value}" for value, cells in by_value.items()]
