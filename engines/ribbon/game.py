"""Ribbon Tangle as a game of the house: the contract, and its puzzles.

Modules beside this one carry the contract out. The puzzles are clean ends of a turn, traps for the last
opponent, and the ends of solo games.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from engines.analysis.daily import FAIR, GOOD, POOR, DailyGame, DailyVerdict, TurnSummary, row
from engines.analysis.puzzles import FILE, Puzzle, PuzzleCandidate, PuzzleGame, PuzzleStep, PuzzleTable
from engines.game import Advice, Game, Outcome, Prompt, Seat, Strength, Thinking
from engines.marks import capital, with_icon
from engines.ribbon import computer
from engines.ribbon import view as views
from engines.ribbon.computer.evaluation import EVERY_RIBBON, can_clear, numbers, results
from engines.ribbon.computer.search import is_trapped, winning_results
from engines.ribbon.moves import Event as RibbonEvent
from engines.ribbon.moves import Exchange, Flip, RibbonEndTurn, RibbonSwap
from engines.ribbon.moves import Move as RibbonMove
from engines.ribbon.pieces import board as circles
from engines.ribbon.pieces.components import COMPONENTS, RibbonOptions
from engines.ribbon.preview import TurnDraft, apply_draft, drafts, is_winning, losing_tangles
from engines.ribbon.truth import play as turns
from engines.ribbon.truth import setup, visibility
from engines.ribbon.truth.state import RibbonDeal, RibbonState, owing
from engines.ribbon.view import RibbonView, hand_to_use, tangles_of
from engines.ribbon.words.nouns import between, describe_tangles, face_up, player
from engines.words import Names, join_words


class Ribbon(Game[RibbonState, RibbonMove, RibbonEvent, RibbonView, RibbonDeal, RibbonOptions]):
    """Twelve cards in a circle, three ribbons, and nobody may leave theirs tangled.

    >>> from engines.ribbon.pieces.components import RibbonOptions
    >>> ribbon = Ribbon()
    >>> options = ribbon.settle(2, RibbonOptions(mode="coop", first="host"))
    >>> state = ribbon.begin(2, options, ribbon.deal(2, options, b"seed"), b"seed")
    >>> events = ribbon.play(state, state.seat, Flip(4))
    >>> sorted(ribbon.prompts(state))
    [1]
    """

    slug = "ribbon"
    title = COMPONENTS.title
    most_steps = 700
    chance_scale = 35.0
    seats = range(1, 4)
    State = RibbonState
    Move = RibbonMove
    Event = RibbonEvent
    View = RibbonView
    Deal = RibbonDeal
    Options = RibbonOptions
    deal = staticmethod(setup.deal)
    begin = staticmethod(setup.begin)
    moves = staticmethod(turns.legal_moves)
    play = staticmethod(turns.play)
    resign = staticmethod(turns.resign)
    view = staticmethod(visibility.view_of)
    since = staticmethod(views.since)
    tally = staticmethod(views.tally)
    estimate = staticmethod(computer.estimate)
    sample_state = staticmethod(visibility.sample_state)
    resample_hidden = staticmethod(visibility.resample_hidden)

    def seats_for(self, options: RibbonOptions) -> range:
        return range(1, 2) if options.mode == "solo" else range(2, 4)

    def settle(self, seats: int, options: RibbonOptions) -> RibbonOptions:
        """Treat a single seat as solo whatever the mode says. Rules: Setup."""
        return setup.settle(seats, options)

    def prompts(self, state: RibbonState) -> Mapping[Seat, Prompt]:
        return {seat: Prompt(state.phase) for seat in owing(state)}

    def post_counter(self, state: RibbonState) -> int:
        """Count beats: choices, turns, offers of a tie, and the end."""
        chosen = sum(colour is not None for colour in state.ribbons) + (state.start_hand is not None)
        declined = state.offered and state.phase != "tie_vote"
        return 3 * state.turn + state.offered + declined + chosen + (state.phase == "over")

    def turn_at(self, beat: int, seats: int, options: RibbonOptions) -> int | None:
        """See `Game.turn_at`; `post_counter` counts 3 a turn, and the choices before."""
        choices = {"versus": seats, "coop": 0, "solo": 1}[options.mode]
        return (beat - choices) // 3 or None

    def tally_at_exit(self, view: RibbonView, end: RibbonView, seat: Seat) -> int | None:
        """Return the tangles that put a seat out."""
        colour = end.ribbons[seat]
        return None if colour is None else len(tangles_of(view, colour))

    def only_move(self, state: RibbonState, seat: Seat) -> Flip | None:
        """Return the flip of the last face-down card."""
        if state.phase != "flip" or seat != state.seat or state.circle.count(None) != 1:
            return None
        return Flip(state.circle.index(None) + 1)

    def hand(self, state: RibbonState, seat: Seat) -> bytes | None:
        """Return a secret hand in versus only. A tie is answered from the hand message too."""
        cards = visibility.secret_hand(state, seat)
        return msgspec.msgpack.encode((cards, state.shown[seat], seat in state.voters)) if cards else None

    def choose(
        self,
        view: RibbonView,
        seat: Seat,
        rng: Random,
        strength: Strength,
        thinking: Thinking = Thinking.USUAL,
    ) -> RibbonMove:
        return computer.choose(view, seat, rng, strength, self, thinking)

    def advice(self, view: RibbonView, seat: Seat, rng: Random) -> list[Advice]:
        return computer.advice(view, seat, rng, self)

    def is_team_game(self, options: RibbonOptions) -> bool:
        return options.mode != "versus"


GAME = Ribbon()


WIN_BONUS = 1000
"""Ranks every win above all losses."""
PLAIN_MOVES = 2
"""The moves of a turn without an arrangement: the flip, and its end."""


class RibbonDaily(DailyGame):
    """Ranks wins by fewer turns, losses by more open cards."""

    def verdict(self, outcome: Outcome, view: RibbonView, seat: Seat) -> DailyVerdict:
        if outcome.won:
            return DailyVerdict(WIN_BONUS - view.turn, f"won on turn {view.turn}")
        return DailyVerdict(sum(card is not None for card in view.circle), f"lost on turn {view.turn}")

    def signs(self, outcome: Outcome, turns: Sequence[TurnSummary], seat: Seat) -> str:
        """Return a sign a turn, from the first flip on. To choose a hand comes before the first turn."""
        played = [one for one in turns if one.moves][1:]
        texts = [GOOD if one.moves <= PLAIN_MOVES else FAIR for one in played]
        return row([*texts[:-1], *([POOR] if texts and not outcome.won else texts[-1:])])


DAILY = RibbonDaily(Path(__file__).with_name("daily.toml"))


CLEAN, TRAP, WIN = "clean", "trap", "win"
"""The aims: to end a turn clean, to leave the other seat no way to do so, and to win a team's game."""


