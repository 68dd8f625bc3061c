"""Words that all games share, parts of captions, and the contracts of each game's sentences.

Each game speaks in its room `words`, from views alone. Its `board` keeps the contract `BoardText`: titled
parts in an order that suits listening, the content of one place, and the moves of a seat. Its `event_lines`
keep the contract `EventLines`, for everybody; its `move_names` keep `MoveNames`. `engines.marks` marks the
places of signs.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple, Protocol, TypeVar

import msgspec

from engines.game import BoardChange, Seat, repeat
from engines.marks import capital, graphemes, player_name, quote_player, with_icon

MINUS = "−"
SEAT_COLOURS = ("blue", "orange", "green", "pink", "yellow")
"""The words for the colours of `render.core.theme.Theme.seats`."""
MOST_CHARACTERS = 1500
"""Most characters of a part, and of an answer to a question."""
SIDES = ("first", "second", "third", "fourth", "fifth", "sixth")
Names = Sequence[str]
"""The players' names, in seat order."""
T = TypeVar("T")
K = TypeVar("K", bound=Hashable)


class Part(msgspec.Struct, frozen=True):
    """A titled piece of a board in words, with one sentence a line. At most `MOST_CHARACTERS` characters."""

    heading: str
    text: str


class NoSuchPlace(Exception):
    """A place that the board doesn't have; its text is a sentence for the player."""


class BoardText(Protocol):
    """The contract of each game's module `words.board`. `names` are those of the seats, in seat order.

    >>> from engines.registry import game, words
    >>> rules = game("ribbon")
    >>> options, seed = rules.Options(), b"a secret seed"
    >>> state = rules.begin(2, options, rules.deal(2, options, seed), seed)
    >>> view, names = rules.view(state, None), ["Ann", "Bo"]
    >>> [part.heading for part in words("ribbon").parts(view, names)][:3]
    ['What changed last', 'Tangles', 'Players']
    >>> words("ribbon").describe_place(view, names, "3", []).splitlines()[0]
    'Place 3 is face down.'
    """

    def describe_changes(self, view: Any, names: Sequence[str], /) -> list[str]:
        """Say whose turn it is and what changed last: a sentence each."""

    def parts(self, view: Any, names: Sequence[str], /) -> list[Part]:
        """Describe the whole position.

        Changes, your own, the others', regions or rows, the supply. Two different views never get the same
        description.
        """

    def describe_hand(self, view: Any, names: Sequence[str], seat: Seat, /) -> list[str]:
        """Describe the picture of a seat's own hand. Nothing if the game has none."""

    def describe_picture(
        self, what: str, view: Any, names: Sequence[str], args: Sequence[Any], /
    ) -> list[str]:
        """Describe a picture of a part of the board.

        `what` and `args` are as in the request to the game's room of `render`. Nothing for a whole board.
        """

    def places(self, view: Any, /) -> list[str]:
        """Return the names to ask about, as people type them. Cells, regions, rows, cards."""

    def describe_place(self, view: Any, names: Sequence[str], place: str, moves: Sequence[Any], /) -> str:
        """Describe one place, and say which of a seat's legal moves lead there.

        Raise NoSuchPlace for a name that isn't in `places`.
        """

    def describe_moves(self, view: Any, names: Sequence[str], moves: Sequence[Any], /) -> str:
        """Say what a seat can do, given its legal moves. Where, and with what."""


class EventLines(Protocol):
    """The contract of each game's module `words.event_lines`: what happens, in sentences.

    >>> from engines.registry import event_lines, game
    >>> rules = game("ribbon")
    >>> options = rules.Options()
    >>> state = rules.begin(2, options, rules.deal(2, options, b"seed"), b"seed")
    >>> event_lines("ribbon").duty(rules.view(state, 0), 0)
    'choose your ribbon'
    """

    def event_line(self, event: Any, view: Any, names: Sequence[str], /) -> str | None:
        """Return an event as a sentence; None if it needs no line."""

    def duty(self, view: Any, seat: Seat, /) -> str:
        """Return a seat's duty as a sentence's end: "turn up a card"."""

    def result(self, view: Any, names: Sequence[str], /) -> str:
        """Return how the game ended, in a sentence or two."""


