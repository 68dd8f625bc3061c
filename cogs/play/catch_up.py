"""What a panel begins with after others have moved: what happened since its person's own last step."""

from __future__ import annotations

import msgspec

from cogs.core.app import App
from cogs.core.presenter import presenter
from cogs.core.story import lines_of, newest
from cogs.ui.page import Button, Page
from cogs.ui.press import Press
from tables.play.play import Perspective
from tables.review.record import Missed

LINES = 8
FROM_START, SINCE = "**What has happened so far**", "**Since your last step**"
EARLIER = "-# Earlier lines ({count}): press **All of it**."


def marked(perspective: Perspective, missed: Missed | None) -> Perspective:
    """The perspective whose pictures mark all that a person has missed, not only what changed last.

    Of one turn they do so by themselves, and are those of the last post, which are drawn already.
    """
    if missed is None or len(missed.turns) < 2:
        return perspective
    view = perspective.table.game.since(perspective.view, missed.before)
    return msgspec.structs.replace(perspective, view=view)


async def tell(app: App, page: Page, perspective: Perspective, missed: Missed) -> None:
    """Begin a panel with what its person has missed; `perspective` is marked.

    A panel without a picture of the board gets one, where more has happened than the last post shows.
    """
    table, speaker = perspective.table, presenter(perspective.table)
    told = lines_of(table, perspective.view, missed.rows, perspective.seat)
    if not told:
        return
    title = FROM_START if missed.first else SINCE
    if len(missed.turns) > 1 and not speaker.shows_board(page):
        page.parts.insert(0, await app.pictures.board(table, perspective.view))
    if len(told) > LINES:
        number = missed.turns[0].number if missed.turns else 0
        page.parts.insert(0, [Button("All of it", Press("record", "turn", table.id, 0, str(number)))])
    page.parts.insert(0, "\n".join([title, *newest(told, LINES, EARLIER)]))
