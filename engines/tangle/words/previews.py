"""A panel's sentences about a position: conditions, the cost of upkeep, and obstacles."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from engines.game import Seat
from engines.marks import capital, with_icon
from engines.tangle import decisions
from engines.tangle.legal.context import Context, context_of, counts, lacking
from engines.tangle.legal.moves import LandingObstacle, rule_of
from engines.tangle.legal.prices import can_pay_toll, toll_due
from engines.tangle.legal.resources import room_below
from engines.tangle.pieces import card_language, components
from engines.tangle.pieces.board import BEARS
from engines.tangle.preview import Bill, TanglePlacementPreview, bill
from engines.tangle.view import TangleView
from engines.tangle.words import nouns
from engines.tangle.words.board import COUNTS
from engines.words import Names, join_words, player_with_sign, plural

SIGN = "\u26a0\ufe0f"
DUE = 2
"""Steps from the top of an upkeep that is due soon."""
FEW = 3
"""The most choices that a warning names if it is true of all."""
COUNTED: dict[card_language.CountName, tuple[str, str]] = {
    **COUNTS,
    "tiles": ("tile", "tiles"),
    "group": ("tile connected to the others", "connected tiles"),
    "enchantments": ("enchantment in front of you", "enchantments in front of you"),
}
"""The words for counted things, singular and plural."""
NO_PLACE: dict[components.Action, str] = {
    "clean_earth": "you can't reach an empty area",
    "place_lake": "no area for a lake is left",
    "place_meadows": "you have no clean earth",
    "plant": "you have no free clean earth",
    "grow": "nothing of yours can grow",
    "take_cards": "no cards are left",
    "gather_water": "you have no tree",
    "sprout": "no earth beside your trees",
    "spread_meadows": "no earth beside your meadows",
    "spread_bushes": "no earth beside your bushes",
    "gather_cards": "no meadow of yours, or no cards left",
    "contained_growth": "no bush, seed or sapling of yours",
    "mana": "you can get nothing for mana",
    "shift": "you have fewer than 2 tiles",
    "diverse": "no area for any of the three",
    "sacrifice": "you have nothing to offer",
    "takeover": "no opponent's earth beside your land",
}
"""Reasons that make a space's action impossible, apart from resources, tiles or seeds."""


def nearest(view: TangleView, seat: Seat) -> str:
    """Return the nearest conditions, and what one has for the first."""
    have = counts(view.tiles, view.players[seat].front, seat)
    least = min(lacking(one, have) for one in view.conditions or ())
    what, *others = (one for one in view.conditions or () if lacking(one, have) == least)
    short = {name: number for name, number in components.CONDITIONS[what].need.items() if have[name] < number}
    if not short:
        name = components.CONDITIONS[what].name
        return f"You meet **{name}**. You win if you still meet it when the turn ends."
    got = join_words(
        f"{have[name]} of {number} {COUNTED[name][number > 1]}" for name, number in short.items()
    )
    named = [f"**{components.CONDITIONS[one].name}**" for one in (what, *others)]
    close = f"You're equally close to {join_words(named)}. For {named[0]}" if others else f"For {named[0]}"
    return f"{close} you have {got}: {least} to go."


def own_bill(what: Bill, track: card_language.TrackName, lead: str = "") -> str:
    """Return the viewer's upkeep.

    "you have 0 N, so you'd lose all 3". The `lead` is a condition: "if you grow E5, ".
    """
    if not what.owed:
        return f"{lead}you'd pay nothing"
    if not what.lost:
        return f"{lead}you'd pay {nouns.cost(track, what.owed)}"
    held, loss = nouns.cost(track, what.held), _loss(what)
    return f"{lead}you'd have {held} and lose {loss}" if lead else f"you have {held}, so you'd lose {loss}"


def others_bill(what: Bill, track: card_language.TrackName, name: str) -> str:
    """Return another's upkeep. "Bo has 1 N and would lose 2 of 3"."""
    if not what.lost:
        return f"{name} would pay {nouns.cost(track, what.owed) if what.owed else 'nothing'}"
    return f"{name} has {nouns.cost(track, what.held)} and would lose {_loss(what)}"


def _loss(what: Bill) -> str:
    """Name the only thing that is lost, or count them."""
    number = len(what.items)
    if what.lost < number:
        return f"{what.lost} of {number}"
    return f"all {number}" if number > 1 else nouns.item(what.items[0])


def bill_briefly(what: Bill, track: card_language.TrackName) -> str:
    """Return the viewer's upkeep for a menu's line: "lose all 3 enchantments"."""
    if not what.lost:
        return f"pay {nouns.cost(track, what.owed) if what.owed else 'nothing'}"
    tracked = f" {nouns.TRACK_NAMES[track]}" if len(what.items) > 1 else ""
    return f"lose {_loss(what)}{tracked}"


