"""The table of generators: what its records promise, and that one from outside is taken like ours."""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import commands
import diagonals
import pytest
from diagonals import GENERATOR

from nonosat import plugins
from nonosat.cli.generate import command
from nonosat.errors import FormatError, NonosatError, UnknownNameError, UnsupportedError
from nonosat.generators import registry
from nonosat.generators.density import SIZE, random_density
from nonosat.generators.registry import GENERATORS, Generator, Parameter, identity, of_kind
from nonosat.puzzles import puzzle as kinds
from nonosat.puzzles.formats import load
from nonosat.solvers.registry import solver
from nonosat.studies.batch import order, ordered
from nonosat.studies.checking import check
from nonosat.studies.models import puzzle_of
from nonosat.studies.plan import Instance, facts_of, groups, instances, key_of
from nonosat.studies.records import NAMES
from nonosat.studies.run import described
from nonosat.studies.session import conduct
from nonosat.studies.store import StoreReader
from nonosat.studies.study import parse

FILE = Path(diagonals.__file__)
ROOT = Path(__file__).parents[1]
VALUES: dict[str, list[Any]] = {
    "size": [5, "5", "20x30", " 7X8 "],
    "density": [0, 1, 0.4, [0.2, 0.1], "0.2,0.1", "0.25", 1e-7, [1e-7, 0.5]],
    "style": ["waves", "blobs", "symmetric", "noise"],
    "level": [0, 8, 11, "8", "level-8", "12x12-hard", "1x1-easy"],
}
"""What the parameters of our generators take; every one must be here."""
STUDY = """
name = "lines"
solvers = ["rowsearch"]
[[puzzles]]
generator = "diagonals"
sizes = [4]
slants = ["right"]
count = 2
seed = 3
"""


def study(text: str = STUDY) -> Any:
    return parse(text, Path("study.toml"))


@pytest.mark.parametrize("generator", list(GENERATORS.known().values()), ids=lambda record: record.name)
def test_a_value_is_read_again_from_its_name(generator: Generator) -> None:
    for parameter in generator.parameters:
        for given in VALUES[parameter.word]:
            value = parameter.read(given)
            told = parameter.format(value)
            assert parameter.read(told) == value
            assert parameter.format(parameter.read(told)) == told
            assert "/" not in told
        for wrong in (None, True, 0.5j, {}, "", "x", -1, "9" * 5000, [[]], [None], float("nan")):
            with pytest.raises(ValueError, match=r"\w"):
                parameter.read(wrong)


@pytest.mark.parametrize("generator", list(GENERATORS.known().values()), ids=lambda record: record.name)
def test_generator_records_are_right(generator: Generator) -> None:
    texts = generator.texts([parameter.read(VALUES[parameter.word][0]) for parameter in generator.parameters])
    puzzle = generator.puzzle(texts, 3)
    assert puzzle.kind == kinds.kind_of(generator.kind).name == generator.kind
    assert puzzle == generator.puzzle(texts, 3)
    assert puzzle.goal is not None
    assert set(generator.known(texts)) <= set(registry.FACTS) <= set(NAMES)
    assert identity(generator) == ""


def test_the_first_of_a_kind() -> None:
    assert of_kind("nonogram").name == "density"
    with plugins.registered(GENERATOR):
        assert of_kind("nonogram").name == "density"
    with pytest.raises(UnsupportedError, match="no generator makes puzzles of the kind sudoku"):
        of_kind("sudoku")


def test_facts_and_parameters_of_records() -> None:
    about = facts_of(Instance("density/5x5/0.2+0.1/7", "density", ("5x5", "0.2+0.1"), 7))
    assert about.pop("density") == pytest.approx(0.3)
    assert about == {"source": "density", "seed": 7, "parameters": '{"size": "5x5", "density": "0.2+0.1"}'}
    for text, number in (("level-8", 8), ("6x6-hard", None)):
        assert facts_of(Instance("x", "skyscrapers", (text,), 0)) == {
            "source": "skyscrapers", "seed": 0, "level": number, "difficulty": "hard",
            "parameters": json.dumps({"level": text}),
        }  # fmt: skip
    assert facts_of(Instance("file/0/1", path="/a/b.mk", index=1)) == {"source": "b.mk", "seed": None}


def bad(**changes: Any) -> Generator:
    return replace(GENERATOR, **changes)


def like(word: str, key: str) -> Parameter:
    return replace(SIZE, word=word, key=key)


