"""The presenter of Tesla's Tangle: options, words, panel, hints and notes."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from cogs.core import pictures, presenter
from cogs.core.app import App
from cogs.tesla.draft import TeslaDraft, look, own_hand, turn_to_degrees
from engines.game import Advice, Seat
from engines.tesla import moves, preview
from engines.tesla.pieces.board import Circuit, circuit_name
from engines.tesla.pieces.components import TeslaOptions
from engines.tesla.view import TeslaView
from engines.tesla.words import event_lines, nouns, previews
from engines.words import player_with_sign, why
from tables.play.play import Perspective

CHOICES = presenter.choices_of("tesla")


class TeslaPresenter(presenter.Presenter):
    """See `cogs.core.presenter.Presenter`."""

    slug = "tesla"
    ends = moves.TeslaTurnEnded
    charted = "Points"
    says_gains = True
    strikes = (moves.Joined, moves.Split)
    shown = (
        r" Circuits? [^.]* (?:(?:is|are) free|becomes? a free ring)[^.]*\.",
        r" and draws \d+ tiles?",
        r" (?:\S+'s circuit [A-Z]+ grows|Free circuit [A-Z]+ \w+) from \d+ to \d+\.",
        r" \((?:joined by|was|were|worth) [^()]*\)",
        r": (?:it loses a part and gets|[^.:]*when they met|[^.:]* tied(?=\.))[^.]*",
    )
    losses = r" for no points|^(?!.*Free circuit).*(?:shrinks|goes) from \d"
    boards = ("table", "turn")
    tagline = "Grow electric circuits, mark them, and score them at the right moment."
    length = "about 45 minutes"
    weight = presenter.Weight.MEDIUM

    def choices(self, options: TeslaOptions) -> list[presenter.Choice]:
        return [CHOICES["tiles"], CHOICES["opening"], CHOICES["win"]]

    def summary(self, options: TeslaOptions, seats: int | None = None) -> str:
        lines = ["2 to 4 players", f"first to {options.win} points"]
        if options.tiles == "square":
            lines.append("square tiles")
        if options.opening == "balanced":
            lines.append("balanced start")
        return " · ".join(lines)

    def uneven(self, view: TeslaView) -> str | None:
        return nouns.UNEVEN if view.options.opening == "balanced" else None

    def view_to_name(self, view: TeslaView, first: TeslaView) -> TeslaView:
        """Number the tiles as the hand shows them at the turn's start."""
        return replace(view, hands=first.hands) if view.seat == first.seat else view

    def totals(self, view: TeslaView) -> Sequence[int]:
        return view.scores

    def gains(self, event: Any) -> Mapping[Seat, int]:
        match event:
            case moves.Marked(seat=seat, cost=cost):
                return {seat: -cost}
            case moves.Taken(seat=seat, gain=gain):
                return {seat: gain}
            case moves.Closed(owner=int(owner), count=count, points=points):
                return {owner: count * points}
            case _:
                return {}

    def digest(
        self, events: Sequence[Any], seat: Seat, before: TeslaView, after: TeslaView, names: Sequence[str]
    ) -> str | None:
        return event_lines.digest(events, seat, before, after, names)

    def several_line(self, events: Sequence[Any], view: TeslaView, names: Sequence[str]) -> str | None:
        return event_lines.reconnection(events, names)


CHEAP = 3
"""Points that a cheap marker costs at most."""
FURTHEST = "of the moves I looked at, it leaves you furthest ahead"
LEAST_BEHIND = "of the moves I looked at, it leaves you least behind ({})"
"""The reasons for a tile whose gain only shows some moves later."""


