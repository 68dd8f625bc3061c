"""Tangram City by ear: cities row by row, tiles by names and shapes. Alt texts: `captions`."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from engines.game import Seat
from engines.marks import capital, to_speech
from engines.tangram.legal.moves import CORNER_NAMES, TileCursor, squares_of_start
from engines.tangram.moves import Fountain, Move, TangramPlace
from engines.tangram.pieces import components, geometry
from engines.tangram.pieces.board import City, Piece, Rectangle, Score, TangramLaid, Water, piece_on, score
from engines.tangram.view import TangramCard, TangramView
from engines.tangram.words.event_lines import move_name
from engines.words import (
    Names,
    Part,
    answer,
    count_noun,
    describe_news,
    find_place,
    group_by,
    join_words,
    name_or_you,
    ordinal,
    others_after,
    possessive,
    section,
)

PLACE_WORDS = "a square (C4), a row (row 3), a tile (kite) or fountain"
FREE = "free"
BOARDS = {"start": "boards with a start piece", "plain": "plain boards", "printed": "printed boards"}
BY_QUARTERS = {geometry.FILL[corner]: words for corner, words in CORNER_NAMES.items()}


def tile_name(tile: components.TileId) -> str:
    """Return a tile's name; the fountain has no number."""
    return "fountain" if tile == components.FOUNTAIN else components.TILES[tile].name


def describe_piece(piece: Piece) -> str:
    """Describe a piece by name and place. "green kite, turned 90 degrees, at C4"."""
    if isinstance(piece, Water):
        return f"fountain in the {CORNER_NAMES[piece.corner]} half of {piece.at}"
    return f"{piece.side} {tile_name(piece.tile)}, {_degrees(piece.turn)}, at {piece.at}"


def _degrees(turn: int) -> str:
    return f"turned {turn} degrees" if turn else "not turned"


def shape_of(tile: components.TileId) -> str:
    """Describe the shape of a tile, row by row, black side up."""
    if tile == components.FOUNTAIN:
        return "Fountain: half a square of water, in any corner of a square."
    lies = geometry.form(tile, "black", 0)
    filled = {(column, row): quarters for column, row, quarters in lies.cells}
    rows = []
    for row in range(lies.height):
        squares = [_fill_name(filled.get((column, row), 0)) for column in range(lies.width)]
        rows.append(f"Row {row + 1}: {', '.join(squares)}.")
    size = f"{count_noun(lies.width, 'column')} by {count_noun(lies.height, 'row')}"
    twin = components.twin_of(tile)
    mark = "" if twin is None else f" The {tile_name(twin)} looks very similar."
    head = f"{capital(tile_name(tile))}, black side up, {size}"
    return f"{head}. {' '.join(rows)} The green side is the mirror image.{mark}"


def _fill_name(quarters: int) -> str:
    return "full" if quarters == geometry.WHOLE else f"{BY_QUARTERS[quarters]} half" if quarters else "empty"


def describe_changes(view: TangramView, names: Names) -> list[str]:
    """Say what is asked for, and what everybody placed last."""
    lines = [_headline(view, names)]
    for seat in ([] if view.viewer is None else [view.viewer]) + others_after(view.seats, view.viewer):
        for piece in view.latest[seat]:
            who = name_or_you(names, seat, view.viewer)
            lines.append(f"{capital(who)} last placed the {describe_piece(piece)}.")
    return [*lines, *describe_news(view.news or (), names, view.viewer)]


def _headline(view: TangramView, names: Names) -> str:
    if view.over:
        ended = "The table was cancelled" if view.outcome is None else "The game is over"
        how = "" if view.outcome is None or view.outcome.how == "scores" else ", because players have left"
        return f"{ended} in round {view.round}{how}."
    doing = {
        "side": "everyone chooses the side of their board",
        "place": f"everyone places the {join_words(map(tile_name, view.current))}",
        "final": f"everyone places the {join_words(map(tile_name, view.current))}, in any order",
        "fountain": "everyone places a fountain",
        "over": "",
    }[view.phase]
    waited = [seat for seat in view.remaining if seat not in view.answered]
    owing = ""
    if waited:
        who = capital(join_words(name_or_you(names, seat, view.viewer) for seat in waited))
        owing = (
            f" {who} {'hasn' if len(waited) == 1 and waited[0] != view.viewer else 'haven'}'t answered yet."
        )
    return f"Round {view.round} of {components.LAST_ROUND}: {doing}.{owing}"


