from pathlib import Path

import pytest

from db.store import Store
from engines.workers import Workers
from host import start
from host.practice import SETTLE, PracticeBot, PracticeEnv, PracticeSession
from host.scenario import open_table, read_scenario
from tables.core.table import Phase
from tests.docs.pages import blocks

REPORT = """
game = "ribbon"
seats = 2
seed = "47920bc3"
options = {mode = "versus", ribbon_choice = "random", first = "host"}
moves = [[0, {type = "flip", place = 4}], [0, {type = "flip", place = 4}]]
"""


@pytest.fixture
def export(tmp_path: Path) -> Path:
    file = tmp_path / "game.json"
    file.write_text(blocks("docs/format.md", "json")[0], "utf-8")
    return file


def test_an_export_is_played_to_its_end_or_as_far_as_wished(export: Path) -> None:
    scenario = read_scenario(export)

    assert scenario.play().outcome is not None
    assert scenario.play(1).outcome is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (REPORT, "Move 2, of seat 0: "),
        (REPORT.replace("mode =", "moed ="), "The options: “moed” is unknown there."),
        (REPORT.replace("plac", "plce", 1), "Move 1, of seat 0: Object missing required field `place`"),
        (REPORT.replace("place = 4}", "place = 4, extra = 2}"), "Move 1, of seat 0: “extra” is unknown"),
        ("game = 1", "Expected `str`"),
        ('game = "chess"\nseats = 2', "“chess” isn't a game"),
        ("a b", "Expected"),
    ],
)
def test_a_wrong_report_is_refused_in_one_sentence(
    text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "report.toml").write_text(text, "utf-8")

    assert start.main(["scenario", str(tmp_path / "report.toml")]) == 2

    assert said in capsys.readouterr().err


async def test_an_export_becomes_a_running_table(export: Path, store: Store, workers: Workers) -> None:
    bot = PracticeBot(store, workers)
    env = PracticeEnv(bot, settle_timeout=SETTLE, check_errors=False, shard_count=1)
    session = PracticeSession(env, bot)
    await env.start()
    with env.time_context():
        table = await bot.app.parlour.table(await open_table(session, read_scenario(export), 2))
        posts = len(env.backend.transcript)
        await bot.app.parlour.close()
        await env.shutdown()

    assert (table.phase, table.names, table.owing) == (Phase.PLAY, ["Ann", "Bo"], (1,))
    assert posts
