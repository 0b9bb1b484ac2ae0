"""Which of two seats is the better one, by where they are."""

from math import hypot

import pytest
from tests.core.choosing.halls import hall

from frontrow.core.choosing import choose
from frontrow.core.choosing.quality import Quality
from frontrow.core.seat_maps import Point

ALL_AROUND: list[Point] = [(0, -900), (0, 900), (-900, 0), (900, 0)]
IN_FRONT: list[Point] = [(-300, 900), (0, 900), (300, 900)]


@pytest.mark.parametrize(
    ("crowd", "better", "worse"),
    [
        (ALL_AROUND, (0, 500), (0, 600)),  # nearer
        (ALL_AROUND, (590, 0), (0, 600)),  # around a pitch no side is better
        (IN_FRONT, (0, 500), (0, 600)),
        (IN_FRONT, (0, 600), (590, 0)),  # before a stage, beside it is worse
        (IN_FRONT, (50, 600), (-100, 600)),  # both sides alike
    ],
)
def test_nearer_and_more_central_is_better(crowd: list[Point], better: Point, worse: Point):
    quality = Quality.before((0, 0), crowd)

    assert quality.cost(better) < quality.cost(worse)


def test_a_crowd_all_around_gives_no_direction():
    assert hypot(*Quality.before((0, 0), ALL_AROUND).axis) == pytest.approx(0)
    assert hypot(*Quality.before((0, 0), IN_FRONT).axis) > 0.9


def test_behind_a_pillar_is_worse():
    quality = Quality.before((0, 0), IN_FRONT)

    assert quality.cost((0, 500), restricted_share=1) > quality.cost((0, 900))


def test_dearer_seats_are_better_wherever_they_are():
    behind = hall(("B", ["...."]), ("A", ["...."]))

    assert choose(behind.supply(), 2, chance=0) == (4, 5)
