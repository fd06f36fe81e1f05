"""What all tests import from: this directory, in solver processes too (``hostile``), and the studies' analyses."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(1, str(Path(__file__).parents[1] / "experiments"))
