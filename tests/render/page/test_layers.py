"""Boards in layers: each pile shows the board as it was, in few bytes."""

from base64 import b64decode
from importlib import import_module
from io import BytesIO
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageStat

from engines.registry import SLUGS
from render.page import layers
from render.page.layers import DrawnView, Layer, LayerBatch, LayeredBoard
from tests.render.core.test_animation import views

pytestmark = pytest.mark.slow

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
