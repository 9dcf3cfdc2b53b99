"""The life of an action at a terminal: docs/protocol.md, from "The life of an action" to "The inquiry"."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from commands import COPIES
from journal import Journal
from receipt import receipt_of

Body = dict[str, Any]

PIN_MS = 60_000
PIN_TRIES = 3
CARD_TRIES = 3
AUTHORISE_AGAIN_MS = 2_000
GIVE_UP_MS = 30_000
INQUIRE_MS = 15_000
# In these the server has the next word, and it is `action.ended`.
ENDING = ("declined", "completed", "confirmed", "abandoned", "cancelled")


class Device(Protocol):
    """What an action needs of its terminal."""

    without: frozenset[str]

    def now_ms(self) -> float: ...
    def publish(self, name: str, body: Body) -> None: ...
    def at(self, name: str, at_ms: float, call: Callable[[], None]) -> None: ...
    def stop_timers(self) -> None: ...
    def print(self, copy: str, text: str) -> bool: ...
    def show(self, line: str) -> None: ...


class Actions:
    """The action in the journal, if there is one. `state` is where it stands."""

    def __init__(self, device: Device, journal: Journal) -> None:
        self._device = device
        self._journal = journal
        # After a power cut nobody types a PIN any more.
        if self.state == "pin":
            self._set(state="card")

    @property
    def action(self) -> Body | None:
        return self._journal.action

    @property
    def state(self) -> str:
        return str(self.action["state"]) if self.action else "idle"

    # What the server sends

    def receive(self, name: str, body: Body) -> None:
        if name == "action.start":
            return self._start(body)
        action = self.action
        if not action or body["actionId"] != action["actionId"]:
            if name == "report.request":
                self._inquire(requestedActionId=body["actionId"])
            return None
        self._in_sequence(body, lambda: self._command(name, body))

    def _in_sequence(self, body: Body, process: Callable[[], None]) -> None:
        action = self.action
        if not action or body["seq"] <= action["lastSeq"]:
            return
        missed = body["seq"] > action["lastSeq"] + 1
        self._set(lastSeq=body["seq"])
        process()
        if missed and self.action is action:
            self._inquire()

    def _start(self, start: Body) -> None:
        action = self.action
        if action and start["actionId"] == action["actionId"]:
            return self._in_sequence(start, self._report_state)
        now = self._device.now_ms()
        if start["actionId"] in self._journal.ended or now > start["expiresAtMs"]:
            return None
        self._clear()  # the server has ended an earlier one
        self._journal.action = {
            "actionId": start["actionId"],
            "start": start,
            "nextSeq": 1,
            "lastSeq": start["seq"],
            "startedAtMs": now,
            "cardsTried": 0,
            "printed": {},
            "confirmed": [],
        }
        self._enter("card")
        self._report_state()

    def _command(self, name: str, body: Body) -> None:
        state = self.state
        if name == "action.decision" and state == "deciding":
            self._decided(body)
        elif name == "receipt.confirmed" and state == "confirming":
            self._confirmed(body["copy"])
        elif name == "action.cancel":
            self._device.show("Cancelled")
            self._enter("cancelled")
        elif name == "action.ended":
            self._device.show(body["status"])
            self._clear()
        elif name == "report.request":
            self._inquire()
            self._report_state()

    def _decided(self, decision: Body) -> None:
        assert self.action
        if decision["outcome"] == "declined":
            self._device.show("Declined")
            return self._enter("declined")
        start = self.action["start"]
        receipt = receipt_of(start, self.action["authorise"], decision, self._device.now_ms())
        prints = start["receiptPrintingSource"] == "Terminal"
        self._enter("printing" if prints else "confirming", receipt=receipt)
        self._report_state()
        if prints:
            self._print()

    def _print(self) -> None:
        assert self.action
        for copy in COPIES:
            if copy not in self.action["printed"]:
                printed = self._device.print(copy, self.action["receipt"][copy])
                self._set(printed={**self.action["printed"], copy: printed})
        self._enter("completed")
        self._report_state()

    def _confirmed(self, copy: str) -> None:
        assert self.action
        self._set(confirmed=[*self.action["confirmed"], copy])
        if copy == COPIES[-1]:
            self._enter("confirmed")

    # What the cardholder does

    def card_read(self, card: Body, verification: str) -> None:
        if self.state == "card" and verification == "Pin" and "pin" not in self._device.without:
            self._device.show("Enter your PIN")
            self._enter("pin", card=card, pinTries=PIN_TRIES)
        elif self.state == "card":
            self._authorise(card, "None")

    def pin_typed(self, pin: str, right: str) -> None:
        if self.state != "pin" or not self.action:
            return
        if pin == right:
            return self._authorise(self.action["card"], "OfflinePin")
        self._set(pinTries=self.action["pinTries"] - 1)
        if self.action["pinTries"] == 0:
            return self._authorise(self.action["card"], "PinFailed")
        self._device.show("Wrong PIN, try again")
        self._enter("pin")  # with a minute of its own

    def card_removed(self) -> None:
        if self.state != "pin":
            return
        self._enter("card")
        if "removed-card" not in self._device.without:
            self.card_unreadable()

    def card_unreadable(self) -> None:
        if self.state != "card" or not self.action:
            return
        self._set(cardsTried=self.action["cardsTried"] + 1)
        if self.action["cardsTried"] == CARD_TRIES:
            self._abandon("bad_track_data", "the card cannot be read")

    def card_declines(self) -> None:
        if self.state == "card":
            self._abandon("card_declined", "the card declined")

    def cancel_pressed(self) -> None:
        if self.state in ("card", "pin"):
            self._abandon("cancelled_on_terminal")

    def _authorise(self, card: Body, verification: str) -> None:
        self._device.show("Please wait")
        self._enter("deciding", authorise={"card": card, "verification": verification})
        self._report_state()

    def _abandon(self, code: str, reason: str | None = None) -> None:
        self._device.show("Cancelled")
        self._enter("abandoned", abandoned={"code": code, **({"reason": reason} if reason else {})})
        self._report_state()

    # What the terminal sends

    def online(self) -> None:
        """Inquires after each connect, then sends what still holds: an earlier report may be lost."""
        self._inquire()
        if self.state == "printing":  # the power was cut meanwhile
            return self._print()
        self._wait()
        self._report_state()

    def _ask_for_the_end(self) -> None:
        self._inquire()
        self._report_state()

    def _inquire(self, **members: str) -> None:
        if self.action:
            self._report("action.inquired", members)
        else:
            self._device.publish("action.inquired", {"seq": 1, **members})

    def _report_state(self) -> None:
        action, state = self.action, self.state
        if not action:
            return
        if state in ("card", "pin"):
            self._report("action.accepted", {})
        elif state == "deciding":
            self._report("action.authorise", action["authorise"])
        elif state in ("printing", "confirming"):
            self._report("receipt.ready", {"receipt": action["receipt"]})
        elif state == "completed":
            failed = [copy for copy, printed in action["printed"].items() if not printed]
            self._report("action.completed", {"failedCopies": failed, "receipt": action["receipt"]})
        elif state == "abandoned":
            self._report("action.abandoned", action["abandoned"])

    def _report(self, name: str, members: Body) -> None:
        assert self.action
        seq = self.action["nextSeq"]
        self._set(nextSeq=seq + 1)
        self._device.publish(name, {"actionId": self.action["actionId"], "seq": seq, **members})

    # Times

    def _wait(self) -> None:
        device, action, state = self._device, self.action, self.state
        device.stop_timers()
        if not action:
            return
        if state == "card":
            device.show("Present your card")
            self._give_up_at("card-timeout", action["startedAtMs"] + action["start"]["presentCardMs"])
        elif state == "pin":
            self._give_up_at("pin-timeout", action["sinceMs"] + PIN_MS)
        elif state == "deciding":
            self._give_up_at("give-up", action["sinceMs"] + GIVE_UP_MS)
            self._repeat("authorise", AUTHORISE_AGAIN_MS, self._report_state)
        elif state in ENDING and "inquiry" not in device.without:
            self._repeat("inquire", INQUIRE_MS, self._ask_for_the_end)

    def _give_up_at(self, name: str, at_ms: float) -> None:
        if name not in self._device.without:
            self._device.at(name, at_ms, lambda: self._abandon("timeout"))

    def _repeat(self, name: str, after_ms: float, call: Callable[[], None]) -> None:
        def again() -> None:
            call()
            self._repeat(name, 2 * after_ms, call)

        self._device.at(name, self._device.now_ms() + after_ms, again)

    # The journal

    def _enter(self, state: str, **members: Any) -> None:
        self._set(state=state, sinceMs=self._device.now_ms(), **members)
        self._wait()

    def _set(self, **members: Any) -> None:
        assert self.action
        self.action.update(members)
        self._journal.save()

    def _clear(self) -> None:
        self._device.stop_timers()
        if self.action:
            self._journal.clear()
