"""An arena of 20,000 in two set-ups of one bowl: a stage at its end with room to stand, or a stage in the middle."""

from collections.abc import Iterator
from dataclasses import replace
from math import hypot, pi
from typing import Final

from frontrow.core.seat_maps import SeatMap, SectionDocument, StageDocument
from frontrow.demo.plans.bowl import Oval, Part, Tier
from frontrow.demo.plans.drafting import (
    Bench,
    Block,
    Point,
    Wedge,
    finish,
    letters,
    mark_restricted_view,
    numbers,
    seats_in,
    symmetric,
    trim,
)

Levels = tuple[tuple[int, str], ...]  # blocks whose middle is nearer to the stage, in metres, are of the price level

SEATS: Final = 20_000
OVAL: Final = Oval(half_x=1_900, half_y=3_150, top_radius=5_000, flank_radius=16_000, corner_radius=1_000)
LOWER: Final = Tier(offset=0, rows=18, cuts={Part.TOP: 3, Part.CORNER: 3, Part.FLANK: 7})
CLUB: Final = Tier(offset=1_750, rows=6, cuts={Part.TOP: 4, Part.CORNER: 3, Part.FLANK: 8})
UPPER: Final = Tier(offset=2_550, rows=21, cuts={Part.TOP: 4, Part.CORNER: 5, Part.FLANK: 9})
TIER_NAMES: Final = ("Lower tier", "Club tier", "Upper tier")
PRICE_LEVELS: Final = ("P1", "P2", "P3", "P4", "P5", "P6")
CHEAPEST: Final = PRICE_LEVELS[-1]

END_STAGE: Final = StageDocument(
    name="Stage",
    # With a runway into the crowd.
    outline=symmetric([(1_100, -2_900), (1_100, -1_750), (200, -1_750), (200, -850)]),
    focus=[0, -1_800],
)
END_LEVELS: Final[Levels] = ((38, "P2"), (57, "P4"), (72, "P5"))
FRONT_STANDING, STANDING = 850, 2_550  # people; a little over two on a square metre
BEHIND_Y: Final = -3_300  # blocks whose middle is farther up the plan look at the back of the stage, and stay closed
BESIDE_Y: Final = -2_100  # from farther up than this, one sees the stage from the side
BESIDE_LEVEL: Final = "P5"

ROUND_STAGE: Final = StageDocument(
    name="Stage",
    outline=symmetric([(250, -600), (600, -250), (600, 250), (250, 600)]),
    focus=[0, 0],
)
ROUND_LEVELS: Final[Levels] = ((30, "P2"), (40, "P3"), (50, "P4"), (60, "P5"))
ROUND_UPPER_ROWS: Final = 14  # the lights hang over the middle: from the last rows one would look at their backs
FLOOR_SEAT_CM: Final = 52
FLOOR_ROW_CM: Final = 95


def arena(name: str = "Arena, stage at the end") -> SeatMap:
    """The map with a stage at the top. The same name gives the same bytes."""
    blocks = [block for block in _bowl(UPPER, END_STAGE, END_LEVELS) if block.wedge.middle()[1] > BEHIND_Y]
    for block in blocks:
        if _is_beside_stage(block.wedge.middle()):
            block.price_level = BESIDE_LEVEL
    _fit(blocks, FRONT_STANDING + STANDING)
    sections = [*_standing(), *map(_section_beside_stage, blocks)]
    return finish(name, price_levels=list(PRICE_LEVELS), stage=END_STAGE, sections=sections)


def arena_in_the_round(name: str = "Arena, stage in the middle") -> SeatMap:
    """The map with a stage in the middle, and seats on the floor around it."""
    benches = list(_floor())
    blocks = list(_bowl(replace(UPPER, rows=ROUND_UPPER_ROWS), ROUND_STAGE, ROUND_LEVELS))
    _fit(blocks, sum(bench.seats * len(bench.row_labels) for bench in benches))
    sections = [part.section() for part in (*benches, *blocks)]
    return finish(name, price_levels=list(PRICE_LEVELS), stage=ROUND_STAGE, sections=sections)


def _fit(blocks: list[Block], on_the_floor: int) -> None:
    trim([block for block in blocks if block.tier == TIER_NAMES[-1]], seats_in(blocks) + on_the_floor - SEATS)


def _bowl(upper: Tier, stage: StageDocument, levels: Levels) -> Iterator[Block]:
    for storey, (tier_name, tier) in enumerate(zip(TIER_NAMES, (LOWER, CLUB, upper), strict=True), start=1):
        for place, (arc, wedge) in enumerate(OVAL.wedges(tier), start=1):
            yield Block(
                label=str(100 * storey + place),
                tier=tier_name,
                price_level=_price_level(wedge, stage, levels),
                wedge=wedge,
                row_labels=letters(tier.rows) if tier is LOWER else numbers(tier.rows),
                # Platforms behind the flanks, level with the concourse.
                wheelchair_row=tier.rows - 1 if tier is LOWER and arc.part is Part.FLANK else None,
            )


def _price_level(wedge: Wedge, stage: StageDocument, levels: Levels) -> str:
    x, y = wedge.middle()
    to_x, to_y = stage["focus"]
    metres = hypot(x - to_x, y - to_y) / 100
    return next((level for limit, level in levels if metres < limit), CHEAPEST)


def _section_beside_stage(block: Block) -> SectionDocument:
    section = block.section()
    for index, row in enumerate(section.get("rows", [])):
        mark_restricted_view(row, block.points(index), _is_beside_stage)
    return section


def _is_beside_stage(point: Point) -> bool:
    return point[1] < BESIDE_Y


def _standing() -> Iterator[SectionDocument]:
    yield SectionDocument(
        label="Front standing",
        tier="Floor",
        # Around the runway.
        outline=symmetric([(300, -750), (300, -1_650), (1_500, -1_650), (1_500, -150)]),
        price_level="P1",
        capacity=FRONT_STANDING,
    )
    yield SectionDocument(
        label="Standing",
        tier="Floor",
        outline=symmetric([(1_500, 0), (1_500, 2_300), (1_150, 2_750)]),
        price_level="P3",
        capacity=STANDING,
    )


def _floor() -> Iterator[Bench]:
    """Seats on the flat floor: three blocks above and three below the stage, one on each side of it."""
    for label, x, y, facing, rows, seats in (
        ("A", -1_060, -950, pi / 2, 17, 16),
        ("B", 0, -950, pi / 2, 22, 20),
        ("C", 1_060, -950, pi / 2, 17, 16),
        ("D", 950, 0, pi, 7, 26),
        ("E", 1_060, 950, -pi / 2, 17, 16),
        ("F", 0, 950, -pi / 2, 22, 20),
        ("G", -1_060, 950, -pi / 2, 17, 16),
        ("H", -950, 0, 0.0, 7, 26),
    ):
        yield Bench(
            label=f"Floor {label}",
            tier="Floor",
            price_level="P1",
            front=(x, y),
            facing=facing,
            row_labels=numbers(rows),
            seats=seats,
            seat_cm=FLOOR_SEAT_CM,
            row_cm=FLOOR_ROW_CM,
        )
