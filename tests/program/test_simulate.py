import csv
import json
import signal
from importlib import import_module
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from rich.progress import Progress, TaskID

from engines import registry
from engines.analysis.simulation import SimulationPlan
from engines.components import our_data
from engines.game import Strength
from host import components, puzzles, simulate, start
from render.core.emoji import DPI, HEIGHT, WIDTH

FEW = ["ribbon", "--option", "mode=versus", "--games", "4", "--strength", "easy", "--workers", "1"]


def test_unplayable_setups_are_refused_in_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    for typed, text in {
        "tesla --option win=55": "win is one of 30, 50, 80, not 55.",
        "tesla --option lucky=1": "There's no option “lucky”. Options: tiles, opening",
        "tesla --option win": "Write win=CHOICE.",
        "tesla --strength clever": "Strengths are easy, casual, medium, strong, not clever.",
        "tesla --players 3 --strength easy,strong": "There are 3 players, and 2 strengths",
        "tangram --players 9": "Tangram City with these options needs 1 to 5 players, not 9.",
        "tesla --without 01-99": "There's no “01-99” here. Did you mean",
        "ribbon --without A": "Ribbon Tangle can't do without card A",
        "ribbon --data /no/such.toml": "I can't read /no/such.toml",
        "ribbon --csv /no/such/folder/used.csv": "There's no folder /no/such/folder for used.csv.",
    }.items():
        assert simulate.main(typed.split()) == simulate.UNUSABLE
        assert text in capsys.readouterr().err


@pytest.mark.essential
def test_games_fill_tables_and_files_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = {kind: tmp_path / f"found.{kind}" for kind in ("csv", "json", "report")}
    typed = [*FEW, *(part for kind, path in files.items() for part in (f"--{kind}", str(path)))]

    assert start.main(["simulate", *typed]) == simulate.FINE

    text = capsys.readouterr().out
    assert "Ribbon Tangle: 4 games, 2 × easy" in text
    assert "95% interval" in text
    whole = json.loads(files["json"].read_text())
    rows = list(csv.DictReader(files["csv"].read_text().splitlines()))
    assert whole["games"] == 4
    assert sum(seat["wins"] for seat in whole["seats"]) == pytest.approx(1)
    assert [row["name"] for row in rows] == [used["name"] for used in whole["used"]]
    page = files["report"].read_text()
    assert page.startswith("<!doctype html>")
    assert "http" not in page
    assert "<script" not in page

    assert start.main(["simulate", *FEW]) == simulate.FINE
    assert capsys.readouterr().out == text


def test_a_game_of_a_simulation_is_written_as_a_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)

    assert start.main(["simulate", *FEW, "--games", "1", "--page", "2"]) == simulate.FINE

    assert "ribbon-2.html: game 2 as a page" in capsys.readouterr().out
    page = (tmp_path / "ribbon-2.html").read_text()
    assert "Ribbon Tangle, game 2 of seed 1" in page
    assert "Seat 1 (computer, easy)" in page
    assert " UTC" not in page
    assert page.count('id="turn-') > 3


