"""Tanglewood by ear: regions by letter and name, colours by their players. Alt texts: `captions`."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

from engines.game import Seat
from engines.marks import capital, to_speech
from engines.tanglewood.moves import (
    Export,
    Gather,
    KeepBallots,
    Move,
    MoveAdjacent,
    PlayBallots,
    Scatter,
    TanglewoodDraw,
    TanglewoodNudge,
    TanglewoodPlace,
    TanglewoodPlaceAdjacent,
    TanglewoodPlant,
    TanglewoodStep,
)
from engines.tanglewood.pieces import components
from engines.tanglewood.pieces.board import NEUTRAL, Colour, Counts, adjacent, index, more, standing
from engines.tanglewood.preview import try_choice
from engines.tanglewood.view import TanglewoodView, would_score
from engines.tanglewood.words import nouns
from engines.tanglewood.words.captions import changes, more_workers, name_with_track
from engines.tanglewood.words.event_lines import move_name
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
    section,
    short_ordinal,
)


def tangle(card: components.TangleId) -> str:
    """Describe a Tangle by its effect and the track that it steps: "Evict (Bear track)"."""
    return name_with_track(card).replace("+1", "1 more")


def deed(what: components.Deed, view: TanglewoodView) -> str:
    match what:
        case components.RaiseDrawLevel(n):
            return f"the Draw level rises by {n}"
        case components.RaisePlaceLevel(n):
            return f"the Place level rises by {n}"
        case components.Markers(n):
            return f"move {count_noun(n, 'marker')} from the supply into the circle"
        case components.Ballots(n):
            return f"draw {count_noun(n, 'ballot')}"
        case components.Votes(n):
            return f"gain {count_noun(n, 'vote')}"
        case components.FoxTileDeed(slot):
            tile = components.FOX_TILES[view.fox_tiles[slot - 1]]
            return f"Fox tile {tile.name} ({deed(tile.benefit, view)})"
        case components.PlantDeed(n):
            return f"put {count_noun(n, 'marker')} from the supply into any region"
        case components.NudgeDeed(n):
            return f"move any {count_noun(n, 'worker')} to an adjacent region"
        case components.Reinforce(n):
            return f"place {n} more from the circle here"
        case components.Refill():
            return "draw as many markers as the Draw level says"
        case components.Evict():
            return "every other colour here loses a worker"
        case components.StandingBallots():
            return "draw ballots by the standing here"
        case components.LeadBallots(gain):
            return f"draw {count_noun(gain, 'ballot')} for standing first here or in an adjacent region"
        case components.PlaceAdjacentDeed(source):
            return f"put a marker from the {source} into an adjacent region"
        case components.Shift():
            way = {"in": "to here", "out": "away from here", "both": "between here and one other region"}[
                what.way
            ]
            side = "from" if what.way == "in" else "to"
            spread = (
                f", each {side} a different region" if what.spread == "apart" else f", all {side} one region"
            )
            near = ", adjacent ones only" if what.reach == "adjacent" else ""
            how = f"{way}{spread if what.way != 'both' else ''}{near}"
            return f"move any {count_noun(what.workers, 'worker')} {how}"


def who_is(colour: Colour, names: Names, viewer: Seat | None) -> str:
    return "the neutral colour" if isinstance(colour, str) else name_or_you(names, colour, viewer)


def workers(counts: Counts, view: TanglewoodView, names: Names) -> str:
    """List the workers by colour, your own first. "you 3, Bo 2"."""
    order: list[Colour] = list(others_after(view.seats, view.viewer))
    order = [*([] if view.viewer is None else [view.viewer]), *order]
    order += [colour for colour in view.colours if colour == NEUTRAL]
    pairs = [(colour, counts[index(colour, counts)]) for colour in order]
    return join_words(f"{who_is(one, names, view.viewer)} {count}" for one, count in pairs if count) or "none"


def describe_changes(view: TanglewoodView, names: Names) -> list[str]:
    """Say whose turn it is, and whose workers have come or gone where."""
    lines = [_headline(view, names)]
    if view.card is not None:
        text = components.EFFECTS[components.TANGLES[view.card].effect].text
        lines.append(f"The Tangle in use is {tangle(view.card)}. {text}")
    if view.active is not None and view.phase not in ("turn", "ballots", "keep", "over"):
        lines.append(f"Here means {nouns.place(view.active)}.")
    for region in view.workers:
        entries = [
            f"{who_is(one, names, view.viewer)} {'have' if one == view.viewer else 'has'} {more_workers(by)}"
            for one, by in zip(view.colours, changes(view, region), strict=True)
            if by
        ]
        lines += [f"In {nouns.place(region)}, {join_words(entries)}."] if entries else []
    return [*lines, *describe_news(view.news or (), names, view.viewer, _name_regions, "vote")]


def _name_regions(regions: Sequence[str]) -> str:
    return join_words([nouns.place(one) for one in components.REGIONS if one in regions])


def _headline(view: TanglewoodView, names: Names) -> str:
    if view.over:
        ended = "The game was cancelled" if view.outcome is None else "The game is over"
        return f"{ended} in round {view.round}."
    if view.phase in ("ballots", "keep"):
        what = "choose two ballots to play" if view.phase == "ballots" else "choose which ballots to keep"
        scoring = "the final scoring" if view.final and view.phase == "ballots" else "the mid-game scoring"
        owing = join_words(name_or_you(names, seat, view.viewer) for seat in view.owing)
        return f"Round {view.round}, {scoring}: {owing} must {what}."
    seat = view.seat or 0
    doing = {"turn": nouns.turn_choice(view, seat), "step": "choose a track"}.get(view.phase, "choose")
    owed = f": {deed(view.owed, view)}" if view.owed is not None else ""
    who = name_or_you(names, seat, view.viewer)
    return f"Round {view.round}: {who} must {doing}{owed}."


def parts(view: TanglewoodView, names: Names) -> list[Part]:
    entries = section("What changed last", describe_changes(view, names))
    if view.viewer is not None:
        entries += section("You", _player(view, names, view.viewer))
    others = others_after(view.seats, view.viewer)
    heading = "Players" if view.viewer is None else "The others"
    entries += section(heading, [line for seat in others for line in _player(view, names, seat)])
    entries += by_region("Region", [(region, _region(view, names, region)) for region in components.REGIONS])
    entries += section("Votes if the forest voted now", _would(view, names))
    entries += section("Decks", _decks(view))
    entries += section("Scorings so far", _scorings(view, names))
    options = view.options
    first = "The host went first." if options.first == "host" else "The first player was drawn at random."
    tiles = join_words(components.FOX_TILES[tile].name for tile in view.fox_tiles)
    lines = [
        f"{count_noun(view.seats, 'player')} play the {options.length} game. {first}",
        f"Turn order: {join_words(name_or_you(names, seat, view.viewer) for seat in view.order)}.",
        f"Fox tiles, from slot 1: {tiles} ({options.fox_tiles}).",
    ]
    if view.benefit:
        lines.append(f"Still to come from the step: {join_words(deed(one, view) for one in view.benefit)}.")
    if view.effect:
        lines.append(f"Still to come from the Tangle: {join_words(deed(one, view) for one in view.effect)}.")
    return [*entries, *section("This game", lines)]


def _player(view: TanglewoodView, names: Names, seat: Seat) -> list[str]:
    mine = seat == view.viewer
    who, have = capital(name_or_you(names, seat, view.viewer)), "have" if mine else "has"
    circle, ballots = count_noun(view.circles[seat], "marker"), count_noun(view.held[seat], "ballot")
    lines = [
        f"{who} {have} {count_noun(view.votes[seat], 'vote')}, {circle} in the circle and {ballots}. "
        f"In a turn, {name_or_you(names, seat, view.viewer)} can draw "
        f"{count_noun(view.draw_value(seat), 'marker')} or place up to {view.most_placeable(seat)}."
    ]
    if view.outcome is not None:
        place = view.outcome.places[seat]
        comes = f"{'finish' if mine else 'finishes'} {ordinal(place)}" if place else f"{have} no final place"
        lines.append(f"{who} {comes}.")
    if seat in view.out:
        lines.append(f"{who} left the game {ordinal(view.out.index(seat) + 1)}.")
    steps = join_words(f"{components.TRACKS[track].name} {step}" for track, step in view.steps[seat].items())
    lines.append(f"Steps on the tracks: {steps}.")
    hand = view.hands[seat]
    if hand:
        lines.append(f"Ballots in hand: {_ballots(hand)}.")
    if mine and view.mine is not None:
        lines.append(f"You have chosen: {_ballots(view.mine) or 'no ballots'}.")
    if mine and view.dropped:
        lines.append(f"Ballots discarded unplayed: {_ballots(view.dropped)}.")
    return lines


def _ballots(regions: Iterable[components.Region]) -> str:
    return join_words(
        f"{nouns.place(region)}{' twice' if count == 2 else f' {count} times' if count > 2 else ''}"
        for region, count in Counter(regions).items()
    )


def _region(view: TanglewoodView, names: Names, region: components.Region) -> list[str]:
    lies, counts = view.tangles[region], view.workers[region]
    card = "It has no Tangle" if lies is None else f"Its Tangle is {tangle(lies)}"
    if lies is None and view.card is not None and region == view.active:
        card = f"Its Tangle is {tangle(view.card)}, in use now"
    return [
        f"Workers in {nouns.place(region)}: {workers(counts, view, names)}. "
        f"It pays {nouns.pays_for_places(region)}. {card}."
    ]


def _would(view: TanglewoodView, names: Names) -> list[str]:
    if view.over:
        return []
    paid = would_score(view)
    lines = []
    for seat in ([] if view.viewer is None else [view.viewer]) + others_after(view.seats, view.viewer):
        if seat in view.out:
            continue
        sum_ = sum(row[seat] for row in paid.values())
        where = [f"{row[seat]} in {region}" for region, row in paid.items() if row[seat]]
        who = capital(name_or_you(names, seat, view.viewer))
        lines.append(
            f"{who} would gain {count_noun(sum_, 'vote')}{': ' + join_words(where) if where else ''}."
        )
    return lines


def _decks(view: TanglewoodView) -> list[str]:
    lines = [f"The deck has {count_noun(view.deck, 'Tangle')} and the reserve {view.reserve or 'none'}."]
    if view.poll_round is None:
        lines.append("The Opinion Poll is still to come.")
    else:
        lines.append(f"The Opinion Poll came in round {view.poll_round}.")
    if view.midgame_done:
        lines.append("The mid-game scoring is over.")
    if view.out_round is not None:
        lines.append(f"The deck was empty in round {view.out_round}.")
    ballots, thrown = count_noun(view.ballot_deck, "ballot"), view.ballot_discards or "none"
    lines.append(f"The ballot deck has {ballots} and the discards {thrown}.")
    if view.played_ballots:
        lines.append(f"Ballots discarded face up: {_ballots(view.played_ballots)}.")
    if view.discards:
        lines.append(f"Used Tangles, oldest first: {join_words(map(tangle, view.discards))}.")
    for what, cards in (("deck", view.deck_tangles), ("reserve", view.reserve_tangles)):
        if cards:
            lines.append(f"In the {what}, top first: {join_words(map(tangle, cards))}.")
    if view.ballots_left:
        lines.append(f"The ballot deck, from the top: {', '.join(view.ballots_left)}.")
    return lines


def _scorings(view: TanglewoodView, names: Names) -> list[str]:
    lines = []
    for number, paid in enumerate(view.scorings, start=1):
        lines.append("The mid-game scoring." if number == 1 else "The final scoring.")
        for seat in range(view.seats):
            who = capital(name_or_you(names, seat, view.viewer))
            where = [f"{row[seat]} in {region}" for region, row in paid.items() if row[seat]]
            total = sum(row[seat] for row in paid.values())
            lines.append(
                f"{who} gained {count_noun(total, 'vote')}{': ' + join_words(where) if where else ''}."
            )
    for scoring, played in zip(("mid-game", "final"), view.played, strict=False):
        for seat, ballots in enumerate(played):
            who = capital(name_or_you(names, seat, view.viewer))
            lines.append(f"{who} played {_ballots(ballots) or 'no ballots'} for the {scoring} scoring.")
    return lines


def describe_hand(view: TanglewoodView, names: Names, seat: Seat) -> list[str]:
    """Describe a seat's ballots, and the new standing by each."""
    hand = view.hands[seat] or ()
    lines = []
    for region, count in Counter(hand).items():
        counts = view.workers[region]
        now, then = (
            standing(counts, seat),
            standing(more(counts, seat, components.SCORING.ballot_markers), seat),
        )
        if now == then:
            stands = f"You're {ordinal(now or 0)} there, with or without a ballot"
        else:
            stands = "be" if now is None else f"rise there from {ordinal(now)} to"
            stands = f"With a ballot, you'd {stands} {ordinal(then or 0)}{' there' if now is None else ''}"
        lines.append(
            f"You hold {count_noun(count, 'ballot')} for {nouns.place(region)}. "
            f"The region pays {nouns.pays_for_places(region)}. {stands}."
        )
    return lines


