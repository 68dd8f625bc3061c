"""Sentences of Tanglewood: events, duties, results, and moves by name."""

from collections.abc import Sequence
from typing import assert_never

from engines.game import Seat
from engines.marks import player_name, quote, with_icon
from engines.tanglewood import moves
from engines.tanglewood.pieces import components
from engines.tanglewood.pieces.board import NEUTRAL, Colour
from engines.tanglewood.view import TanglewoodView, would_score
from engines.tanglewood.words import nouns
from engines.words import Names, describe_lead, join_words, player_with_sign, plural, possessive

NEUTRAL_LEAVES = "1 neutral worker leaves the game."


def briefly(view: TanglewoodView) -> str:
    """Explain the map's Tangles: "Evict (in B): all others lose 1 worker".

    Those whose names explain them are left out.
    """
    where: dict[str, list[components.Region]] = {}
    for region, card in view.tangles.items():
        if card is not None and components.TANGLES[card].effect in nouns.BRIEFLY:
            where.setdefault(components.TANGLES[card].effect, []).append(region)
    return " · ".join(
        f"**{components.EFFECTS[key].short}** (in {join_words(regions)}): {nouns.BRIEFLY[key]}"
        for key, regions in where.items()
    )


def duty(view: TanglewoodView, seat: Seat) -> str:
    match view.phase:
        case "turn":
            return nouns.turn_choice(view, seat)
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
            return f"carry out {nouns.effect(view.card)}"
        case _:
            return "choose"


def result(view: TanglewoodView, names: Names) -> str:
    outcome = view.outcome
    if outcome is None:
        return "The table closed without a result."
    first = outcome.winners
    winners = join_words([player_with_sign(names, seat) for seat in first])
    votes = nouns.count_with_sign(view.votes[first[0]], "vote")
    if len(first) > 1:
        return f"{winners} share the victory with {votes} each."
    if len(view.out) == view.seats - 1:
        return f"{winners} is Mayor of Tanglewood, because everyone else has left."
    lead = describe_lead(
        names, first[0], {seat: view.votes[seat] for seat in view.order if seat not in view.out}
    )
    return f"{winners} is Mayor of Tanglewood with {votes}{lead}!"


def _column(names: Names, seat: Seat, wide: int) -> str:
    """Return a column's heading, without letters that need a backslash."""
    letters = [one for one in player_name(names, seat) if one.isalnum() or one == " " or not one.isascii()]
    name = "".join(letters[:wide]).strip() or f"P{seat + 1}"
    return " " * (wide + 1 - len(name)) + quote(name)


def votes_table(view: TanglewoodView, names: Names) -> str:
    """Return a present scoring of all regions, as a phone's table."""
    paid, seats = would_score(view), [seat for seat in view.order if seat not in view.out]
    wide = nouns.WIDEST if len(seats) < nouns.MANY else nouns.WIDEST - 1

    def line(head: str, cells: Sequence[str]) -> str:
        return head + "".join(cell.rjust(wide + 1) for cell in cells)

    lines = ["  " + "".join(_column(names, seat, wide) for seat in seats)]
    for region, row in paid.items():
        lines.append(line(f"{region} ", [str(row[seat]) if row[seat] else "\u00b7" for seat in seats]))
    total = {seat: sum(row[seat] for row in paid.values()) for seat in seats}
    lines.append(line("+ ", [str(total[seat]) for seat in seats]))
    lines.append(line("= ", [str(total[seat] + view.votes[seat]) for seat in seats]))
    text = (
        "-# `+` shows what all regions would pay each player now. "
        "`=` adds the votes that each player already has."
    )
    return "```\n" + "\n".join(lines) + f"\n```\n{text}"


OnTheMap = (
    moves.TanglewoodPlanted
    | moves.Reinforced
    | moves.PlacedAdjacent
    | moves.Moved
    | moves.Evicted
    | moves.NothingHappened
)
OfTheForest = (
    moves.PollTurnedUp
    | moves.DeckRanOut
    | moves.TanglewoodRoundBegan
    | moves.VoteBegan
    | moves.BallotsShown
    | moves.Scored
    | moves.Kept
    | moves.TanglewoodResigned
)


