"""What is known of a solver: one frozen record, whose code is imported when it is used."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, NoReturn

from nonosat.errors import UnknownNameError, UnsupportedError
from nonosat.plugins import Code, Record
from nonosat.references import FORMULA_SEARCH

if TYPE_CHECKING:
    from nonosat.encodings.registry import Encoding
    from nonosat.runs.events import Event

    Search = Callable[[Any, Any, int | None, "Solver"], Iterable[Event]]
    """(puzzle, encoding, at most N boards (None: all), the solver as it was chosen)."""
    FromFormula = Callable[[Any, Any, int | None, "Solver"], Iterator[Event]]
    """(formula, what it has cost (``Statistics``), at most N boards, the solver as it was chosen)."""
    OfCsp = Callable[[Any, str, int | None, "Solver"], Iterator[Event]]
    """(CSP, the name of an integer encoding, at most N solutions, the solver as it was chosen)."""
    Light = Callable[[Any, int | None], Generator[Event, None, bool]]
    """(puzzle, at most N boards (None: all)); returns whether the search is done."""

FAMILIES = ("SAT", "CP", "own")
FROM_PUZZLE = FORMULA_SEARCH
"""The search of a SAT solver that begins with a formula."""
EXTERNAL = "exec:"
"""What the names of external programs begin with; their command is behind it."""
IPASIR = "ipasir:"
"""What the names of shared libraries with the interface IPASIR begin with; the file is behind it."""


class Switch(NamedTuple):
    """At most one of ``words`` may be written; ``base`` is the word for none of them. ``N=`` wants a number."""

    words: tuple[str, ...]
    base: str = ""


@dataclass(frozen=True, eq=False)
class Solver(Record):
    """A solver, with the switches that were chosen. Two of one name are the same. Code: the object, or where it is.

    ``family``: SAT (wants a CNF), CP (wants a CSP), or own (states the puzzle in its own way, without an encoding).
    ``search``: finds boards of a puzzle; a SAT solver may leave it out, and give ``solved``, which does so from a
    formula on. ``of_csp``: finds the solutions of any CSP, if it can (by ``solved`` it can); what it finds are the
    values of all variables.
    ``light``: tried first by a process that solves one puzzle and ends; it loads no code that takes long to load.
    ``package``: the other distribution that its results depend on, if any.
    ``kind``: of the only puzzles that it is for; None: any, by their encodings.
    ``complete``: whether it can prove that there is no solution, or no other; if not, it gives up some time (UNKNOWN).
    ``aborts``: it has been seen to end the process that it is in, so it gets one of its own, limits or not.
    ``chosen``: the switches' words, of ``limit=N`` the word ``limit`` with its number. The ``name`` ends with them, in
    the order of ``switches``; the base words are left out. ``command``: an external program's.
    ``library``: the file of an IPASIR library.
    """

    axis: ClassVar[str] = "solver"

    name: str
    family: Literal["SAT", "CP", "own"]
    meaning: str
    search: Code[Search] = Code(FROM_PUZZLE)
    solved: Code[FromFormula | None] = Code(None)
    of_csp: Code[OfCsp | None] = Code(None)
    light: Code[Light | None] = Code(None)
    aliases: tuple[str, ...] = ()
    switches: tuple[Switch, ...] = ()
    package: str | None = None
    kind: str | None = None
    complete: bool = True
    aborts: bool = False
    chosen: Mapping[str, int | None] = field(default_factory=dict)
    command: str | None = None
    library: str | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Solver) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)

    @property
    def module(self) -> str:
        """The module that its own code is in, by name: what it needs is imported with it."""
        code = vars(self)["solved"] or vars(self)["search"]
        return code.partition(":")[0] if isinstance(code, str) else str(code.__module__)

    @property
    def takes_formula(self) -> bool:
        """Whether it can begin with a formula, which others have made; nothing is imported for it."""
        return vars(self)["solved"] is not None

    @property
    def solves_csps(self) -> bool:
        """Whether it solves any CSP; nothing is imported for it."""
        return vars(self)["of_csp"] is not None or self.takes_formula

    def fault(self, others: Mapping[str, Solver]) -> str | None:
        """Why it conflicts with ``others`` in a table, if so."""
        if self.family not in FAMILIES:
            return f"its family is {self.family!r}: one of {', '.join(FAMILIES)}"
        if self.family == "SAT" and not self.takes_formula and vars(self)["search"] == FROM_PUZZLE:
            return "it has neither search nor solved"
        if self.family != "SAT" and vars(self)["search"] == FROM_PUZZLE:
            return "it has no search"
        if not isinstance(self.meaning, str) or not all(isinstance(switch, Switch) for switch in self.switches):
            return "its meaning is a text, and its switches are of the class Switch"
        taken = {name for other in others.values() for name in (other.name, *other.aliases)}
        shared = next((name for name in (self.name, *self.aliases) if name in taken), None)
        return None if shared is None else f"{shared} is another's name"

    def refuse(self, kind: str) -> None:
        """UnsupportedError: this solver is not for that kind of puzzles."""
        if self.kind not in (None, kind):
            raise UnsupportedError(f"solver {self.name} is for the puzzle {self.kind}, not for {kind}")

    def sees(self, encoding: Encoding | None) -> str | None:
        """What it sees of an encoding, by name: SAT solvers all of it, CP solvers the rules, the others nothing."""
        if encoding is None or self.family == "own":
            return None
        return encoding.name if self.family == "SAT" else encoding.rules or None

    def refuse_encoding(self, named: str | Encoding) -> NoReturn:
        """UnsupportedError: somebody named an encoding, which this solver would not see."""
        name = named if isinstance(named, str) else named.name
        raise UnsupportedError(f"solver {self.name} takes no encoding, not {name!r}: leave out one of them")

    def switched(self, words: Iterable[str]) -> Solver:
        """The same solver with the switches ``words``."""
        left = list(words)
        names: list[str] = []
        chosen: dict[str, int | None] = {}
        for switch in self.switches:
            found = [word for word in left if any(_is(word, known) for known in (*switch.words, switch.base))]
            if len(found) > 1:
                raise UnsupportedError(f"solver {self.name}: {' and '.join(found)} exclude each other")
            left = [word for word in left if word not in found]
            for word in found:
                if word != switch.base:
                    key, _, number = word.partition("=")
                    chosen[key] = int(number) if number else None
                    names.append(word)
        if left:
            known = [word for switch in self.switches for word in (*switch.words, switch.base) if word]
            raise UnknownNameError(f"switch of solver {self.name}", left[0], known)
        return self.but(name="+".join((self.name, *names)), chosen=chosen) if names else self

    def but(self, **fields: object) -> Solver:
        """A copy with other ``fields``; unlike ``dataclasses.replace`` it imports no code."""
        return type(self)(**vars(self) | fields)


def _is(word: str, known: str) -> bool:
    if not known.endswith("="):
        return word == known
    number = word.removeprefix(known)
    return word != number and number.isascii() and number.isdigit() and 0 < len(number) < 16


BARE = Solver("", "own", "no switch is chosen: what a search needs to know of it to be compiled")
