"""The notebooks run from the committed records, without an error; they hold no functions of their own."""

from __future__ import annotations

import ast
import json
from importlib.util import find_spec
from pathlib import Path

import pytest
from sampling import marked

pytestmark = pytest.mark.skipif(find_spec("nbclient") is None, reason="nbclient is not installed")

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))
QUICK = range(1, len(NOTEBOOKS))
"""The first one judges all claims of the report: minutes, and tests/test_results.py does so, too."""


def test_there_are_notebooks() -> None:
    assert NOTEBOOKS


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_hold_no_logic(path: Path) -> None:
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            source = "".join(cell["source"])
            for node in ast.walk(ast.parse(source.removeprefix("%matplotlib inline\n"))):
                assert not isinstance(node, ast.FunctionDef | ast.ClassDef | ast.For | ast.While | ast.If), source
            assert not any(output["output_type"] == "error" for output in cell["outputs"])


@pytest.mark.slow
@pytest.mark.parametrize("path", marked(NOTEBOOKS, set(QUICK), pytest.mark.nightly), ids=lambda path: path.stem)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_notebooks_run(path: Path) -> None:
    import nbclient  # seconds, which no collection of tests should take
    import nbformat

    notebook = nbformat.read(path, 4)
    nbclient.NotebookClient(notebook, timeout=900, resources={"metadata": {"path": str(path.parent)}}).execute()
