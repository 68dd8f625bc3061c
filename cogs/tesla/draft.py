"""A tile's legal places in the panel, and proposals for the rest of the hand.

A worker computes them: a hand has hundreds of places, and each is judged.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import msgspec
from msgspec.structs import replace

from cogs.ui.page import MENU_LIMIT, Option
from engines.marks import capital
from engines.tesla import moves, preview
from engines.tesla.pieces.board import Cell, centre
from engines.tesla.pieces.components import COMMON, Face, Tiles, shape
from engines.tesla.preview import Fit, Site
from engines.tesla.view import TeslaView
from engines.tesla.words import event_lines, previews

Step = Literal["home", "tile", "marker", "discard"]
Nudge = Literal["left", "up", "down", "right", "turn", "next"]

BEST = ", best first"
GROUPS = {
    "best": f"All places{BEST}",
    "closes": "Close a ring",
    "lengthens": "Lengthen your circuits",
    "joins": "Join or lengthen others' circuits",
    "cuts": "Cut or take over circuits",
    "other": "Elsewhere",
}
HAND = COMMON.hand
DESCRIPTION = 100
"""Characters that Discord shows below a menu's line."""
TAKE = "take"
"""The prefix of a draft's spot that takes a marker."""
PUT = "put "
"""The prefix of a draft's spot that puts a marker on any tile of the circuit."""
DIRECTIONS = {"left": (-1.0, 0.0), "right": (1.0, 0.0), "up": (0.0, -1.0), "down": (0.0, 1.0)}


class TeslaDraft(msgspec.Struct, frozen=True):
    """A seat's progress in its panel.

    Attributes:
        step: the open page of the panel.
        tile: the number of the chosen tile in the hand, from 1 on; 0 for the most useful one.
        group: the kind of places that are listed; `page` of them, from 0 on.
        cell, turn: the cursor's place and turn.
        by_hand: True if the panel shows the buttons that move the cursor, and the kinds of places.
        circuit: the circuit chosen in the marker step; `spot` its place, or the marker to take.
        thrown: the numbers of the tiles to be discarded.
    """

    step: Step = "tile"
    tile: int = 0
    group: str = "best"
    page: int = 0
    cell: Cell | None = None
    turn: int = 0
    by_hand: bool = False
    circuit: int | None = None
    spot: str | None = None
    thrown: tuple[int, ...] = ()


@dataclass(frozen=True)
class TeslaPreview:
    """The options for one tile.

    Attributes:
        fit: the placement under the cursor; None if the tile fits nowhere.
        draft: the draft with the cursor's present place.
        told: the effect of that placement; `warnings` its unwelcome part.
        standing: everybody's scores after it; `marks` is True if a marker could be used then.
        kinds: the kinds of places as a menu's lines, `places` a page of those that are listed.
        pages: the number of pages.
        turns: the number of ways in which the tile fits at the cursor.
        is_best: True if the cursor is at the tile's best place.
    """

    fit: Fit | None
    draft: TeslaDraft
    told: str = ""
    warnings: tuple[str, ...] = ()
    wins: Sequence[str] = ()
    standing: str = ""
    marks: bool = False
    kinds: tuple[Option, ...] = ()
    places: tuple[Option, ...] = ()
    pages: int = 1
    turns: int = 0
    is_best: bool = False


@dataclass(frozen=True)
class _Field:
    """The legal places of one tile, all and those of the chosen kind."""

    every: list[Fit]
    listed: list[Fit] = field(default_factory=list)


