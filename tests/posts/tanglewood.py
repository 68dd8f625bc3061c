"""Reads posts of Tanglewood: workers, markers, ballots and votes are counted from what the lines say."""

import re

from cogs.ui.text import without_icons
from engines.tanglewood import moves
from engines.tanglewood.pieces.board import colours
from engines.tanglewood.pieces.components import MAT
from engines.tanglewood.words.nouns import effect
from tests.posts.reader import WHO, PostReader, TurnReading, seat_of, seats_of

READER = PostReader()
PLACE = r"[A-Z][a-z]+ [A-Z][a-z]+ \(([A-I])\)"
WORKERS = rf"\d+ (?:of (?:{WHO}'s|their own) workers|neutral workers?)"
WAY = rf"{WORKERS}(?:(?:, | and ){WORKERS})* from [A-I] to [A-I]"
BALLOTS = rf"{WHO} ([A-I](?: \+ [A-I])*)"


def add_workers(reading: TurnReading, region: str, colour: int | str, count: int) -> None:
    reading.add(("workers", region, colour), count)


@READER.sentence(r"WHO \((\d+) votes?(?:, \+(\d+))?\)")
def read_result(reading: TurnReading, who: str, total: str, gain: str | None) -> bool:
    seat = seat_of(who)
    change = reading.after.votes[seat] - reading.before.votes[seat]
    is_gain = gain is None or int(gain) == change
    return seat == reading.turn.seat and is_gain and reading.after.votes[seat] == int(total)


@READER.clause(r"draws (\d+) (marker|ballot)s? and (\d+) (marker|ballot)s?")
def read_draws(reading: TurnReading, one: str, what: str, two: str, other: str) -> None:
    for number, kind in ((one, what), (two, other)):
        key = "circle" if kind == "marker" else "held"
        reading.add((key, reading.subject), int(number))


@READER.clause(rf"places (\d+) markers? in {PLACE} for (.+?)(?=[;.,]| and [a-z]|$)")
def read_placement(reading: TurnReading, count: str, region: str, name: str) -> bool:
    reading.add(("circle", reading.subject), -int(count))
    add_workers(reading, region, reading.subject, int(count))
    card = reading.before.tangles[region]
    return card is not None and without_icons(effect(card)).replace("**", "") == name


@READER.clause(r"takes (\w+) step (\d+)(?: \([^)]+\))?")
def read_step(reading: TurnReading, track: str, step: str) -> bool:
    reading.name("step", (reading.subject, track.lower()))
    seat, key = reading.subject, track.lower()
    return bool(reading.before.steps[seat].get(key, 0) < int(step) <= reading.after.steps[seat].get(key, 0))


@READER.clause(r"is at the end of the (\w+) track")
def read_end_of_track(reading: TurnReading, track: str) -> bool:
    seat, key = reading.subject, track.lower()
    return bool(reading.before.steps[seat][key] == reading.after.steps[seat][key])


@READER.sentence(r"(?:From now on|As before), WHO (draws|can place up to) (\d+) markers? at a time")
def read_level(reading: TurnReading, who: str, verb: str, value: str) -> bool:
    kind, seat = "draw" if verb == "draws" else "place", seat_of(who)
    reading.name(f"{kind} level", seat)
    return bool(getattr(MAT, kind)[getattr(reading.after, f"{kind}_levels")[seat]] == int(value))


@READER.clause(r"adds (\d+) workers? in ([A-I])")
def read_reinforcement(reading: TurnReading, count: str, region: str) -> None:
    reading.add(("circle", reading.subject), -int(count))
    add_workers(reading, region, reading.subject, int(count))


@READER.clause(r"puts a marker (?:from the (circle|supply) )?into ([A-I])")
def read_marker(reading: TurnReading, source: str | None, region: str) -> None:
    if source == "circle":
        reading.add(("circle", reading.subject), -1)
    add_workers(reading, region, reading.subject, 1)


@READER.clause(rf"moves ({WAY}(?:(?:, |, and | and ){WAY})*)")
def read_moves(reading: TurnReading, text: str, *_: str | None) -> None:
    for people, start, to in re.findall(r"(.+?) from ([A-I]) to ([A-I])", text):
        for number, who, _ in re.findall(rf"(\d+) (?:of )?({WHO}'s|their own|neutral)", people):
            is_own, count = who == "their own", int(number or 1)
            colour = who if who == "neutral" else reading.subject if is_own else seat_of(who[:-2])
            add_workers(reading, start, colour, -count)
            add_workers(reading, to, colour, count)


@READER.clause(rf"moves ({WORKERS}), ((?:(?:, | and )?one from [A-I] to [A-I])+)")
def read_moves_of_one(reading: TurnReading, people: str, *found: str | None) -> bool:
    ways = re.findall(r"one from ([A-I]) to ([A-I])", found[-1] or "")
    for start, to in ways:
        read_moves(reading, f"{re.sub(r'^[0-9]+', '1', people)} from {start} to {to}")
    return people.startswith(str(len(ways)))


