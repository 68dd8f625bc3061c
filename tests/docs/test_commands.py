import inspect
import re
from collections.abc import Iterator
from dataclasses import fields
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from discord.app_commands import Command
from discord.ext import commands

from cogs.core.app import NEEDED
from cogs.lobby import terms
from engines.registry import SLUGS, game, games
from host.client import COGS
from host.settings import Settings
from tests.benchmarks.__main__ import ALONE, PARTS
from tests.docs.pages import PAGES, ROOT, name, read

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


def test_there_are_commands() -> None:
    assert {"help", "table list", "admin config"} <= COMMANDS.keys()
    assert {group for group, _, sub in (command.partition(" ") for command in COMMANDS) if sub} == set(GROUPS)


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


def test_the_readme_leads_to_the_rules_of_every_game() -> None:
    for rules in games():
        assert f"(docs/games/{rules.slug}.md)" in read("README.md")
        assert rules.title in read("README.md")


DEFAULTS = {field.upper(): info.default for field, info in Settings.model_fields.items()}

CALLED = {"read_messages": "View Channels", "send_messages_in_threads": "Send Messages in Threads"}
"""Discord's names of permissions that differ from their own."""


def write_default(default: Any) -> str:
    if default is None:
        return ""
    return str(default).lower() if isinstance(default, bool) else str(default)


def test_the_example_lists_every_setting_with_its_default() -> None:
    lines = re.findall(r"^([A-Z_]+)=(.*)$", read(".env.example"), re.MULTILINE)
    assert dict(lines) == {setting: write_default(default) for setting, default in DEFAULTS.items()}
    assert len(lines) == len(DEFAULTS)


@pytest.mark.parametrize("setting", DEFAULTS)
def test_the_readme_lists_every_setting_with_its_default(setting: str) -> None:
    default = write_default(DEFAULTS[setting])
    assert f"| `{setting}` | {f'`{default}`' if default else 'none'} |" in read("README.md")


def test_the_permissions_that_are_listed_are_those_of_the_invite() -> None:
    asked = {CALLED.get(permission, permission.replace("_", " ").title()) for permission, on in NEEDED if on}
    listed = re.search(r"exactly these permissions: ([^.]+)\.", read("README.md"))
    assert listed is not None
    assert {" ".join(permission.split()) for permission in listed[1].split(",")} == asked
    assert all(permission in read("docs/running/admin.md") for permission in asked)


DOCS = Path(__file__).parents[2] / "docs"
COMMAND = re.compile(r"python -m tests.benchmarks ([a-z ]+)")
"""A command up to its first option or game; games follow the parts that run alone."""


@pytest.mark.parametrize("part", PARTS)
def test_a_part_has_a_module(part: str) -> None:
    assert find_spec(f"tests.benchmarks.{part}") is not None


def test_docs_name_parts_that_there_are() -> None:
    named = {words.split()[0] for page in DOCS.rglob("*.md") for words in COMMAND.findall(page.read_text())}

    assert named
    assert named <= {*PARTS, *ALONE}


def test_what_docs_run_together_are_parts() -> None:
    together = [words.split() for page in DOCS.rglob("*.md") for words in COMMAND.findall(page.read_text())]

    assert {part for parts in together if parts[0] in PARTS for part in parts} <= {*PARTS}