def _ribbon(view: RibbonView, seat: Seat) -> str:
    colour = view.ribbons[seat]
    return with_icon(f"ribbon_{colour}", str(colour))


def _rival(view: RibbonView) -> Seat:
    return next(seat for seat in view.remaining if seat != view.seat)


def _explain_two_turns(puzzle: Puzzle, steps: Sequence[PuzzleStep]) -> str:
    first = [step for step in steps if step.before.turn == puzzle.view.turn]
    last = steps[len(first) :]
    wait = ["ending this turn as it is"]
    made = ([step for step in turn if not isinstance(step.move, RibbonEndTurn)] for turn in (first, last))
    now, then = (join_words(list(map(_name_step, turn)) or wait) for turn in made)
    left = describe_tangles(_dangers(puzzle, first[-1].before))
    leave = "leave" if len(first) > 2 else "leaves"
    return (
        f"{capital(now)} {leave} {left}. New tangles can stay for a turn. "
        f"Next turn, {then} {'clear' if len(last) > 1 else 'clears'} them all. Nothing wins at once."
    )


def _dangers(puzzle: Puzzle, view: RibbonView) -> tuple[circles.RibbonTangle, ...]:
    first: RibbonView = puzzle.view
    colours = (None,) if first.mode != "versus" else (first.ribbons[first.seat],)
    return tuple(one for one in circles.tangles(view.circle) if None in colours or one.colour in colours)


def _explain_step(puzzle: Puzzle, step: PuzzleStep) -> str:
    left = _dangers(puzzle, step.after)
    result = f"leaves only {describe_tangles(left)}" if left else "leaves none"
    return f"{_name_step(step)} {result}"


def _name_step(step: PuzzleStep) -> str:
    match step.move:
        case RibbonSwap(place):
            return f"swapping {place} and {circles.after(place)}"
        case Exchange(place, card):
            return f"putting {face_up(card)} at {place}"
        case _:
            return "ending the turn"


