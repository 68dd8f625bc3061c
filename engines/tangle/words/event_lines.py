"""Sentences of Tangle: events, duties, results, and moves by name."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any, assert_never, cast

from engines import words
from engines.game import Seat
from engines.marks import with_icon
from engines.tangle import decisions, moves
from engines.tangle.legal.context import Context, counts, lacking
from engines.tangle.legal.prices import HEDGE
from engines.tangle.pieces.board import BEARS
from engines.tangle.pieces.components import CONDITIONS, NOTHING, TRACKS, Amount, AreaCode, times
from engines.tangle.preview import rest_of_bill
from engines.tangle.view import TangleView
from engines.tangle.words import nouns


def duty(view: TangleView, seat: Seat) -> str:
    match view.decision:
        case decisions.Upkeep(track=track):
            return f"pay upkeep for your {nouns.TRACK_NAMES[track]}, or lose some"
        case decisions.Placing(sleeper=str()):
            return "move the root that slept, or leave it"
        case decisions.Placing():
            return "place a root"
        case decisions.Toll():
            return "pay for the roots below yours"
        case decisions.Casting():
            return "cast a card if you like"
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
            return "grow plants"
        case None:
            return "nothing more"
        case _:
            return "make your next choice"


def result(view: TangleView, names: words.Names) -> str:
    outcome = view.outcome
    if outcome is None:
        return "The table closed without a result."
    first = outcome.winners
    winners = words.join_words([words.player_with_sign(names, seat) for seat in first])
    shown = [CONDITIONS[one].name for seat in first for one in view.shown[seat]]
    wins = "wins" if len(first) == 1 else "win"
    if shown:
        return f"{winners} {wins} with {words.join_words(list(dict.fromkeys(shown)))}!"
    if len(view.out) == view.seats - 1:
        return f"{winners} {wins}, because everyone else has left."
    return f"{winners} {wins}, because nobody is closer to a condition after the last round."


def event_line(event: moves.Event, view: TangleView, names: words.Names) -> str | None:
    """Return an event's sentence; a placement's consequence begins with an arrow."""
    line = _sentence(event, view, names)
    return None if line is None else nouns.with_few_signs(line)


def _sentence(event: moves.Event, view: TangleView, names: words.Names) -> str | None:
    def who(seat: Seat) -> str:
        return words.player_with_sign(names, seat)

    match event:
        case moves.RootMoved(seat=seat, start=start, to=to):
            root = with_icon("tangle_root", "root")
            return f"{who(seat)} moves a {root} from {start} to {nouns.place(view, to)}."
        case moves.Fed():
            return describe_placement_gains([event], view)
        case moves.Harvested(seat=seat, areas=areas, gained=gained):
            return f"↳ {who(seat)} gathers {nouns.total(gained)} from {words.join_words(list(areas))}."
        case moves.Took(seat=seat, gained=gained):
            return f"↳ {who(seat)} takes {nouns.total(gained)}."
        case moves.TollPaid(seat=seat, to=to, paid=paid):
            return f"↳ {who(seat)} pays {who(to)} {nouns.total(paid)}."
        case moves.WasCast(seat=seat, card=what, price=price):
            for_it = "free" if price == NOTHING else nouns.total(price)
            says = nouns.card_text(what).removesuffix(".")
            return f"{who(seat)} casts **{nouns.card(what)}** for {for_it} (“{says}”)."
        case moves.Gained(seat=seat, card=what, amount=gained, seeds=got):
            source = "" if what is None else f" from {nouns.card(what)}"
            return f"↳ {who(seat)} gains {nouns.gains(gained, got, ' + ')}{source}."
        case moves.TookCard(seat=seat, card=what, price=price):
            taken = "a card from the pile" if what is None else nouns.card(what)
            return f"↳ {who(seat)} takes {taken}{nouns.price_suffix(price)}."
        case moves.SawCard(card=what):
            return f"↳ You draw {nouns.card(what)}."
        case moves.RowFilled(card=what):
            return f"-# New in the row: {nouns.card(what)}."
        case moves.PileShuffled(number=number):
            return f"-# I shuffle {words.plural(number, 'discard')} into a new pile."
        case moves.TangleLaid(seat=seat, area=area, kind=what, price=price):
            tile = f"{'' if what == 'earth' else 'a '}{nouns.kind(what)}"
            return f"↳ {who(seat)} lays {tile} at {area}{nouns.price_suffix(price)}."
        case moves.Grew(seat=seat, area=area, kind=what, price=price, root=new):
            root = " with a new root" if new else ""
            return f"↳ {who(seat)} grows {area} into a {nouns.kind(what)}{root}{nouns.price_suffix(price)}."
        case moves.TanglePlanted(seat=seat, seed=which, area=area, hedge=hedge):
            cost = nouns.price_suffix(HEDGE if hedge else NOTHING)
            return f"↳ {who(seat)} plants a {nouns.seed(which)} at {area}{cost}."
        case moves.TookSeed(seat=seat, seed=which, price=price):
            return f"↳ {who(seat)} takes a {nouns.seed(which)}{nouns.price_suffix(price)}."
        case moves.Bedewed(seat=seat, areas=areas) if areas:
            gets = "gets" if len(areas) == 1 else "each get"
            return f"↳ {words.join_words(list(areas))} {gets} 1 {nouns.resource('E')}."
        case moves.Traded(seat=seat, resource=wanted):
            return f"↳ {who(seat)} changes 1 {nouns.resource('M')} into 1 {nouns.resource(wanted)}."
        case moves.TangleSwapped(seat=seat, a=a, b=b):
            return f"↳ {who(seat)} swaps {a} and {b}."
        case moves.Offered(seat=seat, area=area, kind=given, resource=wanted, card=what):
            gain = f"1 {nouns.resource(wanted)}" if wanted else nouns.card(what) if what else ""
            return f"↳ {who(seat)} offers the {nouns.kind(given)} {area}{f' for {gain}' if gain else ''}."
        case moves.TileTakenOver():
            return several_line([event], view, names)
        case moves.Drained(seat=seat, area=area, gained=gained):
            return f"↳ {who(seat)} takes {nouns.total(gained)} from {area}."
        case moves.Recalled(seat=seat, start=start, to=to):
            return f"↳ {who(seat)} brings a root home from {start} to {to}."
        case moves.StepsMade(by=by):
            return f"↳ Upkeep trackers: {nouns.name_pushes(by)}."
        case moves.Lowered(by=by):
            return f"↳ Upkeep trackers: {nouns.name_pushes([-number for number in by])}."
        case moves.MarkerCame():
            return _describe_markers([event], view, names)
        case moves.UpkeepBegan(track=track):
            return f"**Everyone pays upkeep for {nouns.TRACK_NAMES[track]}.**"
        case moves.UpkeepKept(items=items) | moves.UpkeepLost(items=items) if items:
            return _describe_upkeep([event], view, names)
        case moves.UpkeepTakenBack(seat=seat, paid=gained):
            return f"{who(seat)} takes back the {nouns.total(gained)} paid for upkeep and chooses again."
        case moves.Slept(space=space):
            return f"↳ The root on {space} sleeps."
        case moves.MayPlaceAgain(seat=seat, number=number):
            more = "another root" if number == 1 else f"{number} more roots"
            return f"↳ {who(seat)} can place {more}."
        case moves.TangleRoundBegan(round=number):
            return f"-# Round {number} begins."
        case moves.ConditionShown(seat=seat, condition=what):
            return f"{who(seat)} meets **{CONDITIONS[what].name}**."
        case moves.TangleResigned(seat=seat):
            return f"{who(seat)} leaves the game."
        case moves.TangleEnded() if view.secrets is not None:
            return "\n".join(
                _conditions_line(view, seat, names) for seat in range(view.seats) if seat not in view.out
            )
        case (
            moves.Bedewed()
            | moves.UpkeepKept()
            | moves.UpkeepLost()
            | moves.UpkeepEnded()
            | moves.TangleTurnEnded()
            | moves.TangleEnded()
        ):
            return None
        case _:
            assert_never(event)


def retell(event: moves.Event, line: str, before: TangleView | None, after: TangleView) -> str | None:
    """Return a line after its turn; None if untrue or repeated."""
    match event:
        case moves.RowFilled(card=what) if what not in after.row:
            return None
        case moves.ConditionShown() if after.secrets is not None:
            return None
        case moves.StepsMade() | moves.Lowered():
            left = [
                f"{with_icon(nouns.TRACK_SIGNS[track], nouns.TRACK_NAMES[track])} {steps}"
                for track, by, steps, out in zip(TRACKS, event.by, after.trackers, after.markers, strict=True)
                if by and steps and out is None and not after.over
            ]
            return f"↳ Steps left until upkeep: {words.join_phrases(left)}." if left else None
        case moves.UpkeepKept() | moves.UpkeepLost() if before is not None:
            lost = rf"(?<= )(?:{'|'.join(before.tiles)})\b(?=[^(]* \((?:can't|[^)]* not paid))"
            return re.sub(lost, lambda at: f"the {nouns.KINDS[before.tiles[at[0]].kind]} at {at[0]}", line)
        case moves.UpkeepBegan(track=track) if before is not None:
            owed = any(Context(before, seat, (), 0).dues(track) for seat in range(before.seats))
            return line if owed else f"**Upkeep for {nouns.TRACK_NAMES[track]}: nobody owed any.**"
        case _:
            return line


def describe_placement_gains(happened: Sequence[moves.Fed], view: TangleView) -> str | None:
    spaces = Counter(one for event in happened for one in event.spaces)
    tiles = Counter(area for event in happened for area in event.tiles)
    came = dict[str, list[str]]()
    for (space, letter), number in spaces.items():
        came.setdefault(f"{number} {nouns.resource(letter)}", []).append(space)
    for area, number in tiles.items():
        came.setdefault(f"{number}{_borne(view, area)}", []).append(area)
    lines = [
        f"{what}{' each' if len(places) > 1 else ''} at {words.join_words(places)}"
        for what, places in came.items()
    ]
    return f"-# New on the board: {words.join_phrases(lines)}." if lines else None


def _describe_upkeep(
    happened: Sequence[moves.UpkeepKept | moves.UpkeepLost], view: TangleView, names: words.Names
) -> str:
    """Say what a seat loses and keeps, the loss first."""
    first, clauses = happened[0], list[str]()
    losses = [event for event in happened if isinstance(event, moves.UpkeepLost)]
    keeps = [event for event in happened if isinstance(event, moves.UpkeepKept)]
    if lost := [one for event in losses for one in event.items]:
        due = nouns.cost(first.track, len(lost))
        reason = f"can't pay {due}" if losses[0].unasked else f"{due} not paid"
        earth = ", but keeps the clean earth" if any(view.tiles.get(one) is not None for one in lost) else ""
        clauses.append(f"loses {words.join_words(map(nouns.item, lost))} ({reason}{earth})")
    if kept := [one for event in keeps for one in event.items]:
        paid = sum(event.paid for event in keeps)
        free = len(kept) - paid
        terms = (nouns.cost(first.track, paid) + (f" ({free} free)" if free else "")) if paid else "free"
        clauses.append(f"keeps {words.join_words(map(nouns.item, kept))} for {terms}")
    return f"↳ {words.player_with_sign(names, first.seat)} {words.join_phrases(clauses)}."


def _describe_markers(came: Sequence[moves.MarkerCame], view: TangleView, names: words.Names) -> str:
    """Warn of a seat's upkeep; after the game, name its markers."""
    who, tracks = words.player_with_sign(names, came[0].seat), [event.track for event in came]
    if view.over:
        named = words.join_words(nouns.TRACK_NAMES[one] for one in tracks)
        return f"{who} gets the {named} marker{'s' * (len(came) > 1)}."
    dues = words.join_words(f"each {nouns.DUES[track]} ({nouns.cost(track, 1)})" for track in tracks)
    return f"**Before {who}'s next turn, everyone pays upkeep** for {dues}."


