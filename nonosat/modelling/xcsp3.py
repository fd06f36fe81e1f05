"""XCSP3-core, the language of the XCSP3 competitions: an instance (CSP or COP) to the model that it states.

Source: Boussemart, Lecoutre, Audemard & Piette, *XCSP3-core: a format for representing constraint
satisfaction/optimization problems* (arXiv 2009.00514). Where that leaves a question open, the competition's checker of
solutions decides (``SolutionChecker`` of XCSP3-Java-Tools). All constraints of the core are read, over integer and
symbolic variables, with groups, blocks and slides; beyond it a few that cost nothing (``flow``, ``clause``,
``element`` of a member, several lists where the core has one).

The reader is ours. pycsp3 has one, which reports what is wrong by ``assert`` and without a line, sorts constraints into
callbacks for many special cases of each, replaces operators of Python's builtin types while it is loaded, and needs
lxml. Here each constraint becomes an expression of ``csp/expressions.py``, whose meaning is evaluated for every
solution, and each error says its line.

>>> print(read('''<instance format="XCSP3" type="COP">
...   <variables> <array id="x" size="[3]"> 0..4 </array> </variables>
...   <constraints> <allDifferent> x[] </allDifferent> <intension> eq(x[0],add(x[1],x[2])) </intension> </constraints>
...   <objectives> <minimize> x[0] </minimize> </objectives>
... </instance>'''))
<Problem '': 3 variables, 2 constraints, minimize x[0]>
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations, pairwise
from typing import Any, NamedTuple, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from nonosat.csp import expressions as e
from nonosat.csp.expressions import STAR, BooleanExpression, Expression, IntegerExpression
from nonosat.csp.model import LARGEST
from nonosat.csp.statement import Problem
from nonosat.errors import FormatError, ModelError, UnsupportedError
from nonosat.files import printable
from nonosat.puzzles.formats.texts import Node, quote, tree

# The text of an instance: numbers, words and tuples, and terms such as ``eq(add(x,y),3)``.


MOST = 2**20
"""Variables of an array, entries of a list, and listed values of a domain, at most."""
_INTEGER = re.compile(r"[-+]?\d{1,30}")
_INTERVAL = re.compile(r"([-+]?\d{1,30})\.\.([-+]?\d{1,30})")
_REPEATED = re.compile(r"([-+]?\d{1,30})x(\d{1,7})")
_PARAMETER = re.compile(r"%(\d{1,6})")
_BRACKET = re.compile(r"\[([^\[\]]*)\]")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_VARIABLE = re.compile(r"[A-Za-z][A-Za-z0-9_\[\]]*")
_PIECE = re.compile(r"[({]|[)}]|\s+|[^(){}\s]+")
_TERM = re.compile(r"\s*([^\s(),]+|[(),])\s*")


def words(text: str) -> list[str]:
    """The words of a list: separated by blanks, but for those in parentheses and braces.

    >>> words(" x[0] eq(y, 3) {1, 2} ")
    ['x[0]', 'eq(y,3)', '{1,2}']
    """
    if "(" not in text and "{" not in text:
        return text.split()
    found: list[str] = []
    depth, open_word = 0, False
    for piece in _PIECE.findall(text):
        if piece.isspace():
            open_word &= depth > 0
            continue
        depth += (piece in "({") - (piece in ")}")
        if depth < 0:
            raise FormatError(f"a {piece} without its beginning in {quote(text.strip())}")
        if open_word:
            found[-1] += piece
        else:
            found.append(piece)
        open_word = True
    if depth:
        raise FormatError(f"a parenthesis without its end in {quote(text.strip())}")
    return found


def tuples(text: str) -> list[list[str]]:
    """The tuples of ``(a,b)(c,d)``, as words.

    >>> tuples("(1, x[0]) (2,eq(y,3))")
    [['1', 'x[0]'], ['2', 'eq(y,3)']]
    """
    found: list[list[str]] = []
    depth = 0
    for piece in re.findall(r"[(){},]|\s+|[^(){},\s]+", text):
        if piece.isspace():
            continue
        if piece == "(" and depth == 0:
            found.append([""])
        elif depth == 0:
            raise FormatError(f"{quote(piece)} between tuples such as (1,2)")
        elif piece == "," and depth == 1:
            found[-1].append("")
        elif not (piece == ")" and depth == 1):
            found[-1][-1] += piece
        depth += (piece in "({") - (piece in ")}")
    if depth:
        raise FormatError(f"a tuple without its end: {quote(text.strip()[-24:])}")
    return found


class TermStep(NamedTuple):
    """Of a term in postfix: an operator with its number of operands, or a word (``arity`` is -1)."""

    word: str
    arity: int = -1


def postfix(text: str) -> tuple[TermStep, ...]:
    """A term with each operator behind its operands; a loop, since terms may nest deeper than Python may.

    >>> [step.word for step in postfix("eq(add(x, y), 3)")]
    ['x', 'y', 'add', '3', 'eq']
    """
    steps: list[TermStep] = []
    stack: list[tuple[str, int]] = []
    at, due = 0, True  # whether an operand is due
    pieces: list[str] = []
    while at < len(text):
        match = _TERM.match(text, at)
        if match is None:
            break
        pieces.append(match[1])
        at = match.end()
    for number, piece in enumerate(pieces):
        opens = number + 1 < len(pieces) and pieces[number + 1] == "("
        if piece == "(":
            if number == 0 or not _NAME.fullmatch(pieces[number - 1]):
                raise FormatError(f"a parenthesis without an operator in {quote(text.strip())}")
        elif piece == ",":
            if due or not stack:
                raise FormatError(f"a comma too many in {quote(text.strip())}")
            due = True
        elif piece == ")":
            if not stack or (due and pieces[number - 1] != "("):
                raise FormatError(f"a parenthesis or a comma too many in {quote(text.strip())}")
            word, before = stack.pop()
            operands = 0 if pieces[number - 1] == "(" else before + 1
            steps.append(TermStep(word, operands))
            due = False
        elif not due:
            raise FormatError(f"a comma or a parenthesis is missing before {quote(piece)}")
        elif opens:
            stack.append((piece, 0))
        else:
            steps.append(TermStep(piece))
            due = False
        if piece == ",":
            word, before = stack.pop()
            stack.append((word, before + 1))
    if stack or due:
        raise FormatError(f"a term without its end: {quote(text.strip())}")
    return tuple(steps)


# Values, and what operators make of them.


Value: TypeAlias = Any
"""An int, an expression, a range, or a list of these (a set)."""


@dataclass(frozen=True)
class Arguments:
    """What ``%0``, ``%1``, .. stand for in a template; ``%...`` is all from number ``rest`` on."""

    values: tuple[Value, ...] = ()
    rest: int = 0

    def named(self, number: int) -> Value:
        """What ``%number`` stands for."""
        if number >= len(self.values):
            raise FormatError(f"%{number} of {len(self.values)} arguments")
        return self.values[number]


@dataclass
class Array:
    """The ``cells`` of an array; None: one that has no domain, and so is no variable."""

    name: str
    cells: npt.NDArray[Any]

    def chosen(self, word: str, brackets: str) -> npt.NDArray[Any]:
        """The cells that brackets such as ``[0][1..3][]`` choose; an index that is one number has no axis."""
        indices = _BRACKET.findall(brackets)
        if len(indices) != self.cells.ndim or "".join(f"[{index}]" for index in indices) != brackets:
            raise FormatError(f"{quote(word)}: {self.name} has {self.cells.ndim} indices")
        places: list[Any] = []
        for index, length in zip(indices, self.cells.shape, strict=True):
            low, high = bounds(index) if index.strip() else (0, length - 1)
            if not 0 <= low <= high < length:
                raise FormatError(f"{quote(word)}: there is no index {index} among {length}")
            places.append(slice(low, high + 1) if ".." in index or not index.strip() else low)
        return self.cells[tuple(places)] if any(isinstance(place, slice) for place in places) else self._one(places)

    def _one(self, places: list[int]) -> npt.NDArray[Any]:
        single = np.empty((), dtype=object)
        single[()] = self.cells[tuple(places)]
        return single


def bounds(word: str) -> tuple[int, int]:
    """The ends of ``3`` or ``2..5``."""
    word = word.strip()
    if _INTEGER.fullmatch(word):
        return _number(word), _number(word)
    match = _INTERVAL.fullmatch(word)
    if match is None:
        why = ": domains are finite" if "infinity" in word else ""
        raise FormatError(f"{quote(word)} is no number and no interval such as 2..5{why}")
    low, high = _number(match[1]), _number(match[2])
    if low > high:
        raise FormatError(f"{quote(word)} is empty")
    return low, high


def _number(word: str) -> int:
    value = int(word)
    _due(abs(value) <= LARGEST, f"a number too large: {word}; the limit is {LARGEST}")
    return value


def member(value: Value, values: Sequence[Value]) -> BooleanExpression:
    """``value`` is one of ``values``: numbers, intervals, or expressions."""
    whole = e.integer(value)
    numbers = [v for v in values if isinstance(v, int)]
    parts: list[Any] = []
    if len(numbers) > 1:
        parts.append(e.table([whole], np.array(numbers, dtype=np.int64).reshape(-1, 1)))
    elif numbers:
        parts.append(whole == numbers[0])
    for other in values:
        if isinstance(other, range):
            parts.append((whole >= other[0]) & (whole <= other[-1]))
        elif not isinstance(other, int):
            parts.append(whole == e.integer(other))
    return e.any_of(parts) if len(parts) != 1 else e.boolean(parts[0])


def no_member(value: Value, values: Sequence[Value]) -> BooleanExpression:
    """``value`` is none of ``values``; one that is missing (a division by zero) is not."""
    return _refused(member(value, values), [e.integer(value)])


def _refused(constraint: BooleanExpression, operands: Iterable[Expression]) -> BooleanExpression:
    """The ``constraint`` does not hold, and its operands have a value."""
    partial_ones = [one for one in operands if e.may_lack_value(one)]
    return e.all_of([~constraint, *(one == one for one in partial_ones)]) if partial_ones else ~constraint


def linear(values: Iterable[Value], coefficients: Iterable[Value] | None = None) -> IntegerExpression:
    """The sum of ``values``, by ``coefficients`` where there are any."""
    if coefficients is None:
        return e.sum_of([e.integer(value) for value in values])
    pairs = list(zip(values, coefficients, strict=True))
    if all(isinstance(a, int) for _, a in pairs):
        return e.weighted((a, value) for value, a in pairs)
    return e.sum_of([e.product_of([e.integer(value), e.integer(a)]) for value, a in pairs])


def compared(word: str, one: Value, other: Value) -> BooleanExpression:
    """``one`` and ``other`` in an order, as numbers."""
    left, right = e.integer(one), e.integer(other)
    match word:
        case "lt":
            return e.boolean(left < right)
        case "le":
            return e.boolean(left <= right)
        case "gt":
            return e.boolean(left > right)
        case "ge":
            return e.boolean(left >= right)
        case "eq":
            return e.boolean(left == right)
        case _:
            return e.boolean(left != right)


_ORDERS = ("lt", "le", "ge", "gt")
_RELATIONS = (*_ORDERS, "eq", "ne")


def _due(condition: bool, reason: str) -> None:
    """FormatError with ``reason`` unless ``condition``."""
    if not condition:
        raise FormatError(reason)


def read(text: str, into: Problem | None = None) -> Problem:
    """The problem that ``text`` states; ``into``: one without variables that is to become it.

    FormatError: it is no instance, or states what is not of the core.
    """
    root = tree(text)
    if root.name != "instance" or root.attributes.get("format", "XCSP3") != "XCSP3":
        raise FormatError('an instance begins with <instance format="XCSP3" type="CSP">', root.line)
    reader = InstanceReader(Problem() if into is None else into)
    parts: dict[str, Node] = {}
    for child in root.children:
        if child.name in parts or child.name not in ("variables", "constraints", "objectives", "annotations"):
            raise FormatError(
                f"a {'second ' if child.name in parts else ''}{quote(child.name)} in an instance", child.line
            )
        parts[child.name] = child
    for child in parts["variables"].children if "variables" in parts else ():
        with _placed(child, "variable"):
            reader.declare(child)
    if "constraints" in parts:
        reader.all(parts["constraints"])
    goals = parts["objectives"].children if "objectives" in parts else []
    if len(goals) > 1:
        raise FormatError("a second objective: one is read", goals[1].line)
    for goal in goals:
        with _placed(goal, "objective"):
            reader.goal(goal)
    return reader.problem


class _placed:  # noqa: N801 - a context manager, used as a function
    """Errors within say the line of ``node``, what it is, and its name."""

    def __init__(self, node: Node, what: str, line: int | None = None, name: str = "") -> None:
        self.node, self.what, self.line, self.name = node, what, line or node.line, name

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, FormatError) and error.line is not None:
            return
        if isinstance(error, FormatError | ModelError | UnsupportedError):
            reason = error.reason if isinstance(error, FormatError) else str(error)
            name = self.name or self.node.attributes.get("id", "")
            named = f"{self.what} {quote(name)} ({self.node.name})" if name else f"{self.what} {self.node.name}"
            raise FormatError(f"{named}: {printable(reason, 400)}", self.line) from None


class InstanceReader:
    """The problem so far, and what its names mean."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.variables: dict[str, Expression] = {}
        self.arrays: dict[str, Array] = {}
        self.symbols: dict[str, int] = {}
        self.declared: dict[str, Node] = {}
        self._terms: dict[str, tuple[TermStep, ...]] = {}
        self._words: dict[str, list[str]] = {}
        self.parsed: dict[tuple[Node, int], Any] = {}
        """Tables and transitions that have been read, since groups use them many times; by node, and width."""

    # Variables.

    def declare(self, node: Node) -> None:
        """A ``var``, or an ``array``."""
        name = node.attributes.get("id", "")
        pattern = _VARIABLE if node.name == "var" else _NAME
        _due(pattern.fullmatch(name) is not None, f"{quote(name)} is no name")
        _due(name not in self.declared, "it is declared twice")
        kind = node.attributes.get("type", "integer")
        _due(kind in ("integer", "symbolic"), f"variables of the type {quote(kind)} are not of XCSP3-core")
        _due(node.name in ("var", "array"), "expected var or array")
        self.declared[name] = node
        source = self._alias(node)
        symbolic = kind == "symbolic" or source.attributes.get("type") == "symbolic"
        if node.name == "var":
            domain = self._domain(source.text, symbolic)
            low, high = domain if isinstance(domain, tuple) else (domain, None)
            self.variables[name] = self.problem.integer(name, low, high)
            return
        self._array(name, node, source, symbolic)

    def _alias(self, node: Node) -> Node:
        """The node that has the domain of ``node``: itself, or the one that it is declared ``as``."""
        seen = set()
        while (other := node.attributes.get("as")) is not None:
            _due(other in self.declared and other not in seen, f"as {quote(other)}, which is not declared before it")
            seen.add(other)
            node = self.declared[other]
        return node

    def _domain(self, text: str, symbolic: bool) -> tuple[int, int] | npt.NDArray[np.int64]:
        found = text.split()
        _due(bool(found), "an empty domain")
        if symbolic:
            for word in found:
                _due(not _INTEGER.fullmatch(word), f"{quote(word)} is no symbol")
                self.symbols.setdefault(word, len(self.symbols))
            return np.array([self.symbols[word] for word in found])
        pairs = [bounds(word) for word in found]
        _due(all(abs(end) <= LARGEST for pair in pairs for end in pair), f"a value too large: the limit is {LARGEST}")
        if len(pairs) == 1:
            return pairs[0]
        _due(sum(high - low + 1 for low, high in pairs) <= MOST, f"a domain with gaps has {MOST:,} values at most")
        return np.concatenate([np.arange(low, high + 1) for low, high in pairs])

    def _array(self, name: str, node: Node, source: Node, symbolic: bool) -> None:
        size = node.attributes.get("size", source.attributes.get("size", ""))
        lengths = [length.strip() for length in _BRACKET.findall(size)]
        proper = bool(lengths) and all(length.isdigit() and len(length) < 9 and int(length) for length in lengths)
        _due(proper, f"{quote(size)} is no size such as [3][4]")
        shape = tuple(map(int, lengths))
        count = 1
        for length in shape:
            count *= length
        _due(count <= MOST, f"an array of {count:,} variables: {MOST:,} at most")
        start = node.attributes.get("startIndex", "0")
        _due(set(start) <= set("0 []"), f"indices from {start}: they begin at 0 in XCSP3-core")
        domains = np.full(shape, None, dtype=object)
        parts = list(source.all("domain"))
        others: Any = None if parts else self._domain(source.text, symbolic)
        wanted = Array(source.attributes["id"], np.arange(count).reshape(shape))
        for part in parts:
            with _placed(part, "domain", part.line, name):
                domain = self._domain(self._alias(part).text, symbolic)
                where = part.attributes.get("for", "").split()
                _due(bool(where), 'for which entries? for="others" is for all that have none')
                if where == ["others"]:
                    others = domain
                    continue
                for word in where:
                    array, _, _ = word.partition("[")
                    _due(array == wanted.name, f"{quote(word)} is no entry of {wanted.name}")
                    for place in wanted.chosen(word, word[len(array) :]).reshape(-1).tolist():
                        _due(domains.reshape(-1)[place] is None, f"{quote(word)} has two domains")
                        domains.reshape(-1)[place] = domain
        flat = domains.reshape(-1)
        for place in range(count):
            if flat[place] is None:
                flat[place] = others
        if others is not None or not any(domain is None for domain in flat):
            self.arrays[name] = Array(name, self.problem.integers_by_domain(name, domains, "[]").view(np.ndarray))
            return
        cells = np.full(shape, None, dtype=object)
        for index in np.ndindex(shape):  # without all of them it is no array: those that are there stand alone
            if (domain := domains[index]) is not None:
                low, high = domain if isinstance(domain, tuple) else (domain, None)
                cells[index] = self.problem.integer(name + "".join(f"[{i}]" for i in index), low, high)
        self.arrays[name] = Array(name, cells)

    # Values: what a word, a list, a term, a condition stand for.

    def items(self, word: str, args: Arguments) -> list[Value]:
        """What a word of a list stands for: one value, or those of part of an array, or arguments."""
        if _INTEGER.fullmatch(word):
            return [_number(word)]
        if word == "%...":
            return list(args.values[args.rest :])
        if (repeated := _REPEATED.fullmatch(word)) is not None:
            return [_number(repeated[1])] * int(repeated[2])
        name, bracket, _ = word.partition("[")
        if bracket and name in self.arrays:
            found = self.arrays[name].chosen(word, word[len(name) :]).reshape(-1).tolist()
            _due(all(cell is not None for cell in found), f"{quote(word)} has entries without a domain")
            return list(found)
        return [self.value(word, args)]

    def value(self, word: str, args: Arguments) -> Value:
        """The one value that a word stands for: a number, a variable, an argument, a symbol, a set, a term."""
        if _INTEGER.fullmatch(word):
            return _number(word)
        if (parameter := _PARAMETER.fullmatch(word)) is not None:
            return args.named(int(parameter[1]))
        if word in self.variables:
            return self.variables[word]
        if _INTERVAL.fullmatch(word):
            low, high = bounds(word)
            return range(low, high + 1)
        if word.startswith("{") and word.endswith("}"):
            inner = [part for part in word[1:-1].replace(",", " ").split() if part]
            return [value for part in inner for value in self.items(part, args)]
        if "(" in word:
            return self.term(word, args)
        name, bracket, _ = word.partition("[")
        if bracket and name in self.arrays:
            found = self.items(word, args)
            _due(len(found) == 1, f"{quote(word)} is {len(found)} variables, where one is due")
            return found[0]
        if word in self.symbols:
            return self.symbols[word]
        raise FormatError(f"{quote(word)} is not declared")

    def sequence(self, text: str, args: Arguments) -> list[Value]:
        """The values of a list."""
        if text not in self._words:
            self._words[text] = words(text)
        found: list[Value] = []
        for word in self._words[text]:
            found += self.items(word, args)
            _due(len(found) <= MOST, f"a list of over {MOST:,} entries")
        return found

    def numbers(self, text: str, args: Arguments) -> list[Value]:
        """The values of a list of numbers, variables and terms."""
        found = self.sequence(text, args)
        wrong = next((value for value in found if not isinstance(value, int | Expression)), None)
        _due(wrong is None, f"{wrong} in a list of numbers and variables")
        return found

    def rows(self, text: str, args: Arguments) -> list[list[Value]]:
        """A matrix: its tuples, or a part of an array, whose first and last axes that are not one index count."""
        text = text.strip()
        if text.startswith("("):
            return [[value for word in row for value in self.items(word, args)] for row in tuples(text)]
        name, bracket, _ = text.partition("[")
        _due(bool(bracket) and name in self.arrays, f"{quote(text)} is no matrix such as x[][] or (a,b)(c,d)")
        cells = self.arrays[name].chosen(text, text[len(name) :])
        _due(cells.ndim == 2, f"{quote(text)} has {cells.ndim} axes, a matrix has 2")
        found = cells.tolist()
        _due(all(cell is not None for row in found for cell in row), f"{quote(text)} has entries without a domain")
        return list(found)

    def term(self, text: str, args: Arguments) -> Value:
        """What a term such as ``eq(add(x,%0),3)`` stands for."""
        if text not in self._terms:
            self._terms[text] = postfix(text)
        stack: list[Value] = []
        for word, arity in self._terms[text]:
            if arity < 0:
                stack.append(self.value(word, args))
                continue
            operator = _OPERATORS.get(word)
            if operator is None:
                raise FormatError(f"there is no operator {quote(word)} in XCSP3-core")
            _due(
                operator.least <= arity <= operator.most,
                f"{word} of {arity} operands: it takes "
                + (f"{operator.least} at least" if operator.most > 3 else f"{operator.least}"),
            )
            operands = stack[len(stack) - arity :] if arity else []
            del stack[len(stack) - arity :]
            stack.append(operator.apply(self, operands))
        _due(len(stack) == 1, f"{quote(text)} is no single term")
        return stack[0]

    def truth(self, value: Value) -> BooleanExpression:
        """``value``, which is true or false, or a variable or number that is 0 or 1."""
        if isinstance(value, BooleanExpression):
            return value
        if isinstance(value, int) and value in (0, 1):
            return e.boolean(value == 1)
        if isinstance(value, Expression) and self._is_bit(value):
            return e.boolean(value == 1)
        raise FormatError(f"{value} is used as true or false, and has other values than 0 and 1")

    def _is_bit(self, value: Expression) -> bool:
        if value.op == "constant":
            return value.data in (0, 1)
        if value.op in ("product", "min", "max"):
            return all(isinstance(child, Expression) and self._is_bit(child) for child in value.children)
        if value.op == "choice":
            return all(self._is_bit(child) for child in value.children[1:])
        if value.op == "sum" and value.data[1] == 0 and value.data[0] == (1,):
            return self._is_bit(value.children[0])
        if value.op != "variable":
            return value.op == "indicator"
        domain = self.problem.domains[value.data[0]]
        return int(domain[0]) >= 0 and int(domain[-1]) <= 1

    def equal(self, one: Value, other: Value, word: str = "eq") -> BooleanExpression:
        """``one`` is ``other``, as truth values where one of them is a constraint; ``word`` "ne": it is not.

        That two numbers differ is no negation: where one has no value, they neither are equal nor differ.
        """
        for left, right in ((one, other), (other, one)):
            if isinstance(left, BooleanExpression):
                if isinstance(right, BooleanExpression) or (isinstance(right, Expression) and self._is_bit(right)):
                    same = e.boolean(left == self.truth(right))
                elif isinstance(right, int):
                    same = left if right == 1 else ~left if right == 0 else e.boolean(False)
                else:
                    break
                return same if word == "eq" else ~same
        return compared(word, one, other)

    def values_of(self, listed: Iterable[Value]) -> list[int]:
        """All values of some variables, in order."""
        found: set[int] = set()
        for value in listed:
            if isinstance(value, int):
                found.add(value)
                continue
            _due(value.op == "variable", f"{value} is no variable")
            domain = self.problem.domains[value.data[0]]
            span = range(domain[0], domain[1] + 1) if isinstance(domain, tuple) else domain.tolist()
            _due(len(span) <= 10_000, f"{value} has over 10,000 values")
            found.update(span)
        return sorted(found)

    def condition(self, text: str, args: Arguments) -> Callable[[Value], BooleanExpression]:
        """The constraint that a condition such as ``(le,5)`` or ``(in,2..5)`` makes of a number."""
        word, operand = _condition(text)
        value = self.value(operand, args)
        if word in ("in", "notin"):
            values = value if isinstance(value, list) else [value]
            _due(not isinstance(value, Expression), f"{word} takes an interval or a set, not {operand}")
            return lambda number: member(number, values) if word == "in" else no_member(number, values)
        _due(word in _RELATIONS, f"{quote(word)} is none of {', '.join((*_RELATIONS, 'in', 'notin'))}")
        _due(isinstance(value, int | Expression), f"{word} takes a number or a variable, not {operand}")
        return lambda number: compared(word, number, value)

    # Constraints.

    def all(self, node: Node) -> None:
        """All constraints in ``node``."""
        for child in node.children:
            if child.name == "block":
                self.all(child)
            elif child.name == "group":
                self._group(child)
            elif child.name == "slide":
                self._slide(child)
            else:
                self.one(child)

    def one(self, node: Node, args: Arguments = Arguments(), line: int | None = None, name: str = "") -> None:
        """Require one constraint."""
        name = name or node.attributes.get("id", "")
        with _placed(node, "constraint", line, name):
            state = _CONSTRAINTS.get(node.name)
            if state is None:
                raise FormatError("this constraint is not of XCSP3-core" + _NOT_READ.get(node.name, ""))
            for attribute in ("hreifiedFrom", "hreifiedTo"):
                _due(attribute not in node.attributes, f"{attribute} is not read, as it is not of XCSP3-core")
            made = state(self, node, args)
            if "reifiedBy" in node.attributes:
                by = self.truth(self.value(node.attributes["reifiedBy"].strip(), args))
                made = [e.boolean(by == e.all_of(made))]
            where = name or f"line {line or node.line}"
            for number, constraint in enumerate(made):
                place = f"{where}[{number}]" if name and len(made) > 1 else where
                self.problem.add(constraint, name=place if name else f"{place}: {constraint}")

    def _group(self, node: Node) -> None:
        templates = [child for child in node.children if child.name != "args"]
        if len(templates) != 1 or templates[0].name in ("block", "group", "slide"):
            raise FormatError("a group has one constraint, and args", node.line)
        [template] = templates
        rest = self._rest(template)
        group = node.attributes.get("id", template.attributes.get("id", ""))
        for number, args in enumerate(node.all("args")):
            name = f"{group}[{number}]" if group else ""
            with _placed(template, "constraint", args.line, name):
                values = self.sequence(args.text, Arguments())
            self.one(template, Arguments(tuple(values), rest), args.line, name)

    def _rest(self, template: Node) -> int:
        """The number of the first argument that ``%...`` stands for: those before it have numbers of their own."""
        texts = [template.text, *(child.text for child in template.children)]
        used = [int(number) for text in texts for number in _PARAMETER.findall(text)]
        return max(used, default=-1) + 1

    def _slide(self, node: Node) -> None:
        lists = list(node.all("list"))
        templates = [child for child in node.children if child.name != "list"]
        if not lists or len(templates) != 1 or templates[0].name in ("block", "group", "slide"):
            raise FormatError("a slide has lists, and one constraint", node.line)
        [template] = templates
        with _placed(node, "constraint"):
            values = [self.sequence(one.text, Arguments()) for one in lists]
            offsets = [_natural(one, "offset", 1) for one in lists]
            collects = [_natural(one, "collect", 1) for one in lists]
            if len(lists) == 1:
                collects = [self._rest(template)]
            _due(min(*collects, *offsets, 1) >= 1 and all(values), "an empty list, offset or window")
            circular = node.attributes.get("circular", "false").strip() == "true"
        group = node.attributes.get("id", template.attributes.get("id", ""))
        number = 0
        while circular or all(
            number * offset + collect <= len(some)
            for some, offset, collect in zip(values, offsets, collects, strict=True)
        ):
            window = [
                some[(number * offset + i) % len(some)]
                for some, offset, collect in zip(values, offsets, collects, strict=True)
                for i in range(collect)
            ]
            self.one(template, Arguments(tuple(window)), node.line, f"{group}[{number}]" if group else "")
            number += 1
            if number * offsets[0] >= len(values[0]):
                break

    # The objective.

    def goal(self, node: Node) -> None:
        """The objective: a term, or the sum, product, least, greatest or number of different values of a list."""
        _due(node.name in ("minimize", "maximize"), "an objective is minimize or maximize")
        kind = node.attributes.get("type", "expression").strip()
        if kind == "expression":
            found = self.value("".join(_own(node, "function", "expression").split()), Arguments())
            value = e.integer(found)
        else:
            listed = self.numbers(_own(node, "list"), Arguments())
            weights = self.numbers(_text(node, "coeffs"), Arguments()) if node.first("coeffs") is not None else None
            if weights is not None:
                _due(len(weights) == len(listed), f"{len(listed)} terms and {len(weights)} coefficients")
            terms = listed if weights is None else [linear([x], [a]) for x, a in zip(listed, weights, strict=True)]
            match kind:
                case "sum":
                    value = linear(listed, weights)
                case "product":
                    value = e.product_of([e.integer(term) for term in terms])
                case "minimum":
                    value = e.minimum(terms)
                case "maximum":
                    value = e.maximum(terms)
                case "nValues":
                    value = e.n_values(terms)
                case _:
                    raise FormatError(f"an objective of the type {quote(kind)} is not of XCSP3-core")
        (self.problem.minimize if node.name == "minimize" else self.problem.maximize)(value)


