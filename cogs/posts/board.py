"""The board post: what happened, the position, whose turn it is, and the buttons."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import dropwhile
from typing import Any

import msgspec

from cogs import time as late
from cogs.core import folding, time_words, words
from cogs.core.app import App, table_url
from cogs.core.pictures import Shown
from cogs.core.presenter import Illustration, Presenter, presenter
from cogs.core.story import lines_of, rollback_lines, story, turn_views, undo_lines
from cogs.discord.messages import Memo, encode_memo
from cogs.learning import unmet_topics
from cogs.standings import words as standings_words
from cogs.ui.page import PLAIN, PRIMARY, Button, Page, Part, height
from cogs.ui.press import Press
from db.records import ActionRow
from engines import engine, marks, registry
from engines.game import Seat
from engines.words import join_words
from render.core.canvas import Picture
from tables.core import change, turns
from tables.core.history import PLAYED, SEAT_CHANGES, SEATS_GIVEN, EntryKind, History, events_of, payload_of
from tables.core.table import Imported, Phase, Table
from tables.lobby.decisions import has_seed
from tables.play.play import Perspective
from tables.time.lateness import seat_kept_for

HIGHEST = 824
"""Estimated pixels of a post on a phone; only losses make it higher."""


def waiting(
    table: Table, speaker: Presenter, view: Any, pinged: Sequence[Seat], news: Mapping[Seat, str]
) -> str:
    """Return whose turn it is; mention the `pinged`, name the others.

    Seats with the same duty and news share a line.
    """
    duties: dict[str, list[str]] = {}
    for seat in table.owing:
        occupant = table.seats[seat]
        who = (
            f"<@{occupant.user_id}>"
            if seat in pinged and occupant.user_id is not None
            else f"**{marks.quote_player(table.names, seat)}**"
        )
        duty, struck = speaker.words.duty(view, seat), news.get(seat)
        duties.setdefault(f"{struck} {marks.capital(duty)}" if struck else duty, []).append(
            marks.with_icon(speaker.seat_sign(view, seat), who)
        )
    return "\n".join(f"{', '.join(people)}: {duty}." for duty, people in duties.items())


def news_for(table: Table, view: Any, rows: Sequence[ActionRow], seat: Seat) -> str:
    """Return the worst that others did to a seat, or nothing.

    `view` is the position after the rows.
    """
    speaker = presenter(table)
    events = [
        event
        for row in rows
        if row.kind in PLAYED and row.seat != seat
        for event in engine.select_readable(events_of(table, row), None)
    ]
    for kind in speaker.strikes:
        for event in (one for one in events if isinstance(one, kind)):
            line = speaker.words.event_line(event, view, table.names) or ""
            for sentence in re.split(r"(?<=[.!]) ", line.removeprefix(f"{folding.FOLLOWS} ")):
                if (text := _to_you(sentence, marks.quote_player(table.names, seat))) != sentence:
                    return text
    return ""


def _to_you(sentence: str, name: str) -> str:
    """Say a sentence about somebody to them; keep any other.

    >>> [_to_you(one, "Ann") for one in ("Bo takes C6 from Ann.", "Ann's marker goes back.", "Bo rests.")]
    ['Bo takes C6 from you.', 'Your marker goes back.', 'Bo rests.']
    >>> [_to_you(one, "Ann") for one in ("Ann has 2 tangles.", "Ann loses C6.", "Ann and Bo each take 1.")]
    ['You have 2 tangles.', 'You lose C6.', 'You and Bo each take 1.']
    """
    plain = marks.to_signs(sentence, lambda _sign, word: word)
    this = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)('s)?")
    if not this.search(plain):
        return sentence
    if verb := re.match(rf"{re.escape(name)} (\w+)s\b", plain):
        base = {"ha": "have", "i": "are", "goe": "go"}.get(verb[1], verb[1])
        plain = f"You {base}{plain[verb.end() :]}"
    said = marks.capital(this.sub(lambda one: "your" if one[1] else "you", plain))
    return said.replace(" their circle", " your circle")


def newly_due(
    table: Table, memo: Memo | None, rows: Sequence[ActionRow] = (), here: Collection[Seat] = ()
) -> list[Seat]:
    """Return the people to move since the last post, to mention.

    None during a pause; everybody after it, and after the others or an administrator gave a seat away, as
    the `rows` show. Those who are `here` see the post without that.
    """
    given = [payload_of(row) for row in rows if row.kind in SEATS_GIVEN]
    if any(one is not None and not one.get("own") and one.get("why") != "late" for one in given):
        memo = None
    if table.paused_at is not None:
        return []
    return [
        seat
        for seat in table.awaited
        if not table.clock(seat).quiet
        and seat not in here
        and (memo is None or memo.beat != table.beat or seat not in memo.owing)
    ]


def buttons(table: Table) -> list[list[Button]]:
    room, number, version = "table", table.id, table.version
    if table.is_alone:
        return [_alone(table)]
    if table.phase is Phase.PLAY:
        style = PLAIN if table.paused_at is not None else PRIMARY
        turn = [
            Button("Take turn", Press(room, "turn", number, version), style),
            Button("My hand", Press(room, "hand", number, version)),
            Button("Rules", Press(room, "rules", number, version)),
            Button("More", Press(room, "more", number, version)),
        ]
        return [turn, *late.extra_button_rows(table)]
    after = [Button("Replay", Press(room, "replay", number, version))]
    if table.outcome is not None:
        after.insert(0, Button("Share", Press(room, "share", number, version)))
        after.append(Button("What decided it", Press(room, "why", number, version)))
    after.append(Button("More", Press(room, "more", number, version)))
    if isinstance(table.origin, Imported):  # nobody here has played it
        return [after]
    return [[Button("Rematch", Press(room, "rematch", number, version), PRIMARY), *after]]


def _alone(table: Table) -> list[Button]:
    number, version = table.id, table.version
    if table.phase is Phase.PLAY:
        turn = Button("Take turn", Press("table", "turn", number, version), PRIMARY)
        hand = Button("My hand", Press("table", "hand", number, version))
        return [turn, hand, Button("Rules", Press("table", "rules", number, version))]
    looks = {"Replay": "replay", "History": "history", "What decided it": "why"}
    looks |= {"Check the deal": "verify"} if has_seed(table) else {}
    return [Button(label, Press("table", verb, number, version)) for label, verb in looks.items()]


@dataclass(frozen=True)
class BoardPost:
    """A board post ready to send: its page, its memo, and the version that it shows."""

    page: Page
    memo: Memo
    version: int
    undoes: bool = False
    """True if it says what was taken back of the post before."""
    spared: Sequence[int] = ()
    """The people to move whom it doesn't mention, since they are there."""


