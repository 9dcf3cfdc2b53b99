"""The receipt of an approved action: plain text in lines of at most 32 characters, and the same data as fields."""

from __future__ import annotations

import time
from typing import Any

WIDTH = 32


def receipt_of(start: dict[str, Any], authorise: dict[str, Any], decision: dict[str, Any], now_ms: float) -> dict[str, Any]:
    card = authorise["card"]
    fields = {
        "merchantName": start["merchantName"],
        "type": start["type"],
        "amount": f"{start['amountMinor'] / 100:.2f} {start['currency']}",
        "card": f"{card['scheme']} **** {card['last4']}",
        "entryMode": card["entryMode"],
        "verification": authorise["verification"],
        "authorisationCode": decision.get("authorisationCode", ""),
        "time": time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(now_ms / 1000)),
    }
    lines = [f"{name}: {value}"[:WIDTH] for name, value in fields.items() if value]
    return {
        "merchantCopy": "\n".join(["MERCHANT COPY", *lines]),
        "customerCopy": "\n".join(["CUSTOMER COPY", *lines]),
        "fields": fields,
    }
