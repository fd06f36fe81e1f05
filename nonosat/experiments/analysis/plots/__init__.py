"""Figures of records: cactus, scatter of two, along an axis, file by file, heat maps, decisions, and wrong answers.

Only right pictures (and UNSAT that nothing contradicts) count as solved here.
"""

from nonosat.experiments.analysis.plots.along import along
from nonosat.experiments.analysis.plots.answers import decisions_against_time, wrong_pictures
from nonosat.experiments.analysis.plots.by_file import by_file
from nonosat.experiments.analysis.plots.size_by_density import heat
from nonosat.experiments.analysis.plots.two_configurations import scatter
from nonosat.experiments.analysis.plots.within_time import cactus

__all__ = ["along", "by_file", "cactus", "decisions_against_time", "heat", "scatter", "wrong_pictures"]
