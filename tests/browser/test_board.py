"""The board under mouse, finger and keyboard; numbers, colours, trials, undo."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from boards import BOARD, CANVAS, click, drag, kept, open_puzzle, place, press, settled, shown
from packs_made import TOWERS, dog
from serving import Server

Open = Callable[..., Any]


@pytest.fixture
def server(played: Server) -> Server:
    return played


def cells(page: Any) -> list[int]:
    return [value for row in shown(page) for value in row]


def test_a_puzzle_is_solved_by_the_keyboard_alone(open_page: Open, server: Server) -> None:
    """From the packs to the picture, without a mouse."""
    goal = dog().goal
    assert goal is not None
    page = open_page()
    page.wait_for_selector(".pack-card")
    page.locator('[data-pack="dog"]').focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".puzzle-card")
    page.locator(".puzzle-card").nth(1).focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(CANVAS)
    page.keyboard.press("ArrowDown")  # begins to play
    page.keyboard.press("ArrowUp")
    for row, line in enumerate(goal.cells.tolist()):
        order = range(10) if row % 2 == 0 else range(9, -1, -1)
        for step, column in enumerate(order):
            if step:
                page.keyboard.press("ArrowRight" if row % 2 == 0 else "ArrowLeft")
            if line[column]:
                page.keyboard.press("Enter")
        page.keyboard.press("ArrowDown")
    page.wait_for_selector(".finished canvas")
    assert page.evaluate("document.activeElement.matches('.finished')")
    assert kept(server, "dog", 2)["won"] == "gold"


def first_after_each(page: Any, keys: list[str]) -> list[int]:
    """The value of the first cell after each key."""
    seen = []
    for key in keys:
        page.keyboard.press(key)
        seen.append(cells(page)[0])
    return seen


@pytest.mark.slow
def test_the_keys_are_those_of_tathams_pattern(open_page: Open, server: Server) -> None:
    page = open_page()
    open_puzzle(page, server, "heart", 20, "free")
    page.focus(CANVAS)
    assert first_after_each(page, ["Enter"] * 3 + ["Space"] * 3) == [1, 0, -1, 0, 1, -1]
    press(page, "Control+ArrowRight Control+ArrowRight Control+ArrowDown")
    assert shown(page)[:2] == [[1, 1, 1, -1, -1], [-1, -1, 1, -1, -1]]
    press(page, "Shift+ArrowLeft Shift+ArrowLeft")
    assert shown(page)[1] == [0, 0, 0, -1, -1]
    press(page, "Control+Shift+ArrowRight")
    assert shown(page)[1] == [-1, -1, 0, -1, -1]
    press(page, "u u")
    settled(page)
    assert shown(page)[1] == [-1, 0, 0, -1, -1]
    press(page, "r r")
    settled(page)
    assert shown(page)[1] == [-1, -1, 0, -1, -1]
    press(page, "Backspace Home")
    assert kept(server, "heart", 20)["undo"] is True


@pytest.mark.slow
def test_enter_fills_with_the_colour_that_is_chosen(open_page: Open, server: Server) -> None:
    page = open_page()
    open_puzzle(page, server, "flag", 1, "free")
    page.focus(CANVAS)
    seen = first_after_each(page, ["2", "Enter", "1", "Enter", "Enter", "Enter", "Space", "3", "Enter", "2", "Space"])
    assert seen == [-1, 2, 2, 1, 0, -1, 0, 0, -1, -1, 0]


@pytest.mark.slow
def test_undo_and_redo_have_no_end(open_page: Open, server: Server) -> None:
    page = open_page()
    open_puzzle(page, server, "heart", 21, "free")
    page.focus(CANVAS)
    press(page, "Enter ArrowRight " * 4 + "ArrowDown " + "Space ArrowLeft " * 4)
    settled(page)
    final = cells(page)
    for _ in range(8):
        page.get_by_role("button", name="Undo").click()
    settled(page)
    assert cells(page) == [-1] * 25
    assert page.get_by_role("button", name="Undo").is_disabled()
    for _ in range(8):
        page.keyboard.press("Control+y")
    settled(page)
    assert cells(page) == final
    assert page.get_by_role("button", name="Redo").is_disabled()


@pytest.mark.slow
def test_trials_are_nested_and_taken_back_whole(open_page: Open, server: Server) -> None:
    page = open_page()
    open_puzzle(page, server, "heart", 22, "free")
    click(page, 1, 1)
    page.get_by_role("button", name="Try something").click()
    settled(page)
    click(page, 0, 0)
    click(page, 0, 1)
    settled(page)
    page.get_by_role("button", name="Try deeper").click()
    settled(page)
    click(page, 0, 2)
    settled(page)
    assert page.evaluate(f"[...{BOARD}.trial]") == [[0, 1], [1, 1], [2, 2]]
    page.get_by_role("button", name="Take back").click()
    settled(page)
    assert shown(page)[0] == [1, 1, -1, -1, -1]
    page.get_by_role("button", name="Take back").click()
    settled(page)
    assert shown(page)[:2] == [[-1] * 5, [-1, 1, -1, -1, -1]]
    page.keyboard.press("Control+y")  # what was taken back can be had again
    page.get_by_role("button", name="Try something").click()
    settled(page)
    page.get_by_role("button", name="Keep").click()
    settled(page)
    assert shown(page)[0] == [1, -1, -1, -1, -1]
    assert kept(server, "heart", 22)["trials"] == 0


def test_clues_grey_out_when_they_are_settled(open_page: Open, server: Server) -> None:
    page = open_page()
    open_puzzle(page, server, "heart", 23, "free")
    states = f"() => {BOARD}.puzzle.rows.map((_, at) => {BOARD}.face.known('rows', at).state.done)"
    assert page.evaluate(states)[0] == [False, False]
    click(page, 0, 0, "right")
    click(page, 0, 1)
    settled(page)
    assert page.evaluate(states)[0] == [True, False]
    click(page, 0, 3)
    settled(page)
    assert page.evaluate(states)[0] == [True, True]
    drag(page, (4, 0), (4, 4))
    settled(page)
    assert page.evaluate(f"{BOARD}.face.known('rows', 4).state.bad") is True


@pytest.mark.slow
def test_no_clue_of_a_line_that_contradicts_it_is_struck(open_page: Open, server: Server) -> None:
    page = open_page()
    open_puzzle(page, server, "heart", 26, "free")
    states = f"Array.from({BOARD}.puzzle.rows, (_, at) => {BOARD}.face.known('rows', at).state)"
    for column in (0, 2, 4):  # the clue is 1 1
        click(page, 0, column)
    settled(page)
    assert page.evaluate(states)[0] == {"done": [False, False], "bad": True}  # as much is filled as the clue has
    click(page, 3, 0)  # the clue is 3, and this cell can be a part of it
    click(page, 3, 4)  # but not with this one
    settled(page)
    assert page.evaluate(states)[3] == {"done": [False], "bad": False}


@pytest.mark.slow
def test_which_runs_are_settled_is_found_by_brute_force(open_page: Open) -> None:
    """All clues and states of lines of 6 cells, of 4 in two colours: a run is struck where all that is left agrees."""
    page = open_page("#/play")
    page.wait_for_selector(".pack-card")
    faults = page.evaluate(
        """async () => {
            const { runsOf, settledRuns } = await import("/static/board/clues.js");
            const lines = (length, values) => length === 0 ? [[]]
                : lines(length - 1, values).flatMap((line) => values.map((value) => [...line, value]));
            const places = (line) => line.flatMap((value, at) => (value > 0 && value !== line[at - 1] ? [at] : []));
            const faults = [];
            for (const [length, values] of [[6, [0, 1]], [4, [0, 1, 2]]]) {
                const byClue = Map.groupBy(lines(length, values), (line) => JSON.stringify(runsOf(line)));
                for (const [clue, solutions] of byClue) {
                    for (const line of lines(length, [-1, ...values])) {
                        const can = (one) => one.every((value, at) => line[at] < 0 || line[at] === value);
                        const left = solutions.filter(can);
                        const { done, bad } = settledRuns(line, JSON.parse(clue));
                        const one = (run) => new Set(left.map((solution) => places(solution)[run])).size === 1;
                        const right = bad ? !left.length : done.every((is, run) => !is || one(run));
                        if (!right) faults.push([clue, line, done, bad]);
                    }
                }
            }
            return faults;
        }"""
    )
    assert faults == []


@pytest.mark.slow
def test_what_a_check_finds_is_framed(open_page: Open, server: Server) -> None:
    page = open_page()
    open_puzzle(page, server, "heart", 24, "free")
    drag(page, (0, 0), (0, 1))
    page.get_by_role("button", name="Check").click()
    settled(page)
    assert page.locator("#notice").inner_text() == "1 cell is wrong."
    assert page.evaluate(f"[...{BOARD}.outline]") == [[0, "wrong"]]
    assert kept(server, "heart", 24)["checks"] == 1


@pytest.mark.slow
def test_the_style_of_play_changes_after_a_question(open_page: Open, server: Server) -> None:
    page = open_page()
    open_puzzle(page, server, "heart", 25)
    click(page, 1, 1)
    settled(page)
    page.get_by_role("button", name="Free play").click()
    page.get_by_role("button", name="Cancel").click()
    assert kept(server, "heart", 25)["style"] == "lives"
    page.get_by_role("button", name="Free play").click()
    page.locator("dialog").get_by_role("button", name="Play freely").click()
    page.wait_for_selector("text=Try something")
    settled(page)
    assert kept(server, "heart", 25)["style"] == "free"
    assert cells(page) == [-1] * 25


@pytest.mark.slow
def test_numbers_and_notes(open_page: Open, server: Server) -> None:
    page = open_page()
    open_puzzle(page, server, "towers", 1, "free")
    click(page, 0, 0)
    press(page, "3 ArrowRight Shift+1 Shift+2 Shift+2 ArrowRight")
    settled(page)
    assert shown(page)[0] == [3, -1 - (1 << 1), -1, -1]
    page.get_by_role("button", name="Note").click()
    page.locator(".pad").get_by_role("button", name="4").click()
    settled(page)
    assert shown(page)[0][2] == -1 - (1 << 4)
    page.get_by_role("button", name="Number").click()
    page.locator(".pad").get_by_role("button", name="4").click()
    settled(page)
    assert shown(page)[0][2] == 4
    for row, line in enumerate(TOWERS.tolist()):
        for column, height in enumerate(line):
            if shown(page)[row][column] != height:
                click(page, row, column)
                page.keyboard.press(str(height))
    page.wait_for_selector(".panel strong")
    assert kept(server, "towers", 1)["state"] == "won"
    click(page, 0, 0)
    page.keyboard.press("1")
    settled(page)
    assert shown(page)[0][0] == 3  # a finished board is looked at


@pytest.mark.slow
def test_a_press_beside_the_cells_chooses_none(open_page: Open, server: Server) -> None:
    page = open_page()
    open_puzzle(page, server, "towers", 7, "free")
    four = page.locator(".pad").get_by_role("button", name="4")
    four.click()  # nobody has said where
    assert page.locator(".board-readout").inner_text() == "Choose a cell first."
    click(page, 0, 0)
    page.keyboard.press("3")
    click(page, 0, -0.9)  # on a clue
    assert lit(page) == []
    assert page.evaluate(f"{BOARD}.cursor.shown") is False
    page.keyboard.press("2")
    four.click()
    page.keyboard.press("Backspace")
    settled(page)
    assert shown(page)[0] == [3, -1, -1, -1]
    page.keyboard.press("ArrowRight")  # from where one was
    page.keyboard.press("2")
    settled(page)
    assert shown(page)[0] == [3, 2, -1, -1]


@pytest.mark.slow
def test_keys_go_on_after_a_button_beside_the_board(open_page: Open, server: Server) -> None:
    page = open_page()
    open_puzzle(page, server, "towers", 8, "free")
    click(page, 0, 0)
    page.get_by_role("button", name="4", exact=True).click()
    press(page, "ArrowRight 3 u")  # the first arrow moves, and U is undo as on the board
    settled(page)
    assert shown(page)[0] == [4, -1, -1, -1]
    page.get_by_role("button", name="Note").click()
    press(page, "ArrowDown 2")
    settled(page)
    assert (shown(page)[0], shown(page)[1]) == ([4, -1, -1, -1], [-1, -1 - 2**2, -1, -1])
    open_puzzle(page, server, "heart", 27)
    click(page, 1, 1)
    page.get_by_role("button", name="Mark").click()
    press(page, "ArrowUp ArrowLeft Space")
    settled(page)
    assert (shown(page)[0][0], shown(page)[1][1]) == (0, 1)
    page.get_by_role("button", name="Uncover").press("Enter")  # by a key, which does not come from the board
    assert not page.evaluate(f"{BOARD}.canvas.matches(':focus')")


@pytest.mark.slow
def test_a_wrong_number_costs_a_life(open_page: Open, server: Server) -> None:
    page = open_page()
    open_puzzle(page, server, "towers", 2)
    click(page, 0, 0)
    press(page, "1")
    settled(page)
    play = kept(server, "towers", 2)
    assert (play["lives"], play["wrong"], play["cells"][0]) == (2, [0], 3)


FINGERS = """(points) => {
    const canvas = document.querySelector("canvas.board-canvas");
    canvas.setPointerCapture = () => {}; // of fingers that a script has made
    const tell = (type, [x, y], pointerId) => canvas.dispatchEvent(new PointerEvent(`pointer${type}`,
        { pointerId, pointerType: "touch", clientX: x, clientY: y, bubbles: true, cancelable: true }));
    const before = window.fingers ?? [];
    before.slice(points.length).forEach((at, more) => tell("up", at, points.length + more));
    points.forEach((at, finger) => tell(finger < before.length ? "move" : "down", at, finger));
    window.fingers = points;
}"""


def touch(page: Any, engine: str, *points: tuple[float, float]) -> None:
    """The fingers are here now. Firefox's driver can tap only, so a script tells the board of them."""
    if engine == "firefox":
        page.evaluate(FINGERS, points)
        return
    page.session = getattr(page, "session", None) or page.context.new_cdp_session(page)
    kind = "touchEnd" if not points else "touchMove" if len(points) == page.fingers else "touchStart"
    page.fingers = len(points)
    where = [{"x": x, "y": y, "id": at} for at, (x, y) in enumerate(points)]
    page.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": where})


