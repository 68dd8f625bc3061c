"""A panel's sentences about a position: conditions, the cost of upkeep, and obstacles."""

from __future__ import annotations

from engines.game import Seat
from engines.marks import capital
from engines.tangle import decisions
from engines.tangle.legal.conditions import counts, lacking
from engines.tangle.legal.landing import LandingObstacle
from engines.tangle.pieces.amounts import RESOURCES
from engines.tangle.pieces.card_language import CountName, TrackName
from engines.tangle.pieces.components import CONDITIONS, TRACKS, Action
from engines.tangle.preview import Bill, bill
from engines.tangle.view import TangleView
from engines.tangle.words import nouns
from engines.tangle.words.board import COUNTS
from engines.words import Names, join_words, player_with_sign

DUE = 2
"""Steps from the top of an upkeep that is due soon."""
COUNTED: dict[CountName, tuple[str, str]] = {
    **COUNTS,
    "tiles": ("tile", "tiles"),
    "group": ("tile connected to the others", "connected tiles"),
    "enchantments": ("enchantment in front of you", "enchantments in front of you"),
}
"""The words for counted things, singular and plural."""
NO_PLACE: dict[Action, str] = {
    "clean_earth": "you can't reach an empty area",
    "place_lake": "there's no area for a lake",
    "place_meadows": "you have no clean earth",
    "plant": "you have no free clean earth",
    "grow": "you have no seed or sapling on your land",
    "take_cards": "no cards are left",
    "gather_water": "you have no tree",
    "sprout": "you have no clean earth beside your trees",
    "spread_meadows": "you have no clean earth beside your meadows",
    "spread_bushes": "there's no free clean earth beside your bushes",
    "gather_cards": "you have no meadow, or no cards are left",
    "contained_growth": "you have no seed, sapling or bush on your land",
    "mana": "there's nothing that you can get for mana",
    "shift": "you have fewer than 2 tiles",
    "diverse": "there's no area for any of the three",
    "sacrifice": "you have nothing to offer",
    "takeover": "no opponent has empty clean earth beside your land",
}
"""Reasons that make a space's action impossible, apart from resources, tiles or seeds."""


def nearest(view: TangleView, seat: Seat) -> str:
    """Return the nearest condition, and what is missing."""
    have = counts(view.tiles, view.players[seat].front, seat)
    what = min(view.conditions or (), key=lambda one: lacking(one, have))
    short = {name: number for name, number in CONDITIONS[what].need.items() if have[name] < number}
    if not short:
        return f"You meet **{CONDITIONS[what].name}**. You win if you still meet it when the turn ends."
    missing = join_words(
        f"{number - have[name]} {'more ' * bool(have[name])}{COUNTED[name][number - have[name] > 1]}"
        for name, number in short.items()
    )
    got = [f"{have[name]} of {number} {COUNTED[name][1]}" for name, number in short.items() if have[name]]
    rest = "" if len(got) == len(short) else ", and none of the rest"
    so_far = f" You have {join_words(got)}{rest}." if got else ""
    return f"You're closest to the condition **{CONDITIONS[what].name}**. You still need {missing}.{so_far}"


def own_bill(what: Bill, track: TrackName) -> str:
    """Return the viewer's upkeep.

    "you have 0 N, so you'd lose all 3".
    """
    if not what.owed:
        return "you'd pay nothing"
    if not what.lost:
        return f"you'd pay {nouns.cost(track, what.owed)}"
    return f"you have {nouns.cost(track, what.held)}, so you'd lose {_loss(what)}"


def others_bill(what: Bill, track: TrackName, name: str) -> str:
    """Return another's upkeep.

    "Bo has 1 N and would lose 2 of 3".
    """
    if not what.lost:
        return f"{name} would pay {nouns.cost(track, what.owed) if what.owed else 'nothing'}"
    return f"{name} has {nouns.cost(track, what.held)} and would lose {_loss(what)}"


def _loss(what: Bill) -> str:
    if what.lost < what.items:
        return f"{what.lost} of {what.items}"
    return f"all {what.items}" if what.items > 1 else "the only one"


def bills(view: TangleView, seat: Seat, track: TrackName, names: Names) -> str:
    """Return a track's present upkeep, your own first."""
    if not any(bill(view, one, track).owed for one in view.remaining):
        return "nobody would pay anything"
    lines = [own_bill(bill(view, seat, track), track)]
    others = [other for other in view.remaining if other != seat]
    lines += [
        others_bill(bill(view, other, track), track, player_with_sign(names, other)) for other in others
    ]
    return "; ".join(lines)


def warnings(view: TangleView, seat: Seat, names: Names, within: int = DUE) -> list[str]:
    """Return a line per costly upkeep due within some steps."""
    asked = view.decision.track if isinstance(view.decision, decisions.Upkeep) else None
    result = []
    for track, steps, marker in zip(TRACKS, view.trackers, view.markers, strict=True):
        what = bill(view, seat, track)
        if not what.owed or track == asked or (marker is None and steps > within):
            continue
        if marker is None and steps:
            when = f"{steps} step{'' if steps == 1 else 's'} away"
        else:
            payer = view.seat if marker is None else marker  # whoever ends this turn takes the marker
            whose = "your" if payer == seat else f"{player_with_sign(names, payer)}'s"
            when = f"due at the start of {whose} next turn"
        result.append(
            f"\u26a0\ufe0f **Upkeep of {nouns.TRACK_NAMES[track]} is {when}.** "
            f"{capital(own_bill(what, track))}."
        )
    return result


def obstacle_text(why: LandingObstacle, what: Action) -> str:
    """Explain an impossible action: "you need 2 N, and you have 0"."""
    match why.lacks:
        case "price":
            return _missing_price(why)
        case "tile":
            return "you have no such tile left"
        case "seed":
            return "you have no seed"
        case "supply":
            return "no such seeds are left"
        case "place":
            return NO_PLACE[what]


def _missing_price(why: LandingObstacle) -> str:
    """Return the price of one, and the amount of the missing resource."""
    rows = zip(RESOURCES, why.price, why.held, strict=True)
    short = [(held, letter) for letter, price, held in rows if price > held]
    text = f"you need {nouns.amount(why.price)}, and you "
    if not short:
        return f"{text}must keep {why.kept} for the roots below your root"
    if sum(map(bool, why.price)) == 1:
        return f"{text}have {short[0][0]}"
    return f"{text}have {join_words([f'{held} {nouns.resource(letter)}' for held, letter in short])}"
