"""Puzzles from files: a row each, a marker an encoding or solver."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pandas as pd

from nonosat.experiments.analysis.axes import Axis
from nonosat.experiments.analysis.boards import Clock, boards_of, clock_of, limits_of
from nonosat.experiments.analysis.lines import limit_line, name_handles
from nonosat.experiments.analysis.style import (
    Drawing,
    drawn,
    grid,
    labelled,
    logarithmic,
    looks,
    marks,
    no_data,
    plain,
    shortened,
)
from nonosat.experiments.analysis.summary import limit_of, said
from nonosat.experiments.analysis.theme import theme

MOST_FILES = 30


def by_file(
    frame: pd.DataFrame, axis: Axis, line: str = "configuration", names: Sequence[str] | None = None,
    title: str = "", clock: Clock | None = None,
) -> Drawing:  # fmt: skip
    """The median time of each puzzle (of its repetitions), the hardest above; at most ``MOST_FILES``, the hardest.

    Hollow at the limit: not solved within it. What gave a wrong answer or failed has no marker.
    """
    clock = clock or clock_of(frame)
    title = title or f"{clock.words[0].upper()}{clock.words[1:]} by file"
    every = sorted(set(frame[line].dropna()))
    names = list(names if names is not None else every)
    left = [plain(name) for name in every if name not in names]
    runs = frame[axis.of[frame.index].notna() & frame[line].isin(names)]
    if runs.empty:
        return no_data(title, said(runs))
    runs = runs.assign(instance=axis.of[runs.index])
    found = boards_of(runs, clock, line)
    times = pd.DataFrame(found.high, index=found.boards, columns=found.names).reindex(columns=names)
    hard = times.replace(math.inf, 2 * float(limits_of(runs).max())).median(axis=1).sort_values(kind="stable").index
    shown = list(hard[-MOST_FILES:])
    limit = limit_of(runs)
    over = pd.DataFrame(found.low, index=found.boards, columns=found.names).reindex(columns=names)
    stopped = (over.lt(math.inf) & times.eq(math.inf)).reindex(shown)
    foot = f"{said(runs)}. {clock.words[0].upper()}{clock.words[1:]} a puzzle, the hardest above"
    foot += "; hollow: over the limit." if stopped.to_numpy().any() and math.isfinite(limit) else "."
    foot += f" {len(hard) - len(shown)} easier puzzles are not shown." if len(shown) < len(hard) else ""
    foot += f" Not shown: {', '.join(left)}." if left else ""
    figure, (axes,) = drawn(title, foot, 1, size=(5.2, 0.17 * len(shown) + 0.6), beside=names, fixed=True)
    styles = looks(names)
    for at, (name, style) in enumerate(styles.items()):
        shift = 0.09 * (at - (len(names) - 1) / 2)
        places = [place + shift for place in range(len(shown))]
        value = times[name].reindex(shown)
        axes.plot(value.where(value.lt(math.inf)), places, style.marker, color=style.colour, linestyle="none",
                  markersize=theme().marker)  # fmt: skip
        if stopped[name].any():
            some = [place for place, over_it in zip(places, stopped[name], strict=True) if over_it]
            axes.plot([limit] * len(some), some, style.marker,
                      color=style.colour, markerfacecolor="white", linestyle="none", markersize=theme().marker,
                      clip_on=False)  # fmt: skip
    logarithmic(axes, "x")
    limit_line(axes, limit, upright=True, reached=bool(runs["censored"].any()))
    axes.set_yticks(range(len(shown)), [plain(shortened(name, 32)) for name in shown])
    axes.set_ylim(-0.7, len(shown) - 0.3)
    labelled(axes, f"{clock.words}, s")
    grid(axes)
    name_handles(figure, [name or "no encoding" for name in names], marks(styles))
    return figure
