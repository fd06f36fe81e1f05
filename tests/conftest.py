"""What all tests need: this directory (for solver processes too) and the studies' analyses on the path.

Hypothesis measures no time: a busy machine is no error of ours.
"""

import gc
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from nonosat import plugins

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(1, str(Path(__file__).parents[1] / "experiments"))

from sampling import evenly

settings.register_profile("nonosat", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("nonosat")


MOST = 4
"""So many slow cases of a test are left to `make test-slow`, spread over all: batteries have hundreds."""


LONGEST = [
    *("test_results", "test_docs", "test_report", "test_xcsp3_models", "test_explain_stuck", "test_safe"),
    *("test_testing", "test_fuzzing", "test_print", "test_encoding_variants", "test_access", "test_notebooks"),
]
"""Files whose slow tests take minutes. They come first: begun last, one would keep a worker busy when all others are
done. (Hence ``--no-loadscope-reorder``: xdist would begin with those of the most tests.)
"""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the other slow cases nightly, before ``-m`` chooses; of tests marked ``whole`` none."""
    places = {name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: places.get(item.path.stem, len(LONGEST)))
    tests: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        marks = {mark.name for mark in item.iter_markers()}
        if "slow" in marks and not marks & {"nightly", "whole"}:
            tests[item.nodeid.partition("[")[0]].append(item)
    for cases in tests.values():
        kept = evenly(len(cases), MOST)
        for index, case in enumerate(cases):
            if index not in kept:
                case.add_marker(pytest.mark.nightly)


class AtOnce:
    """Prints why a test failed when it fails: a run of an hour that is ended for time has told it."""

    def __init__(self, reporter: Any) -> None:
        self.reporter = reporter

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """``report`` comes from a worker."""
        if report.failed:
            self.reporter.write_line(f"\nFAILED {report.nodeid}\n{report.longreprtext[-3_000:]}")


def pytest_sessionstart(session: pytest.Session) -> None:
    """Where tests run in several processes."""
    config = session.config
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None and config.getoption("numprocesses", None):
        config.pluginmanager.register(AtOnce(reporter))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """What is collected stays to the end: the garbage collector looks through it neither now nor later."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


@pytest.fixture(autouse=True)
def own_plugins() -> Iterator[None]:
    """What a test loads is gone afterwards: the next test of the process must not depend on it."""
    before = list(plugins.LOADED)
    yield
    for plugin in [plugin for plugin in plugins.LOADED if plugin not in before]:
        plugins.remove(plugin)
