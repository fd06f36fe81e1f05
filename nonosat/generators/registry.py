"""The generators of random puzzles: one frozen record each, in one table.

Studies, ``nonosat generate`` and ``nonosat list`` use the record alone, and know no generator by name. To add one,
write its record in a file of this folder and a line in ``GENERATORS``, or put the record in a plug-in. A record's file
imports no numpy, so that listing the generators is quick: the code of ``pictures`` and ``skyscrapers`` is in files of
its own, ``styles`` and ``skyscrapers_made``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from nonosat.errors import UnsupportedError
from nonosat.plugins import Code, Record, Table, origin

if TYPE_CHECKING:
    from nonosat.puzzles.puzzle import Puzzle

FACTS = ("density", "level", "difficulty")
"""The fields of a run's record that ``facts`` may fill."""

OPTIONS = (
    *(
        "puzzle",
        "generator",
        "seed",
        "count",
        "unique",
        "line-solvable",
        "label",
        "technique",
        "solutions",
        "attempts",
        "repair",
        "give",
        "max-changes",
        "time-limit",
        "cpu-limit",
        "memory-limit",
    ),
    *("output", "to", "help"),
)
KEYS = ("generator", "count", "seed", "files", "index")
"""``nonosat generate`` and the entries of studies have these for every generator: no parameter is called so."""

_WORD = re.compile(r"[a-z][a-z0-9-]*")


@dataclass(frozen=True, eq=False, kw_only=True)
class Parameter:
    """An argument of a generator, besides the seed.

    ``word``: its name as an option (``--size``) and in records. ``key``: the name of its list in a study, ``sizes``.
    ``read`` makes the value from TOML data or from the command line's text; its ValueError is the message for the user.
    ``format`` makes a value's text in names, without ``/``, from which ``read`` makes the same value. ``default``: what
    is read where it is left out; None: it is required. ``metavar`` and ``meaning`` are for help.
    """

    word: str
    key: str
    metavar: str
    meaning: str
    read: Callable[[Any], Any]
    format: Callable[[Any], str] = str
    default: Any = None


def _no_facts(*values: Any) -> dict[str, Any]:
    return {}


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Generator(Record):
    """A generator. Fields of code take the object, or ``"module:name"``, which is imported at the first use.

    ``kind``: the kind of its puzzles. ``make(*values, seed)``: the puzzle for the values of ``parameters``, in order;
    it is the same on every machine. ``facts(*values)``: those of ``FACTS`` that follow from the values. ``unique``:
    every puzzle has exactly one solution. ``judge(criterion)``: the ``criteria.Judge`` of ``unique``,
    ``line-solvable`` or a label of difficulty. ``repair``: as ``criteria.repair``; ``give``: as ``giving.give``. None:
    it has none.
    """

    axis: ClassVar[str] = "generator"

    name: str
    kind: str
    meaning: str
    parameters: tuple[Parameter, ...]
    make: Code[Callable[..., Puzzle]] = Code()
    facts: Code[Callable[..., dict[str, Any]]] = Code(_no_facts)
    unique: bool = False
    judge: Code[Callable[[str], Callable[[Any], bool | None]] | None] = Code(None)
    repair: Code[Callable[..., Any] | None] = Code(None)
    give: Code[Callable[..., Any] | None] = Code(None)

    def __repr__(self) -> str:
        return f"Generator({self.name!r})"

    def has(self, field: str) -> bool:
        """Does the record have ``field``? Nothing is imported for it."""
        return vars(self)[field] is not None

    def texts(self, values: Sequence[Any]) -> tuple[str, ...]:
        """The texts of the parameters' values: an instance is named by them, and made from them."""
        return tuple(parameter.format(value) for parameter, value in zip(self.parameters, values, strict=True))

    def puzzle(self, texts: Sequence[str], seed: int) -> Puzzle:
        """The puzzle for these texts and this seed.

        >>> GENERATORS.named("density").puzzle(("3x5", "0.5"), 7).goal.rows()
        ['...##', '.#..#', '####.']
        """
        return self.make(*self._read(texts), seed)

    def known(self, texts: Sequence[str]) -> dict[str, Any]:
        """The facts of the puzzles for these texts. UnsupportedError: a fact that records do not have.

        >>> GENERATORS.named("density").known(("3x5", "0.25+0.5"))
        {'density': 0.75}
        """
        facts = self.facts(*self._read(texts))
        if unknown := [name for name in facts if name not in FACTS]:
            raise UnsupportedError(f"generator {self.name}: tells {unknown[0]}; records have {', '.join(FACTS)} of it")
        return facts

    def _read(self, texts: Sequence[str]) -> list[Any]:
        return [parameter.read(text) for parameter, text in zip(self.parameters, texts, strict=True)]


def _fault(generator: Generator, others: Mapping[str, Generator]) -> str | None:
    """Why it cannot stand in the table: a name that does not suit files, options or instances."""
    if not _WORD.fullmatch(generator.name) or generator.name == "file":  # as instances from files are named
        return "a name has a-z, 0-9 and '-', and is not 'file'"
    words = [parameter.word for parameter in generator.parameters]
    keys = [parameter.key for parameter in generator.parameters]
    for own, taken in ((words, OPTIONS), (keys, KEYS)):
        for place, word in enumerate(own):
            if word in taken or word in own[:place]:
                return f"parameter {word}: that is another's name"
    bad = next((word for word in words if not _WORD.fullmatch(word)), None)
    return None if bad is None else f"parameter {bad}: a word has a-z, 0-9 and '-'"


GENERATORS: Table[Generator] = Table(
    "generator",
    Generator,
    {
        "density": "nonosat.generators.density:GENERATOR",
        "pictures": "nonosat.generators.pictures:GENERATOR",
        "skyscrapers": "nonosat.generators.skyscrapers:GENERATOR",
    },
    _fault,
)
"""All generators, or where they are. The first one of a kind is the default of this kind."""


def of_kind(kind: str) -> Generator:
    """The first generator of a kind of puzzle. UnsupportedError: there is none."""
    found = next((generator for generator in GENERATORS.values() if generator.kind == kind), None)
    if found is None:
        raise UnsupportedError(f"no generator makes puzzles of the kind {kind}")
    return found


def identity(generator: Generator) -> str:
    """The identity of the plug-in that the generator comes from, on which results depend; "" for our own."""
    plugin = origin(generator)
    return "" if plugin is None else plugin.identity