def bills(view: TangleView, seat: Seat, track: card_language.TrackName, names: Names) -> str:
    """Return a track's present upkeep, your own first."""
    if not any(bill(view, one, track).owed for one in view.remaining):
        return "nobody would pay"
    lines = [own_bill(bill(view, seat, track), track)]
    others = [other for other in view.remaining if other != seat]
    lines += [
        others_bill(bill(view, other, track), track, player_with_sign(names, other)) for other in others
    ]
    return "; ".join(lines)


class Warnings(msgspec.Struct, frozen=True):
    """The upkeep that a seat should know of.

    `urgent` is what would cost it tiles or cards, or falls to whoever ends the turn; `others` is the rest.
    """

    urgent: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


class _Due(msgspec.Struct, frozen=True):
    """A track's upkeep that is near, at a seat's cost.

    Attributes:
        steps: the steps of its tracker from the top.
        twice: True if the tracker waits at the top for its marker.
    """

    track: card_language.TrackName
    cost: Bill
    steps: int
    twice: bool

    @property
    def loses(self) -> bool:
        return self.cost.held < self.cost.owed * (1 + self.twice)

    @property
    def is_urgent(self) -> bool:
        return self.loses or not self.steps


def _dues(view: TangleView, seat: Seat, within: int) -> list[_Due]:
    """Return a seat's costly upkeep within some steps, unless it's asked."""
    asked = view.decision.track if isinstance(view.decision, decisions.Upkeep) else None
    dues = [
        _Due(track, bill(view, seat, track), steps, twice=not steps and marker is not None)
        for track, steps, marker in zip(components.TRACKS, view.trackers, view.markers, strict=True)
        if track != asked and (marker is not None or steps <= within)
    ]
    return [due for due in dues if due.cost.owed]


def warnings(view: TangleView, seat: Seat, names: Names, within: int = DUE, lead: str = "") -> Warnings:
    """Return a line per costly upkeep due within some steps. For the `lead` see `own_bill`."""
    dues = _dues(view, seat, within)
    urgent = [_warning(due, view, seat, names, lead) for due in dues if due.is_urgent]
    asked = view.decision
    if isinstance(asked, decisions.Upkeep) and not view.trackers[components.TRACKS.index(asked.track)]:
        name, whose = nouns.TRACK_NAMES[asked.track], _whose(view.seat, seat, names)
        urgent.append(
            f"{SIGN} **The {name} tracker is at the top already, so this upkeep is due again "
            f"at the start of {whose} next turn.**"
        )
    others = [_warning(due, view, seat, names, lead) for due in dues if not due.is_urgent]
    return Warnings(tuple(urgent), tuple(others))


def losses(view: TangleView, seat: Seat, names: Names, lead: str = "") -> list[str]:
    """Return a line per near upkeep that would cost the seat items."""
    return [_warning(due, view, seat, names, lead) for due in _dues(view, seat, DUE) if due.loses]


def warnings_of_choices(
    view: TangleView, seat: Seat, names: Names, then: Mapping[str, TangleView], lead: str = ""
) -> Warnings:
    """Return the upkeep that choices would bring or raise, with their names.

    `then` has the view after each, by its name: "grow E5". A `lead` takes the place of the names.
    """
    before = {due.track: due for due in _dues(view, seat, within=0)}
    choices: dict[_Due, list[str]] = {}
    for name, after in then.items():
        for due in _dues(after, seat, within=0):
            if due != before.get(due.track):
                choices.setdefault(due, []).append(name)
    urgent, others = [], []
    for due, named in choices.items():
        old, first = before.get(due.track), lead or _lead(named, len(then))
        worse = old is None or not old.loses or due.cost.lost > old.cost.lost or due.twice > old.twice
        if due.loses and worse:
            urgent.append(_warning(due, then[named[0]], seat, names, first))
        elif old is None or due.cost.owed > old.cost.owed or due.twice > old.twice:
            others.append(_warning(due, then[named[0]], seat, names, first))
    return Warnings(tuple(urgent), tuple(others))


def _lead(named: Sequence[str], choices: int) -> str:
    """Return a condition: "if you grow E5 or E6, "."""
    if len(named) == choices > FEW:
        return "whatever you choose, "
    does = named[0].rpartition(" ")[0]
    return f"if you {does} {join_words([name.rpartition(' ')[2] for name in named], 'or')}, "


