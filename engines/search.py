"""Looking ahead where much is hidden: candidates are tried in worlds that a view allows, and halved.

A game brings what it chooses from, how play goes on in a world, and what it has come to. What a decision may
take is a number of nodes, whatever the game counts as one, and never a time: the same luck gives the same
choice on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Generic, NamedTuple, TypeVar

CandidateT = TypeVar("CandidateT")
WorldT = TypeVar("WorldT")


class Playout(NamedTuple):
    """What a candidate has come to in one world, the more the better, and how many nodes that took."""

    value: float
    nodes: int


class Ranked(NamedTuple, Generic[CandidateT]):
    """A candidate with its value on average."""

    value: float
    candidate: CandidateT


def ranked(
    candidates: Sequence[CandidateT],
    worlds: Callable[[Random], WorldT],
    played_out: Callable[[WorldT, CandidateT, Random], Playout],
    luck: Random,
    budget: int,
    prior: Sequence[float] | None = None,
) -> list[Ranked[CandidateT]]:
    """All candidates, the best first: those that were dropped earlier come after those that were kept longer.

    In rounds of as many nodes each, all that are left are tried in the same worlds with the same luck, and
    the worse half is dropped. At least one world is looked at in a round. `played_out` must leave the world
    as it is. `prior` is what each candidate is thought to be worth beforehand; it counts as one world does.

    >>> found = ranked([1, 3, 2], lambda luck: 0, lambda world, one, luck: Playout(one, 1), Random(1), 10)
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
                found = played_out(world, candidates[number], Random(draws))
                sums[number] += found.value
                spent += max(1, found.nodes)
            looks += 1
        left.sort(key=lambda number: -sums[number])
        kept = (len(left) + 1) // 2
        dropped = [Ranked(sums[one] / looks, candidates[one]) for one in left[kept:]] + dropped
        left = left[:kept]
    return [Ranked(sums[one] / max(1, looks), candidates[one]) for one in left] + dropped
