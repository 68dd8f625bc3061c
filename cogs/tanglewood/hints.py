"""Text and picture of the moves that the strong computer advises."""

from collections.abc import Sequence

from cogs.core.app import App
from cogs.core.pictures import Shown
from cogs.tanglewood.panel import describe_choice, draw_placement, placement_line
from engines.game import Advice, Seat
from engines.marks import capital
from engines.tanglewood import preview
from engines.tanglewood.legal.deeds import workers_after
from engines.tanglewood.legal.moves import hops, markers_added
from engines.tanglewood.moves import KeepBallots, Move, TanglewoodDraw, TanglewoodPlace, TanglewoodStep
from engines.tanglewood.pieces.board import more, standing
from engines.tanglewood.pieces.components import SCORING, Region
from engines.tanglewood.view import TanglewoodView
from engines.tanglewood.words import nouns
from engines.tanglewood.words.previews import votes_now
from engines.words import join_words, plural, why
from tables.play.play import Perspective


def line(view: TanglewoodView, seat: Seat, advice: Advice, names: Sequence[str]) -> str:
    """Return a placement, a draw or a choice, with its result."""
    match advice.moves[0]:
        case TanglewoodPlace(region, count):
            track = next((move.track for move in advice.moves if isinstance(move, TanglewoodStep)), None)
            card, ahead = view.tangles[region], preview.placement_preview(view, seat, region, count, track)
            effect = "" if card is None else f" ({nouns.effect(card)})"
            gone = [nouns.colour(one, names) for one in ahead.evicted]
            loses = (
                f"{join_words(gone)} would lose 1 worker{' each' if len(gone) > 1 else ''}. " if gone else ""
            )
            where = f"{plural(count, 'marker')} in {nouns.place(region)}"
            return f"Place **{where}**{effect}. {capital(loses)}{placement_line(seat, ahead)}"
        case TanglewoodDraw(track):
            drawn = view.draw_value(seat)
            held, most = view.circles[seat], view.place_value(seat)
            grown = f"your circle grows from {held} to {held + drawn}, and you can place up to {most} a turn"
            step = "" if track is None else f". You also take {nouns.a_step(view, seat, track)}"
            return f"**Draw {plural(drawn, 'marker')}**: {grown}{step}."
        case TanglewoodStep(track):
            return f"**{capital(nouns.step(view, seat, track))}**."
        case KeepBallots(regions):
            text = capital(describe_choice(advice.moves[0], view, names))
            return f"**{text}**." + why(_lifts(view, seat, regions))
        case move:
            text = describe_choice(move, view, names)
            workers = workers_after(view.workers, seat, move, view.active)
            return f"**{capital(text)}**. {capital(votes_now(view, seat, workers, names))}."


def _lifts(view: TanglewoodView, seat: Seat, regions: Sequence[Region]) -> list[str]:
    """Return the kept ballots' standings, or why none are kept."""
    lifts = []
    for region in dict.fromkeys(regions):
        workers = view.workers[region]
        now, then = (standing(one, seat) for one in (workers, more(workers, seat, SCORING.ballot_markers)))
        if then != now:
            lifts.append(f"{region} would make you {nouns.ordinal(then)}")
    return lifts if regions else ["new ballots can help you more"]


async def picture(app: App, perspective: Perspective, moves: Sequence[Move]) -> Shown | None:
    """Return the map after the moves; None if it doesn't change."""
    table, view, move = perspective.table, perspective.view, moves[0]
    match move:
        case TanglewoodPlace(region, count):
            return await draw_placement(
                app, perspective, region, preview.placement_preview(view, perspective.me, region, count)
            )
        case _:
            made, brought = hops(move, view.active), markers_added(move)
            if not made and not brought:
                return None
            return await app.pictures.special(table, "preview", view, made, brought)
