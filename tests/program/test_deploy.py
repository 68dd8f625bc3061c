import configparser
import os
import re
import shutil
import subprocess
import sys
import tomllib
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from pathlib import Path

import pytest

from db.processes import ShardPlan
from engines.registry import SLUGS
from host import operate, start
from host.settings import Settings, load
from tests.docs.pages import PAGES, blocks, prose, read, targets

ROOT = Path(__file__).parents[2]
WORKFLOW = ".github/workflows/test.yml"
PYPROJECT = tomllib.loads(read("pyproject.toml"))
ASKED = re.compile(r"(?:^|[`\s])make ([a-z]+)\b", re.MULTILINE)


@pytest.fixture
def image(tmp_path: Path) -> Path:
    """Make the Dockerfile's folder: what its COPY lines name, and nothing else."""
    lines = (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()
    named = [line.split()[1:-1] for line in lines if line.startswith("COPY ") and "--from" not in line]
    folder = tmp_path / "bot"
    folder.mkdir()
    for name in {name for names in named for name in names}:
        if (ROOT / name).is_dir():
            # With what was compiled, which saves time, but not what other tests compile right now.
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("*.pyc.*"))
        else:
            shutil.copy(ROOT / name, folder)
    return folder


def run_in(image: Path, program: str) -> subprocess.CompletedProcess[str]:
    """Run some Python in that folder, with nothing of this checkout."""
    clean = {key: value for key, value in os.environ.items() if key not in ("DISCORD_TOKEN", "PYTHONPATH")}
    environment = {**clean, "DATABASE_URL": f"sqlite:///{image}/parlour.db"}
    return subprocess.run(
        [sys.executable, "-c", program],
        cwd=image,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_image_holds_everything_that_the_bot_needs_and_the_rules_of_every_game(image: Path) -> None:
    done = run_in(
        image,
        "import host.practice\n"
        "from host import start\n"
        "from cogs.core.presenter import presenter_of\n"
        "from engines.registry import SLUGS\n"
        "code = start.main(['migrate']) or start.main(['check'])\n"
        "print(sum(len(presenter_of(slug).rules()) for slug in SLUGS))\n"
        "raise SystemExit(code)",
    )

    assert done.returncode == 0, done.stderr
    assert "BAD" not in done.stdout
    assert int(done.stdout.splitlines()[-1]) > len(SLUGS)


def test_every_path_that_the_dockerfile_names_exists() -> None:
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    (compiled,) = re.findall(r"-m compileall -q (.+)$", text, re.MULTILINE)
    copied = [line.split()[1:-1] for line in re.findall(r"^COPY (?!--from).+$", text, re.MULTILINE)]

    assert compiled
    for path in [*compiled.split(), *(path for paths in copied for path in paths)]:
        assert (ROOT / path).exists(), path
    packages = {file.parent.name for file in ROOT.glob("*/__init__.py")} - {"tests"}
    assert packages | {"bot.py"} == set(compiled.split())


def test_everything_that_is_copied_passes_the_ignore_file(image: Path) -> None:
    let = (ROOT / ".dockerignore").read_text(encoding="utf-8")

    for entry in image.iterdir():
        assert f"!{entry.name}" in let or (entry.suffix == ".py" and "!*.py" in let), entry


@pytest.mark.parametrize("file", ["Dockerfile", "compose.yaml", "deploy/tangle-parlour.service"])
def test_every_setting_that_is_set_is_one(file: str) -> None:
    text = (ROOT / file).read_text(encoding="utf-8")

    entries = set(re.findall(r"\b([A-Z_]+)(?:=|: )\S*", text)) & {
        name for name in re.findall(r"\b[A-Z_]+\b", text) if name.endswith(("_URL", "_PORT", "_BROWSER"))
    }

    assert "DATABASE_URL" in entries
    assert {name.lower() for name in entries - {"BOT_DATABASE_URL"}} <= Settings.model_fields.keys()


def test_the_compose_file_has_a_profile_with_two_bots_a_standby_and_a_server() -> None:
    text = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    listed = text.partition("\nservices:\n")[2].partition("\nvolumes:\n")[0]
    services = dict(re.findall(r"^  ([a-z]+):(.*(?:\n    .*)*)", listed, re.MULTILINE))

    scaled = {name for name, entries in services.items() if "profiles:" not in entries or "scaled" in entries}

    assert scaled == {"bot", "second", "standby", "postgres"}
    assert all("*bot" in services[name] for name in scaled - {"postgres"})
    entries = {
        name.lower(): value for name, value in re.findall(r"^#     (SHARD\w+)=(\w+)$", text, re.MULTILINE)
    }
    settings = {"database_url": "postgresql://u:p@postgres/parlour", **entries}
    assert Settings.model_validate(settings).plan == ShardPlan(4, None, 2)


def test_the_unit_stops_the_bot_as_it_wants_to_be_stopped() -> None:
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment, method-assign]  # systemd's names keep their case
    unit.read(ROOT / "deploy/tangle-parlour.service", encoding="utf-8")

    assert unit["Service"]["ExecStart"].endswith("python bot.py")
    assert unit["Service"]["RestartPreventExitStatus"] == "2"
    assert int(unit["Service"]["TimeoutStopSec"]) > 10
    assert unit["Service"]["NoNewPrivileges"] == "true"


