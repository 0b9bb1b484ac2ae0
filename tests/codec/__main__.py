"""`python -m tests.codec` writes the examples of both codecs anew."""

from tests.codec.vectors import FILE, as_text

FILE.write_text(as_text(), encoding="utf-8")
