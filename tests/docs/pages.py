import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
SHOWN = (".ci", ".editorconfig", ".env.example", ".github", ".pre-commit-config.yaml")
WRITTEN = ("", ".example", ".mako", ".md", ".py", ".sh", ".toml", ".yaml", ".yml")
_FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def read(page: Path | str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def prose(page: Path) -> str:
    return _FENCE.sub("", read(page))


def blocks(page: Path | str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", read(page), re.MULTILINE | re.DOTALL)


def headings(page: Path) -> list[str]:
    return re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE)


def anchor(heading: str) -> str:
    """Return the fragment of a link to a heading.

    >>> anchor("`end_turn`, co-op and solo")
    'end_turn-co-op-and-solo'
    """
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def targets() -> set[str]:
    (listed,) = re.findall(r"^\.PHONY: (.+)$", read("Makefile"), re.MULTILINE)
    return set(listed.split()) & set(re.findall(r"^([a-z]+):", read("Makefile"), re.MULTILINE))


def sources() -> list[Path]:
    rooms = [path for path in ROOT.iterdir() if not path.name.startswith(".") or path.name in SHOWN]
    files = [file for room in rooms for file in (room.rglob("*") if room.is_dir() else [room])]
    return sorted(file for file in files if file.is_file() and file.suffix in WRITTEN)
