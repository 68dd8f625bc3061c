"""Scripted beginners: they plan their own turn by its obvious value, and forget to every fourth turn.

A beginner has just read the rules. It tries some ways to play its turn to the end in a position that its view
allows, and begins the one that leaves it the most. It never thinks of the others' replies. In Ribbon Tangle
it tries whole turns, in Tesla's Tangle those of the computers' planner, in Tanglewood and Tangle first moves
with quick follow-ups; a turn of Tangram City is a single move. It counts points and markers in Tesla's
Tangle; in Tangram City, Tanglewood and Tangle it values what it has as the computers do, of fewer ways.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from random import Random
from typing import Any, NamedTuple

import msgspec

from engines.game import Seat
from engines.registry import AnyGame, game
from engines.ribbon.computer import moves_of_draft
from engines.ribbon.pieces.board import Circle, tangles
from engines.ribbon.pieces.components import Colour
from engines.ribbon.preview import TurnDraft, apply_draft, drafts
from engines.tangle.computer import policy
from engines.tangle.computer.policy import decide
from engines.tangle.decisions import Casting, Placing, Upkeep
from engines.tangle.truth.visibility import TangleTrial
from engines.tanglewood.computer.evaluation import gains
from engines.tanglewood.computer.search import standing
from engines.tanglewood.legal.deeds import workers_after
from engines.tanglewood.moves import PlayBallots
from engines.tangram.computer.evaluation import cover_of, promise
from engines.tesla.computer.evaluation import Evaluation
from engines.tesla.computer.planning import Planner, idle_move
from tests.strength.revision import PlayerChoice

FORGETS = 4
"""A beginner forgets to look in every fourth of its turns."""
OUT = -1000.0
"""The value of being out."""
OWN = 100.0
"""Weight of an own tangle, compared with another."""
WIDTHS = (8, 4, 2)
"""Placements that Tesla's planner follows for the first tile, the second, and so on."""
PROMISED, GROWTH = 0.8, 3.0
"""Value of a point that a marker could be taken for, and of a marker's circuit growing."""


class BeginnerWay(NamedTuple):
    """A way to play a turn: its first move, and what the seat would have at the end."""

    move: Any
    value: float


class BeginnerTurn(NamedTuple):
    """A beginner's look at the rest of its turn, in a position that its view allows."""

    rules: AnyGame
    view: Any
    state: Any
    seat: Seat
    luck: Random
    looks: int

    def sample(self, ways: Iterable[Any]) -> list[Any]:
        every = list(ways)
        return self.luck.sample(every, min(self.looks, len(every)))

    def moves(self) -> list[Any]:
        return self.sample(self.rules.moves(self.state, self.seat))

    def play(self, state: Any, *moves: Any) -> Any:
        after: Any = self.rules.copy(state) or deepcopy(state)
        for move in moves:
            self.rules.play(after, self.seat, move)
        return after

    def is_in_turn(self, state: Any) -> bool:
        goes_on = self.rules.post_counter(state) == self.rules.post_counter(self.state)
        return goes_on and self.seat in self.rules.prompts(state)


def _ribbon(turn: BeginnerTurn) -> Iterator[BeginnerWay]:
    """Count the tangles of the others' ribbons; its own must go."""
    own = turn.view.ribbons[turn.seat]
    if turn.view.phase == "arrange":
        for draft in [TurnDraft(), *turn.sample(drafts(turn.view))]:
            value = _count_tangles(apply_draft(turn.view.circle, draft), own)
            yield BeginnerWay(moves_of_draft(turn.view, draft)[0], value if value >= 0 else OUT)
        return
    for move in turn.moves():
        after = turn.play(turn.state, move)
        out = turn.seat in after.out
        yield BeginnerWay(move, OUT if out else _count_tangles(after.circle, after.ribbons[turn.seat]))


def _count_tangles(circle: Circle, own: Colour | None) -> float:
    every = tangles(circle)
    return len(every) - OWN * sum(tangle.colour == own for tangle in every)


def _tesla(turn: BeginnerTurn) -> Iterator[BeginnerWay]:
    """Count the points, and what the markers promise."""
    plans = Planner(has_free=True).plans(turn.state, Evaluation(turn.state), WIDTHS)
    for plan in turn.sample(plans):
        moves = plan.moves or (idle_move(turn.state),)
        yield BeginnerWay(moves[0], _points(turn.play(turn.state, *moves), turn.seat))


