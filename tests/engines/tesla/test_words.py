from engines.tesla import GAME
from engines.tesla.pieces.components import TeslaOptions
from engines.tesla.words.board import describe_moves


def test_tiles_with_the_same_places_share_a_sentence() -> None:
    options = GAME.settle(2, TeslaOptions())
    state = GAME.begin(2, options, GAME.deal(2, options, b"seed"), b"seed")

    lines = describe_moves(GAME.view(state, 0), ["Ann", "Bo"], list(GAME.moves(state, 0))).splitlines()

    tiles = [line for line in lines if " can lie on " in line]
    assert any(line.startswith("Your tiles ") for line in tiles)
    assert len({line.partition(" can ")[2] for line in tiles}) == len(tiles)
