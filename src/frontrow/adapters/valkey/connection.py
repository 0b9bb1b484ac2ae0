"""A process's way to Valkey, or to Redis: how long it waits, how often it tries again, and how it says what is wrong.

Connecting waits for nobody: the first command opens the first connection. A process therefore starts without Valkey,
and finds it when it is back.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from frontrow.halt import Halt
from frontrow.settings import masked

CONNECT_SECONDS_MAX: Final = 0.5  # it is next door; what takes longer is better done without it
ANSWER_SECONDS_MAX: Final = 0.5  # a command takes well under a millisecond
CONNECTIONS_MAX: Final = 64  # commands under way at once; the next ones wait their turn, no longer than for an answer

# One try more, at once: a connection that its server closed meanwhile (a restart) shows only when it is used. Waiting
# and trying again is for the one who asked: what is in Valkey may be missed, a fan's second may not.
TRIES_MORE: Final = 1

# Valkey's own names for addresses; redis-py knows only the older ones.
SCHEMES: Final[Mapping[str, str]] = MappingProxyType({"valkey": "redis", "valkeys": "rediss"})


class ValkeyPart:
    """Valkey as /readyz asks about it."""

    name: str = "valkey"

    def __init__(self, client: Redis) -> None:
        self._client = client

    async def version(self) -> str:
        """What the server says it is: `Valkey 9.0.1`, `Redis 7.0.15`."""
        told = await self._client.info("server")  # pyright: ignore[reportUnknownMemberType] -- as below
        name = "Valkey" if "valkey_version" in told else "Redis"
        return f"{name} {told.get('valkey_version') or told['redis_version']}"

    async def trouble(self) -> str | None:
        try:
            await self._client.ping()  # pyright: ignore[reportUnknownMemberType] -- its options have no types
        except (OSError, RedisError) as error:
            return str(error) or type(error).__name__
        return None


@dataclass(frozen=True, slots=True)
class Valkey:
    """A process's Valkey: what it offers to flows, and its end."""

    client: Redis
    part: ValkeyPart

    async def close(self) -> None:
        await self.client.aclose()


def connect(url: str) -> Valkey:
    """The way there; nothing is asked yet. Halt where the URL leads nowhere."""
    scheme, rest = url.split("://", 1)
    try:
        pool = _pool(f"{SCHEMES.get(scheme, scheme)}://{rest}")
    except (TypeError, ValueError) as error:
        raise Halt(f"FRONTROW_VALKEY_URL={masked(url)} leads nowhere: {error}") from error
    client = Redis.from_pool(pool)
    return Valkey(client, ValkeyPart(client))


def _pool(url: str) -> BlockingConnectionPool:
    return BlockingConnectionPool.from_url(  # pyright: ignore[reportUnknownMemberType] -- its settings have no types
        url,
        client_name="frontrow",
        max_connections=CONNECTIONS_MAX,
        timeout=ANSWER_SECONDS_MAX,
        socket_connect_timeout=CONNECT_SECONDS_MAX,
        socket_timeout=ANSWER_SECONDS_MAX,
        retry=Retry(NoBackoff(), TRIES_MORE),
    )
