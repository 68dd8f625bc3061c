"""The private panel: the tile held over your own city, moved by a pad until it lies right."""

from dataclasses import replace

from cogs.core.app import App
from cogs.play.panel import load_draft, panel_press
from cogs.tangram import draft as drafts
from cogs.tangram.draft import Jump, TangramDraft, TangramPreview
from cogs.ui.page import DANGER, PLAIN, PRIMARY, SUCCESS, Button, Menu, Option, Page
from cogs.ui.press import Press
from engines import marks, words
from engines.tangram.legal.moves import Nudge
from engines.tangram.pieces.board import TangramLaid
from engines.tangram.pieces.components import BOARD, FOUNTAIN, TileId
from engines.tangram.pieces.geometry import SIDES, Side
from engines.tangram.view import TangramView
from engines.tangram.words import event_lines, nouns
from tables.play.play import Perspective

LAST = "_last"
"""Ends the verb of a button whose answer was known to be the last."""
BEST = (
    "Good fits make a large rectangle and leave no holes. **Place at {rank}** puts the "
    "tile at the next best place that I found, shown as place {rank}."
)
ARROWS: tuple[tuple[Nudge, str], ...] = (("left", "Left"), ("up", "Up"), ("down", "Down"), ("right", "Right"))


async def panel(app: App, perspective: Perspective, nudge: Nudge | Jump | None = None) -> Page:
    draft = await load_draft(app, perspective, TangramDraft)
    view: TangramView = perspective.view
    if view.phase == "side":
        return await _sides(app, perspective)
    tile = tile_at_hand(view, draft)
    if draft.declining:
        return _ask(perspective, tile)
    left = drafts.open_tiles(view)
    is_settled = not left or (draft.later and all(tile in view.ahead for tile in left))
    if not draft.busy and is_settled:
        return await _after_answer_page(app, perspective)
    return await _pad(app, perspective, draft, tile, nudge)


async def _sides(app: App, perspective: Perspective) -> Page:
    table, view = perspective.table, perspective.view
    given = view.mine[0].piece if view.mine else None
    chosen = given.side if isinstance(given, TangramLaid) else None
    busy = event_lines.waiting(view, table.names, view.viewer if view.viewer is not None else 0)
    if chosen is None:
        text = "**Choose the side of your board.** Your start piece is already built, in black or in green."
        if drafts.is_last(view, table.computers_owing):
            text += " " + _closing(view, "this answer is final.")
    else:
        text = f"**You've chosen {chosen}.** You can change your answer until {busy} {_are(busy)} done."
    page = Page([text])
    page.parts.append(await app.pictures.special(table, "sides", view))
    page.parts.append([_side(perspective, side, chosen) for side in SIDES if side != chosen])
    return page


def _side(perspective: Perspective, side: Side, chosen: Side | None) -> Button:
    name = marks.with_icon(f"tangram_{side}_square", side)
    label, style = (marks.capital(name), PRIMARY) if chosen is None else (f"Change to {name}", PLAIN)
    return Button(label, _sending(perspective, "side", arg=side), style)


def tile_at_hand(view: TangramView, draft: TangramDraft) -> TileId:
    """Return the held tile, else the first without an answer."""
    asked = drafts.tiles_to_answer(view)
    if draft.cursor is not None and draft.cursor.tile in asked:
        return draft.cursor.tile
    return next(iter(drafts.open_tiles(view)), asked[0])