@dataclass(frozen=True)
class PostFacts:
    """Everything that a post is made of; the view has the changes that it shows marked.

    Attributes:
        text: the story of a post that is only updated.
        told: the version after which the post tells.
        rows: the entries that it tells, with their views and with what they took back.
        below: lines about a finished game, or about turns sent ahead that weren't played.
        here: the seats whose people have just pressed something in the thread.
    """

    perspective: Perspective
    memo: Memo | None
    text: str | None
    told: int
    half_turn: Sequence[ActionRow]
    undone: Sequence[str]
    rows: Sequence[ActionRow]
    views: Mapping[int, Any]
    taken: Mapping[int, list[str]]
    pictures: Sequence[Shown]
    drawn: Sequence[tuple[Illustration, Shown]]
    cup: Sequence[str]
    below: Sequence[str]
    waited: Sequence[turns.AwaitedPerson]
    is_computer_failing: bool
    topics: Sequence[Part]
    here: Collection[Seat]


async def board_post(
    app: App, table_id: int, *, after: int | None, memo: Memo | None, text: str | None = None
) -> BoardPost:
    """Return a table's post with what happened after a version (None: nothing).

    `text` replaces the story: that of a post that is only updated, with its illustrations.
    """
    return post_of(await gather_facts(app, table_id, after=after, memo=memo, text=text))


