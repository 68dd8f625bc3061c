"""Reads posts of Tangle: what everybody holds is counted from what the lines say."""

import re

from engines.tangle import moves
from engines.tangle.legal.context import Context
from engines.tangle.pieces.components import CARDS, CONDITIONS, TRACKS
from engines.tangle.view import TangleView
from tests.posts.reader import PostReader, TurnReading, seat_of, words_of

READER = PostReader()
AND = r"(?:, | and )"
CARD = f"(?:{'|'.join(sorted((re.escape(card.name) for card in CARDS.values()), key=len, reverse=True))})"
CONDITION = f"(?:{'|'.join(re.escape(one.name) for one in CONDITIONS.values())})"
PART = r"(?:\d+ [WENM]|\d+ resource|(?:a|\d+) (?:bush|tree) seeds?)"
AMOUNT = rf"{PART}(?: \+ {PART})*"
AREA = r"[A-F]\d+"
AREAS = rf"{AREA}(?:{AND}{AREA})*"
ITEM = rf"(?:(?:the (?:bush|meadow|lake) at )?{AREA}|{CARD})"
ITEMS = rf"{ITEM}(?:{AND}{ITEM})*"
DRAWN = rf"(?:{CARD}|a card from the pile|\d+ cards from the pile)"
PRICE = rf"(?: \(({AMOUNT}|free)\))?"
TRACK = r"(lakes|bushes and meadows|enchantments)"
KINDS = r"(clean earth|lakes?|meadows?|bush(?:es)?|saplings?|trees?)"
FED = rf"{PART} (?:each )?at \w+(?:{AND}\w+)*"
TRACK_KEYS = dict(zip(("lakes", "bushes and meadows", "enchantments"), TRACKS, strict=True))
DUES = {
    "each lake (1 E)": "lakes",
    "each bush or meadow not beside a lake (1 W)": "bushes and meadows",
    "each enchantment (1 N)": "enchantments",
}
DUE, DUES_APART = f"(?:{'|'.join(map(re.escape, DUES))})", r"(?<=\))(?:, | and )"
KEYS = {
    "clean earth": "earth",
    "lakes": "lake",
    "meadows": "meadow",
    "bushes": "bush",
    "saplings": "sapling",
    "trees": "tree",
}


def count(reading: TurnReading, seat: int, amount: str | None, sign: int = 1) -> None:
    for number, letter in re.findall(r"(\d+) ([WENM])", amount or ""):
        reading.add(("stash", seat, letter), sign * int(number))
    for number, seed in re.findall(r"(a|\d+) (bush|tree) seeds?", amount or ""):
        reading.add(("seeds", seat, seed), sign * (1 if number == "a" else int(number)))


def note_tiles(reading: TurnReading, areas: str, kind: str) -> None:
    for area in words_of(areas):
        reading.name("tiles", (area, KEYS.get(kind, kind)))


@READER.clause(rf"takes ((?:a|\d+) (?:bush|tree) seeds?){PRICE}")
def read_seed(reading: TurnReading, seed: str, price: str | None) -> None:
    count(reading, reading.subject, seed)
    count(reading, reading.subject, price, -1)


@READER.clause(rf"pays WHO ({AMOUNT})")
def read_toll(reading: TurnReading, to: str, amount: str) -> None:
    count(reading, reading.subject, amount, -1)
    count(reading, seat_of(to), amount)


@READER.clause(rf"casts ({CARD}) for ({AMOUNT}|free)")
def read_casting(reading: TurnReading, card: str, price: str) -> bool:
    count(reading, reading.subject, price, -1)
    reading.add(("held", reading.subject), -1)
    after = reading.after
    used = {
        CARDS[one].name
        for one in [*after.discards, *(one for player in after.players for one in player.front)]
    }
    return card in used or any(isinstance(one, moves.PileShuffled) for one in reading.turn.events)


@READER.clause(rf"takes ({DRAWN}(?:{AND}{DRAWN})*){PRICE}")
def read_cards(reading: TurnReading, cards: str, price: str | None) -> None:
    count(reading, reading.subject, price, -1)
    pile = sum(int(one) for one in re.findall(r"(\d+) cards from the pile", cards))
    known = cards.count("a card from the pile") + len(re.findall(CARD, cards))
    reading.add(("held", reading.subject), pile + known)


@READER.clause(rf"lays (?:(?:a|\d+) )?{KINDS} at ({AREAS}){PRICE}")
def read_tiles(reading: TurnReading, kind: str, areas: str, price: str | None) -> None:
    note_tiles(reading, areas, kind)
    count(reading, reading.subject, price, -1)


