"""Bodies that are the same for everybody: made once for each version of a document, compressed once for each encoding.

What is behind a version is not in here. A document's bodies go with the event they are of.
"""

from collections.abc import Callable, Hashable
from typing import Final
from weakref import WeakKeyDictionary

from starlette.types import Scope, Send

from frontrow.flows.at_hand import EventAtHand
from frontrow.web import encodings, reading
from frontrow.web.answers import Header, send_body
from frontrow.web.encodings import BYTES_MIN, VARY, Encoding

DOCUMENTS_MAX: Final = 64  # of one event: a section's seats are 50 kB; what nobody asked for lately goes first

Compress = Callable[[bytes, Encoding], bytes]
_Sent = tuple[bytes, bytes, tuple[Header, ...]]  # what a client may have already, the body, its headers


class Body:
    """One version of a document."""

    def __init__(
        self, plain: bytes, *, version: bytes, headers: tuple[Header, ...], compress: Compress = encodings.quickly
    ) -> None:
        """`version` tells it from all others of the same address: letters, digits and hyphens."""
        self.plain = plain
        self._version = version
        self._headers = headers
        self._compress = compress
        self._sent: dict[Encoding, _Sent] = {}

    async def send(self, scope: Scope, send: Send, *more: Header) -> None:
        """In the best encoding that the client takes, or 304 where it has this very version."""
        etag, body, headers = self.encoded(encodings.wanted(scope))
        known = reading.header(scope, b"if-none-match")
        if known is not None and etag in known:
            await send_body(send, b"", status=304, headers=(*headers, *more))
        else:
            await send_body(send, body, headers=(*headers, *more))

    @property
    def size(self) -> int:
        """Bytes, in all encodings so far."""
        return len(self.plain) + sum(len(body) for _, body, _ in self._sent.values() if body is not self.plain)

    def has(self, encoding: Encoding) -> bool:
        """It has been asked for in this encoding before."""
        return encoding in self._sent

    def encoded(self, encoding: Encoding) -> _Sent:
        sent = self._sent.get(encoding)
        if sent is None:
            sent = self._sent[encoding] = self._encode(encoding)
        return sent

    def _encode(self, encoding: Encoding) -> _Sent:
        compressed = self.plain
        if encoding is not Encoding.PLAIN and len(self.plain) >= BYTES_MIN:
            compressed = self._compress(self.plain, encoding)
        if len(compressed) >= len(self.plain):
            etag = b'"%s"' % self._version
            return etag, self.plain, ((b"etag", etag), VARY, *self._headers)
        etag = b'"%s-%s"' % (self._version, encoding.value)
        return etag, compressed, ((b"etag", etag), (b"content-encoding", encoding.value), VARY, *self._headers)


class Bodies:
    """The newest version of each document of each event at hand."""

    def __init__(self) -> None:
        self._events: WeakKeyDictionary[EventAtHand, dict[str, tuple[Hashable, Body]]] = WeakKeyDictionary()

    def body(self, at_hand: EventAtHand, name: str, version: Hashable, make: Callable[[], Body]) -> Body:
        """The document of that name, made anew where this version is another one."""
        documents = self._events.get(at_hand)
        if documents is None:
            documents = self._events[at_hand] = {}
        found = documents.pop(name, None)
        if found is None or found[0] != version:
            found = version, make()
            while len(documents) >= DOCUMENTS_MAX:
                del documents[next(iter(documents))]
        documents[name] = found  # the last one: dicts keep their order
        return found[1]