async def gather_facts(
    app: App, table_id: int, *, after: int | None, memo: Memo | None, text: str | None
) -> PostFacts:
    """Read and draw everything for a post; see `board_post`."""
    perspective = await app.parlour.play.perspective(table_id, None)
    table, record = perspective.table, app.parlour.record
    new_after = after if text is None else None
    starts = [] if new_after is None else [new_after]
    starts += [memo.after, memo.untold or memo.version] if memo is not None and memo.version else []
    past = await app.parlour.store.actions(table.id, min(starts), table.version) if starts else []
    gone = await _find_undone(app, table, memo, past)
    half_turn = _half_turn(table, memo, past, is_told=bool(gone))
    version, view = table.version, perspective.view
    if half_turn:  # the view is the one before it
        version = half_turn[0].base
        view = await record.view(table, version, None)
    view = await record.mark_last_turn(table, version, view)
    perspective = msgspec.structs.replace(perspective, view=view)
    pictures = [await app.pictures.board(table, view)]
    if table.outcome is not None:  # the result card shows the board; in words, it follows the card
        card = await standings_words.result_card(app, table, view)
        pictures = [card] if isinstance(pictures[0], Picture) else [card, *pictures]
    told = (after or 0) if text is None or memo is None else memo.after
    pictures = await _describe_told_changes(app, perspective, pictures, told, memo, half_turn)
    rows = await _rows_to_tell(app, table, new_after, memo, half_turn, past)
    kept = memo.illustrations if text is not None and memo is not None else ()
    is_running, is_start = table.phase is Phase.PLAY, any(row.kind == EntryKind.START for row in rows)
    cup = await _cup_lines(app, table) if is_start or not is_running else []
    return PostFacts(
        perspective,
        memo,
        text,
        told,
        half_turn,
        await undo_lines(record, table, gone),
        rows,
        await turn_views(record, table, view, rows),
        await rollback_lines(record, table, rows),
        pictures,
        [
            (one, await app.pictures.special(table, one.what, view, *one.args))
            for one in (_illustrations(table, rows) if rows else kept)
        ],
        cup if is_start else [],
        await _plan_lines(app, perspective) if is_running else [*cup, *await _lines_after_end(app, table)],
        await app.parlour.waited_people(table) if is_running else [],
        is_running and bool(table.computers_owing) and app.parlour.computers.is_failing(table.id),
        await unmet_topics(app, table) if table.phase is Phase.OVER else [],
        await _seats_here(app, table) if is_running else (),
    )


def post_of(facts: PostFacts) -> BoardPost:
    table, memo, pictures = facts.perspective.table, facts.memo, facts.pictures
    is_edit = facts.text is not None
    is_brief = _shows_nothing_new(table, memo, pictures, is_edit=is_edit)
    is_brief = is_brief and not any(row.kind in PLAYED for row in facts.rows)
    if facts.text is not None:
        text = "\n".join([facts.text, *facts.undone])
    else:
        seen = facts.perspective.view, facts.views, facts.rows, facts.taken
        rest = Page([*pictures, "\n".join(_lines_below(facts, "", [])), *buttons(table)])
        most = HIGHEST - height(rest)
        told = story(table, *seen, undone=facts.undone, has_heading=not is_brief, most=most)
        text = "\n".join([told, *facts.cup])
    pinged, due = newly_due(table, memo, facts.rows, facts.here), newly_due(table, memo, facts.rows)
    spared = [table.seats[seat].user_id or 0 for seat in due if seat not in pinged]
    shown = [*(one for _, one in facts.drawn), *([] if is_brief else pictures)]
    page = Page([text, *shown, "\n".join(_lines_below(facts, text, pinged)), *facts.topics, *buttons(table)])
    # The people to move, to consent, or to begin a cup.
    asked = change.pending_voters(table) if any(row.kind == EntryKind.PROPOSE for row in facts.rows) else []
    called = [*(table.seats[seat].user_id or 0 for seat in pinged), *(table.people if facts.cup else asked)]
    page.mentions = list(dict.fromkeys(called)) if table.phase is Phase.PLAY else table.people
    illustrations = []
    for illustration, one in facts.drawn:
        name, alt = _name_and_alt(one)
        illustrations.append(msgspec.structs.replace(illustration, name=name, alt=alt))
    kept = Memo(
        table.beat,
        () if table.paused_at is not None else table.owing,
        text,
        *(("", "") if is_brief else _name_and_alt(pictures[-1])),
        tuple(illustrations),
        _digest(shown),
        board=_digest(pictures),
        is_brief=is_brief,
        after=facts.told,
        version=memo.version if is_edit and memo is not None else table.version,
        untold=facts.half_turn[0].base if facts.half_turn else 0,
        undone=table.version,
    )
    return BoardPost(page, kept, table.version, bool(facts.undone), spared)


