"""The lead in estimates that makes a win e times as likely, fitted to games of medium computers."""

import math
from collections.abc import Iterator, Sequence
from random import Random

import msgspec

from benchmarks.measure import Figure
from cogs.core.presenter import presenter_of
from engines.engine import find_automatic_move
from engines.game import Outcome, Strength
from engines.registry import SLUGS, AnyGame, game
from tests.strength.matches import MATCHES

PLAYED = 40
"""Games of each kind."""
STEP, STEPS = 1.1, range(-30, 80)
"""The scales tried: powers of a step."""
Estimate = tuple[float | None, ...]
Position = tuple[Estimate, Outcome]


def measure() -> Iterator[Figure]:
    """Yield the best scale of each game; `Game.chance_scale` holds it."""
    for slug in SLUGS:
        positions = list(_positions(game(slug)))
        scale = min((STEP**step for step in STEPS), key=lambda scale: surprise(positions, scale))
        yield Figure(f"{slug}: chance scale", [scale], presenter_of(slug).estimated[1])


def surprise(positions: Sequence[Position], scale: float) -> float:
    """Return the mean negative log likelihood of the winners."""
    losses = []
    for estimate, outcome in positions:
        known = {seat: value / scale for seat, value in enumerate(estimate) if value is not None}
        winners = [seat for seat in known if outcome.places[seat] == 1]
        if len(known) > 1 and winners:
            most = max(known.values())
            total = most + math.log(sum(math.exp(value - most) for value in known.values()))
            losses.append(total - sum(known[seat] for seat in winners) / len(winners))
    return sum(losses) / len(losses)


def _positions(rules: AnyGame) -> Iterator[Position]:
    """Yield every turn's estimates with the outcome of its game."""
    match = MATCHES[rules.slug]
    options = rules.settle(match.seats, msgspec.json.decode(match.options, type=rules.Options))
    for number in range(PLAYED):
        luck, estimates, beat = Random(f"{rules.slug} {number}"), list[Estimate](), -1
        seed = luck.randbytes(32)
        state = rules.begin(match.seats, options, rules.deal(match.seats, options, seed), seed)
        while prompts := rules.prompts(state):
            seat = next(iter(prompts))
            move = find_automatic_move(rules, state, seat)
            rules.play(
                state, seat, move or rules.choose(rules.view(state, seat), seat, luck, Strength.MEDIUM)
            )
            if rules.post_counter(state) != beat and rules.outcome(state) is None:
                beat = rules.post_counter(state)
                views = (rules.view(state, one) for one in range(match.seats))
                estimates.append(tuple(rules.estimate(view, one) for one, view in enumerate(views)))
        outcome = rules.outcome(state)
        if outcome is not None and outcome.won is None:
            yield from ((estimate, outcome) for estimate in estimates)
