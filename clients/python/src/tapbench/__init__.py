"""A payments sandbox for each test, on a Tapbench server."""

from .checkout import Card, Checkout
from .client import ApiError, Client, ServerUnavailable
from .sandbox import Sandbox, UnstruckFaults
from .secret import Secret
from .server import Server
from .terminal import Action, Terminal
from .wait import NotInTime, until
from .webhooks import Event, Webhooks, verify_signature

__all__ = [
    "Action",
    "ApiError",
    "Card",
    "Checkout",
    "Client",
    "Event",
    "NotInTime",
    "Sandbox",
    "Secret",
    "Server",
    "ServerUnavailable",
    "Terminal",
    "UnstruckFaults",
    "Webhooks",
    "until",
    "verify_signature",
]
