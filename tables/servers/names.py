"""Former players: their new names, and the places of names in history."""

from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import chain, count
from typing import Any

import msgspec
from msgspec.structs import replace

from db.subjects.erasure import ErasedPerson, NamingEntry
from tables.core.history import EntryKind
from tables.core.table import SUFFIX, CustomDeal, Forked, Origin, encode

NAME = "a former player"

PLACES: Mapping[EntryKind, tuple[str | int, ...]] = {
    EntryKind.HAND_OVER: ("name",),
    EntryKind.TAKE_OVER: ("old", "new"),
    EntryKind.LATE: (0,),
    EntryKind.DEPUTY: (0, 1),
    EntryKind.WAIT: (0, 1),
    EntryKind.DEADLINE: (0, 1),
    EntryKind.AWAY: (0,),
    EntryKind.RESUME: (0,),
    EntryKind.PROPOSE: (0, 2, 3),
    EntryKind.AGREE: (0, 2, 3),
    EntryKind.DECLINE: (0, 2, 3),
}
"""The places of names in payloads; other parts can read the same by chance."""
LISTS = frozenset({EntryKind.SKIP, EntryKind.NUDGE})
"""Entries of names only."""
BY_NAME = frozenset(
    {EntryKind.HAND_OVER, EntryKind.AWAY, EntryKind.PROPOSE, EntryKind.AGREE, EntryKind.DECLINE}
)
"""Entries whose first name is the actor's, if a player."""


def former_player_name(taken: Collection[str]) -> str:
    """Return a former player's name among others.

    >>> former_player_name(["Ann"]), former_player_name(["Ann", "a former player"])
    ('a former player', 'a former player 2')
    """
    names = chain([NAME], (f"{NAME} {number}" for number in count(2)))
    return next(name for name in names if name not in taken)


class NameScrubber:
    """Finds and replaces names in tables' texts. `untold` returns a memo without its words."""

    kinds: Collection[str] = frozenset({*PLACES, *LISTS, EntryKind.START, EntryKind.BACK, EntryKind.REASON})
    suffix = SUFFIX

    def __init__(self, untold: Callable[[str], str]) -> None:
        self._untold = untold

    def names(self, entry: NamingEntry, user_id: int) -> Iterable[str]:
        """Return the names of a person in an entry. Beside their id, or as its actor."""
        payload = entry.payload
        match entry.kind:
            case EntryKind.START:
                people = zip(payload["people"], payload["names"], strict=True)
                return [name for user, name in people if user == user_id]
            case EntryKind.TAKE_OVER:
                both = ((payload.get("left"), payload["old"]), (payload.get("came"), payload["new"]))
                return [name for user, name in both if user == user_id]
            case EntryKind.BACK:
                return [payload] if entry.own else []
            case EntryKind.HAND_OVER:
                return [payload["name"]] if entry.own and payload["own"] else []
            case kind if kind in BY_NAME:
                return [payload[0]] if entry.own and payload[0] is not None else []
            case _:
                return []

    def entry(self, entry: NamingEntry, gone: ErasedPerson) -> Any:
        """Return an entry's payload without the person.

        A name alone is taken for theirs, even if somebody else has it too.
        """
        payload = entry.payload
        match entry.kind:
            case EntryKind.START:
                named = [
                    gone.name if user == gone.user_id else name
                    for user, name in zip(payload["people"], payload["names"], strict=True)
                ]
                return {**payload, "people": _number_ids(payload["people"], gone), "names": named}
            case EntryKind.BACK:
                return _rename(payload, gone)
            case kind if kind in LISTS:
                return [_rename(name, gone) for name in payload]
            case EntryKind.TAKE_OVER:
                ids = {key: payload[key] for key in ("left", "came") if key in payload}
                numbers = dict(zip(ids, _number_ids(list(ids.values()), gone), strict=True))
                return {**_rename_in_payload(entry, gone), **numbers}
            case EntryKind.REASON:
                about = entry.own or any(name in payload for name in gone.names)
                return "" if about else payload
            case EntryKind.AWAY if entry.own:
                return [*_rename_in_payload(entry, gone)[:2], ""]  # what they said about it is theirs
            case _:
                return _rename_in_payload(entry, gone)

    def origin(self, origin: str, gone: ErasedPerson) -> str:
        """Return a table's origin without the person."""
        known: Origin = msgspec.json.decode(origin, type=Origin)
        if isinstance(known, CustomDeal | Forked):
            known = replace(known, names=tuple(_rename(name, gone) for name in known.names))
        return encode(known)

    def memo(self, memo: str) -> str:
        """Return a board post's memo without what the post says."""
        return self._untold(memo)

    def replacement_name(self, taken: Collection[str]) -> str:
        """See `former_player_name`."""
        return former_player_name(taken)


def _rename_in_payload(entry: NamingEntry, gone: ErasedPerson) -> Any:
    payload = entry.payload
    changed: Any = dict(payload) if isinstance(payload, dict) else list(payload)
    for place in PLACES[EntryKind(entry.kind)]:
        if isinstance(place, str) or place < len(changed):
            changed[place] = _rename(changed[place], gone)
    return changed


def _rename(name: Any, gone: ErasedPerson) -> Any:
    if not isinstance(name, str) or name.removesuffix(SUFFIX) not in gone.names:
        return name
    return f"{gone.name}{SUFFIX}" if name.endswith(SUFFIX) and name not in gone.names else gone.name


def _number_ids(ids: list[int | None], gone: ErasedPerson) -> list[int | None]:
    return [gone.number if user == gone.user_id else user for user in ids]
