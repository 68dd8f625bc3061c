import re
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest

from cogs.core.rulebook import page_number, pages
from cogs.learning import course
from cogs.ribbon.presenter import applicable_notes
from cogs.ui.press import NOT_OURS, Press
from engines.registry import SLUGS, game
from engines.ribbon import GAME
from engines.ribbon.pieces.components import COMPONENTS, PLACES
from engines.ribbon.words.event_lines import at_stake
from tests.discord.desk import Desk
from tests.discord.stage import AnyStage, DiscordStage, ShownMessage, read_message
from tests.engines.ribbon.arrange import arranging
from tests.often import often
from tests.render.positions import TANGLED


async def go_round(stage: AnyStage, place: Any, *flips: int) -> None:
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


async def open_note(stage: AnyStage, place: Any) -> Any:
    await stage.panel("Ann", place)
    await go_round(stage, place, 1, 4)
    result, panel = await stage.panel("Ann", place)
    assert SECOND not in panel.text
    return await stage["Ann"].click(result.response, label="New: Which card to flip")


async def read_on(stage: AnyStage, result: Any) -> Any:
    """Press Go on until Ann's notes end with the panel."""
    while "Go on" in read_message(result.response).buttons:
        result = await stage["Ann"].click(result.response, label="Go on")
    return result


async def test_a_note_stays_for_its_decision_and_comes_once_to_each_person(
    stage: DiscordStage, place: Any
) -> None:
    result, panel = await stage.panel("Ann", place)
    assert panel.text.startswith(BRIEF)
    assert FIRST not in panel.text
    whole = await stage.unfold("Ann", result)
    second, third, fourth = whole.text.partition("📖 **Your first game**\n")[2].splitlines()[:3]
    assert (second[:12], third[:13], fourth[:9]) == ("**You want**", "**In a turn**", "**Watch**")
    _, again = await stage.panel("Ann", place)
    assert BRIEF in again.text

    await stage["Cy"].slash(place, "me notes", on=False)
    await stage.finish_turn("Ann", place)
    _, bos = await stage.panel("Bo", place)
    assert BRIEF in bos.text
    await stage.finish_turn("Bo", place)
    _, later = await stage.panel("Ann", place)

    assert BRIEF not in later.text
    assert [label for label in later.buttons if label.startswith("New: ")] == ["New: Which card to flip"]


async def test_a_later_note_opens_leads_to_the_rules_and_stops_on_demand(
    stage: DiscordStage, place: Any
) -> None:
    note = await open_note(stage, place)
    assert note.ephemeral
    assert read_message(note.response).text.startswith(SECOND)
    assert {"Read more", "No more notes"} <= read_message(note.response).buttons.keys()
    more = await stage["Ann"].click(note.response, label="Read more")
    assert more.ephemeral
    assert "### Your turn" in read_message(more.response).text

    result, _ = await stage.panel("Ann", place)
    assert SECOND in (await stage.unfold("Ann", result)).text

    stopped = await stage["Ann"].click(note.response, label="No more notes")
    assert "No more notes about Ribbon Tangle" in read_message(stopped.response).text
    await go_round(stage, place, 7, 10)
    _, without = await stage.panel("Ann", place)
    assert "📖" not in without.text
    assert not any(label.startswith("New: ") for label in without.buttons)

    await stage["Ann"].slash(place, "me notes", on=True)

    _, panel = await stage.panel("Ann", place)
    assert BRIEF in panel.text


async def test_a_lesson_tells_two_notes_first_and_takes_back_every_step(stage: DiscordStage) -> None:
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


@pytest.mark.any_game
@pytest.mark.parametrize("slug", SLUGS)
async def test_a_lesson_begins_at_once_without_a_deadline_against_an_easy_computer(
    stage: DiscordStage, slug: str
) -> None:
    await stage.admin.slash(stage.channel, "admin config", pace="daily")
    await stage["Ann"].slash(stage.channel, f"{slug} learn")
    await stage.wait(1)

    table = await stage.table()
    assert table.phase == "play"
    assert (table.private, table.rated, table.learning, table.pace.kept) == (True, False, True, False)
    assert {occupant.strength for occupant in table.seats} == {None, "easy"}
    assert "Your lesson begins" in stage.posts(stage.channel.threads[-1])[0].text


async def test_commands_say_how_long_lessons_take_and_a_lobbys_card_leads_to_one(stage: DiscordStage) -> None:
    readme = Path(__file__).parents[3].joinpath("README.md").read_text("utf-8")

    for slug in SLUGS:
        setup, group = course(slug).learn, cast(Any, stage.bot.tree.get_command(slug))
        assert setup is not None
        assert f"about {setup.minutes} minutes" in group.get_command("learn").description
        assert slug != "ribbon" or f"Ribbon Tangle takes about {setup.minutes} minutes" in readme

    await stage["Ann"].slash(stage.channel, "tesla new")

    await stage["Bo"].click(stage.card().message, label="Learn it first")

    assert (await stage.table(2)).learning
    assert (await stage.table(1)).phase == "lobby"


