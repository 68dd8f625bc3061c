import inspect
import re
from collections.abc import Iterator
from dataclasses import fields
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from discord.app_commands import Command
from discord.ext import commands

from cogs.lobby import terms
from engines.registry import SLUGS, game, games
from host.client import COGS
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
