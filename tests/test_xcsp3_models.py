"""XCSP3-core: each constraint has the solutions of its definition, in every encoding; what is wrong is one line."""

from __future__ import annotations

import csv
import json
import lzma
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

import commands
import numpy as np
import pytest
from sampling import portions, repeated, spread

from nonosat import Model
from nonosat.errors import FormatError
from nonosat.modelling.files import is_model, load_model
from nonosat.modelling.xcsp3 import read, tuples, words
from nonosat.runs.events import Verdict
from nonosat.solvers.solve import solve_csp

SHARED = Path(__file__).parents[1].parent / "shared" / "xcsp3"
X, Y = range(3), range(-1, 3)
"""Values of the variables ``x[0]`` to ``x[2]``, and of ``y[0]`` and ``y[1]``."""
Meaning = Callable[[Sequence[int], Sequence[int]], bool]


def instance(constraints: str, objectives: str = "", variables: str = "") -> str:
    variables = variables or '<array id="x" size="[3]"> 0..2 </array> <array id="y" size="[2]"> -1..2 </array>'
    objectives = f"<objectives> {objectives} </objectives>" if objectives else ""
    return (
        f'<instance format="XCSP3" type="{"COP" if objectives else "CSP"}">\n<variables> {variables} </variables>\n'
        f"<constraints>\n{constraints}\n</constraints>\n{objectives}</instance>\n"
    )


def model_of(text: str) -> Model:
    model = Model("x")
    read(text, model)
    return model


def by_force(*meanings: Meaning) -> set[tuple[int, ...]]:
    boards = product(product(X, repeat=3), product(Y, repeat=2))
    return {x + y for x, y in boards if all(meaning(x, y) for meaning in meanings)}


def compiled(model: Model, integers: str = "order", solver: str = "minisat22") -> set[tuple[int, ...]]:
    answer = solve_csp(model.csp(), integers=integers, solver=solver, count=None)
    assert answer.exhausted, (answer.verdict, answer.reason)
    names = list(model.lowered().csp.names())[: len(model.domains)]
    found = [tuple(solution[name] for name in names) for solution in answer.solutions]
    assert len(set(found)) == len(found)
    return set(found)


def check(text: str, *meanings: Meaning, encodings: Sequence[str] = ("order", "direct", "log")) -> None:
    model = model_of(text)
    wanted = by_force(*meanings)
    boards = product(product(X, repeat=3), product(Y, repeat=2))
    assert {x + y for x, y in boards if model.holds(x + y)} == wanted, text
    for integers in encodings:
        assert compiled(model, integers) == wanted, (integers, text)


RELATIONS: dict[str, Callable[[int, int], bool]] = {
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "ge": lambda a, b: a >= b,
    "gt": lambda a, b: a > b,
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
}


def distinct(values: Sequence[Any]) -> bool:
    return all(a != b for i, a in enumerate(values) for b in values[:i])


def truncated(a: int, b: int) -> int:
    return int(a / b)


def extreme(at: int, values: Sequence[int], best: int, rank: str) -> bool:
    if not 0 <= at < len(values) or values[at] != best:
        return False
    before, after = best in values[:at], best in values[at + 1 :]
    return not ((rank == "first" and before) or (rank == "last" and after))


def subtour(x: Sequence[int]) -> bool:
    """One cycle through at least two nodes; all others are their own successors."""
    if sorted(x) != list(range(len(x))):
        return False
    cycles, left = 0, set(range(len(x)))
    while left:
        at, length = min(left), 0
        while at in left:
            left.remove(at)
            at, length = x[at], length + 1
        cycles += length > 1
    return cycles == 1


def load_of(x: Sequence[int], sizes: Sequence[int], which: int) -> int:
    return sum(size for one, size in zip(x, sizes, strict=True) if one == which)


def apart(boxes: Sequence[tuple[Sequence[int], Sequence[int]]], ignored: bool) -> bool:
    some = [box for box in boxes if not (ignored and 0 in box[1])]
    return all(
        any(p + d <= q or q + f <= p for p, d, q, f in zip(a, da, b, db, strict=True))
        for i, (a, da) in enumerate(some)
        for b, db in some[:i]
    )


def stays_under(tasks: Sequence[tuple[int, int, int]], limit: int) -> bool:
    return limit >= 0 and all(sum(h for s, length, h in tasks if s <= t < s + length) <= limit for t in range(-5, 12))


