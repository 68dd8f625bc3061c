"""Sentences about ratings, leaderboards and profiles, and the result card of a game."""

from collections import Counter
from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import Any

import msgspec
from msgspec.structs import replace

from cogs.core import lookup, time_words
from cogs.core.app import App
from cogs.core.presenter import presenter
from cogs.review.turning_points import describe_decision
from cogs.ui.press import Press, on_press, say
from cogs.ui.text import Interaction
from db.records import BestRow, OpponentRow, PuzzlePlayerRow, RankedRow, RatingRow, ResultRow, TallyRow
from engines.game import IllegalMove, Outcome, Seat
from engines.marks import quote, quote_player, to_plain, to_words
from engines.registry import AnyGame, game
from engines.words import join_words, plural, short_ordinal
from render.chart import number_text
from render.core.canvas import Picture
from render.result import PlacedSeat, ResultCard
from tables.core.table import Refused, Table
from tables.daily import DailySummary
from tables.puzzles import PuzzleProgress, points_of
from tables.review.record import RecordedTurn
from tables.standings.ratings import RECENT, SURE_AFTER, ResultKind, trend, uncertainty

LEGEND = (
    f"-# ▲ and ▼ show the change in the last {RECENT} games. ± shows how uncertain the rating is. "
    f"A rating is provisional until its player has {SURE_AFTER} games."
)
TITLES = {
    ResultKind.VERSUS: "Ratings",
    ResultKind.COOP: "Best as a team",
    ResultKind.SOLO: "Best solo scores",
}
DAILY = "Deal of the day"
PUZZLES = "Puzzles"
RATINGS, FINISHED, AGAINST = ("Ratings", "Games finished", "Against others (times ahead : times behind)")
ALL_HIDE = "Everyone who played this hides their results, so there's nothing to show."
NO_MEMBER = "Bots have no profile."
ALONE = (
    "-# Only you see this, because you hide your games. `/me hide hidden:False` shows them to everyone again."
)


def number(points: int) -> str:
    """Format a rating.

    >>> number(1137)
    '1,137'
    """
    return f"{points:,}"


def no_ratings(slug: str) -> str:
    return (
        f"Nobody has finished a rated game of {game(slug).title} here yet. A game counts if at least two "
        f"people begin it without computers and play to the end. `/{slug} new` opens a table."
    )


def none_of(slug: str, kind: ResultKind) -> str:
    """Return that nobody has a result of this kind that counts."""
    who = "Nobody here has finished a solo" if kind is ResultKind.SOLO else "No team here has finished a"
    return f"{who} game of {game(slug).title} that counts yet."


def nothing(who: str | None) -> str:
    """Return that somebody (None: the asker) has finished nothing here."""
    if who is None:
        return "You haven't finished a game in this server yet. `/help` says how to open a table."
    return f"{quote(who)} hasn't finished a game in this server yet."


def game_counts(row: RankedRow | RatingRow) -> str:
    lines = [plural(row.games, "game"), plural(row.wins, "win")]
    return " · ".join([*lines, *(["provisional"] if row.games < SURE_AFTER else [])])


def format_trend(change: int) -> str:
    """Format a rating's recent change.

    >>> format_trend(45), format_trend(-30), format_trend(0)
    (' · ▲ 45', ' · ▼ 30', '')
    """
    return f" · {'▲' if change > 0 else '▼'} {abs(change)}" if change else ""


def ranking_line(row: RankedRow) -> str:
    return (
        f"{row.rank}. **{quote(row.name)}** {number(row.rating)} ± {uncertainty(row.sigma)} · "
        f"{game_counts(row)}{format_trend(trend(row.recent))}"
    )


def own_line(row: RankedRow, people: int) -> str:
    rating = f"{number(row.rating)} ± {uncertainty(row.sigma)}"
    return f"You're {short_ordinal(row.rank)} of {people}, with a rating of {rating}."


def format_result(row: BestRow) -> tuple[str, str]:
    """Return a wins or score text, and the number of games."""
    games = plural(row.games, "game")
    return (plural(row.wins, "win") if row.score is None else number(row.score)), games


def merge_results(one: BestRow, other: BestRow) -> BestRow:
    """Merge the results of two sorts of games into one row."""
    scores = [score for score in (one.score, other.score) if score is not None]
    return replace(
        one, games=one.games + other.games, wins=one.wins + other.wins, score=max(scores) if scores else None
    )


