"""Time limits of one length for many at once, with one timer for all of them.

asyncio.timeout sets a timer of the event loop for each, and takes it away again: that costs a request more than its
other guards together. Limits of one length end in the order in which they began, so one timer that waits for the first
of them is enough. What they mean is the same: what runs too long is cancelled, and TimeoutError says so.
"""

import asyncio
from types import TracebackType
from typing import Self


class Deadlines:
    """Everything that has begun and not ended, in order."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._open: dict[Deadline, None] = {}
        self._loop: asyncio.AbstractEventLoop | None = None  # whose timer waits; None: no timer does

    def begin(self, deadline: "Deadline", loop: asyncio.AbstractEventLoop) -> float:
        """When it ends, by the loop's clock."""
        ends_at = loop.time() + self._seconds
        self._open[deadline] = None
        if self._loop is not loop:
            self._loop = loop
            loop.call_at(ends_at, self._look, loop)
        return ends_at

    def end(self, deadline: "Deadline") -> None:
        self._open.pop(deadline, None)

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        """Cancel what has run too long, and wait for the next."""
        now = loop.time()
        while self._open:
            first = next(iter(self._open))
            if first.ends_at > now:
                loop.call_at(first.ends_at, self._look, loop)
                return
            del self._open[first]
            first.pass_by()
        self._loop = None


class Deadline:
    """One limit: `with Deadline(deadlines): …` cancels the task that runs the block when it takes too long."""

    __slots__ = ("_deadlines", "_task", "_was_cancelling", "ends_at", "is_over")

    def __init__(self, deadlines: Deadlines) -> None:
        self._deadlines = deadlines
        self.is_over = False

    def __enter__(self) -> Self:
        task = asyncio.current_task()
        assert task is not None, "a limit is for a task"
        self._task = task
        self._was_cancelling = task.cancelling()
        self.ends_at = self._deadlines.begin(self, task.get_loop())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _traceback: TracebackType | None
    ) -> None:
        self._deadlines.end(self)
        # Somebody else may have cancelled the task as well: then it stays cancelled.
        if self.is_over and self._task.uncancel() <= self._was_cancelling and kind is asyncio.CancelledError:
            raise TimeoutError from error

    def begin_anew(self) -> None:
        """From here on it may take the whole time once more."""
        self._deadlines.end(self)
        self.ends_at = self._deadlines.begin(self, self._task.get_loop())

    def lift(self) -> None:
        """From here on it may take as long as it takes."""
        self._deadlines.end(self)

    def pass_by(self) -> None:
        """The time is over."""
        self.is_over = True
        self._task.cancel()
