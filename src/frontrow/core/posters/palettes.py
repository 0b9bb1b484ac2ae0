"""The colours a poster may wear, each set from the darkest to the lightest.

Paper and spark are readable on night, night is readable on paper, glow and mid: a test measures it.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Palette:
    night: str  # the ground of a dark poster, the ink of a light one
    deep: str
    mid: str
    glow: str
    spark: str  # what the light falls on
    paper: str  # the ground of a light poster, the ink of a dark one


PALETTES: Final = (
    Palette("#12111f", "#32245c", "#b0406f", "#f0655a", "#ffc24b", "#fff4e0"),  # last set before dawn
    Palette("#071a20", "#0e434f", "#1f9490", "#4bd3ab", "#f4f59a", "#f6fbe9"),  # harbour at night
    Palette("#150b2e", "#3f1a7d", "#9a55e0", "#f07ad8", "#ffd79a", "#fff1f6"),  # violet hour
    Palette("#1c0e0b", "#62190f", "#d04a24", "#f88437", "#ffdf9c", "#fff3e2"),  # embers
    Palette("#071631", "#0f3a74", "#3f86d6", "#66c1f5", "#ffe6a6", "#f3f8ff"),  # deep water
    Palette("#0d1c13", "#1f4b2d", "#56974b", "#b2d04f", "#fff0ac", "#fbf8e6"),  # orchard
    Palette("#240e1c", "#701d45", "#dc4f76", "#fa9a92", "#ffe4c4", "#fff2ea"),  # rosewood
    Palette("#10161d", "#2d3f54", "#6a89a5", "#b2cada", "#ffb224", "#f4f6f7"),  # steel and lamp
    Palette("#12211f", "#1f5450", "#d58f33", "#f2c35c", "#fff0c8", "#fdf4dd"),  # ochre wall
    Palette("#0e1138", "#2a35a8", "#ee4a5c", "#ff9469", "#ffe2b8", "#fff3e6"),  # fairground
    Palette("#0f1b2d", "#1f4a68", "#36a79e", "#a5f3c0", "#fff6b8", "#f4fcf3"),  # mint night
    Palette("#1e1127", "#4d2357", "#a5497f", "#e2954f", "#ffe0a0", "#fdf2e4"),  # plum and brass
)
