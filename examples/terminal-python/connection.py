"""The connection of a terminal to its broker: docs/protocol.md, "Connect" and "Presence"."""

from __future__ import annotations

import json
import random
import socket
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import paho.mqtt.client as mqtt

Body = dict[str, Any]

PRESENCE: Body = {"online": True, "deviceType": "Python Terminal", "firmware": "1.0.0", "reader": "laboratory"}
KEEP_ALIVE_S = 30
REJECTED_S = 60.0
FIRST_DELAY_S = 0.25
LONGEST_DELAY_S = 5.0
REJECTED = (mqtt.CONNACK_REFUSED_BAD_USERNAME_PASSWORD, mqtt.CONNACK_REFUSED_NOT_AUTHORIZED)


class Connection:
    """Connects once at a time. Each connection is a new client, so that nothing of an earlier one is sent again.

    The callbacks of the MQTT library run in its own thread. They post what they have to the thread of the terminal.
    """

    def __init__(
        self,
        url: str,
        post: Callable[..., None],
        on_online: Callable[[], None],
        on_offline: Callable[[float], None],
        on_message: Callable[[str, Body], None],
    ) -> None:
        """`on_offline` gets the seconds to wait before the next connection, `on_message` each message that is an object."""
        self._url = urlsplit(url)
        self._post = post
        self._on_online, self._on_offline, self._on_message = on_online, on_offline, on_message
        self._client: mqtt.Client | None = None
        self._id = ""
        self._code = 0
        self._failures = 0
        self.is_online = False

    def open(self, credentials: Body) -> None:
        self._id = credentials["username"]
        client = mqtt.Client(
            client_id=credentials["clientId"],
            clean_session=True,
            protocol=mqtt.MQTTv311,
            reconnect_on_failure=False,
        )
        client.username_pw_set(credentials["username"], credentials["password"])
        client.will_set(self._topic("presence"), json.dumps({"online": False}), qos=1, retain=True)
        client.on_socket_open = lambda _c, _u, sock: sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        client.on_connect = lambda c, _u, _f, code: self._connected(c, code)
        client.on_subscribe = lambda c, _u, _m, codes: self._post(self._subscribed, c, codes)
        client.on_disconnect = lambda c, _u, _code: self._post(self._lost, c)
        client.on_message = lambda c, _u, message: self._post(self._received, c, message.topic, message.payload)
        self._client = client
        self._code = 0
        try:
            client.connect(self._url.hostname or "127.0.0.1", self._url.port or 1883, KEEP_ALIVE_S)
            client.loop_start()
        except OSError:
            self._post(self._lost, client)

    def _connected(self, client: mqtt.Client, code: int) -> None:
        self._code = code
        if code == mqtt.CONNACK_ACCEPTED:
            client.subscribe([("tapbench/clock", 1), (f"tapbench/terminals/{self._id}/commands/+", 1)])

    def _subscribed(self, client: mqtt.Client, codes: tuple[int, ...]) -> None:
        if client is not self._client:
            return
        if any(code >= 0x80 for code in codes):
            client.disconnect()  # without it the last will would follow the next connection
            return
        self._failures = 0
        self.is_online = True
        self.present()
        self._on_online()

    def _received(self, client: mqtt.Client, topic: str, payload: bytes) -> None:
        if client is not self._client:
            return
        try:
            body = json.loads(payload)
        except ValueError:
            return
        if isinstance(body, dict):
            # A dot is a hyphen in a topic: `action-start`.
            self._on_message(topic.rsplit("/", 1)[1].replace("-", "."), body)

    def _lost(self, client: mqtt.Client) -> None:
        if client is not self._client:
            return
        self._client, self.is_online = None, False
        client.loop_stop()
        rejected = self._code in REJECTED
        longest = min(FIRST_DELAY_S * 2**self._failures, LONGEST_DELAY_S)
        self._failures = min(self._failures + 1, 10)
        self._on_offline(REJECTED_S if rejected else random.uniform(0, longest))

    def present(self) -> None:
        self.publish("presence", PRESENCE, retain=True)

    def publish(self, name: str, body: Body, retain: bool = False) -> None:
        """Sends a report, or drops it without a connection: an old report is stale when it arrives."""
        if self._client and self.is_online:
            self._client.publish(self._topic(name), json.dumps(body), qos=1, retain=retain)

    def _topic(self, name: str) -> str:
        return f"tapbench/terminals/{self._id}/reports/{name.replace('.', '-')}"

    def cut(self) -> None:
        """Takes the network away: the broker sees the connection end without DISCONNECT."""
        sock = self._client and self._client.socket()
        if sock:
            sock.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Says that the terminal goes offline, and disconnects: DISCONNECT discards the last will."""
        if not self._client or not self.is_online:
            return
        client, self._client = self._client, None
        client.publish(self._topic("presence"), json.dumps({"online": False}), qos=1, retain=True).wait_for_publish(2)
        client.disconnect()
        client.loop_stop()
