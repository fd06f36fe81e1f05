"""A page of figures and tables that needs nothing but itself: no network, no file beside it, a few lines of script."""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Mapping, Sequence
from html import escape
from numbers import Number
from typing import Any

import pandas as pd

from nonosat.experiments.analysis.script import POLICY, SCRIPT

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 84rem; margin: 2rem auto; padding: 0 1.2rem; color: #1a1a1a }
h1 { font-size: 1.6rem } h2 { font-size: 1.2rem; margin-top: 2.2rem; border-bottom: 1px solid #ccc }
figure { margin: 1.2rem 0 } figure img { max-width: 100%; height: auto; display: block }
figcaption, .note { color: #444; font-size: .88rem }
.scroll { overflow: auto; max-height: 34rem; border: 1px solid #ddd; margin: .4rem 0 }
table { border-collapse: collapse; font-size: .82rem; font-variant-numeric: tabular-nums }
th, td { padding: .15rem .55rem; text-align: left; border-bottom: 1px solid #eee; vertical-align: top }
td.n { text-align: right } thead th { position: sticky; top: 0; background: #f3f3f3 }
th button { all: unset; cursor: pointer; font-weight: 600; white-space: nowrap }
th button:focus-visible { outline: 2px solid }
th[aria-sort=ascending] button::after { content: " \\2191" }
th[aria-sort=descending] button::after { content: " \\2193" }
summary { cursor: pointer; font-weight: 600; margin-top: .8rem }
nav a { margin-right: 1rem } pre { white-space: pre-wrap }
"""


def page(title: str, sections: Sequence[tuple[str, str]]) -> str:
    """The whole page; ``sections`` are (heading, HTML)."""
    links = "".join(f'<a href="#s{i}">{escape(head)}</a>' for i, (head, _) in enumerate(sections))
    body = "".join(
        f'<section id="s{i}"><h2>{escape(head)}</h2>{text}</section>\n' for i, (head, text) in enumerate(sections)
    )
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        f'<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">\n'
        f"<style>{_STYLE}</style></head>\n"
        f"<body><h1>{escape(title)}</h1><nav>{links}</nav>\n{body}<script>{SCRIPT}</script></body></html>\n"
    )


def picture(svg: bytes, caption: str, links: Mapping[str, str]) -> str:
    """A figure inside the page; as an image of its own, so that the ids of two drawings cannot clash."""
    data = base64.b64encode(svg).decode("ascii")
    ways = " ".join(f'<a href="{escape(path)}">{escape(name)}</a>' for name, path in links.items())
    return (
        f'<figure><img alt="{escape(caption)}" src="data:image/svg+xml;base64,{data}">'
        f"<figcaption>{escape(caption)} ({ways})</figcaption></figure>\n"
    )


def table(frame: pd.DataFrame, notes: Mapping[str, str] | None = None) -> str:
    """A table that is sorted by a click on a heading; ``notes`` explain headings when the mouse is over them."""
    notes = notes or {}
    if frame.empty:
        return '<p class="note">no data</p>'
    heads = "".join(
        f'<th scope="col" title="{escape(notes.get(name, name))}"><button type="button">{escape(name)}</button></th>'
        for name in map(str, frame.columns)
    )
    rows = "".join(f"<tr>{''.join(map(cell, row))}</tr>\n" for row in frame.itertuples(index=False, name=None))
    return f'<div class="scroll"><table><thead><tr>{heads}</tr></thead><tbody>\n{rows}</tbody></table></div>\n'


def cell(value: Any) -> str:
    """One cell: a number to four digits, with the whole of it for sorting; nothing for what is absent.

    >>> cell(0.123456), cell("<b>"), cell(None)
    ('<td class="n" data-v="0.123456">0.1235</td>', '<td>&lt;b&gt;</td>', '<td></td>')
    """
    if value is None or value is pd.NA or (isinstance(value, float) and math.isnan(value)):
        return "<td></td>"
    if isinstance(value, Number) and not isinstance(value, bool):
        number = float(value)  # type: ignore[arg-type]
        exact = "Infinity" if math.isinf(number) else repr(number)
        shown = f"{int(number):,}" if number.is_integer() and abs(number) < 1e15 else f"{number:.4g}"
        return f'<td class="n" data-v="{exact}">{shown}</td>'
    return f"<td>{escape(str(value))}</td>"


def folded(head: str, inside: str, link: str = "", opened: bool = False) -> str:
    """Something to be unfolded, with a link to its file."""
    way = f' <a href="{escape(link)}">csv</a>' if link else ""
    return f"<details{' open' if opened else ''}><summary>{escape(head)}{way}</summary>{inside}</details>\n"


def facts(values: Mapping[str, Any]) -> str:
    """Names and what they stand for, such as where the records come from."""
    rows = ""
    for name, value in values.items():
        text = value if isinstance(value, str) else json.dumps(value, indent=1, ensure_ascii=False, default=str)
        rows += f"<tr><th scope='row'>{escape(str(name))}</th><td><pre>{escape(text)}</pre></td></tr>\n"
    return f"<table>{rows}</table>\n" if rows else ""
