"""Tanglewood's sentences. Regions go by letter and name, colours by their players' names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import assert_never

from cogs.tanglewood.draft import colour_of
from engines.game import Seat
from engines.marks import with_icon
from engines.names import player_name, quote
from engines.tanglewood import events, moves
from engines.tanglewood.legal.deeds import next_step, raise_level
from engines.tanglewood.pieces import effects
from engines.tanglewood.pieces.board import NEUTRAL, Colour, Hop
from engines.tanglewood.pieces.components import (
    EFFECTS,
    FOX_TILES,
    MAT,
    REGIONS,
    TANGLES,
    TRACKS,
    Faction,
    Region,
    TangleId,
)
from engines.tanglewood.pieces.effects import Benefit
from engines.tanglewood.view import TanglewoodView, would_score
from engines.words import join_words, player_with_sign

Names = Sequence[str]
NOBODY = with_icon("tanglewood_neutral", "the neutral colour")
COUNTED = {"ballot": "tanglewood_ballots", "vote": "tanglewood_votes"}
"""The signs of counted things."""
EARLY = 3
"""Turns of each player in which events are explained in full words."""
SUPPLY = (
    "you draw markers into your **circle** and place them from there; in a region, a marker is a **worker**"
)
STANDING = "**1st** means the most workers in a region; if two players tie for 1st, both are 2nd"
BRIEFLY = {
    "gather": "2 workers come here",
    "scatter": "2 workers go to two regions",
    "double": "1 more marker here, 2 votes",
    "evict": "each other colour loses 1 worker",
    "regional_ballots": "1 to 3 ballots for your standing",
    "area_ballots": "3 ballots if you're 1st here or beside",
    "move_adjacent": "2 workers go to or from a region beside",
    "place_circle": "1 marker from your circle into a region beside",
    "place_supply": "1 marker from your supply into a region beside",
    "export": "2 workers go to one region",
    "draw": "you draw as usual",
    "draw_1": "1 marker into your circle",
}
"""Effects whose name doesn't explain them, in a few words."""
WIDEST = 4
"""Letters of a name above a column of the table of votes."""


def place(region: Region) -> str:
    """Return a region by letter and name: "E Elder Grove"."""
    return f"{region} {REGIONS[region].name}"


def pays(region: Region) -> str:
    """Return a region's payments, the 1st place first.

    >>> pays("E")
    '8 / 6 / 4'
    """
    return " / ".join(map(str, REGIONS[region].votes))


def colour(which: Colour, names: Names) -> str:
    return NOBODY if which == NEUTRAL else player_with_sign(names, which)


def worker(which: Colour, names: Names) -> str:
    """Return a worker's owner: "Ann's", "neutral"."""
    if which == NEUTRAL:
        return with_icon("tanglewood_neutral", "neutral")
    return f"{player_with_sign(names, which)}'s"


def count_noun(number: int, noun: str) -> str:
    """Return a number with its noun.

    >>> count_noun(1, "marker"), count_noun(3, "marker")
    ('1 marker', '3 markers')
    """
    text = noun if number == 1 else f"{noun}s"
    return f"{number} {with_icon(COUNTED[noun], text) if noun in COUNTED else text}"


def track_name(track: Faction) -> str:
    """Return a track, with the head of its faction."""
    return with_icon(f"tanglewood_{track}", TRACKS[track].name)


def effect(card: TangleId) -> str:
    key = TANGLES[card].effect
    return with_icon(f"tanglewood_do_{key}", EFFECTS[key].name)


def briefly(view: TanglewoodView) -> str:
    """Explain the map's Tangles: "B Evict: each other colour loses 1 here".

    Those whose names explain them are left out.
    """
    where: dict[str, list[Region]] = {}
    for region, card in view.tangles.items():
        if card is not None and TANGLES[card].effect in BRIEFLY:
            where.setdefault(TANGLES[card].effect, []).append(region)
    return " · ".join(
        f"**{', '.join(regions)} {EFFECTS[key].short}:** {BRIEFLY[key]}" for key, regions in where.items()
    )


def ballot(region: Region) -> str:
    """Return a Secret Ballot by its region."""
    return with_icon("tanglewood_ballots", place(region))


def ordinal(standing: int | None) -> str:
    """Return a standing in short.

    >>> ordinal(1), ordinal(4), ordinal(None)
    ('1st', '4th', 'nowhere')
    """
    if standing is None:
        return "nowhere"
    return f"{standing}{({1: 'st', 2: 'nd', 3: 'rd'}).get(standing, 'th')}"


