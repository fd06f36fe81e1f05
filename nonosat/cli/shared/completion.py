"""Completions of arguments and options: values for ``shell_complete`` of click's parameters.

Each is called only by a shell, and imports what it needs then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

Completion = Callable[[click.Context, click.Parameter, str], "list[CompletionItem[str]]"]
"""Of a context, a parameter and the beginning of its value: what the value may be."""


def names_of(names: Callable[[str], Iterable[str]], or_files: bool = False) -> Completion:
    """Those of the names that begin as the value does; and files, if wanted, which the shell itself knows.

    ``names``: gives them, by the beginning of the value.
    """

    def complete(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem[str]]:
        from click.shell_completion import CompletionItem

        found = [CompletionItem(name) for name in dict.fromkeys(names(begun)) if name.startswith(begun)]
        return [*found, CompletionItem(begun, type="file")] if or_files else found

    return complete


def _encodings(begun: str) -> Iterable[str]:
    """The encodings that are tested as a whole; behind a plus, parts that are not there yet."""
    from nonosat.encodings.registry import KINDS, PARTS

    before, plus, _ = begun.rpartition("+")
    whole = [name for kind in KINDS.values() for name in kind.tested]
    return [*whole, *(f"{before}+{part}" for part in PARTS if plus and part not in before.split("+"))]


def _integer_encodings(begun: str) -> Iterable[str]:
    from nonosat.encodings.parts import INTEGERS

    return INTEGERS


def _solvers(begun: str) -> Iterable[str]:
    """All solvers; behind a plus, the switches of one."""
    from nonosat.solvers.registry import solvers

    before, plus, _ = begun.rpartition("+")
    if not plus:
        return solvers()
    known = solvers().get(before.partition("+")[0])
    return [f"{before}+{word}" for switch in known.switches for word in switch.words] if known is not None else []


def _provers(begun: str) -> Iterable[str]:
    from nonosat.solvers.sat import PROVERS

    return PROVERS


def _certifiers(begun: str) -> Iterable[str]:
    return ["auto", *_provers(begun)]


def _counters(begun: str) -> Iterable[str]:
    from nonosat.counting.count import COUNTERS

    return COUNTERS


def _formats(begun: str) -> Iterable[str]:
    from nonosat.puzzles.formats import FORMATS

    return FORMATS


def _kinds(begun: str) -> Iterable[str]:
    from nonosat.puzzles.puzzle import KINDS

    return KINDS


def _generators(begun: str) -> Iterable[str]:
    from nonosat.generators.registry import GENERATORS

    return GENERATORS


def _labels(begun: str) -> Iterable[str]:
    from nonosat.making.criteria import LINE_LABELS

    return LINE_LABELS


def _techniques(begun: str) -> Iterable[str]:
    from nonosat.explanations.techniques import TECHNIQUES

    return TECHNIQUES


def _papers(begun: str) -> Iterable[str]:
    from nonosat.printing.booklet import PAPERS

    return PAPERS


def _studies(begun: str) -> Iterable[str]:
    from nonosat.studies.study import known

    return known()


files = names_of(lambda begun: (), or_files=True)
studies = names_of(_studies, or_files=True)
nothing = names_of(lambda begun: ())
"""No completion, for free text: a title, a number, an address."""
encodings, integer_encodings = names_of(_encodings), names_of(_integer_encodings)
solvers, provers, certifiers, counters = (
    names_of(_solvers),
    names_of(_provers),
    names_of(_certifiers),
    names_of(_counters),
)
formats, kinds, generators = names_of(_formats), names_of(_kinds), names_of(_generators)
labels, techniques, papers = names_of(_labels), names_of(_techniques), names_of(_papers)
