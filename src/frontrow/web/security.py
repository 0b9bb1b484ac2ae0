"""The headers that tell a browser what a page of ours may do: load from here, and nothing else.

An answer that needs another policy (a framed widget, a picture with its own styles) sets that header itself; only
what it leaves out is added.
"""

from collections.abc import Awaitable
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

CONTENT_POLICY: Final = (
    b"default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"
)

HEADERS: Final = (
    (b"content-security-policy", CONTENT_POLICY),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),  # for browsers older than frame-ancestors
    (b"referrer-policy", b"same-origin"),  # an order's address stays with us
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(self), usb=()"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)

# One year. Never over plain HTTP: a laptop's loopback address would be locked out of it for as long.
TRANSPORT: Final = (b"strict-transport-security", b"max-age=31536000; includeSubDomains")


def with_security_headers(app: ASGIApp, *, behind_tls: bool) -> ASGIApp:
    """Add to each answer the headers it does not set itself."""
    ours = (*HEADERS, TRANSPORT) if behind_tls else HEADERS
    names = frozenset(name for name, _ in ours)

    def secured(scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        def send_secured(message: Message) -> Awaitable[None]:
            if message["type"] == "http.response.start":
                headers = list(message.get("headers", ()))
                theirs = names.intersection([name for name, _ in headers])
                headers.extend([header for header in ours if header[0] not in theirs] if theirs else ours)
                message["headers"] = headers
            return send(message)

        return app(scope, receive, send_secured)

    return secured
