"""Look-ahead of the strong computer player in versus: plays its best choices out in several deals.

It deals the hidden cards in ways that its view allows, and all play on by rules of thumb.
"""

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, NamedTuple, TypeVar

from engines.game import Game, Seat, Thinking
from engines.ribbon.computer import versus
from engines.ribbon.computer.duel import Duel, endings
from engines.ribbon.computer.masks import RIBBON, Clash, can_clear, can_escape, count, numbers
from engines.ribbon.computer.results import TurnResult, results
from engines.ribbon.preview import TurnDraft, apply_draft, is_winning
from engines.ribbon.preview import drafts as ways
from engines.ribbon.view import RibbonView
from engines.search import Playout, Ranked, rank_candidates

T = TypeVar("T")


class RibbonDepth(NamedTuple):
    """The number of choices to play out, the turns for each, and the limit on all turns."""

    choices: int = 10
    turns: int = 4
    budget: int = 2300


STRONG = RibbonDepth()
DEPTHS = {Thinking.USUAL: STRONG, Thinking.QUICK: RibbonDepth(choices=6, budget=575)}

_TRUST = 2.0
"""Weight of a choice's own value, compared with that of one world."""


def flips(
    view: RibbonView, rng: Random, rules: Game[Any, Any, Any, Any, Any, Any], depth: RibbonDepth = STRONG
) -> list[Ranked[int]]:
    """Compare the places to flip, best first."""
    values = versus.value_flips(view, rng)
    places = sorted(values, key=lambda place: -values[place])[: depth.choices]

    def played_out(duel: Duel, place: int, luck: Random) -> bool:
        duel.flip(place - 1)
        return view.turn == 1 or duel.arrange(view.seat, luck)

    return _rank_choices(view, places, [values[place] for place in places], played_out, rng, rules, depth)


def drafts(
    view: RibbonView, rng: Random, rules: Game[Any, Any, Any, Any, Any, Any], depth: RibbonDepth = STRONG
) -> list[Ranked[TurnDraft]]:
    """Compare the ways to end the turn, best first.

    None if all of them lose. If one leaves the other seat no way out, it compares only such ones.
    """
    entries = results(view)
    won = list(winning_results(view, entries))
    if won:
        return [Ranked(1.0, result.draft) for result in won]
    if view.full and len(view.remaining) == 2:
        clean = [result for result in entries if not count(result.circle, _own(view))]
        entries = [result for result in clean if _survives(view, result)] or entries
    promising, values = versus.value_drafts(view, rng, entries)
    order = sorted(range(len(promising)), key=lambda index: -values[index])[: depth.choices]
    leaves = {result.draft: result for result in entries}

    def played_out(duel: Duel, draft: TurnDraft, _: Random) -> bool:
        duel.end(view.seat, (leaves[draft].circle[:], leaves[draft].hand[:]))
        return True

    chosen = [promising[index] for index in order]
    return _rank_choices(view, chosen, [values[index] for index in order], played_out, rng, rules, depth)


def winning_draft(view: RibbonView) -> TurnDraft | None:
    """Find a way to end the turn that wins. For a team at once, in versus by leaving no way out."""
    if view.mode == "versus":
        return next((result.draft for result in winning_results(view, results(view))), None)
    if not view.full:
        return None
    return next((draft for draft in ways(view) if is_winning(view, apply_draft(view.circle, draft))), None)


def winning_results(view: RibbonView, entries: Sequence[TurnResult]) -> Iterator[TurnResult]:
    """Yield the results that leave the only other seat no way out."""
    if len(view.remaining) > 2:
        return
    own, other = _own(view), _other(view)
    for result in entries:
        if not count(result.circle, own) and is_trapped(view, other, result.circle):
            yield result


def is_trapped(view: RibbonView, seat: Seat, circle: list[int]) -> bool:
    """Return True if another seat surely can't clear a circle.

    Its cards are those that the viewer can't rule out.
    """
    colour = view.ribbons[seat]
    assert colour is not None
    known, unseen = _open_cards(view, seat), numbers(view.unseen)
    holds = unseen if len(known) < len(view.hands[seat]) else []
    return not can_escape(circle, known, holds, unseen, RIBBON[colour])


def _open_cards(view: RibbonView, seat: Seat) -> list[int]:
    """Return the cards that another seat is known to hold."""
    return numbers(card for card in view.hands[seat] if card is not None)


def _other(view: RibbonView) -> Seat:
    return next(seat for seat in view.remaining if seat != view.seat)


def _own(view: RibbonView) -> Clash:
    colour = view.ribbons[view.seat]
    assert colour is not None
    return RIBBON[colour]


def _rival(view: RibbonView) -> Clash:
    colour = view.ribbons[_other(view)]
    assert colour is not None
    return RIBBON[colour]


def _survives(view: RibbonView, result: TurnResult) -> bool:
    """Return True if the seat can surely stay clean next turn."""
    own, theirs = _own(view), _open_cards(view, _other(view)) + numbers(view.unseen)
    replies = endings(result.circle, theirs, _rival(view))
    return all(can_clear(circle, result.hand, own) for circle, _ in replies)


def _rank_choices(
    view: RibbonView,
    choices: Sequence[T],
    values: Sequence[float],
    made: Callable[[Duel, T, Random], bool],
    rng: Random,
    rules: Game[Any, Any, Any, Any, Any, Any],
    depth: RibbonDepth,
) -> list[Ranked[T]]:
    """Rank choices by the next turns. `made` carries one out and says if the seat is still in."""
    seat = view.seat
    following = view.remaining[(view.remaining.index(seat) + 1) % len(view.remaining)]

    def dealt(luck: Random) -> Duel:
        state = rules.sample_state(view, luck)
        clashes = [RIBBON[colour] if colour is not None else () for colour in state.ribbons]
        hands, shown = [numbers(hand) for hand in state.hands], [numbers(cards) for cards in state.shown]
        return Duel(numbers(state.circle), numbers(state.beneath), hands, shown, clashes, state.remaining)

    def played_out(world: Duel, choice: T, luck: Random) -> Playout:
        duel = world.copy()
        share = duel.share(seat, following, depth.turns, luck) if made(duel, choice, luck) else 0.0
        return Playout(share, duel.turns)

    prior = [_TRUST * value for value in values]
    return rank_candidates(choices, dealt, played_out, rng, depth.budget, prior)
