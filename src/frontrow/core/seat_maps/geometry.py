"""Plane geometry of outlines, in whole centimetres where it decides anything, so that every machine agrees."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from frontrow.core.seat_maps.places import Point

Segment = tuple[Point, Point]


def corners(outline: Sequence[int]) -> list[tuple[int, int]]:
    return list(zip(outline[::2], outline[1::2], strict=True))


def edges(polygon: Sequence[Point]) -> Iterator[Segment]:
    return zip(polygon, [*polygon[1:], polygon[0]], strict=True)


def twice_area(polygon: Sequence[Point]) -> float:
    return abs(sum(ax * by - bx * ay for (ax, ay), (bx, by) in edges(polygon)))


def centroid(polygon: Sequence[Point]) -> Point:
    """The balance point of a polygon whose area is not zero."""
    turns = [(a, b, a[0] * b[1] - b[0] * a[1]) for a, b in edges(polygon)]
    total = 3 * sum(turn for _, _, turn in turns)
    x = sum((a[0] + b[0]) * turn for a, b, turn in turns)
    y = sum((a[1] + b[1]) * turn for a, b, turn in turns)
    return x / total, y / total


def is_simple(polygon: Sequence[Point]) -> bool:
    """No side touches another, except neighbours at their common corner, and no corner is given twice."""
    if len(set(polygon)) != len(polygon):
        return False
    sides = list(enumerate(edges(polygon)))
    count = len(sides)
    for (place, side), (other_place, other) in combinations(sides, 2):
        neighbours = other_place - place in {1, count - 1}
        if not neighbours and touch(side, other):
            return False
    return True


def touch(one: Segment, two: Segment) -> bool:
    """The segments have a point in common."""
    (a, b), (c, d) = one, two
    if max(a[0], b[0]) < min(c[0], d[0]) or max(c[0], d[0]) < min(a[0], b[0]):
        return False
    if max(a[1], b[1]) < min(c[1], d[1]) or max(c[1], d[1]) < min(a[1], b[1]):
        return False
    return turn(a, b, c) * turn(a, b, d) <= 0 and turn(c, d, a) * turn(c, d, b) <= 0


def turn(a: Point, b: Point, c: Point) -> float:
    """Positive when a, b, c turn one way, negative the other, zero on one line."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def contains(polygon: Sequence[Point], point: Point) -> bool:
    """The point is inside, by the parity of the sides that a ray from it crosses."""
    x, y = point
    inside = False
    for (ax, ay), (bx, by) in edges(polygon):
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            inside = not inside
    return inside


def overlap(one: Sequence[Point], two: Sequence[Point]) -> bool:
    """The polygons share at least a point."""
    if not _boxes_meet(one, two):
        return False
    return contains(one, two[0]) or contains(two, one[0]) or any(touch(a, b) for a in edges(one) for b in edges(two))


def _boxes_meet(one: Sequence[Point], two: Sequence[Point]) -> bool:
    return all(
        min(point[axis] for point in one) <= max(point[axis] for point in two)
        and min(point[axis] for point in two) <= max(point[axis] for point in one)
        for axis in (0, 1)
    )
