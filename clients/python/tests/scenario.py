"""Runs the scenarios of clients/scenarios.json with the helpers of this package."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Callable

import pytest

import tapbench
from tapbench import checkout

Step = dict[str, Any]

FILE = Path(__file__).parents[2] / "scenarios.json"
SCENARIOS: list[Step] = json.loads(FILE.read_text())["scenarios"]
assert SCENARIOS, "scenarios.json has no scenarios"

_CARDS = {"approved": checkout.APPROVED, "challenged": checkout.CHALLENGED, "declined": checkout.DECLINED}
_WHOLE = re.compile(r"^\{([\w.]+)\}$")
_PART = re.compile(r"\{([\w.]+)\}")


class ScenarioRun:
    """One scenario on one sandbox. Each step is a method, named as the step with `_` for `-`."""

    def __init__(self, sandbox: tapbench.Sandbox, saved: Step | None = None) -> None:
        self.sandbox = sandbox
        self.terminal = sandbox.terminal
        names = {"sandbox": {"subAccountId": sandbox.sub_account_id}, "terminal": {"id": self.terminal.id}}
        self.saved: Step = {**(saved or {}), **names}

    def run(self, steps: list[Step]) -> None:
        for step in steps:
            members = dict(step)
            method: Callable[..., object] | None = getattr(self, "step_" + members.pop("do").replace("-", "_"), None)
            assert method, f"unknown step: {step['do']}"
            nested = members.pop("steps", None)
            filled = self.filled(members)
            method(**filled) if nested is None else method(steps=nested, **filled)

    def filled(self, value: Any) -> Any:
        """Returns a value with `{name.member}` replaced by what was saved under the name."""
        if isinstance(value, dict):
            return {name: self.filled(member) for name, member in value.items()}
        if isinstance(value, list):
            return [self.filled(item) for item in value]
        if not isinstance(value, str):
            return value
        whole = _WHOLE.match(value)
        return self.named(whole.group(1)) if whole else _PART.sub(lambda part: str(self.named(part.group(1))), value)

    def named(self, path: str) -> Any:
        value: Any = self.saved
        for name in path.split("."):
            value = value[name]
        return value

    # The terminal

    def started(self, action: tapbench.Action) -> None:
        self.saved["session"] = {"id": action.payment_session_id}

    def step_pay(self, amount: int, **more: Any) -> None:
        self.started(self.terminal.pay(amount, **more.get("with", {})))

    def step_refund(self, amount: int | None = None) -> None:
        self.started(self.terminal.refund(self.saved["session"]["id"], amount))

    def step_cancel(self) -> None:
        self.terminal.cancel()

    def step_confirm_receipt(self, copy: str) -> None:
        self.terminal.confirm_receipt(copy)

    def step_present(self, card: str) -> None:
        self.terminal.present(card)

    def step_enter_pin(self, pin: str) -> None:
        self.terminal.enter_pin(pin)

    def step_press(self, keys: list[str]) -> None:
        self.terminal.press(*keys)

    def step_reaches(self, state: str) -> None:
        self.terminal.reaches(state)

    def step_ends(self, expect: Step) -> None:
        assert_matches(self.terminal.ends().json, expect)

    def step_paper(self, sheets: int) -> None:
        self.terminal.paper(sheets)

    def step_network(self, on: bool) -> None:
        self.terminal.network(on=on)

    def step_reader(self, on: bool) -> None:
        self.terminal.reader(plugged_in=on)

    def step_remove_card(self) -> None:
        self.terminal.remove_card()

    def step_cardholder(self, script: str, card: str | None = None, delayMs: int | None = None) -> None:
        self.terminal.cardholder(script, card, delayMs)

    def step_comes_online(self) -> None:
        self.terminal.comes_online()

    def step_receipt(self, expect: Step) -> None:
        assert_matches(self.terminal.receipt(), expect)

    def step_power(self, on: bool) -> None:
        self.terminal.power(on=on)

    # Online payments

    def step_checkout(self, amount: int, card: str, account: str | None = None, **more: Any) -> None:
        shop = self.sandbox.checkout.as_account(account) if account else self.sandbox.checkout
        self.saved["session"] = shop.pay(amount, _CARDS[card], **more.get("with", {}))
        assert_matches(self.saved["session"], more.get("expect", {}))

    def step_attempt(self, card: str, expect: Step, session: Step | None = None) -> None:
        self.saved["session"] = self.sandbox.checkout.attempt(session or self.saved["session"], _CARDS[card])
        assert_matches(self.saved["session"], expect)

    def step_answer_challenge(self, code: str, expect: Step) -> None:
        assert_matches(self.sandbox.checkout.answer_challenge(self.saved["session"], code), expect)

    # The API, the clock, webhooks, forks

    def client_of(self, account: str | None) -> tapbench.Client:
        return self.sandbox.client.as_account(account) if account else self.sandbox.client

    def step_call(
        self,
        method: str,
        path: str,
        body: Step | None = None,
        account: str | None = None,
        save: str | None = None,
        expect: Step | None = None,
        refused: Step | None = None,
        idempotencyKey: str | None = None,
    ) -> None:
        try:
            reply = self.client_of(account).request(method, path, body, idempotency_key=idempotencyKey)
        except tapbench.ApiError as error:
            if refused is None:
                raise
            assert_matches({"status": error.status, "code": error.code}, refused)
            return
        assert refused is None, f"{method} {path} was not refused"
        assert_matches(reply, expect or {})
        if save:
            self.saved[save] = reply

    def step_eventually(self, path: str, expect: Step, account: str | None = None) -> None:
        client = self.client_of(account)
        tapbench.until(f"{path} is {expect}", lambda: not mismatch(client.get(path), expect))

    def step_advance(self, **by: float) -> None:
        self.sandbox.advance(**by)

    def step_receives(
        self, type: str, expect: Step | None = None, count: int = 1, advancing: Step | None = None
    ) -> None:
        webhooks = self.sandbox.webhooks
        if advancing:
            arrived = lambda: len(webhooks.received(type)) >= count
            self.sandbox.advance_until(f"{count} × {type} arrived", arrived, **advancing)
        webhooks.wait_for(type, lambda event: not mismatch(event.data, expect or {}), count=count)

    def step_reply(self, statuses: list[int]) -> None:
        self.sandbox.webhooks.reply_with(*statuses)

    def step_fork(self, steps: list[Step], fails: str | None = None, **more: Any) -> None:
        assert fails in (None, "unstruck")
        if fails is None:
            self.run_fork(steps, more.get("with", {}))
            return
        with pytest.raises(tapbench.UnstruckFaults):
            self.run_fork(steps, more.get("with", {}))

    def run_fork(self, steps: list[Step], options: Step) -> None:
        with self.sandbox.fork(**options) as fork:
            ScenarioRun(fork, self.saved).run(steps)

    def step_pace(self, expect: str) -> None:
        assert self.sandbox.pace == expect

    # Faults and recordings

    def step_faults(self, faults: list[Step]) -> None:
        self.sandbox.faults(*faults)

    def step_plan(self, plan: Step) -> None:
        assert_matches(self.sandbox.begin_plan(plan), plan)

    def step_unstruck(self, expect: list[Step]) -> None:
        assert_matches(self.sandbox.unstruck(), expect)

    def step_allow_unstruck(self) -> None:
        self.sandbox.allow_unstruck = True

    def step_download(self, path: str) -> None:
        assert self.sandbox.client.download(path).startswith(b"\x1f\x8b"), "the trace is not compressed"


def assert_matches(actual: Any, expected: Any) -> None:
    """Fails unless `actual` has the members of `expected`, at any depth."""
    found = mismatch(actual, expected)
    assert not found, found


def mismatch(actual: Any, expected: Any, path: str = "reply") -> str | None:
    """Returns where `actual` differs from the members of `expected`; lists have the same length."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        differences = (mismatch(actual.get(name), member, f"{path}.{name}") for name, member in expected.items())
        return next((found for found in differences if found), None)
    if isinstance(expected, list) and isinstance(actual, list) and len(expected) == len(actual):
        pairs = enumerate(zip(actual, expected))
        return next((found for i, pair in pairs if (found := mismatch(*pair, f"{path}[{i}]"))), None)
    return None if actual == expected else f"{path} is {actual!r}, expected {expected!r}"