@READER.sentence(rf"Ballots: ({BALLOTS}(?:, {BALLOTS})*)")
def read_played_ballots(reading: TurnReading, text: str, *_: str | None) -> None:
    for who, regions in re.findall(BALLOTS, text):
        for region in regions.split(" + "):
            reading.name("ballot", (region, seat_of(who)))
            reading.add(("held", seat_of(who)), -1)


@READER.sentence(r"Ballots discarded: (.+)")
def read_discards(reading: TurnReading, text: str) -> None:
    for who, count in re.findall(rf"{WHO} (\d+)", text):
        reading.add(("held", seat_of(who)), -int(count))


@READER.sentence(r"Each ballot adds (\d+) workers?")
def read_ballot_workers(reading: TurnReading, count: str) -> None:
    for region, seat in reading.named["ballot"]:
        add_workers(reading, region, seat, int(count))


@READER.sentence(
    rf"({WHO}(?:(?:, | and ){WHO})*) (?:takes|each take) 1 worker from ([A-I]) back into their circle"
)
def read_eviction(reading: TurnReading, names: str, *rest: str) -> None:
    for seat in seats_of(names):
        add_workers(reading, rest[-1], seat, -1)
        reading.add(("circle", seat), 1)
    reading.named["evicted from"] = [rest[-1]]


@READER.sentence(r"1 neutral worker leaves the game")
def read_neutral_eviction(reading: TurnReading) -> None:
    placed_in = reading.named.get("evicted from") or [reading.after.active]
    add_workers(reading, placed_in[0], "neutral", -1)


@READER.sentence(r"(?:Final votes|Votes): (.+)")
def read_scores(reading: TurnReading, text: str) -> bool:
    said = re.findall(rf"{WHO} (\d+) \(\+(\d+)\)", text)
    for who, _, gain in said:
        reading.add(("votes", seat_of(who)), int(gain))
    return len(said) == len(reading.after.remaining) and all(
        reading.after.votes[seat_of(who)] == int(total) for who, total, _ in said
    )


@READER.finally_check
def tells_all(reading: TurnReading) -> None:
    """Require workers, markers, ballots, votes, steps and levels."""
    before, after = reading.before, reading.after
    for seat in after.remaining:
        reading.balance(("circle", seat), after.circles[seat] - before.circles[seat])
        reading.balance(("held", seat), after.held[seat] - before.held[seat])
        reading.balance(("votes", seat), after.votes[seat] - before.votes[seat])
        for track, step in after.steps[seat].items():
            if step != before.steps[seat].get(track, 0) and (seat, track) not in reading.named.get(
                "step", ()
            ):
                reading.problems.append(f"step of {seat} on {track}, untold")
        for kind, levels in (("draw level", "draw_levels"), ("place level", "place_levels")):
            is_changed = getattr(after, levels)[seat] != getattr(before, levels)[seat]
            if is_changed and seat not in reading.named.get(kind, ()):
                reading.problems.append(f"{kind} of {seat}, untold")
    for region, counts in after.workers.items():
        for colour, now, was in zip(colours(after.seats), counts, before.workers[region], strict=True):
            reading.balance(("workers", region, colour), now - was)
    if (after.poll_round is None) != (before.poll_round is None) and "Opinion Poll" not in reading.turn.text:
        reading.problems.append("the poll, untold")


READER.clauses(
    {
        r"draws (\d+) markers?": lambda reading, count: reading.add(("circle", reading.subject), int(count)),
        r"gains (\d+) votes?": lambda reading, votes: reading.add(("votes", reading.subject), int(votes)),
        r"draws (\d+) ballots?": lambda reading, count: reading.add(("held", reading.subject), int(count)),
        r"discards (\d+) ballots?": lambda reading, count: reading.add(
            ("held", reading.subject), -int(count)
        ),
        r"leaves the game": lambda reading: reading.subject in reading.after.out,
    }
)

READER.sentences(
    {
        r"WHO's circle is empty, so no more workers come": lambda reading, who: (
            reading.after.circles[seat_of(who)] == 0
        ),
        r"(.+) has no effect": lambda reading, name: any(
            isinstance(one, moves.NothingHappened) and without_icons(effect(one.tangle)) == name
            for one in reading.turn.events
        ),
        r"(?:Nobody can play a ballot|Opinion Poll!|Choose your Secret Ballots)": (
            lambda reading: reading.name("plain", True)
        ),
        r"I reshuffle (\d+) discarded ballots?": lambda reading, count: int(count) > 0,
        r"The forest votes (?:after round (\d+)|\((?:final|mid-game) scoring\))": lambda reading, number: (
            number is None or reading.after.poll_round == int(number) - 1
        ),
        r"The last Tangle has left the deck": lambda reading: reading.after.out_round is not None,
        r"Round (\d+) is the last one": lambda reading, number: reading.after.out_round == int(number) - 1,
        r"From round (\d+) on, the turn order is reversed: (.+)": lambda reading, number, names: (
            reading.after.round == int(number) and seats_of(names) == list(reading.after.order)
        ),
    }
)
