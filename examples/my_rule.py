"""A rule of Skyscrapers with auxiliaries and their meaning: no tower is seen behind the highest one.

    nonosat --plugin examples/my_rule.py solve examples/towers.sky --encoding permutation+curtain+order

docs/extending.md says what the entries of ``meanings`` are for.
"""

import numpy as np

from nonosat.csp.meanings import Meanings, Means, Within
from nonosat.csp.model import Block, Clauses, at_least, at_most, ints
from nonosat.encodings.parts import Part
from nonosat.encodings.skyscrapers import Extra, visible


def curtain(seen):
    """``visible``, and: behind tower N none is seen. ``t_top2_1``: it is the second tower or stands before that."""
    extra, (views, size) = visible(seen), seen.cells.shape
    if size == 1:
        return extra
    count, first = views * (size - 1), size * size + len(extra.lower)
    drawn = np.arange(first, first + count).reshape(views, size - 1)
    towers = np.arange(size * size, size * size + count)  # what ``visible`` says is seen, from the second tower on
    clauses = (
        Clauses((at_most(seen.cells[:, :-1].reshape(-1), size - 1), at_least(drawn.reshape(-1), 1))),
        Clauses((at_most(drawn[:, :-1].reshape(-1), 0), at_least(drawn[:, 1:].reshape(-1), 1))),
        Clauses((at_most(drawn.reshape(-1), 0), at_most(towers, 0))),
    )

    def meanings():
        for view, variables in zip(seen.names, drawn.tolist(), strict=True):
            for place, variable in enumerate(variables):
                yield Means(variable, [Within(f"m_{view}_{place}", size, size)])

    places = ints(range(size - 1)).reshape(-1, 1)
    blocks = [Block(f"t_{view}", int(row[0]), places) for view, row in zip(seen.names, drawn, strict=True)]
    return Extra(
        np.append(extra.lower, ints([0] * count)),
        np.append(extra.upper, ints([1] * count)),
        (*extra.blocks, *blocks),
        (Meanings(meanings), *extra.constraints, *clauses),
    )


PARTS = [Part("curtain", "visibility", curtain, "visible; nothing is seen behind N", "this file", kind="skyscrapers")]
