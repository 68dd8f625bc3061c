"""A file of component data is read strictly, and compared with ours item by item."""

import pytest

from engines import components
from engines.registry import component_facts

GAMES = ("ribbon", "tesla", "tangram", "tanglewood", "tangle")
Edits = tuple[tuple[str, str], ...]

CHANGES: dict[str, tuple[Edits, list[str]]] = {
    "ribbon": ((('green = "rise"', 'green = "low"'),), ["Card A: green is low instead of rise."]),
    "tesla": (
        (("n = 8,  seg", "n = 9,  seg"), ("n = 8, seg", "n = 7, seg")),
        [
            "Hexagon tile 01: the number in the bag is 9 instead of 8.",
            "Hexagon tile 02: the number in the bag is 7 instead of 8.",
        ],
    ),
    "tangram": (
        (('shape = ["#", "7"]', 'shape = ["#", "L"]'), ("cards_final = 3", "cards_final = 3 # as printed")),
        ["Tile 4: row 2 square 1 is its bottom left half instead of its top right half."],
    ),
    "tanglewood": (
        (("votes = [9, 5, 2]", "votes = [9, 5, 3]"), ('name = "Birch Glade"', 'name = "Birch Lawn"')),
        ["Region A: votes 3 is 3 instead of 2.", "Region B: name is Birch Lawn instead of Birch Glade."],
    ),
    "tangle": (
        (
            ("{ M = 2 }\nkind", "{ M = 3 }\nkind"),
            ("need = { trees = 5", "need = { trees = 4"),
            ("bush_seeds = 10", "bush_seeds = 9"),
            ("tree_seeds = 10", "tree_seeds = 11"),
        ),
        [
            "Supply, bush_seeds is 9 instead of 10.",
            "Supply, tree_seeds is 11 instead of 10.",
            "Condition deep_wood: need trees is 4 instead of 5.",
            "Card deep_taproot: cost M is 3 instead of 2.",
        ],
    ),
}
WRONG_COUNTS: dict[str, tuple[Edits, str]] = {
    "ribbon": ((("2 = 3, 3 = 2", "2 = 4, 3 = 2"),), "hands, versus, 2"),
    "tesla": ((("n = 8,  seg", "n = 9,  seg"),), "there are 120 tiles, not 121"),
    "tangram": ((("regular = 5", "regular = 6"),), "all rounds use 23 cards, not 27"),
    "tanglewood": ((("per_region = 5", "per_region = 4"),), "The game has 45 ballots; the file has 36."),
    "tangle": ((("copies = 2", "copies = 3"),), "there are 71 cards, not 72"),
}
UNKNOWN_KEYS: dict[str, tuple[Edits, str]] = {
    "ribbon": (
        (('purple = "high"', 'purpel = "high"'),),
        "Card A: there's no key “purpel”. Did you mean “purple”?",
    ),
    "tesla": ((("win = 50", "wins = 50"),), "Common: there's no key “wins”. Did you mean “win”?"),
    "tangram": (
        (('shape = ["7L"]', 'shpae = ["7L"]'),),
        "Tile 3: there's no key “shpae”. Did you mean “shape”?",
    ),
    "tanglewood": (
        (('tracks = ["rabbit"]', 'track = ["rabbit"]'),),
        "Tangle S1: there's no key “track”. Did you mean “tracks”?",
    ),
    "tangle": (
        (('{ hook = "grip", amount = 1 }', '{ hook = "grip", amuont = 1 }'),),
        "Card iron_grip, effect: there's no key “amuont”. Did you mean “amount”?",
    ),
}
LOST_TWINS: dict[str, tuple[Edits, str]] = {
    "ribbon": ((('green = "rise"', 'green = "fall"'),), "Cards A and C are alike"),
    "tesla": ((("hand = 4", "hand = 5"),), "common, hand: the rulebook says 4, not 5."),
    "tangram": ((('shape = ["7#r"]', 'shape = ["7##"]'),), "Tile 12 has lost its twin"),
    "tanglewood": (
        (('id = "S4"\neffect = "score_1"', 'id = "S4"\neffect = "draw"'),),
        "Tangle S4: a Starter's effect is Place +1, Score 1, Draw 1.",
    ),
    "tangle": (
        (("need = { trees = 4, meadows = 2", "need = { trees = 3, meadows = 2"),),
        "The Old Forest needs",
    ),
}


