import msgspec
import pytest

from engines.tangle import GAME, decisions
from engines.tangle.truth.state import TangleState
from engines.tangle.words import board, nouns, questions
from tests.engines.tangle.arrange import begin, change, front, give, play, put, stash


@pytest.fixture
def state() -> TangleState:
    state = begin(2)
    stash(state, 0, 5, 5, 5, 5)
    return state


def closing(state: TangleState) -> str:
    return questions.closing(GAME.view(state, 0))


def test_nothing_is_planted_before_the_first_seed(state: TangleState) -> None:
    put(state, 0, "earth", "C6", "D7")
    put(state, 0, "meadow", "B8", cubes=2)
    change(state, 0, seeds=(2, 0))
    play(state, 0, "place B5 PL")
    assert closing(state) == "Plant nothing"

    play(state, 0, "plant bush C6")

    assert closing(state) == "Done planting"


def test_nothing_is_laid_before_the_first_lake(state: TangleState) -> None:
    put(state, 0, "meadow", "C4", cubes=2)
    play(state, 0, "place B5 LA")
    assert closing(state) == "Lay nothing"


def test_an_area_says_which_spaces_it_touches_and_how_many_lakes(state: TangleState) -> None:
    view = GAME.view(state, 0)
    assert nouns.touching(view, "C6") == "beside E, TS and CE"

    put(state, 1, "lake", "C5")

    assert nouns.touching(GAME.view(state, 0), "C6") == "beside E, TS, CE and 1 lake"


def test_a_card_without_effects_left_does_not_come_later(state: TangleState) -> None:
    give(state, 0, "windfall")
    state.agenda = [
        decisions.Casting(1),
        decisions.RunningCard((), "spring_rush"),
        decisions.Growing(2, free=True),
    ]

    assert "Later this turn, you may cast enchantments, 1 cast so far." in read(state)
    assert "Spring Rush" not in read(state)


def test_a_cast_comes_later_only_if_a_root_and_a_card_can_be_there(state: TangleState) -> None:
    state.agenda = [decisions.Casting(1), decisions.Growing(2, free=True)]
    assert "After that" not in read(state)  # no card

    state.agenda = [decisions.Casting(1), decisions.DrawingCards(3)]
    assert "Later this turn, you may cast enchantments" in read(state)

    give(state, 0, "windfall")
    state.agenda = [decisions.Casting(2), decisions.Growing(2, free=True)]
    assert "After that" not in read(state)  # no root

    put(state, 0, "sapling", "C6")
    assert "Later this turn, you may cast enchantments, 2 cast so far." in read(state)


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        (decisions.Meadows(), "you may lay any number of meadows."),
        (decisions.Lakes(), "you may lay up to 1 lake."),
        (decisions.Placing(), "you must place a root."),
        (decisions.Pushing(2), "you must push the upkeep trackers up 2 steps."),
        (decisions.DrawingCards(2), "you must draw 2 cards."),
        (decisions.Diverse(earth=False), "you may lay a meadow or grow something."),
    ],
)
def test_a_decision_says_if_it_is_due(state: TangleState, asked: decisions.Decision, sentence: str) -> None:
    state.agenda = [asked]

    assert sentence in read(state)


def read(state: TangleState) -> str:
    parts = board.parts(GAME.view(state, 0), ("Ann", "Bo"))
    return "\n".join(part.text for part in parts)


def test_the_news_in_words_say_who_moved_where_and_what_was_gained(state: TangleState) -> None:
    seen = GAME.view(state, 1)
    play(state, 0, "place B5 E")

    news = board.describe_changes(GAME.since(GAME.view(state, 1), [seen]), ("Ann", "Bo"))

    assert "Ann moved a root from the tree on B5 to E (Earth)." in news
    assert "Ann has 2 earth more." in news
    assert not any("changed the board" in line for line in news)
    assert "E (Earth) now has 2 earth and Ann's root." in news


def test_the_news_in_words_name_spaces_that_got_resources(state: TangleState) -> None:
    seen = GAME.view(state, 1)
    play(state, 0, "place B5 LA")

    news = board.describe_changes(GAME.since(GAME.view(state, 1), [seen]), ("Ann", "Bo"))

    assert "E (Earth) now has 3 earth." in news
    assert "M (Mana) now has 3 mana." in news


def test_the_news_in_words_say_that_a_root_came_home(state: TangleState) -> None:
    play(state, 0, "place B5 E")
    play(state, 1, "place B9 W")
    seen = GAME.view(state, 1)
    play(state, 0, "place E B5")

    news = board.describe_changes(GAME.since(GAME.view(state, 1), [seen]), ("Ann", "Bo"))

    assert "Ann moved a root from E (Earth) to the tree on B5." in news
    assert not any("changed the board" in line for line in news)


def test_the_news_in_words_tell_cards_seeds_markers_and_upkeep(state: TangleState) -> None:
    front(state, 1, "landslide")
    state.markers = (None, 1, None)
    seen = GAME.view(state, 1)
    front(state, 0, "windfall")
    state.players[1] = msgspec.structs.replace(state.players[1], front=())
    state.players[0] = msgspec.structs.replace(state.players[0], seeds=(0, 1))
    state.markers, state.turn, state.seat = (0, None, None), state.turn + 1, 1

    news = board.describe_changes(GAME.since(GAME.view(state, 1), [seen]), ("Ann", "Bo"))

    assert news[-5:] == [
        "Ann has 1 tree seed more.",
        "Ann cast Windfall.",
        "You lost Landslide.",
        "Upkeep for bushes and meadows is over.",
        "Ann got the lakes marker: upkeep is due at the start of Ann's next turn.",
    ]


def test_the_news_in_words_tell_a_marker_that_its_holder_got_again(state: TangleState) -> None:
    state.markers, state.trackers = (None, None, 0), (3, 3, 0)
    before = GAME.view(state, 1)
    state.turn, state.trackers = state.turn + 1, (3, 3, 3)

    news = board.describe_changes(GAME.since(GAME.view(state, 1), [before]), ("Ann", "Bo"))

    assert "Upkeep for enchantments is over." in news
    assert any(line.startswith("Ann got the enchantments marker") for line in news)
    assert not any("marker" in line for line in board.describe_changes(before, ("Ann", "Bo")))