CASES: list[tuple[str, Meaning]] = [
    # terms
    ("<intension> eq(add(x[0],x[1],y[0]),3) </intension>", lambda x, y: x[0] + x[1] + y[0] == 3),
    ("<intension> <function> lt( sub(x[0], y[0]) , neg(y[1]) ) </function> </intension>",
     lambda x, y: x[0] - y[0] < -y[1]),
    ("<intension> ge(mul(x[0],y[0],y[1]),2) </intension>", lambda x, y: x[0] * y[0] * y[1] >= 2),
    ("<intension> eq(div(y[0],2),y[1]) </intension>", lambda x, y: truncated(y[0], 2) == y[1]),
    ("<intension> eq(mod(y[0],2),y[1]) </intension>", lambda x, y: y[0] - 2 * truncated(y[0], 2) == y[1]),
    ("<intension> le(sqr(y[0]),pow(x[0],x[1])) </intension>", lambda x, y: y[0] ** 2 <= x[0] ** x[1]),
    ("<intension> eq(dist(x[0],y[0]),abs(y[1])) </intension>", lambda x, y: abs(x[0] - y[0]) == abs(y[1])),
    ("<intension> gt(min(x[0],y[0],y[1]),max(x[1],x[2])) </intension>", lambda x, y: min(x[0], *y) > max(x[1:])),
    ("<intension> ne(x[0],x[1],x[2]) </intension>", lambda x, y: distinct(x)),
    ("<intension> eq(x[0],x[1],x[2]) </intension>", lambda x, y: len(set(x)) == 1),
    ("<intension> lt(x[0],x[1],x[2]) </intension>", lambda x, y: x[0] < x[1] < x[2]),
    ("<intension> in(x[0],set(0,y[0])) </intension>", lambda x, y: x[0] in (0, y[0])),
    ("<intension> notin(x[0],set(0,2)) </intension>", lambda x, y: x[0] not in (0, 2)),
    ("<intension> notin(x[0],set()) </intension>", lambda x, y: True),
    ("<intension> or(eq(x[0],1),and(lt(x[1],2),not(ge(x[2],1)))) </intension>",
     lambda x, y: x[0] == 1 or (x[1] < 2 and x[2] < 1)),
    # what has no value is neither equal nor different, in no set and outside none
    ("<intension> ne(div(y[0],x[0]),1) </intension>", lambda x, y: x[0] != 0 and truncated(y[0], x[0]) != 1),
    ("<intension> notin(mod(y[0],x[0]),set(0,1)) </intension>",
     lambda x, y: x[0] != 0 and y[0] - x[0] * truncated(y[0], x[0]) not in (0, 1)),
    ("<sum> <list> div(y[0],x[0]) y[1] </list> <condition> (notin,{0,1}) </condition> </sum>",
     lambda x, y: x[0] != 0 and truncated(y[0], x[0]) + y[1] not in (0, 1)),
    ("<intension> ne(lt(x[0],x[1]),div(y[0],x[0])) </intension>",
     lambda x, y: x[0] != 0 and int(x[0] < x[1]) != truncated(y[0], x[0])),
    ("<intension> xor(eq(x[0],1),eq(x[1],1),eq(x[2],1)) </intension>", lambda x, y: list(x).count(1) % 2 == 1),
    ("<intension> iff(eq(x[0],1),eq(x[1],1),eq(x[2],1)) </intension>", lambda x, y: list(x).count(1) in (0, 3)),
    ("<intension> imp(eq(x[0],1),eq(x[1],1)) </intension>", lambda x, y: x[0] != 1 or x[1] == 1),
    ("<intension> eq(if(gt(x[0],x[1]),x[2],y[0]),1) </intension>",
     lambda x, y: (x[2] if x[0] > x[1] else y[0]) == 1),
    ("<intension> if(gt(x[0],x[1]),eq(x[2],1),eq(x[2],2)) </intension>",
     lambda x, y: x[2] == (1 if x[0] > x[1] else 2)),
    ("<intension> eq(y[0],lt(x[0],x[1])) </intension>", lambda x, y: y[0] == int(x[0] < x[1])),
    ("<intension> eq(lt(x[0],x[1]),gt(y[0],y[1])) </intension>", lambda x, y: (x[0] < x[1]) == (y[0] > y[1])),
    ("<intension> ne(lt(x[0],x[1]),1) </intension>", lambda x, y: x[0] >= x[1]),
    ("<intension> eq(add(lt(x[0],1),lt(x[1],1)),y[0]) </intension>",
     lambda x, y: int(x[0] < 1) + int(x[1] < 1) == y[0]),
    # tables and automata
    ("<extension> <list> x[0] y[0] </list> <supports> (0,-1)(1, 2) (2,5) </supports> </extension>",
     lambda x, y: (x[0], y[0]) in ((0, -1), (1, 2))),
    ("<extension> <list> x[] </list> <conflicts> (0,*,1)(*,*,2) </conflicts> </extension>",
     lambda x, y: not (x[0] == 0 and x[2] == 1) and x[2] != 2),
    ("<extension> <list> x[] y[0] </list> <supports> (0,*,1,*)(*,2,*,-1)(1,1,1,1)(*,0,*,2) </supports> </extension>",
     lambda x, y: (x[0] == 0 and x[2] == 1) or (x[1] == 2 and y[0] == -1) or (x == (1, 1, 1) and y[0] == 1)
     or (x[1] == 0 and y[0] == 2)),
    ("<extension> <list> y[0] </list> <supports> -1 1..2 </supports> </extension>", lambda x, y: y[0] in (-1, 1, 2)),
    ("<extension> <list> y[0] </list> <conflicts> 0..1 </conflicts> </extension>", lambda x, y: y[0] not in (0, 1)),
    ("<extension> <list> y[] </list> <supports> </supports> </extension>", lambda x, y: False),
    ("<regular> <list> x[] </list> <transitions> (a,0,a)(a,1,b)(b,1..2,b)(b,0,c)(c,0,c) </transitions>"
     "<start> a </start> <final> b c </final> </regular>",
     lambda x, y: x in ((0, 0, 1), (0, 1, 0), (0, 1, 1), (0, 1, 2), (1, 0, 0))
     or (x[0] == 1 and x[1] in (1, 2))),
    ("<mdd> <list> x[] </list> <transitions> (r,0,n1)(r,1,n2)(n1,2,n3)(n2,2,n3)(n2,0,n4)(n3,1,t)(n4,0,t) </transitions>"
     "</mdd>", lambda x, y: x in ((0, 2, 1), (1, 2, 1), (1, 0, 0))),
    # comparisons of lists
    ("<allDifferent> x[] </allDifferent>", lambda x, y: distinct(x)),
    ("<allDifferent> add(x[0],1) y[0] 2 </allDifferent>", lambda x, y: distinct((x[0] + 1, y[0], 2))),
    ("<allDifferent> <list> x[] y[] </list> <except> 0 2 </except> </allDifferent>",
     lambda x, y: distinct([v for v in (*x, *y) if v not in (0, 2)])),
    ("<allDifferent> <list> x[0..1] </list> <list> x[1..2] </list> <list> y[] </list> </allDifferent>",
     lambda x, y: distinct([x[:2], x[1:], y])),
    ("<allDifferent> <list> x[0..1] </list> <list> y[] </list> <except> (1,1)(0,2) </except> </allDifferent>",
     lambda x, y: x[:2] != y or y in ((1, 1), (0, 2))),
    ("<allDifferent> <matrix> (x[0],x[1])(y[0],y[1]) </matrix> </allDifferent>",
     lambda x, y: distinct(x[:2]) and distinct(y) and x[0] != y[0] and x[1] != y[1]),
    ("<allDifferent> <matrix> (x[0],x[1])(y[0],y[1]) </matrix> <except> 1 </except> </allDifferent>",
     lambda x, y: all(distinct([v for v in line if v != 1]) for line in (x[:2], y, (x[0], y[0]), (x[1], y[1])))),
    ("<allEqual> x[] </allEqual>", lambda x, y: len(set(x)) == 1),
    ("<allEqual> <list> x[0..1] </list> <list> y[] </list> </allEqual>", lambda x, y: x[:2] == y),
    ("<ordered> <list> x[] </list> <operator> lt </operator> </ordered>", lambda x, y: x[0] < x[1] < x[2]),
    ("<ordered> <list> x[] </list> <lengths> 1 0 </lengths> <operator> ge </operator> </ordered>",
     lambda x, y: x[0] + 1 >= x[1] >= x[2]),
    ("<ordered> <list> x[] </list> <lengths> y[] </lengths> <operator> le </operator> </ordered>",
     lambda x, y: x[0] + y[0] <= x[1] and x[1] + y[1] <= x[2]),
    ("<lex> <list> x[0..1] </list> <list> y[] </list> <operator> lt </operator> </lex>", lambda x, y: x[:2] < y),
    ("<lex> <list> x[0..1] </list> <list> y[] </list> <list> 1 0 </list> <operator> ge </operator> </lex>",
     lambda x, y: x[:2] >= y >= (1, 0)),
    ("<lex> <matrix> (x[0],x[1])(y[0],y[1]) </matrix> <operator> le </operator> </lex>",
     lambda x, y: x[:2] <= y and (x[0], y[0]) <= (x[1], y[1])),
    ("<precedence> <list> x[] </list> <values> 1 0 2 </values> </precedence>",
     lambda x, y: all(b not in x or (a in x and x.index(a) < x.index(b)) for a, b in ((1, 0), (0, 2)))),
    ("<precedence> <list> x[] </list> </precedence>",
     lambda x, y: all(b not in x or (a in x and x.index(a) < x.index(b)) for a, b in ((0, 1), (1, 2)))),
    ('<precedence> <list> x[] </list> <values covered="true"> 0 1 </values> </precedence>',
     lambda x, y: 1 in x and 0 in x and x.index(0) < x.index(1)),
    # counting and summing
    ("<sum> <list> x[] </list> <coeffs> 2 -1 1x1 </coeffs> <condition> (in,1..2) </condition> </sum>",
     lambda x, y: 2 * x[0] - x[1] + x[2] in (1, 2)),
    ("<sum> <list> y[] </list> <coeffs> x[0..1] </coeffs> <condition> (eq,x[2]) </condition> </sum>",
     lambda x, y: x[0] * y[0] + x[1] * y[1] == x[2]),
    ("<sum> <list> eq(x[0],1) x[1] mul(y[0],y[1]) </list> <condition> (notin,{0,2}) </condition> </sum>",
     lambda x, y: int(x[0] == 1) + x[1] + y[0] * y[1] not in (0, 2)),
    ("<count> <list> x[] </list> <values> 0 2 </values> <condition> (ge,2) </condition> </count>",
     lambda x, y: sum(v in (0, 2) for v in x) >= 2),
    ("<count> <list> x[] y[0] </list> <values> y[1] </values> <condition> (ne,1) </condition> </count>",
     lambda x, y: (*x, y[0]).count(y[1]) != 1),
    ("<count> <list> lt(x[0],x[1]) lt(x[1],x[2]) </list> <values> 1 </values> <condition> (eq,1) </condition> </count>",
     lambda x, y: (x[0] < x[1]) + (x[1] < x[2]) == 1),
    ("<nValues> <list> x[] y[] </list> <condition> (le,2) </condition> </nValues>", lambda x, y: len({*x, *y}) <= 2),
    ("<nValues> <list> x[] y[] </list> <except> 0 1 </except> <condition> (eq,y[0]) </condition> </nValues>",
     lambda x, y: len({*x, *y} - {0, 1}) == y[0]),
    ("<cardinality> <list> x[] </list> <values> 0 1 </values> <occurs> 1 0..1 </occurs> </cardinality>",
     lambda x, y: x.count(0) == 1 and x.count(1) <= 1),
    ('<cardinality> <list> x[] </list> <values closed="true"> 0 1 </values> <occurs> y[0] 2 </occurs> </cardinality>',
     lambda x, y: x.count(0) == y[0] and x.count(1) == 2 and 2 not in x),
    ("<cardinality> <list> x[] </list> <values> y[] </values> <occurs> 1 2 </occurs> </cardinality>",
     lambda x, y: x.count(y[0]) == 1 and x.count(y[1]) == 2),
    # the least and the greatest
    ("<maximum> <list> x[] </list> <condition> (eq,y[0]) </condition> </maximum>", lambda x, y: max(x) == y[0]),
    ("<minimum> <list> x[] add(y[0],1) </list> <condition> (ge,1) </condition> </minimum>",
     lambda x, y: min(*x, y[0] + 1) >= 1),
    ("<maximum> <list> x[] </list> <index> y[0] </index> </maximum>", lambda x, y: extreme(y[0], x, max(x), "any")),
    ('<minimum> <list startIndex="-1"> x[] </list> <index rank="first"> y[0] </index> <condition> (ne,1) </condition>'
     "</minimum>", lambda x, y: extreme(y[0] + 1, x, min(x), "first") and min(x) != 1),
    ('<maximumArg rank="last"> <list> x[] </list> <condition> (ne,y[0]) </condition> </maximumArg>',
     lambda x, y: any(extreme(i, x, max(x), "last") and i != y[0] for i in X)),
    ('<minimumArg rank="first"> <list> x[] </list> <condition> (in,1..2) </condition> </minimumArg>',
     lambda x, y: any(extreme(i, x, min(x), "first") and i in (1, 2) for i in X)),
    ("<maximumArg> <list> x[] </list> <condition> (eq,y[0]) </condition> </maximumArg>",
     lambda x, y: extreme(y[0], x, max(x), "any")),
    # elements and channels
    ("<element> <list> x[] </list> <index> y[0] </index> <value> y[1] </value> </element>",
     lambda x, y: y[0] >= 0 and x[y[0]] == y[1]),
    ('<element> <list startIndex="-1"> 5 1 7 1 </list> <index> y[0] </index> <value> 1 </value> </element>',
     lambda x, y: (5, 1, 7, 1)[y[0] + 1] == 1),
    ("<element> <list> x[] </list> <index> y[0] </index> <condition> (gt,y[1]) </condition> </element>",
     lambda x, y: y[0] >= 0 and x[y[0]] > y[1]),
    ('<element> <list> x[] </list> <index rank="first"> y[0] </index> <value> 1 </value> </element>',
     lambda x, y: 1 in x and x.index(1) == y[0]),
    ("<element> <list> x[] </list> <value> y[0] </value> </element>", lambda x, y: y[0] in x),
    ("<element> <matrix> (x[0],x[1])(2,y[0]) </matrix> <index> x[2] y[1] </index> <value> 1 </value> </element>",
     lambda x, y: x[2] < 2 and 0 <= y[1] < 2 and ((x[0], x[1]), (2, y[0]))[x[2]][y[1]] == 1),
    ("<channel> x[] </channel>", lambda x, y: all(x[v] == i for i, v in enumerate(x))),
    ("<channel> <list> x[0..1] </list> <list> y[] </list> </channel>",
     lambda x, y: all(x[i] < 2 and y[x[i]] == i for i in range(2))),
    ("<channel> <list> y[] </list> <list> x[] </list> </channel>",
     lambda x, y: all(y[i] >= 0 and x[y[i]] == i for i in range(2))),
    ('<channel> <list startIndex="1"> x[0..1] </list> <list startIndex="1"> y[] </list> </channel>',
     lambda x, y: all(1 <= x[i] <= 2 and y[x[i] - 1] == i + 1 for i in range(2))),
    ("<channel> <list> y[] </list> <list> </list> </channel>", lambda x, y: False),
    ("<channel> <list> x[] </list> <value> y[0] </value> </channel>",
     lambda x, y: x.count(1) == 1 and x.index(1) == y[0]),
    # packing and scheduling
    ("<noOverlap> <origins> x[] </origins> <lengths> 1 2 0 </lengths> </noOverlap>",
     lambda x, y: apart([((s,), (d,)) for s, d in zip(x, (1, 2, 0), strict=True)], True)),
    ('<noOverlap zeroIgnored="false"> <origins> x[] </origins> <lengths> 2 2 0 </lengths> </noOverlap>',
     lambda x, y: apart([((s,), (d,)) for s, d in zip(x, (2, 2, 0), strict=True)], False)),
    ("<noOverlap> <origins> (x[0],x[1])(y[0],y[1]) </origins> <lengths> (1,2)(2,x[2]) </lengths> </noOverlap>",
     lambda x, y: apart([(x[:2], (1, 2)), (y, (2, x[2]))], True)),
    ("<cumulative> <origins> x[] </origins> <lengths> 2 1 2 </lengths> <heights> 1 2 1 </heights>"
     "<condition> (le,2) </condition> </cumulative>",
     lambda x, y: stays_under(list(zip(x, (2, 1, 2), (1, 2, 1), strict=True)), 2)),
    ("<cumulative> <origins> x[0..1] </origins> <lengths> 1 2 </lengths> <heights> 1 1 </heights>"
     "<condition> (le,add(x[2],min(y[0],1))) </condition> </cumulative>",
     lambda x, y: stays_under([(x[0], 1, 1), (x[1], 2, 1)], x[2] + min(y[0], 1))),
    ("<cumulative> <origins> x[0..1] </origins> <lengths> x[2] 1 </lengths> <ends> y[] </ends>"
     "<heights> 1 1 </heights> <condition> (lt,x[2]) </condition> </cumulative>",
     lambda x, y: stays_under([(x[0], x[2], 1), (x[1], 1, 1)], x[2] - 1) and y == (x[0] + x[2], x[1] + 1)),
    ("<binPacking> <list> x[] </list> <sizes> 1 2 2 </sizes> <condition> (le,3) </condition> </binPacking>",
     lambda x, y: all(load_of(x, (1, 2, 2), v) <= 3 for v in X)),
    ("<binPacking> <list> x[] </list> <sizes> 1 2 2 </sizes> <condition> (ge,3) </condition> </binPacking>",
     lambda x, y: all(load_of(x, (1, 2, 2), v) >= 3 for v in set(x))),
    ("<binPacking> <list> x[] </list> <sizes> 1 2 2 </sizes> <limits> 2 3 y[0] </limits> </binPacking>",
     lambda x, y: all(load_of(x, (1, 2, 2), v) <= limit for v, limit in enumerate((2, 3, y[0])))),
    ("<binPacking> <list> x[] </list> <sizes> 1 1 1 </sizes> <loads> y[] </loads> </binPacking>",
     lambda x, y: all(load_of(x, (1, 1, 1), v) == many for v, many in enumerate(y))),
    ("<knapsack> <list> x[] </list> <weights> 1 2 3 </weights> <condition> (le,6) </condition>"
     "<profits> 2 1 2 </profits> <condition> (ge,5) </condition> </knapsack>",
     lambda x, y: x[0] + 2 * x[1] + 3 * x[2] <= 6 and 2 * x[0] + x[1] + 2 * x[2] >= 5),
    ("<knapsack> <list> x[] </list> <weights> 1 2 3 </weights> <profits> 2 1 2 </profits> <limit> y[0] </limit>"
     "<condition> (ne,0) </condition> </knapsack>",
     lambda x, y: x[0] + 2 * x[1] + 3 * x[2] <= y[0] and 2 * x[0] + x[1] + 2 * x[2] != 0),
    # graphs
    ("<circuit> x[] </circuit>", lambda x, y: subtour(x)),
    ("<circuit> <list> x[] </list> <size> y[0] </size> </circuit>",
     lambda x, y: subtour(x) and sum(v != i for i, v in enumerate(x)) == y[0]),
    ('<circuit> <list startIndex="-1"> y[] x[0] </list> </circuit>', lambda x, y: subtour([v + 1 for v in (*y, x[0])])),
    ("<flow> <list> x[] </list> <balance> 2 0 -2 </balance> <arcs> (0,1)(1,2)(0,2) </arcs> </flow>",
     lambda x, y: x[0] + x[2] == 2 and x[1] == x[0]),
    # the rest
    ("<instantiation> <list> x[] y[1] </list> <values> 2 0x2 * </values> </instantiation>",
     lambda x, y: x == (2, 0, 0)),
    ('<intension reifiedBy="b"> eq(x[0],1) </intension>', lambda x, y: True),
    ('<slide> <list> x[] </list> <intension> ne(%0,%1) </intension> </slide>',
     lambda x, y: x[0] != x[1] and x[1] != x[2]),
    ('<slide circular="true"> <list> x[] </list> <intension> le(%0,add(%1,1)) </intension> </slide>',
     lambda x, y: all(x[i] <= x[(i + 1) % 3] + 1 for i in X)),
    ('<slide> <list offset="1" collect="1"> x[] </list> <list offset="1" collect="1"> y[] </list>'
     "<intension> lt(%0,%1) </intension> </slide>", lambda x, y: x[0] < y[0] and x[1] < y[1]),
    ("<group> <sum> <list> %... </list> <coeffs> 1 2 </coeffs> <condition> (le,%0) </condition> </sum>"
     "<args> 3 x[0..1] </args> <args> y[0] x[1..2] </args> </group>",
     lambda x, y: x[0] + 2 * x[1] <= 3 and x[1] + 2 * x[2] <= y[0]),
    ("<block> <group> <allDifferent> %... </allDifferent> <args> x[0] y[0] 1 </args> <args> x[1..2] </args> </group>"
     "<block> <intension> ne(y[0],y[1]) </intension> </block> </block>",
     lambda x, y: distinct((x[0], y[0], 1)) and x[1] != x[2] and y[0] != y[1]),
]  # fmt: skip


