"""What commands do with models (``.csp``, ``.py``, ``.xml``, ``.cnf``), in place of puzzles."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from nonosat.cli.shared.commands import Exit, exit_code, printing_if_interrupted
from nonosat.cli.shared.output import note, plural, print_json, proof_record, warn
from nonosat.cli.shared.puzzles import load_solver
from nonosat.errors import LimitReachedError, UnsupportedError
from nonosat.files import shown, suffix_of

if TYPE_CHECKING:
    from nonosat.modelling.model import Model
    from nonosat.modelling.solve import ModelAnswer, Solution
    from nonosat.progress import Ticker


def named(files: Sequence[str], from_format: str | None = None) -> list[str]:
    """The files, if there are models in them; else none. UnsupportedError: puzzles, too.

    In the place of a folder without a puzzle come the models below it, but for Python files, which would be run. XCSP3
    with a format named is a puzzle.
    """
    from nonosat.modelling.files import SUFFIXES, is_model

    found: list[str] = []
    others: list[str] = []
    for name in files:
        if below := _models_below(name) if from_format is None else []:
            found += below
        else:
            (found if is_model(name, sniff=from_format is None) else others).append(name)
    if found and others:
        known = ", ".join(SUFFIXES)
        raise UnsupportedError(f"{shown(others[0])} is no model ({known}), and others are")
    return found


def _models_below(folder: str) -> list[str]:
    from nonosat.cli.shared.puzzles import files_below
    from nonosat.modelling.files import is_model

    if folder == "-" or not Path(folder).is_dir():
        return []
    below = files_below(folder, (".csp", ".cnf", ".xcsp3", ".xcsp"))
    return below if all(map(is_model, below)) else []


def loaded(files: Sequence[str], show: Ticker, index: int | None = None) -> Iterator[tuple[str, Model]]:
    """Each model in the files, with its file's name; ``index``: the one of this number, from 1."""
    from nonosat.modelling.files import chosen

    for name in files:
        show(f"reading {shown(name)}")
        yield from chosen(name, index)


def loaded_one(file: str, show: Callable[[str], None], index: int | None = None) -> tuple[str, Model]:
    """As ``loaded``, for commands that take one. UnsupportedError: there are several."""
    from nonosat.modelling.files import chosen

    show(f"reading {shown(file)}")
    models = chosen(file, index)
    if len(models) > 1:
        raise UnsupportedError(f"{shown(file)}: there are {len(models)} models in it: --index N takes one")
    return models[0]


def refuse(**given: Any) -> None:
    """UnsupportedError: an option that is for puzzles alone."""
    for option, value in given.items():
        if value is not None and value is not False:
            word = {"from_format": "from"}.get(option, option.replace("_", "-"))
            raise UnsupportedError(f"--{word} is for puzzles: a model has no such thing")


def solve(
    files: Sequence[str],
    show: Ticker,
    solver: str | None,
    output: str,
    limits: dict[str, Any],
    index: int | None,
    **how: Any,
) -> Exit:
    """Solve each, and print the solutions, or the best one."""
    answers: list[ModelAnswer] = []
    from nonosat.solvers.registry import DEFAULT_SAT

    chosen = load_solver(solver or DEFAULT_SAT, limits)
    how = {name: value for name, value in how.items() if value is not None or name == "count"}
    for name, model in loaded(files, show, index):
        show(f"solving {shown(name)} with {chosen.name}")
        tell = partial(_print_answer, name, output=output)
        with printing_if_interrupted(show, tell):
            answers.append(model.solve(solver=chosen, **how, **limits))
        show.hide()
        tell(answers[-1])
    return exit_code(answers)


