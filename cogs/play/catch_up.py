"""The part of a panel below its buttons that says what happened since your last step."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import msgspec

from cogs.core.app import App
from cogs.core.story import FOLLOWS, newest, rollback_lines, turn_lines, turn_views
from cogs.ui.page import Button, Part
from cogs.ui.press import Press
from tables.play.play import Perspective
from tables.review.record import MissedTurns

LINES = 4
HAPPENED = "What happened"
FROM_START, SINCE = "**What has happened so far**", "**Since your last step**"
EARLIER = "-# To see {count}, press **All that happened**."


def mark_missed(perspective: Perspective, missed: MissedTurns | None) -> Perspective:
    """Return the perspective with all missed changes marked, not only the last."""
    if missed is None or not missed.turns:
        return perspective
    view = perspective.table.game.since(perspective.view, missed.seen)
    return msgspec.structs.replace(perspective, view=view)


@dataclass(frozen=True)
class MissedTurnsRecap:
    """A panel's recap of missed turns: the lines with a button, or a button `instead`."""

    lines: Sequence[str] = ()
    parts: list[Part] = field(default_factory=list)
    beside: Sequence[Button] = ()
    instead: Sequence[Button] = ()


async def recap_missed(app: App, perspective: Perspective, missed: MissedTurns | None) -> MissedTurnsRecap:
    """Return a recap of missed turns; `perspective` is marked.

    Empty if nobody has looked yet. A single turn, which the newest post repeats, is left to a button if
    there are posts to look at.
    """
    if missed is None:
        return MissedTurnsRecap()
    table, view, seat = perspective.table, perspective.view, perspective.seat
    taken = await rollback_lines(app.parlour.record, table, missed.rows)
    views = await turn_views(app.parlour.record, table, view, missed.rows, seat)
    lines = turn_lines(table, view, views, missed.rows, taken, seat)
    if not lines:
        return MissedTurnsRecap()
    lines[0] = lines[0].removeprefix(f"{FOLLOWS} ")
    number = missed.turns[0].number if missed.turns else 0
    press = Press("record", "turn", table.id, 0, str(number))
    happened = [Button(HAPPENED, press)]
    if len(missed.turns) < 2 and not (table.is_alone or app.is_text_only):
        return MissedTurnsRecap(lines, [], happened, happened)
    title = FROM_START if missed.first else SINCE
    more = [Button("All that happened", press)] if len(lines) > LINES else []
    return MissedTurnsRecap(lines, ["\n".join([title, *newest(lines, LINES, EARLIER)])], more, happened)
