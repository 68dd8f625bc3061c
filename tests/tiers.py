"""Three tiers of the suite, chosen by ``pytest --tier``, and the CPU by which a test gets into one.

`tests/costs.toml` has the CPU seconds of each test function that takes more than `WORTH_NOTING`, written by
``pytest --tier full --record-costs``. A function without a record runs in every tier.
"""

import os
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from tests.browser.chromium import find as find_browser

COSTS = Path(__file__).with_name("costs.toml")
HEAD = """# CPU seconds of one case of each test function above {least}: its own process and all below it.
# Written by `make costs`. `make test` leaves out those of {dear} or more, unless they are marked `essential`.
"""
WORTH_NOTING = 0.3
DEAR = 0.5
UNRECORDED = 12 * DEAR
"""CPU seconds from which CI wants a record: machines differ, and processes are shared."""
TIERS = ("quick", "test", "rest", "full")
"""`rest` is what `test` leaves out, `full` is both."""
LEFT_OUT_OF = {
    "quick": "Left out: what needs a bot or a database, draws, or plays whole games. `make test` runs it.",
    "test": f"Left out: tests of {DEAR} s of CPU or more. `make full` runs them.",
}
NO_BROWSER = "Left out: tests in a browser. `python tests/browser/chromium.py` gets one."
LATER = {"browser", "crash", "db", "discord", "posts", "render", "strength", "strict"}
"""Folders that `make quick` doesn't even load, and neither what tests the engines of all games."""
BOUND = {"stage", "store", "database", "house", "workers", "browser", "chromium", "worlds"}
"""Fixtures of tests that `make quick` leaves out: they need a bot, a database, or other processes."""
TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
COST, LEFT_OUT = "cost", "left_out"
"""The property of a report with a test's CPU seconds, and that of a process with what it leaves out."""


def function_of(nodeid: str) -> str:
    """Return a test function's id, without parameters.

    >>> function_of("tests/test_size.py::test_a[3-ribbon@played]")
    'tests/test_size.py::test_a'
    """
    return nodeid.partition("[")[0]


def read_costs() -> dict[str, float]:
    return dict(tomllib.loads(COSTS.read_text("utf-8"))["seconds"]) if COSTS.exists() else {}


def cpu_seconds() -> float:
    """Return the CPU seconds of this process and of all below it."""
    times = os.times()
    return (
        times.user + times.system + times.children_user + times.children_system + _live_children(os.getpid())
    )


def _live_children(pid: int) -> float:
    total = 0.0
    with suppress(OSError):  # it has ended
        for task in os.listdir(f"/proc/{pid}/task"):
            for child in _read(f"/proc/{pid}/task/{task}/children").split():
                numbers = _read(f"/proc/{child}/stat").rpartition(")")[2].split()
                total += sum(map(int, numbers[11:15])) / TICKS + _live_children(int(child))
    return total


def _read(path: str) -> str:
    try:
        with open(path) as file:
            return file.read()
    except OSError:  # it has ended
        return ""


def outside(tier: str, items: Sequence[pytest.Item]) -> list[pytest.Item]:
    """Return the tests that a tier leaves out."""
    if tier == "full":
        return []
    if tier == "rest":
        later = set(outside("test", items))
        return [item for item in items if item not in later]
    costs = read_costs()
    least = WORTH_NOTING if tier == "quick" else DEAR
    dear = [
        item
        for item in items
        if costs.get(function_of(item.nodeid), 0.0) >= least
        and (tier == "quick" or item.get_closest_marker("essential") is None)
    ]
    bound = [item for item in items if tier == "quick" and BOUND & {*getattr(item, "fixturenames", ())}]
    return list(dict.fromkeys([*dear, *bound]))


def is_default(config: pytest.Config) -> bool:
    """Return True if no paths are named: they run whatever they cost."""
    return config.args_source is pytest.Config.ArgsSource.TESTPATHS


def leave_out(config: pytest.Config, items: list[pytest.Item], others: Sequence[pytest.Item]) -> None:
    out = set(others)
    items[:] = [item for item in items if item not in out]
    config.hook.pytest_deselected(items=list(others))


class Tiers:
    """Leaves out what isn't of the tier, and collects each test's CPU."""

    def __init__(self, config: pytest.Config) -> None:
        self._records = bool(config.getoption("--record-costs"))
        self._requires = (
            os.environ.get("CI", "") not in ("", "0", "false") and config.getoption("--tier") != "quick"
        )
        self._seen: defaultdict[str, list[float]] = defaultdict(list)
        self._unrecorded: list[str] = []
        self.left_out: set[str] = set()
        """Sentences about what this run leaves out."""

    def pytest_ignore_collect(self, collection_path: Path, config: pytest.Config) -> bool | None:
        if config.getoption("--tier") != "quick" or not is_default(config):
            return None
        is_later = collection_path.match("tests/*/*") and collection_path.parent.name in LATER
        return True if is_later or collection_path.match("tests/engines/test_*.py") else None

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        tier = config.getoption("--tier")
        if is_default(config) and (dear := outside(tier, items)):
            leave_out(config, items, dear)
            self.left_out |= {LEFT_OUT_OF[tier]} if tier in LEFT_OUT_OF else set()
        driving = [item for item in items if "chromium" in getattr(item, "fixturenames", ())]
        if driving and find_browser() is None:
            leave_out(config, items, driving)
            self.left_out.add(NO_BROWSER)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        if not (self._records or self._requires):
            return (yield)
        begun = cpu_seconds()
        try:
            return (yield)
        finally:
            item.user_properties.append((COST, round(cpu_seconds() - begun, 3)))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call":
            costs = [float(str(value)) for name, value in report.user_properties if name == COST]
            self._seen[function_of(report.nodeid)] += costs

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if hasattr(session.config, "workerinput"):
            session.config.workeroutput[LEFT_OUT] = sorted(self.left_out)  # type: ignore[attr-defined]
            return
        costs = {name: round(median(seen), 1) for name, seen in sorted(self._seen.items()) if seen}
        if self._records:
            lines = [f'"{name}" = {cost}' for name, cost in costs.items() if cost > WORTH_NOTING]
            head = HEAD.format(least=WORTH_NOTING, dear=DEAR)
            COSTS.write_text("\n".join([head, "[seconds]", *lines, ""]), "utf-8")
        elif self._requires:
            known = read_costs()
            dear = (name for name, cost in costs.items() if cost >= UNRECORDED)
            self._unrecorded = [name for name in dear if name not in known]
            if self._unrecorded and session.exitstatus == 0:
                session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        for name in self._unrecorded:
            terminalreporter.line(f"{name} takes long and has no record: run `make costs`", red=True)
        for line in sorted(self.left_out):
            terminalreporter.line(line)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        self.left_out |= set(getattr(node, "workeroutput", {}).get(LEFT_OUT, ()))
