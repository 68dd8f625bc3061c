"""No order in which people, time and administrators do things at a table makes it come apart."""

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test
from msgspec.structs import replace

from tables.core.change import Change, DecisionContext, TableState, entry, is_agreed, voters
from tables.core.history import EntryKind
from tables.core.table import Proposal, ProposalKind, Refused
from tables.play import decisions as moves
from tables.play.decisions import LastSteps
from tables.time import proposals as agreement
from tests.often import often
from tests.tables.decisions.machine import AnyOrder

ENOUGH = often(2_000, 20_000)
"""Enough steps to find each of the planted faults many times over."""
WALKS = settings(
    max_examples=often(40, 400),
    stateful_step_count=100,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    derandomize=True,
    database=None,
    report_multiple_bugs=False,
)


def run_walks(machine: type[AnyOrder], *phases: Phase, walks: int = WALKS.max_examples) -> int:
    """Run random people, time and administrators; return the number of steps."""
    machine.steps = machine.found = 0
    chosen = settings(WALKS, phases=phases or tuple(Phase), max_examples=walks)
    run_state_machine_as_test(machine, settings=chosen)
    return machine.steps


def test_a_table_stays_whole_under_people_time_and_administrators() -> None:
    assert run_walks(AnyOrder) > ENOUGH


class DoneLater(AnyOrder):
    """A planted fault: the last consent is written, and what it brings about is done later."""

    def __init__(self) -> None:
        super().__init__()
        self.undecided: list[Proposal] = []

    def agree(self, user: int, seen: int) -> None:
        """Record the consent alone, with the proposal as it was."""
        self.decide(_consent_only, user_id=user, seen=seen)
        proposal = self.table.proposal
        if proposal is not None and is_agreed(self.table) and proposal.kind is ProposalKind.UNDO:
            self.undecided.append(proposal)

    def sweep(self) -> None:
        """Let the first comer carry an agreement out, the other repeat it."""
        super().sweep()
        if self.undecided:
            first = self.undecided.pop().agreed[0]
            self.decide(moves.roll_back, self.ledger.past(1), actor_id=first, why="agreed")


def _consent_only(loaded: TableState, now: DecisionContext, *, user_id: int, seen: int) -> Change:
    """Return a last consent that doesn't carry its proposal out."""
    proposal = agreement._current_proposal(loaded.table, seen)
    agreement._require_sense(loaded.table, proposal, user_id, LastSteps((), 0, loaded.position))  # type: ignore[arg-type]  # there is a step
    if user_id in proposal.agreed or user_id not in voters(loaded.table, proposal):
        raise Refused("It isn't theirs to say.")
    changed = replace(proposal, agreed=(*proposal.agreed, user_id))
    lines = agreement.entry_payload(loaded.table, changed, user_id)
    return Change(replace(loaded.table, proposal=changed), (entry(EntryKind.AGREE, user_id, payload=lines),))


class AgreesToAnything(AnyOrder):
    """A planted fault: an Agree that crosses a Decline proposes the same again."""

    def consent_change(self, user: int, seen: int) -> Change | None:
        """Agree to the button's text, even if nobody proposes it any more."""
        shown = [asked.proposal for made_at, asked in self.asked.items() if made_at <= seen]
        if not shown:
            return None
        about = replace(shown[-1], agreed=(), made_at=0)
        return self.decide(agreement.propose, self.ledger.past(1), user_id=user, about=about)


@pytest.mark.parametrize(
    ("planted", "found_by"),
    [
        pytest.param(
            DoneLater,
            "carried out twice|another step is taken back|nobody has proposed",
            marks=pytest.mark.thorough,
        ),
        (AgreesToAnything, "nobody has shown them that"),
    ],
)
def test_a_planted_fault_is_found(planted: type[AnyOrder], found_by: str) -> None:
    with pytest.raises(AssertionError, match=found_by):
        run_walks(planted, Phase.generate, walks=400)
    print(f"{planted.__name__} is found after {planted.found} steps")
