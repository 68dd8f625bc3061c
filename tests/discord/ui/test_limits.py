"""Answers that Discord takes, for any typed text and any amount of text."""

from collections.abc import Iterator
from typing import Any

import discord
import pytest
from discord import app_commands

from cogs.ui.page import Heading, Page
from cogs.ui.text import PAGE_BYTES, PAGE_LETTERS, REMARK, clip_together
from host.client import ParlourBot
from render.core.canvas import Picture
from tables.core.table import Refused
from tables.play.play import Play
from tables.review.record import LONGEST
from tests.discord.stage import DiscordStage, read_message

LONGEST_LINE = 100
LONGER = {"table note": LONGEST}
"""Options kept as they are typed, and shown to their writer alone."""


def find_text_options(bot: ParlourBot) -> Iterator[tuple[str, app_commands.Parameter]]:
    """Yield every free-text option, with the name of its command."""
    for command in bot.tree.walk_commands():
        if isinstance(command, app_commands.Command):
            for option in command.parameters:
                if option.type is discord.AppCommandOptionType.string and not option.choices:
                    yield command.qualified_name, option


async def test_nothing_of_any_length_can_be_typed(stage: DiscordStage) -> None:
    options = list(find_text_options(stage.bot))

    assert len(options) > 10
    for command, option in options:
        assert option.min_value == 1, f"/{command} {option.name} may be empty"
        assert option.max_value is not None, f"/{command} {option.name} is boundless"
        most = REMARK if option.name == "reason" else LONGER.get(command, LONGEST_LINE)
        assert option.max_value <= most


async def test_a_refusal_of_any_length_is_told_as_far_as_a_message_takes(
    stage: DiscordStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(*_: Any, **__: Any) -> None:
        raise Refused("\n".join(["No."] * 2000))

    place = await stage.open("Ann", "Bo", mode="versus")
    monkeypatch.setattr(Play, "undo", refuse)

    answer = await stage["Ann"].slash(place, "table undo")

    assert answer.ephemeral
    assert 1900 < len(answer.response.content) <= 2000
    assert answer.response.content.endswith("No.\n…")


async def test_the_texts_of_a_page_fit_into_a_message_together(stage: DiscordStage) -> None:
    story, short = "\n".join(f"line {number}" for number in range(1000)), "Eve: turn up a card."
    small = Picture(b"", "a card", "card.png")
    page = Page([story, Heading(story, small), short])
    texts = [item.content for item in page.view().walk_children() if isinstance(item, discord.ui.TextDisplay)]

    assert sum(map(len, texts)) <= PAGE_LETTERS
    assert sum(map(len, texts)) > PAGE_LETTERS - 50
    assert short in texts
    message = await stage.find_channel(stage.channel).send(view=Page([story, story, short]).view())
    assert read_message(message).text.count("…") == 2


def test_texts_that_fit_are_left_as_they_are() -> None:
    texts = ["a" * 1000, "b" * 2999, "c"]

    assert clip_together(texts) == texts


HEAVY = ("漢", "🦊", "a\u0301\u0302", "👩‍👩‍👧‍👦", "\u202e", "**", "x")
"""Letters that take from one byte to 25."""


@pytest.mark.parametrize("letter", HEAVY)
@pytest.mark.parametrize("parts", [1, 3, 12])
def test_a_page_has_at_most_4000_characters_and_9500_bytes(letter: str, parts: int) -> None:
    picture = Picture(b"png", "alt", "a.png")
    texts = ["\n".join([letter * 40] * 60)] * parts
    page = Page([Heading(texts[0], picture), *texts])

    shown = [item.content for item in page.view().walk_children() if isinstance(item, discord.ui.TextDisplay)]

    assert sum(map(len, shown)) <= PAGE_LETTERS
    assert sum(len(text.encode()) for text in shown) <= PAGE_BYTES
    assert all(shown)


@pytest.mark.parametrize("letter", ["漢", "🦊"])
async def test_long_notes_and_names_leave_a_message_that_discord_takes(
    stage: DiscordStage, letter: str
) -> None:
    name = letter * 32
    person = stage.guild.add_member(stage.env.create_user("heavy", global_name=name))
    await person.slash(stage.channel, "tangram new")
    for other in ("Ann", "Bo", "Cy", "Dee"):
        await stage[other].click(stage.card().message, label="Join")
    await person.click(stage.card().message, label="Start")
    await person.slash(stage.channel, "table note", text=letter * 500, table=1)

    answer = await person.slash(stage.channel, "mine")

    text = read_message(answer.response).text
    assert len(text) <= PAGE_LETTERS
    assert len(text.encode()) <= PAGE_BYTES
