"""Group commit: requests for one event that arrive while a batch is being decided are decided together in the next.

Nobody waits for a batch to fill: the next one is whatever has come by the time the last is done. Under load batches
grow by themselves, and one commit answers hundreds. Events take turns, so a hot one cannot starve another. What waits
is bounded: beyond that the answer is no at once, never a slow pile-up.

What a request asks for and how a batch is decided is not in here.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Generic, TypeVar

from frontrow.core.catalogue import EventId
from frontrow.core.faults import OutcomeUnknownError, UnavailableError
from frontrow.core.holds import Deferred
from frontrow.core.updates import Batch, Update

Request = TypeVar("Request")
Answer = TypeVar("Answer")

BATCH_MAX: Final = 256  # requests; twice as many take twice as long, and everybody in them waits
WAITING_MAX: Final = 2_048  # requests of one event: a fifth of a second's work
WAITING_SECONDS_MAX: Final = 2.0  # whoever waited longer is told no while it is still true that nothing was done
WATCHES: Final = 8  # so often in that time those who wait are looked through, whatever the batches do
BATCHES_AT_ONCE: Final = 2  # of different events; with two cores a third one only makes the others slower


class BusyError(Exception):
    """Too many wait already. Nothing was done."""


@dataclass(slots=True)
class _Waiting(Generic[Request, Answer]):
    request: Request
    answer: "asyncio.Future[Answer]"
    since: float


@dataclass(slots=True)
class _Lane(Generic[Request, Answer]):
    """What waits for one event, in order of arrival."""

    event_id: EventId
    waiting: "deque[_Waiting[Request, Answer]]" = field(default_factory=deque["_Waiting[Request, Answer]"])
    is_in_line: bool = False  # among the events that take turns, or being decided


class GroupCommit(Generic[Request, Answer]):
    """Everything that waits for one kind of decision, and the batches under way."""

    def __init__(
        self,
        decide: Callable[[EventId, Sequence[Request]], Awaitable[Batch[Answer | Deferred]]],
        *,
        wants: Callable[[Request], Iterable[Hashable]],
        early: Callable[[EventId, Request], Answer | None],
        decided: Callable[[EventId, Update, float], None],
        batch_max: int = BATCH_MAX,
        waiting_max: int = WAITING_MAX,
        waiting_seconds_max: float = WAITING_SECONDS_MAX,
    ) -> None:
        """`wants`: what two requests of one batch must not both want: the first has it, the second is asked later.

        `early`: an answer that needs no decision, looked for at once, and again when a batch is put together.
        `decided`: told of each update, and when (by the loop's clock) it was asked for.
        """
        self._decide = decide
        self._wants = wants
        self._early = early
        self._decided = decided
        self._batch_max = batch_max
        self._waiting_max = waiting_max
        self._waiting_seconds_max = waiting_seconds_max
        self._lanes: dict[EventId, _Lane[Request, Answer]] = {}
        self._turns: deque[_Lane[Request, Answer]] = deque()
        self._under_way: set[asyncio.Task[None]] = set()
        self._watch: asyncio.TimerHandle | None = None
        self._is_closing = False

    def ask(self, event_id: EventId, request: Request) -> "asyncio.Future[Answer]":
        """The answer to come. It may be UnavailableError or OutcomeUnknownError.

        BusyError: too many wait already.
        """
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Answer] = loop.create_future()
        early = self._early(event_id, request)
        if early is not None:
            answer.set_result(early)
            return answer
        if self._is_closing:
            answer.set_exception(UnavailableError("stopping"))
            return answer
        lane = self._lanes.get(event_id)
        if lane is None:
            lane = self._lanes[event_id] = _Lane(event_id)
        if len(lane.waiting) >= self._waiting_max:
            raise BusyError
        lane.waiting.append(_Waiting(request, answer, loop.time()))
        self._get_in_line(lane)
        return answer

    @property
    def waits_seconds(self) -> float:
        """How long the one has waited who has waited longest, for a batch to be in."""
        oldest = [lane.waiting[0].since for lane in self._lanes.values() if lane.waiting]
        return asyncio.get_running_loop().time() - min(oldest) if oldest else 0.0

    async def close(self) -> None:
        """Let what is under way come to its end. What still waits is told that nothing was done."""
        self._is_closing = True
        for lane in self._lanes.values():
            _dismiss(lane)
        while self._under_way:
            await asyncio.wait(self._under_way)
        if self._watch is not None:
            self._watch.cancel()

    def _get_in_line(self, lane: _Lane[Request, Answer]) -> None:
        if lane.waiting and not lane.is_in_line:
            lane.is_in_line = True
            self._turns.append(lane)
            self._begin()
            if self._watch is None:
                self._look_through()

    def _look_through(self) -> None:
        """Tell whoever waited too long. A batch that hangs keeps its own requests, and nobody else's."""
        loop = asyncio.get_running_loop()
        oldest = loop.time() - self._waiting_seconds_max
        for lane in self._lanes.values():
            while lane.waiting and lane.waiting[0].since < oldest:
                _refuse(lane.waiting.popleft(), UnavailableError("waited too long"))
        again = self._waiting_seconds_max / WATCHES
        self._watch = loop.call_later(again, self._look_through) if self._lanes else None

    def _begin(self) -> None:
        while self._turns and len(self._under_way) < BATCHES_AT_ONCE:
            task = asyncio.get_running_loop().create_task(self._run(self._turns.popleft()))
            self._under_way.add(task)
            task.add_done_callback(self._ended)

    def _ended(self, task: "asyncio.Task[None]") -> None:
        self._under_way.discard(task)
        self._begin()
        if not task.cancelled() and (fault := task.exception()):
            raise fault  # the loop's handler logs it; every request was answered in _run

    async def _run(self, lane: _Lane[Request, Answer]) -> None:
        """Decide one batch of an event, and get in line again for what has come meanwhile."""
        batch: list[_Waiting[Request, Answer]] = []
        try:
            self._put_together(lane, batch)
            if batch:
                await self._answer(lane, batch)
        except (UnavailableError, OutcomeUnknownError) as error:
            for waiting in batch:
                _refuse(waiting, type(error)(*error.args))
        except BaseException:
            for waiting in batch:
                _refuse(waiting, OutcomeUnknownError("a fault of ours"))
            raise
        finally:
            lane.is_in_line = False
            if self._is_closing:
                _dismiss(lane)
            if lane.waiting:
                self._get_in_line(lane)
            else:
                self._lanes.pop(lane.event_id, None)

    def _put_together(self, lane: _Lane[Request, Answer], batch: list[_Waiting[Request, Answer]]) -> None:
        """Fill the next batch, in order of arrival. Whoever wants what an earlier one wants stays at the head."""
        oldest = asyncio.get_running_loop().time() - self._waiting_seconds_max
        later: list[_Waiting[Request, Answer]] = []
        wanted: set[Hashable] = set()
        while lane.waiting and len(batch) < self._batch_max and len(later) < self._batch_max:
            waiting = lane.waiting.popleft()
            if waiting.answer.done():
                continue  # the client went away
            if waiting.since < oldest:
                _refuse(waiting, UnavailableError("waited too long"))
                continue
            early = self._early(lane.event_id, waiting.request)
            if early is not None:
                waiting.answer.set_result(early)
                continue
            wants = set(self._wants(waiting.request))
            if wanted.isdisjoint(wants):
                batch.append(waiting)
            else:
                later.append(waiting)
            wanted |= wants
        lane.waiting.extendleft(reversed(later))

    async def _answer(self, lane: _Lane[Request, Answer], batch: list[_Waiting[Request, Answer]]) -> None:
        began = asyncio.get_running_loop().time()
        decided = await self._decide_surely(lane.event_id, [waiting.request for waiting in batch])
        self._decided(lane.event_id, decided.update, began)
        later: list[_Waiting[Request, Answer]] = []
        for waiting, answer in zip(batch, decided.answers, strict=True):
            if isinstance(answer, Deferred):
                later.append(waiting)
            elif not waiting.answer.done():
                waiting.answer.set_result(answer)
        lane.waiting.extendleft(reversed(later))

    async def _decide_surely(self, event_id: EventId, requests: Sequence[Request]) -> Batch[Answer | Deferred]:
        """A batch whose outcome is unknown is asked again, once: the same ids get the true answers."""
        try:
            return await self._decide(event_id, requests)
        except OutcomeUnknownError as unknown:
            try:
                return await self._decide(event_id, requests)
            except UnavailableError:
                raise unknown from None  # this time nothing was done, but the first time still may have


def _refuse(waiting: _Waiting[Any, Any], error: Exception) -> None:
    if not waiting.answer.done():
        waiting.answer.set_exception(error)


def _dismiss(lane: _Lane[Any, Any]) -> None:
    """We stop: whoever waits here may ask the next process."""
    while lane.waiting:
        _refuse(lane.waiting.popleft(), UnavailableError("stopping"))
