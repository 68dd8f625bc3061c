"""What a panel says below its buttons after others have moved: what happened since your last step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from cogs.core.app import App
from cogs.core.story import lines_of, newest, taken_back
from cogs.ui.page import Button, Part
from cogs.ui.press import Press
from tables.play.play import Perspective
from tables.review.record import MissedTurns

LINES = 4
HAPPENED = "What happened"
FROM_START, SINCE = "**What has happened so far**", "**Since your last step**"
EARLIER = "-# Earlier lines ({count}): press **All that happened**."


def marked(perspective: Perspective, missed: MissedTurns | None) -> Perspective:
    """The perspective whose pictures mark all that a person has missed, not only what changed last.

    Of one turn they do so by themselves, and are those of the last post, which are drawn already.
    """
    if missed is None or len(missed.turns) < 2:
        return perspective
    view = perspective.table.game.since(perspective.view, missed.before)
    return msgspec.structs.replace(perspective, view=view)


@dataclass(frozen=True)
class Told:
    """What a panel says of what its person has missed: the lines with a button, or a button `instead`."""

    parts: Sequence[Part] = ()
    beside: Sequence[Button] = ()
    instead: Sequence[Button] = ()


async def told(app: App, perspective: Perspective, missed: MissedTurns | None) -> Told:
    """What a person has missed in a few lines, nothing where nobody has looked; `perspective` is marked.

    What the newest post tells word for word, as it is a single turn, is left to a button, if there are posts.
    """
    if missed is None:
        return Told()
    table = perspective.table
    taken = await taken_back(app, table, missed.rows)
    lines = lines_of(table, perspective.view, missed.rows, perspective.seat, taken)
    if not lines:
        return Told()
    number = missed.turns[0].number if missed.turns else 0
    press = Press("record", "turn", table.id, 0, str(number))
    happened = [Button(HAPPENED, press)]
    if len(missed.turns) < 2 and not table.is_alone:
        return Told((), happened, happened)
    title = FROM_START if missed.first else SINCE
    more = [Button("All that happened", press)] if len(lines) > LINES else []
    return Told(["\n".join([title, *newest(lines, LINES, EARLIER)])], more, happened)
