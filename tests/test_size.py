from pathlib import Path

import pytest

from tests import size

SMALL = size.FileSize(Path("db/small.py"), 100, 10, 10, ("_one",), ())
LARGE = size.FileSize(Path("db/large.py"), 900, 90, 10, ("_two", "_three"), ((80, "walk"), (60, "run")))
CEILING = "[db]\nlines = 900\nfiles = 2\nimports = 100\nonce = 150\nlong = 2\n"


@pytest.fixture
def ceilings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = tmp_path / "ceilings.toml"
    file.write_text(CEILING)
    monkeypatch.setattr(size, "CEILINGS", file)
    return file


@pytest.mark.essential
def test_no_floor_is_larger_than_its_ceiling() -> None:
    assert size.find_excess(size.measure()) == []


def test_every_floor_has_every_ceiling() -> None:
    assert {floor: tuple(known) for floor, known in size.read_ceilings().items()} == dict.fromkeys(
        size.FLOORS, size.KINDS
    )


def test_a_floor_that_grows_is_named_with_its_causes_unless_a_line_says_why(ceilings: Path) -> None:
    (sentence,) = size.find_excess({"db": [SMALL, LARGE]})

    assert sentence == "db has 1000 lines, 900 at most: db/large.py: 900; db/small.py: 100"

    ceilings.write_text(f'{CEILING}raised = ["lines +100: /table rename: nothing could go for it"]\n')

    assert size.find_excess({"db": [SMALL, LARGE]}) == []


@pytest.mark.parametrize(
    "line", ["lines +100", "lines +100: /table rename", "rooms +1: a: b", "lines -5: a: b"]
)
def test_a_line_without_feature_and_reason_raises_nothing(ceilings: Path, line: str) -> None:
    ceilings.write_text(f'{CEILING}raised = ["{line}"]\n')

    with pytest.raises(ValueError, match="isn't like"):
        size.read_ceilings()


def test_ceilings_go_down_and_never_up(ceilings: Path) -> None:
    size.write_ceilings({"db": [SMALL]})
    lower = size.read_ceilings()["db"]
    size.write_ceilings({"db": [SMALL, LARGE]})

    assert lower == {"lines": 100, "files": 1, "imports": 100, "once": 100, "long": 0}
    assert size.read_ceilings()["db"] == lower


@pytest.mark.parametrize(
    ("kind", "cause"),
    [
        ("files", "db/small.py: 100"),
        ("imports", "db/large.py: 90"),
        ("once", "db/large.py (_two, _three): 2"),
        ("long", "db/large.py: walk: 80"),
    ],
)
def test_each_figure_has_its_causes(kind: str, cause: str) -> None:
    assert size.find_causes(kind, [SMALL, LARGE])[0] == cause