@pytest.mark.essential
def test_ctrl_c_tells_what_there_is_so_far(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    finished = []

    def advance(progress: Progress, bar: TaskID) -> None:
        finished.append(bar)
        if len(finished) == 3:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(Progress, "advance", advance)

    assert start.main(["simulate", *FEW, "--games", "100000"]) == simulate.FINE

    assert "Ribbon Tangle: 3 games, 2 × easy" in capsys.readouterr().out


def test_other_data_and_a_missing_tile_are_compared_with_the_same_games(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    my_file, result = tmp_path / "my.toml", tmp_path / "result.json"
    my_file.write_bytes(our_data("tesla").replace(b"win = 50", b"win = 45"))
    typed = ["tesla", "--games", "2", "--strength", "easy", "--workers", "1", "--data", str(my_file)]

    assert start.main(["simulate", *typed, "--without", "01", "--json", str(result)]) == simulate.FINE

    text, err = capsys.readouterr()
    assert "my.toml without 01, seed 1" in text
    assert "the rulebook says 50, not 45" in err
    whole = json.loads(result.read_text())
    (change,) = whole["changes"]
    assert change["name"] == "my.toml without 01, against my.toml"
    assert [shift["measure"] for shift in change["shifts"]][:3] == [
        "wins of seat 1",
        "wins of seat 2",
        "turns",
    ]
    assert not any(used["name"].endswith(" 01") for used in whole["used"])


@pytest.mark.essential
def test_every_other_option_is_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = tmp_path / "result.json"

    assert start.main(["simulate", *FEW, "--compare-options", "--json", str(result)]) == simulate.FINE

    text, err = capsys.readouterr()
    names = [change["name"] for change in json.loads(result.read_text())["changes"]]
    assert names == ["mode=coop", "ribbon_choice=after_hand", "ribbon_choice=random", "first=host"]
    assert all(f"{name} (4 pairs)" in text for name in names)
    assert "Not compared: mode=solo. Solo is for 1 player" in err
    assert "Not compared: difficulty=hard. It changes nothing here." in err


def test_exchanged_spaces_are_among_the_choices() -> None:
    plan = SimulationPlan("tangle", b"{}", (Strength.EASY,) * 3)

    names = [name for name, _, reason in simulate.other_choices(plan) if not reason]

    assert "centre=takeover" in names
    assert 'exchange=[["GW","sacrifice"]]' in names
    assert not any("CG" in name for name in names)


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
    assert "our data can be played with" in capsys.readouterr().out


@pytest.mark.parametrize("slug", GAMES)
@pytest.mark.essential
def test_sheets_show_all_components_at_the_size_of_a_page(slug: str) -> None:
    sheets = {sheet.name: sheet for sheet in import_module(f"render.{slug}").proofs()}

    assert sheets.keys() >= SHEETS[slug]
    for sheet in sheets.values():
        image = Image.open(BytesIO(sheet.png))
        assert round(image.info["dpi"][0]) == DPI
        assert 1200 <= image.width <= 1280
        assert sheet.alt
    assert (WIDTH, HEIGHT) in {Image.open(BytesIO(sheet.png)).size for sheet in sheets.values()}


@pytest.mark.essential
def test_a_file_is_compared_and_drawn_as_it_is(
    my_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "out" / "sheets"

    assert start.main(["components", "ribbon", str(my_file), "--sheet", str(folder)]) == components.FINE

    text = capsys.readouterr().out
    assert "1 difference from our data:\n- Card A: green is low instead of rise." in text
    assert "- ribbon-cards-1.png" in text
    assert {path.name for path in folder.iterdir()} == {"ribbon-cards-1.png", "ribbon-cards-2.png"}
    ours = next(iter(import_module("render.ribbon").proofs()))
    assert (folder / "ribbon-cards-1.png").read_bytes() != ours.png


def test_a_bad_file_is_not_drawn(my_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    my_file.write_text(
        my_file.read_text().replace('"fall"', '"grey"', 1).replace("places = 12", "places = 11")
    )
    folder = tmp_path / "out"

    assert components.main(["ribbon", str(my_file), "--sheet", str(folder)]) == components.UNUSABLE

    text = capsys.readouterr().err
    assert "No game can be played with my.toml:" in text
    assert "Card C, green: must be one of low, high, rise, fall, not grey." in text
    assert not folder.exists()


@pytest.mark.parametrize(
    ("wire", "code", "said"),
    [
        (b"fall", components.AMISS, "- Cards A and C are alike"),
        (b"rise", components.FINE, "Nothing differs from ours."),
    ],
)
def test_a_file_that_is_doubtful_or_an_unchanged_copy_is_playable(
    my_file: Path, capsys: pytest.CaptureFixture[str], wire: bytes, code: int, said: str
) -> None:
    my_file.write_bytes(our_data("ribbon").replace(b'green = "rise"', b'green = "%s"' % wire, 1))

    assert components.main(["ribbon", str(my_file)]) == code

    assert said in capsys.readouterr().out


def test_missing_files_and_nonsense_are_sentences(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert components.main(["tesla", str(tmp_path / "none.toml")]) == components.UNUSABLE
    assert "I can't read" in capsys.readouterr().err
    for typed, text in {
        "chess": "“chess” isn't a game. Choose one of: ribbon, tesla,",
        "tesla --games 0": "--games needs a whole number from 1, not 0.",
        "tesla --most many": "--most needs a whole number from 1, not many.",
        "tesla --out /no/such/folder/file": "There's no folder /no/such/folder for file.",
    }.items():
        assert puzzles.main(typed.split()) == puzzles.UNUSABLE
        assert capsys.readouterr().err.startswith(text)


FEW_PUZZLES = ["tangram", "--games", "2", "--most", "1", "--seed", "a seed"]


@pytest.mark.essential
def test_puzzles_are_written_the_same_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [tmp_path / name for name in ("one", "two")]

    for file in files:
        assert start.main(["puzzles", *FEW_PUZZLES, "--out", str(file)]) == puzzles.FINE

    text = capsys.readouterr().out
    assert f"{files[0]}: 1 puzzle, " in text
    assert "| strong |" in text
    assert files[0].read_bytes() == files[1].read_bytes()
    offer = registry.puzzles("tangram")
    assert offer is not None
    assert len(list(offer.read(files[0]))) == 1


def test_without_a_puzzle_no_file_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "none"

    assert puzzles.main(["ribbon", "--games", "1", "--seed", "0", "--out", str(file)]) == puzzles.UNUSABLE

    assert "No puzzle was found. Try more games." in capsys.readouterr().err
    assert not file.exists()
