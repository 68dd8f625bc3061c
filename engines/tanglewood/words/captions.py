"""Captions on the pictures, and alternative texts for those who can't see them."""

import re
from collections.abc import Iterable, Mapping, Sequence

from engines import words
from engines.game import Seat
from engines.marks import capital
from engines.tanglewood.pieces import components
from engines.tanglewood.pieces.board import Colour, Counts, index, standing
from engines.tanglewood.view import TanglewoodView
from engines.tanglewood.words import nouns

IN_SHORT = "Workers and Tangles by region:"
NAMED = re.compile(r"^[^:(]+ \(([A-I])\)(?=: )")
"""A region's name and letter."""
NO_RANK = "\u2013"
"""The rank of a colour without workers."""


def short_name(names: words.Names, colour: Colour) -> str:
    """Return the name of a colour's seat, or of the neutral one."""
    return "neutral" if isinstance(colour, str) else words.short(words.seat_name(names, colour))


def name_of(names: words.Names, colour: Colour) -> str:
    return "the neutral colour" if isinstance(colour, str) else short_name(names, colour)


def place_of(counts: Counts, colour: Colour) -> str:
    """Abbreviate the rank of a colour; a dash without workers."""
    place = standing(counts, colour)
    return NO_RANK if place is None else words.short_ordinal(place)


def name_with_track(card: components.TangleId) -> str:
    """Name a Tangle by its effect and its track.

    "Evict (Bear track)", "Place Adjacent (circle, any track)".
    """
    name = components.EFFECTS[components.TANGLES[card].effect].name
    return f"{name} ({track_of(card)})".replace(") (", ", ")


def track_of(card: components.TangleId) -> str:
    """Name the track that a Tangle steps. "any track" for a wild one."""
    result = components.TANGLES[card]
    return "any track" if result.wild else f"{components.TRACKS[result.tracks[0]].name} track"


def brief(what: components.Benefit, tiles: Sequence[components.FoxTileKey] = ()) -> str:
    """Describe a step's benefit in two or three words.

    >>> from engines.tanglewood.pieces.components import Ballots, FoxTileDeed, RaiseDrawLevel
    >>> brief(RaiseDrawLevel(1)), brief(Ballots(2)), brief(FoxTileDeed(1), ["whispers"])
    ('Draw level +1', '2 ballots', 'Whispers: 2 ballots')
    """
    match what:
        case components.FoxTileDeed(slot) if slot > len(tiles):
            return f"Fox tile {slot}"
        case components.FoxTileDeed(slot):
            tile = components.FOX_TILES[tiles[slot - 1]]
            return f"{tile.name}: {brief(tile.benefit)}"
        case components.RaiseDrawLevel(n):
            return f"Draw level +{n}"
        case components.RaisePlaceLevel(n):
            return f"Place level +{n}"
        case components.Markers(n):
            return f"{words.plural(n, 'marker')} to the circle"
        case components.Ballots(n):
            return words.plural(n, "ballot")
        case components.Votes(n):
            return words.plural(n, "vote")
        case components.PlantDeed(n):
            return f"{words.plural(n, 'marker')} anywhere"
        case components.NudgeDeed(n):
            return f"move {words.plural(n, 'worker')}"


def title(view: TanglewoodView, names: words.Names) -> str:
    """Return the headline: the round, the scoring, or the result."""
    if not view.over:
        if view.phase == "ballots":
            return "Final scoring" if view.final else "Mid-game scoring"
        return "After the scoring" if view.phase == "keep" else f"Round {view.round}"
    winners = [] if view.outcome is None else view.outcome.winners
    if not winners:
        return "Called off"
    if len(winners) > 1:
        return "A shared victory"
    return f"{words.short(words.seat_name(names, winners[0]), 18)} is Mayor"


def remaining(view: TanglewoodView) -> list[str]:
    """Say how long the game still takes. Tangles left, the Opinion Poll, the last round."""
    if view.over:
        return [f"after round {view.round}"]
    drawn = view.out_round is not None
    lines = ["deck empty" if drawn else f"{words.plural(view.deck, 'Tangle')} left"]
    if view.midgame_done or view.phase == "keep":
        lines.append("mid-game scoring done")
    elif view.poll_round is None:
        lines.append("Opinion Poll to come")
    else:
        lines.append(f"mid-game scoring after round {view.scoring_round}")
    if view.out_round is not None:
        lines.append(f"last round: {view.out_round + 1}")
    return lines


