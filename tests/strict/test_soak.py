from functools import partial
from random import Random

import pytest

from tests.strict.api.components import CHANNELS
from tests.strict.api.errors import Json
from tests.strict.api.interactions import MODAL, RADIOS, fields_of
from tests.strict.api.interactions import TYPED as TEXT_LINE
from tests.strict.api.world import Message, StrictChannel
from tests.strict.conftest import Strict
from tests.strict.people import InteractionAnswer, SeenMessage, StrictPerson
from tests.strict.play import SHOWN_WITHIN, open_table, refusals, type_flip
from tests.strict.process import StrictBot

pytestmark = [pytest.mark.thorough]
TABLES, OUTAGE, GOT_THROUGH = 40, 120.0, 8
CUTS = (40.0, 80.0)
BACK_WITHIN = 300.0
GAMES = ("ribbon", "tangle", "tanglewood", "tangram", "tesla")
GAMES_EACH, PRESSES = 4, 23
USES = 60
ADMIN_PAGES = ("opening", "admins", "time", "limits", "ratings", "calls", "daily")
FORMS = {
    *("Options", "Pace and time", "Choose games", "Change my search", "Notices", "Daily DMs", "I'll be away"),
    *("Quiet hours and time zone", "Pictures, words and privacy", "New tables", "Choose a role"),
    *("Paces and late players", "Limits, computers and hints", "Ratings", "Role to ask around"),
    *("When and where", "Games and puzzle"),
}
"""The buttons that open a form, except those that need a game."""
ON_PEOPLE = ("Invite to a table", "Profile", "Play rematch")
ON_POSTS = ("Read it to me", "What happened", "Try from here")
TYPED = ("", "3", "B4", "1h + 5m, cap 2h", "hello 🎲", "x" * 40)


async def begin_tables(strict: Strict) -> dict[int, tuple[StrictPerson, StrictChannel]]:
    """Start a game of two at each table. Return the host and the thread of each, by its number."""
    tables = {}
    for number in range(TABLES):
        host, guest = (
            StrictPerson(strict.world, strict.world.add_user(f"{who}{number}")) for who in ("Ann", "Bo")
        )
        for person in (host, guest):
            strict.world.add_member(strict.guild, person.user)
        strict.people |= {f"Ann{number}": host, f"Bo{number}": guest}
        card = await open_table(strict, f"Ann{number}", mode="versus", first="host", ribbon_choice="random")
        await guest.click(card, "Join")
        await host.click(card, "Start")
        await strict.until(partial(has_thread, strict, card), SHOWN_WITHIN, "a thread")
        tables[number] = (host, strict.world.channels[card.id])
    await strict.until(
        lambda: all(len(strict.boards(thread)) == 1 for _, thread in tables.values()),
        120.0,
        "a board everywhere",
    )
    return tables


def has_thread(strict: Strict, card: Message) -> bool:
    return card.id in strict.world.channels


def is_past(strict: Strict, instant: float) -> bool:
    return strict.world.now() >= instant


def flips(thread: StrictChannel) -> int:
    """Return how many posts of a thread tell of the first flip."""
    return sum(" at 3." in SeenMessage(one).text for one in thread.public)


async def test_every_post_stands_once_after_two_minutes_of_502(strict: Strict, bot: StrictBot) -> None:
    tables = await begin_tables(strict)
    for _, thread in list(tables.values())[:GOT_THROUGH]:
        path = f"^/channels/{thread.id}/messages$"
        strict.server.faults.add("POST", path, times=1, got_through=True)
    outage = strict.server.faults.add("*", "^/channels/")
    began = strict.world.now()
    for host, thread in tables.values():
        await type_flip(host, thread)
    for at in CUTS:
        await strict.until(partial(is_past, strict, began + at), at + 5)
        strict.server.gateway.cut_off()
    await strict.until(partial(is_past, strict, began + OUTAGE), OUTAGE)
    assert sum(flips(thread) for _, thread in tables.values()) == GOT_THROUGH

    outage.end()
    ended = strict.world.now()
    await strict.until(lambda: all(flips(thread) for _, thread in tables.values()), BACK_WITHIN, "every post")
    print(f"all {TABLES} posts stood {strict.world.now() - ended:.0f} s after the outage")
    shown = ", board: shown at version 3"
    await strict.until(lambda: sum(shown in line for line in bot.lines) >= TABLES, BACK_WITHIN, "every note")

    assert [flips(thread) for _, thread in tables.values()] == [1] * TABLES
    assert {len(strict.boards(thread)) for _, thread in tables.values()} == {2}
    assert strict.server.gateway.resumes >= len(CUTS)


@pytest.mark.parametrize("game", GAMES)
async def test_any_presses_in_any_order_are_taken(strict: Strict, bot: StrictBot, game: str) -> None:
    rng = Random(game)
    before = len(strict.server.requests)
    for number in range(GAMES_EACH):
        people = newcomers(strict, number)
        await begin_game(strict, people, game, rng)
        for _ in range(PRESSES):
            await press_anything(strict, rng.choice(people), rng)
    assert refusals(strict, before) == []


def newcomers(strict: Strict, number: int) -> list[StrictPerson]:
    """Return people who haven't pressed yet: fast pressing gets no answer."""
    people = [
        StrictPerson(strict.world, strict.world.add_user(f"{name}{number}")) for name in ("Eve", "Flo", "Gus")
    ]
    for person in people:
        strict.world.add_member(strict.guild, person.user)
    return people


