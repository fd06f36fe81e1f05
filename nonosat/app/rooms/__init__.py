"""The rooms of the workbench: a module each, with ``ROUTES`` under ``/api/NAME/``."""

from types import ModuleType

from nonosat.app.rooms import play

ROOMS: tuple[ModuleType, ...] = (play,)