def line(view: TeslaView, seat: Seat, advice: Advice, names: Sequence[str]) -> str:
    move: moves.Move = advice.moves[0]
    match move:
        case moves.TeslaPlace(tile, turn, cell) | moves.Replace(tile, turn, cell):
            ahead = preview.move_preview(view, move)
            where = nouns.at(cell, turn_to_degrees(view.options.tiles, turn))
            verb = "replaces the tile at" if isinstance(move, moves.Replace) else "at"
            text = previews.effect(view, ahead, names)
            text = f"**Tile {_number(view, tile)}** {verb} **{where}**: {text}."
            later = _why_later(view, advice.leads_to or (), names, seat)
            text += why(_gains(view, ahead.view, names, seat, later))
            losses = list(previews.unwelcome_effects(ahead.events, ahead.view, names, seat))
            for one in _later_moves(view, advice.leads_to or (), seat)[1:]:
                then = previews.unwelcome_effects(one.events, one.view, names, seat)
                losses += [f"Later in that turn: {loss}" for loss in then]
            return " ".join([text, *losses])
        case moves.Mark() | moves.Replay() | moves.Take():
            circuit = view.board.circuits[_circuit(view, move)]
            points = circuit.value if isinstance(move, moves.Take) else -circuit.value
            verb = "Take back your marker from" if isinstance(move, moves.Take) else "Put a marker on"
            after = nouns.count_points(view.scores[seat] + points)
            name = circuit_name(_circuit(view, move))
            text = f"{verb} circuit **{name}** ({nouns.length(circuit)}): {nouns.gain(points)}."
            text += f" You'd have {after}."
            later = _why_later(view, advice.leads_to or (), names, seat)
            return text + why([*later, _explain_mark(view, move, seat)])
        case moves.Discard(tiles):
            return f"End the turn and discard {_tiles(view, tiles)}.{why(_why_idle(view))}"
        case moves.TeslaEndTurn():
            return f"End the turn and keep your tiles.{why(_why_idle(view))}"
        case moves.EndReplay():
            return f"Leave your other markers in the supply.{why(['each would cost more than it can earn'])}"


def _later_moves(view: TeslaView, turn: Sequence[moves.Move], seat: Seat) -> list[preview.MovePreview]:
    results: list[preview.MovePreview] = []
    for move in turn:
        if isinstance(move, moves.Discard | moves.TeslaEndTurn) or view.over or view.seat != seat:
            break
        results.append(preview.move_preview(view, move))
        view = results[-1].view
    return results


def _why_later(view: TeslaView, turn: Sequence[moves.Move], names: Sequence[str], seat: Seat) -> list[str]:
    """Return the wins that a turn's later moves bring or prevent."""
    made = _later_moves(view, turn, seat)
    if len(made) < 2:
        return []
    last = made[-1].view
    if last.outcome is not None and last.outcome.places[seat] == 1:
        return ["the rest of the turn wins the game"]
    return previews.name_stopped_wins(made[0].view, last, names, seat, "after the rest of the turn")


def _gains(
    view: TeslaView, after: TeslaView, names: Sequence[str], seat: Seat, later: Sequence[str] = ()
) -> list[str]:
    """Return a placement's immediate points, and its changes to markers' values."""
    paid = after.scores[seat] - view.scores[seat]
    reasons = [f"you score {paid}"] if paid > 0 else []
    for other in (seat, *(one for one in range(view.seats) if one != seat)):
        more = event_lines.best_marker(after, other) - event_lines.best_marker(view, other)
        if other == seat and more > 0:
            reasons.append(f"one of your markers can earn {more} more")
        if other != seat and more < 0:
            reasons.append(f"{player_with_sign(names, other)}'s best marker earns {-more} less")
    if (
        not reasons
        and after.may_mark
        and view.may_mark
        and len(after.board.circuits) > len(view.board.circuits)
    ):
        reasons.append("a marker on a short circuit costs little")
    reasons = [*previews.name_stopped_wins(view, after, names, seat), *later, *reasons]
    if not reasons and _longest_free(after) > _longest_free(view):
        grown = _longest_free(after)
        reasons.append(f"a circuit without markers grows to {grown}, and one of yours can go there later")
    behind = after.gap(seat)
    return reasons or [LEAST_BEHIND.format(nouns.count_points(behind)) if behind else FURTHEST]


def _longest_free(view: TeslaView) -> int:
    return max((one.length for one in view.board.circuits.values() if not one.markers), default=0)


