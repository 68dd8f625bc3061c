"""Tangle's sentences. Areas and spaces have codes, cards have names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import assert_never

import msgspec

from engines.game import Seat
from engines.marks import say_as, sign, with_icon
from engines.tangle import decisions, events, moves
from engines.tangle.legal.conditions import counts, lacking
from engines.tangle.legal.moves import choices
from engines.tangle.pieces.amounts import NOTHING, RESOURCES, Amount, Resource
from engines.tangle.pieces.board import BEARS, Kind, TangleTile
from engines.tangle.pieces.card_language import TrackName
from engines.tangle.pieces.components import (
    ALTERNATIVES,
    CARDS,
    CENTRE,
    CONDITIONS,
    PAID_IN,
    RESOURCE_NAMES,
    SPACES,
    TRACKS,
    Action,
    AreaCode,
    CardId,
    Seed,
    SpaceCode,
)
from engines.tangle.view import TangleView
from engines.tangle.words import DOES
from engines.words import join_words, player_with_sign

Names = Sequence[str]
SEEDS: tuple[Seed, ...] = ("bush", "tree")
KINDS: dict[Kind, str] = {
    "earth": "clean earth",
    "bush": "bush",
    "meadow": "meadow",
    "lake": "lake",
    "sapling": "sapling",
    "tree": "tree",
}
TRACK_SIGNS: dict[TrackName, str] = {
    "lakes": "tangle_lake",
    "growth": "tangle_bush",
    "cards": "tangle_card",
}
TRACK_NAMES: dict[TrackName, str] = {
    "lakes": "lakes",
    "growth": "bushes and meadows",
    "cards": "enchantments",
}


ITEMS: dict[TrackName, str] = {"lakes": "lake", "growth": "bush and meadow", "cards": "enchantment"}


say_as({f"tangle_{letter.lower()}": name for letter, name in RESOURCE_NAMES.items()})


def resource(letter: Resource) -> str:
    """Return a resource's sign, or else its letter."""
    return sign(f"tangle_{letter.lower()}", letter)


def with_resource_signs(text: str) -> str:
    """Replace the letters of resources in a sentence by signs.

    >>> with_resource_signs("2 N each.") == f"2 {resource('N')} each."
    True
    """
    return re.sub(
        rf"(?<=\d )[{''.join(RESOURCES)}]\b", lambda found: sign(f"tangle_{found[0].lower()}", found[0]), text
    )


def does(what: Action) -> str:
    return with_resource_signs(DOES[what])


def kind(what: Kind) -> str:
    return with_icon(f"tangle_{what}", KINDS[what])


def amount(what: Amount) -> str:
    """Return an amount as people read it.

    >>> amount((1, 0, 2, 0)) == f"1 {resource('W')}, 2 {resource('N')}"
    True
    >>> amount((0, 0, 0, 0))
    'nothing'
    """
    lines = [f"{number} {resource(letter)}" for letter, number in zip(RESOURCES, what, strict=True) if number]
    return ", ".join(lines) or "nothing"


def stash(what: Amount) -> str:
    """Return a player's resources, each with the letter to type for it."""
    lines = [
        f"{number} {with_icon(f'tangle_{letter.lower()}', letter)}"
        for letter, number in zip(RESOURCES, what, strict=True)
    ]
    return ", ".join(lines)


def parse_amount(text: str) -> Amount:
    water, earth, nourishment, mana = map(int, text.split())
    return (water, earth, nourishment, mana)


def card(what: CardId) -> str:
    return with_icon("tangle_card", CARDS[what].name)


def card_text(what: CardId) -> str:
    return with_resource_signs(CARDS[what].text)


def item(what: str) -> str:
    """Return an item of upkeep: an area's code or a card's name."""
    return card(what) if what in CARDS else what


def action(view: TangleView, space: SpaceCode) -> Action:
    exchanged = dict(view.options.exchange)
    if space in exchanged:
        return exchanged[space]
    if space == CENTRE:
        return view.centre or ""
    return SPACES[space].action


