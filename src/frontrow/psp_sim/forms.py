"""Requests as they come in: form-encoded, with brackets for what is nested, every parameter named in a table.

What is not in the table is refused, as Stripe refuses it: a misspelt parameter must not pass for one that was left
out. Nothing of intents is in here.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Final
from urllib.parse import parse_qsl

from frontrow.psp_sim.intents import AMOUNT_MAX, AMOUNT_MIN, ApiError, invalid

FIELDS_MAX: Final = 200  # of one request; 50 of metadata and a few more
METADATA_KEYS_MAX: Final = 50
METADATA_KEY_LENGTH_MAX: Final = 40
METADATA_LENGTH_MAX: Final = 500
TEXT_LENGTH_MAX: Final = 1000
LIST_MAX: Final = 100  # objects of one answer
LIST_DEFAULT: Final = 10
TIME_MAX: Final = 2**40

CURRENCIES: Final = frozenset(
    (
        *("aed", "ars", "aud", "bgn", "brl", "cad", "chf", "clp", "cny", "cop", "czk", "dkk", "egp", "eur", "gbp"),
        *("hkd", "huf", "idr", "ils", "inr", "isk", "jpy", "krw", "mxn", "myr", "nok", "nzd", "pen", "php", "pln"),
        *("qar", "ron", "rsd", "sar", "sek", "sgd", "thb", "try", "twd", "uah", "usd", "uyu", "vnd", "zar"),
    )
)
_NAME: Final = re.compile(r"([a-z_]+)((?:\[[^\[\]]*\])*)")
_WHOLE: Final = re.compile(r"-?[0-9]{1,18}")

Fields = Mapping[str, object]  # a parameter's name with what its reader has made of it
Reader = Callable[[str, "Given"], object]


class Given:
    """What was sent for one parameter: a text, or texts by what stood in the brackets."""

    def __init__(self) -> None:
        self.text: str | None = None
        self.parts: dict[str, str] = {}


def fields_of(encoded: bytes, readers: Mapping[str, Reader], *, required: Iterable[str] = ()) -> Fields:
    """A request's parameters, read; or the error that names the first wrong one."""
    fields = {name: _reader(readers, name, given)(name, given) for name, given in _given(encoded).items()}
    for name in required:
        if fields.get(name) is None:
            raise invalid(f"Missing required param: {name}.", param=name, code="parameter_missing")
    return fields


def canonical(encoded: bytes) -> bytes:
    """The same for requests that ask for the same: whatever the order of their parameters."""
    return b"&".join(sorted(encoded.split(b"&")))


def text(name: str, given: Given) -> str | None:
    """Empty is unset, as everywhere in that API."""
    if given.text is None:
        raise _wrong(name, "Invalid string: a single value is wanted")
    if len(given.text) > TEXT_LENGTH_MAX:
        raise _wrong(name, f"Invalid string: must be at most {TEXT_LENGTH_MAX} characters", "parameter_invalid_string")
    return given.text or None


def one_of(*choices: str) -> Reader:
    def read(name: str, given: Given) -> str | None:
        value = text(name, given)
        if value is not None and value not in choices:
            raise _wrong(name, f"Invalid {name}: must be one of {', '.join(choices)}")
        return value

    return read


def whole(least: int, most: int, *, too_small: str = "parameter_invalid_integer") -> Reader:
    def read(name: str, given: Given) -> int | None:
        value = text(name, given)
        if value is None:
            return None
        if not _WHOLE.fullmatch(value):
            raise _wrong(name, f"Invalid integer: {value[:50]}", "parameter_invalid_integer")
        number = int(value)
        if number > most:
            raise _wrong(name, f"{name} must be no more than {most}", "parameter_invalid_integer")
        if number < least:
            raise _wrong(name, f"This value must be greater than or equal to {least}.", too_small)
        return number

    return read


def yes_or_no(name: str, given: Given) -> bool | None:
    value = text(name, given)
    if value not in {None, "true", "false"}:
        raise _wrong(name, f"Invalid boolean: {value}")
    return None if value is None else value == "true"


def currency(name: str, given: Given) -> str | None:
    value = text(name, given)
    if value is not None and value.lower() not in CURRENCIES:
        raise _wrong(name, f"Invalid currency: {value[:50]}.")
    return value and value.lower()


