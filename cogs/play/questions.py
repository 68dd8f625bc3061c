"""A choice of many parts, asked one small question after the other.

A choice is a path of short answers, its picks: first the tile, then its use, and so on. Only picks that lead
to a legal choice are offered, so nobody can go wrong.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from cogs.ui import form, text
from engines import marks, words
from tables.core.table import Refused
from tables.runtime import iterate_in_slices

M = TypeVar("M")
Picks = tuple[str, ...]
UNKNOWN = "That isn't one of the choices now."
MOST_NAMED = 5
"""Choices that a refusal names."""
Ways = Sequence[tuple[Picks, M]]


@dataclass(frozen=True)
class NextQuestion(Generic[M]):
    """The next question.

    Attributes:
        picks: the answers so far, with those that left no choice.
        options: the answers that lead on, none after the last.
        ways: the remaining moves, each with its picks.
    """

    picks: Picks = ()
    options: tuple[str, ...] = ()
    ways: Ways[M] = ()

    @property
    def move(self) -> M | None:
        return self.ways[0][1] if self.ways and not self.options else None


def ask(ways: Ways[M], picks: Picks, *, skips_first: bool) -> NextQuestion[M]:
    """Return the next question after some picks; forget picks that lead nowhere.

    A question with one answer is skipped: the first only with `skips_first`, and never so that a move is
    made without asking.
    """
    for length in range(len(picks), -1, -1):
        left = [way for way in ways if way[0][:length] == picks[:length]]
        if left:
            return _onward(picks[:length], left, skips_first=skips_first)
    return NextQuestion()


def _onward(picks: Picks, ways: Ways[M], *, skips_first: bool) -> NextQuestion[M]:
    chosen = bool(picks)
    while True:
        longer = [way for way in ways if len(way[0]) > len(picks)]
        if not longer:
            return NextQuestion(picks, (), ways)
        options = tuple(dict.fromkeys(path[len(picks)] for path, _ in longer))
        leads_on = skips_first and all(len(path) > len(picks) + 1 for path, _ in longer)
        if len(options) > 1 or not (chosen or leads_on):
            return NextQuestion(picks, options, longer)
        picks, ways = (*picks, options[0]), longer


def by_name(moves: Mapping[str, M], typed: str, why: str = UNKNOWN) -> M:
    """Return the move with a typed name, or part of one name.

    Raises:
        Refused: if several fit, or none; then it says `why`, and what can be chosen.

    >>> by_name({"flip 1": 1, "flip 10": 10}, "Flip 1"), by_name({"flip 1": 1, "flip 10": 10}, "10")
    (1, 10)
    """
    named = {name: name for name in moves}
    name = form.read_choice(named, typed)
    if name is not None:
        return moves[name]
    near = form.find_matches(named, typed) if typed.strip() else []
    if near:
        more = f", and {len(near) - MOST_NAMED} more" if len(near) > MOST_NAMED else ""
        named_ones = ", ".join(f"“{marks.quote(name)}”" for name in near[:MOST_NAMED])
        raise Refused(f"{len(near)} choices fit that: {named_ones}{more}. Type one of them.")
    raise Refused(f"{why} {_offer(list(moves))}")


def _offer(names: Sequence[str]) -> str:
    """Name a choice of each kind, which is its first word.

    >>> _offer(["flip 1", "flip 2", "end the turn"])
    'You can choose “flip 1” (or 1 more like it) or “end the turn”.'
    """
    kinds: dict[str, list[str]] = {}
    for name in names:
        kinds.setdefault(name.split()[0], []).append(name)
    offers = [
        f"“{marks.quote(first)}”" + (f" (or {len(others)} more like it)" if others else "")
        for first, *others in list(kinds.values())[:MOST_NAMED]
    ]
    return f"You can choose {words.join_words(offers, 'or')}." if offers else "There's nothing to choose now."


async def name_moves(moves: Iterable[M], result: Callable[[M], str]) -> dict[str, M]:
    """Return moves by their autocomplete names, at most 100 characters."""
    entries: dict[str, M] = {}
    async for move in iterate_in_slices(moves):
        entries.setdefault(text.to_label(result(move))[: form.LONGEST], move)
    return entries
