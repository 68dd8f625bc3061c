import logging
from typing import Any

import discord
import msgspec
import pytest

from cogs.cups import tables_of_round
from cogs.ui.press import Press
from db.records import CupPlayerRow
from db.subjects.cups import CupChange
from engines.marks import quote
from engines.words import join_words
from tables.clocks.pace import DAY
from tables.cups.schedule import Cup, CupPhase
from tests.discord.stage import DiscordStage, ShownMessage, read_message

pytestmark = [pytest.mark.usefixtures("patient")]


async def open_cup(stage: DiscordStage, *others: str, **options: Any) -> Any:
    answer = await stage["Ann"].slash(
        stage.channel, "cup new", **{"game": "ribbon", "pace": "none", **options}
    )
    for name in others:
        await stage[name].click(cup_post(stage).message, label="Join")
    return answer


async def begin_cup(stage: DiscordStage, **options: Any) -> Any:
    await open_cup(stage, "Bo", "Cy", "Dee", **options)
    answer = await stage["Ann"].click(cup_post(stage).message, label="Start")
    await moment(stage)
    return answer


async def moment(stage: DiscordStage) -> None:
    """Let some seconds pass, and let the cup act and show it."""
    await stage.env.advance_time(25)


def cup_post(stage: DiscordStage) -> ShownMessage:
    return next(post for post in stage.posts(stage.channel) if "· cup " in post.text.splitlines()[0])


def ours(stage: DiscordStage) -> list[ShownMessage]:
    """Return the channel's posts, except those that started threads."""
    posts = [post for post in stage.posts(stage.channel) if post.components]
    return [post for post in posts if "continues in this thread" not in post.text]


async def cup_of(stage: DiscordStage, number: int = 1) -> Cup:
    return await stage.bot.app.parlour.cups.cup(number)


async def tables(stage: DiscordStage, number: int = 1) -> list[Any]:
    """Return the tables of a cup whose games go on."""
    going = [one for one in (await cup_of(stage, number)).pairings if one.table_id and one.places is None]
    return [await stage.table(one.table_id or 0) for one in going]


async def round_lost_by(stage: DiscordStage, *losers: str) -> None:
    """Let the first of `losers` at each table leave the game."""
    for table in await tables(stage):
        loser = next((name for name in losers if stage[name].id in table.people), None)
        async with stage.run_by_itself() as parlour:
            await parlour.play.resign(table.id, table.people[0] if loser is None else stage[loser].id)
    await moment(stage)


@pytest.mark.essential
async def test_a_whole_cup(stage: DiscordStage) -> None:
    answer = await open_cup(stage, players=8)
    assert answer.ephemeral
    assert "Cup 1 is open, and you're in it." in answer.response.content
    assert "**1 of 8 have joined:** Ann (host)" in cup_post(stage).text
    for name in ("Bo", "Cy", "Dee"):
        joined = await stage[name].click(cup_post(stage).message, label="Join")
        assert joined.response.content == "You're in cup 1 now."
    assert "With 4 players, the cup has 3 rounds and seats 2 at each table." in cup_post(stage).text
    post = cup_post(stage).message.id

    started = await stage["Ann"].click(cup_post(stage).message, label="Start")
    await moment(stage)
    assert "Cup 1 begins" in read_message(started.response).text
    assert "Round 1 of 3 · 2 games not finished yet" in cup_post(stage).text
    assert cup_post(stage).files == ["standings.png"]
    assert "Ann is tied 1st with 0 points" in str(cup_post(stage).alts[0])
    assert len(stage.channel.threads) == 2
    assert all(str(thread.id) in cup_post(stage).text for thread in stage.channel.threads)
    assert not any("tp:lobby:" in str(one.components) for one in stage.posts(stage.channel))

    await round_lost_by(stage, "Dee", "Cy", "Bo")
    assert "Round 2 of 3 · 2 games not finished yet" in cup_post(stage).text
    for _ in range(2):
        await round_lost_by(stage, "Dee", "Cy", "Bo")

    assert cup_post(stage).message.id == post
    assert "🏆 **Ann** wins the cup with 6 points." in cup_post(stage).text
    message = stage.post(stage.channel)
    assert message.message.id != post
    assert "cup 1, is over.** **Ann** wins the cup with 6 points." in message.text
    assert [user.id for user in message.message.mentions] == [stage["Ann"].id]
    assert len(ours(stage)) == 2