def _print_answer(name: str, answer: ModelAnswer, output: str) -> None:
    if output == "json":
        print_json(answer.record(), file=name)
        return
    if answer.solutions:
        print("\n\n".join(map(solution_text, answer.solutions)), flush=True)
    words = [str(answer.verdict)]
    if answer.objective is not None:
        words.append(f"objective {answer.objective} ({answer.proved})")
    elif answer.unique is not None and answer.solutions:
        words.append(
            "the only solution" if answer.unique else f"{plural(len(answer.solutions), 'solution')}, not unique"
        )
    words += [str(answer.stopped)] if answer.stopped is not None and answer.solutions else []
    words += [str(answer.reason)] if answer.reason else []
    about = answer.statistics
    size = f" · {about.variables:,} variables, {about.clauses:,} clauses" if about.clauses is not None else ""
    seconds = f" · {about.total_s:.3f} s" if about.timed else ""
    by = answer.solver + (f", {answer.encoding}" if answer.encoding else "")
    note(f"{shown(name)}: {', '.join(words)} · {by}{size}{seconds}")


def decode(file: str, cnf: str, solver_output: str, output: str) -> Exit:
    """Print the solution in a solver's output for a model's formula."""
    from nonosat.modelling.decode import decode_output
    from nonosat.modelling.files import load_model

    answer = decode_output(load_model(file), cnf, solver_output)
    _print_answer(solver_output, answer, output)
    return exit_code([answer])


def solution_text(solution: Solution) -> str:
    """A line a variable or array."""
    lines = []
    for name in solution.statement.blocks:
        value = solution[name]
        lines.append(f"{name} = {value.tolist() if hasattr(value, 'tolist') else value}")
    return "\n".join(lines)


def count(
    files: Sequence[str], show: Ticker, encoding: str | None, output: str, how: dict[str, Any], index: int | None
) -> Exit:
    """Count the solutions of each; ``how``: limits, and about an approximation."""
    from nonosat.cli.shared.tallies import format_number
    from nonosat.counting.answer import json_text

    counts = []
    for name, model in loaded(files, show, index):
        show(f"counting {shown(name)}")
        counts.append(model.count(**_encoding(encoding), **how))
        show.hide()
        found = counts[-1]
        if output == "json":
            print_json(found.record(), file=name, write=json_text)
            continue
        print(format_number(found), flush=True)
        few = "; solve --all lists them, which is faster where there are few"
        few = few if found.reason and model.objective is None else ""
        note(f"{shown(name)}: {found.reason or found.verdict}{few} · {found.counter}")
    return exit_code(counts)


@contextmanager
def limited(name: str) -> Iterator[None]:
    """A limit that was reached in this context is printed; the command ends, without an answer."""
    try:
        yield
    except LimitReachedError as reached:
        print(reached.verdict, flush=True)
        note(f"{shown(name)}: {reached}")
        raise click.exceptions.Exit(Exit.NO_ANSWER) from None


def sample(
    files: Sequence[str], show: Ticker, draws: int, seed: int, output: str, limits: dict[str, Any], index: int | None
) -> Exit:
    """Draw solutions of each."""
    code = Exit.SAT
    for name, model in loaded(files, show, index):
        with limited(name):
            found = model.sample(draws, seed, **limits)
        show.hide()
        code = code if found.draws else Exit.UNSAT
        if output == "json":
            drawn = [solution.dict() for solution in found.draws]
            print(json.dumps({"draws": drawn, "solutions": found.solutions, "seed": seed}), flush=True)
            continue
        print("\n\n".join(map(solution_text, found.draws)), flush=True)
        note(f"{shown(name)}: {plural(len(found.draws), 'draw')} from {found.solutions:,}")
    return code


