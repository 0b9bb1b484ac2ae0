"""Jobs: what is to be done later, and surely. Their states, and how long to wait before the next try.

A job is made in the transaction that it follows from, and done by a process that nobody waits for. Who does what is not
in here: a kind of job and the work that belongs to it meet in `processes/sweeper.py`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NewType

JobId = NewType("JobId", int)

BACK_OFF_SECONDS_MIN: Final = 5.0  # a server that restarts is back by then
BACK_OFF_SECONDS_MAX: Final = 3_600.0  # who is away for a day is asked once an hour
ERROR_CHARS_MAX: Final = 500  # as many as tell what is wrong
URGENCY_MAX: Final = 9


class JobState(StrEnum):
    """What has become of a job."""

    WAITING = "waiting"  # for its first try, for its next, or for the end of the one that is under way
    DONE = "done"
    DEAD = "dead"  # given up, and waiting for a person


class JobChange(StrEnum):
    """What may happen to a job."""

    DO = "do"
    PUT_OFF = "put off"
    GIVE_UP = "give up"
    RETRY = "retry"


TRANSITIONS: Final[Mapping[tuple[JobState, JobChange], JobState]] = MappingProxyType(
    {
        (JobState.WAITING, JobChange.DO): JobState.DONE,
        (JobState.WAITING, JobChange.PUT_OFF): JobState.WAITING,
        (JobState.WAITING, JobChange.GIVE_UP): JobState.DEAD,
        (JobState.DEAD, JobChange.RETRY): JobState.WAITING,
    }
)


@dataclass(frozen=True, slots=True)
class JobKind:
    """A kind of job: its name in the database, and how it is treated."""

    name: str
    urgency: int  # 0 to URGENCY_MAX: the lowest is done first
    attempts_max: int  # after so many it is given up


@dataclass(frozen=True, slots=True)
class Job:
    """Something to be done. The same kind and key once more is the same job."""

    kind: JobKind
    key: str
    payload: bytes  # a JSON object; whoever does the job knows its shape


@dataclass(frozen=True, slots=True)
class JobTaken:
    """A job that is ours to do, until its next try is due."""

    job_id: JobId
    kind: str
    key: str
    payload: bytes
    attempt: int  # the first is 1; it also tells our try from those of others


@dataclass(frozen=True, slots=True)
class GivenUp:
    """Trying again would not help."""

    why: str


@dataclass(frozen=True, slots=True)
class DeadJob:
    """A job that was given up, as its operator sees it."""

    job_id: JobId
    kind: str
    key: str
    attempts: int
    made_at: datetime
    given_up_at: datetime
    last_error: str


@dataclass(frozen=True, slots=True)
class JobCount:
    """How many jobs of a kind are in a state, and since when the oldest of them is."""

    kind: str
    state: JobState
    jobs: int
    oldest: datetime


def back_off(attempt: int, *, chance: float) -> float:
    """Seconds from a try that failed to the next one: twice as long each time, and never all jobs at once.

    `chance` is drawn evenly from 0 to 1.
    """
    assert attempt >= 1
    doubled = BACK_OFF_SECONDS_MIN * 2.0 ** min(attempt - 1, 32)
    return min(doubled, BACK_OFF_SECONDS_MAX) * (0.5 + chance / 2)