@READER.clause(rf"grows ({AREAS}) into (?:a )?{KINDS}(?:,? (?:each )?with a new root)?{PRICE}")
def read_growth(reading: TurnReading, areas: str, kind: str, price: str | None) -> None:
    note_tiles(reading, areas, kind)
    count(reading, reading.subject, price, -1)


@READER.clause(rf"plants (a|\d+) (bush|tree) seeds? at ({AREAS}){PRICE}")
def read_planting(reading: TurnReading, number: str, seed: str, areas: str, price: str | None) -> bool:
    if price is None:  # a seed that costs something comes from the supply
        count(reading, reading.subject, f"{number} {seed} seed", -1)
    count(reading, reading.subject, price, -1)
    return len(words_of(areas)) == (1 if number == "a" else int(number))


@READER.clause(rf"changes (\d+ M) into ({AMOUNT})")
def read_trade(reading: TurnReading, mana: str, wanted: str) -> None:
    count(reading, reading.subject, mana, -1)
    count(reading, reading.subject, wanted)


@READER.clause(rf"offers the {KINDS} ({AREA})(?: for (?:(1 [WENM])|{CARD}))?")
def read_offer(reading: TurnReading, _kind: str, area: str, gain: str | None) -> None:
    reading.name("lost", area)
    count(reading, reading.subject, gain)


@READER.clause(rf"takes ({AREAS}) from WHO(?: for ({AMOUNT}))?")
def read_takeover(reading: TurnReading, areas: str, loser: str, paid: str | None) -> bool:
    for area in words_of(areas):
        reading.name("lost", area)
    count(reading, seat_of(loser), paid)
    count(reading, reading.subject, paid, -1)
    return all(reading.before.tiles[area].owner == seat_of(loser) for area in words_of(areas))


@READER.clause(rf"loses ({ITEMS}) \((?:can't pay {AMOUNT}|{AMOUNT} not paid)(, but keeps the clean earth)?\)")
def read_loss(reading: TurnReading, items: str, earth: str | None) -> bool:
    for one in re.findall(rf"{AREA}|{CARD}", items):
        reading.name("lost", one)
    kinds = re.findall(rf"the (\w+) at ({AREA})", items)
    if bool(kinds) != bool(earth):
        return False
    return len(kinds) == len(re.findall(AREA, items)) and all(
        reading.before.tiles[area].kind == kind for kind, area in kinds
    )


@READER.sentence(rf"New in the row: ({CARD}(?:{AND}{CARD})*)")
def read_row(reading: TurnReading, cards: str) -> bool:
    said = re.findall(CARD, cards)
    reading.named.setdefault("row", []).extend(said)
    return set(said) <= {CARDS[one].name for one in reading.after.row}


@READER.clause(rf"swaps ({AREA}) and ({AREA})")
def read_swap(reading: TurnReading, one: str, two: str) -> None:
    for area in (one, two):
        reading.name("tiles", (area, None))


def note_marker(reading: TurnReading, who: str, track: str) -> bool:
    reading.name("comes", track)
    return bool(reading.after.markers[TRACKS.index(TRACK_KEYS[track])] == seat_of(who))


@READER.sentence(rf"Before WHO's next turn, everyone pays upkeep for ({DUE}(?:{DUES_APART}{DUE})*)")
def read_upkeep_to_come(reading: TurnReading, who: str, dues: str) -> bool:
    named = re.split(DUES_APART, dues)
    return not reading.after.over and all(note_marker(reading, who, DUES[due]) for due in named)


@READER.sentence(r"WHO gets the (.+) markers?")
def read_markers(reading: TurnReading, who: str, tracks: str) -> bool:
    return reading.after.over and all(note_marker(reading, who, one) for one in re.findall(TRACK, tracks))


def has_dues(view: TangleView, track: str) -> bool:
    return any(Context(view, seat, (), 0).dues(TRACK_KEYS[track]) for seat in range(view.seats))


@READER.sentence(rf"Steps left until upkeep: ({TRACK} \d+(?:(?:,|,? and) {TRACK} \d+)*)")
def read_trackers(reading: TurnReading, said: str, *_: str | None) -> bool:
    left = re.findall(rf"{TRACK} (\d+)", said)
    return all(reading.after.trackers[TRACKS.index(TRACK_KEYS[one])] == int(steps) for one, steps in left)


