"""The sentences that refuse moves."""

from __future__ import annotations

from engines.tangle.pieces.amounts import RESOURCES, Amount, Resource

GAME_OVER = "The game is over."
HAS_LEFT = "You are not in this game any more."
NOT_ASKED = "You aren't asked for that now."

OWES_NOTHING = "You owe nothing here."
NOT_AN_ITEM = "You don't pay for that one now."
LAST_ITEM = "That is the only one left: keep all or drop all."

NO_ROOT_THERE = "You have no root there."
NOT_THE_SLEEPER = "Only a root that has slept moves now."
STANDS_THERE = "It stands there already."
NOT_YOUR_TREE = "That is not one of your trees."
NOTHING_TO_DO = "Nothing can be done there."
TOLL_TOO_HIGH = "You couldn't pay for the roots below."
TOLL_TO_ANOTHER = "Pay the other player first."

NO_ROOT_AT_HOME = "No root at home is free for that."
NOT_HELD = "You don't hold that card."
NOT_DISCARDED = "That card is not among the discards."

NO_SUCH_TILE = "You have no such tile left."
NOT_IN_PLAY = "That is not in play."
NOT_EMPTY = "That area isn't empty."
NOT_CLEAN = "That isn't your clean earth."
NOT_YOURS = "That isn't your tile."
HAS_SEED = "That area has a seed already."
NO_SUCH_SEED = "No such seed is left."
NOTHING_GROWS = "Nothing grows there."
HAS_GROWN = "That has grown already in this action."
NO_SUCH_CARD = "There is no such card in the row."
PILE_EMPTY = "The pile is empty."
TOO_MANY_STEPS = "There aren't so many steps left."
NOT_TO_TAKE_OVER = "That is not an opponent's empty clean earth."
NOTHING_THERE = "No opponent's meadow or bush there holds anything."
NOT_TO_SWAP = "Name two tiles, in the order of the board."
NOT_TO_OFFER = "Saplings and trees can't be offered."
WHAT_FOR = "Say what you want for that tile."
ALREADY_USED = "That has been done in this action."

_NUMBERS = ("no", "one", "two", "three", "four", "five")


def number(count: int) -> str:
    """Spell a small number."""
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)


def missing(stash: Amount, price: Amount) -> str:
    """Say which resources are missing for a price.

    >>> missing((0, 1, 0, 0), (1, 3, 0, 0))
    "You can't pay that: 1 W and 2 E are missing."
    """
    lacking = {
        resource: cost - held
        for resource, held, cost in zip(RESOURCES, stash, price, strict=True)
        if cost > held
    }
    words = " and ".join(f"{count} {resource}" for resource, count in lacking.items())
    return f"You can't pay that: {words} {'is' if sum(lacking.values()) == 1 else 'are'} missing."


def must_keep(count: int) -> str:
    """Say that a payment would touch the reserve for a toll."""
    return f"You must keep {count} to pay for the roots below yours."


def none_left(resource: Resource) -> str:
    """Say that upkeep can't be paid."""
    return f"You have no {resource} left."


def too_few(count: int, resource: Resource) -> str:
    """Say that the resources don't cover all upkeep."""
    return f"You can't pay that: all together cost {count} {resource}."


def exactly(count: int) -> str:
    """Say that a choice has the wrong size."""
    return f"Exactly {count}."


def not_beside(things: str) -> str:
    """Say that an area isn't next to the named things, such as ``trees``."""
    return f"That doesn't border one of your {things}."


def too_far(areas: int) -> str:
    """Say that free earth can't jump that far."""
    return f"That is more than {areas} areas away from all of your tiles."


def more_tiles_than(count: int) -> str:
    """Say that a swap names too many tiles."""
    return f"That would be more than {number(count)} tiles."


def placements_at_most(count: int) -> str:
    """Say that no more extra placements can be had by offers."""
    return f"You can have no more than {count} extra placements in a turn."