@pytest.mark.essential
async def test_a_lesson_tells_at_its_end_what_was_not_met_and_no_hints(stage: DiscordStage) -> None:
    await stage["Ann"].slash(stage.channel, "ribbon learn")
    place, rng = stage.channel.threads[-1], Random(1)
    await stage["Ann"].slash(place, "table hint")
    while "Rematch" not in stage.post(place).buttons:
        await stage.act("Ann", place, rng)
        await stage.wait(5)

    post = stage.post(place)
    for text in ("📖 **You haven't met these yet:**\n- **", "`/ribbon rules` also explains: "):
        assert text in post.text
    assert "💡" not in post.text
    assert post.files == ["result.png"]
    title = post.text.partition("yet:**\n- **")[2].partition("**")[0]
    shown = read_message((await stage["Ann"].click(post.message, label=title)).response)
    assert f"📖 **{title}**" in shown.text
    assert len(shown.files) == 1


@pytest.mark.parametrize("slug", SLUGS)
def test_lessons_are_short_and_lead_to_pages_about_their_subjects(slug: str) -> None:
    lessons = course(slug).lesson

    assert lessons[0].key == "start"
    assert len({lesson.key for lesson in lessons}) == len(lessons) >= 8
    for lesson in lessons:
        assert len(lesson.text.splitlines()) <= 3, lesson.key
        assert all(len(line) <= 130 for line in lesson.text.splitlines()), lesson.key
    assert course(slug).learn is not None
    assert game(slug).title

    for lesson in course(slug).lesson:
        page = pages(slug)[page_number(slug, lesson.page)]
        text = " ".join(part if isinstance(part, str) else getattr(part, "text", "") for part in page.parts)
        named = "the idea or the turn" if lesson.key == "start" else f"{lesson.key} {lesson.title}"
        subjects = [word[:4] for word in re.findall(r"[a-z]{3,}", named.lower()) if word not in SMALL_WORDS]

        assert any(word in text.lower() for word in subjects), lesson.key


def test_the_rules_of_ribbon_tangle_name_the_numbers_that_are_played_by() -> None:
    shown = (part for page in pages("ribbon") for part in page.parts)
    rules = " ".join(part if isinstance(part, str) else getattr(part, "text", "") for part in shown)
    limits, hands = COMPONENTS.limits, COMPONENTS.hands["versus"]

    assert hands == COMPONENTS.hands["coop"]
    assert f"{hands[2]} cards in hand ({hands[3]} with three players)" in rules
    for level, solo in COMPONENTS.solo.items():
        assert f"{solo.hands} hands of {solo.size} cards ({level}" in rules
    assert f"hard, with {COMPONENTS.solo['hard'].aside} other cards out" in rules
    assert (limits.repetition_offer, limits.repetition_tie) == (2, 3)  # "an earlier turn", "the third time"
    assert f"It's also a tie after {limits.full_turns_versus} turns with all {PLACES} cards up." in rules
    assert f"won after {limits.full_turns_coop} turns with all {PLACES} cards up, you lose" in rules


def test_a_card_with_an_eye_is_explained_and_to_flip_with_a_tangle_what_is_at_stake() -> None:
    known = arranging(TANGLED, ("FHJ", "LOR"), shown=[[], ["L"]])
    votes = arranging(TANGLED, ("FHJ", "LOR"), shown=[[], ["L"]], phase="tie_vote")
    hidden = arranging(TANGLED, ("FHJ", "LOR"))

    assert "seen" in applicable_notes(GAME.view(known, 0), 0)
    assert "seen" not in applicable_notes(GAME.view(votes, 0), 0)
    assert "seen" not in applicable_notes(GAME.view(hidden, 0), 0)

    view = GAME.view(arranging(TANGLED, ("FHJ", "LOR"), ribbons=("orange", "green")), 0)

    assert at_stake(view, 0).startswith(("untangle orange between ", "untangle orange at "))
    assert at_stake(view, 0).endswith(" this turn, or you're out")
    assert not at_stake(view, 1)


async def test_a_note_is_not_repeated_below_another_question_of_a_decision(desk: Desk) -> None:
    table = await desk.open("Ann", "Bo", game="tangram")
    result, panel = await desk.panel("Ann", table)
    assert "📖" in panel.text

    await desk["Ann"].click(result.response, label="Set aside")

    asked = read_message(result.response)
    assert "aside?" in asked.text
    assert "📖" not in asked.text
    assert not any(label.startswith("New: ") for label in asked.buttons)


