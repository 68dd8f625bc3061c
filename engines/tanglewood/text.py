"""A position as plain text, for tests, logs and stored games."""

from __future__ import annotations

from collections.abc import Iterable

from engines.game import Seat
from engines.tanglewood.pieces.components import REGIONS, Region
from engines.tanglewood.view import TanglewoodView


def readable(view: TanglewoodView) -> str:
    """Write all that the view says of the position, and nothing else."""
    lines = [
        f"{view.options.length}, round {view.round}, turn {view.turns}, {_phase(view)}",
        f"order {_words(view.order)}, fox tiles {_words(view.fox_tiles)}",
        *(_region(view, region) for region in REGIONS),
        *(_seat(view, seat) for seat in range(view.seats)),
        f"deck {view.deck}{_list_cards(view.deck_tangles)}",
        f"reserve {view.reserve}{_list_cards(view.reserve_tangles)}, "
        f"discards {_words(view.discards) or 'none'}",
        f"poll {_when(view.poll_round)}, mid-game {'done' if view.midgame_done else 'to come'}, "
        f"deck out {_when(view.out_round)}",
        f"ballots {view.ballot_deck}{_list_cards(view.ballots_left)}, discards {view.ballot_discards}",
    ]
    return "\n".join(lines)


def _words(words: Iterable[object]) -> str:
    return " ".join(map(str, words))


def _list_cards(cards: Iterable[str] | None) -> str:
    return f": {_words(cards)}" if cards else ""


def _when(round_: int | None) -> str:
    return "not yet" if round_ is None else f"in round {round_}"


def _phase(view: TanglewoodView) -> str:
    if view.outcome is not None:
        return f"over: {view.outcome.how}, places {_words(view.outcome.places)}"
    carried = f" of {view.card}" if view.card is not None else ""
    return f"{view.phase}{carried} owed by {' and '.join(f'seat {seat}' for seat in view.owing)}"


def _region(view: TanglewoodView, region: Region) -> str:
    here = " here" if region == view.active else ""
    return f"{region} {view.tangles[region] or '-'}: {_words(view.workers[region])}{here}"


def _seat(view: TanglewoodView, seat: Seat) -> str:
    out = ", out" if seat in view.out else ""
    steps = _words(f"{track} {step}" for track, step in view.steps[seat].items())
    played = " + ".join(_words(scoring[seat]) or "none" for scoring in view.played)
    return (
        f"seat {seat}{out}: {view.votes[seat]} votes, circle {view.circles[seat]}, "
        f"draws {view.draw_value(seat)}, places {view.place_value(seat)}, {steps}, "
        f"{view.held[seat]} ballots{_list_cards(view.hands[seat])}{f', played {played}' if played else ''}"
    )