def test_fingers_swipe_and_pinch(open_page: Open, browser: Any, server: Server) -> None:
    page = open_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page.fingers, engine = 0, browser.engine
    open_puzzle(page, server, "heart", 26, "free")
    for cell in ((1, 0), (1, 1), (1, 2), (3, 4)):
        touch(page, engine, place(page, *cell))
    touch(page, engine)
    settled(page)
    assert shown(page)[1] == [1, 1, 1, 1, 1]
    before = page.evaluate(f"{BOARD}.view.cell")
    one, two = place(page, 2, 1), place(page, 2, 3)
    touch(page, engine, one)
    for step in range(6):
        touch(page, engine, (one[0] - 8 * step, one[1]), (two[0] + 8 * step, two[1]))
    touch(page, engine)
    settled(page)
    assert page.evaluate(f"{BOARD}.view.cell") > 1.3 * before
    assert shown(page)[2] == [-1] * 5  # the first finger's cell was taken back


@pytest.mark.slow
def test_a_finger_hits_the_cells_of_a_large_board(open_page: Open, server: Server) -> None:
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    page = open_page(**phone)
    open_puzzle(page, server, "pictures", 12)  # 25x25
    assert page.evaluate(f"{BOARD}.view.cell") >= 20
    assert page.locator(".board-readout").inner_text() == "Two fingers move the board and zoom. □ shows all of it."
    page.get_by_label("Fit the board").click()
    assert page.evaluate(f"{BOARD}.view.cell") < 16
    assert page.locator(".board-readout").inner_text() == ""
    open_puzzle(page, server, "heart", 26)
    assert page.evaluate(f"{BOARD}.view.fitted")
    page = open_page(viewport=phone["viewport"])  # with a mouse
    open_puzzle(page, server, "pictures", 12)
    assert page.evaluate(f"{BOARD}.view.fitted")


