import asyncio
import shlex
import sqlite3
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from db.backup import backup
from db.records import OutboxRow
from db.store import Store
from engines.game import Strength
from engines.ribbon.pieces.components import RibbonOptions
from engines.ribbon.truth.state import RibbonDeal
from engines.workers import Workers
from tables.core.outbox import Delivery
from tables.core.table import Occupant, Phase, Table
from tables.lobby.decisions import draw_of
from tables.parlour import Parlour
from tables.people import Digest
from tables.review import inspect
from tests.docs.pages import ROOT, blocks, read

ANN = 17
SEED = "47920bc3a1a7e16bd6f594c90095211c12c11d927555448d820135472d5ae2ce"
SALT = "86615f55ad58a9fd56dbf278690c3d63"


class NoCourier:
    """A courier that shows nothing."""

    async def show(self, row: OutboxRow, may_be_duplicate: bool) -> Delivery:
        return Delivery()

    async def digest(self, digest: Digest, may_be_duplicate: bool) -> None:
        return None


def read_output(code: str) -> list[str]:
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.split()


async def begin_game(store: Store, workers: Workers) -> tuple[Parlour, Table]:
    """Begin a game of Ann and a computer; nothing moves by itself."""
    parlour = Parlour(store, workers, NoCourier(), lambda: 0.0)
    table = await parlour.lobby.create(1, 2, Occupant("Ann", ANN), "ribbon", RibbonOptions())
    await parlour.lobby.add_computer(table.id, ANN, Strength.MEDIUM)
    table = await parlour.lobby.start(table.id, ANN)
    await parlour.close()
    return parlour, table


def test_the_check_of_a_deal_prints_what_the_guide_says() -> None:
    (code,) = blocks("docs/running/admin.md", "python")

    promise, *deck = read_output(code)

    assert len([line for line in code.splitlines() if line]) == 5
    assert f"`{promise[:8]}…`" in read("docs/running/admin.md")
    assert f"`{' '.join(deck[:4])} …`" in read("docs/running/admin.md")


async def test_the_check_of_a_deal_fits_a_game_that_was_played(store: Store, workers: Workers) -> None:
    (code,) = blocks("docs/running/admin.md", "python")
    parlour, table = await begin_game(store, workers)
    promised = draw_of(table)

    await parlour.play.resign(table.id, ANN)
    await parlour.outbox.finish()
    over = await parlour.table(table.id)
    draw = draw_of(over)

    assert over.phase in {Phase.OVER, Phase.CLOSED}
    assert promised is not None
    assert draw is not None
    assert draw.seed is not None
    assert draw.salt is not None
    promise, *deck = read_output(code.replace(SEED, draw.seed).replace(SALT, draw.salt))
    assert promise == promised.commitment
    assert over.deal is not None
    assert tuple(deck) == msgspec.json.decode(over.deal, type=RibbonDeal).deck


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
async def test_a_backup_is_whole_and_a_table_is_erased_with_all_that_is_of_it(
    store: Store, workers: Workers, tmp_path: Path
) -> None:
    (erase,) = (line for line in lines() if " -c " in line)
    _, table = await begin_game(store, workers)

    await asyncio.to_thread(backup, f"sqlite:///{tmp_path}/parlour.db", tmp_path / "backup.db")
    restored = tmp_path / "restored" / "parlour.db"
    restored.parent.mkdir()
    (tmp_path / "backup.db").rename(restored)
    assert counts(restored)["actions"] == table.version
    run(erase.replace("id = 7", f"id = {table.id}"), restored.parent)

    assert set(counts(restored).values()) == {0}


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
async def test_a_table_is_looked_into_as_the_guide_says(
    store: Store, workers: Workers, database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    parlour, table = await begin_game(store, workers)
    await parlour.close()
    wanted = [line for line in lines() if "tables.review.inspect" in line]

    for line in wanted:
        line = line.replace("--turn 3", "--turn 0").replace("game.json", str(tmp_path / "game.json"))
        command, way, module, file, *arguments = shlex.split(line)
        assert (command, way, module, file) == (
            ".venv/bin/python",
            "-m",
            "tables.review.inspect",
            "parlour.db",
        )
        number = [str(table.id) if argument == "7" else argument for argument in arguments]
        assert await asyncio.to_thread(inspect.main, [database, *number]) == inspect.FINE

    text = capsys.readouterr().out
    assert len(wanted) == 4
    assert f"table {table.id}: Ribbon Tangle, play" in text
    assert f"table {table.id}: all 0 steps go by the rules" in text
    assert (tmp_path / "game.json").read_bytes() == await parlour.import_export.export(table.id, None)


def lines() -> list[str]:
    return [line for block in blocks("docs/running/admin.md", "sh") for line in block.splitlines()]


def run(line: str, folder: Path) -> None:
    command, *arguments = shlex.split(line)
    assert command == ".venv/bin/python"
    subprocess.run([sys.executable, *arguments], cwd=folder, check=True)


def counts(file: Path) -> dict[str, int]:
    """Return the row counts of our game table in each database table."""
    names = ("tables", "seats", "actions", "snapshots", "outbox", "posts", "drafts", "notes", "invitations")
    database = sqlite3.connect(file)
    try:
        return {name: database.execute(f"select count(*) from {name}").fetchone()[0] for name in names}
    finally:
        database.close()
