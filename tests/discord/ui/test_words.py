"""The board in words: on demand, as a setting, behind headings, place by place."""

import re
from collections.abc import Iterator
from typing import Any

import discord
import pytest
from discord import app_commands
from hypothesis import given
from hypothesis import strategies as st

from cogs.core.pictures import OPENING
from cogs.core.words import plain
from cogs.ui.page import Button, ButtonLine, Heading, Menu, Option, Page
from cogs.ui.press import Press
from cogs.ui.text import PAGE_BYTES, PAGE_LETTERS, REMARK, clip_together, to_label, without_icons
from engines import marks
from engines.registry import SLUGS, words
from engines.words import MOST_CHARACTERS
from engines.words import seat_name as drawn_name
from host.client import ParlourBot
from render.core.canvas import Picture
from tables.core.table import Refused
from tables.play.play import Play
from tables.review.record import LONGEST
from tests.discord.stage import DiscordStage, ShownMessage, pick, read_message, texts_of
from tests.discord.ui.listener import READ_ALOUD
from tests.discord.ui.nasty import FORMATS, HIDDEN, NASTY, strip_escapes, unescape

every_game = pytest.mark.parametrize("slug", SLUGS)


async def open_table(stage: DiscordStage, slug: str) -> tuple[Any, str]:
    """Open a table; return it and the name of the mover."""
    people = ("Ann", "Bo", "Cy") if slug == "tanglewood" else ("Ann", "Bo")
    return await stage.open(*people, game=slug), (await stage.due())[0]


async def ask(stage: DiscordStage, name: str, place: Any, command: str, **options: Any) -> ShownMessage:
    """Return the private answer to a command."""
    answer = await stage[name].slash(place, command, **options)
    assert answer.ephemeral
    return read_message(answer.response)


@pytest.mark.any_game
@every_game
async def test_board_and_panel_are_told_in_words_on_demand(stage: DiscordStage, slug: str) -> None:
    place, who = await open_table(stage, slug)

    shown = await ask(stage, who, place, "table board", words=True)

    assert not shown.files
    assert re.search("you (are|and|must|can place)", shown.text.lower())
    assert f"**{words(slug).parts(await stage.view(who), ['Ann', 'Bo', 'Cy'])[0].heading}**" in shown.text
    assert (await ask(stage, who, place, "table board")).files

    result, panel = await stage.panel(who, place)
    assert (await stage.unfold(who, result)).files
    await stage[who].click(result.response, label="In words")
    spoken = read_message(result.response)
    assert not spoken.files
    assert "What changed last" in spoken.text
    await stage[who].click(result.response, label="Show the picture")
    assert read_message(result.response).files == panel.files


@every_game
async def test_a_place_is_looked_at_and_a_setting_puts_words_in_the_place_of_every_picture(
    stage: DiscordStage, slug: str
) -> None:
    place, who = await open_table(stage, slug)
    at = words(slug).places(await stage.view(who))[0]

    there = await ask(stage, who, place, f"{slug} look", at=at.lower())
    can = await ask(stage, who, place, f"{slug} look")

    assert at.split()[-1].lower() in there.text.lower()
    assert (
        can.text.startswith(("You can", "Your tile", "Barge", "From", "A fountain")) or " fits " in can.text
    )
    assert not there.files
    assert not can.files
    await stage.refuses(who, place, [(f"{slug} look", {"at": "nowhere"}, "“nowhere” isn't on this board")])

    await stage[who].slash(place, "me words")
    _, panel = await stage.panel(who, place)
    history = await ask(stage, who, place, "table history")
    board = await ask(stage, who, place, "table board")
    for shown in (panel, await ask(stage, who, place, "table hand"), history, board):
        assert not shown.files
        assert shown.text.strip()
    assert "In words" not in panel.buttons
    assert len(board.text) <= MOST_CHARACTERS + 200
    assert stage.post(place).files, "others see pictures"


