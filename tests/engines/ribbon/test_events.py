"""Lines of a game that undo may cross, and their form on the wire."""

from typing import get_args

import msgspec
import pytest

from engines.ribbon.events import CardReceived, CardsDealt, CircleFull, Event, Exchanged, RibbonSwapped

MAY_BE_UNDONE = {RibbonSwapped, Exchanged, CircleFull}


@pytest.mark.parametrize("kind", get_args(Event))
def test_a_line_reveals_unless_it_may_be_taken_back(kind: type[msgspec.Struct]) -> None:
    defaults = dict(zip(reversed(kind.__struct_fields__), reversed(kind.__struct_defaults__), strict=False))
    assert defaults["reveals"] == (kind not in MAY_BE_UNDONE)


def test_the_tags_are_the_words_of_the_description() -> None:
    assert [kind.__struct_config__.tag for kind in get_args(Event)] == [
        "ribbon_chosen",
        "hand_chosen",
        "flipped",
        "swapped",
        "exchanged",
        "circle_full",
        "turn_ended",
        "resigned",
        "eliminated",
        "cards_dealt",
        "card_received",
        "tie_offered",
        "tie_answered",
        "finished",
    ]


def test_a_dealt_hand_says_from_whom_and_to_whom() -> None:
    line = msgspec.to_builtins(CardsDealt(0, (1, 2)))
    assert (line["from"], line["to"]) == (0, (1, 2))


def test_a_card_received_is_for_its_receiver() -> None:
    assert CardReceived(1, "L", only=1).only == 1
