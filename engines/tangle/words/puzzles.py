"""The reasons of puzzles of Tangle."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from engines.game import Seat
from engines.puzzles import PuzzleStep
from engines.tangle.legal.conditions import counts
from engines.tangle.pieces.card_language import CountName
from engines.tangle.pieces.components import CARDS, CONDITIONS, ConditionId
from engines.tangle.view import TangleView
from engines.tangle.words.board import COUNTS
from engines.tangle.words.move_names import move_name
from engines.words import Names, capital, count_noun, join_phrases, join_words

NOT_WON = "The turn is over, and you haven't won."


def describe_given(view: TangleView, seat: Seat) -> str:
    """Return what each condition of a seat lacks, and the seat's cards."""
    have = _count(view, seat)
    conditions = [f"{CONDITIONS[one].name}: {_progress(one, have)}" for one in view.conditions or ()]
    cards = Counter(CARDS[card].name for card in view.hand or ())
    held = [f"{name} ×{copies}" if copies > 1 else name for name, copies in cards.items()]
    return "\n".join([*conditions, f"Your cards: {', '.join(held) or 'none'}"])


def _progress(condition: ConditionId, have: Mapping[CountName, int]) -> str:
    need = CONDITIONS[condition].need
    lacks = [
        f"{have.get(name, 0)} of {need[name]} {COUNTS[name][1]}" for name in _find_lacks(condition, have)
    ]
    return ", ".join(lacks) or "complete"


def describe_miss(view: TangleView, seat: Seat) -> str:
    """Say what the nearest condition lacks after the turn."""
    lacks = [_find_lacks(one, _count(view, seat)) for one in view.conditions or ()]
    nearest = min(filter(None, lacks), key=lambda one: sum(one.values()), default={})
    return f"You still lack {_describe_numbers(nearest)}." if nearest else NOT_WON


def _find_lacks(condition: ConditionId, have: Mapping[CountName, int]) -> dict[CountName, int]:
    need = CONDITIONS[condition].need
    return {name: most - have.get(name, 0) for name, most in need.items() if most > have.get(name, 0)}


def explain_win(steps: Sequence[PuzzleStep], seat: Seat, names: Names) -> str:
    """Say what a condition lacks, and which moves bring it."""
    before, last = _count(steps[0].before, seat), steps[-1].after
    condition, *others = last.shown[seat]
    lacks = _find_lacks(condition, before)
    made = capital(join_phrases(_explain_moves(steps, seat, lacks, names)))
    more = f" So is {join_words(CONDITIONS[other].name for other in others)}." if others else ""
    return (
        f"{CONDITIONS[condition].name} lacks {_describe_numbers(lacks)}. {made}. "
        f"With that it's complete, and you win as your turn ends.{more}"
    )


def _explain_moves(
    steps: Sequence[PuzzleStep], seat: Seat, lacks: Mapping[CountName, int], names: Names
) -> Iterator[str]:
    """Yield which moves bring something that is lacking."""
    moves: dict[str, list[str]] = {}
    for step in steps:
        before, after = _count(step.before, seat), _count(step.after, seat)
        more = {
            name: after.get(name, 0) - before.get(name, 0)
            for name in lacks
            if after.get(name, 0) > before.get(name, 0)
        }
        if more:
            what = _describe_numbers(more)
            moves.setdefault(what, []).append(f"“{move_name(step.move, step.before, names)}”")
    for what, made in moves.items():
        yield f"{join_words(made)} {f'brings {what}' if len(made) == 1 else f'bring {what} each'}"


def _describe_numbers(numbers: Mapping[CountName, int]) -> str:
    return join_words(count_noun(number, *COUNTS[name]) for name, number in numbers.items())


def _count(view: TangleView, seat: Seat) -> dict[CountName, int]:
    return counts(view.tiles, view.players[seat].front, seat)
