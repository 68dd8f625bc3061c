from engines.tangle import GAME
from engines.tangle.decisions import Casting, Placing, Upkeep
from engines.tangle.legal.moves import choices
from tests.engines.tangle.arrange import begin, front, give, have, legal, play, put, root, stash


def test_tiles_stay_and_the_hand_is_discarded() -> None:
    state = begin(3)
    give(state, 1, "windfall", "landslide")
    put(state, 1, "meadow", "C7")
    root(state, 1, "N")
    tiles, roots = dict(state.tiles), dict(state.roots)
    GAME.resign(state, 1)

    assert (state.tiles, state.roots) == (tiles, roots)
    assert sorted(state.discards) == ["landslide", "windfall"]
    assert state.players[1].held == 0
    assert GAME.hand(state, 1) is None
    play(state, 0, "place B5 W")
    assert state.seat == 2


def test_its_tiles_and_roots_give_and_take_nothing() -> None:
    state = begin(3)
    put(state, 1, "meadow", "C8")
    put(state, 1, "bush", "B6", cubes=3)
    root(state, 1, "TS")
    front(state, 1, "thorn_toll", "iron_grip")
    GAME.resign(state, 1)
    before = have(state, 1)
    play(state, 0, "place B5 TS")

    assert have(state, 1) == before
    assert have(state, 0) == (2, 2, 2, 2)
    assert state.tiles["C8"].cubes == 0
    assert state.tiles["B6"].cubes == 3


def test_its_turn_ends_without_steps() -> None:
    state = begin(3)
    play(state, 0, "place B5 CE", "earth C6")
    GAME.resign(state, 0)

    assert (state.seat, state.round, state.turn) == (1, 1, 2)
    assert state.trackers == (4, 4, 4)
    assert state.agenda == [Casting(), Placing()]
    play(state, 1, "place B8 W")
    play(state, 2, "place C11 N")
    assert (state.seat, state.round) == (1, 2)


def test_its_markers_go_to_the_next_who_remains() -> None:
    state = begin(4)
    state.markers = (2, 1, 2)
    GAME.resign(state, 3)
    GAME.resign(state, 2)

    assert state.markers == (0, 1, 0)


def test_upkeep_goes_on_without_it() -> None:
    state = begin(3)
    for seat, area in enumerate(("C6", "B7", "C10")):
        put(state, seat, "lake", area)
    state.markers = (1, 1, None)
    play(state, 0, "place B5 W")
    assert list(GAME.prompts(state)) == [0, 1, 2]

    GAME.resign(state, 1)
    assert list(GAME.prompts(state)) == [0, 2]
    assert isinstance(state.decision, Upkeep)
    play(state, 2, "pay_rest")
    play(state, 0, "drop_rest")
    assert (state.seat, state.turn) == (2, 3)
    assert not any(marker is not None for marker in state.markers)
    assert state.tiles["B7"].kind == "lake"
    assert have(state, 2) == (2, 1, 2, 2)


def test_nobody_waits_for_what_only_it_owed() -> None:
    state = begin(3)
    put(state, 2, "lake", "C10")
    state.markers = (1, None, None)
    play(state, 0, "place B5 W")
    assert list(GAME.prompts(state)) == [2]

    GAME.resign(state, 2)
    assert list(GAME.prompts(state)) == [1]
    assert isinstance(state.decision, Placing)
    assert not any(marker is not None for marker in state.markers)


def test_a_toll_to_it_is_waived() -> None:
    state = begin(3)
    root(state, 1, "CE")
    root(state, 2, "CE")
    play(state, 0, "place B5 CE", "done")
    assert state.reserve == 2

    GAME.resign(state, 1)
    assert state.reserve == 1
    assert {move.to for move in legal(state, 0)} == {2}  # type: ignore[union-attr]


def test_its_land_can_not_be_taken_over() -> None:
    state = begin(3, centre="takeover")
    put(state, 1, "earth", "B6")
    put(state, 2, "earth", "C6")
    stash(state, 0, 9, 9, 9, 9)
    play(state, 0, "place B5 X")
    GAME.resign(state, 1)

    assert {getattr(move, "area", "C6") for move in choices(GAME.view(state, 0))} == {"C6"}


def test_its_lakes_stay_lakes() -> None:
    state = begin(3)
    put(state, 1, "lake", "C7")
    put(state, 0, "earth", "C6", seed="bush")
    GAME.resign(state, 1)
    stash(state, 0, 0, 0, 1, 0)
    play(state, 0, "place B5 GR", "grow C6")

    assert state.tiles["C6"].kind == "bush"


def test_the_last_one_left_has_won() -> None:
    state = begin(4)
    for seat in (2, 0, 3):
        GAME.resign(state, seat)

    assert state.outcome is not None
    assert (state.outcome.how, state.outcome.places) == ("left", (3, 1, 4, 2))
    assert GAME.view(state, None).shown == [(), (), (), ()]
