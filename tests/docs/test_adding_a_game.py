"""The page for authors of games names what the code asks of them."""

import inspect
import re
from pathlib import Path

import pytest

from cogs.core.presenter import Presenter
from engines.game import Game
from engines.words import BoardText

PAGE = (Path(__file__).parents[2] / "docs" / "adding-a-game.md").read_text("utf-8")
SHARED = {"rules", "cover", "shows_board", "needs_board"}
"""Methods of presenters that no game writes."""


def methods_of(contract: type) -> set[str]:
    return {
        name for name, _ in inspect.getmembers(contract, inspect.isfunction) if not name.startswith("_")
    } - SHARED


@pytest.mark.parametrize("contract", [Game, Presenter, BoardText])
def test_the_page_names_every_method_of_a_contract(contract: type) -> None:
    named = set(re.findall(r"`(\w+)", PAGE))

    assert methods_of(contract) <= named


def test_the_table_of_methods_lists_only_methods_of_games() -> None:
    table = PAGE.split("The methods:")[1].split("\n\n")[1]

    assert set(re.findall(r"^\| `(\w+)\(", table, re.MULTILINE)) == methods_of(Game)
