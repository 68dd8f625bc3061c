"""Ribbon Tangle by ear: places by the clock, ribbons from the rim inwards. Alt texts: `captions`."""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from engines.game import Seat
from engines.marks import capital, to_speech
from engines.ribbon.moves import Exchange, Flip, Move, RibbonSwap
from engines.ribbon.pieces.board import RibbonTangle, after
from engines.ribbon.pieces.components import CARDS, COLOURS, FACES, LIMITS, PLACES, Card, Colour
from engines.ribbon.preview import must_go
from engines.ribbon.view import Phase, RibbonView, tangles_of
from engines.ribbon.words.event_lines import move_name
from engines.ribbon.words.nouns import ENDINGS, group_tangles
from engines.words import (
    Names,
    Part,
    answer,
    count_noun,
    describe_news,
    find_place,
    group_by,
    join_words,
    name_or_you,
    ordinal,
    others_after,
    possessive,
    ranges,
    section,
)

CROSSINGS = {"low": "stays low", "high": "stays high", "rise": "rises", "fall": "falls"}
DEEDS = ("flipped", "swapped", "exchanged")
IN_FEW_WORDS = {"low": "low", "high": "high", "rise": "rising", "fall": "falling"}
PLACE_WORDS = "a place, 1 to 12, or a card, like card K"
MODES = {"versus": "Versus", "coop": "Co-op", "solo": "Solo"}
CHOICES = {
    "blind": "players choose ribbons before they see their hands",
    "after_hand": "players choose ribbons after they see their hands",
    "random": "ribbons are dealt at random",
}
DOING: dict[Phase, str] = {
    "choose_ribbon": "must choose a ribbon",
    "choose_hand": "must choose the hand for turn 1",
    "flip": "must flip a card",
    "arrange": "can swap, exchange or end the turn",
    "tie_vote": "must answer the tie",
    "over": "",
}


def describe_changes(view: RibbonView, names: Names) -> list[str]:
    return [_headline(view, names), *_differences(view, names)]


def _headline(view: RibbonView, names: Names) -> str:
    turn = f"turn {view.turn}, {possessive(names, view.seat, view.viewer)} turn"
    if view.over:
        if view.outcome is None:
            return f"The game was called off on {turn}."
        return f"The game ended on {turn}: {ENDINGS[view.outcome.how].clause}."
    owing = join_words(name_or_you(names, seat, view.viewer) for seat in view.owes)
    if view.owes == (view.seat,):
        turn = f"turn {view.turn}"
    offered = (
        f" that {name_or_you(names, view.seat, view.viewer)} offered" if view.phase == "tie_vote" else ""
    )
    return f"{capital(turn)}: {owing} {DOING[view.phase]}{offered}."


def _differences(view: RibbonView, names: Names) -> list[str]:
    lines = []
    changes = view.changes
    if changes.flipped is not None:
        card = view.circle[changes.flipped - 1]
        lines.append(f"Last flip: {'' if card is None else f'card {card} at '}place {changes.flipped}.")
    if changes.swap is not None:
        lines.append(f"The cards at {changes.swap} and {after(changes.swap)} changed places.")
    if changes.exchanged is not None:
        put = view.circle[changes.exchanged - 1]
        came = "" if put is None else f", where card {put} is now"
        lines.append(f"Last exchange: at place {changes.exchanged}{came}.")
    news = group_by(view.news or (), lambda one: one.kind if one.kind in DEEDS else "changed")
    for deed, made in news.items():
        if deed == "swapped":
            lines += describe_news(made, names, view.viewer, _name_places, deed=deed)
            continue
        # A swap may have carried the card on since.
        there = [replace(one, place=one.start or one.place, start=None) for one in made]
        lines += describe_news(there, names, view.viewer, _name_places, deed=deed)
    return lines


def _name_places(places: Sequence[str]) -> str:
    cards = "the card at place" if len(places) == 1 else "the cards at places"
    return f"{cards} {join_words(sorted(places, key=int))}"


def face(card: Card) -> str:
    """Describe a card with its ribbons from the rim inwards.

    >>> face("K")
    'card K: green stays low, orange stays high and purple falls'
    """
    return f"card {card}: {crossings(card)}"


