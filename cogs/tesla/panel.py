"""The private panel: a tile at its best place, then a marker, then discards and the turn's end."""

from collections.abc import Sequence
from itertools import groupby

import discord
from msgspec.structs import replace

from cogs.core.app import App
from cogs.play.assembly import undo_buttons
from cogs.play.panel import load_draft, panel_press
from cogs.tesla import draft as drafts
from cogs.ui.page import DANGER, MENU_LIMIT, PLAIN, PRIMARY, SUCCESS, Button, Extra, Menu, Option, Page, Part
from engines.marks import capital, with_icon
from engines.tesla import moves, preview
from engines.tesla.pieces.board import circuit_name
from engines.tesla.view import TeslaView
from engines.tesla.words import event_lines, nouns, previews
from engines.words import format_points, join_words
from tables.core.table import Table
from tables.play.play import Perspective

NOWHERE = "you have none to take back, and no free tile to put one on"
NO_MORE_TILES = "You've used your marker, so you can't place tiles."
AFTER_A_TILE = "You can use a marker after you place this tile."
CUTS = f"-# This tile can cut a circuit: press **Adjust**, then choose **{drafts.GROUPS['cuts']}**."
ENDING, USUAL = "end", "usual"
"""The arguments of a press that ends the turn as well: after the drafted marker, or the usual one."""
SEVERAL = 2
"""Tiles that are worth a button of their own."""
CIRCUITS = 12
"""Lines a page of the menu of circuits: they fit on a phone, and the picture stays calm."""


async def panel(app: App, perspective: Perspective, nudge: drafts.Nudge | None = None) -> Page:
    draft = await load_draft(app, perspective, drafts.TeslaDraft)
    view: TeslaView = perspective.view
    if view.phase == "replay":
        return await _marker(app, perspective, draft)
    hand = drafts.own_hand(view)
    match draft.step:
        case "tile" if view.phase == "tiles" and hand and draft.tile <= len(hand):
            return await _tile(app, perspective, draft, nudge)
        case "marker" if view.phase == "tiles" and view.may_mark:
            return await _marker(app, perspective, draft)
        case "discard" if hand:
            return await _discard(app, perspective, draft)
        case _:
            return await _home(app, perspective)


def _back(table: Table) -> Button:
    return Button("Back", panel_press(table, "tiles"))


async def _home(app: App, perspective: Perspective) -> Page:
    table, view = perspective.table, perspective.view
    tiles = drafts.own_hand(view)
    shape = view.options.tiles
    if view.phase == "end":
        headline = "**You've used your marker. Now end your turn.** You can discard tiles first."
    elif not tiles and view.may_mark:
        headline = "**You have no tiles left. Use a marker or end your turn.**"
    elif not tiles:
        headline = "**You have no tiles left. Now end your turn.**"
    elif view.may_mark:
        headline = "**Place as many tiles as you like, use one marker, then end your turn.**"
    else:
        headline = (
            "**Place as many tiles as you like, then end your turn.** You can't use a marker this turn."
        )
    barred, usual = _why_no_marker(view), await _usual_marker(app, perspective)
    page = Page([headline + barred], [[line] for line in _standing(table, view)], _dangers(table, view))
    page.parts.append(await app.pictures.special(table, "turn", view, _circuits_to_tag(usual)))
    if view.phase == "tiles" and tiles:
        page.parts.append(
            [
                Button(
                    nouns.tile_by_number(shape, place, face), panel_press(table, "tile", str(place)), PRIMARY
                )
                for place, face in enumerate(tiles, start=1)
            ]
        )
        page.parts.append(
            "-# "
            + " · ".join(f"Tile {n}: {nouns.tile(shape, face)}" for n, face in enumerate(tiles, start=1))
        )
    row = [*_discards(perspective), *_turn_buttons(perspective, barred, usual)]
    page.parts.append([*row, *await undo_buttons(app, perspective)])
    return page


def _standing(table: Table, view: TeslaView) -> list[str]:
    """Return everybody's points and threats; a puzzle says its own."""
    return [event_lines.standing(view, table.names, view.seat)] if table.suggests else []


def _dangers(table: Table, view: TeslaView, now: TeslaView | None = None) -> tuple[str, ...]:
    """Return what must be read first; a puzzle says its own."""
    return event_lines.dangers(view, table.names, view.seat, now) if table.suggests else ()


