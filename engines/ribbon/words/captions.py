"""Captions on the pictures, and alternative texts for those who can't see them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from engines.game import Seat
from engines.marks import capital
from engines.ribbon.pieces.components import COLOURS, LIMITS, Card
from engines.ribbon.preview import must_go
from engines.ribbon.view import RibbonView, matters, owner
from engines.ribbon.words.board import DOING, describe_changes, short_face
from engines.ribbon.words.nouns import ENDINGS
from engines.words import ALT_LIMIT, alt_text, join_words, opening, plural, ranges, seat_name, short

FULL_TURNS_FROM = 30
"""In versus, the board shows the number of full-circle turns from here on."""
TASKS = {"choose_ribbon": "Choosing ribbons", "choose_hand": "Choosing a hand", "tie_vote": "A tie?"}
"""The headlines of the phases that are nobody's turn."""
ORDINALS = ("1st", "2nd", "3rd")


def title(view: RibbonView, names: Sequence[str]) -> str:
    """Return the headline in the middle of the board.

    It has no turn's number: below the turn that led here it would be another.
    """
    if not view.over:
        return TASKS.get(view.phase) or f"{short(seat_name(names, view.seat))}'s turn"
    if view.outcome is None:
        return "Called off"
    if view.outcome.won is not None:
        return "Untangled!" if view.outcome.won else "Tangled"
    if view.outcome.how != "last_untangled":
        return "A tie"
    return f"{seat_name(names, view.outcome.places.index(1))} wins"


def status(view: RibbonView, seat: Seat) -> str:
    """Return a seat's status in two or three words. Empty for one that waits."""
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
    """A line in the middle of the board, with its sign, and as a sentence of the alt text."""

    text: str
    sign: Literal["", "tangle", "back"] = ""
    sentence: str = ""


def to_do(view: RibbonView) -> list[Caption]:
    """Return the captions below the plates: open tasks, or the result."""
    if view.outcome is not None:
        ending = ENDINGS[view.outcome.how]
        sentence = f"The game ended on turn {view.turn}: {ending.clause}."
        if view.outcome.how == "tangled":
            spots = list(dict.fromkeys(tangle.between for tangle in view.lost_by))
            where = f"The losing {'tangle is' if len(spots) == 1 else 'tangles are'} at {join_words(spots)}."
            return [
                Caption(f"at {', '.join(spots)}", "tangle", where),
                Caption(f"lost on turn {view.turn}", sentence=sentence),
            ]
        return [Caption(f"{ending.short}, turn {view.turn}", sentence=sentence)]
    if view.over:
        return []
    if view.mode == "versus":
        counts = view.full and view.full_turns >= FULL_TURNS_FROM
        return [_full_turns(view, LIMITS.full_turns_versus)] if counts else []
    captions = []
    if view.mode == "solo" and view.hand_in_use is not None and view.next_hand is not None:
        now, later = f"hand {view.hand_in_use + 1}", f"hand {view.next_hand + 1}"
        uses = f"This turn uses {now}. The next turn uses {later}."
        captions.append(Caption(f"{now} now, {later} next", sentence=uses))
    down = view.circle.count(None)
    due = len(must_go(view))
    if down:
        text = f"{plural(down, 'card')} face down"
        captions.append(Caption(text, "back", f"{_there_are(down)} {text}."))
    else:
        captions.append(_full_turns(view, LIMITS.full_turns_coop))
    number = due or len(view.tangles)
    if due or (view.tangles and not view.full):
        text = plural(number, "tangle")
        captions.append(Caption(f"{text} to clear", "tangle", f"Clear {text} this turn."))
    elif view.tangles:
        text = plural(number, "new tangle")
        captions.append(Caption(text, "tangle", f"{_there_are(number)} {text}."))
    return captions


def _there_are(number: int) -> str:
    return "There's" if number == 1 else "There are"


def _full_turns(view: RibbonView, limit: int) -> Caption:
    turns = f"{plural(view.full_turns, 'turn')} (of {limit}) with all cards up"
    return Caption(turns, sentence=f"{turns}.")


