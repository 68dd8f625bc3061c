"""The saved data of posts: what their later edits need."""

import discord
import msgspec

from cogs.core.presenter import Illustration
from cogs.ui.files import Kept, KeptFile, files_of
from db.records.tables import PostRow
from engines.game import Seat


class Memo(msgspec.Struct, frozen=True):
    """The saved data of a board post, enough to ping once and remove buttons; of a card, its files."""

    beat: int = 0
    owing: tuple[Seat, ...] = ()
    text: str = ""
    picture: str = ""
    alt: str = ""
    illustrations: tuple[Illustration, ...] = msgspec.field(default=(), name="scenes")
    digest: str = ""
    """A digest of the uploaded pictures; unchanged ones are not uploaded again."""
    files: tuple[KeptFile, ...] = ()
    """The pictures at Discord: an edit has to name those that stay."""
    round: int | None = None
    board: str = ""
    """A digest of the board's picture."""
    is_brief: bool = False
    """True for a post without a picture: the board is still the one above."""
    after: int = 0
    """The version after which its story begins."""
    version: int = 0
    """The version that it shows."""
    untold: int = 0
    """The version after which steps of an unfinished turn aren't told yet; 0 without such steps."""
    undone: int = 0
    """The version up to which it says what was taken back of its story."""


def decode_memo(post: PostRow | None) -> Memo | None:
    return msgspec.json.decode(post.memo, type=Memo) if post is not None and post.memo else None


def encode_memo(memo: Memo, message: discord.Message | None = None) -> str:
    """Return a memo in JSON, with the files of a message."""
    kept = memo.files if message is None else tuple(files_of(message).values())
    return msgspec.json.encode(msgspec.structs.replace(memo, files=kept)).decode()


def files_of_memo(memo: Memo) -> Kept:
    return {file.filename: file for file in memo.files}
