"""Large boards: they open and are painted. How fast is told by `benchmarks/workbench.py`; no test asserts times."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from boards import BOARD, drag, open_puzzle, settled, shown
from packs_made import write_large
from serving import Server

Open = Callable[..., Any]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    data = tmp_path_factory.mktemp("large")
    write_large(data)
    found = Server(data)
    found.enter()
    yield found
    found.close()


def test_a_drag_paints_what_changed_and_no_more(open_page: Open, server: Server) -> None:
    page = open_page()
    open_puzzle(page, server, "large", 1, "free")
    page.evaluate(
        f"""() => {{
            const {{ sheet }} = {BOARD};
            window.painted = [];
            const paintPixels = sheet.paintPixels.bind(sheet);
            sheet.paintPixels = (rows, columns) => (painted.push([rows[0], columns[0]]), paintPixels(rows, columns));
            const paintAll = sheet.paintAll.bind(sheet);
            sheet.paintAll = () => (painted.push("all"), paintAll());
        }}"""
    )
    drag(page, (50, 0), (50, 99))
    settled(page)
    assert shown(page)[50] == [1] * 100
    painted = page.evaluate("painted")
    assert "all" not in painted
    cursor = {(0, 0)}
    assert {tuple(cell) for cell in painted} == {(50, column) for column in range(100)} | cursor
    assert len(painted) < 400


@pytest.mark.slow
def test_the_largest_board_opens_and_zooms(open_page: Open, server: Server) -> None:
    page = open_page()
    open_puzzle(page, server, "large", 2, "free")
    assert page.evaluate(f"{BOARD}.view.cell * 512 <= {BOARD}.view.x.length")
    for _ in range(8):
        page.get_by_label("Zoom in").click()
    settled(page)
    assert page.evaluate(f"{BOARD}.view.cell") > 10
    row, column = page.evaluate(f"[{BOARD}.view.y.seen[0] + 3, {BOARD}.view.x.seen[0] + 3]")
    drag(page, (row, column), (row + 4, column))
    settled(page)
    assert [line[column] for line in shown(page)[row : row + 5]] == [1] * 5
