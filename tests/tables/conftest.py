from collections.abc import AsyncIterator, Callable

import pytest

from db.store import Store
from engines.ribbon import Ribbon
from engines.ribbon.pieces.components import RibbonOptions
from engines.ribbon.truth.state import RibbonDeal
from engines.workers import Workers
from tables.core.table import Table
from tests.conftest import on_sqlite as pytest_generate_tests
from tests.engines.ribbon.games import CLEAN, NEARLY
from tests.tables.house import ANN, BO, House, HouseClock, arrange_deal

__all__ = ["pytest_generate_tests"]

Dealt = Callable[[str], None]


@pytest.fixture
def clock() -> HouseClock:
    return HouseClock()


@pytest.fixture(autouse=True)
def computers(brief_thoughts: None) -> None:
    """Let computers play quickly: here nobody asks how well."""


@pytest.fixture(autouse=True)
def secrets(fixed_secrets: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("db.subjects.daily.secrets.token_hex", lambda length: "ab" * length)


@pytest.fixture
async def house(store: Store, workers: Workers, clock: HouseClock) -> AsyncIterator[House]:
    opened = House(store, workers, clock)
    yield opened
    await opened.stop()


@pytest.fixture
async def elsewhere(second_store: Store, workers: Workers, clock: HouseClock) -> AsyncIterator[House]:
    """Yield the same house as a second process has it."""
    opened = House(second_store, workers, clock)
    yield opened
    await opened.stop()


@pytest.fixture
def shard_split(house: House, elsewhere: House) -> None:
    """Let the first process act; the second still gets requests."""
    for one, shard in ((house, 0), (elsewhere, 1)):
        one.store.shards.divide(2, {shard})
        one.store.shards.hearing = True


@pytest.fixture
def deal_next(monkeypatch: pytest.MonkeyPatch) -> Dealt:
    """Return a function that arranges the next games' deal: eighteen letters."""

    def deal(deck: str) -> None:
        monkeypatch.setattr(Ribbon, "deal", lambda rules, seats, options, seed: arrange_deal(deck))

    return deal


@pytest.fixture
def nearly(deal_next: Dealt) -> None:
    """Deal games that are not lost at once."""
    deal_next(NEARLY)


@pytest.fixture
async def lobby(house: House) -> Table:
    """Let Ann wait for others."""
    return await house.gather(ANN)


@pytest.fixture
async def table(house: House) -> Table:
    """Let Ann and Bo play together."""
    return await house.start(ANN, BO, mode="coop")


@pytest.fixture
async def duel(house: House) -> Table:
    """Let Ann play against Bo."""
    return await house.start(ANN, BO)


@pytest.fixture
def clean(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deal games that end well, with dealt ribbons if there are any."""

    def deal(_rules: Ribbon, _seats: int, options: RibbonOptions, _seed: bytes) -> RibbonDeal:
        is_dealt = options.ribbon_choice == "random"
        return RibbonDeal(tuple(CLEAN), 0, colours=("green", "orange", "purple") if is_dealt else None)

    monkeypatch.setattr(Ribbon, "deal", deal)
