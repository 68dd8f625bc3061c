from typing import Any

import pytest

from cogs.ui.press import Press, parse
from tables.clocks.pace import DAY, HOUR, MINUTE
from tables.core.people import Notices, Person
from tests.discord.stage import DiscordStage, ShownMessage, pick, read_message

pytestmark = [pytest.mark.usefixtures("patient")]
TURN, SEAT, WAIT = "Let a computer play the turn", "Give the seat to a computer", "Wait"
GAME: dict[str, Any] = {"mode": "versus", "first": "host", "ribbon_choice": "random"}
DUE = "Your move is due <t:"


@pytest.fixture
async def three(stage: DiscordStage) -> Any:
    return await stage.open("Ann", "Bo", "Cy", **GAME)


async def press(stage: DiscordStage, name: str, place: Any, label: str) -> str:
    """Press a button under the newest post; return the private answer."""
    answer = await stage[name].click(stage.post(place).message, label=label)
    assert answer.ephemeral
    return answer.response.content or read_message(answer.response).text


def find_press(post: ShownMessage, label: str) -> Press:
    result = parse(post.buttons[label]["custom_id"])
    assert result is not None
    return result


async def more(stage: DiscordStage, name: str, place: Any) -> Any:
    board = next(post for post in reversed(stage.posts(place)) if "More" in post.buttons)
    return (await stage[name].click(board.message, label="More")).response


async def choose(stage: DiscordStage, name: str, place: Any, label: str) -> str:
    """Press a button behind More; return the private answer."""
    answer = await stage[name].click(await more(stage, name, place), label=label)
    assert answer.ephemeral
    return answer.response.content or ""


def story(stage: DiscordStage, place: Any) -> str:
    return "\n".join(post.text for post in stage.posts(place))


def dms(stage: DiscordStage, name: str) -> list[ShownMessage]:
    """Return the direct messages that somebody has got, except hands."""
    shown = [read_message(message) for message in stage[name].user.dm_channel.history()]
    return [one for one in shown if not (one.files or "a computer is playing for you now" in one.text)]


async def prefers(stage: DiscordStage, name: str, notices: Notices) -> None:
    before = Person(stage[name].id)
    await stage.bot.app.parlour.people.save(before, Person(before.user_id, notices=notices))


async def deadline(stage: DiscordStage) -> str:
    clock = (await stage.table()).clock(0)
    until = clock.since + clock.left
    return f"<t:{until:.0f}:R>"


async def test_the_deadline_is_in_the_post_the_panel_and_lists(stage: DiscordStage, place: Any) -> None:
    until = await deadline(stage)

    assert f"-# ⏳ Ann's move is due {until}" in stage.post(place).text
    shown = await stage["Bo"].slash(place, "table show")
    assert f"Ann's move is due {until}" in read_message(shown.response).text
    assert "Daily: " in read_message(shown.response).text
    assert f"Ann's move is due {until}" in read_message(await more(stage, "Bo", place)).text
    _, panel = await stage.panel("Ann", place)
    assert f"-# ⏳ Your move is due {until}." in panel.text


async def deadlines(stage: DiscordStage, name: str, result: Any) -> int:
    """Count the deadlines of a panel, behind More if it has none."""
    if DUE not in read_message(result.response).text:
        await stage[name].click(result.response, label="More")
    return read_message(result.response).text.count(DUE)


async def test_the_panel_keeps_the_deadline_through_every_choice(stage: DiscordStage, place: Any) -> None:
    await stage.finish_turn("Ann", place)
    result, panel = await stage.panel("Bo", place)
    assert DUE in panel.text

    await pick(stage["Bo"], result.response, "flip", panel.values("flip")[0])
    assert await deadlines(stage, "Bo", result) == 1
    await pick(stage["Bo"], result.response, "swap", read_message(result.response).values("swap")[0])

    assert await deadlines(stage, "Bo", result) == 1


@pytest.mark.any_game
@pytest.mark.parametrize("game", ["tesla", "tangram", "tangle", "tanglewood"])
async def test_every_game_shows_the_deadline_or_has_it_behind_more(stage: DiscordStage, game: str) -> None:
    place = await stage.open("Ann", "Bo", "Cy", game=game)
    name = (await stage.due())[0]

    result, _ = await stage.panel(name, place)

    assert await deadlines(stage, name, result) == 1
    assert "due <t:" in stage.post(place).text


