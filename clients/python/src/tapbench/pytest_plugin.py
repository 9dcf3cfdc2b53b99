"""The fixtures `sandbox`, `prepared_sandbox` and `tapbench_server`, which pytest finds once the package is installed."""

from __future__ import annotations

from typing import Iterator

import pytest

from .client import ServerUnavailable
from .sandbox import Sandbox
from .server import Server
from .trace import Recording

_FAILED = pytest.StashKey[bool]()


@pytest.fixture(scope="session")
def tapbench_server(request: pytest.FixtureRequest) -> Iterator[Server]:
    """The server of the run: that of TAPBENCH_URL and TAPBENCH_KEY, or one that is started for it."""
    try:
        server = Server.find(folder=request.config.rootpath)
    except ServerUnavailable as error:
        pytest.fail(str(error), pytrace=False)
    yield server
    server.close()


def pytest_exception_interact(node: pytest.Item | pytest.Collector) -> None:
    """Notes of a test that it failed, for its fixtures."""
    node.stash[_FAILED] = True


@pytest.fixture(scope="session")
def prepared_sandbox() -> Sandbox | None:
    """None. A class, a module or a conftest.py that overrides it prepares a sandbox, of which each test gets a fork."""
    return None


@pytest.fixture
def sandbox(
    request: pytest.FixtureRequest, tapbench_server: Server, prepared_sandbox: Sandbox | None
) -> Iterator[Sandbox]:
    """A sandbox for this test, deleted at its end: a fork of `prepared_sandbox` where there is one.

    Of a test that failed, the trace is kept.
    """
    with prepared_sandbox.fork() if prepared_sandbox else tapbench_server.create_sandbox() as created:
        recording = Recording.start(created.client, request.node.name)
        yield created
        if recording:
            _end(recording, request.node, created)


def _end(recording: Recording, test: pytest.Item, sandbox: Sandbox) -> None:
    has_failed = test.stash.get(_FAILED, False) or (not sandbox.allow_unstruck and sandbox.unstruck())
    if not has_failed:
        recording.discard()
        return
    recording.keep()
    command = f"npx tapbench trace {recording.file} --open"
    test.add_report_section("teardown", "trace", f"Tapbench trace of the failed test '{test.name}':\n  {command}\n")