@pytest.mark.parametrize("cases", portions([case for case in CASES if "reifiedBy" not in case[0]], 6))
def test_each_constraint_has_the_solutions_of_its_definition(cases: list[tuple[str, Meaning]]) -> None:
    for text, meaning in cases:
        check(instance(text), meaning)


def test_every_constraint_is_tried() -> None:
    from nonosat.modelling.xcsp3 import _CONSTRAINTS, _OPERATORS

    texts = " ".join(text for text, _ in CASES)
    assert [name for name in _CONSTRAINTS if f"<{name}" not in texts and name != "clause"] == []
    assert [name for name in _OPERATORS if f"{name}(" not in texts] == []


def test_truth_values_and_clauses() -> None:
    bits = '<array id="b" size="[3]"> 0 1 </array>'
    for text, meaning in (
        ("<clause> b[0] not(b[1]) b[2] </clause>", lambda b: b[0] or not b[1] or b[2]),
        ("<intension> imp(b[0],not(b[1])) </intension>", lambda b: not (b[0] and b[1])),
        ("<intension> eq(b[0],ne(b[1],b[2])) </intension>", lambda b: b[0] == (b[1] != b[2])),
        ("<intension> eq(and(b[0],b[1]),b[2]) </intension>", lambda b: (b[0] and b[1]) == b[2]),
        ('<intension reifiedBy="b[2]"> lt(b[0],b[1]) </intension>', lambda b: (b[0] < b[1]) == b[2]),
        ('<allDifferent reifiedBy="b[2]"> b[0] b[1] </allDifferent>', lambda b: (b[0] != b[1]) == b[2]),
    ):
        model = model_of(instance(text, variables=bits))
        assert compiled(model) == {b for b in product((0, 1), repeat=3) if meaning(b)}, text


