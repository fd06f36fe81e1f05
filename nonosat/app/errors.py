"""What a request may be refused for, with its HTTP status."""

from __future__ import annotations

from nonosat.errors import NonosatError


class RefusedError(NonosatError):
    """A request that is refused in one line; ``status`` is HTTP's, ``more`` what the answer says beside the error."""

    def __init__(self, reason: str, status: int = 400, **more: object) -> None:
        self.status, self.more = status, more
        super().__init__(reason)
