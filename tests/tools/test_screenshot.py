"""tools/screenshot: pictures of a page, as wide as asked for and as high as the page; or one line."""

import shutil
import struct
import sys
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from tests.tools.scripts import CHECKOUT, path_with, run

SCRIPT = CHECKOUT / "tools/screenshot"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
with_browser = pytest.mark.skipif(not any(map(shutil.which, BROWSERS)), reason="no Chromium on this machine")


class Silent(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- the name it is called by
        """Say nothing."""


@pytest.fixture
def site(tmp_path: Path) -> Iterator[str]:
    (tmp_path / "site").mkdir()
    (tmp_path / "site/tall.html").write_text("<!doctype html><title>x</title><p style='height: 2000px'>Tall")
    (tmp_path / "site/far.html").write_text(
        "<!doctype html><title>x</title><p style='height: 9000px'>Far<p id=down><img loading=lazy src=square.svg>"
    )
    (tmp_path / "site/square.svg").write_text(
        "<svg xmlns='http://www.w3.org/2000/svg' width='700' height='700'><circle fill='#f00' r='700'/></svg>"
    )
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Silent, directory=tmp_path / "site")) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.slow
@with_browser
def test_a_picture_is_as_wide_as_asked_and_as_high_as_the_page(tmp_path: Path, site: str):
    words = ["--out", tmp_path / "shots", "--widths", "800", "--schemes", "dark", f"{site}/tall.html"]
    ended = run(sys.executable, SCRIPT, *words)
    assert ended.returncode == 0, ended.stderr
    picture = tmp_path / "shots/tall-html-800-dark.png"
    assert ended.stdout == f"{picture}\n"
    width, height = struct.unpack(">II", picture.read_bytes()[16:24])  # of PNG's first chunk
    assert width == 800
    assert height > 2000


@pytest.mark.slow
@with_browser
def test_a_picture_of_the_window_shows_the_place_that_the_address_names(tmp_path: Path, site: str):
    words = ["--out", tmp_path, "--widths", "800", "--schemes", "light", "--window", "700", "--format", "webp"]
    ended = run(sys.executable, SCRIPT, *words, f"{site}/far.html", f"{site}/far.html#down")
    assert ended.returncode == 0, ended.stderr
    top, down = ((tmp_path / name).read_bytes() for name in ("far-html-800-light.webp", "far-html-down-800-light.webp"))
    assert top[8:16] == b"WEBPVP8X"
    assert [1 + int.from_bytes(top[place : place + 3], "little") for place in (24, 27)] == [800, 700]
    assert top != down


@pytest.mark.slow
@with_browser
def test_what_a_page_loads_late_is_in_the_picture(tmp_path: Path, site: str):
    words = ["--out", tmp_path, "--widths", "800", "--schemes", "light", f"{site}/far.html"]
    assert run(sys.executable, SCRIPT, *words).returncode == 0
    with_it = (tmp_path / "far-html-800-light.png").stat().st_size
    (tmp_path / "site/square.svg").unlink()
    assert run(sys.executable, SCRIPT, *words).returncode == 0
    assert (tmp_path / "far-html-800-light.png").stat().st_size < with_it


@with_browser
def test_a_page_that_does_not_answer_is_one_line(tmp_path: Path):
    ended = run(sys.executable, SCRIPT, "--out", tmp_path, "--widths", "800", "http://127.0.0.1:1/")
    assert (ended.returncode, ended.stderr.count("\n"), "is Frontrow running there?" in ended.stderr) == (1, 1, True)


def test_without_a_browser_it_says_what_to_install(tmp_path: Path):
    path = path_with(tmp_path / "bin")
    ended = run(sys.executable, SCRIPT, "--out", tmp_path, "http://127.0.0.1:1/", path=path)
    assert (ended.returncode, ended.stderr.count("\n"), "apt-get install chromium" in ended.stderr) == (1, 1, True)
