"""A table without Discord: people press what their pages show, and their presses are handled at once."""

from collections.abc import Sequence
from importlib import import_module
from itertools import count
from time import monotonic
from types import SimpleNamespace
from typing import Any, cast

import discord
import msgspec

from cogs.core.app import App
from cogs.core.pictures import Pictures, ReplayRenderer
from cogs.discord.messages import Memo, decode_memo, encode_memo
from cogs.posts.board import board_post
from cogs.ui.press import Work, answer, handle, parse
from db.records import OutboxRow, PostRow
from db.store import Store
from engines.game import Strength
from engines.registry import game as rules_of
from engines.workers import Workers
from tables.core.outbox import Delivery
from tables.core.table import Occupant, Table, Terms
from tables.parlour import Parlour
from tables.people import Digest
from tests.discord.stage import PEOPLE, AnyStage, ShownMessage, read_message
from tests.tables.house import CHANNEL, GUILD, HouseClock

PRIVATE = discord.MessageFlags(ephemeral=True)


class DeskPage:
    """A page as its reader has it; presses replace it."""

    flags = PRIVATE
    content = ""

    def __init__(self) -> None:
        self.components: list[Any] = []
        self.attachments: Sequence[Any] = ()

    def show(self, view: discord.ui.LayoutView, files: Sequence[discord.File]) -> None:
        self.components = view.to_components()  # type: ignore[no-untyped-call]  # in discord.py
        self.attachments = files


class DeskAnswer:
    """The answer to an interaction: it changes the page that was pressed, or is a page of its own."""

    def __init__(self, page: DeskPage) -> None:
        self.page = page

    def is_done(self) -> bool:
        return False

    async def defer(self, **_: Any) -> None:
        """Say nothing yet."""

    async def edit_message(self, *, view: Any, attachments: Sequence[Any], **_: Any) -> None:
        self.page.show(view, attachments)

    async def send_message(
        self, text: str = "", *, view: Any = None, files: Sequence[Any] = (), **_: Any
    ) -> None:
        self.page = DeskPage()
        self.page.content = text
        if view is not None:
            self.page.show(view, files)


class Sitter:
    """A person at the desk, with the methods of a simulated one that tests of panels use."""

    def __init__(self, desk: "Desk", name: str, number: int) -> None:
        self._desk = desk
        self.display_name = name
        self.id = number

    async def click(self, response: DeskPage, *, label: str) -> Any:
        return await self.press(response, read_message(response).buttons[label]["custom_id"])

    async def select(self, response: DeskPage, values: Sequence[str], *, custom_id: str) -> Any:
        return await self.press(response, custom_id, *values)

    async def press(self, response: DeskPage, custom_id: str, *values: str) -> Any:
        press = parse(custom_id)
        assert press is not None
        asked = self._ask(response, data={"custom_id": custom_id})
        await answer(asked, handle(asked, msgspec.structs.replace(press, values=values)))
        return await self._end(asked)

    async def slash(self, _place: object, words: str, **options: Any) -> Any:
        """Type a game's command for the only table."""
        command = self._desk.command(words)
        asked = self._ask(DeskPage())
        asked.message = None
        await answer(asked, command.callback(command.binding, asked, **{"table": 1, **options}))
        return await self._end(asked)

    async def autocomplete(self, _place: object, words: str, option: str, typed: str) -> list[dict[str, Any]]:
        asked = self._ask(DeskPage(), namespace=SimpleNamespace(table=1))
        offered = await self._desk.command(words)._params[option].autocomplete(asked, typed)
        return [one.to_dict() for one in offered]

    def _ask(self, page: DeskPage, **more: Any) -> Any:
        desk = self._desk
        return SimpleNamespace(
            id=next(desk.numbers),
            client=SimpleNamespace(app=desk.app, work=desk.work),
            type=discord.InteractionType.component,
            command=None,
            user=self,
            guild_id=GUILD,
            channel_id=None,
            message=page,
            extras={},
            response=DeskAnswer(page),
            **{"data": {}, **more},
        )

    async def _end(self, asked: Any) -> Any:
        await self._desk.settle()
        return SimpleNamespace(response=asked.response.page, ephemeral=True)


class Desk(AnyStage):
    """A parlour whose boards are pages in a list."""

    def __init__(self, store: Store, workers: Workers) -> None:
        self._parlour = Parlour(store, workers, self, HouseClock())
        replays = ReplayRenderer(self._parlour.record, workers)
        self.app = App(cast(Any, None), self._parlour, Pictures(workers), replays, workers)
        self._people = {name: Sitter(self, name, 101 + seat) for seat, name in enumerate(PEOPLE)}
        self._posts: list[DeskPage] = []
        self.work = Work(monotonic)
        self.numbers = count(1)

    @property
    def parlour(self) -> Parlour:
        return self._parlour

    def __getitem__(self, name: str) -> Any:
        return self._people[name]

    def command(self, words: str) -> Any:
        """Return a game's typed command, like ``tesla choose``."""
        slug, name = words.split()
        room = import_module(f"cogs.{slug}.commands")
        cog = next(one for one in vars(room).values() if getattr(one, "slug", "") == slug)()
        return next(one for one in cog.walk_app_commands() if one.name == name)

    async def show(self, row: OutboxRow, _may_be_duplicate: bool) -> Delivery:
        """Post a board as a page; nobody sees the rest."""
        if row.kind != "board" or (await self.parlour.table(row.table_id)).deal is None:
            return Delivery()
        last = await self.parlour.store.find_last_post(row.table_id, "board", 0)
        after, memo = (0, Memo()) if last is None else (last.version, decode_memo(last))
        board = await board_post(self.app, row.table_id, after=after, memo=None if last is None else memo)
        post = DeskPage()
        post.show(board.page.view(), board.page.files())
        self._posts.append(post)
        kept = encode_memo(board.memo)
        return Delivery(PostRow(row.table_id, "board", 0, CHANNEL, len(self._posts), board.version, kept))

    async def settle(self) -> None:
        await self.parlour.computers.finish()
        await self.parlour.outbox.finish()

    async def digest(self, _digest: Digest, _may_be_duplicate: bool) -> None:
        """Send nothing: nobody here has been away."""

    async def open(
        self,
        *names: str,
        game: str = "ribbon",
        computers: int = 0,
        terms: Terms | None = None,
        **options: Any,
    ) -> Table:
        """Open a table for some people, and start its game."""
        host, *others = (Occupant(name, self[name].id) for name in names)
        asked = rules_of(game).Options(**options)
        table = await self.parlour.lobby.create(GUILD, CHANNEL, host, game, asked, tuple(others), terms)
        for _ in range(computers):
            await self.parlour.lobby.add_computer(table.id, self[names[0]].id, Strength.MEDIUM)
        begun = await self.parlour.lobby.start(table.id, self[names[0]].id)
        await self.settle()
        return begun

    def posts(self, _place: object = None) -> list[ShownMessage]:
        return [read_message(one) for one in self._posts]

    async def panel(self, name: str, _place: object = None) -> tuple[Any, ShownMessage]:
        """Press Take turn; return the answer, and its panel."""
        table = await self.table()
        result = await self[name].press(DeskPage(), f"tp:table:turn:{table.id}:{table.version}:")
        return result, read_message(result.response)