def place(view: TangleView, where: str) -> str:
    """Return a space's code and name, or a tree's area."""
    if where not in SPACES:
        return with_icon("tangle_tree", f"the tree {where}")
    done = action(view, where)
    name = ALTERNATIVES[done].name if done in ALTERNATIVES else SPACES[where].name
    return with_icon(f"tangle_do_{done}", f"{where} {name}") if done else f"{where} {name}"


def tile(view: TangleView, lies: TangleTile, names: Names) -> str:
    """Return the tile of an area: "Ann's meadow with 2 N"."""
    text = f"{player_with_sign(names, lies.owner)}'s {kind(lies.kind)}"
    if lies.seed is not None:
        text += f" with a {seed(lies.seed)}"
    if lies.cubes:
        text += f" with {lies.cubes} {resource('N' if lies.kind == 'meadow' else 'E')}"
    if lies.roots:
        text += f" with {lies.roots} {with_icon('tangle_root', 'root' if lies.roots == 1 else 'roots')}"
    return text


def steps(by: Sequence[int]) -> str:
    """Return steps on the tracks: "lakes 2, cards 1"."""
    lines = [
        with_icon(TRACK_SIGNS[track], f"{track} {number}")
        for track, number in zip(TRACKS, by, strict=True)
        if number
    ]
    return ", ".join(lines) or "none"


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


def headline(view: TangleView, names: Names) -> str:
    """Return the first line of the viewer's panel: the question."""
    match view.decision:
        case decisions.Toll(due):
            to, count = due[0]
            resources = "1 resource" if count == 1 else f"{count} resources"
            return f"**Pay {colour(to, names)} {resources}** for their roots below your root."
        case decisions.Casting() if not any(isinstance(move, moves.Cast) for move in choices(view)):
            return "**You can't afford any of your enchantments.**"
        case decisions.Casting():
            return "**Cast an enchantment, if you like.** You can cast 1 for each of your roots at home."
        case decisions.Pushing(count):
            return (
                f"**Push the upkeep trackers up, {_steps_in_all(count)}.** "
                "If one reaches the top, everyone pays. This ends your turn."
            )
        case decisions.Lowering(count):
            return f"**Move the upkeep trackers down, {_steps_in_all(count)}.**"
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
            return "**Let something grow.**"
        case decisions.Sprouting():
            return "**Lay saplings beside your trees.**"
        case decisions.Hedging():
            return "**Put bush seeds beside your bushes.**"
        case decisions.Transforming():
            return "**Change mana into something.**"
        case decisions.Diverse():
            return "**Lay 1 clean earth, lay 1 meadow and grow 1 thing.** You can skip any of these."
        case decisions.Sacrificing():
            return "**Offer tiles of yours.**"
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
    decisions.Casting: ("Which enchantment do you cast?", ""),
    decisions.Pushing: ("Which trackers do you push?", ""),
    decisions.Lowering: ("Which trackers do you move down?", ""),
    decisions.Earths: ("Where do you lay clean earth?", ""),
    decisions.Lakes: ("Where do you lay the lake?", ""),
    decisions.Meadows: ("Where do you lay a meadow?", ""),
    decisions.Planting: ("Which seed?", "Where do you plant it?"),
    decisions.Growing: ("What grows?", ""),
    decisions.DrawingCards: ("Which card?", ""),
    decisions.Sprouting: ("Where do you lay a sapling?", ""),
    decisions.Hedging: ("Where do you put a bush seed?", ""),
    decisions.Transforming: ("What do you get for mana?", ""),
    decisions.Swapping: ("Which tile?", "Which other tile?"),
    decisions.Diverse: ("Which of the three?", "Where?"),
    decisions.Sacrificing: ("Which tile do you offer?", "What do you get for it?"),
    decisions.TakingOver: ("Whose earth do you take?", "What do you give for it?"),
    decisions.GainingAny: ("What do you gain?", ""),
    decisions.Draining: ("From which tile?", ""),
    decisions.Recalling: ("Which root?", "To which tree?"),
}
"""A menu's question for each decision, first and again."""