def tangle(card: TangleId) -> str:
    """Return a Tangle by effect and track: "Evict (Bear)"."""
    entries = TANGLES[card]
    track = "any track" if entries.wild else track_name(entries.tracks[0])
    return f"{effect(card)} ({track})"


def is_early(view: TanglewoodView) -> bool:
    """Return True in everybody's first turns, which use full words."""
    return view.round <= EARLY


def step(view: TanglewoodView, seat: Seat, track: Faction) -> str:
    """Return a track's next step.

    "Rabbit 4: you draw 5 from now on".
    """
    what = next_step(view, seat, track)
    if what is not None and is_early(view):
        number = view.steps[seat][track] + 1
        return f"step {number} of the {track_name(track)} track: {benefit(view, seat, what)}"
    if what is None:
        return f"{track_name(track)} is at its end: {count_noun(1, 'ballot')}"
    return f"{track_name(track)} {view.steps[seat][track] + 1}: {benefit(view, seat, what)}"


def a_step(view: TanglewoodView, seat: Seat, track: Faction) -> str:
    """Return a track's next step, as the object of a sentence."""
    if next_step(view, seat, track) is None:
        return f"{count_noun(1, 'ballot')}, because the {track_name(track)} track is at its end"
    text = step(view, seat, track)
    return text if is_early(view) else f"a step, {text}"


def benefit(view: TanglewoodView, seat: Seat, what: Benefit) -> str:
    match what:
        case effects.DrawLevel(n):
            return f"you draw {MAT.draw[raise_level(view.draw_levels[seat], n, MAT.draw)]} from now on"
        case effects.PlaceLevel(n):
            return (
                f"you can place {MAT.place[raise_level(view.place_levels[seat], n, MAT.place)]} from now on"
            )
        case effects.Markers(n):
            return f"{count_noun(n, 'marker')} into your circle"
        case effects.Ballots(n):
            return count_noun(n, "ballot")
        case effects.Votes(n):
            return count_noun(n, "vote")
        case effects.PlantDeed():
            return "1 marker into any region"
        case effects.NudgeDeed():
            return "move any worker to an adjacent region"
        case effects.FoxTileDeed(slot):
            tile = FOX_TILES[view.fox_tiles[slot - 1]]
            return f"{tile.name}, {benefit(view, seat, tile.benefit)}"


def hop(made: Hop, names: Names, number: int = 1) -> str:
    """Return the way of like workers: "Ann's worker from C to E"."""
    if made.colour == NEUTRAL:
        noun = with_icon(
            "tanglewood_neutral", "a neutral worker" if number == 1 else f"{number} neutral workers"
        )
    else:
        several = "worker" if number == 1 else f"{number} workers"
        noun = f"{worker(made.colour, names)} {several}"
    return f"{noun} from {made.start} to {made.end}"


def ways(made: Sequence[Hop], names: Names) -> str:
    return join_words([hop(one, names, number) for one, number in Counter(made).items()])


def choice(move: moves.Move, names: Names) -> str:
    """Return a choice as it can be typed."""
    match move:
        case moves.TanglewoodStep(track):
            return track_name(track)
        case moves.TanglewoodPlant(region) | moves.TanglewoodPlaceAdjacent(region):
            return place(region)
        case moves.TanglewoodNudge(region, which, to):
            return f"{worker(which, names)} from {region} to {to}"
        case moves.Gather(workers):
            return ", ".join(f"{worker(one.colour, names)} from {one.region}" for one in workers)
        case moves.Scatter(sent):
            return ", ".join(f"{worker(one.colour, names)} to {one.to}" for one in sent)
        case moves.Export(to, which):
            return f"{', '.join(worker(one, names) for one in which)} to {to}"
        case moves.MoveAdjacent(region, crossings):
            crossed = ", ".join(f"{worker(one.colour, names)} {one.way}" for one in crossings)
            return f"{region}: {crossed}"
        case moves.PlayBallots(regions) | moves.KeepBallots(regions):
            return " ".join(regions) or "none"
        case moves.TanglewoodDraw(track):
            return "draw" if track is None else f"draw, {track_name(track)}"
        case moves.TanglewoodPlace(region, count):
            return f"{count} in {place(region)}"


def pick(made: str, names: Names, here: Region = "", beside_it: Region = "") -> str:
    """Return a choice's answer: "C and F", "Ann's".

    Workers go in and out between the active region `here` and one beside it.
    """
    if made in TRACKS:
        return with_icon(f"tanglewood_{made}", TRACKS[made].name)
    way, _, who = made.rpartition(" ")
    if way:
        start, end = (beside_it, here) if way == "in" else (here, beside_it)
        return hop(Hop(colour_of(who), start, end), names)
    if made.isupper():
        return join_words(list(made))
    if len(made) == 2 and made[0] == made[1]:
        return f"two of {worker(colour_of(made[0]), names)}"
    return join_words([worker(colour_of(one), names) for one in made]) if made else "none"


