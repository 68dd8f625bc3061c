"""Previews the effect of a draft from a view, with the functions that check the move itself."""

from collections.abc import Iterator, Sequence
from heapq import nsmallest

import msgspec

from engines.game import IllegalMove
from engines.ribbon.legal import sentences
from engines.ribbon.pieces import board as circles
from engines.ribbon.pieces.components import Card
from engines.ribbon.view import RibbonChanges, RibbonView, hand_to_use


class TurnDraft(msgspec.Struct, frozen=True):
    """A seat's intended arrangement before it ends its turn: a swap, an exchange of `place` for `card`."""

    swap: int | None = None
    exchange: tuple[int, Card] | None = None


def must_go(view: RibbonView) -> tuple[circles.RibbonTangle, ...]:
    """Return the tangles that remain in a full circle."""
    return tuple(tangle for tangle in view.tangles if tangle in view.standing) if view.full else ()


def losing_tangles(view: RibbonView, circle: circles.Circle) -> tuple[circles.RibbonTangle, ...]:
    """Return the tangles that would put the seat to act out.

    Rules: `end_turn`, for versus as for co-op and solo.
    """
    return tuple(_find_losing(view, circle))


def _find_losing(view: RibbonView, circle: circles.Circle) -> Iterator[circles.RibbonTangle]:
    result = circles.iterate_tangles(circle)
    if view.mode == "versus":
        own = view.ribbons[view.seat]
        return (tangle for tangle in result if tangle.colour == own)
    if circles.is_full(circle):
        return (tangle for tangle in result if tangle in view.standing)
    return result


def would_lose(view: RibbonView) -> tuple[circles.RibbonTangle, ...]:
    """Return the tangles that ending the turn now would lose by. None if it's safe."""
    return losing_tangles(view, view.circle)


def is_winning(view: RibbonView, circle: circles.Circle) -> bool:
    """Return True if that circle wins at once. Co-op and solo, all face up and no tangle."""
    return view.mode != "versus" and circles.is_full(circle) and not circles.tangles(circle)


def is_won(view: RibbonView) -> bool:
    return is_winning(view, view.circle)


def swaps(view: RibbonView) -> tuple[int, ...]:
    """Return the possible swaps, each by its first place."""
    if view.phase != "arrange" or view.swapped or view.exchanged:
        return ()
    return tuple(circles.swaps(view.circle))


def exchanges(view: RibbonView, swap: int | None = None) -> tuple[tuple[int, Card], ...]:
    if view.phase != "arrange" or view.exchanged:
        return ()
    circle = view.circle if swap is None else circles.swap_cards(view.circle, swap)
    places = [place for place, card in enumerate(circle, start=1) if card is not None]
    return tuple((place, card) for place in places for card in hand_to_use(view))


def drafts(view: RibbonView) -> Iterator[TurnDraft]:
    """Yield every way to end this turn, doing nothing first.

    At most 481. If the viewer can't see the acting seat's hand, these are swaps and exchanges of shown
    cards.
    """
    if view.phase != "arrange":
        return
    for swap in (None, *swaps(view)):
        yield TurnDraft(swap)
        for exchange in exchanges(view, swap):
            yield TurnDraft(swap, exchange)


def apply_draft(circle: circles.Circle, draft: TurnDraft) -> circles.Circle:
    """Return the circle after a draft, without checking that it's legal."""
    if draft.swap is not None:
        circle = circles.swap_cards(circle, draft.swap)
    if draft.exchange is not None:
        circle = circles.exchange_card(circle, *draft.exchange)
    return circle


def can_end_safely(view: RibbonView) -> bool:
    ends = (apply_draft(view.circle, draft) for draft in drafts(view))
    return any(next(_find_losing(view, circle), None) is None for circle in ends)


def safe_drafts(view: RibbonView, most: int) -> list[TurnDraft]:
    """Return the best drafts that don't lose. Wins come first, then few steps, then others' tangles."""

    def rank(draft: TurnDraft) -> tuple[bool, int, int]:
        circle = apply_draft(view.circle, draft)
        left = len(circles.tangles(circle))
        steps = (draft.swap is not None) + (draft.exchange is not None)
        return not is_winning(view, circle), steps, -left if view.mode == "versus" else left

    def is_safe(draft: TurnDraft) -> bool:
        wins_before = draft.exchange is not None and is_winning(
            view, apply_draft(view.circle, TurnDraft(draft.swap))
        )
        return not wins_before and not losing_tangles(view, apply_draft(view.circle, draft))

    return nsmallest(most, filter(is_safe, drafts(view)), key=rank)


def risky_cards(view: RibbonView, place: int) -> int:
    """Count the unseen cards that would tangle if flipped there (versus: yourself)."""
    own = view.ribbons[view.seat] if view.mode == "versus" else None
    left, right = view.circle[circles.before(place) - 1], view.circle[circles.after(place) - 1]

    def is_tangle(one: Card | None, two: Card | None) -> bool:
        colours = circles.clashing(one, two) if one is not None and two is not None else ()
        return bool(colours) if own is None else own in colours

    return sum(is_tangle(left, card) or is_tangle(card, right) for card in view.unseen)


def preview_turn(
    view: RibbonView, swap: int | None = None, exchange: tuple[int, Card] | None = None
) -> RibbonView:
    """Return the view after a swap and then an exchange, for previews.

    Raise IllegalMove if the seat to act may not do that, with the same text as `play`.
    """
    if view.phase != "arrange":
        raise IllegalMove(sentences.NO_ARRANGING_NOW)
    if swap is not None:
        circles.check_swap(view.circle, swap, has_swapped=view.swapped, has_exchanged=view.exchanged)
        circle = circles.swap_cards(view.circle, swap)
        changes = _current(view).after_swap(swap)
        view = msgspec.structs.replace(
            view, circle=circle, swapped=True, changes=changes, differs=None, news=msgspec.UNSET
        )
    if exchange is not None:
        view = _after_exchange(view, *exchange)
    if swap is None and exchange is None:
        return view
    return msgspec.structs.replace(view, tangles=circles.tangles(view.circle), may_offer=False)


def _current(view: RibbonView) -> RibbonChanges:
    untouched = view.full_at_start and not (view.swapped or view.exchanged)
    return RibbonChanges() if untouched else view.changes


def _after_exchange(view: RibbonView, place: int, card: Card) -> RibbonView:
    used = view.hand_in_use or 0
    hand = view.hands[used]
    resting = [other for index, cards in enumerate(view.hands) for other in cards if index != used]
    others, done = resting if view.mode == "solo" else (), view.exchanged
    circles.check_exchange(view.circle, place, card, has_exchanged=done, hand=hand, resting=others)
    taken = view.circle[place - 1]
    assert taken is not None
    shown = tuple(held for held in view.shown[used] if held != card)
    return msgspec.structs.replace(
        view,
        circle=circles.exchange_card(view.circle, place, card),
        hands=_with(view.hands, used, tuple(taken if held == card else held for held in hand)),
        shown=_with(view.shown, used, (*shown, taken)),
        exchanged=True,
        changes=_current(view).after_exchange(place),
        differs=None,
        news=msgspec.UNSET,
    )


def _with(
    hands: Sequence[tuple[Card | None, ...]], index: int, hand: tuple[Card | None, ...]
) -> tuple[tuple[Card | None, ...], ...]:
    return (*hands[:index], hand, *hands[index + 1 :])
