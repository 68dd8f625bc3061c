from random import Random

from engines.game import Strength
from engines.ribbon import GAME
from engines.ribbon.game import DAILY
from engines.ribbon.pieces.components import RibbonOptions
from engines.ribbon.view import RibbonView
from render.core.canvas import Picture
from render.daily import Boards, Day, FinalBoard, MonthSheet, boards, calendar
from render.ribbon import board
from tables.daily import POINTS

DAY = b"2026-11-20"
PLAYERS = (("1. Cy", 3), ("2. Ann", 1), ("3. Bo", 2))
"""The players of that day's deal, the best first, each with the luck that their choices were drawn from."""
PLACES = (3, 1, 2, 1, 0, None, 2, 1, 1, 6, 0, None, 3, 1, 2, 1)
"""The place of each day; 0 for an unfinished deal, None if it wasn't played."""


def pictures() -> dict[str, Picture]:
    shown = tuple(
        FinalBoard(name, said, board(view, (name.split()[1],)).png, name.startswith("1."))
        for name, luck in PLAYERS
        for view, said in [_play_alone(luck)]
    )
    days = {
        number: Day(True, place, POINTS[place - 1]) if place else Day(False)
        for number, place in enumerate(PLACES, start=1)
        if place is not None
    }
    month = MonthSheet("Ann", "2026-11-01", "12 days finished, streak 4", days, today=17)
    return {
        "daily/boards.png": boards(Boards("The final boards", shown)),
        "daily/calendar.png": calendar(month),
    }


def _play_alone(luck: int) -> tuple[RibbonView, str]:
    options, rng = GAME.settle(1, RibbonOptions(difficulty="easy")), Random(luck)
    state = GAME.begin(1, options, GAME.deal(1, options, DAY), DAY)
    while GAME.prompts(state):
        GAME.play(state, 0, GAME.choose(GAME.view(state, 0), 0, rng, Strength.EASY))
    view, outcome = GAME.view(state, None), GAME.outcome(state)
    assert outcome is not None
    return view, DAILY.verdict(outcome, view, 0).said