def test_clues_that_are_pointed_at_are_read_below_the_board(open_page: Open, server: Server) -> None:
    """On the board they are cut where they are long."""
    page = open_page()
    open_puzzle(page, server, "heart", 26, "free")
    readout, box = page.locator(".board-readout"), page.locator(CANVAS).bounding_box()
    x, y = place(page, 1, 2)
    page.mouse.move(box["x"] + 4, y)
    assert readout.inner_text() == "Row 2: 5"
    page.mouse.move(x, box["y"] + 4)
    assert readout.inner_text() == "Column 3: 4"
    page.mouse.move(x, y)
    assert readout.inner_text() == "Row 2: 5 · Column 3: 4"
    page.mouse.move(box["x"] + 2, box["y"] + 2)
    assert readout.inner_text() == ""
    page.mouse.click(box["x"] + 4, y)
    page.mouse.move(0, 0)
    assert readout.inner_text() == ""
    assert shown(page)[1] == [-1] * 5


@pytest.mark.slow
def test_a_stroke_is_one_move(open_page: Open, server: Server) -> None:
    page = open_page()
    open_puzzle(page, server, "heart", 27, "free")
    drag(page, (1, 0), (1, 4))
    settled(page)
    page.keyboard.press("Control+z")
    settled(page)
    assert cells(page) == [-1] * 25


