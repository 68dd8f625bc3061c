"""A story's lines, joined, merged and cut: a turn's into one, a post's to a height."""

import re
from collections.abc import Sequence
from functools import partial
from itertools import groupby
from typing import NamedTuple

from cogs.core import words
from cogs.ui import page
from cogs.ui.text import without_icons
from engines.words import join_phrases, join_words, plural

LENGTH = 1800
LINE = 280
"""Visible characters of a turn's own clauses at most."""
QUOTED = re.compile(r" \(“[^”]*”\)")
"""The text of a card behind its name."""
FOLLOWS, SMALL = "↳", "-#"
"""Start a consequence of the line before, which is never first, and small print."""
ENDS = [re.compile(one) for one in (r"[.!] ", r"[,;] (?![^(]*\))", r" \((?=[A-Z][a-z])", " and (?=[a-z])")]
"""The ends of sentences, of clauses (a comma in brackets is none), of codes before names, of first deeds."""
CUT = " …"
REASON = re.compile(r":? …$|: .*|\.$")
CODE_NAME = r"( to [A-Z]\w?) \([A-Z][^()]*\)"
DETAIL = re.compile(r" (?:a|\d+) \w+ from [A-Z]+\d*(?= to )| \(paid automatically\)")
GAIN = re.compile(r"(?:(?<=draws |gains |takes )|(?<=gains \*\*))\d+(?! from)(?=\D*$)")
text_height = partial(page.text_height, letter=8.6, icon="mm")
"""Returns the height of a post's text on a phone in pixels; a letter is 8.6 wide, and an icon two letters."""


class LineClause(NamedTuple):
    """A part of a turn's line; `is_own` if the turn's seat is its subject, left out after the first."""

    text: str
    is_own: bool


def fit_height(
    lines: Sequence[str], whole: int, most: int, shown: Sequence[str] = (), losses: str = "(?!)"
) -> list[str]:
    """Cut lines to fit `most` pixels: the oldest first, the `whole` last ones least.

    Headings stay, and whatever matches `losses`, without its reason. The last turn loses only what matches
    `shown`, one pattern after the other, and the names behind codes.

    >>> fit_height(["Ann (1, +1) lays A, B. C is 2.", "**Bo is out.** No points.", "Cy rests. B is."], 1, 0)
    ['Ann (1, +1) lays A …', '**Bo is out.** No points.', 'Cy rests. B is.']
    >>> fit_height(["Ann moves a root from C6 to E (Earth) and takes 2.", "Cy moves to E (Earth)."], 1, 0)
    ['Ann moves to E …', 'Cy moves to E.']
    >>> fit_height(["Ann rests, takes 2 and loses A1. C is 2. Bo loses 3.", "Cy rests."], 1, 0, (), "loses")
    ['Ann rests … takes 2 and loses A1. Bo loses 3.', 'Cy rests.']
    >>> fit_height(["↳ Ann loses A, B and C (can't pay 3).", "Cy rests."], 1, 0, (), "loses")[0]
    "↳ Ann loses A, B and C (can't pay 3)."
    >>> fit_height(["Ann rests. New on the board: 1 E at A.", "Cy rests."], 2, 0, [" New on the board.*"])
    ['Ann rests.', 'Cy rests.']
    """
    old, kept = max(0, len(lines) - whole), re.compile(losses)
    heads, tails, heights = list(lines), [""] * len(lines), list(map(text_height, lines))
    for end in ENDS:
        for place in range(old):
            if sum(heights) <= most:
                return [head + tail for head, tail in zip(heads, tails, strict=True)]
            first, *rest = end.split(heads[place])
            if rest and not first.startswith("**") and (end is ENDS[0] or not kept.search(first)):
                heads[place] = f"{first.removesuffix(CUT)}{CUT}"
                left = "".join(f" {REASON.sub('', part)}." for part in rest if kept.search(part))
                tails[place] = left + tails[place]
                heights[place] = text_height(heads[place] + tails[place])
    result = [head + tail for head, tail in zip(heads, tails, strict=True)]
    if sum(heights) > most:
        result[:old] = [DETAIL.sub("", line) for line in result[:old]]
    text = "\n".join(result)
    for cut, left in [*((cut, "") for cut in shown), (CODE_NAME, r"\1")]:
        if text_height(text) > most:
            text = re.sub(cut, left, text, flags=re.MULTILINE)
    return list(filter(None, text.splitlines()))


def without_cut(lines: Sequence[str]) -> list[str]:
    """Leave out lines that were cut, if there are several: a count of them takes one.

    >>> without_cut(["Ann rests …", "Cy goes …", "↳ Bo loses A1.", "Bo goes … He loses A2.", "Dee goes …"])
    ['Cy goes …', '↳ Bo loses A1.', 'Bo goes … He loses A2.']
    """
    pairs = zip(lines, [*lines[1:], ""], strict=False)
    kept = [one for one, after in pairs if not one.endswith(CUT) or after.startswith(FOLLOWS)]
    return kept if len(kept) < len(lines) - 1 else list(lines)


