"""Words and signs of a language, one after the other, with the line of each: for data of GLPK and MiniZinc."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from nonosat.errors import FormatError
from nonosat.files import printable
from nonosat.puzzles.formats.texts import quote


class Token(NamedTuple):
    """A word or sign, and its line."""

    text: str
    line: int


END = ""
"""The text of what comes behind the last token."""


class Tokens:
    """The tokens of ``text``: what ``pattern`` matches, without blanks and comments.

    ``comment``: what begins a comment that goes to the end of its line. ``/* ... */`` is one in either language.
    """

    def __init__(self, text: str, pattern: str, comment: str) -> None:
        every = rf"(?P<blank>\s+|{comment}[^\n]*)|(?P<long>/\*)|(?P<token>{pattern})"
        self._tokens = self._all(text, re.compile(every))
        self._ahead: Token | None = None

    def __iter__(self) -> Iterator[Token]:
        while (token := self.take()).text != END:
            yield token

    def peek(self) -> Token:
        """The next token, which stays."""
        if self._ahead is None:
            self._ahead = next(self._tokens)
        return self._ahead

    def take(self) -> Token:
        """The next token."""
        token, self._ahead = self.peek(), None
        if token.text == END:
            self._ahead = token
        return token

    def skip(self, text: str) -> bool:
        """Take the next token if it is ``text``."""
        return self.peek().text == text and bool(self.take())

    def expect(self, text: str, after: str) -> Token:
        """Take the next token, which must be ``text``."""
        token = self.take()
        if token.text != text:
            found = quote(token.text) if token.text else "the end"
            raise FormatError(f'after {printable(after, 40)} comes "{text}", not {found}', token.line)
        return token

    @staticmethod
    def _all(text: str, every: re.Pattern[str]) -> Iterator[Token]:
        at, line = 0, 1
        while at < len(text):
            match = every.match(text, at)
            if match is None:
                raise FormatError(f"{quote(text[at : at + 24])} is no word or sign of this language", line)
            begin, at = at, match.end()
            if match.lastgroup == "token":
                yield Token(match[0], line)
            elif match.lastgroup == "long":
                at = text.find("*/", at) + 2
                if at < 2:
                    raise FormatError('a comment without its "*/"', line)
            line += text.count("\n", begin, at)
        while True:
            yield Token(END, line)
