"""Holding seats with a form, and the page of what one holds: how long, what it costs, what happens next.

A form has the id of the hold it may place, so sending it twice places one hold. Where somebody was quicker, the
nearest seats are held instead and offered: the fan decides at leisure, and races nobody again.
"""

import asyncio
from dataclasses import replace
from typing import Final, TypeAlias
from uuid import uuid5

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from frontrow.core.faults import OutcomeUnknownError, UnavailableError
from frontrow.core.holds import (
    FanId,
    Hold,
    HoldAnswer,
    HoldId,
    HoldRequest,
    HoldState,
    Known,
    Placed,
    Refusal,
    SeatsTaken,
)
from frontrow.flows.group_commit import BusyError
from frontrow.flows.hold_seats import Wish
from frontrow.web import reading
from frontrow.web.pages.drawing import draw, draw_problem
from frontrow.web.pages.forms import Form, sent
from frontrow.web.pages.hall_plan import HallPlans, spots
from frontrow.web.pages.notices import BUSY, NO_COOKIE, NOT_INVITED, NOT_LET_IN, UNREACHED, Notice, instead, refused
from frontrow.web.pages.picking import NOT_KEPT, Picking
from frontrow.web.pages.seat_words import seats_of
from frontrow.web.pages.visits import Door, Shop, Visit
from frontrow.web.pages.wishes import Wishes, last, wishes_in
from frontrow.web.problems import KINDS, Problem
from frontrow.web.refusals import answer as answer_problem

ALIVE: Final = frozenset({HoldState.HELD, HoldState.CHECKOUT, HoldState.SOLD})
AGAIN_MAX: Final = 8  # so often one page's form places the same seats anew after they were given back

Outcome: TypeAlias = Hold | SeatsTaken | Refusal | Notice


class Holding:
    """The forms that hold and release, and the page of a hold."""

    def __init__(self, shop: Shop, plans: HallPlans, picking: Picking) -> None:
        self._shop = shop
        self._plans = plans
        self._picking = picking

    async def place(self, request: Request) -> Response:
        """`POST /events/{event_id}/holds`: the seats that are picked, or the best that there are."""
        form = await sent(request)
        if isinstance(form, Problem):
            return answer_problem(form, request.scope, draw_problem)
        try:
            visit = await self._shop.visit(request)
            wishes = wishes_in(form, visit.at_hand.event, visit.at_hand.seat_map)
            outcome = await self._outcome(visit, wishes, form)
            if isinstance(outcome, Hold):
                return _held(request, visit, wishes, outcome)
            return await self._refused(request, form, outcome)
        except BusyError:
            return _once_more(request, form, BUSY)
        except (UnavailableError, OutcomeUnknownError):
            return _once_more(request, form, UNREACHED)

    async def look_up(self, request: Request) -> Response:
        """`GET /holds/{hold}`."""
        found = await self._find(request)
        if found is None:
            return HTMLResponse(draw("held-nowhere.html"), status_code=404, headers=NOT_KEPT)
        visit, hold = found
        at_hand = visit.at_hand
        wanted = wishes_in({"seat": request.query_params.getlist("wanted")}, at_hand.event, at_hand.seat_map).seats
        seats = seats_of(at_hand, hold.seats)
        page = draw(
            "held.html",
            visit=visit,
            listing=visit.listing,
            hold=hold,
            seats=seats,
            notice=instead(seats_of(at_hand, wanted), seats) if wanted else None,
            left=visit.time_left(hold),
            offer=self._picking.offer(visit, Wishes(party=len(hold.seats), seats=hold.seats)),
            plan=await self._plans.of(at_hand.event.seat_map),
            spots=spots(at_hand.seat_map, hold.seats),
            yours={seat.place.section.label for seat in seats},
            now=visit.now,
        )
        return HTMLResponse(page, headers=NOT_KEPT)

    async def release(self, request: Request) -> Response:
        """`POST /holds/{hold}/release`."""
        form = await sent(request)
        if isinstance(form, Problem):
            return answer_problem(form, request.scope, draw_problem)
        found = await self._find(request)
        if found is None or found[0].fan_id is None:
            raise HTTPException(404)
        visit, hold = found
        try:
            answer = await self._shop.hold_seats.release(visit.event_id, hold.hold_id, found[0].fan_id)
        except (BusyError, OutcomeUnknownError) as error:
            raise UnavailableError from error
        if isinstance(answer, Hold) and answer.state in {HoldState.CHECKOUT, HoldState.SOLD}:
            return RedirectResponse(_address(hold), status_code=303)  # it says what has become of them
        picked = Wishes(party=len(hold.seats), seats=hold.seats)
        return RedirectResponse(f"/events/{visit.event_id}/seats{picked.query(released=1)}", status_code=303)

    async def _find(self, request: Request) -> tuple[Visit, Hold] | None:
        fan_id = self._shop.admission.fan(request.scope)
        hold_id = reading.hold_id(request.path_params["hold"])
        found = await self._shop.hold_seats.find(hold_id, fan_id) if fan_id else None
        return (await self._shop.visit(request, found[0]), found[1]) if found else None

    async def _outcome(self, visit: Visit, wishes: Wishes, form: Form) -> Outcome:
        if visit.fan_id is None:
            return NO_COOKIE
        if visit.door is Door.WAITING_ROOM:
            return NOT_LET_IN
        if visit.door is Door.PRESALE:
            return NOT_INVITED
        if len(set(form.get("seat", ()))) > len(wishes.seats):
            return Refusal.UNKNOWN_SEAT  # some of them are none
        if held := last(form, "release"):
            held_id = reading.hold_id(held)
            if taken := visit.at_hand.surely_taken(wishes.seats, held_id, now=_loop_time()):
                return SeatsTaken(taken)  # and what is held stays held
            await self._shop.hold_seats.release(visit.event_id, held_id, visit.fan_id)
        return await self._placed(visit, _hold_id(form, wishes, visit.fan_id, self._shop), visit.fan_id, wishes)

    async def _placed(self, visit: Visit, hold_id: HoldId, fan_id: FanId, wishes: Wishes) -> Outcome:
        for _ in range(AGAIN_MAX):
            answer = await self._asked(visit, hold_id, fan_id, wishes)
            match answer:
                case Placed(hold) | Known(hold) if hold.state in ALIVE:
                    return hold
                case Placed() | Known():  # it was given back, or has expired: this is another try
                    hold_id = HoldId(uuid5(hold_id, "again"))
                case _:
                    return answer
        return Refusal.FOREIGN

    async def _asked(self, visit: Visit, hold_id: HoldId, fan_id: FanId, wishes: Wishes) -> HoldAnswer:
        if wishes.seats:
            request = HoldRequest(hold_id, fan_id, wishes.seats)
            return await self._shop.hold_seats.hold_or_nearest(visit.at_hand, request)
        wish = Wish(wishes.party, wishes.section, wishes.price_max, wishes.accessible)
        return await self._shop.hold_seats.hold_best(visit.at_hand, hold_id, fan_id, wish)

    async def _refused(self, request: Request, form: Form, outcome: SeatsTaken | Refusal | Notice) -> Response:
        """The page that the form stood on, with what happened, and with what was picked but for what is taken."""
        visit = await self._shop.visit(request)  # anew: what is held may be news
        at_hand = visit.at_hand
        wishes = wishes_in(form, at_hand.event, at_hand.seat_map)
        taken = outcome.taken if isinstance(outcome, SeatsTaken) else ()
        notice = outcome if isinstance(outcome, Notice) else refused(outcome, at_hand, wishes)
        status = KINDS[notice.slug].status
        if _is_script(request):
            answer = JSONResponse({"title": notice.title, "words": notice.words}, status, NOT_KEPT)
            return self._shop.remember(request, answer)
        kept = replace(wishes, seats=tuple(seat for seat in wishes.seats if seat not in taken))
        offer = self._picking.offer(visit, kept, notice=notice)
        if last(form, "way") == "list":
            drawn = self._picking.listed(offer, status=status)
        else:
            drawn = await self._picking.drawn(offer, status=status)
        return self._shop.remember(request, drawn)