def in_order(version: str) -> tuple[int, ...]:
    """Return the sort key of a version such as ``3.11``."""
    return tuple(map(int, version.split(".")))


def read_versions() -> list[str]:
    named = [
        line.rpartition(" :: ")[2] for line in PYPROJECT["project"]["classifiers"] if ":: Python ::" in line
    ]
    return sorted(named, key=in_order)


def test_the_workflow_runs_make_with_targets_that_exist_and_tests_every_supported_python() -> None:
    commands = re.findall(r"^      - run: (.+)$", read(WORKFLOW), re.MULTILINE)

    asked = {target for command in commands for target in ASKED.findall(command)}

    assert {"full", "thorough"} <= asked <= targets()
    assert "docker build ." in commands
    image = re.findall(r"^ *(?:- )?run: (.+)$", read(".github/workflows/image.yml"), re.MULTILINE)
    assert "sbom" in {target for command in image for target in ASKED.findall(command)} <= targets()

    workflow = read(WORKFLOW)
    (matrix,) = re.findall(r"^        python: \[(.+)\]$", workflow, re.MULTILINE)
    tested = re.findall(r'"([\d.]+)"', matrix)

    may_fail = re.findall(r"continue-on-error: .*matrix\.python == '([\d.]+)'", workflow)

    assert [version for version in tested if version not in may_fail] == read_versions()
    assert all(in_order(version) > in_order(read_versions()[-1]) for version in may_fail)


def test_types_and_form_are_checked_for_the_oldest_supported_python_and_the_image_has_the_newest() -> None:
    oldest = read_versions()[0]

    assert PYPROJECT["project"]["requires-python"] == f">={oldest}"
    assert PYPROJECT["tool"]["mypy"]["python_version"] == oldest
    assert PYPROJECT["tool"]["ruff"]["target-version"] == f"py{oldest.replace('.', '')}"

    images = re.findall(r"^FROM python:([\d.]+)-slim", read("Dockerfile"), re.MULTILINE)

    assert set(images) == {read_versions()[-1]}


def test_every_make_target_that_people_are_told_of_exists() -> None:
    typed = [line for page in PAGES for block in blocks(page, "sh") for line in block.splitlines()]
    quoted = [command for page in PAGES for command in re.findall(r"`(make [^`]+)`", prose(page))]
    head = read("Makefile").partition("\n\n")[0]

    entries = {target for command in [*typed, *quoted] for target in re.findall(r"^make ([a-z]+)\b", command)}

    assert {"run", "test", "thorough"} <= entries <= targets()
    assert {"run", "test", "thorough"} <= set(ASKED.findall(head)) <= targets()


def test_the_hooks_run_the_checks_of_make() -> None:
    checks = [f".venv/bin/ruff {check}" for check in ("format", "check")]

    assert re.findall(r"^        entry: (.+)$", read(".pre-commit-config.yaml"), re.MULTILINE) == checks
    form = read("Makefile").replace("$(BIN)", ".venv/bin")
    assert all(f"\t{check}" in form for check in checks)


