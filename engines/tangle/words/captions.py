"""Captions on the pictures of Tangle, and alternative texts for those who can't see them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from re import sub

from engines.game import Seat
from engines.tangle.decisions import Upkeep
from engines.tangle.legal.context import counts, lacking
from engines.tangle.pieces import components
from engines.tangle.pieces.card_language import CountName, TrackName
from engines.tangle.view import TangleView
from engines.tangle.words.board import COUNTS
from engines.tangle.words.nouns import card_price
from engines.tangle.words.spoken import TRACK_NAMES
from engines.tangle.words.spoken import amount as spell_amount
from engines.words import (
    GONE,
    Names,
    SeatStatus,
    alt_text,
    describe_seat,
    join_phrases,
    join_words,
    opening,
    place_status,
    plural,
    seat_name,
    short,
)

TRACK_LETTERS: dict[TrackName, str] = {"lakes": "L", "growth": "G", "cards": "C"}
COUNT_LETTERS: dict[CountName, str] = {
    "trees": "T",
    "saplings": "s",
    "meadows": "M",
    "bushes": "B",
    "lakes": "L",
    "enchantments": "cards",
}
"""The numbers on everybody's plate."""
DUTIES = {
    "place": SeatStatus("to place", "must place a root"),
    "toll": SeatStatus("pays toll", "must pay for the roots below"),
    "cast": SeatStatus("can cast", "can cast"),
    "steps": SeatStatus("to push", "must push the upkeep trackers"),
    "draw": SeatStatus("to draw", "must draw cards"),
    "grow": SeatStatus("to grow", "must grow plants"),
    "plant": SeatStatus("to plant", "must plant seeds"),
    "upkeep": SeatStatus("owes upkeep", "must pay upkeep"),
    "lower": SeatStatus("to lower", "must move the upkeep trackers down"),
    "gain_any": SeatStatus("to choose", "must choose what to gain"),
}
"""A seat's task, by the tag of the decision; anything else is an action."""


def short_name(names: Names, seat: Seat) -> str:
    return short(seat_name(names, seat))


def cost(price: components.Amount) -> str:
    """Write a price without its zeros.

    >>> cost((0, 0, 1, 2)), cost((0, 0, 0, 0))
    ('1N 2M', 'nothing')
    """
    lines = [
        f"{number}{letter}" for number, letter in zip(price, components.RESOURCES, strict=True) if number
    ]
    return " ".join(lines) or "nothing"


def several(cards: Iterable[components.CardId]) -> list[tuple[components.CardId, str]]:
    """Name cards, equal ones together.

    >>> several(["landslide", "tree_ghost", "landslide"])
    [('landslide', 'Landslide ×2'), ('tree_ghost', 'Ghost of the Grove')]
    """
    return [
        (card, f"{components.CARDS[card].name}{f' ×{number}' if number > 1 else ''}")
        for card, number in Counter(cards).items()
    ]


def keep_together(text: str) -> str:
    r"""Keep each number on the same line as its noun.

    >>> keep_together("gain 2 M and draw 1 card.").count("\u00a0")
    2
    """
    return sub(r"(?<=\d) ", "\u00a0", text)


def title(view: TangleView, names: Names) -> str:
    """Return the headline: the round, or the result."""
    if not view.over:
        limit = view.options.round_limit
        return f"Round {view.round} of {limit}" if limit else f"Round {view.round}"
    won = [] if view.outcome is None else view.outcome.winners
    if not won:
        return "Called off"
    if len(won) > 1:
        return "A shared victory"
    return f"{short_name(names, won[0])} wins"


def supply(view: TangleView) -> list[str]:
    """List the turn's gains, and the cards left for all."""
    lines = [f"after round {view.round}"] if view.over else []
    if not view.over and view.changes:
        lines.append(f"{view.changes} change{'' if view.changes == 1 else 's'}")
    if not view.over and view.extra:
        lines.append(f"{view.extra} more placement{'' if view.extra == 1 else 's'}")
    if not view.over and view.reserve:
        lines.append(f"toll {view.reserve}")
    return [*lines, f"pile {view.pile}", f"discards {len(view.discards)}"]