# Operators of terms.


class TermOperator(NamedTuple):
    """An operator of ``least`` to ``most`` operands."""

    least: int
    most: int
    apply: Callable[[InstanceReader, list[Value]], Value]


_ANY = 10**9


def _chain(word: str) -> TermOperator:
    return TermOperator(
        2, _ANY, lambda reader, values: e.all_of([compared(word, one, other) for one, other in pairwise(values)])
        if len(values) > 2 else compared(word, *values)
    )  # fmt: skip


def _some_equal(reader: InstanceReader, values: list[Value]) -> Value:
    parts = [reader.equal(one, other) for one, other in pairwise(values)]
    return parts[0] if len(parts) == 1 else e.all_of(parts)


def _unequal(reader: InstanceReader, values: list[Value]) -> Value:
    if len(values) > 2:
        return e.all_different([e.integer(value) for value in values])
    return reader.equal(values[0], values[1], "ne")


def _parity(reader: InstanceReader, values: list[Value]) -> Value:
    odd, *others = [reader.truth(value) for value in values]
    for other in others:
        odd = odd ^ other
    return odd


def _among(
    reader: InstanceReader,
    values: list[Value],
    holds: Callable[[Value, Sequence[Value]], BooleanExpression] = member,
) -> BooleanExpression:
    value, group = values
    _due(isinstance(group, list | range), "in and notin take a set such as set(1,2)")
    return holds(value, group if isinstance(group, list) else [group])


