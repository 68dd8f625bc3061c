"""The presenter of Tangram City: options, words, panel, hints and notes."""

from collections.abc import Sequence

from cogs.core import pictures, presenter
from cogs.core.app import App
from engines.game import Advice, Seat
from engines.tangram import moves
from engines.tangram.legal.moves import over
from engines.tangram.pieces import board, components
from engines.tangram.pieces.geometry import HEIGHT, WIDTH, square_bits
from engines.tangram.view import TangramView
from engines.tangram.words import nouns
from engines.words import why
from tables.play.play import Perspective

CHOICES = presenter.choices_of("tangram")


class TangramPresenter(presenter.Presenter):
    """See `cogs.core.presenter.Presenter`."""

    slug = "tangram"
    ends = moves.TangramEnded
    asks = moves.Revealed
    charted = "Points"
    tagline = "Everyone gets the same tiles. Who plans the best city?"
    length = "about 30 minutes"
    weight = presenter.Weight.EASY

    def choices(self, options: components.TangramOptions) -> list[presenter.Choice]:
        return [CHOICES["boards"], *([CHOICES["sides"]] if options.boards == "start" else [])]

    def summary(self, options: components.TangramOptions, seats: int | None = None) -> str:
        if options.boards != "start":
            return f"1 to 5 players · {options.boards} boards"
        return "1 to 5 players" + (" · choose your side" if options.sides == "choose" else "")


def line(view: TangramView, _seat: Seat, advice: Advice, _names: Sequence[str]) -> str:
    if isinstance(advice.moves[0], moves.ChooseSide):
        return f"Choose the **{advice.moves[0].side}** side." + why(["both sides are equally good"])
    pair = _answer(advice.moves[0])
    if pair is None:
        return "**Confirm** your answers."
    tile, piece = pair
    city = view.without(tile)
    if piece is None:
        aside = f"Set the **{nouns.tile(tile)}** aside. Your city would then have: {nouns.city(city)}."
        return aside + why(["every place for this tile would hurt your city"])
    built = city.add(piece)
    text = f"Place the **{nouns.tile(tile)}** here: {nouns.piece_place(piece)}."
    return f"{text} Your city would then have: {nouns.city(built)}." + why(_gains(city, built))


def _gains(before: board.City, after: board.City) -> list[str]:
    """Return a piece's gains: rectangle, colours, squares begun."""
    had, has = (
        0 if (best := board.largest_rectangle(one.built)) is None else best.area for one in (before, after)
    )
    reasons = [f"your largest rectangle grows by {has - had}"] if has > had else []
    (black, green), (more_black, more_green) = (
        (found.black, found.green) for found in (board.balance(before), board.balance(after))
    )
    if abs(more_black - more_green) < abs(black - green):
        reasons.append("the difference between black and green shrinks")
    if _count_partial(after) < _count_partial(before):
        reasons.append("this completes a square")
    if not reasons:
        reasons.append("this leaves room for other tiles" if has else "a large rectangle can grow there")
    return reasons


def _count_partial(city: board.City) -> int:
    return (board.squares_touched(city.built) & ~board.full_squares(city.built)).bit_count()


def _answer(move: moves.Move) -> tuple[components.TileId, board.Piece | None] | None:
    """Return a move's tile and piece; None if it only confirms."""
    match move:
        case moves.TangramPlace(tile, side, turn, at):
            return tile, board.TangramLaid(tile, side, turn, at)
        case moves.Fountain(at, corner):
            return components.FOUNTAIN, board.Water(at, corner)
        case moves.Decline(tile):
            return tile, None
        case moves.DeclineFountain():
            return components.FOUNTAIN, None
        case _:
            return None


async def picture(app: App, perspective: Perspective, made: Sequence[moves.Move]) -> pictures.Shown | None:
    """Return the city after the moves; unchanged if set aside."""
    if isinstance(made[0], moves.ChooseSide):
        return await app.pictures.special(perspective.table, "sides", perspective.view)
    pair = _answer(made[0])
    cursor = None if pair is None or pair[1] is None else over(pair[1])
    return await app.pictures.special(perspective.table, "preview", perspective.view, cursor)


COLOUR_GAP = 4
"""The difference between the colours that earns a note."""


def applicable_notes(view: TangramView, seat: Seat) -> list[str]:
    """Return an answering seat's notes, the most urgent first."""
    texts = ["start"]
    if view.phase == "side":
        return [*texts, "side"]
    if view.cities[seat].start is not None and view.round == 1:
        texts.append("board")
    if view.phase == "final":
        texts.append("final")
    if view.phase == "fountain":
        texts.append("fountain")
    if view.forced[seat]:
        texts.append("stuck")
    if view.phase == "place" and not view.ahead:
        texts.append("place")
    if view.phase == "place" and view.ahead:
        texts.append("ahead")
    if any(card.tile is not None and not card.played and card.where != "up" for card in view.cards):
        texts.append("cards")
    city = view.cities[seat]
    squares = (square_bits(column, row) for column in range(WIDTH) for row in range(HEIGHT))
    if any(0 < (bits & city.built).bit_count() < bits.bit_count() for bits in squares):
        texts.append("hole")
    if view.round > 1 and board.score(city).balance.distance >= COLOUR_GAP:
        texts.append("balance")
    if view.round > 1 and view.start == seat:
        texts.append("flag")
    return texts