async def test_impossible_cup_commands_are_refused_with_and_without_a_cup(stage: DiscordStage) -> None:
    for command in ("leave", "start", "show", "drop", "close", "join"):
        answer = await stage["Ann"].slash(stage.channel, f"cup {command}")
        other = await stage["Ann"].slash(stage.channel, f"cup {command}", cup=7)

        assert answer.response.content == "There's no cup here. `/cup new` opens one."
        assert "I can't find cup 7" in other.response.content
    for verb in ("join", "leave", "start", "standings", "drop", "drop_now", "close_now"):
        answer = await stage.send_press("Ann", Press("cup", verb, 99, 0, "1"))
        assert "I can't find cup 99" in answer.response.content, verb

    await open_cup(stage, "Bo")

    async def says(name: str, command: str) -> str:
        return str((await stage[name].slash(stage.channel, f"cup {command}")).response.content)

    assert "You're already in this cup" in await says("Bo", "join")
    assert "Only players in this cup" in await says("Cy", "leave")
    assert "needs at least 4 players, and 2 have joined" in await says("Ann", "start")
    assert "Only the host, Ann," in await says("Bo", "start")
    assert "hasn't begun" in await says("Bo", "drop")
    assert "already has a cup" in str(
        (await stage["Bo"].slash(stage.channel, "cup new", game="tesla")).response.content
    )
    assert cup_post(stage).buttons["Start"]["disabled"]


async def test_a_cup_is_opened_where_the_bot_may_post_and_at_a_pace_that_is_allowed(
    stage: DiscordStage,
) -> None:
    thread = await stage.open("Ann", "Bo", mode="coop")

    inside = await stage["Ann"].slash(thread, "cup new", game="ribbon")
    odd = await stage["Ann"].slash(stage.channel, "cup new", game="ribbon", pace="never")
    crowded = await stage["Ann"].slash(stage.channel, "cup new", game="ribbon", seats=5)
    silent = stage.guild.create_text_channel(
        "silent", overwrites={stage.guild.default_role: discord.PermissionOverwrite(send_messages=False)}
    )
    unseen = await stage.admin.slash(silent, "cup new", game="ribbon")

    assert "not in a thread" in inside.response.content
    assert "never" in odd.response.content
    assert "is for 2 or 3 players, not 5" in crowded.response.content
    assert "I need these permissions in this channel first" in unseen.response.content


async def test_blocked_people_stay_out_and_the_last_to_leave_closes_the_cup(stage: DiscordStage) -> None:
    await stage["Ann"].slash(stage.channel, "me block", member=stage["Cy"].user)
    await open_cup(stage, "Bo")

    refused = await stage["Cy"].click(cup_post(stage).message, label="Join")
    left = await stage["Bo"].click(cup_post(stage).message, label="Leave")
    alone = cup_post(stage).text
    closed = await stage["Ann"].click(cup_post(stage).message, label="Leave")

    assert refused.response.content == "There's no place for you in this cup."
    assert left.response.content == "You've left cup 1."
    assert "**1 of 16 have joined:** Ann (host)" in alone
    assert "Nobody's left, so the cup is closed." in closed.response.content
    assert "closed without a winner" in cup_post(stage).text


