"""`make` alone prints help, and help lists every command there is."""

import re
import shutil

import pytest
from tests.tools.scripts import CHECKOUT, run

MAKEFILE = (CHECKOUT / "Makefile").read_text("utf-8")
COMMANDS = re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE)


@pytest.mark.skipif(shutil.which("make") is None, reason="no make on this machine")
def test_make_alone_prints_help():
    ended = run("make", "--no-print-directory", "-C", CHECKOUT)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert [line.split()[1] for line in ended.stdout.splitlines()] == COMMANDS


def test_every_command_is_there_whatever_files_are():
    [phony] = re.findall(r"^\.PHONY: (.*)$", MAKEFILE, re.MULTILINE)
    assert phony.split() == COMMANDS
