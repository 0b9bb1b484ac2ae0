"""What came of a line that was played, in figures."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from frontrow.sim.line_scene import BOTS, LATE_SECONDS, PEOPLE, Course, Scene, came_early, came_late, key_of, kind_of

NEARLY_FULL: Final = 0.95
SEATS_FOR_STEADY: Final = 0.1  # of all: with fewer left, fewer fans are let in than there is room for


@dataclass(frozen=True, slots=True)
class Figures:
    """One line, played to its end."""

    policy: str
    fans: int
    virtual_seconds: int  # from the on-sale to the end
    admitted: int
    utilisation: float  # how full the shop was, from when it was nearly full first, until the last tenth of the seats
    active_max: int
    cap_exceeded: bool
    eta_p50_coverage: float  # of all who were told, so many waited no longer than the lower end of the range
    eta_p90_coverage: float
    bot_advantage: float  # admissions of a bot to those of a person


def figures(scene: Scene, course: Course) -> Figures:
    active_max = max(second.active for second in course.seconds)
    return Figures(
        policy=scene.rules.policy,
        fans=scene.fans,
        virtual_seconds=len(course.seconds),
        admitted=sum(course.admitted),
        utilisation=round(utilisation(course, scene), 4),
        active_max=active_max,
        cap_exceeded=active_max > scene.cap,
        eta_p50_coverage=round(_share([waited <= wait.likely for wait, waited in course.told]), 4),
        eta_p90_coverage=round(_share([waited <= wait.at_most for wait, waited in course.told]), 4),
        bot_advantage=round(bot_advantage(course, scene), 4),
    )


def utilisation(course: Course, scene: Scene) -> float:
    began = next((second.at for second in course.seconds if second.active >= NEARLY_FULL * scene.cap), 0)
    steady = [
        second.active
        for second in course.seconds
        if second.at >= began and second.seats_left > SEATS_FOR_STEADY * scene.seats
    ]
    return sum(steady) / len(steady) / scene.cap if steady else 0.0


def bot_advantage(course: Course, scene: Scene) -> float:
    """1 where there are no bots, or nobody was admitted."""
    bots = sum(kind_of(scene, number) == BOTS for number in range(scene.fans)) if scene.bot_share else 0
    people = scene.fans - bots
    if not bots or not course.admitted[PEOPLE]:
        return 1.0
    return (course.admitted[BOTS] / bots) / (course.admitted[PEOPLE] / people)


def waits(scene: Scene, course: Course, *, fans: int) -> list[float]:
    """How long some people waited until they were called: from the on-sale, or from when they joined later."""
    chance = Random(5)  # noqa: S311 -- the same people each time
    frontiers = [second.frontier for second in course.seconds]
    found: list[float] = []
    for _ in range(fans):
        number = chance.randrange(scene.fans)
        is_late = number < round(scene.fans * scene.late_share)
        at = int(min(chance.expovariate(3 / LATE_SECONDS), len(frontiers) - 1)) if is_late else 0
        joined = (
            came_late(scene.rules, at + 0.5, frontiers[at]) if is_late else came_early(scene.rules, chance.random())
        )
        called_at = bisect_left(frontiers, key_of(scene, number, joined), lo=at)
        if called_at < len(frontiers):
            found.append(float(called_at - at))
    return found


def _share(facts: Sequence[bool]) -> float:
    return sum(facts) / len(facts) if facts else 0.0
