from importlib import import_module
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from engines.components import our_data
from host import components, start
from render.core.emoji import DPI, HEIGHT, WIDTH

GAMES = ("ribbon", "tesla", "tangram", "tanglewood", "tangle")
SHEETS = {
    "ribbon": {"cards-1.png", "cards-2.png"},
    "tesla": {"hexagons-1.png", "squares.png"},
    "tangram": {"tiles-1.png", "cards-1.png", "boards-1.png"},
    "tanglewood": {"board.png", "tracks.png", "tangles-1.png", "ballots.png", "tiles-and-mats.png"},
    "tangle": {"board-2.png", "board-4.png", "enchantments-1.png", "conditions-1.png", "tiles.png"},
}


@pytest.fixture
def my_file(tmp_path: Path) -> Path:
    """A data file with other wires on a card."""
    path = tmp_path / "my.toml"
    path.write_bytes(our_data("ribbon").replace(b'green = "rise"', b'green = "low"', 1))
    return path


@pytest.mark.parametrize("slug", GAMES)
def test_our_own_data_is_fine(slug: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert components.main([slug]) == components.FINE
    assert "one can play with our data" in capsys.readouterr().out


@pytest.mark.parametrize("slug", GAMES)
def test_sheets_show_all_components_at_the_size_of_a_page(slug: str) -> None:
    sheets = {sheet.name: sheet for sheet in import_module(f"render.{slug}.proofs").proofs()}

    assert sheets.keys() >= SHEETS[slug]
    for sheet in sheets.values():
        image = Image.open(BytesIO(sheet.png))
        assert round(image.info["dpi"][0]) == DPI
        assert 1200 <= image.width <= 1280
        assert sheet.alt
    assert (WIDTH, HEIGHT) in {Image.open(BytesIO(sheet.png)).size for sheet in sheets.values()}


@pytest.mark.slow
def test_a_file_is_compared_and_drawn_as_it_is(
    my_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "out" / "sheets"

    assert start.main(["components", "ribbon", str(my_file), "--sheet", str(folder)]) == components.FINE

    text = capsys.readouterr().out
    assert "Different from ours, 1 in all:\n- Card A: green is low, was rise." in text
    assert "- ribbon-cards-1.png" in text
    assert {path.name for path in folder.iterdir()} == {"ribbon-cards-1.png", "ribbon-cards-2.png"}
    ours = next(iter(import_module("render.ribbon.proofs").proofs()))
    assert (folder / "ribbon-cards-1.png").read_bytes() != ours.png


def test_an_unusable_file_is_not_drawn(
    my_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    my_file.write_text(
        my_file.read_text().replace('"fall"', '"grey"', 1).replace("places = 12", "places = 11")
    )
    folder = tmp_path / "out"

    assert components.main(["ribbon", str(my_file), "--sheet", str(folder)]) == components.UNUSABLE

    text = capsys.readouterr().err
    assert "No game can be played with my.toml:" in text
    assert "Card C, green: must be one of low, high, rise, fall, not grey." in text
    assert not folder.exists()


def test_a_doubtful_file_is_playable(my_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    my_file.write_bytes(our_data("ribbon").replace(b'green = "rise"', b'green = "fall"', 1))

    assert components.main(["ribbon", str(my_file)]) == components.AMISS

    assert "- Cards A and C are alike" in capsys.readouterr().out


def test_an_unchanged_copy_differs_in_nothing(my_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    my_file.write_bytes(our_data("ribbon"))

    assert components.main(["ribbon", str(my_file)]) == components.FINE

    assert "Nothing differs from ours." in capsys.readouterr().out


def test_a_missing_file_is_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert components.main(["tesla", str(tmp_path / "none.toml")]) == components.UNUSABLE
    assert "I can't read" in capsys.readouterr().err
