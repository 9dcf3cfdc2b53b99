"""Numbers and security codes of test cards. Written by `npm run docs`."""

APPROVED = ("4242424242424242", "123")
"""Is approved without authentication."""
CHALLENGED = ("4918190000000002", "123")
"""Its issuer challenges the cardholder (3DS)."""
DECLINED = ("4000000000001000", "100")
"""Is declined: `insufficient_funds`."""
