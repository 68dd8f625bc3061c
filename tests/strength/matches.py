"""Matches between computer players: whole games, with the seats changed equally."""

import math
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path
from random import Random
from statistics import fmean, median
from typing import Any, NamedTuple

import msgspec

from engines.analysis.statistics import estimate_change, interval
from engines.engine import find_automatic_move
from engines.game import Seat, Strength
from engines.registry import AnyGame, game
from tests.strength.revision import Player, PlayerChoice, player_from


class StrengthMatch(msgspec.Struct, frozen=True):
    """A match of one player against another that has all the other seats.

    A player is named by a strength, or is the strong one of the code in a folder, given as its path.
    `options` are those of the game as JSON.
    """

    slug: str
    seats: int
    player: str = Strength.STRONG
    against: str = Strength.MEDIUM
    options: bytes = b"{}"


class MatchGame(msgspec.Struct, frozen=True):
    """One game of a match: what the player won of it, and what each decision took, in ms of CPU.

    `ahead` is the share of the other seats that the player is placed before; a tie counts half. `margin` is
    its score less the best of the others; None in games without scores.
    """

    won: float
    own: tuple[float, ...]
    theirs: tuple[float, ...]
    ahead: float = 0.0
    margin: float | None = None


class Tally(msgspec.Struct, frozen=True):
    """The result of a match's games.

    `interval` holds the share of wins with 95%; `own` and `theirs` are the median and the most of what a
    decision took, in ms of CPU. `margin` is the mean one and its interval; None without scores.
    """

    games: int
    wins: float
    interval: tuple[float, float]
    own: tuple[float, float]
    theirs: tuple[float, float]
    margin: tuple[float, float, float] | None = None


MATCHES = {
    "ribbon": StrengthMatch("ribbon", 2, options=b'{"mode":"versus"}'),
    "tesla": StrengthMatch("tesla", 2),
    "tangram": StrengthMatch("tangram", 2),
    "tanglewood": StrengthMatch("tanglewood", 3),
    "tangle": StrengthMatch("tangle", 2),
}
"""The match by which each game's computers are measured."""


def find_player(rules: AnyGame, name: str) -> Player:
    if name in list(Strength):
        return partial(_choose_move, rules, Strength(name))
    return player_from(Path(name), rules.slug)


def _choose_move(rules: AnyGame, strength: Strength, view: Any, seat: Seat, luck: Random) -> PlayerChoice:
    begun = time.process_time()
    move = rules.choose(view, seat, luck, strength)
    return PlayerChoice(move, (time.process_time() - begun) * 1000)


def play_game(match: StrengthMatch, number: int, rival: Player | None = None) -> MatchGame:
    """Play one game of a match, fixed by its number.

    As many games in a row as there are seats have the same deal, with the player at one seat after another.
    `rival` has the other seats instead of the named one.
    """
    rules = game(match.slug)
    deal, seat = divmod(number, match.seats)
    secret = sha256(f"match {deal}".encode()).digest()
    options = rules.settle(match.seats, msgspec.json.decode(match.options, type=rules.Options))
    state = rules.begin(match.seats, options, rules.deal(match.seats, options, secret), secret)
    own, theirs = find_player(rules, match.player), rival or find_player(rules, match.against)
    luck = [Random(f"{deal} {place}") for place in range(match.seats)]
    spent: tuple[list[float], list[float]] = [], []
    while prompts := rules.prompts(state):
        mover = next(iter(prompts))
        move = find_automatic_move(rules, state, mover)
        if move is None:
            view = rules.view(state, mover)
            move, milliseconds = (own if mover == seat else theirs)(view, mover, luck[mover])
            spent[mover != seat].append(milliseconds)
        rules.play(state, mover, move)
    outcome = rules.outcome(state)
    assert outcome is not None
    won = outcome.places.count(1)
    return MatchGame(
        1 / won if outcome.places[seat] == 1 else 0.0,
        tuple(spent[0]),
        tuple(spent[1]),
        _share_behind(outcome.places, seat),
        _margin(outcome.scores, seat),
    )


def _share_behind(places: Sequence[int | None], seat: Seat) -> float:
    """Return the share of the others that a seat beats. A tie counts half."""
    ranks = [math.inf if place is None else place for place in places]
    own, others = ranks[seat], ranks[:seat] + ranks[seat + 1 :]
    return sum((own < other) + (own == other) / 2 for other in others) / len(others)


def _margin(scores: Sequence[int] | None, seat: Seat) -> float | None:
    """Return the points between a seat and the best of the others."""
    if scores is None:
        return None
    return scores[seat] - max(score for other, score in enumerate(scores) if other != seat)


def tally_games(games: Sequence[MatchGame]) -> Tally:
    """Sum up some games, at least one."""
    wins = sum(one.won for one in games)
    margins = [one.margin for one in games if one.margin is not None]
    return Tally(
        len(games),
        wins,
        interval(wins / len(games), len(games)),
        _time_spread([one.own for one in games]),
        _time_spread([one.theirs for one in games]),
        (fmean(margins), *estimate_change(margins)) if margins else None,
    )


def _time_spread(spent: Sequence[tuple[float, ...]]) -> tuple[float, float]:
    every = [one for decisions in spent for one in decisions] or [0.0]
    return median(every), max(every)


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
