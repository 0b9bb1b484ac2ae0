"""How often one client may do what costs us something: so many times at once, then one every so many seconds.

Counted in the memory of each process, so that a flood costs no more than a look at a dictionary. Who a client is: its
address, or in IPv6 the network that one customer is given.
"""

from ipaddress import IPv6Address, ip_address, ip_network
from math import ceil
from typing import Final

from starlette.types import Scope

from frontrow.web import reading

CLIENTS_MAX: Final = 100_000  # 20 MB; beyond it all begin anew
_IPV6_PREFIX: Final = 64


class Pace:
    """The same for every client (GCRA: one number each, when all that was used up is there again)."""

    def __init__(self, *, at_once: int, again_seconds: float) -> None:
        self._again_seconds = again_seconds
        self._ahead_max = (at_once - 1) * again_seconds
        self._rested_at: dict[str, float] = {}

    def wait(self, client: str, *, now: float) -> int:
        """Seconds to wait; 0: go on, and it is counted. `now` is of a clock that never goes back."""
        rested_at = max(self._rested_at.get(client, 0.0), now)
        ahead = rested_at - now
        if ahead > self._ahead_max:
            return ceil(ahead - self._ahead_max)
        if len(self._rested_at) >= CLIENTS_MAX:
            self._forget(now)
        self._rested_at[client] = rested_at + self._again_seconds
        return 0

    def _forget(self, now: float) -> None:
        self._rested_at = {client: at for client, at in self._rested_at.items() if at > now}
        if len(self._rested_at) >= CLIENTS_MAX:
            self._rested_at.clear()


def client_of(scope: Scope, *, behind_tls: bool) -> str:
    """Who is asking, as far as the network knows.

    A proxy that ends TLS in front of us writes down whom it heard, as the last of `X-Forwarded-For`. Without one, that
    header is whatever the client likes.
    """
    told = (reading.header(scope, b"x-forwarded-for") or b"") if behind_tls else b""
    last = told.decode("latin-1").rpartition(",")[2].strip()
    client: tuple[str, int] | None = scope.get("client")
    return _network(last) or _network(client[0] if client else "") or "nobody"


def _network(text: str) -> str | None:
    try:
        address = ip_address(text)
    except ValueError:
        return None
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ip_network((address, _IPV6_PREFIX), strict=False))