def _if(reader: InstanceReader, values: list[Value]) -> Value:
    condition, then, otherwise = values
    return e.if_then_else(reader.truth(condition), *(
        value if isinstance(value, BooleanExpression) else e.integer(value) for value in (then, otherwise)
    ))  # fmt: skip


def _on_numbers(least: int, most: int, function: Callable[..., Value]) -> TermOperator:
    def apply(reader: InstanceReader, values: list[Value]) -> Value:
        wrong = next((value for value in values if not isinstance(value, int | Expression)), None)
        _due(wrong is None, f"{wrong} is no number")
        return function(*(e.integer(value) for value in values))

    return TermOperator(least, most, apply)


def _on_truths(least: int, most: int, function: Callable[..., Value]) -> TermOperator:
    return TermOperator(least, most, lambda reader, values: function(*(reader.truth(value) for value in values)))


_OPERATORS: dict[str, TermOperator] = {
    "neg": _on_numbers(1, 1, lambda x: -x),
    "abs": _on_numbers(1, 1, abs),
    "sqr": _on_numbers(1, 1, lambda x: x * x),
    "add": _on_numbers(1, _ANY, lambda *xs: e.sum_of(list(xs))),
    "sub": _on_numbers(2, 2, lambda x, y: x - y),
    "mul": _on_numbers(1, _ANY, lambda *xs: e.product_of(list(xs))),
    "div": _on_numbers(2, 2, e.quotient),
    "mod": _on_numbers(2, 2, e.remainder),
    "pow": _on_numbers(2, 2, lambda x, y: x**y),
    "dist": _on_numbers(2, 2, lambda x, y: abs(x - y)),
    "min": _on_numbers(1, _ANY, lambda *xs: e.minimum(list(xs))),
    "max": _on_numbers(1, _ANY, lambda *xs: e.maximum(list(xs))),
    "lt": _chain("lt"),
    "le": _chain("le"),
    "ge": _chain("ge"),
    "gt": _chain("gt"),
    "eq": TermOperator(2, _ANY, _some_equal),
    "ne": TermOperator(2, _ANY, _unequal),
    "set": TermOperator(0, _ANY, lambda reader, values: list(values)),
    "in": TermOperator(2, 2, _among),
    "notin": TermOperator(2, 2, lambda reader, values: _among(reader, values, no_member)),
    "not": _on_truths(1, 1, lambda x: ~x),
    "and": _on_truths(1, _ANY, lambda *xs: e.all_of(list(xs))),
    "or": _on_truths(1, _ANY, lambda *xs: e.any_of(list(xs))),
    "xor": TermOperator(1, _ANY, _parity),
    "iff": _on_truths(2, _ANY, lambda *xs: e.all_of([one == other for one, other in pairwise(xs)])),
    "imp": _on_truths(2, 2, lambda x, y: x.implies(y)),
    "if": TermOperator(3, 3, _if),
}
"""Those of XCSP3-core; ``div`` and ``mod`` round as C does; ``ne`` and the orders take several, as in the checker."""


