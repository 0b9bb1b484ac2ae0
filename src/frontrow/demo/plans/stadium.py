"""A football stadium of 100,000 seats: three tiers all around a pitch of 105 by 68 metres."""

from collections.abc import Iterator
from math import hypot
from typing import Final

from frontrow.core.seat_maps import SeatMap, StageDocument
from frontrow.demo.plans.bowl import Arc, Oval, Part, Tier
from frontrow.demo.plans.drafting import Block, Wedge, finish, numbers, seats_in, trim

SEATS: Final = 100_000
PITCH_CM: Final = (10_500, 6_800)
OVAL: Final = Oval(half_x=6_700, half_y=4_800, top_radius=24_000, flank_radius=14_000, corner_radius=2_600)
TIERS: Final = {
    "Lower tier": Tier(offset=0, rows=32, cuts={Part.TOP: 10, Part.CORNER: 5, Part.FLANK: 8}),
    "Club tier": Tier(offset=2_900, rows=16, cuts={Part.TOP: 11, Part.CORNER: 6, Part.FLANK: 8}),
    "Upper tier": Tier(offset=4_500, rows=44, cuts={Part.TOP: 12, Part.CORNER: 10, Part.FLANK: 10}),
}
# The price level of a block by how far its middle is from the centre spot, in metres; looking along the pitch from
# behind a goal counts as farther away than looking across it.
LEVELS: Final = ((66, "P1"), (88, "P2"), (104, "P3"), (124, "P4"), (145, "P5"))
CHEAPEST: Final = "P6"
BEHIND_GOAL: Final = 1.15


def stadium(name: str = "Meridian Stadium") -> SeatMap:
    """The map. The same name gives the same bytes."""
    blocks = list(_blocks())
    trim([block for block in blocks if block.tier == "Upper tier"], seats_in(blocks) - SEATS)
    half_x, half_y = PITCH_CM[0] // 2, PITCH_CM[1] // 2
    pitch = StageDocument(
        name="Pitch", outline=[-half_x, -half_y, half_x, -half_y, half_x, half_y, -half_x, half_y], focus=[0, 0]
    )
    price_levels = [*(level for _, level in LEVELS), CHEAPEST]
    return finish(name, price_levels=price_levels, stage=pitch, sections=[block.section() for block in blocks])


def _blocks() -> Iterator[Block]:
    for storey, (tier_name, tier) in enumerate(TIERS.items(), start=1):
        for place, (arc, wedge) in enumerate(OVAL.wedges(tier), start=1):
            yield Block(
                label=str(100 * storey + place),
                tier=tier_name,
                price_level=_price_level(wedge),
                wedge=wedge,
                row_labels=numbers(tier.rows),
                wheelchair_row=tier.rows - 1 if storey == 1 and _has_platform(arc, place) else None,
            )


def _has_platform(arc: Arc, place: int) -> bool:
    """Wheelchair platforms behind every other lower block along the straight parts, level with the concourse."""
    return arc.part is not Part.CORNER and place % 2 == 0


def _price_level(wedge: Wedge) -> str:
    x, y = wedge.middle()
    metres = hypot(x * BEHIND_GOAL, y) / 100
    return next((level for limit, level in LEVELS if metres < limit), CHEAPEST)
