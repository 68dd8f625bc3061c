"""The notes that a player of Tangram City meets, by the keys of `lessons.toml`."""

from engines.game import Seat
from engines.tangram.pieces.city import City, score
from engines.tangram.pieces.geometry import HEIGHT, WIDTH, square_bits
from engines.tangram.view import TangramView

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
    if _has_partial(city):
        texts.append("hole")
    if view.round > 1 and score(city).balance.distance >= COLOUR_GAP:
        texts.append("balance")
    if view.round > 1 and view.start == seat:
        texts.append("flag")
    return texts


def _has_partial(city: City) -> bool:
    squares = (square_bits(column, row) for column in range(WIDTH) for row in range(HEIGHT))
    return any(0 < (bits & city.built).bit_count() < bits.bit_count() for bits in squares)
