#!/usr/bin/env python3
"""A card terminal in Python, which talks to Tapbench over its terminal protocol. README.md says how to start it."""

from __future__ import annotations

import argparse
import json
import queue
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from action import Actions
from commands import is_valid
from connection import Connection
from journal import Journal

Body = dict[str, Any]

GAPS = ("inquiry", "give-up", "card-timeout", "pin", "pin-timeout", "removed-card")
NO_PIN_CARD = {
    "scheme": "Visa",
    "bin": "476173",
    "last4": "0010",
    "expiryMonth": "12",
    "expiryYear": "2030",
    "entryMode": "Contactless",
    "applicationLabel": "VISA CREDIT",
}
PIN_CARD = {
    "scheme": "Mastercard",
    "bin": "541333",
    "last4": "0019",
    "expiryMonth": "12",
    "expiryYear": "2030",
    "entryMode": "Contact",
    "applicationLabel": "MASTERCARD",
}
# How long an act of the laboratory waits until the terminal is ready for it.
HOLD_S = 3.0
FOREVER_S = 3600.0


class Terminal:
    """Runs in one thread: what other threads have for it, and what is due, comes one after another."""

    def __init__(self, folder: Path, url: str, without: frozenset[str], pin: str) -> None:
        self.without = without
        self._folder, self._pin = folder, pin
        self._queue: queue.Queue[tuple[Callable[..., None], tuple[Any, ...]]] = queue.Queue()
        # By name: when it is due, by the clock of the sandbox (True) or of the machine, and what to do.
        self._timers: dict[str, tuple[bool, float, Callable[[], None]]] = {}
        self._offset_ms = 0
        self._held: list[tuple[str, Callable[[], None], Callable[[], None]]] = []
        self._running = True
        self._connection = Connection(url, self.post, self._online, self._offline, self._message)
        self._inquired = False
        self._has_clock = False
        # A card is read once: one from before, still in the slot, has to be taken out first.
        self._slot_read = True
        self._actions = Actions(self, Journal(folder / "journal.json"))

    def run(self) -> None:
        self._connect()
        while self._running:
            timer = min(self._timers, key=lambda name: self._wait_s(name), default=None)
            wait_s = self._wait_s(timer) if timer else FOREVER_S
            try:
                call, arguments = self._queue.get(timeout=min(max(wait_s, 0.001), FOREVER_S))
            except queue.Empty:
                if timer and self._wait_s(timer) <= 0:
                    self._timers.pop(timer)[2]()
            else:
                call(*arguments)
            self._use_held()
        self._connection.close()

    def post(self, call: Callable[..., None], *arguments: Any) -> None:
        self._queue.put((call, arguments))

    def stop(self) -> None:
        self._running = False

    # Its network

    def _surroundings(self) -> Body:
        path = self._folder / "surroundings.json"
        return {"slot": False, "paper": True, "network": True, **(json.loads(path.read_text()) if path.exists() else {})}

    def _connect(self) -> None:
        if self._surroundings()["network"]:
            self._connection.open(json.loads((self._folder / "credentials.json").read_text()))

    def _online(self) -> None:
        # Without the clock of the sandbox it cannot tell what has expired. It comes with the subscription.
        if self._has_clock:
            self._inquired = True
            self._actions.online()

    def _offline(self, retry_s: float) -> None:
        self._timers["connect"] = (False, time.time() * 1000 + retry_s * 1000, self._connect)

    def _message(self, name: str, body: Body) -> None:
        if not is_valid(name, body):
            return
        if name == "clock":
            self._offset_ms = body["offsetMs"]
            if not self._has_clock:
                self._has_clock = True
                self._online()
        elif name == "presence.request":
            self._connection.present()
        else:
            self._actions.receive(name, body)

    # What its actions need

    def now_ms(self) -> int:
        return round(time.time() * 1000) + self._offset_ms

    def publish(self, name: str, body: Body) -> None:
        self._connection.publish(name, body)

    def at(self, name: str, at_ms: float, call: Callable[[], None]) -> None:
        self._timers[name] = (True, at_ms, call)

    def stop_timers(self) -> None:
        self._timers = {name: timer for name, timer in self._timers.items() if not timer[0]}

    def _wait_s(self, name: str) -> float:
        is_sandbox, at_ms, _ = self._timers[name]
        return (at_ms - (self.now_ms() if is_sandbox else time.time() * 1000)) / 1000

    def print(self, copy: str, text: str) -> bool:
        if not self._surroundings()["paper"]:
            return False
        with open(self._folder / "printed.txt", "a") as file:
            file.write(f"{text}\n\n")
        return True

    def show(self, line: str) -> None:
        print(line, flush=True)

    # Its laboratory

    def act(self, words: list[str], done: Callable[[], None]) -> None:
        """Does one act. What needs the terminal to be ready, such as a card that is held to it, waits a while for that."""
        actions = self._actions
        if words[0] == "tap":
            self._hold("card", lambda: actions.card_read(NO_PIN_CARD, "None"), done)
        elif words[0] == "insert":
            self._slot_read = False
            done()
        elif words[0] == "unreadable":
            self._hold("card", actions.card_unreadable, done)
        elif words[0] == "declines":
            self._hold("card", actions.card_declines, done)
        elif words[0] == "pin":
            self._hold("pin", lambda: actions.pin_typed(words[1], self._pin), done)
        elif words[0] == "network-off":
            self._connection.cut()
            done()
        elif words[0] in ("network-on", "pair-again"):
            self._timers["connect"] = (False, time.time() * 1000, self._connect)
            done()
        else:
            if words[0] == "remove":
                actions.card_removed()
            elif words[0] == "cancel":
                actions.cancel_pressed()
            done()

    def _hold(self, state: str, use: Callable[[], None], done: Callable[[], None]) -> None:
        held = (state, use, done)
        self._held.append(held)
        self._timers[f"held-{id(held)}"] = (False, (time.time() + HOLD_S) * 1000, lambda: self._let_go(held))

    def _let_go(self, held: tuple[str, Callable[[], None], Callable[[], None]]) -> None:
        if held in self._held:
            self._held.remove(held)
            held[2]()

    def _use_held(self) -> None:
        if not self._inquired:
            return  # after a power cut it does not know yet whether the action goes on
        if self._actions.state == "card" and not self._slot_read and self._surroundings()["slot"]:
            self._slot_read = True
            self._actions.card_read(PIN_CARD, "Pin")
        for held in [*self._held]:
            if held[0] == self._actions.state:
                self._held.remove(held)
                held[1]()
                held[2]()