def status(view: TangleView, seat: Seat) -> SeatStatus:
    if seat in view.out:
        return GONE
    if view.outcome is not None:
        place, missing = view.outcome.places[seat], best(view, seat)
        done = SeatStatus() if place is None else place_status(place)
        if not missing:
            return done
        lacks = SeatStatus(lack(missing), f"needs {missing} more")
        return SeatStatus(f"{done.short}, {lacks.short}", f"{done.said} and {lacks.said}") if place else lacks
    if seat not in view.owing or view.decision is None:
        has_turn = seat == view.seat and isinstance(view.decision, Upkeep)
        return SeatStatus("turn", "has the turn") if has_turn else SeatStatus()
    return DUTIES.get(str(view.decision.__struct_config__.tag), SeatStatus("to act", "must act"))


def best(view: TangleView, seat: Seat) -> int:
    """Return a seat's shortfall on its best condition, at the end. 0 before."""
    if view.secrets is None:
        return 0
    have = numbers(view, seat)
    return min((lacking(condition, have) for condition in view.secrets[seat]), default=0)


def numbers(view: TangleView, seat: Seat) -> dict[CountName, int]:
    return counts(view.tiles, view.players[seat].front, seat)


def needs(
    condition: components.ConditionId, have: Mapping[CountName, int]
) -> list[tuple[CountName, int, int]]:
    """List each number of a condition. Its name, the present and the needed number."""
    need = components.CONDITIONS[condition].need
    return [(name, have.get(name, 0), number) for name, number in need.items()]


def lack(missing: int) -> str:
    """Say how much a condition still needs.

    >>> lack(0), lack(3)
    ('fulfilled', '3 to go')
    """
    return f"{missing} to go" if missing else "fulfilled"


def marker(view: TangleView, track: int, names: Names) -> str:
    seat = view.markers[track]
    return "" if seat is None else f" (upkeep due before {short_name(names, seat)}'s turn)"


def describe_board(view: TangleView, names: Names) -> str:
    """Describe the table; `view` holds only public facts."""
    lines = opening(_headline(view, names), _list_changes(view), over=view.over)
    winners = [] if view.outcome is None else view.outcome.winners
    for seat in winners:
        shown = " and ".join(components.CONDITIONS[one].name for one in view.shown[seat])
        lines.append(f"{short_name(names, seat)} wins{f' with {shown}' if shown else ''}.")
    lines += [_seat(view, names, seat) for seat in range(view.seats)]
    tracks = (
        f"{TRACK_NAMES[track]} {view.trackers[index]}{marker(view, index, names)}"
        for index, track in enumerate(components.TRACKS)
    )
    lines.append(f"Steps to the top of the upkeep tracks: {'; '.join(tracks)}.")
    row = join_words(components.CARDS[card].name for card in view.row)
    lines.append(f"The row has {row}." if row else "The row is empty.")
    return alt_text([*lines, *_lying(view, names)])


def _headline(view: TangleView, names: Names) -> str:
    lines = [f"{title(view, names)} after round {view.round}." if view.over else f"{title(view, names)}."]
    if not view.over:
        so_far = [f"{plural(view.changes, 'change')} to the land"] if view.changes else []
        so_far += [f"{plural(view.extra, 'more root')} to place"] if view.extra else []
        so_far += [f"a toll of {plural(view.reserve, 'resource')}"] if view.reserve else []
        lines += [f"This turn has {join_words(so_far)}."] if so_far else []
    number = len(view.discards)
    discards = f"The discards have {plural(number, 'card')}" if number else "There are no discards"
    lines.append(f"The pile has {plural(view.pile, 'card')}. {discards}.")
    bush, tree = plural(view.seeds[0], "bush seed"), plural(view.seeds[1], "tree seed")
    return " ".join([*lines, f"The supply has {bush} and {tree}."])


def describe_land(view: TangleView, names: Names) -> str:
    """Describe the land without the panel below it."""
    tiles = (f"{code}: {tile(view, names, code)}." for code in view.tiles)
    return alt_text([*_list_changes(view), "The land.", *_lying(view, names), *tiles])


def _list_changes(view: TangleView) -> list[str]:
    places = (*view.changed.areas, *view.changed.spaces)
    return [f"The board changed at {join_words(places)}."] if places else []