@pytest.mark.parametrize(
    ("generator", "reason"),
    [
        (bad(name="density"), "generator density: there is one of that name already"),
        (bad(name="file"), "generator file: a name has a-z, 0-9 and '-', and is not 'file'"),
        (bad(name="a.b"), "generator a.b: a name has a-z"),
        (bad(parameters=(SIZE, SIZE)), "parameter size: that is another's name"),
        (bad(parameters=(like("unique", "uniques"),)), "parameter unique: that is another's name"),
        (bad(parameters=(like("tally", "count"),)), "parameter count: that is another's name"),
        (bad(parameters=(like("no_word", "words"),)), "parameter no_word: a word has a-z"),
    ],
)
def test_records_that_cannot_stand_beside_ours(generator: Generator, reason: str) -> None:
    with plugins.registered(generator), pytest.raises(NonosatError, match=r"^plug-in registered: ") as caught:
        GENERATORS.named("nix")
    assert reason in str(caught.value)
    with pytest.raises(UnknownNameError):
        GENERATORS.named("nix")


def test_no_option_of_generate_can_be_a_parameter_s() -> None:
    names = {name for option in command.params for name in option.opts if name.startswith("--")}
    assert {name.removeprefix("--") for name in names} <= set(registry.OPTIONS)


def test_a_study_with_a_generator_from_outside() -> None:
    with pytest.raises(FormatError, match=r"puzzles\[1\].generator: unknown generator 'diagonals'; known: density, "):
        study()
    with plugins.registered(GENERATOR):
        found = list(instances(study()))
        assert [instance.name for instance in found] == ["diagonals/4x4/right/3", "diagonals/4x4/right/4"]
        assert puzzle_of(found[1]) == diagonals.diagonals((4, 4), "right", 4)
        report = check(study())
        assert (report.instances, report.runs, report.problems) == (2, 2, ())
        short = study(STUDY.replace('slants = ["right"]\n', ""))
        assert next(instances(short)).name == "diagonals/4x4/left/3"
        known = "generator, sizes, slants, count, seed"
        for old, new, reason in (
            ("right", "up", "7: puzzles[1].slants: expected left or right, not 'up'"),
            ("slants", "slant", "7: puzzles[1].slant: unknown key; did you mean 'slants'?"),
            (
                "slants",
                "densities",
                f"7: puzzles[1].densities: unknown key; known: {known}",
            ),
            ("sizes = [4]\n", "", "4: puzzles[1].sizes: missing"),
        ):
            with pytest.raises(FormatError) as caught:
                study(STUDY.replace(old, new))
            assert str(caught.value) == f"study.toml:{reason}"


def test_what_checking_finds_of_a_generator_from_outside() -> None:
    for generator, reason in (
        (bad(kind="sudoku"), "generator: unknown kind of puzzle 'sudoku'"),
        (bad(facts=lambda *values: {"outcome": "SAT"}), "generator: generator diagonals: tells outcome; records have"),
    ):
        with plugins.registered(generator):
            [problem] = check(study()).problems
            assert problem.startswith(f"study.toml: {reason}")


def test_its_runs_keys_depend_on_the_plug_in_that_brought_it(monkeypatch: pytest.MonkeyPatch) -> None:
    with plugins.registered(GENERATOR):
        first = next(groups(study()))
        assert first.instance.brought_by == "registered"
        [run] = first.runs
        assert run.key != key_of(first.instance.name, None, solver("rowsearch"), 0, study().settings)
        monkeypatch.setattr(registry, "origin", lambda record: None)
        [ours] = next(groups(study())).runs
        assert ours.key == key_of(first.instance.name, None, solver("rowsearch"), 0, study().settings)
        assert ours.key != run.key


def test_another_plug_in_s_generator_of_the_same_name_is_noticed() -> None:
    with plugins.registered(GENERATOR):
        instance = next(instances(study()))
        assert puzzle_of(instance).shape == (4, 4)
        for brought_by, told in (("lines 2.0", "lines 2.0"), ("", "ours")):
            with pytest.raises(NonosatError, match=f"generator diagonals: of registered, the study's of {told}"):
                puzzle_of(replace(instance, brought_by=brought_by))


