"""HTTP client of the API, on the standard library."""

from __future__ import annotations

import json
import secrets
import time
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any
from urllib.parse import urlencode, urlsplit

from .secret import Secret, with_secrets_masked

Json = dict[str, Any]

_TIMEOUT_SECONDS = 30
_RETRIES_MAX = 20


class ServerUnavailable(Exception):
    """No server replies at the address."""


class ApiError(Exception):
    """The server refused a request."""

    def __init__(self, request: str, status: int, body: Any) -> None:
        errors = body.get("errors") if isinstance(body, dict) else None
        first = errors[0] if errors else {}
        self.status = status
        """HTTP status, such as 409."""
        self.code: str = first.get("code", "unexpected_error")
        """Code of the first error, such as `conflict`."""
        self.message: str = first.get("message", str(body)[:200])
        """Message of the first error, for people."""
        super().__init__(f"{request}: {status} {self.code}: {self.message}")


class Client:
    """Calls the API of one sandbox with one key. Paths begin with `/v1/` or `/sandbox/`.

    Each call returns the body of the reply, raises ApiError for another status than 2xx, and ServerUnavailable when
    there is no reply. A call that is over the rate limit waits and is sent again.
    """

    def __init__(self, url: str, key: str, account: str | None = None) -> None:
        self.url = url.rstrip("/")
        self._key = Secret(key)
        self._account = account

    def __repr__(self) -> str:
        account = f", account={self._account!r}" if self._account else ""
        return f"Client({self.url!r}, {self._key!r}{account})"

    def as_account(self, account_id: str) -> Client:
        """Returns a client that acts for a sub account (header `Account`)."""
        return Client(self.url, self._key, account_id)

    def get(self, path: str, **query: str | int) -> Json:
        """Sends a GET request; `query` becomes the query of the URL."""
        return self.request("GET", f"{path}?{urlencode(query)}" if query else path)

    def post(self, path: str, body: Json | None = None, *, idempotency_key: str | None = None) -> Json:
        """Sends a POST request with a JSON body."""
        return self.request("POST", path, body, idempotency_key=idempotency_key)

    def patch(self, path: str, body: Json | None = None) -> Json:
        """Sends a PATCH request with a JSON body."""
        return self.request("PATCH", path, body)

    def delete(self, path: str, body: Json | None = None) -> Json:
        """Sends a DELETE request."""
        return self.request("DELETE", path, body)

    def request(
        self, method: str, path: str, body: Json | None = None, *, idempotency_key: str | None = None
    ) -> Json:
        """Sends a request of any method."""
        headers = {} if idempotency_key is None else {"Idempotency-Key": idempotency_key}
        if body is None:
            return self._send(method, path, None, headers)
        return self._send(method, path, json.dumps(body).encode(), {**headers, "Content-Type": "application/json"})

    def upload(self, category: str, name: str, content: bytes, content_type: str) -> Json:
        """Uploads a file, and returns it. `category` is `Evidence` or `VerificationDocument`."""
        boundary = secrets.token_hex(16)
        parts = (
            f'--{boundary}\r\nContent-Disposition: form-data; name="category"\r\n\r\n{category}\r\n'
            f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
            f"Content-Type: {content_type}\r\n\r\n"
        )
        body = parts.encode() + content + f"\r\n--{boundary}--\r\n".encode()
        return self._send("POST", "/v1/files", body, {"Content-Type": f"multipart/form-data; boundary={boundary}"})

    def download(self, path: str) -> bytes:
        """Sends a GET request, and returns the content of a file."""
        return self._succeeds("GET", path, None, {})

    def _send(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> Json:
        text = self._succeeds(method, path, body, headers)
        reply = _parsed(text)
        if isinstance(reply, dict):
            return reply
        raise _refusal(method, path, 200, text)

    def _succeeds(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> bytes:
        headers = {**headers, "Authorization": self._key}
        if self._account:
            headers["Account"] = self._account
        for retries in range(_RETRIES_MAX + 1):
            status, replied, text = send(method, self.url + path, body, headers)
            if status != 429 or retries == _RETRIES_MAX:
                break
            time.sleep(float(replied.get("retry-after", "1")))
        if 200 <= status < 300:
            return text
        raise _refusal(method, path, status, text)


def send(method: str, url: str, body: bytes | None, headers: dict[str, str]) -> tuple[int, dict[str, str], bytes]:
    """Sends one request without following redirects. Returns status, headers in lower case, and body."""
    parts = urlsplit(url)
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    connection = kind(parts.hostname or "", parts.port, timeout=_TIMEOUT_SECONDS)
    target = parts.path + (f"?{parts.query}" if parts.query else "")
    try:
        connection.request(method, target, body, headers)
        reply = connection.getresponse()
        return reply.status, {name.lower(): value for name, value in reply.getheaders()}, reply.read()
    except (OSError, HTTPException) as error:
        problem = str(error) or type(error).__name__
    finally:
        connection.close()
    # Raised out here without a cause: the frames of http.client show the key to `pytest --showlocals`.
    raise ServerUnavailable(f"no Tapbench server replies at {parts.scheme}://{parts.netloc} ({problem})")


def _refusal(method: str, path: str, status: int, text: bytes) -> ApiError:
    # Without the query, which may have the client secret of a session.
    return ApiError(f"{method} {path.partition('?')[0]}", status, _parsed(text))


def _parsed(text: bytes) -> Any:
    try:
        return json.loads(text, object_hook=with_secrets_masked)
    except ValueError:
        return text.decode(errors="replace")
