"""The figures of solver papers: cactus, scatter of two, heat maps, decisions against time, and wrong pictures.

Only right pictures (and UNSAT that nothing contradicts) count as solved here.
"""

from nonosat.experiments.analysis.plots.answers import decisions_against_time, wrong_pictures
from nonosat.experiments.analysis.plots.size_by_density import heat
from nonosat.experiments.analysis.plots.two_configurations import scatter
from nonosat.experiments.analysis.plots.within_time import cactus

__all__ = ["cactus", "decisions_against_time", "heat", "scatter", "wrong_pictures"]