def fold(lines: Sequence[str], name: str) -> list[str]:
    """Fold a turn's lines into one; a heading keeps its consequences.

    Quoted texts of cards are left out. Whatever would exceed `LINE` is counted at the end.

    >>> fold(["Ada casts Windfall.", "↳ Ada takes 2 N.", "Ada rests.", "-# New in the row: Leaf."], "Ada")
    ['Ada casts Windfall, takes 2 N and rests. New in the row: Leaf.']
    >>> fold(["Ada rests.", "↳ Ada casts Windfall for 1 M (“Once: take 1 seed”)."], "Ada")
    ['Ada rests and casts Windfall for 1 M.']
    >>> fold(["Ada places 1 in E.", "↳ It has no effect."], "Ada")
    ['Ada places 1 in E. It has no effect.']
    >>> fold(["**Upkeep.**", "↳ Ada loses A1.", "Ada draws."], "Ada")
    ['**Upkeep.**', '↳ Ada loses A1.', 'Ada draws.']
    >>> fold(["Ada rests.", "**Upkeep.**", "-# Round 2 begins."], "Ada")
    ['Ada rests. Round 2 begins.', '**Upkeep.**']
    """
    lines = [QUOTED.sub("", line) for line in lines]
    small = [line.removeprefix(f"{SMALL} ") for line in lines if line.startswith(SMALL)]
    turns = _clauses([line for line in lines if not line.startswith(SMALL)], name)
    own = [
        clauses for clauses in turns if without_icons(clauses[0].text).startswith(f"{without_icons(name)} ")
    ]
    if own:
        own[-1].extend(LineClause(line, is_own=False) for line in small)
    else:
        turns[:0] = [[LineClause(f"{SMALL} {line}", is_own=False)] for line in small]
    return [_in_a_line(clauses) for clauses in turns]


def _clauses(lines: Sequence[str], name: str) -> list[list[LineClause]]:
    """Return a turn's lines, each with its continuing clauses.

    A line of several sentences, or about others, is continued by none.
    """
    turns, who = list[list[LineClause]](), ""
    for line in lines:
        follows = line.startswith(FOLLOWS)
        plain = line.removeprefix(f"{FOLLOWS} ")
        if who and "\n" not in line and (follows or line.startswith(who)):
            turns[-1].append(LineClause(plain.removeprefix(who), is_own=plain.startswith(who)))
            continue
        sign, text, rest = line.partition(f"{name} ")
        is_plain = not (follows or line.startswith("**") or without_icons(sign) or ENDS[0].search(rest))
        who = f"{sign}{name} " if text and is_plain else ""
        turns.append([LineClause(line, is_own=True)])
    return turns


ACTION_NAME = re.compile(r"( to [A-Z]{1,2}) \([A-Z][^()]*\)")
COUNTED = re.compile(r"(draws) (\d+(?: \+ \d+)*) ([^,;]*?)s?")


def _shorten_clauses(parts: Sequence[str]) -> list[str]:
    """Leave out what the clauses of one line say twice.

    >>> _shorten_clauses(["Bo moves to BS (Take bush seed)", "takes a bush seed"])
    ['Bo moves to BS', 'takes a bush seed']
    >>> _shorten_clauses(["Bo steps", "draws 1 + 1 ballot", "draws 1 ballot", "draws 1 marker"])
    ['Bo steps', 'draws 3 ballots and 1 marker']
    >>> _shorten_clauses(["Bo casts **Windfall** for 1 M", "gains 1 tree seed from Windfall"])
    ['Bo casts **Windfall** for 1 M', 'gains 1 tree seed']
    """
    short = list[str]()
    for clause in parts:
        known, text = COUNTED.fullmatch(short[-1]) if short else None, clause
        if (counted := COUNTED.fullmatch(clause)) is not None:
            number = sum(map(int, counted[2].split(" + ")))
            text = f"draws {plural(number, counted[3])}"
        cards = re.findall(r"casts \*\*([^*]+)\*\*", " ".join(short[-1:]))
        if known and counted and known[3] == counted[3]:
            short[-1] = f"draws {int(known[2]) + number} {known[3]}s"
        elif known and counted:
            short[-1] += f" and {plural(number, counted[3])}"
        else:
            short.append(text.removesuffix(f" from {cards[0]}") if cards else text)
    acts = len(short) > 1 and not short[1].startswith("casts ")
    return [ACTION_NAME.sub(r"\1", short[0]), *short[1:]] if acts else short


