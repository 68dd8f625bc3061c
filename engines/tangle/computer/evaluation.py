"""The value of a position to a seat, in rounds, as the computer sees it. Rules: Computer players."""

from functools import cache

from engines.game import Seat
from engines.tangle.computer.plans import ConditionPlan, holdings, plans
from engines.tangle.legal.context import Context
from engines.tangle.pieces.amounts import size
from engines.tangle.pieces.card_language import (
    AnyHook,
    Cheaper,
    EventName,
    FreeUpkeep,
    Gain,
    Grip,
    Leap,
    MeadowCap,
    Priced,
    Slow,
    When,
)
from engines.tangle.pieces.components import CARDS, CardId, ConditionId

COMPLETE = 50.0
"""Value of a fulfilled condition."""

_SECOND, _THIRD = 0.12, 0.05
"""Weight of the second and the third plan's time, relative to the best."""

_SURPLUS, _SURPLUS_MOST = 0.1, 3
"""Value of a resource beyond the best plan's needs, and the most that count of a type."""

_LASTING, _LASTING_TIME, _LASTING_MOST = 0.5, 12.0, 1.2
"""A lasting card's share of its worth in that many rounds, and the most for more rounds."""

_CUBE, _CUBES_MOST = 0.12, 5
"""Value of a cube on an own tile, and the most that count on a tile."""

_AT_HOME, _ROOT = 0.45, 0.25
"""Value of a root at home while there are cards to cast, and of any root on the board."""

_CORNER = {"earth": 0.03, "bush": 0.07, "meadow": 0.07}
"""Value of each space that a tile touches."""

_SHELTER = 0.12
"""Value of a lake beside a bush or a meadow."""

_EXTRA = 1.0
"""Value of an extra placement to come."""

_OTHERS = 0.05
"""Weight of a resource in an opponent's stash, which counts against the position."""

_RESOURCE, _DRAW, _SEED = 0.34, 0.55, 1.0
"""Value to a card of one resource, one card drawn, one seed."""

_HAPPENS: dict[EventName, float] = {
    "take": 4.0,
    "home": 2.5,
    "cover": 1.2,
    "covered": 1.2,
    "bush_seed": 1.0,
    "tree_seed": 1.0,
    "lore": 1.5,
    "earth": 6.0,
    "meadow": 2.0,
    "lake": 1.5,
    "sapling": 1.5,
    "bush": 1.5,
    "tree": 1.2,
    "grow": 4.0,
    "harvest": 3.0,
    "cast": 5.0,
}
"""Expected number of times an event happens to a seat in the second half of a game."""

_USED: dict[Priced, float] = {"earth": 5.0, "meadow": 2.5, "grow": 2.5, "cast": 4.0, "toll": 1.2}
"""Expected uses of a discount in that time."""


def value(context: Context, conditions: tuple[ConditionId, ...], *, extra: int = 0) -> float:
    """Evaluate a position for a seat with these conditions."""
    held = holdings(context)
    ahead = plans(conditions, held)
    best = ahead[0]
    return (
        (COMPLETE if not best.time else 0.0)
        - best.time
        - sum(share * plan.time for share, plan in zip((_SECOND, _THIRD), ahead[1:], strict=False))
        + _SURPLUS * _surplus(context, best)
        + _LASTING
        * min(_LASTING_MOST, best.time / _LASTING_TIME)
        * sum(map(evaluate_card, context.player.front))
        + _on_board(context, best)
        + _EXTRA * extra
        - _OTHERS * sum(size(context.public.players[seat].stash) for seat in _opponents(context))
    )


def _opponents(context: Context) -> list[Seat]:
    return [seat for seat in range(context.public.seats) if context.is_opponent(seat)]


def _surplus(context: Context, plan: ConditionPlan) -> int:
    """Count the stash beyond the bill, up to a limit for each type."""
    over = (there - cost for there, cost in zip(context.stash, plan.bill, strict=True))
    return sum(min(_SURPLUS_MOST, max(0, number)) for number in over)


def _on_board(context: Context, plan: ConditionPlan) -> float:
    """Evaluate tiles by the spaces that they touch, cubes, and roots."""
    result, at_home, roots = 0.0, 0, sum(stack.count(context.seat) for stack in context.public.roots.values())
    lakes = context.lakes
    for area, tile in context.public.tiles.items():
        if tile.owner != context.seat:
            continue
        result += _CORNER.get(tile.kind, 0.0) * context.board.corners[area] + _CUBE * min(
            tile.cubes, _CUBES_MOST
        )
        if tile.kind in ("bush", "meadow") and context.board.borders[area] & lakes:
            result += _SHELTER
        at_home += tile.roots
    casting = min(at_home, plan.cards, len(context.hand))
    return result + _ROOT * (roots + at_home) + _AT_HOME * casting


@cache
def evaluate_card(card: CardId) -> float:
    """Evaluate an enchantment in rounds, in a half-played game."""
    return sum(_evaluate_hook(hook) for hook in CARDS[card].hooks)


def _evaluate_hook(hook: AnyHook) -> float:
    match hook:
        case When(event, gain):
            return _HAPPENS[event] * _gain_value(gain)
        case Cheaper(what, off, times, amount):
            saved = off.W + off.E + off.N + off.M + amount
            return _RESOURCE * _USED[what] * saved * (0.8 if times is not None else 1.0)
        case FreeUpkeep(_, count):
            return 0.5 * count
        case Grip(amount):
            return 0.4 * amount
        case Slow(amount):
            return 1.0 * amount
        case Leap(amount) | MeadowCap(amount):
            return 0.3 * amount
        case _:
            return 0.0


def _gain_value(gain: Gain) -> float:
    resources = gain.W + gain.E + gain.N + gain.M + gain.same
    return _RESOURCE * resources + _DRAW * gain.cards + _SEED * (gain.bush_seed + gain.tree_seed)
