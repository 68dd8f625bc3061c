"""Changes of a board since an earlier look: where, how, and by whom.

Games make these changes from views alone, in `Game.since`; pictures and words show them.
"""

from collections.abc import Iterable, Sequence

import msgspec

from engines.game import Seat

MOST_STRESSED = 12
"""From more changes than this, only those of the last turn are stressed."""


class BoardChange(msgspec.Struct, frozen=True):
    """A change at one place.

    Attributes:
        place: the name of the place.
        kind: how it changed, in a word of the game.
        seat: the seat that changed it; None if the views don't say.
        start: the place that it came from, or changed with.
        points: what the seat won or lost there.
        is_latest: False if a later turn changed something too.
    """

    place: str
    kind: str
    seat: Seat | None = None
    start: str | None = None
    points: int = 0
    is_latest: bool = True


def join_turns(turns: Iterable[Sequence[BoardChange]]) -> tuple[BoardChange, ...]:
    """Return the changes of several turns, the last turn's first.

    Of several at a place that are alike, the last one counts.

    >>> first, second = BoardChange("A", "new", 0), BoardChange("B", "new", 1)
    >>> [(one.place, one.is_latest) for one in join_turns([[first], [second]])]
    [('B', True), ('A', False)]
    """
    result: dict[tuple[str, str], BoardChange] = {}
    for changes in reversed([turn for turn in turns if turn]):
        is_latest = not result
        for change in changes:
            result.setdefault(
                (change.place, change.kind), msgspec.structs.replace(change, is_latest=is_latest)
            )
    return tuple(result.values())


def is_quiet(change: BoardChange, changes: Sequence[BoardChange]) -> bool:
    """Return True if many changes leave this one without stress."""
    return len(changes) > MOST_STRESSED and not change.is_latest