def crossings(card: Card) -> str:
    """Describe a card's ribbons from the rim inwards."""
    return join_words(f"{colour} {CROSSINGS[FACES[card].crossing(colour)]}" for colour in COLOURS)


def short_face(card: Card) -> str:
    """Describe a card in few words.

    >>> short_face("K")
    'K (green low, orange high, purple falling)'
    """
    lies = (f"{colour} {IN_FEW_WORDS[FACES[card].crossing(colour)]}" for colour in COLOURS)
    return f"{card} ({', '.join(lies)})"


def parts(view: RibbonView, names: Names) -> list[Part]:
    entries = [
        *section("What changed last", describe_changes(view, names)),
        *section("Tangles", _tangles(view, names)),
    ]
    if view.viewer is not None:
        entries += section("You", _player(view, names, view.viewer))
    others = others_after(view.seats, view.viewer)
    entries += section("Players" if view.viewer is None else "The others", _players(view, names, others))
    if view.mode == "solo":
        entries += section("Hands", _solo_hands(view))
    down = [n for n in range(1, PLACES + 1) if view.circle[n - 1] is None and view.beneath[n - 1] is None]
    lines = [_place(view, place) for place in range(1, PLACES + 1) if place not in down]
    entries += section("The circle", lines if not down else [*lines, f"Face down: {_places(down)}."])
    lines = []
    if view.unseen:
        hidden = count_noun(len(view.unseen), "card")
        lines.append(f"You haven't seen {hidden}: {join_words(view.unseen)}.")
    known = [card for card in view.aside if card is not None]
    if view.aside:
        lines.append(
            f"{capital(count_noun(len(view.aside), 'card'))} {_be(len(view.aside))} out of the game."
        )
    entries += section("Cards not seen", [*lines, *(f"Out of the game: {face(card)}." for card in known)])
    return [*entries, *section("This game", _game(view))]


def _junctions(tangles: Iterable[RibbonTangle]) -> str:
    return join_words(f"between {tangle.junction} and {after(tangle.junction)}" for tangle in tangles)


def _tangles(view: RibbonView, names: Names) -> list[str]:
    lines = []
    for colour in COLOURS:
        result = tangles_of(view, colour)
        if result:
            lines.append(
                f"{capital(_ribbon_with_owner(view, names, colour))} is tangled {_junctions(result)}."
            )
    if not lines:
        lines.append("No ribbon is tangled.")
    due = must_go(view)
    if due and not view.over:
        lines.append(f"This turn must clear {_describe_tangles(due)}.")
    if view.lost_by:
        lines.append(f"These tangles lost the game: {_describe_tangles(view.lost_by)}.")
    return lines


def _describe_tangles(tangles: Sequence[RibbonTangle]) -> str:
    return "; ".join(f"{join_words(colours)} {_junctions(ones)}" for colours, ones in group_tangles(tangles))


def _ribbon_with_owner(view: RibbonView, names: Names, colour: Colour) -> str:
    """Name a ribbon, in versus with its owner: "Bo's green ribbon"."""
    if view.mode != "versus":
        return colour
    if colour not in view.ribbons:
        return f"the free {colour} ribbon"
    seat = view.ribbons.index(colour)
    gone = "" if seat in view.remaining else " (out of the game)"
    return f"{possessive(names, seat, view.viewer)} {colour} ribbon{gone}"


def _players(view: RibbonView, names: Names, seats: Iterable[Seat]) -> list[str]:
    return [line for seat in seats for line in _player(view, names, seat)]


def _player(view: RibbonView, names: Names, seat: Seat) -> list[str]:
    mine = seat == view.viewer
    who, has = capital(name_or_you(names, seat, view.viewer)), "have" if mine else "has"
    be = "are" if mine else "is"
    lines = []
    if view.mode == "versus":
        colour = view.ribbons[seat]
        owns = f"{be} {colour}" if colour else f"{has} no ribbon yet"
        lines.append(f"{who} {owns}.")
    if seat in view.out:
        lines.append(f"{who} went out {ordinal(view.out.index(seat) + 1)}.")
    if view.outcome is not None and view.mode == "versus":
        place = view.outcome.places[seat]
        ends = f"{'finish' if mine else 'finishes'} {ordinal(place)}" if place else f"{has} no final place"
        lines.append(f"{who} {ends}.")
    if seat in view.owes and seat == view.seat and view.may_offer:
        lines.append(f"{who} can offer a tie now.")
    if view.mode != "solo":
        lines += _hand(view, seat, f"{who} {has} {count_noun(len(view.hands[seat]), 'card')} in hand")
    return lines