def describe_board(view: RibbonView, names: Sequence[str]) -> str:
    """Describe the board, last changes first."""
    headline = f"{title(view, names)}."
    if not view.over and (view.mode != "solo" or view.phase != "arrange"):
        owing = join_words(_short(seat_name(names, seat)) for seat in view.owes)
        is_turn = view.phase == "arrange"
        headline = f"It's {owing}'s turn." if is_turn else f"{capital(owing)} {DOING[view.phase]}."
    sentences = opening(headline, describe_changes(view, names)[1:], over=view.over)
    sentences.append(_tangles(view, names))
    sentences += [caption.sentence for caption in to_do(view)]
    players = []
    for seat in range(view.seats):
        name = _short(seat_name(names, seat))
        if seat in view.out:
            players.append(f"{name} is out.")
        elif view.mode == "versus":
            ribbon = view.ribbons[seat]
            held = [f"the {ribbon} ribbon"] if ribbon else []
            held.append(plural(len(view.hands[seat]), "card"))
            seen = f" (everyone has seen {join_words(view.shown[seat])})" if view.shown[seat] else ""
            players.append(f"{name} has {join_words(held)}{seen}.")
    if view.mode != "versus":
        players += _open_cards(view, names)
    cards = _circle(view)
    if len(" ".join([*sentences, *cards, *players])) > ALT_LIMIT:
        cards = _circle(view, at="")
        if None in view.circle:
            cards[0] = f"Face up: {cards[0]}"
    return alt_text([*sentences, *cards, *players])


def _circle(view: RibbonView, at: str = "At ") -> list[str]:
    """Describe the cards by place; those face down together at the end."""
    up = [f"{at}{place}: {short_face(card)}." for place, card in enumerate(view.circle, start=1) if card]
    down = [place for place, card in enumerate(view.circle, start=1) if card is None]
    if not down:
        return up
    return [*up, f"Face down: {ranges(down)}." if up else "All cards are face down."]


def _short(name: str) -> str:
    return name if len(name) <= 32 else f"{name[:31]}…"


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
                ribbon = f"free {colour}"
                if colour in view.ribbons:
                    lost = view.ribbons.index(colour)
                    ribbon = f"{_short(seat_name(names, lost))}'s {colour}, out of the game,"
            spots = join_words(tangle.between for tangle in entries)
            groups.append(f"{capital(ribbon)} is tangled at {spots}.")
    return " ".join(groups)


def _open_cards(view: RibbonView, names: Sequence[str]) -> list[str]:
    return [_cards(view, names, hand) for hand in range(len(groups(view)))]


def _cards(view: RibbonView, names: Sequence[str], hand: int) -> str:
    """Name the cards of a hand, or those out of the game."""
    cards = groups(view)[hand]
    hidden = cards.count(None)
    entries = [short_face(card) for card in cards if card]
    entries += [plural(hidden, "unknown card")] if hidden else []
    if hand == len(view.hands):
        return f"{join_words(entries)} {'is' if len(cards) == 1 else 'are'} out of the game."
    return f"{capital(hand_name(view, names, hand))} has {join_words(entries) or 'no cards'}."


def groups(view: RibbonView) -> tuple[tuple[Card | None, ...], ...]:
    """Return the open hands, then the known cards set aside."""
    return (*view.hands, view.aside) if any(view.aside) else view.hands


def hand_name(view: RibbonView, names: Sequence[str], hand: int) -> str:
    if hand == len(view.hands):
        return "Out of the game"
    return f"Hand {hand + 1}" if view.mode == "solo" else _short(seat_name(names, hand))


def describe_hand(view: RibbonView, hand: int, names: Sequence[str]) -> str:
    shown = f"Everyone has seen {join_words(view.shown[hand])}." if view.shown[hand] else ""
    return alt_text([_cards(view, names, hand), *([shown] if shown else [])])


def describe_hands(view: RibbonView, names: Sequence[str]) -> str:
    lines = _open_cards(view, names)
    if view.hand_in_use is not None and view.mode == "solo":
        lines.append(f"Hand {view.hand_in_use + 1} is in use.")
    if view.next_hand is not None:
        lines.append(f"Hand {view.next_hand + 1} is next.")
    return alt_text(lines)