async def _usual_marker(app: App, perspective: Perspective) -> drafts.UsualMarker | None:
    """Return the usual marker move, unless tiles come first. None in a puzzle, too."""
    view: TeslaView = perspective.view
    if not perspective.table.suggests or not (
        view.may_mark and view.phase == "tiles" and (view.acted or not drafts.own_hand(view))
    ):
        return None
    usual: drafts.UsualMarker | None = await app.workers.run(drafts.usual_marker, view)
    return usual


def _why_no_marker(view: TeslaView) -> str:
    if view.phase != "tiles" or not view.may_mark or preview.can_mark(view):
        return ""
    return f"\n-# You can't use a marker now, because {NOWHERE}."


def _turn_buttons(
    perspective: Perspective,
    barred: str,
    usual: drafts.UsualMarker | None,
    end: discord.ButtonStyle = SUCCESS,
) -> list[Button]:
    table, view, row = perspective.table, perspective.view, list[Button]()
    if view.phase == "tiles" and view.may_mark:
        row.append(
            Button(with_icon("tesla_marker", "Marker"), panel_press(table, "marker"), disabled=bool(barred))
        )
    is_open = not table.suggests and is_idle(view)
    row.append(Button("End turn", panel_press(table, "done"), PLAIN if is_open else end))
    if usual is not None:  # first, for a long button is a line of its own on a phone
        row.insert(0, Button(capital(_ending(usual)), panel_press(table, "confirm", USUAL), PRIMARY))
    return row


def _last_tile(table: Table, ending: drafts.Ending | None) -> list[Button]:
    if ending is None:
        return []
    usual = ending.marker
    label = f"Place, {'end turn' if usual is None else _ending(usual)}"
    return [Button(label, panel_press(table, "place", ENDING if usual is None else USUAL), PRIMARY)]


def _whole_hand(table: Table, ending: drafts.Ending | None, held: int) -> list[Button]:
    """Return the button that places the shown tile and those after it."""
    if ending is None or len(ending.placed) < SEVERAL:
        return []
    label = f"Place all {held} tiles" if len(ending.placed) == held else f"Place {len(ending.placed)} tiles"
    return [Button(label, panel_press(table, "all"))]


def _whole_hand_cells(every: Sequence[Button], ending: drafts.Ending | None) -> list[Extra]:
    """Return the cells of the tiles that the button places."""
    if ending is None:
        return []
    text = " and then ".join(
        f"{'replaces' if replaces else 'uses'} {join_words([move.cell for move in run])}"
        for replaces, run in groupby(ending.placed, lambda move: isinstance(move, moves.Replace))
    )
    return [[f"-# **{button.label}** {text}."] for button in every]


def _circuits_to_tag(usual: drafts.UsualMarker | None) -> tuple[int, ...]:
    return () if usual is None else (usual.circuit,)


def _ending(usual: drafts.UsualMarker) -> str:
    verb = "take" if isinstance(usual.move, moves.Take) else "mark"
    label = f"{verb} {circuit_name(usual.circuit)}: {format_points(usual.points)}"
    return label + (" and win" if usual.wins else ", end turn")


def _discards(perspective: Perspective) -> list[Button]:
    has_tiles = bool(drafts.own_hand(perspective.view))
    return [Button("Discard", panel_press(perspective.table, "discard"))] if has_tiles else []


