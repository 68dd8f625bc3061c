"""The computer players: each decides from its own view alone, one move at a time.

The strong one tries every placement on a copy of what it sees, does by rules of thumb what its space asks,
and takes what is worth most; the weak one does so too, but misjudges what that is.
"""

from __future__ import annotations

from random import Random

from engines.game import Seat, Strength
from engines.tangle import matters, moves, upkeep
from engines.tangle.agenda import carry_out, settle
from engines.tangle.amounts import RESOURCES
from engines.tangle.data import PAID_IN
from engines.tangle.legal import choices
from engines.tangle.moves import Move
from engines.tangle.plan import holdings, plans
from engines.tangle.quotes import quote
from engines.tangle.sight import imagined
from engines.tangle.state import State, desk
from engines.tangle.thumbs import decide
from engines.tangle.view import View
from engines.tangle.worth import value

MISJUDGED = 4.0
"""By up to so many rounds the weak player thinks better of a placement than it is."""

_TOO_LONG = 60
"""So many decisions at most are thought ahead in one placement."""

_CARD_WANTED = 1.25
"""What it is worth to have one card more before one, while the plan wants cards."""

_PRICE = 0.2
"""What a resource paid for upkeep is worth."""


def choose(view: View, seat: Seat, rng: Random, strength: Strength) -> Move:
    """A legal move for a seat that owes one. Rules: Computer players."""
    legal = choices(view)
    if view.viewer != seat or view.matter is None or not legal:
        raise ValueError("this seat owes no move")
    state = imagined(view, rng)
    misjudged = MISJUDGED if strength is Strength.WEAK else 0.0
    match view.matter:
        case matters.Placing():
            return max(legal, key=lambda move: after(state, move) + misjudged * rng.random())
        case matters.Casting():
            return _cast(state, legal)
        case matters.Upkeep():
            return _upkeep(state, seat, legal)
        case _:
            return decide(desk(state, seat), view.matter, state.conditions[seat])


def after(state: State, move: Move) -> float:
    """What a placement or a card is worth to the seat to act, with all that follows by rules of thumb."""
    trial = state.copied()
    seat, matter = trial.seat, trial.agenda[-1]
    carry_out(trial, matter, move, quote(desk(trial, seat), matter, move))
    following = (matter for matter in trial.agenda if not isinstance(matter, matters.Casting))
    trial.agenda = [matters.Placing(), *following]
    for _ in range(_TOO_LONG):
        settle(trial)
        asked = trial.agenda[-1]
        if isinstance(asked, matters.Placing):
            return value(desk(trial, seat), trial.conditions[seat], extra=trial.extra + asked.extra)
        looks = desk(trial, seat)
        chosen = decide(looks, asked, trial.conditions[seat])
        carry_out(trial, asked, chosen, quote(looks, asked, chosen))
    return value(desk(trial, seat), trial.conditions[seat])


def _cast(state: State, legal: list[Move]) -> Move:
    """The card that gains most, if it gains anything."""
    seat = state.seat
    looks = desk(state, seat)
    wanted = _CARD_WANTED if plans(state.conditions[seat], holdings(looks))[0].cards else 0.0
    now = value(looks, state.conditions[seat])

    def gain(move: Move) -> float:
        return 0.0 if isinstance(move, moves.Done) else after(state, move) + wanted - now

    return max(legal, key=gain)


def _upkeep(state: State, seat: Seat, legal: list[Move]) -> Move:
    """Keep what the plan needs, as far as it can be paid for, and drop what is worth less than its price."""
    matter = state.agenda[-1]
    assert isinstance(matter, matters.Upkeep)
    items, free = matter.items[seat], matter.free[seat]
    now = value(desk(state, seat), state.conditions[seat])
    losses = {item: now - _without(state, seat, item) for item in items}
    payable = free + state.players[seat].stash[RESOURCES.index(PAID_IN[matter.track])]
    dear = sorted(items, key=lambda item: -losses[item])
    kept = [item for number, item in enumerate(dear) if losses[item] > (_PRICE if number >= free else 0.0)]
    if len(kept[:payable]) == len(items):
        return moves.PayRest()
    return moves.Drop(dear[-1]) if kept[:payable] and len(items) > 1 else moves.DropRest()


def _without(state: State, seat: Seat, item: str) -> float:
    """What the position is worth to a seat that has lost an item of its upkeep."""
    trial = state.copied()
    upkeep.lose(trial, seat, (item,))
    return value(desk(trial, seat), trial.conditions[seat])
