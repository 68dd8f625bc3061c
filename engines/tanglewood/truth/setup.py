"""From options and a seed to the first position. Rules: Setup."""

from collections import Counter
from collections.abc import Sequence

from engines.game import Draws, IllegalDeal
from engines.tanglewood.pieces import components
from engines.tanglewood.pieces.board import NEUTRAL, colours
from engines.tanglewood.truth.state import POLL, TanglewoodDeal, TanglewoodState


def deal(seats: int, options: components.TanglewoodOptions, seed: bytes) -> TanglewoodDeal:
    draws = Draws(seed, 0)
    first = draws.below(seats)
    least, most = components.LENGTHS[options.length].poll_cards_above
    starters, tangles = (
        draws.shuffle(tuple(components.STARTERS)),
        draws.shuffle(tuple(components.REGULAR_TANGLES)),
    )
    above = least + draws.below(most - least + 1)
    ballots, tiles = draws.shuffle(components.BALLOTS), draws.shuffle(tuple(components.FOX_TILES))
    return TanglewoodDeal(
        first=first if options.first == "random" else 0,
        starters=tuple(starters),
        tangles=tuple(tangles),
        above_poll=above,
        ballots=tuple(ballots),
        tiles=tuple(tiles) if options.fox_tiles == "shuffled" else tuple(components.FOX_TILES),
    )


def begin(
    seats: int, options: components.TanglewoodOptions, deal: TanglewoodDeal, seed: bytes
) -> TanglewoodState:
    check_deal(seats, options, deal)
    order = [(deal.first + step) % seats for step in range(seats)]
    size = components.LENGTHS[options.length].draw_deck
    deck = list(deal.tangles[components.RESERVE : components.RESERVE + size])
    deck.insert(deal.above_poll, POLL)
    hands: list[list[str]] = [[] for _ in range(seats)]
    for place, ballot in enumerate(deal.ballots[: components.SETUP.ballots * seats]):
        hands[order[place % seats]].append(ballot)
    counts = tuple(
        components.SETUP.neutral_markers if colour == NEUTRAL else components.SETUP.region_markers
        for colour in colours(seats)
    )
    opening = dict.fromkeys(components.REGIONS, counts)
    return TanglewoodState(
        options=options,
        seats=seats,
        seed=seed,
        planned=list(deal.reshuffles),
        order=order,
        seat=deal.first,
        votes=[components.SETUP.votes] * seats,
        circles=[components.SETUP.circle] * seats,
        draw_levels=[0] * seats,
        place_levels=[0] * seats,
        steps=[dict.fromkeys(components.TRACKS, 0) for _ in range(seats)],
        fox_tiles=list(deal.tiles),
        tangles=dict(zip(components.REGIONS, deal.starters, strict=True)),
        workers=opening,
        before=[opening] * seats,
        before_turn=opening,
        before_last=opening,
        deck=deck,
        reserve=list(deal.tangles[: components.RESERVE]),
        box=list(deal.tangles[components.RESERVE + size :]),
        hands=[sorted(hand) for hand in hands],
        chosen=[None] * seats,
        ballot_deck=list(deal.ballots[components.SETUP.ballots * seats :]),
        dropped=[[] for _ in range(seats)],
    )


def check_deal(seats: int, options: components.TanglewoodOptions, deal: TanglewoodDeal) -> None:
    if deal.first not in range(seats):
        raise IllegalDeal(f"The first seat must be 0 to {seats - 1}, not {deal.first}.")
    if options.first == "host" and deal.first != 0:
        raise IllegalDeal("With these options, the host (seat 0) goes first.")
    _check_order("The Starter Tangles", deal.starters, tuple(components.STARTERS))
    _check_order("The Regular Tangles", deal.tangles, tuple(components.REGULAR_TANGLES))
    _check_order("The ballots", deal.ballots, components.BALLOTS)
    _check_order("The Fox tiles", deal.tiles, tuple(components.FOX_TILES))
    if options.fox_tiles == "fixed" and deal.tiles != tuple(components.FOX_TILES):
        raise IllegalDeal(f"These options need the Fox tiles in the order {', '.join(components.FOX_TILES)}.")
    least, most = components.LENGTHS[options.length].poll_cards_above
    if not least <= deal.above_poll <= most:
        raise IllegalDeal(f"{least} to {most} Tangles must be above the Opinion Poll, not {deal.above_poll}.")
    for order in deal.reshuffles:
        if not order or Counter(order) - Counter(components.BALLOTS):
            raise IllegalDeal("A reshuffle needs at least one ballot, all from this game.")


def _check_order(what: str, order: Sequence[str], all_of_them: Sequence[str]) -> None:
    if sorted(order) != sorted(all_of_them):
        raise IllegalDeal(f"{what} must be all {len(all_of_them)}, each once.")
