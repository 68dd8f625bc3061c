from pathlib import Path

import pytest

from engines import registry
from host import puzzles, start

FEW = ["tangram", "--games", "2", "--most", "1", "--seed", "a seed"]


def test_what_cannot_be_made_is_refused_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for typed, text in {
        "chess": "“chess” isn't a game. Choose one of: ribbon, tesla,",
        "tesla --games 0": "--games needs a whole number from 1, not 0.",
        "tesla --most many": "--most needs a whole number from 1, not many.",
        "tesla --out /no/such/folder/file": "There's no folder /no/such/folder for file.",
    }.items():
        assert puzzles.main(typed.split()) == puzzles.UNUSABLE
        assert capsys.readouterr().err.startswith(text)


def test_puzzles_are_written_to_a_file_and_the_same_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [tmp_path / name for name in ("one", "two")]

    for file in files:
        assert start.main(["puzzles", *FEW, "--out", str(file)]) == puzzles.FINE

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
