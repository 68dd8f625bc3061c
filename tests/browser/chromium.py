"""Find a Chromium for the browser tests, or get one: ``python tests/browser/chromium.py``.

One that is installed is used as it is (`CHROMIUM` names one in an unusual place). Else, as root on
Debian or Ubuntu, the system's package is installed; else the test library's own download is tried.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
    "chrome",
    "msedge",
    "brave-browser",
)
PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "C:/Program Files/Google/Chrome/Application/chrome.exe",
    "C:/Program Files (x86)/Microsoft/Edge/Application/msedge.exe",
)
HOW = """The browser tests need Chromium or Chrome, and there is none here. Install one, for example with
    Debian, Ubuntu:  sudo apt-get install chromium
    Fedora:          sudo dnf install chromium
    macOS:           brew install --cask chromium
or name one with CHROMIUM=/path/to/chrome."""


def find() -> str | None:
    named = os.environ.get("CHROMIUM")
    if named:
        return named if Path(named).exists() else None
    for name in NAMES:
        text = shutil.which(name)
        if text:
            return text
    return next((place for place in PLACES if Path(place).exists()), find_download())


def find_download() -> str | None:
    """Return the browser that the test library downloaded earlier, or None."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


def install() -> bool:
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    if root and shutil.which("apt-get"):
        packages = ["apt-get", "install", "-y", "-q", "--no-install-recommends", "chromium"]
        if not _quietly(["apt-get", "update", "-q"]) and not _quietly(packages):
            return True
    return not _quietly([sys.executable, "-m", "playwright", "install", "chromium"])


def _quietly(command: list[str]) -> int:
    return subprocess.run(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False
    ).returncode


def main() -> int:
    if find() is not None or (install() and find() is not None):
        return 0
    print(HOW, file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