def _hand(view: RibbonView, hand: int, head: str) -> list[str]:
    cards = view.hands[hand]
    known = [card for card in cards if card is not None]
    them = "it" if len(cards) == 1 else "them"
    soon = f"You'll see {them} once everyone has a ribbon"
    unseen = soon if hand == view.viewer else f"You can't see {them}"
    lines = [f"{head}." if known or not cards else f"{head}. {unseen}."]
    for card in known:
        lines.append(
            f"{capital(face(card))}.{' Everyone has seen this card.' if card in view.shown[hand] else ''}"
        )
    if known and len(known) < len(cards):
        lines.append(f"You can't see {len(cards) - len(known)} of these cards.")
    return lines


def _be(count: int) -> str:
    return "is" if count == 1 else "are"


def _solo_hands(view: RibbonView) -> list[str]:
    lines = []
    for hand in range(len(view.hands)):
        facts = ["is in use"] if hand == view.hand_in_use else []
        facts += ["is for the next turn"] if hand == view.next_hand else []
        facts.append(f"has {count_noun(len(view.hands[hand]), 'card')}")
        lines += _hand(view, hand, f"Hand {hand + 1} {join_words(facts)}")
    return lines


def _place(view: RibbonView, place: int) -> str:
    card, beneath = view.circle[place - 1], view.beneath[place - 1]
    if card is None:
        hides = "" if beneath is None else f". It hides {face(beneath)}"
        return f"Place {place} is face down{hides}."
    below = "" if beneath is None else f" Beneath it is {face(beneath)}."
    clashes = [tangle.colour for tangle in view.tangles if tangle.junction == place]
    are = "is" if len(clashes) == 1 else "are"
    between = f"{are} tangled between here and place {after(place)}"
    tangled = f" {capital(join_words(clashes))} {between}." if clashes else ""
    return f"Place {place} has {face(card)}.{tangled}{below}"


def _lower(sentence: str) -> str:
    return sentence[0].lower() + sentence[1:]


def _game(view: RibbonView) -> list[str]:
    options = view.options
    lines = [f"{MODES[view.mode]} for {count_noun(view.seats, 'player')}."]
    if view.mode == "solo":
        lines.append(f"The difficulty is {options.difficulty}.")
    else:
        lines.append(f"{'The host goes' if options.first == 'host' else 'A random player goes'} first.")
    if view.mode == "versus":
        lines.append(f"{capital(CHOICES[options.ribbon_choice])}.")
    down = view.circle.count(None)
    lines.append(
        f"{capital(count_noun(down, 'card'))} {_be(down)} face down." if down else "All cards are face up."
    )
    if view.full_at_start:
        lines.append("All cards were face up when this turn began.")
    if view.swapped or view.exchanged:
        done = ["a swap"] * view.swapped + ["an exchange"] * view.exchanged
        lines.append(f"So far this turn: {join_words(done)}.")
    if view.standing:
        lines.append(f"This turn began with tangles: {_describe_tangles(view.standing)}.")
    if view.full_turns:
        limit = LIMITS.full_turns_versus if view.mode == "versus" else LIMITS.full_turns_coop
        turns = f"{capital(count_noun(view.full_turns, 'turn'))} ended with all cards up"
        lines.append(f"{turns}. The game ends after {limit}.")
    if view.begun:
        lines.append(
            f"{capital(count_noun(view.begun, 'turn'))} began with this position. The third such "
            "turn makes the game a tie."
        )
    return lines


def describe_hand(view: RibbonView, names: Names, seat: Seat) -> list[str]:
    """Describe a seat's hand. In co-op and solo all hands, since they are open."""
    if view.mode == "versus":
        text = f"You have {count_noun(len(view.hands[seat]), 'card')} in hand"
        return _hand(view, seat, text) if any(view.hands[seat]) else []
    return _solo_hands(view) if view.mode == "solo" else _players(view, names, range(view.seats))


