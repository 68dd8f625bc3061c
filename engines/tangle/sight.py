"""From the whole truth to what one viewer may know, and back to all that the viewer can't rule out."""

from __future__ import annotations

from random import Random

from engines.game import Seat
from engines.tangle.data import in_order
from engines.tangle.state import State, owing
from engines.tangle.view import Changed, View


def seen(state: State, viewer: Seat | None) -> View:
    """What that seat, or with None a spectator, may know. Rules: What is known."""
    over = state.phase == "over"
    return View(
        options=state.options,
        seats=state.seats,
        viewer=viewer,
        phase=state.phase,
        round=state.round,
        turn=state.turn,
        seat=state.seat,
        centre=state.centre,
        matter=state.matter,
        owing=owing(state),
        reserve=state.reserve,
        changes=state.changes,
        extra=state.extra,
        offered=state.offered,
        tiles=dict(state.tiles),
        roots=dict(state.roots),
        resources=dict(state.resources),
        players=tuple(state.players),
        seeds=state.seeds,
        pile=len(state.pile),
        row=tuple(state.row),
        discards=tuple(state.discards),
        trackers=state.trackers,
        markers=state.markers,
        hand=None if viewer is None else tuple(state.hands[viewer]),
        conditions=None if viewer is None else state.conditions[viewer],
        changed=state.before if state.changed == Changed() else state.changed,
        out=tuple(state.out),
        shown=tuple(state.shown),
        hands=tuple(map(tuple, state.hands)) if over else None,
        secrets=tuple(state.conditions) if over else None,
        outcome=state.outcome,
    )


def redealt(state: State, viewer: Seat | None, rng: Random) -> State:
    """The state with the pile, the box, the seed, and the hands and conditions of others drawn anew."""
    other = state.copied()
    if state.phase == "over":
        return other
    others = [seat for seat in range(state.seats) if seat != viewer]
    cards = [card for seat in others for card in state.hands[seat]] + state.pile
    secrets = [secret for seat in others for secret in state.conditions[seat]] + list(state.box)
    rng.shuffle(cards)
    rng.shuffle(secrets)
    for seat in others:
        other.hands[seat] = in_order([cards.pop() for _ in state.hands[seat]])
        other.conditions[seat] = tuple(secrets.pop() for _ in state.conditions[seat])
    other.pile = cards
    other.box = tuple(secrets)
    other.seed = rng.randbytes(len(state.seed))
    return other