def _warning(due: _Due, view: TangleView, seat: Seat, names: Names, lead: str) -> str:
    cost = own_bill(due.cost, due.track, lead)
    if due.loses and not due.cost.lost:
        cost += f" each time, and you have {nouns.cost(due.track, due.cost.held)}"
    return f"{SIGN} **{_when(due.track, view, seat, names)}** {capital(cost)}."


def _when(track: card_language.TrackName, view: TangleView, seat: Seat, names: Names) -> str:
    number, name = components.TRACKS.index(track), nouns.TRACK_NAMES[track]
    steps, marker = view.trackers[number], view.markers[number]
    if marker == view.seat and isinstance(view.decision, decisions.Upkeep):
        return f"Upkeep for {name} comes right after this."
    if marker is not None:
        whose = _whose(marker, seat, names)
        due = f"Upkeep for {name} is due at the start of {whose} next turn"
        gets = "you get" if marker == seat else f"{player_with_sign(names, marker)} gets"
        again = f", and again at {whose} turn after that: its tracker waits at the top, and {gets} the marker"
        return f"{due}{'' if steps else again}."
    if steps:
        return f"Upkeep for {name} is {plural(steps, 'step')} away."
    whose = _whose(view.seat, seat, names)  # whoever ends a turn with a tracker at the top gets its marker
    return f"The {name} tracker is at the top, so upkeep is due at the start of {whose} next turn."


def waiting(holder: Seat, names: Names) -> str:
    """Say who gets a marker that is out once more, and when."""
    who = player_with_sign(names, holder)
    return (
        f"waits at the top, because {who} has its marker. {who} gets it again at the end of {who}'s next "
        f"turn, and everyone pays at the start of {who}'s turn after that"
    )


def _whose(payer: Seat, seat: Seat, names: Names) -> str:
    return "your" if payer == seat else f"{player_with_sign(names, payer)}'s"


def trackers(view: TangleView, seat: Seat, names: Names) -> Warnings:
    """Return each tracker's distance from the top, and everybody's cost there."""
    near, urgent, others = warnings(view, seat, names, within=-1), [], []
    for track, steps, marker in zip(components.TRACKS, view.trackers, view.markers, strict=True):
        name = with_icon(nouns.TRACK_SIGNS[track], f"**{capital(nouns.TRACK_NAMES[track])}**")
        cost = bill(view, seat, track)
        if marker is None:
            far = f"{plural(steps, 'step')} from the top. There," if steps else "at the top. Now,"
            line = f"{name} tracker: {far} {bills(view, seat, track, names)}."
            if cost.lost:
                urgent.append(f"{SIGN} {line}")
            else:
                others.append(f"-# {line}")
        elif not cost.owed:
            others.append(f"-# {_when(track, view, seat, names)} You'd pay nothing.")
    return Warnings((*near.urgent, *urgent), (*near.others, *others))


def gains(ahead: TanglePlacementPreview, seat: Seat) -> list[str]:
    """Return a placement's sure gains for its seat: "get 2 W"."""
    own = [gift.seeds for gift in ahead.gifts if gift.seat == seat]
    seeds = (sum(bush for bush, _ in own), sum(tree for _, tree in own))
    some = ahead.gained != components.NOTHING or any(seeds)
    lines = [f"get {nouns.gains(ahead.gained, seeds)}"] if some else []
    return lines + ([f"draw {plural(ahead.drawn, 'card')} from the pile"] if ahead.drawn else [])


def others_gains(ahead: TanglePlacementPreview, seat: Seat, names: Names) -> list[str]:
    """Return what others' enchantments are sure to bring them by a placement."""
    others = [gift for gift in ahead.gifts if gift.seat != seat]
    gained = [(player_with_sign(names, gift.seat), nouns.gains(gift.amount, gift.seeds)) for gift in others]
    return [f"{name} gets {gains}." for name, gains in gained]


def sources(view: TangleView, ahead: TanglePlacementPreview, seat: Seat, names: Names) -> list[str]:
    """Return the enchantments behind a placement's gains, and what it adds elsewhere."""
    mine = [(gift, gift.card) for gift in ahead.gifts if gift.seat == seat and gift.card is not None]
    own = [f"{nouns.gains(gift.amount, gift.seeds)} from {nouns.card(card)}" for gift, card in mine]
    added = [f"1 {nouns.resource(what)} to space {space}" for space, what in ahead.fed]
    added += [
        f"1 {nouns.resource(BEARS[tile.kind])} to {player_with_sign(names, tile.owner)}'s {area}"
        for area, tile in ((area, view.tiles[area]) for area in ahead.tiles)
    ]
    lines = [f"-# That includes {join_words(own)}."] if own else []
    return lines + ([f"-# Your root also adds {join_words(added)}."] if added else [])


