"""An event and its on-sale as a calendar file (RFC 5545): what a fan can take along today."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Final

from frontrow.core.catalogue import EventStatus, Listing

MEDIA_TYPE: Final = "text/calendar"
LINE_BYTES_MAX: Final = 75  # longer lines are folded, says the RFC
SALE_LENGTH: Final = timedelta(minutes=30)  # what the on-sale takes up of a fan's day
ALARM: Final = ("BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:On sale in ten minutes", "TRIGGER:-PT10M", "END:VALARM")
_ESCAPES: Final = str.maketrans({"\\": r"\\", ";": r"\;", ",": r"\,", "\n": r"\n", "\r": None})


def calendar(listing: Listing, *, host: str, now: datetime, note: str = "") -> bytes:
    """The event; before its sale, the on-sale too, with an alarm ten minutes ahead.

    `note`: what is known of this fan's visit. The file of the event and the fan's own are one entry, so the later one
    takes the place of the other.
    """
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Frontrow//Events//EN"]
    for uid, words, begins, ends, more in _entries(listing, now, note):
        lines += [
            "BEGIN:VEVENT",
            f"UID:{uid}-{listing.event_id}@{host}",
            f"DTSTAMP:{_utc(now)}",
            f"DTSTART:{_utc(begins)}",
            f"DTEND:{_utc(ends)}",
            f"SUMMARY:{_text(words)}",
            *more,
            "END:VEVENT",
        ]
    lines.append("END:VCALENDAR")
    return "".join(f"{piece}\r\n" for line in lines for piece in _folded(line)).encode()


def _entries(
    listing: Listing, now: datetime, note: str
) -> Iterator[tuple[str, str, datetime, datetime, tuple[str, ...]]]:
    if listing.status(now) is EventStatus.ANNOUNCED:
        yield "sale", f"On sale: {listing.name}", listing.on_sale_at, listing.on_sale_at + SALE_LENGTH, ALARM
    where = _text(f"{listing.venue}, {listing.hall}, {listing.city}")
    more = (f"LOCATION:{where}", f"DESCRIPTION:{_text(note)}") if note else (f"LOCATION:{where}",)
    yield "event", listing.name, listing.starts_at, listing.ends_at, more


def _utc(when: datetime) -> str:
    return f"{when.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _text(words: str) -> str:
    return words.translate(_ESCAPES)


def _folded(line: str) -> Iterator[str]:
    """Pieces of at most 75 bytes, each but the first begun with a blank; no character is cut."""
    piece = ""
    for character in line:
        if len((piece + character).encode()) > LINE_BYTES_MAX:
            yield piece
            piece = " "
        piece += character
    yield piece
