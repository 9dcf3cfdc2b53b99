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
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

URL = os.environ["TAPBENCH_URL"]
SECRET_KEY = os.environ["TAPBENCH_KEY"]
TERMINAL = os.environ["TAPBENCH_TERMINAL"]
WEBHOOK_SECRET = os.environ.get("TAPBENCH_WEBHOOK_SECRET")
PORT = int(os.environ.get("TAPBENCH_PORT", "3000"))
STORE = os.environ.get("TAPBENCH_STORE", "shop.db")

TIMEOUT_S = 2
PAUSE_S = 0.1

TABLES = """
CREATE TABLE IF NOT EXISTS orders (order_id TEXT PRIMARY KEY, amount INTEGER NOT NULL, is_open INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS bookings (session_id TEXT UNIQUE, order_id TEXT NOT NULL, amount INTEGER NOT NULL);
"""

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument(
    "--defect",
    choices=["charges-again", "books-twice", "forgets"],
    help="what it does wrong",
)
DEFECT = parser.parse_args().defect


class Store:
    """The order book. Each call is one transaction."""

    def __init__(self):
        self.lock = threading.Lock()
        self.connection = sqlite3.connect(STORE, check_same_thread=False)
        self.connection.executescript(TABLES)

    def run(self, sql, *values):
        with self.lock, self.connection:
            return self.connection.execute(sql, values).fetchall()

    def add(self, order_id, amount):
        self.run("INSERT OR IGNORE INTO orders VALUES (?, ?, 1)", order_id, amount)

    def unfinished(self):
        return self.run("SELECT order_id, amount FROM orders WHERE is_open")

    def finish(self, order_id):
        self.run("UPDATE orders SET is_open = 0 WHERE order_id = ?", order_id)

    def book(self, session):
        """Books a payment that was captured: once, however often it is told."""
        order_id = session["metadata"]["orderId"]
        # Defect: an event that comes twice is booked twice.
        session_id = session["id"] if DEFECT != "books-twice" else None
        self.run("INSERT OR IGNORE INTO bookings VALUES (?, ?, ?)", session_id, order_id, session["amount"])

    def books(self):
        rows = self.run(
            "SELECT order_id, orders.amount, SUM(bookings.amount) FROM orders LEFT JOIN bookings USING (order_id)"
            " GROUP BY order_id"
        )
        return {
            "orders": [
                {"orderId": order_id, "paid": booked is not None, "amount": booked or amount}
                for order_id, amount, booked in rows
            ]
        }


def send(method, path, body=None, key=None):
    """Sends a request until there is a reply, and returns its body. Raises HTTPError when it is refused."""
    headers = {"Authorization": SECRET_KEY, "Content-Type": "application/json"}
    # Defect: without a key, what is sent again is done again.
    if key and DEFECT != "charges-again":
        headers["Idempotency-Key"] = key
    data = None if body is None else json.dumps(body).encode()
    while True:
        try:
            request = urllib.request.Request(URL + path, data, headers, method=method)
            with urllib.request.urlopen(request, timeout=TIMEOUT_S) as reply:
                return json.load(reply)
        except urllib.error.HTTPError as error:
            # Defect: also where the terminal is busy, with the payment whose reply was lost.
            is_under_way = error.code == 409 and (error.headers["Retry-After"] or DEFECT == "charges-again")
            if not is_under_way and error.code != 429 and error.code < 500:
                raise
        except (OSError, ValueError, http.client.HTTPException):
            pass
        time.sleep(PAUSE_S)


def take_payment(store, order_id, amount):
    """Takes the payment of an order at the terminal, and waits for its end."""
    terminal = f"/v1/in-person/terminals/{TERMINAL}"
    body = {
        "amounts": {"requested": amount},
        "currency": "GBP",
        "paymentSession": {"metadata": {"orderId": order_id}},
    }
    try:
        action = send("POST", f"{terminal}/payment", body, key=order_id)["action"]
    except urllib.error.HTTPError:
        return store.finish(order_id)
    while True:
        latest = send("GET", terminal)["action"]
        session = send("GET", f"/v1/payment-sessions/{action['transaction']['paymentSessionId']}")
        is_over = latest["id"] != action["id"] or latest["status"] != "InProgress"
        if session["status"] == "Captured" or is_over:
            break
        time.sleep(PAUSE_S)
    if session["status"] == "Captured" and DEFECT != "books-twice":
        store.book(session)
    store.finish(order_id)


def work(store, has_work):
    """Takes the payments of all orders, also of those that an earlier process has begun."""
    while True:
        for order_id, amount in store.unfinished():
            take_payment(store, order_id, amount)
        has_work.wait()
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
    threading.Thread(target=work, args=(store, has_work), daemon=True).start()
    ThreadingHTTPServer(("127.0.0.1", PORT), handler(store, has_work)).serve_forever()


main()