def _borne(view: TangleView, area: AreaCode) -> str:
    """Return an area's resource; "resource" if its tile is gone."""
    lies = view.tiles.get(area)
    return f" {nouns.resource(BEARS[lies.kind])}" if lies is not None and lies.kind in BEARS else " resource"


def _conditions_line(view: TangleView, seat: Seat, names: words.Names) -> str:
    """Return a seat's conditions at the end, with missing items."""
    have = counts(view.tiles, view.players[seat].front, seat)
    own = view.secrets[seat] if view.secrets is not None else ()
    missing = {CONDITIONS[what].name: lacking(what, have) for what in own}
    met = [name for name, number in missing.items() if not number]
    needs = [f"{number} for {name}" for name, number in missing.items() if number]
    needs[:1] = [one.replace(" for ", " more things for ", 1) for one in needs[:1]]
    lines = [f"meets {words.join_words(met)}"] if met else []
    lines += [f"still needs {words.join_words(needs)}"] if needs else []
    return f"{words.player_with_sign(names, seat)} {words.join_phrases(lines)}."


def move_name(move: moves.Move, view: TangleView, names: words.Names) -> str:
    match move:
        case moves.TanglePlace(start, to):
            return f"move a root from {start} to {nouns.place(view, to)}"
        case moves.PayRest():
            return "keep all that is left"
        case moves.DropRest():
            return f"drop all that is left{_savings(view, every=True)}"
        case moves.Pay(what):
            return f"keep {nouns.item(what)}"
        case moves.Drop(what):
            return f"drop {nouns.item(what)}{_savings(view)}"
        case moves.ChangeUpkeep():
            paid = view.decision.paid if isinstance(view.decision, decisions.Placing) else None
            return f"change upkeep: take back {nouns.amount(NOTHING if paid is None else paid.price)}"
        case moves.PayToll(to, pay):
            return f"pay {words.player_with_sign(names, to)} {nouns.amount(pay)}"
        case moves.Cast(what):
            return f"cast {nouns.card(what)}"
        case moves.Steps(by):
            return f"push the trackers: {nouns.steps(by)}"
        case moves.Lower(by):
            return f"lower the trackers: {nouns.steps(by)}"
        case moves.TakeRow(slot):
            return f"take {nouns.card(view.row[slot])} from the row"
        case moves.TakePile():
            return "take an unseen card from the pile"
        case moves.Trade(wanted):
            return f"change 1 {nouns.resource('M')} into 1 {nouns.resource(wanted)}"
        case moves.Buy(wanted):
            return f"buy a {nouns.seed(wanted)}"
        case moves.Choose(gain):
            return f"gain {nouns.amount(gain)}"
        case moves.TangleDone():
            return "stop here"
        case moves.TanglePlant(planted, area):
            return f"plant a {nouns.seed(planted)} on {area}"
        case moves.TangleSwap(a, b):
            return f"swap {a} and {b}"
        case moves.Recall(start, to):
            return f"bring a root from {nouns.place(view, start)} home to {to}"
        case moves.Offer(area, _, source, what) if what is not None:
            pile = "discards" if source == "discard" else "hand"
            return f"offer {area} for {nouns.card(what)} from the {pile}"
        case moves.Offer(area, wanted):
            return f"offer {area}" if wanted is None else f"offer {area} for 1 {nouns.resource(wanted)}"
        case moves.Takeover(area, pay):
            return f"take over {area}" if pay is None else f"take over {area}, giving {nouns.amount(pay)}"
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
    return f", saving {nouns.cost(due.track, saved)}" if saved > 0 else ""


