import re
from itertools import groupby

from engines.tesla import moves
from engines.tesla.pieces.board import Circuit, TeslaBoard, circuit_name
from engines.tesla.pieces.components import segments
from engines.tesla.view import TeslaView
from tests.posts.reader import WHO, PostReader, TurnReading, number_of, seat_of, words_of

READER = PostReader()
CIRCUIT = re.compile(
    rf"(?:{WHO}'s |Free )?[Cc]ircuit ([A-Z]+) "
    r"(?:is (?:(\d+) long|a ring of (\d+))|(grows|shrinks|goes) from (\d+) to (\d+)|stays (\d+) long)"
    r"( and free)?(?: \((?:worth (\d+)(?: with (\d+) markers)?)?(?:, )?(?:(?:was|joined by) (.+))?\))?"
    r"(?:: it loses a part and gets (.+))?"
)
ALIKE = re.compile(rf"((?:{WHO}'s |Free )?[Cc]ircuit )([A-Z]+) (grows|shrinks|goes) (from .+)")
ORIGIN = re.compile(rf"(?:part of )?{WHO}'s(?: ([A-Z]+))?")


def circuits(board: TeslaBoard) -> dict[str, Circuit]:
    return {circuit_name(number): one for number, one in board.circuits.items()}


def owner(board: TeslaBoard, name: str) -> int | None:
    one = circuits(board)[name]
    return board.markers[one.markers[0]].seat if one.markers else None


def wires(board: TeslaBoard, name: str) -> set[tuple[str, tuple[int, int]]]:
    return {
        (cell, segment)
        for cell, laid in board.tiles.items()
        for segment, number in zip(segments(laid.lie), laid.circuits, strict=True)
        if circuit_name(number) == name
    }


def best(view: TeslaView, seat: int) -> int:
    board = view.board
    return max((one.value for name, one in circuits(board).items() if owner(board, name) == seat), default=0)


@READER.sentence(r"WHO \((−?\d+) points?(?:, ([+−±]\d+))?\)")
def read_result(reading: TurnReading, who: str, total: str, gain: str | None) -> bool:
    seat = seat_of(who)
    if gain is not None:
        reading.name("own", number_of(gain))
    reading.name("total", seat)
    return seat == reading.turn.seat and reading.after.scores[seat] == number_of(total)


@READER.clause(r"places (?:a tile|tiles) at ([A-Z]+\d+(?:, [A-Z]+\d+)*(?: and [A-Z]+\d+)?)")
def read_placement(reading: TurnReading, cells: str) -> bool:
    said = words_of(cells)
    return is_run(reading, said, replaced=False) and all(cell in reading.after.board.tiles for cell in said)


def is_run(reading: TurnReading, said: list[str], *, replaced: bool) -> bool:
    """Return True if these tiles are a whole run."""
    for cell in said:
        reading.name("placed", cell)
    kinds = (moves.TeslaPlaced, moves.Marked, moves.Taken)
    done = [one for one in reading.turn.events if isinstance(one, kinds)]
    runs = [
        [one.cell for one in run if isinstance(one, moves.TeslaPlaced)]
        for kind, run in groupby(
            done, lambda one: bool(one.replaced) if isinstance(one, moves.TeslaPlaced) else -1
        )
        if kind == replaced
    ]
    return said in [list(dict.fromkeys(run)) for run in runs]


@READER.clause(r"marks ((?:(?:, | and )?[A-Z]+ \(−\d+\))+)")
def read_markings(reading: TurnReading, marked: str) -> None:
    for circuit, cost in re.findall(r"([A-Z]+) \((−\d+)\)", marked):
        one = circuits(reading.after.board).get(circuit)
        if one is not None and one.length == -number_of(cost):
            reading.name("circuit", circuit)
        reading.add(("own", reading.subject), number_of(cost))
        reading.add(("supply", reading.subject), -1)


@READER.clause(r"takes back a marker from ([A-Z]+) \(([+]\d+)\)")
def read_cashing(reading: TurnReading, circuit: str, gain: str) -> bool:
    reading.add(("own", reading.subject), number_of(gain))
    reading.add(("supply", reading.subject), 1)
    return reading.after.board.circuits != {} and circuit in circuits(reading.after.board)


@READER.clause(r"can (?:still )?win with one marker")
def read_threat(reading: TurnReading) -> bool:
    reading.name("can win", reading.subject)
    view, seat = reading.after, reading.subject
    return bool(view.scores[seat] + best(view, seat) >= view.options.win)