async def _seats_here(app: App, table: Table) -> set[Seat]:
    """Return the seats of people who see the post without a mention."""
    place = table.thread_id or table.channel_id
    users = [user for user in table.people if app.is_there(place, user)]
    people = await app.parlour.people.of(users) if users else {}
    there = {user for user, person in people.items() if not person.always_called}
    missed = {plan.seat for plan in table.plans if plan.is_missed}
    return {seat for seat, one in enumerate(table.seats) if one.user_id in there} - missed


def _lines_below(facts: PostFacts, text: str, pinged: Sequence[Seat]) -> list[str]:
    """Return whose turn it is, or how the game ended."""
    table, view, speaker = facts.perspective.table, facts.perspective.view, presenter(facts.perspective.table)
    if table.phase is not Phase.PLAY:
        return [*filter(None, [ending(table, speaker, view)]), *facts.below]
    news = {seat: news_for(table, view, facts.rows, seat) for seat in pinged}
    lines = [] if table.paused_at is not None else [waiting(table, speaker, view, pinged, news)]
    lines += [*facts.below, *time_words.clocks(table, facts.waited)]
    lines += [words.seat_on_offer(table, seat) for seat in table.offered_seats]
    lines += [words.COMPUTER_LATE] if facts.is_computer_failing else []
    if table.proposal is not None:
        lines.append(time_words.proposal(table, table.proposal, change.pending_voters(table), text))
    return lines


async def _describe_told_changes(
    app: App,
    perspective: Perspective,
    pictures: list[Shown],
    after: int,
    memo: Memo | None,
    half_turn: Sequence[ActionRow],
) -> list[Shown]:
    """Name all changes that a post tells in its alt text."""
    table, view = perspective.table, perspective.view
    if not after:
        return pictures
    upto = half_turn[0].base if half_turn else table.version
    after = min(after, memo.untold or after) if memo is not None else after
    told = [turn for turn in await app.parlour.record.turns(table) if after < turn.version <= upto]
    if len(told) == 1 and told[0].after >= after:  # the view has its marks already
        return pictures
    plain = registry.describe_board(table.slug, view, table.names)
    whole = await app.parlour.record.mark_last_turn(table, upto, view, after)
    alt = registry.describe_board(table.slug, whole, table.names)
    return [
        replace(one, alt=alt) if isinstance(one, Picture) and one.alt == plain else one for one in pictures
    ]


async def _find_undone(
    app: App, table: Table, memo: Memo | None, past: Sequence[ActionRow]
) -> list[ActionRow]:
    """Return what the last post tells and somebody has undone since.

    A rollback names what it took back itself.
    """
    known = 0 if memo is None else max(memo.version, memo.undone)
    if memo is None or not memo.version or known == table.version:
        return []
    now = History.select_active(past, table.version, memo.after)
    active, told = {row.version for row in now}, memo.untold or memo.version
    for row in now:
        if row.kind == EntryKind.ROLLBACK and row.version > known:
            taken = await app.parlour.record.entries_between(table, row.base, row.version)
            active |= {one.version for one in taken}
    then = History.select_active(past, known, memo.after)
    return [row for row in then if row.kind in PLAYED and row.version <= told and row.version not in active]