def look(
    view: TeslaView,
    names: Sequence[str],
    draft: TeslaDraft,
    nudge: Nudge | None = None,
    *,
    suggests: bool = True,
) -> TeslaPreview:
    """Return a tile's places, with the cursor moved by `nudge`.

    Unless it `suggests` some, the first tile is at hand, and places come in the board's order.
    """
    if not (suggests or draft.tile):
        draft = msgspec.structs.replace(draft, tile=1)
    draft, every = choose_tile(view, draft)
    if not suggests:
        every = sorted(
            every, key=lambda fit: (centre(view.options.tiles, fit.move.cell)[::-1], fit.move.turn)
        )
    listed = [fit for fit in every if draft.group in ("best", fit.group)]
    if not listed:
        listed, draft = every, msgspec.structs.replace(draft, group="best", page=0)
    if not every:
        return TeslaPreview(None, draft)
    here = [fit for fit in every if fit.move.cell == draft.cell]
    under = next((fit for fit in here if fit.move.turn == draft.turn), here[0] if here else listed[0])
    fit = _nudge(view.options.tiles, _Field(every, listed), under, nudge)
    pages = -(-len(listed) // MENU_LIMIT)
    page = max(0, min(draft.page, pages - 1))
    if nudge is not None and fit in listed:
        page = listed.index(fit) // MENU_LIMIT
    draft = msgspec.structs.replace(draft, page=page, cell=fit.move.cell, turn=fit.move.turn)
    ahead = preview.move_preview(view, fit.move)
    return TeslaPreview(
        fit,
        draft,
        told=previews.effect(view, ahead, names),
        warnings=previews.unwelcome_effects(ahead.events, ahead.view, names, view.seat),
        wins=previews.effect_on_wins(view, ahead.view, names, view.seat) if suggests else (),
        standing=event_lines.standing(ahead.view, names, view.seat, view),
        marks=preview.can_mark(ahead.view),
        kinds=_kinds(every, draft.group, suggests=suggests),
        places=tuple(
            _line(view, names, shown, chosen=shown == fit)
            for shown in listed[page * MENU_LIMIT : (page + 1) * MENU_LIMIT]
        ),
        pages=pages,
        turns=sum(other.move.cell == fit.move.cell for other in every),
        is_best=suggests and fit == every[0],
    )


def choose_tile(view: TeslaView, draft: TeslaDraft) -> tuple[TeslaDraft, list[Fit]]:
    """Return the drafted or most useful tile, and its best places."""
    tiles = own_hand(view)
    if draft.tile:
        return draft, preview.fits(view, tiles[draft.tile - 1])
    places = {face: preview.fits(view, face) for face in dict.fromkeys(tiles)}
    best = max(places, key=lambda face: places[face][0].evaluation if places[face] else -math.inf)
    return msgspec.structs.replace(draft, tile=tiles.index(best) + 1), places[best]


def own_hand(view: TeslaView) -> tuple[Face, ...]:
    return (() if view.viewer is None else view.hands[view.viewer]) or ()


def turn_to_degrees(tiles: Tiles, turn: int) -> int:
    """Return a tile's turn in degrees.

    >>> turn_to_degrees("hex", 2), turn_to_degrees("square", 1)
    (120, 90)
    """
    return turn * 360 // shape(tiles).sides


def key(fit: Fit) -> str:
    return f"{fit.move.cell} {fit.move.turn}"


def spot_key(cell: str, segment: tuple[int, int]) -> str:
    """Return a segment of the board as a short word: "AA49/03"."""
    return f"{cell}/{segment[0]}{segment[1]}"


def _kinds(fits: Sequence[Fit], chosen: str, *, suggests: bool) -> tuple[Option, ...]:
    counts = {group: sum(group in ("best", fit.group) for fit in fits) for group in GROUPS}
    return tuple(
        Option(
            f"{title if suggests else title.removesuffix(BEST)} ({counts[group]})",
            group,
            chosen=group == chosen,
        )
        for group, title in GROUPS.items()
        if counts[group]
    )


def _line(view: TeslaView, names: Sequence[str], fit: Fit, *, chosen: bool) -> Option:
    tiles = view.options.tiles
    # A phone's closed menu cuts long labels.
    label = f"{fit.move.cell}, {turn_to_degrees(tiles, fit.move.turn)}°"
    if isinstance(fit.move, moves.Replace):
        label += ", replaces"
    text = previews.effect(view, preview.move_preview(view, fit.move), names, DESCRIPTION)
    return Option(label, key(fit), capital(text), chosen)


def _nudge(tiles: Tiles, places: _Field, fit: Fit, nudge: Nudge | None) -> Fit:
    """Return a pad button's placement; the same one without another."""
    match nudge:
        case None:
            return fit
        case "turn":
            here = sorted(
                (other for other in places.every if other.move.cell == fit.move.cell),
                key=lambda other: other.move.turn,
            )
            return here[(here.index(fit) + 1) % len(here)]
        case "next":
            listed = places.listed
            return listed[(listed.index(fit) + 1) % len(listed)] if fit in listed else listed[0]
        case direction:
            return _beside(tiles, places.every, fit, DIRECTIONS[direction])


def _beside(tiles: Tiles, fits: Sequence[Fit], fit: Fit, direction: tuple[float, float]) -> Fit:
    x, y = centre(tiles, fit.move.cell)

    def distance(cell: Cell) -> float | None:
        there = centre(tiles, cell)
        dx, dy = there[0] - x, there[1] - y
        along = dx * direction[0] + dy * direction[1]
        across = abs(dx * direction[1]) + abs(dy * direction[0])
        return along + 2 * across if along > 0.1 and across <= along * 1.8 else None

    cells = {other.move.cell: distance(other.move.cell) for other in fits}
    reached = {cell: far for cell, far in cells.items() if far is not None}
    if not reached:
        return fit
    nearest = min(reached, key=lambda cell: reached[cell])
    return next(other for other in fits if other.move.cell == nearest)


Placement = moves.TeslaPlace | moves.Replace
WORTH_TAKING = 5
"""Points from which a marker is usually taken back rather than left to grow."""


@dataclass(frozen=True)
class UsualMarker:
    """The marker move that the panel proposes in one press."""

    move: moves.Mark | moves.Take
    circuit: int
    points: int
    wins: bool

    def moves_to_the_end(self) -> list[moves.Move]:
        """Return the marker move, and the turn's end unless it wins."""
        return [self.move] if self.wins else [self.move, moves.TeslaEndTurn()]


def usual_marker(view: TeslaView, placed: Cell | None = None) -> UsualMarker | None:
    """Return the marker move that the panel proposes; None without one.

    Of equally good circuits it is one of the tile that was `placed` just now.
    """
    beside = view.board.tiles[placed].circuits if placed is not None else ()
    sites = sorted(preview.sites(view), key=lambda site: site.circuit not in beside)
    draft = with_usual_choice(view, sites, TeslaDraft())
    site = next((one for one in sites if one.circuit == draft.circuit), None)
    move = marker_move(view, site, draft)
    if site is None or not isinstance(move, moves.Mark | moves.Take):
        return None
    wins = is_winning(move, preview.move_preview(view, move).view)
    return UsualMarker(move, site.circuit, points_of(view, site, move), wins)


def with_usual_choice(view: TeslaView, sites: Sequence[Site], draft: TeslaDraft) -> TeslaDraft:
    """Return the usual draft: take a grown marker, or put one.

    Unchanged if there is no such choice, or it would put its own seat out.
    """
    circuits = view.board.circuits
    grown = [one for one in sites if one.mine and circuits[one.circuit].value >= WORTH_TAKING]
    free = [one for one in sites if one.spots]
    if grown:
        site = max(grown, key=lambda one: circuits[one.circuit].value)
        spot = f"{TAKE} {site.mine[0]}"
    elif free:
        site, spot = min(free, key=lambda one: circuits[one.circuit].value), PUT
    else:
        return draft
    result = replace(draft, circuit=site.circuit, spot=spot)
    move = marker_move(view, site, result)
    return (
        draft if move is None or is_self_eliminating(move, preview.move_preview(view, move).view) else result
    )


def marker_move(
    view: TeslaView, site: Site | None, draft: TeslaDraft
) -> moves.Mark | moves.Take | moves.Replay | None:
    """Return a draft's marker move: a take, or a harmless put."""
    if site is None or draft.spot is None:
        return None
    verb, _, where = draft.spot.partition(" ")
    if verb == TAKE:
        return moves.Take(where) if where in site.mine else None
    for cell, segment in site.spots:
        if where in ("", spot_key(cell, segment)):
            return moves.Replay(cell, segment) if view.phase == "replay" else moves.Mark(cell, segment)
    return None


def points_of(view: TeslaView, site: Site | None, move: moves.Move) -> int:
    value = 0 if site is None else view.board.circuits[site.circuit].value
    return value if isinstance(move, moves.Take) else -value


def is_self_eliminating(move: moves.Move, after: TeslaView) -> bool:
    return isinstance(move, moves.Mark | moves.Replay) and after.viewer in after.out


def is_winning(move: moves.Move, after: TeslaView) -> bool:
    return isinstance(move, moves.Take) and after.over


@dataclass(frozen=True)
class Ending:
    """The ways to go on after the shown placement.

    Attributes:
        marker: the usual marker after it; None without one.
        placed: the places of the tiles that would be placed with all of the hand.
        rings: the rings that the tiles after the shown one would close.
    """

    marker: UsualMarker | None
    placed: tuple[Placement, ...] = ()
    rings: tuple[str, ...] = ()


def ending_after(view: TeslaView, move: Placement) -> Ending | None:
    after = preview.move_preview(view, move).view
    if after.over or after.phase != "tiles" or after.viewer != after.seat:
        return None
    return Ending(usual_marker(after, move.cell) if after.may_mark else None)


def look_to_the_end(
    view: TeslaView,
    names: Sequence[str],
    draft: TeslaDraft,
    nudge: Nudge | None = None,
    *,
    suggests: bool = True,
) -> tuple[TeslaPreview, Ending | None]:
    """Return a tile's places, and the turn's end after the shown one.

    Nothing ends where it suggests nothing, and after a place with a warning or without an effect.
    """
    ahead = look(view, names, draft, nudge, suggests=suggests)
    if ahead.fit is None or ahead.warnings or ahead.told.startswith(previews.CHANGES_NOTHING) or not suggests:
        return ahead, None
    ending = ending_after(view, ahead.fit.move)
    if ending is None:
        return ahead, None
    places, now, rings = best_places(view, names, ahead.fit.move), view, list[str]()
    for move in places:
        made = preview.move_preview(now, move)
        rings += previews.name_rings(made.events, names, view.seat) if move != places[0] else ()
        now = made.view
    return ahead, Ending(ending.marker, places, tuple(rings))


def best_places(view: TeslaView, names: Sequence[str], first: Placement) -> tuple[Placement, ...]:
    """Return a placement, and those that the panel would propose next.

    They end before a tile that fits nowhere good, brings a warning, or ends the turn's tiles.
    """
    made, view = [first], preview.move_preview(view, first).view
    while own_hand(view) and view.phase == "tiles" and view.viewer == view.seat and not view.over:
        _, places = choose_tile(view, TeslaDraft())
        if not places:
            break
        ahead = preview.move_preview(view, places[0].move)
        told = previews.effect(view, ahead, names)
        warnings = previews.unwelcome_effects(ahead.events, ahead.view, names, view.seat)
        if warnings or told.startswith(previews.CHANGES_NOTHING):
            break
        made.append(places[0].move)
        view = ahead.view
    return tuple(made)