def event_line(event: moves.Event, view: TanglewoodView, names: Names) -> str | None:
    """Return an event's sentence; an action's consequence begins with an arrow."""

    def who(seat: Seat) -> str:
        return player_with_sign(names, seat)

    match event:
        case moves.Drew(seat=seat, markers=number):
            return f"{who(seat)} draws {nouns.count_with_sign(number, 'marker')}."
        case moves.TanglewoodPlaced(seat=seat, region=region, count=count, tangle=card):
            where = f"{nouns.count_with_sign(count, 'marker')} in {nouns.place(region)}"
            return f"{who(seat)} places {where} for **{nouns.effect(card)}**."
        case moves.Stepped(seat=seat, track=track, step=number):
            return f"↳ {who(seat)} takes {nouns.track_name(track)} step {number}{_tile(view, track, number)}."
        case moves.StoodAtEnd(seat=seat, track=track):
            return f"↳ {who(seat)} is at the end of the {nouns.track_name(track)} track."
        case moves.DrawLevelRose(seat=seat, value=value, lost=lost):
            when, most = "As before" if lost else "From now on", nouns.count_with_sign(value, "marker")
            return f"↳ {when}, {who(seat)} draws {most} at a time."
        case moves.PlaceLevelRose(seat=seat, value=value, lost=lost):
            when, most = "As before" if lost else "From now on", nouns.count_with_sign(value, "marker")
            return f"↳ {when}, {who(seat)} can place up to {most} at a time."
        case moves.GainedMarkers(seat=seat, markers=number):
            return f"↳ {who(seat)} draws {nouns.count_with_sign(number, 'marker')}."
        case moves.GainedVotes(seat=seat, votes=number):
            return f"↳ {who(seat)} gains **{nouns.count_with_sign(number, 'vote')}**."
        case moves.DrewBallots(seat=seat, number=number):
            return f"↳ {who(seat)} draws {nouns.count_with_sign(number, 'ballot')}."
        case moves.SawBallots(regions=regions):
            drawn = join_words([nouns.ballot(region) for region in regions])
            return f"↳ You draw {nouns.count_with_sign(len(regions), 'ballot')}: {drawn}."
        case moves.PlanUnfit(number=number):
            return (
                f"↳ The reshuffle of this deal doesn't match the {number} discarded ballots, "
                "so the seed decides their order."
            )
        case moves.BallotsReshuffled(number=number):
            return f"↳ I reshuffle {plural(number, 'discarded ballot')}."
        case (
            moves.TanglewoodPlanted()
            | moves.Reinforced()
            | moves.PlacedAdjacent()
            | moves.Moved()
            | moves.Evicted()
            | moves.NothingHappened()
        ):
            return _on_the_map(event, names)
        case (
            moves.PollTurnedUp()
            | moves.DeckRanOut()
            | moves.TanglewoodRoundBegan()
            | moves.VoteBegan()
            | moves.BallotsShown()
            | moves.Scored()
            | moves.Kept()
            | moves.TanglewoodResigned()
        ):
            return _of_the_forest(event, view, names)
        case moves.TurnedUp() | moves.Chose() | moves.RegionScored() | moves.TanglewoodEnded():
            return None  # the map, the table of the scoring and the result show it
        case _:
            assert_never(event)


def _tile(view: TanglewoodView, track: components.Faction, number: int) -> str:
    """Return a step's Fox tile; empty for other steps."""
    reached = components.TRACKS[track].steps[number - 1]
    if not isinstance(reached, components.FoxTileDeed):
        return ""
    return f" ({components.FOX_TILES[view.fox_tiles[reached.slot - 1]].name})"


def _on_the_map(event: OnTheMap, names: Names) -> str:
    def who(seat: Seat) -> str:
        return player_with_sign(names, seat)

    match event:
        case moves.TanglewoodPlanted(seat=seat, region=region):
            return f"↳ {who(seat)} puts a marker into {region}."
        case moves.Reinforced(seat=seat, region=region, count=count):
            if not count:
                return f"↳ {who(seat)}'s circle is empty, so no more workers come."
            return f"↳ {who(seat)} adds {nouns.count_with_sign(count, 'worker')} in {region}."
        case moves.PlacedAdjacent(seat=seat, region=region, source=source):
            return f"↳ {who(seat)} puts a marker from the {source} into {region}."
        case moves.Moved(seat=seat, hops=made):
            return f"↳ {who(seat)} moves {nouns.ways(made, names, seat)}."
        case moves.Evicted(region=region, colours=gone):
            owners = [player_with_sign(names, one) for one in gone if one != NEUTRAL]
            take = "takes" if len(owners) == 1 else "each take"
            back = f"{join_words(owners)} {take} 1 worker from {region} back into their circle."
            lines = [*([back] if owners else []), *([NEUTRAL_LEAVES] if NEUTRAL in gone else [])]
            return f"↳ {' '.join(lines)}"
        case moves.NothingHappened(tangle=card):
            return f"↳ {nouns.effect(card)} has no effect."
        case _:
            assert_never(event)


