"""Can it be read: the contrast of each pair of colours in the stylesheet, light and dark (WCAG 2.2, level AA)."""

import re
from typing import Final

import pytest

from frontrow.web.pages.static_files import FOLDER

CSS: Final = (FOLDER / "site.css").read_text()
TEXT: Final = 4.5
SHAPE: Final = 3.0

LIGHT, DARK = 0, 1


def tokens() -> dict[str, tuple[str, str]]:
    """Every colour that has a name, for light and for dark."""
    named = {name: (colour, colour) for name, colour in re.findall(r"--([\w-]+): (#[0-9a-f]{6});", CSS)}
    pairs = re.findall(r"--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);", CSS)
    return named | {name: (light, dark) for name, light, dark in pairs}


def luminance(colour: str) -> float:
    channels = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def over(colour: str, ground: str, opacity: float) -> str:
    """What one sees of a colour that lets the ground through."""
    mixed = [
        round(int(colour[place : place + 2], 16) * opacity + int(ground[place : place + 2], 16) * (1 - opacity))
        for place in (1, 3, 5)
    ]
    return "#" + "".join(f"{channel:02x}" for channel in mixed)


@pytest.mark.parametrize("scheme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("ground", ["ground", "panel"])
@pytest.mark.parametrize("text", ["text", "quiet", "accent", "good", "bad"])
def test_text_can_be_read(text: str, ground: str, scheme: int):
    colours = tokens()
    assert contrast(colours[text][scheme], colours[ground][scheme]) >= TEXT


def test_a_button_can_be_read():
    colours = tokens()
    assert contrast(colours["button"][LIGHT], colours["on-button"][LIGHT]) >= TEXT


@pytest.mark.parametrize("text", ["text", "quiet", "accent"])
def test_text_in_the_spotlight_can_be_read(text: str):
    [lit] = re.findall(r"radial-gradient\([^#]*(#[0-9a-f]{6})", CSS)  # where it is brightest
    assert contrast(tokens()[text][DARK], lit) >= TEXT


@pytest.mark.parametrize("level", range(8))
def test_price_levels_stand_out_from_the_plan_and_carry_their_labels(level: int):
    [colour] = re.findall(rf"\.level-{level} {{ --level: (#[0-9a-f]{{6}}); }}", CSS)
    ground, text = tokens()["ground"][DARK], tokens()["text"][DARK]
    assert contrast(colour, ground) >= SHAPE
    opacities = re.findall(r"^\.block[.:\w]* \{[^}]*fill-opacity: ([\d.]+)", CSS, re.MULTILINE)
    assert len(opacities) == 3
    for opacity in opacities:
        assert contrast(text, over(colour, ground, float(opacity))) >= TEXT


def test_every_colour_has_its_name_but_black_shadows():
    """A colour that is written somewhere else is one that no test sees."""
    loose = re.sub(r"--[\w-]+: [^;]+;", "", CSS)
    assert set(re.findall(r"#[0-9a-f]{3,8}\b", loose)) == set(
        re.findall(r"#[0-9a-f]{6}", re.findall(r"radial.*", CSS)[0])
    )


SEATS_CSS: Final = (FOLDER / "seats.css").read_text()


def seat_tokens() -> dict[str, tuple[str, str]]:
    """The colours that only the pages about seats have."""
    named = {name: (colour, colour) for name, colour in re.findall(r"--([\w-]+): (#[0-9a-f]{6});", SEATS_CSS)}
    pairs = re.findall(r"--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);", SEATS_CSS)
    return named | {name: (light, dark) for name, light, dark in pairs}


def test_the_stage_carries_its_name():
    for ground in ("stage-edge", "stage-spot"):
        assert contrast(tokens()["text"][DARK], seat_tokens()[ground][DARK]) >= TEXT


def test_taken_seats_recede_and_are_still_seen():
    assert contrast(seat_tokens()["taken"][DARK], tokens()["ground"][DARK]) >= SHAPE


def test_what_is_written_on_a_seat_can_be_read():
    for colour in re.findall(r"--level: (#[0-9a-f]{6});", CSS):
        assert contrast(tokens()["on-button"][DARK], colour) >= SHAPE


def test_the_pages_about_seats_name_their_colours_too():
    assert re.findall(r"#[0-9a-f]{3,8}\b", re.sub(r"--[\w-]+: [^;]+;", "", SEATS_CSS)) == []
