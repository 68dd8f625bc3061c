"""A table's history as lines: one per event for the record, one per turn for the thread."""

import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from msgspec.structs import replace

from cogs.core import words
from cogs.core.presenter import Presenter, presenter
from cogs.ui.page import text_height
from cogs.ui.text import shorten, without_icons
from db.records import ActionRow
from engines import engine, marks
from engines.game import Seat
from engines.words import format_points, format_total, join_phrases, join_words, plural
from tables.core.history import PLAYED, SEAT_CHANGES, EntryKind, events_of, payload_of
from tables.core.table import SUFFIX, Table
from tables.review.record import Record
from tables.servers.erasure import NAME

LINES = 6
LENGTH = 1800
HIGHEST = 2000
"""Characters, and pixels on a phone, of a story at most."""
LINE = 280
"""Visible characters of a turn's own clauses at most."""
MOST_TAKEN = 5
"""Lines that list what a rollback took back."""
Taken = Mapping[int, Sequence[str]]
NOTHING_TAKEN: Taken = {}
Views = Mapping[int, Any]
"""The game as a viewer saw it, by version."""
QUOTED = re.compile(r" \(“[^”]*”\)")
"""The text of a card behind its name."""
FOLLOWS, SMALL = "↳", "-#"
"""Start a consequence of the line before, which is never first, and small print."""
JUST_BEFORE = 12
"""The entries in which to look for the cause of the next one."""
ENDS = [re.compile(one) for one in (r"[.!] ", r"[,;] (?![^(]*\))", r" \((?=[A-Z])", " and (?=[a-z])")]
"""The ends of sentences, of clauses (a comma in brackets is none), of codes before names, of first deeds."""
DETAIL = re.compile(r" (?:a|\d+) \w+ from [A-Z]+\d*(?= to )| \(paid automatically\)")
GAIN = re.compile(r"(?:(?<=draws |gains |takes )|(?<=gains \*\*))\d+(?! from)(?=\D*$)")


class LineClause(NamedTuple):
    """A part of a turn's line; `is_own` if the turn's seat is its subject, left out after the first."""

    text: str
    is_own: bool


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
    if not lines or not lines[0].startswith(FOLLOWS):
        return list(lines)
    view = await record.view(table, rows[0].base, seat)
    first = rows[0].version
    before = await record.entries_between(table, first - JUST_BEFORE, first)
    earlier = lines_of(table, view, before, seat)
    return [*[line for line in earlier if not line.startswith((FOLLOWS, SMALL))][-1:], *lines]


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
                lines = [*lines[:-1], f"{lines[-1]}\n{SMALL} {uneven}"]
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
    plain = [line.removeprefix(f"{FOLLOWS} ") for line in lines if not line.startswith(SMALL)]
    more = [f"{len(plain) - most} more lines"] if len(plain) > most else []
    return [f"{FOLLOWS} Undone: {line}" for line in [*more, *plain[-most:]]]


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
    entries = merge_repeats([line for lines in by_turn for line in lines])
    first = entries[:1] if any(row.kind == EntryKind.START for row in rows) else []
    heading = [f"### {table.game.title} · table {table.id}"] if has_heading else []
    above = [*heading, *undone, *first]
    room = LENGTH - len(without_icons("\n".join(above)))
    whole = len(by_turn[-1]) if by_turn else 0
    most -= text_height("\n".join(above))
    below = fit_height(entries[len(first) :], whole, most, presenter(table).shown)
    return shorten("\n".join([*above, *newest(below, LINES, room=room)]), LENGTH)


def fit_height(lines: Sequence[str], whole: int, most: int, seen: Sequence[str] = ()) -> list[str]:
    """Cut the oldest lines to sentences or clauses to fit `most` pixels.

    Losses and headings stay. The `whole` last ones lose only sentences that begin as `seen` says.

    >>> fit_height(["Ann (1, +1) lays A, B. C is 2.", "**Bo is out.** No points.", "Cy rests. B is."], 1, 0)
    ['Ann (1, +1) lays A …', '**Bo is out.** No points.', 'Cy rests. B is.']
    >>> fit_height(["Ann moves a root from C6 to E (Earth) and takes 2.", "Cy rests."], 1, 0)
    ['Ann moves to E …', 'Cy rests.']
    >>> fit_height(["Ann rests. New on the board: 1 E at A.", "Cy rests."], 2, 0, ["New on the board"])
    ['Ann rests.', 'Cy rests.']
    """
    shown, old = list(lines), max(0, len(lines) - whole)
    for end in ENDS:
        for place, line in enumerate(shown[:old]):
            if text_height("\n".join(shown)) <= most:
                return shown
            first, *rest = end.split(line, maxsplit=1)
            if rest and not line.startswith("**"):
                shown[place] = f"{first.removesuffix(' …')} …"
    cuts = [(DETAIL, old), *((re.compile(rf"(?<=[.!]) {start}: [^.]*\."), len(shown)) for start in seen)]
    for cut, number in cuts:
        if text_height("\n".join(shown)) > most:
            shown[:number] = [cut.sub("", line) for line in shown[:number]]
    return shown


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
    sentences = best.removeprefix(f"{FOLLOWS} ").split(". ")
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
    return [line for line in lines if not line.startswith(SMALL)]


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
        return fold(merged, marks.quote_player(table.names, seat))
    own = [line for event, line in pairs if line.startswith("**") or getattr(event, "only", None) is not None]
    return [digest, *own]


