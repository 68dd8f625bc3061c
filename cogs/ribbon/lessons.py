"""The notes that a player of Ribbon Tangle meets, by the keys of `lessons.toml`."""

from engines.game import Seat
from engines.ribbon.preview import can_end_safely
from engines.ribbon.public import Phase
from engines.ribbon.view import RibbonView, owner, tangles_of

PICTURED: tuple[Phase, ...] = ("flip", "arrange")
"""The phases in which a panel shows the board, your own hand, and so the eyes of the cards."""


def applicable_notes(view: RibbonView, seat: Seat) -> list[str]:
    """Return the notes for a seat to move, the most urgent first."""
    texts = ["start"]
    if view.phase == "tie_vote" or (view.phase == "arrange" and view.may_offer):
        texts.append("tie")
    if view.mode != "versus":
        texts.append("team")
    colour = view.ribbons[seat] if view.mode == "versus" else None
    if view.phase == "arrange":
        if colour is not None and tangles_of(view, colour):
            texts.append("mine" if can_end_safely(view) else "lost")
        texts.append("swap")
    elif view.phase == "flip" and colour is not None and tangles_of(view, colour):
        texts.append("mine")
    if colour is not None and any(owner(view, one.colour) not in (None, seat) for one in view.tangles):
        texts.append("theirs")
    if view.phase == "flip":
        texts.append("flip")
    if view.phase in PICTURED and any(view.shown):
        texts.append("seen")
    if view.full:
        texts.append("full")
    return texts
