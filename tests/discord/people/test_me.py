from typing import Any

import pytest
from msgspec.structs import replace

from cogs.people.overview import digest_page, overview_page
from cogs.people.settings import WORDS as PERSONAL
from cogs.servers.settings import WORDS as SERVER_WORDS
from cogs.ui.form import ABOUT, TITLE
from cogs.ui.press import Press
from engines.registry import SLUGS, games
from engines.ribbon.pieces.components import RibbonOptions
from tables.clocks.pace import DAY, HOUR, read_pace
from tables.core.people import Notices, Person
from tables.core.table import Occupant, Phase, Table
from tables.core.turns import AwaitedPerson
from tables.people import Digest, Overview, RunningTable
from tests.discord.stage import (
    DiscordStage,
    ShownMessage,
    fill,
    form_of,
    pick,
    read_message,
    submit,
    values_of,
)


async def person(stage: DiscordStage, name: str = "Ann") -> Person:
    return await stage.bot.app.parlour.people.person(stage[name].id)


async def panel(stage: DiscordStage, name: str = "Ann") -> tuple[Any, ShownMessage]:
    answer = await stage[name].slash(stage.channel, "me settings")
    assert answer.ephemeral
    return answer, read_message(answer.response)


async def press(stage: DiscordStage, answer: Any, label: str, name: str = "Ann") -> Any:
    return await stage[name].click(answer.response, label=label)


async def type_command(stage: DiscordStage, command: str, **options: Any) -> str:
    answer = await stage["Ann"].slash(stage.channel, f"me {command}", **options)
    assert answer.ephemeral
    return read_message(answer.response).text


async def test_the_panel_shows_each_setting_and_changes_it_in_place(stage: DiscordStage) -> None:
    answer, shown = await panel(stage)
    for line in ("**Notices**: in the table's thread", "**Reminders**: on", "**Hands by DM**: on"):
        assert line in shown.text
    for line in ("**Quiet hours**: none", "**Time zone**: UTC (now ", "**Digest**: off", "**Away**: no"):
        assert line in shown.text
    form = form_of(await press(stage, answer, "Notices"))
    assert values_of(form["where"]) == ["thread", "dm", "both", "none"]
    daily = form_of(await press(stage, answer, "Daily DMs"))
    assert values_of(daily["digest"]) == ["off", *map(str, range(24))]

    old = await press(stage, answer, "Notices")
    await fill(stage["Ann"], answer.response, "Notices", where="both", hands="off")
    await fill(stage["Ann"], answer.response, "Daily DMs", digest=["7"])
    await submit(stage["Ann"], old, reminders="off")

    known = await person(stage)
    assert (known.notices, known.digest_hour, known.reminders, known.hands) == (Notices.BOTH, 7, False, False)
    text = read_message(answer.response).text
    assert "**Notices**: in the thread and by DM" in text
    assert "**Digest**: 7:00" in text
    assert "**Reminders**: off" in text
    assert len([m for m in stage.channel.history(viewer=stage["Ann"]) if m.flags.ephemeral]) == 1


async def test_quiet_hours_and_zone_are_typed_into_one_form(stage: DiscordStage) -> None:
    answer, shown = await panel(stage)
    hours = "Quiet hours and time zone"

    said = await fill(stage["Ann"], answer.response, hours, {"from": "dusk", "to": "dawn"}, zone="berlin")
    assert "`22:00`" in read_message(said.response).text
    assert said.ephemeral
    assert read_message(answer.response).text == shown.text
    assert (await person(stage)).zone == "UTC"

    await fill(stage["Ann"], said.response, "Try again", {"from": "10pm", "to": "7"})

    text = read_message(said.response).text
    assert "**Time zone**: Europe/Berlin (now " in text
    assert "**Quiet hours**: 22:00 to 7:00" in text
    quiet = (await person(stage)).quiet
    assert quiet is not None
    assert (quiet.begins, quiet.ends, quiet.zone) == (22 * 60, 7 * 60, "Europe/Berlin")

    await fill(stage["Ann"], answer.response, hours, {"from": "", "to": ""})
    assert (await person(stage)).quiet is None


