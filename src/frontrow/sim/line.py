"""`frontrow line simulate`: a line is played, and what came of it is told in figures and pictures."""

import resource
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from frontrow.core.line import Policy
from frontrow.sim.charts import Chart, Series
from frontrow.sim.line_figures import Figures, bot_advantage, figures, waits
from frontrow.sim.line_scene import Course, Scene, play

KB_PER_MB: Final = 1024
PROCESSES: Final = 2
COMPARED_FANS: Final = 200_000  # of each scene that is played for a picture only
ASKED_FANS: Final = 4_000
BOT_JOINS: Final = (1, 2, 5, 10)


@dataclass(frozen=True, slots=True)
class Simulated:
    """What came of it, and what finding out cost."""

    course: Course
    figures: Figures
    seconds: float
    memory_mb: float  # of this process and the largest of its children together


def simulate(scene: Scene) -> Simulated:
    began = time.perf_counter()
    course = play(scene, processes=PROCESSES)
    told = figures(scene, course)
    own, of_children = (resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    memory_mb = (own + PROCESSES * of_children) / KB_PER_MB
    return Simulated(course, told, round(time.perf_counter() - began, 1), round(memory_mb, 1))


def draw_pictures(scene: Scene, simulated: Simulated, folder: Path) -> Sequence[Path]:
    """The pictures, each in a file of its own."""
    charts = {
        "sessions": sessions(scene, simulated.course),
        "waits": waits_by_policy(scene),
        "estimates": estimates(simulated.course),
        "bots": bots(scene),
    }
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{name}.svg" for name in charts]
    for path, chart in zip(paths, charts.values(), strict=True):
        path.write_text(chart.svg(), encoding="utf-8")
    return paths


def sessions(scene: Scene, course: Course) -> Chart:
    minutes = [second.at / 60 for second in course.seconds]
    return Chart(
        f"{scene.fans:,} fans in line: sessions and their cap",
        "minutes since the on-sale",
        "sessions",
        [
            Series("sessions", list(zip(minutes, (float(second.active) for second in course.seconds), strict=True))),
            Series("cap", [(0.0, float(scene.cap)), (minutes[-1], float(scene.cap))]),
        ],
    )


def waits_by_policy(scene: Scene) -> Chart:
    """Of those who were called, how many had waited no longer than this."""
    series: list[Series] = []
    for policy in Policy:
        small = replace(scene, fans=min(scene.fans, COMPARED_FANS), rules=replace(scene.rules, policy=policy))
        waited = sorted(waits(small, play(small, processes=PROCESSES), fans=ASKED_FANS))
        points = [(seconds / 60, (place + 1) / len(waited)) for place, seconds in enumerate(waited)]
        series.append(Series(policy.replace("_", " "), points or [(0.0, 0.0)]))
    return Chart("How long those who were called had waited", "minutes", "share of those called", series)


def estimates(course: Course) -> Chart:
    """For each range that was told: how the true wait lay to its upper end."""
    ratios = sorted(waited / wait.at_most for wait, waited in course.told if wait.at_most > 0)
    points = [(min(ratio, 3.0), (place + 1) / len(ratios)) for place, ratio in enumerate(ratios)]
    return Chart(
        "True waits as parts of the longest that was told",
        "true wait / upper end of the range",
        "share of fans",
        [Series("told and true", points or [(0.0, 0.0)]), Series("nine of ten", [(0.0, 0.9), (3.0, 0.9)])],
    )


def bots(scene: Scene) -> Chart:
    """What a bot gains by joining often: with tickets bound to who joins, and as a control without."""
    lines: dict[bool, list[tuple[float, float]]] = {True: [], False: []}
    for is_bound, points in lines.items():
        for joins in BOT_JOINS:
            small = replace(scene, fans=min(scene.fans, COMPARED_FANS), bot_joins=joins, is_bound=is_bound)
            points.append((float(joins), bot_advantage(play(small, processes=PROCESSES), small)))
    return Chart(
        "Admissions of a bot to those of a person",
        "joins of each bot",
        "times as many",
        [Series("bound tickets", lines[True]), Series("unbound (control)", lines[False])],
    )
