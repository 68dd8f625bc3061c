"""Moves of Tangle by name."""

from typing import assert_never

from engines.tangle import decisions, moves
from engines.tangle.pieces.amounts import NOTHING
from engines.tangle.preview import rest_of_bill
from engines.tangle.view import TangleView
from engines.tangle.words.nouns import amount, card, cost, item, place, resource, seed, steps
from engines.words import Names, player_with_sign


def move_name(move: moves.Move, view: TangleView, names: Names) -> str:
    """Return a legal move's name; see `engines.words.MoveNames`."""
    match move:
        case moves.TanglePlace(start, to):
            return f"move a root from {start} to {place(view, to)}"
        case moves.PayRest():
            return "keep all that is left"
        case moves.DropRest():
            return f"drop all that is left{_savings(view, every=True)}"
        case moves.Pay(what):
            return f"keep {item(what)}"
        case moves.Drop(what):
            return f"drop {item(what)}{_savings(view)}"
        case moves.ChangeUpkeep():
            paid = view.decision.paid if isinstance(view.decision, decisions.Placing) else None
            return f"change upkeep: take back {amount(NOTHING if paid is None else paid.price)}"
        case moves.PayToll(to, pay):
            return f"pay {player_with_sign(names, to)} {amount(pay)}"
        case moves.Cast(what):
            return f"cast {card(what)}"
        case moves.Steps(by):
            return f"push the trackers: {steps(by)}"
        case moves.Lower(by):
            return f"lower the trackers: {steps(by)}"
        case moves.TakeRow(slot):
            return f"take {card(view.row[slot])} from the row"
        case moves.TakePile():
            return "take an unseen card from the pile"
        case moves.Trade(wanted):
            return f"change 1 {resource('M')} into 1 {resource(wanted)}"
        case moves.Buy(wanted):
            return f"buy a {seed(wanted)}"
        case moves.Choose(gain):
            return f"gain {amount(gain)}"
        case moves.TangleDone():
            return "stop here"
        case moves.TanglePlant(planted, area):
            return f"plant a {seed(planted)} on {area}"
        case moves.TangleSwap(a, b):
            return f"swap {a} and {b}"
        case moves.Recall(start, to):
            return f"bring a root from {place(view, start)} home to {to}"
        case moves.Offer(area, _, source, what) if what is not None:
            return f"offer {area} for {card(what)} from the {'discards' if source == 'discard' else 'hand'}"
        case moves.Offer(area, wanted):
            return f"offer {area}" if wanted is None else f"offer {area} for 1 {resource(wanted)}"
        case moves.Takeover(area, pay):
            return f"take over {area}" if pay is None else f"take over {area}, giving {amount(pay)}"
        case moves.Earth(area):
            return f"lay clean earth on {area}"
        case moves.Lake(area):
            return f"lay a lake on {area}"
        case moves.Meadow(area):
            return f"lay a meadow on {area}"
        case moves.Grow(area):
            return f"grow {area}"
        case moves.Sprout(area):
            return f"lay a sapling on {area}"
        case moves.Hedge(area):
            return f"put a bush seed on {area}"
        case moves.Drain(area):
            return f"take from {area}"
        case _:
            assert_never(move)


def unseen_name(move: moves.Move) -> str:
    """Return what a move would be without the card in it."""
    match move:
        case moves.Cast():
            return "cast a card"
        case moves.Offer(area):
            return f"offer {area}"
        case _:
            return ""


def _savings(view: TangleView, *, every: bool = False) -> str:
    """Return the viewer's savings by dropping: ", saving 1 W".

    Dropping one saves nothing while they can't pay for all.
    """
    due, seat = view.decision, view.viewer
    if not isinstance(due, decisions.Upkeep) or seat is None:
        return ""
    rest = rest_of_bill(view, seat, due)
    saved = min(rest.owed, rest.held) if every else int(rest.owed > 0 and not rest.lost)
    return f", saving {cost(due.track, saved)}" if saved > 0 else ""
