"""A proof as it is written: the lines of both versions of the format, and the numbers of what they add."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import overload

VERSIONS = ("3.0", "1.1")
LARGEST = 10**9 - 1
"""Numbers of more digits are not read by the checker."""


class Steps:
    """The lines so far, which go to ``write`` one by one: a proof is as long as it likes, and is nowhere as a whole.

    ``stated``: how many constraints the statement has, an equality counted twice.
    """

    def __init__(self, version: str, stated: int, write: Callable[[str], object]) -> None:
        self.new = version == "3.0"
        self.count, self.solutions, self.lines = stated, 0, 0
        self.end = " ;\n" if self.new else "\n"
        self.write = write
        self.sections: list[tuple[int, str, int]] = []
        self._line(f"pseudo-Boolean proof version {version}\n")
        self._line(f"f {stated}{self.end}")

    def _line(self, line: str) -> None:
        self.write(line)
        self.lines += 1

    def section(self, what: str, number: int = 0) -> None:
        """Say what the next lines are about, for messages: a word, and of which of its kind they are."""
        self.sections.append((self.lines + 1, what, number))

    def section_of(self, line: int) -> tuple[str, int]:
        """What a line is about, if it was given; nothing: an empty word."""
        return next(((what, number) for first, what, number in reversed(self.sections) if first <= line), ("", 0))

    def lemma(self, literals: Iterable[str]) -> int:
        """A clause that follows by propagation; its number."""
        return self.rup("".join([f"1 {literal} " for literal in literals]))

    def rup(self, terms: str) -> int:
        """A clause that is written already, ``1 aa 1 ~bb `` (there may be a million of them); its number."""
        self.write(f"rup {terms}>= 1 ;\n")
        self.lines += 1
        self.count += 1
        return self.count

    def implied(self, weights: Mapping[str, int], degree: int) -> int:
        """A constraint that follows by propagation, by the weights of variables; its number."""
        terms = "".join([f"{weight} {name} " for name, weight in weights.items()])
        self._line(f"rup {terms}>= {degree} ;\n")
        self.count += 1
        return self.count

    def derive(self, polish: str) -> int:
        """A constraint by cutting planes; its number."""
        self._line(f"pol {polish}{self.end}")
        self.count += 1
        return self.count

    def define_sum(self, name: str, terms: Sequence[tuple[int, str]], degree: int) -> tuple[int, int]:
        """A new variable: true iff the sum of the terms (weight above 0, literal) is at least ``degree``.

        The numbers of the constraints that hold where it is true, and where it is not.
        """
        separator, most = ":" if self.new else ";", max(sum(weight for weight, _ in terms) - degree + 1, 0)
        reached = "".join(f" {weight} {literal}" for weight, literal in terms)
        missed = "".join(f" {weight} {negation(literal)}" for weight, literal in terms)
        self._line(f"red {degree} ~{name}{reached} >= {degree} {separator} {name} -> 0{self.end}")
        self._line(f"red {most} {name}{missed} >= {most} {separator} {name} -> 1{self.end}")
        self.count += 2
        return self.count - 1, self.count

    def define(self, name: str, literals: Sequence[str]) -> None:
        """A new variable: true iff all of the literals are; if there are none, it is true."""
        separator, size = ":" if self.new else ";", len(literals)
        unless = "".join(f" 1 {negation(literal)}" for literal in literals)
        also = "".join(f" 1 {literal}" for literal in literals)
        self._line(f"red 1 {name}{unless} >= 1 {separator} {name} -> 1{self.end}")
        self.count += 1
        if literals:
            self._line(f"red {size} ~{name}{also} >= {size} {separator} {name} -> 0{self.end}")
            self.count += 1

    def solution(self, literals: Iterable[str]) -> None:
        """A solution, which is left out from now on."""
        self._line(f"{'solx' if self.new else 'v'} {' '.join(literals)}{self.end}")
        self.count += 1
        self.solutions += 1

    def delete(self, number: int) -> None:
        """A constraint that is not needed any more."""
        self._line(f"del id {number}{self.end}")

    def conclude(self, complete: bool) -> None:
        """The solutions are all, since the empty clause follows; or they are some."""
        last = self.rup("") if complete else 0
        if not self.new:
            if complete:
                self._line(f"c {last}\n")
            return
        claim = f"ENUMERATION_PARTIAL {self.solutions}"
        if complete:
            claim = f"ENUMERATION_COMPLETE {self.solutions} : {last}" if self.solutions else f"UNSAT : {last}"
        for line in ("output NONE ;\n", f"conclusion {claim} ;\n", "end pseudo-Boolean proof ;\n"):
            self._line(line)


@overload
def negation(literal: str) -> str: ...
@overload
def negation(literal: str | bool) -> str | bool: ...
def negation(literal: str | bool) -> str | bool:
    """The other one.

    >>> negation("aa"), negation("~aa"), negation(True)
    ('~aa', 'aa', False)
    """
    if isinstance(literal, bool):
        return not literal
    return literal[1:] if literal[0] == "~" else f"~{literal}"
