"""Reads posts of Ribbon Tangle: the steps are made again on the circle of the turn's start."""

import re

from engines.ribbon.pieces.components import Colour
from engines.ribbon.view import tangles_of
from tests.posts.reader import PostReader, TurnReading, seat_of, seats_of, words_of

READER = PostReader()
SIGN = r"(?:\S+ )?"
TANGLES = r"WHO has (\d+)(?: tangles?)?"


def circle(reading: TurnReading) -> list[str | None]:
    """Return the circle after the lines so far, from place 1 on."""
    return reading.named.setdefault("circle", [None, *reading.before.circle])


@READER.clause(SIGN + r"takes \S+ (green|orange|purple|blue|yellow|pink|violet|teal|red)")
def read_ribbon(reading: TurnReading, colour: str) -> bool:
    reading.name("ribbon", reading.subject)
    return bool(reading.after.ribbons[reading.subject] == colour)


@READER.clause(r"flips ([A-R]) at (\d+)")
def read_flip(reading: TurnReading, card: str, place: str) -> bool:
    was, circle(reading)[int(place)] = circle(reading)[int(place)], card
    return was is None


@READER.clause(r"swaps (\d+) with (\d+)")
def read_swap(reading: TurnReading, one: str, two: str) -> bool:
    here, a, b = circle(reading), int(one), int(two)
    here[a], here[b] = here[b], here[a]
    return b == a % 12 + 1


@READER.clause(r"puts ([A-R]) in place of ([A-R]) at (\d+)")
def read_exchange(reading: TurnReading, put: str, taken: str, place: str) -> bool:
    here = circle(reading)
    was, here[int(place)] = here[int(place)], put
    return was == taken


@READER.sentence(rf"({TANGLES}(?:(?:, | and ){TANGLES})*)")
def read_tangles(reading: TurnReading, text: str, *_: str | None) -> None:
    for one in words_of(text):
        name, _has, count = one.split()[:3]
        reading.name("left", (seat_of(name), int(count)))


@READER.clause(r"leaves the game")
def read_leaving(reading: TurnReading) -> bool:
    reading.name("out", reading.subject)
    return reading.subject in reading.after.out


@READER.sentence(r"WHO is out(?:: (\w+) is tangled (?:between|at) ((?:\d+(?:-| and )\d+(?:, | and )?)+))?")
def read_elimination(reading: TurnReading, who: str, colour: Colour | None, places: str) -> bool:
    seat, view = seat_of(who), reading.after
    reading.name("out", seat)
    if colour is None:
        return seat in view.out
    found = sorted(tangle.between for tangle in tangles_of(view, colour))
    said = sorted("-".join(pair) for pair in re.findall(r"(\d+)-(\d+)", places) or [places.split(" and ")])
    return view.ribbons[seat] == colour and said == found


@READER.finally_check
def tells_all(reading: TurnReading) -> None:
    """Require the circle, the tangles left, and who is out."""
    before, after = reading.before, reading.after
    if tuple(circle(reading)[1:]) != tuple(after.circle):
        reading.problems.append(f"the steps lead to another circle: {circle(reading)}")
    untold = [
        seat for seat in after.out if seat not in before.out and seat not in reading.named.get("out", ())
    ]
    if untold:
        reading.problems.append(f"{untold} out, untold")
    for seat in range(after.seats):
        if before.ribbons[seat] != after.ribbons[seat] and seat not in reading.named.get("ribbon", ()):
            reading.problems.append(f"the ribbon of {seat}, untold")
    if not ("left" in reading.named or "clean" in reading.named):
        return
    left = {
        seat: len(tangles_of(after, after.ribbons[seat]))
        for seat in range(after.seats)
        if seat not in before.out and seat != reading.turn.seat and after.ribbons[seat] is not None
    }
    said = dict(reading.named.get("left", ()))
    if said != {seat: count for seat, count in left.items() if count}:
        reading.problems.append(f"tangles: told {said}, were {left}")


READER.clauses({r"(offers a tie|says (?:yes|no))": lambda reading, _: reading.name("tie", reading.subject)})

READER.sentences(
    {
        r"No tangles": lambda reading: reading.name("clean", True),
        r"It was the last face-down card": lambda reading: None not in reading.after.circle,
        r"All 12 cards are up": lambda reading: None not in reading.after.circle,
        r"WHO begins with hand (\d)": lambda reading, _who, _hand: reading.name("hand", True),
        r"(.+) each get 1 of WHO's cards": lambda reading, receivers, giver: (
            set(seats_of(receivers)) == set(reading.after.remaining) and seat_of(giver) in reading.after.out
        ),
    }
)
