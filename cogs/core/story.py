"""A table's history as lines: one per event for the record, one per turn for the thread."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from cogs.core import folding, words
from cogs.core.presenter import Presenter, presenter
from cogs.ui.text import shorten, without_icons
from db.records import ActionRow
from engines import engine, marks
from engines.game import Seat
from engines.words import format_points, format_total
from tables.core.history import PLAYED, SEAT_CHANGES, EntryKind, events_of, payload_of
from tables.core.table import SUFFIX, Table
from tables.review.record import Record
from tables.servers.erasure import NAME

LINES = 6
HIGHEST = 2000
"""Characters, and pixels on a phone, of a story at most."""
MOST_TAKEN = 5
"""Lines that list what a rollback took back."""
Taken = Mapping[int, Sequence[str]]
NOTHING_TAKEN: Taken = {}
Views = Mapping[int, Any]
"""The game as a viewer saw it, by version."""
JUST_BEFORE = 12
"""The entries in which to look for the cause of the next one."""


async def rollback_lines(record: Record, table: Table, rows: Sequence[ActionRow]) -> dict[int, list[str]]:
    """Return what rollbacks took back, as public lines by the rollback's version."""
    result = {}
    for row in rows:
        if row.kind == EntryKind.ROLLBACK:
            steps = await record.entries_between(table, row.base, row.version)
            view = await record.view(table, row.version - 1, None)
            result[row.version] = lines_of(table, view, [step for step in steps if step.kind in PLAYED])
    return result


async def undo_lines(record: Record, table: Table, rows: Sequence[ActionRow]) -> list[str]:
    """Say who takes back what a post has told."""
    made = [row for row in rows if row.kind == EntryKind.MOVE]
    if not made:
        return []
    view = await record.view(table, rows[-1].version, None)
    lines = turn_lines(table, view, await turn_views(record, table, view, rows), rows)
    return [
        f"{marks.quote_player(table.names, made[0].seat or 0)} takes this back:",
        *_lines_below(lines, MOST_TAKEN),
    ]


async def record_lines(
    record: Record, table: Table, view: Any, rows: Sequence[ActionRow], seat: Seat | None
) -> list[str]:
    """Return the lines of entries, with all that rollbacks took back."""
    taken = await rollback_lines(record, table, rows)
    most = sum(map(len, taken.values()))
    lines = [line for _, line in _event_lines(table, view, rows, seat, taken, most, is_joined=True)]
    return await with_cause(record, table, rows, lines, seat)


async def with_cause(
    record: Record, table: Table, rows: Sequence[ActionRow], lines: Sequence[str], seat: Seat | None
) -> list[str]:
    """Put the line that the first one follows from before it."""
    if not lines or not lines[0].startswith(folding.FOLLOWS):
        return list(lines)
    view = await record.view(table, rows[0].base, seat)
    first = rows[0].version
    before = await record.entries_between(table, first - JUST_BEFORE, first)
    earlier = lines_of(table, view, before, seat)
    return [*[line for line in earlier if not line.startswith((folding.FOLLOWS, folding.SMALL))][-1:], *lines]


def lines_of(
    table: Table, view: Any, rows: Sequence[ActionRow], seat: Seat | None = None, taken: Taken = NOTHING_TAKEN
) -> list[str]:
    """Return the lines that a seat (None: everybody) may read.

    Each describes its own moment: `view` is the position after the last entry. `taken` are the lines of what
    rollbacks took back.
    """
    return [line for _, line in _event_lines(table, view, rows, seat, taken, is_joined=True)]


