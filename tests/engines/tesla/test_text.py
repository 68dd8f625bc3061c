"""The position in plain text."""

from __future__ import annotations

from engines.tesla import GAME
from engines.tesla.pieces.components import BALANCED
from engines.tesla.truth.state import TeslaState
from tests.engines.tesla.arrange import arrange, begin, line, ring, run


def lines(state: TeslaState, viewer: int | None = None) -> list[str]:
    return GAME.text(GAME.view(state, viewer)).splitlines()


def test_the_start_as_its_first_seat_sees_it() -> None:
    assert lines(begin(["01", "02", "03", "01-23"], opening="balanced"), 0) == [
        "hex, turn 1, tiles owed by seat 0, no marker",
        "tiles Z50=03-14-25:A.B.C",
        "seat 0: 0, 10 markers, 4 tiles: 01 02 03 01-23",
        f"seat 1: {BALANCED.others_start}, 10 markers, 4 tiles",
        "bag 111, discards 0",
    ]


def test_circuits_that_matter_have_a_line() -> None:
    around = ring("Z50")
    state = arrange({**line(2, "Z40"), **around}, {"Z40": (1, "14")}, discards=["01"], idle=[1, 0])

    assert lines(state)[2:5] == [
        "circuit A: 2, seat 1 at Z40",
        "ring B: 6",
        "seat 0: 0, 10 markers, 0 tiles, idle 1",
    ]
    assert lines(state)[-1] == "bag 0, discards 1: 01"


def test_replays_and_seats_that_are_out() -> None:
    state = arrange(scores=[0, 0, 0], phase="replay", replays=2)
    run(state, "2 leave")

    assert lines(state)[0] == "hex, turn 4, replay (2) owed by seat 0"
    assert "seat 2, place 3: 0, 6 markers, 0 tiles" in lines(state)


def test_the_end() -> None:
    state = arrange(hands=[["01"], []], bag=["02", "03"])
    run(state, "1 leave")

    assert lines(state) == [
        "hex, turn 3, over: survivor, places 1, 2",
        "tiles Z50=03-14-25:A.B.C",
        "seat 0: 0, 10 markers, 1 tiles: 01",
        "seat 1: 0, 10 markers, 0 tiles",
        "bag 2: 02 03, discards 0",
    ]