_WAYS = 2
"""The most ways to reach the aim, apart from their order."""
_MOST_TRAPS = 4
"""The most arrangements that leave the other seat no way out."""
_WAYS_OF_TWO = 12
"""The most first turns from which the next one wins."""


class _RibbonPuzzles(PuzzleGame):
    """Clean ends of a turn, found after its flip; wins of a team in its turn, or of solo in the next."""

    tables = (
        PuzzleTable(2, {"mode": "versus"}),
        PuzzleTable(1, {"mode": "solo", "difficulty": "easy"}, Strength.MEDIUM),
        PuzzleTable(1, {"mode": "solo", "difficulty": "hard"}, Strength.MEDIUM),
        PuzzleTable(3, {"mode": "versus"}),
        PuzzleTable(1, {"mode": "solo", "difficulty": "easy"}, Strength.MEDIUM),
        PuzzleTable(1, {"mode": "solo", "difficulty": "medium"}, Strength.MEDIUM),
        PuzzleTable(2, {"mode": "coop"}, Strength.MEDIUM),
    )
    most_easy = 1.0
    most_of_kind: Mapping[str, float] = {CLEAN: 0.45, TRAP: 0.45}

    def find(self, view: RibbonView, seat: Seat) -> Iterator[PuzzleCandidate]:
        """Yield the aim of a turn whose arrangement has just begun."""
        if view.phase != "arrange" or view.swapped or view.exchanged:
            return
        if view.mode != "versus" and view.full:
            yield from _find_wins(view)
        elif view.mode == "versus" or not view.full:
            clean = [
                draft for draft in drafts(view) if not losing_tangles(view, apply_draft(view.circle, draft))
            ]
            circles = {apply_draft(view.circle, draft) for draft in clean}
            if 0 < len(circles) <= _WAYS and TurnDraft() not in clean:
                yield PuzzleCandidate(computer.moves_of_draft(view, min(clean, key=_count_steps)), CLEAN)
            if view.mode == "versus" and len(view.remaining) == 2:
                # A turn that leaves the only other seat no way out, if few do.
                ways = list(winning_results(view, results(view)))
                if ways and len({tuple(way.circle) for way in ways}) <= _MOST_TRAPS:
                    trap = min((way.draft for way in ways), key=_count_steps)
                    yield PuzzleCandidate(computer.moves_of_draft(view, trap), TRAP)

    def is_over(self, puzzle: Puzzle, state: Any) -> bool:
        turns = puzzle.target or 1
        return bool(state.phase == "over" or state.turn >= puzzle.view.turn + turns)

    def is_solved(self, puzzle: Puzzle, state: Any) -> bool:
        """Return True if the aim is reached. A trap must hold whatever is hidden."""
        if puzzle.kind == TRAP and state.outcome is None and puzzle.seat not in state.out:
            view = GAME.view(state, puzzle.seat)
            other = next(seat for seat in puzzle.view.remaining if seat != puzzle.view.seat)
            return is_trapped(view, other, numbers(view.circle))
        if puzzle.kind == TRAP:
            return state.outcome is not None and state.outcome.places[puzzle.seat] == 1
        won = state.outcome is not None and bool(state.outcome.won)
        if puzzle.kind == WIN or won:
            return won
        return puzzle.seat not in state.out and (puzzle.view.mode == "versus" or state.outcome is None)

    def task(self, puzzle: Puzzle, names: Names = ()) -> str:
        view: RibbonView = puzzle.view
        if puzzle.kind == TRAP:
            rival = _rival(view)
            who, ribbon = player(view, names or [""] * puzzle.seats, rival), _ribbon(view, rival)
            return f"End this turn without a tangle, and leave {who} no way to do so next turn ({ribbon})."
        if puzzle.kind == WIN:
            return "Win this turn." if puzzle.target == 1 else "Win this turn or the next."
        if view.mode == "versus":
            return f"End this turn without a tangle in your ribbon, {_ribbon(view, view.seat)}."
        return "End this turn without a tangle."

    def describe_given(self, puzzle: Puzzle, view: RibbonView, names: Names = ()) -> str:
        names = names or [""] * puzzle.seats
        me = puzzle.seat
        if view.mode == "versus":
            rivals = [player(view, names, seat) for seat in view.remaining if seat != me]
            how = f"You're {_ribbon(view, me)}, against {join_words(rivals)}"
        else:
            how = "You play alone" if view.mode == "solo" else "You all play together"
            how += ", and no ribbon may be tangled"
        held = f"{how}. Your cards: {' '.join(hand_to_use(view))}"
        if puzzle.target != 2 or view.turn != puzzle.view.turn:
            return f"{held}."
        following = view.hands[((view.hand_in_use or 0) + 1) % len(view.hands)]
        return f"{held}, and next turn {' '.join(card or '?' for card in following)}."

    def describe_miss(self, puzzle: Puzzle, state: Any, names: Names = ()) -> str:
        view = GAME.view(state, puzzle.seat)
        left = _dangers(puzzle, view)
        if left and (puzzle.kind != TRAP or puzzle.seat in view.out):
            return f"Still tangled: {describe_tangles(left)}."
        if puzzle.kind == TRAP:
            rival = player(view, names or [""] * puzzle.seats, _rival(puzzle.view))
            return f"{capital(rival)} could still end the next turn without a tangle."
        return "The turn is over, and you haven't won."

    def reason(self, puzzle: Puzzle, names: Names = ()) -> str:
        steps = self.steps(puzzle)
        made = [step for step in steps if not isinstance(step.move, RibbonEndTurn)]
        if puzzle.kind == TRAP:
            view = steps[-1].before
            rival = _rival(view)
            who, ribbon = player(view, names or [""] * puzzle.seats, rival), _ribbon(view, rival)
            left = between([one for one in view.tangles if one.colour == view.ribbons[rival]])
            moves = capital(join_words([_name_step(step) for step in made] or ["ending the turn as it is"]))
            flips = "" if view.full else f" and whatever card {who} turns up"
            keep, leave = ("keep", "leave") if len(made) > 1 else ("keeps", "leaves")
            tangles = f"{who}'s {ribbon} {f'tangled {left}' if left else 'in danger'}"
            return (
                f"{moves} {keep} your ribbon clean and {leave} {tangles}. No swap and exchange can clear "
                f"that, whatever {who} holds{flips}."
            )
        start = describe_tangles(_dangers(puzzle, puzzle.view))
        if puzzle.target == 2:
            return f"Tangled before: {start}. {_explain_two_turns(puzzle, steps)}"
        moves = capital("; ".join(_explain_step(puzzle, step) for step in made))
        every, circle = list(drafts(puzzle.view)), puzzle.view.circle
        view, verb = puzzle.view, "win" if puzzle.kind == WIN else "end without a tangle"
        ends = {apply_draft(circle, draft) for draft in every}
        ways = sum(
            is_winning(view, end) if puzzle.kind == WIN else not losing_tangles(view, end) for end in ends
        )
        alone = "wins" if puzzle.kind == WIN else "ends without a tangle"
        few = f"only this one {alone}" if ways == 1 else f"only {ways} {verb}"
        return f"Tangled before: {start}. {moves}. Of the {len(every)} ways to use this turn, {few}."


