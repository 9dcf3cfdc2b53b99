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
    assert sandbox.webhooks.wait_for("Customer.created").data["email"] == f"{name}@example.com"


def test_the_cardholder_of_a_terminal_that_nobody_has_used_waits_for_the_test(sandbox: tapbench.Sandbox) -> None:
    seen = sandbox.client.post(f"/sandbox/terminals/{sandbox.terminal.id}/paper", {"sheets": 5})
    assert seen["cardholder"] == "none"