@pytest.mark.parametrize("number", repeated(8, 40, 400))
def test_random_instances_have_the_solutions_of_brute_force(number: int) -> None:
    """Constraints of the cases side by side, under groups and blocks and with reification by a comparison."""
    rng = np.random.default_rng(31)
    usual = [case for case in CASES if "reifiedBy" not in case[0]]
    kinds: Counter[bool] = Counter()
    for _ in range(number):
        chosen = [usual[i] for i in rng.choice(len(usual), int(rng.integers(2, 4)), replace=False)]
        texts = [f"<block> {text} </block>" if rng.random() < 0.3 else text for text, _ in chosen]
        weights = rng.integers(-2, 3, 5).tolist()
        bound, word = int(rng.integers(-2, 5)), sorted(RELATIONS)[int(rng.integers(6))]
        texts.append(
            f"<sum> <list> x[] y[] </list> <coeffs> {' '.join(map(str, weights))} </coeffs>"
            f"<condition> ({word},{bound}) </condition> </sum>"
        )

        def total(x: Sequence[int], y: Sequence[int], weights: list[int] = weights) -> int:
            return sum(a * v for a, v in zip(weights, (*x, *y), strict=True))

        def relation(x: Sequence[int], y: Sequence[int], word: str = word, bound: int = bound) -> bool:
            return RELATIONS[word](total(x, y), bound)

        meanings = [*(meaning for _, meaning in chosen), relation]
        check(instance("\n".join(texts)), *meanings)
        wanted = by_force(*meanings)
        kinds[bool(wanted)] += 1
        goal = (
            f'<minimize type="sum"> <list> x[] y[] </list> <coeffs> {" ".join(map(str, weights))} </coeffs> </minimize>'
        )
        for solver, encoding in (("cadical153", "order"), ("cpsat", None)):
            answer = model_of(instance("\n".join(texts), goal)).solve(solver=solver, encoding=encoding)
            best = min((total(board[:3], board[3:]) for board in wanted), default=None)
            assert (answer.objective, bool(answer.optimal)) == (best, best is not None), texts
    assert kinds[True]


