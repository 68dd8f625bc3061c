"""The steps between the computer players: ``python -m tests.benchmarks levels [GAME …] [--games N]``.

Each strength plays the one below, and the easy one a scripted beginner, with the seats changed equally. The
share is that of the other seats that the player is placed before, a tie counting half: with two seats the
share of wins, with three that of the duels with each of the two others.
"""

import argparse
import os
from collections.abc import Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import partial
from itertools import pairwise

import msgspec

from engines.analysis.statistics import interval
from engines.game import Strength
from tests.strength.beginners import choose_as_beginner
from tests.strength.matches import MATCHES, MatchGame, StrengthMatch, play_game

BEGINNER = "beginner"
PAIRS = ((str(Strength.EASY), BEGINNER), *((str(high), str(low)) for low, high in pairwise(Strength)))
"""Each player with the one below it."""
HEAD = "| game | seats | player | against | games | share | 95 % |\n|---|---|---|---|---|---|---|"


def main(words: Sequence[str]) -> int:
    """Print a row a pair. The exit code is 2 for invalid arguments."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks levels", description=__doc__)
    parser.add_argument("games_named", metavar="GAME", nargs="*", help="ribbon, tesla, …; without any, all")
    parser.add_argument("--games", type=int, default=200, help="how many games each pair plays")
    parser.add_argument(
        "--players", nargs="+", default=list(Strength), help="only these, each against the one below"
    )
    parser.add_argument("--from", dest="first", type=int, default=0, help="the number of the first game")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="how many play at once")
    wanted = parser.parse_args(words)
    unknown = [name for name in wanted.games_named if name not in MATCHES]
    if unknown:
        parser.error(f"no match of {', '.join(unknown)}; choose from {', '.join(MATCHES)}")
    print(HEAD, flush=True)
    numbers = range(wanted.first, wanted.first + wanted.games)
    with ProcessPoolExecutor(wanted.processes) as processes:
        for slug in wanted.games_named or MATCHES:
            for player, against in PAIRS:
                if player in wanted.players:
                    print(_row(processes, slug, player, against, numbers), flush=True)
    return 0


def _row(processes: Executor, slug: str, player: str, against: str, numbers: range) -> str:
    match = msgspec.structs.replace(MATCHES[slug], player=player, against=against)
    games = list(processes.map(partial(play_level_game, match), numbers))
    share = sum(one.ahead for one in games) / len(games)
    low, high = interval(share, len(games))
    cells = slug, match.seats, player, against, len(games), f"**{share:.1%}**", f"{low:.0%} to {high:.0%}"
    return f"| {' | '.join(map(str, cells))} |"


def play_level_game(match: StrengthMatch, number: int) -> MatchGame:
    """Play one game of a match, perhaps against the beginner."""
    rival = partial(choose_as_beginner, match.slug) if match.against == BEGINNER else None
    return play_game(match, number, rival)
