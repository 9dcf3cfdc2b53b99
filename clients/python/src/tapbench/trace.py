"""The trace file that is kept of a test that failed."""

from __future__ import annotations

import os
import re
from pathlib import Path

from .client import Client

_DEFAULT_FOLDER = "tapbench-traces"


class Recording:
    """What a sandbox records of a test. `keep` or `discard` it before the sandbox is deleted."""

    def __init__(self, client: Client, recording_id: str, file: Path) -> None:
        self._client = client
        self._id = recording_id
        self.file = file
        """The trace file of a test that fails."""

    @classmethod
    def start(cls, client: Client, test: str) -> Recording | None:
        """Starts a recording; none when TAPBENCH_TRACES, the folder of the files, is empty."""
        folder = os.environ.get("TAPBENCH_TRACES", _DEFAULT_FOLDER)
        if not folder:
            return None
        recording = client.post("/sandbox/recordings", {"title": test[:200]})
        name = re.sub(r"[^a-z0-9]+", "-", test.lower()).strip("-")[:100]
        return cls(client, recording["id"], Path(folder) / f"{name}.tapbench")

    def keep(self) -> None:
        """Writes the file."""
        content = self._client.download(f"/sandbox/recordings/{self._id}/file")
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.write_bytes(content)

    def discard(self) -> None:
        """Removes the file of an earlier run."""
        self.file.unlink(missing_ok=True)
