"""The private panel: the tile held over one's own city, moved by a pad until it lies right."""

from __future__ import annotations

import discord

from cogs.house import House
from cogs.tangram import outlook, words
from cogs.tangram.outlook import Draft, Jump, Outlook
from cogs.ui.page import Button, Menu, Option, Page
from cogs.ui.press import Press
from engines.tangram.data import BOARD, FOUNTAIN, TileId
from engines.tangram.ghost import Nudge
from engines.tangram.view import View
from tables.model import Table
from tables.play import Sight

PRIMARY, SUCCESS, DANGER, PLAIN = (
    discord.ButtonStyle.primary,
    discord.ButtonStyle.success,
    discord.ButtonStyle.danger,
    discord.ButtonStyle.secondary,
)
ARROWS = (("left", "←"), ("up", "↑"), ("down", "↓"), ("right", "→"))


async def panel(house: House, sight: Sight, nudge: Nudge | Jump | None = None) -> Page:
    """The panel of a seat that owes an answer, or that may still change the one it gave."""
    draft = await drafted(house, sight)
    view: View = sight.view
    tile = held(view, draft)
    if draft.declining:
        return _ask(sight, tile)
    if not draft.busy and (view.viewer in view.answered or _complete(view)):
        return await _answered(house, sight)
    return await _pad(house, sight, draft, tile, nudge)


async def drafted(house: House, sight: Sight) -> Draft:
    """How far the seat has got."""
    found: Draft | None = await house.parlour.draft(sight.table, sight.seat or 0, Draft)
    return found or Draft()


def held(view: View, draft: Draft) -> TileId:
    """The tile at hand: the one that is held already, else the first that has no answer yet."""
    asked = outlook.asked(view)
    if draft.ghost is not None and draft.ghost.tile in asked:
        return draft.ghost.tile
    return next((tile for tile in asked if not outlook.answered(view, tile)), asked[0])


def _complete(view: View) -> bool:
    """Whether the last round's answers are all given and only wait to be confirmed."""
    return view.phase == "final" and all(outlook.answered(view, tile) for tile in outlook.asked(view))


def _press(table: Table, verb: str, arg: str = "") -> Press:
    return Press("tangram", verb, table.id, table.moment, arg)


async def _pad(house: House, sight: Sight, draft: Draft, tile: TileId, nudge: Nudge | Jump | None) -> Page:
    table, view = sight.table, sight.view
    ahead = await house.workers.run(outlook.look, view, tile, draft.ghost, nudge)
    await house.parlour.save_draft(table, view.viewer, Draft(ahead.ghost, busy=draft.busy))
    page = Page([_headline(view, ahead, tile)])
    page.parts.append(await house.pictures.special(table, "preview", view, ahead.ghost))
    if view.phase == "final":
        page.parts.append(_choices(table, view, tile))
    page.parts.append(_act(table, view, ahead, tile))
    arrows = [Button(sign, _press(table, "nudge", way)) for way, sign in ARROWS]
    page.parts.append([*arrows, Button("Turn", _press(table, "nudge", "turn"))])
    page.parts.append(Menu(_press(table, "jump"), "Jump to a column or a row", _jumps()))
    return page


def _headline(view: View, ahead: Outlook, tile: TileId) -> str:
    ghost = ahead.ghost
    what = "Place the fountain" if tile == FOUNTAIN else f"Place the {words.tile(tile)}"
    lines = [f"**{what}.** {_lies(ahead)}"]
    if not ahead.places:
        lines.append("With your other answers there is no room for it: take one back, or set it aside.")
    elif outlook.last(view) and view.phase != "final":
        lines.append("You are the last one: your answer closes the step, and can't be changed any more.")
    elif tile != FOUNTAIN and ghost.side == "green":
        lines.append("-# Green side up. Flip for black, which is its mirror image.")
    elif tile != FOUNTAIN:
        lines.append("-# Black side up. Flip for green, which is its mirror image.")
    return "\n".join(lines)


def _lies(ahead: Outlook) -> str:
    if ahead.trouble is not None:
        return f"⚠️ {ahead.trouble}"
    return f"It fits here, on {ahead.ghost.squares}."


def _choices(table: Table, view: View, tile: TileId) -> list[Button]:
    """The tiles of the last round, those that are answered with a tick."""
    return [
        Button(
            f"{'✓ ' if outlook.answered(view, other) else ''}{words.tile(other).capitalize()}",
            _press(table, "tile", str(other)),
            PRIMARY if other == tile else PLAIN,
        )
        for other in outlook.asked(view)
    ]


def _act(table: Table, view: View, ahead: Outlook, tile: TileId) -> list[Button]:
    closing = outlook.last(view) and view.phase != "final"
    row = [
        Button(
            "Place and go on" if closing else "Place",
            _press(table, "place"),
            SUCCESS,
            disabled=ahead.trouble is not None,
        ),
        Button(
            "Next fit" if ahead.places > 1 else "Only fit",
            _press(table, "nudge", "next"),
            PRIMARY,
            disabled=not ahead.places,
        ),
    ]
    if tile != FOUNTAIN:
        row.append(Button("Flip", _press(table, "nudge", "flip")))
    row.append(Button("Decline", _press(table, "decline")))
    return row


def _jumps() -> list[Option]:
    columns = [Option(f"Column {column}", column) for column in BOARD.columns]
    return columns + [Option(f"Row {row}", str(row)) for row in range(1, BOARD.rows + 1)]


def _ask(sight: Sight, tile: TileId) -> Page:
    """The question before a tile is set aside."""
    table = sight.table
    if tile == FOUNTAIN:
        text = "**Let this round's fountain go?** It is lost then."
    else:
        text = f"**Set the {words.tile(tile)} aside?** It can't be placed later."
    if outlook.last(sight.view) and sight.view.phase != "final":
        text += " You are the last one: that closes the step."
    row = [
        Button("Yes, set it aside", _press(table, "aside"), DANGER),
        Button("Back", _press(table, "back"), PRIMARY),
    ]
    return Page([text, row])


async def _answered(house: House, sight: Sight) -> Page:
    """What a seat sees that has answered: its answer, who is waited for, and the way to change it."""
    table, view = sight.table, sight.view
    told = []
    for answer in view.mine:
        name = words.tile(answer.tile or FOUNTAIN)
        told.append(f"the {name}: {'set aside' if answer.piece is None else words.laid(answer.piece)}")
    confirming = view.phase == "final" and view.viewer not in view.answered
    busy = words.waiting(view, table.names, view.viewer if view.viewer is not None else 0)
    if confirming:
        text = "**All three are answered.** Confirm, or change them first."
        if outlook.last(view):
            text += " You are the last one: confirming ends the round."
    else:
        text = f"**You have answered.** You may change it until {busy} {_have(busy)} answered too."
    page = Page([f"{text}\n-# {'; '.join(told)}".rstrip("\n-# ")])
    page.parts.append(await house.pictures.special(table, "preview", view, None))
    row = [Button("Confirm", _press(table, "done"), SUCCESS)] if confirming else []
    changes = [
        Button(f"Change the {words.tile(tile)}", _press(table, "change", str(tile)))
        for tile in outlook.asked(view)
    ]
    page.parts.append([*row, *changes])
    return page


def _have(busy: str) -> str:
    return "have" if " and " in busy else "has"
