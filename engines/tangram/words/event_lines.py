"""Sentences of Tangram City: events, duties, results, and moves by name."""

from collections.abc import Sequence
from typing import assert_never

from engines.game import Seat
from engines.marks import with_icon
from engines.tangram import moves
from engines.tangram.legal.moves import CORNER_NAMES, over
from engines.tangram.pieces.board import TangramLaid, Water
from engines.tangram.pieces.components import FOUNTAIN, TILES
from engines.tangram.view import TangramView
from engines.tangram.words.nouns import block, count_points, piece_place, tile, tiles
from engines.words import Names, describe_lead, format_points, format_total, join_words, player_with_sign

RANKS = ((150, "architect of harmony"), (120, "master planner"), (90, "planner"), (60, "builder"))


def event_line(event: moves.Event, view: TangramView, names: Names) -> str | None:
    def who(seat: Seat) -> str:
        return player_with_sign(names, seat)

    match event:
        case moves.SidesShown(sides=sides):
            starts = [(seat, side) for seat, side in enumerate(sides) if seat not in view.out]
            text = ", ".join(f"{who(seat)} starts with {side.partition('-')[2]}" for seat, side in starts)
            return f"{text}."
        case moves.TangramRoundBegan(round=number, cards=cards):
            final = " Place its 3 tiles in any order." if view.round == number and cards == 3 else ""
            return f"**Round {number} begins.**{final}"
        case moves.Revealed(tiles=shown):
            return f"Everyone can now see the {tiles(shown)}."
        case moves.Built():
            return _placements(event, names)
        case moves.RoundScored(round=number, cities=cities, scores=scores):
            text = ", ".join(
                _result(
                    who(seat), scores[seat], [(one.points, block(one.rectangle) if one.rectangle else "")]
                )
                for seat, one in enumerate(cities)
                if seat not in view.out
            )
            return f"Points after round {number}: {text}."
        case moves.MarkerPassed(seat=seat, kept=kept):
            if view.seats == 1:
                return None
            marker = with_icon("tangram_start", "start marker")
            return f"{who(seat)} {'keeps' if kept else 'takes'} the {marker}."
        case moves.Bonus(planning=planning, balance=harmony, scores=scores):
            scales = with_icon("tangram_balance", "balance")
            text = ", ".join(
                _result(who(seat), scores[seat], [(harmony[seat], scales), (planning[seat], "a full city")])
                for seat in range(view.seats)
                if seat not in view.out
            )
            return f"Points with the bonuses: {text}."
        case moves.TangramResigned(seat=seat):
            return f"{who(seat)} leaves the game."
        case moves.TangramEnded() if view.rounds:
            return f"-# Points by round: {_by_round(view, names)}."
        case moves.Answered() | moves.Reopened() | moves.TangramEnded():
            return None  # nobody else may know yet; the result has its own line
        case _:
            assert_never(event)


def _result(player: str, score: int, gains: Sequence[tuple[int, str]]) -> str:
    """Return a player's score, and the gains with their reasons.

    >>> _result("Ann", 19, [(10, "5×2"), (0, "a full city")]), _result("Bo", 1, [(0, "")])
    ('**Ann 19** (+10 for 5×2)', '**Bo 1** (±0)')
    >>> _result("Cy", 30, [(3, "balance"), (5, "a full city")])
    '**Cy 30** (+3 for balance, +5 for a full city)'
    """
    reasons = [f"{format_points(points)} for {reason}" for points, reason in gains if points]
    return f"**{player} {format_total(score)}** ({', '.join(reasons) or format_points(0)})"


def _by_round(view: TangramView, names: Names) -> str:
    return "; ".join(
        f"{player_with_sign(names, seat)} {' + '.join(str(scored[seat].points) for scored in view.rounds)}"
        for seat in range(view.seats)
        if seat not in view.out
    )


def _placements(event: moves.Built, names: Names) -> str:
    """Return the placements of a step's tiles, with their players."""
    lines = []
    for place, number in enumerate(event.tiles):
        playing = [seat for seat, pieces in enumerate(event.pieces) if pieces]
        none = [seat for seat in playing if event.pieces[seat][place] is None]
        stuck = [seat for seat in none if number in event.forced[seat]]
        refused = [seat for seat in none if seat not in stuck]
        thing = f"**{tile(number)}**" if number != FOUNTAIN else tile(number)
        if not none:
            everyone = "Everyone" if len(playing) > 1 else player_with_sign(names, playing[0])
            lines.append(f"{everyone} places the {thing}: {_places(event, place, playing, names)}.")
            continue
        entries = []
        if placed := [seat for seat in playing if seat not in none]:
            entries.append(
                f"{_people(placed, names)} {_verb(placed, 'places', 'place')} the {thing}: "
                f"{_places(event, place, placed, names)}"
            )
        if stuck == playing and len(stuck) > 1:
            entries, stuck = [f"Nobody has room for the {thing}"], []
        what = "it" if placed else f"the {thing}"
        if refused:
            entries.append(f"{_people(refused, names)} {_verb(refused, 'sets', 'set')} {what} aside")
            what = "it"
        if stuck:
            entries.append(f"{_people(stuck, names)} {_verb(stuck, 'has', 'have')} no room for {what}")
        lines.append(". ".join(entries) + ".")
    return "\n".join(lines)