def _explain_mark(view: TeslaView, move: moves.Mark | moves.Replay | moves.Take, seat: Seat) -> str:
    circuit = view.board.circuits[_circuit(view, move)]
    if isinstance(move, moves.Take):
        if preview.move_preview(view, move).view.over:
            return "you win the game"
        return "a ring hardly grows" if circuit.closed else "others can cut this circuit or join it to theirs"
    if circuit.closed:
        return "you can take the marker back for the same points"
    return (
        "the circuit can still grow, and a marker costs little now"
        if circuit.value <= CHEAP
        else "the circuit can still grow"
    )


def _why_idle(view: TeslaView) -> list[str]:
    """Return why a turn can end although tiles could be laid."""
    if view.phase != "tiles" or not own_hand(view):
        return []
    if not view.may_mark:
        return ["you can't use a marker this turn, so others could mark the circuits you make"]
    return ["your tiles would help the others more than you"]


def _number(view: TeslaView, tile: str) -> int:
    return own_hand(view).index(tile) + 1


def _tiles(view: TeslaView, tiles: Sequence[str]) -> str:
    left, numbers = list(tiles), list[str]()
    for number, tile in enumerate(own_hand(view), start=1):
        if tile in left:  # two alike get two numbers
            left.remove(tile)
            numbers.append(str(number))
    told = " and ".join(numbers)
    return f"tile {told}" if len(tiles) == 1 else f"tiles {told}"


def _circuit(view: TeslaView, move: moves.Mark | moves.Replay | moves.Take) -> int:
    segment = view.board.markers[move.cell].segment if isinstance(move, moves.Take) else move.segment
    return view.board.circuit_at(move.cell, segment)


async def picture(app: App, perspective: Perspective, made: Sequence[moves.Move]) -> pictures.Shown | None:
    table, view, move = perspective.table, perspective.view, made[0]
    match move:
        case moves.TeslaPlace() | moves.Replace():
            number = _number(view, move.tile)
            tried = TeslaDraft("tile", tile=number, cell=move.cell, turn=move.turn)
            ahead = await app.workers.run(look, view, table.names, tried)
            return await app.pictures.special(table, "preview", view, ahead.fit, number)
        case moves.Mark() | moves.Replay() | moves.Take():
            sites = await app.workers.run(preview.sites, view)
            site = next(one for one in sites if one.circuit == _circuit(view, move))
            return await app.pictures.special(table, "choices", preview.move_preview(view, move).view, [site])
        case _:
            return None


WORTHWHILE_LENGTH = 4
"""The length of a circuit from which a marker is worth considering."""


def applicable_notes(view: TeslaView, seat: Seat) -> list[str]:
    """Return the notes for a seat to move, the most urgent first."""
    texts = ["start"]
    if view.phase == "replay":
        texts.append("replay")
    if view.phase == "end":
        texts.append("end")
    others = [one for one in range(view.seats) if one != seat and one not in view.out]
    # The points of all markers that each could take back.
    held = [sum(own.value * len(own.markers) for own in _own_circuits(view, one)) for one in others]
    if event_lines.is_close_to_out(view, seat):
        texts.append("behind")
    if event_lines.winners_next_turn(view, seat):
        texts.insert(0, "winning")
    elif any(view.scores[one] + ahead >= view.options.win for one, ahead in zip(others, held, strict=True)):
        texts.append("winning")
    if view.phase == "tiles":
        if view.may_mark and any(circuit.value >= WORTHWHILE_LENGTH for circuit in _own_circuits(view, seat)):
            texts.append("cash")
        texts.append("lay")
        if view.may_mark and view.acted:
            texts.append("mark")
        if _own_circuits(view, seat) and any(_own_circuits(view, one) for one in others):
            texts.append("join")
        if len(view.board.tiles) > 2 * view.seats:
            texts.append("replace")
    return texts


def _own_circuits(view: TeslaView, seat: Seat) -> list[Circuit]:
    board = view.board
    return [circuit for number, circuit in board.circuits.items() if board.owner(number) == seat]