def duty(view: TanglewoodView, seat: Seat) -> str:
    match view.phase:
        case "turn" if not view.circles[seat]:
            return "draw markers"
        case "turn":
            return "draw markers or place some"
        case "step":
            return "choose a track"
        case "ballots":
            return "choose two ballots to play"
        case "keep":
            return "choose which ballots to keep"
        case "over":
            return "nothing more"
        case "benefit":
            return "use the reward of your step"
        case "effect" if view.card is not None:
            return f"carry out {effect(view.card)}"
        case _:
            return "choose"


def result(view: TanglewoodView, names: Names) -> str:
    outcome = view.outcome
    if outcome is None:
        return "The table closed without a result."
    first = [seat for seat, where in enumerate(outcome.places) if where == 1]
    winners = join_words([player_with_sign(names, seat) for seat in first])
    votes = count_noun(view.votes[first[0]], "vote")
    if len(first) > 1:
        return f"{winners} share the victory with {votes} each."
    if len(view.out) == view.seats - 1:
        return f"{winners} is Mayor of Tanglewood, because everyone else has left."
    return f"{winners} is Mayor of Tanglewood with {votes}!"


def _column(names: Names, seat: Seat) -> str:
    """Return a column's heading, without letters that need a backslash."""
    letters = [one for one in player_name(names, seat) if one.isalnum() or one == " " or not one.isascii()]
    name = "".join(letters[:WIDEST]).strip() or f"P{seat + 1}"
    return " " * (WIDEST + 1 - len(name)) + quote(name)


def votes_table(view: TanglewoodView, names: Names) -> str:
    """Return a present scoring of all regions, as a phone's table."""
    paid, seats = would_score(view), [seat for seat in view.order if seat not in view.out]

    def line(head: str, cells: Sequence[str]) -> str:
        return head + "".join(cell.rjust(WIDEST + 1) for cell in cells)

    lines = ["  " + "".join(_column(names, seat) for seat in seats)]
    for region, row in paid.items():
        lines.append(line(f"{region} ", [str(row[seat]) if row[seat] else "\u00b7" for seat in seats]))
    total = {seat: sum(row[seat] for row in paid.values()) for seat in seats}
    lines.append(line("+ ", [str(total[seat]) for seat in seats]))
    lines.append(line("= ", [str(total[seat] + view.votes[seat]) for seat in seats]))
    text = "-# `+` is what all regions would pay. `=` includes the votes that everyone already has."
    return "```\n" + "\n".join(lines) + f"\n```\n{text}"


OnTheMap = (
    events.TanglewoodPlanted
    | events.Reinforced
    | events.PlacedAdjacent
    | events.Moved
    | events.Evicted
    | events.NothingHappened
)
OfTheForest = (
    events.PollTurnedUp
    | events.DeckRanOut
    | events.TanglewoodRoundBegan
    | events.VoteBegan
    | events.BallotsShown
    | events.Scored
    | events.Kept
    | events.TanglewoodResigned
)


def event_line(event: events.Event, view: TanglewoodView, names: Names) -> str | None:
    """Return an event's sentence; an action's consequence begins with an arrow."""

    def who(seat: Seat) -> str:
        return player_with_sign(names, seat)

    match event:
        case events.Drew(seat=seat, markers=number):
            return f"{who(seat)} draws {count_noun(number, 'marker')}."
        case events.TanglewoodPlaced(seat=seat, region=region, count=count, tangle=card):
            return f"{who(seat)} places {count} in {place(region)}: **{effect(card)}**."
        case events.Stepped(track=track, step=number):
            return f"↳ {track_name(track)} step {number}{_tile(view, track, number)}."
        case events.StoodAtEnd(track=track):
            return f"↳ The {track_name(track)} track is at its end."
        case events.DrawLevelRose(seat=seat, value=value, lost=lost):
            return f"↳ {who(seat)} {'draws' if not lost else 'still draws'} {value} from now on."
        case events.PlaceLevelRose(seat=seat, value=value, lost=lost):
            return (
                f"↳ {who(seat)} {'can place' if not lost else 'can still place'} up to {value} from now on."
            )
        case events.GainedMarkers(seat=seat, markers=number):
            return f"↳ {who(seat)} draws {count_noun(number, 'marker')} into the circle."
        case events.GainedVotes(seat=seat, votes=number):
            return f"↳ {who(seat)} gains **{count_noun(number, 'vote')}**."
        case events.DrewBallots(seat=seat, number=number):
            return f"↳ {who(seat)} draws {count_noun(number, 'ballot')}."
        case events.SawBallots(regions=regions):
            return f"↳ You draw {join_words([ballot(region) for region in regions])}."
        case events.PlanUnfit(number=number):
            return (
                f"↳ The reshuffle of this deal doesn't match the {number} discarded ballots, "
                "so the seed decides their order."
            )
        case events.BallotsReshuffled(number=number):
            ballots = "1 discarded ballot is" if number == 1 else f"{number} discarded ballots are"
            return f"↳ {ballots} reshuffled."
        case (
            events.TanglewoodPlanted()
            | events.Reinforced()
            | events.PlacedAdjacent()
            | events.Moved()
            | events.Evicted()
            | events.NothingHappened()
        ):
            return _on_the_map(event, names)
        case (
            events.PollTurnedUp()
            | events.DeckRanOut()
            | events.TanglewoodRoundBegan()
            | events.VoteBegan()
            | events.BallotsShown()
            | events.Scored()
            | events.Kept()
            | events.TanglewoodResigned()
        ):
            return _of_the_forest(event, view, names)
        case events.TurnedUp() | events.Chose() | events.RegionScored() | events.TanglewoodEnded():
            return None  # the map, the table of the scoring and the result show it
        case _:
            assert_never(event)


