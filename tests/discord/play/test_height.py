"""The height of a panel on a phone, as far as it can be computed without one."""

from cogs.play.screen import CONTROL, FRAME_HEIGHT, GAP, LINE, ONE_SCREEN, WIDTH, height, one_screen
from cogs.ui.page import Button, Extra, Menu, Option, Page
from cogs.ui.press import Press
from render.core.canvas import Canvas, Picture
from render.tangle.colours import THEMES

LIGHT = THEMES["light"]

PRESS = Press("table", "turn")


def row(*labels: str) -> list[Button]:
    return [Button(label, PRESS) for label in labels]


MORE = Button("More", PRESS)


def test_a_panel_shows_the_longest_recap_that_fits_one_screen() -> None:
    recaps = ["It happened.\n" * 9, "It happened."]
    low, tall = Page(["Where to?"]), Page(["Where to?"] * 14)

    assert one_screen(low, recaps, [], MORE).parts == [recaps[0], "Where to?", [MORE]]
    assert one_screen(tall, recaps, [], MORE).parts[0] == recaps[1]
    assert one_screen(Page(["Where to?"] * 40), recaps, [], MORE).parts[0] == recaps[1]


def test_a_panel_shows_the_first_extras_for_which_one_screen_has_room() -> None:
    hint = Button("Hint", PRESS)
    extras: list[Extra] = [hint, ["Too long.\n" * 30], ["Short."]]
    page = one_screen(Page(["Where to?", row("End turn")]), [], extras, MORE)

    assert page.parts == ["Where to?", [*row("End turn"), hint, MORE], "Short."]
    assert height(page) <= ONE_SCREEN


def test_the_page_of_a_game_stays_as_it_is() -> None:
    page = Page([row("End turn")])
    one_screen(page, ["It happened."], [Button("Hint", PRESS)], MORE)

    assert page.parts == [row("End turn")]


def test_a_line_that_is_too_long_takes_two() -> None:
    assert height(Page(["Where to?"])) == FRAME_HEIGHT + LINE
    assert height(Page(["**Place a root.** Where does the root from **B5** go?"])) == FRAME_HEIGHT + 2 * LINE
    assert height(Page(["One\nTwo"])) == FRAME_HEIGHT + 2 * LINE
    assert height(Page(["m" * 34])) == FRAME_HEIGHT + LINE
    assert height(Page(["m" * 35])) == FRAME_HEIGHT + 2 * LINE


def test_a_picture_is_as_tall_as_its_width_allows() -> None:
    picture = Picture(Canvas(1000, 500, LIGHT).png(1), "Paper.", "paper.png")
    assert height(Page([picture])) == FRAME_HEIGHT + GAP + WIDTH // 2


def test_buttons_that_have_no_room_beside_each_other_take_another_line() -> None:
    assert height(Page([row("A", "B", "C")])) == FRAME_HEIGHT + CONTROL
    assert (
        height(Page([row("Place, show all", "Next fit", "Flip", "Set aside")])) == FRAME_HEIGHT + 2 * CONTROL
    )


def test_a_menu_takes_a_line_however_many_it_has() -> None:
    few, many = (Menu(PRESS, "Which?", [Option(str(one), str(one)) for one in range(n)]) for n in (2, 25))
    assert height(Page([few])) == height(Page([many])) > FRAME_HEIGHT
