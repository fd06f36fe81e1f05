"""Random models as instances of XCSP3: a small writer, which shares nothing with the reader under test."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from fuzzing.models import Plain, PlainModel

_PLAIN = {
    "product": "mul", "abs": "abs", "max": "max", "min": "min", "truncdiv": "div", "truncmod": "mod", "power": "pow",
    "choice": "if", "and": "and", "or": "or", "not": "not", "same": "iff",
}  # fmt: skip
_RELATIONS = {"==": "eq", "!=": "ne", "<=": "le", "<": "lt", ">=": "ge", ">": "gt"}
STAR = -(2**63)


class _Unwritten(Exception):  # noqa: N818 - no error: the language has no such constraint there
    pass


def instance(case: PlainModel) -> str | None:
    """The text; None: something in it is not of XCSP3-core, or may stand at the top only."""
    lines = []
    for number, (what, *about) in enumerate(case.domains):
        text = "0 1" if what == "bool" else " ".join(map(str, about)) if what == "of" else f"{about[0]}..{about[1]}"
        lines.append(f'<var id="{"b" if what == "bool" else "x"}{number}"> {text} </var>')
    among = [
        f"<intension> in(x{number},set({','.join(map(str, about[2:]))})) </intension>"
        for number, (what, *about) in enumerate(case.domains)
        if what == "among"
    ]
    try:
        constraints = among + [_constraint(constraint) for constraint in case.constraints]
        objective, kind = "", "CSP"
        if case.goal:
            goal, kind = "maximize" if case.goal[0] else "minimize", "COP"
            objective = f"<objectives> <{goal}> {term(case.goal[1])} </{goal}> </objectives>"
    except _Unwritten:
        return None
    return (
        f'<instance format="XCSP3" type="{kind}">\n<variables> {" ".join(lines)} </variables>\n'
        f"<constraints>\n{chr(10).join(_repeated(constraints))}\n</constraints>{objective}</instance>"
    )


_VARIABLE = re.compile(r"\b[xb]\d+\b")


def _repeated(constraints: Iterable[str]) -> list[str]:
    """Constraints of one form as a group; one that is alone as a slide, as a group or as it is: its length decides."""
    forms: dict[str, list[list[str]]] = {}
    for constraint in constraints:
        names = list(dict.fromkeys(_VARIABLE.findall(constraint)))
        form = _VARIABLE.sub(lambda found, names=names: f"%{names.index(found[0])}", constraint)
        forms.setdefault(form, []).append(names)
    made = []
    for form, each in forms.items():
        if len(each) == 1 and len(each[0]) > 1 and len(form) % 3 == 0:
            made.append(f"<slide> <list> {' '.join(each[0])} </list> {form} </slide>")
        elif len(each) > 1 or (each[0] and len(form) % 3 == 1):
            arguments = "".join(f"<args> {' '.join(names)} </args>" for names in each)
            made.append(f"<group> {form} {arguments} </group>")
        else:
            made.append(re.sub(r"%(\d+)", lambda found, names=each[0]: names[int(found[1])], form))
    return made


def term(plain: Plain) -> str:
    """An expression as a term."""
    op, data, *operands = plain
    if op in ("variable", "boolean"):
        return f"{'x' if op == 'variable' else 'b'}{data}"
    if op in ("constant", "truth"):
        return str(int(data))
    parts = [term(operand) for operand in operands]
    if op == "indicator":
        return parts[0]
    if op == "compare":
        return f"{_RELATIONS[data]}({','.join(parts)})"
    if op == "sum":
        coefficients, constant = data
        addends = [f"mul({a},{part})" for a, part in zip(coefficients, parts, strict=True)]
        return f"add({','.join([*addends, str(constant)])})"
    if op in ("and", "or") and not parts:
        return str(int(op == "and"))
    if op in _PLAIN:
        return f"{_PLAIN[op]}({','.join(parts)})"
    if op == "all_different":
        return "1" if len(parts) < 2 else f"ne({','.join(parts)})"
    raise _Unwritten(op)


def _list(operands: list[Plain]) -> str:
    return f"<list> {' '.join(map(term, operands))} </list>"


def _constraint(plain: Plain) -> str:
    """A constraint at the top: as an element of its own where there is one."""
    op, data, *operands = plain
    half = len(operands) // 2
    if op == "not" and operands[0][0] == "table":
        return _table(operands[0], "conflicts")
    match op:
        case "table":
            return _table(plain, "supports")
        case "all_different" if operands:
            return f"<allDifferent> {' '.join(map(term, operands))} </allDifferent>"
        case "regular" if data[0] and data[2] and operands:
            arcs = "".join(f"(s{a},{value},s{b})" for a, value, b in data[0])
            final = " ".join(f"s{state}" for state in data[2])
            transitions = f"<transitions> {arcs} </transitions> <start> s0 </start> <final> {final} </final>"
            return f"<regular> {_list(operands)} {transitions} </regular>"
        case "lex":
            word = "lt" if data else "le"
            return f"<lex> {_list(operands[:half])} {_list(operands[half:])} <operator> {word} </operator> </lex>"
        case "cumulative":
            n = (len(operands) - 1) // 3
            columns = [" ".join(map(term, operands[i * n : i * n + n])) for i in range(3)]
            names = ("origins", "lengths", "heights")
            inner = " ".join(f"<{name}> {column} </{name}>" for name, column in zip(names, columns, strict=True))
            return f"<cumulative> {inner} <condition> (le,{term(operands[-1])}) </condition> </cumulative>"
        case "disjunctive":
            columns = [" ".join(map(term, side)) for side in (operands[:half], operands[half:])]
            return f"<noOverlap> <origins> {columns[0]} </origins> <lengths> {columns[1]} </lengths> </noOverlap>"
        case "inverse":
            return f"<channel> {_list(operands[:half])} {_list(operands[half:])} </channel>"
        case "circuit" if data:
            return f"<circuit> {' '.join(map(term, operands))} </circuit>"
        case "compare":
            return _compared(data, *operands)
    return f"<intension> {term(plain)} </intension>"


def _table(plain: Plain, word: str) -> str:
    _, rows, *operands = plain
    if len(operands) == 1 and rows and all(row[0] != STAR for row in rows):
        values = " ".join(str(row[0]) for row in rows)
    elif len(operands) == 1 and rows:
        raise _Unwritten("a star of one")
    else:
        values = "".join(f"({','.join('*' if v == STAR else str(v) for v in row)})" for row in rows)
    return f"<extension> {_list(operands)} <{word}> {values} </{word}> </extension>"


def _compared(relation: str, one: Plain, other: Plain) -> str:
    op, data, *operands = one
    simple = other[0] in ("constant", "variable")
    condition = f"<condition> ({_RELATIONS[relation]},{term(other)}) </condition>" if simple else ""
    if op == "sum" and operands and not data[1] and condition:
        coefficients = " ".join(map(str, data[0]))
        return f"<sum> {_list(operands)} <coeffs> {coefficients} </coeffs> {condition} </sum>"
    if op == "n_values" and condition:
        return f"<nValues> {_list(operands)} {condition} </nValues>"
    if op in ("max", "min") and condition:
        name = "maximum" if op == "max" else "minimum"
        return f"<{name}> {_list(operands)} {condition} </{name}>"
    if op == "element" and condition:
        return _element(data, operands, condition)
    return f"<intension> {term(('compare', relation, one, other))} </intension>"


def _element(shape: Any, operands: list[Plain], condition: str) -> str:
    places, entries = operands[: len(shape)], operands[len(shape) :]
    indices = " ".join(map(term, places))
    if len(shape) == 1:
        return f"<element> {_list(entries)} <index> {indices} </index> {condition} </element>"
    rows = [entries[at : at + shape[1]] for at in range(0, len(entries), shape[1])]
    matrix = "".join(f"({','.join(map(term, row))})" for row in rows)
    return f"<element> <matrix> {matrix} </matrix> <index> {indices} </index> {condition} </element>"