async def test_a_dropout_is_asked_first_can_give_a_reason_and_is_replaced_by_a_computer(
    stage: DiscordStage,
) -> None:
    await begin_cup(stage)

    asked = await stage["Dee"].click(cup_post(stage).message, label="Drop out")
    question, before = read_message(asked.response).text, (await cup_of(stage)).active
    form = await stage["Dee"].click(asked.response, label="Give a reason")
    await stage["Dee"].submit_modal(form, {"reason": "exams"})
    done = await stage["Dee"].click(asked.response, label="Yes, do it")
    told = stage.post(stage.channel).text.strip()
    await moment(stage)

    assert "**Do you want to drop out?**" in question
    assert "Points won before this still count." in question
    assert len(before) == 4
    assert "dropped out of cup 1" in read_message(done.response).text
    assert told == f"<@{stage['Dee'].id}> dropped out of **Ribbon Tangle, cup 1**.\n↳ Reason: exams"
    log = read_message((await stage.admin.slash(stage.channel, "admin audit")).response).text
    assert "cup 1" not in log
    assert "dropped out" in str(cup_post(stage).alts[0])
    going = [name for table in await tables(stage) for name in table.names]
    assert sorted(going) == ["Ann", "Bo", "Cy", "Dee (computer)"]
    again = await stage["Dee"].slash(stage.channel, "cup drop")
    twice = await stage["Dee"].click(again.response, label="Yes, do it")
    assert "already dropped out of this cup" in twice.response.content


async def test_only_the_host_and_administrators_take_others_out_and_close_it(stage: DiscordStage) -> None:
    await begin_cup(stage)

    asked = await stage["Bo"].slash(stage.channel, "cup drop", member=stage["Dee"].user)
    refused = await stage["Bo"].click(asked.response, label="Yes, do it")
    strangers = await stage["Bo"].slash(stage.channel, "cup drop", member=stage["Eli"].user)
    odd = await stage.send_press("Ann", Press("cup", "drop_now", 1, 0, "nobody"))
    unknown = await stage.send_press("Ann", Press("cup", "drop_now", 1, 0, "12345"))
    still = (await cup_of(stage)).active
    by_admin = await stage.admin.slash(stage.channel, "cup drop", member=stage["Dee"].user)
    await stage.admin.click(by_admin.response, label="Yes, do it")
    closing = await stage["Bo"].slash(stage.channel, "cup close")
    not_theirs = await stage["Bo"].click(closing.response, label="Yes, do it")
    closed = await stage.admin.slash(stage.channel, "cup close")
    kept = await stage.admin.click(closed.response, label="No")
    goes_on = (await cup_of(stage)).phase
    closed = await stage.admin.slash(stage.channel, "cup close")
    await stage.admin.click(closed.response, label="Yes, do it")

    assert "Only the host, Ann," in read_message(refused.response).text
    assert "Only players in this cup" in strangers.response.content
    assert odd.ephemeral
    assert "Only players in this cup" in unknown.response.content
    assert len(still) == 4
    assert "Only the host, Ann," in not_theirs.response.content
    assert "Nothing changed." in read_message(kept.response).text
    assert goes_on is CupPhase.PLAY
    assert "closed without a winner" in cup_post(stage).text
    log = read_message((await stage.admin.slash(stage.channel, "admin audit")).response).text
    assert f"<@{stage.admin.id}> closed cup 1." in log
    assert f"<@{stage.admin.id}> took <@{stage['Dee'].id}> out of cup 1." in log


async def test_an_action_on_a_cup_shows_its_reason_in_channel_and_log(stage: DiscordStage) -> None:
    await open_cup(stage, "Bo", "Cy", "Dee")
    await stage.admin.slash(stage.channel, "cup start", reason="it is late")
    await moment(stage)
    taken = await stage.admin.slash(
        stage.channel, "cup drop", member=stage["Dee"].user, reason="asked *twice*"
    )
    await stage.admin.click(taken.response, label="Yes, do it")
    closed = await stage.admin.slash(stage.channel, "cup close", reason="nobody plays")
    await stage.admin.click(closed.response, label="Yes, do it")

    posts = [post.text.strip() for post in ours(stage)]
    assert "**Ribbon Tangle, cup 1** was started.\n↳ Reason: it is late" in posts
    dropped = f"<@{stage['Dee'].id}> was taken out of **Ribbon Tangle, cup 1**.\n↳ Reason: asked \\*twice\\*"
    assert dropped in posts
    assert "**Ribbon Tangle, cup 1** was closed.\n↳ Reason: nobody plays" in posts
    log = read_message((await stage.admin.slash(stage.channel, "admin audit")).response).text
    for result in ("closed cup 1. Reason: nobody plays", "out of cup 1. Reason: asked \\*twice\\*"):
        assert result in log
    assert "started cup 1. Reason: it is late" in log


