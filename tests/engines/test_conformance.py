"""Requirements on every game, whatever its rules: the contract of `engines.game`, as properties."""

import os
import re
import subprocess
import sys
from importlib import import_module
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engines import engine
from engines.game import Event, IllegalDeal, IllegalMove, Strength, Thinking
from engines.registry import SLUGS, AnyGame, words
from engines.words import MOST_CHARACTERS, NoSuchPlace
from tests.engines.cases import CASES, GameCase, TableChoice
from tests.engines.conformance import (
    Played,
    WalkStep,
    decode_state,
    encode_state,
    fresh,
    mutations,
    play_shared_games,
    some,
    step,
    viewers,
)
from tests.often import often

PLAYED_CASES = [pytest.param(case, id=f"{case.slug}@played") for case in CASES]
"""All tests of a game run in one process, as they share its random games."""
every_game = pytest.mark.parametrize("case", PLAYED_CASES)
NAMES = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo"]
LONGEST_REFUSAL = 300
GONE, OVER = "You're no longer in this game|You've already left this game", r"^The game is over\.$"
READ_ALOUD = re.compile(r"[A-Za-z0-9 \n.,:;'()?!-]*")
"""Characters that a screen reader speaks as meant; it spells other signs out, or skips them."""
LISTED = often(50, 500)
"""The most legal moves of a step that are tried; fewer of a game that takes long, by its weight."""


def positions(case: GameCase) -> st.SearchStrategy[tuple[TableChoice, bytes]]:
    """Draw encoded states of random games, their last ones included."""
    games = [(game.table, game.states(case.game)) for game in play_shared_games(case.slug)]
    return st.sampled_from(games).flatmap(lambda game: st.tuples(st.just(game[0]), st.sampled_from(game[1])))