def test_records_and_helpers_have_its_parameters() -> None:
    with plugins.registered(GENERATOR):
        stated = study()
        group = next(groups(stated))
        assert ordered(json.loads(json.dumps(order([group], stated.settings, ["rowsearch"])))) == (
            [group],
            stated.settings,
        )
        about = described(group, group.runs[0], stated.settings)
        assert json.loads(about["parameters"]) == {"size": "4x4", "slant": "right"}
        assert (about["source"], about["seed"], about["instance"]) == ("diagonals", 3, "diagonals/4x4/right/3")
        assert about.get("density") is None


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the plug-in, and an environment that names it."""
    (tmp_path / "diagonals.py").write_text(FILE.read_text())
    monkeypatch.setenv(plugins.VARIABLE, str(tmp_path / "diagonals.py"))
    return tmp_path


def nonosat(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return commands.run(*arguments, cwd=folder)


def test_the_command_line_knows_a_plug_in_s_generator(elsewhere: Path) -> None:
    listed = nonosat("list", "generators", folder=elsewhere).stdout
    assert "\ndiagonals       nonogram: every third diagonal is filled\n" in listed
    assert "\n  --slant SIDE  left or right; in studies: slants; else left\n" in listed
    told = " ".join(nonosat("generate", "--help", folder=elsewhere).stdout.split())
    assert "--slant SIDE Diagonals: left or right." in told
    assert "--size HxW Density, pictures, diagonals: rows x columns" in told
    arguments = ("generate", "--generator", "diagonals", "--size", "5x6")
    done = nonosat(*arguments, "--slant", "right", "--count", "2", folder=elsewhere)
    assert (done.returncode, done.stderr) == (0, ".: 2 puzzles of diagonals 5x6 right (json)\n")
    assert load(elsewhere / "diagonals-5x6-right-s1.json") == diagonals.diagonals((5, 6), "right", 1)
    assert nonosat(*arguments, folder=elsewhere).returncode == 0
    assert load(elsewhere / "diagonals-5x6-left-s0.json") == diagonals.diagonals((5, 6), "left", 0)
    for more, reason in (
        (("--slant", "up"), "--slant: expected left or right, not 'up'"),
        (("--density", "0.4"), "--density is not for the generator diagonals, but for density"),
        (("--unique",), "--unique is not for the generator diagonals"),
        (("--unique", "--repair"), "--repair is not for the generator diagonals"),
    ):
        done = nonosat(*arguments, *more, folder=elsewhere)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
        assert reason in done.stderr
    done = nonosat("generate", "--size", "5", "--density", "0.4", "--slant", "left", folder=elsewhere)
    assert (done.returncode, "--slant is not for the generator density, but for diagonals" in done.stderr) == (2, True)


def test_the_example_in_the_docs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (ROOT / "docs/generators.md").read_text(encoding="utf-8")
    [example] = re.findall(r"^```python\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE)
    (tmp_path / "diagonals.py").write_text(example)
    monkeypatch.setenv(plugins.VARIABLE, "diagonals.py")
    [line] = re.findall(r"`nonosat (generate --generator diagonals .*?)`", text)
    done = nonosat(*line.split(), "-o", "-", folder=tmp_path)
    assert (done.returncode, json.loads(done.stdout)["goal"][1]) == (0, "...#...#.")


@pytest.mark.slow
def test_a_study_of_a_plug_in_s_generator_is_run(elsewhere: Path) -> None:
    (elsewhere / "study.toml").write_text(STUDY)
    done = nonosat("study", "run", "study.toml", "--jobs", "1", folder=elsewhere)
    assert done.returncode == 0, done.stderr
    with StoreReader(elsewhere / "lines.sqlite") as reader:
        records = list(reader.records())
    assert [(found["instance"], found["outcome"], found["rows"]) for found in records] == [
        ("diagonals/4x4/right/3", "SAT", 4),
        ("diagonals/4x4/right/4", "SAT", 4),
    ]
    assert {found["parameters"] for found in records} == {'{"size": "4x4", "slant": "right"}'}
    table = nonosat("study", "status", "study.toml", "--by", "slant,size", folder=elsewhere).stdout
    assert "right  4x4      2    2     .\n" in table
    (elsewhere / "diagonals.py").write_text(FILE.read_text() + "\n# another file, another plug-in\n")
    again = nonosat("study", "status", "study.toml", folder=elsewhere).stdout
    assert "2 stored runs are not of the study" in again


@pytest.mark.slow
def test_runs_of_our_generators_record_their_parameters(tmp_path: Path) -> None:
    text = 'solvers = ["rowsearch"]\n[[puzzles]]\ngenerator = "density"\nsizes = [4]\ndensities = [0.5]\ncount = 1\n'
    conduct(study(text), tmp_path / "s.sqlite", jobs=1)
    with StoreReader(tmp_path / "s.sqlite") as reader:
        [found] = reader.records()
    assert (found["parameters"], found["density"]) == ('{"size": "4x4", "density": "0.5"}', 0.5)
    assert puzzle_of(next(instances(study(text)))) == random_density(4, 4, 0.5, 0)
