"""The next turn of a seat, if everybody before it did nothing."""

from msgspec.structs import replace

from engines.game import Seat
from engines.tesla.legal.position import next_seat, position_of
from engines.tesla.view import TeslaView


def ahead(view: TeslaView, seat: Seat) -> TeslaView | None:
    """Return the seat's next turn, from its view alone. None if it owes something now, or is out."""
    if view.over or view.viewer != seat or view.seat == seat or seat in view.out:
        return None
    position, between, other = position_of(view), 0, view.seat
    while other != seat:
        other, between = next_seat(position, other), between + 1
    return replace(
        view,
        phase="tiles",
        seat=seat,
        turn=view.turn + between,
        replays=0,
        may_mark=True,
        acted=False,
        started=view.scores[seat],
    )