@every_game
async def test_every_board_is_asked_about_by_the_names_of_buttons_alone(
    stage: DiscordStage, slug: str
) -> None:
    place, who = await open_table(stage, slug)
    at = words(slug).places(await stage.view(who))[0]

    more = await stage[who].click(stage.post(place).message, label="More")
    board = await stage[who].click(more.response, label="In words")
    can = await stage[who].click(board.response, label="What you can do")
    form = await stage[who].click(can.response, label="Look at…")
    unknown = await stage[who].submit_modal(form, {"place": "nowhere"})
    again = await stage[who].click(unknown.response, label="Try again")
    there = await stage[who].submit_modal(again, {"place": at.lower()})

    assert read_message(board.response).text.startswith("**What changed last**")
    assert "“nowhere” isn't on this board" in read_message(unknown.response).text
    assert at.split()[-1].lower() in read_message(there.response).text.lower()
    assert list(read_message(there.response).buttons) == ["Look at…", "What you can do"]


async def test_a_notice_by_dm_has_no_signs_for_who_hears_it(stage: DiscordStage) -> None:
    await stage["Ann"].slash(stage.channel, "me words")
    await stage["Ann"].slash(stage.channel, "me notices", where="dm")
    await stage.open("Ann", "Bo", mode="coop", first="host", pace="daily")

    (letter,) = (read_message(one) for one in stage["Ann"].user.dm_channel.history())

    assert "at **Ribbon Tangle**, table 1: flip the first card." in letter.text
    assert not READ_ALOUD.search(letter.text)


async def test_letters_that_stand_for_resources_are_said_by_their_names(stage: DiscordStage) -> None:
    place, who = await open_table(stage, "tangle")
    await stage[who].slash(place, "me words")

    _, panel = await stage.panel(who, place)

    lines = [option for menu in panel.components for option in menu.get("options", ())]
    entries = [option.get("description", "") for option in lines]
    assert "You have 2 water, 2 earth, 2 nourishment and 2 mana." in panel.text
    assert any("earth" in line for line in entries)
    assert not any(f" {letter}" in f"{line}." for line in entries for letter in ("W.", "E.", "N.", "M."))


async def test_a_heading_leads_to_its_part_and_a_spectator_hears_the_public_events(
    stage: DiscordStage,
) -> None:
    place, who = await open_table(stage, "tesla")
    answer = await stage[who].slash(place, "table board", words=True)

    await pick(stage[who], answer.response, "heading", "Bag and discards")

    shown = read_message(answer.response)
    assert shown.text.startswith("**Bag and discards**\nThe bag holds 111 tiles.")
    assert "What you can do" in shown.buttons
    offered = await stage[who].autocomplete(place, "tesla look", "at", "z5")
    assert offered[0]["value"] == "Z50"

    public = await ask(stage, "Eli", place, "table board", words=True)
    can = await ask(stage, "Eli", place, "tesla look")
    assert "Tile 1:" not in public.text
    assert f"{who} can place tiles" in public.text
    assert can.text.strip() == "You can't do anything now."


async def test_a_heading_of_the_board_opens_inside_the_panel_once_or_always(stage: DiscordStage) -> None:
    place, who = await open_table(stage, "tanglewood")
    once, drawn = await stage.panel(who, place)
    await stage.unfold(who, once)
    await stage[who].click(once.response, label="In words")
    menu = read_message(once.response).menus["spoken"]
    await stage[who].select(once.response, ["Decks"], custom_id=menu["custom_id"])
    assert "**Decks**" in read_message(once.response).text
    await stage[who].click(once.response, label="Show the picture")
    assert read_message(once.response).files == drawn.files

    await stage[who].slash(place, "me words")
    result, panel = await stage.panel(who, place)

    await stage[who].select(result.response, ["Decks"], custom_id=panel.menus["spoken"]["custom_id"])

    opened = read_message(result.response)
    assert "**Decks**\nThe deck has 35 Tangles" in opened.text
    assert "Votes now" in opened.buttons
    assert panel.menus.keys() == opened.menus.keys()
    assert "Show the picture" not in opened.buttons
    assert len(panel.text) < OPENING + 600