def describe_picture(what: str, view: TanglewoodView, names: Names, args: Sequence[Any]) -> list[str]:
    """Describe the change of a choice in each affected region, or a scoring."""
    if what == "scoring":
        return _scorings(view, names)
    if what != "preview":
        return []
    trial = try_choice(view, *args)
    lines = []
    for region, after in trial.after.items():
        now, then = trial.paid[region]
        place = nouns.place(region)
        lines.append(f"Workers in {place} now: {workers(view.workers[region], view, names)}.")
        lines.append(f"Workers there after this: {workers(after, view, names)}.")
        lines.append(
            f"Your votes from {place} would be {then} instead of {now}."
            if now != then
            else f"Your votes from {place} would still be {now}."
        )
    now, then = trial.total
    lines.append(f"If the forest voted now, you would get {count_noun(now, 'vote')}.")
    return [*lines, f"After this, you would get {count_noun(then, 'vote')}."]


def places(view: TanglewoodView) -> list[str]:
    """Return the regions by letter, and the tracks."""
    return [*components.REGIONS, *(track.name for track in components.TRACKS.values())]


def describe_place(view: TanglewoodView, names: Names, place: str, moves: Sequence[Move]) -> str:
    by_name = {facts.name.lower(): key for key, facts in components.REGIONS.items()}
    asked = by_name.get(place.strip().lower(), place)
    text = find_place(asked, places(view), "a region, A to I, or a track: Rabbit, Bear or Fox")
    track = next((key for key, facts in components.TRACKS.items() if facts.name == text), None)
    if track is not None:
        steps = []
        if any(isinstance(move, TanglewoodDraw) and move.step == track for move in moves):
            steps.append("You can draw and take a step here.")
        if any(isinstance(move, TanglewoodStep) and move.track == track for move in moves):
            steps.append("You can take the step here.")
        facts, viewer = components.TRACKS[track], view.viewer
        seats = ([] if viewer is None else [viewer]) + others_after(view.seats, viewer)
        reached = [f"{name_or_you(names, seat, viewer)} {view.steps[seat][track]}" for seat in seats]
        lines = [f"Steps reached on the {facts.name} track: {join_words(reached)}."]
        lines += [f"Step {n}: {deed(what, view)}." for n, what in enumerate(facts.steps, start=1)]
        return answer([*lines, *(steps or ["You can't take a step here now."])])
    lies = view.tangles[text]
    lines = [*_region(view, names, text)]
    if lies is not None:
        lines.append(components.EFFECTS[components.TANGLES[lies].effect].text)
    stands = group_by(view.colours, lambda colour: standing(view.workers[text], colour) or 0)
    ranks = []
    for at in sorted(stands.keys() - {0}):
        who = join_words(who_is(one, names, view.viewer) for one in stands[at])
        ranks.append(f"{who} {short_ordinal(at)}{' (tied)' * (len(stands[at]) > 1)}")
    lines += [f"Places: {'; '.join(ranks)}."] if ranks else []
    lines.append(f"Its neighbours are {join_words(map(nouns.place, adjacent(text)))}.")
    return answer([*lines, *_in_region(text, names, view, moves)])


