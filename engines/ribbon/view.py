"""What one viewer may know, and what can be worked out from that.

A `View` holds nothing that its viewer may not know, so pictures, panels and the computer player
can't show or use it. The functions here read views only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from engines.game import IllegalMove, Outcome, Seat
from engines.ribbon import circle as circles
from engines.ribbon.circle import Circle, Tangle
from engines.ribbon.components import Card, Colour
from engines.ribbon.options import Options

Phase = Literal["choose_ribbon", "choose_hand", "flip", "arrange", "tie_vote", "over"]
Change = Literal["flipped", "swapped", "exchanged"]


class Changes(msgspec.Struct, frozen=True):
    """What one turn has done to the circle.

    `flipped` is where the card that was turned up lies now, `swap` the first of the two places that
    changed, `exchanged` the place where a hand card was put down.
    """

    flipped: int | None = None
    swap: int | None = None
    exchanged: int | None = None

    def after_swap(self, place: int) -> Changes:
        """The changes with a swap added; the card that was turned up may move with it."""
        flipped = None if self.flipped is None else circles.moved(self.flipped, place)
        return Changes(flipped, place, self.exchanged)

    def after_exchange(self, place: int) -> Changes:
        """The changes with an exchange added; a card that leaves the circle is no longer marked."""
        return Changes(None if self.flipped == place else self.flipped, self.swap, place)

    def places(self) -> dict[int, Change]:
        """Every place that changed, and how; the last step to touch a place names it.

        >>> Changes(flipped=9).after_swap(9).places()
        {9: 'swapped', 10: 'flipped'}
        """
        found: dict[int, Change] = {}
        if self.swap is not None:
            found = {self.swap: "swapped", circles.after(self.swap): "swapped"}
        if self.flipped is not None:
            found[self.flipped] = "flipped"
        if self.exchanged is not None:
            found[self.exchanged] = "exchanged"
        return found


class Draft(msgspec.Struct, frozen=True):
    """What a seat means to do before it ends its turn: a swap, then an exchange of `place` for `card`."""

    swap: int | None = None
    exchange: tuple[int, Card] | None = None


class View(msgspec.Struct, frozen=True, kw_only=True):
    """A position as one viewer may know it.

    Seats count from 0; places, junctions and the hands named in moves count from 1; `hand_in_use`
    and `next_hand` are indices into `hands`.

    Attributes:
        viewer: the seat that looks, None for a spectator and for a seat that is out.
        seat: the seat whose turn it is; the last one to act when the game is over.
        owes: the seats that owe a move now, each the kind that `phase` names.
        circle: the card face up at each place, None where a card lies face down.
        beneath: the cards that lie face down, open only when the game is over.
        ribbons: the colour each seat owns, None without one.
        out: the seats that are out, first one first.
        hands: one hand a seat, in solo one a hand; None for a card the viewer doesn't know.
        shown: for each hand the cards that everybody saw on their way into it.
        hand_in_use: the hand that the turn may use, None before a solo hand is chosen.
        next_hand: solo only, the hand of the next turn.
        aside: the cards that hard solo leaves out, None for each until the game is over.
        swapped, exchanged: what has been done this turn.
        may_offer: whether the seat to act may offer a tie now.
        full_at_start: whether the turn began with all cards face up.
        begun: how often the present position has begun a turn with a full circle, this turn included.
        full_turns: turns ended with a full circle since the last elimination.
        tangles: every tangle of the circle, owned or not.
        standing: co-op and solo, the tangles that stood when the turn began.
        unseen: the cards whose whereabouts the viewer doesn't know, from public facts alone.
        changes: what the turn in progress has changed or, while that is nothing, the turn before.
        outcome: how the game ended; None while it goes on and when it was called off.
        lost_by: the tangles that a team lost by.
    """

    options: Options
    seats: int
    viewer: Seat | None
    phase: Phase
    turn: int
    seat: Seat
    owes: tuple[Seat, ...]
    circle: tuple[Card | None, ...]
    beneath: tuple[Card | None, ...]
    ribbons: tuple[Colour | None, ...]
    out: tuple[Seat, ...]
    hands: tuple[tuple[Card | None, ...], ...]
    shown: tuple[tuple[Card, ...], ...]
    hand_in_use: int | None
    next_hand: int | None
    aside: tuple[Card | None, ...]
    swapped: bool
    exchanged: bool
    may_offer: bool
    full_at_start: bool
    begun: int
    full_turns: int
    tangles: tuple[Tangle, ...]
    standing: tuple[Tangle, ...]
    unseen: tuple[Card, ...]
    changes: Changes
    outcome: Outcome | None
    lost_by: tuple[Tangle, ...]

    @property
    def mode(self) -> Literal["versus", "coop", "solo"]:
        """The mode of the table."""
        return self.options.mode

    @property
    def full(self) -> bool:
        """Whether every card lies face up."""
        return circles.full(self.circle)

    @property
    def over(self) -> bool:
        """Whether the game has ended or was called off."""
        return self.phase == "over"


def remaining(view: View) -> tuple[Seat, ...]:
    """The seats that are still in the game, in seat order."""
    return tuple(seat for seat in range(view.seats) if seat not in view.out)


def owner(view: View, colour: Colour) -> Seat | None:
    """The remaining seat that owns a ribbon; None for a ribbon that means nothing (any more)."""
    return next((seat for seat in remaining(view) if view.ribbons[seat] == colour), None)


def tangles_of(view: View, colour: Colour) -> tuple[Tangle, ...]:
    """The tangles of one ribbon."""
    return tuple(tangle for tangle in view.tangles if tangle.colour == colour)


def matters(view: View, tangle: Tangle) -> bool:
    """Whether the tangle endangers anybody: a remaining seat's ribbon, or in co-op and solo any."""
    return view.mode != "versus" or owner(view, tangle.colour) is not None