def _event_lines(
    table: Table,
    view: Any,
    rows: Sequence[ActionRow],
    seat: Seat | None,
    taken: Taken = NOTHING_TAKEN,
    most: int = MOST_TAKEN,
    *,
    is_joined: bool = False,
) -> list[tuple[Any, str]]:
    """Return lines, each with its game event or None.

    If `is_joined`, events of one entry share a line where the game has one, and only the first is returned.
    """
    speaker, pairs = presenter(table), list[tuple[Any, str]]()
    for row in reversed(rows):
        if row.kind in PLAYED:
            done = list[tuple[Any, str]]()
            for event in reversed(list(engine.select_readable(events_of(table, row), seat))):
                line = speaker.words.event_line(event, view, table.names)
                done += [] if line is None else [(event, _capitalise_former_player(line))]
                view = speaker.before(view, event)
            if is_joined:
                done = _join_runs(speaker, done[::-1], view, table.names)[::-1]
            if done and row.kind == EntryKind.FORCED and row.seat is not None:
                # Only the move itself was made for somebody, not what has come of it.
                event, line = done[-1]
                done[-1] = event, speaker.explain_forced_move(line, row.seat, table.names)
            pairs += done
        else:
            lines = words.entry(table, EntryKind(row.kind), payload_of(row), row.seat)
            if row.kind == EntryKind.START and (uneven := speaker.uneven(view)) is not None:
                lines = [*lines[:-1], f"{lines[-1]}\n{folding.SMALL} {uneven}"]
            lines += _lines_below(taken.get(row.version, ()), most)
            pairs += [(None, _capitalise_former_player(line)) for line in lines[::-1]]
            table = _table_before(table, row)
    return pairs[::-1]


def _table_before(table: Table, row: ActionRow) -> Table:
    """Return the table with a seat's name before an entry."""
    if row.kind not in SEAT_CHANGES or row.seat is None:
        return table
    payload = payload_of(row)
    match row.kind:
        case EntryKind.HAND_OVER:
            name = payload["name"]
        case EntryKind.TAKE_OVER:
            name = payload["old"]
        case _:
            name = f"{payload}{SUFFIX}"
    then = replace(table.seats[row.seat], name=name)
    return replace(table, seats=(*table.seats[: row.seat], then, *table.seats[row.seat + 1 :]))


def _lines_below(lines: Sequence[str], most: int) -> list[str]:
    """Return the last lines that a rollback took back, and a count.

    >>> _lines_below(["-# Just so.", "Ann flips 4.", "↳ Ann draws."], 5)
    ['↳ Undone: Ann flips 4.', '↳ Undone: Ann draws.']
    """
    plain = [line.removeprefix(f"{folding.FOLLOWS} ") for line in lines if not line.startswith(folding.SMALL)]
    more = [f"{len(plain) - most} more lines"] if len(plain) > most else []
    return [f"{folding.FOLLOWS} Undone: {line}" for line in [*more, *plain[-most:]]]


def _capitalise_former_player(line: str) -> str:
    """Capitalise a line that starts with a former player's name.

    >>> _capitalise_former_player("a former player leaves."), _capitalise_former_player("ann leaves.")
    ('A former player leaves.', 'ann leaves.')
    """
    return line.replace(NAME, f"A{NAME[1:]}", 1) if without_icons(line).startswith(NAME) else line


async def turn_views(
    record: Record, table: Table, view: Any, rows: Sequence[ActionRow], seat: Seat | None = None
) -> dict[int, Any]:
    """Return the views before and after the last turns, by version.

    `view` is the position after the last entry. A story shows no more turns than these.
    """
    turns = [played for _, played in _split_turns(table, rows) if played[0].kind in PLAYED][-LINES:]
    views = {played[-1].version: view for played in turns[-1:]}
    for version in (version for played in turns for version in (played[0].base, played[-1].version)):
        if version not in views:
            views[version] = await record.view(table, version, seat)
    return views


def story(
    table: Table,
    view: Any,
    views: Views,
    rows: Sequence[ActionRow],
    taken: Taken = NOTHING_TAKEN,
    *,
    undone: Sequence[str] = (),
    has_heading: bool = True,
    most: int = HIGHEST,
) -> str:
    """Return the heading and the last lines, always with the start's.

    Earlier turns are cut for `most` pixels on a phone. `views` are those of `turn_views`; `taken` are the
    lines of what rollbacks took back, by the rollback's version; `undone` says what was taken back of the
    story before.
    """
    by_turn = _lines_by_turn(table, view, views, rows, taken)
    entries = folding.merge_repeats([line for lines in by_turn for line in lines])
    first = entries[:1] if any(row.kind == EntryKind.START for row in rows) else []
    above = [*([f"### {table.game.title} · table {table.id}"] if has_heading else []), *undone, *first]
    rest = [_drop_icons_of_nouns(line, table, view) for line in entries[len(first) :]]
    whole, speaker = len(by_turn[-1]) if by_turn else 0, presenter(table)
    most -= folding.text_height("\n".join(above))
    below = folding.fit_height(rest, whole, most, speaker.shown, speaker.losses)
    kept = below if folding.text_height("\n".join(below)) <= most else folding.without_cut(below)
    room = folding.LENGTH - len(without_icons("\n".join(above)))
    lines = folding.newest(kept, LINES, room=room, hidden=len(below) - len(kept))
    if has_heading and folding.text_height("\n".join(lines)) > most:
        above = above[1:]
    return shorten("\n".join([*above, *lines]), folding.LENGTH)


