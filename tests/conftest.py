"""What all tests need: this directory on the path, so that ``hostile`` is importable in solver processes too.

Hypothesis measures no time: a busy machine is no error of ours.
"""

import sys
from pathlib import Path

from hypothesis import HealthCheck, settings

sys.path.insert(0, str(Path(__file__).parent))

settings.register_profile("nonosat", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("nonosat")
