"""The effects of placements, steps, deeds and choices on public facts, for state and preview alike.

Ballots come from a deck that only the state knows: this module computes how many are due.
"""

from collections.abc import Mapping, Sequence

from engines.game import Seat
from engines.tanglewood import moves
from engines.tanglewood.legal.moves import hops, markers_added
from engines.tanglewood.pieces import components
from engines.tanglewood.pieces.board import NEUTRAL, Counts, adjacent, after, colours, more, standing
from engines.tanglewood.pieces.components import FOX_TILES, MAT, TRACKS, Benefit, Deed, Faction, Region
from engines.tanglewood.view import TanglewoodPublic

Drawing = components.Ballots | components.StandingBallots | components.LeadBallots
"""The deeds that draw ballots."""


def place(public: TanglewoodPublic, seat: Seat, region: Region, count: int) -> moves.Event:
    """Place markers in a region and activate its Tangle. Rules: Placing.

    Raises ValueError if no Tangle is there.
    """
    card = public.tangles[region]
    if card is None:
        raise ValueError("the Tangle of that region is being carried out")
    public.circles[seat] -= count
    put(public, seat, region, count)
    public.active, public.card, public.tangles[region] = region, card, None
    return moves.TanglewoodPlaced(seat, region, count, card)


def put(public: TanglewoodPublic, seat: Seat, region: Region, number: int) -> None:
    """Put workers of a seat into a region from anywhere."""
    public.workers = {**public.workers, region: more(public.workers[region], seat, number)}


def next_step(public: TanglewoodPublic, seat: Seat, track: Faction) -> Benefit | None:
    """Return the benefit of a seat's next step on a track. None at its end. Rules: Steps."""
    steps, done = TRACKS[track].steps, public.steps[seat][track]
    return steps[done] if done < len(steps) else None


def take_step(public: TanglewoodPublic, seat: Seat, track: Faction) -> tuple[moves.Event, list[Deed]]:
    """Go up a track. Return the event, and the step's deeds, one choice after another. Rules: Steps."""
    benefit = next_step(public, seat, track)
    if benefit is None:
        return moves.StoodAtEnd(seat, track), [components.Ballots(1)]
    step = public.steps[seat][track] + 1
    public.steps[seat] = {**public.steps[seat], track: step}
    if isinstance(benefit, components.FoxTileDeed):
        benefit = FOX_TILES[public.fox_tiles[benefit.slot - 1]].benefit
    return moves.Stepped(seat, track, step, benefit), _split_deed(benefit)


def _split_deed(benefit: Benefit) -> list[Deed]:
    match benefit:
        case components.PlantDeed(n):
            return [components.PlantDeed(1)] * n
        case components.NudgeDeed(n):
            return [components.NudgeDeed(1)] * n
        case _:
            return [benefit]


def ballots_due(deed: Deed, workers: Mapping[Region, Counts], seat: Seat, here: Region | None) -> int:
    """Return how many ballots a deed draws, if the deck suffices. Rules: Steps, Tangles."""
    match deed:
        case components.Ballots(n):
            return n
        case components.StandingBallots(gain) if here is not None:
            place = standing(workers[here], seat)
            return gain[place - 1] if place and place <= len(gain) else 0
        case components.LeadBallots(gain) if here is not None:
            leads = any(standing(workers[region], seat) == 1 for region in (here, *adjacent(here)))
            return gain if leads else 0
        case _:
            return 0


def carry_out(public: TanglewoodPublic, seat: Seat, deed: Deed) -> list[moves.Event]:
    """Carry out a deed without choice or ballots; no events if impossible. Rules: Steps, Tangles."""
    match deed:
        case components.RaiseDrawLevel(n):
            value, lost = _raise(public.draw_levels, seat, n, MAT.draw)
            return [moves.DrawLevelRose(seat, value, lost)]
        case components.RaisePlaceLevel(n):
            value, lost = _raise(public.place_levels, seat, n, MAT.place)
            return [moves.PlaceLevelRose(seat, value, lost)]
        case components.Markers(n):
            return [_gain_markers(public, seat, n)]
        case components.Refill():
            return [_gain_markers(public, seat, MAT.draw[public.draw_levels[seat]])]
        case components.Votes(n):
            public.votes[seat] += n
            return [moves.GainedVotes(seat, n)]
        case components.Reinforce(n):
            here = _here(public)
            count = min(n, public.circles[seat])
            public.circles[seat] -= count
            put(public, seat, here, count)
            return [moves.Reinforced(seat, here, count)]
        case components.Evict():
            here = _here(public)
            present = zip(colours(public.seats), public.workers[here], strict=True)
            gone = tuple(colour for colour, number in present if number and colour != seat)
            counts = public.workers[here]
            for colour in gone:
                counts = more(counts, colour, -1)
                if colour != NEUTRAL:
                    public.circles[colour] += 1
            public.workers = {**public.workers, here: counts}
            return [moves.Evicted(seat, here, gone)] if gone else []
        case _:
            raise ValueError("a tile is looked up, a choice is asked for, and ballots are drawn by the truth")


def raise_level(level: int, n: int, values: Sequence[int]) -> int:
    """Raise a level by n, never above its last value.

    >>> raise_level(0, 1, (2, 3)), raise_level(1, 1, (2, 3))
    (1, 1)
    """
    return min(level + n, len(values) - 1)


def _raise(levels: list[int], seat: Seat, n: int, values: tuple[int, ...]) -> tuple[int, bool]:
    """Raise a level; return its new value, and True if nothing changed."""
    before = levels[seat]
    levels[seat] = raise_level(before, n, values)
    return values[levels[seat]], levels[seat] == before


def _gain_markers(public: TanglewoodPublic, seat: Seat, number: int) -> moves.Event:
    public.circles[seat] += number
    return moves.GainedMarkers(seat, number)


def _here(public: TanglewoodPublic) -> Region:
    assert public.active is not None
    return public.active


def workers_after(
    workers: Mapping[Region, Counts], seat: Seat, move: moves.Move, here: Region | None
) -> dict[Region, Counts]:
    """Return the workers after a seat's choice; `here` is the active region. Leaves `workers` alone."""
    result = after(workers, hops(move, here))
    for region, number in markers_added(move).items():
        result[region] = more(result[region], seat, number)
    return result


def carry_choice(public: TanglewoodPublic, seat: Seat, deed: Deed | None, move: moves.Move) -> moves.Event:
    """Carry out a seat's legal choice. Rules: Steps, Tangles."""
    public.workers = workers_after(public.workers, seat, move, public.active)
    match move:
        case moves.TanglewoodPlant(region):
            return moves.TanglewoodPlanted(seat, region)
        case moves.TanglewoodPlaceAdjacent(region):
            assert isinstance(deed, components.PlaceAdjacentDeed)
            if deed.source == "circle":
                public.circles[seat] -= 1
            return moves.PlacedAdjacent(seat, region, deed.source)
        case _:
            return moves.Moved(seat, hops(move, public.active))