def parts(view: TangramView, names: Names) -> list[Part]:
    entries = section("What changed last", describe_changes(view, names))
    if view.viewer is not None:
        entries += section("Your answers", _answers(view))
    entries += section("Cards", _cards(view, names))
    if view.viewer is not None:
        entries += _city(view, names, view.viewer)
    for seat in others_after(view.seats, view.viewer):
        entries += _city(view, names, seat)
    rounds = []
    for number, scores in enumerate(view.rounds, start=1):
        told = [
            f"{capital(name_or_you(names, seat, view.viewer))} scored {count_noun(one.points, 'point')}"
            f"{f' for a rectangle {_size(one.rectangle)}' if one.rectangle else ''}. "
            f"The city had {_colours(one)}"
            for seat, one in enumerate(scores)
        ]
        rounds.append(f"Round {number}: {'. '.join(told)}.")
    entries += section("Rounds so far", rounds)
    play = "plays" if view.seats == 1 else "play"
    lines = [f"{capital(count_noun(view.seats, 'player'))} {play} on {BOARDS[view.options.boards]}."]
    if view.past:
        lines.append(f"Played in earlier rounds: {join_words(map(tile_name, view.past))}.")
    lines.append(f"The deck holds {count_noun(view.deck, 'card')}.")
    if view.deck_tiles:
        lines.append(f"Cards in the deck: {join_words(map(tile_name, view.deck_tiles))}.")
    return [*entries, *section("This game", lines)]


def _answers(view: TangramView) -> list[str]:
    lines = []
    for given in view.mine:
        if given.tile == components.START and isinstance(given.piece, TangramLaid):
            lines.append(f"You choose the {_start(given.piece)}.")
            continue
        name = "fountain" if given.tile is None else tile_name(given.tile)
        what = f"set the {name} aside" if given.piece is None else f"the {describe_piece(given.piece)}"
        lines.append(f"Your answer: {what}.")
    return lines


def _cards(view: TangramView, names: Names) -> list[str]:
    lines = []
    played = sum(card.played for card in view.cards)
    for place, card in enumerate(view.cards, start=1):
        is_open = played - len(view.current) < place <= played
        lines.append(f"Card {place}{_card(card, view, names, is_in_play=is_open)}.")
    known = [card.tile for card in view.cards if card.tile is not None and not card.played]
    return [*lines, *map(shape_of, dict.fromkeys([*view.current, *known]))]


def _card(card: TangramCard, view: TangramView, names: Names, *, is_in_play: bool) -> str:
    tile = " is hidden from you" if card.tile is None else f" is the {tile_name(card.tile)}"
    dealt = {"up": "open", "down": "face down", "held": "held"}[card.where]
    played = ", in play now" if is_in_play else ", already played" if card.played else ""
    if not card.holders:
        return f" ({dealt}){tile}{played}"
    holders = join_words(name_or_you(names, seat, view.viewer) for seat in card.holders)
    verb = "holds" if len(card.holders) == 1 and card.holders[0] != view.viewer else "hold"
    return f"{tile}{played}. {capital(holders)} {verb} it"


def _city(view: TangramView, names: Names, seat: Seat) -> list[Part]:
    who = f"{possessive(names, seat, view.viewer)} city"
    city = view.cities[seat]
    lines = [*_stands(view, names, seat), *(f"{capital(line)}." for line in _rows(city))]
    pieces = [f"The {describe_piece(piece)}." for piece in city.pieces]
    if city.start is not None:
        pieces.insert(0, f"The {_start(city.start)}.")
    elif city.board in components.START_PIECES:
        lines += [
            f"{capital(side)} side of the board: the start piece is on "
            f"{squares_of_start(piece_on(city, side))}."
            for side in geometry.SIDES
        ]
    elif city.board is not None:
        printed = components.PRINTED[city.board]
        squares = [f"black on {one}" for one in printed.black] + [f"green on {one}" for one in printed.green]
        pieces.insert(0, f"Printed on board {city.board}: {join_words(squares)}.")
    return [*section(capital(who), lines), *section(f"Tiles in {who}, oldest first", pieces)]


