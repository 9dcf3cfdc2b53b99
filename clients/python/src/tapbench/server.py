"""The Tapbench server of a test run: one that runs, or one that is started."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import IO, Any, Mapping

from .client import ApiError, Client, ServerUnavailable
from .receiver import Receiver
from .sandbox import Sandbox
from .secret import Secret

_HELP = (
    "Start one with `tapbench up` and set TAPBENCH_URL and TAPBENCH_KEY to the address and the secret key that it "
    "prints, or set TAPBENCH_COMMAND to the command `tapbench`, such as "
    "`node_modules/.bin/tapbench`, to have one started for the tests."
)


class Server:
    """A server, on which each test gets a sandbox."""

    def __init__(self, url: str, key: str, process: subprocess.Popen[str] | None = None) -> None:
        self.url = url
        self.client = Client(url, key)
        """Calls the API with the key of the sandbox `default`."""
        self._process = process
        self._receiver = Receiver()

    def __repr__(self) -> str:
        return f"Server({self.url!r})"

    @classmethod
    def find(cls, environment: Mapping[str, str] = os.environ, folder: Path | None = None) -> Server:
        """Returns the server of TAPBENCH_URL and TAPBENCH_KEY, or starts one.

        Without the two, TAPBENCH_COMMAND is started, or `node_modules/.bin/tapbench` of the folder or one above it,
        or `tapbench` of PATH. Raises ServerUnavailable with what to do.
        """
        url, key = environment.get("TAPBENCH_URL"), environment.get("TAPBENCH_KEY")
        if url and key:
            return cls._running(url, key)
        if url:
            raise ServerUnavailable(f"TAPBENCH_URL is set, but TAPBENCH_KEY is not. {_HELP}")
        command = _command(environment, folder or Path.cwd())
        if not command:
            raise ServerUnavailable(f"There is no Tapbench server for the tests. {_HELP}")
        return cls.start(command)

    @classmethod
    def _running(cls, url: str, key: str) -> Server:
        client = Client(url, key)
        try:
            client.get("/sandboxes")
        except ServerUnavailable as error:
            raise ServerUnavailable(f"{error}: is TAPBENCH_URL right? {_HELP}") from None
        except ApiError as error:
            raise ServerUnavailable(f"{error}: is TAPBENCH_KEY the secret key of {url}?") from None
        return cls(url, key)

    @classmethod
    def start(cls, command: list[str]) -> Server:
        """Starts `tapbench up` on free ports, without a rate limit and without keeping data. `close` ends it."""
        environment = {**os.environ, "PORT": "0", "MQTT_PORT": "0", "RATE_LIMIT": "off"}
        with tempfile.TemporaryFile("w+") as log:
            try:
                process = subprocess.Popen(
                    [*command, "up", "--ephemeral", "--json"],
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=log,
                    text=True,
                )
            except OSError as error:
                raise ServerUnavailable(f"{shlex.join(command)} cannot be started: {error.strerror}") from None
            started = _started(process)
            if started is None:
                raise ServerUnavailable(f"{shlex.join(command)} up ended: {_text(log)}")
        return cls(started["url"], Secret(started["secretKey"]), process)

    def create_sandbox(self, **options: Any) -> Sandbox:
        """Creates a sandbox. `options` are members of `POST /sandboxes`, such as `seed`."""
        return Sandbox._create(self.client, self._receiver, **options)

    def close(self) -> None:
        """Ends the server if it was started for the tests."""
        self._receiver.close()
        if self._process:
            self._process.terminate()
            self._process.communicate()


def _command(environment: Mapping[str, str], folder: Path) -> list[str] | None:
    if environment.get("TAPBENCH_COMMAND"):
        return shlex.split(environment["TAPBENCH_COMMAND"])
    for place in (folder, *folder.parents):
        installed = place / "node_modules" / ".bin" / "tapbench"
        if installed.exists():
            return [str(installed)]
    found = shutil.which("tapbench", path=environment.get("PATH"))
    return [found] if found else None


def _started(process: subprocess.Popen[str]) -> dict[str, Any] | None:
    """Returns the JSON line that the server prints when it is ready; None when it ended."""
    assert process.stdout
    line = process.stdout.readline()
    if line.startswith("{"):
        started: dict[str, Any] = json.loads(line)
        return started
    process.kill()
    process.communicate()
    return None


def _text(log: IO[str]) -> str:
    log.seek(0)
    return log.read().strip()[-2000:] or "it printed nothing"
