from engines.game import Strength
from engines.ribbon.pieces.components import RibbonOptions
from tables.clocks.pace import MINUTE, NONE
from tables.core.table import Occupant, Phase, Table, Terms
from tests.tables.house import CHANNEL, GUILD, House, user

RIBBON = "ribbon"


async def lose_game(house: House, loser: Occupant, *others: Occupant, terms: Terms | None = None) -> Table:
    """Play a game that its loser leaves; the last one wins."""
    table = await begin_game(house, loser, *others, terms=terms)
    for occupant in (loser, *others[:-1]):
        house.clock.now += MINUTE
        table = await house.play.resign(table.id, user(occupant))
    await house.settle()
    assert table.phase is Phase.OVER
    return table


async def begin_game(
    house: House, *people: Occupant, computers: int = 0, terms: Terms | None = None
) -> Table:
    host, *others = people
    options = RibbonOptions(mode="versus", ribbon_choice="random", first="host")
    table = await house.lobby.create(
        GUILD, CHANNEL, host, RIBBON, options, tuple(others), terms=terms or Terms(NONE)
    )
    for _ in range(computers):
        await house.lobby.add_computer(table.id, user(host), Strength.MEDIUM)
    return await house.lobby.start(table.id, user(host))
