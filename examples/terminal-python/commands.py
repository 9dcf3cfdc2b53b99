"""The commands that a terminal knows, and the members that it reads. All others it ignores."""

from __future__ import annotations

from typing import Any

COPIES = ("merchantCopy", "customerCopy")

OF_AN_ACTION: dict[str, Any] = {"actionId": str, "seq": int}
MEMBERS: dict[str, dict[str, Any]] = {
    "clock": {"offsetMs": int},
    "presence.request": {},
    "action.start": {
        **OF_AN_ACTION,
        "type": ("Payment", "Refund"),
        "amountMinor": int,
        "currency": str,
        "receiptPrintingSource": ("Terminal", "PointOfSale"),
        "expiresAtMs": int,
        "presentCardMs": int,
        "merchantName": str,
    },
    "action.cancel": OF_AN_ACTION,
    "action.decision": {**OF_AN_ACTION, "outcome": ("approved", "declined")},
    "receipt.confirmed": {**OF_AN_ACTION, "copy": COPIES, "status": ("Succeeded", "Failed")},
    "action.ended": {**OF_AN_ACTION, "status": ("Succeeded", "Failed", "Cancelled")},
    "report.request": OF_AN_ACTION,
}


def is_valid(name: str, body: dict[str, Any]) -> bool:
    """Whether a command is known and has what it needs. What else is in it makes no difference."""
    members = MEMBERS.get(name)
    return members is not None and all(_is(body.get(member), kind) for member, kind in members.items())


def _is(value: Any, kind: Any) -> bool:
    if isinstance(kind, tuple):
        return value in kind
    return isinstance(value, kind) and not isinstance(value, bool)