async def test_without_a_pace_nobody_counts(stage: DiscordStage) -> None:
    place = await stage.open("Ann", "Bo", pace="none", **GAME)

    _, panel = await stage.panel("Ann", place)

    assert "⏳" not in stage.post(place).text
    assert "Your move is due <t:" not in panel.text
    await stage.wait(3 * DAY)
    assert "**Ann's time ran out**" in stage.post(place).text
    assert TURN in stage.post(place).buttons


async def test_a_late_player_reads_what_the_others_can_do_and_is_given_time(
    stage: DiscordStage, place: Any
) -> None:
    until = await deadline(stage)
    await stage.wait(2 * DAY)

    post = stage.post(place)
    assert "Ann is late. The others can decide what happens." in post.text
    assert f"**Ann's time ran out** {until}" in post.text
    assert {TURN, SEAT, WAIT} <= set(post.buttons)
    _, panel = await stage.panel("Ann", place)
    assert "You're late: your time ran out <t:" in panel.text

    assert "Only the others can decide that" in await press(stage, "Ann", place, WAIT)
    assert "Only players at this table" in await press(stage, "Dee", place, WAIT)
    assert "Ann has more time now" in await press(stage, "Bo", place, WAIT)
    assert not {TURN, SEAT, WAIT} & set(stage.post(place).buttons)
    assert f"Ann's move is due {await deadline(stage)}" in stage.post(place).text
    await stage.finish_turn("Ann", place)
    assert "late" not in stage.post(place).text
    assert "Bo gives Ann 1 day more to move." in story(stage, place)


async def test_the_computer_makes_a_late_turn_an_hour_later(stage: DiscordStage, place: Any) -> None:
    await stage.wait(2 * DAY)
    old = find_press(stage.post(place), TURN)

    assert "a little more time" in await press(stage, "Bo", place, TURN)
    assert "Only the others can decide that" in await press(stage, "Ann", place, TURN)
    assert "Only players at this table" in await press(stage, "Dee", place, TURN)
    await stage.wait(HOUR)
    assert "A computer plays Ann's turn." in await press(stage, "Bo", place, TURN)

    assert await stage.due() == ["Bo"]
    assert "Bo lets a computer play Ann's turn." in stage.post(place).text
    assert not (await stage.table()).seats[0].computer
    again = await stage.send_press("Bo", old)
    assert "That player isn't late any more" in again.response.content


async def test_all_others_give_a_late_seat_away_until_its_return(stage: DiscordStage, three: Any) -> None:
    await stage.wait(2 * DAY + HOUR)

    assert "A computer gets the seat once all the others agree" in await press(stage, "Bo", three, SEAT)
    assert "Bo wants to give Ann's seat to a computer." in stage.post(three).text
    assert f"🤝 <@{stage['Cy'].id}>, do you agree?\n-# You can answer until <t:" in stage.post(three).text
    assert "already agreed" in await press(stage, "Bo", three, "Agree")
    assert "Only the others can decide that" in await press(stage, "Ann", three, "Agree")
    assert "Only players at this table" in await press(stage, "Dee", three, "Decline")
    assert "You've agreed" in await press(stage, "Cy", three, "Agree")

    assert (await stage.table()).seats[0].kept_for == stage["Ann"].id
    assert "The others gave Ann's seat to a computer" in story(stage, three)
    [message] = dms(stage, "Ann")
    assert "A computer is playing for you at **Ribbon Tangle**, table 1" in message.text
    assert "No computer is playing in your seat" in await press(stage, "Bo", three, "I'm back")
    assert "Welcome back" in await press(stage, "Ann", three, "I'm back")
    assert (await stage.table()).names[0] == "Ann"
    again = await stage["Ann"].user.click(message.message, label="I'm back")
    assert "No computer is playing in your seat" in again.response.content


async def test_without_notices_no_waiting_or_deputy_is_told(stage: DiscordStage, three: Any) -> None:
    await stage["Ann"].slash(three, "me notices", where="none", reminders=False)
    await stage.wait(2 * DAY + HOUR)
    posts = len(stage.posts(three))

    assert "I'm sending Ann a friendly reminder." in await choose(stage, "Bo", three, "Nudge")
    assert len(stage.posts(three)) == posts
    await press(stage, "Bo", three, SEAT)
    await press(stage, "Cy", three, "Agree")

    assert (await stage.table()).seats[0].kept_for == stage["Ann"].id
    assert dms(stage, "Ann") == []


