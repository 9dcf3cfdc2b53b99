"""Online payments: what a shop's server and its customer's browser do."""

from __future__ import annotations

import base64
import json
import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode, urljoin

from . import cards
from .client import Client, Json, send

_HIDDEN_FIELD = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)"')
_FORM_ACTION = re.compile(r'<form[^>]+action="([^"]+)"')


@dataclass(frozen=True)
class Card:
    """A test card for online payments. docs/online-payments.md lists more."""

    number: str = cards.APPROVED[0]
    cvc: str = cards.APPROVED[1]
    expiry_month: str = "12"
    expiry_year: str = "2035"

    def details(self) -> Json:
        """Returns the card as the API expects it."""
        expiry = {"expiryMonth": self.expiry_month, "expiryYear": self.expiry_year}
        return {"number": self.number, "cvc": self.cvc, **expiry}


APPROVED = Card()
"""Is approved without authentication."""
CHALLENGED = Card(*cards.CHALLENGED)
"""Its issuer challenges the cardholder (3DS)."""
DECLINED = Card(*cards.DECLINED)
"""Is declined: `insufficient_funds`."""


class Checkout:
    """Creates payment sessions with the secret key and pays them with the public key."""

    def __init__(self, server: Client, browser: Client) -> None:
        self._server = server
        self._browser = browser

    def as_account(self, account_id: str) -> Checkout:
        """Returns the checkout of a sub account."""
        return Checkout(self._server.as_account(account_id), self._browser.as_account(account_id))

    def create(self, amount: int, currency: str = "GBP", **more: Any) -> Json:
        """Creates a payment session; `amount` is in minor units. `more` are further members of the request."""
        body = {"amount": amount, "currency": currency, "customerEmail": "sam@example.com", **more}
        return self._server.post("/v1/payment-sessions", body)

    def attempt(self, session: Json, card: Card = APPROVED) -> Json:
        """Attempts to pay a session as the customer's browser does. Returns the session."""
        body = {"clientSecret": session["clientSecret"], "cardDetails": card.details()}
        return {**session, **self._browser.post("/v1/payment-sessions/attempt-payment", body)}

    def pay(self, amount: int, card: Card = APPROVED, currency: str = "GBP", **more: Any) -> Json:
        """Creates a payment session and attempts to pay it. Returns the session."""
        return self.attempt(self.create(amount, currency, **more), card)

    def answer_challenge(self, session: Json, code: str = "123456") -> Json:
        """Does what 3DS requires of a session: the code `123456` is right, an empty one cancels. Returns the session."""
        secret = session["clientSecret"]
        while (session.get("requiredAction") or {}).get("type") == "Identify":
            fingerprint = base64.b64encode(json.dumps({"threeDSCompInd": "Y"}).encode()).decode()
            body = {"clientSecret": secret, "threeDs": {"fingerprint": fingerprint}}
            session = {**session, **self._browser.post("/v1/payment-sessions/continue-payment", body)}
        challenge = session["requiredAction"]["challenge"]
        page = _post_form(challenge["acsUrl"], {"creq": challenge["cReq"]})
        fields = dict(_HIDDEN_FIELD.findall(page))
        action = _FORM_ACTION.search(page)
        assert action, "the issuer shows no form"
        _post_form(
            urljoin(challenge["acsUrl"], action.group(1)),
            {**fields, "answer": "approve" if code else "cancel", "code": code},
        )
        return self._browser.get(f"/v1/payment-sessions/{session['id']}", clientSecret=secret)


def _post_form(url: str, fields: dict[str, str]) -> str:
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    _, _, page = send("POST", url, urlencode(fields).encode(), headers)
    return page.decode()
