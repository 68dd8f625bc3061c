"""The database's tables in SQLAlchemy Core; db/migrations brings a database up to this.

Columns follow from records (`db.records`); here is what a record doesn't say: keys, indexes, lengths of
texts.
"""

from types import NoneType, UnionType
from typing import Any, get_args

import msgspec
import sqlalchemy as sa
from msgspec import NODEFAULT
from msgspec.structs import FieldInfo

from db import records

metadata = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)
TYPES: dict[Any, Any] = {int: sa.Integer, float: sa.Float, bool: sa.Boolean, str: sa.Text}
LENGTHS = {
    "action": 32,
    "day": 10,
    "game": 32,
    "hints": 16,
    "kind": 16,
    "level": 64,
    "mark": 64,
    "name": 128,
    "notices": 16,
    "pace": 64,
    "phase": 16,
    "place": 16,
    "puzzle": 32,
    "solved_on": 10,
    "salt": 64,
    "seed": 64,
    "strength": 16,
    "theme": 16,
    "thinking": 16,
    "obstacle": 16,
    "when_late": 16,
    "zone": 64,
}
"""The longest texts of these columns; others have no limit."""


class Damaged(msgspec.Struct, frozen=True):
    """Replaces a value that can't be read, so that the rows beside it can be."""

    reason: str


class JsonTuple(sa.TypeDecorator[tuple[Any, ...]]):
    """Saves a tuple as JSON in a text column, and reads it back as its type, or as `Damaged`."""

    impl = sa.Text
    cache_ok = True

    def __init__(self, kind: Any) -> None:
        super().__init__()
        self.kind = kind

    def process_bind_param(self, value: Any, dialect: sa.Dialect) -> str | None:
        return None if value is None else msgspec.json.encode(msgspec.convert(value, self.kind)).decode()

    def process_result_value(self, value: str | None, dialect: sa.Dialect) -> Any:
        try:
            return None if value is None else msgspec.json.decode(value, type=self.kind)
        except msgspec.MsgspecError as error:
            return Damaged(str(error))


def _columns(
    record: type[msgspec.Struct], *keys: str, but: tuple[str, ...] = (), bare: tuple[str, ...] = ()
) -> list[sa.Column[Any]]:
    """Return the columns of a record's fields: `keys` form the primary key.

    `but` leaves some out. The database knows the defaults of all columns but `bare` ones, since a later
    column needs one.
    """
    fields = [field for field in msgspec.structs.fields(record) if field.name not in but]
    return [_column(field, key=field.name in keys, bare=field.name in (*keys, *bare)) for field in fields]


def _column(field: FieldInfo, *, key: bool, bare: bool) -> sa.Column[Any]:
    name, kinds = field.name, get_args(field.type) if isinstance(field.type, UnionType) else (field.type,)
    plain = next(kind for kind in kinds if kind is not NoneType)
    length = LENGTHS.get(name) if plain is str else None
    of_discord = plain is int and name.endswith(("_id", "target", "kept_for"))
    column_type = sa.String(length) if length else sa.BigInteger if of_discord else TYPES.get(plain)
    if column_type is None:
        column_type = JsonTuple(plain)
    default = None if bare or field.default in (NODEFAULT, None) else field.default
    if isinstance(default, tuple):
        default = msgspec.json.encode(default).decode()
    if isinstance(default, bool):
        default = sa.true() if default else sa.false()
    elif isinstance(default, int):
        default = str(default)
    optional = NoneType in kinds
    return sa.Column(
        name, column_type, primary_key=key, nullable=optional, server_default=default, autoincrement=False
    )


def _number() -> sa.Column[int]:
    return sa.Column("id", sa.Integer, primary_key=True, autoincrement=True)


def _of_table() -> sa.Column[int]:
    return sa.Column("table_id", sa.Integer, sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True)


def _of_origin(*columns: str) -> sa.Index:
    """Return an index of the few tables that weren't dealt here."""
    dealt_elsewhere = sa.text("origin IS NOT NULL")
    name = "_".join(("ix_tables", *columns))
    return sa.Index(name, *columns, sqlite_where=dealt_elsewhere, postgresql_where=dealt_elsewhere)


tables = sa.Table(
    "tables",
    metadata,
    _number(),
    *_columns(records.TableRow, but=("id",)),
    sa.Index("ix_tables_guild_id_phase", "guild_id", "phase"),
    sa.Index("ix_tables_channel_id_phase", "channel_id", "phase"),
    sa.Index("ix_tables_thread_id", "thread_id"),
    sa.Index("ix_tables_computer_due_guild_id", "computer_due", "guild_id"),
    sa.Index("ix_tables_due_at_guild_id", "due_at", "guild_id"),
    _of_origin("guild_id", "created_at"),
    _of_origin("host_id", "created_at"),
    sa.Index("ix_tables_host_id", "host_id"),
    sqlite_autoincrement=True,
)

