"""Games of Tesla's Tangle to put on file: endings and turns that computer players hardly ever reach."""

from collections.abc import Iterator, Sequence
from typing import Any

from engines.game import Seat
from engines.tesla import GAME
from engines.tesla.moves import Discard, Move, TeslaPlace
from engines.tesla.pieces.components import Face, TeslaOptions
from tests.engines.cases import TableChoice
from tests.engines.golden import Script
from tests.engines.tesla.arrange import SEED, deal_of, legal, steps

RING_TILES = ["03", "01", "01", "01"]
SMALL_RING = (
    "place AA49 03; place AB49 01; mark AB49 01; end; end;"
    "place AC48 23; place AC49 45; replay AC48 23; mark AA49 03; end;"
    "end; take AC48; end; end; end; end; end"
)
HUNDRED_TURNS = "; ".join(
    ["place AA50 14; mark Z50 03; end; mark AA50 14; end"]
    + ["take Z50; end; take AA50; end", "mark Z50 03; end; mark AA50 14; end"] * 49
    + ["take Z50; end; take AA50; end"]
)


def arrange_games() -> Iterator[Script]:
    yield _script("small-ring", RING_TILES, SMALL_RING, opening="rulebook")
    yield _script("nobody-moves", [], "end; end; discard 01 01; end")
    yield _script("hundred-turns", ["03"], HUNDRED_TURNS, opening="rulebook")
    yield _script("leaving-three", ["03"], "place AA50 14; 2 leave; end; mark Z50 03; end; 0 leave", 3)
    yield _script("leaving-four", ["03"], "0 leave; 2 leave; mark Z50 03; end; 1 leave", 4)
    yield _script("squares-left", ["02"], "place AA50 13; end; 0 leave", tiles="square")
    yield _reshuffle()


def _script(name: str, bag: Sequence[Face], words: str, seats: int = 2, **options: Any) -> Script:
    table = TableChoice(seats, GAME.settle(seats, TeslaOptions(**options)))
    deal = deal_of(table.options.tiles, bag)
    state = GAME.begin(seats, table.options, deal, SEED)
    return Script(name, table, deal, SEED, [(seat, move) for seat, move, _ in steps(state, words)])


def _reshuffle() -> Script:
    """Place a tile a turn and discard, until discards are shuffled in."""
    table = TableChoice(2, GAME.settle(2, TeslaOptions()))
    deal = GAME.deal(2, table.options, SEED)
    state = GAME.begin(2, table.options, deal, SEED)
    made: list[tuple[Seat, Move | None]] = []
    while not state.reshuffles:
        for kind, which in ((TeslaPlace, 0), (Discard, -1)):
            move = [move for move in legal(state) if isinstance(move, kind)][which]
            made.append((state.seat, move))
            GAME.play(state, state.seat, move)
    made.append((state.seat, None))
    return Script("reshuffled", table, deal, SEED, made)
