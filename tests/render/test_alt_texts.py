import re
from importlib import import_module

import pytest

from engines.registry import words
from tests.engines.cases import CASES, GameCase
from tests.engines.conformance import fresh, walk

NAMES = ["Ann", "Bo", "Cy", "Di", "Ed"]
CHANGED = re.compile(
    r"The flipped card|Places \d|A card from|.*'s last tiles?"
    r"|(New tile|New marker|Marker taken back) at|The number of workers|.* (has|have) changed"
)
STEPS = 12


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.slug)
def test_an_alt_text_says_first_what_changed(case: GameCase) -> None:
    rules, pictures, result = case.game, import_module(f"render.{case.slug}"), 0
    table = case.tables[0]
    assert not CHANGED.match(pictures.board(rules.view(fresh(rules, table, b"alt text"), None), NAMES).alt)
    for number, (state, _) in enumerate(walk(rules, table, b"alt text", 1.0)):
        view = rules.view(state, None)
        changed = words(case.slug).describe_changes(view, NAMES)[1:]
        is_going = bool(rules.prompts(state))  # a result comes before all else
        if is_going and number % 4 == 3 and changed and not changed[-1].startswith("The active region"):
            result += 1
            assert CHANGED.match(pictures.board(view, NAMES).alt)
        if number == STEPS:
            break
    assert result
