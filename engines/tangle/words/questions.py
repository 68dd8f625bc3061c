"""The questions of Tangle to the player who decides."""

from typing import assert_never

import msgspec

from engines.tangle import decisions, moves
from engines.tangle.legal.context import context_of
from engines.tangle.legal.moves import choices
from engines.tangle.legal.resources import roots_at_home
from engines.tangle.pieces.components import TRACKS
from engines.tangle.view import TangleView
from engines.tangle.words.nouns import TRACK_NAMES, colour
from engines.tangle.words.previews import waiting
from engines.words import Names


def headline(view: TangleView, names: Names) -> str:
    """Return the first line of the viewer's panel: the question."""
    match view.decision:
        case decisions.Toll(due):
            to, count = due[0]
            resources = "1 resource" if count == 1 else f"{count} resources"
            return f"**Pay {colour(to, names)} {resources}** for their roots below your root."
        case decisions.Casting() if not any(isinstance(move, moves.Cast) for move in choices(view)):
            return "**You can't afford any of your enchantments.**"
        case decisions.Casting(cast):
            context = context_of(view)
            left = min(roots_at_home(context) - cast, len(view.hand or ()))
            what = "an enchantment" if left == 1 else f"up to {left} enchantments"
            pushes = min(view.changes - context.powers.slow, sum(view.trackers))
            then = " Then you push the trackers." if pushes > 0 else ""
            return f"**Cast {what}, if you like.**{then}"
        case decisions.Pushing(count):
            pairs = zip(TRACKS, view.trackers, view.markers, strict=True)
            near = [(track, holder) for track, steps, holder in pairs if 0 < steps <= count]
            known = [(TRACK_NAMES[track], holder) for track, holder in near if holder is not None]
            waits = [f" But the {name} tracker then {waiting(holder, names)}." for name, holder in known]
            return (
                f"**Push the upkeep trackers up by {_steps_in_all(count)}.** If one reaches the top, you get "
                f"its marker: everyone pays at the start of your next turn.{''.join(waits)} "
                "This ends your turn."
            )
        case decisions.Lowering(count):
            return f"**Move the upkeep trackers down by {_steps_in_all(count)}.**"
        case decisions.DrawingCards(left):
            cards = "1 card" if left == 1 else f"{left} cards"
            return f"**Draw {cards}.** You can see the cards in the row, but not in the pile."
        case decisions.Swapping(left):
            return f"**Swap two of your tiles**, {_up_to(left)}."
        case decisions.GainingAny(count):
            return f"**Gain {count} resources of your choice.**"
        case decisions.Draining(left, most):
            return f"**Take up to {most} resources from an opponent's tile**, {_up_to(left)}."
        case decisions.Earths():
            return "**Lay clean earth.**"
        case decisions.Lakes():
            return "**Lay a lake.**"
        case decisions.Meadows():
            return "**Lay meadows.**"
        case decisions.Planting():
            return "**Plant seeds.**"
        case decisions.Growing():
            return "**Grow your plants.**"
        case decisions.Sprouting():
            return "**Lay saplings beside your trees.**"
        case decisions.Hedging():
            return "**Put bush seeds beside your bushes.**"
        case decisions.Transforming():
            return "**Change mana into something.**"
        case decisions.Diverse():
            return "**Lay 1 clean earth, lay 1 meadow and grow 1 thing.** You can skip any of these."
        case decisions.Sacrificing():
            return "**Offer some of your tiles.**"
        case decisions.TakingOver():
            return "**Take over an opponent's empty clean earth.**"
        case decisions.Recalling():
            return "**Bring a root home.**"
        case decisions.Upkeep() | decisions.Placing() | decisions.RunningCard() | None:
            return "**Go on.**"
        case _:
            assert_never(view.decision)


def _steps_in_all(count: int) -> str:
    return "1 step" if count == 1 else f"{count} steps in all"


def _up_to(times: int) -> str:
    return "once" if times == 1 else f"up to {times} times"


ASKED: dict[type[msgspec.Struct], tuple[str, str]] = {
    decisions.Toll: ("What do you pay?", ""),
    decisions.Casting: ("Cast which card?", ""),
    decisions.Pushing: ("Push which trackers?", ""),
    decisions.Lowering: ("Lower which?", ""),
    decisions.Earths: ("Lay earth where?", ""),
    decisions.Lakes: ("Lay the lake where?", ""),
    decisions.Meadows: ("Lay a meadow where?", ""),
    decisions.Planting: ("Which seed?", "Plant it where?"),
    decisions.Growing: ("What grows?", ""),
    decisions.DrawingCards: ("Which card?", ""),
    decisions.Sprouting: ("Lay a sapling where?", ""),
    decisions.Hedging: ("Put the seed where?", ""),
    decisions.Transforming: ("Get what for mana?", ""),
    decisions.Swapping: ("Which tile?", "Which other tile?"),
    decisions.Diverse: ("Which of the three?", "Where?"),
    decisions.Sacrificing: ("Offer which tile?", "Get what for it?"),
    decisions.TakingOver: ("Take whose earth?", "Give what for it?"),
    decisions.GainingAny: ("What do you gain?", ""),
    decisions.Draining: ("From which tile?", ""),
    decisions.Recalling: ("Which root?", "To which tree?"),
}
"""A menu's question for each decision, first and again; a phone shows 25 letters."""


def asking(view: TangleView, number: int) -> str:
    """Return a menu's question after `number` answers."""
    first, then = ("What?", "") if view.decision is None else ASKED.get(type(view.decision), ("What?", ""))
    return then if number and then else first


def closing(view: TangleView) -> str:
    """Return a decision's closing: "Lay nothing", or later "Done laying"."""
    changed = [view.tiles.get(area) for area in view.changed.areas]
    kinds = {lies.kind for lies in changed if lies is not None}
    seeds = {lies.seed for lies in changed if lies is not None}
    match view.decision:
        case decisions.Casting(cast):
            return "Done casting" if cast else "Cast nothing"
        case decisions.Earths(laid=laid) | decisions.Meadows(laid=laid):
            return "Done laying" if laid else "Lay nothing"
        case decisions.Lakes():
            return "Done laying" if "lake" in kinds else "Lay nothing"
        case decisions.Sprouting():
            return "Done laying" if "sapling" in kinds else "Lay nothing"
        case decisions.Planting():
            return "Done planting" if seeds & {"bush", "tree"} else "Plant nothing"
        case decisions.Hedging():
            return "Done with seeds" if "bush" in seeds else "Put no seeds"
        case decisions.Growing(grown=grown):
            return "Done growing" if grown else "Grow nothing"
        case decisions.Transforming():
            return "Keep your mana"
        case decisions.Swapping(areas=areas):
            return "Done swapping" if areas else "Swap nothing"
        case decisions.Diverse(earth, meadow, grow):
            return "Do nothing" if earth and meadow and grow else "Do nothing more"
        case decisions.Sacrificing():
            return "Done offering" if None in changed else "Offer nothing"
        case decisions.TakingOver():
            return "Done taking over" if "earth" in kinds else "Take over nothing"
        case decisions.Draining():
            return "Take nothing from anyone"
        case decisions.Recalling():
            return "Leave the roots there"
        case _:
            return "Go on"