def _points(state: Any, seat: Seat) -> float:
    if seat in state.out:
        return OUT
    totals = [float(score) for score in state.scores]
    for number, circuit in state.board.circuits.items():
        if circuit.markers and (owner := state.board.owner(number)) is not None:
            growth = 0.0 if circuit.closed else GROWTH
            totals[owner] += len(circuit.markers) * (PROMISED * circuit.value + growth)
    return totals[seat] - max(total for one, total in enumerate(totals) if one != seat)


def _tangram(turn: BeginnerTurn) -> Iterator[BeginnerWay]:
    """Value the look of the city with the answers given so far."""
    for move in turn.moves():
        after = turn.play(turn.state, move)
        city = after.cities[turn.seat]
        for answer in after.pending[turn.seat]:
            if answer.piece is not None:
                city = city.add(answer.piece)
        yield BeginnerWay(move, promise(cover_of(city)))


def _tanglewood(turn: BeginnerTurn) -> Iterator[BeginnerWay]:
    """Add up the votes to expect and the things held."""
    for move in turn.moves():
        if isinstance(move, PlayBallots):
            workers = workers_after(turn.view.workers, turn.seat, move, None)
            yield BeginnerWay(move, _votes(turn, msgspec.structs.replace(turn.state, workers=workers)))
            continue
        after = turn.play(turn.state, move)
        while turn.is_in_turn(after):
            gain = gains(turn.rules.view(after, turn.seat), turn.seat)
            after = turn.play(after, max(turn.rules.moves(after, turn.seat), key=gain))
        yield BeginnerWay(move, _votes(turn, after))


def _votes(turn: BeginnerTurn, state: Any) -> float:
    return standing(turn.rules.view(state, turn.seat), turn.seat)


def _tangle(turn: BeginnerTurn) -> Iterator[BeginnerWay]:
    """Measure the way to the seat's conditions, with quick follow-ups."""
    seat, decision, conditions = turn.seat, turn.view.decision, turn.state.conditions[turn.seat]
    trial = TangleTrial.at(turn.state)
    match decision:
        case Placing():
            for move in turn.sample(policy.placements(turn.rules.moves(turn.state, seat))):
                yield BeginnerWay(move, policy.after(trial, conditions, move))
        case Casting():
            for move in turn.moves():
                yield BeginnerWay(move, policy.gain_of_card(trial, seat, conditions, move))
        case Upkeep():
            yield BeginnerWay(policy.decide_upkeep(trial, decision, seat, conditions), 0.0)
        case _:
            yield BeginnerWay(decide(trial.context(seat), decision, conditions), 0.0)


class ScriptedBeginner(NamedTuple):
    """A game's beginner.

    Attributes:
        ways: tries its turn.
        looks: the most ways that it tries.
        turns: the field of a view that counts the turns of all seats.
    """

    ways: Callable[[BeginnerTurn], Iterator[BeginnerWay]]
    looks: int
    turns: str = "turn"


BEGINNERS = {
    "ribbon": ScriptedBeginner(_ribbon, 120),
    "tesla": ScriptedBeginner(_tesla, 30),
    "tangram": ScriptedBeginner(_tangram, 60, "step"),
    "tanglewood": ScriptedBeginner(_tanglewood, 40, "turns"),
    "tangle": ScriptedBeginner(_tangle, 10),
}


def choose_as_beginner(slug: str, view: Any, seat: Seat, luck: Random) -> PlayerChoice:
    """Choose a move as somebody does who has just read the rules."""
    begun = time.process_time()
    rules, beginner = game(slug), BEGINNERS[slug]
    turn = BeginnerTurn(rules, view, rules.sample_state(view, luck), seat, luck, beginner.looks)
    ways = list(beginner.ways(turn))
    best = max(ways, key=lambda way: way.value)
    if forgets(slug, view, seat):
        best = next((way for way in ways if way.value > OUT), best)
    return PlayerChoice(best.move, (time.process_time() - begun) * 1000)


def forgets(slug: str, view: Any, seat: Seat) -> bool:
    """Return True in every fourth of a beginner's turns."""
    rounds: int = getattr(view, BEGINNERS[slug].turns) // view.seats
    return (rounds + seat) % FORGETS == 0