# Constraints: each from its element to what must hold.


Stated: TypeAlias = list[BooleanExpression]


def _text(node: Node, name: str) -> str:
    """The text of the one child of that name."""
    found = list(node.all(name))
    if len(found) != 1:
        raise FormatError(f"it has {len(found)} of {quote(name)}, one is due")
    return found[0].text


def _own(node: Node, *names: str) -> str:
    """The text of the one child of one of the names, or of ``node`` itself if it has no children."""
    if not node.children:
        return node.text
    return _text(node, next((name for name in names if node.first(name) is not None), names[0]))


def _condition(text: str) -> tuple[str, str]:
    """The relation and the operand of a condition such as ``(le,add(x,5))``."""
    inner = text.strip()
    word, comma, operand = inner[1:-1].partition(",")
    due = bool(comma) and inner.startswith("(") and inner.endswith(")")
    _due(due, f"{quote(inner)} is no condition such as (le,5)")
    return word.strip(), "".join(operand.split())


def _natural(node: Node, attribute: str, default: int) -> int:
    text = node.attributes.get(attribute, str(default)).strip()
    _due(text.isdigit() and len(text) < 10, f"{attribute} is {quote(text)}, which is no number from 0 on")
    return int(text)


def _whole(node: Node, attribute: str) -> int:
    text = node.attributes.get(attribute, "0").strip()
    _due(_INTEGER.fullmatch(text) is not None, f"{attribute} is {quote(text)}, which is no number")
    return int(text)


