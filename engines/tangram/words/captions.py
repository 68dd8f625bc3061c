"""Captions on the pictures, and alternative texts for those who can't see them."""

from collections.abc import Sequence

from engines import words
from engines.game import Seat
from engines.marks import capital
from engines.tangram.legal.moves import TileCursor, squares_of_start
from engines.tangram.pieces import board
from engines.tangram.pieces.components import FOUNTAIN, LAST_ROUND, SCORING, START, TILES, TileId
from engines.tangram.pieces.geometry import SIDES, Corner
from engines.tangram.view import TangramCard, TangramView

CORNER_NAMES: dict[Corner, str] = {"7": "top right", "J": "bottom right", "L": "bottom left", "r": "top left"}


def short_name(names: Sequence[str], seat: Seat) -> str:
    return words.short(words.seat_name(names, seat), 24)


def tile_name(tile: TileId) -> str:
    return "fountain" if tile == FOUNTAIN else TILES[tile].name


def title(view: TangramView, names: Sequence[str]) -> str:
    if not view.over:
        return f"Round {view.round} of {LAST_ROUND}"
    if view.outcome is None:
        return "Called off"
    winners = view.outcome.winners
    if view.seats == 1:
        return "Finished" if view.outcome.how == "scores" else "Left"
    return f"{words.short(words.seat_name(names, winners[0]), 18)} wins" if len(winners) == 1 else "A tie"


def status(view: TangramView, seat: Seat) -> words.SeatStatus:
    """Return a seat's status. Empty while it simply plays."""
    place = view.outcome.places[seat] if view.outcome is not None else None
    if seat in view.out:
        return words.SeatStatus("left", "has left")
    return words.SeatStatus() if place is None or view.seats == 1 else words.place_status(place)


def bonuses(view: TangramView, seat: Seat) -> list[tuple[int, str]]:
    """List a seat's points at the end, each with its reason."""
    if view.outcome is None or view.outcome.how != "scores" or seat in view.out:
        return []
    pairs = [(SCORING.planning_bonus if board.is_complete(view.cities[seat]) else 0, "full city")]
    pairs.append((board.score(view.cities[seat]).balance.bonus, "balance"))
    return [(points, what) for points, what in pairs if points]


def block(rectangle: board.Rectangle | None) -> str:
    """Describe a rectangle by its sides, its place and its points."""
    if rectangle is None:
        return "no fully built square"
    sides = f"{rectangle.width}\u00d7{rectangle.height}"
    return f"{sides} at {rectangle.at} ({words.plural(rectangle.area, 'point')})"


def colours(balance: board.Balance) -> str:
    return f"{words.plural(balance.black, 'black square')} and {words.plural(balance.green, 'green square')}"


def describe_piece(piece: board.Piece, be: str = "") -> str:
    """Describe a piece by name and place. "the green kite, turned 90°, at C4"; with `be`, a sentence."""
    if isinstance(piece, board.TangramLaid):
        turned = f", turned {piece.turn}°," if piece.turn else ""
        return f"the {piece.side} {tile_name(piece.tile)}{turned} {be}at {piece.at}"
    return f"the fountain {be}in the {CORNER_NAMES[piece.corner]} half of {piece.at}"


def describe_start(piece: board.TangramLaid, be: str = "") -> str:
    """Describe a start piece: "the green start piece on B2 and C2"."""
    return f"the {piece.side} start piece {be}on {squares_of_start(piece)}"


def describe_sides(view: TangramView, seat: Seat) -> str:
    city = view.cities[seat]
    sides = [
        f"{side.capitalize()} side: your start piece is on {squares_of_start(board.piece_on(city, side))}."
        for side in SIDES
    ]
    return words.alt_text(["Both sides of your board.", *sides, *_answers(view)])


def describe_board(view: TangramView, names: Sequence[str]) -> str:
    """Describe the table; `view` holds only public facts."""
    last = [
        f"{short_name(names, seat)}'s last tile{'' if len(pieces) == 1 else 's'}: "
        f"{'; '.join(map(describe_piece, pieces))}."
        for seat, pieces in enumerate(view.latest)
        if pieces
    ]
    lines = [*words.opening(f"{title(view, names)}.", last, over=view.over), *_current_task(view)]
    for seat in range(view.seats):
        stands = board.score(view.cities[seat])
        owned = [words.plural(view.scores[seat], "point")]
        if seat == view.start and not view.over:
            owned.append("the start marker")
        facts = [words.describe_seat(short_name(names, seat), status(view, seat), words.join_words(owned))]
        facts.append(f"{capital(_stands(stands))}.")
        facts += [f"The {what} gives {words.plural(more, 'point')}." for more, what in bonuses(view, seat)]
        if view.aside[seat]:
            aside = words.join_words(map(tile_name, view.aside[seat]))
            facts.append(f"{short_name(names, seat)} has set aside the {aside}.")
        lines.append(" ".join(facts))
    lines += _cards(view.cards, names)
    return words.alt_text(lines)


