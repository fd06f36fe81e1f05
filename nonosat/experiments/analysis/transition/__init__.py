"""The transition of random boards by density: the studies ``transition``, ``transition-finding``, ``-counting``."""

from nonosat.experiments.analysis.transition.boards import boards, load
from nonosat.experiments.analysis.transition.cells import by_cell, ended_early, peaks
from nonosat.experiments.analysis.transition.figures import scaling_figure, solutions_figure, states_figure, three_peaks
from nonosat.experiments.analysis.transition.scaling import growth, growths, half_way, rests
from nonosat.experiments.analysis.transition.write import halves, write

__all__ = [
    "boards",
    "by_cell",
    "ended_early",
    "growth",
    "growths",
    "half_way",
    "halves",
    "load",
    "peaks",
    "rests",
    "scaling_figure",
    "solutions_figure",
    "states_figure",
    "three_peaks",
    "write",
]