def _start(piece: TangramLaid) -> str:
    """Describe a start piece: "black start piece on B2 and C2"."""
    return f"{piece.side} start piece on {squares_of_start(piece)}"


def _stands(view: TangramView, names: Names, seat: Seat) -> list[str]:
    mine = seat == view.viewer
    who, have = capital(name_or_you(names, seat, view.viewer)), "have" if mine else "has"
    lines = [f"{who} {have} {count_noun(view.scores[seat], 'point')}."]
    lines.append(f"{capital(_score(score(view.cities[seat])))}.")
    if view.outcome is not None:
        place = view.outcome.places[seat]
        comes = f"{'come' if mine else 'comes'} {ordinal(place)}" if place else f"{have} no place"
        lines.append(f"{who} {comes}.")
    if seat in view.out:
        lines.append(f"{who} left the game {ordinal(view.out.index(seat) + 1)}.")
    if seat == view.start:
        lines.append(f"{who} {have} the start marker.")
    if seat in view.answered:
        lines.append(f"{who} {have} answered.")
    if view.forced[seat]:
        lines.append(f"This city has no room for the {join_words(map(tile_name, view.forced[seat]))}.")
    lines.append(f"{who} {have} {count_noun(view.fountains[seat], 'fountain')} left.")
    if view.aside[seat]:
        lines.append(f"{who} {have} set aside the {join_words(map(tile_name, view.aside[seat]))}.")
    return lines


def _score(stands: Score) -> str:
    """Describe a city's largest rectangle and its balance, without a full stop."""
    block = stands.rectangle
    largest = "no square is fully built" if block is None else f"the largest rectangle is {_size(block)}"
    return f"{largest}. The city has {_colours(stands)}"


def _size(block: Rectangle) -> str:
    return f"{block.width} wide and {block.height} high with its top left at {block.at}"


def _colours(stands: Score) -> str:
    black, green = stands.balance.black, stands.balance.green
    return f"{count_noun(black, 'black square')} and {count_noun(green, 'green square')}"


def _rows(city: City) -> Iterator[str]:
    """Describe each row's squares; join successive free rows."""
    lines = [_row(city, row) for row in range(1, geometry.HEIGHT + 1)]
    for free, rows in groupby(enumerate(lines, start=1), key=lambda one: one[1] == FREE):
        pairs = list(rows)
        if free and len(pairs) > 1:
            yield f"rows {pairs[0][0]} to {pairs[-1][0]}: free"
        else:
            yield from (f"row {row}: {text}" for row, text in pairs)


def _row(city: City, row: int) -> str:
    """Describe a row's squares; join neighbours that are alike."""
    squares = geometry.SQUARES[(row - 1) * geometry.WIDTH : row * geometry.WIDTH]
    entries = []
    for what, alike in groupby(squares, key=lambda square: _square(city, square)):
        run = list(alike)
        if len(run) == geometry.WIDTH:
            return what
        entries.append(f"{run[0] if len(run) == 1 else f'{run[0]} to {run[-1]}'} {what}")
    return ", ".join(entries)


def _square(city: City, square: geometry.Square) -> str:
    """Describe a square: "free", "black", "half green at the top right"."""
    column, row = geometry.at(square)
    shift = 4 * (row * geometry.WIDTH + column)
    built, black, green = (
        quarters >> shift & geometry.WHOLE for quarters in (city.built, city.black, city.green)
    )
    water = built & ~(black | green)
    pairs = [(black, "black"), (green, "green"), (water, "water")]
    there = [(quarters, colour) for quarters, colour in pairs if quarters]
    if not there:
        return FREE
    if len(there) == 1 and there[0][0] == geometry.WHOLE:
        return there[0][1]
    return " and ".join(f"half {colour} at the {BY_QUARTERS[quarters]}" for quarters, colour in there)


def describe_hand(view: TangramView, names: Names, seat: Seat) -> list[str]:
    """Describe the cards that a seat may see, and its own city with its answers."""
    if seat != view.viewer or seat in view.out:
        return []
    left = count_noun(view.fountains[seat], "fountain")
    return [
        *_answers(view),
        *_cards(view, names),
        f"In your city, {_score(score(view.draft))}. You have {left} left.",
        *(f"{capital(row)}." for row in _rows(view.draft)),
    ]


