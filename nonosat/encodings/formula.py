"""A CNF and the map that decodes it, which travel together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar, Literal, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from nonosat.csp.meanings import Meanings
from nonosat.csp.model import CSP, AnyInts, Block, Column, Gaps, Ints, numbers, outside
from nonosat.encodings.cnf import CNF, TRUE, Collector
from nonosat.errors import UnsupportedError

BooleanMeaning = tuple[int, int, Sequence[int]]
"""A Boolean, a variable, and the values of its domain that the Boolean is true of."""


class Adder(NamedTuple):
    """The ``inputs``, two or three literals that count 2**place, are ``total``, which does too, and twice ``carry``."""

    inputs: tuple[int, ...]
    total: int
    carry: int
    place: int


class BinarySum(NamedTuple):
    """``sum(coefficient * variable) <= bound`` of the ``terms``: the adders that add their literals up."""

    terms: list[tuple[int, int]]
    bound: int
    adders: list[Adder]


Sides = tuple[tuple[list[Adder], list[int]], tuple[list[Adder], list[int]]]
"""The adders and the digits (0: none) of what has a weight above 0, and of what has one below."""


class BinaryProduct(NamedTuple):
    """``left * right == result``: a sum of literals is 0, so that what counts positively has the digits of the rest.

    ``ands``: (Boolean, and the literals of which it is the conjunction). ``one``: a Boolean that is true, or 0.
    ``terms``: (weight, literal), the whole sum.
    """

    left: int
    right: int
    result: int
    ands: list[tuple[int, int, int]]
    one: int
    terms: list[tuple[int, int]]
    sides: Sides


class BinaryDifference(NamedTuple):
    """``left + distance != right``: a sum of literals is not 0, so that some digit of what counts positively differs.

    ``one``: a Boolean that is true, or 0. ``differ``: by place, a Boolean that says that the digits of the two sides
    differ (0: there is none, since at most one side has a digit).
    """

    left: int
    distance: int
    right: int
    one: int
    sides: Sides
    differ: list[int]


Binary = BinarySum | BinaryProduct | BinaryDifference
Network = Callable[[], Iterator[Binary]]
"""What adders are for, made when a proof asks for it."""


Precedences = Literal["bounds", "supports", "conflicts"]
"""How an encoding states precedences and sums of two terms."""


@dataclass(frozen=True, eq=False)
class Disjunctions:
    """A column in literals: every part is a disjunction, and an entry is the conjunction of its parts.

    ``entry`` (sorted): which entry of the column each part belongs to; the literals of part p are
    ``literals[ends[p-1]:ends[p]]``. An entry without parts is true.
    """

    entry: Ints
    literals: Ints
    ends: npt.NDArray[np.int64]

    def of(self, entries: npt.NDArray[np.intp]) -> Ints:
        """All literals of the parts of some entries."""
        return self.literals[np.repeat(np.isin(self.entry, entries), np.diff(self.ends, prepend=0))]


def total(sizes: npt.NDArray[np.int64]) -> int:
    """Their sum, which need not fit into 64 bits."""
    return int(sizes.sum()) if sizes.max(initial=0) < 2**38 else sum(sizes.tolist())


@dataclass(frozen=True, eq=False)
class DomainMap:
    """How an integer encoding's Booleans stand for integer variables: what its subclasses are.

    Consecutive Booleans for the domains ``lower..upper``: variable v's begin at ``first[v]``. What they mean is the
    subclass's; but a variable of two values is one Boolean in all of them, true at its lower value, so that a
    black-and-white cell has the same number and meaning in every encoding.
    """

    first: Ints
    lower: AnyInts
    upper: AnyInts

    kind = ""
    by_value: ClassVar[bool] = False
    """Whether there is a Boolean a value: memberships are columns then, and no two comparisons."""
    precedences: ClassVar[Precedences] = "bounds"
    """How precedences and sums are stated: by bounds, or by the supports or the conflicts of values."""
    made_for: ClassVar[tuple[Callable[..., DomainMap], str] | None] = None
    """Of a class that is made for a composed encoding: what makes a map of it in another process, and that name."""

    def __reduce_ex__(self, protocol: Any) -> Any:
        if self.made_for is None:
            return super().__reduce_ex__(protocol)
        make, encoding = self.made_for
        return make, (encoding, *(getattr(self, field.name) for field in fields(self)))

    @staticmethod
    def sizes(lower: AnyInts, upper: AnyInts) -> npt.NDArray[np.int64]:
        """Booleans a variable."""
        raise NotImplementedError

    @classmethod
    def of(cls, lower: AnyInts, upper: AnyInts) -> Self:
        """Booleans numbered from 1, in the variables' order."""
        sizes = cls.sizes(lower, upper)
        return cls((1 + np.cumsum(sizes) - sizes).astype(np.int32), lower, upper)

    @classmethod
    def placed(cls, first: Ints, lower: AnyInts, upper: AnyInts, behind: int) -> DomainMap:
        """The map of some variables among others, whose Booleans begin at ``first``.

        Those that it has besides ``sizes`` tells come behind Boolean ``behind``.
        """
        return cls(first, lower, upper)

    @classmethod
    def terms(cls) -> dict[str, Any]:
        """What it has words for, as ``flatten`` takes it."""
        return {
            "supports": cls.precedences == "supports",
            "conflicts": cls.precedences == "conflicts",
            "memberships": cls.by_value,
        }

    @classmethod
    def of_csp(cls, csp: CSP) -> DomainMap:
        """That of the variables of a CSP which has been flattened for such maps."""
        if csp.gaps is None:
            return cls.of(csp.lower, csp.upper)
        ranks = cls.of(*csp.gaps.ranks(csp.lower, csp.upper))
        return RankedMap(ranks.first, csp.lower, csp.upper, ranks, csp.gaps)

    @classmethod
    def needed(cls, csp: CSP) -> int:
        """How many Booleans the values of a CSP's variables take; auxiliaries not counted."""
        sizes = csp.sizes()
        return total(cls.sizes(np.zeros_like(sizes), sizes - 1))

    @property
    def widths(self) -> npt.NDArray[np.int64]:
        """How many Booleans each variable has, from its ``first``."""
        return self.sizes(self.lower, self.upper)

    @property
    def booleans(self) -> int:
        """How many Booleans the domains take."""
        return total(self.widths)

    def values(self, variable: int) -> Sequence[int]:
        """The domain of a variable."""
        return range(int(self.lower[variable]), int(self.upper[variable]) + 1)

    def domains(self) -> Iterator[tuple[int, int, int]]:
        """(first Boolean, lowest value, highest value) of every variable."""
        return zip(self.first.tolist(), self.lower.tolist(), self.upper.tolist(), strict=True)

    def axioms(self, out: Collector) -> None:
        """The clauses that make every model stand for one value a variable."""
        raise NotImplementedError

    def columns(self, column: Column) -> list[Ints | Disjunctions]:
        """``column`` as columns of literals whose disjunction it is; an array has one literal an entry."""
        raise NotImplementedError

    def decode(self, true: npt.NDArray[np.bool_], variables: Ints) -> AnyInts:
        """The values of ``variables`` (any shape) in an assignment: ``true[b]`` for Boolean b, entry 0 unused."""
        raise NotImplementedError

    def meanings(self) -> Iterator[BooleanMeaning]:
        """(Boolean, variable, the values of the variable's domain that it is true of), in the variables' order.

        What certificates are made of: an encoding that does not say has none.
        """
        raise NotImplementedError

    def weighted(self, variable: int) -> list[tuple[int, int]]:
        """What the variable is above its lowest value, as a sum of literals: (weight, literal). UnsupportedError."""
        name = type(self).__name__
        raise UnsupportedError(
            f"{name} does not say what a variable is as a sum of literals: give it a method weighted(variable)"
        )

    def differ(self, variables: Ints, values: AnyInts) -> list[int]:
        """The clause that ``variables`` do not all have ``values``; without those whose domains exclude that.

        Where "is not a" is several clauses, the Booleans of the value tell it (``meanings``), since each value is one
        assignment. NotImplementedError: the map does not say that; it needs this method.
        """
        clause: list[int] = []
        columns = self.columns(outside(variables, values, values))
        single = np.ones(len(variables), dtype=bool)  # entries that one literal or one disjunction says in each column
        for part in columns:
            if not isinstance(part, np.ndarray):
                single &= np.bincount(part.entry, minlength=len(variables)) == 1
        for part in columns:
            literals = part[single] if isinstance(part, np.ndarray) else part.of(np.flatnonzero(single))
            clause += [int(literal) for literal in literals if abs(literal) != TRUE]
        for variable, value in zip(variables[~single].tolist(), values[~single].tolist(), strict=True):
            if value in self.values(variable):
                clause += [-boolean if value in true else boolean for boolean, true in self._meant[variable]]
        return clause

    @cached_property
    def _meant(self) -> list[list[tuple[int, frozenset[int]]]]:
        """By variable: its Booleans, and the values that each is true of."""
        found: list[list[tuple[int, frozenset[int]]]] = [[] for _ in range(len(self.lower))]
        try:
            for boolean, variable, values in self.meanings():
                found[variable].append((boolean, frozenset(values)))
        except NotImplementedError:
            name = type(self).__name__
            raise NotImplementedError(f"{name} says neither what its Booleans mean nor how values differ") from None
        return found

    def values_by_literal(self) -> Callable[[int, int], frozenset[int]]:
        """(Variable, one of its literals, or ``TRUE``) to the values of its domain that the literal is true of."""
        true = {boolean: values for some in self._meant for boolean, values in some}

        def values_of(variable: int, literal: int) -> frozenset[int]:
            domain = frozenset(self.values(variable))
            if abs(literal) == TRUE:
                return domain if literal > 0 else frozenset()
            return true[literal] if literal > 0 else domain - true[-literal]

        return values_of

    def lines(self, names: list[str]) -> list[str]:
        """The map as text, for DIMACS comments: ``KIND NAME FIRST LOWER UPPER``, and ``: VALUES`` of one with gaps."""
        columns = (names, self.first.tolist(), self.lower.tolist(), self.upper.tolist())
        return [f"{self.kind} {name} {first} {low} {high}" for name, first, low, high in zip(*columns, strict=True)]


