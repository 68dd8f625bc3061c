"""Notices that mention people: it's their turn, time runs out, news of their seat."""

from dataclasses import dataclass

from cogs.core import time_words, words
from cogs.core.app import STAYS, App, table_url
from cogs.core.presenter import presenter
from cogs.ui.page import PRIMARY, SUCCESS, Button, Described, Page
from cogs.ui.press import Press
from cogs.ui.text import shorten
from db.records import ActionRow, OutboxRow
from engines.game import Seat
from engines.marks import player_name, quote, quote_player, quote_players
from engines.words import join_words
from tables.core.history import SEATS_GIVEN, EntryKind, payload_of
from tables.core.people import Notices, Person
from tables.core.table import SUFFIX, Phase, Table
from tables.play.seats import can_be_offered
from tables.servers.servers import BLOCKED
from tables.time.lateness import seat_kept_for

POSITION_LENGTH = 300
"""Characters that a nudge spends on the position."""
REQUESTED = frozenset({"ended"})
"""Kinds that a person requested one by one, sent whatever notices they want."""
KINDS = frozenset(
    {
        "closed",
        "notice",
        "reminder",
        "nudge",
        "replaced",
        "expired",
        "later",
        "full",
        "ended",
        "invited",
        "vacant",
        BLOCKED,
    }
)
"""The kinds of outbox rows that notify one person once."""


@dataclass(frozen=True)
class Notice:
    """A notice to one person, by DM, in the thread, or both; `mark` identifies it.

    With `falls_back` it comes in the thread if their DMs are closed.
    """

    page: Page
    dm: bool
    thread: bool
    mark: str
    falls_back: bool = True


async def notice(app: App, table: Table, row: OutboxRow) -> Notice | None:
    person = await app.parlour.people.person(row.target)
    app = app.for_person(person)
    if person.notices is Notices.NONE and row.kind not in REQUESTED:
        return None
    match row.kind:
        case "replaced":
            return await _replacement_notice(app, table, row)
        case "closed":
            return await _closing_notice(app, table, row)
        case "expired" | "full":
            return _to_host(table, row)
        case "invited":
            return await _invitation_notice(app, table, row)
        case "vacant":
            return await _vacancy_notice(app, table, row)
        case "ended":
            return await _end_notice(app, table, row)
        case kind if kind == BLOCKED:
            return _obstacle_notice(table)
        case _:
            seat = table.seat_of(row.target)
            if seat is None or seat not in table.awaited or table.paused_at is not None:
                return None
            return await _your_turn(app, table, row, seat, person)


async def _your_turn(app: App, table: Table, row: OutboxRow, seat: Seat, person: Person) -> Notice | None:
    clock = table.clock(seat)
    is_there = app.is_there(table.thread_id or table.channel_id, row.target)
    is_spared = is_there and not person.always_called
    if row.kind == "notice" and not clock.quiet and (person.notices is Notices.THREAD or is_spared):
        return None
    # Someone there has seen the post that didn't mention them; a newer turn has a post of its own.
    if row.kind == "later" and (is_there or clock.begun > row.due_at - STAYS):
        return None
    perspective = await app.parlour.play.perspective(table.id, row.target)
    duty = presenter(table).words.duty(perspective.view, seat)
    last = len(table.owing) == 1 and len(table.seats) > 1
    match row.kind:
        case "reminder":
            head = "Your time is running out at"
        case "nudge":
            head = "The others are waiting for you at"
        case _:
            head = "Everyone is waiting for you at" if last else "It's your turn at"
    lines = [f"<@{row.target}> {head} **{table.game.title}**, table {table.id}: {duty}."]
    if row.kind == "nudge":
        board = await app.pictures.board(table, (await app.parlour.play.perspective(table.id, None)).view)
        text = board.text.replace("\n", " ") if isinstance(board, Described) else quote(board.alt)
        text = shorten(text, POSITION_LENGTH)
        lines.append(f"-# {text}")
    waited = [one for one in await app.parlour.waited_people(table) if one.seat == seat]
    if waited and waited[0].until is not None and table.pace.kept:
        lines.append(f"-# {time_words.CLOCK} You have until {time_words.moment(waited[0].until)}")
    mark = f"{row.kind}{clock.reminders}"
    turn = Press("table", "turn", table.id, table.version, mark)
    buttons = [Button("Take turn", turn, PRIMARY), Button("To the table", url=table_url(table))]
    page = Page(["\n".join(lines), buttons], mentions=[row.target])
    dm = person.notices in (Notices.DM, Notices.BOTH)
    mentioned = row.kind == "notice" and not clock.quiet
    thread = person.notices in (Notices.THREAD, Notices.BOTH) and not mentioned
    return Notice(page, dm, thread, mark)


