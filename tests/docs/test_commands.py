import asyncio
import inspect
import re
import shlex
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec
import pytest
from discord.app_commands import Command
from discord.ext import commands

from cogs.core.app import NEEDED
from cogs.lobby import terms
from db.backup import backup
from db.store import Store
from engines.game import Strength
from engines.registry import SLUGS, game, games
from engines.ribbon.pieces.components import RibbonOptions
from engines.ribbon.truth.state import RibbonDeal
from engines.workers import Workers
from host.client import COGS
from host.settings import Settings
from tables.core.table import Occupant, Phase, Table
from tables.lobby.decisions import draw_of
from tables.parlour import Parlour
from tables.review import inspect as inspector
from tests.benchmarks.__main__ import ALONE, PARTS
from tests.docs.pages import PAGES, ROOT, blocks, name, read
from tests.tables.house import EmptyCourier

GROUPS = ("table", "me", "admin", "cup", "daily", *SLUGS)
HOUSE = ("docs/running/admin.md", "docs/playing/yours.md", "docs/playing/cups.md", "docs/playing/daily.md")
MENTION = re.compile(rf"`/({'|'.join(GROUPS)}) ([a-z-]+)")


def existing() -> Iterator[tuple[str, Command[Any, ..., Any]]]:
    cogs = [
        kind
        for module in COGS
        for kind in vars(import_module(module)).values()
        if inspect.isclass(kind) and issubclass(kind, commands.Cog) and kind.__module__.startswith(module)
    ]
    parts = {base for cog in cogs for base in cog.__mro__[1:]}
    for kind in dict.fromkeys(cogs):
        if kind in parts:
            continue
        group = f"{kind.__cog_group_name__} " if issubclass(kind, commands.GroupCog) else ""
        for command in kind.__cog_app_commands__:
            assert isinstance(command, Command)
            yield f"{group}{command.name}", command


COMMANDS = dict(existing())


def test_there_are_commands_and_the_readme_leads_to_the_rules_of_every_game() -> None:
    assert {"help", "table list", "admin config"} <= COMMANDS.keys()
    assert {group for group, _, sub in (command.partition(" ") for command in COMMANDS) if sub} == set(GROUPS)
    for rules in games():
        assert f"(docs/games/{rules.slug}.md)" in read("README.md")
        assert rules.title in read("README.md")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_stands_in_the_docs(command: str) -> None:
    group = command.split()[0]
    page = read(f"docs/games/{group}.md") if group in SLUGS else "".join(map(read, HOUSE))
    pages = page + "".join(read(f"docs/games/{slug}.md") for slug in SLUGS)
    assert re.search(rf"`/{command}[` ]", pages)


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_no_page_tells_of_a_command_that_is_not_there(page: Path) -> None:
    assert_known(page.read_text(encoding="utf-8"))


def test_no_sentence_of_the_bot_tells_of_a_command_that_is_not_there() -> None:
    for file in [ROOT / "host" / "practice.py", *ROOT.glob("cogs/**/*.py"), *ROOT.glob("tables/**/*.py")]:
        assert_known(file.read_text(encoding="utf-8"))


def assert_known(text: str) -> None:
    for group, command in MENTION.findall(text):
        assert f"{group} {command}" in COMMANDS


@pytest.mark.parametrize("slug", SLUGS)
def test_every_option_of_a_new_table_stands_in_the_rules(slug: str) -> None:
    page = read(f"docs/games/{slug}.md")
    for option in COMMANDS[f"{slug} new"].parameters:
        assert f"| `{option.name}` |" in page
        for choice in option.choices:
            assert f"`{choice.value}`" in page


@pytest.mark.parametrize("slug", SLUGS)
def test_a_new_table_asks_for_all_terms_and_says_what_each_of_its_options_means(slug: str) -> None:
    options = {option.name: option for option in COMMANDS[f"{slug} new"].parameters}
    typed = [term.name for term in fields(terms.TypedTerms)]

    assert list(options)[-len(typed) - 1 :] == ["computers", *typed]
    assert options["computers"].max_value == max(game(slug).seats) - 1
    assert all(str(option.description).strip("…") for option in options.values())


DEFAULTS = {field.upper(): info.default for field, info in Settings.model_fields.items()}

CALLED = {"read_messages": "View Channels", "send_messages_in_threads": "Send Messages in Threads"}
"""Discord's names of permissions that differ from their own."""


def write_default(default: Any) -> str:
    if default is None:
        return ""
    return str(default).lower() if isinstance(default, bool) else str(default)


def test_the_example_lists_every_setting_and_the_readme_the_permissions_of_the_invite() -> None:
    lines = re.findall(r"^([A-Z_]+)=(.*)$", read(".env.example"), re.MULTILINE)
    assert dict(lines) == {setting: write_default(default) for setting, default in DEFAULTS.items()}
    assert len(lines) == len(DEFAULTS)
    asked = {CALLED.get(permission, permission.replace("_", " ").title()) for permission, on in NEEDED if on}
    listed = re.search(r"exactly these permissions: ([^.]+)\.", read("README.md"))
    assert listed is not None
    assert {" ".join(permission.split()) for permission in listed[1].split(",")} == asked
    assert all(permission in read("docs/running/admin.md") for permission in asked)


@pytest.mark.parametrize("setting", DEFAULTS)
def test_a_page_lists_every_setting_with_its_default(setting: str) -> None:
    default = write_default(DEFAULTS[setting])
    assert f"| `{setting}` | {f'`{default}`' if default else 'none'} |" in read("docs/running/settings.md")


DOCS = Path(__file__).parents[2] / "docs"
COMMAND = re.compile(r"python -m tests.benchmarks ([a-z ]+)")
"""A command up to its first option or game; games follow the parts that run alone."""


@pytest.mark.parametrize("part", PARTS)
def test_a_part_has_a_module(part: str) -> None:
    assert find_spec(f"tests.benchmarks.{part}") is not None


def test_docs_name_and_run_together_parts_that_there_are() -> None:
    named = {words.split()[0] for page in DOCS.rglob("*.md") for words in COMMAND.findall(page.read_text())}

    assert named
    assert named <= {*PARTS, *ALONE}

    together = [words.split() for page in DOCS.rglob("*.md") for words in COMMAND.findall(page.read_text())]

    assert {part for parts in together if parts[0] in PARTS for part in parts} <= {*PARTS}


ANN = 17
SEED = "47920bc3a1a7e16bd6f594c90095211c12c11d927555448d820135472d5ae2ce"
SALT = "86615f55ad58a9fd56dbf278690c3d63"


def read_output(code: str) -> list[str]:
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.split()


async def begin_game(store: Store, workers: Workers) -> tuple[Parlour, Table]:
    """Begin a game of Ann and a computer; nothing moves by itself."""
    parlour = Parlour(store, workers, EmptyCourier(), lambda: 0.0)
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
        assert await asyncio.to_thread(inspector.main, [database, *number]) == inspector.FINE

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
