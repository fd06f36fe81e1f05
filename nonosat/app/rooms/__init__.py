"""The rooms of the workbench: a module each, with ``ROUTES`` under ``/api/NAME/``."""

from types import ModuleType

from nonosat.app.rooms import explain, make, play, studies, watch

ROOMS: tuple[ModuleType, ...] = (play, make, watch, explain, studies)
