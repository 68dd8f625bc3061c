import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cogs.core.rulebook import page_number, pages
from cogs.learning.lessons import course
from cogs.ribbon.presenter import applicable_notes
from engines.registry import SLUGS, game
from engines.ribbon import GAME
from engines.ribbon.words.event_lines import at_stake
from tests.discord.stage import DiscordStage, read_message
from tests.engines.ribbon.arrange import arranging
from tests.render.positions import TANGLED


async def go_round(stage: DiscordStage, place: Any, *flips: int) -> None:
    """Let Ann and Bo flip places without neighbours: nothing tangles."""
    for name, flip in zip(("Ann", "Bo"), flips, strict=True):
        await stage[name].slash(place, "ribbon choose", choice=f"flip {flip}")
        if name in await stage.due():
            await stage[name].slash(place, "ribbon end")


SMALL_WORDS = "after for game one some that the this when which with you your"
BRIEF, FIRST, SECOND = (
    "📖 Against others, a **tangle**",
    "📖 **Your first game**\n**You want**",
    "📖 **Which card to flip**",
)


async def open_note(stage: DiscordStage, place: Any) -> Any:
    await stage.panel("Ann", place)
    await go_round(stage, place, 1, 4)
    result, panel = await stage.panel("Ann", place)
    assert SECOND not in panel.text
    return await stage["Ann"].click(result.response, label="New: Which card to flip")


async def read_on(stage: DiscordStage, result: Any) -> Any:
    """Press Go on until Ann's notes end with the panel."""
    while "Go on" in read_message(result.response).buttons:
        result = await stage["Ann"].click(result.response, label="Go on")
    return result


async def test_a_first_game_begins_with_a_line_and_more_explains_it(stage: DiscordStage, place: Any) -> None:
    result, panel = await stage.panel("Ann", place)
    assert panel.text.startswith(BRIEF)
    assert FIRST not in panel.text

    panel = await stage.unfold("Ann", result)

    second, third, fourth = panel.text.partition("📖 **Your first game**\n")[2].splitlines()[:3]
    assert (second[:12], third[:13], fourth[:9]) == ("**You want**", "**In a turn**", "**Watch**")


async def test_a_note_stays_for_its_decision_and_comes_once(stage: DiscordStage, place: Any) -> None:
    await stage.panel("Ann", place)
    _, again = await stage.panel("Ann", place)
    assert BRIEF in again.text

    await stage.finish_turn("Ann", place)
    await stage.finish_turn("Bo", place)
    _, later = await stage.panel("Ann", place)

    assert BRIEF not in later.text
    assert [label for label in later.buttons if label.startswith("New: ")] == ["New: Which card to flip"]


async def test_a_later_note_opens_beside_the_panel_or_within_it(stage: DiscordStage, place: Any) -> None:
    note = await open_note(stage, place)
    assert note.ephemeral
    assert read_message(note.response).text.startswith(SECOND)
    assert {"Read more", "No more notes"} <= read_message(note.response).buttons.keys()

    result, _ = await stage.panel("Ann", place)
    assert SECOND in (await stage.unfold("Ann", result)).text


async def test_a_lesson_tells_two_long_notes_before_the_panel_that_they_explain(stage: DiscordStage) -> None:
    await stage["Ann"].slash(stage.channel, "ribbon learn")

    result, note = await stage.panel("Ann", stage.channel.threads[-1])
    followed = await stage["Ann"].click(result.response, label="Go on")
    second = read_message(followed.response)
    opened = read_message((await read_on(stage, followed)).response)

    assert note.text.startswith(FIRST)
    assert list(note.buttons) == ["Go on", "Read more", "No more notes"]
    assert not note.menus
    assert SECOND in second.text
    assert opened.menus
    assert (await stage.unfold("Ann", result)).text.startswith(SECOND)


async def test_more_opens_the_page_of_the_rules(stage: DiscordStage, place: Any) -> None:
    note = await open_note(stage, place)

    more = await stage["Ann"].click(note.response, label="Read more")

    assert more.ephemeral
    assert "### Your turn" in read_message(more.response).text


async def test_a_person_without_notes_gets_none_until_they_ask(stage: DiscordStage, place: Any) -> None:
    note = await open_note(stage, place)
    stopped = await stage["Ann"].click(note.response, label="No more notes")
    assert "No more notes about Ribbon Tangle" in read_message(stopped.response).text
    await go_round(stage, place, 7, 10)
    _, without = await stage.panel("Ann", place)
    assert "📖" not in without.text
    assert not any(label.startswith("New: ") for label in without.buttons)

    await stage["Ann"].slash(place, "me notes", on=True)

    _, panel = await stage.panel("Ann", place)
    assert BRIEF in panel.text


async def test_notes_are_each_persons_own(stage: DiscordStage, place: Any) -> None:
    await stage.panel("Ann", place)
    await stage["Cy"].slash(place, "me notes", on=False)
    await stage.finish_turn("Ann", place)

    _, panel = await stage.panel("Bo", place)

    assert BRIEF in panel.text


@pytest.mark.any_game
@pytest.mark.parametrize("slug", SLUGS)
async def test_a_lesson_begins_at_once_against_an_easy_computer(stage: DiscordStage, slug: str) -> None:
    await stage["Ann"].slash(stage.channel, f"{slug} learn")
    await stage.wait(1)

    table = await stage.table()
    assert table.phase == "play"
    assert (table.private, table.rated, table.learning) == (True, False, True)
    assert {occupant.strength for occupant in table.seats} == {None, "easy"}
    assert "Your lesson begins" in stage.posts(stage.channel.threads[-1])[0].text


