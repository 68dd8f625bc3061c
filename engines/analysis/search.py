"""Search under hidden information, and the attention of weaker computer players.

A game supplies the candidates, the play in a world, and its value. The budget of a decision is a number of
nodes, as the game counts them, and never a time: the same luck gives the same choice on every machine.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Generic, NamedTuple, TypeVar

CandidateT = TypeVar("CandidateT")
WorldT = TypeVar("WorldT")


class Playout(NamedTuple):
    """A candidate's value in one world (more is better) and the nodes that it took."""

    value: float
    nodes: int


class Ranked(NamedTuple, Generic[CandidateT]):
    """A candidate with its mean value."""

    value: float
    candidate: CandidateT


def rank_candidates(
    candidates: Sequence[CandidateT],
    worlds: Callable[[Random], WorldT],
    played_out: Callable[[WorldT, CandidateT, Random], Playout],
    luck: Random,
    budget: int,
    prior: Sequence[float] | None = None,
) -> list[Ranked[CandidateT]]:
    """Rank all candidates, best first; those dropped earlier come later.

    Each round has the same number of nodes. It tries the remaining candidates in the same worlds with the
    same luck, at least one world, and drops the worse half. `played_out` must leave the world as it is.
    `prior` is the value of each candidate beforehand; it weighs as much as one world.

    >>> play = lambda world, one, luck: Playout(one, 1)
    >>> found = rank_candidates([1, 3, 2], lambda luck: 0, play, Random(1), 10)
    >>> [one.candidate for one in found]
    [3, 2, 1]
    """
    sums = list(prior) if prior is not None else [0.0] * len(candidates)
    looks = 0 if prior is None else 1
    left = list(range(len(candidates)))
    dropped: list[Ranked[CandidateT]] = []
    rounds = max(1, (len(candidates) - 1).bit_length())
    while len(left) > 1:
        spent = 0
        while not spent or spent < budget / rounds:
            world, draws = worlds(luck), luck.getrandbits(64)
            for number in left:
                pair = played_out(world, candidates[number], Random(draws))
                sums[number] += pair.value
                spent += max(1, pair.nodes)
            looks += 1
        left.sort(key=lambda number: -sums[number])
        kept = (len(left) + 1) // 2
        dropped = [Ranked(sums[one] / looks, candidates[one]) for one in left[kept:]] + dropped
        left = left[:kept]
    return [Ranked(sums[one] / max(1, looks), candidates[one]) for one in left] + dropped


T = TypeVar("T")


class Attention(NamedTuple):
    """A player's attention to its choices.

    Attributes:
        overlooked: the share of its choices that it doesn't see.
        misjudged: the most by which it overrates one, in the unit of the game's values.
    """

    overlooked: float = 0.0
    misjudged: float = 0.0


FULL = Attention()


def notice(choices: Sequence[T], attention: Attention, rng: Random) -> list[T]:
    """Return the choices that a player sees, at least one of them.

    >>> notice("abcdef", Attention(overlooked=0.5), Random(3))
    ['b', 'd', 'e']
    """
    if not attention.overlooked:
        return list(choices)
    return [one for one in choices if rng.random() >= attention.overlooked] or [rng.choice(choices)]


def pick(
    choices: Sequence[T],
    value: Callable[[T], float],
    attention: Attention,
    rng: Random,
    is_idle: Callable[[T], bool] | None = None,
) -> T:
    """Return the choice that looks best to a player.

    It takes an idle one only if there are no others; rather the best of those that it overlooked.

    >>> pick([1, 2, 3], float, FULL, Random(1)), pick([1, 2, 3], float, FULL, Random(1), lambda one: one > 1)
    (3, 1)
    """
    seen = notice(choices, attention, rng)
    looks = [value(one) + attention.misjudged * rng.random() for one in seen]
    ranked = [seen[index] for index in sorted(range(len(seen)), key=lambda index: -looks[index])]
    if is_idle is None:
        return ranked[0]
    useful = next((one for one in ranked if not is_idle(one)), None)
    if useful is None:
        useful = max((one for one in choices if not is_idle(one)), key=value, default=ranked[0])
    return useful
