"""Amounts of the four resources: water, earth, nourishment, mana, always in this order."""

from collections.abc import Iterable, Iterator
from typing import Literal

Resource = Literal["W", "E", "N", "M"]
Amount = tuple[int, int, int, int]
"""Numbers of the four resources: [W, E, N, M]."""

RESOURCES: tuple[Resource, ...] = ("W", "E", "N", "M")
NOTHING: Amount = (0, 0, 0, 0)


def unit(resource: Resource, number: int = 1) -> Amount:
    """Return an amount of one resource.

    >>> unit("E", 2)
    (0, 2, 0, 0)
    """
    return of(**{resource: number})


def size(amount: Amount) -> int:
    """Count the resources, of whatever type."""
    return amount[0] + amount[1] + amount[2] + amount[3]


def times(amount: Amount, number: int) -> Amount:
    return (amount[0] * number, amount[1] * number, amount[2] * number, amount[3] * number)


def of(**counts: int) -> Amount:
    """Build an amount from its letters.

    >>> of(E=2), of(W=1, N=1)
    ((0, 2, 0, 0), (1, 0, 1, 0))
    """
    return (counts.get("W", 0), counts.get("E", 0), counts.get("N", 0), counts.get("M", 0))


def plus(one: Amount, two: Amount) -> Amount:
    return (one[0] + two[0], one[1] + two[1], one[2] + two[2], one[3] + two[3])


def minus(one: Amount, two: Amount) -> Amount:
    """Subtract the second from the first; may fall below 0.

    >>> minus((2, 2, 0, 0), (0, 1, 0, 0))
    (2, 1, 0, 0)
    """
    return (one[0] - two[0], one[1] - two[1], one[2] - two[2], one[3] - two[3])


def less(price: Amount, off: Amount) -> Amount:
    """Subtract a discount, nowhere below 0.

    >>> less((1, 0, 1, 0), (2, 0, 0, 0))
    (0, 0, 1, 0)
    """
    return (
        max(0, price[0] - off[0]),
        max(0, price[1] - off[1]),
        max(0, price[2] - off[2]),
        max(0, price[3] - off[3]),
    )


def covers(stash: Amount, price: Amount) -> bool:
    """Return True if a stash holds at least a price, in each resource."""
    return stash[0] >= price[0] and stash[1] >= price[1] and stash[2] >= price[2] and stash[3] >= price[3]


def total(amounts: Iterable[Amount]) -> Amount:
    result = NOTHING
    for amount in amounts:
        result = plus(result, amount)
    return result


def ways(count: int, most: Amount) -> Iterator[Amount]:
    """Yield every amount of that size, in a stable order.

    >>> list(ways(1, (1, 0, 3, 0)))
    [(1, 0, 0, 0), (0, 0, 1, 0)]
    """
    for water in range(min(count, most[0]), -1, -1):
        for earth in range(min(count - water, most[1]), -1, -1):
            for nourishment in range(min(count - water - earth, most[2]), -1, -1):
                mana = count - water - earth - nourishment
                if mana <= most[3]:
                    yield (water, earth, nourishment, mana)
