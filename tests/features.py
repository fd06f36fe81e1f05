"""What the workbench does, and the tests of `tests/browser/` that show the result of each.

Each of these tests runs in both browsers, wide and narrow, light and dark: `LOOKS`. One that has the schemes itself
(``scheme``) runs in both browsers and sizes. `make test-nightly` has all of them, and ends with a table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product
from typing import Any, NamedTuple

SIZES = {"wide": {"width": 1280, "height": 800}, "narrow": {"width": 390, "height": 844}}


class Look(NamedTuple):
    """How a page is looked at. The narrow ones are touched."""

    engine: str
    size: str = "wide"
    scheme: str = "light"

    @property
    def name(self) -> str:
        """What differs from wide and light, as tests are named."""
        return "-".join([self.engine, *(part for part in self[1:] if part not in ("wide", "light"))])

    @property
    def options(self) -> dict[str, Any]:
        """Playwright's, for a context."""
        narrow = self.size == "narrow"
        return {
            "viewport": SIZES[self.size],
            "color_scheme": self.scheme,
            **({"has_touch": True, "is_mobile": True} if narrow else {}),
        }


LOOKS = [Look(*parts) for parts in product(("chromium", "firefox"), SIZES, ("light", "dark"))]

WALEJKO = {
    "1 two places, play opens first": ["test_feature_01_play_opens_first"],
    "2 pack cards: name, icon, percentage": ["test_feature_02_a_pack_card_has_name_icon_and_percentage"],
    "3 puzzle cards: grey, silver, gold; begun": ["test_feature_03_cards_are_grey_silver_and_gold"],
    "4 a zoomable board": ["test_feature_04_the_board_zooms"],
    "5 uncover and mark": ["test_feature_05_uncover_and_mark", "test_an_error_is_red"],
    "6 swipe": [
        "test_feature_06_a_swipe_takes_its_operation_from_the_first_cell",
        "test_feature_06_the_second_cell_locks_the_line",
        "test_an_error_ends_the_swipe",
    ],
    "7 lives, and the game starts anew": ["test_feature_07_too_many_errors_begin_the_game_anew"],
    "8 state and cells are kept": ["test_feature_08_what_is_played_is_there_again"],
    "9 SQLite": ["test_feature_09_it_is_kept_in_sqlite"],
    "10 list of puzzles; delete after a question": [
        "test_feature_10_a_list_of_predefined_and_entered_puzzles_deleted_after_a_question"
    ],
    "11 entry clue by clue": ["test_feature_11_clues_are_entered_number_by_number"],
    "12 solve: the board fills in, the time": ["test_feature_12_solve_fills_the_board_and_shows_the_time"],
    "13 all solutions, or that there is one": ["test_feature_13_all_solutions_are_browsed_or_there_is_one"],
    "14 packs are unique, and solvable as labelled": ["test_feature_14_packed_puzzles_are_judged"],
    "15 a solved puzzle shows its colours": [
        "test_feature_15_a_solved_puzzle_shows_its_colours",
        "test_feature_15_with_several_colours",
    ],
}
"""The thesis' app (Wałejko 2022)."""

OTHERS = {
    "by keyboard alone": [
        "test_a_puzzle_is_solved_by_the_keyboard_alone",
        "test_the_keys_are_those_of_tathams_pattern",
        "test_drawing_by_keyboard_alone",
    ],
    "undo and redo without end": ["test_undo_and_redo_have_no_end"],
    "a puzzle as a short text": [
        "test_a_text_is_shared_and_pasted_in_play",
        "test_game_ids_of_simon_tathams_programs_are_pasted",
    ],
    "several colours": ["test_the_wrong_colour_is_an_error", "test_colours_are_added_drawn_and_exported"],
    "settled clues grey out": ["test_clues_grey_out_when_they_are_settled"],
    "check without lives, timer": ["test_what_a_check_finds_is_framed", "test_the_clock_runs_and_is_kept"],
    "trials, nested": ["test_trials_are_nested_and_taken_back_whole"],
    "image, file and booklet out": ["test_a_drawing_is_exported_as_an_image", "test_print_gives_a_pdf"],
    "a light and a heat map while drawing": [
        "test_a_drawing_has_clues_and_a_light_that_follows",
        "test_heat_differences_and_a_repair_are_on_the_board",
        "test_heat_is_full_or_framed_where_one_cell_makes_it_unique",
    ],
    "what all solutions share, while editing": ["test_skyscrapers_are_made_of_clues_and_given_heights"],
    "the next step, explained": [
        "test_an_explanation_is_walked_and_begins_anywhere",
        "test_hints_are_counted_in_the_play",
    ],
}
"""What the best of the others have."""

