import csv
import json
import signal
from pathlib import Path

import pytest
from rich.progress import Progress, TaskID

from engines.analysis.simulation import SimulationPlan
from engines.components import our_data
from engines.game import Strength
from host import simulate, start

FEW = ["ribbon", "--option", "mode=versus", "--games", "4", "--strength", "easy", "--workers", "1"]


def test_unplayable_setups_are_refused_in_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    for typed, text in {
        "tesla --option win=55": "win is one of 30, 50, 80, not 55.",
        "tesla --option lucky=1": "“lucky=1” isn't an option. Write NAME=CHOICE with one of: tiles, opening",
        "tesla --option win": "“win” isn't an option",
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


@pytest.mark.slow
def test_games_are_told_in_tables_and_files_and_the_same_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {kind: tmp_path / f"found.{kind}" for kind in ("csv", "json", "report")}
    typed = [*FEW, *(part for kind, path in files.items() for part in (f"--{kind}", str(path)))]

    assert start.main(["simulate", *typed]) == simulate.FINE

    text = capsys.readouterr().out
    assert "Ribbon Tangle: 4 games, 2 × easy" in text
    assert "95 % interval" in text
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


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
def test_every_other_choice_of_the_options_is_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
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
