"""The preview of a Tangle or a choice for its player, in words, before anything is sent."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from engines.game import Seat
from engines.marks import capital
from engines.tanglewood import preview
from engines.tanglewood.legal.moves import count_required
from engines.tanglewood.pieces import components
from engines.tanglewood.pieces.board import Counts, adjacent, standing
from engines.tanglewood.pieces.components import REGIONS, Faction, Region, effect_of
from engines.tanglewood.view import TanglewoodView
from engines.tanglewood.words import nouns
from engines.words import Names, format_points, group_by, join_words, plural


def left_in_circle(ways: Sequence[tuple[str, preview.TanglewoodPlacementPreview]]) -> str:
    """Say how many markers are left, by track if that changes it."""
    (first, _), *others = left = list(group_by(ways, lambda way: way[1].circle).items())
    text = f"You'd have {plural(first, 'marker')} left in your circle"
    if not others:
        return f"{text}."
    steps = [f"with a {join_words([capital(track) for track, _ in group], 'or')} step" for _, group in left]
    rest = [f"{number} {step}" for (number, _), step in zip(others, steps[1:], strict=True)]
    return f"{text} {steps[0]}, or {join_words(rest, 'or')}."


def choice_to_come(ways: Mapping[Faction, preview.TanglewoodPlacementPreview]) -> str:
    """Say which steps of a wild Tangle bring a choice.

    >>> choice, none = (preview.TanglewoodPlacementPreview((), 0, asks=asks) for asks in (True, False))
    >>> choice_to_come({"bear": none, "fox": choice})
    ' With a Fox step, you then make a choice. With a Bear step, your turn ends.'
    """
    asking = [capital(track) for track, one in ways.items() if one.asks]
    ending = [capital(track) for track, one in ways.items() if not one.asks]
    if not asking or not ending:
        return " Then you make a choice." if asking else ""
    return (
        f" With a {join_words(asking, 'or')} step, you then make a choice. "
        f"With a {join_words(ending, 'or')} step, your turn ends."
    )


def turns_left(view: TanglewoodView) -> str:
    """Count a seat's last two turns before a vote; empty earlier."""
    match view.scoring_round:
        case view.round:
            return "This is your last turn before the forest votes."
        case int(last) if last == view.round + 1:
            return f"The forest votes after round {last}: your next turn is the last before it."
        case _:
            return ""


def votes_to_come(view: TanglewoodView, ways: Sequence[preview.TanglewoodPlacementPreview]) -> list[str]:
    """Warn of a vote, and of an empty circle then."""
    last, is_empty = (
        turns_left(view),
        view.round != view.scoring_round and any(not one.circle for one in ways),
    )
    return [f"-# {last}{' With an empty circle, you can only draw then.' * is_empty}"] if last else []


def gives(
    view: TanglewoodView, me: Seat, region: Region, count: int, names: Names, track: Faction | None = None
) -> str:
    """Return a Tangle's effect for a seat that places `count` markers.

    Raises ValueError if the region has no Tangle.
    """
    stages = preview.stages(view, me, region, count, track)
    deeds = effect_of(_card(view, region)).steps
    lines = [
        _deed(view, me, region, deed, before, after, names)
        for deed, (before, after) in zip(deeds, pairwise(stages), strict=True)
    ]
    return " ".join(f"{one[0].upper()}{one[1:]}." for one in lines)


def _deed(
    view: TanglewoodView,
    me: Seat,
    region: Region,
    deed: components.Deed,
    before: preview.TanglewoodPlacementPreview,
    after: preview.TanglewoodPlacementPreview,
    names: Names,
) -> str:
    more = after.ballots - before.ballots
    ballots = nouns.count_with_sign(more, "ballot") if more > 0 else "no ballots"
    came = after.circle - before.circle
    match deed:
        case components.StandingBallots():
            place = nouns.standing_word(standing(before.workers, me))
            return f"you'd draw {ballots}, because you'd be {place} here"
        case components.LeadBallots():
            return f"you'd draw {ballots}, because {_leads(view, me, region, before.workers)}"
        case components.Ballots():
            return f"you'd draw {ballots}"
        case components.Votes(n):
            return f"you'd gain {nouns.count_with_sign(n, 'vote')}"
        case components.Markers() | components.Refill():
            return f"you'd get {nouns.count_with_sign(came, 'marker')} in your circle"
        case components.Reinforce():
            if not came:
                return "you'd place no more markers, because your circle is empty then"
            return f"you'd place {plural(-came, 'more marker')} here from your circle"
        case components.Evict():
            if not after.evicted:
                return "nobody else is here, so nobody loses a worker"
            loses = "loses 1 worker" if len(after.evicted) == 1 else "lose 1 worker each"
            return f"{join_words([nouns.colour(one, names) for one in after.evicted])} {loses} here"
        case components.PlaceAdjacentDeed(source="circle") if not before.circle:
            return "it does nothing, because your circle is empty then"
        case components.Shift() if not count_required(deed, {**view.workers, region: before.workers}, region):
            return "it does nothing, because there's no worker to move"
        case _:
            return effect_of(_card(view, region)).text.rstrip(".")


def _card(view: TanglewoodView, region: Region) -> str:
    card = view.tangles[region]
    assert card is not None
    return card


def _leads(view: TanglewoodView, me: Seat, here: Region, workers: Counts) -> str:
    """Return the regions that a seat would lead, here and beside."""
    led = [other for other in adjacent(here) if standing(view.workers[other], me) == 1]
    if standing(workers, me) == 1:
        return "you'd be 1st here"
    if led:
        return f"you're 1st in {join_words(led)}"
    return "you wouldn't be 1st here or in a region beside"


def standings(view: TanglewoodView, me: Seat, workers: Mapping[Region, Counts], names: Names) -> str:
    """Return the changes in standings by region, and in votes."""
    lines = []
    for region in REGIONS:
        now, then = standing(view.workers[region], me), standing(workers[region], me)
        if now != then:
            lines.append(f"{nouns.standing_word(then)} in {region} (now {nouns.standing_word(now)})")
    stands = f"You'd be {join_words(lines)}." if lines else "Your standings wouldn't change."
    return f"{stands}\n-# {capital(votes_now(view, me, workers, names))}."


def votes_now(view: TanglewoodView, me: Seat, workers: Mapping[Region, Counts], names: Names) -> str:
    """Return the changes in everybody's votes if the forest voted now."""
    each = _list_swings(preview.swings(view, workers), me, names)
    change = f"change the votes: {each}" if each else "change no votes"
    return f"if the forest voted now, your choice would {change}"


def describe_swings(changes: Sequence[int], me: Seat, names: Names) -> str:
    """Return everybody's gained or lost votes, with a heading; empty for none."""
    each = _list_swings(changes, me, names)
    return f"change in votes: {each}" if each else ""


def _list_swings(changes: Sequence[int], me: Seat, names: Names) -> str:
    """List everybody's gained or lost votes, your own first."""
    seats = [me, *(seat for seat in range(len(changes)) if seat != me)]
    changed = [("you" if seat == me else nouns.colour(seat, names), changes[seat]) for seat in seats]
    return ", ".join(f"{who} {format_points(change)}" for who, change in changed if change)
