import re

from tests.docs.pages import ROOT, read

MOST = 40
ROW = re.compile(r"^\| \*\*.*$", re.MULTILINE)
ENTRY = re.compile(r"\| \*\*([\w ]+)\*\* \| ([^|]{20,}) \| `([\w/]+\.py): [\w.]+` \|")

ROWS = ROW.findall(read("docs/glossary.md"))


def test_the_glossary_has_at_most_forty_words() -> None:
    assert 0 < len(ROWS) <= MOST


def test_every_entry_has_a_meaning_and_names_a_file_that_exists() -> None:
    for row in ROWS:
        entry = ENTRY.fullmatch(row)

        assert entry, row
        assert (ROOT / entry[3]).is_file(), entry[3]


def test_no_word_is_explained_twice() -> None:
    words = [row.split("**")[1] for row in ROWS]

    assert len(words) == len(set(words))