@dataclass(frozen=True, eq=False)
class RankedMap(DomainMap):
    """Domains with ``gaps`` are encoded by the ranks of their values, as another map has it: ``ranks``."""

    ranks: DomainMap
    gaps: Gaps

    @property
    def widths(self) -> npt.NDArray[np.int64]:
        """Those of the ranks."""
        return self.ranks.widths

    @property
    def booleans(self) -> int:
        """Those of the ranks."""
        return self.ranks.booleans

    def values(self, variable: int) -> Sequence[int]:
        """See ``DomainMap.values``."""
        return self.listed.get(variable) or super().values(variable)

    @cached_property
    def listed(self) -> dict[int, list[int]]:
        """The values of each variable that has gaps."""
        every, ends = self.gaps.values.tolist(), self.gaps.ends.tolist()
        begins = self.gaps.begins.tolist()
        return {v: every[b:e] for v, b, e in zip(self.gaps.variables.tolist(), begins, ends, strict=True)}

    def axioms(self, out: Collector) -> None:
        """Those of the ranks."""
        self.ranks.axioms(out)

    def columns(self, column: Column) -> list[Ints | Disjunctions]:
        """The same of the ranks."""
        return self.ranks.columns(self.gaps.ranked(column))

    def decode(self, true: npt.NDArray[np.bool_], variables: Ints) -> AnyInts:
        """The values of the ranks."""
        found = self.ranks.decode(true, variables).astype(np.int64)
        places = self.gaps.places(variables.reshape(-1)).reshape(variables.shape)
        some = places >= 0
        found[some] = self.gaps.values[self.gaps.begins[places[some]] + found[some]]
        return numbers(found)

    def weighted(self, variable: int) -> list[tuple[int, int]]:
        """See ``DomainMap.weighted``: of ranks that are said by one literal each, or by one for each step up."""
        terms, domain = self.ranks.weighted(variable), self.listed.get(variable)
        if domain is None:
            return terms
        if all(weight == 1 for weight, _ in terms):
            weights = [after - before for before, after in pairwise(domain)]
        elif [weight for weight, _ in terms] == list(range(1, len(domain))):
            weights = [value - domain[0] for value in domain[1:]]
        else:
            raise UnsupportedError("a domain with gaps is no sum of its literals here; in order and log+adder it is")
        return [(weight, literal) for weight, (_, literal) in zip(weights, terms, strict=True)]

    def meanings(self) -> Iterator[BooleanMeaning]:
        """Those of the ranks, by their values."""
        for boolean, variable, true in self.ranks.meanings():
            domain = self.listed.get(variable)
            yield boolean, variable, true if domain is None else [domain[rank] for rank in true]

    def lines(self, names: list[str]) -> list[str]:
        """See ``DomainMap.lines``."""
        found = self.ranks.lines(names)
        for variable in self.gaps.variables.tolist():
            values = self.values(variable)
            head = found[variable].rsplit(" ", 2)[0]
            found[variable] = f"{head} {values[0]} {values[-1]} : {' '.join(map(str, values))}"
        return found