def describe_picture(what: str, view: RibbonView, names: Names, _args: Sequence[object]) -> list[str]:
    """Describe a draft's circle; all other pictures show the whole circle."""
    if what != "preview":
        return []
    lines = [*_differences(view, names), *(_place(view, place) for place in view.changes.places())]
    return [f"Preview. {' '.join(lines)}", *_tangles(view, names)]


def places(_view: RibbonView) -> list[str]:
    """Return the twelve places and the eighteen cards."""
    return [*map(str, range(1, PLACES + 1)), *(f"card {card}" for card in CARDS)]


def describe_place(view: RibbonView, names: Names, place: str, moves: Sequence[Move]) -> str:
    asked = place[6:] if place.lower().startswith("place ") else place
    asked = f"card {asked}" if asked.upper() in CARDS else asked
    text = find_place(asked, places(view), PLACE_WORDS)
    if text.isdigit():
        at = int(text)
        before = (at - 2) % PLACES + 1
        there, beyond = _lower(_place(view, before)), _lower(_place(view, after(at)))
        lines = [_place(view, at), f"Just before it, {there}", f"Just after it, {beyond}"]
        return answer([*lines, *_doing(at, moves)])
    return answer([f"{capital(face(text[5:]))}.", *_whereabouts(view, names, text[5:], moves)])


def _doing(place: int, moves: Sequence[Move]) -> list[str]:
    lines, puts = list[str](), list[Card]()
    for move in moves:
        match move:
            case Flip(place=at) if at == place:
                lines.append("You can flip it.")
            case RibbonSwap(place=at) if place in (at, after(at)):
                lines.append(f"You can swap it with place {after(at) if place == at else at}.")
            case Exchange(place=at, card=card) if at == place:
                puts.append(card)
            case _:
                pass
    if puts:
        lines.append(f"You can take it and put down {join_words([f'card {card}' for card in puts], 'or')}.")
    return lines or ["You can't do anything there now."]


def _whereabouts(view: RibbonView, names: Names, card: Card, moves: Sequence[Move]) -> list[str]:
    if card in view.circle:
        place = view.circle.index(card) + 1
        return [f"It's at place {place}.", *_doing(place, moves)]
    for hand, cards in enumerate(view.hands):
        if card in cards:
            seen = " Everyone has seen it." if card in view.shown[hand] else ""
            holder = (
                f"hand {hand + 1}" if view.mode == "solo" else f"{possessive(names, hand, view.viewer)} hand"
            )
            puts = [move.place for move in moves if isinstance(move, Exchange) and move.card == card]
            can = [f"You can put it down at {join_words(map(str, puts), 'or')}."] if puts else []
            return [f"It's in {holder}.{seen}", *can]
    if card in view.beneath:
        return [f"It's face down at place {view.beneath.index(card) + 1}."]
    if card in view.aside:
        return ["It's out of the game."]
    return ["You don't know where it is."]


def describe_moves(view: RibbonView, names: Names, moves: Sequence[Move]) -> str:
    flips = [move.place for move in moves if isinstance(move, Flip)]
    swaps = [move.place for move in moves if isinstance(move, RibbonSwap)]
    places_ = dict.fromkeys(move.place for move in moves if isinstance(move, Exchange))
    cards = dict.fromkeys(move.card for move in moves if isinstance(move, Exchange))
    lines = []
    if flips:
        lines.append(f"You can flip {_places(flips)}.")
    if swaps:
        lines.append(f"You can swap {join_words([f'{at} with {after(at)}' for at in swaps], 'or')}.")
    if cards:
        held = join_words([f"card {card}" for card in cards], "or")
        lines.append(
            f"You can put down {held}, and take the card at place {join_words(map(str, places_), 'or')}."
        )
    others = [move for move in moves if not isinstance(move, Flip | RibbonSwap | Exchange)]
    lines += [f"You can {to_speech(move_name(move, view, names))}." for move in others]
    return answer(lines or ["You can't do anything now."])


def _places(places_: Iterable[int]) -> str:
    numbers = list(places_)
    return f"place {numbers[0]}" if len(numbers) == 1 else f"places {ranges(numbers)}"