def _half_turn(
    table: Table, memo: Memo | None, past: Sequence[ActionRow], *, is_told: bool
) -> list[ActionRow]:
    """Return an unfinished turn's steps, which can still be undone.

    With `is_told`, also those that a post has told.
    """
    if memo is None or not memo.version or table.phase is not Phase.PLAY or len(table.owing) != 1:
        return []
    start = memo.after if is_told else memo.version
    rows = History.select_active(past, table.version, memo.untold or start)
    own = (row for row in rows if row.kind in PLAYED and (row.beat, (row.seat,)) == (table.beat, table.owing))
    # What I played for a seat before its first step, such as upkeep, can't be undone.
    return list(dropwhile(lambda row: row.kind == EntryKind.FORCED, own))


async def _rows_to_tell(
    app: App,
    table: Table,
    after: int | None,
    memo: Memo | None,
    half_turn: Sequence[ActionRow],
    past: Sequence[ActionRow],
) -> list[ActionRow]:
    """Return the entries that a post tells (`after` None: nothing).

    Without a half turn; with the steps of a turn that was unfinished in the post before, and who took its
    seat in between.
    """
    if after is None:
        return []
    untold = memo.untold if memo is not None and memo.untold else after
    rows = History.select_active(past, table.version, min(after, untold))
    rows = [row for row in rows if row not in half_turn and await _is_current(app, row)]
    begun = {row.seat for row in rows if row.kind in PLAYED and row.version <= after}
    again = PLAYED | SEAT_CHANGES
    return [row for row in rows if row.version > after or (row.kind in again and row.seat in begun)]


async def _plan_lines(app: App, perspective: Perspective) -> list[str]:
    """Say why a turn sent ahead wasn't played."""
    table, lines = perspective.table, list[str]()
    for plan in table.plans:
        if not plan.is_missed or plan.seat not in table.owing:
            continue
        row = await app.parlour.plans.find_obstacle(table, plan)
        why = [] if row is None else lines_of(table, perspective.view, [row])[:1]
        lines.append(words.plan_obstacle(table, plan.seat, "".join(why)))
    return lines


def _shows_nothing_new(table: Table, memo: Memo | None, pictures: Sequence[Shown], *, is_edit: bool) -> bool:
    """Return True if the last post already shows this board.

    An edit adds or removes no picture that didn't change.
    """
    if table.phase is not Phase.PLAY or memo is None or (is_edit and not memo.is_brief):
        return False
    is_drawn = all(isinstance(picture, Picture) for picture in pictures)
    return is_drawn and memo.board == _digest(pictures)


def _name_and_alt(shown: Shown) -> tuple[str, str]:
    return (shown.name, shown.alt) if isinstance(shown, Picture) else ("", "")


def _digest(shown: Sequence[Shown]) -> str:
    return sha256(b"".join(one.png for one in shown if isinstance(one, Picture))).hexdigest()


async def _cup_lines(app: App, table: Table) -> list[str]:
    cup_id = await app.parlour.store.cups.cup_of(table.id)
    if cup_id is None:
        return []
    if table.phase is not Phase.PLAY:
        text = f"🏆 If someone leaves a game of cup {cup_id}, the others win it."
        return [] if table.outcome else [text]
    players = [
        f"<@{one.user_id}>" if one.user_id else marks.quote_player(table.names, seat)
        for seat, one in enumerate(table.seats)
    ]
    return [f"🏆 This is a game of cup {cup_id}, between {join_words(players)}."]


async def _lines_after_end(app: App, table: Table) -> list[str]:
    """Return a finished game's rating changes, without hidden ones, and its hints."""
    lines = list[str]()
    if table.phase is Phase.OVER:
        rows = [row for row in await app.parlour.standings.count_table(table.id) if row.after is not None]
        people = await app.parlour.people.of(row.user_id for row in rows)
        shown = [row for row in rows if not people[row.user_id].hidden]
        unsure = await app.parlour.standings.provisional(shown)
        lines += [standings_words.changes(shown, unsure)] if shown else []
    taken = {} if table.learning else await app.parlour.hints.hints_by_seat(table.id)
    hints = words.hints_taken(table, taken)
    return lines if hints is None else [*lines, hints]


