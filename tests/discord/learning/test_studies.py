"""A turn tried again and a sandbox, by clicks: opened, played, compared, and forgotten."""

from random import Random
from typing import Any, cast

import pytest

from cogs import study as sandbox
from cogs.review import turning_points
from cogs.ui.press import Press
from engines.registry import SLUGS
from engines.workers import WorkerTimeout
from tables.clocks.pace import HOUR
from tables.core.table import Phase, Refused
from tables.learning import Swing
from tables.study.reviews import LEAST_LOSS, Reviews, TurnLine, TurnReview
from tables.study.studies import Studies
from tests.discord.learning.alone import finish_soon, make_choice, options_of, play_turn
from tests.discord.stage import DiscordStage, ShownMessage, read_message


async def open_finished(stage: DiscordStage, slug: str = "tesla") -> Any:
    """Return the thread of a finished game of Ann against a computer."""
    place = await stage.open("Ann", game=slug, **options_of(slug))
    table = await finish_soon(stage, "Ann")
    assert table.phase is Phase.OVER
    return place


async def own_turn(stage: DiscordStage, name: str = "Ann") -> int:
    """Return the number of a turn that a person began."""
    table = await stage.table()
    seat = table.seat_of(stage[name].id)
    turns = await stage.bot.app.parlour.record.turns(table)
    return next(turn.number for turn in turns[2:] if turn.seats[:1] == (seat,))


async def send(stage: DiscordStage, name: str, verb: str, number: int, arg: object) -> Any:
    return await stage.send_press(name, Press("study", verb, number, 0, str(arg)))


async def show_result(stage: DiscordStage, name: str, number: int) -> ShownMessage:
    """Return the panel of a study, as it is now."""
    version = (await stage.table(number)).version
    return read_message((await stage.send_press(name, Press("table", "turn", number, version))).response)


async def think_too_long(*_: Any) -> float:
    raise WorkerTimeout


@pytest.mark.essential
@pytest.mark.any_game
@pytest.mark.parametrize("slug", SLUGS)
async def test_a_turn_of_every_game_is_tried_again_and_compared(stage: DiscordStage, slug: str) -> None:
    place = await open_finished(stage, slug)
    posted = len(stage.posts(place))
    number = await own_turn(stage)

    opened = await send(stage, "Ann", "turn", 1, number)

    assert opened.ephemeral
    assert f"Turn {number} again" in read_message(opened.response).text
    await play_turn(stage, "Ann", 2)
    shown = await show_result(stage, "Ann", 2)
    assert f"**Turn {number} again**" in shown.text
    assert "In the game, you played" in shown.text
    assert {"Once more", f"See turn {number}"} <= set(shown.buttons)
    assert len(stage.posts(place)) == posted


async def test_a_winning_turn_isnt_called_worse(stage: DiscordStage, monkeypatch: pytest.MonkeyPatch) -> None:
    place = await open_finished(stage)
    praised = await own_turn(stage)
    other = praised + 1

    async def find(*_: object) -> list[int]:
        return [praised, other]

    monkeypatch.setattr(Studies, "find_missed_turns", find)
    monkeypatch.setattr(turning_points, "_has_won", lambda *_: True)
    monkeypatch.setattr(turning_points, "table_swings", lambda *_: [Swing(praised, 0.4, (0.5, 0.9))])

    answer = await stage["Ann"].click(stage.post(place).message, label="What decided it")
    shown = read_message(answer.response)

    assert f"Turn {praised}: from 50 to 90%" in shown.text
    assert [label for label in shown.buttons if label.startswith("Turn ")] == [f"Turn {other}"]


@pytest.mark.parametrize(("own", "said"), [(0.951, True), (0.97, True), (0.91, False)])
def test_a_try_that_is_as_good_as_the_computers_says_so(own: float, said: bool) -> None:
    lines = [TurnLine((), ((move, None),), None, None, value) for move, value in (("a", own), ("b", 0.949))]
    review = TurnReview(3, True, lines[0], lines[1], lines[0], True, None)

    text = sandbox.verdict(cast(Any, None), review)

    assert (sandbox.AS_GOOD in text) == said
    assert ("with my turn" in text) != said


async def test_another_try_replaces_the_earlier_and_is_forgotten_after_a_day(stage: DiscordStage) -> None:
    await open_finished(stage)
    number = await own_turn(stage)
    await send(stage, "Ann", "turn", 1, number)
    first = await stage.view("Ann", 2)
    await play_turn(stage, "Ann", 2)

    await send(stage, "Ann", "turn", 1, number)

    assert await stage.view("Ann", 3) == first
    with pytest.raises(Refused):
        await stage.table(2)
    for press in (Press("table", "turn", 2, 1), Press("tesla", "place", 2, 1)):
        answer = await stage.send_press("Ann", press)
        assert answer.ephemeral
        assert "This game is gone" in answer.response.content
        assert "or until you begin another" in answer.response.content

    for _ in range(23):
        await stage.wait(HOUR - 60)
    assert (await stage.table(3)).phase is Phase.PLAY

    for _ in range(3):
        await stage.wait(HOUR - 60)

    with pytest.raises(Refused):
        await stage.table(3)