def read(slug: str, *edits: tuple[str, str]) -> components.ReadComponents:
    known, ours = component_facts(slug), components.our_data(slug)
    assert known is not None
    text = ours.decode()
    for old, new in edits:
        assert old in text
        text = text.replace(old, new, 1)
    return components.read_components(known, text.encode(), ours)


def our_plain(slug: str) -> components.Data:
    data = read(slug).data
    assert data is not None
    return data


@pytest.mark.parametrize("slug", GAMES)
def test_our_own_data_is_without_error_and_doubt_and_the_origin_of_a_number_is_no_change(slug: str) -> None:
    result = read(slug)

    assert (result.errors, result.doubts) == ((), ())

    known, ours = component_facts(slug), components.our_data(slug)
    assert known is not None
    text = ours.replace(b'"reconstructed"', b'"stated"')

    data = components.read_components(known, text, ours).data

    assert data is not None
    assert components.describe_changes(known, our_plain(slug), data) == []


@pytest.mark.parametrize("slug", GAMES)
def test_every_change_against_ours_is_a_sentence(slug: str) -> None:
    edits, sentences = CHANGES[slug]
    known, data = component_facts(slug), read(slug, *edits).data

    assert known is not None
    assert data is not None
    assert components.describe_changes(known, our_plain(slug), data) == sentences


@pytest.mark.parametrize("slug", GAMES)
def test_a_wrong_count_makes_a_file_unplayable(slug: str) -> None:
    edits, text = WRONG_COUNTS[slug]

    result = read(slug, *edits)

    assert result.data is None
    assert any(text in error for error in result.errors)


@pytest.mark.parametrize("slug", GAMES)
def test_an_unknown_key_is_refused_with_its_place_and_the_nearest(slug: str) -> None:
    edits, text = UNKNOWN_KEYS[slug]

    assert text in read(slug, *edits).errors


@pytest.mark.parametrize("slug", GAMES)
def test_what_contradicts_the_rulebook_is_playable_but_doubted(slug: str) -> None:
    edits, text = LOST_TWINS[slug]

    result = read(slug, *edits)

    assert result.data is not None
    assert any(text in doubt for doubt in result.doubts)


def test_all_errors_are_there_at_once() -> None:
    result = read(
        "tangram", ("regular = 5", 'regular = "five"'), ('name = "slant"', "name = 3"), ("id = 9", "")
    )

    assert result.errors == (
        "Rounds, regular: must be a whole number, not five.",
        "Tile 3, name: must be a text, not 3.",
        "Tile 9: the key “id” is missing.",
    )


@pytest.mark.parametrize(
    ("slug", "edit", "text"),
    [
        ("tangram", ('shape = ["7L"]', "shape = ["), "isn't valid TOML"),
        ("tangram", ('shape = ["7L"]', 'shape = ["7X"]'), "Tile 3, shape: “X” isn't a sign"),
        ("tangram", ("id = 2\n", "id = 1\n"), "Tile 1 appears 2 times."),
        ("tangram", ('at = "B2"', 'at = "G2"'), "Start piece 1: it isn't inside the city"),
        ("ribbon", ('green = "rise"', 'green = "grey"'), "must be one of low, high, rise, fall, not grey"),
        ("tesla", ("segments = [[0, 1]]", "segments = [[0, 9]]"), "sides 0 to 5"),
        ("tesla", ("segments = [[0, 2]]", "segments = [[1, 2]]"), "is tile 01, only rotated"),
        ("tanglewood", ('effect = "gather"', 'effect = "gathr"'), "Tangle T01: there's no effect “gathr”."),
        ("tanglewood", ('kind = "votes", n = 2', 'kind = "vote", n = 2'), "kind must be one of draw_level"),
        ("tesla", ("neighbours = [[1, -1]", "neighbours = [[1, 1]"), "the way across side 0 and back"),
        ("tesla", ("idle_turns = 2", "idle_turns = -2"), "Common, idle_turns: must be 0 or more"),
        ("tanglewood", ('id = "T07"', 'id = "U07"'), "the ids are T01 to T45"),
        ("tanglewood", ("votes_one =", "votes_two ="), "benefits: the text “votes_one” is missing."),
        ("tangle", ("x = -2, y = -2", "x = 0, y = -2"), "Space S1: another one is at the same place."),
        ("tangle", ("x = -2, y = -2", "x = 99, y = -2"), "Space GW: x and y are at most 12"),
        ("tangle", ('hook = "when"', 'hook = "whn"'), "hook must be one of when"),
        ("tangle", ('adjacent = ["E", "S1", "TS"]', 'adjacent = ["E", "S1"]'), "it's adjacent to GW, but"),
        ("tangle", ('2 = [["B5"', '2 = [["A1"'), "2 players have no area A1"),
    ],
)
def test_a_mistake_is_told_with_its_place(slug: str, edit: tuple[str, str], text: str) -> None:
    result = read(slug, edit)

    assert result.data is None
    assert any(text in error for error in result.errors)


