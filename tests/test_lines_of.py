"""Files read line by line: the same lines, and the same errors, as the whole text has."""

from __future__ import annotations

import gzip
from io import StringIO
from pathlib import Path

import pytest
from sampling import spread

from nonosat.errors import NonosatError
from nonosat.files import lines_of, read_text

LONG = b"abc " * 3_000_000
CONTENTS = {
    "empty": b"",
    "one line": b"aa",
    "ends": b"aa\r\nbb\rcc\x0bdd\n\nee",
    "a mark": b"\xef\xbb\xbfaa\n\xef\xbb\xbfbb\n",
    "letters across pieces": b"x" * (2**20 - 1) + "ß\n".encode() * 9,
    "long lines": LONG + b"\n" + LONG + b"\nGIF8\n",
    "an image": b"GIF89a...\n",
    "a NUL byte": b"aa\n" + b"bb\n" * 2**20 + b"c\0c\n",
    "no UTF-8": b"aa\n" + b"bb\n" * 2**20 + b"c\xffc\n",
    "no UTF-8 at once": b"\xff\n",
}


def told(path: Path, whole: bool, limit: int) -> list[str] | str:
    try:
        if whole:
            return list(StringIO(read_text(path, limit)))
        with lines_of(path, limit) as lines:
            return list(lines)
    except NonosatError as error:
        return str(error)


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("name", spread(CONTENTS, 4))
def test_lines_are_those_of_the_text(name: str, packed: bool, tmp_path: Path) -> None:
    path = tmp_path / "some"
    path.write_bytes(gzip.compress(CONTENTS[name]) if packed else CONTENTS[name])
    for limit in (2**30, 2**20):
        assert told(path, False, limit) == told(path, True, limit)


def test_what_is_cut_off_and_what_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "some"
    path.write_bytes(gzip.compress(b"aa\n" * 10_000)[:-9])
    assert told(path, False, 2**30) == told(path, True, 2**30)
    assert "its end is missing" in told(path, False, 2**30)
    assert told(tmp_path / "none", False, 9) == told(tmp_path / "none", True, 9)
