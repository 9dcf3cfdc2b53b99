"""Waiting for what happens on the server."""

from __future__ import annotations

import time
from typing import Callable, TypeVar

T = TypeVar("T")

TIMEOUT_SECONDS = 20.0
_PAUSES = (0.005, 0.01, 0.02, 0.04, 0.08)


class NotInTime(AssertionError):
    """What a test waited for did not happen in time."""


def until(what: str, look: Callable[[], T | None], seconds: float = TIMEOUT_SECONDS) -> T:
    """Calls `look` until it returns a truthy value, and returns that. Raises NotInTime after `seconds` of real time."""
    end = time.monotonic() + seconds
    attempt = 0
    while True:
        found = look()
        if found:
            return found
        if time.monotonic() >= end:
            raise NotInTime(f"waited {seconds:g} s, but not: {what}")
        time.sleep(_PAUSES[min(attempt, len(_PAUSES) - 1)])
        attempt += 1
