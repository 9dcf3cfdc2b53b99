"""A shop with one card terminal, in Python without packages. README.md describes what it reads and serves."""

import argparse
import hashlib
import hmac
import http.client
import json
import os
import sqlite3
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

URL = os.environ["TAPBENCH_URL"]
SECRET_KEY = os.environ["TAPBENCH_KEY"]
TERMINAL = os.environ["TAPBENCH_TERMINAL"]
WEBHOOK_SECRET = os.environ.get("TAPBENCH_WEBHOOK_SECRET")
PORT = int(os.environ.get("TAPBENCH_PORT", "3000"))
STORE = os.environ.get("TAPBENCH_STORE", "shop.db")

# How many times as fast it waits: set by a hunt, in which the time of the sandbox passes faster than real time.
SPEED = float(os.environ.get("TAPBENCH_SPEED", "1"))

READ_TIMEOUT_S = 2
PAUSE_S = 0.1
# What an earlier process sent before it stopped arrives within this time, or never.
ON_ITS_WAY_S = 180 / SPEED

TABLES = """
CREATE TABLE IF NOT EXISTS orders (
  order_id TEXT PRIMARY KEY, amount INTEGER NOT NULL, is_open INTEGER NOT NULL, since INTEGER
);
CREATE TABLE IF NOT EXISTS cancels (order_id TEXT PRIMARY KEY);
CREATE TABLE IF NOT EXISTS bookings (session_id TEXT UNIQUE, order_id TEXT NOT NULL, amount INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS refunds (
  order_id TEXT PRIMARY KEY, amount INTEGER NOT NULL, is_open INTEGER NOT NULL, is_sent INTEGER NOT NULL, refunded INTEGER NOT NULL
);
"""

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument(
    "--defect",
    choices=[
        "charges-again",
        "books-twice",
        "books-at-once",
        "books-unread",
        "forgets",
        "asks-once",
        "gives-up",
        "only-listens",
        "cancels-unread",
        "assumes-refused",
        "trusts-reply",
        "starts-over",
        "refund-unread",
        "refunds-again",
        "loses-refund",
        "looks-once",
    ],
    help="what it does wrong",
)
parser.add_argument(
    "--part",
    choices=["sales", "payments"],
    help="what this process does: take orders and events, or take payments for the orders; by default both",
)
ARGUMENTS = parser.parse_args()
DEFECT = ARGUMENTS.defect


class Store:
    """The order book. Each call is one transaction."""

    def __init__(self):
        self.lock = threading.Lock()
        self.connection = sqlite3.connect(STORE, timeout=30, check_same_thread=False)
        self.connection.executescript(TABLES)

    def run(self, sql, *values):
        with self.lock, self.connection:
            return self.connection.execute(sql, values).fetchall()

    def add(self, order_id, amount):
        self.run("INSERT OR IGNORE INTO orders VALUES (?, ?, 1, NULL)", order_id, amount)

    def unfinished(self):
        return self.run("SELECT order_id, amount FROM orders WHERE is_open")

    def since(self, order_id):
        """Returns from when on to look for the payment of an order; None while nothing has been sent."""
        return self.run("SELECT since FROM orders WHERE order_id = ?", order_id)[0][0]

    def set_since(self, order_id, since):
        self.run("UPDATE orders SET since = ? WHERE order_id = ?", since, order_id)

    def cancel(self, order_id):
        """Keeps that an order is to be cancelled while its payment is under way."""
        self.run("INSERT OR IGNORE INTO cancels VALUES (?)", order_id)

    def is_cancelled(self, order_id):
        return len(self.run("SELECT 1 FROM cancels WHERE order_id = ?", order_id)) > 0

    def finish(self, order_id):
        self.run("UPDATE orders SET is_open = 0 WHERE order_id = ?", order_id)

    def book(self, session):
        """Books a payment that was captured: once, however often it is told."""
        order_id = session["metadata"]["orderId"]
        session_id = session["id"]
        if DEFECT == "books-at-once":
            # Defect: between the look and the booking, the same event can be booked beside this one.
            if self.run("SELECT 1 FROM bookings WHERE order_id = ?", order_id):
                return
            # As a slow database: on a busy machine the second event arrives later.
            time.sleep(1)
        # Defect: an event that comes twice is booked twice.
        if DEFECT in ("books-twice", "books-at-once"):
            session_id = None
        self.run("INSERT OR IGNORE INTO bookings VALUES (?, ?, ?)", session_id, order_id, session["amount"])

    def session_of(self, order_id):
        """Returns the payment session of an order that is paid, or None."""
        rows = self.run("SELECT session_id FROM bookings WHERE order_id = ?", order_id)
        return rows[0][0] if rows else None

    def add_refund(self, order_id, amount):
        self.run("INSERT OR IGNORE INTO refunds VALUES (?, ?, 1, 0, 0)", order_id, amount)

    def open_refunds(self):
        return self.run("SELECT order_id, amount, is_sent FROM refunds WHERE is_open")

    def refund_is_sent(self, order_id):
        """Keeps that the refund of an order is about to be sent."""
        self.run("UPDATE refunds SET is_sent = 1 WHERE order_id = ?", order_id)

    def finish_refund(self, order_id, refunded):
        self.run("UPDATE refunds SET is_open = 0, refunded = ? WHERE order_id = ?", refunded, order_id)

    def books(self):
        rows = self.run(
            "SELECT order_id, orders.amount, SUM(bookings.amount), refunded FROM orders"
            " LEFT JOIN bookings USING (order_id) LEFT JOIN refunds USING (order_id) GROUP BY order_id"
        )
        return {
            "orders": [
                {"orderId": order_id, "paid": booked is not None, "amount": booked or amount, "refunded": refunded or 0}
                for order_id, amount, booked, refunded in rows
            ]
        }


