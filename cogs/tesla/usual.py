"""Proposes the marker that ends a turn, and places for the rest of the hand."""

from collections.abc import Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from cogs.tesla.draft import PUT, TAKE, Nudge, TeslaDraft, TeslaPreview, choose_tile, look, own_hand, spot_key
from engines.tesla import moves, preview
from engines.tesla.pieces.cells import Cell
from engines.tesla.preview import Site
from engines.tesla.view import TeslaView
from engines.tesla.words import previews

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
    """Return True if a marker move eliminates its own seat."""
    return isinstance(move, moves.Mark | moves.Replay) and after.viewer in after.out


def is_winning(move: moves.Move, after: TeslaView) -> bool:
    """Return True if taking a marker wins at once."""
    return isinstance(move, moves.Take) and after.over


@dataclass(frozen=True)
class Ending:
    """The ways to go on after the shown placement.

    Attributes:
        marker: the usual marker after it; None without one.
        placed: the cells of the tiles that would be placed with all of the hand.
        rings: the rings that the tiles after the shown one would close.
    """

    marker: UsualMarker | None
    placed: tuple[Cell, ...] = ()
    rings: tuple[str, ...] = ()


def ending_after(view: TeslaView, move: Placement) -> Ending | None:
    """Return how the turn can end after a placement. None if it goes on."""
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
    if ahead.fit is None or ahead.warnings or ahead.told == previews.CHANGES_NOTHING or not suggests:
        return ahead, None
    ending = ending_after(view, ahead.fit.move)
    if ending is None:
        return ahead, None
    places, now, rings = best_places(view, names, ahead.fit.move), view, list[str]()
    for move in places:
        made = preview.move_preview(now, move)
        rings += previews.name_rings(made.events, names, view.seat) if move != places[0] else ()
        now = made.view
    return ahead, Ending(ending.marker, tuple(move.cell for move in places), tuple(rings))


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
        if warnings or told == previews.CHANGES_NOTHING:
            break
        made.append(places[0].move)
        view = ahead.view
    return tuple(made)
