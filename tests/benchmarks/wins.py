"""Certain wins that computers miss: ``python -m tests.benchmarks wins [GAME …] [--wins N]``.

Medium computers play games; where a turn surely wins, each player makes that turn in several deals of what
its seat can't see. A win counts as missed if the turn doesn't win in all of them.
"""

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import count
from random import Random
from statistics import median
from typing import Any

import msgspec

from engines.engine import find_automatic_move
from engines.game import Seat, Strength
from engines.registry import AnyGame, game
from engines.ribbon.computer import moves_of_draft
from engines.ribbon.computer.evaluation import FACE_DOWN, RIBBON, can_clear, numbers
from engines.ribbon.preview import TurnDraft, drafts, losing_tangles, preview_turn
from engines.ribbon.truth.state import RibbonState
from engines.tangle.computer.search import winning_line
from engines.tangle.decisions import Placing
from engines.tangle.legal.context import Counts, lacking_of
from engines.tangle.truth.state import TangleState
from engines.tangle.truth.visibility import TangleTrial

PLAYERS = (Strength.MEDIUM, Strength.STRONG)
DEALS = 5
"""The number of deals in which a win is played."""

SURE = 40
"""The number of deals in which a way to win must win to count as certain."""

WIDE = 10_000
"""The moves of a turn of Tangle to try: far more than a computer tries."""

PLAIN = 1000
"""The moves to try without bounds, which could hide a win."""

HEAD = (
    "| game | player | games | certain wins | missed | ms CPU a decision: median, most |\n"
    "|---|---|---|---|---|---|"
)


class WinCheck(msgspec.Struct, frozen=True):
    """The certain wins of a game.

    Attributes:
        options: those of the game as JSON.
        is_certain: returns True if the turn that a seat begins surely wins.
        is_won: returns True if the position after that turn is won for the seat.
    """

    options: bytes
    is_certain: Callable[[AnyGame, Any, Seat], bool]
    is_won: Callable[[Any, Seat], bool]


class WinTally(msgspec.Struct):
    """The wins that a player missed, and what each of its decisions took, in ms of CPU."""

    missed: int = 0
    spent: list[float] = msgspec.field(default_factory=list)


def main(words: Sequence[str]) -> int:
    """Print a row for each game and player. The exit code is 2 for invalid arguments."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks wins", description=__doc__)
    parser.add_argument("games_named", metavar="GAME", nargs="*", help="ribbon or tangle; without any, both")
    parser.add_argument("--wins", type=int, default=500, help="how many certain wins to look at")
    parser.add_argument("--from", dest="first", type=int, default=0, help="the number of the first game")
    wanted = parser.parse_args(words)
    unknown = [name for name in wanted.games_named if name not in CHECKS]
    if unknown:
        parser.error(f"no wins of {', '.join(unknown)}; choose from {', '.join(CHECKS)}")
    print(HEAD, flush=True)
    for slug in wanted.games_named or CHECKS:
        for line in rows(slug, wanted.wins, wanted.first):
            print(line, flush=True)
    return 0


def rows(slug: str, wins: int, first: int) -> Iterator[str]:
    rules, check, seen = game(slug), CHECKS[slug], 0
    tallies = {player: WinTally() for player in PLAYERS}
    for number in count(first):
        for state, seat in certain_wins(rules, check, number):
            seen += 1
            for player, tally in tallies.items():
                tally.missed += not wins_everywhere(rules, check, state, seat, player, tally.spent)
            if seen == wins:
                break
        if seen >= wins:
            break
    for player, tally in tallies.items():
        spent = tally.spent or [0.0]
        cells = slug, player, number + 1 - first, seen, f"**{tally.missed}**"
        yield f"| {' | '.join(map(str, cells))} | {median(spent):.3g}, {max(spent):.3g} |"


def certain_wins(rules: AnyGame, check: WinCheck, number: int) -> Iterator[tuple[Any, Seat]]:
    """Yield the positions of a game that a turn surely wins."""
    options = rules.settle(2, msgspec.json.decode(check.options, type=rules.Options))
    secret, luck, looked = f"wins {number}".encode(), Random(number), -1
    state = rules.begin(2, options, rules.deal(2, options, secret), secret)
    while prompts := rules.prompts(state):
        seat = next(iter(prompts))
        if state.turn != looked and check.is_certain(rules, state, seat):
            yield copy_state(rules, state), seat
            looked = state.turn
        rules.play(state, seat, _choose_move(rules, state, seat, Strength.MEDIUM, luck, []))


def wins_everywhere(
    rules: AnyGame, check: WinCheck, state: Any, seat: Seat, player: Strength, spent: list[float]
) -> bool:
    """Return True if a player's turn wins in all deals. Adds what its decisions took to `spent`."""
    worlds = [state, *redeals(rules, state, seat, DEALS - 1)]
    return all(check.is_won(_end_turn(rules, world, seat, player, spent), seat) for world in worlds)