def _flag(node: Node, attribute: str, default: bool) -> bool:
    text = node.attributes.get(attribute, str(default)).strip().lower()
    _due(text in ("true", "false"), f"{attribute} is {quote(text)}, which is neither true nor false")
    return text == "true"


def _list_of(reader: InstanceReader, node: Node, args: Arguments, name: str = "list", least: int = 1) -> list[Value]:
    found = reader.numbers(_own(node, name) if name == "list" else _text(node, name), args)
    _due(len(found) >= least, f"its {name} has {len(found)} entries, {least} at least are due")
    return found


def _child(node: Node, name: str) -> Node:
    return next((child for child in node.children if child.name == name), node)


def _same_length(**columns: Sequence[Any]) -> None:
    if len({len(column) for column in columns.values()}) > 1:
        raise FormatError(", ".join(f"{len(column)} {name}" for name, column in columns.items()))


def _integers(reader: InstanceReader, text: str, args: Arguments) -> list[int]:
    found = reader.sequence(text, args)
    _due(all(isinstance(value, int) for value in found), "a list of numbers has something else in it")
    return found


def _constants(reader: InstanceReader, node: Node, name: str, args: Arguments) -> list[int]:
    return _integers(reader, _text(node, name), args)


def _intension(reader: InstanceReader, node: Node, args: Arguments) -> Stated:
    return [reader.truth(reader.value("".join(_own(node, "function").split()), args))]


_PLAIN_ROWS = re.compile(r"[-+\d,()\s]*")


