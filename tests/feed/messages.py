"""Server-Sent Events, read as a browser reads them."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from frontrow.core.seat_codec import changes_of, frame_data


@dataclass(frozen=True)
class Message:
    """One message. A frame has no name."""

    name: str
    id: str | None
    data: str
    retry: str | None = None

    @property
    def update_no(self) -> int:
        """The update that a frame leads to, or that a resync asks for."""
        return int(self.id) if self.id is not None else self.json()["update_no"]

    @property
    def changes(self) -> list[tuple[int, int]]:
        return list(changes_of(frame_data(self.data)))

    def json(self) -> Any:  # noqa: ANN401 -- whatever it says
        return json.loads(self.data)


class Reader:
    """Takes bytes as they come, and gives out whole messages."""

    def __init__(self) -> None:
        self._rest = b""

    def read(self, data: bytes) -> Iterator[Message]:
        *whole, self._rest = (self._rest + data).split(b"\n\n")
        for message in whole:
            fields = dict(line.split(": ", 1) for line in message.decode().split("\n"))
            assert fields.keys() <= {"event", "id", "data", "retry"}, fields
            yield Message(fields.get("event", ""), fields.get("id"), fields.get("data", ""), fields.get("retry"))


def messages(data: bytes) -> list[Message]:
    """All of them; nothing may be left over."""
    assert not data or data.endswith(b"\n\n"), data
    return list(Reader().read(data))