@pytest.mark.essential
async def test_start_begins_for_the_host_and_asks_administrators_for_a_reason(stage: DiscordStage) -> None:
    await open_cup(stage, "Bo", "Cy", "Dee")
    refused = await stage["Bo"].click(cup_post(stage).message, label="Start")
    asked = (await stage.admin.click(cup_post(stage).message, label="Start")).response
    question, before = read_message(asked).text, (await cup_of(stage)).phase
    form = await stage.admin.click(asked, label="Give a reason")
    await stage.admin.submit_modal(form, {"reason": "all are  here"})
    with_reason = read_message(asked).text
    await stage.admin.click(asked, label="Yes, do it")
    await moment(stage)

    assert "Only the host, Ann," in read_message(refused.response).text
    assert "**Start this cup?** It begins with its 4 players" in question
    assert before is CupPhase.GATHERING
    assert "Reason: all are here" in with_reason
    assert "Cup 1 begins" in read_message(asked).text
    assert (await cup_of(stage)).phase is CupPhase.PLAY


async def test_when_its_date_has_come_the_next_round_begins(stage: DiscordStage) -> None:
    await begin_cup(stage, days=7)
    assert "last game ends, or on <t:" in cup_post(stage).text

    await stage.wait(7 * DAY)
    await moment(stage)

    assert "Round 2 of 3" in cup_post(stage).text
    assert "(round 1)" in cup_post(stage).text
    assert len(await tables(stage)) == 4


async def test_the_post_leads_to_a_thread_that_was_made_anew(stage: DiscordStage) -> None:
    await begin_cup(stage)
    gone = stage.channel.threads[0]
    assert str(gone.id) in cup_post(stage).text

    def edits() -> int:
        return sum(r.method == "PATCH" and "/messages/" in r.path for r in stage.env.http_requests)

    before = edits()
    stage.bot.app.parlour.cups.touch(1)
    await moment(stage)
    assert edits() == before, "an unchanged post is not edited again"

    await stage.find_channel(gone).delete()
    await moment(stage)

    assert len(stage.channel.threads) == 2
    assert all(str(thread.id) in cup_post(stage).text for thread in stage.channel.threads)


async def test_a_post_of_a_cup_is_found_made_anew_or_retried(
    stage: DiscordStage, caplog: pytest.LogCaptureFixture
) -> None:
    await open_cup(stage)
    post = cup_post(stage).message.id
    await stage.bot.app.parlour.cups.note_post(1, None)

    await stage.restart()
    await moment(stage)

    assert cup_post(stage).message.id == post
    assert len(ours(stage)) == 1
    assert (await cup_of(stage)).message_id == post

    await (await stage.find_channel(stage.channel).fetch_message(post)).delete()
    await stage["Bo"].slash(stage.channel, "cup join")
    assert cup_post(stage).message.id != post
    assert "Ann (host), Bo" in cup_post(stage).text

    stage.trouble = True
    stage.env.inject_error("PATCH", f"/channels/{stage.channel.id}/messages/*", status=500, times=2)

    await stage["Cy"].slash(stage.channel, "cup join")
    await stage.env.advance_time(60)

    assert "Ann (host), Bo, Cy" in cup_post(stage).text
    records = [
        r for r in caplog.records if r.levelno >= logging.WARNING and "the post of cup 1" in r.getMessage()
    ]
    assert len(records) == 1


async def test_the_end_is_told_once_though_that_could_not_be_noted(stage: DiscordStage) -> None:
    await begin_cup(stage)
    for _ in range(3):
        await round_lost_by(stage, "Dee", "Cy", "Bo")
    before = len(ours(stage))
    await stage.bot.app.parlour.store.cups.save(1, announced=False)

    await stage.restart()
    await moment(stage)

    assert len(ours(stage)) == before
    assert (await cup_of(stage)).announced