def _held(request: Request, visit: Visit, wishes: Wishes, hold: Hold) -> Response:
    is_offer = bool(wishes.seats) and set(wishes.seats) != set(hold.seats)
    address = _address(hold, wishes if is_offer else None)
    if not _is_script(request):
        return RedirectResponse(address, status_code=303)
    about: dict[str, object] = {"address": address, "release": f"{_address(hold)}/release"}
    if is_offer:
        notice = instead(seats_of(visit.at_hand, wishes.seats), seats_of(visit.at_hand, hold.seats))
        about |= {"title": notice.title, "words": notice.words, "seats": hold.seats}
    return JSONResponse(about, 201, NOT_KEPT)


def _once_more(request: Request, form: Form, notice: Notice) -> Response:
    """A page with the same form again: its id is the same, so nothing is held twice."""
    status = KINDS[notice.slug].status
    if _is_script(request):
        return JSONResponse({"title": notice.title, "words": notice.words}, status, NOT_KEPT)
    fields = [(name, value) for name in _FIELDS for value in form.get(name, ())]
    page = draw("held-again.html", notice=notice, action=request.url.path, fields=fields)
    return HTMLResponse(page, status_code=status, headers=NOT_KEPT)


_FIELDS: Final = ("hold_id", "seat", "party", "price_max", "section", "accessible", "release", "way")


def _hold_id(form: Form, wishes: Wishes, fan_id: FanId, shop: Shop) -> HoldId:
    """The same fan, page and wishes: the same hold. A page that was gone back to, with other seats: another one."""
    named = last(form, "hold_id")
    page = reading.hold_id(named) if named else shop.new_id()
    return HoldId(uuid5(page, f"{fan_id}{wishes.query()}"))


def _address(hold: Hold, wanted: Wishes | None = None) -> str:
    query = "".join(f"&wanted={seat}" for seat in wanted.seats) if wanted else ""
    return f"/holds/{hold.hold_id}{query.replace('&', '?', 1)}"


def _is_script(request: Request) -> bool:
    return "application/json" in request.headers.get("accept", "")


def _loop_time() -> float:
    return asyncio.get_running_loop().time()
