"""What pages load: style, script, icon. Each address names the content behind it, so browsers keep it for ever.

Scripts are modules that import each other by plain names (`from "./seat-codec.js"`), as tools and tests read them. As
they are sent, such a name is the address of the module, so a new version of one is a new version of all that use it;
and what is on lines of its own for those who read the source, comments and types, stays here.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

DIGEST_CHARS: Final = 12  # 48 bits tell the versions of one file apart
FOR_EVER: Final = "public, max-age=31536000, immutable"
FOLDER: Final = Path(__file__).parent / "static"
MEDIA_TYPES: Final = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
_REMARK: Final = re.compile(rb"^[ \t]*(?://.*|/\*\*(?:(?!\*/)[\s\S])*\*/[ \t]*)\n", re.MULTILINE)
_IMPORTED: Final = re.compile(rb'(?<=from "\./)[\w-]+\.js(?=")')


@dataclass(frozen=True, slots=True)
class StaticFile:
    """One file, as it is sent."""

    name: str  # with its digest: site.0123456789ab.css
    body: bytes
    media_type: str


def digest_of(content: bytes) -> str:
    return sha256(content).hexdigest()[:DIGEST_CHARS]


def lasting(body: bytes, *, media_type: str, request: Request) -> Response:
    """What stands under an address that names it. Who has it already gets 304."""
    tag = f'"{digest_of(body)}"'
    headers = {"cache-control": FOR_EVER, "etag": tag}
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(body, media_type=media_type, headers=headers)


def static(name: str) -> str:
    """The address of a file by its plain name: `static("site.css")`."""
    return f"/static/{_FILES[name].name}"


def sent(name: str) -> bytes:
    """The content of a file as it is sent, before it is packed."""
    return _FILES[name].body


async def answer(request: Request) -> Response:
    """`GET /static/{name}`. The address of an older version is gone: nobody is to keep today's file under it."""
    wanted = _BY_ADDRESS.get(request.path_params["name"])
    if wanted is None:
        raise HTTPException(404)
    return lasting(wanted.body, media_type=wanted.media_type, request=request)


def with_imports(name: str) -> tuple[str, ...]:
    """The addresses of a module and of all it imports, so that a page can ask for them at once."""
    return tuple(dict.fromkeys(static(module) for module in _tree(name)))


def _tree(name: str) -> Iterator[str]:
    yield name
    for imported in _IMPORTED.findall((FOLDER / name).read_bytes()):
        yield from _tree(imported.decode())


class _Reading:
    """Reads each file once, those that it imports first."""

    def __init__(self) -> None:
        self.files: dict[str, StaticFile] = {}
        self._under_way: list[str] = []

    def read(self, path: Path) -> StaticFile:
        if path.name not in self.files:
            assert path.name not in self._under_way, f"{path.name} imports itself, through {self._under_way}"
            self._under_way.append(path.name)
            body = path.read_bytes()
            if path.suffix == ".js":
                body = _REMARK.sub(b"", body)
                body = _IMPORTED.sub(lambda found: self.read(path.parent / found[0].decode()).name.encode(), body)
            self.files[path.name] = StaticFile(
                f"{path.stem}.{digest_of(body)}{path.suffix}", body, MEDIA_TYPES[path.suffix]
            )
            self._under_way.pop()
        return self.files[path.name]


def _read(folder: Path) -> dict[str, StaticFile]:
    reading = _Reading()
    for path in sorted(folder.iterdir()):
        if path.suffix in MEDIA_TYPES:
            reading.read(path)
    return reading.files


_FILES: Final = _read(FOLDER)
_BY_ADDRESS: Final = {file.name: file for file in _FILES.values()}
