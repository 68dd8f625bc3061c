import asyncio
import re
from collections import Counter
from collections.abc import Callable, Coroutine
from io import BytesIO
from itertools import count, pairwise
from typing import Any

import pytest
from msgspec.structs import replace
from PIL import Image

from cogs.core import pictures as reels
from cogs.review import import_export
from cogs.review import record as replays
from cogs.review.import_export import PageWriter
from cogs.ui.press import Press
from engines.game import IllegalMove
from engines.workers import Urgency, Workers
from render.core import animation
from render.page import layers
from render.page.layers import LayerBatch, LayeredBoard, LayerPile
from tables.core.table import Refused
from tables.review.record import Record, RecordedTurn
from tests.discord.desk import Desk
from tests.discord.stage import AnyStage, DiscordStage, ShownMessage, read_message

Begin = Callable[[int | None], Coroutine[Any, Any, reels.ReplayDrawing]]
VERSUS: dict[str, Any] = {"mode": "versus", "first": "host", "ribbon_choice": "random"}


class Batches:
    """Counts the batches of frames that workers draw, and can hold them back."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count = 0
        self.urgencies: Counter[Urgency] = Counter()
        self.free = asyncio.Event()
        self.free.set()
        run_with = Workers.run_with
        monkeypatch.setattr(reels, "BATCH", 10)  # so that a game is one

        async def counted(workers: Workers, urgency: Urgency, work: Any, *args: Any, **kwargs: Any) -> Any:
            if work is animation.draw_frames:
                await self.free.wait()
                self.count += 1
                self.urgencies[urgency] += 1
            return await run_with(workers, urgency, work, *args, **kwargs)

        monkeypatch.setattr(Workers, "run_with", counted)


@pytest.fixture
def batches(monkeypatch: pytest.MonkeyPatch) -> Batches:
    return Batches(monkeypatch)


async def finish_game(stage: AnyStage, **options: Any) -> Any:
    place = await stage.open("Ann", "Bo", **(VERSUS | options))
    await stage.finish(place)
    return place


async def show_replay(answer: Any) -> tuple[ShownMessage, bytes]:
    page = read_message(answer.response)
    [attachment] = answer.response.attachments
    return page, await attachment.read()


def frames(gif: bytes) -> int:
    with Image.open(BytesIO(gif)) as film:
        return int(getattr(film, "n_frames", 1))


async def open_replay(stage: AnyStage, name: str, place: Any) -> Any:
    answer = await stage[name].slash(place, "table replay")
    return await stage[name].click(answer.response, label="Show it to everyone")


def last_words(answer: Any) -> str:
    return str((answer.followups or [answer.response])[-1].content)


def all_words(stage: DiscordStage) -> str:
    return "\n".join(str(request.json) for request in stage.env.http_requests)


async def refused(*_: Any) -> list[Any]:
    raise IllegalMove("That place is empty.")


@pytest.mark.essential
@pytest.mark.drawn
async def test_the_replay_of_a_finished_game_has_a_picture_of_every_turn(stage: DiscordStage) -> None:
    place = await finish_game(stage)
    turns = await stage.bot.app.parlour.record.turns(await stage.table())

    answer = await stage["Dee"].click(stage.post(place).message, label="Replay")

    page, gif = await show_replay(answer)
    assert answer.ephemeral
    assert page.files == ["replay.gif"]
    assert frames(gif) == len(turns)
    [alt] = page.alts
    assert alt is not None
    assert alt.startswith(f"A replay of {len(turns) - 1} turns of Ribbon Tangle, table 1.")
    assert "wins, because " in alt


async def test_a_bar_says_how_far_a_replay_has_got_and_a_repeated_request_waits_for_nothing(
    stage: DiscordStage, batches: Batches, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = await finish_game(stage)
    monkeypatch.setattr(reels, "BATCH", 2)
    monkeypatch.setattr(replays, "EDIT_INTERVAL", 0.0)
    before = len(all_words(stage))

    answer = await stage["Ann"].slash(place, "table replay")

    words = all_words(stage)[before:]
    assert [replays.bar(share) in words for share in (0, 2 / 6, 4 / 6)] == [True] * 3
    assert "%" not in read_message(answer.response).text
    assert read_message(answer.response).files == ["replay.gif"]
    assert batches.count == 3
    _, first = await show_replay(answer)
    page, second = await show_replay(await stage["Bo"].slash(place, "table replay"))
    assert batches.count == 3
    assert second == first
    assert "Show it to everyone" in page.buttons
    assert set(batches.urgencies) == {Urgency.REPLAY}


async def test_the_bar_moves_only_sometimes(stage: DiscordStage, monkeypatch: pytest.MonkeyPatch) -> None:
    place = await finish_game(stage)
    monkeypatch.setattr(reels, "BATCH", 1)
    monkeypatch.setattr(replays, "EDIT_INTERVAL", 3600.0)
    before = len(all_words(stage))

    await stage["Ann"].slash(place, "table replay")

    assert all_words(stage)[before:].count("%") == 1


async def test_a_running_replay_is_shared_and_few_bytes_kept(desk: Desk, batches: Batches) -> None:
    await finish_game(desk)
    table, app = await desk.table(), desk.app
    batches.free.clear()

    first, *again = [await app.replays.replay(table, None, "", 1) for _ in range(4)]
    batches.free.set()

    assert again == [first] * 3
    assert isinstance(first, reels.ReplayDrawing)
    picture = await first.task
    assert await app.replays.replay(table, None, "", None) is picture
    assert batches.count == 1

    small = reels.ReplayRenderer(app.parlour.record, app.workers, kept=1000)

    for _ in range(2):
        drawing = await small.replay(table, None, "", None)
        assert isinstance(drawing, reels.ReplayDrawing)
        await drawing.task

    assert batches.count == 3


@pytest.fixture
async def waiting(stage: DiscordStage, batches: Batches) -> Begin:
    """Begin replays that wait until `batches` are free, each under other names."""
    await finish_game(stage)
    table = await stage.table()
    batches.free.clear()
    begun = count()

    async def begin(user_id: int | None) -> reels.ReplayDrawing:
        renamed = replace(table.seats[0], name=f"Ann {next(begun)}")
        other = replace(table, seats=(renamed, *table.seats[1:]))
        drawing = await stage.bot.app.replays.replay(other, None, "", user_id)
        assert isinstance(drawing, reels.ReplayDrawing)
        return drawing

    return begin


async def test_a_third_replay_of_a_person_waits_for_one_of_two(
    stage: DiscordStage, waiting: Begin, batches: Batches
) -> None:
    ann = stage["Ann"].id
    first, second = await waiting(ann), await waiting(ann)

    with pytest.raises(Refused, match="I'm still making two replays for you"):
        await waiting(ann)
    answer = await stage.send_press("Ann", Press("table", "replay", 1))
    assert answer.ephemeral
    assert last_words(answer) == reels.YOURS_FIRST

    await waiting(2)
    batches.free.set()
    await asyncio.gather(first.task, second.task)
    await waiting(ann)


async def test_a_process_makes_eight_replays_at_once(waiting: Begin) -> None:
    for person in range(8):
        await waiting(person)

    with pytest.raises(Refused, match="can't make more replays at once"):
        await waiting(99)


async def test_the_bots_own_replays_wait_instead_of_being_refused(waiting: Begin, batches: Batches) -> None:
    await waiting(None)
    await waiting(None)
    third = asyncio.create_task(waiting(None))
    for _ in range(20):
        await asyncio.sleep(0)
    assert not third.done()

    batches.free.set()

    assert await (await third).task


async def test_a_replay_that_could_not_be_drawn_is_drawn_at_the_next_wish(
    stage: DiscordStage, batches: Batches, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = await finish_game(stage)

    with monkeypatch.context() as older:
        older.setattr(Record, "views", refused)
        answer = await stage["Ann"].slash(place, "table replay")

    assert "older rules" in last_words(answer)
    page, _ = await show_replay(await stage["Ann"].slash(place, "table replay"))
    assert page.files == ["replay.gif"]


async def test_a_running_games_replay_is_what_its_viewer_saw_and_goes_on(
    stage: DiscordStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = await stage.open("Ann", "Bo", **VERSUS)
    await stage.finish_turn("Ann", place)
    eyes: list[int | None] = []
    views = Record.views

    async def watched(record: Record, table: Any, turns: Any, seat: int | None) -> list[Any]:
        eyes.append(seat)
        return await views(record, table, turns, seat)

    monkeypatch.setattr(Record, "views", watched)
    for name in ("Ann", "Bo", "Dee"):
        answer = await stage[name].slash(place, "table replay")
        page = read_message(answer.response)
        assert answer.ephemeral
        assert page.files == ["replay.gif"]
        assert "Show it to everyone" not in page.buttons

    seats = (await stage.table()).names
    assert eyes == [seats.index("Ann"), seats.index("Bo"), None]

    _, before = await show_replay(await stage["Dee"].slash(place, "table replay"))

    await stage.finish_turn("Bo", place)

    _, after = await show_replay(await stage["Dee"].slash(place, "table replay"))
    assert frames(after) == frames(before) + 1


async def test_a_long_game_has_many_pictures(stage: DiscordStage, monkeypatch: pytest.MonkeyPatch) -> None:
    place = await finish_game(stage)
    monkeypatch.setattr(reels, "MOST_FRAMES", 3)

    page, gif = await show_replay(await stage["Ann"].slash(place, "table replay"))

    assert frames(gif) == 3
    [alt] = page.alts
    assert alt is not None
    assert "in 3 pictures" in alt


async def test_where_turns_are_left_out_all_that_they_changed_is_marked(desk: Desk) -> None:
    table = await desk.open("Ann", mode="coop", computers=2, first="host", ribbon_choice="random")
    await desk.finish_turn("Ann", table)
    table, record = await desk.table(), desk.app.parlour.record
    turns = await record.turns(table)
    seen = list(zip(turns, await record.views(table, turns, None), strict=True))

    every, few = reels.mark_changes(table, seen), reels.mark_changes(table, [seen[0], seen[-1]])

    assert every == [view for _, view in seen]
    assert len(turns) > 2
    assert few[-1] == table.game.since(seen[-1][1], [seen[0][1]])
    assert few[-1] != every[-1]


def test_the_turns_that_are_shown_of_a_long_game_are_evenly_spaced() -> None:
    turns = [RecordedTurn(number, number, number - 1, (), 0.0) for number in range(1001)]

    shown = [turn.number for turn in reels.choose_turns(turns, 300)]

    assert len(shown) == 300
    assert (shown[0], shown[-1]) == (0, 1000)
    assert {later - earlier for earlier, later in pairwise(shown)} == {3, 4}
    assert reels.choose_turns(turns[:300], 300) == turns[:300]


async def test_a_finished_game_is_shown_to_all_once_unless_it_is_deleted(stage: DiscordStage) -> None:
    place = await finish_game(stage)

    first = await open_replay(stage, "Ann", place)
    shown_at = stage.post(place)
    posts = len(stage.posts(place))
    second = await open_replay(stage, "Bo", place)

    assert shown_at.files == ["replay.gif"]
    assert not shown_at.buttons
    address = f"/{place.id}/{shown_at.message.id}"
    assert address in last_words(first)
    assert address in last_words(second)
    assert len(stage.posts(place)) == posts

    await stage.find_channel(place).get_partial_message(shown_at.message.id).delete()
    await open_replay(stage, "Bo", place)
    assert stage.post(place).files == ["replay.gif"]
    assert stage.post(place).message.id != shown_at.message.id


async def test_a_running_or_cancelled_game_has_no_public_result_or_replay(stage: DiscordStage) -> None:
    place = await stage.open("Ann", "Bo", **VERSUS)
    posts = len(stage.posts(place))
    answer = await stage.send_press("Ann", Press("replay", "post", 1))
    assert last_words(answer) == replays.UNFINISHED
    assert len(stage.posts(place)) == posts
    shared = await stage.send_press("Ann", Press("table", "share", 1))
    assert "once it's over" in shared.response.content

    asked = await stage.admin.slash(place, "admin close")
    await stage.admin.click(asked.response, label="Yes, do it")

    assert (await stage.table()).phase == "closed"
    assert not any("result.png" in post.files for post in stage.posts(place))


async def test_a_stop_gives_up_what_is_being_drawn(desk: Desk, batches: Batches) -> None:
    await finish_game(desk)
    batches.free.clear()
    drawing = await desk.app.replays.replay(await desk.table(), None, "", None)
    assert isinstance(drawing, reels.ReplayDrawing)

    await desk.app.replays.stop()

    assert drawing.task.cancelled()


async def test_a_games_last_post_shows_its_result_and_shares_it_as_text(stage: DiscordStage) -> None:
    place = await finish_game(stage)

    post = stage.post(place)
    shared = (await stage["Bo"].click(post.message, label="Share")).response

    assert post.files == ["result.png"]
    assert list(post.buttons) == ["Rematch", "Share", "Replay", "What decided it", "More"]
    card = post.alts[0]
    assert card is not None
    assert card.startswith("Ribbon Tangle, table 1.")
    assert "Bo came 1st" in card
    assert "Ann came 2nd" in card
    assert "A chart shows the game turn by turn: Tangles of each ribbon." in card
    head, order, spent, *_ = shared.content.splitlines()
    assert shared.ephemeral
    assert re.fullmatch(r"Ribbon Tangle \u00b7 (Ann wins, because Bo|Bo wins, because Ann) is out\.", head)
    assert re.fullmatch(r"1st (Ann|Bo) \u00b7 2nd (Ann|Bo)", order)
    assert re.match(r"\d+ turns?", spent)


async def test_a_result_stays_when_a_newer_post_follows_even_in_an_adopted_post(
    stage: DiscordStage, bare_names: list[str]
) -> None:
    place = await finish_game(stage)
    first = stage.post(place)
    await stage.refresh("board", fresh=True)
    last = stage.post(place)
    store, table = stage.bot.app.parlour.store, await stage.table()
    await store.ask(1, "board", 0, table.version, True, 0.0)
    await stage.restart()
    assert stage.post(place).message.id == last.message.id

    await stage.refresh("board", fresh=True)

    for older in (first, last):
        before = next(post for post in stage.posts(place) if post.message.id == older.message.id)
        assert not before.buttons
        assert before.alts == older.alts
    assert stage.post(place).files == first.files == last.files
    bare_names.clear()  # what such a post says is repeated as it stands


async def test_a_result_is_posted_though_its_first_turns_were_played_by_older_rules(
    stage: DiscordStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Record, "tallies", refused)

    place = await finish_game(stage)

    card = stage.post(place).alts[0]
    assert card is not None
    assert "Bo came 1st" in card
    assert "chart" not in card


AS_PAGE: dict[str, Any] = {"as": "page"}


@pytest.fixture(autouse=True)
def quick_boards(monkeypatch: pytest.MonkeyPatch) -> list[Urgency]:
    """Draw no boards, and note the urgency of each batch."""
    run_with, urgencies = Workers.run_with, list[Urgency]()

    async def run_quickly(
        workers: Workers, urgency: Urgency, work: Callable[..., Any], *args: Any, **kwargs: Any
    ) -> Any:
        if work is not layers.draw_boards:
            return await run_with(workers, urgency, work, *args, **kwargs)
        urgencies.append(urgency)
        boards = [LayeredBoard((4, 2), f"Seen by {view.viewer}.", (), ()) for view in args[2]]
        return LayerBatch(boards, [], LayerPile())

    monkeypatch.setattr(Workers, "run_with", run_quickly)
    return urgencies


@pytest.fixture
async def place(stage: DiscordStage) -> Any:
    place = await stage.open("Ann", "Bo", **VERSUS)
    await stage.finish_turn("Ann", place)
    return place


async def read_page(answer: Any) -> tuple[str, str]:
    (attachment,) = answer.response.attachments
    return attachment.filename, (await attachment.read()).decode()


def headings(page: str) -> list[str]:
    return re.findall(r"<h2 tabindex=\"-1\">([^<]*)</h2>", page)


@pytest.mark.essential
async def test_a_finished_game_is_the_same_page_for_everyone(stage: DiscordStage, place: Any) -> None:
    await stage.finish(place)
    turns = await stage.bot.app.parlour.record.turns(await stage.table())

    name, page = await read_page(await stage["Ann"].slash(place, "table replay", **AS_PAGE))
    other = await read_page(await stage["Dee"].slash(place, "table replay", **AS_PAGE))

    assert (name, page) == other
    assert name == "ribbon-1.html"
    assert len(headings(page)) == len(turns)
    assert "All hands" in page
    assert "Seen by None." in page


async def test_a_running_game_is_the_askers_view_also_by_the_button(
    stage: DiscordStage, place: Any, quick_boards: list[Urgency]
) -> None:
    seen = {}
    for name in ("Ann", "Bo", "Dee"):
        answer = await stage[name].slash(place, "table replay", **AS_PAGE)
        assert answer.ephemeral
        assert "Keep it to yourself" in read_message(answer.response).text
        _, page = await read_page(answer)
        assert "All hands" not in page
        seen[name] = re.findall(r"Seen by (\w+)\.", page)[0]

    names = (await stage.table()).names
    assert seen == {"Ann": str(names.index("Ann")), "Bo": str(names.index("Bo")), "Dee": "None"}

    shown = await stage["Bo"].slash(place, "table replay")

    answer = await stage["Bo"].click(shown.response, label="Get a web page")

    name, page = await read_page(answer)
    assert name == "ribbon-1.html"
    assert headings(page) == ["The deal", "Turn 1 of 1 · Ann"]
    assert set(quick_boards) == {Urgency.REPLAY}


async def test_a_second_page_waits_and_another_server_gets_none(
    stage: DiscordStage, place: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with import_export.reserve(stage["Ann"].id):
        refused = await stage.send_press("Ann", Press("table", "page", 1))
        other = await stage.send_press("Bo", Press("table", "page", 1))
        monkeypatch.setattr(import_export, "MOST_AT_ONCE", 1)
        busy = await stage.send_press("Bo", Press("table", "page", 1))
    again = await stage.send_press("Ann", Press("table", "page", 1))

    assert refused.ephemeral
    assert last_words(refused) == import_export.YOURS_FIRST
    assert last_words(busy) == import_export.ALL_BUSY
    assert (await read_page(other))[0] == (await read_page(again))[0] == "ribbon-1.html"

    elsewhere = stage.env.create_guild("Elsewhere")
    channel = elsewhere.create_text_channel("games")
    stranger = elsewhere.add_member(stage.env.create_user("zoe"))

    typed = await stranger.slash(channel, "table replay", table=1, **AS_PAGE)
    pressed = await stage.send_press_as(stranger, Press("table", "page", 1), channel)

    assert "no table 1 in this server" in last_words(typed)
    assert "no table 1 in this server" in last_words(pressed)


async def test_a_page_has_a_bar_and_one_that_is_too_large_or_of_older_rules_is_refused(
    stage: DiscordStage, place: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_export, "EDIT_INTERVAL", 0.0)
    before = len(stage.env.http_requests)

    answer = await stage.send_press("Ann", Press("table", "page", 1))

    said = "\n".join(str(request.json) for request in stage.env.http_requests[before:])
    assert replays.bar(0.0) in said
    assert replays.bar(1.0) in said
    assert "%" not in read_message(answer.response).text

    async def write(_writer: PageWriter) -> bytes:
        await asyncio.sleep(0)
        return b" " * (26 * 1024 * 1024)

    with monkeypatch.context() as patched:
        patched.setattr(PageWriter, "write", write)
        answer = await stage.send_press("Ann", Press("table", "page", 1))

    assert "is 26.0 MB, but files here can be 25.0 MB at most" in read_message(answer.response).text
    assert not answer.response.attachments

    monkeypatch.setattr(Record, "views", refused)

    answer = await stage.send_press("Ann", Press("table", "page", 1))

    assert "older rules" in last_words(answer)