def _extension(reader: InstanceReader, node: Node, args: Arguments) -> Stated:
    _due(not node.attributes.get("type", "").startswith("hybrid"), "hybrid tables are not of XCSP3-core")
    scope = _list_of(reader, node, args)
    allowed = node.first("supports")
    given = allowed if allowed is not None else node.first("conflicts")
    if given is None:
        raise FormatError("it has neither supports nor conflicts")
    text = given.text.strip()
    if len(scope) == 1 and not text.startswith("("):
        found = member(scope[0], reader.sequence(text, args))
    else:
        if (given, len(scope)) not in reader.parsed:
            rows = _table(reader, text, len(scope))
            reader.parsed[given, len(scope)] = np.unique(rows, axis=0) if len(rows) else rows
        numbers = tuple(e.integer(value) for value in scope)
        found = BooleanExpression("table", numbers, reader.parsed[given, len(scope)])
    return [found if allowed is not None else _refused(found, map(e.integer, scope))]


def _table(reader: InstanceReader, text: str, width: int) -> npt.NDArray[np.int64]:
    """The rows of a table; ``*`` is ``STAR``."""
    if _PLAIN_ROWS.fullmatch(text):
        flat = "".join(text.split())
        rows = flat.count("(")
        even = rows == flat.count(")(") + 1 if rows else not flat
        if not even or flat.count(",") != rows * (width - 1) or (rows and (flat[0] != "(" or flat[-1] != ")")):
            _ragged(text, width)
        try:
            entries = np.array(flat[1:-1].replace(")(", ",").split(",") if rows else [], dtype=np.int64)
        except (ValueError, OverflowError):
            raise FormatError("a value in a tuple is no number of at most 18 digits") from None
        _due(not len(entries) or -LARGEST <= entries.min() <= entries.max() <= LARGEST, "a value too large in a tuple")
        if rows and any(part.count(",") != width - 1 for part in flat[1:-1].split(")(")):
            _ragged(text, width)
        return entries.reshape(rows, width)
    found = tuples(text)
    made = np.empty((len(found), width), dtype=np.int64)
    for row, values in zip(made, found, strict=True):
        if len(values) != width:
            raise FormatError(f"the tuple ({','.join(values)[:40]}) for a list of {width}")
        for column, word in enumerate(values):
            if word != "*" and not _INTEGER.fullmatch(word) and word not in reader.symbols:
                raise FormatError(f"{quote(word)} in a tuple is no number, no * and no symbol")
            row[column] = STAR if word == "*" else reader.symbols[word] if word in reader.symbols else _number(word)
    return made


def _ragged(text: str, width: int) -> None:
    odd = next((values for values in tuples(text) if len(values) != width), None)
    raise FormatError(f"the tuple ({','.join(odd)[:40]}) for a list of {width}" if odd else "these are no tuples")


def _arcs(reader: InstanceReader, node: Node) -> list[tuple[str, int, str]]:
    if (node, 0) in reader.parsed:
        return cast("list[tuple[str, int, str]]", reader.parsed[node, 0])
    found: list[tuple[str, int, str]] = []
    reader.parsed[node, 0] = found
    for arc in tuples(_text(node, "transitions")):
        if len(arc) != 3:
            raise FormatError(f"({','.join(arc)[:40]}) is no transition such as (a,0,b)")
        labels = reader.sequence(arc[1].strip("{}").replace(",", " "), Arguments())
        for label in labels:
            values = label if isinstance(label, range) else [label]
            _due(all(isinstance(value, int) for value in values) and len(values) <= MOST, f"{arc[1]} is no value")
            found += [(arc[0], value, arc[2]) for value in values]
    return found


def _regular(reader: InstanceReader, node: Node, args: Arguments) -> Stated:
    start, final = _text(node, "start").split(), _text(node, "final").split()
    _due(len(start) == 1, "an automaton has one state to start in")
    return [e.regular(_list_of(reader, node, args), _arcs(reader, node), start[0], final)]


def _mdd(reader: InstanceReader, node: Node, args: Arguments) -> Stated:
    """From the state of the first transition on; where it ends after as many steps does not matter."""
    scope, arcs = _list_of(reader, node, args), _arcs(reader, node)
    if not arcs:
        return [e.boolean(False)]
    return [e.regular(scope, arcs, arcs[0][0], {arc[2] for arc in arcs})]


def _all_different(reader: InstanceReader, node: Node, args: Arguments) -> Stated:
    lists, excepted = list(node.all("list")), node.first("except")
    if len(lists) > 1:
        vectors = [reader.numbers(one.text, args) for one in lists]
        _same_length(**{f"in list {number}": vector for number, vector in enumerate(vectors, 1)})
        none = _vectors(reader, excepted.text, len(vectors[0])) if excepted is not None else []
        return [_vectors_differ(one, other, none) for one, other in combinations(vectors, 2)]
    values = _integers(reader, excepted.text, args) if excepted is not None else []
    matrix = node.first("matrix")
    if matrix is None:
        return [_differ(_list_of(reader, node, args), values)]
    rows = reader.rows(matrix.text, args)
    _same_length(**{f"in row {number}": row for number, row in enumerate(rows, 1)})
    return [_differ(list(line), values) for line in (*rows, *zip(*rows, strict=True))]


def _differ(listed: list[Value], excepted: Sequence[int]) -> BooleanExpression:
    numbers = [e.integer(value) for value in listed]
    if not excepted:
        return e.all_different(numbers)
    return e.all_of([(one != other) | member(one, excepted) for one, other in combinations(numbers, 2)])


def _vectors(reader: InstanceReader, text: str, width: int) -> list[list[int]]:
    return [list(map(int, row)) for row in _table(reader, text.strip(), width).tolist()]


def _vectors_differ(one: list[Value], other: list[Value], excepted: list[list[int]]) -> BooleanExpression:
    ways: list[Any] = [compared("ne", x, y) for x, y in zip(one, other, strict=True)]
    for vector in excepted:
        ways += [e.all_of([compared("eq", x, a) for x, a in zip(side, vector, strict=True)]) for side in (one, other)]
    return e.any_of(ways)


def _all_equal(reader: InstanceReader, node: Node, args: Arguments) -> Stated:
    _due(node.first("except") is None, "except is not read, as it is not of XCSP3-core")
    lists = [reader.numbers(one.text, args) for one in node.all("list")] or [_list_of(reader, node, args)]
    if len(lists) == 1:
        return [e.all_of([reader.equal(one, other) for one, other in pairwise(lists[0])])]
    _same_length(**{f"in list {number}": one for number, one in enumerate(lists, 1)})
    return [e.all_of([compared("eq", x, y) for x, y in zip(one, other, strict=True)]) for one, other in pairwise(lists)]


def _order(node: Node) -> str:
    word = _text(node, "operator").strip() if node.first("operator") is not None else node.attributes.get("case", "")
    strict = {"strictlyIncreasing": "lt", "increasing": "le", "decreasing": "ge", "strictlyDecreasing": "gt"}
    word = strict.get(word, word)
    _due(word in _ORDERS, f"its operator {quote(word)} is none of {', '.join(_ORDERS)}")
    return word


def _ordered(reader: InstanceReader, node: Node, args: Arguments) -> Stated:
    listed, word = _list_of(reader, node, args), _order(node)
    lengths: list[Value] = [0] * (len(listed) - 1)
    if node.first("lengths") is not None:
        lengths = reader.numbers(_text(node, "lengths"), args)
        _due(len(lengths) in (len(listed) - 1, len(listed)), f"{len(listed)} entries and {len(lengths)} lengths")
    return [
        compared(word, e.integer(one) + e.integer(length), other)
        for (one, other), length in zip(pairwise(listed), lengths, strict=False)
    ]