@pytest.mark.slow
def test_given_cells_and_other_kinds_have_a_plain_board(open_page: Open, server: Server) -> None:
    """A kind that the page knows nothing of: numbers, and the text of the puzzle. On the board module itself."""
    page = open_page("#/play")
    page.wait_for_selector(".pack-card")
    page.evaluate(
        """async () => {
            const { default: board } = await import("/static/board.js");
            const { Model } = await import("/static/model.js");
            const shared = { kind: "sudoku", height: 2, width: 2, title: "", text: "" };
            const puzzle = { ...shared, given: [[0, 0, 12]], values: [1, 12] };
            const values = { puzzle, cells: [12, -1, -1, -1], mode: "play" };
            window.said = [];
            window.model = new Model(values, (message) => said.push(message));
            const el = document.getElementById("room");
            el.replaceChildren();
            window.end = board.render({ model, el });
        }"""
    )
    page.focus(CANVAS)
    press(page, "5 ArrowRight 1 2")
    assert cells(page) == [12, 12, -1, -1]  # a given cell stays; two digits are one number
    moves = page.evaluate("said.filter(({ type }) => type === 'move').map(({ changes }) => changes)")
    assert moves == [[[1, 1]], [[1, 12]]]
    page.evaluate("model.set('cells', [12, 3, -1, 4])")
    assert cells(page) == [12, 3, -1, 4]
    page.evaluate("model.set('overlay', { heat: [null, 0.5, 1, 0], outline: [[1, 1, 'used']], lines: [['row', 1]] })")
    page.evaluate("end()")
    assert page.locator(CANVAS).count() == 0