async def test_a_holiday_is_told_at_the_table_and_ends_by_old_and_new_buttons(stage: DiscordStage) -> None:
    place = await stage.open("Ann", "Bo", mode="versus", first="host", ribbon_choice="random")
    answer, _ = await panel(stage)
    await fill(stage["Ann"], answer.response, "I'll be away", until="3 days", note="skiing in\n the *Alps*")

    assert "**Away**: until <t:" in read_message(answer.response).text
    history = await stage["Bo"].slash(place, "table history")
    assert "Ann is away until <t:" in read_message(history.response).text
    assert "skiing in the \\*Alps\\*." in read_message(history.response).text

    await press(stage, answer, "I'm back")
    assert "**Away**: no" in read_message(answer.response).text
    again = await stage["Ann"].slash(stage.channel, "me back")
    assert again.response.content == "You aren't away."

    await type_command(stage, "away", until="3 days")

    await stage.send_press_as(stage["Ann"], Press("me", "back"), stage.channel)

    assert (await person(stage)).away_until(stage.bot.app.parlour.clock()) is None


async def test_everything_can_be_typed(stage: DiscordStage) -> None:
    assert "by DM" in await type_command(stage, "notices", where="dm", reminders=False, hands=False)
    assert "Asia/Tokyo (now " in await type_command(stage, "zone", zone="Asia/Tokyo")
    assert "22:30 to 6:00" in await type_command(stage, "quiet", **{"from": "22:30", "to": "6am"})
    assert "**Digest**: 20:00" in await type_command(stage, "digest", hour="20")
    assert "**Away**: until <t:" in await type_command(stage, "away", until="2 weeks", note="far off")
    known = await person(stage)
    assert known.away_note == "far off"
    assert (known.notices, known.reminders, known.hands) == (Notices.DM, False, False)

    assert "Welcome back" in await type_command(stage, "back")
    assert "**Quiet hours**: none" in await type_command(stage, "quiet", **{"from": "off"})
    assert "**Digest**: off" in await type_command(stage, "digest", hour="off")


async def test_impossible_input_gets_a_sentence_and_zones_are_offered(stage: DiscordStage) -> None:
    refused: list[tuple[str, dict[str, str], str]] = [
        ("zone", {"zone": "Atlantis"}, "`Europe/Berlin`"),
        ("zone", {"zone": "America"}, "several time zones"),
        ("quiet", {"from": "22:00"}, "`22:00`"),
        ("quiet", {"from": "20", "to": "9"}, "10 hours a day at most"),
        ("away", {"until": "someday"}, "`10 days`"),
        ("away", {"until": "15 days"}, "at most 14 days"),
        ("away", {"until": "2001-01-01"}, "in the past"),
    ]

    for command, options, answer in refused:
        assert answer in await type_command(stage, command, **options)
        assert await person(stage) == Person(stage["Ann"].id)

    known = await stage["Ann"].autocomplete(stage.channel, "me zone", "zone", "")
    result = await stage["Ann"].autocomplete(stage.channel, "me zone", "zone", "new y")
    many = await stage["Ann"].autocomplete(stage.channel, "me zone", "zone", "a")

    assert known[0]["value"] == "UTC"
    assert [choice["value"] for choice in result] == ["America/New_York"]
    assert result[0]["name"].startswith("America/New_York (")
    assert len(many) == 25


async def test_hands_come_by_dm_only_to_who_wants_them(stage: DiscordStage) -> None:
    await type_command(stage, "notices", hands=False)

    await stage.open("Ann", "Bo", mode="versus", first="host", ribbon_choice="random")

    assert stage["Ann"].user.dm_channel.history() == []
    assert len(stage["Bo"].user.dm_channel.history()) == 1


async def test_a_form_undoes_a_typed_setting(stage: DiscordStage) -> None:
    for command, group, field, name in (
        ("words", "Pictures, words and privacy", "in_words", "words"),
        ("hide", "Pictures, words and privacy", "hidden", "hide"),
        ("daily", "Daily DMs", "daily", "daily"),
    ):
        typed = await stage["Ann"].slash(stage.channel, f"me {command}")
        assert getattr(await person(stage), field)
        await fill(stage["Ann"], typed.response, group, {name: "off"})
        assert not getattr(await person(stage), field)


DOING = ("I send", "I show", "I post", "This message", "The computer says", "When this is on")


