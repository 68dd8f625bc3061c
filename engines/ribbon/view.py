"""The facts open to everybody, and the view of one viewer.

A `RibbonView` holds nothing that its viewer may not know, so pictures, panels and the computer player can't
show or use it. The functions here read views only.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Literal

import msgspec

from engines.game import BoardChange, Outcome, Seat, fields_of, join_turns
from engines.ribbon.pieces import board as circles
from engines.ribbon.pieces.components import Card, Colour, RibbonOptions

Phase = Literal["choose_ribbon", "choose_hand", "flip", "arrange", "tie_vote", "over"]


class RibbonPublic(msgspec.Struct, kw_only=True):
    """The common fields of state and view. All are immutable, so that both can hold them.

    Seats count from 0, places from 1.

    Attributes:
        seat: the seat whose turn it is; the last one to act when the game is over.
        circle: the card face up at each place, None if it is face down.
        ribbons: the colour each seat owns, None without one.
        out: the seats that are out, first one first.
        swapped, exchanged: True after that step of this turn.
        full_at_start: True if the turn began with all cards face up.
        standing: co-op and solo, the tangles at the start of the turn.
        full_turns: turns ended with a full circle since the last elimination.
        begun: how often the present position has begun a turn with a full circle, this turn included.
        outcome: how the game ended; None during the game and if it was called off.
        lost_by: the tangles that a team lost by.
    """

    options: RibbonOptions
    seats: int
    phase: Phase
    turn: int = 1
    seat: Seat
    circle: tuple[Card | None, ...]
    ribbons: tuple[Colour | None, ...]
    out: tuple[Seat, ...] = ()
    swapped: bool = False
    exchanged: bool = False
    full_at_start: bool = False
    standing: tuple[circles.RibbonTangle, ...] = ()
    full_turns: int = 0
    begun: int = 0
    outcome: Outcome | None = None
    lost_by: tuple[circles.RibbonTangle, ...] = ()

    def public_fields(self) -> dict[str, Any]:
        """Return the public fields by name; lists and dicts as copies."""
        return fields_of(self, RibbonPublic)

    @property
    def remaining(self) -> list[Seat]:
        return [seat for seat in range(self.seats) if seat not in self.out]


Change = Literal["flipped", "swapped", "exchanged"]


class RibbonChanges(msgspec.Struct, frozen=True):
    """The changes of the circle in one turn.

    `flipped` is the place of the card that was turned up, `swap` the first of the two places that changed,
    `exchanged` the place where a hand card was put down.
    """

    flipped: int | None = None
    swap: int | None = None
    exchanged: int | None = None

    def after_swap(self, place: int) -> RibbonChanges:
        """Add a swap. The card that was turned up may move with it."""
        flipped = None if self.flipped is None else circles.place_after_swap(self.flipped, place)
        return RibbonChanges(flipped, place, self.exchanged)

    def after_exchange(self, place: int) -> RibbonChanges:
        """Add an exchange. A card that leaves the circle is no longer marked."""
        return RibbonChanges(None if self.flipped == place else self.flipped, self.swap, place)

    def places(self) -> dict[int, Change]:
        """Return every changed place with its kind of change.

        The last step there counts.

        >>> RibbonChanges(flipped=9).after_swap(9).places()
        {9: 'swapped', 10: 'flipped'}
        """
        result: dict[int, Change] = {}
        if self.swap is not None:
            result = {self.swap: "swapped", circles.after(self.swap): "swapped"}
        if self.flipped is not None:
            result[self.flipped] = "flipped"
        if self.exchanged is not None:
            result[self.exchanged] = "exchanged"
        return result


class RibbonView(RibbonPublic, kw_only=True):
    """A position as one viewer may know it: open facts, and the viewer's own.

    Seats count from 0; places, junctions and the hands named in moves count from 1; `hand_in_use` and
    `next_hand` are indices into `hands`.

    Attributes:
        viewer: the seat that looks; None if it is a spectator or out.
        owes: the seats that owe a move now, each the kind that `phase` names.
        beneath: the face-down cards, open only when the game is over.
        hands: one hand a seat, in solo one a hand; None if the viewer doesn't know a card.
        shown: for each hand the cards that everybody saw on their way into it.
        hand_in_use: the hand that the turn may use, None before a solo hand is chosen.
        next_hand: solo only, the hand of the next turn.
        aside: the cards that hard solo leaves out, None each until the game is over.
        may_offer: True if the seat to act may offer a tie now.
        tangles: every tangle of the circle, owned or not.
        unseen: the cards that the viewer can't place, from public facts alone.
        changes: those of the turn in progress, or of the turn before if there are none.
        differs: the places that differ from an earlier view; None if it isn't compared with one.
        news: the changes since an earlier view by who made them; unset without one.
    """

    viewer: Seat | None
    owes: tuple[Seat, ...]
    beneath: tuple[Card | None, ...]
    hands: tuple[tuple[Card | None, ...], ...]
    shown: tuple[tuple[Card, ...], ...]
    hand_in_use: int | None
    next_hand: int | None
    aside: tuple[Card | None, ...]
    may_offer: bool
    tangles: tuple[circles.RibbonTangle, ...]
    unseen: tuple[Card, ...]
    changes: RibbonChanges
    differs: tuple[int, ...] | None = None
    news: tuple[BoardChange, ...] | msgspec.UnsetType = msgspec.UNSET

    @property
    def shown_changes(self) -> tuple[BoardChange, ...]:
        """The changes that pictures mark, by default of the last turn."""
        if isinstance(self.news, tuple):
            return self.news
        if self.differs is not None:
            return tuple(BoardChange(str(place), "changed") for place in self.differs)
        return tuple(_changes_of(self.changes))

    @property
    def marked(self) -> set[int]:
        return {
            int(place) for one in self.shown_changes for place in (one.place, one.start) if place is not None
        }

    @property
    def mode(self) -> Literal["versus", "coop", "solo"]:
        return self.options.mode

    @property
    def full(self) -> bool:
        """True if every card is face up."""
        return circles.is_full(self.circle)

    @property
    def over(self) -> bool:
        """True if the game has ended or was called off."""
        return self.phase == "over"


def since(view: RibbonView, seen: Sequence[RibbonView]) -> RibbonView:
    """Mark every step since an earlier view where its cards are now."""
    turns: list[list[BoardChange]] = []
    for before, after in pairwise((*seen, view)):
        made = _turn_changes(before, after)
        turns = [[moved for one in turn if (moved := _follow(one, made)) is not None] for turn in turns]
        turns.append(made)
    return msgspec.structs.replace(view, differs=_list_changed(seen[0], view), news=join_turns(turns))


def _list_changed(before: RibbonView, after: RibbonView) -> tuple[int, ...]:
    places = zip(before.circle, after.circle, strict=True)
    return tuple(place for place, (then, now) in enumerate(places, start=1) if now != then)


def _changes_of(changes: RibbonChanges, seat: Seat | None = None) -> list[BoardChange]:
    result = []
    if changes.flipped is not None:
        origin = circles.place_after_swap(changes.flipped, changes.swap)
        start = str(origin) if origin != changes.flipped else None
        result.append(BoardChange(str(changes.flipped), "flipped", seat, start=start))
    if changes.swap is not None:
        result.append(BoardChange(str(changes.swap), "swapped", seat, start=str(circles.after(changes.swap))))
    if changes.exchanged is not None:
        result.append(BoardChange(str(changes.exchanged), "exchanged", seat))
    return result


def _turn_changes(before: RibbonView, after: RibbonView) -> list[BoardChange]:
    if after.circle == before.circle:
        return []
    if not 0 <= after.turn - before.turn <= 1:
        return [BoardChange(str(place), "changed") for place in _list_changed(before, after)]
    return _changes_of(after.changes, before.seat)


def _follow(change: BoardChange, later: Sequence[BoardChange]) -> BoardChange | None:
    """Return a change where later steps have carried its card. None if the card was taken."""
    if change.kind == "swapped":
        return change
    place = change.place
    for step in later:
        if step.kind == "swapped" and place in (step.place, step.start):
            place = step.start if place == step.place and step.start is not None else step.place
        elif step.kind == "exchanged" and place == step.place:
            return None
    start = change.start or (change.place if place != change.place else None)
    return msgspec.structs.replace(change, place=place, start=start)


def owner(view: RibbonView, colour: Colour) -> Seat | None:
    """Return the remaining seat that owns a ribbon. None if nobody does (any more)."""
    return next((seat for seat in view.remaining if view.ribbons[seat] == colour), None)


def tangles_of(view: RibbonView, colour: Colour) -> tuple[circles.RibbonTangle, ...]:
    return tuple(tangle for tangle in view.tangles if tangle.colour == colour)


def matters(view: RibbonView, tangle: circles.RibbonTangle) -> bool:
    """Return True if the tangle endangers anybody who is left."""
    return view.mode != "versus" or owner(view, tangle.colour) is not None


def hand_to_use(view: RibbonView) -> tuple[Card, ...]:
    """Return the known cards of this turn's hand."""
    if view.hand_in_use is None:
        return ()
    return tuple(card for card in view.hands[view.hand_in_use] if card is not None)


def tally(view: RibbonView, end: RibbonView) -> tuple[int | None, ...]:
    """Count the tangles of each seat's ribbon; for a team, all.

    A ribbon that is chosen later counts from the start: `end` is the last view.
    """
    if view.mode != "versus":
        return (len(view.tangles),)
    return tuple(
        None if seat in view.out or colour is None else len(tangles_of(view, colour))
        for seat, colour in enumerate(end.ribbons)
    )