def obstacle_text(why: LandingObstacle, what: components.Action) -> str:
    """Explain an impossible action: "you need 2 N, but you have none"."""
    match why.lacks:
        case "price":
            # The price of one, and the amount of the missing resource.
            rows = zip(components.RESOURCES, why.price, why.held, strict=True)
            short = [(held, letter) for letter, price, held in rows if price > held]
            text = f"you need {nouns.amount(why.price)}"
            if not short:
                return f"{text} and must keep {why.kept} for the toll"
            if sum(map(bool, why.price)) == 1:
                return f"{text}, but you have {short[0][0] or 'none'}"
            have = join_words([f"{held or 'no'} {nouns.resource(letter)}" for held, letter in short])
            return f"{text}, but you have {have}"
        case "tile":
            return "you have no such tile left"
        case "seed":
            return "you have no seed"
        case "supply":
            return "no such seeds are left"
        case "place":
            return NO_PLACE[what]


def does_nothing(view: TangleView, card: components.CardId) -> bool:
    """Return True if a card that works once has no effect now."""
    context, ops = context_of(view), components.CARDS[card].ops
    return bool(ops) and not any(_has_effect(context, op) for op in ops)


def _has_effect(context: Context, op: card_language.AnyOp) -> bool:
    match op:
        case card_language.GainOnce():
            supply = [op.bush_seed and context.public.seeds[0], op.tree_seed and context.public.seeds[1]]
            return any((op.W, op.E, op.N, op.M, op.cards and context.blind, *supply))
        case card_language.Harvest(extra):
            own = [tile for tile in context.public.tiles.values() if tile.owner == context.seat]
            return any(tile.kind in BEARS and tile.cubes + extra for tile in own)
        case card_language.ExtraPlacement():
            return True
        case card_language.LowerTrackers():
            return any(room_below(context.public))
        case _:
            asked = decisions.decision_for(op)
            return any(True for _ in rule_of(asked).choices(context, asked))


def unpaid_tolls(view: TangleView) -> str:
    """Name the spaces whose toll is too high; empty for none."""
    context = context_of(view)
    tolls = [(one, toll_due(context, one)) for one in context.board.usable if not can_pay_toll(context, one)]
    lines = [f"{space} (toll of {sum(count for _, count in toll)})" for space, toll in tolls]
    have = f"you have {nouns.amount(context.stash)}"
    return f"You can't go to {join_words(lines, 'or')}: {have}." if lines else ""


def condition_text(what: components.ConditionId) -> str:
    """Return a victory condition's demands: "**Deep Wood**: 5 trees and 1 meadow"."""
    condition = components.CONDITIONS[what]
    need = join_words(f"{n} {COUNTED[kind][n > 1]}" for kind, n in condition.need.items())
    return f"**{condition.name}**: {need}"


def progress_text(what: components.ConditionId, have: Mapping[card_language.CountName, int]) -> str:
    """Return a condition's demands with what a seat has of them.

    >>> progress_text("garden", {"trees": 3, "meadows": 2, "bushes": 0, "lakes": 3})
    '**Three of All**, 4 to go: 3 of 3 trees, 2 of 3 meadows, 0 of 3 bushes and 3 of 3 lakes'
    """
    parts = [
        f"{min(have[kind], n)} of {n} {COUNTED[kind][n > 1]}"
        for kind, n in components.CONDITIONS[what].need.items()
    ]
    left = lacking(what, have)
    return (
        f"**{components.CONDITIONS[what].name}**, {f'{left} to go' if left else 'met'}: {join_words(parts)}"
    )


def card_lines(view: TangleView, cards: Iterable[components.CardId]) -> list[str]:
    """Return a line per kind of card: name, number, price, effect."""

    def line(card: components.CardId, number: int) -> str:
        price = nouns.amount(nouns.card_price(view, card, view.viewer))
        costs = f" ×{number} cost {price} each" if number > 1 else f" costs {price}"
        return f"**{components.CARDS[card].name}**{costs}. {nouns.card_text(card)}"

    return [line(card, number) for card, number in Counter(cards).items()]


def hand_text(view: TangleView) -> str | None:
    """Return the viewer's victory conditions and cards; None if a spectator."""
    if view.hand is None or view.conditions is None:
        return None
    have = counts(view.tiles, view.players[view.viewer or 0].front, view.viewer or 0)
    nearest = sorted(view.conditions, key=lambda one: lacking(one, have))
    wanted = ["__You win with one of these__", *(progress_text(one, have) for one in nearest)]
    return "\n".join([*wanted, *(["__Your cards__", *card_lines(view, view.hand)] if view.hand else [])])


def row_text(view: TangleView) -> str | None:
    return "\n".join(["__The row__", *card_lines(view, view.row)]) if view.row else None