async def test_without_its_channel_a_cup_goes_on(stage: DiscordStage) -> None:
    other = stage.guild.create_text_channel("elsewhere")
    await begin_cup(stage)
    await stage.find_channel(stage.channel).delete()

    for table in await tables(stage):
        async with stage.run_by_itself() as parlour:
            await parlour.play.resign(table.id, table.people[0])
    await moment(stage)
    answer = await stage["Ann"].slash(other, "cup show")

    assert "Round 2 of 3" in read_message(answer.response).text
    assert len(await tables(stage)) == 2


async def test_two_cups_at_once(stage: DiscordStage) -> None:
    other = stage.guild.create_text_channel("elsewhere")
    await begin_cup(stage)
    await stage["Bo"].slash(other, "cup new", game="tesla", players=4)
    for name in ("Ann", "Cy", "Dee"):
        await stage[name].slash(other, "cup join")
    await moment(stage)
    third = stage.guild.create_text_channel("third")

    answer = await stage["Ann"].slash(third, "cup show")
    offered = await stage["Ann"].autocomplete(third, "cup show", "cup", "")

    assert "Several cups are running (2, 1). Choose one with `cup:`." in answer.response.content
    assert [choice["value"] for choice in offered] == [2, 1]
    assert {table.slug for table in await tables(stage, 2)} == {"tesla"}
    assert len(other.threads) == len(await tables(stage, 2))


@pytest.mark.thorough
async def test_a_cup_of_sixty_four_with_long_names_fits_into_its_post(stage: DiscordStage) -> None:
    await open_cup(stage, players=64, seats=2)
    cups = stage.bot.app.parlour.store.cups
    for number in range(62):
        joins = CupChange(joins=CupPlayerRow(1, 5000 + number, "*" * 32, 0))
        await cups.change(1, lambda *_rows, joins=joins: joins)

    async def same(_guild_id: int, _user_id: int, known: str) -> str | None:
        return known

    stage.bot.app.parlour.running.name_of = same
    gathering = await stage["Cy"].slash(stage.channel, "cup show")
    await stage["Bo"].slash(stage.channel, "cup join")
    await stage.env.advance_time(90)
    everything = await stage["Bo"].slash(stage.channel, "cup show")

    assert "and 32 more" in read_message(gathering.response).text
    assert "Round 1 of 63 · 32 games not finished yet" in cup_post(stage).text
    assert "… and 20 more tables: **Standings**" in cup_post(stage).text
    assert len(cup_post(stage).text) <= 4000
    assert len(read_message(everything.response).text) <= 4000
    assert len(stage.channel.threads) == 32


async def test_tables_of_a_cup_name_their_players_and_all_see_how_they_stand(stage: DiscordStage) -> None:
    await begin_cup(stage)
    thread = stage.channel.threads[0]
    (first, *_) = stage.posts(thread)
    table = next(one for one in await tables(stage) if one.thread_id == thread.id)
    assert "🏆 This is a game of cup 1, between " in first.text
    assert all(f"<@{user_id}>" in first.text for user_id in table.people)
    assert {user.id for user in first.message.mentions} == set(table.people)

    cup = await cup_of(stage)
    waiting = tuple(msgspec.structs.replace(one, table_id=None) for one in cup.pairings)

    told = await tables_of_round(stage.bot.app, msgspec.structs.replace(cup, pairings=waiting), 9)

    for one in [one for one in waiting if one.round == cup.round]:
        players = join_words([quote(each.name) for each in cup.entrants if each.user_id in one.people])
        assert f"A table for {players} opens as soon as they all have room for another game." in told

    await round_lost_by(stage, "Dee", "Cy", "Bo")

    mine = await stage["Ann"].click(cup_post(stage).message, label="Standings")
    inside = await stage["Dee"].slash(stage.channel.threads[0], "cup show")
    strangers = await stage["Eli"].slash(stage.channel, "cup show", cup=1)

    assert mine.ephemeral
    assert "You're **1st** with 2 points in 1 game." in read_message(mine.response).text
    assert "You're **3rd** with 0 points" in read_message(inside.response).text
    assert "You are" not in read_message(strangers.response).text
    assert read_message(strangers.response).files == ["standings.png"]
    assert "Table 3" in read_message(strangers.response).text
