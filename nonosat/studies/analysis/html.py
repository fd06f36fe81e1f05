"""A page of figures and tables that needs nothing but itself: no network, no other file, a few lines of script."""

from __future__ import annotations

import base64
import math
from collections.abc import Mapping, Sequence
from html import escape

from nonosat.studies.analysis.script import POLICY, SCRIPT
from nonosat.studies.analysis.sheets import Cell, Sheet

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 84rem; margin: 2rem auto; padding: 0 1.2rem; color: #1a1a1a }
h1 { font-size: 1.6rem } h2 { font-size: 1.2rem; margin-top: 2.2rem; border-bottom: 1px solid #ccc }
figure { margin: 1.2rem 0 } figure img { max-width: 100%; height: auto; display: block }
figcaption, .note { color: #444; font-size: .88rem }
.scroll { overflow: auto; width: fit-content; max-width: 100%; max-height: 34rem; margin: .4rem 0 }
.scroll { border: 1px solid #ddd }
table { border-collapse: collapse; font-size: .82rem; font-variant-numeric: tabular-nums }
th, td { padding: .15rem .55rem; text-align: left; border-bottom: 1px solid #eee; vertical-align: top }
td.n { text-align: right; white-space: nowrap } th.n { text-align: right }
thead th { position: sticky; top: 0; background: #f3f3f3; vertical-align: bottom }
th button { all: unset; cursor: pointer; font-weight: 600 }
th button:focus-visible { outline: 2px solid }
th[aria-sort=ascending] button::after { content: " \\2191" }
th[aria-sort=descending] button::after { content: " \\2193" }
.result { font-size: 1.05rem; max-width: 62rem } .alarm { border-left: .3rem solid #b00; padding-left: .8rem }
.aim { color: #333; max-width: 70rem } td.best { font-weight: 700 } tr.aside td { border-top: 2px solid #999; color:
#444 } summary { cursor: pointer; font-weight: 600; margin-top: .8rem } nav a { margin-right: 1rem } pre { white-space:
pre-wrap }
"""

MOST_ROWS = 250
"""A longer table is left to its files."""


def page(title: str, opening: str, sections: Sequence[tuple[str, str]]) -> str:
    """The whole page; ``opening`` is HTML below the title, ``sections`` are (heading, HTML)."""
    links = "".join(f'<a href="#s{i}">{escape(head)}</a>' for i, (head, _) in enumerate(sections))
    body = "".join(
        f'<section id="s{i}"><h2>{escape(head)}</h2>{text}</section>\n' for i, (head, text) in enumerate(sections)
    )
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        f'<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">\n'
        f"<style>{_STYLE}</style></head>\n"
        f"<body><h1>{escape(title)}</h1>{opening}<nav>{links}</nav>\n{body}<script>{SCRIPT}</script></body></html>\n"
    )


def picture(svg: bytes, caption: str, links: Mapping[str, str]) -> str:
    """A figure inside the page; as an image of its own, so that the ids of two drawings cannot clash."""
    data = base64.b64encode(svg).decode("ascii")
    return (
        f'<figure><img alt="{escape(caption)}" src="data:image/svg+xml;base64,{data}">'
        f"<figcaption>{escape(caption)}{f' ({_links(links)})' if links else ''}</figcaption></figure>\n"
    )


def _links(links: Mapping[str, str]) -> str:
    return " ".join(f'<a href="{escape(path)}">{escape(name)}</a>' for name, path in links.items())


def sheet(made: Sheet, links: Mapping[str, str]) -> str:
    """A table with its caption, open or to be unfolded, and links to its files; a click on a heading sorts it."""
    ways = f" <small>{_links(links)}</small>" if links else ""
    note = f'<p class="note">{escape(made.note)}</p>' if made.note else ""
    if made.opened:
        return f'<p class="note">{escape(made.caption)}{ways}</p>{table(made)}{note}\n'
    return f"<details><summary>{escape(made.caption)}{ways}</summary>{table(made)}{note}</details>\n"


def table(made: Sheet) -> str:
    """The table alone; the mouse over a heading shows its meaning."""
    if made.frame.empty:
        return '<p class="note">no data</p>'
    if len(made.frame) > MOST_ROWS:
        return f'<p class="note">{len(made.frame):,} rows, which are in the files.</p>'
    rows = made.cells()
    heads = "".join(
        f'<th scope="col" class="{"" if below.sort is None else "n"}" title="{escape(column.meaning or head)}">'
        f'<button type="button">{escape(head)}</button></th>'
        for column, head, below in zip(made.columns, made.heads(), rows[0], strict=True)
    )
    lines = []
    for at, row in enumerate(rows):
        kind = ' class="aside"' if at >= len(rows) - made.aside else ""
        lines.append(f"<tr{kind}>{''.join(map(cell, row))}</tr>\n")
    return (
        f'<div class="scroll"><table><thead><tr>{heads}</tr></thead><tbody>\n{"".join(lines)}</tbody></table></div>\n'
    )


def cell(made: Cell) -> str:
    """One cell, with the whole number for sorting.

    >>> cell(Cell("0.12", 0.1234, True)), cell(Cell("<b>"))
    ('<td class="n best" data-v="0.1234">0.12</td>', '<td>&lt;b&gt;</td>')
    """
    if made.sort is None:
        return f"<td>{escape(made.text)}</td>"
    exact = "" if math.isnan(made.sort) else "Infinity" if math.isinf(made.sort) else repr(made.sort)
    return f'<td class="n{" best" if made.best else ""}" data-v="{exact}">{escape(made.text)}</td>'


def folded(head: str, inside: str) -> str:
    """Something to be unfolded."""
    return f"<details><summary>{escape(head)}</summary>{inside}</details>\n"


def facts(values: Sequence[tuple[str, Sequence[str]]]) -> str:
    """Names and what they stand for, a column each; such as where the records come from."""
    rows = "".join(
        f"<tr><th scope='row'>{escape(name)}</th>{''.join(f'<td>{escape(text)}</td>' for text in texts)}</tr>\n"
        for name, texts in values
    )
    return f"<table>{rows}</table>\n" if rows else ""
