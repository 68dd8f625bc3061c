"""Reads posts of Tangram City: cities, points and bonuses are compared with the boards."""

import re

from cogs.ui.text import without_icons
from engines.tangram import moves
from engines.tangram.pieces.components import FOUNTAIN
from engines.tangram.words.nouns import piece_place, tile
from tests.posts.reader import WHO, PostReader, TurnReading, number_of, seat_of, seats_of, words_of

READER = PostReader()
PEOPLE = rf"(Everyone|{WHO}(?:(?:, | and ){WHO})*)"


def people(reading: TurnReading, names: str) -> list[int]:
    return reading.before.remaining if names == "Everyone" else seats_of(names)


def has_laid(reading: TurnReading, seat: int, name: str) -> bool:
    """Return True if a city has a new tile of this name."""
    now, was = (view.cities[seat].pieces for view in (reading.after, reading.before))
    return any(plain_tile(piece) == name for piece in now[len(was) :])


def plain_tile(piece: object) -> str:
    return without_icons(tile(getattr(piece, "tile", FOUNTAIN) or FOUNTAIN))


@READER.sentence(rf"{PEOPLE} places? the ([a-z]+): (.+)")
def read_placing(reading: TurnReading, names: str, *rest: str) -> bool:
    name, where = rest[-2:]
    reading.name("thing", name)
    for seat in people(reading, names):
        reading.name("placed", (seat, name))
    return all(
        has_laid(reading, seat, name) and any(place in where for place in new_places(reading, seat))
        for seat in people(reading, names)
    )


def new_places(reading: TurnReading, seat: int) -> list[str]:
    now, was = (view.cities[seat].pieces for view in (reading.after, reading.before))
    return [without_icons(piece_place(piece)) for piece in now[len(was) :]]


@READER.sentence(r"Nobody has room for the ([a-z]+)")
def read_tile_without_room(reading: TurnReading, name: str) -> bool:
    reading.name("thing", name)
    return not any(has_laid(reading, seat, name) for seat in reading.before.remaining)


@READER.sentence(rf"{PEOPLE} (?:sets?|(?:has|have) no room for) (?:it|the ([a-z]+))(?: aside)?")
def read_tile_left_out(reading: TurnReading, names: str, *rest: str | None) -> bool:
    name = rest[-1] or reading.named["thing"][-1]
    reading.name("thing", name)
    return not any(has_laid(reading, seat, name) for seat in people(reading, names))


@READER.sentence(r"Everyone can now see the ([a-z]+(?:(?:, | and )[a-z]+)*)")
def read_card(reading: TurnReading, names: str) -> bool:
    shown = {without_icons(tile(card.tile)) for card in reading.after.cards if card.played and card.tile}
    shown |= {without_icons(tile(number)) for number in reading.after.past}
    reading.named.setdefault("seen", []).extend(words_of(names))
    return set(words_of(names)) <= shown


@READER.sentence(r"Points (?:after round (\d+)|with the bonuses): (.+)")
def read_scores(reading: TurnReading, number: str | None, text: str) -> bool:
    entries = [re.fullmatch(rf"{WHO} (\d+) \((.+)\)", one) for one in re.split(r"(?<=\)), ", text)]
    if not all(entries):
        return False
    for found in filter(None, entries):
        gain = sum(number_of(one) for one in re.findall(r"\+\d+|±0", found[3]))
        reading.add(("points", seat_of(found[1])), gain)
        reading.named.setdefault("total", []).append((seat_of(found[1]), int(found[2])))
        area = re.search(r"(\d+)×(\d+)", found[3])
        if number and area and int(area[1]) * int(area[2]) != gain:
            return False
    return number is None or len(reading.after.rounds) >= int(number)


@READER.sentence(r"Points by round: (.+)")
def read_points_by_round(reading: TurnReading, text: str) -> bool:
    said = dict(re.findall(rf"{WHO} ([\d +]+)", text))
    return all(
        [int(one) for one in said[name].split(" + ")]
        == [scores[seat_of(name)].points for scores in reading.after.rounds]
        for name in said
    )


@READER.finally_check
def tells_all(reading: TurnReading) -> None:
    """Require points, and what became of each tile."""
    before, after = reading.before, reading.after
    totals = dict(reading.named.get("total", ()))
    for seat in after.remaining:
        reading.balance(("points", seat), after.scores[seat] - before.scores[seat])
        if seat in totals and totals[seat] != after.scores[seat]:
            reading.problems.append(f"total of {seat}: told {totals[seat]}")
    for event in reading.turn.events:
        if isinstance(event, moves.Built):
            for place, number in enumerate(event.tiles):
                name = without_icons(tile(number))
                laid = {(seat, name) for seat, pieces in enumerate(event.pieces) if pieces and pieces[place]}
                if name not in reading.named.get("thing", ()) or laid - set(reading.named.get("placed", ())):
                    reading.problems.append(f"{name}: what became of it is untold")


READER.sentences(
    {
        r"WHO (?:keeps|takes) the start marker": lambda reading, who: reading.after.start == seat_of(who),
        r"Round (\d+) begins": lambda reading, number: reading.after.round == int(number),
        r"Place its 3 tiles in any order": lambda reading: len(reading.after.cards) == 3,
        r"WHO starts with .+": lambda reading, *_: reading.name("sides", True),
    }
)
