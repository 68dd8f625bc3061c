import io

import pytest
from PIL import Image

from render.core.canvas import Canvas
from render.core.theme import LIGHT
from render.daily import Boards, Day, FinalBoard, MonthSheet, boards, calendar
from tests.often import often

LARGEST = 300 * 1024


def board(width: int = 1200, height: int = 1000) -> bytes:
    return Canvas(width, height, LIGHT).png()


@pytest.mark.parametrize("first", ["2026-02-01", "2026-03-01", "2028-02-01", "2026-08-01"])
def test_every_month_fits_its_picture(first: str) -> None:
    days = {number: Day(number % 3 > 0, number % 5 or None, number) for number in range(1, 29)}
    picture = calendar(MonthSheet("Ann", first, "3 days finished", days, today=4))

    shown = Image.open(io.BytesIO(picture.png))
    assert shown.width == 1080
    assert len(picture.png) < LARGEST
    assert picture.name == "calendar.png"


def test_a_calendar_is_told_in_words_and_is_the_same_again() -> None:
    month = MonthSheet(
        "Ann", "2026-11-01", "1 day finished", {1: Day(True, 1, 10), 2: Day(False), 3: Day(True)}
    )

    picture = calendar(month)

    assert "1: finished 1st with 10 points." in picture.alt
    assert "2: not finished." in picture.alt
    assert "3: finished." in picture.alt
    assert calendar(month) == picture


@pytest.mark.parametrize("name", ["", "😀" * 12, "名前", "a" * 60, "**b**", "مرحبا"])
def test_any_name_can_be_drawn(name: str) -> None:
    assert calendar(MonthSheet(name, "2026-11-01", "0 days finished", {})).png
    assert boards(Boards("The final boards", (FinalBoard(name, "won by 3 points", board()),))).png


@pytest.mark.parametrize("number", often([1, 2, 6], range(1, 7)))
def test_boards_of_any_shape_stand_side_by_side(number: int) -> None:
    shown = tuple(
        FinalBoard(f"{place}. Ann", f"{place} points", board(900 + 50 * place, 700 * place), place == 1)
        for place in range(1, number + 1)
    )

    picture = boards(Boards("The final boards", shown))

    assert Image.open(io.BytesIO(picture.png)).width == 1320
    assert len(picture.png) < LARGEST
    assert f"Place {number}, Ann: {number} points." in picture.alt
