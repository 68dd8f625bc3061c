"""Text and picture of the moves that the strong computer advises."""

from collections.abc import Sequence

from cogs.core.app import App
from cogs.core.pictures import Shown
from cogs.tangle.draft import paths, price
from cogs.tangle.foresight import foresee, preview
from cogs.tangle.panel import brings, draw_focus
from engines.game import Advice, Seat
from engines.marks import capital
from engines.tangle.legal.landing import obstacle
from engines.tangle.moves import Cast, Move, TangleDone, TanglePlace
from engines.tangle.pieces.amounts import NOTHING, RESOURCES
from engines.tangle.pieces.components import AREAS, CONDITIONS, SPACES, TRACKS, Action
from engines.tangle.preview import TurnPreview, bill
from engines.tangle.view import TangleView
from engines.tangle.words import move_names, nouns, previews, questions
from engines.words import join_words, why
from tables.play.play import Perspective

FEW_CARDS = 1
"""Cards up to which a player should draw."""
DRAWING: tuple[Action, ...] = ("take_cards", "gather_cards")


def line(view: TangleView, seat: Seat, advice: Advice, names: Sequence[str]) -> str:
    """Return a placement with its gains, or a choice's price."""
    lost = previews.losses(foresee(view, seat, advice.moves), seat, names, lead="then ")
    loss = "".join(f"\n{line}" for line in lost)
    match advice.moves[0]:
        case TanglePlace(start, to) as move if to in SPACES:
            result = brings(view, names, move, obstacle(view, move))
            text = f"From {start} to **{nouns.place(view, to)}**: {result}"
            return text + _why(view, seat, move) + _turn_preview(advice.leads_to) + loss
        case TanglePlace(start, to):
            home = f"From {start} home to **{nouns.place(view, to)}**"
            cards = len(view.hand or ())
            return f"{home}, so you can cast a card. You have {cards} card{'' if cards == 1 else 's'}."
        case Cast(card) as move:
            text = f"Cast **{nouns.card(card)}**{_price(view, move)}."
            if previews.does_nothing(view, card):
                return f"{text} Its effect does nothing now.{_turn_preview(advice.leads_to)}{loss}"
            return f"{text} {nouns.card_text(card)}{_turn_preview(advice.leads_to)}{loss}"
        case TangleDone():
            return f"**{questions.closing(view)}**."
        case move:
            text = move_names.move_name(move, view, names)
            return f"**{capital(text)}**{_price(view, move)}.{loss}"


def _why(view: TangleView, seat: Seat, move: TanglePlace) -> str:
    """Return why a placement helps: the resources that the seat lacks."""
    ahead, stash, held = preview(view, move), view.players[seat].stash, len(view.hand or ())
    reasons = []
    if ahead.action in DRAWING and held <= FEW_CARDS:
        reasons.append("you have only one card" if held else "you have no cards")
    reasons += [
        f"you have no {nouns.resource(what)}"
        for what, has, gets in zip(RESOURCES, stash, ahead.gained, strict=True)
        if gets and not has
    ]
    for track in TRACKS:
        now, then = (bill(one, seat, track).lost for one in (view, foresee(view, seat, [move])))
        if now > then:
            reasons.append(f"you can keep {now - then} more at the upkeep of {nouns.TRACK_NAMES[track]}")
    return why(reasons)


def _turn_preview(ahead: TurnPreview | None) -> str:
    """Return a turn's gains, and every nearer condition."""
    if ahead is None:
        return ""
    lines = [f"{name} +{number}" for name, number in ahead.more]
    if ahead.nearer:
        nearer = join_words(f"{number} nearer to {CONDITIONS[one].name}" for one, number in ahead.nearer)
        lines.append(f"**{nearer}**")
    return f" You can get: {', '.join(lines)}." if lines else ""


def _price(view: TangleView, move: Move) -> str:
    cost = price(view, move)
    return "" if cost == NOTHING else f" for {nouns.amount(cost)}"


async def picture(app: App, perspective: Perspective, moves: Sequence[Move]) -> Shown | None:
    table, view = perspective.table, perspective.view
    match moves[0]:
        case TanglePlace() as move:
            return await draw_focus(app, table, view, move)
        case move:
            areas = tuple(named for ways in paths(move)[:1] for named in ways if named in AREAS)
            return await app.pictures.special(table, "focus", view, areas) if areas else None
