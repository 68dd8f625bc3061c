"""The schema of the first release. An empty database gets it, and all later ones, from `db.schema`."""

revision = "0033"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    raise RuntimeError("a database at no version is empty, and made from the metadata")


def downgrade() -> None:
    raise RuntimeError("nothing is older than the first schema")
