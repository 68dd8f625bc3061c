"""Setting a table up: options, the deal, the first state."""

from string import ascii_lowercase

from engines.game import Draws, IllegalDeal
from engines.tangram.pieces import components
from engines.tangram.pieces.board import START_SIDES, City
from engines.tangram.truth.state import TangramDeal, TangramState


def deal(seats: int, options: components.TangramOptions, seed: bytes) -> TangramDeal:
    """Shuffle the cards, draw the start seat, boards and sides. Rules: Setup."""
    draws = Draws(seed, 0)
    deck = tuple(draws.shuffle(tuple(components.TILES)))
    start = draws.below(seats)
    if options.boards == "plain":
        return TangramDeal(deck, start)
    every = components.PRINTED if options.boards == "printed" else START_SIDES
    boards = draws.shuffle(sorted({board_of(side) for side in every}))[:seats]
    if options.sides == "choose":
        return TangramDeal(deck, start, tuple(boards))
    sides = []
    for board in boards:
        both = [side for side in sorted(every) if board_of(side) == board]
        sides.append(both[draws.below(len(both))])
    return TangramDeal(deck, start, tuple(sides))


def board_of(side: components.BoardSide) -> str:
    """Return the board that a side is on.

    >>> board_of("3b"), board_of("3-green"), board_of("3")
    ('3', '3', '3')
    """
    return side.rstrip(f"-{ascii_lowercase}")


def settle(options: components.TangramOptions) -> components.TangramOptions:
    """Reset the sides where boards have no start pieces."""
    return options if options.boards == "start" else components.TangramOptions(options.boards)


def begin(seats: int, options: components.TangramOptions, deal: TangramDeal) -> TangramState:
    """Set up the first state from a deal. Rules: Setup.

    Raise IllegalDeal if the deal isn't one that could be dealt.
    """
    _check(seats, options, deal)
    sides = deal.sides or (None,) * seats
    return TangramState(
        options=options,
        seats=seats,
        phase="side" if options.sides == "choose" else "place",
        deck=list(deal.deck),
        start=deal.start,
        cities=[City(board=side) for side in sides],
        latest=[()] * seats,
        pending=[[] for _ in range(seats)],
        scores=[components.ROUNDS.start_points] * seats,
        aside=[()] * seats,
        fountains=[components.ROUNDS.fountains] * seats,
    )


def _check(seats: int, options: components.TangramOptions, deal: TangramDeal) -> None:
    if sorted(deal.deck) != sorted(components.TILES):
        raise IllegalDeal(f"The deck must have each of the {len(components.TILES)} cards once.")
    if deal.start not in range(seats):
        raise IllegalDeal(f"The seat with the start marker must be 0 to {seats - 1}.")
    if options.boards == "plain":
        if deal.sides is not None:
            raise IllegalDeal("Plain boards have no printed sides, so leave the sides out.")
        return
    what, allowed = (
        ("board", tuple(components.START_PIECES))
        if options.sides == "choose"
        else ("side", tuple(components.PRINTED if options.boards == "printed" else START_SIDES))
    )
    if deal.sides is None or len(deal.sides) != seats:
        plain = ' Or add "boards": "plain" to the options.' if options.boards == "start" else ""
        raise IllegalDeal(
            f"{options.boards.capitalize()} boards need a {what} for each of the {seats} seats.{plain}"
        )
    if any(side not in allowed for side in deal.sides):
        raise IllegalDeal(f"Choose each seat's {what} from {', '.join(allowed)}.")
    if len({board_of(side) for side in deal.sides}) < seats:
        raise IllegalDeal("2 seats can't have the same board.")
