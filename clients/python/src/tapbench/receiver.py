"""The endpoint that receives the webhooks of all sandboxes of a test run."""

from __future__ import annotations

import os
import threading
from collections import defaultdict
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(frozen=True)
class Delivery:
    """A request as it arrived."""

    body: bytes
    signature: str
    """The `Signature` header."""
    sandbox: str
    """Name of the sandbox, of the header `Tapbench-Sandbox`."""


class Receiver:
    """An HTTP server on a free port that keeps each delivery by its path."""

    def __init__(self, host: str | None = None) -> None:
        self.arrived = threading.Condition()
        """Is notified of each delivery."""
        self._deliveries: dict[str, list[Delivery]] = defaultdict(list)
        self._statuses: dict[str, list[int]] = defaultdict(list)
        # A server elsewhere, such as in a container, reaches this machine under another name.
        named = host or os.environ.get("TAPBENCH_WEBHOOK_HOST")
        self._server = ThreadingHTTPServer(("0.0.0.0" if named else "127.0.0.1", 0), _handler_of(self))
        self._server.daemon_threads = True
        self.url = f"http://{named or '127.0.0.1'}:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def deliveries(self, path: str) -> list[Delivery]:
        """Returns what arrived at a path, oldest first. Hold `arrived`."""
        return self._deliveries[path]

    def reply_with(self, path: str, statuses: list[int]) -> None:
        """Sets the statuses of the next replies at a path; 200 after them."""
        with self.arrived:
            self._statuses[path] = list(statuses)

    def take(self, path: str, delivery: Delivery) -> int:
        """Keeps a delivery, and returns the status of its reply."""
        with self.arrived:
            self._deliveries[path].append(delivery)
            self.arrived.notify_all()
            waiting = self._statuses[path]
            return waiting.pop(0) if waiting else 200

    def close(self) -> None:
        """Closes the port."""
        self._server.shutdown()
        self._server.server_close()


def _handler_of(receiver: Receiver) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
            signature = self.headers.get("Signature", "")
            delivery = Delivery(body, signature, self.headers.get("Tapbench-Sandbox", "default"))
            self.send_response(receiver.take(self.path, delivery))
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Prints nothing."""

    return Handler
