"""Sentences of Ribbon Tangle: events, duties, results, and moves by name."""

import re
from collections.abc import Sequence
from typing import assert_never

import msgspec

from engines.game import Seat
from engines.marks import quote_player, with_icon
from engines.ribbon import moves
from engines.ribbon.pieces.board import RibbonTangle, after
from engines.ribbon.preview import must_go
from engines.ribbon.view import RibbonView, owner, tangles_of
from engines.ribbon.words.nouns import ENDINGS, SWATCH, between, describe_tangles, face_up, player
from engines.words import Names, join_words, plural


def turn_end(view: RibbonView, names: Names, seat: Seat, tangles: Sequence[RibbonTangle]) -> str:
    counts = [
        (other, sum(tangle.colour == view.ribbons[other] for tangle in tangles))
        for other in range(view.seats)
        if other != seat and other not in view.out
    ]
    texts = [
        f"{player(view, names, other)} has {plural(count, 'tangle')}" for other, count in counts if count
    ]
    left = join_words([*texts[:1], *(re.sub(" tangles?$", "", text) for text in texts[1:])])
    if view.mode == "versus" and left:
        return f"↳ {left}."
    text = "" if view.mode == "versus" else describe_tangles(tangles)
    return f"↳ Tangles: {text}." if text else "↳ No tangles."


def event_line(event: moves.Event, view: RibbonView, names: Names) -> str | None:
    def who(seat: Seat) -> str:
        return player(view, names, seat)

    match event:
        case moves.RibbonChosen(seat=seat, colour=colour):
            return f"{who(seat)} takes {SWATCH[colour]} {colour}."
        case moves.HandChosen(hand=hand):
            return f"{who(0)} begins with hand {hand}."
        case moves.Flipped(seat=seat, place=place, card=card):
            return f"{who(seat)} flips {face_up(card)} at {place}."
        case moves.RibbonSwapped(seat=seat, place=place):
            return f"{who(seat)} swaps {place} with {after(place)}."
        case moves.Exchanged(seat=seat, place=place, put=put, taken=taken):
            return f"{who(seat)} puts {face_up(put)} in place of {face_up(taken)} at {place}."
        case moves.CircleFull():
            return "All 12 cards are up."
        case moves.RibbonTurnEnded(seat=seat, tangles=tangles):
            return turn_end(view, names, seat, tangles)
        case moves.RibbonResigned(seat=seat):
            return f"{who(seat)} leaves the game."
        case moves.RibbonEliminated(seat=seat, tangles=tangles):
            why = f": {tangles[0].colour} is tangled {between(tangles)}" if tangles else ""
            return f"**{with_icon('ribbon_tangle', quote_player(names, seat))} is out**{why}."
        case moves.CardsDealt(giver=giver, receivers=receivers):
            to = " and ".join(who(seat) for seat in receivers)
            return f"{to} each get 1 of {who(giver)}'s cards."
        case moves.CardReceived(card=card):
            return f"You get the card {face_up(card)}."
        case moves.TieOffered(seat=seat):
            return f"{who(seat)} offers a tie."
        case moves.TieAnswered(seat=seat, accept=accept):
            return f"{who(seat)} says {'yes' if accept else 'no'}."
        case moves.Finished():
            return None  # the result has its own line
        case _:
            assert_never(event)


def before(view: RibbonView, event: moves.Event) -> RibbonView:
    """Keep a player in whom the event takes out, for earlier lines."""
    match event:
        case moves.RibbonEliminated(seat=seat) | moves.RibbonResigned(seat=seat):
            return msgspec.structs.replace(view, out=tuple(one for one in view.out if one != seat))
        case _:
            return view


def duty(view: RibbonView, seat: Seat) -> str:
    match view.phase:
        case "choose_ribbon":
            return "choose your ribbon"
        case "choose_hand":
            return "choose the hand that you use on turn 1"
        case "flip" if view.turn == 1:
            return "flip the first card"
        case "flip":
            return f"flip a card, then {at_stake(view, seat) or 'swap and exchange if you like'}"
        case "arrange":
            return at_stake(view, seat) or "swap and exchange if you like, then end your turn"
        case "tie_vote":
            return "say yes or no to the tie"
        case "over":
            return "nothing more"


def at_stake(view: RibbonView, seat: Seat) -> str:
    """Return the coming penalty for tangles; empty if all is clean."""
    if view.mode == "versus":
        colour = view.ribbons[seat]
        own = () if colour is None else tangles_of(view, colour)
        return f"untangle {colour} {between(own)} this turn, or you're out" if own else ""
    danger = must_go(view) if view.full else view.tangles
    whose = "you lose" if view.mode == "solo" else "the team loses"
    return f"untangle {describe_tangles(danger)} this turn, or {whose}" if danger else ""


def risk_text(view: RibbonView, seat: Seat) -> str:
    if at_stake(view, seat):
        return "would add a tangle"
    return "would tangle you" if view.mode == "versus" else "would tangle a ribbon"


def result(view: RibbonView, names: Names) -> str:
    outcome = view.outcome
    if outcome is None:
        return "The table closed without a result."
    others = [player(view, names, seat) for seat in view.out]
    return ENDINGS[outcome.how].sentence.format(
        winners=" and ".join(
            player(view, names, seat) for seat, place in enumerate(outcome.places) if place == 1
        ),
        are_out=f"{join_words(others)} {'is' if len(others) == 1 else 'are'} out",
        loses="You lose" if view.mode == "solo" else "The team loses",
        tangles=describe_tangles(view.lost_by, "tangled "),
    )


def preview(view: RibbonView, names: Names, me: Seat) -> str:
    """Return a draft's effect, with every remaining seat by name."""
    if view.mode != "versus":
        if view.full and not view.tangles:
            return "wins"
        stuck = sum(tangle in view.standing for tangle in view.tangles) if view.full else len(view.tangles)
        if not view.tangles:
            return "no tangles"
        tangles = plural(len(view.tangles), "tangle")
        if not stuck:
            return f"leaves {tangles}, which is safe"
        which = "which" if stuck == len(view.tangles) else f"{stuck} of which"
        return f"leaves {tangles}, {which} you must clear"
    parts = []
    for seat in range(view.seats):
        colour = view.ribbons[seat]
        if seat in view.out or colour is None or owner(view, colour) is None:
            continue
        who = "you" if seat == me else quote_player(names, seat)
        parts.append(f"{who} {len(tangles_of(view, colour))}")
    return "tangles: " + ", ".join(parts)


def move_name(move: moves.Move, view: RibbonView, _names: Names) -> str:
    def at(place: int) -> str:
        card = view.circle[place - 1]
        return "?" if card is None else face_up(card)

    match move:
        case moves.ChooseRibbon(colour):
            return f"take {with_icon(f'ribbon_{colour}', colour)}"
        case moves.ChooseHand(hand):
            return f"begin with hand {hand}"
        case moves.Flip(place):
            return f"flip {place}"
        case moves.RibbonSwap(place):
            return f"swap {place} and {after(place)}: {at(place)} and {at(after(place))}"
        case moves.Exchange(place, card):
            return f"put {face_up(card)} at {place} and take {at(place)}"
        case moves.RibbonEndTurn():
            return "end the turn"
        case moves.OfferTie():
            return "offer a tie"
        case moves.AnswerTie(accept):
            return f"say {'yes' if accept else 'no'} to the tie"
        case _:
            assert_never(move)


def unseen_name(move: moves.Move) -> str:
    """Return what a move would be without the cards in it."""
    return "exchange a card" if isinstance(move, moves.Exchange) else ""