seats = sa.Table(
    "seats",
    metadata,
    _of_table(),
    *_columns(records.SeatRow, "seat"),
    sa.Index("ix_seats_user_id", "user_id"),
    sa.Index("ix_seats_kept_for", "kept_for"),
)

actions = sa.Table(
    "actions",
    metadata,
    _of_table(),
    *_columns(records.ActionRow, "version"),
    sa.Index("ix_actions_actor_id_table_id", "actor_id", "table_id"),
)

named = sa.Table(
    "named",
    metadata,
    sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("table_id", sa.Integer, sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sa.Index("ix_named_table_id", "table_id"),
)

snapshots = sa.Table(
    "snapshots",
    metadata,
    _of_table(),
    sa.Column("version", sa.Integer, primary_key=True),
    sa.Column("state", sa.LargeBinary, nullable=False),
)

outbox = sa.Table(
    "outbox",
    metadata,
    _of_table(),
    *_columns(records.OutboxRow, "kind", "target", but=("table_id",)),
    sa.Column("guild_id", sa.BigInteger, nullable=False, server_default="0"),
    sa.Index("ix_outbox_due_at_guild_id", "due_at", "guild_id"),
    sa.Index("ix_outbox_target", "target"),
)

posts = sa.Table(
    "posts",
    metadata,
    _of_table(),
    *_columns(records.PostRow, "kind", "target", but=("table_id",)),
    sa.Index("ix_posts_target", "target"),
)

drafts = sa.Table("drafts", metadata, _of_table(), *_columns(records.DraftRow, "seat", but=("table_id",)))

hints_taken = sa.Table(
    "hints_taken",
    metadata,
    _of_table(),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("about", sa.BigInteger, nullable=False),
)

notes = sa.Table(
    "notes",
    metadata,
    _of_table(),
    *_columns(records.NoteRow, "user_id", but=("table_id",)),
    sa.Index("ix_notes_user_id", "user_id"),
)

blocks = sa.Table(
    "blocks",
    metadata,
    sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("blocked_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Index("ix_blocks_blocked_id", "blocked_id"),
)

followers = sa.Table(
    "followers",
    metadata,
    _of_table(),
    sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Index("ix_followers_user_id", "user_id"),
)

invitations = sa.Table(
    "invitations",
    metadata,
    _of_table(),
    *_columns(records.InvitationRow, "user_id", but=("table_id",)),
    sa.Index("ix_invitations_user_id", "user_id"),
    sa.Index("ix_invitations_by_id_at", "by_id", "at"),
)

unwanted = sa.Table(
    "unwanted",
    metadata,
    sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("by_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Index("ix_unwanted_by_id", "by_id"),
)

wishes = sa.Table(
    "wishes",
    metadata,
    *_columns(records.WishRow, "guild_id", "user_id", "game"),
    sa.Index("ix_wishes_guild_id_game", "guild_id", "game"),
    sa.Index("ix_wishes_user_id", "user_id"),
)

waits = sa.Table(
    "waits",
    metadata,
    _number(),
    *_columns(records.WaitRow),
    sa.Index("ix_waits_guild_id_game", "guild_id", "game"),
)

cups = sa.Table(
    "cups",
    metadata,
    _number(),
    *_columns(records.CupRow, but=("id",)),
    sa.Index("ix_cups_channel_id_phase", "channel_id", "phase"),
    sa.Index("ix_cups_guild_id_phase", "guild_id", "phase"),
    sa.Index("ix_cups_phase_announced", "phase", "announced"),
    sa.Index("ix_cups_host_id", "host_id"),
    sqlite_autoincrement=True,
)


def _of_cup() -> sa.Column[int]:
    return sa.Column("cup_id", sa.Integer, sa.ForeignKey("cups.id", ondelete="CASCADE"), primary_key=True)


cup_players = sa.Table(
    "cup_players",
    metadata,
    _of_cup(),
    *_columns(records.CupPlayerRow, "user_id", but=("cup_id",)),
    sa.Index("ix_cup_players_user_id", "user_id"),
)

cup_tables = sa.Table(
    "cup_tables",
    metadata,
    _of_cup(),
    *_columns(records.CupTableRow, "round", "pod", but=("cup_id", "table_id")),
    sa.Column("table_id", sa.Integer, sa.ForeignKey("tables.id", ondelete="CASCADE")),
    sa.Index("ix_cup_tables_table_id", "table_id"),
)

uncounted = sa.Table("uncounted", metadata, _of_table(), sa.Column("version", sa.Integer, nullable=False))

results = sa.Table(
    "results",
    metadata,
    _of_table(),
    *_columns(records.ResultRow, "user_id", but=("table_id",)),
    sa.Index("ix_results_guild_id_game_ended_at", "guild_id", "game", "ended_at"),
    sa.Index("ix_results_guild_id_user_id", "guild_id", "user_id"),
    sa.Index("ix_results_user_id", "user_id"),
)

ratings = sa.Table(
    "ratings",
    metadata,
    *_columns(records.RatingRow, "guild_id", "game", "user_id", bare=("games", "wins", "recent")),
    sa.Index("ix_ratings_guild_id_game_rating", "guild_id", "game", "rating"),
    sa.Index("ix_ratings_guild_id_user_id", "guild_id", "user_id"),
    sa.Index("ix_ratings_user_id", "user_id"),
)

rated_games = sa.Table(
    "rated_games",
    metadata,
    sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("game", sa.String(32), primary_key=True),
    sa.Column("number", sa.Integer, nullable=False),
)

guilds = sa.Table("guilds", metadata, *_columns(records.ServerSettings, "guild_id", bare=("place",)))

people = sa.Table(
    "people",
    metadata,
    *_columns(
        records.PersonRow, "user_id", bare=("notices", "reminders", "hands", "zone", "away_note", "absences")
    ),
    sa.Index("ix_people_digest_at", "digest_at"),
)

lessons = sa.Table(
    "lessons",
    metadata,
    sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("game", sa.String(32), primary_key=True),
    sa.Column("lesson", sa.String(32), primary_key=True),
    sa.Column("table_id", sa.Integer, nullable=False),
    sa.Column("moment", sa.Integer, nullable=False),
)

studies = sa.Table(
    "studies",
    metadata,
    _of_table(),
    *_columns(records.StudyRow, but=("table_id",)),
    sa.Index("ix_studies_user_id_kind", "user_id", "kind"),
    sa.Index("ix_studies_source_id", "source_id"),
    sa.Index("ix_studies_begun_at", "begun_at"),
)

puzzle_tries = sa.Table(
    "puzzle_tries", metadata, *_columns(records.PuzzleTryRow, "user_id", "game", "puzzle", bare=("hinted",))
)

puzzle_hints = sa.Table(
    "puzzle_hints", metadata, *_columns(records.PuzzleHintRow, "user_id", "game", "puzzle")
)

puzzle_players = sa.Table(
    "puzzle_players",
    metadata,
    *_columns(records.PuzzlePlayerRow, "user_id", "game", bare=("tried", "solved")),
)

puzzle_levels = sa.Table(
    "puzzle_levels", metadata, *_columns(records.PuzzleLevelRow, "game", "puzzle", bare=("tried", "solved"))
)

daily_deals = sa.Table("daily_deals", metadata, *_columns(records.DailyDealRow, "day", "game"))

daily_plays = sa.Table(
    "daily_plays",
    metadata,
    *_columns(
        records.DailyPlayRow,
        "user_id",
        "day",
        "game",
        "attempt",
        bare=("said", "moves", "seconds", "signs", "counts"),
    ),
    sa.Index("ix_daily_plays_day_game_ended_at", "day", "game", "ended_at"),
    sa.Index("ix_daily_plays_table_id", "table_id"),
)

daily_posts = sa.Table(
    "daily_posts",
    metadata,
    *_columns(records.DailyPostRow, "guild_id", "day", bare=("stale",)),
    sa.Index("ix_daily_posts_closed_at", "closed_at"),
)

daily_tries = sa.Table("daily_tries", metadata, *_columns(records.DailyTryRow, "day", "mark"))

daily_repeats = sa.Table("daily_repeats", metadata, *_columns(records.DailyRepeatsRow, "user_id", "day"))

daily_members = sa.Table(
    "daily_members",
    metadata,
    *_columns(records.DailyMemberRow, "guild_id", "user_id"),
    sa.Index("ix_daily_members_user_id", "user_id"),
)

daily_points = sa.Table(
    "daily_points",
    metadata,
    *_columns(records.DailyPointsRow, "guild_id", "day", "user_id"),
    sa.Index("ix_daily_points_user_id", "user_id"),
)

daily_notices = sa.Table(
    "daily_notices",
    metadata,
    *_columns(records.DailyNoticeRow, "user_id", "day", bare=("sent",)),
    sa.Index("ix_daily_notices_sent_due_at", "sent", "due_at"),
)

gaps = sa.Table("gaps", metadata, *_columns(records.OutageRow, "begin", "shard", "count"))

audit = sa.Table(
    "audit",
    metadata,
    _number(),
    *_columns(records.AuditRow, but=("table_id",)),
    sa.Column("table_id", sa.Integer),
    sa.Index("ix_audit_guild_id_id", "guild_id", "id"),
    sa.Index("ix_audit_guild_id_table_id_id", "guild_id", "table_id", "id"),
    sa.Index("ix_audit_guild_id_actor_id_id", "guild_id", "actor_id", "id"),
    sa.Index("ix_audit_actor_id", "actor_id"),
)

audit_people = sa.Table(
    "audit_people",
    metadata,
    sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("audit_id", sa.Integer, sa.ForeignKey("audit.id", ondelete="CASCADE"), primary_key=True),
    sa.Index("ix_audit_people_audit_id", "audit_id"),
)

erasures = sa.Table(
    "erasures",
    metadata,
    sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("plan", sa.Text, nullable=False),
)

facts = sa.Table(
    "facts",
    metadata,
    sa.Column("key", sa.String(64), primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)
