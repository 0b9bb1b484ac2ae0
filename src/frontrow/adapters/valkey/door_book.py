"""The book of all doors in Valkey: one script for a knock, one for a strike. Satisfies `flows.ports.DoorBook`.

Every key ends by itself once it says nothing any more, and all of it may be lost at any moment: then rates begin anew,
a proof of the last minutes may be used once more, and who was locked out is not.
"""

from collections.abc import Sequence
from importlib.resources import files
from typing import Any, Final, cast

from redis.asyncio import Redis
from redis.exceptions import RedisError

from frontrow.core.door_book import LOCKOUT_SECONDS, STRIKES_MAX, STRIKES_SECONDS, Knock, Knocked, Lockout, Strike
from frontrow.core.faults import UnavailableError

PREFIX: Final = "frontrow:door"
MS: Final = 1_000  # of a second; of a millisecond, microseconds

_SCRIPTS: Final = files("frontrow.adapters.valkey") / "scripts"


class ValkeyDoorBook:
    """A process's way to the book."""

    def __init__(self, client: Redis) -> None:
        self._knock = client.register_script((_SCRIPTS / "knock.lua").read_text("utf-8"))
        self._strike = client.register_script((_SCRIPTS / "strike.lua").read_text("utf-8"))

    async def knock(self, knock: Knock) -> Knocked:
        keys = [*_of(knock.who), f"{PREFIX}:spent:{knock.spends}"]
        says = [knock.spends_seconds * MS if knock.spends else 0]
        for limit in knock.limits:
            keys.append(f"{PREFIX}:rate:{limit.key}")
            says += [limit.rate.again_us, limit.rate.ahead_us_max, int(limit.is_soft)]
        told: list[Any] = await _asked(self._knock, keys, says)
        _, wait_us, strikes, left_ms, why, is_spent, *over = told
        return Knocked(
            lockout=Lockout(left_ms * MS, Strike(why.decode())) if left_ms else None,
            wait_us=wait_us,
            is_spent=bool(is_spent),
            strikes=strikes,
            over=tuple(knock.limits[int(number) - 1].key for number in over),
        )

    async def strike(self, who: str, why: Strike) -> Lockout | None:
        says = [STRIKES_MAX, STRIKES_SECONDS * MS, LOCKOUT_SECONDS * MS, why.value]
        told: list[Any] = await _asked(self._strike, _of(who), says)
        left_ms, reason = told
        return Lockout(left_ms * MS, Strike(reason.decode())) if left_ms else None


def _of(who: str) -> list[str]:
    return [f"{PREFIX}:lockout:{who}", f"{PREFIX}:strikes:{who}"]


async def _asked(script: Any, keys: Sequence[str], says: Sequence[object]) -> Any:  # noqa: ANN401 -- as scripts say
    try:
        return await script(keys=keys, args=cast("Any", says))
    except (OSError, RedisError) as error:
        raise UnavailableError(str(error) or type(error).__name__) from error
