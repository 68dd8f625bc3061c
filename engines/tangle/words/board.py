"""Tangle by ear: lands by kind of tile, spaces by code, resources by whole names. Alt texts: `captions`."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from engines.game import Seat
from engines.marks import capital, to_speech
from engines.tangle import decisions, moves
from engines.tangle.legal.context import counts
from engines.tangle.pieces.card_language import CountName
from engines.tangle.pieces.components import (
    ALTERNATIVES,
    AREAS,
    CARDS,
    CENTRE,
    CONDITIONS,
    NOTHING,
    PAID_IN,
    TRACKS,
    AreaCode,
    CardId,
    ConditionId,
    SpaceCode,
    less,
)
from engines.tangle.view import EarlierChanges, TangleView
from engines.tangle.words import spoken
from engines.tangle.words.event_lines import move_name
from engines.tangle.words.nouns import SEEDS, card_price, card_text, does
from engines.words import (
    Names,
    Part,
    answer,
    by_region,
    count_noun,
    describe_news,
    find_place,
    group_by,
    join_words,
    name_or_you,
    ordinal,
    others_after,
    possessive,
    ranges,
    section,
)

PLACE_WORDS = "an area, like C6, a row, like row C, a space, like CE, or a card by its name"
BRING_ROOTS = (
    decisions.Placing,
    decisions.RunningCard,
    decisions.Growing,
    decisions.Diverse,
    decisions.Recalling,
    decisions.Sacrificing,
)
"""The decisions that can bring a root home."""
BRING_CARDS = (
    decisions.Placing,
    decisions.RunningCard,
    decisions.Growing,
    decisions.Diverse,
    decisions.Sacrificing,
    decisions.DrawingCards,
    decisions.Transforming,
)
"""The decisions that can bring cards."""
COUNTS: dict[CountName, tuple[str, str]] = {
    "trees": ("tree", "trees"),
    "saplings": ("sapling", "saplings"),
    "meadows": ("meadow", "meadows"),
    "bushes": ("bush", "bushes"),
    "lakes": ("lake", "lakes"),
    "tiles": ("tile in all", "tiles in all"),
    "group": ("connected tile", "connected tiles"),
    "enchantments": ("enchantment", "enchantments"),
}


def describe_changes(view: TangleView, names: Names) -> list[str]:
    lines = [_headline(view, names)]
    # Root moves since an earlier view: seat, start, end.
    news = [one for one in view.news or () if one.seat is not None]
    trees = {area for area, tile in view.tiles.items() if tile.kind == "tree"}
    moved = [(one.seat or 0, one.start, one.place) for one in news if one.kind == "roots" and one.start]
    for seat in range(view.seats):
        own = [one for one in news if one.seat == seat and one.start is None]
        left = [one.place for one in own if one.kind == "roots"]
        homes = [one.place for one in own if one.kind == "tile" and one.place in trees]
        if len(left) == len(homes) == 1:
            moved.append((seat, left[0], homes[0]))
    lines += [
        f"{capital(name_or_you(names, seat, view.viewer))} moved a root from "
        f"{spoken.where(view, start)} to {spoken.where(view, to)}."
        for seat, start, to in moved
    ]
    for area in view.changed.areas:
        lines.append(f"New at {area}: {spoken.tile(view, names, area)}.")
    for code in dict.fromkeys((*view.changed.spaces, *view.refilled)):
        lines.append(f"{spoken.space_name(view, code)} now has {_things_on(view, names, code)}.")
    told = {place for _, *ends in moved for place in ends}
    rest = [one for one in view.news or () if one.place not in told]
    lines += describe_news(rest, names, view.viewer)
    # Each seat's wins and losses since an earlier view.
    won = view.earlier.seeds if view.earlier else ()
    for seat, (net, seeds) in enumerate(zip(view.gained, won, strict=True)):
        changes = (less(net, NOTHING), "more"), (less(NOTHING, net), "less")
        counted = [f"{spoken.amount(number)} {way}" for number, way in changes if number != NOTHING]
        for what, number in zip(("bush seed", "tree seed"), seeds, strict=True):
            more = "more" if number > 0 else "less"
            counted += [f"{count_noun(abs(number), what)} {more}"] if number else []
        if counted:
            has = "have" if seat == view.viewer else "has"
            lines.append(f"{capital(name_or_you(names, seat, view.viewer))} {has} {join_words(counted)}.")
    return [*lines, *_calls(view, names)]


def _calls(view: TangleView, names: Names) -> list[str]:
    """Say which cards and upkeep came and went since an earlier view."""
    earlier = view.earlier or EarlierChanges()
    cards = [(seat, "cast", own) for seat, own in enumerate(earlier.cast)]
    cards += [(seat, "lost", own) for seat, own in enumerate(earlier.lost)]
    cast = [(name_or_you(names, seat, view.viewer), did, own) for seat, did, own in cards if own]
    lines = [f"{who} {did} {join_words(CARDS[one].name for one in own)}." for who, did, own in cast]
    lines += [f"upkeep for {spoken.TRACK_NAMES[track]} is over." for track in earlier.paid]
    for track, to in zip(TRACKS, view.markers, strict=True):
        if to is not None and track in earlier.called:
            got = f"{name_or_you(names, to, view.viewer)} got the {spoken.TRACK_NAMES[track]} marker"
            due = f"upkeep is due at the start of {possessive(names, to, view.viewer)} next turn"
            lines.append(f"{got}: {due}.")
    return [capital(line) for line in lines]


def _headline(view: TangleView, names: Names) -> str:
    limit = f" of {view.options.round_limit}" if view.options.round_limit else ""
    at = f"round {view.round}{limit}"
    turn = f"{possessive(names, view.seat, view.viewer)} turn"
    if view.over:
        ended = "The game was cancelled" if view.outcome is None else "The game is over"
        how = "" if view.outcome is None else f", {view.outcome.how.replace('_', ' ')}"
        return f"{ended}{how}: {at}, {turn}."
    owing = join_words(name_or_you(names, seat, view.viewer) for seat in view.owing)
    asked = "must go on" if view.decision is None else spoken.must(view.decision, view, names)
    now = at if view.owing == (view.seat,) else f"{at}, {turn}"
    return f"{capital(now)}: {owing} {asked}."


def parts(view: TangleView, names: Names) -> list[Part]:
    me = view.viewer
    entries = section("What changed last", [*describe_changes(view, names), *_turn(view, names)])
    if me is not None:
        entries += section("Your cards and conditions", _secret(view, me, view.hand, view.conditions))
        entries += section("You", _player(view, names, me))
    for seat in others_after(view.seats, me):
        opened = []
        if view.hands is not None and view.secrets is not None:
            opened = _secret(view, seat, view.hands[seat], view.secrets[seat])
        entries += section(name_or_you(names, seat), [*_player(view, names, seat), *opened])
    spaces = [f"{_space(view, names, code)}." for code in spoken.table(view).spaces]
    entries += section("Spaces", spaces)
    entries += by_region(
        "Row", [(row, [_row(view, names, row, areas)]) for row, areas in _rows(view).items()]
    )
    lines = []
    for track, left, marker in zip(TRACKS, view.trackers, view.markers, strict=True):
        whose = "" if marker is None else possessive(names, marker, view.viewer)
        due = f". Upkeep is due at the start of {whose} next turn" if whose else ""
        if whose and not left:
            due += (
                f". The tracker waits there, so upkeep is due again at the start of {whose} turn after that"
            )
        price = f"1 {spoken.resource_name(PAID_IN[track])} each"
        lines.append(
            f"{capital(spoken.TRACK_NAMES[track])} cost {price}. The tracker is {count_noun(left, 'step')} "
            f"below the top{due}."
        )
    entries += section("Upkeep tracks", lines)
    entries += section(
        "Cards to take",
        [*_cards(view, view.row, view.viewer), f"The pile holds {count_noun(view.pile, 'card')}."],
    )
    number = capital(count_noun(len(view.discards), "card"))
    oldest_first = join_words(CARDS[card].name for card in view.discards)
    discards = f"{number}, oldest first: {oldest_first}." if view.discards else "There are no discards."
    entries += section("Discards", [discards])
    return [*entries, *section("This game", _game(view, names))]


def _turn(view: TangleView, names: Names) -> list[str]:
    lines, who = [], name_or_you(names, view.seat, view.viewer)
    if view.changes:
        lines.append(f"So far this turn: {count_noun(view.changes, 'change')} to the land.")
    if view.extra or view.offered:
        lines.append(
            f"This turn brings {count_noun(view.extra, 'more placement')}. Offered "
            f"tiles have earned {count_noun(view.offered, 'placement')} so far."
        )
    if view.reserve:
        lines.append(f"{capital(who)} must keep {count_noun(view.reserve, 'resource')} for the roots below.")
    later = [spoken.must(one, view, names) for one in reversed(view.agenda[:-1]) if _will_ask(one, view)]
    if later:
        lines.append(f"Later this turn, {who} {', then '.join(later)}.")
    return lines


def _will_ask(asked: decisions.Decision, view: TangleView) -> bool:
    """Return True if a later decision still brings something.

    A card whose effects have begun has none left. A cast takes a root at home and a card in hand, or what
    can bring them before it: only a sapling grows into a tree, which can bring both.
    """
    match asked:
        case decisions.RunningCard(ops=ops):
            return bool(ops)
        case decisions.Casting(cast=cast):
            homes = sum(lies.roots for lies in view.tiles.values() if lies.owner == view.seat)
            has_sapling = any(
                lies.kind == "sapling" for lies in view.tiles.values() if lies.owner == view.seat
            )
            later, kinds = view.agenda[view.agenda.index(asked) + 1 :], decisions.Growing | decisions.Diverse
            before = [one for one in later if has_sapling or not isinstance(one, kinds)]
            has_root = homes > cast or any(isinstance(one, BRING_ROOTS) for one in before)
            has_card = view.players[view.seat].held or any(isinstance(one, BRING_CARDS) for one in before)
            return has_root and bool(has_card)
        case _:
            return True


def _secret(
    view: TangleView, seat: Seat, hand: Sequence[CardId] | None, conditions: Sequence[ConditionId] | None
) -> list[str]:
    """Describe a hand, and the progress on its conditions."""
    have = counts(view.tiles, view.players[seat].front, seat)
    lines = [condition(one, have) for one in conditions or ()]
    lines.append(f"{capital(count_noun(len(hand or ()), 'card'))} in hand.")
    return [*lines, *_cards(view, hand or (), seat)]


def condition(which: ConditionId, have: dict[CountName, int]) -> str:
    lacks = [(what, number - have.get(what, 0)) for what, number in CONDITIONS[which].need.items()]
    missing = [count_noun(number, *COUNTS[what]) for what, number in lacks if number > 0]
    name = CONDITIONS[which].name
    return f"{name} still needs {join_words(missing)}." if missing else f"{name} is met."


def _cards(view: TangleView, cards: Iterable[CardId], seat: Seat | None) -> list[str]:
    return [
        f"{card_words(view, card, seat)}{f' {count} copies.' if count > 1 else ''}"
        for card, count in Counter(cards).items()
    ]


def card_words(view: TangleView, card: CardId, seat: Seat | None) -> str:
    price = spoken.amount(card_price(view, card, seat))
    return f"{CARDS[card].name} costs {price}. {to_speech(card_text(card))}"


def _player(view: TangleView, names: Names, seat: Seat) -> list[str]:
    mine = seat == view.viewer
    who, have = capital(name_or_you(names, seat, view.viewer)), "have" if mine else "has"
    player = view.players[seat]
    lines = [f"{who} {have} {spoken.amount(player.stash)}."]
    if view.outcome is not None:
        place = view.outcome.places[seat]
        comes = f"{'finish' if mine else 'finishes'} {ordinal(place)}" if place else f"{have} no final place"
        lines.append(f"{who} {comes}.")
    if seat in view.out:
        lines.append(f"{who} left the game {ordinal(view.out.index(seat) + 1)}.")
    if view.shown[seat]:
        lines.append(f"{who} {have} met {join_words(CONDITIONS[one].name for one in view.shown[seat])}.")
    seeds = [count_noun(n, f"{kind} seed") for n, kind in zip(player.seeds, SEEDS, strict=True) if n]
    held = [f"{count_noun(player.roots, 'root')} in the stash", f"{count_noun(player.held, 'card')} in hand"]
    lines.append(f"{who} {have} {join_words([*(seeds or ['no seeds']), *held])}.")
    if player.sleeper is not None:
        lines.append(f"A root sleeps on {spoken.space_name(view, player.sleeper)}.")
    own = sorted((area for area, lies in view.tiles.items() if lies.owner == seat), key=_order)
    for kind in spoken.KINDS:
        areas = [area for area in own if view.tiles[area].kind == kind]
        if areas:
            pairs = [(area, spoken.with_what(view.tiles[area]).removeprefix(" with ")) for area in areas]
            entries = [f"{area} ({what})" if what else area for area, what in pairs]
            lines.append(f"{capital(spoken.kind_of(len(areas), kind))}: {join_words(entries)}.")
    on = [code for code, stack in view.roots.items() if seat in stack]
    if on:
        lines.append(f"{who} {have} roots on {join_words(spoken.space_name(view, code) for code in on)}.")
    if player.front:
        lines.append(
            f"Cast enchantments, oldest first: {join_words(CARDS[card].name for card in player.front)}."
        )
    earth, meadow, lake, sapling = player.tiles
    lines.append(
        f"Tiles left: {earth} for earth and bushes, {count_noun(meadow, 'meadow')}, "
        f"{count_noun(lake, 'lake')}, and {sapling} for saplings and trees."
    )
    return [capital(line) for line in lines]


def _order(area: AreaCode) -> tuple[int, int]:
    facts = AREAS[area]
    return facts.y, facts.x


def _rows(view: TangleView) -> dict[str, list[AreaCode]]:
    """Return the areas in play by row, each row from left to right."""
    result: dict[str, list[AreaCode]] = {}
    for area in sorted(spoken.table(view).areas, key=_order):
        result.setdefault(area[0], []).append(area)
    return result


def _row(view: TangleView, names: Names, row: str, areas: Sequence[AreaCode]) -> str:
    lines = [f"{area} {spoken.tile(view, names, area)}" for area in areas if area in view.tiles]
    empty = [area for area in areas if area not in view.tiles]
    if empty:
        numbers = ranges(int(area[1:]) for area in empty)
        lines.append(f"areas {numbers} are empty" if len(empty) > 1 else f"{empty[0]} is empty")
    return f"Row {row}: {'; '.join(lines)}."


def _space(view: TangleView, names: Names, code: SpaceCode) -> str:
    return f"{spoken.space_name(view, code)}: {_things_on(view, names, code)}"


def _things_on(view: TangleView, names: Names, code: SpaceCode) -> str:
    entries = []
    if code in view.resources:
        entries += re.split(", | and ", spoken.amount(view.resources[code]))
    stack = view.roots.get(code, ())
    if stack:
        roots = [f"{possessive(names, seat, view.viewer)} root" for seat in reversed(stack)]
        entries.append(f"{', then '.join(roots)}{', from the top down' if len(roots) > 1 else ''}")
    return join_words(entries) or "no roots"


def _game(view: TangleView, names: Names) -> list[str]:
    options = view.options
    paid = "Everyone chooses which upkeep to pay."
    if options.upkeep == "alone":
        paid = "I pay your upkeep for you if you can keep everything."
    stock = [count_noun(n, f"{seed} seed") for seed, n in zip(SEEDS, view.seeds, strict=True)]
    centre = "has no action" if view.centre is None else f"is {ALTERNATIVES[view.centre].name}"
    lines = [
        f"This game has {count_noun(view.seats, 'player')}.",
        f"The supply has {stock[0]} and {stock[1]}.",
        f"The centre, {CENTRE}, {centre}{', drawn at random' if options.centre == 'random' else ''}.",
        paid,
    ]
    lines += [f"{code} is {ALTERNATIVES[action].name} in this game." for code, action in options.exchange]
    return [capital(line) for line in lines]


def describe_hand(view: TangleView, _names: Names, seat: Seat) -> list[str]:
    """Describe a seat's hand, and the progress on its conditions."""
    if view.hands is not None and view.secrets is not None:
        return _secret(view, seat, view.hands[seat], view.secrets[seat])
    return [] if view.hand is None else _secret(view, seat, view.hand, view.conditions)


