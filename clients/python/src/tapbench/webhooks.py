"""The webhooks that a sandbox sent."""

from __future__ import annotations

import hmac
import json
import time
from dataclasses import dataclass, field
from typing import Callable, TypeVar, overload

from .client import Json
from .receiver import Delivery, Receiver
from .secret import Secret, with_secrets_masked
from .wait import TIMEOUT_SECONDS, NotInTime

T = TypeVar("T")

# In case the webhook that reports it is lost.
_LOST_WEBHOOK_SECONDS = 0.25


@dataclass(frozen=True)
class Event:
    """A received event."""

    id: str
    type: str
    """Such as `PaymentSession.captured`."""
    data: Json = field(repr=False)
    """The object at the time of the event."""
    json: Json = field(repr=False)
    """The whole event."""


def verify_signature(secret: str, body: bytes, signature: str) -> bool:
    """Returns whether `signature` is the HMAC-SHA256 of the exact bytes of a body under the secret, in hex."""
    expected = hmac.new(secret.encode(), body, "sha256").hexdigest()
    return hmac.compare_digest(expected.encode(), signature.encode())


class Webhooks:
    """Receives all events of a sandbox."""

    def __init__(self, receiver: Receiver, path: str, sandbox: str, secret: str) -> None:
        self._receiver = receiver
        self._path = path
        self._sandbox = sandbox
        self._secret = Secret(secret)

    def __repr__(self) -> str:
        return f"Webhooks({self.url!r})"

    @property
    def url(self) -> str:
        """Address of the endpoint."""
        return self._receiver.url + self._path

    def _of_fork(self, sandbox: str) -> Webhooks:
        """Returns the webhooks of a fork: they arrive at the same endpoint."""
        return Webhooks(self._receiver, self._path, sandbox, self._secret)

    def received(self, event_type: str | None = None) -> list[Event]:
        """Returns the events that arrived, in the order of their arrival; those of one type, or all.

        An event that was delivered twice is here twice. Raises AssertionError for a delivery with a wrong signature.
        """
        with self._receiver.arrived:
            return self._received(event_type)

    @overload
    def wait_for(
        self,
        event_type: str,
        where: Callable[[Event], bool] = ...,
        *,
        count: None = None,
        seconds: float = ...,
    ) -> Event: ...

    @overload
    def wait_for(
        self,
        event_type: str,
        where: Callable[[Event], bool] = ...,
        *,
        count: int,
        seconds: float = ...,
    ) -> list[Event]: ...

    def wait_for(
        self,
        event_type: str,
        where: Callable[[Event], bool] = lambda _: True,
        *,
        count: int | None = None,
        seconds: float = TIMEOUT_SECONDS,
    ) -> Event | list[Event]:
        """Waits until an event of a type has arrived for which `where` holds, and returns it.

        With `count`, waits for that many and returns them in a list, in the order of arrival.
        """
        wanted = 1 if count is None else count
        end = time.monotonic() + seconds
        with self._receiver.arrived:
            while True:
                found = [event for event in self._received(event_type) if where(event)]
                if len(found) >= wanted:
                    return found[0] if count is None else found[:count]
                left = end - time.monotonic()
                if left <= 0:
                    break
                self._receiver.arrived.wait(left)
            types = ", ".join(event.type for event in self._received(None)) or "none"
        raise NotInTime(f"{wanted} × {event_type} did not arrive at {self.url} within {seconds:g} s; received: {types}")

    def reply_with(self, *statuses: int) -> None:
        """Sets the statuses of the next replies, such as 500; 200 after them."""
        self._receiver.reply_with(self._path, list(statuses))

    def _until(self, what: str, look: Callable[[], T | None]) -> T:
        """Calls `look` at each webhook that arrives until it returns a truthy value, and returns that."""
        end = time.monotonic() + TIMEOUT_SECONDS
        while True:
            with self._receiver.arrived:
                seen = len(self._receiver.deliveries(self._path))
            found = look()
            if found:
                return found
            if time.monotonic() >= end:
                raise NotInTime(f"waited {TIMEOUT_SECONDS:g} s, but not: {what}")
            with self._receiver.arrived:
                if len(self._receiver.deliveries(self._path)) == seen:
                    self._receiver.arrived.wait(_LOST_WEBHOOK_SECONDS)

    def _received(self, event_type: str | None) -> list[Event]:
        arrived = self._receiver.deliveries(self._path)
        events = [self._event(delivery) for delivery in arrived if delivery.sandbox == self._sandbox]
        return [event for event in events if event_type in (None, event.type)]

    def _event(self, delivery: Delivery) -> Event:
        assert verify_signature(self._secret, delivery.body, delivery.signature), "a webhook has a wrong signature"
        event = json.loads(delivery.body, object_hook=with_secrets_masked)
        return Event(event["id"], event["eventType"], event["data"], event)
