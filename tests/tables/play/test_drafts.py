"""Drafts: in memory at once, on disk now and then, and never in anybody's way."""

import msgspec
import pytest

from db.records import DraftRow
from db.store import Store
from tables.core.table import Table
from tests.tables.house import ANN, BO, House


class DraftSketch(msgspec.Struct):
    """A draft of some move."""

    swap: int


class Commits:
    """Counts the writes of drafts."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.rows: list[int] = []
        save = Store.save_drafts

        async def counted(store: Store, rows: list[DraftRow], lines: list[str]) -> None:
            self.rows.append(len(rows))
            await save(store, rows, lines)

        monkeypatch.setattr(Store, "save_drafts", counted)


@pytest.fixture
async def table(house: House) -> Table:
    return await house.start(ANN, BO, mode="coop")


async def test_many_nudges_are_one_commit(
    house: House, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    commits = Commits(monkeypatch)
    for swap in range(20):
        await house.parlour.save_draft(table, 0, DraftSketch(swap))
    await house.parlour.save_draft(table, 1, DraftSketch(7))
    assert commits.rows == []

    await house.parlour.resume()
    await house.parlour.resume()

    assert commits.rows == [2]
    assert await house.restart().parlour.drafts.draft(table, 0, DraftSketch) == DraftSketch(19)


async def test_a_draft_is_written_before_the_end(house: House, table: Table) -> None:
    await house.parlour.save_draft(table, 0, DraftSketch(3))

    await house.parlour.close()

    assert await house.restart().parlour.drafts.draft(table, 0, DraftSketch) == DraftSketch(3)


async def test_a_draft_that_could_not_be_written_is_written_the_next_time(
    house: House, table: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(*_args: object) -> None:
        raise OSError("disk full")

    await house.parlour.save_draft(table, 0, DraftSketch(3))
    with monkeypatch.context() as patched:
        patched.setattr(Store, "save_drafts", fail)
        await house.parlour.resume()
        await house.parlour.resume()
    assert await house.parlour.drafts.draft(table, 0, DraftSketch) == DraftSketch(3)
    assert caplog.text.count("writing down drafts failed") == 1

    await house.parlour.resume()

    assert await house.restart().parlour.drafts.draft(table, 0, DraftSketch) == DraftSketch(3)


@pytest.mark.parametrize("payload", ["{}", '{"swap": "left"}', "gone", '{"tile": [1]}'])
async def test_an_unreadable_draft_is_no_draft(house: House, table: Table, payload: str) -> None:
    await house.store.save_drafts([DraftRow(table.id, 0, table.moment, payload)])

    assert await house.parlour.drafts.draft(table, 0, DraftSketch) is None