def describe_picture(what: str, view: TangleView, names: Names, args: Sequence[Any]) -> list[str]:
    """Describe a part of the land. The areas and spaces of a choice."""
    if what != "focus":
        return []
    areas, spaces = args[0], args[1] if len(args) > 1 else ()
    lines = [f"{area}: {spoken.tile(view, names, area)}." for area in areas]
    return [*lines, *(f"{_space(view, names, code)}." for code in spaces)] or ["No place to choose."]


def places(view: TangleView) -> list[str]:
    """Return everything in play that can be asked about."""
    here = spoken.table(view)
    named = [card.name for card in CARDS.values()] + [one.name for one in CONDITIONS.values()]
    rows = [f"row {row}" for row in _rows(view)]
    return [*sorted(here.areas, key=_order), *here.spaces, *rows, *dict.fromkeys(named)]


def describe_place(view: TangleView, names: Names, place: str, moves_: Sequence[moves.Move]) -> str:
    text = find_place(place, places(view), PLACE_WORDS)
    here = spoken.table(view)
    if text in here.areas:
        borders = [f"{other} ({spoken.tile(view, names, other)})" for other in here.among(here.borders[text])]
        spaces = [spoken.space_name(view, code) for code in AREAS[text].spaces if code in here.spaces]
        lines = [f"{text}: {spoken.tile(view, names, text)}.", f"It borders {join_words(borders)}."]
        lines += [f"Spaces beside it: {join_words(spaces)}."] if spaces else []
        return answer([*lines, *_doing(text, view, names, moves_)])
    if text in here.spaces:
        lines = [f"{_space(view, names, text)}.", to_speech(does(here.spaces[text]))]
        feeds = [f"1 {spoken.resource_name(letter)} to {to}" for to, letter in here.feeds[text]]
        if feeds:
            lines.append(f"A root you place here adds {join_words(feeds)}.")
        beside = [f"{area} {spoken.tile(view, names, area)}" for area in here.beside[text]]
        lines.append(f"Areas beside it: {'; '.join(beside)}.")
        return answer([*lines, *_doing(text, view, names, moves_)])
    if text.startswith("row "):
        return answer([_row(view, names, text[4:], _rows(view)[text[4:]])])
    return answer(_describe_named(view, names, text, moves_))


