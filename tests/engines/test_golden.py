"""Whole games on file are played again, move by move. See `tests.engines.golden`."""

from pathlib import Path

import msgspec
import pytest

from tests.engines.cases import CASES, GameCase
from tests.engines.conformance import encode_state
from tests.engines.golden import Golden, dump, load, paths, plain, type_value

FILES = [path for case in CASES for path in paths(case.slug)]

every_file = pytest.mark.parametrize("path", FILES, ids=[f"{p.parent.name}-{p.stem}" for p in FILES])


@pytest.mark.parametrize("case", CASES, ids=[case.slug for case in CASES])
def test_every_choice_of_seats_and_options_is_on_file(case: GameCase) -> None:
    files = [load(path) for path in paths(case.slug)]
    covered = [(golden.seats, type_value(golden.options, case.game.Options)) for golden in files]
    assert all((table.seats, table.options) in covered for table in case.usual_tables)


@every_file
def test_a_game_on_file_goes_as_it_went_and_its_saved_positions_load_and_play_on(path: Path) -> None:
    golden = load(path)
    state = golden.begin()
    for number, entry in enumerate(golden.entries):
        if number in golden.saved:
            loaded = type_value(golden.saved[number], golden.game.State)
            assert encode_state(loaded) == encode_state(state), (
                f"the position before decision {number} of {path.name}"
            )
            state = loaded
        assert golden.replay(state, entry) == entry.events, f"decision {number} of {path.name}"
    assert_ends_as_on_file(golden, state)


@every_file
def test_a_file_is_written_as_it_is_read(path: Path) -> None:
    assert dump(load(path)) == path.read_text(encoding="utf-8")


def assert_ends_as_on_file(golden: Golden, state: msgspec.Struct) -> None:
    rules = golden.game
    assert plain(rules.view(state, None)) == golden.view
    assert plain(rules.outcome(state)) == golden.outcome
    assert not rules.prompts(state)
