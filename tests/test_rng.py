"""Random numbers come from one module, and its streams stay what they are."""

from __future__ import annotations

import ast
import hashlib
from itertools import chain, repeat
from pathlib import Path

import numpy as np
import pytest

import nonosat
from nonosat import rng
from nonosat.errors import UnsupportedError
from nonosat.generators.density import random_density
from nonosat.solvers.propagation.board import NEVER, board_of, propagate
from nonosat.solvers.propagation.decimation import Decimation, shifted
from nonosat.studies.analysis.intervals import resamples

PACKAGE = Path(nonosat.__file__).parent


def draws(tree: ast.AST) -> list[int]:
    """The lines that import ``random`` or numpy's, or name ``numpy.random``."""
    numpy = {"numpy"}
    lines: list[int] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name == "numpy":
                    numpy.add(alias.asname or alias.name)
                if alias.name == "random" or alias.name.startswith("numpy.random"):
                    lines.append(node.lineno)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            of_numpy = node.module == "numpy" and any(alias.name == "random" for alias in node.names)
            if of_numpy or node.module == "random" or (node.module or "").startswith("numpy.random"):
                lines.append(node.lineno)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr == "random" and ast.unparse(node.value) in numpy:
            lines.append(node.lineno)
    return lines


def test_nobody_else_draws() -> None:
    for path in sorted(PACKAGE.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        found = draws(ast.parse(text)) if "random" in text else []
        assert bool(found) == (path.name == "rng.py"), f"{path}, lines {found}: rng.py draws"


@pytest.mark.parametrize(
    "text",
    [
        "import random",
        "from random import Random",
        "import numpy as np\ndef f():\n    return np.random.default_rng(0)",
        "import numpy\nnumpy.random.rand()",
        "import numpy.random as r",
        "from numpy import random",
        "from numpy.random import default_rng",
    ],
)
def test_every_way_to_draw_is_seen(text: str) -> None:
    assert draws(ast.parse(text))


def test_what_is_no_drawing_is_not_seen() -> None:
    assert not draws(ast.parse("import numpy as np\nfrom a.random import b\nself.random = np.arange(3)"))


def test_the_streams_are_pinned() -> None:
    """They may not change: results are told by their seeds."""
    stream = rng.Rng(7)
    assert stream.raw(2).tolist() == [11530976094092348043, 16550673365885938325]
    assert stream.uniforms(2).tolist() == [0.7756856902451935, 0.22520718999059186]
    assert [stream.below(10) for _ in range(8)] == BELOW
    assert stream.many_below(1000, 5).tolist() == MANY
    assert stream.shuffled(7) == SHUFFLED
    assert stream.bells(3).tolist() == BELLS
    assert hashlib.sha256(resamples(17, 50, 3).tobytes()).hexdigest()[:16] == RESAMPLES


BELOW = [3, 8, 0, 8, 7, 4, 3, 2]
MANY = [254, 445, 504, 553, 995]
SHUFFLED = [2, 1, 6, 0, 4, 3, 5]
BELLS = [-0.3431541090101984, -0.8201446634938752, -0.8218625483587598]
RESAMPLES = "c37feed1fbe3a772"


def test_every_dive_begins_as_it_did() -> None:
    """The default solver's way may not change with numpy's version, nor with the machine."""
    board = board_of(random_density(6, 5, 0.4, 1))
    propagate(board, NEVER)
    dives = Decimation(board)
    begun = []
    for _ in range(3):
        dives._begin()
        begun.append(hashlib.sha256(dives.beliefs.field.tobytes()).hexdigest()[:16])
    assert begun == FIELDS


FIELDS = ["d53cc28498cba27f", "3073655ff93d8db8", "14ba37c673736941"]


def test_shifts_are_small_and_to_both_sides() -> None:
    odds = shifted(0.3 * rng.Rng(1).bells(100_000))
    assert 0.25 < odds.min() < 0.5
    assert 2 < odds.max() < 4
    assert abs(float(np.log(odds).mean())) < 0.005
    assert abs(float(np.log(odds).std()) - 0.3) < 0.01


@pytest.mark.parametrize("limit", [1, 2, 3, 10, 1000, 2**27 - 1, 2**32 - 1, 2**32])
def test_one_by_one_or_many_at_once_is_the_same(limit: int) -> None:
    one, many = rng.Rng(3), rng.Rng(3)
    drawn = many.many_below(limit, 500)
    assert drawn.tolist() == [one.below(limit) for _ in range(500)]
    assert one.raw(1).tolist() == many.raw(1).tolist()
    assert ((drawn >= 0) & (drawn < limit)).all()


def test_no_number_is_likelier_than_another(monkeypatch: pytest.MonkeyPatch) -> None:
    """With raw numbers of 6 bits, all of which are drawn once: each of 0 .. 9 comes as often."""
    monkeypatch.setattr(rng, "_BITS", 6)
    monkeypatch.setattr(rng, "_HALF", 3)
    every = [number << 58 for number in range(64)]

    class Stream:
        def __init__(self) -> None:
            self.left = chain(every, repeat(every[-1]))

        def random_raw(self, count: int | None = None) -> object:
            if count is None:
                return next(self.left)
            return np.array([next(self.left) for _ in range(count)], dtype=np.uint64)

    for limit in (1, 3, 10, 37, 63, 64):
        even = 64 // limit
        one, many = rng.Rng(0), rng.Rng(0)
        one._stream, many._stream = Stream(), Stream()  # type: ignore[assignment]
        drawn = [one.below(limit) for _ in range(even * limit)]
        assert [drawn.count(number) for number in range(limit)] == [even] * limit
        assert many.many_below(limit, even * limit).tolist() == drawn


def test_bells_are_nearly_normal() -> None:
    drawn = rng.Rng(5).bells(200_000)
    assert abs(float(drawn.mean())) < 0.01
    assert abs(float(drawn.std()) - 1) < 0.01
    assert float(np.abs(drawn).max()) < 3.47
    assert abs(float((np.abs(drawn) < 1).mean()) - 0.683) < 0.02  # the normal distribution's


def test_none_is_none() -> None:
    stream = rng.Rng(0)
    for drawn in (stream.raw(0), stream.uniforms(0), stream.many_below(5, 0), stream.bells(0), stream.shuffled(0)):
        assert len(drawn) == 0


def test_what_cannot_be() -> None:
    with pytest.raises(UnsupportedError, match="seed -1: seeds are not negative"):
        rng.Rng(-1)
    for limit in (0, -1, 2**32 + 1):
        with pytest.raises(UnsupportedError, match="random numbers below"):
            rng.Rng(0).many_below(limit, 3)
    for limit in (0, -1):
        with pytest.raises(UnsupportedError, match="random numbers below"):
            rng.Rng(0).below(limit)
