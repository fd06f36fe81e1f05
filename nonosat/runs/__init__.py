"""How anything is run: events, limits, the worker process, and one ``run``."""