def address(name: str, given: Given) -> str | None:
    """Somewhere in the web to send a browser to."""
    value = text(name, given)
    if value is not None and not re.fullmatch(r"https?://[^\s<>\"\\]+", value):
        raise _wrong(name, "Not a valid URL", "url_invalid")
    return value


def metadata(name: str, given: Given) -> Mapping[str, str]:
    """An empty value takes a key away."""
    if given.text:
        raise _wrong(name, "Invalid object: keys and values are wanted")
    if len(given.parts) > METADATA_KEYS_MAX:
        raise _wrong(name, f"You can have up to {METADATA_KEYS_MAX} keys")
    for key, value in given.parts.items():
        if not 1 <= len(key) <= METADATA_KEY_LENGTH_MAX:
            raise _wrong(name, f"Keys must be 1 to {METADATA_KEY_LENGTH_MAX} characters long")
        if len(value) > METADATA_LENGTH_MAX:
            raise _wrong(f"{name}[{key}]", f"Must be at most {METADATA_LENGTH_MAX} characters")
    return {key: value for key, value in given.parts.items() if value}


def several(*choices: str) -> Reader:
    """A list of words, with or without numbers in the brackets."""

    def read(name: str, given: Given) -> list[str]:
        wrong = [value for value in given.parts.values() if value not in choices]
        if given.text or wrong:
            raise _wrong(name, f"Invalid array: its values are among {', '.join(choices)}")
        return list(given.parts.values())

    return read


def words(name: str, given: Given) -> list[str]:
    """A list of texts; what they are is for the call to say."""
    if given.text or len(given.parts) > LIST_MAX:
        raise _wrong(name, "Invalid array")
    return list(given.parts.values())


def parts_of(**readers: Reader) -> Callable[[str, Given], dict[str, object]]:
    """An object whose parts have readers of their own."""

    def read(name: str, given: Given) -> dict[str, object]:
        if given.text:
            raise _wrong(name, "Invalid object")
        parts: dict[str, object] = {}
        for part, value in given.parts.items():
            if part not in readers:
                raise _unknown(f"{name}[{part}]")
            parts[part] = readers[part](f"{name}[{part}]", _only(value))
        return parts

    return read


def when(name: str, given: Given) -> Mapping[str, int]:
    """A time, or bounds of it: `created=…`, `created[gte]=…`."""
    time = whole(0, TIME_MAX)
    if given.text is not None:
        exactly = time(name, given)
        return {} if exactly is None else {"gte": _number(exactly), "lte": _number(exactly)}
    bounds = parts_of(gt=time, gte=time, lt=time, lte=time)(name, given)
    return {bound: _number(value) for bound, value in bounds.items() if value is not None}


AMOUNT: Final = whole(AMOUNT_MIN, AMOUNT_MAX, too_small="amount_too_small")
SHARE: Final = whole(1, AMOUNT_MAX)  # of an amount
LIMIT: Final = whole(1, LIST_MAX)


def _given(encoded: bytes) -> dict[str, Given]:
    try:
        pairs = parse_qsl(
            encoded.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=FIELDS_MAX, separator="&"
        )
    except ValueError as error:
        raise invalid("The request is not form-encoded UTF-8, or has too many parameters.") from error
    found: dict[str, Given] = {}
    for name, value in pairs:
        match = _NAME.fullmatch(name)
        if match is None or "\0" in value or "\0" in name:
            raise _unknown(name)
        given = found.setdefault(match[1], Given())
        parts = match[2][1:-1].split("][") if match[2] else []
        if not parts and given.text is None and not given.parts:
            given.text = value
        elif len(parts) == 1 and given.text is None and (parts[0] == "" or parts[0] not in given.parts):
            given.parts[parts[0] or str(len(given.parts))] = value
        else:
            raise invalid(f"Invalid parameter: {name[:100]} is given twice, or too deep.", param=name[:100])
    return found


def _reader(readers: Mapping[str, Reader], name: str, given: Given) -> Reader:
    reader = readers.get(name)
    if reader is None:
        raise _unknown(f"{name}[{next(iter(given.parts))}]" if given.parts else name)
    return reader


def _only(value: str) -> Given:
    given = Given()
    given.text = value
    return given


def _number(value: object) -> int:
    assert isinstance(value, int)
    return value


def _unknown(name: str) -> ApiError:
    return invalid(f"Received unknown parameter: {name[:100]}", param=name[:100], code="parameter_unknown")


def _wrong(name: str, message: str, code: str | None = None) -> ApiError:
    return invalid(message, param=name, code=code)