@pytest.mark.parametrize(
    ("objective", "value"),
    [
        ("<minimize> sub(x[0],y[1]) </minimize>", lambda x, y: x[0] - y[1]),
        ("<maximize> x[1] </maximize>", lambda x, y: -x[1]),
        ('<maximize type="sum"> x[] y[] </maximize>', lambda x, y: -sum((*x, *y))),
        ('<minimize type="maximum"> x[] </minimize>', lambda x, y: max(x)),
        ('<maximize type="minimum"> <list> x[] y[] </list> </maximize>', lambda x, y: -min(*x, *y)),
        ('<minimize type="nValues"> x[] y[] </minimize>', lambda x, y: len({*x, *y})),
        ('<maximize type="product"> x[0] y[0] y[1] </maximize>', lambda x, y: -prod((x[0], *y))),
        (
            '<minimize type="maximum"> <list> x[] </list> <coeffs> 3 1 2 </coeffs> </minimize>',
            lambda x, y: max(3 * x[0], x[1], 2 * x[2]),
        ),
    ],
)
def test_objectives(objective: str, value: Callable[[Any, Any], int]) -> None:
    text = instance("<allDifferent> x[] </allDifferent> <intension> lt(y[0],x[0]) </intension>", objective)
    best = min(value(board[:3], board[3:]) for board in by_force(lambda x, y: distinct(x), lambda x, y: y[0] < x[0]))
    for solver in ("cadical153", "cpsat"):
        answer = model_of(text).solve(solver=solver)
        assert answer.optimal
        assert answer.objective == (-best if "maximize" in objective else best)