def backbone(
    files: Sequence[str], show: Ticker, encoding: str | None, output: str, limits: dict[str, Any], index: int | None
) -> Exit:
    """Print what all solutions of each share."""
    codes = []
    for name, model in loaded(files, show, index):
        found = model.backbone(**_encoding(encoding), **limits)
        show.hide()
        codes.append({"SAT": Exit.SAT, "UNSAT": Exit.UNSAT}.get(str(found.verdict), Exit.NO_ANSWER))
        if output == "json":
            record = {"verdict": str(found.verdict), "backbone": found.fixed, "complete": found.complete}
            print(json.dumps(record), flush=True)
            continue
        for variable, value in found.fixed.items():
            print(f"{variable} = {value}", flush=True)
        known = f"{len(found.fixed)} of {len(model.domains)} variables are the same in all solutions"
        note(f"{shown(name)}: {known if codes[-1] is Exit.SAT else found.verdict}")
    return next((code for code in codes if code is not Exit.SAT), Exit.SAT)


def explain(file: str, show: Ticker, index: int | None, output: str, limits: dict[str, Any]) -> Exit:
    """Print why there is no solution."""
    name, model = loaded_one(file, show, index)
    show(f"explaining {shown(name)}")
    with limited(name):
        why = model.explain(**limits)
    show.hide()
    if output == "json":
        sure = {"minimal": why.minimal, "smallest": why.smallest, "stopped": why.stopped}
        print(json.dumps({"holds": why.holds, "constraints": list(why.constraints), **sure}))
    elif why.holds:
        print("\n".join(why.constraints))
        fewer = "" if why.smallest else "; there may be fewer" if why.minimal else "; some can perhaps be left out"
        ended = "" if why.stopped is None else f" ({why.stopped})"
        note(f"{shown(name)}: these constraints have no solution{fewer}{ended}")
    else:
        note(f"{shown(name)}: there is a solution; `nonosat solve` finds it")
    return Exit.DONE


def certify(
    file: str, show: Ticker, index: int | None, out: str, output: str, limits: dict[str, Any], **how: Any
) -> Exit:
    """Write what a model means and the proof that its solutions, or its best one, are all; print what is proved."""
    from nonosat.files import check_folder, unpacked_name

    check_folder(out)  # before the work, not after it
    name, model = loaded_one(file, show, index)
    show(f"certifying {shown(name)}")
    with limited(name):
        made = model.certify(**{word: value for word, value in how.items() if value is not None}, **limits)
    show.hide()
    stem = "model" if file == "-" else unpacked_name(file).stem
    stem = stem if index is None else f"{stem}-{index}"
    files = None if made.pbp is None else made.write(out, stem)
    opb, pbp = (None, None) if files is None else map(str, files)
    if output == "json":
        record = {
            "file": file,
            "proved": None if files is None else made.claim,
            "solutions": [solution.dict() for solution in made.solutions],
            "objective": None
            if model.objective is None or not made.solutions
            else made.solutions[0][model.objective.expression],
            "encoding": made.encoding,
            "solver": made.solver,
            "lines": None if made.pbp is None else len(made.pbp),
            "opb": opb,
            "pbp": pbp,
        }
        print(json.dumps(record), flush=True)
    else:
        print(made.claim, flush=True)
        about = f"{made.solver}, {made.encoding}"
        proof = (
            "nothing is proved" if made.pbp is None else f"proved and checked · {len(made.pbp):,} lines · {opb}, {pbp}"
        )
        note(f"{shown(name)}: {proof} · {about}")
    return Exit.SAT if made.pbp is None or len(made.solutions) > 1 else Exit.UNSAT


def check_certificate(file: str, show: Ticker, index: int | None, opb: str, pbp: str) -> Exit:
    """Does the proof prove what it claims of the model in ``file``? Prints what is proved, or why not."""
    from nonosat.modelling.certify import OtherModelError, read_certificate

    name, model = loaded_one(file, show, index)
    show("checking")
    try:
        certificate = read_certificate(model, opb, pbp)
        fault = certificate.fault()
    except OtherModelError as error:
        warn(f"{shown(pbp)}: {error}")
        return Exit.FAILED
    show.hide()
    if fault is not None:
        warn(f"{shown(pbp)}: {fault}")
        return Exit.FAILED
    print(certificate.claim, flush=True)
    note(f"{shown(pbp)}: proved of {shown(name)}")
    return Exit.DONE


