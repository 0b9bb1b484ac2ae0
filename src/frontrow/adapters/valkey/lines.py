"""Lines in Valkey: who is inside, who waits with which keys, what everybody goes by.

What an event takes here does not depend on how many wait: a table of late joins and a histogram of fixed size, and a
few dozen bytes for each fan who was let in. What must happen at once is a script (scripts/*.lua), a file for each.

All of it may be lost at any moment. Tickets are with the fans; terms come again from the ledger; what was told, and who
is inside, comes again from those who let fans in.
"""

from array import array
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from importlib.resources import files
from struct import Struct
from typing import Any, Final, cast
from uuid import UUID

import msgspec
from redis.asyncio import Redis
from redis.exceptions import RedisError

from frontrow.core.catalogue import EventId
from frontrow.core.faults import UnavailableError
from frontrow.core.holds import FanId
from frontrow.core.line.crowd import BINS
from frontrow.core.line.policies import Joined
from frontrow.core.line.terms import LineTerms
from frontrow.core.line.usher import Told
from frontrow.core.line.visits import (
    VISITS_PER_DAY_MAX,
    AtTheDoor,
    Full,
    Inside,
    InsideNow,
    Known,
    SessionState,
    Spent,
    TooOften,
)

PUBLISHED_MS: Final = 4_000  # terms that nobody has renewed for so long are from a service that is not well
UNWELL_MS: Final = 3_000  # so long after the last complaint
ENDED_MAX: Final = 50_000  # of one line, in one look
BEATS_KEPT_SECONDS: Final = 60
BEATS_KEPT_MAX: Final = 30  # of each line while no usher hears them; beats are lost without harm
LATE_PLACES: Final = 16_384  # fans who joined late and are known without their ticket: the latest of them
DAY_SECONDS: Final = 86_400
FAN_PARTS: Final = 1_024  # what is known of fans lies in so many hashes: small ones take a third of the memory

_PREFIX: Final = "frontrow:line"
_TERMS: Final = f"{_PREFIX}s:terms"
_TOLD: Final = f"{_PREFIX}s:told"
_PUBLISHED: Final = f"{_PREFIX}s:published"
_UNWELL: Final = f"{_PREFIX}s:unwell"
_USHER: Final = f"{_PREFIX}s:usher"

_WEIGHT_BYTES: Final = 4
_LATE: Final = Struct(">8sdd")  # who, seconds, frontier
_SCRIPTS: Final = files("frontrow.adapters.valkey") / "scripts"
_read_terms: Final = msgspec.json.Decoder(LineTerms)
_read_told: Final = msgspec.json.Decoder(Told)
_write: Final = msgspec.json.Encoder().encode