def asking(view: TangleView, number: int) -> str:
    """Return a menu's question after `number` answers."""
    first, then = ("What?", "") if view.decision is None else ASKED.get(type(view.decision), ("What?", ""))
    return then if number and then else first


def closing(view: TangleView) -> str:
    """Return a decision's closing: "Lay nothing", or later "Lay no more"."""
    trees = {area for area, lies in view.tiles.items() if lies.kind == "tree"}
    begun = not trees.issuperset(view.changed.areas)
    match view.decision:
        case decisions.Casting(cast):
            return "Cast nothing more" if cast else "Cast nothing"
        case decisions.Earths(laid=laid) | decisions.Meadows(laid=laid):
            return "Lay no more" if laid else "Lay nothing"
        case decisions.Lakes() | decisions.Sprouting():
            return "Lay no more" if begun else "Lay nothing"
        case decisions.Planting():
            return "Plant no more" if begun else "Plant nothing"
        case decisions.Hedging():
            return "Put no more seeds" if begun else "Put no seeds"
        case decisions.Growing(grown=grown):
            return "Grow no more" if grown else "Grow nothing"
        case decisions.Transforming():
            return "Keep your mana"
        case decisions.Swapping(areas=areas):
            return "Swap no more" if areas else "Swap nothing"
        case decisions.Diverse(earth, meadow, grow):
            return "Do nothing" if earth and meadow and grow else "Do nothing more"
        case decisions.Sacrificing():
            return "Offer no more" if begun else "Offer nothing"
        case decisions.TakingOver():
            return "Take over no more" if begun else "Take over nothing"
        case decisions.Draining():
            return "Take nothing from anyone"
        case decisions.Recalling():
            return "Leave the roots there"
        case _:
            return "Go on"


def duty(view: TangleView, seat: Seat) -> str:
    match view.decision:
        case decisions.Upkeep(track=track):
            return f"pay the upkeep of {TRACK_NAMES[track]}, or lose some"
        case decisions.Placing(sleeper=str()):
            return "move the root that slept, or leave it"
        case decisions.Placing():
            return "place a root"
        case decisions.Toll():
            return "pay for the roots below yours"
        case decisions.Casting():
            return "cast a card, or none"
        case decisions.Pushing():
            return "push the upkeep trackers"
        case decisions.DrawingCards():
            return "draw a card"
        case decisions.Earths():
            return "lay clean earth"
        case decisions.Lakes():
            return "lay lakes"
        case decisions.Meadows():
            return "lay meadows"
        case decisions.Planting():
            return "plant a seed"
        case decisions.Growing():
            return "let plants grow"
        case None:
            return "nothing more"
        case _:
            return "make your next choice"


def seeds(counts: tuple[int, int]) -> str:
    """Return seeds: "1 bush seed, 2 tree seeds"; empty for none."""
    entries = zip(SEEDS, counts, strict=True)
    return ", ".join(f"{number} {seed(which, number)}" for which, number in entries if number)


def seed(which: Seed, number: int = 1) -> str:
    return with_icon(f"tangle_{which}_seed", f"{which} {'seed' if number == 1 else 'seeds'}")


def result(view: TangleView, names: Names) -> str:
    outcome = view.outcome
    if outcome is None:
        return "The table closed without a result."
    first = [seat for seat, where in enumerate(outcome.places) if where == 1]
    winners = join_words([player_with_sign(names, seat) for seat in first])
    shown = [CONDITIONS[one].name for seat in first for one in view.shown[seat]]
    wins = "wins" if len(first) == 1 else "win"
    if shown:
        return f"{winners} {wins} with {join_words(list(dict.fromkeys(shown)))}!"
    if len(view.out) == view.seats - 1:
        return f"{winners} {wins}, because everyone else has left."
    return f"{winners} {wins}, because nobody is closer to a condition after the last round."


def cost(track: TrackName, number: int) -> str:
    """Return the price of `number` items of a track: "2 E"."""
    return f"{number} {resource(PAID_IN[track])}"