# ---------------------------------------------------------------- variables


def test_domains_arrays_and_names() -> None:
    model = model_of(
        instance(
            "<intension> lt(a,b) </intension>",
            variables="""
            <var id="a"> 1 3..5 </var> <var id="b" as="a"/> <var id="c" type="symbolic"> red green </var>
            <array id="x" size="[2][3]">
              <domain for="x[0][] x[1][0]"> 0 1 </domain> <domain for="others"> 7 </domain>
            </array>
            <array id="h" size="[3]"> <domain for="h[0] h[2]"> 0..2 </domain> </array>
            <array id="k" as="x" size="[2][3]"/>
            """,
        )
    )
    domains = dict(zip(model.names(), model.domains, strict=True))
    assert [domains["a"].tolist(), domains["b"].tolist()] == [[1, 3, 4, 5]] * 2
    assert (domains["c"], domains["x[0][2]"], domains["x[1][2]"], domains["k[1][1]"]) == (
        (0, 1),
        (0, 1),
        (7, 7),
        (7, 7),
    )
    assert [name for name in domains if name.startswith("h")] == ["h[0]", "h[2]"]
    assert model["x"].shape == (2, 3)
    assert model.solve()["x"][1].tolist()[1:] == [7, 7]


def test_symbols_are_values() -> None:
    text = instance(
        "<allDifferent> c[] </allDifferent> <intension> eq(c[0],green) </intension>"
        "<extension> <list> c[1..2] </list> <conflicts> (red,*)(*,green) </conflicts> </extension>",
        variables='<array id="c" size="[3]" type="symbolic"> red green blue </array>',
    )
    assert compiled(model_of(text)) == {(1, 2, 0)}


