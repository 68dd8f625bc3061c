"""From options and a seed to the first position. Rules: Setup."""

from itertools import chain

import msgspec

from engines.game import Draws, IllegalDeal, IllegalSetup, Seat, clip
from engines.ribbon.pieces import components
from engines.ribbon.truth.state import RibbonDeal, RibbonState
from engines.ribbon.view import Phase


def settle(seats: int, options: components.RibbonOptions) -> components.RibbonOptions:
    """Normalise the options.

    One seat plays solo, and irrelevant options get their default.

    >>> from engines.ribbon.pieces.components import RibbonOptions
    >>> settle(1, RibbonOptions(difficulty="hard", ribbon_choice="random")) == RibbonOptions("solo", "hard")
    True
    """
    if seats not in range(1, 4):
        raise IllegalSetup(f"Ribbon Tangle is for 1 to 3 players, not {seats}.")
    mode = "solo" if seats == 1 else options.mode
    if mode == "solo":
        if seats > 1:
            raise IllegalSetup(f"Solo is for 1 player, not {seats}. Choose versus or co-op.")
        return components.RibbonOptions(mode="solo", difficulty=options.difficulty)
    if mode == "coop":
        return components.RibbonOptions(mode="coop", first=options.first)
    return msgspec.structs.replace(options, difficulty=components.RibbonOptions().difficulty)


def deal(seats: int, options: components.RibbonOptions, seed: bytes) -> RibbonDeal:
    options = settle(seats, options)
    draws = Draws(seed, 0)
    deck: list[components.Card] = draws.shuffle(components.CARDS)
    first = draws.below(seats) if options.first == "random" else 0
    colours: list[components.Colour] = draws.shuffle(components.COLOURS)
    dealt_ribbons = options.ribbon_choice == "random"
    return RibbonDeal(tuple(deck), first, tuple(colours) if dealt_ribbons else None)


def check_deal(seats: int, options: components.RibbonOptions, deal: RibbonDeal) -> None:
    """Refuse a deal that could not be dealt with these (settled) options. Raises IllegalDeal."""
    _check_cards("The deck", deal.deck, len(components.CARDS))
    if deal.first not in range(seats):
        raise IllegalDeal(f"The first seat must be 0 to {seats - 1}, not {deal.first}.")
    if options.first == "host" and deal.first != 0:
        raise IllegalDeal("With these options, the host (seat 0) goes first.")
    if options.ribbon_choice != "random":
        if deal.colours is not None:
            raise IllegalDeal("These options don't deal ribbons, so leave out the colours.")
    elif deal.colours is None or sorted(deal.colours) != sorted(components.COLOURS):
        raise IllegalDeal("The deal must have green, orange and purple, each once.")
    if deal.eliminated is not None:
        if options.mode != "versus" or seats != 3:
            raise IllegalDeal("Only versus for three has an eliminated hand, so leave it empty.")
        _check_cards("The eliminated hand", deal.eliminated, 2)


def _check_cards(what: str, cards: tuple[components.Card, ...], count: int) -> None:
    unknown = next((card for card in cards if card not in components.CARDS), None)
    if unknown is not None:
        raise IllegalDeal(f"{what} has a card that doesn't exist: {clip(unknown)}.")
    if len(cards) != count:
        raise IllegalDeal(f"{what} must have {count} cards, not {len(cards)}.")
    if len(set(cards)) != count:
        raise IllegalDeal(f"{what} has the same card twice.")


def begin(seats: int, options: components.RibbonOptions, deal: RibbonDeal, seed: bytes) -> RibbonState:
    """Set up the first position of a deal.

    Raises:
        IllegalSetup: if seats and options don't go together.
        IllegalDeal: if the deal isn't one that could be dealt.
    """
    options = settle(seats, options)
    check_deal(seats, options, deal)
    rest = list(deal.deck[components.PLACES :])
    if options.mode == "solo":
        solo = components.COMPONENTS.solo[options.difficulty]
        count, size = solo.hands, solo.size
    else:
        count, size = seats, components.COMPONENTS.hands[options.mode][seats]
    hands: list[list[components.Card]] = [[] for _ in range(count)]
    for index, card in enumerate(rest[: count * size]):
        hands[(deal.first + index) % count].append(card)
    ribbons: list[components.Colour | None] = [None] * seats
    order: list[Seat] = [seat % seats for seat in range(deal.first, deal.first + seats)]
    for seat, colour in zip(order, chain(deal.colours or ()), strict=False):
        ribbons[seat] = colour
    phase: Phase = "flip" if options.mode == "coop" or options.ribbon_choice == "random" else "choose_ribbon"
    if options.mode == "solo":
        phase = "choose_hand"
    return RibbonState(
        options=options,
        seats=seats,
        seed=seed,
        eliminated=deal.eliminated,
        phase=phase,
        seat=deal.first,
        circle=(None,) * components.PLACES,
        beneath=list(deal.deck[: components.PLACES]),
        hands=hands,
        shown=[[] for _ in hands],
        aside=rest[count * size :],
        ribbons=tuple(ribbons),
    )
