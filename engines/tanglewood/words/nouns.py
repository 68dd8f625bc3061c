"""Names of Tanglewood's things, with their signs."""

from collections import Counter
from collections.abc import Sequence

from engines.game import Seat
from engines.marks import with_icon
from engines.tanglewood.legal.deeds import next_step, raise_level
from engines.tanglewood.pieces import components
from engines.tanglewood.pieces.board import NEUTRAL, Colour, Hop
from engines.tanglewood.view import TanglewoodView
from engines.words import Names, group_by, join_phrases, join_words, player_with_sign, plural, short_ordinal

NOBODY = with_icon("tanglewood_neutral", "the neutral colour")
COUNTED = {"ballot": "tanglewood_ballots", "vote": "tanglewood_votes"}
"""The signs of counted things."""
EARLY = 3
"""Turns of each player in which events are explained in full words."""
SUPPLY = (
    "you draw markers into your **circle** and place them from there. In a region, a marker is a **worker**"
)
STANDING = "**1st** means the most workers in a region. If two players tie for 1st, both are 2nd"
BRIEFLY = {
    "gather": "2 workers come here",
    "scatter": "2 workers go to two regions",
    "double": "1 more marker comes here, and you get 2 votes",
    "evict": "all other colours lose 1 worker each",
    "regional_ballots": "you draw 1 to 3 ballots, depending on your rank here",
    "area_ballots": "you draw 3 ballots if you're 1st here or in a neighbouring region",
    "move_adjacent": "2 workers move to or from a neighbouring region",
    "place_circle": "1 marker goes from your circle into a neighbouring region",
    "place_supply": "1 marker goes from your supply into a neighbouring region",
    "export": "2 workers go to one region",
    "draw": "you draw as usual",
    "draw_1": "1 marker goes into your circle",
}
"""Effects whose name doesn't explain them, in a few words."""
WIDEST = 4
"""Letters of a name above a column of the table of votes."""
MANY = 5
"""Players whose columns need to be a letter narrower on a phone."""


def place(region: components.Region) -> str:
    """Return a region by name and letter: "Elder Grove (E)"."""
    return f"{components.REGIONS[region].name} ({region})"


def pays(region: components.Region) -> str:
    """Return a region's payments, the 1st place first.

    >>> pays("E")
    '8 / 6 / 4'
    """
    return " / ".join(map(str, components.REGIONS[region].votes))


def pays_for_places(region: components.Region) -> str:
    """Return a region's payments in words.

    >>> pays_for_places("E")
    '8, 6 and 4 votes for 1st, 2nd and 3rd place'
    """
    votes = components.REGIONS[region].votes
    places = join_words(short_ordinal(place) for place in range(1, len(votes) + 1))
    return f"{join_words(map(str, votes))} votes for {places} place"


def colour(which: Colour, names: Names) -> str:
    return NOBODY if which == NEUTRAL else player_with_sign(names, which)


def worker(which: Colour, names: Names) -> str:
    """Return a worker's owner: "Ann's", "neutral"."""
    if which == NEUTRAL:
        return with_icon("tanglewood_neutral", "neutral")
    return f"{player_with_sign(names, which)}'s"


def count_with_sign(number: int, noun: str) -> str:
    """Return a number with its noun, and its sign if any.

    >>> count_with_sign(1, "marker"), count_with_sign(3, "marker")
    ('1 marker', '3 markers')
    """
    text = noun if number == 1 else f"{noun}s"
    return f"{number} {with_icon(COUNTED[noun], text) if noun in COUNTED else text}"


def track_name(track: components.Faction) -> str:
    """Return a track, with the head of its faction."""
    return with_icon(f"tanglewood_{track}", components.TRACKS[track].name)


def effect(card: components.TangleId) -> str:
    return with_icon(effect_sign(card), components.EFFECTS[components.TANGLES[card].effect].name)


def effect_sign(card: components.TangleId) -> str:
    return f"tanglewood_do_{components.TANGLES[card].effect}"


def ballot(region: components.Region) -> str:
    return with_icon("tanglewood_ballots", place(region))


def ballots(regions: Sequence[components.Region]) -> str:
    """Return ballots by their regions: "two ballots for Elder Grove (E)"."""
    counts = Counter(regions)
    texts = [f"{'two ballots for ' * (counts[region] > 1)}{ballot(region)}" for region in counts]
    return join_words(texts) or "no ballots"


def standing_word(standing: int | None) -> str:
    """Return a standing in short.

    >>> standing_word(1), standing_word(4), standing_word(None)
    ('1st', '4th', 'nowhere')
    """
    return "nowhere" if standing is None else short_ordinal(standing)


