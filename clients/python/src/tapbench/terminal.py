"""A simulated card terminal."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from typing import Any, Callable

from .client import ApiError, Client, Json
from .terminal_states import AWAITING_CARD, AWAITING_PIN, CANCELLED, FAILED, SUCCEEDED
from .wait import TIMEOUT_SECONDS, NotInTime
from .webhooks import Webhooks

# The most that one request waits.
_REQUEST_WAITS_SECONDS = 10
# An action ends without a step of a terminal that has no power.
_LOOK_AT_ACTION_EVERY_SECONDS = 1


@dataclass(frozen=True)
class Action:
    """What a terminal does for the point of sale: a payment or a refund."""

    id: str
    status: str
    """`InProgress`, `Succeeded`, `Failed` or `Cancelled`."""
    error: str | None
    """Code of the reason of a failure, such as `insufficient_funds` or `timeout`."""
    payment_session_id: str
    json: Json = field(repr=False)
    """The action as the API shows it."""

    @classmethod
    def _of(cls, json: Json) -> Action:
        error = json.get("error")
        session = json["transaction"]["paymentSessionId"]
        return cls(json["id"], json["status"], error["code"] if error else None, session, json)


class Terminal:
    """A simulated terminal with the calls of a point of sale, and what its cardholder and its surroundings do."""

    def __init__(self, client: Client, webhooks: Webhooks, terminal_id: str) -> None:
        self.id = terminal_id
        self._client = client
        self._webhooks = webhooks
        self._path = f"/v1/in-person/terminals/{terminal_id}"
        self._controls = f"/sandbox/terminals/{terminal_id}"

    def __repr__(self) -> str:
        return f"Terminal({self.id!r})"

    # What the point of sale does

    def pay(self, amount: int, currency: str = "GBP", **more: Any) -> Action:
        """Starts a payment; `amount` is in minor units. `more` are further members of the request."""
        body = {"amounts": {"requested": amount}, "currency": currency, **more}
        return Action._of(self._client.post(f"{self._path}/payment", body)["action"])

    def refund(self, payment_session_id: str, amount: int | None = None, **more: Any) -> Action:
        """Starts the refund of a captured payment; of all that is left unless `amount` is given."""
        body: Json = {"paymentSession": {"id": payment_session_id}, **more}
        if amount is not None:
            body["amount"] = amount
        return Action._of(self._client.post(f"{self._path}/refund", body)["action"])

    def cancel(self) -> Action:
        """Cancels the action in progress, as the cashier."""
        return Action._of(self._client.post(f"{self._path}/cancel-action")["action"])

    def confirm_receipt(self, copy: str, status: str = "Succeeded") -> Action:
        """Confirms that the point of sale printed a receipt `copy`: `merchantCopy` or `customerCopy`."""
        self.reaches({"merchantCopy": "awaitingMerchantReceipt", "customerCopy": "awaitingCustomerReceipt"}[copy])
        return Action._of(self._client.post(f"{self._path}/confirm-receipt", {copy: {"status": status}})["action"])

    def action(self) -> Action:
        """Returns the latest action."""
        return Action._of(self._client.get(self._path)["action"])

    def ends(self) -> Action:
        """Waits until the latest action is not in progress any more, and returns it."""

        def ended() -> Action | None:
            action = self.action()
            return action if action.status != "InProgress" else None

        # The event Terminal.action_updated reports the end.
        return self._webhooks._until("the action of the terminal has ended", ended)

    def receipt(self) -> Json:
        """Returns the receipt of the latest action: `merchantCopy`, `customerCopy` and their fields."""
        return self._client.get(f"/sandbox/actions/{self.action().id}/receipt")

    # What the cardholder does

    def present(self, card: str = "visa-contactless", entry_mode: str | None = None) -> None:
        """Presents a card, which is read as soon as the terminal asks for one."""
        body: Json = {"card": card}
        if entry_mode is not None:
            body["entryMode"] = entry_mode
        self._client.post(f"{self._controls}/present-card", body)

    def remove_card(self) -> None:
        """Removes the card from the reader."""
        self._client.post(f"{self._controls}/remove-card")

    def enter_pin(self, pin: str) -> None:
        """Waits until the terminal asks for a PIN, and enters it."""
        self.press(*pin, "enter")

    def press(self, *keys: str) -> None:
        """Waits until the terminal accepts keys, and presses them: digits, `enter`, `clear`, `cancel`."""
        end = time.monotonic() + TIMEOUT_SECONDS
        accepting = [AWAITING_PIN, AWAITING_CARD] if "cancel" in keys else [AWAITING_PIN]
        states = ",".join([*accepting, SUCCEEDED, FAILED, CANCELLED])
        while True:
            try:
                self._client.post(f"{self._controls}/press-keys", {"keys": list(keys)})
                return
            except ApiError as error:
                refused = error
            status = self.action().status
            if status != "InProgress" or time.monotonic() > end:
                raise NotInTime(f"no key was pressed: {refused.message} (the action is {status})")
            self._client.get(self._controls, state=states, waitSeconds=_LOOK_AT_ACTION_EVERY_SECONDS)
            # The last state that the server knows can be one that the terminal has left.
            time.sleep(0.005)

    def cardholder(self, script: str, card: str | None = None, delay_ms: int | None = None) -> None:
        """Sets what the simulated cardholder does by itself from now on, such as `tap`; `none` at first."""
        body: Json = {"script": script}
        if card is not None:
            body["card"] = card
        if delay_ms is not None:
            body["delayMs"] = delay_ms
        self._client.post(f"{self._controls}/cardholder", body)

    # Its surroundings

    def power(self, *, on: bool) -> None:
        """Switches the power on or off."""
        self._client.post(f"{self._controls}/power", {"state": "on" if on else "off"})

    def network(self, *, on: bool) -> None:
        """Connects or disconnects the network."""
        self._client.post(f"{self._controls}/network", {"state": "on" if on else "off"})

    def reader(self, *, plugged_in: bool) -> None:
        """Plugs the card reader in, or takes it away."""
        self._client.post(f"{self._controls}/reader", {"state": "plugged-in" if plugged_in else "unplugged"})

    def paper(self, sheets: int) -> None:
        """Sets the number of sheets of paper in the printer; a receipt copy takes one."""
        self._client.post(f"{self._controls}/paper", {"sheets": sheets})

    @property
    def online(self) -> bool:
        """Whether the terminal is connected to the server."""
        return bool(self._client.get(self._controls)["online"])

    @property
    def state(self) -> str | None:
        """State of the terminal's state machine, such as `awaitingPin`; None when none is known."""
        state: str | None = self._client.get(self._controls)["state"]
        return state

    def reaches(self, state: str) -> None:
        """Waits until the terminal's state machine is in a state, named by a part of its dotted path."""
        self._wait(f"the terminal is in state {state}", lambda seen: state in (seen["state"] or "").split("."), state=state)

    def comes_online(self) -> None:
        """Waits until the terminal is connected to the server."""
        self._wait("the terminal is online", lambda seen: bool(seen["online"]), online="true")

    def _wait(self, what: str, is_so: Callable[[Json], bool], **wanted: str) -> None:
        """Lets the server reply when the terminal is as wanted."""
        end = time.monotonic() + TIMEOUT_SECONDS
        while True:
            left = max(0, min(_REQUEST_WAITS_SECONDS, math.ceil(end - time.monotonic())))
            if is_so(self._client.get(self._controls, waitSeconds=left, **wanted)):
                return
            if time.monotonic() >= end:
                raise NotInTime(f"waited {TIMEOUT_SECONDS:g} s, but not: {what}")
