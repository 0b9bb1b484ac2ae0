"""`frontrow jobs`: what waits to be done, and what was given up."""

from collections.abc import Callable, Coroutine, Sequence
from typing import Annotated, Any, Final

import typer

from frontrow.cli.saying import say
from frontrow.core.jobs import DeadJob, JobCount, JobId, JobState
from frontrow.halt import Halt
from frontrow.processes import job_keeping
from frontrow.processes.whereabouts import with_database
from frontrow.settings import Settings

app: Final = typer.Typer(
    help="What is to be done later: mails, for one.", invoke_without_command=True, rich_markup_mode=None
)

JobIds = Annotated[list[int], typer.Argument(metavar="JOB…", min=1, max=2**63 - 1, help="Their numbers.")]
SomeJobIds = Annotated[list[int] | None, typer.Argument(metavar="[JOB…]", min=1, max=2**63 - 1, help="Their numbers.")]

OVER: Final = {JobState.WAITING: "first due", JobState.DONE: "since", JobState.DEAD: "since"}


@app.callback()
def jobs(context: typer.Context) -> None:
    """Count jobs, and list those that were given up."""
    if context.invoked_subcommand is None:
        _list()


@app.command("list")
def list_jobs() -> None:
    """Count jobs, and list those that were given up; exit code 1 where there are any."""
    _list()


@app.command()
def retry(
    job_ids: SomeJobIds = None,
    *,
    every: Annotated[bool, typer.Option("--all", help="All that were given up.")] = False,
) -> None:
    """Try jobs again that were given up: those that are named, or --all."""
    if every == bool(job_ids):
        raise Halt("name the jobs to try again, or say --all")
    wanted = [JobId(number) for number in job_ids or []]
    _told("waits again", wanted, _with_jobs("retry", lambda url: job_keeping.retry(url, wanted or None)))


@app.command()
def drop(job_ids: JobIds) -> None:
    """Give up jobs for good that were given up: they are not done, and forgotten."""
    wanted = [JobId(number) for number in job_ids]
    _told("is dropped", wanted, _with_jobs("drop", lambda url: job_keeping.drop(url, wanted)))


def _list() -> None:
    found = with_database(Settings.read(), "frontrow jobs", job_keeping.look)
    for count in found.counts:
        say(_counted(count))
    if not found.counts:
        say("no jobs")
    for job in found.dead:
        say(_dead(job))
    if found.dead:
        raise typer.Exit(1)


def _with_jobs(word: str, work: Callable[[str], Coroutine[Any, Any, Sequence[JobId]]]) -> Sequence[JobId]:
    return with_database(Settings.read(), f"frontrow jobs {word}", work)


def _told(what: str, wanted: Sequence[JobId], done: Sequence[JobId]) -> None:
    for job_id in sorted(done):
        say(f"job {job_id} {what}")
    if missed := [job_id for job_id in wanted if job_id not in done]:
        raise Halt(f"not among those that were given up: {', '.join(map(str, missed))}")
    if not done:
        say("no job was given up")


def _counted(count: JobCount) -> str:
    return f"{count.kind}: {count.jobs} {count.state.value}, {OVER[count.state]} {count.oldest:%Y-%m-%d %H:%M:%S} UTC"


def _dead(job: DeadJob) -> str:
    when = f"{job.given_up_at:%Y-%m-%d %H:%M:%S} UTC"
    return f"job {job.job_id} {job.kind} {job.key}: given up {when} after {job.attempts} attempts: {job.last_error}"
