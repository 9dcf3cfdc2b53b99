"""A sandbox: keys, objects, clock, terminals and webhooks of its own."""

from __future__ import annotations

import json
from datetime import timedelta
from functools import cached_property
from typing import Any, Callable, TypeVar

from .checkout import Checkout
from .client import Client, Json
from .event_types import EVENT_TYPES
from .receiver import Receiver
from .secret import Secret
from .terminal import Terminal
from .wait import NotInTime, until
from .webhooks import Webhooks

T = TypeVar("T")

# Without use: a run that was killed deletes nothing.
_EXPIRES_IN_SECONDS = 3_600

_STEPS_MAX = 20
_STEP_SECONDS = 0.5


class UnstruckFaults(AssertionError):
    """Faults that a test put on its sandbox struck nothing, so it did not test them."""


class Sandbox:
    """A sandbox of a server. `Server.create_sandbox` makes one, `fork` a copy of it."""

    def __init__(
        self,
        host: Client,
        created: Json,
        webhooks: Webhooks,
        *,
        taken: frozenset[str] = frozenset(),
        allow_unstruck: bool = False,
    ) -> None:
        self._host = host
        # Terminals whose cardholder does what the tests say, those of the source included.
        self._taken = set(taken)
        self.allow_unstruck = allow_unstruck
        """Whether a test may end with faults of its plans that struck nothing."""
        self.name: str = created["name"]
        self.url = host.url
        """Base URL of the API, without a trailing slash: with the key, the configuration of your code."""
        self.secret_key: Secret = created["secretKey"]
        self.public_key: Secret = created["publicKey"]
        self.account_id: str = created["accountId"]
        """The account of the keys, a platform."""
        self.sub_account_id: str = created["subAccountId"]
        """A sub account that exists from the start."""
        self.pace: str = created["pace"]
        """`instant` when cardholder and reader take no time, `real` otherwise; that of its creation."""
        self.dashboard_url: Secret = created["dashboardUrl"]
        """Link that opens the dashboard of the sandbox in a browser."""
        self.client = Client(host.url, self.secret_key)
        """Calls the API with the secret key."""
        self.browser = Client(host.url, self.public_key)
        """Calls the API with the public key, as a customer's browser."""
        self.checkout = Checkout(self.client, self.browser)
        self.webhooks = webhooks
        """Receives all events of the sandbox."""
        self._terminal_ids: list[str] = [terminal["id"] for terminal in created["terminals"]]

    @classmethod
    def _create(
        cls, host: Client, receiver: Receiver, *, allow_unstruck: bool = False, **options: Any
    ) -> Sandbox:
        """Creates a sandbox with a webhook endpoint for all events.

        `options` are members of `POST /sandboxes`. Its pace is `instant` unless they have another.
        """
        wanted = {"expiresInSeconds": _EXPIRES_IN_SECONDS, "pace": "instant", **options}
        created = host.post("/sandboxes", wanted)
        path = f"/{created['name']}"
        endpoint = {"url": receiver.url + path, "active": True, "eventTypes": list(EVENT_TYPES)}
        secret = Client(host.url, created["secretKey"]).post("/v1/webhooks", endpoint)["secret"]
        webhooks = Webhooks(receiver, path, created["name"], secret)
        return cls(host, created, webhooks, allow_unstruck=allow_unstruck)

    def __repr__(self) -> str:
        return f"Sandbox({self.name!r} at {self.url})"

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(self, thrown: object, *_: object) -> None:
        try:
            if thrown is None and not self.allow_unstruck:
                self._expect_struck()
        finally:
            self.delete()

    @cached_property
    def terminal(self) -> Terminal:
        """The simulated terminal, online. Its cardholder does nothing by itself."""
        return self.terminal_of(self._terminal_ids[0])

    def terminal_of(self, terminal_id: str) -> Terminal:
        """Returns a simulated terminal once it is online. Its cardholder does nothing by itself."""
        terminal = Terminal(self.client, self.webhooks, terminal_id)
        terminal.comes_online()
        # In a fork the cardholder goes on as in its source.
        if terminal_id not in self._taken:
            terminal.cardholder("none")
            self._taken.add(terminal_id)
        return terminal

    def now(self) -> int:
        """Returns the time of the sandbox, a Unix timestamp in seconds."""
        timestamp: int = self.client.get("/sandbox/clock")["nowTimestamp"]
        return timestamp

    def advance(self, **by: float) -> None:
        """Advances the clock of this sandbox alone, by keywords of `timedelta` such as `days=3`. What is due is done."""
        time = self.client.post("/sandbox/clock/advance", {"seconds": round(timedelta(**by).total_seconds())})
        if time["pending"]["jobs"] > 0:
            until("what is due is done", self._is_nothing_due)

    def _is_nothing_due(self) -> bool:
        jobs: int = self.client.get("/sandbox/clock")["pending"]["jobs"]
        return jobs == 0

    def advance_until(self, what: str, look: Callable[[], T | None], **by: float) -> T:
        """Advances the clock by the same step until `look` returns a truthy value, and returns that.

        For what the server plans only when something before it is done, such as the next try of a webhook.
        """
        for _ in range(_STEPS_MAX):
            self.advance(**by)
            try:
                return until(what, look, _STEP_SECONDS)
            except NotInTime:
                continue
        raise NotInTime(f"advanced the clock {_STEPS_MAX} times, but not: {what}")

    def faults(self, *faults: Json, **options: Any) -> Json:
        """Begins a plan of faults, such as `{"at": "webhook.attempt", "what": "lost"}`, and returns it.

        `options` are further members of `POST /sandbox/faults`, such as `seed`.
        """
        return self.begin_plan({"faults": list(faults), **options})

    def begin_plan(self, plan: Json) -> Json:
        """Begins a plan with its members of `POST /sandbox/faults`, such as `faults` and `seed`, and returns it."""
        return self.client.post("/sandbox/faults", plan)

    def unstruck(self) -> list[Json]:
        """Returns the faults of the plans of this sandbox that have struck nothing."""
        plans = self.client.get("/sandbox/faults", strikes=0)["items"]
        return [
            fault
            for plan in plans
            for fault, struck in zip(plan["faults"], plan["struckByFault"])
            if struck == 0
        ]

    def _expect_struck(self) -> None:
        unstruck = self.unstruck()
        if unstruck:
            lines = "".join(f"\n  {json.dumps(fault)}" for fault in unstruck)
            raise UnstruckFaults(
                f"the test did not test these faults, which struck nothing (allow_unstruck permits it):{lines}"
            )

    def fork(self, **options: Any) -> Sandbox:
        """Creates a copy of this sandbox with everything in it, terminals as they stand, and new keys.

        `options` are further members of `POST /sandboxes`, such as `name`.
        """
        fork = {"from": self.name, "expiresInSeconds": _EXPIRES_IN_SECONDS, **options}
        # Before the copy, so that none is missing in it.
        taken = frozenset(self._taken)
        created = self._host.post("/sandboxes", fork)
        webhooks = self.webhooks._of_fork(created["name"])
        return Sandbox(
            self._host, created, webhooks, taken=taken, allow_unstruck=self.allow_unstruck
        )

    def delete(self) -> None:
        """Deletes the sandbox with everything in it."""
        self._host.delete(f"/sandboxes/{self.name}")

