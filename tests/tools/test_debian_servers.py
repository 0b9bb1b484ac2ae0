"""tools/with-debian-servers: a command finds real servers, and they are gone after it."""

import os
from pathlib import Path

import pytest
from tests.tools.scripts import CHECKOUT, path_with, run

SCRIPT = CHECKOUT / "tools/with-debian-servers"
NOT_INSTALLED = 69  # EX_UNAVAILABLE of <sysexits.h>

ASK = """
psql "$FRONTROW_TEST_DATABASE_URL" --no-psqlrc --tuples-only --no-align --command 'SHOW server_version_num'
"$(command -v redis-cli || command -v valkey-cli)" -s "${FRONTROW_TEST_VALKEY_URL#unix://}" ping
echo "$FRONTROW_TEST_VALKEY_URL"
exit 7
"""


@pytest.mark.slow
def test_a_command_finds_both_and_they_end_with_it():
    ended = run(SCRIPT, "sh", "-c", ASK)
    if ended.returncode == NOT_INSTALLED:
        pytest.skip(ended.stderr.strip())
    assert ended.returncode == 7, ended.stderr  # the command's own
    version, pong, url = ended.stdout.split()
    assert int(version) >= 150_000
    assert pong == "PONG"
    folder = Path(url.removeprefix("unix://")).parent
    assert not folder.exists()
    assert not [link for link in map(_folder_of, Path("/proc").glob("[0-9]*")) if link.startswith(str(folder))]


def _folder_of(process: Path) -> str:
    try:
        return os.readlink(process / "cwd")  # noqa: PTH115 -- one call, as is
    except OSError:
        return ""  # it has just ended, or is none of ours


def test_without_the_packages_it_says_what_to_install(tmp_path: Path):
    ended = run(SCRIPT, "true", path=path_with(tmp_path / "bin"))
    assert (ended.returncode, ended.stdout, ended.stderr.count("\n")) == (NOT_INSTALLED, "", 1)
    assert "apt-get install" in ended.stderr


def test_without_a_command_it_says_how_it_is_used():
    ended = run(SCRIPT)
    assert (ended.returncode, ended.stderr.count("\n"), "COMMAND" in ended.stderr) == (1, 1, True)
