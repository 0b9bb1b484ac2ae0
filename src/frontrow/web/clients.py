"""Who asks, as far as the network knows: by the socket, or by what a proxy of ours has written down.

`X-Forwarded-For` is whatever a client likes, but for what our own proxies have added at its end. It counts only where
the connection comes from one of them, and only as far as they have written it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final, TypeAlias

from starlette.types import Scope

Network: TypeAlias = IPv4Network | IPv6Network
Address: TypeAlias = IPv4Address | IPv6Address

# Where proxies stand that nobody has named: networks that the internet does not lead to.
PRIVATE: Final[Sequence[Network]] = tuple(
    ip_network(network)
    for network in ("127.0.0.0/8", "::1/128", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7", "fe80::/10")
)

_IPV6_CUSTOMER: Final = 64  # the network that one customer is given
_NEIGHBOURS: Final = {4: 24, 6: 48}  # what is given to a company, and what a farm of machines has at a time
_PROXIES_MAX: Final = 8  # one behind the other; what is further left was not written by us
_KNOWN_MAX: Final = 65_536  # addresses whose networks are remembered; 20 MB


@dataclass(frozen=True, slots=True)
class Client:
    """Where a request comes from."""

    address: str  # of one customer: in IPv6, their network
    neighbours: str  # the network around it
    is_here: bool  # on this machine: its operator, or a proxy that tells us nothing


NOBODY: Final = Client("nobody", "nobody", is_here=False)


class Clients:
    """Tells clients apart."""

    def __init__(self, proxies: Sequence[Network] = ()) -> None:
        """`proxies`: the networks that proxies of ours ask from."""
        self._proxies = proxies
        self._is_proxy = lru_cache(_KNOWN_MAX)(self._among_proxies)

    def of(self, scope: Scope) -> Client:
        peer: tuple[str, int] | None = scope.get("client")
        if peer is None:
            return NOBODY
        address = peer[0]
        if self._proxies and self._is_proxy(address):
            for told in _forwarded_for(scope):
                if _address(told) is None:
                    break
                address = told
                if not self._is_proxy(told):
                    break
        return _client(address)

    def _among_proxies(self, text: str) -> bool:
        address = _address(text)
        return address is not None and any(address in network for network in self._proxies)


def _forwarded_for(scope: Scope) -> Iterator[str]:
    """Whom proxies have heard, the nearest first. Some add a header of their own instead of adding to the one there."""
    told = b",".join(value for name, value in scope["headers"] if name == b"x-forwarded-for")
    yield from (each.strip() for each in reversed(told.decode("latin-1").rsplit(",", _PROXIES_MAX)[-_PROXIES_MAX:]))


@lru_cache(_KNOWN_MAX)
def _client(text: str) -> Client:
    address = _address(text)
    if address is None:
        return NOBODY
    customer = f"{address}" if address.version == 4 else _network(address, _IPV6_CUSTOMER)  # noqa: PLR2004 -- IP's own
    return Client(customer, _network(address, _NEIGHBOURS[address.version]), address.is_loopback)


def _network(address: Address, prefix: int) -> str:
    return str(ip_network((address, prefix), strict=False))


def _address(text: str) -> Address | None:
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return address.ipv4_mapped or address if isinstance(address, IPv6Address) else address
