"""The settings file is read however an editor wrote it, or refused with the number of the line."""

from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from pathlib import Path

import pytest

from host import operate, start
from host.settings import Settings, load

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
def test_a_file_in_unicode_is_read(mark: bytes, encoding: str, env: Path) -> None:
    env.write_bytes(mark + TEXT.encode(encoding))

    settings = load()

    assert (settings.workers, settings.log_level) == (7, "ERROR")


def test_the_first_setting_after_a_mark_is_read(env: Path) -> None:
    env.write_bytes(BOM_UTF8 + b"WORKERS=7\n")

    assert load().workers == 7


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