@READER.finally_check
def tells_losses(reading: TurnReading) -> None:
    """Require lost tiles and cards, and upkeep to come, in any line."""
    before, after = reading.before, reading.after
    for area, tile in before.tiles.items():
        now = after.tiles.get(area)
        is_lost = now is None or now.owner != tile.owner or (now.kind == "earth" != tile.kind)
        if (
            is_lost
            and (area, None) not in reading.named.get("tiles", ())
            and area not in reading.named.get("lost", ())
        ):
            reading.problems.append(f"{area} is lost, untold")
    for seat in after.remaining:
        for card in {*before.players[seat].front} - {*after.players[seat].front}:
            if CARDS[card].name not in reading.named.get("lost", ()):
                reading.problems.append(f"{card} of {seat} is gone, untold")
    for track, key in TRACK_KEYS.items():
        came = after.markers[TRACKS.index(key)] is not None and before.markers[TRACKS.index(key)] is None
        if came and track not in reading.named.get("comes", ()):
            reading.problems.append(f"upkeep of {track} comes, untold")


@READER.finally_check
def tells_all(reading: TurnReading) -> None:
    """Require all that changed, unless the line counts what it leaves out."""
    before, after = reading.before, reading.after
    if "more thing" in reading.turn.text:
        return
    for seat in after.remaining:
        now, was = after.players[seat], before.players[seat]
        for place, letter in enumerate("WENM"):
            reading.balance(("stash", seat, letter), now.stash[place] - was.stash[place])
        for place, seed in enumerate(("bush", "tree")):
            reading.balance(("seeds", seat, seed), now.seeds[place] - was.seeds[place])
        if not after.over:
            reading.balance(("held", seat), now.held - was.held)
    last = dict(reading.named.get("tiles", ()))
    for area, tile in after.tiles.items():
        was_kind = before.tiles[area].kind if area in before.tiles else None
        kind = last.get(area, was_kind)
        if kind not in (None, tile.kind) and area not in reading.named.get("lost", ()):
            reading.problems.append(f"{area}: told {kind}, is {tile.kind}")
        if was_kind is None and area not in last:
            reading.problems.append(f"{area} is new, untold")
    new = {CARDS[one].name for one in {*after.row} - {*before.row}}
    if missing := new - {*reading.named.get("row", ())}:
        reading.problems.append(f"new in the row: {missing}, untold")


READER.clauses(
    {
        r"brings a root home from (\w+) to \w+": lambda reading, start: reading.name("root", start),
        r"(?:also )?moves a root from \w+ to (?:the tree )?\w+(?: \([^)]+\))?": lambda reading: reading.name(
            "plain", True
        ),
        rf"gathers ({AMOUNT}) from {AREAS}": lambda reading, amount: count(reading, reading.subject, amount),
        rf"(?:takes|gains) ({AMOUNT}|nothing)(?: from (?:{CARD}|{AREA}))?": lambda reading, amount: count(
            reading, reading.subject, amount
        ),
        rf"keeps {ITEMS} for (?:({AMOUNT})(?: \((?:\d+ free)?(?:, )?(?:paid automatically)?\))?|free)": (
            lambda reading, price: count(reading, reading.subject, price, -1)
        ),
        rf"takes back the ({AMOUNT}) paid for upkeep and chooses again": lambda reading, amount: count(
            reading, reading.subject, amount
        ),
        rf"(?:can place (?:another root|\d+ more roots)|meets {CONDITION})": lambda reading: reading.name(
            "plain", True
        ),
        r"leaves the game": lambda reading: reading.subject in reading.after.out,
    }
)

READER.sentences(
    {
        rf"WHO (?:meets {CONDITION}(?:{AND}{CONDITION})*)?(?:, and )?(?:still needs \d+.+)?": (
            lambda reading, _who: reading.after.over
        ),
        r"I shuffle (\d+) discards? into a new pile": lambda reading, number: any(
            isinstance(one, moves.PileShuffled) and one.number == int(number) for one in reading.turn.events
        ),
        rf"New on the board: {FED}(?:(?:,|,? and) {FED})*": lambda reading: any(
            isinstance(one, moves.Fed) for one in reading.turn.events
        ),
        rf"{AREAS} (?:each get|gets) 1 E": lambda reading: any(
            isinstance(one, moves.Bedewed) for one in reading.turn.events
        ),
        r"The root on (\w+) sleeps": lambda reading, space: reading.name("root", space),
        rf"Everyone pays upkeep for {TRACK}": lambda reading, track: has_dues(reading.before, track),
        rf"Upkeep for {TRACK}: nobody owed any": lambda reading, track: not has_dues(reading.before, track),
        r"Round (\d+) begins": lambda reading, number: reading.after.round == int(number),
    }
)
