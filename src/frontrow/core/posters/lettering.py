"""Setting a name of any length, in any script, into a given room.

The fonts on the reader's device are unknown, so widths are estimated and each line is told its length: a browser then
stretches or squeezes the glyphs by the few percent the estimate is off, and a long name never runs over the edge.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final, Literal
from unicodedata import category, east_asian_width, normalize

SIZES: Final = (84, 76, 68, 60, 54, 48, 42, 37, 33, 29, 26, 23, 20, 18, 16)  # px in a poster 400 wide
SIZE_MIN: Final = SIZES[-1]  # below this nobody can read it
BLOCK_SIZE_MAX: Final = 104
CAPTION_SIZE: Final = 13
CAPTION_GAP: Final = 14
BALANCE_STEP: Final = 0.97  # lines are narrowed this much at a time until one more would be needed
MARK_RISE: Final = 0.2  # what an accent adds to a capital, in sizes
MARKS_ROOM_MAX: Final = 2  # accents on one letter that get room (Vietnamese needs two) …
MARKS_MAX: Final = 3  # … and that are drawn at all: stacked without end they would climb over the picture
STRAY_LETTERS_MAX: Final = 3  # a last word this short stays with the one before it …
HOST_LETTERS_MAX: Final = 12  # … unless that one is long itself
MARKS: Final = frozenset({"Mn", "Me"})

NARROW: Final = frozenset("iljtfrI.,:;'\u2019|!()[]·- \u00a0")
WIDE: Final = frozenset("mwMW@%&—Œœ")


@dataclass(frozen=True, slots=True)
class Face:
    """A way of setting type: the fonts, and how wide and how tall they are taken to be."""

    fonts: str
    weight: int
    stretch: float  # width of a glyph against an ordinary bold sans
    leading: float  # from baseline to baseline, in sizes
    capitals: bool = False
    block: bool = False  # each line fills the width, as on a gig poster
    tracking: float = 0  # extra room after each glyph, in sizes


GIG: Final = Face(
    "'Avenir Next Condensed','Roboto Condensed','Arial Narrow','Liberation Sans Narrow','Helvetica Neue',sans-serif",
    weight=800,
    stretch=0.82,
    leading=0.9,
    capitals=True,
    block=True,
)  # fmt: skip -- one face, one paragraph
GROTESK: Final = Face(
    "'Helvetica Neue','Segoe UI',Roboto,'Liberation Sans',Arial,sans-serif",
    weight=800,
    stretch=0.95,
    leading=0.98,
)  # fmt: skip -- one face, one paragraph
TITLES: Final = Face(
    "Didot,'Bodoni 72','Playfair Display',Georgia,'Liberation Serif','Times New Roman',serif",
    weight=400,
    stretch=0.92,
    leading=1.12,
    capitals=True,
    tracking=0.1,
)  # fmt: skip -- one face, one paragraph
PLAYBILL: Final = Face(
    "'Iowan Old Style','Palatino Linotype',Palatino,Georgia,'Liberation Serif',serif",
    weight=700,
    stretch=0.9,
    leading=1.02,
)  # fmt: skip -- one face, one paragraph
ROUND: Final = Face(
    "'Arial Rounded MT Bold',ui-rounded,Nunito,'Trebuchet MS','DejaVu Sans',Verdana,sans-serif",
    weight=800,
    stretch=1.02,
    leading=1.02,
)  # fmt: skip -- one face, one paragraph


@dataclass(frozen=True, slots=True)
class Lettering:
    """The room for a name, and how it looks there."""

    face: Face
    ink: str
    caption: str  # the small words above the name
    caption_ink: str
    x: float = 32
    y: float = 360
    width: float = 336
    height: float = 208
    rests_on: Literal["middle", "bottom"] = "bottom"
    centred: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    text: str
    size: float
    ems: float  # estimated width, in sizes
    tall: float  # from the baseline before to this one, in sizes


def lettered(name: str, style: Lettering) -> Iterator[str]:
    """The name and its caption as SVG text elements."""
    room = style.height - CAPTION_SIZE - CAPTION_GAP
    lines = set_lines(_printable(name), style.face, width=style.width, height=room)
    spare = room - sum(line.size * line.tall for line in lines)
    top = style.y + (spare / 2 if style.rests_on == "middle" else spare)
    yield _caption(style, top + CAPTION_SIZE)
    baseline = top + CAPTION_SIZE + CAPTION_GAP
    for line in lines:
        baseline += line.size * line.tall
        yield _text(line, style, baseline - line.size * (style.face.leading - 0.76))


def set_lines(text: str, face: Face, *, width: float, height: float) -> list[Line]:
    """Lines at the largest size at which no word breaks and all fits; the smallest size may break and cut."""
    text = text.upper() if face.capitals else text
    words = _words(text)
    for size in SIZES:
        lines = _balanced(words, face, width / size)
        tall = sum(_tall(line, face) for line in lines)
        if max(_ems(line, face) for line in lines) * size <= width and tall * size <= height:
            return _sized(lines, size, face, width=width, height=height)
    lines_max = int(height / (SIZE_MIN * _tall(text, face)))
    return _sized(_cut(words, face, width / SIZE_MIN, lines_max), SIZE_MIN, face, width, height)


def _sized(lines: Sequence[str], size: float, face: Face, width: float, height: float) -> list[Line]:
    measured = [(line, _ems(line, face), _tall(line, face)) for line in lines]
    if not face.block:
        return [Line(line, size, ems, tall) for line, ems, tall in measured]
    sizes = [min(width / ems, BLOCK_SIZE_MAX) for _, ems, _ in measured]
    shrink = min(1, height / sum(each * tall for each, (_, _, tall) in zip(sizes, measured, strict=True)))
    return [Line(line, each * shrink, ems, tall) for each, (line, ems, tall) in zip(sizes, measured, strict=True)]


def _words(text: str) -> list[str]:
    """What a line may break between. A stray last word ("04", "II") does not stand alone."""
    words = text.split() or ["·"]
    *before, host, last = ("", "", *words)
    if any(before) and len(last) <= STRAY_LETTERS_MAX and len(host) <= HOST_LETTERS_MAX:
        words[-2:] = [f"{words[-2]}\u00a0{words[-1]}"]
    return words


def _tall(line: str, face: Face) -> float:
    """What a line needs from the baseline before to its own: more where capitals wear accents."""
    marks_max = marks = 0
    high = False
    for letter in normalize("NFD", line):
        if category(letter) in MARKS:
            marks += high
            marks_max = max(marks, marks_max)
        else:
            marks, high = 0, letter.isupper() or category(letter) == "Lo"
    return face.leading + MARK_RISE * min(marks_max, MARKS_ROOM_MAX)


def _balanced(words: Sequence[str], face: Face, ems_max: float) -> list[str]:
    """Lines of like width: as few as needed, then as narrow as that number allows."""
    lines = _wrapped(words, face, ems_max)
    while ems_max > 1:
        ems_max *= BALANCE_STEP
        narrower = _wrapped(words, face, ems_max)
        if len(narrower) > len(lines) or max(_ems(line, face) for line in narrower) > ems_max:
            return lines
        lines = narrower
    return lines


def _wrapped(words: Sequence[str], face: Face, ems_max: float) -> list[str]:
    lines = [words[0]]
    for word in words[1:]:
        longer = f"{lines[-1]} {word}"
        if _ems(longer, face) <= ems_max:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _cut(words: Sequence[str], face: Face, ems_max: float, lines_max: int) -> list[str]:
    """What fits at the smallest size, ending in an ellipsis where something is missing."""
    pieces = [piece for word in words for piece in _broken(word, face, ems_max)]
    lines = _wrapped(pieces, face, ems_max)
    if len(lines) <= lines_max:
        return lines
    last = lines[lines_max - 1]
    while _ems(last + "…", face) > ems_max:
        last = last[:-1]
    return [*lines[: lines_max - 1], last.rstrip() + "…"]


def _broken(word: str, face: Face, ems_max: float) -> Iterator[str]:
    piece = ""
    for letter in word:
        if piece and _ems(piece + letter, face) > ems_max:
            yield piece
            piece = ""
        piece += letter
    yield piece


def _ems(text: str, face: Face) -> float:
    """The estimated width of a line, in sizes. Never nothing: it is divided by."""
    return max(sum(_em(letter) * face.stretch + face.tracking for letter in text) - face.tracking, 0.2)


def _em(letter: str) -> float:
    if category(letter) in MARKS:
        return 0
    if east_asian_width(letter) in "WF":
        return 1.05
    if letter in NARROW:
        return 0.32
    if letter in WIDE:
        return 0.9
    return 0.72 if letter.isupper() else 0.58


def _printable(text: str) -> str:
    """Without what XML cannot carry or an eye cannot see: controls, halves of surrogates, towers of accents."""
    kept: list[str] = []
    marks = 0
    for letter in text:
        kind = category(letter)
        marks = marks + 1 if kind in MARKS else 0
        if letter.isspace():
            kept.append(" ")
        elif kind[0] != "C" and marks <= MARKS_MAX:
            kept.append(letter)
    return "".join(kept)


def _text(line: Line, style: Lettering, baseline: float) -> str:
    x = style.x + (style.width / 2 if style.centred else 0)
    anchor = ' text-anchor="middle"' if style.centred else ""
    spacing = f' letter-spacing="{style.face.tracking * line.size:.1f}"' if style.face.tracking else ""
    return (
        f'<text x="{x:.1f}" y="{baseline:.1f}" font-family="{style.face.fonts}" font-weight="{style.face.weight}"'
        f' font-size="{line.size:.1f}" fill="{style.ink}"{anchor}{spacing}'
        f' textLength="{line.ems * line.size:.1f}" lengthAdjust="spacingAndGlyphs">{escape(line.text)}</text>'
    )


def _caption(style: Lettering, baseline: float) -> str:
    x = style.x + (style.width / 2 if style.centred else 0)
    anchor = ' text-anchor="middle"' if style.centred else ""
    return (
        f'<text x="{x:.1f}" y="{baseline:.1f}" font-family="{GROTESK.fonts}" font-weight="700"'
        f' font-size="{CAPTION_SIZE}" letter-spacing="3" fill="{style.caption_ink}"{anchor}>{style.caption}</text>'
    )
