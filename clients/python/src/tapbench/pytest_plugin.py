"""The fixtures `sandbox` and `tapbench_server`, which pytest finds once the package is installed."""

from __future__ import annotations

from typing import Iterator

import pytest

from .client import ServerUnavailable
from .sandbox import Sandbox
from .server import Server


@pytest.fixture(scope="session")
def tapbench_server(request: pytest.FixtureRequest) -> Iterator[Server]:
    """The server of the run: that of TAPBENCH_URL and TAPBENCH_KEY, or one that is started for it."""
    try:
        server = Server.find(folder=request.config.rootpath)
    except ServerUnavailable as error:
        pytest.fail(str(error), pytrace=False)
    yield server
    server.close()


@pytest.fixture
def sandbox(tapbench_server: Server) -> Iterator[Sandbox]:
    """A sandbox for this test, deleted at its end."""
    with tapbench_server.create_sandbox() as created:
        yield created