class MoveNames(Protocol):
    """The contract of each game's module `words.move_names`.

    >>> from engines.marks import to_plain
    >>> from engines.registry import game, move_names
    >>> rules = game("ribbon")
    >>> options = rules.Options()
    >>> state = rules.begin(2, options, rules.deal(2, options, b"seed"), b"seed")
    >>> move = next(rules.moves(state, 0))
    >>> to_plain(move_names("ribbon").move_name(move, rules.view(state, 0), ["Ann", "Bo"]))
    'take green'
    """

    def move_name(self, move: Any, view: Any, names: Sequence[str], /) -> str:
        """Return a legal move as a sentence's end: "flip 4".

        No other legal move of the position has the same first 100 characters, signs not counted.
        """

    def unseen_name(self, move: Any, /) -> str:
        """Return a move's name without the hidden things in it. "cast a card"; empty for none."""


def section(heading: str, lines: Iterable[str]) -> list[Part]:
    """Put lines under a heading.

    One part, several numbered ones if long, none without a line.

    >>> [part.heading for part in section("Trees", ["An oak."])], section("Trees", [])
    (['Trees'], [])
    >>> [part.heading for part in section("Trees", ["A" * 800, "B" * 800])]
    ['Trees, part 1 of 2', 'Trees, part 2 of 2']
    """
    texts: list[str] = []
    for line in chain.from_iterable(map(_split_line, lines)):
        if texts and len(texts[-1]) + 1 + len(line) <= MOST_CHARACTERS:
            texts[-1] += "\n" + line
        else:
            texts.append(line)
    if len(texts) < 2:
        return [Part(heading, text) for text in texts]
    return [Part(f"{heading}, part {n} of {len(texts)}", text) for n, text in enumerate(texts, start=1)]


def _split_line(line: str) -> list[str]:
    """Split a line that is longer than a part between words."""
    entries = []
    while len(line) > MOST_CHARACTERS:
        cut = line.rfind(" ", 0, MOST_CHARACTERS)
        cut = cut if cut > 0 else MOST_CHARACTERS
        entries.append(line[:cut])
        line = line[cut:].lstrip()
    return [*entries, line] if line else entries


def by_region(noun: str, blocks: Iterable[tuple[str, Sequence[str]]], several: str = "") -> list[Part]:
    """Group regions or rows, in order, into as few parts as fit.

    >>> [part.heading for part in by_region("Row", [(row, [row * 700]) for row in "123"])]
    ['Rows 1 to 2', 'Row 3']
    """
    pairs: list[tuple[list[str], list[str]]] = []
    for name, lines in blocks:
        text = "\n".join(lines)
        if not text:
            continue
        if pairs and len("\n".join([*pairs[-1][1], text])) <= MOST_CHARACTERS:
            pairs[-1][0].append(name)
            pairs[-1][1].append(text)
        else:
            pairs.append(([name], [text]))
    parts_ = []
    for regions, texts in pairs:
        plural = several or f"{noun}s"
        heading = f"{noun} {regions[0]}" if len(regions) == 1 else f"{plural} {regions[0]} to {regions[-1]}"
        parts_ += section(heading, "\n".join(texts).split("\n"))
    return parts_


def answer(lines: Iterable[str]) -> str:
    r"""Join lines to one answer.

    Drop the last ones if it gets too long.

    >>> answer(["Place 3 is empty.", "You can't do anything there."])
    "Place 3 is empty.\nYou can't do anything there."
    """
    text = ""
    for line in lines:
        longer = f"{text}\n{line}" if text else line
        if len(longer) > MOST_CHARACTERS:
            return f"{text[: MOST_CHARACTERS - 16]}\nThere is more." if text else line[:MOST_CHARACTERS]
        text = longer
    return text


def count_noun(count: int, noun: str, several: str = "") -> str:
    """Return a number with its noun.

    >>> count_noun(1, "worker"), count_noun(3, "worker"), count_noun(0, "city", "cities")
    ('1 worker', '3 workers', 'no cities')
    """
    return f"{count or 'no'} {noun if count == 1 else several or noun + 's'}"


def plural(count: int, noun: str) -> str:
    """Return a number with its noun.

    >>> plural(1, "tangle"), plural(3, "tangle"), plural(0, "tangle")
    ('1 tangle', '3 tangles', '0 tangles')
    """
    return f"{count} {noun}{'' if count == 1 else 's'}"


def format_points(points: int) -> str:
    """Format points gained or lost: "+9", "−5", "±0"."""
    if points == 0:
        return "±0"
    return f"+{points}" if points > 0 else f"{MINUS}{-points}"


def format_total(points: int) -> str:
    """Format a score, with a proper minus."""
    return str(points) if points >= 0 else f"{MINUS}{-points}"


def why(reasons: Sequence[str]) -> str:
    """Return the reasons behind a hint; empty if there are none.

    >>> why(["you have no cards", "you have no W"]), why([])
    (' **Why:** you have no cards and you have no W.', '')
    """
    return f" **Why:** {join_words(reasons)}." if reasons else ""


