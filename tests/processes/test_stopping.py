"""Signals wait until somebody looks; then work is given up in order."""

import asyncio
import signal
import subprocess
import sys
import threading

import pytest

from frontrow.processes.stopping import REQUESTS, StopRequested, run, run_until_stopped, stop_requests


def ask(by: signal.Signals) -> None:
    """To this thread: those of a test runner hold nothing back."""
    signal.pthread_kill(threading.get_ident(), by)


@pytest.mark.parametrize("by", REQUESTS)
def test_a_request_waits_until_somebody_looks(by: signal.Signals) -> None:
    looked_at: list[signal.Signals] = []
    with stop_requests() as pause:
        ask(by)
        pause_ran = False
        try:
            pause(0)
            pause_ran = True
        except StopRequested as request:
            looked_at.append(request.by)
    assert looked_at == [by]
    assert not pause_ran


def test_without_a_request_pausing_only_waits() -> None:
    with stop_requests() as pause:
        pause(0)


def test_a_second_request_changes_nothing() -> None:
    with stop_requests() as pause:
        ask(signal.SIGINT)
        ask(signal.SIGTERM)
        with pytest.raises(StopRequested):
            pause(0)
    assert not signal.sigpending() & set(REQUESTS), "the second one was granted with the first"


def test_signals_are_as_before_afterwards() -> None:
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [])
    with stop_requests():
        assert set(REQUESTS) <= signal.pthread_sigmask(signal.SIG_BLOCK, [])
    assert signal.pthread_sigmask(signal.SIG_BLOCK, []) == before


def test_a_request_cancels_the_work_which_ends_in_order() -> None:
    ended: list[str] = []

    async def work() -> None:
        try:
            ask(signal.SIGTERM)
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)  # closing a connection takes a moment
            ended.append("in order")

    run_until_stopped(work())
    assert ended == ["in order"]


def test_work_without_a_request_gives_its_result() -> None:
    async def work() -> int:
        return 7

    with stop_requests() as pause:
        assert run(work(), pause) == 7


WITH_PARENT = """
import os, subprocess, sys
from frontrow.processes.stopping import StopRequested, stop_requests, stop_with_parent
with stop_requests() as pause:
    stop_with_parent()
    print("ready", flush=True)
    try:
        pause(60)
    except StopRequested as request:
        print(request, flush=True)
"""


@pytest.mark.parametrize("by", [signal.SIGKILL, signal.SIGTERM])
def test_the_end_of_the_parent_is_a_request(by: signal.Signals) -> None:
    begets = "import subprocess, sys; subprocess.run([sys.executable, '-c', sys.argv[1]])"
    with subprocess.Popen([sys.executable, "-c", begets, WITH_PARENT], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == "ready\n"
        parent.send_signal(by)
        assert parent.stdout.readline() == "SIGTERM\n"
