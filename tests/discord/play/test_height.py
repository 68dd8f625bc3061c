"""The height of a panel on a phone, as far as it can be computed without one."""

from __future__ import annotations

from cogs.play.height import CONTROL, FRAME_HEIGHT, GAP, LINE, WIDTH, height
from cogs.play.panel import _fitting_recap
from cogs.ui.page import Button, Menu, Option, Page
from cogs.ui.press import Press
from render.core.canvas import Canvas
from render.core.picture import Picture
from render.tangle.colours import THEMES

LIGHT = THEMES["light"]

PRESS = Press("table", "turn")


def row(*labels: str) -> list[Button]:
    return [Button(label, PRESS) for label in labels]


def test_a_tall_panel_tells_less_of_what_a_press_has_done_and_counts_the_rest() -> None:
    lines = [f"This is what happened in the middle of line {number}." for number in range(1, 6)]
    low, tall = Page(["Where to?"]), Page(["Where to?"] * 37)

    assert _fitting_recap(low, lines).count("This is") == 5
    assert (
        _fitting_recap(tall, lines) == f"-# Earlier lines (4): press **More**, then **History**.\n{lines[-1]}"
    )


def test_a_line_that_is_too_long_takes_two() -> None:
    assert height(Page(["Where to?"])) == FRAME_HEIGHT + LINE
    assert height(Page(["**Place a root.** Where does the root from **B5** go?"])) == FRAME_HEIGHT + 2 * LINE
    assert height(Page(["One\nTwo"])) == FRAME_HEIGHT + 2 * LINE
    assert height(Page(["m" * 38])) == FRAME_HEIGHT + LINE
    assert height(Page(["m" * 39])) == FRAME_HEIGHT + 2 * LINE


def test_a_picture_is_as_tall_as_its_width_allows() -> None:
    picture = Picture(Canvas(1000, 500, LIGHT).png(1), "Paper.", "paper.png")
    assert height(Page([picture])) == FRAME_HEIGHT + GAP + WIDTH // 2


def test_buttons_that_have_no_room_beside_each_other_take_another_line() -> None:
    assert height(Page([row("A", "B", "C")])) == FRAME_HEIGHT + CONTROL
    assert (
        height(Page([row("Place and go on", "Next fit", "Flip", "Set aside")])) == FRAME_HEIGHT + 2 * CONTROL
    )


def test_a_menu_takes_a_line_however_many_it_has() -> None:
    few, many = (Menu(PRESS, "Which?", [Option(str(one), str(one)) for one in range(n)]) for n in (2, 25))
    assert height(Page([few])) == height(Page([many])) > FRAME_HEIGHT
