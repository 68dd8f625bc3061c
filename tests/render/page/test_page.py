"""The page of a game as a file: whole, in order, and harmless whatever people write."""

import re
from base64 import b64decode
from dataclasses import replace
from html.parser import HTMLParser
from importlib import import_module
from io import BytesIO
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageStat

from engines.registry import SLUGS
from engines.words import Part
from render.core.theme import THEMES
from render.page import GamePage, LineChart, PageLine, PageTurn, build_page, layers
from render.page.layers import DrawnView, Layer, LayerBatch, LayeredBoard
from tests.render.core.test_canvas import views

NASTY = "</script><script>alert(1)</script><img src=x onerror=alert(1)>\"'&$title"
LAYERS = [Layer((0, 0, 40, 20), (40, 20), "UklGRg=="), Layer((8, 8, 16, 16), (40, 20), "AAAA")]


def turn(number: int, text: str = "Ann draws.", **more: str) -> PageTurn:
    board = LayeredBoard((40, 20), f"Board {number}", (0, 1)[: number + 1], (Part("Rows", f"Row {number}."),))
    hands = [Part("Ann's hand", "You hold a card.")]
    return PageTurn(f"Turn {number}", "26 Nov 2026, 10:00 UTC", board, [PageLine(text)], hands, **more)


@pytest.fixture
def page() -> GamePage:
    turns = [turn(0), turn(1, turning="Ann's chance goes up."), turn(2)]
    return GamePage(
        title="Ribbon Tangle, table 1",
        result="Ann wins.",
        players=["Ann", "Bo"],
        facts=["Versus", "2 turns"],
        turns=turns,
        layers=LAYERS,
        colours={name: theme.seats for name, theme in THEMES.items()},
        chart=LineChart("Points", [(0, 0), (3, 1), (5, 4)]),
    )


