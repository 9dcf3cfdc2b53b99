from __future__ import annotations

import os
from pathlib import Path

import pytest

from tapbench import Server, ServerUnavailable

# A port of the loopback on which nothing listens.
NOWHERE = "http://127.0.0.1:1"


def without_server() -> dict[str, str]:
    """The environment of a run for which no server is up."""
    return {name: value for name, value in os.environ.items() if name not in ("TAPBENCH_URL", "TAPBENCH_KEY")}


def test_find_starts_a_server_without_one_that_runs() -> None:
    server = Server.find(without_server(), Path(__file__).parent)
    try:
        with server.create_sandbox(name="own", seed="a") as sandbox:
            assert sandbox.client.get("/v1/customers")["items"] == []
            assert sandbox.secret_key.startswith("sk_sandbox_")
    finally:
        server.close()
    with pytest.raises(ServerUnavailable):
        server.client.get("/sandboxes")


def test_find_explains_that_there_is_no_server(tmp_path: Path) -> None:
    with pytest.raises(ServerUnavailable, match="(?s)no Tapbench server for the tests.*TAPBENCH_URL.*TAPBENCH_COMMAND"):
        Server.find({"PATH": str(tmp_path)}, tmp_path)


def test_find_explains_that_the_key_is_missing() -> None:
    with pytest.raises(ServerUnavailable, match="TAPBENCH_URL is set, but TAPBENCH_KEY is not"):
        Server.find({"TAPBENCH_URL": NOWHERE})


def test_find_explains_that_nothing_replies_at_the_address() -> None:
    with pytest.raises(ServerUnavailable, match="no Tapbench server replies at http://127.0.0.1:1 .*TAPBENCH_URL right"):
        Server.find({"TAPBENCH_URL": NOWHERE, "TAPBENCH_KEY": "sk_sandbox_x"})


def test_find_explains_that_the_key_is_wrong(tapbench_server: Server) -> None:
    with pytest.raises(ServerUnavailable, match="is TAPBENCH_KEY the secret key of http") as thrown:
        Server.find({"TAPBENCH_URL": tapbench_server.url, "TAPBENCH_KEY": "sk_sandbox_other"})
    assert "sk_sandbox_other" not in str(thrown.value)


def test_start_explains_why_the_command_ended(tmp_path: Path) -> None:
    command = tmp_path / "tapbench"
    command.write_text("#!/bin/sh\necho 'this needs Node 20' >&2\nexit 1\n")
    command.chmod(0o755)
    with pytest.raises(ServerUnavailable, match="this needs Node 20"):
        Server.start([str(command)])


def test_start_explains_that_the_command_is_not_there() -> None:
    with pytest.raises(ServerUnavailable, match="/no/tapbench cannot be started: No such file"):
        Server.start(["/no/tapbench"])