def resources() -> str:
    return ", ".join(
        with_icon(f"tangle_{letter.lower()}", f"{letter} {RESOURCE_NAMES[letter]}") for letter in RESOURCES
    )


def event_line(event: events.Event, view: TangleView, names: Names) -> str | None:
    """Return an event's sentence; a placement's consequence begins with an arrow."""

    def who(seat: Seat) -> str:
        return player_with_sign(names, seat)

    match event:
        case events.RootMoved(seat=seat, start=start, to=to):
            return (
                f"{who(seat)} moves a {with_icon('tangle_root', 'root')} from {start} to {place(view, to)}."
            )
        case events.Fed():
            return fed([event], view)
        case events.Harvested(seat=seat, areas=areas, gained=gained):
            return f"↳ {who(seat)} gathers {amount(gained)} from {join_words(list(areas))}."
        case events.Took(seat=seat, gained=gained):
            return f"↳ {who(seat)} takes {amount(gained)}."
        case events.TollPaid(seat=seat, to=to, paid=paid):
            return f"↳ {who(seat)} pays {who(to)} {amount(paid)}."
        case events.WasCast(seat=seat, card=what, price=price):
            for_it = "free" if price == NOTHING else amount(price)
            says = card_text(what).removesuffix(".")
            return f"{who(seat)} casts **{card(what)}** for {for_it} (“{says}”)."
        case events.Gained(seat=seat, card=what, amount=gained, seeds=got):
            return f"↳ {who(seat)} gains {_gains(gained, got)}{'' if what is None else f' by {card(what)}'}."
        case events.TookCard(seat=seat, card=what):
            return f"↳ {who(seat)} takes {'a card from the pile' if what is None else card(what)}."
        case events.SawCard(card=what):
            return f"↳ You draw {card(what)}."
        case events.RowFilled(card=what):
            return f"-# New in the row: {card(what)}."
        case events.PileShuffled(number=number):
            discards = "1 discard is" if number == 1 else f"{number} discards are"
            return f"-# {discards} shuffled into a new pile."
        case events.TangleLaid(seat=seat, area=area, kind=what, price=price):
            tile = f"{'' if what == 'earth' else 'a '}{kind(what)}"
            return f"↳ {who(seat)} lays {tile} at {area}{price_suffix(price)}."
        case events.Grew(area=area, kind=what, price=price, root=new):
            grown = f"↳ {area} grows into a {kind(what)}{price_suffix(price)}"
            return f"{grown}, with a new root." if new else f"{grown}."
        case events.TanglePlanted(seat=seat, seed=which, area=area):
            return f"↳ {who(seat)} plants a {seed(which)} at {area}."
        case events.TookSeed(seat=seat, seed=which, price=price):
            return f"↳ {who(seat)} takes a {seed(which)}{price_suffix(price)}."
        case events.Bedewed(seat=seat, areas=areas) if areas:
            gets = "gets" if len(areas) == 1 else "each get"
            return f"↳ {join_words(list(areas))} {gets} 1 {resource('E')}."
        case events.Traded(seat=seat, resource=wanted):
            return f"↳ {who(seat)} changes 1 {resource('M')} into 1 {resource(wanted)}."
        case events.TangleSwapped(a=a, b=b):
            return f"↳ {a} and {b} change places."
        case events.Offered(seat=seat, area=area, kind=given, resource=wanted, card=what):
            gets = f" for 1 {resource(wanted)}" if wanted else f" for {card(what)}" if what else ""
            return f"↳ {who(seat)} offers the {kind(given)} {area}{gets}."
        case events.TileTakenOver(seat=seat, area=area, loser=loser, paid=paid):
            gets = "" if paid == (0, 0, 0, 0) else f", who gets {amount(paid)}"
            return f"↳ {who(seat)} takes {area} from {who(loser)}{gets}."
        case events.Drained(seat=seat, area=area, gained=gained):
            return f"↳ {who(seat)} takes {amount(gained)} from {area}."
        case events.Recalled(start=start, to=to):
            return f"↳ A root comes home from {start} to {to}."
        case events.StepsMade(by=by):
            return f"↳ The upkeep trackers go up: {steps(by)}."
        case events.Lowered(by=by):
            return f"↳ The upkeep trackers go down: {steps(by)}."
        case events.MarkerCame(track=track, seat=seat):
            due = f"**Upkeep of {TRACK_NAMES[track]} is due.** Everyone pays"
            return f"{due} {cost(track, 1)} for each {ITEMS[track]} at the start of {who(seat)}'s next turn."
        case events.UpkeepBegan(track=track):
            return f"**Upkeep of {TRACK_NAMES[track]}.**"
        case events.UpkeepKept(seat=seat, track=track, items=items, paid=paid) if items:
            free = len(items) - paid
            terms = [*([cost(track, paid)] if paid else []), *([f"{free} free"] if free else [])]
            return f"↳ {who(seat)} keeps {join_words([item(one) for one in items])} ({', '.join(terms)})."
        case events.UpkeepLost(seat=seat, items=items) if items:
            return f"↳ {who(seat)} loses {join_words([item(one) for one in items])}."
        case events.Slept(space=space):
            return f"↳ The root on {space} sleeps."
        case events.MayPlaceAgain(seat=seat, number=number):
            more = "another root" if number == 1 else f"{number} more roots"
            return f"↳ {who(seat)} can place {more}."
        case events.TangleRoundBegan(round=number):
            return f"-# Round {number} begins."
        case events.ConditionShown(seat=seat, condition=what):
            return f"{who(seat)} meets **{CONDITIONS[what].name}**."
        case events.TangleResigned(seat=seat):
            return f"{who(seat)} leaves the game."
        case events.TangleEnded() if view.secrets is not None:
            return "\n".join(
                _conditions_line(view, seat, names) for seat in range(view.seats) if seat not in view.out
            )
        case (
            events.Bedewed()
            | events.UpkeepKept()
            | events.UpkeepLost()
            | events.UpkeepEnded()
            | events.TangleTurnEnded()
            | events.TangleEnded()
        ):
            return None
        case _:
            assert_never(event)