def must_go(view: View) -> tuple[Tangle, ...]:
    """Co-op and solo with a full circle: the standing tangles that are still there."""
    return tuple(tangle for tangle in view.tangles if tangle in view.standing) if view.full else ()


def hand_to_use(view: View) -> tuple[Card, ...]:
    """The cards that the viewer knows of the hand that this turn may use."""
    if view.hand_in_use is None:
        return ()
    return tuple(card for card in view.hands[view.hand_in_use] if card is not None)


def losing(view: View, circle: Circle) -> tuple[Tangle, ...]:
    """The tangles that the seat to act would lose by if its turn ended with that circle.

    Rules: `end_turn`, for versus as for co-op and solo.
    """
    found = circles.tangles(circle)
    if view.mode == "versus":
        own = view.ribbons[view.seat]
        return tuple(tangle for tangle in found if tangle.colour == own)
    if circles.full(circle):
        return tuple(tangle for tangle in found if tangle in view.standing)
    return found


def would_lose(view: View) -> tuple[Tangle, ...]:
    """The tangles that ending the turn now would lose by; none when it is safe."""
    return losing(view, view.circle)


def winning(view: View, circle: Circle) -> bool:
    """Whether that circle wins at once: co-op and solo, all cards face up and no tangle."""
    return view.mode != "versus" and circles.full(circle) and not circles.tangles(circle)


def wins(view: View) -> bool:
    """Whether the circle as it lies wins for the team."""
    return winning(view, view.circle)


def swaps(view: View) -> tuple[int, ...]:
    """The swaps that the seat to act may still make, each by its first place."""
    if view.phase != "arrange" or view.swapped or view.exchanged:
        return ()
    return tuple(circles.swaps(view.circle))


def exchanges(view: View, swap: int | None = None) -> tuple[tuple[int, Card], ...]:
    """The exchanges that the seat to act may still make, after a swap if one is given."""
    if view.phase != "arrange" or view.exchanged:
        return ()
    circle = view.circle if swap is None else circles.swapped(view.circle, swap)
    places = [place for place, card in enumerate(circle, start=1) if card is not None]
    return tuple((place, card) for place in places for card in hand_to_use(view))


def drafts(view: View) -> Iterator[Draft]:
    """Every way to end this turn, doing nothing first; at most 481.

    For a seat whose hand the viewer can't see these are the swaps and the exchanges of shown cards.
    """
    if view.phase != "arrange":
        return
    for swap in (None, *swaps(view)):
        yield Draft(swap)
        for exchange in exchanges(view, swap):
            yield Draft(swap, exchange)


def drafted(circle: Circle, draft: Draft) -> Circle:
    """The circle once a draft has been carried out; whether it is legal is not looked at."""
    if draft.swap is not None:
        circle = circles.swapped(circle, draft.swap)
    if draft.exchange is not None:
        circle = circles.exchanged(circle, *draft.exchange)
    return circle


def clearing(view: View) -> bool:
    """Whether the seat to act can still end its turn without losing."""
    return any(not losing(view, drafted(view.circle, draft)) for draft in drafts(view))


def arranged(view: View, swap: int | None = None, exchange: tuple[int, Card] | None = None) -> View:
    """The view as it would be after a swap and then an exchange, for previews.

    Raises:
        IllegalMove: when the seat to act may not do that; the text is the one that `play` gives.
    """
    if view.phase != "arrange":
        raise IllegalMove("Not in this phase: there is nothing to arrange now.")
    if swap is not None:
        circles.check_swap(view.circle, swap, has_swapped=view.swapped, has_exchanged=view.exchanged)
        circle = circles.swapped(view.circle, swap)
        changes = _current(view).after_swap(swap)
        view = msgspec.structs.replace(view, circle=circle, swapped=True, changes=changes)
    if exchange is not None:
        view = _after_exchange(view, *exchange)
    if swap is None and exchange is None:
        return view
    return msgspec.structs.replace(view, tangles=circles.tangles(view.circle), may_offer=False)


def _current(view: View) -> Changes:
    untouched = view.full_at_start and not (view.swapped or view.exchanged)
    return Changes() if untouched else view.changes


def _after_exchange(view: View, place: int, card: Card) -> View:
    used = view.hand_in_use or 0
    hand = view.hands[used]
    resting = [other for index, cards in enumerate(view.hands) for other in cards if index != used]
    circles.check_exchange(
        view.circle,
        place,
        card,
        has_exchanged=view.exchanged,
        hand=hand,
        resting=resting if view.mode == "solo" else (),
    )
    taken = view.circle[place - 1]
    assert taken is not None
    shown = tuple(held for held in view.shown[used] if held != card)
    return msgspec.structs.replace(
        view,
        circle=circles.exchanged(view.circle, place, card),
        hands=_with(view.hands, used, tuple(taken if held == card else held for held in hand)),
        shown=_with(view.shown, used, (*shown, taken)),
        exchanged=True,
        changes=_current(view).after_exchange(place),
    )


def _with(
    hands: Sequence[tuple[Card | None, ...]], index: int, hand: tuple[Card | None, ...]
) -> tuple[tuple[Card | None, ...], ...]:
    return (*hands[:index], hand, *hands[index + 1 :])
