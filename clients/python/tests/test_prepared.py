from __future__ import annotations

from typing import Iterator

import pytest

import tapbench


@pytest.fixture(scope="module")
def prepared_sandbox(tapbench_server: tapbench.Server) -> Iterator[tapbench.Sandbox]:
    with tapbench_server.create_sandbox() as prepared:
        prepared.client.post("/v1/customers", {"email": "sam@example.com"})
        yield prepared


@pytest.mark.parametrize("name", ["first", "second", "third"])
def test_each_test_has_a_fork_of_what_was_prepared(
    sandbox: tapbench.Sandbox, prepared_sandbox: tapbench.Sandbox, name: str
) -> None:
    assert sandbox.name != prepared_sandbox.name
    sandbox.client.post("/v1/customers", {"email": f"{name}@example.com"})
    emails = [customer["email"] for customer in sandbox.client.get("/v1/customers")["items"]]
    assert emails == [f"{name}@example.com", "sam@example.com"]
    assert len(sandbox.webhooks.wait_for("Customer.created", count=1)) == 1
