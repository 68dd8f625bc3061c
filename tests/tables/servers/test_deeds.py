from collections import Counter
from collections.abc import Awaitable, Callable

import pytest

from cogs.posts.notices import KINDS
from engines.game import Strength
from tables.clocks.pace import HOUR
from tables.core.table import BoardObstacle, Table
from tables.time import lateness
from tests.conftest import EITHER_DATABASE
from tests.tables.house import ANN, BO, CHANNEL, CY, House, user

DATABASES = EITHER_DATABASE
ADMIN = 99
Deed = Callable[[House, Table], Awaitable[object]]
DEEDS: dict[str, Deed] = {
    "kick": lambda house, table: house.parlour.kick(table.id, user(ANN), ADMIN),
    "replace": lambda house, table: house.play.hand_over(table.id, user(ANN), ADMIN, Strength.EASY),
    "close": lambda house, table: house.play.close(table.id, ADMIN),
    "skip": lambda house, table: house.play.skip(table.id, ADMIN),
    "roll back": lambda house, table: house.play.rollback(table.id, 1, ADMIN),
    "pause": lambda house, table: house.parlour.pauses.pause(table.id, ADMIN, None),
    "move": lambda house, table: house.parlour.moving.move(table.id, ADMIN, CHANNEL + 1),
    "give time": lambda house, table: house.parlour.decide(
        table.id, lateness.extend_time, actor_id=ADMIN, user_id=user(ANN), seconds=HOUR
    ),
    "let the board be refused": lambda house, table: house.parlour.obstacles.block(
        table.id, BoardObstacle.NO_PERMISSION
    ),
}

TOLD = {
    "kick": [user(ANN)],
    "replace": [user(ANN)],
    "let the board be refused": [user(ANN), user(BO), user(CY)],
}
"""Recipients of a message of their own; the board tells everybody the rest."""


@pytest.mark.parametrize("deed", DEEDS)
async def test_a_deed_sends_one_message_to_each_person_it_is_about(house: House, deed: str) -> None:
    table = await house.start(ANN, BO, CY, ribbon_choice="random")
    table = await house.play_moves(table, "flip 4")
    await house.settle()
    house.courier.shown.clear()

    await DEEDS[deed](house, table)
    await house.settle()

    sent = Counter(row.target for row, _ in house.courier.shown if row.kind in KINDS)
    assert sent == Counter(TOLD.get(deed, ()))
