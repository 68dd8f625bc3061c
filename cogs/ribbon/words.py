"""What Ribbon Tangle says to its players. Colours stand in words, junctions as the places they join."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from cogs.app import named
from engines.game import Seat
from engines.ribbon import events
from engines.ribbon.circle import Tangle, after
from engines.ribbon.view import View, owner, tangles_of

SWATCH = {"green": "🟢", "orange": "🟠", "purple": "🟣"}
Names = Sequence[str]


def between(tangles: Sequence[Tangle]) -> str:
    """The junctions of some tangles: "4-5, 9-10"."""
    return ", ".join(dict.fromkeys(tangle.between for tangle in tangles))


def described(tangles: Sequence[Tangle]) -> str:
    """Tangles of several colours: "orange at 4-5, green at 7-8"."""
    colours = dict.fromkeys(tangle.colour for tangle in tangles)
    return ", ".join(
        f"{colour} at {between([tangle for tangle in tangles if tangle.colour == colour])}"
        for colour in colours
    )


def turn_end(view: View, names: Names, seat: Seat, tangles: Sequence[Tangle]) -> str:
    """A turn's end, and how the others stand then."""
    who = named(names, seat)
    if view.mode != "versus":
        return f"{who} ends the turn{f'; tangled: {described(tangles)}' if tangles else ''}."
    counts = [
        (other, sum(tangle.colour == view.ribbons[other] for tangle in tangles))
        for other in range(view.seats)
        if other != seat and other not in view.out
    ]
    told = ", ".join(f"{named(names, other)} {count}" for other, count in counts if count)
    return f"{who} ends clean{f'; tangles: {told}' if told else ''}."


def event_line(event: events.Event, view: View, names: Names) -> str | None:
    """One event as a sentence."""
    match event:
        case events.RibbonChosen(seat=seat, colour=colour):
            return f"{named(names, seat)} takes {SWATCH[colour]} {colour}."
        case events.HandChosen(hand=hand):
            return f"{named(names, 0)} begins with hand {hand}."
        case events.Flipped(seat=seat, place=place, card=card):
            return f"{named(names, seat)} flips {place}: card {card}."
        case events.Swapped(seat=seat, place=place):
            return f"{named(names, seat)} swaps {place} and {after(place)}."
        case events.Exchanged(seat=seat, place=place, put=put, taken=taken):
            return f"{named(names, seat)} plays {put} at {place}, takes {taken}."
        case events.CircleFull():
            return "All twelve cards are up."
        case events.TurnEnded(seat=seat, tangles=tangles):
            return turn_end(view, names, seat, tangles)
        case events.Resigned(seat=seat):
            return f"{named(names, seat)} leaves the game."
        case events.Eliminated(seat=seat, tangles=tangles):
            who = named(names, seat)
            told = f"{who}'s {tangles[0].colour} is tangled at {between(tangles)}: " if tangles else ""
            return f"{told}**{who} is out.**"
        case events.CardsDealt(giver=giver, receivers=receivers):
            to = " and ".join(named(names, seat) for seat in receivers)
            return f"{named(names, giver)}'s cards go to {to}, one each."
        case events.CardReceived(card=card):
            return f"You get card {card}."
        case events.TieOffered(seat=seat):
            return f"{named(names, seat)} offers a tie."
        case events.TieAnswered(seat=seat, accept=accept):
            return f"{named(names, seat)} says {'yes' if accept else 'no'}."
        case events.Finished():
            return None  # the result is told in its own line
        case _:
            assert_never(event)


def duty(view: View, seat: Seat) -> str:
    """What a seat owes."""
    match view.phase:
        case "choose_ribbon":
            return "choose your ribbon"
        case "choose_hand":
            return "choose the hand to begin with"
        case "flip" if view.turn == 1:
            return "flip the first card"
        case "flip":
            return "flip a card, then swap and exchange if you like"
        case "arrange":
            return "swap and exchange if you like, then end your turn"
        case "tie_vote":
            return "say yes or no to the tie"
        case "over":
            return "nothing more"


def result(view: View, names: Names) -> str:
    """How the game ended."""
    outcome = view.outcome
    if outcome is None:
        return "The table was called off."
    match outcome.how:
        case "last_untangled":
            winner = next(seat for seat, place in enumerate(outcome.places) if place == 1)
            return f"{named(names, winner)} is the last one untangled: {named(names, winner)} wins!"
        case "tie_agreed":
            return f"A tie, as agreed, between {_shared(view, names)}."
        case "tie_repetition":
            return f"The same position for the third time: a tie between {_shared(view, names)}."
        case "tie_limit":
            return f"Nobody got the better of the others in time: a tie between {_shared(view, names)}."
        case "untangled":
            return "The ribbons are untangled: you win!"
        case "tangled":
            return f"Tangled, {described(view.lost_by)}: the ribbons win this time."
        case "limit":
            return "Too many turns with a full circle: the ribbons win this time."
        case _:
            return "The game was given up: the ribbons win this time."


def _shared(view: View, names: Names) -> str:
    places = view.outcome.places if view.outcome is not None else ()
    return " and ".join(named(names, seat) for seat, place in enumerate(places) if place == 1)


def prospect(view: View, names: Names, me: Seat) -> str:
    """What a drafted position means, in a few words, every remaining seat named."""
    if view.mode != "versus":
        if view.full and not view.tangles:
            return "wins"
        stuck = sum(tangle in view.standing for tangle in view.tangles) if view.full else len(view.tangles)
        if not view.tangles:
            return "no tangles"
        return f"tangles left: {len(view.tangles)}, must go: {stuck}"
    parts = []
    for seat in range(view.seats):
        colour = view.ribbons[seat]
        if seat in view.out or colour is None or owner(view, colour) is None:
            continue
        who = "you" if seat == me else names[seat]
        parts.append(f"{who} {len(tangles_of(view, colour))}")
    return "tangles: " + ", ".join(parts)
