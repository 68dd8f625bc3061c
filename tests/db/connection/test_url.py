"""DATABASE_URL, as people write it."""

import pytest

from db.connection.opening import database_url


@pytest.mark.parametrize(
    ("written", "used"),
    [
        ("sqlite:///parlour.db", "sqlite+aiosqlite:///parlour.db"),
        ("sqlite:////srv/tangle parlour/parlour.db", "sqlite+aiosqlite:////srv/tangle parlour/parlour.db"),
        ("sqlite+pysqlite:///parlour.db", "sqlite+aiosqlite:///parlour.db"),
        ("postgres://ann:p%40ss@db.example/parlour", "postgresql+asyncpg://ann:p%40ss@db.example/parlour"),
        ("postgresql+psycopg2://db.example:5433/p", "postgresql+asyncpg://db.example:5433/p"),
        ("postgresql://ann@/p?host=/run/pg", "postgresql+asyncpg://ann@/p?host=%2Frun%2Fpg"),
        ("postgres://db.example/p?sslmode=require", "postgresql+asyncpg://db.example/p?ssl=require"),
    ],
)
def test_an_address_is_used_with_our_driver(written: str, used: str) -> None:
    assert database_url(written).render_as_string(hide_password=False) == used


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("", "is not a database URL"),
        ("parlour.db", "is not a database URL"),
        ("://", "is not a database URL"),
        ("postgresql://db.example:s3cret/parlour", "is not a database URL"),
        ("mysql://ann:s3cret@db.example/parlour", "must begin with sqlite:// or postgresql://"),
        ("http://ann:s3cret@db.example/parlour", "must begin with sqlite:// or postgresql://"),
        ("sqlite://", "must name a file"),
        ("sqlite://parlour.db", "must name a file"),
        ("sqlite:///:memory:", "must name a file"),
        ("sqlite:///file:parlour?mode=memory&uri=true", "must name a file"),
    ],
)
def test_any_other_address_is_refused_with_a_reason_that_holds_no_secret(written: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason) as refusal:
        database_url(written)

    assert "s3cret" not in str(refusal.value)
