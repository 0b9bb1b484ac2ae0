"""The book of the doors: what the core says happens in Valkey, and every rule of the script is needed."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Final

import pytest
import redis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from frontrow.adapters.valkey import connection
from frontrow.adapters.valkey import door_book as adapter
from frontrow.adapters.valkey.door_book import PREFIX, ValkeyDoorBook
from frontrow.core.door_book import (
    LOCKOUT_SECONDS,
    STRIKES_MAX,
    STRIKES_SECONDS,
    DoorBook,
    Knock,
    Knocked,
    Strike,
)
from frontrow.core.faults import UnavailableError
from frontrow.core.rates import SECOND_US, Limit, Rate

NOW: Final = 1_700_000_000 * SECOND_US  # far from any clock: what is compared are waits and answers
SLOW: Final = Rate(2, 100 * SECOND_US)  # no test takes so long
STEPS: Final = (0, 50, 100, 400)  # seconds that pass between two commands
FANS: Final = ("ada", "bob")
NEAR_US: Final = 5 * SECOND_US  # a test takes a moment, and both clocks run on

LIMITS: Final = (
    Limit("ada", SLOW),
    Limit("all", Rate(3, 100 * SECOND_US)),
    Limit("calm", Rate(1, 100 * SECOND_US), is_soft=True),
)


@dataclass(frozen=True)
class Pass:
    seconds: int


@dataclass(frozen=True)
class Struck:
    who: str
    why: Strike


Command = Pass | Struck | Knock

commands: Final = st.lists(
    st.one_of(
        st.builds(Pass, st.sampled_from(STEPS)),
        st.builds(Struck, st.sampled_from(FANS), st.sampled_from(Strike)),
        st.builds(
            Knock,
            st.sampled_from(FANS),
            st.lists(st.sampled_from(LIMITS), unique=True, max_size=3).map(tuple),
            st.sampled_from([None, "a", "b"]),
            st.just(300),
        ),
    ),
    min_size=1,
    max_size=40,
)


class Both:
    """The same commands for Valkey and for the core, and how far they are apart."""

    def __init__(self, url: str) -> None:
        self.client: Any = redis.Redis.from_url(url)  # pyright: ignore[reportUnknownMemberType] -- it has no types
        self.url = url
        self._core = DoorBook()
        self._now_us = NOW

    def play(self, played: Sequence[Command]) -> None:
        asyncio.run(self._play(played))

    async def _play(self, played: Sequence[Command]) -> None:
        valkey = connection.connect(self.url)
        book = ValkeyDoorBook(valkey.client)
        try:
            for command in played:
                match command:
                    case Pass(seconds):
                        self._now_us += seconds * SECOND_US
                        self._let_pass(seconds)
                    case Struck(who, why):
                        theirs = await book.strike(who, why)
                        ours = self._core.strike(who, why, now_us=self._now_us)
                        alike(Knocked(lockout=theirs), Knocked(lockout=ours))
                    case Knock():
                        alike(await book.knock(command), self._core.knock(command, now_us=self._now_us))
        finally:
            await valkey.close()

    def _let_pass(self, seconds: int) -> None:
        """Everything is so much older."""
        for key in self.client.scan_iter(f"{PREFIX}:*"):
            left: Any = self.client.pttl(key)
            if left < 0:  # for ever, which nothing of ours is
                continue
            if left - seconds * 1_000 <= 0:
                self.client.delete(key)
                continue
            if key.startswith(f"{PREFIX}:rate:".encode()):
                kept: Any = self.client.get(key)
                self.client.set(key, int(kept) - seconds * SECOND_US)
            self.client.pexpire(key, left - seconds * 1_000)


def alike(theirs: Knocked, ours: Knocked) -> None:
    assert (theirs.strikes, theirs.is_spent, theirs.over) == (ours.strikes, ours.is_spent, ours.over)
    assert abs(theirs.wait_us - ours.wait_us) < NEAR_US
    assert (theirs.lockout is None) == (ours.lockout is None)
    if theirs.lockout and ours.lockout:
        assert theirs.lockout.why is ours.lockout.why
        assert abs(theirs.lockout.left_us - ours.lockout.left_us) < NEAR_US


@pytest.fixture
def both(valkey_url: str) -> Iterator[Both]:
    played = Both(valkey_url)
    yield played
    played.client.close()


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(played=commands)
def test_valkey_and_core_answer_alike(valkey_url: str, played: list[Command]):
    both = Both(valkey_url)
    both.client.flushdb()
    both.play(played)
    both.client.close()


LOCKED: Final = [Struck("ada", Strike.EARLY_POLLS)] * STRIKES_MAX
KNOCK: Final = Knock("ada", LIMITS, "a", 300)
OTHER: Final = Knock("bob", LIMITS, "b", 300)

# Each is a play that nobody can tell from the right one but by the rule that is taken away.
MUTANTS: list[tuple[str, str, str, Sequence[Command]]] = [
    ("knock", "if left > 0 then", "if false then", [*LOCKED, KNOCK]),
    ("knock", "if wait > 0 then", "if false then", [KNOCK, OTHER, Knock("ada", LIMITS)]),
    ("knock", "ARGV[3 * limit + 1] ~= '1'", "true", [KNOCK, OTHER]),
    ("knock", ", 'NX')", ")", [KNOCK, KNOCK]),
    ("knock", "math.max(tonumber(redis.call('GET', KEYS[limit + 3]) or 0), now)", "now", [KNOCK, OTHER, KNOCK, KNOCK]),
    ("knock", "rested[limit] - now > ahead_max", "false", [KNOCK, OTHER]),
    ("strike", "left > 0", "false", [*LOCKED, Struck("ada", Strike.FORGED_TICKET)]),
    ("strike", "strikes == 1", "false", [Struck("ada", Strike.WRONG_PROOF), Pass(400), Pass(400), KNOCK]),
    ("strike", "redis.call('DEL', KEYS[2])", "", [*LOCKED, KNOCK]),
    ("strike", ", 'PX', ARGV[3])", ")", [*LOCKED, KNOCK]),
]


@pytest.mark.parametrize(("script", "rule", "instead", "played"), MUTANTS)
def test_control_no_rule_can_be_left_out(
    both: Both, monkeypatch: pytest.MonkeyPatch, script: str, rule: str, instead: str, played: Sequence[Command]
):
    both.play(played)
    both.client.flushdb()
    right = (files("frontrow.adapters.valkey") / "scripts" / f"{script}.lua").read_text("utf-8")
    assert right.count(rule) == 1
    wrong = {"knock.lua": "", "strike.lua": ""}
    for name in wrong:
        text = (files("frontrow.adapters.valkey") / "scripts" / name).read_text("utf-8")
        wrong[name] = text.replace(rule, instead) if name == f"{script}.lua" else text
    monkeypatch.setattr(adapter, "_SCRIPTS", _Folder(wrong))
    with pytest.raises((AssertionError, redis.ResponseError, UnavailableError)):
        Both(both.url).play(played)


@dataclass(frozen=True)
class _Text:
    text: str

    def read_text(self, _encoding: str) -> str:
        return self.text


@dataclass(frozen=True)
class _Folder:
    texts: dict[str, str]

    def __truediv__(self, name: str) -> _Text:
        return _Text(self.texts[name])


async def test_a_proof_brought_by_many_at_once_counts_once(valkey_url: str):
    valkey = connection.connect(valkey_url)
    book = ValkeyDoorBook(valkey.client)
    knocks = [Knock(f"fan {number}", [], "one and the same", 300) for number in range(50)]
    answers = await asyncio.gather(*map(book.knock, knocks))
    assert sum(not answer.is_spent for answer in answers) == 1
    await valkey.close()


async def test_all_that_is_kept_ends_by_itself(valkey_url: str):
    valkey = connection.connect(valkey_url)
    book = ValkeyDoorBook(valkey.client)
    await book.knock(KNOCK)
    for strike in range(STRIKES_MAX + 1):
        await book.strike("ada" if strike < STRIKES_MAX else "bob", Strike.WRONG_PROOF)
    client: Any = redis.Redis.from_url(valkey_url)  # pyright: ignore[reportUnknownMemberType] -- as above
    with client:
        kept: Any = client.get(f"{PREFIX}:rate:ada")
        assert kept.isdigit()  # in full: Lua's own way would round it to a tenth of a second
        left: dict[bytes, Any] = {key: client.ttl(key) for key in client.scan_iter()}
    assert {key.decode().rpartition(":")[0] for key in left} == {
        f"{PREFIX}:{kind}" for kind in ("rate", "spent", "lockout", "strikes")
    }
    assert 0 < min(left.values()) <= max(left.values()) <= max(STRIKES_SECONDS, LOCKOUT_SECONDS)
    await valkey.close()


async def test_a_book_that_is_away_is_a_fault_of_its_own():
    valkey = connection.connect("redis://127.0.0.1:1")
    book = ValkeyDoorBook(valkey.client)
    with pytest.raises(UnavailableError):
        await book.knock(KNOCK)
    with pytest.raises(UnavailableError):
        await book.strike("ada", Strike.WRONG_PROOF)
    await valkey.close()


def test_our_own_book_takes_no_more_memory():
    book = DoorBook(keys_max=10)
    for number in range(100):
        knock = Knock(str(number), [Limit(str(number), SLOW)], str(number), 300)
        assert book.knock(knock, now_us=NOW) == Knocked()
        book.strike(str(number), Strike.WRONG_PROOF, now_us=NOW)
    assert all(len(kept) <= 10 for kept in _kept(book))


def _kept(book: Any) -> list[Any]:  # noqa: ANN401 -- a look inside
    return [part._kept for part in (book._spent, book._strikes, book._lockouts)] + [book._rates._rested_at]  # noqa: SLF001 -- the same
