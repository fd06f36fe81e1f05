"""What a report is of: the runs that count, what the study varies, and the order in which configurations came out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import pandas as pd

from nonosat.studies.analysis.axes import Axis, axes_of
from nonosat.studies.analysis.boards import Clock, clock_of, latest
from nonosat.studies.analysis.ranking import VIRTUAL, ranking
from nonosat.studies.analysis.summary import limit_of


@dataclass(frozen=True)
class ReportedStudy:
    """``whole``: all records. What follows is of the runs that ended, each in its latest making."""

    whole: pd.DataFrame
    title: str
    toml: str = ""
    provenance: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    seed: int = 0

    @cached_property
    def runs(self) -> pd.DataFrame:
        """The runs that count."""
        return latest(self.whole)

    @cached_property
    def clock(self) -> Clock:
        """The times that are compared."""
        return clock_of(self.runs)

    @cached_property
    def axes(self) -> list[Axis]:
        """What the study varies."""
        return axes_of(self.runs)

    @cached_property
    def ranked(self) -> pd.DataFrame:
        """The configurations, the best first, and the virtual best."""
        return ranking(self.runs, self.clock, self.seed)

    @property
    def limit(self) -> float:
        """The limit on time; NaN if there is none, or several."""
        return limit_of(self.runs)

    @cached_property
    def names(self) -> list[str]:
        """The configurations in their order, also those that the ranking's boards leave out."""
        ranked = [str(name) for name in self.ranked["configuration"] if name != VIRTUAL]
        return ranked + sorted(set(self.runs["configuration"].dropna()) - set(ranked))

    def of_names(self, column: str) -> list[str]:
        """The values of ``label`` or ``solver`` in the order of their best configuration."""
        found = self.runs.drop_duplicates("configuration").set_index("configuration")[column]
        return list(dict.fromkeys(str(found[name]) for name in self.names))

    @property
    def right(self) -> bool:
        """Whether no answer was found to be wrong."""
        return not (self.runs["wrong"].any() or self.runs["false_unsat"].any())
