"""Captions on the pictures, and alternative texts for those who can't see them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from engines.captions import alt_text, opening, seat_name
from engines.game import Seat
from engines.ribbon.pieces.components import COLOURS, LIMITS, Card
from engines.ribbon.preview import must_go
from engines.ribbon.view import RibbonView, matters, owner
from engines.ribbon.words.board import describe_changes, short_face
from engines.words import capital, join_words, plural, ranges

FULL_TURNS_FROM = 30
"""In versus, the board shows the number of full-circle turns from here on."""
ORDINALS = ("1st", "2nd", "3rd")


def title(view: RibbonView, names: Sequence[str]) -> str:
    """Return the headline in the middle of the board."""
    if not view.over:
        return f"Turn {view.turn}"
    if view.outcome is None:
        return "Called off"
    if view.outcome.won is not None:
        return "Untangled!" if view.outcome.won else "Tangled"
    if view.outcome.how != "last_untangled":
        return "A tie"
    return f"{seat_name(names, view.outcome.places.index(1))} wins"


def status(view: RibbonView, seat: Seat) -> str:
    """Return a seat's status in two or three words.

    Empty for one that waits.
    """
    if view.outcome is not None and view.mode == "versus":
        place = view.outcome.places[seat]
        if place == 1:
            return "winner" if view.outcome.how == "last_untangled" else "shares the win"
        return f"out {ORDINALS[view.out.index(seat)]}" if seat in view.out else ""
    if seat in view.out:
        return f"out {ORDINALS[view.out.index(seat)]}"
    if seat in view.owes:
        return {"choose_ribbon": "to choose", "choose_hand": "to choose", "tie_vote": "to answer"}.get(
            view.phase, "to move"
        )
    if view.phase == "tie_vote":
        return "offers a tie" if seat == view.seat else "said yes"
    return ""


@dataclass(frozen=True, slots=True)
class Caption:
    """A line in the middle of the board, with its sign."""

    text: str
    sign: Literal["", "tangle", "back"] = ""


def to_do(view: RibbonView) -> list[Caption]:
    """Return the captions below the plates: open tasks, or the result."""
    if view.outcome is not None:
        return _ending(view)
    if view.over:
        return []
    if view.mode == "versus":
        counts = view.full and view.full_turns >= FULL_TURNS_FROM
        return [_full_turns(view, LIMITS.full_turns_versus)] if counts else []
    captions = []
    if view.mode == "solo" and view.hand_in_use is not None and view.next_hand is not None:
        captions.append(Caption(f"hand {view.hand_in_use + 1} now, hand {view.next_hand + 1} next"))
    down = view.circle.count(None)
    due = len(must_go(view))
    if down:
        captions.append(Caption(f"{plural(down, 'card')} face down", "back"))
    else:
        captions.append(_full_turns(view, LIMITS.full_turns_coop))
    if due:
        captions.append(Caption(f"{plural(due, 'tangle')} to clear this turn", "tangle"))
    elif view.tangles and not view.full:
        captions.append(Caption(f"{plural(len(view.tangles), 'tangle')} to clear this turn", "tangle"))
    elif view.tangles:
        captions.append(Caption(f"{plural(len(view.tangles), 'new tangle')}", "tangle"))
    return captions


def _full_turns(view: RibbonView, limit: int) -> Caption:
    return Caption(f"{view.full_turns} of {limit} turns with all cards up")


def _ending(view: RibbonView) -> list[Caption]:
    assert view.outcome is not None
    if view.outcome.how == "tangled":
        spots = ", ".join(dict.fromkeys(tangle.between for tangle in view.lost_by))
        return [Caption(f"at {spots}", "tangle"), Caption(f"lost on turn {view.turn}")]
    endings = {
        "last_untangled": "only one player is left",
        "tie_agreed": "agreed by all",
        "tie_repetition": "same position 3 times",
        "tie_limit": f"{LIMITS.full_turns_versus} turns with a full circle",
        "untangled": "all 12 cards up, no tangle",
        "limit": f"{LIMITS.full_turns_coop} turns with a full circle",
        "resigned": "a player left",
    }
    return [Caption(f"{endings[view.outcome.how]}, turn {view.turn}")]


def describe_board(view: RibbonView, names: Sequence[str]) -> str:
    """Describe the board, last changes first."""
    headline = f"{title(view, names)}. {_whose_turn(view, names)}".strip()
    sentences = opening(headline, describe_changes(view, names)[1:], over=view.over)
    sentences.append(_tangles(view, names))
    sentences += [f"{caption.text[:1].upper()}{caption.text[1:]}." for caption in to_do(view)]
    sentences += _circle(view)
    sentences += _players(view, names)
    return alt_text(sentences)


def _circle(view: RibbonView) -> list[str]:
    """Describe the cards by place; those face down together at the end."""
    up = [f"At {place}: {short_face(card)}." for place, card in enumerate(view.circle, start=1) if card]
    down = [place for place, card in enumerate(view.circle, start=1) if card is None]
    if not down:
        return up
    return [*up, f"Face down: {ranges(down)}." if up else "All cards are face down."]


def _short(name: str) -> str:
    return name if len(name) <= 32 else f"{name[:31]}…"


def _whose_turn(view: RibbonView, names: Sequence[str]) -> str:
    if view.over:
        return ""
    doing = [(_short(seat_name(names, seat)), status(view, seat)) for seat in view.owes]
    return " ".join(f"{capital(name)} {what}." for name, what in doing)


def _tangles(view: RibbonView, names: Sequence[str]) -> str:
    if not view.tangles:
        return "No tangles."
    groups = []
    for colour in COLOURS:
        entries = [tangle for tangle in view.tangles if tangle.colour == colour]
        if entries:
            seat = owner(view, colour) if view.mode == "versus" else None
            ribbon = colour if seat is None else f"{_short(seat_name(names, seat))}'s {colour}"
            if not matters(view, entries[0]):
                ribbon = f"{colour}, which is nobody's,"
            spots = join_words(tangle.between for tangle in entries)
            groups.append(f"{capital(ribbon)} is tangled at {spots}.")
    return " ".join(groups)


def _players(view: RibbonView, names: Sequence[str]) -> list[str]:
    sentences = []
    for seat in range(view.seats):
        name = _short(seat_name(names, seat))
        if seat in view.out:
            sentences.append(f"{name} is out.")
        elif view.mode == "versus":
            ribbon = view.ribbons[seat]
            held = [f"the {ribbon} ribbon"] if ribbon else []
            held.append(plural(len(view.hands[seat]), "card"))
            seen = f"; everyone has seen {join_words(view.shown[seat])}" if view.shown[seat] else ""
            sentences.append(f"{name} has {join_words(held)}{seen}.")
    if view.mode != "versus":
        sentences += _open_cards(view, names)
    return sentences


def _open_cards(view: RibbonView, names: Sequence[str]) -> list[str]:
    return [f"{hand_name(view, names, hand)}: {_cards(cards)}." for hand, cards in enumerate(groups(view))]


def _cards(cards: Sequence[Card | None]) -> str:
    return "; ".join(short_face(card) if card else "unknown" for card in cards) or "none"


def groups(view: RibbonView) -> tuple[tuple[Card | None, ...], ...]:
    """Return the open hands, then the known cards set aside."""
    return (*view.hands, view.aside) if any(view.aside) else view.hands


def hand_name(view: RibbonView, names: Sequence[str], hand: int) -> str:
    """Name a group of cards by its player or number."""
    if hand == len(view.hands):
        return "Out of the game"
    return f"Hand {hand + 1}" if view.mode == "solo" else _short(seat_name(names, hand))


def describe_hand(view: RibbonView, hand: int, names: Sequence[str]) -> str:
    whose = hand_name(view, names, hand)
    shown = f"Everyone has seen {join_words(view.shown[hand])}." if view.shown[hand] else ""
    cards = f"{_cards(view.hands[hand])}."
    return alt_text([f"{whose}:", cards, *([shown] if shown else [])])


def describe_hands(view: RibbonView, names: Sequence[str]) -> str:
    lines = _open_cards(view, names)
    if view.hand_in_use is not None and view.mode == "solo":
        lines.append(f"In use: hand {view.hand_in_use + 1}.")
    if view.next_hand is not None:
        lines.append(f"Next: hand {view.next_hand + 1}.")
    return alt_text(lines)
