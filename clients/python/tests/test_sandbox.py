from __future__ import annotations

import http.client
import json
from urllib.parse import urlsplit

import pytest

import tapbench
from tapbench.event_types import EVENT_TYPES
from tapbench.secret import with_secrets_masked


def test_a_sandbox_has_nothing_of_another(sandbox: tapbench.Sandbox, tapbench_server: tapbench.Server) -> None:
    customer = sandbox.client.post("/v1/customers", {"email": "sam@example.com"})
    with tapbench_server.create_sandbox() as other:
        assert other.secret_key != sandbox.secret_key
        with pytest.raises(tapbench.ApiError) as refused:
            other.client.get(f"/v1/customers/{customer['id']}")
    assert (refused.value.status, refused.value.code) == (404, "not_found")


def test_a_deleted_sandbox_is_gone(tapbench_server: tapbench.Server) -> None:
    with tapbench_server.create_sandbox() as sandbox:
        pass
    with pytest.raises(tapbench.ApiError, match="403 forbidden"):
        sandbox.client.get("/v1/customers")


def test_a_sandbox_that_is_left_behind_expires_within_an_hour(
    sandbox: tapbench.Sandbox, tapbench_server: tapbench.Server
) -> None:
    kept = tapbench_server.client.get(f"/sandboxes/{sandbox.name}")
    assert 3_540 <= kept["expiresTimestamp"] - kept["createdTimestamp"] <= 3_660


def test_the_clock_advances_by_days_in_this_sandbox_alone(
    sandbox: tapbench.Sandbox, tapbench_server: tapbench.Server
) -> None:
    before = tapbench_server.client.get("/sandbox/clock")["offsetSeconds"]
    at = sandbox.now()
    sandbox.advance(days=3, hours=1)
    assert sandbox.now() - at >= 3 * 86_400 + 3_600
    assert tapbench_server.client.get("/sandbox/clock")["offsetSeconds"] == before


def test_the_client_sends_a_refused_request_in_words(sandbox: tapbench.Sandbox) -> None:
    with pytest.raises(tapbench.ApiError, match="POST /v1/payment-sessions: 400 invalid_field: .*amount"):
        sandbox.checkout.create(-1)


def test_the_message_of_a_refusal_has_no_secret_of_a_session(sandbox: tapbench.Sandbox) -> None:
    with pytest.raises(tapbench.ApiError, match="GET /v1/payment-sessions/ps_1: 404") as refused:
        sandbox.browser.get("/v1/payment-sessions/ps_1", clientSecret="cs_hidden")
    assert "cs_hidden" not in str(refused.value)


def test_the_client_uploads_a_file(sandbox: tapbench.Sandbox) -> None:
    uploaded = sandbox.client.upload("Evidence", "slip.csv", b"signed by Sam", "text/csv")
    assert sandbox.client.get(f"/v1/files/{uploaded['id']}")["id"] == uploaded["id"]


def test_the_client_acts_for_a_sub_account(sandbox: tapbench.Sandbox) -> None:
    shop = sandbox.client.as_account(sandbox.sub_account_id)
    shop.post("/v1/customers", {"email": "sam@example.com"})
    assert len(shop.get("/v1/customers", limit=5)["items"]) == 1
    assert sandbox.client.get("/v1/customers")["items"] == []


def test_webhooks_are_registered_for_all_event_types(sandbox: tapbench.Sandbox) -> None:
    document = sandbox.client.get("/openapi.json")
    webhook = document["components"]["schemas"]["Webhook"]
    assert list(EVENT_TYPES) == webhook["properties"]["eventTypes"]["items"]["enum"]


def test_a_webhook_with_a_wrong_signature_fails_the_test(sandbox: tapbench.Sandbox) -> None:
    url = urlsplit(sandbox.webhooks.url)
    connection = http.client.HTTPConnection(url.netloc)
    event = json.dumps({"id": "evt_1", "eventType": "Customer.created", "data": {}})
    connection.request("POST", url.path, event, {"Signature": "00", "Tapbench-Sandbox": sandbox.name})
    assert connection.getresponse().status == 200
    connection.close()
    with pytest.raises(AssertionError, match="wrong signature"):
        sandbox.webhooks.wait_for("Customer.created")


def test_waiting_ends_in_words(sandbox: tapbench.Sandbox) -> None:
    sandbox.client.post("/v1/customers", {"email": "sam@example.com"})
    sandbox.webhooks.wait_for("Customer.created")
    with pytest.raises(tapbench.NotInTime, match="Payout.created did not arrive .* received: Customer.created"):
        sandbox.webhooks.wait_for("Payout.created", seconds=0.05)
    with pytest.raises(tapbench.NotInTime, match="waited 0.05 s, but not: it snows"):
        tapbench.until("it snows", lambda: False, 0.05)


def test_a_key_pressed_after_the_payment_fails_at_once(sandbox: tapbench.Sandbox) -> None:
    sandbox.terminal.pay(1742)
    sandbox.terminal.present()
    sandbox.terminal.ends()
    with pytest.raises(tapbench.NotInTime, match="the action is Succeeded"):
        sandbox.terminal.enter_pin("1234")


def test_the_receipt_of_a_payment_has_its_amount(sandbox: tapbench.Sandbox) -> None:
    sandbox.terminal.pay(1742)
    sandbox.terminal.present()
    assert sandbox.terminal.ends().status == "Succeeded"
    assert "17.42" in sandbox.terminal.receipt()["customerCopy"]


def test_a_cardholder_pays_by_itself_with_a_script(sandbox: tapbench.Sandbox) -> None:
    sandbox.terminal.cardholder("contact-pin", delay_ms=10)
    sandbox.terminal.pay(1742)
    assert sandbox.terminal.ends().status == "Succeeded"


def test_the_secrets_of_a_reply_are_masked_in_its_repr() -> None:
    reply = json.loads('{"secretKey":"sk_sandbox_hidden","items":[{"secret":"whs_hidden"}]}', object_hook=with_secrets_masked)
    assert repr(reply) == "{'secretKey': 'sk_sandbox_··', 'items': [{'secret': 'whs_··'}]}"
    assert reply["secretKey"] == "sk_sandbox_hidden"


def test_wait_for_returns_as_many_events_as_it_is_asked_for(sandbox: tapbench.Sandbox) -> None:
    for _ in range(2):
        sandbox.checkout.pay(1_000)
    events = sandbox.webhooks.wait_for("PaymentSession.captured", count=2)
    assert len({event.data["id"] for event in events}) == 2