def hypothetical(case: GameCase, examples: int) -> settings:
    return settings(
        max_examples=max(often(3, 6), examples // case.weight // often(2, 1)),
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )


@pytest.fixture(scope="module", params=PLAYED_CASES)
def played(request: pytest.FixtureRequest) -> Played:
    case: GameCase = request.param
    return Played(case, play_shared_games(case.slug))


def as_bytes(view: Any) -> bytes:
    return msgspec.json.encode(view)


def test_every_hosted_game_is_covered() -> None:
    assert [case.slug for case in CASES] == list(SLUGS)


def test_every_listed_move_is_accepted_and_no_other(played: Played) -> None:
    rules = played.case.game
    taken = played.steps(200)
    pool = sorted({step.move for _, step in taken if step.move is not None}, key=encode_state)
    rng = Random(1)
    for table, step_taken in taken:
        state = decode_state(rules, step_taken.before)
        for seat in [-1, *range(table.seats), table.seats]:
            listed = list(rules.moves(state, seat))
            assert len(set(listed)) == len(listed)
            for move in some(listed, LISTED // played.case.weight):
                rules.play(decode_state(rules, step_taken.before), seat, move)
            tried = rng.sample(pool, min(12, len(pool)))
            tried += [wrong for move in rng.sample(tried, 2) for wrong in mutations(move)]
            for move in tried:
                if move not in listed:
                    refusal(rules, state, seat, move)
        assert encode_state(state) == step_taken.before, "a refused move has touched the state"


def refusal(rules: AnyGame, state: Any, seat: int, move: Any) -> str:
    """Return the sentence that refuses a move; check that it is one."""
    with pytest.raises(IllegalMove) as refused:
        rules.play(state, seat, move)
    text = str(refused.value)
    assert text[0].isupper(), text
    assert text.endswith("."), text
    assert len(text) <= LONGEST_REFUSAL, text
    return text


def test_a_seat_has_moves_exactly_while_it_owes_one(played: Played) -> None:
    rules = played.case.game
    for table, taken in played.steps(80):
        state = decode_state(rules, taken.before)
        prompts = rules.prompts(state)
        assert list(prompts) == sorted(prompts)
        for seat in range(table.seats):
            listed = list(rules.moves(state, seat))
            assert bool(listed) == (seat in prompts) or (listed and rules.simultaneous)
            forced = rules.only_move(state, seat)
            assert forced is None or listed == [forced]


def test_an_imagined_state_is_what_the_seat_sees(played: Played) -> None:
    rules, hidden, varied = played.case.game, 0, 0
    for number, (table, taken) in enumerate(played.steps(often(12, 60))):
        state = decode_state(rules, taken.before)
        for seat in sorted({taken.seat, *rules.prompts(state)}):
            view, luck = rules.view(state, seat), Random(number)
            if getattr(view, "viewer", None) != seat:
                continue
            imagined = [rules.sample_state(view, luck) for _ in range(3)]
            for one in imagined:
                assert as_bytes(rules.view(one, seat)) == as_bytes(view)
                assert list(rules.moves(one, seat)) == list(rules.moves(state, seat))
                assert list(rules.prompts(one)) == list(rules.prompts(state))
                again = rules.resample_hidden(one, seat, luck)
                assert as_bytes(rules.view(again, seat)) == as_bytes(view)
            if looks(rules, table, [rules.resample_hidden(state, seat, luck) for _ in range(3)]) > 1:
                hidden += 1
                varied += looks(rules, table, imagined) > 1
    assert varied >= hidden / 2, "what is hidden is not drawn again"


def looks(rules: AnyGame, table: TableChoice, states: list[Any]) -> int:
    """Count the different views of some states, over all viewers."""
    return len({tuple(as_bytes(rules.view(state, seat)) for seat in viewers(table)) for state in states})


def test_an_imagined_game_can_be_played_to_the_end(played: Played) -> None:
    rules = played.case.game
    for number, (_, taken) in enumerate(some(played.steps(12), often(8, 200))):
        state, luck = decode_state(rules, taken.before), Random(number)
        if taken.seat not in rules.prompts(state):
            continue
        state = rules.sample_state(rules.view(state, taken.seat), luck)
        while prompts := rules.prompts(state):
            seat = luck.choice(list(prompts))
            rules.play(state, seat, luck.choice(list(rules.moves(state, seat))))
        assert rules.outcome(state) is not None


def test_an_automatic_move_is_one_of_the_seats_moves(played: Played) -> None:
    rules = played.case.game
    for table, taken in played.steps(80):
        state = decode_state(rules, taken.before)
        for seat in range(table.seats):
            unasked = rules.automatic_move(state, seat)
            assert unasked is None or unasked in list(rules.moves(state, seat))
        assert encode_state(state) == taken.before


def test_a_move_announced_to_end_the_turn_leaves_nothing_to_decide(played: Played) -> None:
    rules = played.case.game
    for table, taken in played.steps(80):
        state = decode_state(rules, taken.before)
        for seat in rules.prompts(state):
            move = next(rules.moves(state, seat))
            ends = rules.ends_turn(rules.view(state, seat), seat, [move])
            assert encode_state(state) == taken.before
            if ends:
                before = rules.post_counter(state)
                after = engine.play(rules.slug, table.seats, taken.before, [(seat, move)]).position
                left = list(rules.moves(decode_state(rules, after.state), seat))
                assert after.over or after.beat != before or len(left) <= 1


@every_game
def test_a_refusal_is_a_sentence_for_the_player(case: GameCase) -> None:
    @hypothetical(case, 100)
    @given(positions(case), positions(case), st.randoms(use_true_random=False))
    def check(here: tuple[TableChoice, bytes], elsewhere: tuple[TableChoice, bytes], rng: Random) -> None:
        rules = case.game
        state, other = decode_state(rules, here[1]), decode_state(rules, elsewhere[1])
        strange = [move for seat in rules.prompts(other) for move in rules.moves(other, seat)]
        for move in rng.sample(strange, min(5, len(strange))):
            seat = rng.randrange(here[0].seats)
            if move in list(rules.moves(state, seat)):
                continue
            refusal(rules, state, seat, move)
            assert encode_state(state) == here[1]

    check()


@every_game
def test_a_move_of_another_game_is_refused_before_the_rules_see_it(case: GameCase) -> None:
    strange: list[Any] = [None, "flip"]
    for other in CASES:
        if other != case:
            state = fresh(other.game, other.tables[0], b"another")
            strange += next(list(other.game.moves(state, seat)) for seat in other.game.prompts(state))[:3]

    here = encode_state(fresh(case.game, case.tables[0], b"another"))
    for move in strange:
        with pytest.raises(IllegalMove, match=f"{case.game.title} has no such move"):
            engine.play(case.slug, case.tables[0].seats, here, [(0, move)])


def test_every_game_ends_and_its_outcome_places_every_seat(played: Played) -> None:
    rules = played.case.game
    for table, seed, steps in played.some(200):
        assert len(steps) <= played.case.longest
        state = fresh(rules, table, seed)
        beats = [rules.post_counter(state)]
        for taken in steps:
            assert rules.outcome(state) is None
            step(rules, state, taken.seat, taken.move)
            beats.append(rules.post_counter(state))
        assert beats == sorted(beats)
        assert not rules.prompts(state)
        outcome = rules.outcome(state)
        assert outcome is None or len(outcome.places) == table.seats
        for seat in range(table.seats):
            assert not list(rules.moves(state, seat))
            with pytest.raises(IllegalMove):
                rules.resign(state, seat)


@every_game
def test_only_a_seat_in_the_game_leaves_or_moves(case: GameCase) -> None:
    rules = case.game
    for table in case.tables:
        state = fresh(rules, table, b"leaving")
        move = next(iter(rules.moves(state, next(iter(rules.prompts(state))))))
        for seat in range(table.seats):
            for nobody in (-1, table.seats):
                with pytest.raises(IllegalMove, match=GONE):
                    rules.resign(state, nobody)
            rules.resign(state, seat)
            before, is_over = encode_state(state), not rules.prompts(state)
            with pytest.raises(IllegalMove, match=f"{OVER}|{GONE}" if is_over else GONE):
                rules.resign(state, seat)
            assert re.search(f"{OVER}|{GONE}|It isn't your turn", refusal(rules, state, seat, move))
            assert encode_state(state) == before
            if is_over:
                break
        assert is_over


def test_the_same_seed_and_moves_give_the_same_bytes(played: Played) -> None:
    rules = played.case.game
    for table, seed, steps in played.some(40):
        state = fresh(rules, table, seed)
        for taken in steps:
            assert encode_state(state) == taken.before
            assert step(rules, state, taken.seat, taken.move) == taken.events


def test_a_copy_is_played_on_like_the_state_and_leaves_it_as_it_was(played: Played) -> None:
    rules = played.case.game
    for _, taken in played.steps(120):
        state = decode_state(rules, taken.before)
        copy = rules.copy(state) or decode_state(rules, taken.before)
        assert encode_state(copy) == taken.before
        assert step(rules, copy, taken.seat, taken.move) == taken.events
        assert encode_state(state) == taken.before


def test_a_state_that_was_played_on_answers_like_one_that_is_decoded(played: Played) -> None:
    rules = played.case.game
    for table, seed, steps in played.some(12):
        state = fresh(rules, table, seed)
        for taken in steps:
            state = rules.copy(state) or state
            step(rules, state, taken.seat, taken.move)
            again = decode_state(rules, encode_state(state))
            for seat in rules.prompts(state):
                assert list(rules.moves(state, seat)) == list(rules.moves(again, seat))
                assert as_bytes(rules.view(state, seat)) == as_bytes(rules.view(again, seat))


def test_nothing_depends_on_the_hash_seed_of_the_process() -> None:
    script = (
        f"from tests.engines.conformance import fingerprint; print(fingerprint({often(1, len(CASES))}, 4))"
    )
    prints = [
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hash_seed in ("1", "2")
    ]
    assert prints[0] == prints[1] != ""


def test_everything_survives_json_and_messagepack(played: Played) -> None:
    rules = played.case.game

    def survives(value: Any, kind: Any) -> None:
        assert msgspec.json.decode(msgspec.json.encode(value), type=kind) == value
        assert msgspec.msgpack.decode(msgspec.msgpack.encode(value), type=kind) == value

    for table, seed, steps in played.some(60):
        survives(table.options, rules.Options)
        survives(rules.deal(table.seats, table.options, seed), rules.Deal)
        for taken in steps:
            state = decode_state(rules, taken.before)
            survives(state, rules.State)
            if taken.move is not None:
                survives(taken.move, rules.Move)
            for event in taken.events:
                survives(event, rules.Event)
            survives(rules.view(state, taken.seat), rules.View)


@every_game
def test_a_decoded_state_encodes_to_the_same_bytes(case: GameCase) -> None:
    @hypothetical(case, 66)
    @given(positions(case))
    def check(position: tuple[TableChoice, bytes]) -> None:
        state = decode_state(case.game, position[1])
        assert encode_state(state) == position[1]
        text = msgspec.json.encode(state)
        assert encode_state(msgspec.json.decode(text, type=case.game.State)) == position[1]

    check()


@every_game
def test_a_deal_by_hand_is_checked(case: GameCase) -> None:
    rules = case.game
    for table in case.tables:
        deal = rules.deal(table.seats, table.options, b"by hand")
        begun = rules.begin(table.seats, table.options, deal, b"by hand")
        assert encode_state(begun) == encode_state(fresh(rules, table, b"by hand"))
        for wrong in mutations(deal):
            changed = next(n for n in deal.__struct_fields__ if getattr(deal, n) != getattr(wrong, n))
            may_be_dealt = isinstance(getattr(wrong, changed), int)
            assert may_be_dealt or not begins(case, table, wrong), f"{changed} is not checked"


def begins(case: GameCase, table: TableChoice, deal: Any) -> bool:
    try:
        case.game.begin(table.seats, table.options, deal, b"by hand")
    except IllegalDeal:
        return False
    return True


def test_a_view_holds_nothing_that_its_viewer_may_not_know(played: Played) -> None:
    rules = played.case.game
    told_apart = 0
    for table, taken in played.steps(120):
        state = decode_state(rules, taken.before)
        for viewer in viewers(table):
            other = rules.resample_hidden(state, viewer, Random(7))
            told_apart += encode_state(other) != taken.before
            assert as_bytes(rules.view(other, viewer)) == as_bytes(rules.view(state, viewer))
            if viewer is not None:
                assert list(rules.moves(other, viewer)) == list(rules.moves(state, viewer))
                assert rules.hand(other, viewer) == rules.hand(state, viewer)
        assert encode_state(state) == taken.before, "a redeal has touched the state"
    assert told_apart


def test_an_ended_game_tells_no_more_than_before_unless_it_reveals(played: Played) -> None:
    rules = played.case.game
    told_apart = 0
    for table, seed, steps in played.some(120):
        state = fresh(rules, table, seed)
        for taken in steps:
            step(rules, state, taken.seat, taken.move)
        for viewer in viewers(table):
            other = rules.resample_hidden(state, viewer, Random(7), reveals=False)
            told_apart += encode_state(other) != encode_state(state)
            hidden = as_bytes(rules.view(state, viewer, reveals=False))
            assert as_bytes(rules.view(other, viewer, reveals=False)) == hidden
    assert told_apart


@every_game
def test_a_picture_shows_nothing_that_its_viewer_may_not_know(case: GameCase) -> None:
    rules, pictures = case.game, import_module(f"render.{case.slug}")

    def drawn(state: Any, viewer: int | None, table: TableChoice) -> list[tuple[bytes, str]]:
        view, names = rules.view(state, viewer), NAMES[: table.seats]
        drawings = [pictures.board(view, names)]
        if viewer is not None:
            drawings.append(pictures.hand(view, viewer, names))
        return [(picture.png, picture.alt) for picture in drawings if picture is not None]

    @hypothetical(case, 6)
    @given(positions(case), st.integers(0, 5))
    def check(position: tuple[TableChoice, bytes], looks: int) -> None:
        table, state = position[0], decode_state(rules, position[1])
        viewer = viewers(table)[looks % (table.seats + 1)]
        assert drawn(rules.resample_hidden(state, viewer, Random(7)), viewer, table) == drawn(
            state, viewer, table
        )

    check()


def test_a_step_that_may_be_undone_has_shown_nobody_anything_new(played: Played) -> None:
    rules = played.case.game
    harmless = compared = 0
    for table, taken in played.steps(150):
        if any(event.reveals for event in taken.events):
            continue
        harmless += 1
        state = decode_state(rules, taken.before)
        after = decode_state(rules, taken.before)
        step(rules, after, taken.seat, taken.move)
        nobody_new = set(rules.prompts(after)) <= set(rules.prompts(state))
        assert nobody_new or rules.simultaneous or rules.post_counter(after) > rules.post_counter(state)
        for viewer in viewers(table):
            other = could_have_moved(rules, state, viewer, taken)
            if other is not None:
                compared += 1
                step(rules, other, taken.seat, taken.move)
                assert as_bytes(rules.view(other, viewer)) == as_bytes(rules.view(after, viewer))
    assert harmless
    assert compared >= harmless


def could_have_moved(rules: AnyGame, state: Any, viewer: int | None, taken: WalkStep) -> Any:
    """Return a state with the same view and the move legal.

    Return None if none is found soon.

    A seat that plays from its hand shows, by its own will, that it had the card.
    """
    for number in range(8):
        other = rules.resample_hidden(state, viewer, Random(number))
        if taken.move is None or taken.move in list(rules.moves(other, taken.seat)):
            return other
    return None


def test_a_line_for_one_seat_says_so_and_cannot_be_undone(played: Played) -> None:
    for table, taken in played.steps(120):
        for event in taken.events:
            assert isinstance(event, Event)
            assert event.only is None or event.only in range(table.seats)
            assert event.only is None or event.reveals


@every_game
@pytest.mark.parametrize("strength", Strength)
def test_a_computer_player_answers_legally_from_its_view_alone(case: GameCase, strength: Strength) -> None:
    rules, rng, played = case.game, Random(strength), Played(case, play_shared_games(case.slug))
    # Thinking takes long; the random games also hold moves of medium players.
    most = often(4, 60) if strength is Strength.STRONG else often(20, 200)
    for _, taken in some(played.steps(80), most):
        state = decode_state(rules, taken.before)
        for seat in rules.prompts(state):
            view = msgspec.json.decode(as_bytes(rules.view(state, seat)), type=rules.View)
            move = rules.choose(view, seat, rng, strength, rng.choice(list(Thinking)))
            assert move in list(rules.moves(state, seat))


@every_game
def test_a_computer_player_chooses_the_same_from_the_same_draws(case: GameCase) -> None:
    @hypothetical(case, 26)
    @given(positions(case), st.integers(0, 1000), st.sampled_from(Strength), st.sampled_from(Thinking))
    def check(position: tuple[TableChoice, bytes], seed: int, strength: Strength, thinking: Thinking) -> None:
        rules, state = case.game, decode_state(case.game, position[1])
        for seat in rules.prompts(state):
            view = rules.view(state, seat)
            first = rules.choose(view, seat, Random(seed), strength, thinking)
            assert rules.choose(view, seat, Random(seed), strength, thinking) == first
            assert as_bytes(view) == as_bytes(rules.view(state, seat))

    check()


def read_aloud(rules: AnyGame, view: Any, table: TableChoice) -> str:
    """Return a whole position in words, each part with its heading."""
    parts = words(rules.slug).parts(view, NAMES[: table.seats])
    return "\n".join(f"{part.heading}\n{part.text}" for part in parts)


def test_two_views_that_differ_are_told_in_words_that_differ(played: Played) -> None:
    rules = played.case.game
    entries: dict[str, Any] = {}
    for table, taken in played.steps(often(12, 60)):
        state = decode_state(rules, taken.before)
        for viewer in viewers(table):
            view = rules.view(state, viewer)
            assert entries.setdefault(read_aloud(rules, view, table), view) == view


@every_game
def test_a_board_in_words_is_short_parts_without_signs(case: GameCase) -> None:
    rules, game_words = case.game, words(case.slug)

    @hypothetical(case, 60)
    @given(positions(case), st.integers(0, 5))
    def check(position: tuple[TableChoice, bytes], looks: int) -> None:
        table, state = position[0], decode_state(rules, position[1])
        names, viewer = NAMES[: table.seats], viewers(table)[looks % (table.seats + 1)]
        view = rules.view(state, viewer)
        parts = game_words.parts(view, names)
        moves = [] if viewer is None else list(rules.moves(state, viewer))
        places = game_words.places(view)
        texts = [game_words.describe_place(view, names, place, moves) for place in some(places, 20)]
        texts += [game_words.describe_moves(view, names, moves), *(part.text for part in parts)]
        texts += [] if viewer is None else game_words.describe_hand(view, names, viewer)

        assert parts[0].text.split("\n")[0] == game_words.describe_changes(view, names)[0]
        assert len({part.heading for part in parts}) == len(parts)
        assert all(0 < len(part.heading) <= 100 for part in parts)
        assert len(set(places)) == len(places)
        for text in [*texts, *(part.heading for part in parts)]:
            assert 0 < len(text) <= MOST_CHARACTERS
            assert READ_ALOUD.fullmatch(text), text

    check()


@every_game
def test_a_place_that_the_board_does_not_have_is_refused_in_a_sentence(case: GameCase) -> None:
    rules, table = case.game, case.tables[0]
    view = rules.view(fresh(rules, table, b"no such place"), 0)

    for typed in ("", "nowhere", "Q99", "z" * 500):
        with pytest.raises(NoSuchPlace) as refused:
            words(case.slug).describe_place(view, NAMES, typed, [])
        assert len(str(refused.value)) <= LONGEST_REFUSAL
        assert str(refused.value).endswith(".")