async def test_a_turn_that_is_over_is_told_as_it_was(stage: DiscordStage) -> None:
    place = await stage.open("Ann", "Bo", mode="coop", first="host")
    await stage.panel_flip("Ann", place)
    await stage["Ann"].slash(place, "me words")

    deal = await stage["Ann"].slash(place, "table history", at=0)
    now = read_message((await stage["Ann"].slash(place, "table history")).response)

    assert "Face down: places 1 to 12." in read_message(deal.response).text
    assert "Face down: places 1 to 12." not in now.text


async def test_a_hand_comes_by_dm_in_words_and_is_told_once_in_a_panel(stage: DiscordStage) -> None:
    await stage["Ann"].slash(stage.channel, "me words")
    place = await stage.open("Ann", "Bo", mode="versus", first="host", ribbon_choice="random")

    _, panel = await stage.panel("Ann", place)
    hands = [read_message(one) for one in stage["Ann"].user.dm_channel.history()]

    assert any("cards in hand.\nCard " in one.text for one in hands)
    assert not any(one.files for one in hands)
    assert panel.text.count("cards in hand.\n") == 1


ANYTHING = st.one_of(st.sampled_from(NASTY), st.text(max_size=40), st.text("<>@#*_~|`[]():/\\.- 1aא🦊\u202e"))
PRESS = Press("table", "turn", 1)


def labels_of(page: Page) -> Iterator[str]:
    for item in page.view().walk_children():
        if isinstance(item, discord.ui.Button):
            yield item.label or ""
        elif isinstance(item, discord.ui.Select):
            yield item.placeholder or ""
            for option in item.options:
                yield from (option.label, option.description or "")


def message(name: str, *, is_heard: bool) -> Page:
    who = marks.quote(name)
    menu = Menu(PRESS, f"Or not {who}?", [Option(f"1, {who}", "1", f"with {who}")])
    line = ButtonLine(f"- {who}", Button(f"Nudge {who}", PRESS))
    return Page([f"**{who}** wins.\n{who}: 5", line, menu, [Button(f"Ask {who}", PRESS)]], is_spoken=is_heard)


@pytest.mark.parametrize("is_heard", [False, True])
@given(name=ANYTHING)
def test_nothing_in_a_text_is_formatted_but_our_own_words(name: str, is_heard: bool) -> None:
    shown = marks.clean(name) or "(no name)"

    text, line = texts_of(message(name, is_heard=is_heard))

    for said in (text, line):
        rest = strip_escapes(said).replace("**", "").removeprefix("- ").replace(": 5", "")
        assert not re.search(FORMATS, rest), said
        assert shown in unescape(said)
        assert marks.OPEN not in said
        assert marks.CLOSE not in said


@pytest.mark.parametrize("is_heard", [False, True])
@given(name=ANYTHING)
def test_a_label_names_people_as_they_are(name: str, is_heard: bool) -> None:
    shown = marks.clean(name) or "(no name)"

    labels = list(labels_of(message(name, is_heard=is_heard)))

    assert len(labels) == 5
    assert all(shown in label.replace("\u2068", "") for label in labels)


@given(name=ANYTHING)
def test_invisible_characters_are_left_out_everywhere(name: str) -> None:
    for shown in (
        without_icons(marks.quote(name)),
        to_label(marks.quote(name)),
        plain(marks.quote(name)),
        drawn_name([name], 0),
    ):
        assert shown.strip()
        assert not HIDDEN.search(shown)


