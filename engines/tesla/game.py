"""Tesla's Tangle as a game of the house: the contract, and its puzzles.

Modules beside this one carry the contract out. The puzzles are turns that win for certain.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from engines import words
from engines.analysis.daily import DailyDuel
from engines.analysis.puzzles import FILE, Puzzle, PuzzleCandidate, PuzzleStep, PuzzleTable, WinningPuzzles
from engines.game import Advice, Game, Prompt, Seat, Strength, Thinking
from engines.marks import capital
from engines.tesla import computer
from engines.tesla import view as views
from engines.tesla.computer.search import winning_turn
from engines.tesla.legal.moves import marks
from engines.tesla.legal.position import position_of
from engines.tesla.moves import Closed, EndReplay, Joined, Replace, Replay, Taken, TeslaEliminated, TeslaPlace
from engines.tesla.moves import Event as TeslaEvent
from engines.tesla.moves import Move as TeslaMove
from engines.tesla.pieces.board import circuit_name
from engines.tesla.pieces.components import COMMON, TeslaOptions
from engines.tesla.preview import MovePreview, gains_of
from engines.tesla.truth import play as turns
from engines.tesla.truth import setup, visibility
from engines.tesla.truth.state import TeslaDeal, TeslaState
from engines.tesla.view import TeslaView
from engines.tesla.words.nouns import count_points
from engines.tesla.words.previews import effect


class Tesla(Game[TeslaState, TeslaMove, TeslaEvent, TeslaView, TeslaDeal, TeslaOptions]):
    """Circuits of tiles, and markers on them that are worth the more the longer the circuits grow.

    >>> from engines.tesla.moves import TeslaEndTurn
    >>> from engines.tesla.pieces.components import TeslaOptions
    >>> tesla = Tesla()
    >>> options = tesla.settle(2, TeslaOptions())
    >>> state = tesla.begin(2, options, tesla.deal(2, options, b"seed"), b"seed")
    >>> events = tesla.play(state, state.seat, TeslaEndTurn())
    >>> sorted(tesla.prompts(state))
    [1]
    """

    slug = "tesla"
    title = "Tesla's Tangle"
    most_steps = 3500
    chance_scale = 35.0
    seats = setup.SEATS
    State = TeslaState
    Move = TeslaMove
    Event = TeslaEvent
    View = TeslaView
    Deal = TeslaDeal
    Options = TeslaOptions
    settle = staticmethod(setup.settled)
    deal = staticmethod(setup.deal)
    begin = staticmethod(setup.begin)
    play = staticmethod(turns.play)
    resign = staticmethod(turns.resign)
    view = staticmethod(visibility.view_of)
    since = staticmethod(views.since)
    ahead = staticmethod(visibility.ahead)
    preview = staticmethod(gains_of)
    estimate = staticmethod(computer.estimate)
    sample_state = staticmethod(visibility.sample_state)
    resample_hidden = staticmethod(visibility.resample_hidden)

    def moves(self, state: TeslaState, seat: Seat) -> Iterator[TeslaMove]:
        return turns.legal_moves(state, seat)

    def prompts(self, state: TeslaState) -> Mapping[Seat, Prompt]:
        return {} if state.phase == "over" else {state.seat: Prompt(state.phase)}

    def post_counter(self, state: TeslaState) -> int:
        """Count turns, and the end of the game."""
        return state.turn + (state.phase == "over")

    def only_move(self, state: TeslaState, seat: Seat) -> EndReplay | None:
        """End a replay if no marker can be put anywhere."""
        if state.phase != "replay" or seat != state.seat:
            return None
        return None if marks(state, Replay) else EndReplay()

    def own_facts(self, view: TeslaView, seat: Seat) -> tuple[Any, ...]:
        return view.scores[seat], view.supplies[seat], view.hands[seat]

    def copy(self, state: TeslaState) -> TeslaState:
        return state.copy()

    def tally(self, view: TeslaView, end: TeslaView) -> tuple[int | None, ...]:
        return views.tally(view)

    def hand(self, state: TeslaState, seat: Seat) -> bytes | None:
        """Count the refills of the hand, which trigger its DM. None once the seat is out."""
        return None if seat in state.out else msgspec.msgpack.encode(state.refills[seat])

    def choose(
        self,
        view: TeslaView,
        seat: Seat,
        rng: Random,
        strength: Strength,
        thinking: Thinking = Thinking.USUAL,
    ) -> TeslaMove:
        return computer.choose(view, seat, rng, strength, self, thinking)

    def advice(self, view: TeslaView, seat: Seat, rng: Random) -> list[Advice]:
        return computer.advice(view, seat, rng, self)


GAME = Tesla()


DAILY = DailyDuel(Path(__file__).with_name("daily.toml"))


def _explain_tile(step: PuzzleStep, seat: Seat, names: words.Names) -> str:
    """Say what a tile does to the seat's longest circuit there."""
    joined = [event for event in step.events if isinstance(event, Joined) and event.owner == seat]
    if not joined:
        told = tuple(event for event in step.events if isinstance(event, Joined | Closed))
        return effect(step.before, MovePreview(step.after, told), names)
    best = max(joined, key=lambda event: (event.closed, event.length))
    if best.closed:
        text = f"closes your ring of {best.length}"
    elif len(best.joined) > 1:
        circuits = words.join_words(circuit_name(circuit) for circuit in sorted(best.joined))
        text = f"joins {circuits} into your circuit of {best.length}"
    else:
        text = f"makes your circuit {circuit_name(best.circuit)} {best.length} long"
    back = [
        f"{words.possessive(names, other)} {'marker' if count == 1 else f'{count} markers'}"
        for other, count in enumerate(best.returned)
        if count and other != seat
    ]
    outnumbered = f", where {words.join_words(back)} must go back" if back else ""
    return text + outnumbered


