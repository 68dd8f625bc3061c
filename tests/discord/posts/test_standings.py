import sys
from random import Random
from typing import Any

import pytest

from cogs.ui.press import Press
from tests.discord.stage import DiscordStage, ShownMessage, fill, pick, read_message

GAME = {"mode": "versus", "first": "host", "ribbon_choice": "random"}


async def lose_game(stage: DiscordStage, loser: str, winner: str, **options: Any) -> Any:
    place = await stage.open(loser, winner, **{**GAME, **options})
    asked = await stage[loser].slash(place, "table resign")
    await stage[loser].click(asked.response, label="Resign")
    return place


async def show_answer(
    stage: DiscordStage, who: str, command: str, **options: Any
) -> tuple[Any, ShownMessage]:
    answer = await stage[who].slash(stage.channel, command, **options)
    assert answer.ephemeral
    return answer, read_message(answer.response)


async def refusal_of(stage: DiscordStage, who: str, command: str, **options: Any) -> str:
    answer = await stage[who].slash(stage.channel, command, **options)
    assert answer.ephemeral
    return read_message(answer.response).text


async def test_a_leaderboard_is_private_until_shown_and_by_the_newest_names(stage: DiscordStage) -> None:
    place = await lose_game(stage, "Bo", "Ann")
    assert "New ratings: Ann 1,000 → 1,138, Bo 1,000 → 927 (provisional)" in stage.post(place).text

    answer, board = await show_answer(stage, "Bo", "leaderboard", game="ribbon")

    assert board.files == ["standings.png"]
    assert "1. **Ann** 1,138 ± 323 · 1 game · 1 win · provisional · ▲ 138" in board.text
    assert "2. **Bo** 927 ± 323 · 1 game · 0 wins · provisional · ▼ 73" in board.text
    assert "Ann is 1st with a rating of 1,138 ± 323" in str(board.alts[0])
    await stage["Bo"].click(answer.response, label="Show everyone")
    posted = stage.post(stage.channel)
    assert posted.files == ["standings.png"]
    assert "1. **Ann** 1,138" in posted.text
    assert posted.buttons == {}

    beyond = await stage.send_press("Cy", Press("standings", "board", arg="ribbon.versus.9"))
    assert "1. **Ann**" in read_message(beyond.response).text

    stage.env.backend.edit_member(stage.guild.id, stage["Ann"].id, {"nick": "Anna_"})
    await stage.env.settle()
    boards = [(await show_answer(stage, name, "leaderboard", game="ribbon"))[1] for name in ("Ann", "Bo")]
    stage.guild.remove_member(stage["Ann"])
    await stage.env.settle()
    _, board = await show_answer(stage, "Bo", "leaderboard", game="ribbon")

    assert all("1. **Anna\\_** 1,138" in one.text for one in [*boards, board])
    assert "Anna_ is 1st with a rating of 1,138" in str(board.alts[0])


async def test_where_no_game_has_ended_a_sentence_says_so_and_hiding_is_a_switch(stage: DiscordStage) -> None:
    text = await refusal_of(stage, "Ann", "leaderboard", game="tangle")

    assert "Nobody has finished a rated game of Tangle here yet" in text
    assert "`/tangle new`" in text
    assert "You haven't finished a game in this server yet" in await refusal_of(stage, "Dee", "profile")
    assert "Ann hasn't finished a game" in await refusal_of(stage, "Dee", "profile", member=stage["Ann"])

    answer, panel = await show_answer(stage, "Ann", "me settings")
    assert "**Your games**: everyone sees them" in panel.text

    await fill(stage["Ann"], answer.response, "Pictures, words and privacy", hide="on")

    assert "only you see them" in read_message(answer.response).text


async def test_a_table_for_nothing_moves_no_rating_and_its_card_says_so(stage: DiscordStage) -> None:
    place = await lose_game(stage, "Bo", "Ann", rated=False)

    assert "New ratings:" not in stage.post(place).text
    assert "Nobody has finished a rated game of" in await refusal_of(
        stage, "Ann", "leaderboard", game="ribbon"
    )
    _, own = await show_answer(stage, "Ann", "profile")
    assert "Ribbon Tangle · 1 game (1 unrated) · 1st place once" in own.text
    await stage["Ann"].slash(stage.channel, "ribbon new")
    assert "🏅 This game counts for the ratings." in stage.card().text
    await pick(stage["Ann"], stage.card().message, "computer", "strong")
    assert "doesn't count for the ratings, because a computer plays." in stage.card().text

    await stage.admin.slash(stage.channel, "admin config", rated=False)
    await stage["Ann"].slash(stage.channel, "ribbon new")
    assert "This game is for fun" in stage.card().text
    assert "New ratings:" not in stage.post(await lose_game(stage, "Bo", "Ann")).text
    assert "New ratings:" in stage.post(await lose_game(stage, "Bo", "Ann", rated=True)).text


