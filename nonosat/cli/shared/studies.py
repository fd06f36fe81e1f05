"""What the commands of ``nonosat study`` share: where records are, and how far a study is."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Iterator
from time import monotonic
from typing import TYPE_CHECKING

import click

from nonosat.cli.shared.output import note

if TYPE_CHECKING:
    from rich.console import RenderableType

    from nonosat.studies.plan import Study
    from nonosat.studies.session import Shard, StudyProgress


def shard_of(text: str | None) -> Shard | None:
    """The part of a study that ``3/10`` names; None: all of it."""
    from nonosat.studies.session import Shard

    if text is None:
        return None
    number, _, of = text.partition("/")
    if not all(word.isascii() and word.isdigit() and len(word) < 8 for word in (number, of)):
        raise click.UsageError(f"--shard {text}: expected I/N, such as 3/10")
    return Shard(int(number), int(of))


def store_of(study: Study, store: str | None, shard: Shard | None) -> str:
    """The path of the store: ``store``, or one named after the study and its part."""
    if store is not None:
        return store
    return f"{study.name}.sqlite" if shard is None else f"{study.name}-{shard.number}-of-{shard.of}.sqlite"


LOG_EVERY_S = 10.0
PAGE_EVERY_S = 2.0


def live_page(name: str, progress: StudyProgress) -> str:
    """How far a study is, as a page that a browser loads again every few seconds, until it is done."""
    from html import escape

    over = progress.ended is not None
    head = "" if over else f'<meta http-equiv="refresh" content="{PAGE_EVERY_S:.0f}">'
    share, rows = _share(progress), []
    for cell, seconds in progress.slowest(len(progress.spent)):
        words = "".join(f"<td>{escape(word)}</td>" for word in cell)
        rows.append(f"<tr>{words}<td>{progress.spent[cell][0]:,}</td><td>{seconds:.3g}</td></tr>")
    state = "interrupted; the same command goes on" if progress.interrupted else "done" if over else "running"
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8">{head}<title>{share:.0%} {escape(name)}</title>
<style>body{{font:16px/1.5 system-ui,sans-serif;margin:2em auto;max-width:50em;padding:0 1em;color-scheme:light dark}}
table{{border-collapse:collapse}}td,th{{padding:.1em .8em;text-align:left}}td:nth-child(n+3){{text-align:right}}
progress{{width:100%}}</style></head><body>
<h1>{escape(name)}</h1>
<p><progress max="1" value="{share:.4f}"></progress></p>
<p>{state}: {escape(summary(progress))}</p>
<table><tr><th>encoding</th><th>solver</th><th>runs now</th><th>mean s</th></tr>
{"".join(rows)}</table>
</body></html>
"""


def summary(progress: StudyProgress) -> str:
    """How far it is, on one line: ``120 of 360 runs: 100 SAT, 20 WRONG; 12.3/s, 20 s left``."""
    from nonosat.studies.checking import duration

    parts = [f"{progress.before + progress.done:,} of {progress.total:,} runs"]
    if progress.before:
        parts[0] += f" ({progress.before:,} from before)"
    if counts := ", ".join(f"{count:,} {outcome}" for outcome, count in progress.outcomes.most_common()):
        parts.append(counts)
    if progress.wrong:
        parts.append(f"{progress.wrong:,} WRONG WITH A SOUND ENCODING")
    if progress.done:
        parts.append(f"{progress.done / max(progress.elapsed_s, 1e-9):.1f}/s")
    if progress.left and (left_s := progress.left_s) is not None:
        more = ", if cells that are not begun take no longer" if progress.unknown else ""
        parts.append(f"some {duration(left_s)} left, until {_clock(left_s)}{more}")
    return "; ".join(parts)


def _clock(seconds: float) -> str:
    """The time of the day in so many seconds, with the date if that is not today: ``14:05``."""
    from datetime import datetime, timedelta

    now = datetime.now().astimezone()
    then = now + timedelta(seconds=seconds)
    return then.strftime("%H:%M" if then.date() == now.date() else "%Y-%m-%d %H:%M")


def slowest(progress: StudyProgress) -> str:
    """The slowest cells: ``slowest: tight+r3+order, minisat22 2.1 s a run; ...``; nothing with fewer than two."""
    cells = progress.slowest()
    if len(progress.spent) < 2:
        return ""
    shown = (f"{', '.join(word for word in cell if word != '-')} {seconds:.2g} s a run" for cell, seconds in cells)
    return f"slowest: {'; '.join(shown)}"


class Reporter:
    """Shows how far a study is: redrawn in place on a terminal, else a line every ``LOG_EVERY_S``."""

    def __init__(self, name: str, page: str | None = None) -> None:
        self.name, self.page, self.due = name, page, 0.0
        self.progress: StudyProgress | None = None
        self.ended = threading.Event()

    def __call__(self, progress: StudyProgress) -> None:
        """There is news: the same object every time, with other figures."""
        self.progress = progress
        if self.page is not None and monotonic() >= self.due:
            self.write()

    def write(self) -> None:
        """Write the page as it is now; it is due again in ``PAGE_EVERY_S``."""
        if self.page is not None and self.progress is not None:
            from nonosat.files import write_atomically

            write_atomically(self.page, live_page(self.name, self.progress))
        self.due = monotonic() + PAGE_EVERY_S

    def __rich__(self) -> RenderableType:
        """What a terminal shows at this moment."""
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        if (progress := self.progress) is None:
            return Text(f"{self.name}: reading")
        finished = progress.before + progress.done
        bar = Table.grid(padding=(0, 1))
        bar.add_row(self.name, ProgressBar(max(1, progress.total), finished, width=30), f"{_share(progress):.1%}")
        rows: list[RenderableType] = [bar, Text(summary(progress), style="red" if progress.failed else "")]
        if (last := progress.last) is not None:
            words = (last["outcome"], last["instance"], last["encoding"], last["solver"])
            rows.append(Text("last: " + ", ".join(str(word) for word in words if word is not None), style="dim"))
        if line := slowest(progress):
            rows.append(Text(line, style="dim"))
        return Group(*rows)

    def log(self) -> None:
        """The lines of a run without a terminal, until the end."""
        while not self.ended.wait(LOG_EVERY_S):
            if self.progress is not None:
                note(f"{self.name}: {_share(self.progress):.1%}: {summary(self.progress)}")


def _share(progress: StudyProgress) -> float:
    return (progress.before + progress.done) / progress.total if progress.total else 1.0


@contextlib.contextmanager
def reporter(name: str, page: str | None = None) -> Iterator[Reporter]:
    """A ``Reporter`` that is at work until the end of the block; ``page``: a file of HTML that it keeps up to date."""
    report = Reporter(name, page)
    if sys.stderr.isatty():
        from rich.console import Console
        from rich.live import Live

        with Live(report, console=Console(stderr=True), refresh_per_second=4, transient=True):
            yield report
        return
    thread = threading.Thread(target=report.log, daemon=True)
    thread.start()
    try:
        yield report
    finally:
        report.ended.set()
        thread.join()
