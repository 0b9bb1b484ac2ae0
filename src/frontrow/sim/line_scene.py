"""A line with millions of fans, played second by second through the real core: draw, keys, crowd, pace, waits.

What is made up here is only how people behave: when they come, how often they look, how long they stay, whether they
buy. Nothing is kept for each fan. Whoever waits is a count in a bin, and whoever is inside is a count in a second.
"""

from array import array
from collections import deque
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Final, Literal
from uuid import UUID

from frontrow.core.catalogue import EventId
from frontrow.core.holds import FanId
from frontrow.core.line import (
    GATHERED,
    Called,
    Crowd,
    Estimates,
    Inflow,
    Joined,
    LineRules,
    Policy,
    Room,
    Shop,
    Wait,
    bins_of,
    key,
    luck,
)
from frontrow.core.line.crowd import BINS
from frontrow.core.line.estimates import ASKED_MAX
from frontrow.core.line.rate import TARGET_SHARE

EVENT: Final = EventId(1)
SEED: Final = bytes(range(32))  # the same crowd each time
CHUNK_FANS: Final = 250_000  # of one task, so that two cores end together
OUTFLOW_SECONDS: Final = 60  # over which those who leave are counted
LATE_SECONDS: Final = 1_800.0  # within which the late ones come, most of them soon
TICK_SECONDS: Final = 1.0
LOOK_AT_ALL_SECONDS: Final = 15  # how often all who wait are counted
SECONDS_MAX: Final = 48 * 3600


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """Who comes to which sale, and how they behave."""

    fans: int = 10_000_000
    rules: LineRules = field(default_factory=lambda: LineRules(policy=Policy.LOTTERY))
    cap: int = 5_000
    seats: int = 100_000
    late_share: float = 0.1
    absent_share: float = 0.25  # who does not come when called
    visit_seconds: float = 300.0  # the mean; some stay much longer
    buying_share: float = 0.7
    seats_per_order: float = 2.2
    poll_seconds: float = 30.0  # how often people look
    bot_share: float = 0.1
    bot_joins: int = 3  # each bot joins so often, from as many tabs, and keeps the best ticket
    bot_poll_seconds: float = 1.0
    is_bound: bool = True  # tickets are bound to who joins. False is the control: each join of a bot is somebody new


@dataclass(slots=True)
class Second:
    """How it stood at one second."""

    at: int
    active: int
    waiting: float
    seats_left: float
    frontier: float


@dataclass(slots=True)
class Course:
    """What came of it."""

    seconds: list[Second] = field(default_factory=list[Second])
    admitted: list[int] = field(default_factory=lambda: [0, 0])  # people, bots
    told: list[tuple[Wait, float]] = field(default_factory=list[tuple[Wait, float]])  # and how long it took


PEOPLE: Final = 0
BOTS: Final = 1
Kind = Literal[0, 1]
Counts = tuple["array[int]", "array[int]"]  # of people and of bots, in each bin


def play(scene: Scene, *, processes: int) -> Course:
    """From the on-sale until nothing is left, or nobody waits."""
    return _Play(scene, gathered(scene, processes=processes)).run()


def gathered(scene: Scene, *, processes: int) -> Counts:
    """Those who came before the on-sale, counted by their keys."""
    late = round(scene.fans * scene.late_share)
    starts = range(late, scene.fans, CHUNK_FANS)
    counts = _nobody()
    with ProcessPoolExecutor(processes) as workers:
        for part in workers.map(partial(_count, scene), starts):
            for whole, more in zip(counts, part, strict=True):
                for number, fans in enumerate(more):
                    whole[number] += fans
    return counts


def _count(scene: Scene, start: int) -> Counts:
    counts, bins, rules = _nobody(), bins_of(scene.rules), scene.rules
    chance = Random(start)  # noqa: S311 -- the same crowd each time
    for number in range(start, min(start + CHUNK_FANS, scene.fans)):
        joined = came_early(rules, chance.random())
        counts[kind_of(scene, number)][bins.number(key_of(scene, number, joined))] += 1
    return counts


def came_early(rules: LineRules, share: float) -> Joined:
    """Who came before the on-sale, when so great a share of the time was over. When matters only where time decides."""
    return Joined(share * rules.gathering_seconds) if rules.policy is Policy.FIRST_COME else GATHERED


def came_late(rules: LineRules, seconds: float, frontier: float) -> Joined:
    """Who came so long after the on-sale."""
    opened = rules.gathering_seconds if rules.policy is Policy.FIRST_COME else 0.0
    return Joined(opened + seconds, frontier)


def key_of(scene: Scene, number: int, joined: Joined) -> float:
    """The key of a fan's ticket; of a bot, the best of all it gets."""
    joins = scene.bot_joins if kind_of(scene, number) == BOTS else 1
    whos = (_who(scene, number, join) for join in range(joins))
    return min(key(scene.rules, joined, luck(scene.rules, joined, SEED, EVENT, who)) for who in whos)


def _who(scene: Scene, number: int, join: int) -> FanId:
    """Whoever joins again is the same as before, unless nobody looks who it is."""
    return FanId(UUID(int=number if scene.is_bound else number + join * scene.fans))


def _nobody() -> Counts:
    return array("L", bytes(8 * BINS)), array("L", bytes(8 * BINS))


def kind_of(scene: Scene, number: int) -> Kind:
    """Every so many fans one is a bot."""
    return BOTS if scene.bot_share and number % round(1 / scene.bot_share) == 0 else PEOPLE