def tangle(card: components.TangleId) -> str:
    """Return a Tangle by effect and track: "Evict (Bear)"."""
    entries = components.TANGLES[card]
    track = "any track" if entries.wild else track_name(entries.tracks[0])
    return f"{effect(card)} ({track})"


def is_early(view: TanglewoodView) -> bool:
    """Return True in everybody's first turns, which use full words."""
    return view.round <= EARLY


def step(view: TanglewoodView, seat: Seat, track: components.Faction) -> str:
    what = next_step(view, seat, track)
    if what is None:
        return f"the {track_name(track)} track is at its end: {count_with_sign(1, 'ballot')}"
    return f"step {view.steps[seat][track] + 1} of the {track_name(track)} track: {benefit(view, seat, what)}"


def a_step(view: TanglewoodView, seat: Seat, track: components.Faction) -> str:
    """Return a track's next step, as the object of a sentence."""
    what = next_step(view, seat, track)
    if what is None:
        return f"{count_with_sign(1, 'ballot')}, because the {track_name(track)} track is at its end"
    number = view.steps[seat][track] + 1
    return f"step {number} of the {track_name(track)} track ({benefit(view, seat, what)})"


def benefit(view: TanglewoodView, seat: Seat, what: components.Benefit) -> str:
    match what:
        case components.RaiseDrawLevel(n):
            most = components.MAT.draw[raise_level(view.draw_levels[seat], n, components.MAT.draw)]
            return f"you draw {count_with_sign(most, 'marker')} from now on"
        case components.RaisePlaceLevel(n):
            most = components.MAT.place[raise_level(view.place_levels[seat], n, components.MAT.place)]
            return f"you can place {count_with_sign(most, 'marker')} from now on"
        case components.Markers(n):
            return f"{count_with_sign(n, 'marker')} for your circle"
        case components.Ballots(n):
            return count_with_sign(n, "ballot")
        case components.Votes(n):
            return count_with_sign(n, "vote")
        case components.PlantDeed():
            return "put 1 marker into any region"
        case components.NudgeDeed():
            return "move any worker to an adjacent region"
        case components.FoxTileDeed(slot):
            tile = components.FOX_TILES[view.fox_tiles[slot - 1]]
            return f"{tile.name}, {benefit(view, seat, tile.benefit)}"


def turn_choice(view: TanglewoodView, seat: Seat) -> str:
    """Return what a seat's circle allows in its turn."""
    circle = view.circles[seat]
    if not circle:
        return "draw markers"
    return "place markers" if circle >= components.DRAW_BAN else "draw or place markers"


def _workers(colour: Colour, n: int, whose: str) -> str:
    """Return like workers: "2 of Ann's workers"."""
    if colour == NEUTRAL:
        return with_icon("tanglewood_neutral", plural(n, "neutral worker"))
    return f"{n} of {whose} workers"


def ways(made: Sequence[Hop], names: Names, mover: Seat | None = None, own: str = "their own") -> str:
    """Return the ways of workers, the mover's first: "1 of Cy's workers from E to I". Theirs are `own`."""
    ordered = sorted(made, key=lambda one: one.colour != mover)
    texts, by_way = [], group_by(ordered, lambda one: (one.start, one.end))
    if len(by_way) == len(made) > len({one.colour for one in made}) == 1:
        owner = own if made[0].colour == mover else worker(made[0].colour, names)
        steps = join_words([f"one from {start} to {end}" for start, end in by_way])
        return f"{_workers(made[0].colour, len(made), owner)}, {steps}"
    for way, hops in by_way.items():
        counts = Counter(one.colour for one in hops)
        whose = {colour: own if colour == mover else worker(colour, names) for colour in counts}
        noun = join_words(_workers(colour, number, whose[colour]) for colour, number in counts.items())
        texts.append(f"{noun} from {way[0]} to {way[1]}")
    return join_phrases(texts)


def colour_of(pick: str) -> Colour:
    """Return the colour of a pick.

    >>> colour_of("2"), colour_of("n")
    (2, 'neutral')
    """
    return NEUTRAL if pick == "n" else int(pick)


def pick(made: str, names: Names, here: components.Region = "", beside_it: components.Region = "") -> str:
    """Return a choice's answer: "C and F", "Ann's".

    Workers go in and out between the active region `here` and one beside it.
    """
    if made in components.TRACKS:
        return with_icon(f"tanglewood_{made}", components.TRACKS[made].name)
    way, _, who = made.rpartition(" ")
    if way:
        start, end = (beside_it, here) if way == "in" else (here, beside_it)
        return ways([Hop(colour_of(who), start, end)], names)
    if made.isupper():
        return join_words(list(made))
    if len(made) == 2 and made[0] == made[1]:
        return f"{worker(colour_of(made[0]), names)} twice"
    return join_words([worker(colour_of(one), names) for one in made]) if made else "none"