def test_a_file_of_other_bytes_is_no_text() -> None:
    known = component_facts("tesla")
    assert known is not None

    assert "UTF-8" in components.read_components(known, b"\xff", components.our_data("tesla")).errors[0]


@pytest.mark.parametrize(
    ("slug", "options", "seats", "name", "text"),
    [
        ("ribbon", {"difficulty": "easy"}, 2, "A", "circle and hands need every card"),
        ("ribbon", {"difficulty": "easy"}, 2, "exchange · place 9", "the circle has 12"),
        ("tesla", {"tiles": "hex"}, 2, "03-14-25", "the game starts with that tile"),
        ("tesla", {"tiles": "hex"}, 2, "mark · cell AA50", "it can't lack a cell"),
        ("tangram", {"boards": "start"}, 2, "4", "the start pieces have its shape"),
        ("tangram", {"boards": "plain"}, 2, "A1", "7 by 7"),
        ("tanglewood", {}, 3, "S1", "a Starter lies in every region"),
        ("tanglewood", {}, 3, "plant", "has its slot"),
        ("tangle", {}, 2, "W", "all four resources"),
        ("tangle", {}, 2, "B5", "areas hold the tiles"),
        ("tangle", {}, 2, "wnidfall", "Did you mean windfall"),
        ("tanglewood", {}, 3, "xyz", "There's no “xyz” here."),
    ],
)
def test_what_a_game_needs_stays_with_a_reason(
    slug: str, options: components.Data, seats: int, name: str, text: str
) -> None:
    known = component_facts(slug)
    assert known is not None

    with pytest.raises(components.CannotLeaveOut, match=text):
        components.without(known, our_plain(slug), options, seats, [name])


def test_leaving_out_a_card_leaves_our_data_alone() -> None:
    known, ours = component_facts("tangram"), our_plain("tangram")
    assert known is not None

    rest = components.without(known, ours, {"boards": "plain"}, 2, ["place · tile 11", "tile 12"])

    assert len(ours["tile"]) == 23
    assert [tile["id"] for tile in ours["tile"] if tile not in rest["tile"]] == [11, 12]
    assert rest["rounds"]["cards_final"] == ours["rounds"]["cards_final"] - 2


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_file_that_a_windows_editor_has_saved_is_read(encoding: str) -> None:
    known, ours = component_facts("ribbon"), components.our_data("ribbon")
    assert known is not None

    assert components.read_components(known, ours.decode().encode(encoding), ours).data == our_plain("ribbon")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (b"a = " + b"[" * 5000 + b"]" * 5000, "The file is nested too deeply."),
        (b"a = " + b"9" * 6000, "The file has a number that is too long."),
    ],
)
def test_a_file_that_python_cant_read_is_a_sentence(text: bytes, sentence: str) -> None:
    known, ours = component_facts("ribbon"), components.our_data("ribbon")
    assert known is not None

    assert components.read_components(known, text, ours).errors == (sentence,)