def status(view: TanglewoodView, seat: Seat) -> words.SeatStatus:
    place = view.outcome.places[seat] if view.outcome is not None else None
    if seat in view.out:
        return words.GONE
    if place is not None:
        return words.place_status(place)
    if view.phase in ("ballots", "keep"):
        owes = ("to choose", "must choose ballots")
        return words.SeatStatus(*owes if seat in view.owing else ("ready", "has answered"))
    if seat != view.seat:
        return words.SeatStatus()
    doing = {"turn": "to play", "step": "picks a track"}.get(view.phase, "to choose")
    duty = {"turn": nouns.turn_choice(view, seat), "step": "pick a track", "effect": "carry out the Tangle"}
    return words.SeatStatus(doing, f"must {duty.get(view.phase, 'use the reward of a step')}")


def changes(view: TanglewoodView, region: components.Region) -> list[int]:
    """Return the change of each colour's workers since `before`."""
    now = view.workers[region]
    was = view.before.get(region, now)
    return [new - old for new, old in zip(now, was, strict=True)]


def more_workers(by: int) -> str:
    """Return a change in words: "2 more workers"."""
    return words.plural(abs(by), "more worker" if by > 0 else "fewer worker")


def just_paid(view: TanglewoodView, region: components.Region) -> tuple[int, ...] | None:
    """Return each seat's votes from a region in the scoring just over. None if there is none."""
    ended = view.over and len(view.scorings) > 1
    return view.scorings[-1][region] if view.scorings and (ended or view.phase == "keep") else None


def turns(view: TanglewoodView) -> tuple[Seat, ...]:
    """Return the seats in turn order. Those that have left come after all others."""
    return (*view.order, *(seat for seat in range(view.seats) if seat not in view.order))


def colours_in_turn(view: TanglewoodView) -> list[Colour]:
    """Return every colour in turn order, the neutral one last."""
    return [*turns(view), *(colour for colour in view.colours if isinstance(colour, str))]


def describe_board(view: TanglewoodView, names: words.Names) -> str:
    """Describe the table; `view` holds only public facts."""
    changed, where = list[str](), list[str]()
    for region in components.REGIONS:
        pairs = [(who, by) for who, by in zip(view.colours, changes(view, region), strict=True) if by]
        changed += [f"{name_of(names, who)} has {more_workers(by)} in {region}" for who, by in pairs]
        where += [region] if pairs else []
    news = [f"{capital(words.join_words(changed))}."] if changed else []
    in_brief = [f"Workers changed in {words.join_words(where)}."] if where else []
    lines = words.opening(_headline(view, names), news, over=view.over)
    if view.card is not None:
        lines.append(f"The Tangle in use is {name_with_track(view.card)}.")
    on_tracks = [
        f"{track.name} ({_counts(view, names, (steps.get(key, 0) for steps in view.steps))})"
        for key, track in components.TRACKS.items()
    ]
    order = f"Turn order: {words.join_words(short_name(names, seat) for seat in view.order)}."
    tracks = f"Steps on the tracks: {', '.join(on_tracks)}."
    in_full, in_short, in_numbers = _ways_to_describe(view, names)
    by_letter = [NAMED.sub(r"\1", one).replace(". Tangle: ", "; Tangle: ") for one in in_short]
    brief = [*words.opening(_headline(view, names), in_brief, over=view.over), *lines[1 + bool(news) :]]
    numbers = [
        f"{track.name} {', '.join(str(steps.get(key, 0)) for steps in view.steps)}"
        for key, track in components.TRACKS.items()
    ]
    return _longest(
        [*lines, *_seats(view, names), order, *in_full, tracks],
        [*lines, *_seats(view, names), *in_short, tracks],
        [*brief, *_seats(view, names), *by_letter, tracks],
        [
            *brief,
            *_seats_in_numbers(view, names),
            *in_numbers,
            f"Steps on the tracks, in the same order: {'; '.join(numbers)}.",
        ],
    )


def _ways_to_describe(view: TanglewoodView, names: words.Names) -> tuple[list[str], list[str], list[str]]:
    """Describe the regions in full, in short, and in numbers alone."""
    colours = words.join_words(short_name(names, colour) for colour in view.colours)
    return (
        [
            f"Workers in {nouns.place(region)}: {_counts(view, names, workers)}. {_card(view, region)}."
            for region, workers in view.workers.items()
        ],
        [IN_SHORT, *(_region_in_short(view, names, region) for region in components.REGIONS)],
        [
            f"{IN_SHORT.removesuffix(':')}, in numbers for {colours}:",
            *(
                f"{nouns.place(region)}: {', '.join(map(str, workers))}; "
                f"{_card_in_short(view, region).removeprefix('Tangle: ')}."
                for region, workers in view.workers.items()
            ),
        ],
    )


def _longest(*ways: Sequence[str]) -> str:
    """Return the first way that fits, or the last one cut."""
    fitting = (way for way in ways if len(" ".join(way)) <= words.ALT_LIMIT)
    return words.alt_text(list(next(fitting, ways[-1])))


