from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests import reached, size, tiers

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


PLAIN, DEAR, KEPT = "t.py::test_plain", "t.py::test_dear[2]", "t.py::test_kept"
NEW, FLOW = "t.py::test_new", "f.py::test_flow"


class Item:
    def __init__(self, nodeid: str, *fixtures: str, essential: bool = False) -> None:
        self.nodeid, self.fixturenames, self._essential = nodeid, fixtures, essential

    def get_closest_marker(self, name: str) -> object:
        return name if self._essential else None


@pytest.fixture
def suite(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    costs = {"t.py::test_dear": tiers.DEAR, "t.py::test_kept": 9.0, "t.py::test_plain": 0.1}
    monkeypatch.setattr(tiers, "read_costs", lambda: costs)
    return [Item(PLAIN), Item(DEAR), Item(KEPT, essential=True), Item(NEW), Item(FLOW, "stage")]


@pytest.mark.parametrize(
    ("tier", "left_out"),
    [("full", set()), ("test", {DEAR}), ("rest", {PLAIN, KEPT, NEW, FLOW}), ("quick", {DEAR, KEPT, FLOW})],
)
def test_a_tier_leaves_out_the_slow_and_needless(tier: str, left_out: set[str], suite: list[Any]) -> None:
    assert {one.nodeid for one in tiers.outside(tier, suite)} == left_out


def test_a_quick_run_loads_no_folder_that_draws_or_needs_a_bot() -> None:
    given = {"--tier": "quick", "--record-costs": False}
    config: Any = SimpleNamespace(getoption=given.get, args_source=pytest.Config.ArgsSource.TESTPATHS)
    paths = [
        tiers.COSTS.parent / name for name in ("discord/play", "engines/test_a.py", "engines/tesla/a.py")
    ]

    ignored = [tiers.Tiers(config).pytest_ignore_collect(path, config) for path in paths]

    assert ignored == [True, True, None]


def report(nodeid: str, seconds: float) -> Any:
    return SimpleNamespace(when="call", nodeid=nodeid, user_properties=[(tiers.COST, seconds)])


@pytest.mark.parametrize(
    ("seconds", "status"),
    [(tiers.UNRECORDED, pytest.ExitCode.TESTS_FAILED), (tiers.DEAR, pytest.ExitCode.OK)],
)
def test_ci_fails_if_a_test_that_takes_long_has_no_record(
    seconds: float, status: pytest.ExitCode, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", "true")
    given = {"--tier": "test", "--record-costs": False}
    watch = tiers.Tiers(SimpleNamespace(getoption=given.get))  # type: ignore[arg-type]
    session = SimpleNamespace(config=SimpleNamespace(), exitstatus=pytest.ExitCode.OK)

    watch.pytest_runtest_logreport(report("t.py::test_nobody_knows[1]", seconds))
    watch.pytest_sessionfinish(session)  # type: ignore[arg-type]

    assert session.exitstatus == status


def test_what_only_the_rest_reaches_is_named_by_function(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = "A = 1\nclass B:\n    def c(self):\n        def d():\n            return A\n        return d\n"
    (tmp_path / "b.py").write_text(code)
    monkeypatch.setattr(reached, "ROOT", tmp_path)

    later = reached.find_later({"b.py": {1, 3}}, {"b.py": {1, 3, 4, 5, 6}})

    assert later == {"b.py:B.c.d": [4, 5], "b.py:B.c": [6]}
