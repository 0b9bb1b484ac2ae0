"""A theatre of 1,800 seats: stalls, a circle and a balcony that wrap around them, boxes on both sides.

As on a printed plan, each storey is drawn behind the one below it, though the circle hangs over the stalls.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import atan2
from typing import Final

from frontrow.core.seat_maps import SeatMap, SectionDocument, StageDocument
from frontrow.demo.plans.drafting import (
    DOWN,
    Bench,
    Block,
    Edge,
    Point,
    Wedge,
    finish,
    letters,
    mark_restricted_view,
    seats_in,
    symmetric,
    trim,
)

SEATS: Final = 1_800
SEAT_CM: Final = 54
ROW_CM: Final = 88
CENTRE: Final = (0, -1_500)  # of the circles that all rows lie on
AISLE_CM: Final = 110
STAGE_HALF_CM: Final = 800  # the stage is as wide as the opening of its arch
PRICE_LEVELS: Final = ("P1", "P2", "P3", "P4", "P5")


@dataclass(frozen=True, slots=True, kw_only=True)
class Storey:
    """Three blocks side by side. `cuts` are the angles, from straight ahead, of the aisle and of the outer end."""

    name: str
    front_radius: float
    rows: int
    cuts: tuple[float, float]
    centre_levels: tuple[str, str]  # of the front rows and of the back rows
    side_levels: tuple[str, str]
    back_from: int  # the row that begins the back rows
    wheelchair_row: int | None = None


STALLS: Final = Storey(
    name="Stalls",
    front_radius=1_950,
    rows=20,
    cuts=(0.175, 0.45),
    centre_levels=("P1", "P2"),
    side_levels=("P2", "P3"),
    back_from=12,
    wheelchair_row=19,  # level with the foyer
)
CIRCLE: Final = Storey(
    name="Circle",
    front_radius=3_980,
    rows=7,
    cuts=(0.19, 0.5),
    centre_levels=("P2", "P3"),
    side_levels=("P3", "P4"),
    back_from=3,
)
BALCONY: Final = Storey(
    name="Balcony",
    front_radius=4_860,
    rows=6,
    cuts=(0.19, 0.48),
    centre_levels=("P4", "P5"),
    side_levels=("P4", "P5"),
    back_from=3,
)
BOXES_A_SIDE: Final = 5
BOX_FRONT: Final = (1_270, 330)  # the middle of the first box's front; the others stand behind it, a little wider
BOX_STEP: Final = (95, 265)
SCENERY: Final = -700  # y of the back of the set
SLANT: Final = 0.6  # farther than this from straight ahead, the arch hides a corner of the set


def theatre(name: str = "Theatre, three storeys") -> SeatMap:
    """The map. The same name gives the same bytes."""
    storeys = [list(_blocks(storey)) for storey in (STALLS, CIRCLE, BALCONY)]
    blocks = [block for storey in storeys for block in storey]
    boxes = list(_boxes())
    boxed = sum(box.seats * len(box.row_labels) for box in boxes)
    trim(storeys[-1], seats_in(blocks) + boxed - SEATS)
    stage = StageDocument(
        name="Stage",
        # Its front edge swells towards the stalls.
        outline=symmetric([(STAGE_HALF_CM, -900), (STAGE_HALF_CM, 0), (450, 110), (150, 145)]),
        focus=[0, -100],
    )
    sections = [*map(_block_section, blocks), *map(_box_section, boxes)]
    return finish(name, price_levels=list(PRICE_LEVELS), stage=stage, sections=sections)


def _blocks(storey: Storey) -> Iterator[Block]:
    aisle, end = storey.cuts
    half = AISLE_CM / 2
    inner = Edge(half, aisle), Edge(-half, end)
    sides = {
        "left": (inner[1].mirrored(), inner[0].mirrored()),
        "centre": (Edge(half, -aisle), Edge(-half, aisle)),
        "right": inner,
    }
    for side, (left, right) in sides.items():
        levels = storey.centre_levels if side == "centre" else storey.side_levels
        yield Block(
            label=f"{storey.name} {side}",
            tier=storey.name,
            price_level=levels[0],
            wedge=_wedge(storey, left, right),
            row_labels=letters(storey.rows),
            seat_cm=SEAT_CM,
            wheelchair_row=storey.wheelchair_row if side == "centre" else None,
            back_rows=(storey.back_from, levels[1]),
        )


def _wedge(storey: Storey, left: Edge, right: Edge) -> Wedge:
    radii = [storey.front_radius + row * ROW_CM for row in range(storey.rows)]
    return Wedge(centre=CENTRE, heading=DOWN, radii=radii, left=left, right=right)


def _block_section(block: Block) -> SectionDocument:
    section = block.section()
    for index, row in enumerate(section.get("rows", [])):
        mark_restricted_view(row, block.points(index), _is_at_a_slant)
    return section


def _is_at_a_slant(point: Point) -> bool:
    return atan2(abs(point[0]), point[1] - SCENERY) > SLANT


def _boxes() -> Iterator[Bench]:
    """Boxes A to E on the left of the audience and F to K on its right, the first ones beside the stage."""
    labels = letters(2 * BOXES_A_SIDE)
    for place, label in enumerate(labels):
        step = place % BOXES_A_SIDE
        x, y = BOX_FRONT[0] + step * BOX_STEP[0], BOX_FRONT[1] + step * BOX_STEP[1]
        side = -1 if place < BOXES_A_SIDE else 1
        yield Bench(
            label=f"Box {label}",
            tier="Boxes",
            price_level="P3" if step == 0 else "P2",
            front=(side * x, y),
            facing=atan2(-400 - y, -side * x),
            row_labels=("1", "2"),
            seats=2,
            seat_cm=75,  # chairs, not seats
            row_cm=85,
            aisle_ends="none",
        )


def _box_section(box: Bench) -> SectionDocument:
    """Beside the stage one looks into its wings."""
    section = box.section()
    if box.price_level == "P3":
        for row in section.get("rows", []):
            row["restricted_view"] = [[0, box.seats - 1]]
    return section