def _in_region(
    region: components.Region, names: Names, view: TanglewoodView, moves: Sequence[Move]
) -> list[str]:
    counts = [move.count for move in moves if isinstance(move, TanglewoodPlace) and move.region == region]
    lines = [f"You can place {_markers(map(str, counts))} here."] if counts else []
    others = [move for move in moves if not isinstance(move, TanglewoodPlace)]
    lines += [_say(move, view, names) for move in others if region in regions_of(move)]
    return lines or ["You can't do anything here now."]


def regions_of(move: Move) -> tuple[components.Region, ...]:
    match move:
        case TanglewoodPlant(region) | TanglewoodPlaceAdjacent(region) | TanglewoodPlace(region):
            return (region,)
        case TanglewoodNudge(region, _, to):
            return (region, to)
        case Gather(made):
            return tuple(one.region for one in made)
        case Scatter(sent):
            return tuple(one.to for one in sent)
        case MoveAdjacent(region):
            return (region,)
        case Export(to):
            return (to,)
        case PlayBallots(regions) | KeepBallots(regions):
            return regions
        case _:
            return ()


def _say(move: Move, view: TanglewoodView, names: Names) -> str:
    return f"You can {to_speech(move_name(move, view, names))}."


def describe_moves(view: TanglewoodView, names: Names, moves: Sequence[Move]) -> str:
    lines = []
    placing: dict[str, list[components.Region]] = {}
    for move in moves:
        if isinstance(move, TanglewoodPlace):
            placing.setdefault(move.region, []).append(str(move.count))
    alike: dict[str, list[components.Region]] = {}
    for region, numbers in placing.items():
        alike.setdefault(_markers(numbers), []).append(region)
    for counts, regions in alike.items():
        where = "any region" if len(regions) == len(components.REGIONS) else join_words(regions, "or")
        lines.append(f"You can place {counts} in {where}.")
    draws = [move.step for move in moves if isinstance(move, TanglewoodDraw)]
    tracks = [components.TRACKS[step].name for step in draws if step is not None]
    if draws:
        seat = view.viewer if view.viewer is not None else view.seat or 0
        steps = f", with a step on the {join_words(tracks, 'or')} track" if tracks else ""
        lines.append(f"You can draw {count_noun(view.draw_value(seat), 'marker')}{steps}.")
    steps_ = [components.TRACKS[move.track].name for move in moves if isinstance(move, TanglewoodStep)]
    if steps_:
        lines.append(f"You can take a step on the {join_words(steps_, 'or')} track.")
    grouped = TanglewoodDraw | TanglewoodPlace | TanglewoodStep
    choices = [move for move in moves if not isinstance(move, grouped)]
    if choices:
        there = "is 1 choice" if len(choices) == 1 else f"are {len(choices)} choices"
        lines.append(f"There {there}. Ask about a region to see only its choices.")
    # Many choices don't fit: `answer` stops before it asks for the rest.
    texts = (_say(move, view, names) for move in choices)
    return answer(chain(lines, texts) if lines else ["You can't do anything now."])


def _markers(counts: Iterable[str]) -> str:
    """Return possible numbers of markers: "1 or 2 markers"."""
    texts = list(counts)
    return f"{join_words(texts, 'or')} marker{'' if texts == ['1'] else 's'}"