async def begin_game(strict: Strict, people: list[StrictPerson], game: str, rng: Random) -> None:
    """Open a table for two people; mostly start it."""
    host, guest, _ = people
    answer = await host.slash(strict.channel, f"{game} new")
    assert not answer.is_private, answer.text
    card = answer.message
    await guest.click(card, "Join")
    await strict.until(lambda: guest.user.display in SeenMessage(card).text, why="the guest on the card")
    if not SeenMessage(card).buttons["Start"]["disabled"] and rng.random() < 0.8:
        await host.click(card, "Start")
        await strict.until(lambda: card.id in strict.world.channels, SHOWN_WITHIN, "a thread")
        await strict.until(lambda: strict.boards(strict.world.channels[card.id]), SHOWN_WITHIN, "a board")


def pressable(message: Message) -> list[Json]:
    return [one for one in SeenMessage(message).parts if one.get("custom_id") and not one["disabled"]]


async def press_anything(strict: Strict, person: StrictPerson, rng: Random) -> None:
    """Press or choose something that a person sees, more likely something new."""
    seen = [
        one
        for one in strict.world.messages()
        if one.audience in (None, person.id) and one.author_id == strict.world.bot.id and pressable(one)
    ]
    if not seen:
        return
    message = sorted(seen, key=lambda one: one.id)[-min(len(seen), rng.choice((1, 1, 2, 4)))]
    one = rng.choice(
        [part for part in SeenMessage(message).parts if part.get("custom_id") and not part["disabled"]]
    )
    if one["type"] == 2:
        answer = await person.click(message, custom_id=one["custom_id"])
    else:
        answer = await choose(strict, person, message, one["custom_id"], rng)
    if answer.interaction.answer == MODAL:
        await fill_at_random(strict, person, answer, rng)


async def fill_at_random(
    strict: Strict, person: StrictPerson, form: InteractionAnswer, rng: Random
) -> InteractionAnswer:
    """Send a form with some texts and choices, possible or not."""
    filled: dict[str, str | list[str]] = {}
    for field in (field for row in form.form["components"] for field in fields_of(row)):
        values = [option["value"] for option in field.get("options") or []]
        low = field.get("min_values", 1) if field.get("required", True) else 0
        if field["type"] == TEXT_LINE:
            texts = TYPED[1:] if field.get("required", True) else TYPED
            filled[field["custom_id"]] = rng.choice(texts)[: rng.choice((5, field.get("max_length") or 40))]
        elif values:
            count = rng.randint(low, field.get("max_values", len(values)) if field["type"] != RADIOS else 1)
            filled[field["custom_id"]] = rng.sample(values, count)
        elif field["type"] == CHANNELS:
            filled[field["custom_id"]] = rng.choice(([], [str(strict.channel.id)]))
    return await person.submit(form, **filled)


async def test_sixty_forms_of_settings_tables_and_searches_are_taken(strict: Strict, bot: StrictBot) -> None:
    rng, answered = Random("forms"), 0
    before = len(strict.server.requests)
    admins = strict.world.add_role(strict.guild, "admins")
    while answered < USES:
        person = newcomers(strict, answered)[0]
        strict.world.add_member(strict.guild, person.user, (admins,))
        panel = await person.slash(strict.channel, "admin panel")
        await person.select(panel.last, "page", [rng.choice(ADMIN_PAGES)])
        pages = [
            panel,
            await person.slash(strict.channel, "me settings"),
            await person.slash(strict.channel, "looking"),
            await person.slash(strict.channel, f"{rng.choice(GAMES)} new"),
        ]
        for page in pages:
            labels = [name for name in SeenMessage(page.last).buttons if name in FORMS]
            if not labels:  # a limit that was just set allows no table
                continue
            label = rng.choice(labels)
            form = await person.click(page.last, label)
            assert form.interaction.answer == MODAL, f"{label}: {form.text}"
            sent = await fill_at_random(strict, person, form, rng)
            if sent.is_private and "Try again" in SeenMessage(sent.last).buttons:
                await fill_at_random(strict, person, await person.click(sent.last, "Try again"), rng)
            answered += 1
    assert refusals(strict, before) == []


async def test_sixty_menus_on_people_and_posts_are_taken(strict: Strict, bot: StrictBot) -> None:
    rng, answered = Random("menus"), 0
    before = len(strict.server.requests)
    while answered < USES:
        people = newcomers(strict, answered)
        await begin_game(strict, people, rng.choice(GAMES), rng)
        posts = [
            one
            for one in strict.world.messages()
            if one.author_id == strict.world.bot.id and strict.world.channels[one.channel_id].guild_id
        ]
        for person in people:
            for _ in range(4):
                place = strict.channel
                seen = [one for one in posts if one.audience in (None, person.id)]
                if not seen or rng.random() < 0.5:
                    answer = await person.menu(place, rng.choice(ON_PEOPLE), rng.choice(people))
                else:
                    post = rng.choice(seen)
                    place = strict.world.channels[post.channel_id]
                    answer = await person.menu(place, rng.choice(ON_POSTS), post)
                assert answer.text
                answered += 1
    assert refusals(strict, before) == []


async def choose(
    strict: Strict, person: StrictPerson, message: Message, custom_id: str, rng: Random
) -> InteractionAnswer:
    name, menu = next(
        (name, one) for name, one in SeenMessage(message).menus.items() if one["custom_id"] == custom_id
    )
    most = menu["max_values"] if "options" in menu else 0
    count = rng.randint(max(menu["min_values"], min(1, most)), most)
    values = [option["value"] for option in menu.get("options") or []]
    if not values and menu["min_values"]:
        values, count = [str(person.id)], 1
    return await person.select(message, name, rng.sample(values, count))
