"""Keys and secrets that failure output does not show."""

from __future__ import annotations

import re
from typing import Any

_PREFIX = re.compile(r"^[a-z]{2,4}_(sandbox_)?")

_SECRET_MEMBERS = ("secretKey", "publicKey", "secret", "clientSecret", "dashboardUrl")


class Secret(str):
    """A string whose repr shows its prefix alone: pytest prints the repr of arguments, locals and compared values."""

    def __repr__(self) -> str:
        prefix = _PREFIX.match(self)
        return f"'{prefix.group() if prefix else ''}··'"


def with_secrets_masked(members: dict[str, Any]) -> dict[str, Any]:
    """Makes the secret members of a JSON object Secrets; for `json.loads(..., object_hook=...)`."""
    for name in _SECRET_MEMBERS:
        if isinstance(members.get(name), str):
            members[name] = Secret(members[name])
    return members