def fed(happened: Sequence[events.Fed], view: TangleView) -> str | None:
    """Return the gains from placements; None if there are none."""
    spaces = Counter(one for event in happened for one in event.spaces)
    tiles = Counter(area for event in happened for area in event.tiles)
    lines = [f"{number} {resource(letter)} on space {space}" for (space, letter), number in spaces.items()]
    lines += [f"{number} {_borne(view, area)}on area {area}" for area, number in tiles.items()]
    return f"-# Added: {', '.join(lines)}." if lines else None


def _borne(view: TangleView, area: AreaCode) -> str:
    """Return the resource of an area's tile; empty without one."""
    lies = view.tiles.get(area)
    return f"{resource(BEARS[lies.kind])} " if lies is not None and lies.kind in BEARS else ""


def _gains(gained: Amount, got: tuple[int, int]) -> str:
    lines = [] if gained == (0, 0, 0, 0) else [amount(gained)]
    lines += [seeds(got)] if any(got) else []
    return ", ".join(lines) or "nothing"


def price_suffix(price: Amount) -> str:
    """Return a price in brackets; empty if it is free."""
    return "" if price == NOTHING else f" ({amount(price)})"


def _conditions_line(view: TangleView, seat: Seat, names: Names) -> str:
    """Return a seat's conditions at the end, with missing items."""
    have = counts(view.tiles, view.players[seat].front, seat)
    lines = []
    for what in view.secrets[seat] if view.secrets is not None else ():
        missing = lacking(what, have)
        lines.append(f"{CONDITIONS[what].name} {f'needs {missing} more' if missing else 'is met'}")
    return f"{player_with_sign(names, seat)}: {', '.join(lines)}."


def colour(seat: Seat, names: Names) -> str:
    """Return a player's name, with the sign of the seat."""
    return player_with_sign(names, seat)
