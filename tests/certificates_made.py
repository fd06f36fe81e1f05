"""Certificates without a solver or an encoding: every partial board that no solution has is refuted, deepest first."""

from __future__ import annotations

from dataclasses import dataclass, field

from nonosat.certificates.statement import Statement, opb_lines


@dataclass
class Made:
    """A proof under way, of version ``version``, over a statement of so many constraints."""

    version: str
    count: int
    lines: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.add(f"pseudo-Boolean proof version {self.version}", 0)
        self.add(f"f {self.count}" + self.end, 0)

    @property
    def end(self) -> str:
        return " ;" if self.version == "3.0" else ""

    def add(self, line: str, constraints: int = 1) -> int:
        """A line, and how many constraints it adds: the number of the last constraint."""
        self.lines.append(line)
        self.count += constraints
        return self.count

    def rup(self, *literals: str) -> int:
        return self.add(f"rup {''.join(f'1 {literal} ' for literal in literals)}>= 1 ;")

    def define(self, name: str, literals: list[str]) -> None:
        """The new variable is the conjunction of the literals."""
        negated = " ".join(f"1 {opposite(literal)}" for literal in literals)
        plain = " ".join(f"1 {literal}" for literal in literals)
        count, mark = len(literals), ":" if self.version == "3.0" else ";"
        self.add(f"red 1 {name} {negated} >= 1 {mark} {name} -> 1{self.end}")
        self.add(f"red {count} ~{name} {plain} >= {count} {mark} {name} -> 0{self.end}")

    def solution(self, literals: list[str]) -> None:
        self.add(f"{'solx' if self.version == '3.0' else 'v'} {' '.join(literals)}{self.end}")

    def conclude(self, solutions: int) -> None:
        last = self.rup()
        if self.version == "1.1":
            self.add(f"c {last}", 0)
            return
        said = f"ENUMERATION_COMPLETE {solutions}" if solutions else "UNSAT"
        for line in ("output NONE ;", f"conclusion {said} : {last} ;", "end pseudo-Boolean proof ;"):
            self.add(line, 0)


def opposite(literal: str) -> str:
    return literal[1:] if literal[0] == "~" else f"~{literal}"


def certificate(statement: Statement, cells: list[list[list[int]]], version: str) -> tuple[list[str], list[str]]:
    """(statement, proof) that the boards ``cells`` are all; definitions, derivations and deletions on the way."""
    opb = list(opb_lines(statement, version == "3.0"))
    made = Made(version, sum(1 + (" = " in line) for line in opb if line[0] not in "*p"))
    literals = [statement.literals(board) for board in cells]
    for board in literals:
        made.solution(board)
    names = list(statement.board)
    made.define("defined", [names[0], f"~{names[-1]}"] if len(names) > 1 else names)
    made.add(f"pol 1 2 * {names[0]} + 2 d s" + made.end)

    def refute(prefix: list[str]) -> None:
        if prefix in literals:
            return
        before = len(made.lines)
        if len(prefix) < len(names):
            for literal in (names[len(prefix)], f"~{names[len(prefix)]}"):
                refute([*prefix, literal])
        if prefix:
            last = made.rup(*map(opposite, prefix))
            if len(made.lines) - before == 3:  # the two that it follows from say less
                made.add(f"del id {last - 2} {last - 1}{made.end}", 0)

    refute([])
    made.conclude(len(cells))
    return opb, made.lines
