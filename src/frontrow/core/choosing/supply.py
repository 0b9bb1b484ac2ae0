"""Which seats of an event are free, kept so that the best place for a group is found at a glance.

A mirror, not the truth: the ledger decides, and whoever follows its journal keeps the supply up to date. Per event it
is a number for each run, one for each patch, and twenty sets of patches: about half a megabyte for a stadium.
"""

from collections.abc import Iterable

from frontrow.core.choosing.plan import Patches, SeatPlan
from frontrow.core.choosing.stretches import FITTING, TIDY


class Supply:
    """At first, every seat is free. Telling it what it knows already changes nothing."""

    def __init__(self, plan: SeatPlan) -> None:
        self.plan = plan
        self._free = [run.all_free for run in plan.runs]
        self._offered = [patch for run in plan.runs for patch in run.offers(run.all_free)]
        self._offering = list(plan.all_free)

    def __contains__(self, seat_no: int) -> bool:
        run_no = self.plan.run_no(seat_no)
        return bool(self._free[run_no] >> seat_no - self.plan.runs[run_no].first_seat & 1)

    def take(self, seat_nos: Iterable[int]) -> None:
        for run_no, bits in self._by_run(seat_nos).items():
            self._change(run_no, self._free[run_no] & ~bits)

    def give_back(self, seat_nos: Iterable[int]) -> None:
        for run_no, bits in self._by_run(seat_nos).items():
            self._change(run_no, self._free[run_no] | bits)

    def free(self, run_no: int) -> int:
        """The free seats of a run: bit i for seat i."""
        return self._free[run_no]

    def fitting(self, quantity: int) -> Patches:
        """Where so many fit together."""
        return self._offering[FITTING + quantity - 1]

    def tidy(self, quantity: int) -> Patches:
        """Where so many fit together and leave no single seat."""
        return self._offering[TIDY + quantity - 1]

    def _by_run(self, seat_nos: Iterable[int]) -> dict[int, int]:
        found: dict[int, int] = {}
        for seat_no in seat_nos:
            run_no = self.plan.run_no(seat_no)
            found[run_no] = found.get(run_no, 0) | 1 << seat_no - self.plan.first_seats[run_no]
        return found

    def _change(self, run_no: int, free: int) -> None:
        if free == self._free[run_no]:
            return
        self._free[run_no] = free
        first_patch = self.plan.first_patches[run_no]
        for patch, offered in enumerate(self.plan.runs[run_no].offers(free), first_patch):
            changed = offered ^ self._offered[patch]
            if changed:
                self._offered[patch] = offered
                self._announce(changed, 1 << self.plan.ranks[patch])

    def _announce(self, changed: int, patch: Patches) -> None:
        """Note in the sets what a patch offers now and did not before, or the other way round."""
        while changed:
            self._offering[(changed & -changed).bit_length() - 1] ^= patch
            changed &= changed - 1