@pytest.mark.parametrize("slug", SLUGS)
async def test_the_command_of_a_lesson_says_how_long_it_takes(stage: DiscordStage, slug: str) -> None:
    setup = course(slug).learn
    assert setup is not None

    group: Any = stage.bot.tree.get_command(slug)

    assert f"about {setup.minutes} minutes" in group.get_command("learn").description


def test_the_readme_says_how_long_its_lesson_takes() -> None:
    setup = course("ribbon").learn
    assert setup is not None
    readme = Path(__file__).parents[3].joinpath("README.md").read_text("utf-8")

    assert f"Ribbon Tangle takes about {setup.minutes} minutes" in readme


@pytest.mark.essential
async def test_a_lesson_tells_at_its_end_what_was_not_met_and_no_hints(stage: DiscordStage) -> None:
    await stage["Ann"].slash(stage.channel, "ribbon learn")
    place, rng = stage.channel.threads[-1], Random(1)
    await stage["Ann"].slash(place, "table hint")
    while "Rematch" not in stage.post(place).buttons:
        await stage.act("Ann", place, rng)
        await stage.wait(5)

    post = stage.post(place)
    for text in ("📖 **You haven't met these yet:** ", "A tie", "`/ribbon rules` explains everything."):
        assert text in post.text
    assert "💡" not in post.text
    assert post.files[0] == "result.png"
    assert len(post.files) > 1
    assert all(post.alts)


async def test_in_a_lesson_every_step_may_be_taken_back(stage: DiscordStage) -> None:
    await stage["Ann"].slash(stage.channel, "ribbon learn")
    place = stage.channel.threads[-1]
    await stage["Ann"].slash(place, "ribbon choose", choice="flip 1")
    await stage.wait(5)
    before = await stage.view()

    note, _ = await stage.panel("Ann", place)
    result = await read_on(stage, note)
    await stage["Ann"].click(result.response, label="Undo")

    after = await stage.view()
    assert sum(card is not None for card in after.circle) < sum(card is not None for card in before.circle)
    assert await stage.due() == ["Ann"]


async def test_the_card_of_a_lobby_leads_to_the_lesson(stage: DiscordStage) -> None:
    await stage["Ann"].slash(stage.channel, "tesla new")

    await stage["Bo"].click(stage.card().message, label="Learn it first")

    assert (await stage.table(2)).learning
    assert (await stage.table(1)).phase == "lobby"


@pytest.mark.parametrize("slug", SLUGS)
def test_lessons_are_short_and_lead_to_pages_that_there_are(slug: str) -> None:
    lessons = course(slug).lesson

    assert lessons[0].key == "start"
    assert len({lesson.key for lesson in lessons}) == len(lessons) >= 8
    for lesson in lessons:
        assert len(lesson.text.splitlines()) <= 3, lesson.key
        assert all(len(line) <= 130 for line in lesson.text.splitlines()), lesson.key
    assert course(slug).learn is not None
    assert game(slug).title


@pytest.mark.parametrize("slug", SLUGS)
def test_read_more_opens_a_page_about_the_notes_subject(slug: str) -> None:
    for lesson in course(slug).lesson:
        page = pages(slug)[page_number(slug, lesson.page)]
        text = " ".join(part if isinstance(part, str) else getattr(part, "text", "") for part in page.parts)
        named = "the idea or the turn" if lesson.key == "start" else f"{lesson.key} {lesson.title}"
        subjects = [word[:4] for word in re.findall(r"[a-z]{3,}", named.lower()) if word not in SMALL_WORDS]

        assert any(word in text.lower() for word in subjects), lesson.key


def test_a_card_with_an_eye_is_explained_where_the_pictures_have_one() -> None:
    known = arranging(TANGLED, ("FHJ", "LOR"), shown=[[], ["L"]])
    votes = arranging(TANGLED, ("FHJ", "LOR"), shown=[[], ["L"]], phase="tie_vote")
    hidden = arranging(TANGLED, ("FHJ", "LOR"))

    assert "seen" in applicable_notes(GAME.view(known, 0), 0)
    assert "seen" not in applicable_notes(GAME.view(votes, 0), 0)
    assert "seen" not in applicable_notes(GAME.view(hidden, 0), 0)


def test_to_flip_with_a_tangle_one_reads_what_is_at_stake() -> None:
    view = GAME.view(arranging(TANGLED, ("FHJ", "LOR"), ribbons=("orange", "green")), 0)

    assert at_stake(view, 0).startswith("untangle orange between ")
    assert at_stake(view, 0).endswith(" this turn, or you're out")
    assert not at_stake(view, 1)


async def test_a_note_is_not_repeated_below_another_question_of_a_decision(stage: DiscordStage) -> None:
    place = await stage.open("Ann", "Bo", game="tangram")
    result, panel = await stage.panel("Ann", place)
    assert "📖" in panel.text

    await stage["Ann"].click(result.response, label="Set aside")

    asked = read_message(result.response)
    assert "aside?" in asked.text
    assert "📖" not in asked.text
    assert not any(label.startswith("New: ") for label in asked.buttons)


async def test_a_lesson_has_no_deadline_whatever_the_server_has_chosen(stage: DiscordStage) -> None:
    await stage.admin.slash(stage.channel, "admin config", pace="daily")

    await stage["Ann"].slash(stage.channel, "ribbon learn")

    assert not (await stage.table()).pace.kept
