"""A deal stays secret until its day is over: whoever has finished it sees no more of it than before."""

from random import Random

import pytest

from engines.registry import SLUGS
from tables.clocks.pace import begins, ends
from tables.core.table import Phase, Refused, Table
from tables.daily.plays import SEAT
from tests.conftest import EITHER_DATABASE
from tests.tables.daily.test_plays import TODAY
from tests.tables.house import ANN, House, user

pytestmark = pytest.mark.slow
DATABASES = EITHER_DATABASE


@pytest.fixture(autouse=True)
def noon(house: House) -> None:
    house.clock.now = begins(TODAY) + 12 * 3600


@pytest.mark.parametrize("slug", SLUGS)
async def test_a_finished_play_reveals_no_more_of_the_deal_until_the_day_is_over(
    house: House, slug: str
) -> None:
    table = await finish_hidden_play(house, slug)
    record = house.parlour.record
    last = (await record.turns(table))[-1]
    seen = await house.parlour.play.perspective(table.id, user(ANN))
    during = [
        seen.view,
        await record.view(table, last.version, SEAT),
        *await record.views(table, [last], SEAT),
    ]

    with pytest.raises(Refused, match="Others are still playing this deal"):
        await record.hands(table, last.version)
    house.clock.now = ends(TODAY)
    after = await record.view(table, last.version, SEAT)

    assert all(one == during[0] for one in during)
    assert len(str(after)) > 0
    assert after != during[0]
    assert len(await record.hands(table, last.version)) == len(table.seats)


async def finish_hidden_play(house: House, slug: str) -> Table:
    """Return Ann's finished play in which something is still hidden. Its game is over by its rules."""
    table = await house.parlour.daily.open(ANN, TODAY, slug)
    rng = Random(1)
    while table.phase is Phase.PLAY:
        if table.computers_owing:
            await house.parlour.computers.finish()
        else:
            moves = await house.play.moves(table.id, user(ANN))
            await house.play.move(table.id, user(ANN), [rng.choice(moves)])
        table = await house.parlour.table(table.id)
    return table