async def test_a_proposal_is_declined_and_its_button_is_its_own(stage: DiscordStage, three: Any) -> None:
    await stage.wait(2 * DAY + HOUR)
    await press(stage, "Bo", three, SEAT)
    old = find_press(stage.post(three), "Agree")

    assert "Declined" in await press(stage, "Cy", three, "Decline")
    late = await stage.send_press("Cy", old)
    assert "That proposal is gone" in late.response.content
    assert "Agree" not in stage.post(three).buttons
    assert not (await stage.table()).seats[0].computer
    assert TURN in stage.post(three).buttons

    await choose(stage, "Bo", three, "Pause the table")
    answer = await stage.send_press("Cy", old)
    assert "There's a newer proposal" in answer.response.content
    proposal = (await stage.table()).proposal
    assert proposal is not None
    assert proposal.agreed == (stage["Bo"].id,)


async def test_the_table_pauses_if_all_agree_and_one_resumes_it(stage: DiscordStage, place: Any) -> None:
    assert "once all agree" in await choose(stage, "Ann", place, "Pause the table")
    assert "Ann wants to pause the game." in stage.post(place).text
    assert f"🤝 <@{stage['Bo'].id}>, do you agree?" in stage.post(place).text
    assert "Pause the table" not in read_message(await more(stage, "Bo", place)).buttons
    await press(stage, "Bo", place, "Agree")

    post = stage.post(place)
    assert "Everyone agreed, so the table is paused." in post.text
    assert f"<@{stage['Ann'].id}>" not in post.text
    assert "The table is paused" in await press(stage, "Ann", place, "Take turn")
    assert "Go on" in read_message(await more(stage, "Bo", place)).buttons
    await stage.wait(20 * DAY)
    assert "Only players at this table" in await press(stage, "Dee", place, "Go on")
    assert "The game continues" in await press(stage, "Bo", place, "Go on")

    assert "Bo ended the pause. The clocks run again." in stage.post(place).text
    assert f"<@{stage['Ann'].id}>" in stage.post(place).text
    until = stage.env.now().timestamp() + 2 * DAY
    assert (await stage.table()).clock(0).since + (await stage.table()).clock(0).left == pytest.approx(
        until, abs=30
    )
    late = await stage.send_press("Bo", find_press(post, "Go on"))
    assert "isn't paused" in late.response.content


async def test_a_proposal_that_nobody_answers_is_off_after_a_day(stage: DiscordStage, place: Any) -> None:
    await choose(stage, "Ann", place, "Pause the table")

    await stage.wait(DAY)

    assert "Agree" not in stage.post(place).buttons
    await stage.finish_turn("Ann", place)
    assert "The proposal has ended, so there's no pause." in story(stage, place)


async def test_alone_one_pauses_at_once_shared_deadlines_are_told_once(stage: DiscordStage) -> None:
    place = await stage.open("Ann", computers=1, mode="coop", first="host")
    assert "Nudge" not in read_message(await more(stage, "Ann", place)).buttons

    assert "The table is paused" in await choose(stage, "Ann", place, "Pause the table")

    assert (await stage.table()).paused_at is not None

    place = await stage.open("Ann", "Bo", game="tangram")

    text = stage.post(place).text

    assert "Ann's and Bo's moves are due <t:" in text
    assert text.count("due <t:") == 1

    place = await stage.open("Ann", "Bo", pace="live", **GAME)
    assert "in 3 minutes" in await choose(stage, "Bo", place, "Nudge")

    await stage.wait(3 * MINUTE)

    assert "friendly reminder" in await choose(stage, "Bo", place, "Nudge")


