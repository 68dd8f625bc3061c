"""Games of Tangram City to put on file: endings that computer players hardly ever reach."""

from collections.abc import Iterator

from engines.game import Seat
from engines.tangram import GAME
from engines.tangram.moves import Decline, DeclineFountain, Move, TangramDone
from engines.tangram.pieces.components import TILES, TangramOptions
from engines.tangram.truth.state import TangramDeal, TangramState, current
from tests.engines.cases import TableChoice
from tests.engines.golden import Script

DEAL = TangramDeal(tuple(TILES), 0)
PLAIN = TangramOptions("plain")


def arrange_games() -> Iterator[Script]:
    yield _script("all-declined", 2, _declines(2, 27))
    yield _script("left-alone", 3, [(0, Decline(1)), (1, None), (2, None)])
    yield _script("solo-left", 1, [(0, Decline(1)), (0, None)])


def _script(name: str, seats: int, moves: list[tuple[Seat, Move | None]]) -> Script:
    return Script(name, TableChoice(seats, PLAIN), DEAL, b"", moves)


def _declines(seats: int, steps: int) -> list[tuple[Seat, Move | None]]:
    state = GAME.begin(seats, PLAIN, DEAL, b"")
    made: list[tuple[Seat, Move | None]] = []
    for _ in range(steps):
        for seat in range(seats):
            for move in _answers(state):
                GAME.play(state, seat, move)
                made.append((seat, move))
    return made


def _answers(state: TangramState) -> list[Move]:
    match state.phase:
        case "fountain":
            return [DeclineFountain()]
        case "final":
            return [*(Decline(tile) for tile in current(state)), TangramDone()]
        case _:
            return [Decline(current(state)[0])]
