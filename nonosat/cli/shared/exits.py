"""Exit codes: those of SAT solvers for an answer, and what else a command may end with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nonosat.counting.answer import Tally
    from nonosat.runs.events import Conclusion

DONE, FAILED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130
SAT, UNSAT, NO_ANSWER = 10, 20, 0
NO_READER = 141  # as of a process that SIGPIPE ended


def exit_code(answers: Sequence[Conclusion[Any] | Tally]) -> int:
    """That of several answers: a failure counts most, then the lack of an answer, then a solution."""
    verdicts = {str(answer.verdict) for answer in answers}
    if verdicts & {"WRONG", "CRASH"} or any(str(answer.stopped) == "CRASH" for answer in answers):
        return FAILED
    if verdicts - {"SAT", "UNSAT"}:
        return NO_ANSWER
    return SAT if "SAT" in verdicts else UNSAT