def player_with_sign(names: Sequence[str], seat: Seat) -> str:
    return with_icon(f"seat_{seat + 1}", quote_player(names, seat))


def seat_colour(seat: Seat) -> str:
    """Return a seat's sign, and its colour in a word.

    >>> from engines.marks import to_plain
    >>> to_plain(seat_colour(0))
    'blue'
    """
    return with_icon(f"seat_{seat + 1}", SEAT_COLOURS[seat])


def describe_lead(names: Names, winner: Seat, scores: Mapping[Seat, int]) -> str:
    """Return a winner's lead over the best of the others.

    >>> describe_lead(["Ann", "Bo"], 0, {0: 51, 1: 43}), describe_lead(["Ann"], 0, {0: 12})
    (', 8 more than Bo', '')
    """
    others = {seat: score for seat, score in scores.items() if seat != winner}
    if not others or max(others.values()) > scores[winner]:
        return ""
    best = max(others.values())
    nearest = join_words(quote_player(names, seat) for seat, score in others.items() if score == best)
    return f", {scores[winner] - best} more than {nearest}"


def number(value: int) -> str:
    """Spell a number for listening; it may be negative.

    >>> number(4), number(-3)
    ('4', 'minus 3')
    """
    return str(value) if value >= 0 else f"minus {-value}"


def join_words(words: Iterable[str], last: str = "and") -> str:
    """Join words as a list in a sentence.

    >>> join_words(["A"]), join_words(["A", "B"]), join_words(["A", "B", "C"], "or")
    ('A', 'A and B', 'A, B or C')
    """
    texts = list(words)
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} {last} {texts[-1]}" if texts else ""


def join_phrases(phrases: Iterable[str]) -> str:
    """Join phrases that can hold lists of their own.

    >>> join_phrases(["A", "B"]), join_phrases(["A and B at 4", "C at 7"])
    ('A and B', 'A and B at 4, and C at 7')
    """
    texts = list(phrases)
    if len(texts) < 2 or not any(" and " in text for text in texts):
        return join_words(texts)
    return f"{', '.join(texts[:-1])}, and {texts[-1]}"


def ranges(numbers: Iterable[int]) -> str:
    """Join rising whole numbers.

    Abbreviate three or more in a row by their ends.

    >>> ranges([1, 2, 3, 5, 7, 8])
    '1 to 3, 5, 7 and 8'
    """
    result: list[list[int]] = []
    for one in sorted(numbers):
        if result and one == result[-1][-1] + 1:
            result[-1].append(one)
        else:
            result.append([one])
    entries = [f"{run[0]} to {run[-1]}" if len(run) > 2 else run for run in result]
    return join_words(
        [text for one in entries for text in ([one] if isinstance(one, str) else map(str, one))]
    )


def ordinal(place: int) -> str:
    """Spell a place.

    >>> ordinal(1), ordinal(4)
    ('first', 'fourth')
    """
    return SIDES[place - 1] if 0 < place <= len(SIDES) else f"number {place}"


def name_or_you(names: Sequence[str], seat: Seat, viewer: Seat | None = None) -> str:
    """Return a player's name, or "you" for the viewer.

    >>> name_or_you(["Ann", "Bo"], 1), name_or_you(["Ann", "Bo"], 1, 1), name_or_you([], 1)
    ('Bo', 'you', 'Seat 2')
    """
    if seat == viewer:
        return "you"
    return quote_player(names, seat) if seat < len(names) else f"Seat {seat + 1}"


def possessive(names: Sequence[str], seat: Seat, viewer: Seat | None = None) -> str:
    """Return a player's possessive, or "your" for the viewer.

    >>> possessive(["Ann", "Bo"], 1), possessive(["Ann", "Bo"], 1, 1)
    ("Bo's", 'your')
    """
    return "your" if seat == viewer else f"{name_or_you(names, seat)}'s"


def _name_board_at(places: Sequence[str]) -> str:
    return f"the board at {join_words(sorted(places))}"