@pytest.mark.parametrize("name", [*PERSONAL, *SERVER_WORDS])
def test_a_setting_that_is_off_is_not_described_as_if_it_worked(name: str) -> None:
    words = [one[name] for one in (PERSONAL, SERVER_WORDS) if name in one]

    assert not any(one.effect.startswith(DOING) for one in words)


@pytest.mark.parametrize("name", [*PERSONAL, *SERVER_WORDS])
def test_the_help_of_a_setting_fits_its_form(name: str) -> None:
    words = [one[name] for one in (PERSONAL, SERVER_WORDS) if name in one]
    helps = [(one.title, one.effect) for one in words if name != "away"]

    fields = [*helps, *(pair for one in words for pair in one.fields.values())]

    assert [pair for pair in fields if len(pair[0]) > TITLE or len(pair[1]) > ABOUT] == []


def test_a_page_of_settings_never_refers_to_itself() -> None:
    assert not any("page **" in f"{one.effect} {one.note}" for one in SERVER_WORDS.values())


VERSUS: dict[str, Any] = {"mode": "versus", "first": "host", "ribbon_choice": "random"}


async def mine(stage: DiscordStage, name: str = "Ann") -> tuple[Any, ShownMessage]:
    answer = await stage[name].slash(stage.channel, "mine")
    assert answer.ephemeral
    return answer, read_message(answer.response)


def dms(stage: DiscordStage, name: str = "Ann") -> list[ShownMessage]:
    """Return the DMs that somebody has got, except hands."""
    shown = [read_message(message) for message in stage[name].user.dm_channel.history()]
    return [one for one in shown if "Your hand" not in one.text]


async def test_the_list_is_looked_at_again_and_a_table_opened_in_place(stage: DiscordStage) -> None:
    answer, shown = await mine(stage)
    assert "You aren't at any table" in shown.text

    await stage.open("Ann", "Bo", **VERSUS)
    await stage["Ann"].click(answer.response, label="Look again")
    assert "Waiting for you" in read_message(answer.response).text

    await stage["Ann"].click(answer.response, label="Open table 1")
    assert "flip" in read_message(answer.response).menus
    assert len([m for m in stage.channel.history(viewer=stage["Ann"]) if m.flags.ephemeral]) == 1


async def test_tables_are_listed_by_whom_they_wait_for(stage: DiscordStage) -> None:
    await stage.open("Bo", "Ann", **VERSUS)
    await stage.open("Ann", "Cy", **VERSUS)
    await stage["Dee"].slash(stage.channel, "ribbon new")
    await stage["Ann"].click(stage.card().message, label="Join")

    _, shown = await mine(stage)

    waiting, others, lobbies = (
        shown.text.index(title) for title in ("Waiting for you", "Waiting for others", "Not started")
    )
    first, second, third = (shown.text.index(f"[table {number}]") for number in (2, 1, 3))
    assert waiting < first < others < second < lobbies < third
    assert "with Cy" in shown.text
    assert ": waiting for Bo · the turn began <t:" in shown.text
    assert "2 of 3 seats taken" in shown.text
    assert "https://discord.com/channels/" in shown.text


async def test_ended_tables_are_listed_for_a_week(stage: DiscordStage) -> None:
    place = await stage.open("Ann", "Bo", **VERSUS)
    await stage.finish(place)
    _, shown = await mine(stage)
    assert "Ended this week" in shown.text
    assert "won by" in shown.text

    stage.env.backend.advance_clock(8 * DAY)

    assert "You aren't at any table" in (await mine(stage))[1].text


async def finish_turn(stage: DiscordStage, place: Any) -> Any:
    """Flip while it is Ann's turn; return the last answer."""
    result, panel = await stage.panel("Ann", place)
    await pick(stage["Ann"], result.response, "flip", panel.values("flip")[0])
    while "Undo" not in read_message(result.response).buttons and read_message(result.response).menus:
        end = next(label for label in read_message(result.response).buttons if "End" in label)
        await stage["Ann"].click(result.response, label=end)
    return result