async def adopt_post(
    app: App, table: Table, text: str, shown: Sequence[Picture], *, after: int, until: int
) -> Memo:
    """Return an existing post's memo, from `after` to `until`.

    `shown` are its pictures, the last of them the board's; their bytes don't matter.
    """
    rows = await app.parlour.history.active_history(table, after)
    result = _illustrations(table, [row for row in rows if row.version <= until])
    illustrations = tuple(
        msgspec.structs.replace(illustration, name=picture.name, alt=picture.alt)
        for illustration, picture in zip(result, shown[:-1], strict=False)
    )
    if not shown:
        return Memo(table.beat, table.owing, text, is_brief=not app.is_text_only, after=after)
    return Memo(table.beat, table.owing, text, shown[-1].name, shown[-1].alt, illustrations)


async def _is_current(app: App, row: ActionRow) -> bool:
    """Return True if an entry still holds: nobody came back since."""
    if row.kind != EntryKind.AWAY or row.actor_id is None:
        return True
    person = await app.parlour.people.person(row.actor_id)
    return person.away_until(app.parlour.clock()) is not None


def _illustrations(table: Table, rows: Sequence[ActionRow]) -> tuple[Illustration, ...]:
    """Return the story's pictures above the board, the newest of each kind."""
    entries = presenter(table).illustrations([event for row in rows for event in events_of(table, row)])
    return tuple({illustration.what: illustration for illustration in entries}.values())


def ending(table: Table, speaker: Presenter, view: Any) -> str:
    """Return the result and its players; the story tells why there's none."""
    players = " ".join(f"<@{user_id}>" for user_id in table.people)
    lines = list[str]()
    if table.outcome is not None:
        text = f"**{speaker.words.result(view, table.names)}**"
        lines = [text if table.outcome.won is False else marks.with_icon("crown", text)]
    if players:
        lines.append(players)
    return "\n".join(lines)


def erase_story(memo: str) -> str:
    """Return a memo (JSON) without words that name an erased person. The next edit says that instead."""
    if not memo:
        return memo
    known = msgspec.json.decode(memo, type=Memo)
    shown = tuple(msgspec.structs.replace(one, alt="") for one in known.illustrations)
    untold = msgspec.structs.replace(known, text=words.UNTOLD, alt="", illustrations=shown, files=())
    return encode_memo(untold)


def old_post_page(memo: Memo) -> Page:
    """Return a superseded post: its story and pictures, without notice and buttons.

    If it named an erased person, nothing stays: the pictures name them too.
    """
    if memo.text == words.UNTOLD:
        return Page([memo.text], accent=None)
    shown = [Picture(b"", illustration.alt, illustration.name) for illustration in memo.illustrations]
    shown += [Picture(b"", memo.alt, memo.picture)] if memo.picture else []
    return Page([memo.text, *shown], accent=None)


async def hand_page(app: App, perspective: Perspective) -> Page:
    table = perspective.table
    picture = await app.pictures.hand(perspective)
    if perspective.seat is None:
        return Page([words.NO_HAND])
    if picture is None:
        return Page([words.HAND_LATER])
    said = None if app.is_text_only else presenter(table).hand_text(perspective.view)
    return Page([words.hand(table), picture, *([] if said is None else [said])])


async def dm_page(app: App, perspective: Perspective) -> Page | None:
    table = perspective.table
    if table.phase is not Phase.PLAY or await app.pictures.hand(perspective) is None:
        return None
    page = await hand_page(app, perspective)
    turn = Button("Take turn", Press("table", "turn", table.id, table.version), PRIMARY)
    table_button = Button("To the table", url=table_url(table))
    page.parts.append([turn, *presenter(table).dm_buttons(perspective), table_button])
    return page


def farewell_page(perspective: Perspective, user_id: int) -> Page:
    """Return what a hand message says once its cards are gone."""
    table = perspective.table
    title = f"**{table.game.title}**, table {table.id}"
    if table.phase is not Phase.PLAY:
        text = f"{title}: the game is over."
    elif seat_kept_for(table, user_id) is not None:
        text = f"{title}: a computer is playing for you now."
    elif perspective.seat is None:
        text = f"{title}: you've left this game."
    else:
        text = f"{title}: you have no cards now."
    return Page([text, [Button("To the table", url=table_url(table))]])