def test_words_and_tuples() -> None:
    assert words("a  eq(b, c)\n{1, 2} (le, %0)") == ["a", "eq(b,c)", "{1,2}", "(le,%0)"]
    assert tuples(" (a, {1,2})\n(eq(x,y),3)") == [["a", "{1,2}"], ["eq(x,y)", "3"]]


@pytest.mark.slow
def test_terms_may_nest_as_deep_as_they_like() -> None:
    deep = "x[0]"
    for _ in range(20_000):
        deep = f"neg({deep})"
    assert compiled(model_of(instance(f"<intension> eq({deep},1) </intension>"))) == by_force(lambda x, y: x[0] == 1)


# ---------------------------------------------------------------- files, the command line, errors


@pytest.mark.slow
def test_models_in_files(tmp_path: Path) -> None:
    text = instance('<allDifferent id="c"> x[] </allDifferent>', '<minimize type="sum"> y[] </minimize>')
    (tmp_path / "a.xml").write_text(text)
    (tmp_path / "a.xml.lzma").write_bytes(lzma.compress(text.encode(), lzma.FORMAT_ALONE))
    (tmp_path / "a.xml.xz").write_bytes(lzma.compress(text.encode()))
    for name in ("a.xml", "a.xml.lzma", "a.xml.xz"):
        assert is_model(str(tmp_path / name))
        assert load_model(str(tmp_path / name)).solve().objective == -2
    ran = commands.run("solve", tmp_path / "a.xml.lzma", "--format", "json", "--solver", "cadical153")
    record = json.loads(ran.stdout)
    assert (ran.returncode, record["objective"], record["optimal"]) == (10, -2, True)
    assert sorted(record["solutions"][0]) == ["x[0]", "x[1]", "x[2]", "y[0]", "y[1]"]
    ran = commands.run("encode", tmp_path / "a.xml", "-o", tmp_path / "a.cnf", "--encoding", "log")
    assert ran.returncode == 0
    assert "p cnf" in (tmp_path / "a.cnf").read_text()
    assert commands.run("count", tmp_path / "a.xml").stdout.strip() == str(6 * 16)
    assert commands.run("backbone", tmp_path / "a.xml").returncode == 10
    assert commands.run("sample", tmp_path / "a.xml", "--count", "2").returncode == 10


def test_what_has_no_solution_is_explained_by_names(tmp_path: Path) -> None:
    constraints = (
        '<allDifferent id="all"> x[] </allDifferent>\n<intension> gt(y[0],0) </intension>\n'
        "<intension> lt(x[0],0) </intension>"
    )
    (tmp_path / "a.xml").write_text(instance(constraints))
    ran = commands.run("explain", tmp_path / "a.xml")
    assert ran.stdout == "line 6: x[0] < 0\n"
    (tmp_path / "a.xml").write_text(
        instance(
            '<group id="g"> <intension> lt(%0,%1) </intension> <args> x[0] x[1] </args> <args> x[1] x[0] </args>'
            "</group>"
        )
    )
    assert commands.run("explain", tmp_path / "a.xml").stdout == "g[0]\ng[1]\n"


def test_nonograms_stay_puzzles(tmp_path: Path) -> None:
    from nonosat.puzzles.nonogram import Nonogram
    from nonosat.puzzles.nonogram.formats.xcsp3 import write

    (tmp_path / "n.xml").write_text(write([Nonogram.from_lengths([[1], [1]], [[1], [1]])]))
    assert not is_model(str(tmp_path / "n.xml"))
    assert load_model(str(tmp_path / "n.xml")).count().solutions == 2
    assert commands.run("count", tmp_path / "n.xml").stdout.strip() == "2"


BAD = {
    "<allDifferent id='c1'> x[] z </allDifferent>": '4: constraint "c1" (allDifferent): "z" is not declared',
    "<allDifferent> x[9] </allDifferent>": '4: constraint allDifferent: "x[9]": there is no index 9 among 3',
    "<allDifferent> x[][] </allDifferent>": '"x[][]": x has 1 indices',
    "<intension> eq(x[0] </intension>": "constraint intension: a term without its end",
    "<intension> eq(x[0],) </intension>": "comma too many",
    "<intension> eq(x[0]) </intension>": "eq of 1 operands: it takes 2 at least",
    "<intension> foo(x[0],1) </intension>": 'there is no operator "foo" in XCSP3-core',
    "<intension> add(x[0],1) </intension>": "is used as true or false, and has other values than 0 and 1",
    "<intension> and(x[0],x[1]) </intension>": "is used as true or false, and has other values than 0 and 1",
    "<intension> eq(x[0],9999999999999999999) </intension>": "too large",
    "<sum> <list> x[] </list> <condition> (le,2 </condition> </sum>": "is no condition such as (le,5)",
    "<sum> <list> x[] </list> <condition> (leq,2) </condition> </sum>": '"leq" is none of lt, le, ge',
    "<sum> <list> x[] </list> <coeffs> 1 2 </coeffs> <condition> (le,2) </condition> </sum>": "3 terms, 2 coefficients",
    "<sum> <list> x[] </list> </sum>": 'it has 0 of "condition", one is due',
    "<extension> <list> x[0..1] </list> <supports> (1,2)(1) </supports> </extension>": "the tuple (1) for a list of 2",
    "<extension> <list> x[0..1] </list> <supports> (1,a)</supports> </extension>": '"a" in a tuple is no number',
    "<extension> <list> x[] </list> </extension>": "it has neither supports nor conflicts",
    "<extension type='hybrid-1'> <list> x[] </list> <supports/> </extension>": "hybrid tables are not of XCSP3-core",
    "<stretch> <list> x[] </list> </stretch>": "this constraint is not of XCSP3-core: state it as regular",
    "<whatever/>": "constraint whatever: this constraint is not of XCSP3-core",
    "<group> <allDifferent> %... </allDifferent> <intension/> </group>": "a group has one constraint, and args",
    "<group>\n<intension> lt(%0,%2) </intension>\n<args> x[0] x[1] </args> </group>": "6: constraint intension: %2",
    "<cumulative> <origins> x[] </origins> <lengths> 1x3 </lengths> <heights> 1x3 </heights>"
    "<condition> (ge,2) </condition> </cumulative>": "is not of XCSP3-core, which has (le,..)",
    "<cumulative> <origins> x[] </origins> <lengths> 1x3 </lengths> <heights> 1x3 </heights>"
    "<condition> (le\n2) </condition> </cumulative>": "is no condition such as (le,5)",
    "<element> <list> x[] </list> <index rank='best'> y[0] </index> <value> 1 </value> </element>": 'rank is "best"',
    "<noOverlap> <origins> x[] </origins> <lengths> 1 2 </lengths> </noOverlap>": "3 origins, 2 lengths",
}