def describe_picture(what: str, view: TangramView, _names: Names, args: Sequence[Any]) -> list[str]:
    """Describe a tile held over the own city, and other places where it fits."""
    if what == "sides" and view.viewer is not None:
        city = view.cities[view.viewer]
        pairs = [(side, squares_of_start(piece_on(city, side))) for side in geometry.SIDES]
        return [f"{capital(side)} side: your start piece is on {squares}." for side, squares in pairs]
    if what != "preview":
        return []
    cursor: TileCursor | None = args[0]
    others: Sequence[tuple[int, TileCursor]] = args[1] if len(args) > 1 else ()
    if cursor is None:
        return [*_answers(view), *(f"{capital(row)}." for row in _rows(view.draft))]
    city = view.without(cursor.tile)
    trouble = cursor.trouble(city)
    lines = [f"Preview: the {_over_square(cursor)}. {trouble or 'It fits.'}"]
    if trouble is None:
        move = cursor.move
        piece = (
            TangramLaid(move.tile, move.side, move.turn, move.at)
            if isinstance(move, TangramPlace)
            else Water(move.at, move.corner)
        )
        lines.append(f"Without this tile, {_score(score(city))}.")
        lines.append(f"With this tile, {_score(score(city.add(piece)))}.")
    lines += [f"Place {number} puts the {_over_square(other)}." for number, other in others]
    return [*lines, *(f"{capital(row)}." for row in _rows(city))]


def _over_square(cursor: TileCursor) -> str:
    """Describe the held tile, its turn, and the squares it covers."""
    if cursor.tile == components.FOUNTAIN:
        return f"fountain over the {CORNER_NAMES[cursor.corner]} half of {cursor.at}"
    squares = cursor.squares.replace("-", " to ")
    return f"{cursor.side} {tile_name(cursor.tile)}, {_degrees(cursor.turn)}, over {squares}"


def places(_view: TangramView) -> list[str]:
    """Return the squares, the rows, and the tiles by name."""
    rows = [f"row {row}" for row in range(1, geometry.HEIGHT + 1)]
    return [*geometry.SQUARES, *rows, *(tile.name for tile in components.TILES.values()), "fountain"]


def describe_place(view: TangramView, names: Names, place: str, moves: Sequence[Move]) -> str:
    text = find_place(place, places(view), PLACE_WORDS)
    seats = ([] if view.viewer is None else [view.viewer]) + others_after(view.seats, view.viewer)
    if text in geometry.SQUARES:
        return answer([*(_at(view, names, seat, text) for seat in seats), *_over(text, moves)])
    if text.startswith("row "):
        lines = []
        for seat in seats:
            row = _row(view.cities[seat], int(text[4:]))
            lines.append(f"In {possessive(names, seat, view.viewer)} city, {text}: {row}.")
        return answer(lines)
    tile = next((tile.id for tile in components.TILES.values() if tile.name == text), components.FOUNTAIN)
    lines = []
    for seat in seats:
        who = capital(name_or_you(names, seat, view.viewer))
        for piece in view.cities[seat].pieces:
            if (piece.tile if isinstance(piece, TangramLaid) else components.FOUNTAIN) == tile:
                lines.append(f"{who} placed the {describe_piece(piece)}.")
        if tile in view.aside[seat]:
            lines.append(f"{who} set the {tile_name(tile)} aside.")
    return answer([shape_of(tile), *lines, *_ways(tile, moves)])


def _at(view: TangramView, names: Names, seat: Seat, square: geometry.Square) -> str:
    city = view.cities[seat]
    column, row = geometry.at(square)
    bits = geometry.WHOLE << 4 * (row * geometry.WIDTH + column)
    laid = [piece for piece in city.pieces if piece.quarters & bits]
    there = [tile_name(one.tile) if isinstance(one, TangramLaid) else "fountain" for one in laid]
    if city.start is not None and city.start.quarters & bits:
        there.insert(0, "start piece")
    what = f" ({join_words(there)})" if there else ""
    return f"In {possessive(names, seat, view.viewer)} city, {square} is {_square(city, square)}{what}."


