"""The content of a game's file, checked and, if the game is over, replayed."""

import msgspec

from db.records.tables import ActionRow
from engines.engine import ReplayCheck, check_replay
from engines.game import IllegalDeal, IllegalSetup, Outcome, Thinking
from engines.registry import game
from tables.core.history import EntryKind
from tables.core.repository import SNAPSHOT_EVERY
from tables.core.table import Refused, encode
from tables.review.format import (
    Chair,
    DealFile,
    GameFile,
    complaint,
    read,
    read_deal,
    read_options,
    read_outcome,
    read_steps,
    require_few_steps,
)


class ImportedDeal(msgspec.Struct, frozen=True):
    """An imported hand-made deal: the game, its settled options and the deal as JSON, the seats."""

    slug: str
    options: str
    deal: str
    chairs: tuple[Chair, ...]

    def __repr__(self) -> str:
        return f"ImportedDeal(slug={self.slug!r})"


class ImportedGame(msgspec.Struct, frozen=True):
    """An imported and replayed finished game, ready to become a table."""

    laying: ImportedDeal
    by_hand: bool
    seed: str
    salt: str
    thinking: Thinking
    outcome: Outcome
    beat: int
    rows: tuple[ActionRow, ...]
    states: tuple[tuple[int, bytes], ...]

    def __repr__(self) -> str:
        return f"ImportedGame(slug={self.laying.slug!r}, rows={len(self.rows)})"


def import_file(data: bytes) -> ImportedGame | ImportedDeal:
    """Check a file; return its game or its deal.

    Raises:
        Refused: with a sentence that says what is wrong with it.
    """
    file = read(data)
    try:
        return _imported_deal(file) if isinstance(file, DealFile) else _past(file)
    except RecursionError:  # what the file nests the deepest is just too deep for what looks into it
        raise Refused("I can't read that file: it's nested too deeply.") from None


def _imported_deal(file: DealFile | GameFile) -> ImportedDeal:
    rules, seats = game(file.game), len(file.seats)
    options, deal = read_options(file), read_deal(file)
    try:
        rules.begin(seats, options, deal, b"")
    except (IllegalDeal, IllegalSetup) as reason:
        raise Refused(f"I can't set up the deal in that file: {complaint(reason)}") from None
    return ImportedDeal(file.game, encode(options), encode(deal), tuple(file.seats))


def _past(file: GameFile) -> ImportedGame:
    require_few_steps(file.game, len(file.steps))
    laying = _imported_deal(file)
    again = check_replay(
        file.game,
        len(file.seats),
        laying.options.encode(),
        laying.deal.encode(),
        bytes.fromhex(file.seed),
        list(read_steps(file)),
        SNAPSHOT_EVERY,
    )
    if again.departed is not None:
        number = len(again.steps) + 1
        raise Refused(f"Step {number} of that game breaks the rules: {complaint(again.departed)}")
    outcome = again.position.outcome
    if outcome is None:
        raise Refused("That file stops before the game is over.")
    if read_outcome(file) != outcome:
        raise Refused("That file's moves don't lead to the result that the file gives.")
    return ImportedGame(
        laying=laying,
        by_hand=file.by_hand,
        seed=file.seed,
        salt=file.salt,
        thinking=file.thinking,
        outcome=outcome,
        beat=again.position.beat,
        rows=tuple(_rows(file, again)),
        states=tuple((made + 1, state) for made, state in again.states),
    )


def _rows(file: GameFile, again: ReplayCheck) -> list[ActionRow]:
    """Return the history of a replayed game. Its start, and a version for each step."""
    rows = [ActionRow(1, 0, EntryKind.START, None, None, None, "[]", True, file.begun)]
    for made, step in zip(file.steps, again.steps, strict=True):
        version = len(rows) + 1
        kind = EntryKind.FORCED if step.forced else EntryKind.MOVE
        rows.append(
            ActionRow(
                version=version,
                base=version - 1,
                kind=EntryKind.RESIGN if step.move is None else kind,
                seat=step.seat,
                actor_id=None,
                payload=None if step.move is None else encode(step.move),
                events=encode(step.events),
                reveals=step.reveals,
                at=made.at,
                beat=step.beat,
            )
        )
    return rows
