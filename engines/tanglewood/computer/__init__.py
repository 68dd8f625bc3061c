"""The computer players: each decides from its own view alone, one move at a time.

The medium one plays the biggest gain, as its evaluation sees it; the easy and casual ones do so too, but
 overlook some choices and misjudge the others. The strong one plays its best moves on for
some turns. All but the easy one play a certain win; the easy one does so with its ballots.
"""

from random import Random

from engines.analysis.search import Attention, pick
from engines.game import ADVISED, Advice, AnyGame, Seat, Strength, Thinking
from engines.tanglewood import moves
from engines.tanglewood.computer import search
from engines.tanglewood.computer.evaluation import choose_kept_ballots, gains, is_idle
from engines.tanglewood.computer.search import best, standing, winning_move
from engines.tanglewood.legal.moves import choices
from engines.tanglewood.moves import Move
from engines.tanglewood.view import TanglewoodView

ATTENTION = {
    Strength.EASY: Attention(overlooked=0.41, misjudged=4.8),
    Strength.CASUAL: Attention(overlooked=0.23, misjudged=2.5),
    Strength.MEDIUM: Attention(misjudged=1.0),
}
"""The attention of the players that don't look ahead, in votes."""


def choose(
    view: TanglewoodView,
    seat: Seat,
    rng: Random,
    strength: Strength,
    rules: AnyGame,
    thinking: Thinking = Thinking.USUAL,
) -> Move:
    """Choose a legal move for a seat that owes one. Rules: Computer players."""
    legal = choices(view)
    if view.viewer != seat or not legal:
        raise ValueError("this seat owes no move")
    if view.phase == "keep":
        return choose_kept_ballots(view, seat)
    sees_wins = strength is not Strength.EASY or view.phase == "ballots"
    won = winning_move(view, seat, rng, rules) if sees_wins else None
    if won is not None:
        return won
    if strength is Strength.STRONG:
        return search.best(view, seat, rng, rules, search.DEPTHS[thinking])[0].candidate
    return pick(legal, gains(view, seat), ATTENTION[strength], rng, lambda move: is_idle(view, seat, move))


def advice(view: TanglewoodView, seat: Seat, rng: Random, rules: AnyGame) -> list[Advice]:
    """Return winning moves first, then the best choices some turns on. Of ballots to keep, one."""
    if view.phase == "keep":
        return [Advice((choose_kept_ballots(view, seat),))]
    won = winning_move(view, seat, rng, rules)
    entries = [choice.candidate for choice in best(view, seat, rng, rules)]
    kinds: dict[object, Move] = {}  # only the first placement in each region, whatever the number of markers
    for move in entries if won is None else [won, *entries]:
        kinds.setdefault(move.region if isinstance(move, moves.TanglewoodPlace) else move, move)
    return [Advice((move,)) for move in list(kinds.values())[:ADVISED]]


def estimate(view: TanglewoodView, seat: Seat) -> float | None:
    """Estimate a seat's votes, won and expected, with its other assets. None if it has left."""
    return None if seat in view.out else standing(view, seat)
