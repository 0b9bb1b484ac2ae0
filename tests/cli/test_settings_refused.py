"""Wrong settings: each is named in one line before anything is started or made."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.processes.copies import FRONTROW, Copy


@pytest.mark.parametrize(
    ("variable", "value", "told"),
    [
        ("FRONTROW_PORT", "eight", "FRONTROW_PORT"),  # no number
        ("FRONTROW_PORT", "65536", "FRONTROW_PORT"),  # no port
        ("FRONTROW_WORKERS", "0", "FRONTROW_WORKERS"),  # nobody would answer
        ("FRONTROW_LOG_LEVEL", "loud", "'debug', 'info', 'warning' or 'error'"),  # says what there is
        ("FRONTROW_HOST", "203.0.113.1", "203.0.113.1 is no address of this machine"),  # of documentation, nobody's
        ("FRONTROW_HOST", "nowhere.invalid", "correct FRONTROW_HOST"),  # no such name
        ("FRONTROW_SMTP_URL", "http://mail.example", "should start with smtp://"),
        ("FRONTROW_SMTP_URL", "smtp://", "should name a host"),
        ("FRONTROW_SMTP_URL", "smtp://mail.example:port", "FRONTROW_SMTP_URL"),  # no number
        ("FRONTROW_SMTP_URL", "smtp://mail.example", "needs FRONTROW_MAIL_FROM"),  # mails are from somebody
        ("FRONTROW_MAIL_FROM", "Frontrow", "should be an address"),
        ("FRONTROW_MAIL_FROM", "a@b.example\nBcc: c@d.example", "should be an address"),
        ("FRONTROW_IDENTITY_JWKS_URL", "http://id.example/keys", "keys must not be swapped"),
        ("FRONTROW_IDENTITY_JWKS_URL", "file:///keys", "should start with https://"),
        ("FRONTROW_IDENTITY_JWKS_URL", "https://id.example/keys", "needs FRONTROW_IDENTITY_ISSUER"),  # … whose tokens
        ("FRONTROW_ENGINE_USER", "nobody-has-this-name", "FRONTROW_ENGINE_USER"),  # as root; otherwise unused
    ],
)
def test_a_wrong_setting(copy: Copy, variable: str, value: str, told: str) -> None:
    if variable == "FRONTROW_ENGINE_USER" and os.geteuid() != 0:
        pytest.skip("only root runs the engines as another account")
    said = copy.says("up", **{variable: value})
    assert (said.status, said.out) == (1, "")
    assert said.err.startswith("frontrow: ")
    assert said.err.count("\n") == 1
    assert told in said.err
    assert not copy.data_dir.exists(), "nothing half-made stays behind"


def test_a_port_for_the_privileged(copy: Copy) -> None:
    if int(Path("/proc/sys/net/ipv4/ip_unprivileged_port_start").read_text()) <= 80:
        pytest.skip("this machine lets everybody listen on port 80")
    setpriv = shutil.which("setpriv")
    assert setpriv is not None
    without = [setpriv, "--bounding-set", "-net_bind_service", "--inh-caps", "-net_bind_service"]
    said = subprocess.run(
        [*without, *FRONTROW, "up"],
        env=copy.environment | {"FRONTROW_PORT": "80"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert said.returncode == 1
    assert said.stderr == "frontrow: not allowed to listen on port 80; choose one from 1024 up: FRONTROW_PORT=8000\n"