def describe_news(
    changes: Sequence[BoardChange],
    names: Sequence[str],
    viewer: Seat | None = None,
    name_places: Callable[[Sequence[str]], str] = _name_board_at,
    unit: str = "point",
    deed: str = "changed",
) -> list[str]:
    """Say which places each seat changed, and what it won; see `engines.game`.

    >>> describe_news([BoardChange("C6", "tile", 0), BoardChange("CE", "root", 0, start="C5")], ["Ann"])
    ['Ann changed the board at C5, C6 and CE.']
    """
    lines = []
    for seat, made in group_by(changes, lambda one: one.seat).items():
        # Points lie on a place that another seat may have changed.
        at = {at for one in made if not one.points for at in (one.place, one.start) if at}
        places = name_places(list(at)) if at else ""
        points = sum(one.points for one in made)
        if seat is None:
            lines += [f"{capital(places)} changed."] if places else []
            continue
        who, gain = name_or_you(names, seat, viewer), f"got {count_noun(points, unit)}"
        deeds = [*([f"{deed} {places}"] if places else []), *([gain] if points > 0 else [])]
        lines += [f"{capital(who)} {' and '.join(deeds)}."] if deeds else []
    return lines


def others_after(seats: int, viewer: Seat | None) -> list[Seat]:
    """Return the other seats in turn order after the viewer.

    All of them for a spectator.

    >>> others_after(4, 1), others_after(3, None)
    ([2, 3, 0], [0, 1, 2])
    """
    if viewer is None:
        return list(range(seats))
    return [(viewer + step) % seats for step in range(1, seats)]


def find_place(typed: str, places: Iterable[str], what: str) -> str:
    """Find the place that was typed, whatever its capitals and blanks.

    Raises:
        NoSuchPlace: naming what can be asked about instead.

    >>> find_place(" c7", ["C6", "C7"], "a cell, like C7")
    'C7'
    """
    wanted = _plain(typed)
    for place in places:
        if _plain(place) == wanted:
            return place
    raise NoSuchPlace(f"“{repeat(typed.strip())}” isn't on this board. Ask about {what}.")


def _plain(text: str) -> str:
    return "".join(text.lower().split())


def group_by(things: Iterable[T], key: Callable[[T], K]) -> dict[K, list[T]]:
    """Group things by a key, in the order of each group's first member."""
    result: dict[K, list[T]] = {}
    for thing in things:
        result.setdefault(key(thing), []).append(thing)
    return result


ALT_LIMIT = 1024
"""Discord's limit for the description of an attachment."""


def seat_name(names: Sequence[str], seat: Seat) -> str:
    """Return a seat's name without invisible characters. "Seat 3" if there is none."""
    if seat >= len(names):
        return f"Seat {seat + 1}"
    return player_name(names, seat)


def short(name: str, most: int = 16) -> str:
    """Cut a name that is too long.

    >>> short("Bartholomew the Elder")
    'Bartholomew the…'
    """
    clusters = graphemes(name)
    return name if len(clusters) <= most else "".join(clusters[: most - 1]).rstrip() + "…"


def opening(headline: str, changed: Sequence[str], *, over: bool) -> list[str]:
    """Begin an alt text.

    With the last changes, after a game with the result.

    >>> opening("Turn 3.", ["Placed last: Z50."], over=False)
    ['Placed last: Z50.', 'Turn 3.']
    """
    return [headline, *changed] if over else [*changed, headline]


def short_ordinal(place: int) -> str:
    """Abbreviate a place.

    >>> short_ordinal(1), short_ordinal(3), short_ordinal(5)
    ('1st', '3rd', '5th')
    """
    return f"{place}{({1: 'st', 2: 'nd', 3: 'rd'}).get(place, 'th')}"


class SeatStatus(NamedTuple):
    """A seat's status: a word or two on its plate, and a verb with what follows. Empty for one that waits."""

    short: str = ""
    said: str = ""


GONE = SeatStatus("has left", "has left")


def place_status(place: int) -> SeatStatus:
    """Return the status of a seat at the end.

    >>> place_status(2)
    SeatStatus(short='2nd', said='comes 2nd')
    """
    return SeatStatus(short_ordinal(place), f"comes {short_ordinal(place)}")


def describe_seat(who: str, status: SeatStatus, owned: str) -> str:
    """Say a seat's status and what it has.

    >>> describe_seat("Ann", SeatStatus("to move", "must move"), "3 points")
    'Ann must move. Ann has 3 points.'
    >>> describe_seat("Bo", SeatStatus(), "3 points")
    'Bo has 3 points.'
    """
    return f"{who} {status.said}. {who} has {owned}." if status.said else f"{who} has {owned}."


def alt_text(sentences: list[str]) -> str:
    """Join the sentences within the limit.

    Drop the last ones if it gets too long.

    >>> alt_text(["Turn 3.", "Ann must move."])
    'Turn 3. Ann must move.'
    """
    text = ""
    for sentence in sentences:
        longer = f"{text} {sentence}".strip()
        if len(longer) > ALT_LIMIT:
            break
        text = longer
    return text or sentences[0][: ALT_LIMIT - 1] + "…"