def _describe_named(view: TangleView, names: Names, name: str, moves_: Sequence[moves.Move]) -> list[str]:
    lines = []
    for key, facts in CARDS.items():
        if facts.name == name:
            lines.append(card_words(view, key, view.viewer))
            lines += ["It's in the row."] if key in view.row else []
            lines += ["It's in your hand."] if key in (view.hand or ()) else []
            for seat, player in enumerate(view.players):
                if key in player.front:
                    lines.append(f"It's in front of {name_or_you(names, seat, view.viewer)}.")
            lines += [
                f"You can {_say(move, view, names)}."
                for move in moves_
                if (isinstance(move, moves.Cast) and move.card == key)
                or (isinstance(move, moves.TakeRow) and view.row[move.slot] == key)
            ]
    for one, facts_ in CONDITIONS.items():
        if facts_.name == name:
            have, me = {}, view.viewer
            if me is not None:
                have = counts(view.tiles, view.players[me].front, me)
            lines.append(condition(one, have))
    return lines


def _doing(place: str, view: TangleView, names: Names, moves_: Sequence[moves.Move]) -> list[str]:
    lines = [f"You can {_say(move, view, names)}." for move in moves_ if place in _places_of(move)]
    return lines or ["You can't do anything there now."]


def _say(move: moves.Move, view: TangleView, names: Names) -> str:
    return to_speech(move_name(move, view, names))


def _places_of(move: moves.Move) -> tuple[str, ...]:
    match move:
        case moves.TanglePlace(start, to) | moves.Recall(start, to):
            return (start, to)
        case moves.TangleSwap(a, b):
            return (a, b)
        case moves.Pay(item) | moves.Drop(item):
            return (item,)
        case (
            moves.Earth(area)
            | moves.Lake(area)
            | moves.Meadow(area)
            | moves.Grow(area)
            | moves.Sprout(area)
            | moves.Hedge(area)
            | moves.Drain(area)
            | moves.TanglePlant(_, area)
            | moves.Offer(area)
            | moves.Takeover(area)
        ):
            return (area,)
        case _:
            return ()


def describe_moves(view: TangleView, names: Names, moves_: Sequence[moves.Move]) -> str:
    going = [move for move in moves_ if isinstance(move, moves.TanglePlace)]
    lines = [
        f"From {spoken.where(view, start)} a root can go to {join_words((move.to for move in ways), 'or')}."
        for start, ways in group_by(going, lambda move: move.start).items()
    ]
    lines += [
        f"You can {_say(move, view, names)}." for move in moves_ if not isinstance(move, moves.TanglePlace)
    ]
    return answer(lines or ["You can't do anything now."])