async def test_a_nudge_is_early_then_good_then_enough(stage: DiscordStage, place: Any) -> None:
    assert "Nudge" not in read_message(await more(stage, "Ann", place)).buttons
    assert "Nudge" not in read_message(await more(stage, "Dee", place)).buttons
    early = await choose(stage, "Bo", place, "Nudge")
    assert "It's too early for a nudge. You can send one in 12 hours" in early
    posts = len(stage.posts(place))

    await stage.wait(12 * HOUR)
    assert "I'm sending Ann a friendly reminder." in await choose(stage, "Bo", place, "Nudge")
    twice = await choose(stage, "Bo", place, "Nudge")

    assert "Someone has already sent a nudge. You can send another in 12 hours" in twice
    assert len(stage.posts(place)) == posts + 1
    nudged = stage.post(place)
    assert "The others are waiting for you at **Ribbon Tangle**" in nudged.text
    assert f"<@{stage['Ann'].id}>" in nudged.text
    assert "flip" in nudged.text
    opened = await stage["Ann"].click(nudged.message, label="Take turn")
    assert "flip" in read_message(opened.response).menus


async def test_reminders_come_where_a_person_wants_them(stage: DiscordStage, place: Any) -> None:
    await prefers(stage, "Ann", Notices.DM)
    await stage.wait(DAY)
    await stage.wait(0.8 * DAY)

    lines = [dm.text for dm in dms(stage, "Ann")]
    assert len(lines) == 2
    assert all("Your time is running out at **Ribbon Tangle**, table 1" in text for text in lines)
    assert await deadline(stage) in lines[0]
    assert "Time is running" not in story(stage, place)


async def test_a_notice_by_direct_message_leads_to_the_turn(stage: DiscordStage, place: Any) -> None:
    await prefers(stage, "Bo", Notices.DM)

    await stage.finish_turn("Ann", place)

    assert f"<@{stage['Bo'].id}>" not in stage.post(place).text
    assert "**Bo**" in stage.post(place).text
    [message] = dms(stage, "Bo")
    assert "Everyone is waiting for you at **Ribbon Tangle**, table 1" in message.text
    opened = await stage["Bo"].user.click(message.message, label="Take turn")
    assert "flip" in read_message(opened.response).menus


async def test_where_direct_messages_are_closed_the_thread_tells(stage: DiscordStage, place: Any) -> None:
    await prefers(stage, "Bo", Notices.DM)
    dm = stage["Bo"].user.dm_channel
    stage.env.inject_error("POST", f"/channels/{dm.id}/messages", status=403, code=50007, times=None)

    await stage.finish_turn("Ann", place)
    await stage.env.advance_time(120)

    messages = [
        post for post in stage.posts(place) if f"<@{stage['Bo'].id}> Everyone is waiting" in post.text
    ]
    assert len(messages) == 1
    assert "Take turn" in messages[0].buttons


async def test_after_the_end_nothing_about_time_can_be_pressed(stage: DiscordStage, place: Any) -> None:
    await stage.wait(2 * DAY + HOUR)
    old = [find_press(stage.post(place), label) for label in (TURN, SEAT, WAIT)]
    behind = await more(stage, "Bo", place)
    asked = await stage.admin.slash(place, "admin close")
    await stage.admin.click(asked.response, label="Yes, do it")

    for label in ("Nudge", "Pause the table"):
        answer = await stage["Bo"].click(behind, label=label)
        assert "No game is running here" in answer.response.content
    every = [
        Press("late", verb, 1) for verb in ("deputise", "replace", "wait", "agree", "decline", "on", "back")
    ]
    for one in [*old, *every]:
        pressed = await stage.send_press("Bo", one)
        assert "No game is running here" in pressed.response.content, one
    assert "late" not in stage.post(place).text


async def agree(stage: DiscordStage, place: Any, *names: str) -> None:
    for name in names:
        await stage[name].click(stage.post(place).message, label="Agree")


async def test_a_seat_is_offered_and_taken_with_its_hand(stage: DiscordStage, three: Any) -> None:
    offered = await stage["Ann"].slash(three, "table offer", member=stage["Dee"])
    post = stage.post(three)
    await agree(stage, three, "Dee")
    after = stage.post(three)
    refused = await stage["Ann"].slash(three, "table hand")

    assert offered.ephemeral
    assert "Ann offers their seat to Dee." in post.text
    assert f"<@{stage['Dee'].id}>" in post.text
    assert stage["Dee"].id in [user.id for user in post.message.mentions]
    assert "Ann gives the seat to Dee, who plays from now on." in after.text
    assert "**Dee**: " in after.text  # who has just agreed there needs no mention
    assert await stage.due() == ["Dee"]
    assert (await stage.table()).names == ["Dee", "Bo", "Cy"]
    assert "aren't playing" in refused.response.content


