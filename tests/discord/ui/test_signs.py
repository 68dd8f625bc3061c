import logging
from collections.abc import Iterator
from random import Random
from typing import Any

import aiohttp
import discord
import pytest
from simcord.backend.models import GuildEmoji

from cogs.discord.emoji import LONGEST_LIMIT, MOST_EMOJI, ROOMS, Catalogue, emoji_name, upload_signs
from cogs.ui import text
from cogs.ui.page import Button, Menu, Option, Page
from cogs.ui.press import Press
from cogs.ui.text import PAGE_LETTERS, with_signs
from engines.marks import sign, with_icon
from engines.registry import SLUGS, game
from render.core.emoji import paints_of, signs_of
from tests.discord.players.ribbon import RIBBONS
from tests.discord.stage import DiscordStage, ShownMessage, pick, read_message, texts_of
from tests.often import often

TURNS = often(2, 6)
PRESS = Press("table", "turn", 1)


class Known(dict[str, discord.PartialEmoji]):
    """The emoji of all signs, and the names that were looked up without there being such a sign."""

    def __init__(self) -> None:
        names = [name for room in ROOMS for name in paints_of(room)]
        super().__init__(
            (name, discord.PartialEmoji(name=f"tp_{name[:22]}_{number:06x}", id=10**17 + number))
            for number, name in enumerate(names, start=1)
        )
        self.strange: set[str] = set()

    def get(self, name: str, default: Any = None) -> Any:
        if name not in self:
            self.strange.add(name)
        return super().get(name, default)


@pytest.fixture
def sign_texts(monkeypatch: pytest.MonkeyPatch) -> Iterator[Known]:
    """Show every sign; check that something draws each of them."""
    icon = Known()
    monkeypatch.setattr(text, "_shown", icon)
    yield icon
    assert icon.strange == set()


def test_no_full_stop_wraps_alone_behind_a_lines_last_icon(sign_texts: Known) -> None:
    told = f"Ann takes 4 {sign('tangle_e', 'E')}.\nBo takes 1 {sign('tangle_w', 'W')}. Next."

    shown = with_signs(told, 400)

    first, second = shown.splitlines()
    assert first.endswith(">")
    assert second.endswith(">. Next.")


def emoji_of(option: dict[str, Any]) -> str:
    """Return a button's or a menu line's emoji, as in a text."""
    return f"<:{option['emoji']['name']}:{option['emoji']['id']}>"


def lines(shown: ShownMessage) -> dict[str, dict[str, Any]]:
    return {option["value"]: option for part in shown.components for option in part.get("options", ())}


async def test_lines_menus_and_refusals_have_signs_and_a_log_has_words(
    stage: DiscordStage, sign_texts: Known
) -> None:
    place = await stage.open("Ann", "Bo", mode="coop", first="host")

    refused = await stage["Bo"].click(stage.post(place).message, label="Take turn")
    await stage["Ann"].slash(place, "ribbon choose", choice="flip 3")
    log = await stage["Ann"].slash(place, "table log")

    card = (await stage.view()).circle[2]
    text = stage.post(place).text
    assert f"{sign_texts['ribbon_hand_1']} Ann flips {card} at 3." in text
    assert f"{sign_texts['ribbon_hand_2']} **Bo**: flip a card" in text
    assert f"{sign_texts['ribbon_hand_1']} **Ann**'s turn" in refused.response.content
    result = (await log.response.attachments[0].read()).decode()
    assert "Ann flips" in result
    assert "<:" not in result
    assert "\ue000" not in result

    answer, panel = await stage.panel("Bo", place)
    await pick(stage["Bo"], answer.response, "flip", panel.values("flip")[0])
    shown = read_message(answer.response)
    offered = {card: lines(shown)[card] for card in shown.values("put")}
    assert offered
    for card, option in offered.items():
        assert option["label"] == f"Card {card}"
        assert emoji_of(option) == str(sign_texts[f"ribbon_card_{card.lower()}"])


async def test_a_typed_code_has_its_sign_beside_it(stage: DiscordStage, sign_texts: Known) -> None:
    place = await stage.open("Ann", "Bo", game="tangle")
    first = (await stage.due())[0]

    _, panel = await stage.panel(first, place)
    offered = await stage[first].autocomplete(place, "tangle place", "to", "")

    assert f"You have 2 {sign_texts['tangle_w']}, 2 {sign_texts['tangle_e']}, " in panel.text
    spaces = lines(panel)
    assert spaces["CE"]["label"] == "CE (Clean earth)"
    assert emoji_of(spaces["CE"]) == str(sign_texts["tangle_do_clean_earth"])
    assert "CE (Clean earth)" in [choice["name"] for choice in offered]