def options_of(rules: AnyGame, options: str) -> Any:
    return msgspec.json.decode(options, type=rules.Options)


def best(row: BestRow, rank: int) -> str:
    value, detail = format_result(row)
    return f"{rank}. **{quote(row.name)}** {value} · {detail}"


def rating(row: RatingRow, rank: RankedRow | None, people: int) -> str:
    place = "" if rank is None else f" · {short_ordinal(rank.rank)} of {people}"
    return (
        f"**{game(row.game).title}** {number(row.rating)} ± {uncertainty(row.sigma)} · {game_counts(row)}"
        f"{place}{format_trend(trend(row.recent))}"
    )


def games_played(tallies: Sequence[TallyRow]) -> list[tuple[str, str, str]]:
    """Return a row per game and kind: name, games, endings."""
    lines = []
    for slug, kind in dict.fromkeys((row.game, row.kind) for row in tallies):
        rows = [row for row in tallies if (row.game, row.kind) == (slug, kind)]
        how = {ResultKind.VERSUS: "", ResultKind.COOP: ", together", ResultKind.SOLO: ", alone"}[
            ResultKind(kind)
        ]
        free = sum(row.games for row in rows if not row.counts)
        games = plural(sum(row.games for row in rows), "game") + (f" ({free} unrated)" if free else "")
        lines.append((f"{game(slug).title}{how}", games, _ends(rows)))
    return lines


TIMES = {1: "once", 2: "twice"}


def _ends(rows: Sequence[TallyRow]) -> str:
    """Return how games ended: places, wins and losses, or scores.

    >>> _ends([TallyRow("tangle", "versus", True, 1, None, 3, None, 0, 0.0)])
    '1st place 3 times'
    >>> _ends([TallyRow("tangram", "solo", True, None, None, 3, 54, 0, 0.0)])
    'best score 54'
    """
    placed, won = Counter[int](), Counter[bool]()
    for row in rows:
        if row.won is not None:
            won[row.won] += row.games
        elif row.place is not None:
            placed[row.place] += row.games
    if won:
        return f"{won[True]} won, {won[False]} lost"
    if placed:
        return ", ".join(
            f"{short_ordinal(place)} place {TIMES.get(count, f'{count} times')}"
            for place, count in sorted(placed.items())
        )
    return f"best score {max(row.score or 0 for row in rows)}"


def pace(tallies: Sequence[TallyRow]) -> str | None:
    """Return the average turn length, nights included; None without turns."""
    turns = sum(row.turns for row in tallies)
    if not turns:
        return None
    return f"A turn takes {time_words.turn_length(sum(row.seconds for row in tallies) / turns)} on average."


def against(row: OpponentRow) -> tuple[str, str]:
    """Return wins and losses against another player, and the number of games."""
    ties = row.games - row.won - row.lost
    games = plural(row.games, "game") + (f" · {plural(ties, 'tie')}" if ties else "")
    return f"{row.won} : {row.lost}", games


def change(row: ResultRow) -> str:
    return f"{quote(row.name)} {number(row.before or 0)} → {number(row.after or 0)}"


def changes(rows: Sequence[ResultRow], unsure: Collection[int]) -> str:
    """Return a game's rating changes, the largest gains first."""
    ordered = sorted(rows, key=lambda row: (row.before or 0) - (row.after or 0))
    text = f"-# New ratings: {', '.join(map(change, ordered))}"
    names = [quote(row.name) for row in ordered if row.user_id in unsure]
    if not names:
        return text
    return f"{text} ({f'{join_words(names)} ' if len(names) < len(ordered) else ''}provisional)"


def puzzles_solved(row: PuzzlePlayerRow) -> str:
    return f"{row.solved} of {row.tried} solved at the first try"


def of_puzzles(known: PuzzleProgress) -> str:
    """Return somebody's puzzles: their number, ratings and days in a row.

    >>> from db.records import PuzzlePlayerRow
    >>> of_puzzles(PuzzleProgress(1, (PuzzlePlayerRow(7, "tesla", 25.0, 8.0, 9, 4),)))
    "Puzzles · 4 of 9 solved · Tesla's Tangle 1,040"
    """
    tried = sum(row.tried for row in known.players)
    ratings = ", ".join(f"{game(row.game).title} {number(points_of(row))}" for row in known.players)
    days = [] if known.streak < 2 else [f"{known.streak} days in a row"]
    return " · ".join([PUZZLES, f"{known.solved} of {tried} solved", ratings, *days])