def _in_a_line(clauses: Sequence[LineClause]) -> str:
    """Join the turn's clauses that fit, and count the rest.

    What is about others always comes, at the end.

    >>> many = [LineClause("casts a spell", is_own=True)] * 30
    >>> row = LineClause("New in the row: Leaf.", is_own=False)
    >>> without_icons(_in_a_line([LineClause("Ann lays a lake.", is_own=True), row, *many]))[-54:]
    'a spell and does 13 more things. New in the row: Leaf.'
    """
    own = [*clauses[:1], *(clause for clause in clauses[1:] if clause.is_own)]
    others = [clause for clause in clauses[1:] if not clause.is_own]
    for number in range(1, len(own)):
        if len(without_icons(_join_clauses(own[: number + 1]))) > LINE:
            cut = LineClause(f"does {plural(len(own) - number, 'more thing')}.", is_own=True)
            return _join_clauses([*own[:number], cut, *others])
    return _join_clauses(clauses)


def _join_clauses(clauses: Sequence[LineClause]) -> str:
    """Join clauses to a line; end it with sentences about others.

    >>> def joined(first, *others):
    ...     parts = [LineClause(one, one[0].islower()) for one in others]
    ...     return _join_clauses([LineClause(first, True), *parts])
    >>> joined("Ada casts.", "takes 2 N.", "can rest.")
    'Ada casts, takes 2 N and can rest.'
    >>> joined("Ada rests.", "Round 2 begins.")
    'Ada rests. Round 2 begins.'
    >>> joined("Ada rests.", "The lake is full.", "takes 2 N.")
    'Ada rests and takes 2 N. The lake is full.'
    """
    own = [clause.text for clause in clauses[:1]] + [clause.text for clause in clauses[1:] if clause.is_own]
    parts = _shorten_clauses([text.removesuffix(".") for text in own])
    text = join_phrases(parts) if len(parts) > 2 else join_words(parts)
    stop = "." if own[-1].endswith(".") else ""
    return " ".join([f"{text}{stop}", *(clause.text for clause in clauses[1:] if not clause.is_own)])


def merge_repeats(result: Sequence[str]) -> list[str]:
    """Merge repeated lines and keep their class; add up a number.

    >>> merge_repeats(["↳ Ada takes a card.", "↳ Ada takes a card.", *["Ada draws 2 ballots."] * 2])
    ['↳ Ada takes a card (twice).', 'Ada draws 2 + 2 ballots.']
    """
    lines = []
    for line, same in groupby(result):
        number = sum(1 for _ in same)
        merged = GAIN.sub(" + ".join([r"\g<0>"] * number), line, count=1)
        if number > 1 and merged == line:
            often = "twice" if number == 2 else f"{number} times"
            text = f"{line.removesuffix('.')} ({often})".replace(") (", ", ")
            merged = f"{text}{'.' if line.endswith('.') else ''}"
        lines.append(type(line)(merged))
    return lines


def newest(
    lines: Sequence[str], most: int, earlier: str = words.EARLIER, room: int = LENGTH, hidden: int = 0
) -> list[str]:
    """Return the last lines, after a count of the others (`earlier`).

    At most `most` lines, in `room` characters. Small print is left out first; `hidden` lines are already.

    >>> newest(["one", "two", "↳ so", "three"], 2)
    ['-# See **More** for 3 earlier lines.', 'three']
    >>> newest(["one", "-# by the way", "two"], 2)
    ['-# See **More** for 1 earlier line.', 'one', 'two']
    >>> newest(["one", "two", "↳ so", "↳ and so", "↳ on"], 2)
    ['-# See **More** for 3 earlier lines.', 'two', '↳ on']
    >>> newest(["one", "two"], 2, hidden=3)
    ['-# See **More** for 3 earlier lines.', 'one', 'two']
    >>> newest(["a" * 70, "b" * 50, "c"], 3, room=120)[0]
    '-# See **More** for 1 earlier line.'
    """
    if not hidden and len(lines) <= most and _letters(lines) <= room:
        return list(lines)
    plain = [line for line in lines if not line.startswith(SMALL)]
    last = plain[-most:]
    while len(last) > 1 and len(earlier) + _letters(last) > room:
        last = last[1:]
    begun = next((place for place, line in enumerate(last) if not line.startswith(FOLLOWS)), None)
    if begun is None:
        heads = [line for line in plain if not line.startswith(FOLLOWS)]
        last = [*heads[-1:], *last[1:]]
    else:
        last = last[begun:]
    return [earlier.format(count=plural(hidden + len(lines) - len(last), "earlier line")), *last]


def _letters(lines: Sequence[str]) -> int:
    return sum(len(without_icons(line)) + 1 for line in lines)
