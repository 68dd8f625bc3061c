import ast
import doctest
import inspect
import re
from importlib import import_module
from pathlib import Path

import pytest
from PIL import Image

from cogs.core import pictures
from cogs.core.presenter import Presenter
from cogs.review.import_export import MOST_AT_ONCE
from cogs.ui import press
from engines.game import Game
from engines.registry import SLUGS
from engines.words import BoardText
from host.settings import Settings
from tables import learning
from tables.clocks.pace import DAY
from tables.lobby import invitations, looking
from tables.play import seats
from tables.review import format as files
from tables.review import import_export
from tables.study import reviews, studies
from tests.docs.pages import PAGES, ROOT, anchor, headings, name, prose, read, sources

RUNNING = Path(__file__).parents[2] / "docs" / "running"
PROMISES = {
    "a search for a game for a week": ("privacy", looking.WISH_LASTS / DAY, 7),
    "30 days (the people who run the bot may have set another number)": (
        "privacy",
        Settings.model_fields["keep_removed_days"].default,
        30,
    ),
    "twenty presses or commands in ten seconds": ("security", (press.PRESSES, press.SECONDS), (20, 10)),
    "20 people a day per inviter, 50 per table": (
        "security",
        (invitations.MOST_A_DAY, invitations.MOST_INVITED),
        (20, 50),
    ),
    "nobody gets more than 5 a day (further": ("security", invitations.NOTIFIED_A_DAY, 5),
    "5 people a seat; nobody gets more than 3 a day": (
        "security",
        (seats.MOST_ASKED, seats.OFFERED_A_DAY),
        (5, 3),
    ),
    "at most 2 MB": ("security", files.LARGEST_FILE, 2_000_000),
    "ten games a day, a server fifty": (
        "security",
        (import_export.MOST_OF_ONE, import_export.MOST_HERE),
        (10, 50),
    ),
    "one game at a time, 25 seconds | two at a time": (
        "security",
        (studies.WEIGHING_SECONDS, studies.COMPARISONS),
        (25, 2),
    ),
    "1,024 turns' losses, 64 answers": ("security", (reviews.CACHED_LOSSES, studies.CACHED), (1024, 64)),
    "64 verdicts": ("security", reviews.CACHED, 64),
    "256 of each": ("security", learning.KEPT, 256),
    "drawing frames | two at a time | eight at a time": (
        "security",
        (pictures.MOST_EACH, pictures.MOST_AT_ONCE),
        (2, 8),
    ),
    "building the page | one at a time | eight at a time": ("security", MOST_AT_ONCE, 8),
}
"""Sentences with their page, the code's numbers and the promised ones."""


@pytest.mark.parametrize("sentence", PROMISES)
def test_a_promised_number_is_the_codes(sentence: str) -> None:
    page, known, promised = PROMISES[sentence]
    text = " ".join((RUNNING / f"{page}.md").read_text("utf-8").split())

    assert sentence in text
    assert known == promised


FLOORS = ("host", "engines", "tables", "render", "db", "cogs", "tests")
SIGN = ">" * 3
"""An example begins with it."""


def with_examples() -> list[str]:
    """Return the names of modules with examples, the operator's commands included."""
    paths = [ROOT / "bot.py", *(path for floor in FLOORS for path in (ROOT / floor).rglob("*.py"))]
    return [
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for path in sorted(paths)
        if SIGN in path.read_text()
    ]


@pytest.mark.parametrize("name", with_examples())
def test_the_examples_of_a_module_run(name: str) -> None:
    tried = doctest.testmod(import_module(name))

    assert tried.attempted
    assert not tried.failed


MOST = 40
ROW = re.compile(r"^\| \*\*.*$", re.MULTILINE)
ENTRY = re.compile(r"\| \*\*([\w ]+)\*\* \| ([^|]{20,}) \| `([\w/]+\.py): [\w.]+` \|")

ROWS = ROW.findall(read("docs/glossary.md"))


def test_the_glossary_has_at_most_forty_words_each_with_one_meaning_and_a_file_that_exists() -> None:
    assert 0 < len(ROWS) <= MOST
    for row in ROWS:
        entry = ENTRY.fullmatch(row)

        assert entry, row
        assert (ROOT / entry[3]).is_file(), entry[3]
    words = [row.split("**")[1] for row in ROWS]

    assert len(words) == len(set(words))


MACHINE = re.compile(r"(?<![\w.:/])/(?:root|home|Users|work)/\w|file://|\w+/simple/|\\Users\\")


@pytest.mark.essential
def test_no_file_names_a_folder_or_a_registry_of_a_machine() -> None:
    for file in sources():
        match = MACHINE.search(file.read_text(encoding="utf-8"))
        assert match is None or file == Path(__file__), f"{name(file)}: {match}"


LINK = re.compile(r'\]\(([^)\s]+)\)|\bsrc(?:set)?="([^"]+)"')
FILE = re.compile(r"`((?:[\w.-]+/)+[\w.-]*)`")
PLACE = re.compile(r"`([\w/]+\.py): ([\w.]+)`")
INVENTED = "mesh"
"""The game that docs/adding-a-game.md makes up."""

every_page = pytest.mark.parametrize("page", PAGES, ids=name)


@every_page
def test_links_and_pictures_are_there(page: Path) -> None:
    for match in LINK.finditer(prose(page)):
        target = match[1] or match[2]
        if "://" in target:
            assert target.startswith("https://")
            continue
        path, _, fragment = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.exists(), target
        if fragment:
            assert fragment in map(anchor, headings(file)), target


