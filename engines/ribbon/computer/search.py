"""Look-ahead of the strong computer player in versus, by fast play-outs of several deals.

It deals the hidden cards in ways that its view allows, and all play on by rules of thumb.

In a play-out each player keeps its ribbon clean, tangles those of the others, and checks if the next seat
would have no way out, with the cards that everybody saw on their way into its hand and guesses at the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import NamedTuple, TypeVar

from engines.analysis.search import Playout, Ranked, rank_candidates
from engines.game import AnyGame, Seat, Thinking
from engines.ribbon.computer import versus
from engines.ribbon.computer.evaluation import (
    FACE_DOWN,
    RIBBON,
    Clash,
    TurnResult,
    can_clear,
    can_escape,
    count,
    face_down_places,
    find_tangles,
    find_tangles_after_swap,
    is_gap,
    numbers,
    results,
    touching,
)
from engines.ribbon.preview import TurnDraft, apply_draft, is_winning
from engines.ribbon.preview import drafts as ways
from engines.ribbon.view import RibbonView

_CLOSER = 12
"""Number of ways to end a turn that are checked for a way out of the next seat."""

_GUESSES = 3
"""How often the next seat's hand is guessed."""

_SAMPLE = 3
"""Cards tried at a place before one is turned up there."""

Ending = tuple[list[int], list[int]]
"""The circle and the hand after a turn."""


class Duel:
    """A fully dealt game of versus; `shown` are the cards of each hand that everybody has seen."""

    def __init__(
        self,
        circle: Sequence[int],
        beneath: Sequence[int],
        hands: Sequence[Sequence[int]],
        shown: Sequence[Sequence[int]],
        clashes: Sequence[Clash],
        remaining: Sequence[Seat],
    ) -> None:
        self.circle, self.beneath = list(circle), list(beneath)
        self.hands = [list(hand) for hand in hands]
        self.shown = [list(cards) for cards in shown]
        self.clashes = clashes
        self.remaining = list(remaining)
        self.turns = 0

    def copy(self) -> Duel:
        other = Duel(self.circle, self.beneath, self.hands, self.shown, self.clashes, self.remaining)
        other.turns = self.turns
        return other

    def after(self, seat: Seat) -> Seat:
        others = self.remaining
        return others[(others.index(seat) + 1) % len(others)]

    def share(self, own: Seat, mover: Seat, turns: int, luck: Random) -> float:
        """Return a seat's share of the win after that many turns.

        The mover has the next. 1 is a win, 0 a loss; survivors share it.
        """
        for _ in range(turns):
            following = self.after(mover)
            places = face_down_places(self.circle)
            if places:
                self.flip(self._place(mover, places, luck))
            if not self.arrange(mover, luck):
                # Rules: Elimination.
                one = self.after(mover)
                two = self.after(one)
                self.remaining.remove(mover)
                cards = self.hands[mover]
                luck.shuffle(cards)
                if len(self.remaining) > 1:
                    for receiver, card in zip((one, two), cards, strict=False):
                        self.hands[receiver].append(card)
                self.hands[mover], self.shown[mover] = [], []
                if own == mover:
                    return 0.0
                if len(self.remaining) == 1:
                    return 1.0
            mover = following
        return 1 / len(self.remaining)

    def _place(self, seat: Seat, places: list[int], luck: Random) -> int:
        """Choose the flip that most likely leaves a way to stay clean. The mover knows no hidden card."""
        gaps = [place for place in places if is_gap(self.circle, place)]
        if gaps or len(places) == 1:
            return luck.choice(gaps or places)
        cards = [self.beneath[place] for place in luck.sample(places, min(_SAMPLE, len(places)))]
        best, most = places[0], -1.0
        for place in places:
            works = luck.random()
            for card in cards:
                self.circle[place] = card
                works += can_clear(self.circle, self.hands[seat], self.clashes[seat])
            self.circle[place] = FACE_DOWN
            if works > most:
                best, most = place, works
        return best

    def arrange(self, seat: Seat, luck: Random) -> bool:
        """Play the rest of a turn after its flip. Return True if the seat is still in."""
        self.turns += 1
        pairs = list(endings(self.circle, self.hands[seat], self.clashes[seat]))
        if not pairs:
            return False
        following = self.after(seat)
        theirs = self.clashes[following]
        harms = [count(circle, theirs) + luck.random() for circle, _ in pairs]
        order = sorted(range(len(pairs)), key=lambda index: -harms[index])[:_CLOSER]
        guesses = self._guesses(seat, following, luck)
        best, most = pairs[order[0]], -1
        for one in order:
            circle, _ = pairs[one]
            stuck = sum(not can_clear(circle, hand, theirs) for hand in guesses)
            if stuck > most:
                best, most = pairs[one], stuck
            if stuck == len(guesses):
                break
        self.end(seat, best)
        return True

    def _guesses(self, seat: Seat, following: Seat, luck: Random) -> list[list[int]]:
        """Sample hands that the next seat can hold."""
        known = self.shown[following]
        unknown = len(self.hands[following]) - len(known)
        hidden_cards = [card for card in self.beneath if card != FACE_DOWN]
        for other in self.remaining:
            if other != seat:
                hidden_cards += [card for card in self.hands[other] if card not in self.shown[other]]
        if unknown == len(hidden_cards):
            return [known + hidden_cards]
        return [known + luck.sample(hidden_cards, unknown) for _ in range(_GUESSES if unknown else 1)]

    def flip(self, place: int) -> None:
        """Turn up the card at a place, counted from 0."""
        self.circle[place], self.beneath[place] = self.beneath[place], FACE_DOWN

    def end(self, seat: Seat, ending: Ending) -> None:
        """Apply an ending. If face-down cards have moved, the cards beneath move with them."""
        circle, hand = ending
        lying = [place for place, card in enumerate(circle) if card == FACE_DOWN]
        if lying:
            down = face_down_places(self.circle)
            if lying != down:
                (old,), (new,) = set(down) - set(lying), set(lying) - set(down)
                numbers = list(self.beneath)
                numbers[new], numbers[old] = numbers[old], FACE_DOWN
                self.beneath = numbers
        held = self.hands[seat]
        if hand is not held:
            kept = [card for card in self.shown[seat] if card in hand]
            self.shown[seat] = kept + [card for card in hand if card not in held]
        self.circle, self.hands[seat] = circle, hand


