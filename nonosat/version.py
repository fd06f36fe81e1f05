"""The version of the package: what releases, keys of runs and written files name."""

__version__ = "0.1.0"