async def _tile(
    app: App, perspective: Perspective, draft: drafts.TeslaDraft, nudge: drafts.Nudge | None
) -> Page:
    table, view = perspective.table, perspective.view
    ahead, ending = await app.workers.run(
        drafts.look_to_the_end, view, table.names, draft, nudge, suggests=table.suggests
    )
    await app.parlour.save_draft(table, view.seat, ahead.draft)
    tile, barred = ahead.draft.tile, _why_no_marker(view)
    usual = await _usual_marker(app, perspective) if ending is None else None
    if ahead.fit is None:
        text = f"**Tile {tile} fits nowhere.** Choose another tile, or discard this tile.{barred}"
        row = [*_discards(perspective), *_turn_buttons(perspective, barred, usual)]
        others = [*_other_tiles(table, view, tile), *await undo_buttons(app, perspective)]
        return Page(
            [
                text,
                await app.pictures.special(table, "turn", view, _circuits_to_tag(usual)),
                *([others] if others else []),
                row,
            ],
            warnings=_dangers(table, view),
        )
    where = nouns.at(ahead.fit.move.cell, drafts.turn_to_degrees(view.options.tiles, ahead.fit.move.turn))
    cell, _, turned = where.partition(", ")
    replaces = isinstance(ahead.fit.move, moves.Replace)
    where = f", {turned}, replaces the tile at {cell}" if replaces else f" at {where}"
    warns = "⚠️ " if table.suggests else ""
    lines = [f"**Tile {tile}{where}:** {ahead.told}.", *(f"{warns}{line}" for line in ahead.warnings)]
    lines += ahead.wins
    is_idle = ahead.told.startswith(previews.CHANGES_NOTHING) and table.suggests
    if is_idle and ahead.is_best:
        instead = "Use a marker" if view.may_mark and not barred else "Try another tile"
        lines.append(f"This tile has no good place. {instead} or end your turn.")
    soon = f"\n-# {AFTER_A_TILE}" if barred and ahead.marks else barred
    lines += [soon.strip()] if soon else []
    by_hand, others = ahead.draft.by_hand, _other_tiles(table, view, tile)
    every = _whole_hand(table, ending, 1 + len(others))
    if ending is not None and ending.rings:
        lines += [f"**{button.label}:** {join_words(ending.rings)}." for button in every]
    page = Page(["\n".join(lines)], warnings=_dangers(table, view))
    what = "preview" if table.suggests else "whole_preview"
    # Without an ending the button is about the board before the tile, where the circuit can be another.
    named = [_circuits_to_tag(None if ending is None else ending.marker)] if table.suggests else []
    page.parts.append(await app.pictures.special(table, what, view, ahead.fit, tile, *named))
    place_style = DANGER if ahead.warnings and table.suggests else PLAIN if is_idle else SUCCESS
    page.parts.append(
        [
            Button("Place", panel_press(table, "place"), place_style),
            Button("Next place", panel_press(table, "nudge", "next"), PRIMARY),
            *every,
            *([Button("Hide arrows", panel_press(table, "by_hand", "0"))] if by_hand else []),
        ]
    )
    if by_hand:
        arrows = (("left", "Left"), ("up", "Up"), ("down", "Down"), ("right", "Right"))
        pad = [Button(sign, panel_press(table, "nudge", way)) for way, sign in arrows]
        turn = f"Rotate ({ahead.turns})", panel_press(table, "nudge", "turn")
        page.parts.append([*pad, Button(*turn, disabled=ahead.turns < 2)])
        page.parts.append(Menu(panel_press(table, "group"), "Which places?", ahead.kinds))
    title = f"Places, page {ahead.draft.page + 1} of {ahead.pages}" if ahead.pages > 1 else "Places"
    page.parts.append(Menu(panel_press(table, "spot"), title, ahead.places))
    if by_hand and ahead.pages > 1:
        page.parts.append(_pages(table, ahead.draft.page, ahead.pages, "places"))
    if row := [*others, *await undo_buttons(app, perspective)]:
        page.parts.append(row)
    page.parts.append([*_last_tile(table, ending), *_turn_buttons(perspective, barred, usual, end=PLAIN)])
    adjust = [] if by_hand else [Button("Adjust", panel_press(table, "by_hand", "1"))]
    standing: list[Extra] = [[f"-# {ahead.standing}"]] if table.suggests else []
    cuts: list[Extra] = [[CUTS]] if adjust and any(one.value == "cuts" for one in ahead.kinds) else []
    page.optional = [*adjust, *_discards(perspective), *_whole_hand_cells(every, ending), *cuts, *standing]
    return page


def _other_tiles(table: Table, view: TeslaView, chosen: int) -> list[Button]:
    return [
        Button(f"Tile {place}", panel_press(table, "tile", str(place)))
        for place, _ in enumerate(drafts.own_hand(view), start=1)
        if place != chosen
    ]


def _pages(table: Table, page: int, pages: int, what: str) -> list[Button]:
    return [
        Button(f"Earlier {what}", panel_press(table, "page", str(page - 1)), disabled=page == 0),
        Button(f"More {what}", panel_press(table, "page", str(page + 1)), disabled=page + 1 == pages),
    ]


