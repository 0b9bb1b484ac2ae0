"""`tools/docs` prints anew what the documents have from the code, and names what it changed."""

from tests.docs.pages import PAGES
from tests.docs.printed import renewed

for page in PAGES.values():
    fresh = renewed(page.text)
    if fresh != page.text:
        page.path.write_text(fresh, encoding="utf-8")
        print(page.name)  # noqa: T201 -- a command prints
