"""What was measured, as tables for people. For programs there is `--json`; the plot has its own file."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from frontrow.bench.holds import Figures
from frontrow.bench.lab import Cell, Examined

_TITLE_WIDTH: Final = 30


def holds_table(figures: Figures) -> Iterator[str]:
    """The figures of `frontrow bench holds`, a line each."""
    for title, said in _holds(figures):
        yield f"{title:{_TITLE_WIDTH}}{said}"


def _holds(of: Figures) -> Iterator[tuple[str, str]]:
    percentiles = f"p50 {of.p50_ms:,.1f} ms, p99 {of.p99_ms:,.1f} ms, p99.9 {of.p999_ms:,.1f} ms"
    spent = ", ".join(f"{name} {us:,.0f} µs" for name, us in of.cpu_us_per_hold.items())
    yield "one hot event", f"{of.holds_per_s:,.0f} holds/s, {percentiles}"
    yield "  processor time of a hold", spent
    yield "eight hot events", f"{of.eight_events_holds_per_s:,.0f} holds/s, p99 {of.eight_events_p99_ms:,.1f} ms"
    yield f"{of.pace_per_s:,} holds due a second", f"p50 {of.pace_p50_ms:,.1f} ms, p99 {of.pace_p99_ms:,.1f} ms"
    yield "a crowd for the same seats", f"{of.refusals_per_s:,.0f} refused/s, p99 {of.refusals_p99_ms:,.1f} ms"
    yield "  winners", f"{of.winners} of {of.winners_possible} possible"
    yield (
        "the database by itself",
        f"{of.database_holds_per_s:,.0f} holds/s; over HTTP {of.ratio_to_database:.0%} of it",
    )
    yield "without HTTP", f"{of.in_process_holds_per_s:,.0f} holds/s"
    yield "  Redis lock, as published", _compared(of.redis_lock_holds_per_s, of.ratio_to_redis_lock)
    yield "  Redis lock, tuned by us", _compared(of.redis_lock_tuned_holds_per_s, of.ratio_to_redis_lock_tuned)
    yield f"{of.memory_events} hot events in memory", f"{of.memory_mb:,.0f} MB"
    yield "a hot event from cold", f"{of.cold_start_ms:,.0f} ms"
    yield "this disk, until durable", f"{of.sync_ms:,.3f} ms"
    yield "holds acknowledged", f"{of.acknowledged:,}"
    yield "other answers", f"{of.unanswered} that nobody knows, {of.refused_otherwise} refused for another reason"
    found = f"{of.lost} lost, {of.doubled} doubled, {of.untold} untold, {of.audit} by the audit"
    yield "violations", f"{of.violations}: {found}"


def _compared(holds_per_s: float, ratio: float) -> str:
    return f"{holds_per_s:,.0f} holds/s; ours {ratio:.1f} times that"


def figures_table(figures: Mapping[str, float]) -> Iterator[str]:
    """Figures by the names that `--json` has them under."""
    for name, value in figures.items():
        yield f"{name:{_TITLE_WIDTH}}{value:,}"


def lab_table(examined: Sequence[Examined]) -> Iterator[str]:
    """The figures of `frontrow bench strategies`: a line for each cell."""
    yield f"{'':{_TITLE_WIDTH}}durable  load       clients    holds/s  refused/s    p50 ms    p99 ms  violations"
    for each in examined:
        durable = "yes" if each.strategy.durable else "no"
        for cell in each.cells:
            yield f"{each.strategy.title:{_TITLE_WIDTH}}{durable:9}{_cell(cell)}{each.proof.violations:>12}"


def _cell(cell: Cell) -> str:
    return (
        f"{cell.load:10}{cell.clients:>8}{cell.holds_per_s:>11,.0f}{cell.refusals_per_s:>11,.0f}"
        f"{cell.latency.p50_ms:>10,.1f}{cell.latency.p99_ms:>10,.1f}"
    )