@every_page
def test_every_picture_has_words_and_files_that_are_named_are_there(page: Path) -> None:
    for picture in re.findall(r"<img[^>]*>", prose(page)):
        assert re.search(r'alt="[^"]{20,}"', picture), picture
    for path in FILE.findall(prose(page)):
        if INVENTED not in path and not path.startswith("."):
            assert (ROOT / path).exists(), path


def test_the_readme_is_short_says_two_commands_and_shows_a_turn_in_light_and_dark() -> None:
    readme = read("README.md")

    assert len(readme.splitlines()) < 90
    assert all(f"make {target}" in readme for target in ("run", "test"))
    films = re.findall(r'src(?:set)?="(docs/pictures/turn-\w+\.gif)"', readme)
    assert len(films) == 2
    for film in films:
        assert (ROOT / film).stat().st_size < 2_000_000
        with Image.open(ROOT / film) as image:
            assert getattr(image, "n_frames", 1) > 5
    assert "docs/pictures/*.gif" in read(".dockerignore")


@every_page
def test_names_that_are_cited_are_in_their_files(page: Path) -> None:
    for path, cited in PLACE.findall(read(page)):
        body = ast.parse(read(path)).body
        for part in cited.split("."):
            inside = dict(find_definitions(body))
            assert part in inside, f"{path}: {cited}"
            body = inside[part]


def find_definitions(body: list[ast.stmt]) -> list[tuple[str, list[ast.stmt]]]:
    pairs: list[tuple[str, list[ast.stmt]]] = []
    for statement in body:
        match statement:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                pairs.append((statement.name, statement.body))
            case ast.Assign(targets=[ast.Name(id=known)]) | ast.AnnAssign(target=ast.Name(id=known)):
                pairs.append((known, []))
    return pairs


def test_pictures_of_the_pages_are_all_used_and_docstrings_cite_headings_of_the_rules() -> None:
    rulebooks = [f"cogs/{slug}/rulebook.toml" for slug in SLUGS]
    used = " ".join([*map(read, PAGES), *map(read, rulebooks)])
    for picture in (ROOT / "docs" / "pictures").rglob("*.png"):
        assert picture.name in used, picture.name
    for folder in sorted((ROOT / "engines").iterdir()):
        page = ROOT / "docs" / "games" / f"{folder.name}.md"
        for file in folder.rglob("*.py"):
            for cited in re.findall(r"Rules: ([^.\n]+)", file.read_text(encoding="utf-8")):
                known = [heading for heading in headings(page) if heading.startswith(cited.split(",")[0])]
                assert known, f"{file.name}: {cited}"


PAGE = (Path(__file__).parents[2] / "docs" / "adding-a-game.md").read_text("utf-8")
SHARED = {"rules", "cover", "shows_board", "needs_board"}
"""Methods of presenters that no game writes."""


def methods_of(contract: type) -> set[str]:
    return {
        name for name, _ in inspect.getmembers(contract, inspect.isfunction) if not name.startswith("_")
    } - SHARED


@pytest.mark.parametrize("contract", [Game, Presenter, BoardText])
def test_the_page_names_every_method_of_a_contract(contract: type) -> None:
    named = set(re.findall(r"`(\w+)", PAGE))

    assert methods_of(contract) <= named


def test_the_table_of_methods_lists_only_methods_of_games() -> None:
    table = PAGE.split("The methods:")[1].split("\n\n")[1]

    assert set(re.findall(r"^\| `(\w+)\(", table, re.MULTILINE)) == methods_of(Game)


TROUBLES = {
    "Discord refuses the bot's intents": "program/test_login.py: a_connection_that_is_closed_for_good",
    "that looks like a client secret": "program/test_start.py: a_malformed_setting_is_said_in_one_sentence",
    "Discord doesn't accept it": "program/test_login.py: a_refused_token_is_said_in_one_sentence",
    "“Requires OAuth2 Code Grant” is on": "strict/test_starts.py: a_switch_of_the_portal_is_named",
    "private, so only its owner can add it": "strict/test_starts.py: a_switch_of_the_portal_is_named",
    "its install link lacks": "strict/test_starts.py: a_switch_of_the_portal_is_named",
    "Discord shows no commands there": "strict/test_starts.py: an_invitation_without_commands_is_named",
    "can't register the commands": "strict/test_starts.py: a_start_goes_on_though_discord",
    "Nobody can open tables there": "strict/test_starts.py: what_is_missing_is_named_with_what_it_means",
    "can't be written: give": "program/test_database_troubles.py: a_folder_of_another_user_is_refused",
    "needs Python 3.11 or later": "program/test_start.py: an_old_python_is_refused_in_one_sentence",
    "the next start updates it": "db/test_migrations.py: a_check_says_of_an_older_database",
    "which this version of Tangle Parlour doesn't know": "program/test_start.py: a_database_of_a_newer",
}
"""The bot's sentences on the page of troubles, each with the test that shows it."""


def test_each_trouble_quotes_a_sentence_of_the_bot_that_a_test_shows() -> None:
    rows = read("docs/running/troubleshooting.md").partition("|---|---|---|\n")[2].partition("\n\n")[0]
    quoted = re.findall(r'"([^"]+)"', " ".join(row.split(" | ")[1] for row in rows.splitlines()))
    paths = [path for floor in FLOORS[:-1] for path in (ROOT / floor).rglob("*")]
    code = " ".join(read(path) for path in [*paths, ROOT / "bot.py"] if path.suffix in (".py", ".toml"))

    assert len(rows.splitlines()) == 10
    assert quoted == list(TROUBLES)
    for sentence, shown in TROUBLES.items():
        path, _, test = shown.partition(": ")
        assert sentence.replace("give", "give {user}") in code + read(f"tests/{path}"), sentence
        assert re.search(rf"def test_{test}", read(f"tests/{path}")), test