OWN = {
    "watch: four at once, held, stepped, replayed": [
        "test_four_searches_side_by_side_are_live_held_and_stepped",
        "test_a_race_is_replayed_by_its_events_and_from_a_file",
        "test_a_closed_tab_ends_its_processes",
    ],
    "compare encodings; formula, proof, certificate": [
        "test_encodings_are_compared_on_this_board",
        "test_formula_map_proof_and_certificate_are_taken_away",
    ],
    "studies, and a record on the board": [
        "test_studies_are_listed_and_a_records_puzzle_is_opened",
        "test_two_records_of_a_puzzle_are_raced",
        "test_a_cell_of_the_heat_map_opens_its_run",
        "test_a_report_is_shown_and_runs_its_own_script_only",
    ],
    "Skyscrapers, and kinds that nobody knows": [
        "test_numbers_and_notes",
        "test_given_cells_and_other_kinds_have_a_plain_board",
    ],
    "new puzzles by size and difficulty": ["test_a_new_puzzle_comes_as_it_is_wanted_and_another_like_it"],
    "a photograph becomes a puzzle": ["test_an_image_is_previewed_and_used"],
    "a page to play offline": ["test_a_shared_page_is_played_without_a_server"],
    "the first puzzles, step by step": [
        "test_the_first_nonogram_is_solved_by_the_hints_of_the_page",
        "test_the_first_skyscrapers_are_solved_by_the_hints_of_the_page",
    ],
    "axe finds nothing": [
        "test_axe_finds_nothing",
        "test_axe_finds_nothing_in_make",
        "test_axe_finds_nothing_in_watch",
        "test_axe_finds_nothing_in_explain",
        "test_axe_finds_nothing_in_studies",
    ],
    "what is painted can be read": [
        "test_what_is_written_on_the_board_can_be_read",
        "test_times_can_be_read_on_the_heat_map",
        "test_a_code_is_black_on_white_in_the_dark_too",
    ],
    "spoken; the focus is seen": ["test_a_screen_reader_hears_the_cell_and_its_clues", "test_the_focus_is_seen"],
}
"""What none of them has, and how it is for everybody."""

FEATURES: dict[str, list[str]] = {**WALEJKO, **OTHERS, **OWN}
TESTS = {test for tests in FEATURES.values() for test in tests}


def told(outcomes: Mapping[tuple[str, str], Iterable[str]]) -> list[str]:
    """The lines of a table of features by looks. ``outcomes`` has those of a test in a look, as pytest names them.

    ``ok`` is nothing but passed; a test that has the schemes itself stands in the light columns.
    """
    heads = [look.name.replace("chromium", "C").replace("firefox", "F") for look in LOOKS]
    wide = max(map(len, FEATURES))
    lines = ["  ".join([" " * wide, *heads])]
    for feature, tests in FEATURES.items():
        cells = []
        for look, head in zip(LOOKS, heads, strict=True):
            seen = {one for test in tests for one in outcomes.get((test, look.name), ())}
            word = "-" if not seen else "FAILS" if seen & {"failed", "error"} else "skip" if "skipped" in seen else "ok"
            cells.append(word.ljust(len(head)))
        lines.append("  ".join([feature.ljust(wide), *cells]).rstrip())
    return lines