async def test_a_refused_seat_and_a_declined_offer_are_told_at_once(stage: DiscordStage, three: Any) -> None:
    robot = stage.guild.add_member(stage.env.create_user("robot", bot=True))
    offers = {
        "Bots can't play here": robot,
        "That's you": stage["Bo"],
        "Ann is already at this table": stage["Ann"],
    }
    for why, member in offers.items():
        answer = await stage["Bo"].slash(three, "table offer", member=member)
        assert answer.ephemeral
        assert why in answer.response.content
    assert (await stage.table()).proposal is None

    none = await stage["Dee"].slash(three, "table take")
    persons = await stage["Dee"].slash(three, "table take", seat=1)
    beyond = await stage["Dee"].slash(three, "table take", seat=9)
    own = await stage["Ann"].slash(three, "table take")
    assert "This table has no computer players" in none.response.content
    assert persons.response.content == beyond.response.content == "There's no computer player there."
    assert own.ephemeral
    assert own.response.content == "You already have a seat at table 1."

    for value, why in (
        ("pause", "can't propose that here"),
        ("", "can't propose that here"),
        ("undo", "has changed"),
    ):
        answer = await stage.send_press("Ann", Press("late", "matter", 1, 0, value))
        assert why in answer.response.content
    stranger = await stage.send_press("Dee", Press("late", "propose", 1, 0))
    assert "players at this table" in stranger.response.content

    await stage["Bo"].slash(three, "table offer", member=stage["Dee"])
    await stage["Dee"].click(stage.post(three).message, label="Decline")

    assert "Dee declines, so Bo keeps the seat." in stage.post(three).text
    assert "Agree" not in stage.post(three).buttons


async def test_a_computers_seat_is_asked_for_and_given_when_all_agree(stage: DiscordStage) -> None:
    place = await stage.open("Ann", "Bo", computers=1, mode="coop", first="host")

    before = (await stage.table()).names
    offered = await stage["Dee"].autocomplete(place, "table take", "seat", "")
    asked = await stage["Dee"].slash(place, "table take")
    await agree(stage, place, "Ann")
    assert (await stage.table()).seats[1].computer
    await agree(stage, place, "Bo")

    assert [choice["value"] for choice in offered] == [2]
    assert before == ["Ann", "Ada", "Bo"]
    assert "asked" in asked.response.content
    assert "Everyone agreed, so Dee takes Ada's seat from now on" in stage.post(place).text
    assert (await stage.table()).seats[1].user_id == stage["Dee"].id


async def test_an_administrator_replaces_a_player_by_consent(stage: DiscordStage, three: Any) -> None:
    stage.allow_admin(stage.guild.default_role)
    asked = await stage.admin.slash(three, "admin replace", player=stage["Bo"].user, by=stage["Dee"])
    strangers = await stage["Ann"].slash(three, "admin replace", player=stage["Bo"].user, by=stage["Dee"])
    await agree(stage, three, "Ann", "Cy", "Dee")

    assert "asked" in read_message(asked.response).text
    assert "Only this server's admins can do that" in strangers.response.content
    assert "An admin gave Bo's seat to Dee" in stage.post(three).text
    told = "\n".join(read_message(message).text for message in stage["Bo"].user.dm_channel.history())
    assert "An admin gave Dee your seat at **Ribbon Tangle**, table 1. The others agreed." in told


@pytest.mark.parametrize(
    ("label", "told", "due"),
    [
        ("Undo the last step", "Everyone agreed to undo the last step", ["Ann"]),
        ("End without a result", "Everyone agreed, so the game ends here without a result.", []),
    ],
)
async def test_what_is_proposed_behind_more_is_done_when_all_agree(
    stage: DiscordStage, three: Any, label: str, told: str, due: list[str]
) -> None:
    await stage.panel_flip("Ann", three)
    more = await stage["Bo"].click(stage.post(three).message, label="More")
    proposals = await stage["Bo"].click(more.response, label="Propose…")
    await stage["Bo"].click(proposals.response, label=label)
    another = await stage["Cy"].slash(three, "table offer", member=stage["Dee"])
    await agree(stage, three, "Ann", "Cy")

    assert "This table already has a proposal" in another.response.content
    assert told in stage.post(three).text
    assert await stage.due() == due
