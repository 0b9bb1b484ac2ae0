"""Bodies as a client gets them out of their encoding."""

import gzip
from typing import cast

import brotli  # pyright: ignore[reportMissingTypeStubs] -- it has none

from frontrow.web.encodings import Encoding


def decoded(body: bytes, encoding: Encoding) -> bytes:
    match encoding:
        case Encoding.BROTLI:
            decompress = brotli.decompress  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType] -- as above
            return cast("bytes", decompress(body))
        case Encoding.GZIP:
            return gzip.decompress(body)
        case Encoding.PLAIN:
            return body