async def test_a_post_that_stands_shows_signs_as_soon_as_there_are_any(
    stage: DiscordStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = await stage.open("Ann", "Bo", mode="coop", first="host")
    await stage["Ann"].slash(place, "ribbon choose", choice="flip 3")
    assert " at 3." in stage.post(place).text
    icon = Known()
    monkeypatch.setattr(text, "_shown", icon)

    await stage.refresh("board")

    assert f"{icon['ribbon_hand_1']} Ann flips" in stage.post(place).text


async def test_a_seat_has_its_pictures_colour_unless_signs_are_refused(
    stage: DiscordStage, sign_texts: Known
) -> None:
    place = await stage.open("Ann", "Bo", mode="versus", first="host", ribbon_choice="blind")
    stage.env.inject_error(
        "POST", "/interactions/*/callback", status=400, code=50035, message="In components.0: Invalid emoji"
    )

    _, panel = await stage.panel("Ann", place)

    assert set(RIBBONS) <= set(panel.buttons)
    assert not any(panel.buttons[label].get("emoji") for label in RIBBONS)

    stage.trouble = True
    stage.env.inject_error("POST", "/interactions/*/callback", status=400, code=50035, message="Too long")
    answer = await stage["Ann"].click(stage.post(place).message, label="Take turn")
    assert "Discord refused that (code 50035)" in answer.response.content

    _, panel = await stage.panel("Ann", place)

    assert emoji_of(panel.buttons["Orange"]) == str(sign_texts["ribbon_orange"])
    await stage["Ann"].slash(place, "ribbon choose", choice="take orange")

    text = "\n".join(post.text for post in stage.posts(place))
    assert f"{sign_texts['ribbon_hand_1_orange']} Ann takes {sign_texts['ribbon_orange']} orange." in text


def test_a_label_keeps_its_words_and_has_its_first_sign_beside_it(sign_texts: Known) -> None:
    label = f"Pay 1 {sign('tangle_w', 'W')} and 2 {sign('tangle_n', 'N')}"
    page = Page([[Button(label, PRESS)], Menu(PRESS, label, [Option(label, "1", with_icon("crown", "won"))])])

    items = list(page.view().walk_children())

    button = next(item for item in items if isinstance(item, discord.ui.Button))
    menu = next(item for item in items if isinstance(item, discord.ui.Select))
    assert (button.label, button.emoji) == ("Pay 1 W and 2 N", sign_texts["tangle_w"])
    assert (menu.placeholder, menu.options[0].label) == ("Pay 1 W and 2 N", "Pay 1 W and 2 N")
    assert (menu.options[0].emoji, menu.options[0].description) == (sign_texts["tangle_w"], "won")


def test_a_page_whose_signs_take_too_much_is_told_in_words_and_no_sign_is_cut(sign_texts: Known) -> None:
    line = f"{with_icon('seat_1', 'Ann')} pays {with_icon('seat_2', 'Bo')} 2 {sign('tangle_n', 'N')}.\n"
    few, many = line * 10, line * 60

    assert texts_of(Page([few]))[0].count("<:") == 30
    assert texts_of(Page([few, many])) == ["Ann pays Bo 2 N.\n" * 10, "Ann pays Bo 2 N.\n" * 60]

    line = f"{with_icon('seat_1', 'Ann')} takes {sign('tangle_n', 'N')}.\n"
    for count in range(1, 400, 7):
        text = "".join(texts_of(Page([line * count])))
        assert len(text) <= PAGE_LETTERS
        assert text.count("<:") == text.count(">")


@pytest.mark.any_game
@pytest.mark.parametrize("slug", SLUGS)
async def test_turns_by_clicks_name_drawn_signs(stage: DiscordStage, sign_texts: Known, slug: str) -> None:
    least = game(slug).seats[0]
    options: dict[str, Any] = {"mode": "versus"} if slug == "ribbon" else {"computers": max(0, least - 2)}
    place = await stage.open("Ann", "Bo", game=slug, **options)
    rng = Random(5)

    for _ in range(TURNS):
        people = [name for name in await stage.due() if name in stage.people]
        if people:
            await stage.act(people[0], place, rng)
        await stage.env.settle()

    assert "<:tp_" in "\n".join(post.text for post in stage.posts(place))


HOUSE = signs_of("house")
LIMIT = 2000


@pytest.fixture(autouse=True)
def none_shown() -> Iterator[None]:
    yield
    text.show({})


async def upload_all_signs(stage: DiscordStage) -> Catalogue:
    with stage.env.time_context():
        return await upload_signs(stage.bot, HOUSE, pause=0)


def there(stage: DiscordStage) -> dict[int, GuildEmoji]:
    return stage.env.backend.application_emojis


def names(stage: DiscordStage) -> set[str]:
    return {emoji.name for emoji in there(stage).values()}


async def test_at_the_first_start_every_sign_is_told_to_discord_and_at_the_next_none(
    stage: DiscordStage,
) -> None:
    await upload_all_signs(stage)

    assert names(stage) == {emoji_name(sign, png) for sign, png in HOUSE.items()}
    crown = next(emoji for emoji in there(stage).values() if emoji.name.startswith("tp_crown_"))
    assert with_signs(sign("crown", "won"), LIMIT) == f"<:{crown.name}:{crown.id}>"
    assert with_signs(with_icon("crown", "Eve"), LIMIT) == f"<:{crown.name}:{crown.id}> Eve"
    before = dict(there(stage))
    text.show({})
    catalogue = await upload_all_signs(stage)
    assert there(stage) == before
    assert set(catalogue.shown) == set(HOUSE)


async def test_a_changed_sign_replaces_the_old_one_and_other_emoji_stay(stage: DiscordStage) -> None:
    older = stage.env.backend.create_application_emoji("tp_crown_000000")

    await upload_all_signs(stage)

    assert older.id not in there(stage)
    assert len(there(stage)) == len(HOUSE)

    others = {
        stage.env.backend.create_application_emoji(name).name
        for name in ("crown", "tp_crown", "my_tp_crown_000000", "tp_crown_00000g")
    }

    await upload_all_signs(stage)

    assert others <= names(stage)


async def test_a_refused_upload_is_told_once(stage: DiscordStage, caplog: pytest.LogCaptureFixture) -> None:
    stage.env.inject_error("POST", "/applications/*/emojis", times=None, status=403)

    with caplog.at_level(logging.WARNING, "cogs.discord.emoji"):
        await upload_all_signs(stage)

    assert (
        with_signs(f"{with_icon('seat_1', 'Eve')} gains 2 {sign('crown', 'C')}.", LIMIT) == "Eve gains 2 C."
    )
    assert [record.getMessage().partition(":")[0] for record in caplog.records] == [
        f"{len(HOUSE)} of {len(HOUSE)} emoji are missing, so words replace them until the next start"
    ]


@pytest.mark.parametrize("status", [400, 403, 413, 500])
async def test_one_that_is_refused_keeps_no_other_back(
    stage: DiscordStage, caplog: pytest.LogCaptureFixture, status: int
) -> None:
    stage.env.inject_error("POST", "/applications/*/emojis", times=1, status=status)

    with caplog.at_level(logging.WARNING, "cogs.discord.emoji"):
        catalogue = await upload_all_signs(stage)

    [sign] = catalogue.missing
    assert len(there(stage)) == len(HOUSE) - 1
    [line] = [record.getMessage() for record in caplog.records]
    assert line.startswith(
        f"1 of {len(HOUSE)} emoji are missing, so words replace them until the next start: {sign}: {status} "
    )


@pytest.mark.parametrize("status", [401, 429])
async def test_an_error_of_every_upload_ends_the_attempt_until_the_next_start(
    stage: DiscordStage, caplog: pytest.LogCaptureFixture, status: int
) -> None:
    stage.env.inject_error("POST", "/applications/*/emojis", times=1, status=status)

    with caplog.at_level(logging.WARNING, "cogs.discord.emoji"):
        await upload_all_signs(stage)

    assert not there(stage)
    assert len(caplog.records) == 1
    assert (await upload_all_signs(stage)).missing == []


@pytest.mark.parametrize(
    "error", [discord.RateLimited(LONGEST_LIMIT + 1), aiohttp.ClientConnectionError("lost")]
)
async def test_a_long_limit_or_a_lost_connection_ends_the_attempt_with_one_line(
    stage: DiscordStage, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    async def failed(**_emoji: Any) -> discord.Emoji:
        raise error

    monkeypatch.setattr(stage.bot, "create_application_emoji", failed)

    with caplog.at_level(logging.WARNING, "cogs.discord.emoji"):
        await upload_all_signs(stage)

    assert [record.getMessage().partition(":")[0] for record in caplog.records] == [
        f"{len(HOUSE)} of {len(HOUSE)} emoji are missing, so words replace them until the next start"
    ]


async def test_an_upload_waits_out_a_limit(stage: DiscordStage, monkeypatch: pytest.MonkeyPatch) -> None:
    upload, limits = stage.bot.create_application_emoji, [discord.RateLimited(0.0), discord.RateLimited(0.0)]

    async def limited(**emoji: Any) -> discord.Emoji:
        if limits:
            raise limits.pop()
        return await upload(**emoji)

    monkeypatch.setattr(stage.bot, "create_application_emoji", limited)

    catalogue = await upload_all_signs(stage)

    assert limits == []
    assert catalogue.missing == []


async def test_no_more_emoji_are_made_than_an_application_may_have(stage: DiscordStage) -> None:
    for number in range(MOST_EMOJI - 3):
        stage.env.backend.create_application_emoji(f"other_{number}")
    old = stage.env.backend.create_application_emoji("tp_crown_000000")

    catalogue = await upload_all_signs(stage)

    assert len(there(stage)) == MOST_EMOJI
    assert len(catalogue.shown) == 3
    assert old.id not in there(stage)