def endings(circle: list[int], hand: list[int], clash: Clash) -> Iterator[Ending]:
    """Yield every ending of a turn that leaves those ribbons clean."""
    bits = find_tangles(circle, clash)
    yield from _exchange_endings(circle, bits, hand, clash)
    for place, one in enumerate(circle):
        following = (place + 1) % len(circle)
        two = circle[following]
        if one != FACE_DOWN or two != FACE_DOWN:
            left = find_tangles_after_swap(circle, place, bits, clash)
            if touching(left):
                swapped = circle[:]
                swapped[place], swapped[following] = two, one
                yield from _exchange_endings(swapped, left, hand, clash)


def _exchange_endings(circle: list[int], bits: int, hand: list[int], clash: Clash) -> Iterator[Ending]:
    if not bits:
        yield circle, hand
    for place in touching(bits):
        taken = circle[place]
        if taken == FACE_DOWN:
            continue
        before, after = clash[circle[place - 1]], circle[(place + 1) % len(circle)]
        for index, card in enumerate(hand):
            if not before[card] and not clash[card][after]:
                other = circle[:]
                other[place] = card
                yield other, [*hand[:index], taken, *hand[index + 1 :]]


T = TypeVar("T")


class RibbonDepth(NamedTuple):
    """The number of choices to play out, the turns for each, and the limit on all turns."""

    choices: int = 10
    turns: int = 4
    budget: int = 1250


STRONG = RibbonDepth()
DEPTHS = {Thinking.USUAL: STRONG, Thinking.QUICK: RibbonDepth(choices=6, budget=575)}

_TRUST = 2.0
"""Weight of a choice's own value, compared with that of one world."""


def flips(view: RibbonView, rng: Random, rules: AnyGame, depth: RibbonDepth = STRONG) -> list[Ranked[int]]:
    values = versus.value_flips(view, rng)
    places = sorted(values, key=lambda place: -values[place])[: depth.choices]

    def played_out(duel: Duel, place: int, luck: Random) -> bool:
        duel.flip(place - 1)
        return view.turn == 1 or duel.arrange(view.seat, luck)

    return _rank_choices(view, places, [values[place] for place in places], played_out, rng, rules, depth)


def drafts(
    view: RibbonView, rng: Random, rules: AnyGame, depth: RibbonDepth = STRONG
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
    return numbers(card for card in view.hands[seat] if card is not None)


def _other(view: RibbonView) -> Seat:
    return next(seat for seat in view.remaining if seat != view.seat)


def _own(view: RibbonView) -> Clash:
    colour = view.ribbons[view.seat]
    assert colour is not None
    return RIBBON[colour]


def _survives(view: RibbonView, result: TurnResult) -> bool:
    """Return True if the seat can surely stay clean next turn."""
    own, theirs = _own(view), _open_cards(view, _other(view)) + numbers(view.unseen)
    colour = view.ribbons[_other(view)]
    assert colour is not None
    replies = endings(result.circle, theirs, RIBBON[colour])
    return all(can_clear(circle, result.hand, own) for circle, _ in replies)


def _rank_choices(
    view: RibbonView,
    choices: Sequence[T],
    values: Sequence[float],
    made: Callable[[Duel, T, Random], bool],
    rng: Random,
    rules: AnyGame,
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