def redeals(rules: AnyGame, state: Any, seat: Seat, number: int) -> list[Any]:
    view, luck = rules.view(state, seat), Random(1)
    return [rules.sample_state(view, luck) for _ in range(number)]


def copy_state(rules: AnyGame, state: Any) -> Any:
    return rules.copy(state) or msgspec.msgpack.decode(msgspec.msgpack.encode(state), type=rules.State)


def _end_turn(rules: AnyGame, world: Any, seat: Seat, player: Strength, spent: list[float]) -> Any:
    state, luck = copy_state(rules, world), Random(1)
    while state.turn == world.turn and seat in rules.prompts(state):
        rules.play(state, seat, _choose_move(rules, state, seat, player, luck, spent))
    return state


def _choose_move(
    rules: AnyGame, state: Any, seat: Seat, player: Strength, luck: Random, spent: list[float]
) -> Any:
    move = find_automatic_move(rules, state, seat)
    if move is None:
        view, begun = rules.view(state, seat), time.process_time()
        move = rules.choose(view, seat, luck, player)
        spent.append((time.process_time() - begun) * 1000)
    return move


def _is_certain_in_tangle(rules: AnyGame, state: TangleState, seat: Seat) -> bool:
    if not isinstance(state.decision, Placing):
        return False
    search = partial(winning_line, rules.view(state, seat), seat, Random(1), rules, TangleTrial)
    line = search(most=PLAIN, estimate=_plain_shortfall) or search(most=WIDE)
    return bool(line) and all(
        _wins_by(rules, world, seat, line) for world in redeals(rules, state, seat, DEALS)
    )


def _plain_shortfall(_: object, __: object, needs: Sequence[Counts], have: Counts) -> int:
    return min(lacking_of(need, have) for need in needs)


def _wins_by(rules: AnyGame, world: TangleState, seat: Seat, line: Sequence[Any]) -> bool:
    for move in line:
        if move not in rules.moves(world, seat):
            return False
        rules.play(world, seat, move)
    return has_first_place(world, seat)


def has_first_place(state: Any, seat: Seat) -> bool:
    return state.outcome is not None and state.outcome.places[seat] == 1


def _is_certain_in_ribbon(rules: AnyGame, state: RibbonState, seat: Seat) -> bool:
    if state.phase != "arrange" or state.swapped or state.exchanged:
        return False
    view, worlds = rules.view(state, seat), [state, *redeals(rules, state, seat, SURE - 1)]
    for draft in drafts(view):
        after = preview_turn(view, draft.swap, draft.exchange)
        if not losing_tangles(view, after.circle) and all(
            leaves_no_way_out(_arrange(rules, world, draft), seat) for world in worlds
        ):
            return True
    return False


def _arrange(rules: AnyGame, world: RibbonState, draft: TurnDraft) -> RibbonState:
    after: RibbonState = copy_state(rules, world)
    seat = world.seat
    for move in moves_of_draft(rules.view(world, seat), draft):
        rules.play(after, seat, move)
    return after


def leaves_no_way_out(state: RibbonState, seat: Seat) -> bool:
    """Return True if the only other seat is out whatever it flips."""
    other = 1 - seat
    colour = state.ribbons[other]
    if state.seat != other or colour is None:
        return has_first_place(state, seat)
    circle, hand, rival = numbers(state.circle), numbers(state.hands[other]), RIBBON[colour]
    flips = [(place, card) for place, card in enumerate(numbers(state.beneath)) if card != FACE_DOWN]
    circles = [[*circle[:place], card, *circle[place + 1 :]] for place, card in flips] or [circle]
    return not any(can_clear(one, hand, rival) for one in circles)


CHECKS = {
    "ribbon": WinCheck(b'{"mode":"versus"}', _is_certain_in_ribbon, leaves_no_way_out),
    "tangle": WinCheck(b"{}", _is_certain_in_tangle, has_first_place),
}
"""The games whose wins are looked for."""