STEPS = often(3, 12)
"""The number of steps by hints in a game."""


def button_ids(shown: ShownMessage, verb: str) -> list[str]:
    ids = (str(part.get("custom_id", "")) for part in shown.components)
    return [one for one in ids if f":table:{verb}:" in one]


async def open_hints(stage: AnyStage, name: str, place: Any) -> tuple[Any, ShownMessage]:
    result, panel = await stage.panel(name, place)
    if "Hint" not in panel.buttons:
        await stage.unfold(name, result)
    await stage[name].click(result.response, label="Hint")
    return result.response, read_message(result.response)


@pytest.mark.any_game
@pytest.mark.parametrize("slug", SLUGS)
async def test_every_hint_of_every_game_is_made_by_one_press(stage: DiscordStage, slug: str) -> None:
    least = {"computers": max(1, game(slug).seats[0] - 1)}
    options: dict[str, Any] = {"mode": "solo"} if slug == "ribbon" else least
    place = await stage.open("Ann", game=slug, **options)
    rng = Random(4)

    for _ in range(STEPS):
        if "Take turn" not in stage.post(place).buttons:
            break
        panel, hints = await open_hints(stage, "Ann", place)
        if "More" in hints.buttons:
            await stage["Ann"].click(panel, label="More")
        ids = button_ids(read_message(panel), "follow")
        assert 1 <= len(ids) <= 3
        assert "1.** " in hints.text
        before = (await stage.table()).version

        await stage["Ann"].click(panel, custom_id=rng.choice(ids))

        assert (await stage.table()).version > before
        while "Take turn" in stage.post(place).buttons and await stage.due() != ["Ann"]:
            await stage.env.settle()


@pytest.mark.essential
async def test_a_hint_tells_the_whole_turn_and_the_visible_part_of_its_answer(desk: Desk) -> None:
    table = await desk.open("Ann", mode="versus", computers=1, first="host", ribbon_choice="random")
    told = list[str]()

    await desk.finish_turn("Ann", table)
    for _ in range(4):
        await desk.panel_flip("Ann", table)
        _, hints = await open_hints(desk, "Ann", table)
        told += re.findall(r"Then I'd expect (.*)", hints.text)
        await desk.finish_turn("Ann", table)
        if "Take turn" not in desk.post(table).buttons:
            break

    assert told
    assert all(re.fullmatch(r".*Ada.* to flip \d+\..*", line) for line in told)


