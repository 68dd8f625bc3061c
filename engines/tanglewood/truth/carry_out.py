"""What each deed of `engines.tanglewood.effects` does to the truth: those that happen by themselves, and
the choices once they are made.
"""

from __future__ import annotations

from engines.game import Seat
from engines.tanglewood import effects, moves
from engines.tanglewood.board import NEUTRAL, adjacent, after, colours, more, standing
from engines.tanglewood.components import FOX_TILES, MAT, TRACKS, Faction, Region
from engines.tanglewood.effects import Benefit, Deed
from engines.tanglewood.events import (
    DrawLevelRose,
    Event,
    Evicted,
    GainedMarkers,
    GainedVotes,
    Moved,
    PlacedAdjacent,
    PlaceLevelRose,
    Planted,
    Reinforced,
    Stepped,
    StoodAtEnd,
)
from engines.tanglewood.legal import Asking, hops
from engines.tanglewood.truth.ballots import draw_ballots
from engines.tanglewood.truth.state import State


def take_step(state: State, seat: Seat, track: Faction) -> Event:
    """Go up a track; what it brings is owed from now on. Rules: Steps."""
    steps = TRACKS[track].steps
    step = state.steps[seat][track]
    if step == len(steps):
        state.benefit = [effects.Ballots(1)]
        return StoodAtEnd(seat, track)
    state.steps[seat] = {**state.steps[seat], track: step + 1}
    benefit = steps[step]
    if isinstance(benefit, effects.Tile):
        benefit = FOX_TILES[state.fox_tiles[benefit.slot - 1]].benefit
    state.benefit = one_by_one(benefit)
    return Stepped(seat, track, step + 1, benefit)


def one_by_one(benefit: Benefit) -> list[Deed]:
    """A benefit as it is asked for: choices of n one after another."""
    match benefit:
        case effects.Plant(n):
            return [effects.Plant(1)] * n
        case effects.Nudge(n):
            return [effects.Nudge(1)] * n
        case _:
            return [benefit]


def carry_out(state: State, seat: Seat, deed: Deed) -> list[Event]:
    """Do what needs no choice; no events when it was impossible. Rules: Steps, Tangles."""
    match deed:
        case effects.DrawLevel(n):
            value, lost = _raise(state.draw_levels, seat, n, MAT.draw)
            return [DrawLevelRose(seat, value, lost)]
        case effects.PlaceLevel(n):
            value, lost = _raise(state.place_levels, seat, n, MAT.place)
            return [PlaceLevelRose(seat, value, lost)]
        case effects.Markers(n):
            return [_gain_markers(state, seat, n)]
        case effects.Refill():
            return [_gain_markers(state, seat, MAT.draw[state.draw_levels[seat]])]
        case effects.Votes(n):
            state.votes[seat] += n
            return [GainedVotes(seat, n)]
        case effects.Ballots(n):
            return draw_ballots(state, seat, n)
        case effects.Tile() | effects.Plant() | effects.Nudge():
            raise ValueError("a tile is looked up and a choice is asked for first")
        case _:
            return _in_region(state, seat, deed, _here(state))


def _raise(levels: list[int], seat: Seat, n: int, values: tuple[int, ...]) -> tuple[int, bool]:
    """Raise a level: the value that it stands at then, and whether nothing came of it."""
    risen = min(levels[seat] + n, len(values) - 1)
    lost = risen == levels[seat]
    levels[seat] = risen
    return values[risen], lost


def _gain_markers(state: State, seat: Seat, number: int) -> Event:
    state.circles[seat] += number
    return GainedMarkers(seat, number)


def _here(state: State) -> Region:
    assert state.active is not None
    return state.active


def _in_region(state: State, seat: Seat, deed: Deed, here: Region) -> list[Event]:
    """Carry out what happens in the active region. Rules: Tangles."""
    match deed:
        case effects.Reinforce(n):
            count = min(n, state.circles[seat])
            state.circles[seat] -= count
            put(state, seat, here, count)
            return [Reinforced(seat, here, count)]
        case effects.Evict():
            return _evict(state, seat, here)
        case effects.StandingBallots(gain):
            place = standing(state.workers[here], seat)
            return draw_ballots(state, seat, gain[place - 1]) if place and place <= len(gain) else []
        case effects.LeadBallots(gain):
            leads = any(standing(state.workers[region], seat) == 1 for region in (here, *adjacent(here)))
            return draw_ballots(state, seat, gain) if leads else []
        case _:
            raise ValueError("a choice is asked for first")


def put(state: State, seat: Seat, region: Region, number: int) -> None:
    """Put so many workers of a seat into a region, wherever they come from."""
    state.workers = {**state.workers, region: more(state.workers[region], seat, number)}


def _evict(state: State, seat: Seat, here: Region) -> list[Event]:
    present = zip(colours(state.seats), state.workers[here], strict=True)
    gone = tuple(colour for colour, number in present if number and colour != seat)
    counts = state.workers[here]
    for colour in gone:
        counts = more(counts, colour, -1)
        if colour != NEUTRAL:
            state.circles[colour] += 1
    state.workers = {**state.workers, here: counts}
    return [Evicted(seat, here, gone)] if gone else []


def asks(deed: Deed) -> bool:
    """Whether a deed leaves a choice."""
    return isinstance(deed, Asking)


def carry_choice(state: State, seat: Seat, deed: Deed | None, move: moves.Move) -> Event:
    """Do what a seat has chosen; the choice must be legal. Rules: Steps, Tangles."""
    match move:
        case moves.Plant(region):
            put(state, seat, region, 1)
            return Planted(seat, region)
        case moves.PlaceAdjacent(region):
            assert isinstance(deed, effects.PlaceAdjacent)
            put(state, seat, region, 1)
            if deed.source == "circle":
                state.circles[seat] -= 1
            return PlacedAdjacent(seat, region, deed.source)
        case _:
            moved = hops(move, state.active)
            state.workers = after(state.workers, moved)
            return Moved(seat, moved)