@dataclass(frozen=True, eq=False, repr=False)
class Formula:
    """``cnf``, the ``map`` of the CSP's variables into it, the variables that make up the ``board``, and all names.

    For proofs: what its auxiliary variables mean (``meanings``), and what its Booleans behind those of the map do
    (``named``: as ``DomainMap.meanings``, to be called with the map; ``networks``: those of adders).
    """

    cnf: CNF
    map: DomainMap
    board: Ints
    blocks: tuple[Block, ...] = ()
    meanings: tuple[Meanings, ...] = ()
    named: Callable[[DomainMap], Iterator[BooleanMeaning]] | None = None
    networks: tuple[Network, ...] = ()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.cnf.variables:,} variables, {self.cnf.clauses:,} clauses>"

    def without_clauses(self) -> Formula:
        """What is needed to decode models and to rule them out; the clauses of a large formula weigh hundreds of MB."""
        empty = CNF(self.cnf.variables, np.empty(0, dtype=np.int32), np.empty(0, dtype=np.int64))
        return replace(self, cnf=empty, meanings=(), named=None, networks=())

    def names(self) -> list[str]:
        """The names of the CSP's variables, in order."""
        return [name for block in self.blocks for name in block.names()]

    def shown(self) -> list[int]:
        """The Booleans of the board's variables: what a counter projects on, so that it counts boards."""
        variables = self.board.reshape(-1)
        first, many = (np.asarray(each, dtype=np.int64)[variables] for each in (self.map.first, self.map.widths))
        ends = many.cumsum()
        found: list[int] = (np.repeat(first - ends + many, many) + np.arange(many.sum())).tolist()
        return found

    def boolean_meanings(self) -> Iterator[BooleanMeaning]:
        """What all Booleans are true of. NotImplementedError: the map does not say it."""
        yield from self.map.meanings()
        if self.named is not None:
            yield from self.named(self.map)

    def values(self, model: npt.ArrayLike, variables: Ints) -> AnyInts:
        """The values of ``variables`` in a model: its literals, in any order. Booleans left open count as false."""
        literals = np.asarray(model, dtype=np.int64)
        true = np.zeros(self.cnf.variables + 1, dtype=bool)
        positive = literals[literals > 0]
        true[positive[positive <= self.cnf.variables]] = True
        return self.map.decode(true, variables)

    def cells(self, model: npt.ArrayLike) -> npt.NDArray[Any]:
        """The board's values in a model."""
        return self.values(model, self.board).astype(np.uint8)

    def block(self, cells: npt.NDArray[Any]) -> list[int]:
        """The clause that rules out the board ``cells`` and nothing else."""
        return self.map.differ(self.board.reshape(-1), numbers(cells.reshape(-1)))

    def laid(self, cells: npt.NDArray[Any]) -> list[int]:
        """The literals that say of the cells that are not -1 what they are."""
        flat = numbers(cells.reshape(-1))
        known = np.flatnonzero(flat >= 0)
        return [-literal for literal in self.map.differ(self.board.reshape(-1)[known], flat[known])]
