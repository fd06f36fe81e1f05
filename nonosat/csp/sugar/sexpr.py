"""S-expressions: text to nested forms that remember their lines. Nothing here recurses: depth costs memory alone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

from nonosat.errors import FormatError
from nonosat.files import printable

_TOKEN = re.compile(r"\n|;[^\n]*|[()]|[^\s();]+")


@dataclass(frozen=True, eq=False, slots=True)
class Symbol:
    """A name, an operator or a number."""

    text: str
    line: int


@dataclass(frozen=True, eq=False, slots=True)
class Form:
    """A list in parentheses; ``line`` is that of the opening one."""

    items: tuple[Expression, ...]
    line: int

    @property
    def head(self) -> str:
        """The operator in front; empty if there is none."""
        first = self.items[0] if self.items else None
        return first.text if isinstance(first, Symbol) else ""


Expression: TypeAlias = Symbol | Form


def parse(text: str) -> list[Expression]:
    r"""The expressions of ``text``; from ``;`` to the end of its line is comment.

    >>> [form] = parse("(< (+ a 1)\n b) ; a is before b")
    >>> form.head, form.line, [item.line for item in form.items]
    ('<', 1, [1, 1, 2])
    """
    line = 1
    inner: list[Expression] = []
    outer: list[tuple[list[Expression], int]] = []  # the lists that are open around it, and the lines they began on
    for match in _TOKEN.finditer(text):
        token = match.group()
        if token == "\n":
            line += 1
        elif token == "(":
            outer.append((inner, line))
            inner = []
        elif token == ")":
            if not outer:
                raise FormatError("a ')' that closes nothing", line)
            form = tuple(inner)
            inner, began = outer.pop()
            inner.append(Form(form, began))
        elif not token.startswith(";"):
            if not token.isprintable():
                raise FormatError(f"a name that cannot be printed: {printable(token, 40)}", line)
            inner.append(Symbol(token, line))
    if outer:
        raise FormatError("this '(' is never closed", outer[-1][1])
    return inner


def shown(expression: Expression) -> str:
    """How messages name ``expression``: a list by its head alone."""
    if isinstance(expression, Symbol):
        return printable(expression.text, 40)
    return f"({printable(expression.head, 40)} ..)"
