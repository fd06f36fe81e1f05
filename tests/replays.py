"""Explanations replayed: every step checked and told, on a board that they fill; sentences read back as facts."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np

import nonosat
from nonosat.explanations.explain import explain, explainer_of, fault
from nonosat.explanations.nonogram.line import names
from nonosat.explanations.steps import ERROR, Fact, Step
from nonosat.explanations.techniques import hardest
from nonosat.puzzles.nonogram import Nonogram
from nonosat.puzzles.puzzle import Puzzle


def replayed(puzzle: Puzzle, board: object = None) -> list[Step]:
    """All steps; without an error among them, the board they end in is a solution unless cells are left open."""
    rows = np.full(puzzle.shape, -1) if board is None else np.array(board)
    for row, column, value in puzzle.given:
        rows[row, column] = value
    left, steps = int((rows == -1).sum()), []
    for step in explain(puzzle, rows):
        assert fault(puzzle, step) is None, step
        assert step.technique == hardest(inference.technique for inference in step.inferences) or not step.fixes
        assert step.sentence[0].isupper()
        assert step.sentence.endswith(".")
        check_sentences(puzzle, step)
        for fact in step.known:
            assert (rows[fact.row, fact.column],) == fact.values
        for row, column, (value,) in step.fixes:
            assert rows[row, column] == -1
            rows[row, column] = value
        steps.append(step)
    errors = sum(step.technique == ERROR for step in steps)
    assert len(steps) <= left - int((rows == -1).sum()) + errors
    if not errors:
        assert not (rows == -1).any()
        assert nonosat.fault(puzzle, puzzle.picture(rows)) is None
    return steps


Cells = dict[tuple[int, int], set[int]]
"""The values that a sentence, or facts, leave to (row, column), both from 0."""


def check_sentences(puzzle: Puzzle, step: Step) -> None:
    """The sentence of a step names exactly the cells that it fixes; those of its inferences, exactly what they give."""
    assert stated(puzzle, step.sentence) == left_by(step.fixes), step
    for inference in (one for each in step.inferences for one in each.within()):
        assert stated(puzzle, inference.sentence) == left_by(inference.gives), inference


def left_by(facts: Iterable[Fact]) -> Cells:
    """What facts leave to their cells."""
    left: Cells = {}
    for row, column, values in facts:
        left[row, column] = left.get((row, column), set(values)) & set(values)
    return left


def stated(puzzle: Puzzle, sentence: str) -> Cells:
    """What a sentence concludes, read from its words alone; nothing where it concludes that something is wrong."""
    words = names(puzzle.palette) if isinstance(puzzle, Nonogram) else ()
    least, most = explainer_of(puzzle).values(puzzle)
    by_word = {words[v] if words else str(v): v for v in range(least, most + 1)}
    word = "(?:" + "|".join(sorted(map(re.escape, by_word), key=len, reverse=True)) + r")(?!\w)"
    value = f"(?:not {word}|neither {word}(?:, {word})* nor {word}|{word}(?:, {word})* or {word}|{word})"
    numbers = r"\d+(?: to \d+)?(?:(?:, | and )\d+(?: to \d+)?)*"

    def allowed(text: str) -> set[int]:
        named = {by_word[each] for each in re.findall(word, text)}
        return set(by_word.values()) - named if text.startswith(("not ", "neither ")) else named

    ends = r"(?=\.$|; row|, because of|, since nothing|: if it were| \((?:a|the) solution)"
    if cells := re.findall(rf"\b[Rr]ow (\d+), column (\d+) is ({value}){ends}", sentence):
        return {(int(row) - 1, int(column) - 1): allowed(text) for row, column, text in cells}
    line = re.match(r"(Row|Column) (\d+):", sentence) or re.search(r"say that in (row|column) (\d+) ", sentence)
    if line is None:
        return {}
    one = rf"(?:rows?|columns?) (?:{numbers}) (?:is|are) (?:{value})"
    clauses: list[tuple[str, str]] = []
    if single := re.search(r"only (?:row|column) (\d+) is left for the (\d+)\.$", sentence):
        clauses = [(single[1], single[2])]
    elif single := re.search(r"only (\d+) is left for (?:row|column) (\d+)\.$", sentence):
        clauses = [(single[2], single[1])]
    elif tail := re.search(rf"\b{one}(?:(?:, | and ){one})*(?=\.$)", sentence):
        clauses = re.findall(rf"(?:rows?|columns?) ({numbers}) (?:is|are) ({value})", tail[0])
    found: Cells = {}
    for places, text in clauses:
        for first, last in re.findall(r"(\d+)(?: to (\d+))?", places):
            for cell in range(int(first) - 1, int(last or first)):
                place = (int(line[2]) - 1, cell) if line[1].lower() == "row" else (cell, int(line[2]) - 1)
                assert place not in found, sentence
                found[place] = allowed(text)
    return found