def _over(square: geometry.Square, moves: Sequence[Move]) -> list[str]:
    column, row = geometry.at(square)
    bits = geometry.WHOLE << 4 * (row * geometry.WIDTH + column)
    covering = [
        move
        for move in moves
        if isinstance(move, TangramPlace)
        and geometry.tile_quarters(move.tile, move.side, move.turn, move.at) & bits
    ]
    lines = [
        f"The {tile_name(tile)} can cover {square}: {_places(ways)}."
        for tile, ways in sorted(_by_tile(covering).items())
    ]
    corners = [
        CORNER_NAMES[move.corner] for move in moves if isinstance(move, Fountain) and move.at == square
    ]
    if corners:
        lines.append(f"A fountain fits in the {join_words(corners, 'or')} half of {square}.")
    return lines or ["You can't place anything there now."]


def _by_tile(moves: Sequence[TangramPlace]) -> dict[components.TileId, list[TangramPlace]]:
    result: dict[components.TileId, list[TangramPlace]] = {}
    for move in moves:
        result.setdefault(move.tile, []).append(move)
    return result


def _places(ways: Sequence[TangramPlace]) -> str:
    """Describe ways to lay a tile: side, turn, top left square."""
    lies = group_by(ways, lambda move: (move.side, move.turn))
    by_squares = group_by(lies, lambda lie: tuple(move.at for move in lies[lie]))
    lines = []
    for squares, alike in by_squares.items():
        by_side = [
            (side, tuple(turn for _, turn in both))
            for side, both in group_by(alike, lambda lie: lie[0]).items()
        ]
        for turns, sides in group_by(by_side, lambda one: one[1]).items():
            either = " or ".join(side for side, _ in sides)
            lines.append(f"{either}, {_turn_words(turns)}, at {_squares(squares)}")
    return "; ".join(lines)


def _turn_words(turns: Sequence[int]) -> str:
    """Describe turns of a tile.

    >>> _turn_words([0]), _turn_words([90, 180]), _turn_words([0, 90, 180, 270])
    ('not turned', 'turned 90 or 180 degrees', 'turned in any way')
    """
    if len(turns) == len(geometry.TURNS):
        return "turned in any way"
    turned = [str(turn) for turn in turns if turn]
    ways = ["not turned"] if 0 in turns else []
    if turned:
        ways.append(f"turned {join_words(turned, 'or')} degrees")
    return " or ".join(ways)


def _squares(squares: Sequence[geometry.Square]) -> str:
    """List squares; say a full rectangle of them by its corners.

    >>> _squares(["A1", "B1", "A2", "B2"]), _squares(["A1", "B2"])
    ('any square from A1 to B2', 'A1 or B2')
    """
    columns, rows = sorted({square[0] for square in squares}), sorted({square[1] for square in squares})
    wide, high = ord(columns[-1]) - ord(columns[0]) + 1, int(rows[-1]) - int(rows[0]) + 1
    if len(squares) > 2 and len(squares) == wide * high:
        return f"any square from {columns[0]}{rows[0]} to {columns[-1]}{rows[-1]}"
    return join_words(squares, "or")


def _ways(tile: components.TileId, moves: Sequence[Move]) -> list[str]:
    ways = [move for move in moves if isinstance(move, TangramPlace) and move.tile == tile]
    if ways:
        text = f"The {tile_name(tile)} fits in {count_noun(len(ways), 'way')}: {_places(ways)}."
        return [f"{text} Each square is where the tile's top left corner goes."]
    if tile == components.FOUNTAIN and (fountains := [move for move in moves if isinstance(move, Fountain)]):
        return [_fountains(fountains)]
    return [f"You can't place the {tile_name(tile)} now."]


def _fountains(moves: Sequence[Fountain]) -> str:
    lines = [
        f"{square} {join_words([CORNER_NAMES[move.corner] for move in ways], 'or')}"
        for square, ways in group_by(moves, lambda move: move.at).items()
    ]
    return f"A fountain fits in {'; '.join(lines)}."


def describe_moves(view: TangramView, names: Names, moves: Sequence[Move]) -> str:
    lines = []
    laying = _by_tile([move for move in moves if isinstance(move, TangramPlace)])
    for tile, ways in laying.items():
        lines.append(f"The {tile_name(tile)} fits in {count_noun(len(ways), 'way')}: {_places(ways)}.")
    fountains = [move for move in moves if isinstance(move, Fountain)]
    lines += [_fountains(fountains)] if fountains else []
    others = [move for move in moves if not isinstance(move, TangramPlace | Fountain)]
    lines += [f"You can {to_speech(move_name(move, view, names))}." for move in others]
    return answer(lines or ["You can't do anything now."])
