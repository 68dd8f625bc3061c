"""The aims and reasons of puzzles of Ribbon Tangle."""

from collections.abc import Sequence

from engines.game import Seat
from engines.marks import with_icon
from engines.puzzles import Puzzle, PuzzleStep
from engines.ribbon.moves import Exchange, RibbonEndTurn, RibbonSwap
from engines.ribbon.pieces import circle as circles
from engines.ribbon.pieces.circle import after
from engines.ribbon.preview import apply_draft, drafts, is_winning, losing_tangles
from engines.ribbon.view import RibbonView, hand_to_use
from engines.ribbon.words.nouns import between, describe_tangles, face_up, player
from engines.words import Names, capital, join_words

CLEAN, TRAP, WIN = "clean", "trap", "win"
"""The aims: to end a turn clean, to leave the other seat no way to do so, and to win a team's game."""


def describe_task(puzzle: Puzzle, names: Names) -> str:
    """Return the aim as an instruction."""
    view: RibbonView = puzzle.view
    if puzzle.kind == TRAP:
        rival = _rival(view)
        who, ribbon = player(view, names, rival), _ribbon(view, rival)
        return f"End this turn clean, and leave {who} no way to end the next one clean ({ribbon})."
    if puzzle.kind == WIN:
        return "Win this turn." if puzzle.target == 1 else "Win this turn or the next."
    if view.mode == "versus":
        return f"End this turn without a tangle in your ribbon, {_ribbon(view, view.seat)}."
    return "End this turn without a tangle."


def _ribbon(view: RibbonView, seat: Seat) -> str:
    colour = view.ribbons[seat]
    return with_icon(f"ribbon_{colour}", str(colour))


def _rival(view: RibbonView) -> Seat:
    return next(seat for seat in view.remaining if seat != view.seat)


def describe_given(puzzle: Puzzle, view: RibbonView, names: Names) -> str:
    """Return how a seat plays, with which ribbon and which cards."""
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


def describe_miss(puzzle: Puzzle, view: RibbonView, names: Names) -> str:
    """Say what is tangled, or that the other seat can escape."""
    left = _dangers(puzzle, view)
    if left and (puzzle.kind != TRAP or puzzle.seat in view.out):
        return f"Still tangled: {describe_tangles(left)}."
    if puzzle.kind == TRAP:
        return f"{capital(player(view, names, _rival(puzzle.view)))} could still end the next turn clean."
    return "The turn is over, and you haven't won."


def explain(puzzle: Puzzle, steps: Sequence[PuzzleStep], names: Names) -> str:
    """Say which tangles there are, and what the moves change."""
    made = [step for step in steps if not isinstance(step.move, RibbonEndTurn)]
    if puzzle.kind == TRAP:
        return _explain_trap(puzzle, made, steps[-1].before, names)
    start = describe_tangles(_dangers(puzzle, puzzle.view))
    if puzzle.target == 2:
        return f"Tangled before: {start}. {_explain_two_turns(puzzle, steps)}"
    moves = capital("; ".join(_explain_step(puzzle, step) for step in made))
    return f"Tangled before: {start}. {moves}. {_count_ways(puzzle)}"


def _explain_two_turns(puzzle: Puzzle, steps: Sequence[PuzzleStep]) -> str:
    first = [step for step in steps if step.before.turn == puzzle.view.turn]
    last = steps[len(first) :]
    wait = ["ending this turn as it is"]
    now, then = (
        join_words([_name_step(step) for step in turn if not isinstance(step.move, RibbonEndTurn)] or wait)
        for turn in (first, last)
    )
    left = describe_tangles(_dangers(puzzle, first[-1].before))
    leave = "leave" if len(first) > 2 else "leaves"
    return (
        f"{capital(now)} {leave} {left}, which may stay for a turn, as they're new. "
        f"Next turn, {then} {'clear' if len(last) > 1 else 'clears'} them all. Nothing wins at once."
    )


def _explain_trap(puzzle: Puzzle, made: Sequence[PuzzleStep], view: RibbonView, names: Names) -> str:
    rival = _rival(view)
    who, ribbon = player(view, names, rival), _ribbon(view, rival)
    left = between([one for one in view.tangles if one.colour == view.ribbons[rival]])
    moves = capital(join_words([_name_step(step) for step in made] or ["ending the turn as it is"]))
    flips = "" if view.full else f" and whatever card {who} turns up"
    keep, leave = ("keep", "leave") if len(made) > 1 else ("keeps", "leaves")
    tangles = f"{who}'s {ribbon} {f'tangled {left}' if left else 'in danger'}"
    return (
        f"{moves} {keep} your ribbon clean and {leave} {tangles}. No swap and exchange clear that, "
        f"whatever {who} can hold{flips}."
    )


def _dangers(puzzle: Puzzle, view: RibbonView) -> tuple[circles.RibbonTangle, ...]:
    """Return the tangles that matter for the aim."""
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
            return f"swapping {place} and {after(place)}"
        case Exchange(place, card):
            return f"putting {face_up(card)} at {place}"
        case _:
            return "ending the turn"


def _count_ways(puzzle: Puzzle) -> str:
    view: RibbonView = puzzle.view
    every = list(drafts(view))
    after_each = [apply_draft(view.circle, draft) for draft in every]
    aim, verb = (is_winning, "win") if puzzle.kind == WIN else (_is_clean, "end clean")
    ways = len({circle for circle in after_each if aim(view, circle)})
    alone = "wins" if puzzle.kind == WIN else "ends clean"
    few = f"only this one {alone}" if ways == 1 else f"only {ways} {verb}"
    return f"Of the {len(every)} ways to use this turn, {few}."


def _is_clean(view: RibbonView, circle: circles.Circle) -> bool:
    return not losing_tangles(view, circle)