async def _replacement_notice(app: App, table: Table, row: OutboxRow) -> Notice | None:
    """Return the news of the target's former seat."""
    if table.seat_of(row.target) is not None:
        return None
    kept = seat_kept_for(table, row.target) is not None
    title = f"**{table.game.title}**, table {table.id}"
    if kept:
        text = (
            f"A computer is playing for you at {title}, so the others don't have to wait. Take your seat "
            "back whenever you like."
        )
    else:
        last, why = await _last_entries(app, table, row, *SEATS_GIVEN, EntryKind.KICK)
        match last:
            case [entry] if entry.kind == EntryKind.TAKE_OVER:
                heir = quote(payload_of(entry)["new"])
                text = f"An admin gave {heir} your seat at {title}. The others agreed."
            case [entry] if entry.kind == EntryKind.KICK:
                text = f"An admin removed you from {title}, before its game began."
            case _:
                text = f"An admin removed you from {title}."
        text += why
    buttons = [Button("To the table", url=table_url(table))]
    if kept and table.phase is Phase.PLAY:
        back = Press("late", "back", table.id, table.version, "replaced")
        buttons.insert(0, Button("I'm back", back, SUCCESS))
    return Notice(Page([text, buttons], mentions=[row.target]), dm=True, thread=False, mark="replaced")


async def _last_entries(
    app: App, table: Table, row: OutboxRow, *kinds: EntryKind
) -> tuple[list[ActionRow], str]:
    entries = await app.parlour.store.entries(table.id, [*kinds, EntryKind.REASON])
    rows = [entry for entry in entries if entry.version <= row.version]
    deeds = [entry for entry in rows if entry.kind != EntryKind.REASON][-1:]
    reasons = [payload_of(one) for one in rows if [one.version - 1] == [deed.version for deed in deeds]]
    return deeds, "".join(f"\n{words.reason(reason)}" for reason in reasons if reason)


async def _closing_notice(app: App, table: Table, row: OutboxRow) -> Notice | None:
    if table.phase is not Phase.CLOSED:
        return None
    _, why = await _last_entries(app, table, row, EntryKind.CLOSE)
    text = f"An admin closed **{table.game.title}**, table {table.id}, before its game began.{why}"
    page = Page([text, [Button("To the table", url=table_url(table))]], mentions=[row.target])
    return Notice(page, dm=True, thread=False, mark="closed")


async def _invitation_notice(app: App, table: Table, row: OutboxRow) -> Notice | None:
    """Return an invitation; None if the target can't sit down."""
    if table.phase is not Phase.LOBBY or table.seat_of(row.target) is not None or table.taken >= table.room:
        return None
    inviter = await app.parlour.invitations.inviter(table.id, row.target)
    seat = None if inviter is None else table.seat_of(inviter)
    who = quote_player(table.names, table.seat_of(table.host_id) or 0 if seat is None else seat)
    speaker = presenter(table)
    summary = speaker.summary(table.options, len(table.seats))
    text = (
        f"<@{row.target}>, {who} invites you to **{table.game.title}**, table {table.id}.\n"
        f"-# {summary} · {speaker.length_with(table.options)}"
    )
    join = Press("lobby", "join", table.id, table.version, "invited")
    buttons = [Button("Join", join, SUCCESS), Button("To the table", url=table_url(table))]
    if inviter is not None:
        buttons.append(Button("No thanks", Press("company", "refuse", table.id, table.version, "invited")))
    return Notice(Page([text, buttons], mentions=[row.target]), dm=True, thread=False, mark="invited")


