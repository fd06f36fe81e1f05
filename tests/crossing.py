"""A plug-in with a generator of models, for tests: ``wide`` variables in order, the sum of which is greatest."""

from nonosat import Model
from nonosat.generators.registry import Generator, Parameter


def make(wide, seed):
    model = Model("in order")
    x = model.integer("x", 0, wide - 1, shape=3)
    model.add(x[0] < x[1], x[1] < x[2], model.all_different(x), x[0] * x[1] != seed)
    model.maximize(model.sum(x))
    return model


PARTS = [
    Generator(
        name="in-order",
        kind="model",
        meaning="three variables in order",
        parameters=(Parameter(word="wide", key="wides", metavar="N", meaning="values", read=lambda text: int(text)),),
        make=make,
    )
]