class Elements(HTMLParser):
    """Notes each element with its attributes, and all text."""

    def __init__(self, data: bytes) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(data.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data

    def find(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


def test_turns_come_in_order_with_all_they_say(page: GamePage) -> None:
    read = Elements(build_page(page))

    ids = [one["id"] for one in read.find("li") if (one.get("id") or "").startswith("turn-")]
    assert ids == ["turn-0", "turn-1", "turn-2"]
    boards = [one["aria-label"] for one in read.find("div") if one.get("role") == "img"]
    assert boards == ["Board 0", "Board 1", "Board 2"]
    for text in ("Ann wins.", "Ann draws.", "Row 2.", "You hold a card.", "Ann's chance goes up.", "Versus"):
        assert text in read.text


def test_the_page_loads_nothing_and_says_so(page: GamePage) -> None:
    data = build_page(page).decode()
    read = Elements(data.encode())

    assert not re.search(r"https?:|//[a-z]", data)
    assert not [one for _, one in read.elements if one.keys() & {"src", "srcset", "action", "style"}]
    assert not {tag for tag, _ in read.elements} & {"link", "iframe", "object", "img", "form", "base"}
    links = [one["href"] or "" for one in read.find("a")]
    assert links
    assert all(link.startswith("#turn-") for link in links)
    assert set(re.findall(r"url\((.{0,16})", data)) == {"data:image/webp;"}
    assert "default-src 'none'; img-src data:;" in str(read.find("meta")[1]["content"])


def test_nothing_that_people_write_becomes_markup(page: GamePage) -> None:
    harmless = Elements(build_page(page))
    part = Part(NASTY, NASTY)
    board = replace(page.turns[1].board, alt=NASTY, words=(part,))
    hostile = replace(page.turns[1], heading=NASTY, time=NASTY, board=board, turning=NASTY, hands=[part])
    nasty = replace(
        page,
        title=NASTY,
        result=NASTY,
        players=[NASTY, NASTY],
        facts=[NASTY, NASTY],
        turns=[page.turns[0], replace(hostile, lines=[PageLine(NASTY)]), page.turns[2]],
        chart=replace(page.chart or LineChart("", []), title=NASTY),
    )

    read = Elements(build_page(nasty))

    assert [tag for tag, _ in read.elements] == [tag for tag, _ in harmless.elements]
    assert [sorted(one) for _, one in read.elements] == [sorted(one) for _, one in harmless.elements]
    assert read.text.count(NASTY) > 10


def test_both_themes_are_in_the_page_and_a_layer_once(page: GamePage) -> None:
    data = build_page(page).decode()

    for theme in THEMES.values():
        assert f"--paper:#{bytes(theme.paper).hex()};" in data
        assert f"--seat-1:#{bytes(theme.seats[1]).hex()};" in data
    assert "prefers-color-scheme:dark" in data
    assert ":root[data-theme=dark]" in data

    assert data.count("UklGRg==") == 1
    assert data.count("<i class=l0>") == 3


def test_turning_points_are_marked_and_linked(page: GamePage) -> None:
    data = build_page(page).decode()
    without = build_page(replace(page, turns=[turn(0), turn(1), turn(2)])).decode()

    assert '<a href="#turn-1">Turn 1</a>' in data
    assert '<svg x="50.00%"' in data
    assert "What decided it" not in without


def test_a_chart_says_in_words_what_it_draws_and_ends_the_line_of_who_is_out(page: GamePage) -> None:
    read = Elements(build_page(page))

    (chart,) = [one for one in read.find("svg") if one.get("id") == "chart"]
    assert chart["aria-label"] == "Points over 2 turns: Ann from 0 to 5, Bo from 0 to 4."
    assert "Points" not in Elements(build_page(replace(page, chart=None))).text

    drawn = LineChart("Points", [(0, 0), (3, None), (5, None)]).svg(["Ann", "Bo"], [])

    first, second = re.findall(r"<polyline[^>]* points=\"([^\"]*)\"", drawn)
    assert (first.count(","), second.count(",")) == (3, 1)
    assert drawn.count('class="end"') == 1


def test_a_running_game_begins_with_its_last_turn_and_one_game_is_always_the_same(page: GamePage) -> None:
    assert b'data-begin="0"' in build_page(page)
    assert b'data-begin="2"' in build_page(replace(page, begins_last=True))
    assert build_page(page) == build_page(replace(page))


NAMES = ("Ann", "Bo", "Cy", "Dee", "Eve")
BLOCK = 24
"""Pixels of the blocks that are compared: lossy pictures differ in single ones."""
FAR = 34
"""The most that the mean of a block may be off."""

every_game = pytest.mark.parametrize("slug", SLUGS)


def draw(slug: str, seen: list[Any], size: int) -> LayerBatch:
    """Draw boards in batches of a size; return all boards and layers."""
    pile, boards, made = None, list[LayeredBoard](), list[Layer]()
    for start in range(0, len(seen), size):
        part, is_last = seen[start : start + size], start + size >= len(seen)
        batch = layers.draw_boards(slug, NAMES, part, pile, "light", is_last=is_last)
        pile, boards, made = batch.pile, boards + batch.boards, made + batch.layers
    assert pile is not None
    return LayerBatch(boards, made, pile)


def compose(board: LayeredBoard, made: list[Layer]) -> Image.Image:
    image = Image.new("RGBA", board.size)
    for number in board.layers:
        with Image.open(BytesIO(b64decode(made[number].webp))) as part:
            image.alpha_composite(part.convert("RGBA"), made[number].box[:2])
    return image.convert("RGB")


def draw_expected(slug: str, view: Any) -> Image.Image:
    room = import_module(f"render.{slug}")
    with Image.open(BytesIO(room.board(view, NAMES).png)) as opened:
        whole = opened.convert("RGB")
    size = layers.WIDEST, round(whole.height * layers.WIDEST / whole.width)
    return whole.resize(size, Image.Resampling.HAMMING)


@pytest.mark.any_game
@every_game
def test_each_pile_shows_the_board_as_it_was(slug: str) -> None:
    seen = views(slug, 5)

    drawn = draw(slug, seen, 2)

    assert len(drawn.boards) == len(seen)
    for board, view in zip(drawn.boards, seen, strict=True):
        expected = draw_expected(slug, view)
        difference = ImageChops.difference(compose(board, drawn.layers), expected).reduce(BLOCK)
        assert max(difference.tobytes()) < FAR
        assert board.alt
        assert board.words


@pytest.mark.any_game
@every_game
def test_the_size_of_a_batch_changes_no_layer(slug: str) -> None:
    seen = views(slug, 4)

    one, all_at_once = draw(slug, seen, 1), draw(slug, seen, 100)

    assert (one.boards, one.layers) == (all_at_once.boards, all_at_once.layers)


def test_a_board_that_did_not_change_adds_no_layer() -> None:
    view = views("ribbon", 2)[0]

    drawn = draw("ribbon", [view, view, view], 2)

    assert [board.layers for board in drawn.boards] == [(0,), (0,), (0,)]
    assert len(drawn.layers) == 1


def test_names_in_words_are_as_people_write_them() -> None:
    view = views("ribbon", 2)[0]
    batch = layers.draw_boards("ribbon", ("Ann_B", "*Bo*"), [view], None, "light", is_last=True)
    hands = layers.describe_hands("ribbon", ("Ann_B", "*Bo*"), [view, view])

    told = " ".join(part.heading + part.text for part in (*batch.boards[0].words, *hands))

    assert "Ann_B" in told
    assert "*Bo*" in told
    assert not [sign for sign in told if "\ue000" <= sign <= "\uf8ff"]


def test_what_only_one_turn_shows_leaves_no_layer_behind() -> None:
    views_ = views("ribbon", 8)
    there, back = views_[0], views_[4]

    drawn = draw("ribbon", [there, back, there], 3)

    first, between, last = drawn.boards
    assert first.layers == last.layers == (0,)
    assert len(between.layers) > 1


def test_a_high_pile_begins_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layers, "MOST_LAYERS", 1)
    seen = views("ribbon", 6)

    drawn = draw("ribbon", seen, 3)

    assert len(drawn.boards[-1].layers) <= 4
    assert sum(layer.box == (0, 0, *layer.board) for layer in drawn.layers) > 2


def test_what_stays_holds_on_to_no_passing_neighbour(monkeypatch: pytest.MonkeyPatch) -> None:
    stays, passes = (16, 16, 24, 24), (24, 16, 32, 24)
    pictures = [Image.new("RGB", (48, 48), "white") for _ in range(3)]
    for picture in pictures[1:]:
        picture.paste("red", stays)
    pictures[1].paste("blue", passes)

    def draw_view(_slug: str, _names: Any, view: Any, *_: Any) -> DrawnView:
        return DrawnView(pictures[view], "", ())

    monkeypatch.setattr(layers, "_draw", draw_view)

    drawn = draw("ribbon", [0, 1, 2], 1)

    between, last = (compose(board, drawn.layers).crop(passes) for board in drawn.boards[1:])
    assert ImageStat.Stat(between).mean[2] > 200 > ImageStat.Stat(between).mean[0] + 100
    assert min(ImageStat.Stat(last).mean) > 235
