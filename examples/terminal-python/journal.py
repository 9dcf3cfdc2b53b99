"""What a terminal remembers through a power cut: docs/protocol.md, "The inquiry"."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

ENDED_MAX = 50


class Journal:
    """The action at the terminal, and the ids of those that it has ended. Saved before anything that depends on it is sent."""

    def __init__(self, path: Path) -> None:
        self._path = path
        stored = json.loads(path.read_text()) if path.exists() else {}
        self.action: dict[str, Any] | None = stored.get("action")
        self.ended: list[str] = stored.get("ended", [])

    def save(self) -> None:
        # A rename leaves the earlier file or the new one, whenever the power is cut.
        beside = self._path.with_suffix(".new")
        with open(beside, "w") as file:
            json.dump({"action": self.action, "ended": self.ended}, file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, self._path)

    def clear(self) -> None:
        if self.action:
            self.ended = [*self.ended, self.action["actionId"]][-ENDED_MAX:]
        self.action = None
        self.save()
