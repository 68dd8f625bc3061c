"""Looking back at a running game reveals nothing that a viewer could not know then.

All that the record shows of a turn comes from a view and from lines. Here every hidden thing of every
position is drawn again, and what the record shows must stay the same to the byte.
"""

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any, NamedTuple

import msgspec
import pytest

from cogs.core.story import lines_of
from db.records import ActionRow
from engines.game import Seat
from tables.core.history import EntryKind
from tables.core.table import Occupant, Phase, Table, encode
from tests.engines.cases import CASES, GameCase
from tests.engines.conformance import PlayedGame, decode_state, fewer, sample, viewers
from tests.engines.test_conformance import NAMES
from tests.often import often

GAMES = often(2, 50)
"""Random games of each game to look back at; fewer of a heavy one."""
EVERY = often(4, 1)
"""Every so-manieth turn of a game is looked at."""


class Looked(NamedTuple):
    """The end of a turn: the state then, and the entries of the turn."""

    state: bytes
    rows: list[ActionRow]


def turns(case: GameCase, played: PlayedGame) -> Iterator[Looked]:
    rows: list[ActionRow] = []
    beat = None
    for number, taken in enumerate(played.steps, start=1):
        now = case.game.post_counter(decode_state(case.game, taken.before))
        if rows and now != beat:
            yield Looked(taken.before, rows)
            rows = []
        beat = now
        kind = EntryKind.RESIGN if taken.move is None else EntryKind.MOVE
        payload = None if taken.move is None else encode(taken.move)
        rows.append(
            ActionRow(
                number, number - 1, kind, taken.seat, None, payload, encode(taken.events), False, 0.0, beat
            )
        )


def table_of(case: GameCase, played: PlayedGame) -> Table:
    seats = tuple(Occupant(name, 100 + seat) for seat, name in enumerate(NAMES[: played.table.seats]))
    return Table(
        1,
        1,
        1,
        1,
        case.slug,
        played.table.options,
        Phase.PLAY,
        100,
        1,
        1,
        (),
        b"",
        b"",
        "{}",
        None,
        seats,
        0.0,
        0.0,
    )


def show_turn(
    table: Table, state: Any, before: Any, looked: Looked, viewer: Seat | None
) -> tuple[bytes, list[str]]:
    """Return what a viewer sees of a turn.

    That is the view that the picture is drawn from, marks since an earlier look, and the lines.
    """
    view = table.game.view(state, viewer)
    marked = table.game.since(view, [table.game.view(before, viewer)])
    return msgspec.json.encode((view, marked)), lines_of(table, view, looked.rows, viewer)


@pytest.mark.any_game
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.slug)
def test_the_record_of_a_running_game_shows_no_viewer_what_they_may_not_know(case: GameCase) -> None:
    compared = different = 0
    for played in sample(case, GAMES, "record"):
        table, earlier = table_of(case, played), None
        for looked in islice(turns(case, played), 0, None, EVERY):
            state = decode_state(case.game, looked.state)
            before = state if earlier is None else earlier
            for viewer in viewers(played.table):
                other = case.game.resample_hidden(state, viewer, Random(compared))
                past = case.game.resample_hidden(before, viewer, Random(compared + 1))
                different += msgspec.msgpack.encode(other) != looked.state
                assert show_turn(table, other, past, looked, viewer) == show_turn(
                    table, state, before, looked, viewer
                )
                compared += 1
            earlier = state

    assert compared > fewer(case, GAMES)
    assert different
