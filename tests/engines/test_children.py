"""A process of ours: what it inherits, how its end is told, and that it ends when it is told to."""

import os
import signal
from pathlib import Path

import pytest

from frontrow.engines import children
from frontrow.engines.children import Child, until

SECONDS_MAX = 30.0  # a safety net


def _shell(script: str, **more: object) -> Child:
    return Child(["/bin/sh", "-c", script], stop_by=signal.SIGTERM, **more)  # pyright: ignore[reportArgumentType] -- passed on as they are


@pytest.mark.parametrize(
    ("script", "ended"),
    [
        ("exit 0", "exit code 0"),
        ("exit 3", "exit code 3"),
        ("kill -9 $$", "killed by SIGKILL"),
        ("exec /no/such/program", "exit code 127"),
    ],
)
def test_how_it_ended_is_told_in_words(script: str, ended: str):
    child = _shell(script)
    assert child.ended() is None  # not started
    child.start()
    assert until(lambda: child.ended() is not None, seconds=SECONDS_MAX)
    assert child.ended() == ended
    assert child.succeeded() == (ended == "exit code 0")


def test_a_program_that_is_not_there_is_told_in_the_log(tmp_path: Path):
    child = Child(["/no/such/program"], stop_by=signal.SIGTERM, log=tmp_path / "log")
    child.start()
    assert until(lambda: child.ended() is not None, seconds=SECONDS_MAX)
    assert child.written() == "FATAL:  cannot run /no/such/program: No such file or directory\n"


def test_one_that_does_not_listen_is_ended_by_force(tmp_path: Path):
    deaf = _shell("trap '' TERM; echo deaf; while :; do sleep 1; done", log=tmp_path / "log")
    deaf.start()
    assert until(lambda: deaf.written() == "deaf\n", seconds=SECONDS_MAX)
    deaf.stop(seconds=0.1)
    assert deaf.ended() == "killed by SIGKILL"


def test_one_that_listens_is_ended_politely():
    """The control: force is not what ends everybody."""
    child = _shell("exec sleep 1000")
    child.start()
    child.stop(seconds=SECONDS_MAX)
    assert child.ended() == "killed by SIGTERM"


def test_signals_that_we_hold_back_or_ignore_reach_it(tmp_path: Path):
    """The supervisor blocks its signals and Python ignores SIGPIPE; an engine needs all of them."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT, signal.SIGTERM])
    try:
        child = Child(
            ["/bin/grep", "-E", "Sig(Blk|Ign)", "/proc/self/status"], stop_by=signal.SIGTERM, log=tmp_path / "log"
        )
        child.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    assert until(lambda: child.ended() is not None, seconds=SECONDS_MAX)
    _, blocked, _, ignored = child.written().split()
    # Signals 32 and 33 are the C library's own: nobody can set them, and whoever started this may have ignored them.
    ours = ~sum(1 << (number - 1) for number in (32, 33))
    assert (int(blocked, 16) & ours, int(ignored, 16) & ours) == (0, 0)


def test_open_files_are_handed_down_only_on_request(tmp_path: Path):
    reading, writing = os.pipe()
    try:
        for inherits, said in (((writing,), "yes\n"), ((), "no\n")):
            child = _shell(
                f"if [ -e /proc/self/fd/{writing} ]; then echo yes; else echo no; fi",
                log=tmp_path / said.strip(),
                inherits=inherits,
            )
            child.start()
            assert until(lambda child=child: child.ended() is not None, seconds=SECONDS_MAX)
            assert child.written() == said
    finally:
        os.close(reading)
        os.close(writing)


def test_a_long_log_starts_anew_and_one_older_piece_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(children, "LOG_BYTES_MAX", 5)
    log = tmp_path / "server.log"
    child = _shell("echo 123456", log=log)
    for _ in range(3):
        child.start()
        assert until(lambda: child.ended() is not None, seconds=SECONDS_MAX)
        assert child.written() == "123456\n"  # of its last start
    assert log.read_text(encoding="utf-8") == "123456\n"
    assert [file.name for file in sorted(tmp_path.iterdir())] == ["server.log", "server.log.1"]