def _lex(reader: InstanceReader, node: Node, args: Arguments) -> Stated:
    word = _order(node)
    matrix = node.first("matrix")
    if matrix is not None:
        rows = reader.rows(matrix.text, args)
        _same_length(**{f"in row {number}": row for number, row in enumerate(rows, 1)})
        chains = [rows, [list(column) for column in zip(*rows, strict=True)]]
    else:
        chains = [[reader.numbers(one.text, args) for one in node.all("list")]]
        _due(len(chains[0]) > 1, "it has fewer than two lists")
        _same_length(**{f"in list {number}": one for number, one in enumerate(chains[0], 1)})
    found = []
    for chain in chains:
        for one, other in pairwise(chain):
            first, second = (other, one) if word in ("ge", "gt") else (one, other)
            found.append((e.lex_less if word in ("lt", "gt") else e.lex_lesseq)(first, second))
    return found


def _sum(reader: InstanceReader, node: Node, args: Arguments) -> Stated:
    listed = _list_of(reader, node, args)
    weights = reader.numbers(_text(node, "coeffs"), args) if node.first("coeffs") is not None else None
    if weights is not None:
        _same_length(terms=listed, coefficients=weights)
    return [reader.condition(_text(node, "condition"), args)(linear(listed, weights))]


def _count(reader: InstanceReader, node: Node, args: Arguments) -> Stated:
    listed = _list_of(reader, node, args)
    values = reader.sequence(_text(node, "values"), args)
    number = e.sum_of([_is_one_of(reader, value, values) for value in listed])
    return [reader.condition(_text(node, "condition"), args)(number)]


def _is_one_of(reader: InstanceReader, value: Value, values: Sequence[Value]) -> BooleanExpression:
    if len(values) == 1 and not isinstance(values[0], range):
        return reader.equal(value, values[0])
    return member(value, values)


def _n_values(reader: InstanceReader, node: Node, args: Arguments) -> Stated:
    listed = _list_of(reader, node, args)
    number = e.n_values(listed)
    if node.first("except") is not None:
        excepted = sorted(set(_constants(reader, node, "except", args)))
        number -= e.sum_of([e.any_of([compared("eq", x, value) for x in listed]) for value in excepted])
    return [reader.condition(_text(node, "condition"), args)(number)]


def _cardinality(reader: InstanceReader, node: Node, args: Arguments) -> Stated:
    listed = _list_of(reader, node, args)
    values = reader.numbers(_text(node, "values"), args)
    occurs = reader.sequence(_text(node, "occurs"), args)
    _same_length(values=values, occurs=occurs)
    found = []
    for value, many in zip(values, occurs, strict=True):
        number = e.sum_of([reader.equal(one, value) for one in listed])
        found.append(member(number, [many]) if isinstance(many, range) else compared("eq", number, many))
    if _flag(_child(node, "values"), "closed", _flag(node, "closed", False)):
        found += [member(one, values) for one in listed]
    return found


def _extreme(greatest: bool, argument: bool = False) -> Callable[[InstanceReader, Node, Arguments], Stated]:
    def state(reader: InstanceReader, node: Node, args: Arguments) -> Stated:
        listed = _list_of(reader, node, args)
        extreme = (e.maximum if greatest else e.minimum)(listed)
        index, condition = node.first("index"), node.first("condition")
        found: Stated = []
        if argument:
            _due(condition is not None and index is None, "it has a condition and no index")
        if index is not None or argument:
            start = _whole(_child(node, "list"), "startIndex")
            if index is not None:
                number = reader.value(index.text.strip(), args)
                holds: Callable[[Value], BooleanExpression] = lambda place: compared("eq", place, number)  # noqa: E731
                rank = index.attributes.get("rank", "any")
            else:
                holds = reader.condition(_text(node, "condition"), args)
                rank = node.attributes.get("rank", "any")
            found.append(_ranked([compared("eq", one, extreme) for one in listed], rank, start, holds))
        if condition is not None and not argument:
            found.append(reader.condition(condition.text, args)(extreme))
        _due(bool(found), "it has neither a condition nor an index")
        return found

    return state


def _ranked(
    there: list[BooleanExpression], rank: str, start: int, holds: Callable[[Value], BooleanExpression]
) -> BooleanExpression:
    """At the first, the last or any place of those that are ``there``, the place ``holds``."""
    _due(rank in ("any", "first", "last"), f"rank is {quote(rank)}, which is none of any, first, last")
    ways = []
    for place, one in enumerate(there):
        others = {"any": [], "first": there[:place], "last": there[place + 1 :]}[rank]
        ways.append(e.all_of([one, holds(place + start), *(~other for other in others)]))
    return e.any_of(ways)


def _element(reader: InstanceReader, node: Node, args: Arguments) -> Stated:
    if node.first("value") is not None:
        number = reader.value("".join(_text(node, "value").split()), args)
        _due(isinstance(number, int | Expression), "its value is no number")

        holds: Callable[[Value], BooleanExpression] = partial(reader.equal, number)
    else:
        holds = reader.condition(_text(node, "condition"), args)
    matrix, index = node.first("matrix"), node.first("index")
    if matrix is not None:
        rows = reader.rows(matrix.text, args)
        _same_length(**{f"in row {number}": row for number, row in enumerate(rows, 1)})
        places = reader.numbers(_text(node, "index"), args)
        _due(len(places) == 2, f"{len(places)} indices of a matrix")
        starts = [_whole(matrix, "startRowIndex"), _whole(matrix, "startColIndex")]
        indices = [e.integer(place) - start for place, start in zip(places, starts, strict=True)]
        return [holds(e.element(rows, *indices))]
    listed = _list_of(reader, node, args)
    if index is None:
        return [e.any_of([holds(one) for one in listed])]
    place = e.integer(reader.value("".join(index.text.split()), args)) - _whole(_child(node, "list"), "startIndex")
    rank = index.attributes.get("rank", "any")
    if rank != "any":
        there = [holds(one) for one in listed]
        return [_ranked(there, rank, 0, lambda number: compared("eq", place, number))]
    return [holds(e.element(listed, place))]


def _channel(reader: InstanceReader, node: Node, args: Arguments) -> Stated:
    lists = list(node.all("list"))
    if not lists:
        one = other = _list_of(reader, node, args)
        starts = [0, 0]
    else:
        _due(len(lists) <= 2, f"it has {len(lists)} lists")
        one, other = (reader.numbers(lists[side].text, args) for side in (0, -1))
        starts = [_whole(lists[side], "startIndex") for side in (0, -1)]
    if node.first("value") is not None:
        place = e.integer(reader.value(_text(node, "value").strip(), args)) - starts[0]
        chosen = [reader.equal(value, 1) for value in one]
        return [
            compared("eq", e.sum_of(chosen), 1),
            e.any_of([bit & (place == number) for number, bit in enumerate(chosen)]),
        ]
    left = [e.integer(value) - starts[1] for value in one]
    if len(one) == len(other):
        return [e.inverse(left, [e.integer(value) - starts[0] for value in other])]
    return [e.boolean(e.element(other, place) == number + starts[0]) for number, place in enumerate(left)]


def _no_overlap(reader: InstanceReader, node: Node, args: Arguments) -> Stated:
    ignored = _flag(node, "zeroIgnored", True)
    if not _text(node, "lengths").strip().startswith("("):
        origins, lengths = (_list_of(reader, node, args, name) for name in ("origins", "lengths"))
        _same_length(origins=origins, lengths=lengths)
        if ignored:
            return [e.disjunctive(origins, lengths)]
        corners, sides = [[one] for one in origins], [[one] for one in lengths]
    else:
        corners, sides = (reader.rows(_text(node, name), args) for name in ("origins", "lengths"))
        _same_length(origins=corners, lengths=sides)
        _due(len({len(row) for row in (*corners, *sides)}) == 1, "its tuples have several lengths")
    boxes = list(zip(corners, sides, strict=True))
    found = []
    for (one, first), (other, second) in combinations(boxes, 2):
        ways = []
        for x, dx, y, dy in zip(one, first, other, second, strict=True):
            x, dx, y, dy = (e.integer(value) for value in (x, dx, y, dy))
            ways += [x + dx <= y, y + dy <= x]
            if ignored:
                ways += [side == 0 for side in (dx, dy) if side.op != "constant" or side.data == 0]
        found.append(e.any_of(ways))
    return found


