"""What all tests need: this directory (for solver processes too) and the studies' analyses on the path.

Hypothesis measures no time: a busy machine is no error of ours.
"""

import gc
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from nonosat import plugins

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(1, str(Path(__file__).parents[1] / "experiments"))

settings.register_profile("nonosat", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("nonosat")


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """What is collected stays to the end: the garbage collector need not look through it again and again."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def own_plugins() -> Iterator[None]:
    """What a study loads is gone afterwards."""
    before = list(plugins.LOADED)
    yield
    for plugin in [plugin for plugin in plugins.LOADED if plugin not in before]:
        plugins.remove(plugin)