@pytest.mark.parametrize("name", ["סם", "سام", "Sam א"])
def test_a_name_that_is_read_from_right_to_left_keeps_the_order_around_it(name: str) -> None:
    assert without_icons(f"{marks.quote(name)}: 5") == f"\u2068{name}\u2069: 5"
    assert to_label(f"{marks.quote(name)}: 5") == f"\u2068{name}\u2069: 5"


@given(name=ANYTHING)
def test_reading_aloud_leaves_names_as_they_are(name: str) -> None:
    assert (
        marks.to_plain(marks.to_speech(f"🏆 {marks.quote(name)} → 5"))
        == f"{marks.clean(name) or '(no name)'} to 5"
    )


@pytest.mark.parametrize("name", ["🦊", "🐱 Sam", "1-2", "A / B", "✓ done", "60°", "B"])
def test_only_our_own_words_are_read_aloud_in_other_words(name: str) -> None:
    said = marks.to_speech(f"⚠️ {marks.with_icon('seat_1', marks.quote_player([name], 0))} pays 2×3 W.")

    assert marks.to_plain(said) == f"Warning: {name} pays 2 times 3 W."


def test_two_players_of_one_name_are_told_apart() -> None:
    names = ["Sam", "sam", "\u202eSam", "", "Player 4"]

    shown = [marks.player_name(names, seat) for seat in range(len(names))]

    assert shown == ["Sam", "sam (2)", "Sam (3)", "Player 4", "Player 4 (2)"]
    assert shown == [drawn_name(names, seat) for seat in range(len(names))]
    assert shown == [marks.to_plain(marks.quote_player(names, seat)) for seat in range(len(names))]


@given(st.lists(ANYTHING, max_size=6))
def test_no_two_players_are_ever_shown_alike(names: list[str]) -> None:
    shown = [marks.player_name(names, seat) for seat in range(len(names))]

    assert len(set(shown)) == len(names)
    assert all(shown)


@given(ANYTHING)
def test_a_number_is_added_only_to_a_name_that_is_taken(name: str) -> None:
    assert marks.make_distinct(name, []) == name
    assert marks.clean(name) == "" or marks.make_distinct(name, [name]) == f"{name} (2)"


def test_quoting_twice_changes_nothing_and_joined_emoji_stay_one() -> None:
    assert all(marks.quote(marks.quote(name)) == marks.quote(name) for name in NASTY)
    assert marks.clean("👩‍👧 ❤️ 🏳️‍🌈") == "👩‍👧 ❤️ 🏳️‍🌈"
    assert marks.clean("a\u200db") == "ab"


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


async def test_nothing_of_any_length_can_be_typed_and_a_pages_texts_fit_together(stage: DiscordStage) -> None:
    options = list(find_text_options(stage.bot))

    assert len(options) > 10
    for command, option in options:
        assert option.min_value == 1, f"/{command} {option.name} may be empty"
        assert option.max_value is not None, f"/{command} {option.name} is boundless"
        most = REMARK if option.name == "reason" else LONGER.get(command, LONGEST_LINE)
        assert option.max_value <= most

    story, short = "\n".join(f"line {number}" for number in range(1000)), "Eve: turn up a card."
    small = Picture(b"", "a card", "card.png")
    page = Page([story, Heading(story, small), short])
    texts = texts_of(page)

    assert sum(map(len, texts)) <= PAGE_LETTERS
    assert sum(map(len, texts)) > PAGE_LETTERS - 50
    assert short in texts
    message = await stage.find_channel(stage.channel).send(view=Page([story, story, short]).view())
    assert read_message(message).text.count("…") == 2


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

    shown = texts_of(page)

    assert sum(map(len, shown)) <= PAGE_LETTERS
    assert sum(len(text.encode()) for text in shown) <= PAGE_BYTES
    assert all(shown)


@pytest.mark.parametrize("letter", ["漢", "🦊"])
async def test_long_notes_and_names_leave_a_valid_message(stage: DiscordStage, letter: str) -> None:
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