def merge_events(
    speaker: Presenter, pairs: Sequence[tuple[Any, str]], view: Any, names: Sequence[str], before: Any = None
) -> list[str]:
    """Merge neighbouring lines for which the game has one sentence.

    Small print comes last, grouped by kind.
    """
    kinds = list(dict.fromkeys(type(event) for event, line in pairs if line.startswith(SMALL)))

    def place(one: tuple[Any, str]) -> int:
        return kinds.index(type(one[0])) if one[1].startswith(SMALL) else -1

    joined = _join_runs(speaker, sorted(pairs, key=place), view, names, before)
    return merge_repeats([line for _, line in joined])


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


def fold(lines: Sequence[str], name: str) -> list[str]:
    """Fold a turn's lines into one; a heading keeps its consequences.

    Quoted texts of cards are left out. Whatever would exceed `LINE` is counted at the end.

    >>> fold(["Ada casts Windfall.", "↳ Ada takes 2 N.", "Ada rests.", "-# New in the row: Leaf."], "Ada")
    ['Ada casts Windfall, takes 2 N and rests. New in the row: Leaf.']
    >>> fold(["Ada rests.", "↳ Ada casts Windfall for 1 M (“Once: take 1 seed”)."], "Ada")
    ['Ada rests and casts Windfall for 1 M.']
    >>> fold(["Ada places 1 in E.", "↳ It has no effect."], "Ada")
    ['Ada places 1 in E. It has no effect.']
    >>> fold(["**Upkeep.**", "↳ Ada loses A1.", "Ada draws."], "Ada")
    ['**Upkeep.**', '↳ Ada loses A1.', 'Ada draws.']
    >>> fold(["Ada rests.", "**Upkeep.**", "-# Round 2 begins."], "Ada")
    ['Ada rests. Round 2 begins.', '**Upkeep.**']
    """
    lines = [QUOTED.sub("", line) for line in lines]
    small = [line.removeprefix(f"{SMALL} ") for line in lines if line.startswith(SMALL)]
    turns = _clauses([line for line in lines if not line.startswith(SMALL)], name)
    own = [
        clauses for clauses in turns if without_icons(clauses[0].text).startswith(f"{without_icons(name)} ")
    ]
    if own:
        own[-1].extend(LineClause(line, is_own=False) for line in small)
    else:
        turns[:0] = [[LineClause(f"{SMALL} {line}", is_own=False)] for line in small]
    return [_in_a_line(clauses) for clauses in turns]


def _clauses(lines: Sequence[str], name: str) -> list[list[LineClause]]:
    """Return a turn's lines, each with its continuing clauses.

    A line of several sentences, or about others, is continued by none.
    """
    turns, who = list[list[LineClause]](), ""
    for line in lines:
        follows = line.startswith(FOLLOWS)
        plain = line.removeprefix(f"{FOLLOWS} ")
        if who and "\n" not in line and (follows or line.startswith(who)):
            turns[-1].append(LineClause(plain.removeprefix(who), is_own=plain.startswith(who)))
            continue
        sign, text, rest = line.partition(f"{name} ")
        is_plain = not (follows or line.startswith("**") or without_icons(sign) or ENDS[0].search(rest))
        who = f"{sign}{name} " if text and is_plain else ""
        turns.append([LineClause(line, is_own=True)])
    return turns


ACTION_NAME = re.compile(r"( to [A-Z]{1,2}) \([A-Z][^()]*\)")
COUNTED = re.compile(r"(draws) (\d+(?: \+ \d+)*) ([^,;]*?)s?")


def _shorten_clauses(parts: Sequence[str]) -> list[str]:
    """Leave out what the clauses of one line say twice.

    >>> _shorten_clauses(["Bo moves to BS (Take bush seed)", "takes a bush seed"])
    ['Bo moves to BS', 'takes a bush seed']
    >>> _shorten_clauses(["Bo steps", "draws 1 + 1 ballot", "draws 1 ballot", "draws 1 marker"])
    ['Bo steps', 'draws 3 ballots and 1 marker']
    >>> _shorten_clauses(["Bo casts **Windfall** for 1 M", "gains 1 tree seed from Windfall"])
    ['Bo casts **Windfall** for 1 M', 'gains 1 tree seed']
    """
    short = list[str]()
    for clause in parts:
        known, text = COUNTED.fullmatch(short[-1]) if short else None, clause
        if (counted := COUNTED.fullmatch(clause)) is not None:
            number = sum(map(int, counted[2].split(" + ")))
            text = f"draws {plural(number, counted[3])}"
        cards = re.findall(r"casts \*\*([^*]+)\*\*", " ".join(short[-1:]))
        if known and counted and known[3] == counted[3]:
            short[-1] = f"draws {int(known[2]) + number} {known[3]}s"
        elif known and counted:
            short[-1] += f" and {plural(number, counted[3])}"
        else:
            short.append(text.removesuffix(f" from {cards[0]}") if cards else text)
    acts = len(short) > 1 and not short[1].startswith("casts ")
    return [ACTION_NAME.sub(r"\1", short[0]), *short[1:]] if acts else short