def _lying(view: TangleView, names: Names) -> list[str]:
    """List the resources and the roots on the spaces."""
    lines: list[str] = []
    if view.resources:
        lies = (f"{spell_amount(price)} on space {code}" for code, price in view.resources.items())
        lines.append(f"Resources: {join_phrases(lies)}.")
    if view.roots:
        piles = (
            f"{join_words(short_name(names, seat) for seat in reversed(stack))} on {code}"
            for code, stack in view.roots.items()
        )
        lines.append(f"Roots on the spaces, from the top: {'; '.join(piles)}.")
    return lines


def _seat(view: TangleView, names: Names, seat: Seat) -> str:
    player, have = view.players[seat], numbers(view, seat)
    stash = [spell_amount(player.stash)] if any(player.stash) else []
    owned = [(have[name], COUNTS[name]) for name in COUNT_LETTERS]
    owned += [
        (number, (f"{seed} seed", f"{seed} seeds"))
        for number, seed in zip(player.seeds, ("bush", "tree"), strict=True)
    ]
    owned.append((player.held, ("card in hand", "cards in hand")))
    things = [f"{number} {words[number > 1]}" for number, words in owned if number]
    has = ", plus ".join(join_words(some) for some in (stash, things) if some) or "nothing"
    return describe_seat(short_name(names, seat), status(view, seat), has)


def describe_hand(view: TangleView, seat: Seat, names: Names) -> str:
    hand, have = view.hand or (), numbers(view, seat)
    lines = [
        f"{short_name(names, seat)} holds {join_words(name for _, name in several(hand)) or 'no cards'}."
    ]
    for condition in view.conditions or ():
        lacks = [(name, need - got) for name, got, need in needs(condition, have) if got < need]
        missing = join_words(f"{more} {COUNTS[name][more > 1]}" for name, more in lacks)
        who, name = short_name(names, seat), components.CONDITIONS[condition].name
        lines.append(f"For {name}, {who} still needs {missing}." if missing else f"{who} meets {name}.")
    for card in dict.fromkeys(hand):
        price = spell_amount(card_price(view, card, seat))
        lines.append(f"{components.CARDS[card].name} costs {price}. {components.CARDS[card].text}")
    return alt_text(lines)


def describe_focus(view: TangleView, names: Names, areas: Sequence[str], spaces: Sequence[str]) -> str:
    lines = ["A part of the land." if areas or spaces else "The land."]
    for code in areas:
        lines.append(f"Area {code}: {tile(view, names, code)}.")
    for code in spaces:
        stack = [short_name(names, seat) for seat in reversed(view.roots.get(code, ()))]
        of = join_words(stack)
        roots = f"a root of {of}" if len(stack) == 1 else f"roots of {of} from the top"
        lies = spell_amount(view.resources[code]) if any(view.resources.get(code, ())) else ""
        things = [thing for thing in (lies, roots if stack else "") if thing]
        lines.append(f"Space {code} has {join_phrases(things)}." if things else f"Space {code} is empty.")
    return alt_text(lines)


def tile(view: TangleView, names: Names, code: components.AreaCode) -> str:
    lies = view.tiles.get(code)
    if lies is None:
        return "empty"
    lines = [f"{short_name(names, lies.owner)}'s {lies.kind}"]
    lines += [f"{lies.seed} seed"] if lies.seed else []
    lines += [f"{plural(lies.cubes, 'resource')} on it"] if lies.cubes else []
    lines += [f"{plural(lies.roots, 'root')} at home"] if lies.roots else []
    return ", ".join(lines)


def describe_cards(cards: Iterable[components.CardId]) -> str:
    texts = list(dict.fromkeys(cards))
    facts = [components.CARDS[card] for card in texts]
    lines = [f"{card.name} costs {spell_amount(card.cost)}. {card.text}" for card in facts]
    return alt_text([f"{len(texts)} enchantment{'' if len(texts) == 1 else 's'}.", *lines])


def describe_conditions(conditions: Iterable[components.ConditionId]) -> str:
    lines = []
    for one in conditions:
        need = join_words(
            f"{number} {COUNTS[name][number > 1]}{' in front of you' if name == 'enchantments' else ''}"
            for name, number in components.CONDITIONS[one].need.items()
        )
        lines.append(f"{components.CONDITIONS[one].name}: {need}.")
    return alt_text([f"{len(lines)} victory conditions.", *lines])