async def _vacancy_notice(app: App, table: Table, row: OutboxRow) -> Notice | None:
    if table.phase is not Phase.PLAY or table.seat_of(row.target) is not None:
        return None
    entries, _ = await _last_entries(app, table, row, EntryKind.HAND_OVER)
    seat = entries[0].seat if entries else None
    if seat is None or seat not in table.offered_seats:
        return None
    if not can_be_offered(await app.parlour.people.person(row.target), app.parlour.clock()):
        return None
    others = join_words(quote_players([table.names[one] for one in range(len(table.seats)) if one != seat]))
    player = quote(player_name(table.names, seat).removesuffix(SUFFIX))
    duty = " You'd move next." if seat in table.owing else ""
    text = (
        f"<@{row.target}>, you can take {player}'s seat in a running game. "
        f"It's **{table.game.title}**, table {table.id}, with {others}.{duty}\n"
        f"{time_words.terms(table.terms)}\n"
        f"-# If nobody takes the seat by <t:{table.clock(seat).offered:.0f}:f>, a computer takes over."
    )
    take = Press("late", "take", table.id, table.version, str(seat))
    buttons = [Button("Take the seat", take, SUCCESS), Button("To the table", url=table_url(table))]
    # In a thread it would show everybody who looks for a game.
    page = Page([text, buttons], mentions=[row.target])
    return Notice(page, dm=True, thread=False, mark=f"vacant{seat}", falls_back=False)


async def _end_notice(app: App, table: Table, row: OutboxRow) -> Notice | None:
    """Return a followed table's result; None if it goes on."""
    if table.phase not in (Phase.OVER, Phase.CLOSED) or table.deal is None:
        return None
    title = f"**{table.game.title}**, table {table.id}, has ended. You're following this table"
    text = "It closed without a result."
    if table.outcome is not None:
        view = (await app.parlour.play.perspective(table.id, None)).view
        text = presenter(table).words.result(view, table.names)
    page = Page([f"{title}. {text}", [Button("To the table", url=table_url(table))]], mentions=[row.target])
    return Notice(page, dm=True, thread=False, mark="ended")


def _obstacle_notice(table: Table) -> Notice | None:
    why = time_words.obstacle(table)
    if why is None:
        return None
    text = f"**{table.game.title}**, table {table.id}: {why}"
    page = Page([text, [Button("To the table", url=table_url(table))]])
    return Notice(page, dm=True, thread=False, mark=BLOCKED, falls_back=False)


def _to_host(table: Table, row: OutboxRow) -> Notice | None:
    title = f"**{table.game.title}**, table {table.id}"
    if row.kind == "expired":
        if table.phase is not Phase.EXPIRED:
            return None
        press = Press("lobby", "reopen", table.id, table.version, "expired")
        text = f"<@{row.target}>, I closed {title}, because nobody joined for a week."
        button = Button("Open it again", press, PRIMARY)
    else:
        full = table.taken == table.room
        if table.phase is not Phase.LOBBY or not full or table.host_id != row.target:
            return None
        names = ", ".join(quote_players(table.names))
        text = f"<@{row.target}>, all players have joined {title}: {names}. Press **Start**."
        press = Press("lobby", "start", table.id, table.version, "full")
        button = Button("Start", press, SUCCESS)
    buttons = [button, Button("To the table", url=table_url(table))]
    return Notice(Page([text, buttons], mentions=[row.target]), dm=True, thread=False, mark=row.kind)
