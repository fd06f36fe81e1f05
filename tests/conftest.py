"""What all tests need: this directory on the path, so that ``hostile`` is importable in solver processes too."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