async def _pad(
    app: App, perspective: Perspective, draft: TangramDraft, tile: TileId, nudge: Nudge | Jump | None
) -> Page:
    table, view = perspective.table, perspective.view
    shown = await app.workers.run(drafts.look, view, tile, draft.cursor, nudge, suggests=table.suggests)
    kept = TangramDraft(shown.cursor, busy=draft.busy, later=draft.later, by_hand=draft.by_hand)
    await app.parlour.save_draft(table, view.viewer, kept)
    if draft.by_hand:
        shown = replace(shown, others=())
    asked, small = _headline(perspective, shown, tile)
    page = Page([asked], [[f"-# {small}"]] if small else [])
    page.parts.append(await app.pictures.special(table, "preview", view, shown.cursor, shown.others))
    if len(drafts.tiles_to_answer(view)) > 1:
        tiles = [
            Button(
                f"{'✓ ' if drafts.has_answered(view, other) else ''}{marks.capital(nouns.tile(other))}",
                panel_press(table, "tile", str(other)),
                PRIMARY if other == tile else PLAIN,
            )
            for other in drafts.tiles_to_answer(view)
        ]
        page.parts.append(tiles)
    page.parts.append(_act(perspective, shown, tile))
    if _in_the_way(view, tile, shown):
        page.parts.append(
            [
                Button(f"Take the {nouns.tile(other)} back", panel_press(table, "return", str(other)))
                for other in drafts.other_answers(view, tile)
            ]
        )
    if shown.others:
        ranked = [(rank, drafts.encode_cursor(cursor)) for rank, cursor in shown.others]
        sends = [(f"Place at {rank}", _sending(perspective, "place", tile, at)) for rank, at in ranked]
        page.parts.append([Button(*send, SUCCESS) for send in sends])
    if draft.by_hand:
        arrows = [
            Button(sign, panel_press(table, "nudge", way), disabled=shown.cursor.nudge(way) == shown.cursor)
            for way, sign in ARROWS
        ]
        page.parts.append([*arrows, Button("Turn", panel_press(table, "nudge", "turn"))])
        lines = [Option(f"Column {column}", column) for column in BOARD.columns]
        lines += [Option(f"Row {row}", str(row)) for row in range(1, BOARD.rows + 1)]
        page.parts.append(Menu(panel_press(table, "jump"), "Jump to a column or a row", lines))
    adjust = "Hide arrows" if draft.by_hand else "Adjust"
    press = panel_press(table, "by_hand", str(int(not draft.by_hand)))
    rest = [*_instead(perspective, tile), *await _all_at_once(app, perspective)]
    page.parts.append([Button(adjust, press), *rest])
    if shown.places > 1:
        page.optional.append(Button("Previous fit", panel_press(table, "nudge", "previous")))
    return page


def _headline(perspective: Perspective, shown: TangramPreview, tile: TileId) -> tuple[str, str]:
    view = perspective.view
    given = next((answer for answer in view.mine if (answer.tile or FOUNTAIN) == tile), None)
    task = f"**{'Place' if given is None else 'Move or turn'} the {nouns.tile(tile)}.**"
    if tile in view.ahead and given is None:
        task = f"**{_answer_label(view)}. The {nouns.tile(tile)} comes next. You can place it now or later.**"
    lines, small = [f"{task} {_lies(shown)}"], list[str]()
    if shown.others and shown.trouble is None:
        small.append(BEST.format(rank=shown.others[0][0]))
    if _in_the_way(view, tile, shown):
        lines.append("Your other answers block that place. Take an answer back, or find another place.")
    elif given is not None:
        stands = "set aside" if given.piece is None else nouns.piece_place(given.piece)
        lines.append(f"Your answer so far: {stands}. **Place** replaces this answer.")
    others_can_change = len(perspective.table.people) > 1
    if closes(perspective, tile) and others_can_change:
        small.insert(0, _closing(view, "this answer is final."))
    if view.phase == "final" and (stuck := drafts.stuck(view)):
        names = marks.capital(words.join_words([nouns.tile(number) for number in stuck]))
        does, them = ("fits", "it") if len(stuck) == 1 else ("fit", "them")
        lines.append(f"-# {names} {does} nowhere, so I set {them} aside.")
    if tile != FOUNTAIN:
        other = "green" if shown.cursor.side == "black" else "black"
        small.append(f"**Flip** shows the {other} side, which is the mirror image.")
    return "\n".join(lines), " ".join(small)


def _lies(shown: TangramPreview) -> str:
    if shown.trouble is not None:
        return f"⚠️ {shown.trouble}"
    where = f"Here it covers {shown.cursor.squares}"
    if shown.places == 1:
        return f"{where}. It fits nowhere else."
    if shown.rank is None:
        return f"{where}. It fits at {shown.places} places."
    return f"{where}. It fits at {shown.places} places. This is number {shown.rank}."


def _in_the_way(view: TangramView, tile: TileId, shown: TangramPreview) -> bool:
    """Return True if another answer blocks the tile, or it fits nowhere."""
    if not drafts.other_answers(view, tile) or view.viewer is None:
        return False
    blocked = shown.trouble is not None and shown.cursor.trouble(view.cities[view.viewer]) is None
    return blocked or not shown.places


def closes(perspective: Perspective, tile: TileId | None = None) -> bool:
    """Return True if a tile's answer, or a confirmation, is the last."""
    view = perspective.view
    asked = tile is None or (view.phase != "final" and tile not in view.ahead)
    return asked and drafts.is_last(view, perspective.table.computers_owing)


def _sending(perspective: Perspective, verb: str, tile: TileId | None = None, arg: str = "") -> Press:
    """Return a press that answers; its verb says if it's the last."""
    return panel_press(perspective.table, verb + LAST * closes(perspective, tile), arg)


