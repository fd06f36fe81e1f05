"""``python -m nonosat`` is the command ``nonosat``."""

from nonosat.start import run

if __name__ == "__main__":
    run()