def _explain_points(steps: Sequence[PuzzleStep], seat: Seat, names: words.Names) -> str:
    events = [event for step in steps for event in step.events]
    rings = [event for event in events if isinstance(event, Closed) and event.owner == seat]
    taken = [event for event in events if isinstance(event, Taken)]
    start, end = steps[0].before.scores[seat], steps[-1].after.scores[seat]
    lines = []
    for ring in rings:
        each = "" if ring.count == 1 else f" for each of {ring.count} markers"
        lines.append(f"The ring pays 2 × {ring.length} points{each}")
    lines += [
        f"Taking back the marker at {event.cell} pays {words.count_noun(event.gain, 'point')}"
        for event in taken
    ]
    gains = [event.points * event.count for event in rings] + [event.gain for event in taken]
    sums = " + ".join([words.format_total(start), *map(str, gains)])
    return f"{'. '.join(lines)}: {sums} = {words.format_total(end)}{_explain_end(steps[-1], seat, names)}"


def _explain_end(last: PuzzleStep, seat: Seat, names: words.Names) -> str:
    view = last.after
    if view.scores[seat] >= view.options.win:
        return f", and {view.options.win} win."
    gone = [event.seat for event in last.events if isinstance(event, TeslaEliminated)]
    others = words.join_words(
        f"{words.player_with_sign(names, other)} ({words.format_total(view.scores[other])})" for other in gone
    )
    return f". That puts {others} at least {COMMON.behind} points behind, and so out."


_WIDTHS = ((), (60,), (80, 20))
"""The placements to follow in search of a shorter win: of one tile, two, three."""
_POSITIONS = 250
"""Most positions to search for each."""


class _TeslaPuzzles(WinningPuzzles):
    """Wins in this turn, with at least one tile, and with as few as possible."""

    tables = (*2 * (PuzzleTable(2), PuzzleTable(2, {"tiles": "square"})), PuzzleTable(3))
    other_hands = 2

    def find(self, view: TeslaView, seat: Seat) -> Iterator[PuzzleCandidate]:
        """Yield the shortest winning turn at the start of a turn."""
        if view.acted or view.phase != "tiles":
            return
        position = position_of(view)
        won = winning_turn(position)
        if won is None:
            return
        shorter = (winning_turn(position, widths, _POSITIONS) for widths in _WIDTHS)
        won = next((line for line in shorter if line is not None), won)
        if len(won) > 1:
            yield PuzzleCandidate(won)

    def describe_given(self, puzzle: Puzzle, view: TeslaView, names: words.Names = ()) -> str:
        names = names or [""] * puzzle.seats
        rivals = [seat for seat in range(view.seats) if seat != puzzle.seat and seat not in view.out]
        points = [
            f"{words.player_with_sign(names, seat)} {words.format_total(view.scores[seat])}"
            for seat in rivals
        ]
        who = words.player_with_sign(names, rivals[0]) + " is" if len(rivals) == 1 else "all others are"
        have = words.join_words([words.format_total(view.scores[puzzle.seat]), *points])
        wins = f"You win at {view.options.win} points, or when {who} {view.behind} points behind."
        return f"You ({words.seat_colour(puzzle.seat)}) have {have}. {wins}"

    def describe_miss(self, puzzle: Puzzle, state: Any, names: words.Names = ()) -> str:
        have = count_points(self.rules.view(state, puzzle.seat).scores[puzzle.seat])
        return f"The turn is over, and you haven't won: you have {have}."

    def reason(self, puzzle: Puzzle, names: words.Names = ()) -> str:
        steps = self.steps(puzzle)
        names = names or [""] * puzzle.seats
        laid = [step for step in steps if isinstance(step.move, TeslaPlace | Replace)]
        told = [(step.move.cell, _explain_tile(step, puzzle.seat, names)) for step in laid]
        tiles = capital("; ".join(f"the tile at {cell} {text}" for cell, text in told))
        return f"{tiles}. {_explain_points(steps, puzzle.seat, names)}"


PUZZLES = _TeslaPuzzles(GAME, Path(__file__).with_name(FILE))
