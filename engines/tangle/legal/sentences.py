"""The sentences that refuse moves."""

from engines.tangle.pieces.components import RESOURCES, Amount, Resource

NOT_ASKED = "You can't answer that now."

OWES_NOTHING = "You have nothing to pay now."
NOT_AN_ITEM = "You don't pay for that tile or card now."
NOTHING_TO_CHANGE = "You can't change any upkeep now."
LAST_ITEM = "This is the last one: choose **Keep it** or **Drop it**."

NO_ROOT_THERE = "You have no root there."
NOT_THE_SLEEPER = "Only the root that slept can move now."
STANDS_THERE = "That root is already there."
NOT_YOUR_TREE = "That isn't one of your trees."
NOTHING_TO_DO = "You can't do anything there."
TOLL_TOO_HIGH = "You can't place your root there, because you can't pay for the roots below it."
TOLL_TO_ANOTHER = "Pay the other player first."

NO_ROOT_AT_HOME = "You have no free root at home."
NOT_HELD = "You don't have that card."
NOT_DISCARDED = "That card isn't in the discards."

NO_SUCH_TILE = "You have none of those tiles left."
NOT_IN_PLAY = "That place isn't in this game."
NOT_EMPTY = "That area isn't empty."
NOT_CLEAN = "That isn't your clean earth."
NOT_YOURS = "That isn't your tile."
HAS_SEED = "That area already has a seed."
NO_SUCH_SEED = "No such seeds are left."
NOTHING_GROWS = "Nothing can grow there."
HAS_GROWN = "That has already grown in this action."
NO_SUCH_CARD = "The row has no such card."
PILE_EMPTY = "The pile is empty."
TOO_MANY_STEPS = "You don't have that many steps left."
NOT_TO_TAKE_OVER = "That isn't an opponent's empty clean earth."
NOTHING_THERE = "Your opponents' meadows and bushes there are all empty."
NOT_TO_SWAP = "Name two tiles, in the same order as on the board."
NOT_TO_OFFER = "You can't offer saplings or trees."
WHAT_FOR = "Choose what you want for that tile."
ALREADY_USED = "You've already done that in this action."

_NUMBERS = ("no", "one", "two", "three", "four", "five")


def number(count: int) -> str:
    """Spell a small number."""
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)


def missing(stash: Amount, price: Amount) -> str:
    """Say which resources are missing for a price.

    >>> missing((0, 1, 0, 0), (1, 3, 0, 0))
    "You can't pay that: you need 1 W and 2 E more."
    """
    entries = zip(RESOURCES, stash, price, strict=True)
    lacking = {resource: cost - held for resource, held, cost in entries if cost > held}
    words = " and ".join(f"{count} {resource}" for resource, count in lacking.items())
    return f"You can't pay that: you need {words} more."


def must_keep(count: int) -> str:
    """Say that a payment would touch the reserve for a toll."""
    return f"You must keep {count} of your resources to pay for the roots below your root."


def none_left(resource: Resource) -> str:
    """Say that upkeep can't be paid."""
    return f"You have no {resource} left."


def too_few(count: int, resource: Resource) -> str:
    """Say that the resources don't cover all upkeep."""
    return f"Together they cost {count} {resource}, so you can't pay for all of them."


def exactly(count: int) -> str:
    return f"Choose exactly {count}."


def not_beside(things: str) -> str:
    """Say that an area isn't next to the named things, such as ``trees``."""
    return f"That isn't next to any of your {things}."


def too_far(areas: int) -> str:
    """Say that free earth can't jump that far."""
    return f"That's more than {areas} areas away from your tiles."


def more_tiles_than(count: int) -> str:
    return f"You can swap at most {number(count)} tiles."


def placements_at_most(count: int) -> str:
    """Say that no more extra placements can be had by offers."""
    return f"You can get at most {count} extra placements in a turn."