def _headline(view: TanglewoodView, names: words.Names) -> str:
    if view.over:
        return f"{title(view, names)} after round {view.round}."
    result = f"Round {view.round}."
    if view.phase == "ballots":
        when = "" if view.final else f", after round {view.round}"
        result = f"The forest votes: it's the {title(view, names).lower()}{when}."
    there_are = "There's" if view.deck == 1 else "There are"
    left = f"{there_are} {words.plural(view.deck, 'Tangle')} left"
    lines = ["The deck is empty" if view.out_round is not None else left]
    if view.midgame_done or view.phase == "keep":
        lines += ["the mid-game scoring is over"]
    elif view.poll_round is None:
        lines += ["the Opinion Poll is still to come"]
    elif view.phase != "ballots":
        lines += [f"the mid-game scoring comes after round {view.scoring_round}"]
    if view.out_round is not None:
        lines += [f"round {view.out_round + 1} is the last one"]
    return f"{result} {', and '.join([', '.join(lines[:-1]), lines[-1]] if len(lines) > 1 else lines)}."


def describe_forest(view: TanglewoodView, names: words.Names) -> str:
    """Describe the map without the panel below it."""
    return _longest(*(["The forest.", *way] for way in _ways_to_describe(view, names)))


def _seats(view: TanglewoodView, names: words.Names) -> list[str]:
    owned = (
        f"{short_name(names, seat)} has {words.plural(view.votes[seat], 'vote')}, "
        f"{words.plural(view.circles[seat], 'marker')} and {words.plural(view.held[seat], 'ballot')}."
        for seat in turns(view)
    )
    return [*_states(view, names), *owned]


def _seats_in_numbers(view: TanglewoodView, names: words.Names) -> list[str]:
    owned = (
        f"{short_name(names, seat)} {view.votes[seat]}, {view.circles[seat]}, {view.held[seat]}"
        for seat in turns(view)
    )
    return [*_states(view, names), f"Votes, markers in the circle, and ballots: {'; '.join(owned)}."]


def _states(view: TanglewoodView, names: words.Names) -> list[str]:
    states = {seat: status(view, seat).said for seat in turns(view)}
    return [f"{short_name(names, seat)} {said}." for seat, said in states.items() if said]


def _region_in_short(view: TanglewoodView, names: words.Names, region: components.Region) -> str:
    pairs = zip(view.colours, view.workers[region], strict=True)
    counts = ", ".join(f"{short_name(names, colour)} {count}" for colour, count in pairs)
    return f"{nouns.place(region)}: {counts}. {_card_in_short(view, region)}."


def _card_in_short(view: TanglewoodView, region: components.Region) -> str:
    return _card(view, region).removeprefix("Its ").replace("Tangle is", "Tangle:").replace("It has no", "No")


def _card(view: TanglewoodView, region: components.Region) -> str:
    lies, in_use = view.tangles[region], ""
    if lies is None and region == view.active:
        lies, in_use = view.card, ", in use now"
    if lies is None:
        return "It has no Tangle"
    name = name_with_track(lies)
    return f"Its Tangle is {name if components.TANGLES[lies].wild else name.replace(' track)', ')')}{in_use}"


def _counts(view: TanglewoodView, names: words.Names, counts: Iterable[int]) -> str:
    """Write numbers by colour: "Ann 3, the neutral colour 1"."""
    pairs = zip(view.colours, counts, strict=False)
    return ", ".join(f"{name_of(names, colour)} {count}" for colour, count in pairs)


def describe_hand(view: TanglewoodView, seat: Seat, names: words.Names) -> str:
    """Describe a seat's ballots, and their effect on its standing."""
    hand = view.hands[seat] or ()
    own = seat == view.viewer
    holder = "You hold" if own else f"{short_name(names, seat)} holds"
    lines = [f"{holder} {words.plural(len(hand), 'Secret Ballot')}."]
    for region in dict.fromkeys(hand):
        counts = view.workers[region]
        more = with_more(counts, seat, components.SCORING.ballot_markers)
        held, whose = hand.count(region), "your" if own else "their"
        who, name = "you" if own else "they", nouns.place(region)
        ballot = f"{whose} {name} ballot" if held == 1 else f"one of {whose} {held} {name} ballots"
        rank = _rank(place_of(counts, seat), place_of(more, seat))
        lines.append(f"If {who} play {ballot}, {who} {rank} there.")
        lines.append(f"{name} pays {nouns.pays_for_places(region)}.")
    return words.alt_text(lines)


def _rank(now: str, then: str) -> str:
    """Say how a ballot changes the rank of the holder.

    >>> _rank("2nd", "1st"), _rank("3rd", "3rd"), _rank(NO_RANK, "3rd")
    ('rise from 2nd to 1st', 'stay 3rd', 'come 3rd')
    """
    if now == then:
        return f"stay {now}"
    return f"come {then}" if now == NO_RANK else f"rise from {now} to {then}"