def test_editors_are_told_of_the_form_that_ruff_demands() -> None:
    parser = configparser.ConfigParser()
    parser.read_string(f"[top]\n{read('.editorconfig')}")

    assert parser["*"].getint("max_line_length") == PYPROJECT["tool"]["ruff"]["line-length"]
    assert (parser["*"]["indent_style"], parser["*"].getint("indent_size")) == ("space", 4)
    assert (parser["*"]["end_of_line"], parser["*"]["insert_final_newline"]) == ("lf", "true")
    assert parser["Makefile"]["indent_style"] == "tab"


def test_the_changelog_begins_with_the_version_that_is_built() -> None:
    newest = re.search(r"^## ([\d.]+)", read("CHANGELOG.md"), re.MULTILINE)

    assert newest
    assert newest[1] == PYPROJECT["project"]["version"]


PINNED = "aiohttp==3.14.5 \\\n    --hash=sha256:0133\n"


def audit(folder: Path, lock: str, auditor: str) -> subprocess.CompletedProcess[str]:
    """Run the target on a lock file, with a script in the auditor's place."""
    shutil.copyfile(ROOT / "Makefile", folder / "Makefile")
    (folder / "requirements.lock").write_text(lock)
    script = folder / ".venv" / "supply" / "bin" / "pip-audit"
    script.parent.mkdir(parents=True)
    script.write_text(f"#!/bin/sh\n{auditor}\n")
    script.chmod(0o755)
    command = [shutil.which("make") or "make", "audit"]
    env = {name: value for name, value in os.environ.items() if name != "MAKEFLAGS"}  # ours may name a VENV
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)


@pytest.mark.skipif(shutil.which("make") is None, reason="make isn't installed")
@pytest.mark.parametrize(
    ("lock", "auditor", "said"),
    [
        *(
            (lock, "exit 0", "names nothing to audit")
            for lock in ("", "# nothing\n", "  --hash=sha256:0133\n")
        ),
        (PINNED, 'case "$*" in *--strict*) exit 1;; esac', "Error 1"),
        (PINNED, "exit 0", ""),
    ],
)
def test_only_an_audit_of_requirements_without_findings_succeeds(
    lock: str, auditor: str, said: str, tmp_path: Path
) -> None:
    done = audit(tmp_path, lock, auditor)

    assert (done.returncode != 0) == bool(said)
    assert said in done.stderr


TEXT = "# für alle\r\nWORKERS=7\r\nLOG_LEVEL=ERROR\r\n"


@pytest.fixture
def env(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the settings file, and empty the environment."""
    for name in ("WORKERS", "LOG_LEVEL", "DISCORD_TOKEN", "DATABASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setitem(Settings.model_config, "env_file", tmp_path / ".env")
    return tmp_path / ".env"


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [(b"", "utf-8"), (BOM_UTF8, "utf-8"), (BOM_UTF16_LE, "utf-16-le"), (BOM_UTF16_BE, "utf-16-be")],
)
def test_a_file_in_unicode_is_read_from_its_first_line(mark: bytes, encoding: str, env: Path) -> None:
    env.write_bytes(mark + TEXT.encode(encoding))

    settings = load()

    assert (settings.workers, settings.log_level) == (7, "ERROR")
    env.write_bytes(mark + "WORKERS=8".encode(encoding))
    assert load().workers == 8


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"WORKERS=7\nLOG_LEVEL=INFO\n# caf\xe9\n", 3),
        (TEXT.encode("utf-16-le"), 1),
        (b"WORKERS=7\n\0\n", 2),
        (BOM_UTF16_LE + "WORKERS=7\n".encode("utf-16-le") + b"\x00", 2),
    ],
)
@pytest.mark.parametrize("command", [["check"], []])
def test_a_stray_byte_is_named_with_its_line(
    data: bytes, line: int, command: list[str], env: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    env.write_bytes(data)

    assert start.main(command) == operate.UNUSABLE

    assert capsys.readouterr().err == (
        f"{env}: line {line} has a character that isn't UTF-8; save the file as UTF-8.\n"
    )


def test_a_folder_of_that_name_is_refused_in_words(env: Path, capsys: pytest.CaptureFixture[str]) -> None:
    env.mkdir()

    assert start.main(["stats"]) == operate.UNUSABLE

    assert capsys.readouterr().err == f"{env}: can't be read: Is a directory.\n"