def serve_laboratory(terminal: Terminal, path: Path) -> None:
    """Takes acts of `lab.py` over a Unix socket: a line of words, answered by a line once it is done."""
    path.unlink(missing_ok=True)
    server = socket.socket(socket.AF_UNIX)
    server.bind(str(path))
    server.listen()

    def serve(connection: socket.socket) -> None:
        with connection:
            words = connection.makefile().readline().split()
            done = threading.Event()
            if words:
                terminal.post(terminal.act, words, done.set)
                done.wait(10)
            connection.sendall(b"done\n")

    def accept() -> None:
        while True:
            threading.Thread(target=serve, args=server.accept()[:1], daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where its credentials.json is, and its journal will be")
    parser.add_argument("--url", default="mqtt://127.0.0.1:1883", help="the broker")
    parser.add_argument("--pin", default="1234", help="the PIN of the card that is put in")
    parser.add_argument("--without", choices=GAPS, action="append", default=[], help="what it fails to do, to see that a certificate says so")
    options = parser.parse_args()
    terminal = Terminal(options.folder, options.url, frozenset(options.without), options.pin)
    serve_laboratory(terminal, options.folder / "lab.sock")
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: terminal.post(terminal.stop))
    terminal.run()
    return 0


if __name__ == "__main__":
    sys.exit(main())