def _tile(view: TanglewoodView, track: Faction, number: int) -> str:
    """Return a step's Fox tile; empty for other steps."""
    reached = TRACKS[track].steps[number - 1]
    if not isinstance(reached, effects.FoxTileDeed):
        return ""
    return f": {FOX_TILES[view.fox_tiles[reached.slot - 1]].name}"


def _on_the_map(event: OnTheMap, names: Names) -> str:
    def who(seat: Seat) -> str:
        return player_with_sign(names, seat)

    match event:
        case events.TanglewoodPlanted(seat=seat, region=region):
            return f"↳ {who(seat)} puts a marker into {place(region)}."
        case events.Reinforced(seat=seat, region=region, count=count):
            if not count:
                return f"↳ {who(seat)}'s circle is empty, so no more workers come."
            return f"↳ {who(seat)} adds {count_noun(count, 'worker')} in {place(region)}."
        case events.PlacedAdjacent(seat=seat, region=region, source=source):
            return f"↳ {who(seat)} puts a marker from the {source} into {place(region)}."
        case events.Moved(hops=made):
            return f"↳ Moved: {ways(made, names)}."
        case events.Evicted(region=region, colours=gone):
            loses = "loses 1 worker" if len(gone) == 1 else "lose 1 worker each"
            return f"↳ {join_words([colour(one, names) for one in gone])} {loses} in {place(region)}."
        case events.NothingHappened():
            return "↳ Nothing happens."
        case _:
            assert_never(event)


def _of_the_forest(event: OfTheForest, view: TanglewoodView, names: Names) -> str | None:
    """Return an event that concerns everybody: the votes, the order, the end."""

    def people(seats: Sequence[Seat]) -> str:
        return join_words([player_with_sign(names, seat) for seat in seats])

    match event:
        case events.PollTurnedUp(round=number):
            return f"**Opinion Poll!** The forest votes after round {number + 1}."
        case events.DeckRanOut(round=number):
            return f"**The last Tangle has left the deck.** Round {number + 1} is the last one."
        case events.TanglewoodRoundBegan(round=number, order=order, turned=turned):
            if not turned:
                return None
            return f"Round {number}, in reverse order: {people(order)}."
        case events.VoteBegan(final=final):
            scoring = "final" if final else "mid-game"
            return f"**The forest votes** ({scoring} scoring). Choose your Secret Ballots."
        case events.BallotsShown(ballots=played):
            lines = [
                f"{people([seat])} {' and '.join(regions)}" for seat, regions in enumerate(played) if regions
            ]
            return f"Ballots: {'; '.join(lines)}." if lines else "Nobody can play a ballot."
        case events.Scored(final=final, gained=gained, votes=after):
            lines = [
                f"{people([seat])} +{gained[seat]} = **{after[seat]}**"
                for seat in range(len(after))
                if seat not in view.out
            ]
            return f"**{'Final votes' if final else 'Votes'}:** {', '.join(lines)}."
        case events.Kept(discarded=thrown):
            if not any(thrown):
                return None
            lines = [f"{people([seat])} {number}" for seat, number in enumerate(thrown) if number]
            return f"Ballots discarded: {', '.join(lines)}."
        case events.TanglewoodResigned(seat=seat):
            return f"{people([seat])} leaves the game."
        case _:
            assert_never(event)
