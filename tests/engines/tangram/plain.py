"""Cities counted square by square, to check the bit sets against."""

from random import Random

from engines.tangram.legal.moves import fountain_fits, tile_fits
from engines.tangram.pieces.board import City, TangramLaid
from engines.tangram.pieces.components import TILES
from engines.tangram.pieces.geometry import SQUARES

RECTANGLES = [
    {f"{'ABCDEFG'[column]}{row + 1}" for column in range(left, right + 1) for row in range(top, bottom + 1)}
    for left in range(7)
    for right in range(left, 7)
    for top in range(7)
    for bottom in range(top, 7)
]
"""The squares of every rectangle."""


def quarters(city: City) -> dict[str, dict[int, str]]:
    """Return the content of each square's quarters: `black`, `green` or `water`."""
    result: dict[str, dict[int, str]] = {square: {} for square in SQUARES}
    for piece in city.pieces:
        colour = piece.side if isinstance(piece, TangramLaid) else "water"
        for place, square in enumerate(SQUARES):
            for quarter in range(4):
                if piece.quarters >> (4 * place + quarter) & 1:
                    assert quarter not in result[square], "two pieces overlap"
                    result[square][quarter] = colour
    return result


def plain_full(city: City) -> set[str]:
    return {square for square, on_it in quarters(city).items() if len(on_it) == 4}


def plain_balance(city: City) -> tuple[int, int]:
    black = green = 0
    for on_it in quarters(city).values():
        colours = set(on_it.values())
        if len(on_it) == 4:
            black += "black" in colours and "green" not in colours
            green += "green" in colours and "black" not in colours
    return black, green


def plain_rectangle(city: City) -> int:
    """Return the largest fully built rectangle's area, by trying all of them."""
    whole = plain_full(city)
    return max((len(names) for names in RECTANGLES if names <= whole), default=0)


def random_city(rng: Random) -> City:
    city = City()
    for tile in rng.sample(sorted(TILES), rng.randint(0, 23)):
        places = tile_fits(city, tile)
        if places:
            city = city.add(rng.choice(places))
    for _ in range(rng.randint(0, 6)):
        free = fountain_fits(city)
        if free:
            city = city.add(rng.choice(free))
    return city