def _cumulative(reader: InstanceReader, node: Node, args: Arguments) -> Stated:
    origins, lengths, heights = (_list_of(reader, node, args, name) for name in ("origins", "lengths", "heights"))
    _same_length(origins=origins, lengths=lengths, heights=heights)
    _due(node.first("machines") is None, "machines are not of XCSP3-core")
    text = _text(node, "condition").strip()
    word, operand = _condition(text)
    _due(word in ("le", "lt"), f"the condition {text} is not of XCSP3-core, which has (le,..)")
    limit = reader.value(operand, args)
    _due(isinstance(limit, int | Expression), "its condition takes a number or a variable")
    capacity = e.integer(limit) - (word == "lt")
    found = [e.cumulative(origins, lengths, heights, capacity)]
    if node.first("ends") is not None:
        ends = _list_of(reader, node, args, "ends")
        _same_length(origins=origins, ends=ends)
        found += [
            compared("eq", e.integer(start) + e.integer(length), end)
            for start, length, end in zip(origins, lengths, ends, strict=True)
        ]
    return found


def _bin_packing(reader: InstanceReader, node: Node, args: Arguments) -> Stated:
    listed, sizes = _list_of(reader, node, args), reader.numbers(_text(node, "sizes"), args)
    _same_length(items=listed, sizes=sizes)

    def load(which: int) -> IntegerExpression:
        return linear([compared("eq", one, which) for one in listed], sizes)

    for name, word in (("limits", "le"), ("loads", "eq")):
        if node.first(name) is not None:
            bounds_of = reader.numbers(_text(node, name), args)
            return [compared(word, load(number), bound) for number, bound in enumerate(bounds_of)]
    if node.first("conditions") is not None:
        every = tuples(_text(node, "conditions"))
        return [reader.condition(f"({','.join(one)})", args)(load(number)) for number, one in enumerate(every)]
    condition = _text(node, "condition")
    holds = reader.condition(condition, args)
    # A bin that is empty is under no condition; where loads are at most something, it keeps that by itself.
    plain = condition.strip().startswith(("(le,", "(lt,")) and all(isinstance(s, int) and s >= 0 for s in sizes)
    found = []
    for which in reader.values_of(listed):
        unused = e.all_of([compared("ne", one, which) for one in listed])
        found.append(holds(load(which)) if plain else unused | holds(load(which)))
    return found


def _knapsack(reader: InstanceReader, node: Node, args: Arguments) -> Stated:
    listed = _list_of(reader, node, args)
    conditions = list(node.all("condition"))
    if len(conditions) == 1 and node.first("limit") is not None:
        limit = reader.value("".join(_text(node, "limit").split()), args)
        each = reader.numbers(_text(node, "weights"), args)
        profits = reader.numbers(_text(node, "profits"), args)
        _same_length(items=listed, weights=each, profits=profits)
        holds = reader.condition(conditions[0].text, args)
        return [compared("le", linear(listed, each), limit), holds(linear(listed, profits))]
    _due(len(conditions) == 2, f"it has {len(conditions)} conditions, one of the weight and one of the profit")
    found = []
    for name, condition in zip(("weights", "profits"), conditions, strict=True):
        each = reader.numbers(_text(node, name), args)
        _same_length(**{"items": listed, name: each})
        found.append(reader.condition(condition.text, args)(linear(listed, each)))
    return found


def _circuit(reader: InstanceReader, node: Node, args: Arguments) -> Stated:
    start = _whole(_child(node, "list"), "startIndex")
    successors = [e.integer(value) - start for value in _list_of(reader, node, args)]
    found = [e.circuit(successors, loops=True)]
    if node.first("size") is not None:
        size = reader.value("".join(_text(node, "size").split()), args)
        moved = e.sum_of([one != number for number, one in enumerate(successors)])
        found.append(compared("eq", moved, size))
    return found


def _instantiation(reader: InstanceReader, node: Node, args: Arguments) -> Stated:
    listed = _list_of(reader, node, args)
    values: list[Value] = []
    for word in _text(node, "values").split():
        values += [None] if word == "*" else reader.items(word, args)
    _same_length(variables=listed, values=values)
    return [compared("eq", one, value) for one, value in zip(listed, values, strict=True) if value is not None]


def _precedence(reader: InstanceReader, node: Node, args: Arguments) -> Stated:
    listed = _list_of(reader, node, args)
    given = node.first("values")
    values = reader.values_of(listed) if given is None else _integers(reader, given.text, args)
    found = []
    if given is not None and _flag(given, "covered", False) and values:
        found.append(e.any_of([compared("eq", one, values[-1]) for one in listed]))
    for before, after in pairwise(values):
        has = [compared("eq", one, before) for one in listed]
        found += [
            compared("ne", one, after) | e.any_of(has[:place]) if place else compared("ne", one, after)
            for place, one in enumerate(listed)
        ]
    return found


def _flow(reader: InstanceReader, node: Node, args: Arguments) -> Stated:
    listed, balance = _list_of(reader, node, args), reader.numbers(_text(node, "balance"), args)
    arcs = [_integers(reader, " ".join(arc), args) for arc in tuples(_text(node, "arcs"))]
    _same_length(variables=listed, arcs=arcs)
    _due(node.first("capacities") is None, "capacities are not read")
    _due(all(len(arc) == 2 for arc in arcs), "an arc has two nodes")
    first = min(end for arc in arcs for end in arc)
    found = []
    for number, wanted in enumerate(balance, first):
        out = [flow for flow, arc in zip(listed, arcs, strict=True) if arc[0] == number]
        back = [flow for flow, arc in zip(listed, arcs, strict=True) if arc[1] == number]
        found.append(compared("eq", linear(out) - linear(back), wanted))
    if node.first("weights") is not None:
        weights = reader.numbers(_text(node, "weights"), args)
        _same_length(variables=listed, weights=weights)
        found.append(reader.condition(_text(node, "condition"), args)(linear(listed, weights)))
    return found


def _clause(reader: InstanceReader, node: Node, args: Arguments) -> Stated:
    return [e.any_of([reader.truth(value) for value in reader.sequence(_own(node, "list"), args)])]


_CONSTRAINTS: dict[str, Callable[[InstanceReader, Node, Arguments], Stated]] = {
    "intension": _intension,
    "extension": _extension,
    "regular": _regular,
    "mdd": _mdd,
    "allDifferent": _all_different,
    "allEqual": _all_equal,
    "ordered": _ordered,
    "lex": _lex,
    "sum": _sum,
    "count": _count,
    "nValues": _n_values,
    "cardinality": _cardinality,
    "minimum": _extreme(False),
    "maximum": _extreme(True),
    "minimumArg": _extreme(False, True),
    "maximumArg": _extreme(True, True),
    "element": _element,
    "channel": _channel,
    "noOverlap": _no_overlap,
    "cumulative": _cumulative,
    "binPacking": _bin_packing,
    "knapsack": _knapsack,
    "circuit": _circuit,
    "instantiation": _instantiation,
    "precedence": _precedence,
    "flow": _flow,
    "clause": _clause,
}
_NOT_READ = {"stretch": ": state it as regular", "smart": ": state it as extension"}