def _places(event: moves.Built, place: int, seats: Sequence[Seat], names: Names) -> str:
    """Return where each seat placed a tile; one seat goes unnamed."""
    entries = [(seat, piece) for seat in seats if (piece := event.pieces[seat][place]) is not None]
    if len(entries) == 1:
        return f"{_in(entries[0][1])}{piece_place(entries[0][1])}"
    placed = [f"{player_with_sign(names, seat)} {_in(piece)}{piece_place(piece)}" for seat, piece in entries]
    return ("; " if any(", " in one for one in placed) else ", ").join(placed)


def _in(piece: object) -> str:
    return "in " if isinstance(piece, Water) else ""


def _verb(seats: Sequence[Seat], one: str, several: str) -> str:
    return one if len(seats) == 1 else several


def _people(seats: Sequence[Seat], names: Names) -> str:
    return join_words([player_with_sign(names, seat) for seat in seats])


def duty(view: TangramView, seat: Seat) -> str:
    match view.phase:
        case "side":
            return "choose the side of your board"
        case "place":
            return f"place the {tile(view.current[0])}"
        case "final":
            fitting = [tile(number) for number in view.current if number not in view.forced[seat]]
            return f"place the last {'tiles' if len(fitting) > 1 else 'tile'}: {join_words(fitting)}"
        case "fountain":
            return "place a fountain"
        case "over":
            return "nothing more"


def result(view: TangramView, names: Names) -> str:
    outcome = view.outcome
    if outcome is None:
        return "The table closed without a result."
    first = outcome.winners
    winners = _people(first, names)
    if outcome.how == "left":
        points = f"{view.scores[first[0]]} points"
        if view.seats == 1:
            return f"{winners} ends the game early with {points}."
        return f"{winners} wins with {points}, because everyone else has left."
    if view.seats == 1:
        return f"{winners} scores {count_points(view.scores[0])} and earns the title {rank(view.scores[0])}."
    verb = "wins" if len(first) == 1 else "share the win"
    left = {seat: view.scores[seat] for seat in range(view.seats) if seat not in view.out}
    lead = describe_lead(names, first[0], left) if len(first) == 1 else ""
    return f"{winners} {verb} with {view.scores[first[0]]} points{lead}!"


def rank(score: int) -> str:
    """Return the title that a solo score earns.

    >>> rank(59), rank(121)
    ('apprentice', 'master planner')
    """
    return next((title for least, title in RANKS if score >= least), "apprentice")


def waiting(view: TangramView, names: Names, me: Seat) -> str:
    """Return the others who are still busy in the open step."""
    gone = {me, *view.out, *view.answered}
    busy = [seat for seat in range(view.seats) if seat not in gone]
    return _people(busy, names) if busy else ""


def move_name(move: moves.Move, _view: TangramView, _names: Names) -> str:
    match move:
        case moves.ChooseSide(side):
            return f"choose the {with_icon(f'tangram_{side}_square', side)} side of your board"
        case moves.TangramPlace(number, side, turn, at):
            piece = with_icon(f"tangram_{side}_{TILES[number].name}", TILES[number].name)
            squares = over(TangramLaid(number, side, turn, at)).squares
            turned = f"turned {turn}°" if turn else "not turned"
            return f"place the {piece} at {at}, {side}, {turned} ({squares})"
        case moves.Fountain(at, corner):
            return f"place the {tile(FOUNTAIN)} on the {CORNER_NAMES[corner]} half of {at}"
        case moves.Decline(number):
            return f"set the {tile(number)} aside"
        case moves.DeclineFountain():
            return f"set the {tile(FOUNTAIN)} aside"
        case moves.TakeBack(number):
            return f"take back the {tile(number)}"
        case moves.TangramDone():
            return "confirm your answers"
        case _:
            assert_never(move)


def unseen_name(_move: moves.Move) -> str:
    """Return nothing: all answer at once, so nobody's turn is expected."""
    return ""