def _current_task(view: TangramView) -> list[str]:
    if view.phase == "side":
        return ["Everyone chooses the side of their board."]
    if view.phase == "fountain":
        return ["Everyone places a fountain."]
    if not view.current:
        return []
    return [f"Everyone places the {words.join_words(tile_name(tile) for tile in view.current)}."]


def _stands(stands: board.Score, *, mine: bool = False) -> str:
    """Say what a city has, or what you have in yours."""
    the, has = ("your", "you have") if mine else ("the", "the city has")
    if stands.rectangle is None:
        return f"{has} {block(None)}"
    return f"{the} largest rectangle is {block(stands.rectangle)}, and {has} {colours(stands.balance)}"


def _cards(cards: Sequence[TangramCard], names: Sequence[str]) -> list[str]:
    lines, hidden, unseen = list[str](), list[str](), 0
    for card in cards:
        who = words.join_words(short_name(names, seat) for seat in card.holders)
        if card.played:
            continue
        if card.tile is not None:
            name = f"card with the {tile_name(card.tile)}"
            lines.append(
                f"Only {who} can see the {name}." if card.where == "held" else f"The {name} is open."
            )
        elif card.where == "held":
            hidden.append(f"one that only {who} can see")
        else:
            unseen += 1
    hidden += [f"{'one' if unseen == 1 else unseen} that nobody can see"] if unseen else []
    return [*lines, *([f"Hidden cards: {words.join_words(hidden)}."] if hidden else [])]


def describe_hand(view: TangramView, seat: Seat, names: Sequence[str]) -> str:
    """Describe a seat's own city and the cards that it may see."""
    head = f"{short_name(names, seat)}'s city in round {view.round}."
    lines = [head, *_current_task(view), *_answers(view)]
    lines += _cards(view.cards, names)
    left = view.fountains[seat]
    stands = capital(_stands(board.score(view.draft), mine=True))
    lines.append(f"{stands}. You have {words.plural(left, 'fountain')} left.")
    return words.alt_text([*lines, *_list_pieces(view.draft)])


def _answers(view: TangramView, skipped: TileId | None = None) -> list[str]:
    result = []
    for answer in view.mine:
        tile = FOUNTAIN if answer.tile is None else answer.tile
        if tile == skipped:
            continue
        if tile == START and isinstance(answer.piece, board.TangramLaid):
            result.append(f"You choose {describe_start(answer.piece)}.")
            continue
        what = f"set the {tile_name(tile)} aside" if answer.piece is None else describe_piece(answer.piece)
        result.append(f"Your answer: {what}.")
    return result


def _list_pieces(city: board.City) -> list[str]:
    lines = [capital(f"{describe_piece(piece, 'is ')}.") for piece in reversed(city.pieces)]
    return lines if city.start is None else [*lines, capital(f"{describe_start(city.start, 'is ')}.")]


def describe_preview(
    view: TangramView, cursor: TileCursor | None, trouble: str | None, before: board.City, after: board.City
) -> str:
    now, then = (f"{_stands(board.score(city), mine=True)}." for city in (before, after))
    if cursor is None:
        lines = ["Your city with your answers.", capital(now), *_answers(view)]
    else:
        lines = [f"Preview. {capital(_describe_held(cursor))}."]
        lines += (
            ["The tile fits.", f"Without this tile, {now}", f"With this tile, {then}"]
            if trouble is None
            else [trouble, capital(now)]
        )
        lines += _answers(view, cursor.tile)
    return words.alt_text([*lines, *_list_pieces(before)])


def describe_others(others: Sequence[tuple[int, TileCursor]]) -> str:
    """Describe other places by the numbers of their buttons."""
    return " ".join([f"Place {number} puts {_describe_held(cursor)}." for number, cursor in others])


def _describe_held(cursor: TileCursor) -> str:
    if cursor.tile == FOUNTAIN:
        return f"the fountain over the {CORNER_NAMES[cursor.corner]} half of {cursor.at}"
    return f"the {tile_name(cursor.tile)}, {cursor.side} side up, over {cursor.squares}"