async def test_after_a_turn_the_next_table_is_one_press_away(stage: DiscordStage) -> None:
    other = await stage.open("Ann", "Cy", **VERSUS)
    place = await stage.open("Ann", "Bo", **VERSUS)
    result = await finish_turn(stage, place)
    assert "table 1, is waiting for you too" in read_message(result.response).text

    await stage["Ann"].click(result.response, label="Next table")

    assert "flip" in read_message(result.response).menus
    result = await finish_turn(stage, other)
    assert "Next table" not in read_message(result.response).buttons


async def test_a_next_table_that_was_played_meanwhile_is_answered(stage: DiscordStage) -> None:
    other = await stage.open("Ann", "Cy", **VERSUS)
    place = await stage.open("Ann", "Bo", **VERSUS)
    result = await finish_turn(stage, place)
    await finish_turn(stage, other)

    await stage["Ann"].click(result.response, label="Next table")

    assert "**Cy**'s turn" in stage.channel.threads[-1].history(viewer=stage["Ann"])[-1].content


async def wants_digest(stage: DiscordStage) -> None:
    """Order Ann's digest at the next full hour, a minute away."""
    now = stage.env.now()
    await stage["Ann"].slash(stage.channel, "me digest", hour=str((now.hour + 1) % 24))
    await stage.wait(3600 - 60 * now.minute - now.second - 60)


async def test_the_digest_comes_once_by_dm_with_the_way_to_each_table(stage: DiscordStage) -> None:
    await stage.open("Ann", "Bo", **VERSUS)
    await wants_digest(stage)

    await stage.env.advance_time(120)

    (digest,) = dms(stage)
    assert "Your tables today" in digest.text
    assert "Waiting for you" in digest.text
    opened = await stage["Ann"].user.click(digest.message, label="Open table 1")
    assert "flip" in read_message(opened.response).menus
    listed = await stage["Ann"].user.click(digest.message, label="My tables")
    assert "### Your tables\n" in read_message(listed.response).text


def busy(tables: int) -> Overview:
    """Return the overview of a person with many tables and long names."""
    row = Table(
        id=10**8,
        guild_id=10**18,
        channel_id=10**18,
        thread_id=10**18,
        slug="ribbon",
        options=RibbonOptions(),
        phase=Phase.PLAY,
        host_id=1,
        version=9,
        beat=1,
        owing=(0,),
        seed=b"",
        salt=b"",
        deal="",
        outcome=None,
        seats=(Occupant("A" * 32, 1), Occupant("*" * 32, 2), Occupant("B" * 32, 3)),
        created_at=0.0,
        touched_at=0.0,
        pace=read_pace("daily"),
    )
    waited = AwaitedPerson(0, 1e9, None, None, 0.0)
    rows = tuple(replace(row, id=row.id + number) for number in range(tables))
    standing = tuple(RunningTable(one, (waited,), waited) for one in rows)
    return Overview(standing, standing, rows, rows)


def test_however_many_tables_fit_a_message_and_after_a_gap_it_says_the_bot_was_away() -> None:
    for page in (overview_page(busy(60), 1), digest_page(Digest(1, 0.0, busy(60), None))):
        view = page.view()
        assert view.total_children_count <= 40
        assert view.content_length() <= 4000
        assert "-# … and 48 more." in "\n".join(part for part in page.parts if isinstance(part, str))

    gap = (1_000_000.0, 1_000_000.0 + 3 * DAY)

    text = str(digest_page(Digest(1, 0.0, busy(1), gap)).parts[0])

    assert text.startswith("### I'm back\nI was away for 3 days. All clocks stopped")


GUILD, DM, PRIVATE = 0, 1, 2
SERVER, USER = 0, 1
ANYWHERE = {"daily", "mine", "me", "help", "privacy", "learn", "puzzle"}


def read_declarations(stage: DiscordStage, what: str) -> dict[str, set[int]]:
    tree = stage.bot.tree
    return {command.name: set(command.to_dict(tree)[what] or ()) for command in tree.get_commands()}


