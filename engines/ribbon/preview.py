"""What a draft would come to, worked out from a view by the functions that check the move itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from engines.game import IllegalMove
from engines.ribbon.pieces import circle as circles
from engines.ribbon.pieces.circle import Circle, Tangle
from engines.ribbon.pieces.components import Card
from engines.ribbon.view import Changes, View, hand_to_use


class Draft(msgspec.Struct, frozen=True):
    """What a seat means to do before it ends its turn: a swap, then an exchange of `place` for `card`."""

    swap: int | None = None
    exchange: tuple[int, Card] | None = None


def must_go(view: View) -> tuple[Tangle, ...]:
    """Co-op and solo with a full circle: the standing tangles that are still there."""
    return tuple(tangle for tangle in view.tangles if tangle in view.standing) if view.full else ()


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
        raise IllegalMove("There is nothing to arrange now.")
    if swap is not None:
        circles.check_swap(view.circle, swap, has_swapped=view.swapped, has_exchanged=view.exchanged)
        circle = circles.swapped(view.circle, swap)
        changes = _current(view).after_swap(swap)
        view = msgspec.structs.replace(view, circle=circle, swapped=True, changes=changes, differs=None)
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
