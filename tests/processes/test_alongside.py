"""Work that runs as long as a block does, and ends with it, also where its cancellation was taken for another."""

import asyncio

import pytest

from frontrow.processes.alongside import alongside


async def test_it_runs_as_long_as_the_block_and_ends_with_it():
    begun, ended = asyncio.Event(), asyncio.Event()

    async def work() -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    async with alongside(work()):
        await begun.wait()
        assert not ended.is_set()
    assert ended.is_set()


async def test_a_cancellation_that_was_lost_is_said_again(monkeypatch: pytest.MonkeyPatch):
    """As when Valkey is connected to at that moment."""
    monkeypatch.setattr("frontrow.processes.alongside.CANCEL_AGAIN_SECONDS", 0.001)
    lost = 0

    async def lose_two() -> None:
        nonlocal lost
        while True:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                lost += 1
                if lost == 3:
                    raise

    async with alongside(lose_two()):
        await asyncio.sleep(0)
    assert lost == 3
