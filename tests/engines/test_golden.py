"""Whole games on file are played again, move by move. See `tests.engines.golden`."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from tests.engines.cases import CASES, Case
from tests.engines.conformance import encoded
from tests.engines.golden import Golden, dump, load, paths, plain, typed

FILES = [path for case in CASES for path in paths(case.slug)]

every_file = pytest.mark.parametrize("path", FILES, ids=[f"{p.parent.name}-{p.stem}" for p in FILES])


@pytest.mark.parametrize("case", CASES, ids=[case.slug for case in CASES])
def test_every_choice_of_seats_and_options_is_on_file(case: Case) -> None:
    files = [load(path) for path in paths(case.slug)]
    covered = [(golden.seats, typed(golden.options, case.game.Options)) for golden in files]
    assert all((table.seats, table.options) in covered for table in case.usual_tables)


@every_file
def test_a_game_on_file_goes_as_it_went_and_its_saved_positions_load_and_play_on(path: Path) -> None:
    golden = load(path)
    state = golden.begun()
    for number, entry in enumerate(golden.entries):
        if number in golden.saved:
            loaded = typed(golden.saved[number], golden.game.State)
            assert encoded(loaded) == encoded(state), f"the position before decision {number} of {path.name}"
            state = loaded
        assert golden.replayed(state, entry) == entry.events, f"decision {number} of {path.name}"
    assert_ends_as_on_file(golden, state)


@every_file
def test_a_file_is_written_as_it_is_read(path: Path) -> None:
    assert dump(load(path)) == path.read_text(encoding="utf-8")


def assert_ends_as_on_file(golden: Golden, state: msgspec.Struct) -> None:
    rules = golden.game
    assert rules.text(rules.view(state, None)).splitlines() == golden.text
    assert plain(rules.outcome(state)) == golden.outcome
    assert not rules.prompts(state)