def _count_steps(draft: TurnDraft) -> int:
    return (draft.swap is not None) + (draft.exchange is not None)


def _find_wins(view: RibbonView) -> Iterator[PuzzleCandidate]:
    """Yield a win in this turn or the next, if few do."""
    entries = results(view)
    wins = [entry.draft for entry in entries if is_winning(view, apply_draft(view.circle, entry.draft))]
    if wins:
        if len({apply_draft(view.circle, draft) for draft in wins}) <= _WAYS:
            yield PuzzleCandidate(computer.moves_of_draft(view, min(wins, key=_count_steps)), WIN, 1)
        return
    if view.mode != "solo":
        return
    hand = numbers(view.hands[((view.hand_in_use or 0) + 1) % len(view.hands)])
    # This turn doesn't lose, and the next, with that hand, can win.
    ways = [
        entry
        for entry in entries
        if not losing_tangles(view, apply_draft(view.circle, entry.draft))
        and can_clear(entry.circle, hand, EVERY_RIBBON)
    ]
    if 0 < len({tuple(entry.circle) for entry in ways}) <= _WAYS_OF_TWO:
        first = computer.moves_of_draft(view, min((entry.draft for entry in ways), key=_count_steps))
        state = GAME.sample_state(view, Random(0))
        for move in first:
            GAME.play(state, view.seat, move)
        after = GAME.view(state, view.seat)
        endings = [draft for draft in drafts(after) if is_winning(after, apply_draft(after.circle, draft))]
        yield PuzzleCandidate(
            (*first, *computer.moves_of_draft(after, min(endings, key=_count_steps))), WIN, 2
        )


PUZZLES = _RibbonPuzzles(GAME, Path(__file__).with_name(FILE))
