"""What the bot is run by: an image, a compose file, a systemd unit."""

from __future__ import annotations

import configparser
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from db.shards import Plan
from settings import Settings

ROOT = Path(__file__).parents[1]


@pytest.fixture
def image(tmp_path: Path) -> Path:
    """The folder that the Dockerfile makes: what its COPY lines name, and nothing else."""
    lines = (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()
    named = [line.split()[1:-1] for line in lines if line.startswith("COPY ") and "--from" not in line]
    folder = tmp_path / "bot"
    folder.mkdir()
    for name in {name for names in named for name in names}:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, folder)
    return folder


def test_what_the_image_holds_is_all_that_the_bot_needs(image: Path) -> None:
    clean = {key: value for key, value in os.environ.items() if key not in ("DISCORD_TOKEN", "PYTHONPATH")}
    environment = {**clean, "DATABASE_URL": f"sqlite:///{image}/parlour.db"}
    started = "import bot, practice; raise SystemExit(bot.main(['migrate']) or bot.main(['check']))"

    done = subprocess.run(
        [sys.executable, "-c", started],
        cwd=image,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert "BAD" not in done.stdout


def test_everything_that_is_copied_passes_the_ignore_file(image: Path) -> None:
    let = (ROOT / ".dockerignore").read_text(encoding="utf-8")

    for entry in image.iterdir():
        assert f"!{entry.name}" in let or (entry.suffix == ".py" and "!*.py" in let), entry


@pytest.mark.parametrize("file", ["Dockerfile", "compose.yaml", "deploy/tangle-parlour.service"])
def test_every_setting_that_is_set_is_one(file: str) -> None:
    text = (ROOT / file).read_text(encoding="utf-8")

    found = set(re.findall(r"\b([A-Z_]+)(?:=|: )\S*", text)) & {
        name for name in re.findall(r"\b[A-Z_]+\b", text) if name.endswith(("_URL", "_PORT", "_BROWSER"))
    }

    assert "DATABASE_URL" in found
    assert {name.lower() for name in found - {"BOT_DATABASE_URL"}} <= Settings.model_fields.keys()


def test_the_compose_file_has_a_profile_with_two_bots_a_standby_and_a_server() -> None:
    text = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    listed = text.partition("\nservices:\n")[2].partition("\nvolumes:\n")[0]
    services = dict(re.findall(r"^  ([a-z]+):(.*(?:\n    .*)*)", listed, re.MULTILINE))

    scaled = {name for name, told in services.items() if "profiles:" not in told or "scaled" in told}

    assert scaled == {"bot", "second", "standby", "postgres"}
    assert all("*bot" in services[name] for name in scaled - {"postgres"})
    told = {
        name.lower(): value for name, value in re.findall(r"^#     (SHARD\w+)=(\w+)$", text, re.MULTILINE)
    }
    settings = {"database_url": "postgresql://u:p@postgres/parlour", **told}
    assert Settings.model_validate(settings).plan == Plan(4, None, 2)


def test_the_unit_stops_the_bot_as_it_wants_to_be_stopped() -> None:
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment, method-assign]  # systemd's names keep their case
    unit.read(ROOT / "deploy/tangle-parlour.service", encoding="utf-8")

    assert unit["Service"]["ExecStart"].endswith("python bot.py")
    assert unit["Service"]["RestartPreventExitStatus"] == "2"
    assert int(unit["Service"]["TimeoutStopSec"]) > 10
    assert unit["Service"]["NoNewPrivileges"] == "true"
