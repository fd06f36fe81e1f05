"""What all tests need: this directory (for solver processes too) and the studies' analyses on the path.

Hypothesis measures no time: a busy machine is no error of ours.
"""

import sys
from pathlib import Path

from hypothesis import HealthCheck, settings

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(1, str(Path(__file__).parents[1] / "experiments"))

settings.register_profile("nonosat", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("nonosat")