def _in_a_line(clauses: Sequence[LineClause]) -> str:
    """Join the turn's clauses that fit, and count the rest.

    What is about others always comes, at the end.

    >>> many = [LineClause("casts a spell", is_own=True)] * 30
    >>> row = LineClause("New in the row: Leaf.", is_own=False)
    >>> without_icons(_in_a_line([LineClause("Ann lays a lake.", is_own=True), row, *many]))[-54:]
    'a spell and does 13 more things. New in the row: Leaf.'
    """
    own = [*clauses[:1], *(clause for clause in clauses[1:] if clause.is_own)]
    others = [clause for clause in clauses[1:] if not clause.is_own]
    for number in range(1, len(own)):
        if len(without_icons(_join_clauses(own[: number + 1]))) > LINE:
            cut = LineClause(f"does {plural(len(own) - number, 'more thing')}.", is_own=True)
            return _join_clauses([*own[:number], cut, *others])
    return _join_clauses(clauses)


def _join_clauses(clauses: Sequence[LineClause]) -> str:
    """Join clauses to a line; end it with sentences about others.

    >>> def joined(first, *others):
    ...     parts = [LineClause(one, one[0].islower()) for one in others]
    ...     return _join_clauses([LineClause(first, True), *parts])
    >>> joined("Ada casts.", "takes 2 N.", "can rest.")
    'Ada casts, takes 2 N and can rest.'
    >>> joined("Ada rests.", "Round 2 begins.")
    'Ada rests. Round 2 begins.'
    >>> joined("Ada rests.", "The lake is full.", "takes 2 N.")
    'Ada rests and takes 2 N. The lake is full.'
    """
    own = [clause.text for clause in clauses[:1]] + [clause.text for clause in clauses[1:] if clause.is_own]
    parts = _shorten_clauses([text.removesuffix(".") for text in own])
    text = join_phrases(parts) if len(parts) > 2 else join_words(parts)
    stop = "." if own[-1].endswith(".") else ""
    return " ".join([f"{text}{stop}", *(clause.text for clause in clauses[1:] if not clause.is_own)])


def merge_repeats(result: Sequence[str]) -> list[str]:
    """Merge repeated lines and keep their class; add up a number.

    >>> merge_repeats(["↳ Ada takes a card.", "↳ Ada takes a card.", *["Ada draws 2 ballots."] * 2])
    ['↳ Ada takes a card (twice).', 'Ada draws 2 + 2 ballots.']
    """
    lines = []
    for line, same in groupby(result):
        number = sum(1 for _ in same)
        merged = GAIN.sub(" + ".join([r"\g<0>"] * number), line, count=1)
        if number > 1 and merged == line:
            often = "twice" if number == 2 else f"{number} times"
            text = f"{line.removesuffix('.')} ({often})".replace(") (", ", ")
            merged = f"{text}{'.' if line.endswith('.') else ''}"
        lines.append(type(line)(merged))
    return lines


def newest(lines: Sequence[str], most: int, earlier: str = words.EARLIER, room: int = LENGTH) -> list[str]:
    """Return the last lines, after a count of the others (`earlier`).

    At most `most` lines, in `room` characters. Small print is left out first.

    >>> newest(["one", "two", "↳ so", "three"], 2)
    ['-# To see 3 earlier lines, press **More**, then **History**.', 'three']
    >>> newest(["one", "-# by the way", "two"], 2)
    ['-# To see 1 earlier line, press **More**, then **History**.', 'one', 'two']
    >>> newest(["one", "two", "↳ so", "↳ and so", "↳ on"], 2)
    ['-# To see 3 earlier lines, press **More**, then **History**.', 'two', '↳ on']
    >>> newest(["a" * 70, "b" * 50, "c"], 3, room=120)[0]
    '-# To see 1 earlier line, press **More**, then **History**.'
    """
    if len(lines) <= most and _letters(lines) <= room:
        return list(lines)
    plain = [line for line in lines if not line.startswith(SMALL)]
    last = plain[-most:]
    while len(last) > 1 and len(earlier) + _letters(last) > room:
        last = last[1:]
    begun = next((place for place, line in enumerate(last) if not line.startswith(FOLLOWS)), None)
    if begun is None:
        heads = [line for line in plain if not line.startswith(FOLLOWS)]
        last = [*heads[-1:], *last[1:]]
    else:
        last = last[begun:]
    return [earlier.format(count=plural(len(lines) - len(last), "earlier line")), *last]


def _letters(lines: Sequence[str]) -> int:
    return sum(len(without_icons(line)) + 1 for line in lines)