@pytest.mark.parametrize("text", spread(BAD, 13))
def test_bad_constraints_are_one_line(text: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.xml"
    path.write_text(instance(text))
    with pytest.raises(FormatError) as caught:
        load_model(str(path))
    assert BAD[text] in str(caught.value)
    assert str(caught.value).startswith(f"{path}:")
    assert "\n" not in str(caught.value)
    ran = commands.run("solve", path)
    assert ran.returncode == 2
    assert ran.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("<puzzle/>", "an instance begins with"),
        ("<instance format='XCSP3'> <x/> </instance>", 'a "x" in an instance'),
        (instance("", variables="<var id='a'> 0..infinity </var>"), "domains are finite"),
        (instance("", variables="<var id='a'> -infinity..+infinity </var>"), "domains are finite"),
        (instance("", variables="<var id='a'> 3..1 </var>"), '"3..1" is empty'),
        (instance("", variables="<var id='a'> </var>"), 'variable "a" (var): an empty domain'),
        (instance("", variables="<var id='a'> 0..9999999999999999999 </var>"), "too large"),
        (instance("", variables="<var id='a'> 0 1 </var> <var id='a'> 0 1 </var>"), "it is declared twice"),
        (instance("", variables="<var id='a' as='b'/>"), 'as "b", which is not declared before it'),
        (instance("", variables="<var id='1a'> 0 </var>"), '"1a" is no name'),
        (instance("", variables="<var id='a' type='set'> 0 </var>"), "are not of XCSP3-core"),
        (instance("", variables="<array id='a' size='[99999][99999]'> 0 1 </array>"), "1,048,576 at most"),
        (instance("", variables="<array id='a' size='5'> 0 1 </array>"), "is no size such as [3][4]"),
        (instance("", '<minimize type="lex"> x[] </minimize>'), 'an objective of the type "lex" is not of XCSP3-core'),
        (instance("", "<minimize> x[0] </minimize> <maximize> x[1] </maximize>"), "a second objective"),
        ('<!DOCTYPE instance [<!ENTITY a "aaaa">]>\n' + instance(""), "declares an entity"),
        (instance("<block>" * 60 + "</block>" * 60), "nested more than"),
        (instance("<allDifferent> x[] "), "not XML"),
    ],
)
def test_bad_instances_are_one_line(text: str, reason: str) -> None:
    with pytest.raises(FormatError) as caught:
        read(text)
    assert reason in str(caught.value)
    assert caught.value.line is not None
    assert "\n" not in str(caught.value)


# ---------------------------------------------------------------- instances of the field


INDEX = (SHARED / "INDEX.tsv").read_text().splitlines() if SHARED.exists() else []
INSTANCES = list(csv.DictReader(INDEX, delimiter="\t"))
HARD = {"ChampionsLeague-min.xml", "SchedulingJS-min.xml", "VRP-min.xml"}
"""Those that CP-SAT has not answered in a second either."""


@pytest.mark.slow
@pytest.mark.skipif(not INSTANCES, reason="instances of others are not in this checkout")
def test_instances_of_the_field_are_read() -> None:
    for row in INSTANCES:
        model = load_model(str(SHARED / row["instance"]))
        assert (model.objective is not None) == (row["kind"] == "COP")
        assert is_model(str(SHARED / row["instance"]))


@pytest.mark.parametrize("rows", portions([row for row in INSTANCES if row["instance"] not in HARD], 3))
def test_instances_of_the_field_have_the_known_answers(rows: list[dict[str, str]]) -> None:
    for row in rows:
        answer = load_model(str(SHARED / row["instance"])).solve(solver="cadical153")
        match row["answer"].split():
            case ["OPTIMAL", value]:
                assert (answer.objective, answer.optimal) == (int(value), True), row
            case ["SATISFIABLE"]:
                assert answer.verdict is Verdict.SAT, row
            case ["UNSATISFIABLE"]:
                assert answer.verdict is Verdict.UNSAT, row
            case _:  # of those with symbols; the last two can be seen at a glance
                unsatisfiable = row["instance"] in ("SimpleColoring-single.xml", "TravelingWorld-single.xml")
                assert answer.verdict is (Verdict.UNSAT if unsatisfiable else Verdict.SAT), row