class _Play:
    """One line while it is played."""

    def __init__(self, scene: Scene, counts: Counts) -> None:
        self._scene = scene
        self._bins = bins_of(scene.rules)
        self._counts = counts
        self._crowd = Crowd(self._bins, map(float, map(sum, zip(*counts, strict=True))))
        self._chance = Random(1)  # noqa: S311 -- the same play each time
        self._inflow = Inflow()
        self._estimates = Estimates()
        self._course = Course()
        self._frontier = 0.0
        self._late = _late_arrivals(scene, self._chance)
        self._active = 0
        self._called = Called(looks_every=scene.poll_seconds)
        self._seats_left = float(scene.seats)
        self._ends: dict[int, int] = {}
        self._comes: dict[int, list[int]] = {}
        self._left: deque[int] = deque([0] * OUTFLOW_SECONDS, maxlen=OUTFLOW_SECONDS)

    def run(self) -> Course:
        for second in range(SECONDS_MAX):
            self._leave(second)
            self._join_late(second)
            self._come_in(second)
            self._call(second)
            self._ask(second)
            waiting = self._crowd.beyond(self._frontier) if second % LOOK_AT_ALL_SECONDS == 0 else -1.0
            self._course.seconds.append(Second(second, self._active, waiting, self._seats_left, self._frontier))
            if self._seats_left <= 0 or (waiting == 0 and not self._comes and not self._active):
                break
        return self._course

    def _leave(self, second: int) -> None:
        left = self._ends.pop(second, 0)
        self._active -= left
        self._left.append(left)
        self._estimates.look(active=self._active, ended=left, seconds=TICK_SECONDS)
        bought = sum(self._chance.random() < self._scene.buying_share for _ in range(left))
        self._seats_left -= bought * self._scene.seats_per_order

    def _join_late(self, second: int) -> None:
        joined = came_late(self._scene.rules, second + 0.5, self._frontier)
        for number in self._late.get(second, ()):
            who, of = kind_of(self._scene, number), key_of(self._scene, number, joined)
            if of <= self._frontier:
                self._call_one(who, second)
            else:
                self._counts[who][self._bins.number(of)] += 1
                self._crowd.add(of)

    def _come_in(self, second: int) -> None:
        """At the door they are counted exactly: whoever finds the shop full looks again in a moment."""
        who_come = self._comes.pop(second, [])
        room = self._scene.cap - self._active
        for who in who_come[:room]:
            self._course.admitted[who] += 1
            stays = 1 + int(self._chance.expovariate(1 / self._scene.visit_seconds))
            self._ends[second + stays] = self._ends.get(second + stays, 0) + 1
        came = min(len(who_come), room)
        self._active += came
        self._comes.setdefault(second + 1, []).extend(who_come[room:])

    def _call(self, second: int) -> None:
        outflow = sum(self._left) / OUTFLOW_SECONDS
        shop = Shop(
            cap=self._scene.cap,
            active=self._active,
            coming=self._called.coming(now=second, absent=self._inflow.absent),
            outflow=outflow,
            arrival_seconds=self._scene.poll_seconds / 2,
            buyers_max=self._seats_left / self._scene.seats_per_order / self._scene.buying_share,
            per_second_max=float(self._scene.cap),
        )
        more = self._inflow.next(shop, seconds=TICK_SECONDS)
        frontier = self._crowd.frontier_after(self._frontier, more)
        passed = [self._taken(who, self._frontier, frontier) for who in (PEOPLE, BOTS)]
        for who, fans in enumerate(passed):
            for _ in range(fans):
                self._call_one(who, second)
        self._called.add(sum(passed), now=second)
        self._frontier = frontier

    def _call_one(self, who: int, second: int) -> None:
        is_absent = self._chance.random() < self._scene.absent_share
        self._inflow.learn(called=1, came=0 if is_absent else 1)
        if is_absent:
            return
        every = self._scene.bot_poll_seconds if who == BOTS else self._scene.poll_seconds
        at = second + 1 + int(self._chance.random() * every)
        self._comes.setdefault(at, []).append(who)

    def _taken(self, who: int, low: float, high: float) -> int:
        """Those of a kind whose keys the frontier has passed. Where it stands inside a bin, chance decides for each."""
        first, last = self._bins.place(low), self._bins.place(high)
        taken = 0
        for number in range(int(first), min(int(last) + 1, BINS)):
            here = self._counts[who][number]
            if here:
                begin = max(first, float(number))
                share = (min(last, number + 1.0) - begin) / (number + 1 - begin)
                out = here if share >= 1 else sum(self._chance.random() < share for _ in range(here))
                self._counts[who][number] -= out
                taken += out
        return taken

    def _ask(self, second: int) -> None:
        """Tell some fans how long it will take; and find out how long it took for those told before."""
        self._course.told += self._estimates.learn(self._frontier, now=second)
        if not self._estimates.is_due(second):
            return
        coming = self._called.coming(now=second, absent=self._inflow.absent)
        places = TARGET_SHARE * self._scene.cap
        room = Room(
            places=places,
            free=max(places - self._active - coming, 0.0),
            absent=self._inflow.absent,
            reach=self._seats_left / self._scene.seats_per_order / self._scene.buying_share,
        )
        shares = [self._chance.random() for _ in range(ASKED_MAX)]
        self._estimates.ask(self._crowd.ranks(self._frontier), room, shares, now=second)


def _late_arrivals(scene: Scene, chance: Random) -> Mapping[int, list[int]]:
    """Who comes after the on-sale, by the second: most of them soon."""
    found: dict[int, list[int]] = {}
    for number in range(round(scene.fans * scene.late_share)):
        at = int(min(chance.expovariate(3 / LATE_SECONDS), LATE_SECONDS))
        found.setdefault(at, []).append(number)
    return found
