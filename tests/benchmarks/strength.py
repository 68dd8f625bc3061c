"""The strength of the computer players: ``python -m tests.benchmarks strength [GAME …] [--games N]``.

Matches rotate the seats: each deal is played once with the player at every seat. Every machine plays the
same games, whatever the number of processes.
"""

import argparse
import os
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from functools import partial

import msgspec

from engines.game import Strength
from tests.strength.matches import MATCHES, StrengthMatch, Tally, play_game, tally_games
from tests.strength.revision import check_out

PLAYERS = tuple(map(str, Strength))
HEAD = (
    "| game | seats | player | against | games | wins | 95 % | points ahead "
    "| ms CPU a decision: median, most | theirs |\n"
    "|---|---|---|---|---|---|---|---|---|---|"
)


def main(words: Sequence[str]) -> int:
    """Print a row a match. The exit code is 2 for invalid arguments."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks strength", description=__doc__)
    parser.add_argument("games_named", metavar="GAME", nargs="*", help="ribbon, tesla, …; without any, all")
    parser.add_argument("--games", type=int, default=100, help="how many games each match has")
    parser.add_argument("--player", choices=PLAYERS, default=str(Strength.STRONG), help="who is measured")
    parser.add_argument(
        "--against",
        nargs="+",
        default=[str(Strength.MEDIUM)],
        help="players of the other seats: easy, medium, strong, or a tag for the strong ones of then",
    )
    parser.add_argument("--options", metavar="JSON", help="the options of the one game that is named")
    parser.add_argument("--from", dest="first", type=int, default=0, help="the number of the first game")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="how many play at once")
    wanted = parser.parse_args(words)
    unknown = [name for name in wanted.games_named if name not in MATCHES]
    if unknown:
        parser.error(f"no match of {', '.join(unknown)}; choose from {', '.join(MATCHES)}")
    if wanted.options is not None and len(wanted.games_named) != 1:
        parser.error("--options needs exactly one game")
    print(HEAD, flush=True)
    numbers = range(wanted.first, wanted.first + wanted.games)
    with ExitStack() as stack:
        players = {
            name: name if name in PLAYERS else str(stack.enter_context(check_out(name)))
            for name in wanted.against
        }
        processes = stack.enter_context(ProcessPoolExecutor(wanted.processes))
        for name in wanted.games_named or MATCHES:
            for against in wanted.against:
                match = msgspec.structs.replace(MATCHES[name], player=wanted.player, against=players[against])
                if wanted.options is not None:
                    match = msgspec.structs.replace(match, options=wanted.options.encode())
                print(
                    row(match, against, tally_games(list(processes.map(partial(play_game, match), numbers)))),
                    flush=True,
                )
    return 0


def row(match: StrengthMatch, against: str, tally: Tally) -> str:
    low, high = tally.interval
    cells = (
        match.slug,
        match.seats,
        match.player,
        against,
        tally.games,
        f"**{tally.wins / tally.games:.0%}**",
        f"{low:.0%} to {high:.0%}",
        "" if tally.margin is None else "{:+.1f} ({:+.1f} to {:+.1f})".format(*tally.margin),
        f"{tally.own[0]:.3g}, {tally.own[1]:.3g}",
        f"{tally.theirs[0]:.3g}, {tally.theirs[1]:.3g}",
    )
    return f"| {' | '.join(map(str, cells))} |"
