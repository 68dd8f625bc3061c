"""Reads a turn's lines back: every sentence has to be understood, and to be true."""

import re
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from typing import Any

from engines.game import Seat
from tests.posts.games import NAMES, ToldTurn

Check = Callable[..., bool | None]
WHO = f"({'|'.join(NAMES)})"
"""A player's name."""
BETWEEN = re.compile(r"(, and |, | and )")
SENTENCES = re.compile(r"(?<=[.!]) (?=[A-Z0-9])|\n")
CUT = re.compile(r",? and does \d+ more things?\.$")
"""The end of a line that got too long."""
RESULT = re.compile(rf"{WHO} \((?:[^)]*, [+−±]\d+|−?\d+ [a-z]+)\) ")
"""A player's result, before what the turn did."""
OFTEN = re.compile(r" \((?:twice|(\d+) times)\)")
MINUS = "−"
SUM = re.compile(r"(?<=(?:draws|gains|takes) )\d+(?: \+ \d+)+")


class TurnReading:
    """The claims of a turn's lines so far.

    Attributes:
        turn: the turn.
        ledger: what the lines add to each count, or take away from it.
        named: the things that they mention, by kind.
        subject: the seat that the clause is about.
    """

    def __init__(self, turn: ToldTurn) -> None:
        self.turn = turn
        self.before, self.after = turn.before, turn.after
        self.ledger = Counter[Hashable]()
        self.named: dict[str, list[Any]] = {}
        self.subject = turn.seat
        self.problems: list[str] = []

    def add(self, key: Hashable, number: int) -> None:
        self.ledger[key] += number

    def name(self, kind: str, thing: Any) -> None:
        self.named.setdefault(kind, []).append(thing)

    def balance(self, key: Hashable, change: int) -> None:
        """Note a problem if the lines don't add up to a change."""
        if self.ledger[key] != change:
            self.problems.append(f"{key}: told {self.ledger[key]:+}, was {change:+}")


class PostReader:
    """Understands the sentences of one game.

    Clauses follow their subject and can be joined; sentences stand alone. Each pattern has a check, which
    gets the reading and the pattern's groups; it returns False if the claim is untrue.
    """

    def __init__(self) -> None:
        self._clauses: list[tuple[re.Pattern[str], Check]] = []
        self._sentences: list[tuple[re.Pattern[str], Check]] = []
        self._final: list[Callable[[TurnReading], None]] = []

    def clause(self, pattern: str) -> Callable[[Check], Check]:
        return self._register(self._clauses, pattern)

    def sentence(self, pattern: str) -> Callable[[Check], Check]:
        return self._register(self._sentences, pattern)

    def clauses(self, checks: dict[str, Check]) -> None:
        for pattern, check in checks.items():
            self.clause(pattern)(check)

    def sentences(self, checks: dict[str, Check]) -> None:
        for pattern, check in checks.items():
            self.sentence(pattern)(check)

    def finally_check(self, check: Callable[[TurnReading], None]) -> Callable[[TurnReading], None]:
        """Register a check of a whole turn: is anything untold?"""
        self._final.append(check)
        return check

    @staticmethod
    def _register(claims: list[tuple[re.Pattern[str], Check]], pattern: str) -> Callable[[Check], Check]:
        def register(check: Check) -> Check:
            claims.append((re.compile(pattern.replace("WHO", WHO)), check))
            return check

        return register

    def read(self, turn: ToldTurn) -> list[str]:
        """Return what is wrong with a turn's lines."""
        reading = TurnReading(turn)
        for line in turn.lines:
            for sentence in SENTENCES.split(line):
                if sentence.strip():
                    self._read_sentence(reading, sentence.strip())
        for check in self._final:
            check(reading)
        return reading.problems

    def _read_sentence(self, reading: TurnReading, sentence: str) -> None:
        text = SUM.sub(lambda one: str(sum(map(int, one[0].split(" + ")))), CUT.sub("", sentence))
        text = re.sub(r", (twice|\d+ times)\)", r") (\1)", text.removesuffix("."))
        if result := RESULT.match(text):
            self._read_sentence(reading, result[0].rstrip())
            text = f"{result[1]} {text[result.end() :]}"
        for pattern, check in self._sentences:
            found = pattern.fullmatch(text)
            if found is not None:
                self._note(reading, sentence, check(reading, *found.groups()))
                return
        who = re.match(rf"{WHO} ", text)
        reading.subject = NAMES.index(who[1]) if who else reading.turn.seat
        rest = text[who.end() :] if who else f"{text[:1].lower()}{text[1:]}"
        if not self._read_clauses(reading, sentence, rest):
            reading.problems.append(f"not understood: {sentence} ({rest})")

    def _read_clauses(self, reading: TurnReading, sentence: str, text: str) -> bool:
        while True:
            matches = [(pattern.match(text), check) for pattern, check in self._clauses]
            best = max(
                ((found, check) for found, check in matches if found is not None),
                key=lambda pair: pair[0].end(),
                default=None,
            )
            if best is None:
                return False
            found, check = best
            text = text[found.end() :]
            often = OFTEN.match(text)
            text = text[often.end() :] if often else text
            for _ in range(1 if often is None else int(often[1] or 2)):
                self._note(reading, f"{found[0]} in: {sentence}", check(reading, *found.groups()))
            if not text:
                return True
            between = BETWEEN.match(text)
            if between is None:
                return False
            text = text[between.end() :]

    @staticmethod
    def _note(reading: TurnReading, claim: str, is_true: bool | None) -> None:
        if is_true is False:
            reading.problems.append(f"untrue: {claim}")


def seat_of(name: str) -> Seat:
    return NAMES.index(name)


def seats_of(names: str) -> list[Seat]:
    """Return the seats of "Ann, Bo and Cy"."""
    return [seat_of(name) for name in words_of(names)]


def words_of(text: str) -> list[str]:
    """Split a list in words: "A, B and C"."""
    return re.split(r", | and ", text)


def number_of(text: str) -> int:
    """Return a number with a sign: "+6", "−5", "±0"."""
    return int(text.replace(MINUS, "-").replace("±", "").replace("+", ""))


def problems_of(reader: PostReader, turns: Sequence[ToldTurn]) -> list[str]:
    return [f"{problem}\n    {turn.text}" for turn in turns for problem in reader.read(turn)]