def _of_the_forest(event: OfTheForest, view: TanglewoodView, names: Names) -> str | None:
    """Return an event that concerns everybody: the votes, the order, the end."""

    def people(seats: Sequence[Seat]) -> str:
        return join_words([player_with_sign(names, seat) for seat in seats])

    match event:
        case moves.PollTurnedUp(round=number):
            return f"**Opinion Poll!** The forest votes after round {number + 1}."
        case moves.DeckRanOut(round=number):
            return f"**The last Tangle has left the deck.** Round {number + 1} is the last one."
        case moves.TanglewoodRoundBegan(round=number, order=order, turned=turned):
            if not turned:
                return None
            return f"From round {number} on, the turn order is reversed: {people(order)}."
        case moves.VoteBegan(final=final):
            scoring = "final" if final else "mid-game"
            return f"**The forest votes** ({scoring} scoring). Choose your Secret Ballots."
        case moves.BallotsShown(ballots=played):
            shown = [(seat, regions) for seat, regions in enumerate(played) if regions]
            lines = [f"{people([seat])} {' + '.join(regions)}" for seat, regions in shown]
            if not lines:
                return "Nobody can play a ballot."
            each = nouns.count_with_sign(components.SCORING.ballot_markers, "worker")
            return f"Ballots: {', '.join(lines)}. Each ballot adds {each}."
        case moves.Scored(final=final, gained=gained, votes=after):
            seats = [seat for seat in range(len(after)) if seat not in view.out]
            lines = [f"{people([one])} **{after[one]}** (+{gained[one]})" for one in seats]
            return f"**{'Final votes' if final else 'Votes'}:** {', '.join(lines)}."
        case moves.Kept(discarded=thrown):
            if not any(thrown):
                return None
            some = [(seat, number) for seat, number in enumerate(thrown) if number]
            lines = [f"{people([one])} {number}" for one, number in some]
            return f"Ballots discarded: {', '.join(lines)}."
        case moves.TanglewoodResigned(seat=seat):
            return f"{people([seat])} leaves the game."
        case _:
            assert_never(event)


def move_name(move: moves.Move, view: TanglewoodView, names: Names) -> str:
    match move:
        case moves.TanglewoodDraw(track):
            return "draw markers" if track is None else f"draw markers and step on {nouns.track_name(track)}"
        case moves.TanglewoodPlace(region, count):
            return f"place {plural(count, 'marker')} in {nouns.place(region)}"
        case moves.TanglewoodStep(track):
            return f"step on {nouns.track_name(track)}"
        case moves.TanglewoodPlant(region) | moves.TanglewoodPlaceAdjacent(region):
            return f"add a marker to {nouns.place(region)}"
        case moves.TanglewoodNudge(region, colour, to):
            return _going(view, names, [(colour, f"from {region} to {to}")])
        case moves.Gather(workers):
            starts = [(one.colour, f"from {one.region}") for one in workers]
            return f"{_going(view, names, starts, 'bring')} to {view.active}"
        case moves.Scatter(sent):
            return _going(view, names, [(one.colour, f"to {one.to}") for one in sent])
        case moves.MoveAdjacent(region, crossings):
            ways = {"in": f"from {region} to {view.active}", "out": f"from {view.active} to {region}"}
            return _going(view, names, [(one.colour, ways[one.way]) for one in crossings])
        case moves.Export(to, colours):
            return _going(view, names, [(colour, f"to {to}") for colour in colours])
        case moves.PlayBallots(regions):
            return f"play {nouns.ballots(regions)}"
        case moves.KeepBallots(regions):
            return f"keep {nouns.ballots(regions)}"
        case _:
            assert_never(move)


def unseen_name(move: moves.Move) -> str:
    """Return what a move would be without the ballots in it."""
    match move:
        case moves.PlayBallots():
            return "play ballots"
        case moves.KeepBallots():
            return "keep ballots"
        case _:
            return ""


def _going(view: TanglewoodView, names: Names, ways: Sequence[tuple[Colour, str]], verb: str = "move") -> str:
    """Return the ways of workers, short enough for two long names."""
    texts: list[str] = []
    shared = ways[0][1] if len({way for _, way in ways}) == 1 else ""
    if len(ways) > 1 and len({colour for colour, _ in ways}) == 1:
        where = f" {shared}" if shared else f", {join_words(f'one {way}' for _, way in ways)}"
        colour = ways[0][0]
        if isinstance(colour, str):
            return f"{verb} {with_icon('tanglewood_neutral', f'{len(ways)} neutral workers')}{where}"
        whose = possessive(names, colour, view.viewer)
        return f"{verb} {with_icon(f'seat_{colour + 1}', f'{len(ways)} of {whose} workers')}{where}"
    for number, (colour, way) in enumerate(ways):
        noun = "" if texts else " worker"
        if number and ways[number - 1][0] == colour:
            text = "another neutral one" if isinstance(colour, str) else "another"
        elif isinstance(colour, str):
            text = with_icon("tanglewood_neutral", f"the neutral{noun or ' one'}")
        elif colour == view.viewer and texts:
            text = with_icon(f"seat_{colour + 1}", "yours")
        else:
            text = with_icon(f"seat_{colour + 1}", possessive(names, colour, view.viewer)) + noun
        texts.append(text if shared else f"{text} {way}")
    return f"{verb} {join_words(texts) or 'nobody'} {shared}".rstrip()
