"""The checker with and without machine code says the same; numbers that 64 bits do not hold are refused, or exact."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest
from modes import no_machine_code
from test_certificates import ACCEPTED, PUZZLES, REFUSED, SMALL, VERSIONS, Mutator, made, old

import nonosat
from nonosat.certificates.certify import check_files
from nonosat.certificates.checker import RefusedError, propagation
from nonosat.certificates.checker.proof import check
from nonosat.generators.density import random_density

CHECKER = Path(propagation.__file__).parent


def said(stated: list[str], proof: list[str]) -> str:
    try:
        return repr(check(stated, proof))
    except RefusedError as refused:
        return str(refused)


@pytest.mark.parametrize("each", [5, pytest.param(1, marks=pytest.mark.slow)])
def test_both_modes_give_the_same_verdict(each: int, monkeypatch: pytest.MonkeyPatch) -> None:
    mutator, inputs = Mutator(3), [(SMALL, proof) for proof, *_ in (*ACCEPTED.values(), *REFUSED.values())]
    for puzzle in PUZZLES:
        for version in VERSIONS:
            stated, proof = made(puzzle, version)
            inputs += [(stated, proof), *((stated, mutator.mutated(proof)) for _ in range(30 // each))]
            inputs += [(mutator.mutated(stated), proof) for _ in range(10 // each)]
    fast = [said(*pair) for pair in inputs]
    assert propagation.MACHINE_CODE
    no_machine_code(monkeypatch)
    assert [said(*pair) for pair in inputs] == fast
    assert len({text[:30] for text in fast}) > 20


def test_batches_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    """A real certificate with deletions, all steps at one go or a few at a time."""
    from nonosat.certificates.checker import constraints

    certificate = nonosat.certify(random_density(12, 12, 0.45, seed=47), solver="cadical195")
    stated, proof = (path.read_text().splitlines() for path in (certificate.statement, certificate.proof))
    assert any(line.startswith("del") for line in proof)
    wrong = [*proof[:-6], "rup 1 ~x0_0_1 1 x5_5_1 >= 1 ;", *proof[-6:]]
    several = [*wrong[:40], "rup 1 x0_0_1 >= 1 ;", *wrong[40:]]
    whole = [said(stated, lines) for lines in (proof, wrong, several)]
    monkeypatch.setattr(constraints, "_BATCH", 7)
    assert [said(stated, lines) for lines in (proof, wrong, several)] == whole


@pytest.mark.slow
def test_it_works_where_numba_is_switched_off(tmp_path: Path) -> None:
    certificate = nonosat.certify(random_density(8, 8, 0.5, seed=2))
    code = (
        "import sys; from nonosat.certificates.certify import check_files; print(check_files(*sys.argv[1:])); "
        "print('numba' in sys.modules)"
    )
    command = [sys.executable, "-c", code, str(certificate.statement), str(certificate.proof)]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert done.stdout.splitlines() == [str(check_files(certificate.statement, certificate.proof)), "False"]


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        (f"rup {10**9} xx >= 1 ;", "at most 9 digits"),
        (f"rup 1 xx >= {2**63} ;", "at most 9 digits"),
        (f"pol 1 {10**9} *", "at most 9 digits"),
        ("pol 1 999999999 * 999999999 * ", "more than 2\\*\\*60"),
        ("pol 1" + " 999999999 *" * 40, "more than 2\\*\\*60"),
        (f"del id {2**64}", "at most 9 digits"),
    ],
)
def test_numbers_that_64_bits_do_not_hold(step: str, reason: str) -> None:
    with pytest.raises(RefusedError, match=reason):
        check(SMALL, old(step))


def test_what_is_derived_on_the_way_may_be_larger() -> None:
    """Multiplied and divided by as much, in exact numbers."""
    step = "pol 1" + " 999999999 *" * 40 + " 999999999 d" * 40
    assert check(SMALL, old(step, "v xx ~yy zz")).solutions == 1


def test_the_largest_that_are_taken_do_not_wrap() -> None:
    """A sum near 2**60 whose opposite and slack are near it too."""
    stated = ["1 xx 1 yy 1 zz >= 1 ;"]
    head = ["pseudo-Boolean proof version 1.1", "f 1", "pol 1 384307168 * 999999999 *"]
    assert check(stated, [*head, "rup 1 xx 1 yy 1 zz >= 1 ;", "v xx yy zz"]).solutions == 1
    with pytest.raises(RefusedError, match="line 4: propagation"):
        check(stated, [*head, "rup 1 xx 1 yy >= 1 ;"])


def code_lines(path: Path) -> int:
    """Lines of a file that are neither blank, nor a comment, nor of a docstring."""
    text = path.read_text(encoding="utf-8")
    texts = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Expr)]
    docs = [node for node in texts if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)]
    said = {line for node in docs for line in range(node.lineno, (node.end_lineno or 0) + 1)}
    lines = enumerate(text.splitlines(), 1)
    return sum(number not in said and line.strip()[:1] not in ("", "#") for number, line in lines)


def test_it_is_as_short_as_documented() -> None:
    """docs/certificates.md tells how many lines are to be trusted."""
    files = sorted(CHECKER.glob("*.py"))
    code, every = sum(map(code_lines, files)), [len(path.read_text(encoding="utf-8").splitlines()) for path in files]
    told = (Path(__file__).parent.parent / "docs/certificates.md").read_text(encoding="utf-8")
    assert code < 400
    assert f"{code} lines of code, {sum(every)} with texts and blank lines" in told
    for path, count in zip(files, every, strict=True):
        assert path.name == "__init__.py" or f"| `{path.name}` | {count} |" in told
    nonogram, skyscrapers, both = (
        code_lines(CHECKER.parent / "statement" / f"{name}.py") for name in ("nonogram", "skyscrapers", "model")
    )
    stated = f"{nonogram} lines of code for nonograms, {skyscrapers} for Skyscrapers, {both}"
    assert stated in told.replace("\n  ", " "), stated
