"""Fuzzing of every format's reader: valid texts, changed at random, are read or refused in one line, and soon.

``python tests/fuzz_formats.py --inputs 100000`` gives each format as many; input i of a seed is always the same. What
is read must be written and read again as the same puzzle. Ends with a table, and with exit code 1 if there was a
finding, which is printed as Python so that it can be pasted into a test.
"""

from __future__ import annotations

import argparse
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any

from nonosat.errors import FormatError, NonosatError, UnsupportedError
from nonosat.puzzles.formats import FORMATS, dumps, loads
from nonosat.puzzles.puzzle import Format
from nonosat.rng import Rng
from nonosat.testing.brute import samples

sys.path.insert(0, str(Path(__file__).parent))
from test_wild import WILD

LONGEST_S = 20
"""CPU seconds that an input may take; they are some kilobytes."""
JUNK = (
    *("", "0", "1", "-1", "00", "99", "999999", "1000000", "99999999999999999999", "1e9", "0x1", "1.5", "#", "$", "?"),
    *(
        ".",
        " ",
        "\t",
        "\n",
        "\n\n",
        "\r",
        "\x00",
        "\x0b",
        "\x85",
        "\ufeff",
        "é",
        "日",
        "\u0663",
        "\ud800",
        "𝟙",
        '"',
        "'",
    ),
    *(
        "&",
        "&amp;",
        "&#65;",
        "&#x110000;",
        "&x;",
        "<",
        ">",
        "<!--",
        "]]>",
        "<a>",
        "</a>",
        "<![CDATA[",
        "[",
        "]",
        "{",
        "}",
    ),
    *("(", ")", "[|", "|]", ",", ";", ":", ":=", "=", ">=", "|", "/", "\\", "_", "-", "+", "*", "~", "%", "/*", "*/"),
    *("null", "true", "1b", "3#", "x[0][]", "x[][0]", "(q0,0,q0)", "x1", "~x1", "param", "data;", "rows", "columns"),
    *("goal", "====", "width 3", "0" * 5000),
)


class TooSlowError(Exception):
    """An input took too long."""


def corpus(known: Format) -> list[str]:
    """Valid texts of a format: those by its documentation, and what it writes of small puzzles."""
    found = [wild.text for wild in WILD if wild.format == known.name]
    for kind in known.kinds:
        for puzzle in samples(kind):
            try:
                found.append(dumps(puzzle, known.name))
            except UnsupportedError:
                continue
    return [text for text in found if len(text) < 20_000]


def changed(text: str, others: list[str], stream: Rng) -> str:
    """``text`` with one to four changes (mostly one): of letters, words, lines or any stretch (mostly a short one)."""
    for _ in range(1 + stream.below(4) * (stream.below(4) == 0)):
        way = stream.below(10)
        if way < 3:
            separator = ("\n", " ", ",")[way]
            parts = text.split(separator)
            at, other = stream.below(len(parts)), stream.below(len(parts))
            parts[at : at + 1] = ([], [parts[at]] * 2, [parts[other]], [JUNK[stream.below(len(JUNK))]])[stream.below(4)]
            text = separator.join(parts)
            continue
        begin = stream.below(len(text) + 1)
        end = begin + stream.below((4, 4, 4, len(text) + 1)[stream.below(4)])
        if way == 3:
            text = text[:begin] + text[end:]
        elif way == 4:
            text = text[:end] + text[begin:end] + text[end:] if end - begin < 2000 else text[:begin]
        elif way == 5:
            other_text = others[stream.below(len(others))]
            text = text[:begin] + other_text[stream.below(len(other_text) + 1) :]
        elif way < 8:
            text = text[:begin] + "0123456789"[stream.below(10)] + text[begin + stream.below(2) :]
        else:
            text = text[:begin] + JUNK[stream.below(len(JUNK))] + text[begin + stream.below(3) :]
    return text


def inputs(known: Format, seed: int) -> Iterator[str]:
    """The texts of a format's fuzzing, one after the other."""
    texts, stream = corpus(known), Rng(seed)
    while True:
        yield changed(texts[stream.below(len(texts))], texts, stream)


def judged(text: str, known: Format) -> tuple[bool, str | None]:
    """Whether ``text`` is read, and not refused; and what is wrong with that (None: nothing)."""
    try:
        puzzles = loads(text, known.name, "file")
    except FormatError as error:
        said = str(error)
        right = said.isprintable() and said.startswith("file:") and len(said) < 500
        return False, None if right else f"says {said!r}"
    if not puzzles:
        return True, "reads no puzzle, and does not say so"
    try:
        again = loads(dumps(puzzles, known.name), known.name)
    except UnsupportedError as error:
        return True, f"cannot write what it reads: {error}"
    except NonosatError as error:
        return True, f"cannot read what it writes: {error}"
    if [plain(puzzle) for puzzle in again] != [plain(puzzle) for puzzle in puzzles]:
        return True, "reads, writes and reads another puzzle"
    return True, None


def plain(puzzle: Any) -> Any:
    """A puzzle without its title: the tournament's format numbers those that have none."""
    return replace(puzzle, title="", goal=None), puzzle.goal


def fuzz(known: Format, count: int, seed: int) -> tuple[int, int, float, list[tuple[str, str]]]:
    """How many inputs there were, how many of them were read, CPU seconds of the slowest, and (text, what is wrong)."""
    tried, read, slowest, findings = 0, 0, 0.0, []
    for _, text in zip(range(count), inputs(known, seed), strict=False):
        tried += 1
        begin = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, LONGEST_S)
        try:
            was_read, wrong = judged(text, known)
            read += was_read
        except Exception as error:  # whatever it is: that is what is looked for
            wrong = f"raises {type(error).__name__}: {error}"
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        slowest = max(slowest, time.process_time() - begin)
        if wrong is not None:
            findings.append((text, wrong))
            if len(findings) == 3:
                break
    return tried, read, slowest, findings


def _too_slow(number: int, frame: FrameType | None) -> None:
    raise TooSlowError(f"more than {LONGEST_S} CPU seconds")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("formats", nargs="*", help="names of formats (all, if none is named)")
    parser.add_argument("--inputs", type=int, default=100_000, help="how many each format gets")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    signal.signal(signal.SIGPROF, _too_slow)
    found = False
    print(f"{'format':15}{'inputs':>9}{'read':>9}{'refused':>9}{'findings':>10}{'CPU s':>8}{'slowest ms':>12}")
    for name in asked.formats or FORMATS:
        begin = time.process_time()
        tried, read, slowest, findings = fuzz(FORMATS.named(name), asked.inputs, asked.seed)
        spent = time.process_time() - begin
        counts = f"{tried:9,}{read:9,}{tried - read:9,}{len(findings):10}"
        print(f"{name:15}{counts}{spent:8.1f}{1000 * slowest:12.1f}", flush=True)
        for text, wrong in findings:
            found = True
            print(f"  {wrong}\n  loads({text!r}, {name!r})", flush=True)
    return int(found)


if __name__ == "__main__":
    sys.exit(main())