class NoReply(Exception):
    """Nobody knows whether the request was done."""


def send(method, path, body=None, timeout_s=None):
    """Sends a request and returns the body of the reply. Raises HTTPError when it is refused, NoReply without a reply."""
    headers = {"Authorization": SECRET_KEY, "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    try:
        request = urllib.request.Request(URL + path, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=timeout_s) as reply:
            return json.load(reply)
    except urllib.error.HTTPError as error:
        if error.code != 429 and error.code < 500:
            raise
        raise NoReply from error
    except (OSError, ValueError, http.client.HTTPException) as error:
        raise NoReply from error


def read(path):
    """Reads a path, again until there is a reply."""
    tries = 0
    while True:
        try:
            return send("GET", path, timeout_s=READ_TIMEOUT_S)
        except NoReply:
            tries += 1
            # Defect: the reply may come later than that.
            if DEFECT == "asks-once" or (DEFECT == "gives-up" and tries == 5):
                raise
            time.sleep(PAUSE_S)


def find_session(order_id, since):
    """Returns the payment session that has the order in its metadata, or None."""
    after = ""
    while True:
        page = read(f"/v1/payment-sessions?limit=50&startTimestamp={since}{after}")
        for session in page["items"]:
            if (session.get("metadata") or {}).get("orderId") == order_id:
                return session
        if not page.get("paginationToken"):
            return None
        after = "&startsAfter=" + urllib.parse.quote(page["paginationToken"])


def start_payment(store, order_id, amount):
    """Starts the payment of an order once, and returns the id of its session. Raises HTTPError when it is refused."""
    terminal = f"/v1/in-person/terminals/{TERMINAL}"
    body = {
        "amounts": {"requested": amount},
        "currency": "GBP",
        "paymentSession": {"metadata": {"orderId": order_id}},
    }
    since = store.since(order_id)
    # Defect: an earlier process may have sent it.
    if since is None or DEFECT == "starts-over":
        # By the clock of the provider, so that only newer sessions have to be read.
        before = read(terminal)
        since = (before["action"] or before)["createdTimestamp"]
        store.set_since(order_id, since)
    else:
        # Defect: what is sent from here on is looked for by no later process.
        if DEFECT == "looks-once":
            store.set_since(order_id, None)
        # An earlier process may have sent it, just before it stopped.
        end = time.monotonic() + ON_ITS_WAY_S
        while time.monotonic() < end:
            session = find_session(order_id, since)
            if session:
                return session["id"]
            time.sleep(PAUSE_S)
    while True:
        try:
            return send("POST", f"{terminal}/payment", body)["action"]["transaction"]["paymentSessionId"]
        except NoReply:
            # Defect: the card may be charged all the same.
            if DEFECT == "assumes-refused":
                raise
            time.sleep(PAUSE_S)
        except urllib.error.HTTPError as error:
            # Defect: it tries again where the terminal is busy with the payment whose reply was lost.
            if DEFECT != "charges-again" or error.code != 409:
                raise
            time.sleep(PAUSE_S)
        # Defect: it does not look whether the payment has begun.
        session = None if DEFECT == "charges-again" else find_session(order_id, since)
        if session:
            return session["id"]


def take_payment(store, order_id, amount):
    """Takes the payment of an order at the terminal, and waits for its end."""
    terminal = f"/v1/in-person/terminals/{TERMINAL}"
    try:
        session_id = start_payment(store, order_id, amount)
    except (NoReply, urllib.error.HTTPError):
        return store.finish(order_id)
    # Defect: the card may be declined yet.
    if DEFECT == "trusts-reply":
        store.book(read(f"/v1/payment-sessions/{session_id}"))
        return store.finish(order_id)
    # Defect: where no event comes, nobody asks.
    if DEFECT == "only-listens":
        return store.finish(order_id)
    try:
        session = wait_for_end(store, order_id, session_id)
    except NoReply:
        return store.finish(order_id)
    # Defect: a payment that has ended may have been declined.
    if session["status"] == "Captured" or DEFECT == "books-unread":
        if DEFECT not in ("books-twice", "books-at-once"):
            store.book(session)
    store.finish(order_id)


def wait_for_end(store, order_id, session_id):
    """Returns the payment session of an order once it is captured or its action is over. Cancels the action when asked."""
    terminal = f"/v1/in-person/terminals/{TERMINAL}"
    cancels = False
    while True:
        action = read(terminal)["action"]
        session = read(f"/v1/payment-sessions/{session_id}")
        is_over = action["transaction"]["paymentSessionId"] != session_id or action["status"] != "InProgress"
        if session["status"] == "Captured" or is_over:
            return session
        if store.is_cancelled(order_id) and not cancels:
            cancels = True
            cancel_action(terminal)
            # Defect: the card may have been charged before the cancel came.
            if DEFECT == "cancels-unread":
                return {**session, "status": "Cancelled"}
        time.sleep(PAUSE_S)


def cancel_action(terminal):
    """Asks the terminal to cancel what it does. What became of the payment shows when its action is over."""
    try:
        send("POST", f"{terminal}/cancel-action", timeout_s=READ_TIMEOUT_S)
    except (NoReply, urllib.error.HTTPError):
        pass


def find_refund(session_id):
    """Returns the refund of a payment that has not failed, or None."""
    for transaction in read(f"/v1/payment-sessions/{session_id}/transactions")["items"]:
        if transaction["type"] == "Refund" and transaction["status"] != "Failed":
            return transaction
    return None


def take_refund(store, order_id, amount, is_sent):
    """Refunds a part of a payment once, and waits until it has succeeded. One that fails is sent again."""
    session_id = store.session_of(order_id)
    if session_id is None:
        return store.finish_refund(order_id, 0)
    # An earlier process may have sent it, just before it stopped.
    send_again = time.monotonic() + (ON_ITS_WAY_S if is_sent else 0)
    while True:
        # Defect: a refund whose reply was lost may have been done.
        refund = None if DEFECT == "refunds-again" else find_refund(session_id)
        if refund and refund["status"] == "Succeeded":
            return store.finish_refund(order_id, amount)
        if not refund and time.monotonic() >= send_again:
            store.refund_is_sent(order_id)
            try:
                send("POST", f"/v1/payment-sessions/{session_id}/refunds", {"amount": amount})
                # Defect: a refund that is accepted may fail.
                if DEFECT in ("refund-unread", "refunds-again"):
                    return store.finish_refund(order_id, amount)
            except NoReply:
                # Defect: it may have been done.
                if DEFECT == "loses-refund":
                    return store.finish_refund(order_id, 0)
            except urllib.error.HTTPError:
                return store.finish_refund(order_id, 0)
        time.sleep(PAUSE_S)


def work(store, has_work):
    """Takes the payments and refunds of all orders, also of those that an earlier process has begun."""
    while True:
        for order_id, amount in store.unfinished():
            take_payment(store, order_id, amount)
        for order_id, amount, is_sent in store.open_refunds():
            take_refund(store, order_id, amount, is_sent)
        # The other process cannot say that there is work.
        has_work.wait(None if ARGUMENTS.part is None else PAUSE_S)
        has_work.clear()


def handler(store, has_work):
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            if self.path != "/books":
                return self.respond(404, {})
            self.respond(200, store.books())

        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.path == "/orders":
                order = json.loads(body)
                store.add(order["orderId"], order["amount"])
                has_work.set()
                return self.respond(200, {})
            if self.path == "/refunds":
                order = json.loads(body)
                store.add_refund(order["orderId"], order["amount"])
                has_work.set()
                return self.respond(200, {})
            if self.path == "/cancel":
                store.cancel(json.loads(body)["orderId"])
                return self.respond(200, {})
            if self.path == "/webhooks" and WEBHOOK_SECRET:
                return self.respond(self.receive(body), {})
            self.respond(404, {})

        def receive(self, body):
            expected = hmac.new(WEBHOOK_SECRET.encode(), body, hashlib.sha256).hexdigest()
            if not hmac.compare_digest(expected, self.headers["Signature"] or ""):
                return 400
            event = json.loads(body)
            if event["eventType"] == "PaymentSession.captured":
                store.book(event["data"])
            return 200

        def respond(self, status, body):
            text = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *_args):
            pass

    return Handler


def main():
    store = Store()
    if DEFECT == "forgets":
        # Defect: what an earlier process has begun is never looked at again.
        for order_id, _amount in store.unfinished():
            store.finish(order_id)
    has_work = threading.Event()
    if ARGUMENTS.part == "payments":
        work(store, has_work)
    if ARGUMENTS.part is None:
        threading.Thread(target=work, args=(store, has_work), daemon=True).start()
    ThreadingHTTPServer(("127.0.0.1", PORT), handler(store, has_work)).serve_forever()


main()