async def _marker(app: App, perspective: Perspective, draft: drafts.TeslaDraft) -> Page:
    table, view = perspective.table, perspective.view
    sites: list[preview.Site] = await app.workers.run(preview.sites, view)
    replaying = view.phase == "replay"
    proposed = draft.circuit is None and not replaying and table.suggests
    if proposed:
        draft = drafts.with_usual_choice(view, sites, draft)
    site = next((one for one in sites if one.circuit == draft.circuit), None)
    move = drafts.marker_move(view, site, draft)
    found = [(points, one, line) for one in sites for points, line in _site_lines(view, one, site, move)]
    lines = [(one, line) for _, one, line in sorted(found, key=lambda of: -of[0])]  # the most points first
    if proposed:
        first = next((number for number, (_, line) in enumerate(lines) if line.chosen), 0)
        draft = replace(draft, page=first // CIRCUITS)
        await app.parlour.save_draft(table, view.seat, draft)
    pages = max(1, -(-len(lines) // CIRCUITS))
    at = max(0, min(draft.page, pages - 1))
    shown = lines[at * CIRCUITS : (at + 1) * CIRCUITS]
    offered = list({one.circuit: one for one, _ in shown}.values())
    after = view if move is None else preview.move_preview(view, move).view
    tagged = offered if site is None or move is None or proposed else [site]
    picture = await app.pictures.special(table, "choices", after, tagged)
    standing = _standing(table, view) if move is None else []
    text = _marker_text(view, table.names, site, move, after, any_site=bool(sites))
    page = Page(["\n".join([text, *standing]), picture], warnings=_dangers(table, after, view))
    if sites:
        page.parts.append(Menu(panel_press(table, "circuit"), "Which circuit?", [line for _, line in shown]))
        if pages > 1:
            page.parts.append(_pages(table, at, pages, "circuits"))
        if site is not None and move is not None:
            page.parts += _where(table, view, site, move)
    row = []
    if move is not None:
        ruinous = drafts.is_self_eliminating(move, after)
        cost = format_points(drafts.points_of(view, site, move))
        label = f"Confirm {cost} and be out" if ruinous else f"Confirm {cost}"
        row.append(Button(label, panel_press(table, "confirm"), DANGER if ruinous else SUCCESS))
        if not (replaying or ruinous or drafts.is_winning(move, after)):
            row.append(Button("Confirm, end turn", panel_press(table, "confirm", ENDING), PRIMARY))
    if replaying:
        row.append(Button("No more markers", panel_press(table, "done")))
        row += await undo_buttons(app, perspective)
    else:
        row.append(_back(table))
    page.parts.append(row)
    return page


def _marker_text(
    view: TeslaView,
    names: Sequence[str],
    site: preview.Site | None,
    move: moves.Move | None,
    after: TeslaView,
    *,
    any_site: bool,
) -> str:
    me = view.seat
    if view.phase == "replay":
        lead = "**Your ring has scored.** You can put at most "
        lead += f"{nouns.markers(view.replays)} back on the board now. Each costs the usual points."
    else:
        lead = (
            "**Use one marker.** Either you mark a circuit and pay its length, or you take a "
            "marker back and score the circuit's length. After that, you can't place tiles."
        )
    if not any_site:
        lead = f"**You can't use a marker now**, because {NOWHERE}."
    if site is None or move is None:
        return lead
    circuit = view.board.circuits[site.circuit]
    score = view.scores[me] + drafts.points_of(view, site, move)
    verb = "Take your marker from" if isinstance(move, moves.Take) else "Mark"
    text = (
        f"**{verb} {circuit_name(site.circuit)}** ({nouns.length(circuit)}): "
        f"{nouns.gain(drafts.points_of(view, site, move))}. You'd have {nouns.count_points(score)}."
    )
    if drafts.is_winning(move, after):
        alone = "" if score >= view.options.win else ", because nobody else is left"
        text += f" **You win the game{alone}.**"
    if view.phase == "tiles":
        text += "\n-# You can use one marker a turn. After that, you can't place tiles."
        text += " The menu lists everything you can mark or take back."
    if drafts.is_self_eliminating(move, after):
        text += f"\n⚠️ You'd be out, because you'd be {view.behind} or more points behind the leader."
    return text


def _site_lines(
    view: TeslaView, site: preview.Site, chosen_site: preview.Site | None, move: moves.Move | None
) -> list[tuple[int, Option]]:
    circuit = view.board.circuits[site.circuit]
    me, name = view.seat, circuit_name(site.circuit)
    owner = view.board.owner(site.circuit)
    count = sum(view.board.markers[cell].seat == me for cell in circuit.markers)
    whose = "free" if owner is None else f"yours with {nouns.markers(count)}"
    about, taking = f"{capital(nouns.length(circuit))}, {whose}.", isinstance(move, moves.Take)
    here = chosen_site is not None and move is not None and chosen_site.circuit == site.circuit
    lines = []
    if site.mine and view.phase == "tiles":
        after = nouns.count_points(view.scores[me] + circuit.value)
        taken = Option(
            f"Take {name}: {format_points(circuit.value)}",
            f"{site.circuit} {drafts.TAKE} {site.mine[0]}",
            f"{about} You'd have {after}.",
            here and taking,
        )
        lines.append((circuit.value, taken))
    if site.spots:
        after = nouns.count_points(view.scores[me] - circuit.value)
        put = Option(
            f"Mark {name}: {format_points(-circuit.value)}",
            f"{site.circuit} {drafts.PUT}",
            f"{about} You'd have {after}. The marker goes to {site.spots[0][0]}.",
            here and not taking,
        )
        lines.append((-circuit.value, put))
    return lines


def _where(table: Table, view: TeslaView, site: preview.Site, move: moves.Move) -> list[Part]:
    """Return the circuit's tiles: a marker protects its own."""
    shape = view.options.tiles
    if isinstance(move, moves.Take):
        if len(site.mine) < 2:
            return []
        lines = [
            Option(cell, f"{drafts.TAKE} {cell}", chosen=cell == move.cell) for cell in site.mine[:MENU_LIMIT]
        ]
        return [Menu(panel_press(table, "where"), "Which of your markers?", lines)]
    if len(site.spots) < 2 or not isinstance(move, moves.Mark | moves.Replay):
        return []
    lines = [
        Option(
            f"{cell}, {nouns.heading(shape, segment)}",
            f"put {drafts.spot_key(cell, segment)}",
            chosen=(cell, segment) == (move.cell, move.segment),
        )
        for cell, segment in site.spots[:MENU_LIMIT]
    ]
    menu = Menu(panel_press(table, "where"), "Protect which tile?", lines)
    if len(site.spots) <= MENU_LIMIT:
        return [menu]
    return [menu, f"-# These are {MENU_LIMIT} of {len(site.spots)} tiles. `/tesla choose` finds them all."]


async def _discard(app: App, perspective: Perspective, draft: drafts.TeslaDraft) -> Page:
    table, view = perspective.table, perspective.view
    tiles = drafts.own_hand(view)
    thrown = [place for place in draft.thrown if place <= len(tiles)]
    text = "**Which tiles do you want to discard?** If you discard, your turn ends. You draw until you have "
    text = "\n".join([f"{text}{max(view.held[view.seat], drafts.HAND)}.", *_standing(table, view)])
    picture = await app.pictures.hand(perspective)
    page = Page([text, *([picture] if picture is not None else [])], warnings=_dangers(table, view))
    page.parts.append(
        [
            Button(
                f"{'✓ ' if place in thrown else ''}{nouns.tile_by_number(view.options.tiles, place, face)}",
                panel_press(table, "throw", str(place)),
                PRIMARY if place in thrown else PLAIN,
            )
            for place, face in enumerate(tiles, start=1)
        ]
    )
    label = "Discard and end turn"
    if thrown:
        label = f"Discard {'1 tile' if len(thrown) == 1 else f'{len(thrown)} tiles'} and end turn"
    page.parts.append([Button(label, panel_press(table, "toss"), SUCCESS, disabled=not thrown), _back(table)])
    return page


def ask_idle(table: Table, view: TeslaView) -> Page:
    """Return the question before an idle or a final turn's end."""
    if preview.would_end_idle(view):
        text = "**If you end your turn now, the game ends.** End your turn?"
    else:
        text = "**You haven't placed a tile or used a marker.** End your turn?"
    row = [Button("End my turn", panel_press(table, "pass"), DANGER), _back(table)]
    return Page([text, row], warnings=_dangers(table, view))


def is_idle(view: TeslaView) -> bool:
    """Return True if the seat has done nothing, though it could."""
    return view.phase == "tiles" and not view.acted and bool(drafts.own_hand(view))