def several_line(happened: Sequence[moves.Event], view: TangleView, names: words.Names) -> str | None:
    """Return one line for like events in a row."""

    def who(seat: Seat) -> str:
        return words.player_with_sign(names, seat)

    first, *_ = happened
    match first:
        case moves.TangleLaid(seat=seat, kind=what) if _alike(happened, "seat", "kind"):
            kinds = nouns.kind(what) if what == "earth" else f"{len(happened)} {nouns.kind(what)}s"
            return f"↳ {who(seat)} lays {kinds} at {_areas(happened)}{nouns.price_suffix(_price(happened))}."
        case moves.Grew(seat=seat, kind=what) if _alike(happened, "seat", "kind", "root"):
            into = f"{nouns.kind(what)}{'es' if what == 'bush' else 's'}"
            into += f"{', each with a new root' if first.root else ''}{nouns.price_suffix(_price(happened))}"
            return f"↳ {who(seat)} grows {_areas(happened)} into {into}."
        case moves.TanglePlanted(seat=seat, seed=which) if _alike(happened, "seat", "seed", "hedge"):
            price = HEDGE if first.hedge else NOTHING
            seeds = f"{len(happened)} {nouns.seed(which, len(happened))}"
            cost = nouns.price_suffix(times(price, len(happened)))
            return f"↳ {who(seat)} plants {seeds} at {_areas(happened)}{cost}."
        case moves.TileTakenOver(seat=seat, loser=loser) if _alike(happened, "seat", "loser"):
            paid = _price(happened, "paid")
            gets = f" for {nouns.total(paid)}" if any(paid) else ""
            return f"↳ {who(seat)} takes {_areas(happened)} from {who(loser)}{gets}."
        case moves.TookCard(seat=seat) if _alike(happened, "seat"):
            taken = [event.card for event in cast("Sequence[moves.TookCard]", happened)]
            drawn = [nouns.card(card) for card in taken if card is not None]
            unseen = taken.count(None)
            drawn += [f"{'a card' if unseen == 1 else f'{unseen} cards'} from the pile"] if unseen else []
            return f"↳ {who(seat)} takes {words.join_words(drawn)}{nouns.price_suffix(_price(happened))}."
        case moves.MayPlaceAgain(number=1) if [type(one) for one in happened[1:]] == [moves.RootMoved]:
            return f"↳ {_sentence(happened[1], view, names)}".replace(" moves ", " also moves ", 1)
        case moves.MarkerCame() if _alike(happened, "seat"):
            return _describe_markers(cast("Sequence[moves.MarkerCame]", happened), view, names)
        case moves.UpkeepKept() | moves.UpkeepLost() if _is_one_answer(happened):
            return _describe_upkeep(cast("Sequence[moves.UpkeepKept]", happened), view, names)
        case moves.Fed() if _alike(happened):
            return describe_placement_gains(cast("Sequence[moves.Fed]", happened), view)
        case moves.RowFilled() if _alike(happened):
            cards = [nouns.card(event.card) for event in cast("Sequence[moves.RowFilled]", happened)]
            return f"-# New in the row: {words.join_words(cards)}."
        case _:
            return None


def _alike(happened: Sequence[Any], *fields: str) -> bool:
    return len({(type(event), *(getattr(event, field, None) for field in fields)) for event in happened}) == 1


def _is_one_answer(happened: Sequence[Any]) -> bool:
    """Return True if a seat answers one upkeep."""
    both = moves.UpkeepKept | moves.UpkeepLost
    answers = {(getattr(each, "seat", None), getattr(each, "track", None)) for each in happened}
    return len(answers) == 1 and all(isinstance(each, both) for each in happened)


def _areas(happened: Sequence[Any]) -> str:
    return words.join_words([event.area for event in happened])


def _price(happened: Sequence[Any], name: str = "price") -> Amount:
    prices = [getattr(event, name) for event in happened]
    water, earth, nourishment, mana = map(sum, zip(*prices, strict=True))
    return water, earth, nourishment, mana