def test_drawing_is_freehand_and_clues_follow(open_page: Open, server: Server) -> None:
    page = open_page("#/play")
    page.wait_for_selector(".pack-card")
    page.evaluate(
        """async () => {
            const { default: board } = await import("/static/board.js");
            const { Model } = await import("/static/model.js");
            const clues = Array(6).fill([]);
            const shared = { kind: "nonogram", height: 6, width: 6, title: "", given: [], values: [0, 2] };
            const puzzle = { ...shared, rows: clues, columns: clues, palette: ["#ffffff", "#000000", "#cc0000"] };
            window.model = new Model({ puzzle, cells: Array(36).fill(0), mode: "edit", tool: 1 });
            const el = document.getElementById("room");
            el.replaceChildren();
            board.render({ model, el });
        }"""
    )
    drag(page, (0, 0), (3, 3), (3, 0))
    page.evaluate("model.set('tool', 2)")
    drag(page, (5, 0), (5, 2))
    page.evaluate("() => new Promise((done) => requestAnimationFrame(done))")
    assert page.evaluate(f"{BOARD}.puzzle.rows.map((_, at) => {BOARD}.face.known('rows', at).runs)") == [
        [[1, 1]],
        [[1, 1]],
        [[1, 1]],
        [[4, 1]],
        [],
        [[3, 2]],
    ]
    drag(page, (5, 2), (5, 1))  # begun on its own colour, it rubs out
    assert shown(page)[5] == [2, 0, 0, 0, 0, 0]


def lit(page: Any) -> list[int]:
    """The rows whose clues are shaded, by their pixels."""
    rows: list[int] = page.evaluate(
        f"""async () => {{
            await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
            const {{ view: {{ x, y }}, sheet, puzzle }} = {BOARD};
            const copy = new OffscreenCanvas(x.length, y.length).getContext("2d", {{ willReadFrequently: true }});
            copy.drawImage(sheet.context.canvas, 0, 0, x.length, y.length);
            const at = (left, top) => copy.getImageData(left, top, 1, 1).data.join();
            const paper = at(1, 1);
            const left = x.edge(0) - x.before + 2;
            return [...Array(puzzle.height).keys()].filter((row) => at(left, y.edge(row) + 3) !== paper);
        }}"""
    )
    return rows


@pytest.mark.parametrize("pack", ["heart", "towers"])
def test_the_cursors_lines_are_shaded_while_somebody_is_at_the_board(
    open_page: Open, server: Server, pack: str
) -> None:
    page = open_page()
    open_puzzle(page, server, pack, 2)
    assert lit(page) == []
    page.mouse.move(*place(page, 2, 1))
    assert lit(page) == [2]
    page.mouse.move(2, 2)
    assert lit(page) == []
    page.focus(CANVAS)
    press(page, "ArrowDown")
    assert lit(page) == [1]
    page.locator("summary").focus()
    # numbers are chosen beside the board: there the cursor stays
    assert lit(page) == ([1] if pack == "towers" else [])


def test_an_explanations_board_shades_nothing_of_its_own(open_page: Open, server: Server) -> None:
    page = open_page("#/explain?pack=heart&puzzle=3")
    page.locator(".steps li").first.wait_for(timeout=120_000)
    assert lit(page) == []
    page.get_by_role("button", name="Next").click()
    assert sorted({index for name, index in page.evaluate(f"{BOARD}.lines") if name == "row"}) == lit(page)
