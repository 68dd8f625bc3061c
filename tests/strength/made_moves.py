"""Games between equals, move by move."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, NamedTuple

from engines.engine import find_automatic_move
from engines.game import Seat
from engines.registry import game
from tests.strength.matches import MATCHES


class MadeMove(NamedTuple):
    """A player's move in a game, with its view before and the state after."""

    seat: Seat
    view: Any
    move: Any
    after: Any


def play_moves(
    slug: str, number: int, luck: Random, choose: Callable[[Any, Seat, Random], Any]
) -> Iterator[MadeMove]:
    """Play a game between equals; yield each move that was a choice."""
    rules, match = game(slug), MATCHES[slug]
    secret = number.to_bytes(8, "big")
    options = rules.settle(match.seats, rules.Options())
    state = rules.begin(match.seats, options, rules.deal(match.seats, options, secret), secret)
    while prompts := rules.prompts(state):
        seat = next(iter(prompts))
        move = find_automatic_move(rules, state, seat)
        if move is not None:
            rules.play(state, seat, move)
            continue
        view = rules.view(state, seat)
        move = choose(view, seat, luck)
        rules.play(state, seat, move)
        yield MadeMove(seat, view, move, state)