@READER.clause(
    r"scores (\d+) for ring ([A-Z]+) of (\d+)(?: \((\d+) markers, (\d+) each\))? and gets the markers? back"
)
def read_ring(
    reading: TurnReading, gain: str, name: str, length: str, count: str | None, points: str | None
) -> bool:
    seat = reading.subject
    for one in {name, *circuits(reading.before.board)} - set(circuits(reading.after.board)) | {name}:
        if one == name or owner(reading.before.board, one) == seat:
            reading.name("circuit", one)
    if not any(
        isinstance(one, moves.Closed) and circuit_name(one.circuit) == name for one in reading.turn.events
    ):
        return False
    reading.add(("own" if seat == reading.turn.seat else "points", seat), number_of(gain))
    reading.add(("supply", seat), number_of(gain) // (2 * int(length)))
    if count is None or points is None:
        return number_of(gain) == 2 * int(length)
    return int(count) > 1 and number_of(gain) == int(count) * int(points) and int(points) == 2 * int(length)


@READER.sentence(r"Circuit ([A-Z]+) becomes a free ring of (\d+)")
def read_free_ring(reading: TurnReading, name: str, length: str) -> bool:
    reading.name("ring", name)
    reading.name("circuit", name)
    return any(
        isinstance(one, moves.Closed) and circuit_name(one.circuit) == name and one.length == int(length)
        for one in reading.turn.events
    )


@READER.sentence(CIRCUIT.pattern)
def read_circuit(reading: TurnReading, who: str | None, name: str, *found: str | None) -> bool:
    long, ring, way, old, new, stays, free, worth, markers, origins, joined = found
    board, one = reading.after.board, circuits(reading.after.board).get(name)
    reading.name("circuit", name)
    if one is None or one.length != int(long or ring or new or stays or 0) or (ring and not one.closed):
        return False
    was = circuits(reading.before.board).get(name)
    if long is None and ring is None:
        length = 0 if was is None else was.length
        is_old = length == int(old or one.length) and (way == "grows") == (one.length > length)
        if not is_old or owner(reading.before.board, name) != owner(board, name):
            return False
    count = int(markers or 1)
    is_owned = owner(board, name) == (seat_of(who) if who else None) and bool(free) <= (who is None)
    is_worth = who is None or (len(one.markers) == count and one.value * count == int(worth or one.length))
    return is_owned and is_worth and _was_so(reading, name, origins or joined or "")


def _was_so(reading: TurnReading, name: str, origins: str) -> bool:
    """Check the former owners: "Ann's A and Bo's B"."""
    before, after = reading.before.board, reading.after.board
    told = set()
    for who, origin in ORIGIN.findall(origins):
        told.add(origin or name)
        reading.name("circuit", origin or name)
        if owner(before, origin or name) != seat_of(who):
            return False
    lost = {
        one
        for one in circuits(before)
        if owner(before, one) is not None and wires(before, one) & wires(after, name)
        if (one not in circuits(after) if one != name else owner(before, one) != owner(after, one))
    }
    return told == lost and not ORIGIN.sub("", origins).replace(" and ", "").strip(", ")


@READER.sentence(r"(?:(WHO)'s )?[Cc]ircuit ([A-Z]+)(?:, [A-Z]+| and [A-Z]+)* (?:is|are) gone")
def read_end_of_circuit(reading: TurnReading, *found: str) -> bool:
    name = found[-1]
    reading.name("circuit", name)
    return not wires(reading.after.board, name) & wires(reading.before.board, name)


@READER.sentence(rf"{ALIKE.pattern}(?:, | and )[A-Z]+ from .+")
def read_resized_circuits(reading: TurnReading, *found: str) -> bool:
    subject, _, name, way, sizes = found
    first, *others = re.split(r"(?:, | and )(?=[A-Z]+ from )", sizes)
    pairs = [(name, first), *(other.split(" ", 1) for other in others)]
    read = [CIRCUIT.fullmatch(f"{subject}{one} {way} {size}") for one, size in pairs]
    return all(one is not None and read_circuit(reading, *one.groups()) for one in read)


@READER.sentence(r"Circuits? ([^()]+?(?: \(\d+ long\).*?)?) (?:is|are) free(?: \((?:was|were) (.+)\))?")
def read_free_circuits(reading: TurnReading, text: str, origins: str | None) -> bool:
    """Check lengths and former owners."""
    before, now = circuits(reading.before.board), circuits(reading.after.board)
    entries = re.findall(r"([A-Z]+)(?: \((\d+) long\))?(?:, | and |$)", text)
    for name, length in entries:
        reading.name("circuit", name)
        is_so = name in now and now[name].length == int(length or before[name].length)
        if (
            not is_so
            or owner(reading.after.board, name) is not None
            or not _was_so(reading, name, origins or "")
        ):
            return False
    return bool(entries)


@READER.sentence(r"WHO's (?:(\d+) )?markers? on (.+) go(?:es)? back for no points: (.+)")
def read_lost_markers(reading: TurnReading, who: str, count: str | None, on: str, why: str) -> bool:
    reading.add(("supply", seat_of(who)), int(count or 1))
    reading.name("lost", seat_of(who))
    laid = sum(isinstance(one, moves.TeslaPlaced) for one in reading.turn.events)
    for one in words_of(on):
        reading.name("circuit", one)
    is_exact = "longer" not in why or why.endswith(")") == (laid == 1)
    return is_exact and all(owner(reading.before.board, one) == seat_of(who) for one in words_of(on))


@READER.sentence(r"WHO is out with (−?\d+) points?, (\d+) behind the leader")
def read_elimination(reading: TurnReading, who: str, score: str, gap: str) -> bool:
    seat = seat_of(who)
    reading.name("out", seat)
    is_far = int(gap) >= reading.after.behind
    return is_far and seat in reading.after.out and reading.after.scores[seat] == number_of(score)


def is_long_remainder(reading: TurnReading, name: str) -> bool:
    before, after = reading.before.board, reading.after.board
    now, was = circuits(after)[name], circuits(before).get(name)
    if now.length < 5 or owner(after, name) is not None:
        return False
    if was is not None and was.length == now.length and owner(before, name) is None:
        return False  # what it lost, it has gained
    new, elsewhere = wires(after, name), {wire for one in circuits(after) for wire in wires(after, one)}
    origins = [old for one in circuits(before) if (old := wires(before, one)) & new]
    return any(old & elsewhere - new or len(old) > len(new) for old in origins) or any(
        owner(before, one) is not None and wires(before, one) & new for one in circuits(before)
    )


@READER.finally_check
def tells_all(reading: TurnReading) -> None:
    """Require points, owners, who is out or can win, tiles and markers."""
    before, after = reading.before, reading.after
    for seat in range(after.seats):
        own = seat == reading.turn.seat
        told = reading.ledger["own" if own else "points", seat]
        if told != after.scores[seat] - before.scores[seat]:
            reading.problems.append(f"points of {seat}: told {told}")
        is_newly_out = seat in after.out and seat not in before.out
        if is_newly_out != (seat in reading.named.get("out", ())) and not after.over:
            reading.problems.append(f"{seat} is out, untold")
        can = after.outcome is None and after.scores[seat] + best(after, seat) >= after.options.win
        could = before.scores[seat] + best(before, seat) >= before.options.win
        if can and not could and seat not in after.out and seat not in reading.named.get("can win", ()):
            reading.problems.append(f"{seat} can win, untold")
        if not after.out:
            reading.balance(("supply", seat), after.supplies[seat] - before.supplies[seat])
    own_gains = reading.ledger["own", reading.turn.seat]
    if own_gains != sum(reading.named.get("own", [own_gains])) or (
        own_gains and "total" not in reading.named
    ):
        reading.problems.append(f"own points: deeds say {own_gains}, the head {reading.named.get('own')}")
    said = set(reading.named.get("circuit", ()))
    was, now = circuits(before.board), circuits(after.board)
    for name in was.keys() | now.keys():
        old = owner(before.board, name) if name in was else None
        new = owner(after.board, name) if name in now else None
        changed = old != new or (new is not None and was[name].length != now[name].length)
        if changed and name not in said:
            reading.problems.append(f"circuit {name} changed hands or length, untold")
        if name in now and name not in said and is_long_remainder(reading, name):
            reading.problems.append(f"circuit {name} of nobody was cut off, untold")
    for event in reading.turn.events:
        if isinstance(event, moves.Closed) and event.owner is None:
            name = circuit_name(event.circuit)
            if name not in reading.named.get("ring", ()):
                reading.problems.append(f"ring {name} of nobody, untold")
    laid = {cell for cell in after.board.tiles if before.board.tiles.get(cell) is None}
    if missing := laid - set(reading.named.get("placed", ())):
        reading.problems.append(f"tiles at {missing}, untold")


READER.clauses(
    {
        r"replaces ([A-Z]+\d+(?:, [A-Z]+\d+)*(?: and [A-Z]+\d+)?)": lambda reading, cells: is_run(
            reading, words_of(cells), replaced=True
        ),
        r"draws (\d+) tiles?": lambda reading, count: reading.add(("held", reading.subject), int(count)),
        r"discards (\d+) tiles?": lambda reading, count: reading.add(("held", reading.subject), -int(count)),
        r"ends the turn": lambda reading: reading.before.board == reading.after.board,
        r"leaves the game": lambda reading: reading.subject in reading.after.out,
    }
)

READER.sentences(
    {
        r"(\d+) free circuits change": lambda reading, count: int(count) > 3,
        r"I shuffle (\d+) discarded tiles? into the empty bag": lambda reading, count: any(
            isinstance(one, moves.TilesReshuffled) and one.count == int(count) for one in reading.turn.events
        ),
    }
)