def _closing(view: TangramView, what: str) -> str:
    return marks.capital(what) if view.seats == 1 else f"You're the last to answer, so {what}"


def _act(perspective: Perspective, shown: TangramPreview, tile: TileId) -> list[Button]:
    table = perspective.table
    row = [
        Button(
            "Place, show all" if closes(perspective, tile) else "Place",
            _sending(perspective, "place", tile),
            SUCCESS,
            disabled=shown.trouble is not None,
        ),
        Button(
            "Next fit" if shown.places > 1 else "Only fit",
            panel_press(table, "nudge", "next"),
            PRIMARY,
            disabled=not shown.places,
        ),
    ]
    if tile != FOUNTAIN:
        row.append(Button("Flip", panel_press(table, "nudge", "flip")))
    return row


def _instead(perspective: Perspective, tile: TileId) -> list[Button]:
    table, row = perspective.table, list[Button]()
    answered, ahead = drafts.has_answered(perspective.view, tile), tile in perspective.view.ahead
    if answered and ahead:
        row.append(Button("Take it back", panel_press(table, "return", str(tile))))
    else:
        row.append(Button("Set aside", panel_press(table, "decline")))
    if answered:
        row.append(Button("Keep my answer", panel_press(table, "keep")))
    elif ahead:
        row.append(Button("Later", panel_press(table, "later")))
    return row


async def _all_at_once(app: App, perspective: Perspective) -> list[Button]:
    view = perspective.view
    if view.phase != "final" or not perspective.table.suggests or len(drafts.open_tiles(view)) < 2:
        return []
    answers = await app.workers.run(drafts.best_answers, view)
    placed, aside = drafts.count_placed(answers), len(answers) - drafts.count_placed(answers)
    if not placed:
        return []
    label = f"Place {placed}, set {aside} aside" if aside else f"Place all {placed}"
    return [Button(label, panel_press(perspective.table, "place", drafts.ALL))]


def _ask(perspective: Perspective, tile: TileId) -> Page:
    table = perspective.table
    if tile == FOUNTAIN:
        text = "**Set this round's fountain aside?** You lose the fountain."
    else:
        text = f"**Set the {nouns.tile(tile)} aside?**"
        if closes(perspective, tile):
            text += " You lose the tile for good."
        else:
            text += (
                " You can change your answer until all players have answered. After that, you lose the tile."
            )
    if drafts.has_answered(perspective.view, tile):
        text += " Until you say yes, I keep your old answer."
    if closes(perspective, tile):
        text += f" {_closing(perspective.view, 'this answer is final.')}"
    row = [
        Button("Yes, set it aside", _sending(perspective, "aside", tile), DANGER),
        Button("No, keep it", panel_press(table, "back"), PRIMARY),
    ]
    return Page([text, row])


async def _after_answer_page(app: App, perspective: Perspective) -> Page:
    table, view = perspective.table, perspective.view
    lines = []
    for answer in view.mine:
        name = nouns.tile(answer.tile or FOUNTAIN)
        lines.append(
            f"the {name} is {'set aside' if answer.piece is None else nouns.piece_place(answer.piece)}"
        )
    lines += [f"the {nouns.tile(stuck)} fits nowhere" for stuck in drafts.stuck(view)]
    confirming = view.phase == "final" and view.viewer not in view.answered
    busy = event_lines.waiting(view, table.names, view.viewer if view.viewer is not None else 0)
    if confirming:
        text = "**You've answered everything.** Confirm your answers, or change them first."
        if drafts.is_last(view, table.computers_owing):
            text += " " + _closing(view, "you can't change anything after that.")
    else:
        text = f"**{_answer_label(view)}.** You can change your answer until {busy} {_are(busy)} done."
    page = Page([f"{text}\n-# {' '.join(f'{marks.capital(line)}.' for line in lines)}" if lines else text])
    page.parts.append(await app.pictures.special(table, "preview", view, None))
    row = [Button("Confirm", _sending(perspective, "done"), SUCCESS)] if confirming else []
    changes = [
        Button(
            f"{'Change' if drafts.has_answered(view, tile) else 'Place'} the {nouns.tile(tile)}",
            panel_press(table, "change", str(tile)),
        )
        for tile in drafts.tiles_to_answer(view)
    ]
    page.parts.append([*row, *changes])
    return page


def _answer_label(view: TangramView) -> str:
    if any(answer.piece is not None for answer in view.mine):
        return "Placed"
    return "Set aside" if view.mine else "Done"


def _are(busy: str) -> str:
    return "are" if " and " in busy else "is"