def _drop_icons_of_nouns(text: str, table: Table, view: Any) -> str:
    """Return a line with the icons of players and resources alone."""
    players = {presenter(table).seat_sign(view, seat) for seat in range(len(table.seats))}

    def show(name: str, word: str) -> str:
        is_ornament = not word and name.startswith(f"{table.slug}_") and name not in players
        return "" if is_ornament else marks.sign(name, word)

    return marks.to_signs(text, show)


def turn_lines(
    table: Table,
    view: Any,
    views: Views,
    rows: Sequence[ActionRow],
    taken: Taken = NOTHING_TAKEN,
    seat: Seat | None = None,
) -> list[str]:
    """Return lines for entries, one a turn where possible.

    Those that `seat` may read (None: everybody).

    Losses, scores and administrators' actions always keep lines of their own.
    """
    return [line for lines in _lines_by_turn(table, view, views, rows, taken, seat) for line in lines]


def _lines_by_turn(
    table: Table,
    view: Any,
    views: Views,
    rows: Sequence[ActionRow],
    taken: Taken = NOTHING_TAKEN,
    seat: Seat | None = None,
) -> list[list[str]]:
    """Return each turn's lines; where all move at once, a single list."""
    # What was taken back is not among the rows, and that it was parts no turn in two.
    rows = [row for row in rows if row.kind != EntryKind.UNDO]
    if table.game.simultaneous:
        return [[line for _, line in _event_lines(table, view, rows, seat, taken)]]
    turns = list[list[str]]()
    for then, mover, played in _with_tables(table, _split_turns(table, rows)):
        before, after = views.get(played[0].base), views.get(played[-1].version, view)
        if mover is None:
            turns.append(lines_of(then, after, played, seat, taken))
        else:
            result = _result(then, mover, after, played)
            told = _turn(presenter(table), then, before, after, mover, played, seat)
            turns.append(_with_result(marks.quote_player(then.names, mover), result, told))
    return turns


def _result(table: Table, seat: Seat, after: Any, rows: Sequence[ActionRow]) -> str:
    """Return the points after a turn: "14 points, +6".

    Its own are left out if a single clause says them.
    """
    speaker = presenter(table)
    totals = speaker.totals(after)
    gains = [speaker.gains(event) for row in rows if totals for event in events_of(table, row)]
    # What all seats get at once, as from a vote, is nobody's turn's.
    own = [one[seat] for one in gains if one.get(seat) and len(one) == 1]
    if not sum(own):
        return ""
    total = f"{format_total(totals[seat])} {speaker.estimated[abs(totals[seat]) != 1]}"
    return total if len(own) == 1 and speaker.says_gains else f"{total}, {format_points(sum(own))}"


def _with_result(name: str, result: str, lines: Sequence[str]) -> list[str]:
    """Put a turn's result behind its player's name.

    >>> _with_result("Bo", "14 points, +6", ["Bo places 1 tile."]), _with_result("Bo", "", ["Bo rests."])
    (['**Bo (14 points, +6)** places 1 tile.'], ['Bo rests.'])

    A line about others, as of a vote, is left as it is; a turn can also have none.

    >>> _with_result("Bo", "14 votes, +6", ["Ann plays a ballot. Bo plays a ballot."])
    ['Ann plays a ballot. Bo plays a ballot.']
    >>> _with_result("Bo", "", [])
    []
    """
    if not result or not lines:
        return list(lines)
    sign, found, text = _capitalise_former_player(lines[0]).partition(f"{_capitalise_former_player(name)} ")
    if not found or without_icons(sign):
        return list(lines)
    return [f"{sign}**{_capitalise_former_player(name)} ({result})** {text}", *lines[1:]]