def prove(
    file: str, show: Ticker, index: int | None, out: str, checked: bool, output: str, limits: dict[str, Any], **how: Any
) -> Exit:
    """Write the formula of a model and a DRAT proof that it has no model; print what is proved."""
    from nonosat.files import check_folder
    from nonosat.solvers.sat.proofs import COMMANDS

    check_folder(out)
    name, model = loaded_one(file, show, index)
    show(f"proving {shown(name)}")
    with limited(name):
        made = model.prove(**{word: value for word, value in how.items() if value is not None}, **limits)
    about = f"{made.solver}, {made.encoding}"
    record = proof_record(made, out, checked) | {"solution": None if made.solution is None else made.solution.dict()}
    if made.steps is None:
        show.hide()
        if output == "json":
            print_json(record, None, file, index)
        note(f"{shown(name)}: {made.claim}, nothing is proved · {about}")
        return Exit.SAT
    made.write(out)
    show("checking (--no-check skips it)")
    fault = made.fault() if checked else None
    show.hide()
    if fault is not None:
        warn(f"{shown(name)}: the proof that {made.claim} does not hold: {fault}")
        return Exit.FAILED
    if output == "json":
        print_json(record, None, file, index)
        return Exit.UNSAT
    print("\n".join(COMMANDS), flush=True)
    state = "proved and checked" if checked else "proved, not checked"
    size = plural(len(made.steps), "step")
    note(f"{shown(name)}: {made.claim}: {state} · {about} · {size} · to check it in {out}: as printed")
    return Exit.UNSAT


def equivalent(one: str, other: str, show: Ticker, output: str, limits: dict[str, Any], **how: Any) -> Exit:
    """Print whether two models have the same solutions, or one that only one of them has."""
    (name, first), (_, second) = loaded_one(one, show), loaded_one(other, show)
    show(f"comparing {shown(one)} and {shown(other)}")
    found = first.equivalent(second, **{word: value for word, value in how.items() if value is not None}, **limits)
    show.hide()
    witness = found.witness
    has = None if witness is None else one if witness.statement is first else other
    if output == "json":
        record = {
            "equivalent": found.same,
            "only": has,
            "solution": None if witness is None else witness.dict(),
            "reason": found.reason,
        }
        print(json.dumps(record), flush=True)
    else:
        words = {True: "the same solutions", False: f"a solution of {has} only", None: "not known"}
        print(words[found.same] + ("" if witness is None else f":\n{solution_text(witness)}"), flush=True)
        if found.reason:
            note(f"{shown(name)}: {found.reason}")
    return {True: Exit.DONE, False: Exit.FAILED, None: Exit.NO_ANSWER}[found.same]


def encode(file: str, index: int | None, out: str, encoding: str | None) -> None:
    """Write a model as DIMACS, WCNF or OPB, or in Sugar's language."""
    from nonosat.files import write_atomically

    _, model = loaded_one(file, lambda _: None, index)
    if suffix_of(out) == ".csp":
        if encoding is not None:
            raise UnsupportedError(f"{shown(out)}: a CSP in Sugar's language has no encoding; leave --encoding out")
        from nonosat.csp.sugar.writing import sugar

        write_atomically(out, sugar(model))
        if model.projection is not None:
            note(f"{out}: lost: the projection (solutions differ in all variables there)")
        return
    encoded = model.encode(**_encoding(encoding))
    {".opb": encoded.to_opb, ".wcnf": encoded.to_wcnf}.get(suffix_of(out), encoded.to_dimacs)(out)
    if encoded.goal is not None and suffix_of(out) not in (".opb", ".wcnf"):
        note(f"{out}: lost: the objective (.wcnf and .opb have it)")
    note(f"{out}: {encoded.variables:,} variables, {encoded.clauses:,} clauses ({encoded.encoding})")


def _encoding(encoding: str | None) -> dict[str, Any]:
    return {} if encoding is None else {"encoding": encoding}
