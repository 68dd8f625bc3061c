"""Moves of Tangle by name, as people type them."""

from __future__ import annotations

from typing import assert_never

from engines.tangle import moves
from engines.tangle.view import TangleView
from engines.tangle.words.nouns import amount, card, item, resource, seed, steps
from engines.words import Names, player_with_sign


def choice(move: moves.Move, view: TangleView, names: Names) -> str:
    """Return a move as it can be typed."""
    match move:
        case moves.TanglePlace(start, to):
            return f"{start} to {to}"
        case moves.PayRest():
            return "keep all"
        case moves.DropRest():
            return "drop all"
        case moves.Pay(what):
            return f"keep {item(what)}"
        case moves.Drop(what):
            return f"drop {item(what)}"
        case moves.PayToll(to, pay):
            return f"pay {player_with_sign(names, to)} {amount(pay)}"
        case moves.Cast(what):
            return f"cast {card(what)}"
        case moves.Steps(by):
            return f"push {steps(by)}"
        case moves.Lower(by):
            return f"lower {steps(by)}"
        case moves.TakeRow(slot):
            return f"take {card(view.row[slot])}"
        case moves.TakePile():
            return "take from the pile"
        case moves.Trade(wanted):
            return f"change 1 {resource('M')} into 1 {resource(wanted)}"
        case moves.Buy(wanted):
            return f"buy a {seed(wanted)}"
        case moves.Choose(gain):
            return f"gain {amount(gain)}"
        case moves.TangleDone():
            return "done"
        case moves.TanglePlant(planted, area):
            return f"plant {planted} {area}"
        case moves.TangleSwap(a, b):
            return f"swap {a} {b}"
        case moves.Recall(start, to):
            return f"recall {start} to {to}"
        case moves.Offer(area, wanted, source, what):
            if what is not None:
                return f"offer {area} for {card(what)} ({source})"
            return f"offer {area}" if wanted is None else f"offer {area} for 1 {resource(wanted)}"
        case moves.Takeover(area, pay):
            return f"take over {area}" if pay is None else f"take over {area}, giving {amount(pay)}"
        case (
            moves.Earth(area)
            | moves.Lake(area)
            | moves.Meadow(area)
            | moves.Grow(area)
            | moves.Sprout(area)
            | moves.Hedge(area)
            | moves.Drain(area)
        ):
            return f"{type(move).__name__.lower()} {area}"
        case _:
            assert_never(move)