@pytest.mark.essential
async def test_a_profile_tells_others_what_concerns_both_and_a_long_leaderboard_has_pages(
    stage: DiscordStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    await lose_game(stage, "Bo", "Ann")
    await lose_game(stage, "Cy", "Ann")

    answer, own = await show_answer(stage, "Ann", "profile")
    _, theirs = await show_answer(stage, "Bo", "profile", member=stage["Ann"])
    _, strange = await show_answer(stage, "Dee", "profile", member=stage["Ann"])
    await stage["Ann"].click(answer.response, label="Show everyone")
    posted = stage.post(stage.channel)

    assert "**Ribbon Tangle** 1,2" in own.text
    assert "1st of 3" in own.text
    for who in ("Bo", "Cy"):
        assert f"Against {who}: ahead in 1, behind in 0 · 1 game" in own.text.splitlines()
    assert "Against you: ahead in 1, behind in 0 · 1 game" in theirs.text
    assert "Cy" not in theirs.text
    assert "Against" not in strange.text
    assert "A chart shows the rating in Ribbon Tangle, from 1000 to" in str(own.alts[0])
    assert "### Ann" in posted.text
    assert "Against" not in posted.text
    assert "Bo" not in f"{posted.text} {posted.alts}"

    monkeypatch.setattr(sys.modules["cogs.standings.standings"], "LINES_PER_PAGE", 2)
    answer, board = await show_answer(stage, "Cy", "leaderboard", game="ribbon")
    assert "You are 3rd of 3" in board.text or "3. **" not in board.text

    more = await stage["Cy"].click(answer.response, label="More")

    assert "3. **" in read_message(more.response).text
    back = await stage["Cy"].click(more.response, label="Higher ranks")
    assert "1. **Ann**" in read_message(back.response).text


@pytest.mark.essential
async def test_the_chart_of_another_game_is_chosen_in_a_menu(stage: DiscordStage) -> None:
    await lose_game(stage, "Bo", "Ann")
    for name in ("Bo", "Ann"):
        await stage[name].slash(stage.channel, "mine")
    place = await stage.open("Bo", "Ann", game="tesla")
    asked = await stage["Bo"].slash(place, "table resign")
    await stage["Bo"].click(asked.response, label="Resign")
    answer, before = await show_answer(stage, "Ann", "profile", game="ribbon")
    assert "rating in Ribbon Tangle" in str(before.alts[0])

    changed = await pick(stage["Ann"], answer.response, "chart", "tesla")

    assert "rating in Tesla's Tangle" in str(read_message(changed.response).alts[0])


async def test_a_hidden_person_is_invisible_to_others(stage: DiscordStage) -> None:
    await lose_game(stage, "Bo", "Ann")
    text = await refusal_of(stage, "Ann", "me hide")
    assert "only you see them, and leaderboards leave you out" in text

    place = await lose_game(stage, "Bo", "Ann")

    assert "New ratings: Bo" in stage.post(place).text
    _, board = await show_answer(stage, "Bo", "leaderboard", game="ribbon")
    assert "Ann" not in f"{board.text} {board.alts}"
    assert "hides their games" in await refusal_of(stage, "Bo", "profile", member=stage["Ann"])
    answer, own = await show_answer(stage, "Ann", "leaderboard", game="ribbon")
    assert "1. **Ann**" in own.text
    await stage["Ann"].click(answer.response, label="Show everyone")
    assert "Ann" not in stage.post(stage.channel).text
    _, profile = await show_answer(stage, "Ann", "profile")
    assert "Only you see this" in profile.text
    assert "Show everyone" not in profile.buttons

    await refusal_of(stage, "Ann", "me hide", hidden=False)
    _, board = await show_answer(stage, "Bo", "leaderboard", game="ribbon")
    assert "1. **Ann**" in board.text

    for name in ("Ann", "Bo"):
        await stage[name].slash(stage.channel, "me hide")
    assert "Everyone who played this hides" in await refusal_of(stage, "Cy", "leaderboard", game="ribbon")


@pytest.mark.essential
async def test_the_best_alone_are_told_by_difficulty_and_by_their_best_score(stage: DiscordStage) -> None:
    parlour, ann = stage.bot.app.parlour, stage["Ann"].id
    solo: list[dict[str, Any]] = [{"mode": "solo", "difficulty": one} for one in ("easy", "hard")]
    for number, options in enumerate([*solo, {"game": "tangram"}], 1):
        await stage.open("Ann", **options)
        rng = Random(number)
        while moves := await parlour.play.moves(number, ann):
            await parlour.play.move(number, ann, [rng.choice(moves)])
        await parlour.outbox.finish()

    _, board = await show_answer(stage, "Bo", "leaderboard", game="ribbon", kind="solo")

    assert {"**Solo, easy level**", "**Solo, hard level**"} <= set(board.text.splitlines())
    assert "1. **Ann**" in board.text
    assert "that counts" in await refusal_of(stage, "Bo", "leaderboard", game="ribbon", kind="coop")
    outcome = (await stage.table(3)).outcome
    assert outcome is not None

    _, board = await show_answer(stage, "Ann", "leaderboard", game="tangram")
    _, own = await show_answer(stage, "Ann", "profile")

    assert f"1. **Ann** {outcome.scores[0]} · 1 game" in board.text
    assert f"Tangram City, alone · 1 game · best score {outcome.scores[0]}" in own.text


async def test_a_rollback_across_the_end_takes_the_ratings_back(stage: DiscordStage) -> None:
    place = await stage.open("Ann", "Bo", mode="coop", first="host")
    await stage.finish(place)
    _, before = await show_answer(stage, "Ann", "leaderboard", game="ribbon", kind="coop")
    assert "**Ann**" in before.text

    asked = await stage.admin.slash(place, "admin rollback")
    assert "The game is over, so everyone has seen every hand" in read_message(asked.response).text
    await stage.admin.click(asked.response, label="Yes, do it")

    assert (await stage.table()).phase == "play"
    assert "The game has begun" in stage.card().text
    assert "Nobody has finished a rated game of Ribbon Tangle" in await refusal_of(
        stage, "Ann", "leaderboard", game="ribbon"
    )
    await stage.finish(place)
    _, after = await show_answer(stage, "Ann", "leaderboard", game="ribbon", kind="coop")
    assert after.text.splitlines()[1:] == before.text.splitlines()[1:]
