import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from tests.strict.api.interactions import LATER, UPDATE
from tests.strict.api.server import describe_answer
from tests.strict.api.world import Message, StrictChannel
from tests.strict.conftest import Strict
from tests.strict.people import InteractionAnswer, SeenMessage, StrictPerson

ENDS = ("End turn and win", "End turn", "End my turn anyway", "No, play on")
CHOICES = ("Green", "Orange", "Purple", "Hand ")
STEPS = 8
SHOWN_WITHIN, SOON = 60.0, 4.0
BACK_WITHIN = 60.0


async def open_table(
    scene: Strict, host: str = "Ann", place: StrictChannel | None = None, **options: Any
) -> Message:
    """Open a table of Ribbon Tangle. Return its card."""
    answer = await scene[host].slash(place or scene.channel, "ribbon new", **options)
    assert not answer.is_private, answer.text
    return answer.message


async def begin(scene: Strict, card: Message, host: str = "Ann") -> StrictChannel:
    """Start a game from its card. Return the thread as soon as the board is in it."""
    await scene[host].click(card, "Start")
    return await board_of(scene)


async def versus(scene: Strict, *names: str, place: StrictChannel | None = None) -> StrictChannel:
    """Start a game of Ann and Bo (or others). Return its thread. The first of them goes first."""
    host, *others = names or ("Ann", "Bo")
    card = await open_table(scene, host, place, mode="versus", first="host", ribbon_choice="random")
    for name in others:
        await scene[name].click(card, "Join")
    return await begin(scene, card, host)


async def board_of(scene: Strict) -> StrictChannel:
    """Return the thread as soon as the board is in it."""
    await scene.until(lambda: any(map(scene.boards, scene.threads)), SHOWN_WITHIN, "the board in a thread")
    return next(one for one in scene.threads if scene.boards(one))


async def panel(scene: Strict, name: str, place: StrictChannel) -> InteractionAnswer:
    """Press Take turn at the newest board."""
    return await scene[name].click(scene.boards(place)[-1].message, "Take turn")


async def take_turn(scene: Strict, name: str, place: StrictChannel) -> int:
    """Take a whole turn by the panel. Return how many choices it took."""
    answer = await panel(scene, name, place)
    panel_message = answer.last
    for step in range(STEPS):
        shown = SeenMessage(panel_message)
        going_on = (label for label in shown.buttons if label.startswith(CHOICES))
        label = next((label for label in ENDS if label in shown.buttons), next(going_on, None))
        if "flip" in shown.menus:
            value = shown.values("flip")[0]
            answer = await scene[name].select(panel_message, "flip", [value])
        elif label is not None:
            answer = await scene[name].click(panel_message, label)
        else:
            return step
        assert answer.interaction.answer in (UPDATE, LATER), answer.text
        if panel_message.id not in scene.world.channels[place.id].messages:
            return step + 1
    return STEPS


async def next_board(
    scene: Strict, place: StrictChannel, names: Sequence[str], turns: int = 12
) -> SeenMessage:
    """Let people take turns until there is a new board. Return it."""
    before = len(scene.boards(place))
    for number in range(turns):
        await take_turn(scene, names[number % len(names)], place)
        with suppress(AssertionError):
            await scene.until(lambda: len(scene.boards(place)) > before, SOON)
            return scene.boards(place)[-1]
    raise AssertionError("there is no new board")


ASKED = re.compile(r"/commands/\d+/permissions$")
"""A question that Discord answers with 404 if a command has no permissions of its own."""


def refusals(scene: Strict, before: int) -> list[Any]:
    """Return what Discord itself has refused since a request.

    The bot of a module may still be busy with an earlier test's server: that doesn't count.
    """
    return [
        describe_answer(one)
        for one in scene.server.requests[before:]
        if one.status >= 400 and one.fault is None and not _is_of_earlier_test(scene, one.path)
        if not ASKED.search(one.path)
    ]


def _is_of_earlier_test(scene: Strict, path: str) -> bool:
    """Return True if a path is of an earlier test.

    An answer that seems to have failed is repeated a second later, when its test may be over.
    """
    root, _, rest = path.strip("/").partition("/")
    number = rest.partition("/")[0]
    return root in ("channels", "interactions") and number.isdecimal() and int(number) < scene.guild.id


async def still_answers(strict: Strict) -> None:
    """Check that a new table can be opened and joined."""
    card = await open_table(strict)
    await strict["Bo"].click(card, "Join")
    await strict.until(lambda: "Bo" in SeenMessage(card).text, why="Bo on the card")


def connections(strict: Strict) -> int:
    """Count the bot's logins and resumptions."""
    return strict.server.gateway.identifies + strict.server.gateway.resumes


async def wait_for_reconnect(strict: Strict, before: int) -> None:
    await strict.until(lambda: connections(strict) > before, BACK_WITHIN, "a connection")


async def type_flip(person: StrictPerson, place: StrictChannel) -> None:
    """Flip a card by typing, and confirm the preview."""
    answer = await person.slash(place, "ribbon choose", choice="flip 3")
    await person.click(answer.message, "Do it")
