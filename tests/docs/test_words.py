"""The project reveals nothing about the machine that it was made on."""

import re
from pathlib import Path

from tests.docs.pages import name, sources

MACHINE = re.compile(r"(?<![\w.:/])/(?:root|home|Users|work)/\w|file://|\w+/simple/|\\Users\\")


def test_no_file_names_a_folder_or_a_registry_of_a_machine() -> None:
    for file in sources():
        match = MACHINE.search(file.read_text(encoding="utf-8"))
        assert match is None or file == Path(__file__), f"{name(file)}: {match}"