def decisive_sentence(table: Table, before: Any, after: Any, rows: Sequence[ActionRow], seat: Seat) -> str:
    """Return the sentence of a turn that says most about a seat."""
    lines, name = whole_turn(table, before, after, rows, None), marks.quote_player(table.names, seat)
    best = max(lines, key=lambda line: (name in line) + ("**" in line), default="")
    sentences = best.removeprefix(f"{folding.FOLLOWS} ").split(". ")
    return max(sentences, key=lambda text: "**" in text).replace("**", "").removesuffix(".")


def whole_turn(
    table: Table, before: Any, after: Any, rows: Sequence[ActionRow], seat: Seat | None
) -> list[str]:
    """Return a turn's lines, folded if one seat made it.

    `before` and `after` are the views of its start and its end.
    """
    lines = list[str]()
    for then, mover, played in _with_tables(table, _split_turns(table, rows)):
        if table.game.simultaneous or mover is None:
            lines += lines_of(then, after, played, seat)
        else:
            lines += _turn(presenter(table), then, before, after, mover, played)
    return [line for line in lines if not line.startswith(folding.SMALL)]


def _split_turns(table: Table, rows: Sequence[ActionRow]) -> list[tuple[Seat | None, list[ActionRow]]]:
    """Split entries into turns, each with its seat (None: no move)."""
    turns, has_ended = list[tuple[Seat | None, list[ActionRow]]](), False
    for row in rows:
        seat = row.seat if row.kind in PLAYED else None
        if not turns or turns[-1][0] != seat or has_ended:
            turns.append((seat, []))
        turns[-1][1].append(row)
        has_ended = seat is not None and any(
            isinstance(event, presenter(table).ends) for event in events_of(table, row)
        )
    return turns


def _with_tables(
    table: Table, turns: Sequence[tuple[Seat | None, list[ActionRow]]]
) -> list[tuple[Table, Seat | None, list[ActionRow]]]:
    """Return turns, each with the table as its seats were named then."""
    result = []
    for seat, rows in reversed(turns):
        result.append((table, seat, rows))
        for row in reversed(rows):
            table = _table_before(table, row)
    return result[::-1]


def _turn(
    speaker: Presenter,
    table: Table,
    before: Any,
    after: Any,
    seat: Seat,
    rows: Sequence[ActionRow],
    reader: Seat | None = None,
) -> list[str]:
    """Return a turn in one line; losses, scores and secrets come below."""
    events = [event for row in rows for event in engine.select_readable(events_of(table, row), None)]
    pairs = [
        (event, line)
        for event, told in _event_lines(table, after, rows, reader)
        if (line := told if event is None else speaker.retell(event, told, before, after)) is not None
    ]
    gains = [event for event in events if speaker.gains(event).get(seat)]
    if len(gains) > 1:  # the head of the line says their sum
        pairs = [pair for pair in pairs if not isinstance(pair[0], speaker.only_gains)]
    digest = None if before is None else speaker.digest(events, seat, before, after, table.names)
    if digest is None:
        merged = merge_events(speaker, pairs, after, table.names, before)
        return folding.fold(merged, marks.quote_player(table.names, seat))
    own = [line for event, line in pairs if line.startswith("**") or getattr(event, "only", None) is not None]
    return [digest, *own]


def merge_events(
    speaker: Presenter, pairs: Sequence[tuple[Any, str]], view: Any, names: Sequence[str], before: Any = None
) -> list[str]:
    """Merge neighbouring lines for which the game has one sentence.

    Small print comes last, grouped by kind.
    """
    kinds = list(dict.fromkeys(type(event) for event, line in pairs if line.startswith(folding.SMALL)))

    def place(one: tuple[Any, str]) -> int:
        return kinds.index(type(one[0])) if one[1].startswith(folding.SMALL) else -1

    joined = _join_runs(speaker, sorted(pairs, key=place), view, names, before)
    return folding.merge_repeats([line for _, line in joined])


def _join_runs(
    speaker: Presenter, pairs: Sequence[tuple[Any, str]], view: Any, names: Sequence[str], before: Any = None
) -> list[tuple[Any, str]]:
    """Join neighbouring events for which the game has one sentence."""
    result, run = list[tuple[Any, str]](), list[Any]()
    for event, line in pairs:
        joined = speaker.several_line([*run, event], view, names) if run and event is not None else None
        if joined is None:
            run = []
            result.append((event, line))
        else:
            result[-1] = result[-1][0], speaker.retell(event, joined, before, view) or joined
        run += [] if event is None else [event]
    return result