class ValkeyLines:
    """A process's way to the lines."""

    def __init__(self, client: Redis) -> None:
        self._client = client
        self._scripts = {
            name: client.register_script((_SCRIPTS / f"{name}.lua").read_text("utf-8"))
            for name in ("admit", "join", "mark", "look", "restore", "lead", "tell")
        }

    # What is published, by those who know the ledger.

    async def publish(self, lines: Sequence[LineTerms], *, is_well: bool) -> None:
        """What lines go by. One that is not named any more stays as it was: it is over by then."""
        commands: list[tuple[object, ...]] = [("HSET", _TERMS, terms.event_id, _write(terms)) for terms in lines]
        commands.append(("SET", _PUBLISHED, 1, "PX", PUBLISHED_MS))
        if not is_well:
            commands.append(("SET", _UNWELL, 1, "PX", UNWELL_MS))
        await self._pipe(*commands, at_once=True)

    async def forget(self, events: Sequence[EventId]) -> None:
        """Let go of lines that have been over for a while."""
        if events:
            await self._pipe(("HDEL", _TERMS, *events), ("HDEL", _TOLD, *events))

    # What those who let fans in read.

    async def published(self) -> tuple[Sequence[LineTerms], Sequence[tuple[EventId, Told]], bool]:
        """Terms, what was told of each line, and whether all is well where seats are sold."""
        terms, told, published, unwell = await self._pipe(
            ("HVALS", _TERMS), ("HGETALL", _TOLD), ("EXISTS", _PUBLISHED), ("EXISTS", _UNWELL)
        )
        return (
            [_read_terms.decode(each) for each in terms],
            [(EventId(int(event)), _read_told.decode(each)) for event, each in told.items()],
            bool(published) and not unwell,
        )

    async def inside_news(self, since: Mapping[EventId, float]) -> Mapping[EventId, tuple[bytes | None, Sequence[int]]]:
        """Of each line: which opening of its door this is, and which sessions have ended early from a moment on."""
        asked = [("GET", _of(event, "open")) for event in since]
        ended = [
            ("ZRANGEBYSCORE", _of(event, "ended"), moment, "+inf", "LIMIT", 0, ENDED_MAX)
            for event, moment in since.items()
        ]
        found = await self._pipe(*asked, *ended)
        return {
            event: (open_as, list(map(int, numbers)))
            for event, open_as, numbers in zip(since, found, found[len(asked) :], strict=False)
        }

    # The door.

    async def admit(self, terms: LineTerms, fan_id: FanId, *, joined_at: float, number: int, now: float) -> AtTheDoor:
        """Let a fan in, if there is room; or say what session there is already."""
        event, ends_at = terms.event_id, int(now) + terms.visit_seconds
        said = await self._run(
            "admit",
            [_of(event, "sessions"), _fans(event, fan_id), _of(event, "counts"), _of(event, "open")],
            [
                fan_id.bytes,
                now,
                ends_at,
                number,
                terms.cap,
                joined_at,
                VISITS_PER_DAY_MAX,
                int(now) // DAY_SECONDS,
            ],
        )
        match said[0]:
            case b"there":
                return _inside(said)
            case b"spent":
                return Spent()
            case b"often":
                return TooOften()
            case _:
                return Full()

    async def join(
        self, event_id: EventId, fan_id: FanId, joined: Joined, *, since: float, now: float
    ) -> Inside | Joined:
        """What a fan who brings no ticket has already; else this is kept for when they come again."""
        tag = sha256(fan_id.bytes).digest()
        at = int.from_bytes(tag[8:12], "big") % LATE_PLACES * _LATE.size
        said = await self._run(
            "join",
            [_of(event_id, "sessions"), _fans(event_id, fan_id), _of(event_id, "late")],
            [fan_id.bytes, now, at, _LATE.pack(tag[:8], joined.seconds, joined.frontier), since],
        )
        if said[0] == b"there":
            return _inside(said)
        _, seconds, frontier = _LATE.unpack(said[1])
        return Joined(seconds, frontier)

    async def session(self, event_id: EventId, fan_id: FanId) -> Known | None:
        """The last session of a fan, whatever has become of it; by the clock it may have expired."""
        known, active = await self._pipe(
            ("HGET", _fans(event_id, fan_id), fan_id.bytes), ("ZSCORE", _of(event_id, "sessions"), fan_id.bytes)
        )
        if known is None:
            return None
        number, began, ends, state, *_ = known.decode().split(" ")
        is_over_by_clock = active is None and state in {SessionState.SHOPPING, SessionState.CHECKOUT}
        return Known(
            int(number), float(began), int(ends), SessionState.EXPIRED if is_over_by_clock else SessionState(state)
        )

    async def mark(self, event_id: EventId, fan_id: FanId, state: SessionState, *, now: float, began_by: float) -> bool:
        """Note what has become of a session that began by then. False: there is none, or that was known."""
        keys = [
            _of(event_id, "sessions"),
            _fans(event_id, fan_id),
            _of(event_id, "counts"),
            _of(event_id, "ended"),
        ]
        return bool(await self._run("mark", keys, [fan_id.bytes, state.value, now, now - DAY_SECONDS, began_by]))

    async def inside(self, event_id: EventId, *, now: float) -> Sequence[FanId]:
        """Everybody who has a session."""
        [fans] = await self._pipe(("ZRANGEBYSCORE", _of(event_id, "sessions"), now, "+inf"))
        return [FanId(UUID(bytes=fan)) for fan in fans]

    async def restore(self, event_id: EventId, sessions: Mapping[FanId, Known], *, today: int) -> int:
        """Put back sessions that are not there any more."""
        keys, says = [_of(event_id, "sessions")], list[object]()
        for fan_id, known in sessions.items():
            keys.append(_fans(event_id, fan_id))
            record = f"{known.number} {known.began} {known.ends_at} {known.state.value} 1 {today}"
            says += [fan_id.bytes, known.ends_at, record]
        return int(await self._run("restore", keys, says)) if says else 0

    # The usher.

    async def lead(self, who: str, *, seconds: float) -> bool:
        """Be the usher for so long. False: somebody else is."""
        return bool(await self._run("lead", [_USHER], [who, round(seconds * 1_000)]))

    async def look(self, event_id: EventId, *, now: float) -> InsideNow:
        keys = [_of(event_id, "sessions"), _of(event_id, "counts"), _of(event_id, "open")]
        active, came, ended, is_open = await self._run("look", keys, [now])
        return InsideNow(active, came, ended, bool(is_open))

    async def say(self, beats: Mapping[EventId, bytes]) -> None:
        """Tell the usher who waits."""
        commands = list[tuple[object, ...]]()
        for event_id, said in beats.items():
            key = _of(event_id, "beats")
            commands += [("RPUSH", key, said), ("LTRIM", key, -BEATS_KEPT_MAX, -1), ("EXPIRE", key, BEATS_KEPT_SECONDS)]
        if commands:
            await self._pipe(*commands)

    async def beats(self, event_id: EventId) -> Sequence[bytes]:
        """What was said since the last time."""
        key = _of(event_id, "beats")
        said, _ = await self._pipe(("LRANGE", key, 0, -1), ("DEL", key), at_once=True)
        return said

    async def tell(self, who: str, told: Mapping[EventId, tuple[Told, bool]]) -> bool:
        """Tell what lines go by now, and open doors that are to be open. False: somebody else is the usher by now."""
        keys, says = [_USHER, _TOLD], list[object]([who])
        for event_id, (each, is_open) in told.items():
            keys.append(_of(event_id, "open"))
            says += [event_id, _write(each), f"{who} {each.at}" if is_open else ""]
        return bool(await self._run("tell", keys, says))

    async def keep_crowd(self, event_id: EventId, weights: Sequence[float]) -> None:
        """For the usher who takes over."""
        await self._pipe(("SET", _of(event_id, "crowd"), array("f", weights).tobytes(), "EX", DAY_SECONDS))

    async def crowd(self, event_id: EventId) -> Sequence[float]:
        """Those who waited, bin by bin, as they were kept; nobody where nothing is."""
        [kept] = await self._pipe(("GET", _of(event_id, "crowd")))
        return array("f", kept) if kept and len(kept) == _WEIGHT_BYTES * BINS else ()

    async def _run(self, name: str, keys: Sequence[str], says: Sequence[object]) -> Any:  # noqa: ANN401 -- as scripts say
        with _faults_told():
            return await self._scripts[name](keys=keys, args=cast("Any", says))

    async def _pipe(self, *commands: tuple[object, ...], at_once: bool = False) -> list[Any]:
        """Several commands in one round trip. `at_once`: nobody else's come in between."""
        pipe: Any = self._client.pipeline(transaction=at_once)
        for command in commands:
            pipe.execute_command(*command)
        with _faults_told():
            return await pipe.execute()


@contextmanager
def _faults_told() -> Generator[None]:
    try:
        yield
    except (OSError, RedisError) as error:
        raise UnavailableError(str(error) or type(error).__name__) from error


def _of(event_id: EventId, what: str) -> str:
    """Keys of one line lie together, also where Valkey is a cluster."""
    return f"{_PREFIX}:{{{event_id}}}:{what}"


def _fans(event_id: EventId, fan_id: FanId) -> str:
    return _of(event_id, f"fans:{int.from_bytes(sha256(fan_id.bytes).digest()[:2], 'big') % FAN_PARTS}")


def _inside(said: Sequence[bytes]) -> Inside:
    _, number, ends_at, state = said
    return Inside(int(number), int(ends_at), SessionState(state.decode()))
