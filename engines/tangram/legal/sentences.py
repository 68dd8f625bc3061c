"""The sentences that refuse moves."""

from collections.abc import Sequence

from engines.marks import capital
from engines.words import join_words

NO_CORNER = "Choose one of the 4 corners of a square for the fountain."
BOARD_FIRST = "First choose the side of your board."
NO_BOARD_NOW = "You can't choose the side of your board now."
NO_SIDE = "Choose black or green."
FOUNTAIN_NOW = "All tiles of this round are done. Place your fountain now."
FITS_NOWHERE = "That tile fits nowhere in your city, so I've set it aside."
NOT_THAT_TILE = "You can't place that tile now."
NO_TURN = "Choose black or green, and turn the tile by 0, 90, 180 or 270 degrees."
TILE_FIRST = "Place the tile first. The fountain comes after the last tile."
NO_ROOM_FOR_FOUNTAIN = "Your city has no room for a fountain."
ONLY_CHANGE = "You can't take this answer back, but you can change it."
NOT_PLACED = "You haven't placed that tile yet, so you can't take it back."
NO_CONFIRMING = "You confirm only in the last round. In other rounds, your answer is enough."
NOTHING_TO_CONFIRM = "None of the 3 tiles fits your city, so you have nothing to confirm."
ALREADY_LEFT = "You've already left this game."
STICKS_OUT = "The tile sticks out of the city at {places}."
NO_SQUARE = "The city has no square {square}. Choose A1 to G7."
SAME_TURN = "Turning by {turn} looks the same as turning by {other}. Use {other}."
STILL_MISSING = "First place every tile or set it aside. Still missing: {tiles}."


def already_built(places: Sequence[str]) -> str:
    return f"{capital(join_words(places))} {'is' if len(places) == 1 else 'are'} already built."