def with_more(counts: Counts, colour: Colour, more: int) -> Counts:
    at = index(colour, counts)
    return tuple(count + more * (position == at) for position, count in enumerate(counts))


def scoring_title(number: int) -> str:
    """Name a scoring.

    >>> scoring_title(1), scoring_title(2)
    ('Mid-game scoring', 'Final scoring')
    """
    return "Mid-game scoring" if number == 1 else "Final scoring"


def votes_gained(view: TanglewoodView, number: int) -> list[int]:
    paid = view.scorings[number - 1].values()
    return [sum(region[seat] for region in paid) for seat in range(view.seats)]


def describe_scoring(view: TanglewoodView, names: words.Names, number: int) -> str:
    """Describe a scoring: sums first, then each region's votes in seat order."""
    sums, played = votes_gained(view, number), view.played[number - 1]
    lines = [f"{scoring_title(number)}."]
    for seat, sum_ in enumerate(sums):
        ballots = f" with ballots for {words.join_words(played[seat])}" if played[seat] else ""
        lines.append(f"{short_name(names, seat)} gains {words.plural(sum_, 'vote')}{ballots}.")
    lines += [
        f"Votes from {nouns.place(region)}: {_counts(view, names, paid)}."
        for region, paid in view.scorings[number - 1].items()
    ]
    return words.alt_text(lines)


def describe_effects(title: str, tangles: Mapping[components.TangleId, components.TanglewoodTangle]) -> str:
    """Describe Tangles by effect. Drop those that don't fit, since the rules list them."""
    keys = dict.fromkeys(tangle.effect for tangle in tangles.values())
    facts = [components.EFFECTS[key] for key in keys]
    return words.alt_text([f"{title} by effect.", *(f"{one.name}: {one.text}" for one in facts)])


def describe_tracks(tiles: Sequence[components.FoxTileKey]) -> str:
    lines = [
        f"{track.name}: {', '.join(brief(step, tiles) for step in track.steps)}."
        for track in components.TRACKS.values()
    ]
    return words.alt_text(["The steps of the faction tracks.", *lines])


def describe_preview(
    view: TanglewoodView,
    names: words.Names,
    after: Mapping[components.Region, Counts],
    paid: Mapping[components.Region, tuple[int, int]],
    total: tuple[int, int],
) -> str:
    """Describe a choice's result. For each region the viewer's votes now and then."""
    now, then = (words.plural(votes, "vote") for votes in total)
    lines = [f"Preview. If the forest voted now, you'd get {now}. After this, you'd get {then}."]
    for region, counts in after.items():
        movers: dict[tuple[int, int, str, str], list[str]] = {}
        for colour in colours_in_turn(view):
            was = view.workers[region]
            old, new = was[index(colour, was)], counts[index(colour, counts)]
            if old != new or place_of(was, colour) != place_of(counts, colour):
                change = old if old != new else 0, new if old != new else 0
                places = place_of(was, colour), place_of(counts, colour)
                movers.setdefault((*change, *places), []).append(name_of(names, colour))
        facts = [
            f"{words.join_words(who)} {_change(*change, is_plural=len(who) > 1)}"
            for change, who in sorted(movers.items(), key=lambda item: item[0][0] == item[0][1])
        ]
        old_votes, new_votes = paid[region]
        votes = f"{words.plural(new_votes, 'vote')} there, " + (
            "as now" if old_votes == new_votes else f"instead of {old_votes}"
        )
        lines.append(
            f"{nouns.place(region)}: {'. '.join(map(capital, facts)) or 'nothing changes'}. "
            f"You'd get {votes}."
        )
    return words.alt_text(lines)


def _change(old: int, new: int, was: str, now: str, *, is_plural: bool = False) -> str:
    """Say how a colour's workers and rank in a region change.

    >>> _change(2, 4, "4th", "1st"), _change(3, 3, "1st", "2nd")
    ('has 4 workers instead of 2, and is 1st', 'drops from 1st to 2nd')
    >>> _change(2, 1, "4th", "4th"), _change(0, 1, NO_RANK, "3rd")
    ('has 1 worker instead of 2, and stays 4th', 'has 1 worker instead of 0, and is 3rd')
    """
    if old == new:
        verb = "drop" if was < now else "rise"
        return f"{verb}{'' if is_plural else 's'} from {was} to {now}"
    if now == NO_RANK:
        return f"{'have' if is_plural else 'has'} no workers left"
    has = "each have" if is_plural else "has"
    verb = ("stay" if is_plural else "stays") if was == now else "are" if is_plural else "is"
    return f"{has} {words.plural(new, 'worker')} instead of {old}, and {verb} {now}"
