from typing import Any

import pytest

from cogs.ui.text import to_label
from engines.marks import to_speech
from engines.registry import move_names
from engines.tangle.moves import TakeRow
from tests.engines.cases import GameCase
from tests.engines.conformance import Played, decode_state, play_shared_games
from tests.engines.test_conformance import NAMES, READ_ALOUD, cases
from tests.often import often

LONG = ["W" * 31 + letter for letter in "ABCDEF"]


def is_second_copy(move: Any, view: Any) -> bool:
    """Return True if another move takes the same card of Tangle."""
    return isinstance(move, TakeRow) and view.row[move.slot] in view.row[: move.slot]


@pytest.mark.parametrize("case", cases())
def test_two_legal_moves_have_different_names(case: GameCase) -> None:
    rules, naming = case.game, move_names(case.slug).move_name
    played = Played(case, play_shared_games(case.slug))
    for table, taken in played.steps(often(40, 200)):
        state = decode_state(rules, taken.before)
        for seat in rules.prompts(state):
            view = rules.view(state, seat)
            listed = [move for move in rules.moves(state, seat) if not is_second_copy(move, view)]
            for names in (NAMES[: table.seats], LONG[: table.seats]):
                named = [naming(move, view, names) for move in listed]
                assert len({to_label(name)[:100].lower() for name in named}) == len(listed)
                assert all(READ_ALOUD.fullmatch(to_speech(name)) for name in named)
