"""Ids in the addresses of pages."""

from typing import Final

ID_MAX: Final = 2**63 - 1  # a bigint; what is above it names nothing


def id_in(text: str) -> int | None:
    """The id in an address, or None where it is none that we would ever write."""
    is_plain = text.isascii() and text.isdecimal() and text[0] != "0"
    return int(text) if is_plain and len(text) <= len(str(ID_MAX)) and int(text) <= ID_MAX else None