async def test_turns_offered_are_worth_less_and_go_by_their_own_numbers(
    stage: DiscordStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    await open_finished(stage)
    studies, table = stage.bot.app.parlour.studies, await stage.table()
    seat = table.seat_of(stage["Ann"].id)
    turns = await stage.bot.app.parlour.record.turns(table)
    assert seat is not None

    offered = await studies.find_missed_turns(table, seat)

    assert offered
    losses = [await studies.reviews.loss(table, turns[number], seat) for number in offered]
    assert all(loss is not None and loss >= LEAST_LOSS for loss in losses)
    assert losses == sorted(losses, key=lambda loss: -(loss or 0))

    stage.bot.app.parlour.record._estimates.clear()
    studies._missed.clear()
    monkeypatch.setattr("tables.review.record.MOST_ESTIMATES", 6)
    compared = list[int]()

    async def note(_reviews: Reviews, _table: Any, turn: Any, _seat: int) -> float:
        compared.append(turn.number)
        return 0.0

    monkeypatch.setattr(Reviews, "loss", note)

    assert await studies.find_missed_turns(table, seat) == []

    turns = await stage.bot.app.parlour.record.turns(table)
    assert compared
    assert all(turns[number].seats[:1] == (seat,) for number in compared)
    assert min(compared) > turns[-1].number - 8


async def test_what_decided_it_comes_before_it_can_offer_turns_to_try(
    stage: DiscordStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = await open_finished(stage)
    with monkeypatch.context() as patched:
        patched.setattr(Reviews, "loss", think_too_long)
        answer = await stage["Ann"].click(stage.post(place).message, label="What decided it")
    later = await stage["Ann"].click(stage.post(place).message, label="What decided it")

    assert "What decided the game" in read_message(answer.response).text
    assert "I wouldn't have played any of your turns" not in read_message(answer.response).text
    assert "I'd have played th" in read_message(later.response).text

    shown = read_message(later.response)
    offered = [label for label in shown.buttons if label.startswith("Turn ")]

    assert 1 <= len(offered) <= 3
    assert "I'd have played th" in shown.text
    opened = await stage["Ann"].click(later.response, label=offered[0])
    assert "What would you do now?" in read_message(opened.response).text
    others = read_message((await stage.send_press("Bo", Press("table", "why", 1))).response)
    assert not [label for label in others.buttons if label.startswith("Turn ")]


async def test_where_all_answer_at_once_a_try_is_judged_after_the_others_answers(stage: DiscordStage) -> None:
    await open_finished(stage, "tangram")
    await send(stage, "Ann", "turn", 1, 2)
    await play_turn(stage, "Ann", 2)
    table = await stage.table(2)
    answered = (await stage.view("Ann", 2)).mine

    review = await stage.bot.app.parlour.studies.reviews.review(table)

    assert answered
    assert review.own.view.mine == ()
    assert {one.piece for one in answered if one.piece} <= {*review.own.view.cities[0].pieces}
    assert [row.seat for row in review.own.rows] == [0, 1]
    assert review.own.choices


@pytest.mark.essential
async def test_each_step_of_a_try_is_undone_even_if_its_verdict_takes_too_long(
    stage: DiscordStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    await open_finished(stage)
    await send(stage, "Ann", "turn", 1, await own_turn(stage))
    begun = await stage.view("Ann", 2)
    await play_turn(stage, "Ann", 2)

    while "Undo" in (await show_result(stage, "Ann", 2)).buttons:
        version = (await stage.table(2)).version
        await stage.send_press("Ann", Press("table", "undo", 2, version))

    assert await stage.view("Ann", 2) == begun
    await play_turn(stage, "Ann", 2)
    assert not [one for one in (await stage.table(2)).seats if one.computer]

    monkeypatch.setattr(Reviews, "_review", think_too_long)

    shown = await show_result(stage, "Ann", 2)

    assert "I couldn't compare this in time" in shown.text
    assert {"Undo", "Once more"} <= set(shown.buttons)


async def test_a_turn_that_a_computer_took_isnt_tried_again(stage: DiscordStage) -> None:
    await stage.open("Ann", "Bo", game="tesla")
    async with stage.run_by_itself() as parlour:
        for _ in range(6):
            await parlour.play.skip(1, 0)
        await parlour.play.resign(1, stage["Bo"].id)

    refused = await send(stage, "Ann", "turn", 1, 1)
    refused_too = await send(stage, "Ann", "turn", 1, 2)

    assert "didn't play that turn" in refused.response.content
    assert "didn't play that turn" in refused_too.response.content


@pytest.mark.essential
async def test_a_try_is_of_an_own_turn_and_seen_by_nobody_else(stage: DiscordStage) -> None:
    await open_finished(stage)

    for name, turn in (("Bo", 3), ("Ann", 0), ("Ann", 999)):
        answer = await send(stage, name, "turn", 1, turn)
        assert answer.ephemeral
        assert "didn't play that turn" in answer.response.content

    parlour, who = stage.bot.app.parlour, stage["Ann"].id
    await send(stage, "Ann", "turn", 1, await own_turn(stage))

    others = await stage.send_press("Bo", Press("table", "turn", 2, 1))
    assert "Table 2 doesn't exist, or you can't see it." in others.response.content
    assert [table.id for table in await parlour.tables_of(who, tuple(Phase))] == [1]
    assert await parlour.store.turns_of(who) == []
    resigned = await stage["Ann"].slash(stage.channel, "table resign", table=2)
    assert resigned.ephemeral

    await stage.send_press("Ann", Press("table", "resign", 2, (await stage.table(2)).version))

    shown = await show_result(stage, "Ann", 2)
    assert "again**" in shown.text
    assert "Once more" in shown.buttons


async def test_an_erased_opponent_leaves_no_name_in_a_try(stage: DiscordStage) -> None:
    await stage.open("Ann", "Bo", game="tesla")
    parlour = stage.bot.app.parlour
    for _ in range(3):
        mover = (await stage.due())[0]
        await stage.finish_turn(mover, stage.channel.threads[-1])
    with stage.env.time_context():
        await parlour.play.resign(1, stage["Bo"].id)
    await send(stage, "Ann", "sandbox", 1, 1)
    await send(stage, "Ann", "open", 1, "1.computers")
    assert "Bo" in str((await stage.table(2)).names)

    with stage.env.time_context():
        await parlour.eraser.erase(stage["Bo"].id)

    with pytest.raises(Refused):
        await stage.table(2)


async def open_sandbox(stage: DiscordStage, name: str, turn: int, sides: str = "computers") -> Any:
    return await stage.send_press(name, Press("study", "open", 1, 0, f"{turn}.{sides}"))


@pytest.mark.essential
@pytest.mark.any_game
@pytest.mark.parametrize("slug", SLUGS)
async def test_a_sandbox_of_every_game_is_played_to_its_end(stage: DiscordStage, slug: str) -> None:
    place = await stage.open("Ann", game=slug, **options_of(slug))
    await finish_soon(stage, "Ann")
    record = await stage["Ann"].slash(place, "table history", at=1)

    asked = await stage["Ann"].click(record.response, label="Try it alone")
    if slug != "ribbon":
        assert "Who plays the others?" in read_message(asked.response).text
        await stage["Ann"].click(asked.response, label="Computers")

    shown = read_message(asked.response)
    assert "Sandbox" in shown.text
    if "More" in shown.buttons:
        shown = await stage.unfold("Ann", asked)
    assert {"Start over", "Back to the game"} <= set(shown.buttons)
    assert (await finish_soon(stage, "Ann", 2)).phase is Phase.OVER
    version = (await stage.table(2)).version
    ended = read_message((await stage.send_press("Ann", Press("table", "turn", 2, version))).response)
    assert "Start over" in ended.buttons


@pytest.mark.any_game
@pytest.mark.parametrize("slug", [slug for slug in SLUGS if slug != "ribbon"])
async def test_one_person_plays_all_sides_of_a_sandbox(stage: DiscordStage, slug: str) -> None:
    await stage.open("Ann", game=slug, **options_of(slug))
    await finish_soon(stage, "Ann")
    await open_sandbox(stage, "Ann", 1, "all")
    moved, luck = set[int](), Random(2)

    with stage.env.time_context():
        for _ in range(60):
            table = await stage.table(2)
            seat = table.seat_of(stage["Ann"].id)
            moved.add(seat)
            await make_choice(stage, "Ann", 2, luck)
            if len(moved) == len(table.seats):
                break

    assert moved == set(range(len((await stage.table(2)).seats)))
    version = (await stage.table(2)).version
    panel = await stage.send_press("Ann", Press("table", "turn", 2, version))
    assert read_message(panel.response).files or read_message(panel.response).buttons


async def test_a_running_game_with_hints_has_a_sandbox_of_ones_own_view_where_the_game_is(
    stage: DiscordStage,
) -> None:
    place = await stage.open("Ann", game="tesla", computers=1)
    seen, version = await stage.view("Ann"), (await stage.table()).version
    record = await stage["Ann"].slash(place, "table history")
    assert "Try it alone" in read_message(record.response).buttons

    await open_sandbox(stage, "Ann", 0)

    assert (await stage.view("Ann", 2)).hands == seen.hands
    assert (await stage.table()).version == version
    with stage.env.time_context():
        await make_choice(stage, "Ann", 1, Random(3))
    turns = await stage.bot.app.parlour.record.turns(await stage.table())
    await open_sandbox(stage, "Ann", turns[-1].number)
    study, seat = (await stage.table(3)).study, (await stage.table()).seat_of(stage["Ann"].id)
    assert study is not None
    assert study.version == turns[-1].version
    assert await stage.bot.app.parlour.hints.hints_by_seat(1) == {seat: 2}


async def test_who_plays_all_sides_answers_for_one_after_the_other(stage: DiscordStage) -> None:
    await stage.open("Ann", game="tangram", computers=1)
    await finish_soon(stage, "Ann")
    opened = await open_sandbox(stage, "Ann", 2, "all")
    before = await stage.table(2)
    owner = before.names[before.seat_of(stage["Ann"].id) or 0]
    assert f"You're playing **{owner}** now." in read_message(opened.response).text
    with stage.env.time_context():
        await make_choice(stage, "Ann", 2, Random(1))
    after = await stage.table(2)

    assert after.moment != before.moment
    assert after.seat_of(stage["Ann"].id) != before.seat_of(stage["Ann"].id)


async def test_a_rated_game_against_others_has_no_sandbox_and_no_try_before_its_end(
    stage: DiscordStage,
) -> None:
    place = await stage.open("Ann", "Bo", game="tesla")
    record = await stage["Ann"].slash(place, "table history")

    answer = await open_sandbox(stage, "Ann", 0)
    tried = await send(stage, "Ann", "turn", 1, 1)

    assert "Try it alone" not in read_message(record.response).buttons
    assert "Rated games against others have hints only if" in answer.response.content
    assert "when it's over" in tried.response.content


async def test_a_forged_press_opens_no_sandbox_and_an_erasure_takes_it(stage: DiscordStage) -> None:
    await stage.open("Ann", game="ribbon", mode="solo")
    await finish_soon(stage, "Ann")

    for arg in ("", "x.all", "1.nobody", "9999999.all", "50.all"):
        answer = await stage.send_press("Ann", Press("study", "open", 1, 0, arg))
        assert answer.ephemeral
        assert answer.response.content
    assert await stage.bot.app.parlour.store.studies.of_person(stage["Ann"].id, "sandbox") is None

    await open_sandbox(stage, "Ann", 1, "all")
    parlour = stage.bot.app.parlour

    with stage.env.time_context():
        await parlour.eraser.erase(stage["Ann"].id)

    assert await parlour.store.studies.of_person(stage["Ann"].id, "sandbox") is None


async def ask_for_sandbox(stage: DiscordStage, turn: int) -> str:
    asked = await stage.send_press("Ann", Press("study", "sandbox", 1, 0, str(turn)))
    return read_message(asked.response).text


@pytest.mark.essential
async def test_a_sandbox_waits_and_the_question_before_another_says_what_becomes_of_it(
    stage: DiscordStage,
) -> None:
    await stage.open("Ann", game="tesla", computers=1)
    await finish_soon(stage, "Ann")
    assert "replaces" not in await ask_for_sandbox(stage, 1)
    await open_sandbox(stage, "Ann", 1)
    with stage.env.time_context():
        await make_choice(stage, "Ann", 2, Random(1))

    await open_sandbox(stage, "Ann", 1)
    assert (await stage.table(2)).version > 1
    same = await ask_for_sandbox(stage, 1)
    assert "**Computers** goes on with your sandbox. **I play all sides** replaces it." in same
    await stage.send_press("Ann", Press("study", "anew", 1, 0, "1.computers"))
    assert (await stage.table(3)).version == 1
    other = await ask_for_sandbox(stage, 2)
    assert "This replaces your sandbox, which began after turn 1 of table 1." in other
    await open_sandbox(stage, "Ann", 2, "all")
    mine = await ask_for_sandbox(stage, 2)
    assert "**I play all sides** goes on with your sandbox. **Computers** replaces it." in mine

    spectators = await open_sandbox(stage, "Bo", 2)
    assert "Sandbox" in read_message(spectators.response).text
    assert (await stage.table(5)).people == [stage["Bo"].id]