async def test_only_what_needs_no_server_is_offered_without_one(stage: DiscordStage) -> None:
    contexts, installs = read_declarations(stage, "contexts"), read_declarations(stage, "integration_types")

    assert {name for name, where in contexts.items() if PRIVATE in where} == ANYWHERE
    assert {name for name, where in contexts.items() if DM in where} == ANYWHERE | {"table"}
    assert {name for name, how in installs.items() if USER in how} == ANYWHERE
    assert all(SERVER in how for how in installs.values())
    assert all(GUILD in where for where in contexts.values())
    for name in ("admin", "cup", "looking", "leaderboard", *SLUGS):
        assert contexts[name] == {GUILD}, name
        assert installs[name] == {SERVER}, name


@pytest.mark.parametrize("slug", [game.slug for game in games()])
async def test_a_lesson_begins_in_a_dm(stage: DiscordStage, slug: str) -> None:
    answer = await stage["Ann"].user.slash("learn", game=slug)

    table = await stage.table()
    assert (table.guild_id, table.learning, table.phase, table.slug) == (0, True, "play", slug)
    assert read_message(answer.response).menus or read_message(answer.response).buttons
    assert stage.posts(stage.channel) == []


async def test_a_lesson_is_played_in_its_panel(stage: DiscordStage) -> None:
    note = await stage["Ann"].user.slash("learn", game="ribbon")
    second = await stage["Ann"].user.click(note.response, label="Go on")
    panel = await stage["Ann"].user.click(second.response, label="Go on")
    page = read_message(panel.response)

    moved = await pick(stage["Ann"].user, panel.response, "flip", page.values("flip")[0])

    assert read_message(moved.response).text != page.text
    assert (await stage.table()).version > 1


@pytest.mark.essential
async def test_own_tables_lead_back_to_a_lesson_that_nobody_else_sees(stage: DiscordStage) -> None:
    await stage["Ann"].user.slash("learn", game="tesla")
    mine = await stage["Ann"].user.slash("mine")
    others = await stage["Bo"].user.slash("mine")
    shown = await stage["Bo"].slash(stage.channel, "table show", table=1)
    listed = await stage["Bo"].slash(stage.channel, "table list")

    back = await stage["Ann"].user.click(mine.response, label="Learn Tesla's Tangle")

    assert "Learn Tesla's Tangle" not in read_message(others.response).buttons
    assert "There's no table 1 in this server" in shown.response.content
    assert "No open tables here" in listed.response.content
    assert read_message(back.response).buttons
    assert (await stage.table()).id == 1
    refused = await stage["Ann"].slash(stage.channel, "table show", table=2)
    assert "no table 2" in refused.response.content
    for name in ("Ann", "Bo"):
        await stage[name].slash(stage.channel, "learn", game="tesla")
    tables = [await stage.table(number) for number in (1, 2)]
    assert [table.people for table in tables] == [[stage["Ann"].id], [stage["Bo"].id]]


async def test_the_help_in_a_dm_begins_a_lesson_there_and_opens_no_table(stage: DiscordStage) -> None:
    answer = await stage["Ann"].user.slash("help")

    refused: Any = await stage["Ann"].user.click(answer.response, label="Play Tangle")
    assert "Tables exist only in servers." in refused.response.content
    await pick(stage["Ann"].user, answer.response, "learn", "tangram")

    table = await stage.table()
    assert (table.guild_id, table.slug) == (0, "tangram")


async def test_a_finished_lesson_can_be_played_once_more(stage: DiscordStage) -> None:
    await stage["Ann"].user.slash("learn", game="ribbon")
    await stage["Ann"].user.slash("table resign", table=1)
    async with stage.run_by_itself() as parlour:
        table = await parlour.table(1)
        if table.phase == "play":
            await parlour.play.resign(1, stage["Ann"].id)

    again = await stage["Ann"].user.slash("learn", game="ribbon")

    assert (await stage.table(1)).phase == "play"
    assert read_message(again.response).buttons


async def test_where_dms_are_closed_the_digest_is_given_up_until_the_next_day(stage: DiscordStage) -> None:
    await stage.open("Ann", "Bo", **VERSUS)
    await wants_digest(stage)
    dm = stage["Ann"].user.dm_channel
    stage.env.inject_error("POST", f"/channels/{dm.id}/messages", status=403, code=50007, times=None)

    await stage.env.advance_time(120)

    due = (await stage.bot.app.parlour.people.person(stage["Ann"].id)).digest_at
    assert due is not None
    assert due > stage.env.now().timestamp() + DAY - HOUR
