from typing import Any

import msgspec
import pytest

from engines.game import Outcome
from engines.tangle import GAME, decisions
from engines.tangle.pieces.board import TangleTile
from engines.tangle.pieces.components import CARDS, TangleOptions
from engines.tangle.view import TangleView
from engines.tangle.words import captions
from engines.words import ALT_LIMIT
from render.core.text import fit, wrap
from render.tangle.colours import LEAST
from tests.render.positions import lands

NAMES = ("Ann", "Bo", "Cy", "Dee")


def first(seats: int = 3, **fields: Any) -> TangleView:
    return msgspec.structs.replace(GAME.view(next(lands(seats)), None), **fields)


def end_game(*places: int | None) -> TangleView:
    return first(len(places), phase="over", outcome=Outcome("condition", places), owing=(), decision=None)


@pytest.mark.parametrize(
    ("view", "text"),
    [
        (first(), "Round 1 of 50"),
        (first(options=TangleOptions(round_limit=0), round=7), "Round 7"),
        (end_game(2, 1, 3), "Bo wins"),
        (end_game(1, 3, 1), "A shared victory"),
        (end_game(None, None), "Called off"),
    ],
)
def test_the_headline_tells_the_round_or_the_end(view: TangleView, text: str) -> None:
    assert captions.title(view, NAMES) == text


def test_the_pool_and_the_turns_gains_are_shown() -> None:
    assert captions.supply(first()) == ["pile 39", "discards 0"]
    assert captions.supply(first(changes=1, extra=2))[:2] == ["1 change", "2 more placements"]
    assert captions.supply(first(changes=2, extra=1))[:2] == ["2 changes", "1 more placement"]
    assert captions.supply(first(reserve=3))[0] == "toll 3"
    assert captions.supply(end_game(1, 2))[0] == "after round 1"


def test_duties_follow_the_phase() -> None:
    assert captions.status(first(), 0).short == "to place"
    assert captions.status(first(), 1).short == ""
    assert captions.status(first(decision=decisions.Lakes()), 0).short == "to act"
    upkeep = decisions.Upkeep("lakes", ((), ("C6",), ()), (0, 0, 0))
    waiting = first(decision=upkeep, owing=(1,))
    assert [captions.status(waiting, seat).short for seat in range(3)] == ["turn", "owes upkeep", ""]


def test_the_opening_in_words() -> None:
    text = captions.describe_board(first(2), NAMES)
    assert text.startswith(
        "Round 1 of 50. The pile has 42 cards. There are no discards. "
        "There are 10 bush seeds and 10 tree seeds left. Ann must place a root. Ann has "
        "2 water, 2 earth, 2 nourishment and 2 mana; 2 trees and 3 cards in hand. "
        "Bo has 2 water, 2 earth, 2 nourishment and 2 mana; 2 trees"
    )
    assert "Steps to the top of the upkeep tracks: lakes 3; bushes and meadows 3; enchantments 3." in text
    assert "Resources: 2 earth on space E, 2 water on space W, 2 mana on space M and 2 nourishment" in text


def test_an_area_in_words_lists_its_contents() -> None:
    view = first(
        tiles={
            "C6": TangleTile(0, "bush", cubes=3),
            "C7": TangleTile(1, "tree", roots=2),
            "C8": TangleTile(2, "earth", seed="tree"),
            "C9": TangleTile(2, "lake"),
        }
    )
    lines = [captions.tile(view, NAMES, code) for code in ("C6", "C7", "C8", "C9", "D7")]
    assert lines == [
        "Ann's bush, 3 resources on it",
        "Bo's tree, 2 roots at home",
        "Cy's earth, tree seed",
        "Cy's lake",
        "empty",
    ]


def test_spaces_of_a_focus_tell_resources_and_roots_from_top_to_bottom() -> None:
    view = first(roots={"E": (2, 0)}, resources={"E": (0, 4, 0, 0), "W": (0, 0, 0, 0)})
    text = captions.describe_focus(view, NAMES, (), ("E", "W", "CE"))
    assert text == (
        "A part of the land. Space E has 4 earth, and roots of Ann and Cy from the top. "
        "Space W is empty. Space CE is empty."
    )


def test_cards_go_by_the_names_that_menus_say() -> None:
    assert [name for _, name in captions.several(list(CARDS))] == [card.name for card in CARDS.values()]


def test_no_name_of_a_card_takes_more_than_two_lines_of_the_row() -> None:
    for card in CARDS.values():
        lines = wrap(card.name, 190, LEAST, 600)
        assert len(lines) <= 2
        assert all(fit(line, 10_000, LEAST, 600).width <= 190 for line in lines)


def test_a_condition_says_in_words_what_it_counts() -> None:
    text = captions.describe_conditions(["one_land", "broad_realm"])
    assert "13 connected tiles and 8 enchantments in front of you" in text
    assert "15 tiles in all" in text


def test_a_long_alt_text_still_ends_with_a_sentence() -> None:
    text = captions.describe_cards(CARDS)
    assert len(text) <= ALT_LIMIT
    assert text.startswith("39 enchantments.")
    assert text.endswith(".")


def test_a_number_is_not_parted_from_its_noun() -> None:
    assert captions.keep_together("pay 1 W and 2 N") == "pay 1\u00a0W and 2\u00a0N"
