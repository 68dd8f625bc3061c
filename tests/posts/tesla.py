import re
from itertools import groupby

from engines.tesla import moves
from engines.tesla.pieces.board import Circuit, TeslaBoard, circuit_name
from engines.tesla.pieces.components import segments
from engines.tesla.view import TeslaView
from tests.posts.reader import WHO, PostReader, TurnReading, number_of, seat_of, words_of

READER = PostReader()
CIRCUIT = re.compile(
    rf"(?:{WHO}'s )?[Cc]ircuit ([A-Z]+) is (?:(\d+) long|a ring of (\d+))"
    r"(?: and (free)|, worth (\d+)(?: with (\d+) markers)?)"
)
ORIGIN = re.compile(rf"(?:part of )?(?:{WHO}'s |free )?\b([A-Z]+) of (\d+)")


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


@READER.sentence(r"WHO \((−?\d+) points?, ([+−±]\d+)\)")
def read_result(reading: TurnReading, who: str, total: str, gain: str) -> bool:
    seat = seat_of(who)
    reading.add(("points", seat), number_of(gain))
    reading.name("own", number_of(gain))
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


@READER.clause(r"puts a marker on ([A-Z]+) \((−\d+)\)")
def read_marking(reading: TurnReading, circuit: str, cost: str) -> None:
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
    r"gets (\+\d+) for their ring ([A-Z]+) of (\d+)(?: \((\d+) markers, (\d+) each\))? and the markers? back"
)
def read_ring(
    reading: TurnReading, gain: str, name: str, length: str, count: str | None, points: str | None
) -> bool:
    seat = reading.subject
    if not any(
        isinstance(one, moves.Closed) and circuit_name(one.circuit) == name for one in reading.turn.events
    ):
        return False
    reading.add(("own" if seat == reading.turn.seat else "points", seat), number_of(gain))
    reading.add(("supply", seat), number_of(gain) // (2 * int(length)))
    if count is None or points is None:
        return number_of(gain) == 2 * int(length)
    return int(count) > 1 and number_of(gain) == int(count) * int(points) and int(points) == 2 * int(length)


@READER.sentence(r"Circuit ([A-Z]+) becomes a ring of (\d+) that nobody owns")
def read_free_ring(reading: TurnReading, name: str, length: str) -> bool:
    reading.name("ring", name)
    return any(
        isinstance(one, moves.Closed) and circuit_name(one.circuit) == name and one.length == int(length)
        for one in reading.turn.events
    )


@READER.sentence(r"((?:WHO's c|C)ircuit [A-Z]+ is (?:\d+ long|a ring of \d+)(?: and free|, worth).*)")
def read_circuit(reading: TurnReading, text: str, _: str | None) -> bool:
    text, _, origins = text.partition(" (")
    rest, is_true = CIRCUIT.sub("", text), True
    for found in CIRCUIT.finditer(text):
        is_true &= _is_so(reading, *found.groups())
    names = [found[2] for found in CIRCUIT.finditer(text)]
    return is_true and not rest.strip(" ,and") and _was_so(reading, names, origins.removesuffix(")"))


def _is_so(
    reading: TurnReading, who: str | None, name: str, long: str | None, ring: str | None, *rest: str | None
) -> bool:
    nobody, worth, markers = rest
    one, board = circuits(reading.after.board).get(name), reading.after.board
    reading.name("circuit", name)
    if one is None or one.length != int(long or ring or 0) or one.closed != (ring is not None):
        return False
    if nobody or who is None:
        return owner(board, name) is None and bool(nobody) and who is None
    count = int(markers or 1)
    return (
        owner(board, name) == seat_of(who)
        and len(one.markers) == count
        and one.value * count == int(worth or 0)
    )


def _was_so(reading: TurnReading, names: list[str], origins: str) -> bool:
    """Check "was 5" and "from Ann's A of 5"."""
    board = reading.before.board
    before = circuits(board)
    if whole := re.match(r"(?:cut )?from (?:parts of )?(?=\D)", origins):
        lengths = [int(length) for _, _, length in ORIGIN.findall(origins)]
        now, is_cut = (
            circuits(reading.after.board)[names[0]].length,
            origins.startswith(("cut ", "from parts")),
        )
        if now >= sum(lengths) if is_cut else now < sum(lengths) and "part of" not in origins:
            return False
        if not wires(board, ORIGIN.findall(origins)[0][1]):
            return False
        for who, name, length in ORIGIN.findall(origins):
            if not wires(board, name) & wires(reading.after.board, names[0]):
                return False
            reading.name("circuit", name)
            if name not in before or before[name].length != int(length):
                return False
            if owner(board, name) != (seat_of(who) if who else None):
                return False
        return not ORIGIN.sub("", origins[whole.end() :]).replace(" and ", "").strip(", ")
    [name] = names[:1]
    if not origins:
        old, new = wires(board, name), wires(reading.after.board, name)
        same_owner = name in before and owner(board, name) == owner(reading.after.board, name)
        return not old & new or (same_owner and len(old) == len(new))
    found = re.fullmatch(r"(?:was|cut from) (\d+)?(?: and )?(?:(free)|WHO's)?".replace("WHO", WHO), origins)
    if found is None or name not in before:
        return False
    length, nobody, who = found.groups()
    has_length = length is None or before[name].length == int(length)
    return (
        has_length
        and (not nobody or owner(board, name) is None)
        and (not who or owner(board, name) == seat_of(who))
    )


@READER.sentence(r"(?:(WHO)'s )?[Cc]ircuit ([A-Z]+)(?:, [A-Z]+| and [A-Z]+)* (?:is|are) gone")
def read_end_of_circuit(reading: TurnReading, *found: str) -> bool:
    name = found[-1]
    reading.name("circuit", name)
    return not wires(reading.after.board, name) & wires(reading.before.board, name)


@READER.sentence(r"Circuit (.+), and nobody owns (?:it|them)")
def read_free_circuits(reading: TurnReading, text: str) -> bool:
    said = re.findall(r"([A-Z]+) is (\d+) long", text)
    now = circuits(reading.after.board)
    for name, _ in said:
        reading.name("circuit", name)
    return all(
        name in now and now[name].length == int(length) and owner(reading.after.board, name) is None
        for name, length in said
    )


@READER.sentence(
    r"WHO's (?:(\d+) )?markers? on (.+) go(?:es)? back without points, because ([^(]+?)(?: \(.+\))?"
)
def read_lost_markers(reading: TurnReading, who: str, count: str | None, on: str, why: str) -> bool:
    reading.add(("supply", seat_of(who)), int(count or 1))
    reading.name("lost", seat_of(who))
    laid = sum(isinstance(one, moves.TeslaPlaced) for one in reading.turn.events)
    is_told_when = why.endswith(" when they joined") == (laid > 1)
    return is_told_when and all(owner(reading.before.board, one) == seat_of(who) for one in words_of(on))


@READER.sentence(r"WHO is out with (−?\d+)")
def read_elimination(reading: TurnReading, who: str, score: str) -> bool:
    seat = seat_of(who)
    reading.name("out", seat)
    return seat in reading.after.out and reading.after.scores[seat] == number_of(score)


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
        told = reading.ledger["points", seat] if not own else sum(reading.named.get("own", [0]))
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
    if own_gains != sum(reading.named.get("own", [0])):
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
        r"replaces the tiles? at ([A-Z]+\d+(?:, [A-Z]+\d+)*(?: and [A-Z]+\d+)?)": lambda reading, cells: (
            is_run(reading, words_of(cells), replaced=True)
        ),
        r"draws (\d+) tiles?": lambda reading, count: reading.add(("held", reading.subject), int(count)),
        r"discards (\d+) tiles?": lambda reading, count: reading.add(("held", reading.subject), -int(count)),
        r"ends the turn": lambda reading: reading.before.board == reading.after.board,
        r"leaves the game": lambda reading: reading.subject in reading.after.out,
    }
)

READER.sentences(
    {
        r"(\d+) circuits that nobody owns change": lambda reading, count: int(count) > 3,
        r"I shuffle (\d+) discarded tiles? into the empty bag": lambda reading, count: any(
            isinstance(one, moves.TilesReshuffled) and one.count == int(count) for one in reading.turn.events
        ),
        r"That's (\d+) points behind the leader": lambda reading, points: int(points) >= reading.after.behind,
    }
)
