from pathlib import Path

import pytest

from db.backup import BadCopy, backup, restore, verify
from db.store import Store
from tests.db.rows import everything, new_table
from tests.served import POSTGRES

DATABASES = ["postgresql"] if POSTGRES else []
pytestmark = pytest.mark.as_in_use


@pytest.mark.essential
async def test_a_restored_copy_equals_the_original(store: Store, database: str, tmp_path: Path) -> None:
    copy = tmp_path / "copy.dump"
    await new_table(store)
    before = await everything(database)

    backup(database, copy)
    await new_table(store)
    await store.close()
    with pytest.raises(BadCopy, match="--force"):
        restore(database, copy)
    restore(database, copy, force=True)

    assert await everything(database) == before


async def test_a_file_that_is_no_copy_is_refused(store: Store, database: str, tmp_path: Path) -> None:
    (tmp_path / "copy.dump").write_text("no copy")

    with pytest.raises(BadCopy, match="isn't a copy from"):
        verify(database, tmp_path / "copy.dump")
    with pytest.raises(BadCopy, match="isn't a copy from"):
        restore(database, tmp_path / "copy.dump", force=True)
