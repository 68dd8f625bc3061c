"""The tables of the database, as SQLAlchemy Core sees them; db/migrations brings a database here."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    false,
    text,
    true,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def _of_table() -> Column[int]:
    return Column("table_id", Integer, ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True)


def _of_origin(*columns: str) -> Index:
    """An index of the few tables that were not dealt here."""
    dealt_elsewhere = text("origin IS NOT NULL")
    name = "_".join(("ix_tables", *columns))
    return Index(name, *columns, sqlite_where=dealt_elsewhere, postgresql_where=dealt_elsewhere)


tables = Table(
    "tables",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("guild_id", BigInteger, nullable=False),
    Column("channel_id", BigInteger, nullable=False),
    Column("thread_id", BigInteger),
    Column("game", String(32), nullable=False),
    Column("options", Text, nullable=False),
    Column("phase", String(16), nullable=False),
    Column("host_id", BigInteger, nullable=False),
    Column("version", Integer, nullable=False),
    Column("beat", Integer, nullable=False),
    Column("owing", Text, nullable=False),
    Column("computer_due", Boolean, nullable=False),
    Column("seed", String(64), nullable=False),
    Column("salt", String(64), nullable=False),
    Column("deal", Text),
    Column("outcome", Text),
    Column("pace", String(64), nullable=False, server_default="none"),
    Column("when_late", String(16), nullable=False, server_default="others"),
    Column("starts_full", Boolean, nullable=False, server_default=false()),
    Column("clocks", Text, nullable=False, server_default="[]"),
    Column("paused_at", Float),
    Column("paused_until", Float),
    Column("proposal", Text),
    Column("due_at", Float),
    Column("origin", Text),
    Column("private", Boolean, nullable=False, server_default=false()),
    Column("ordered", Boolean, nullable=False, server_default=false()),
    Column("rated", Boolean, nullable=False, server_default=true()),
    Column("hints", String(16), nullable=False, server_default="usual"),
    Column("created_at", Float, nullable=False),
    Column("touched_at", Float, nullable=False),
    Index("ix_tables_guild_id_phase", "guild_id", "phase"),
    Index("ix_tables_channel_id_phase", "channel_id", "phase"),
    Index("ix_tables_thread_id", "thread_id"),
    Index("ix_tables_computer_due_guild_id", "computer_due", "guild_id"),
    Index("ix_tables_due_at_guild_id", "due_at", "guild_id"),
    _of_origin("guild_id", "created_at"),
    _of_origin("host_id", "created_at"),
    Index("ix_tables_host_id", "host_id"),
    # A proposal is open at few tables, whose texts are all read.
    Index(
        "ix_tables_proposed",
        "id",
        sqlite_where=text("proposal IS NOT NULL"),
        postgresql_where=text("proposal IS NOT NULL"),
    ),
    sqlite_autoincrement=True,
)

seats = Table(
    "seats",
    metadata,
    _of_table(),
    Column("seat", Integer, primary_key=True),
    Column("user_id", BigInteger),
    Column("name", String(128), nullable=False),
    Column("strength", String(16)),
    Column("kept_for", BigInteger),
    Index("ix_seats_user_id", "user_id"),
    Index("ix_seats_kept_for", "kept_for"),
)

actions = Table(
    "actions",
    metadata,
    _of_table(),
    Column("version", Integer, primary_key=True),
    Column("base", Integer, nullable=False),
    Column("kind", String(16), nullable=False),
    Column("seat", Integer),
    Column("actor_id", BigInteger),
    Column("payload", Text),
    Column("events", Text, nullable=False),
    Column("reveals", Boolean, nullable=False),
    Column("at", Float, nullable=False),
    Column("beat", Integer),
    Index("ix_actions_actor_id_table_id", "actor_id", "table_id"),
)

named = Table(
    "named",
    metadata,
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("table_id", Integer, ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Index("ix_named_table_id", "table_id"),
)

snapshots = Table(
    "snapshots",
    metadata,
    _of_table(),
    Column("version", Integer, primary_key=True),
    Column("state", LargeBinary, nullable=False),
)

outbox = Table(
    "outbox",
    metadata,
    _of_table(),
    Column("kind", String(16), primary_key=True),
    Column("target", BigInteger, primary_key=True),
    Column("version", Integer, nullable=False),
    Column("fresh", Boolean, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("due_at", Float, nullable=False),
    Column("guild_id", BigInteger, nullable=False, server_default="0"),
    Index("ix_outbox_due_at_guild_id", "due_at", "guild_id"),
)

posts = Table(
    "posts",
    metadata,
    _of_table(),
    Column("kind", String(16), primary_key=True),
    Column("target", BigInteger, primary_key=True),
    Column("channel_id", BigInteger, nullable=False),
    Column("message_id", BigInteger, nullable=False),
    Column("version", Integer, nullable=False),
    Column("memo", Text, nullable=False),
    Index("ix_posts_target", "target"),
)

drafts = Table(
    "drafts",
    metadata,
    _of_table(),
    Column("seat", Integer, primary_key=True),
    Column("version", Integer, nullable=False),
    Column("payload", Text, nullable=False),
)

hints_taken = Table(
    "hints_taken",
    metadata,
    _of_table(),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("number", Integer, nullable=False),
    Column("about", BigInteger, nullable=False),
)

notes = Table(
    "notes",
    metadata,
    _of_table(),
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("text", Text, nullable=False),
    Index("ix_notes_user_id", "user_id"),
)

blocks = Table(
    "blocks",
    metadata,
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("blocked_id", BigInteger, primary_key=True, autoincrement=False),
    Index("ix_blocks_blocked_id", "blocked_id"),
)

followers = Table(
    "followers",
    metadata,
    _of_table(),
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Index("ix_followers_user_id", "user_id"),
)

invitations = Table(
    "invitations",
    metadata,
    _of_table(),
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("by_id", BigInteger),
    Column("at", Float),
    Index("ix_invitations_user_id", "user_id"),
    Index("ix_invitations_by_id_at", "by_id", "at"),
)

unwanted = Table(
    "unwanted",
    metadata,
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("by_id", BigInteger, primary_key=True, autoincrement=False),
    Index("ix_unwanted_by_id", "by_id"),
)

wishes = Table(
    "wishes",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("game", String(32), primary_key=True),
    Column("name", String(128), nullable=False),
    Column("paces", Text, nullable=False),
    Column("at", Float, nullable=False),
    Index("ix_wishes_guild_id_game", "guild_id", "game"),
    Index("ix_wishes_user_id", "user_id"),
)

cups = Table(
    "cups",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("guild_id", BigInteger, nullable=False),
    Column("channel_id", BigInteger, nullable=False),
    Column("message_id", BigInteger),
    Column("game", String(32), nullable=False),
    Column("options", Text, nullable=False),
    Column("most", Integer, nullable=False),
    Column("size", Integer),
    Column("pace", String(64), nullable=False),
    Column("days", Integer),
    Column("phase", String(16), nullable=False),
    Column("round", Integer, nullable=False),
    Column("began_at", Float),
    Column("host_id", BigInteger, nullable=False),
    Column("announced", Boolean, nullable=False, server_default=false()),
    Column("created_at", Float, nullable=False),
    Index("ix_cups_channel_id_phase", "channel_id", "phase"),
    Index("ix_cups_guild_id_phase", "guild_id", "phase"),
    Index("ix_cups_phase_announced", "phase", "announced"),
    Index("ix_cups_host_id", "host_id"),
    sqlite_autoincrement=True,
)


def _of_cup() -> Column[int]:
    return Column("cup_id", Integer, ForeignKey("cups.id", ondelete="CASCADE"), primary_key=True)


cup_players = Table(
    "cup_players",
    metadata,
    _of_cup(),
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("name", String(128), nullable=False),
    Column("number", Integer, nullable=False),
    Column("dropped", Boolean, nullable=False, server_default=false()),
    Index("ix_cup_players_user_id", "user_id"),
)

cup_tables = Table(
    "cup_tables",
    metadata,
    _of_cup(),
    Column("round", Integer, primary_key=True, autoincrement=False),
    Column("pod", Integer, primary_key=True, autoincrement=False),
    Column("seats", Text, nullable=False),
    Column("table_id", Integer, ForeignKey("tables.id", ondelete="CASCADE")),
    Column("places", Text),
    Index("ix_cup_tables_table_id", "table_id"),
)

uncounted = Table(
    "uncounted",
    metadata,
    _of_table(),
    Column("version", Integer, nullable=False),
)

results = Table(
    "results",
    metadata,
    _of_table(),
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("guild_id", BigInteger, nullable=False),
    Column("game", String(32), nullable=False),
    Column("kind", String(16), nullable=False),
    Column("options", Text, nullable=False),
    Column("name", String(128), nullable=False),
    Column("seats", Integer, nullable=False),
    Column("stayed", Boolean, nullable=False),
    Column("counts", Boolean, nullable=False),
    Column("place", Integer),
    Column("won", Boolean),
    Column("score", Integer),
    Column("turns", Integer, nullable=False),
    Column("seconds", Float, nullable=False),
    Column("ended_at", Float, nullable=False),
    Column("before", Integer),
    Column("after", Integer),
    Index("ix_results_guild_id_game_ended_at", "guild_id", "game", "ended_at"),
    Index("ix_results_guild_id_user_id", "guild_id", "user_id"),
    Index("ix_results_user_id", "user_id"),
)

ratings = Table(
    "ratings",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("game", String(32), primary_key=True),
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("name", String(128), nullable=False),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Column("rating", Integer, nullable=False),
    Column("games", Integer, nullable=False),
    Column("wins", Integer, nullable=False),
    Column("recent", Text, nullable=False),
    Index("ix_ratings_guild_id_game_rating", "guild_id", "game", "rating"),
    Index("ix_ratings_guild_id_user_id", "guild_id", "user_id"),
    Index("ix_ratings_user_id", "user_id"),
)

rated_games = Table(
    "rated_games",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("game", String(32), primary_key=True),
    Column("number", Integer, nullable=False),
)

guilds = Table(
    "guilds",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("admin_role_id", BigInteger),
    Column("place", String(16), nullable=False),
    Column("pace", String(64), nullable=False, server_default="daily"),
    Column("forbidden_paces", Text, nullable=False, server_default="[]"),
    Column("when_late", String(16), nullable=False, server_default="others"),
    Column("board_channel_id", BigInteger),
    Column("board_message_id", BigInteger),
    Column("asked_role_id", BigInteger),
    Column("asked_at", Float),
    Column("most_tables", Integer),
    Column("most_each", Integer),
    Column("rated", Boolean, nullable=False, server_default=true()),
    Column("rate_computers", Boolean, nullable=False, server_default=false()),
    Column("removed_at", Float),
    Column("open_in", Text, nullable=False, server_default="[]"),
    Column("open_role_id", BigInteger),
    Column("computers", Boolean, nullable=False, server_default=true()),
    Column("hints", Boolean, nullable=False, server_default=true()),
)

people = Table(
    "people",
    metadata,
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("notices", String(16), nullable=False),
    Column("reminders", Boolean, nullable=False),
    Column("hands", Boolean, nullable=False),
    Column("zone", String(64), nullable=False),
    Column("quiet_begins", Integer),
    Column("quiet_ends", Integer),
    Column("digest_hour", Integer),
    Column("digest_at", Float),
    Column("digested_at", Float),
    Column("away_note", Text, nullable=False),
    Column("absences", Text, nullable=False),
    Column("hidden", Boolean, nullable=False, server_default=false()),
    Index("ix_people_digest_at", "digest_at"),
)

shard_gaps = Table(
    "shard_gaps",
    metadata,
    Column("begin", Float, primary_key=True, autoincrement=False),
    Column("shard", Integer, primary_key=True, autoincrement=False),
    Column("count", Integer, primary_key=True, autoincrement=False),
    Column("end", Float, nullable=False),
)

lessons = Table(
    "lessons",
    metadata,
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("game", String(32), primary_key=True),
    Column("lesson", String(32), primary_key=True),
    Column("table_id", Integer, nullable=False),
    Column("moment", Integer, nullable=False),
)

gaps = Table(
    "gaps",
    metadata,
    Column("begin", Float, primary_key=True, autoincrement=False),
    Column("end", Float, nullable=False),
)

audit = Table(
    "audit",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("guild_id", BigInteger, nullable=False),
    Column("table_id", Integer),
    Column("actor_id", BigInteger, nullable=False),
    Column("action", String(32), nullable=False),
    Column("detail", Text, nullable=False),
    Column("at", Float, nullable=False),
    Index("ix_audit_guild_id_id", "guild_id", "id"),
    Index("ix_audit_guild_id_table_id_id", "guild_id", "table_id", "id"),
    Index("ix_audit_guild_id_actor_id_id", "guild_id", "actor_id", "id"),
    Index("ix_audit_actor_id", "actor_id"),
)

erasures = Table(
    "erasures",
    metadata,
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("plan", Text, nullable=False),
)

writers = Table(
    "writers",
    metadata,
    Column("name", String(64), primary_key=True),
    Column("batch", BigInteger, nullable=False),
    Column("at", Float, nullable=False),
)

facts = Table(
    "facts",
    metadata,
    Column("key", String(64), primary_key=True),
    Column("value", Text, nullable=False),
)