async def test_hints_lead_back_refuse_strangers_and_one_is_the_computers_move(
    stage: DiscordStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = await stage.open("Ann", mode="solo")
    panel, hints = await open_hints(stage, "Ann", place)
    assert "Begin with **hand" in hints.text
    old, table = button_ids(hints, "follow")[0], await stage.table()
    await stage["Ann"].click(panel, label="Back")
    assert "Which hand do you use" in read_message(panel).text
    assert (await stage.table()).version == table.version

    panel, _ = await open_hints(stage, "Ann", place)
    stranger = await stage["Dee"].slash(place, "table hint")
    wrong = await stage.send_press("Ann", Press("table", "advised", table.id, table.moment, "7"))
    nonsense = await stage.send_press("Ann", Press("table", "advised", table.id, table.moment, "x"))
    await stage.act("Ann", place, Random(1))
    await stage["Ann"].click(panel, custom_id=old)

    assert "Hints are for your own moves" in read_message(stranger.response).text
    assert "out of date" in read_message(wrong.response).text
    assert NOT_OURS in read_message(nonsense.response).text
    assert "has changed" in read_message(panel).text

    service = stage.bot.app.parlour.hints
    advise = service.advice

    async def one(table_id: int, user_id: int) -> Any:
        return (await advise(table_id, user_id))[:1]

    monkeypatch.setattr(service, "advice", one)
    _, shown = await open_hints(stage, "Ann", place)

    assert "The strong computer's move" in shown.text
    assert "best move first" not in shown.text


async def test_a_hint_for_a_whole_turn_says_that_it_ends_the_turn(desk: Desk) -> None:
    table = await desk.open("Ann", "Bo", mode="coop", first="host")
    await desk.finish_turn("Ann", table)
    await desk.panel_flip("Bo", table)
    panel, hints = await open_hints(desk, "Bo", table)
    first = next(line for line in hints.text.splitlines() if line.startswith("**1.**"))
    assert "nd the turn" in first
    assert hints.files == ["ribbon-table.png"]
    assert "**2.**" not in hints.text

    await desk["Bo"].click(panel, label="More")
    whole = read_message(panel)
    assert "**2.**" in whole.text
    assert "The picture shows the first move" in whole.text

    await desk["Bo"].click(panel, label="Do 1")

    assert await desk.due() == ["Ann"]


async def test_rated_games_tables_opened_so_and_servers_can_be_without_hints(stage: DiscordStage) -> None:
    rated = await stage.open("Ann", "Bo", first="host", ribbon_choice="random")
    result, _ = await stage.panel("Ann", rated)
    panel = await stage.unfold("Ann", result)
    said = await stage["Ann"].slash(rated, "table hint")
    silent = await stage.open("Ann", mode="solo", hints="forbidden")
    result, _ = await stage.panel("Ann", silent)
    without = await stage.unfold("Ann", result)
    refused = await stage["Ann"].slash(silent, "table hint")
    open_ones = await stage.open("Ann", "Bo", first="host", ribbon_choice="random", hints="allowed")
    result, _ = await stage.panel("Ann", open_ones)
    allowed = await stage.unfold("Ann", result)

    assert "Hint" not in panel.buttons
    assert "Rated games against others have hints only if" in read_message(said.response).text
    assert "Hint" not in without.buttons
    assert "Hints are off at this table" in read_message(refused.response).text
    assert "Hint" in allowed.buttons

    await stage.admin.slash(stage.channel, "admin config", hints=False)
    result, _ = await stage.panel("Ann", open_ones)
    panel = await stage.unfold("Ann", result)
    said = await stage["Ann"].slash(stage.channel, "ribbon new", hints="allowed")

    assert "Hint" not in panel.buttons
    assert "Hints are off in this server" in read_message(said.response).text


@pytest.mark.essential
async def test_the_end_says_how_many_hints_were_taken_and_what_decided_it(stage: DiscordStage) -> None:
    place = await stage.open("Ann", mode="solo")
    early = await stage["Ann"].slash(place, "table why")
    await open_hints(stage, "Ann", place)
    await open_hints(stage, "Ann", place)
    await stage.finish(place)
    post = stage.post(place)
    why = await stage["Ann"].click(post.message, label="What decided it")
    message = read_message(why.response)

    assert "once it's over" in read_message(early.response).text
    assert "Ann took 1 hint." in post.text
    assert why.ephemeral
    assert "Your position, as the strong computer sees it" in message.text
    assert "percentage point" in message.text
    (see, *_) = [label for label in message.buttons if label.startswith("See turn ")]
    await stage["Ann"].click(why.response, label=see)
    assert "· table 1 ·" in read_message(why.response).text

    place = await stage.open("Ann", mode="solo")
    asked = await stage.admin.slash(place, "admin close")
    await stage.admin.click(asked.response, label="Yes, do it")

    said = await stage["Ann"].slash(place, "table why", table=2)

    assert "ended without a result" in read_message(said.response).text
    assert "What decided it" not in stage.post(place).buttons


def chances(text: str) -> list[tuple[int, int]]:
    """Return the chances in per cent before and after each decisive turn."""
    return [(int(before), int(after)) for before, after in re.findall(r"from (\d+) to (\d+)%", text)]


async def test_everyone_reads_what_decided_it_from_their_own_side(stage: DiscordStage) -> None:
    place = await stage.open("Ann", "Bo", mode="versus", first="host", ribbon_choice="random")
    await stage.finish(place)
    table = await stage.table()
    assert table.outcome is not None
    winner, loser = (table.names[table.outcome.places.index(rank)] for rank in (1, 2))
    entries = {}
    for name in (winner, loser, "Cy"):
        answer = await stage[name].slash(place, "table why", table=1)
        entries[name] = read_message(answer.response).text

    assert "Your chance of winning" in entries[loser]
    assert all(before > after for before, after in chances(entries[loser]))
    assert all(before < after for before, after in chances(entries[winner]))
    assert chances(entries[winner])[-1][1] == 100
    assert f"**{winner}**'s chance of winning" in entries["Cy"]
    assert "Hints:" not in stage.post(place).text


async def test_the_turn_that_wins_says_so_in_what_decided_it(stage: DiscordStage) -> None:
    place = await stage.open("Ann", "Bo", game="tesla", opening="rulebook", win=30)
    await stage.finish(place)
    table = await stage.table()
    assert table.outcome is not None
    winner = table.names[table.outcome.places.index(1)]
    asked = {name: await stage[name].slash(place, "table why", table=1) for name in (winner, "Cy")}
    own, others = (read_message(one.response).text for one in asked.values())

    assert ", and you win**" in own
    assert f", and {winner} wins**" in others
    assert len(re.findall("wins?\\*\\*", own + others)) == 2