def of_the_day(known: DailySummary) -> tuple[str, str]:
    """Return somebody's daily deals: days, and points.

    >>> of_the_day(DailySummary(3, 12, 80))
    ('3 days in a row, 12 days this month', '80 points')
    """
    row = "no streak" if not known.streak else f"{plural(known.streak, 'day')} in a row"
    return f"{row}, {plural(known.days, 'day')} this month", plural(known.points, "point")


MINUTE, HOUR, DAY = 60, 3600, 86_400


async def result_card(app: App, table: Table, view: Any) -> Picture:
    """Return a finished game's card; the view hides nothing.

    Raise ValueError if the game was called off or is in progress.
    """
    if table.outcome is None:
        raise ValueError(f"table {table.id} has no result")
    speaker, board = presenter(table), await app.pictures.board(table, view)
    tallies: list[tuple[int | None, ...]] = []
    with suppress(IllegalMove):  # a game under older rules still gets its last post, without a chart
        tallies += [one for one in await app.parlour.record.tallies(table) if one is not None]
    result = ResultCard(
        title=table.game.title,
        number=table.id,
        options=speaker.describe_game(table.options, len(table.seats)),
        length=length(await app.parlour.record.turns(table)),
        told=to_plain(speaker.words.result(view, table.names)),
        seats=rank_seats(table.outcome),
        colours=tuple(speaker.colours(view, app.pictures.theme)),
        charted=speaker.charted,
        tallies=tuple(tallies),
        decided=to_plain(await describe_decision(app, table)),
        board=board.png if isinstance(board, Picture) else b"",
    )
    return await app.pictures.result(result, table.names)


@on_press("table", "share")
async def on_share(interaction: Interaction, press: Press) -> None:
    app, perspective = await lookup.asker_perspective(interaction, press.table)
    table = perspective.table
    if table.outcome is None:
        raise Refused("You can share a game's result once it's over.")
    spent = length(await app.parlour.record.turns(table))
    view = (await app.parlour.play.perspective(table.id, None)).view
    text = shareable_text(table, view, spent, await describe_decision(app, table))
    await say(interaction, f"{text}\n-# Hold the message to copy it, or forward the post with the card.")


def shareable_text(table: Table, view: Any, spent: str, decided: str) -> str:
    assert table.outcome is not None
    lines = [f"{table.game.title} \u00b7 {presenter(table).words.result(view, table.names)}"]
    if table.outcome.won is None and len(table.seats) > 1:
        placed = [one for one in rank_seats(table.outcome) if one.place is not None]
        names = [quote_player(table.names, one.seat) for one in placed]
        scores = ["" if one.score is None else f" {number_text(one.score)}" for one in placed]
        places = [short_ordinal(one.place or 0) for one in placed]
        lines.append(" \u00b7 ".join(map("{} {}{}".format, places, names, scores)))
    lines.append(spent)
    return to_words("\n".join([*lines, decided] if decided else lines))


def rank_seats(outcome: Outcome) -> tuple[PlacedSeat, ...]:
    """Return all seats, the best first; a team has no places."""
    seats = range(len(outcome.places))

    def rank(seat: Seat) -> tuple[bool, int]:
        place = outcome.places[seat]
        return place is None, place or 0

    return tuple(
        PlacedSeat(
            seat,
            outcome.places[seat] if outcome.won is None else None,
            None if outcome.scores is None else outcome.scores[seat],
        )
        for seat in (seats if outcome.won is not None else sorted(seats, key=rank))
    )


def length(turns: Sequence[RecordedTurn]) -> str:
    """Return the number of turns of a game, and its duration.

    >>> length([RecordedTurn(0, 1, 0, (), 0.0), RecordedTurn(1, 2, 1, (0,), 300.0)])
    '1 turn in 5 minutes'
    """
    spent = turns[-1].at - turns[0].at
    for unit, noun in ((DAY, "day"), (HOUR, "hour"), (MINUTE, "minute")):
        if spent >= unit:
            return f"{plural(turns[-1].number, 'turn')} in {plural(round(spent / unit), noun)}"
    return plural(turns[-1].number, "turn")
