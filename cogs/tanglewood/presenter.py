"""The presenter of Tanglewood: options, words, panel, hints and notes."""

from collections.abc import Mapping, Sequence
from typing import Any

from cogs.core.app import App
from cogs.core.pictures import Shown
from cogs.core.presenter import Choice, Illustration, Presenter, Weight, choices_of
from cogs.tanglewood.panel import describe_choice, draw_placement, placement_line
from engines.game import Advice, Seat
from engines.marks import capital
from engines.tanglewood import moves, preview
from engines.tanglewood.legal.moves import hops, markers_added
from engines.tanglewood.pieces.board import more, standing
from engines.tanglewood.pieces.components import REGIONS, SCORING, Region, TanglewoodOptions
from engines.tanglewood.view import TanglewoodView
from engines.tanglewood.words import nouns, previews
from engines.words import join_words, plural, why
from tables.play.play import Perspective

CHOICES = choices_of("tanglewood")


class TanglewoodPresenter(Presenter):
    """See `cogs.core.presenter.Presenter`."""

    slug = "tanglewood"
    ends = moves.TanglewoodEnded
    charted = "Votes won, and votes the forest would pay now"
    estimated = ("vote", "votes")
    says_gains = True
    only_gains = (moves.GainedVotes,)
    strikes = (moves.Evicted, moves.Moved)
    shown = (
        r" From now on, [^.]*\.| back(?= into their circle)",
        r"(?<= in )(?:[A-Z]\w+ )+\((?=[A-Z]\))|(?<=\([A-Z])\)(?= for)|(?<= step \d) \([^()]*\)",
    )
    losses = " into their circle"
    tagline = "Win the votes of a forest's regions with workers, Tangles and secret ballots."
    length = "about 90 minutes"
    weight = Weight.MEDIUM
    standing = ("What about your ballots?", {"most_votes": "Play and keep those worth the most votes"})

    def choices(self, options: TanglewoodOptions) -> list[Choice]:
        return [CHOICES["length"], CHOICES["fox_tiles"], CHOICES["first"]]

    def length_with(self, options: TanglewoodOptions, /) -> str:
        return "about 60 minutes" if options.length == "short" else self.length

    def summary(self, options: TanglewoodOptions, seats: int | None = None) -> str:
        lines = ["3 to 5 players"]
        if options.length == "short":
            lines.append("short deck")
        if options.fox_tiles == "fixed":
            lines.append("Fox tiles in fixed order")
        if options.first == "host":
            lines.append("the host starts")
        return " · ".join(lines)

    def totals(self, view: TanglewoodView) -> Sequence[int]:
        return view.votes

    def gains(self, event: Any) -> Mapping[Seat, int]:
        match event:
            case moves.GainedVotes(seat=seat, votes=votes):
                return {seat: votes}
            case moves.Scored(gained=gained):
                return dict(enumerate(gained))
            case _:
                return {}

    def illustrations(self, events: Sequence[Any]) -> list[Illustration]:
        return [
            Illustration("scoring", (1 + event.final,)) for event in events if isinstance(event, moves.Scored)
        ]


def line(view: TanglewoodView, seat: Seat, advice: Advice, names: Sequence[str]) -> str:
    """Return a placement, a draw or a choice, with its result."""
    match advice.moves[0]:
        case moves.TanglewoodPlace(region, count):
            track = next(
                (move.track for move in advice.moves if isinstance(move, moves.TanglewoodStep)), None
            )
            card, ahead = view.tangles[region], preview.placement_preview(view, seat, region, count, track)
            effect = "" if card is None else f" ({nouns.effect(card)})"
            gone = [nouns.colour(one, names) for one in ahead.evicted]
            loses = (
                f"{join_words(gone)} would lose 1 worker{' each' if len(gone) > 1 else ''}. " if gone else ""
            )
            where = f"{plural(count, 'marker')} in {nouns.place(region)}"
            return f"Place **{where}**{effect}. {capital(loses)}{placement_line(seat, ahead)}"
        case moves.TanglewoodDraw(track):
            drawn, held = view.draw_value(seat), view.circles[seat]
            circle, most = preview.after_draw(view, seat, track)
            grown = f"your circle grows from {held} to {circle}, and you can place up to {most} a turn"
            step = "" if track is None else f". You also take {nouns.a_step(view, seat, track)}"
            return f"**Draw {plural(drawn, 'marker')}**: {grown}{step}."
        case moves.TanglewoodStep(track):
            return f"**{capital(nouns.step(view, seat, track))}**."
        case moves.KeepBallots(regions):
            text = capital(describe_choice(advice.moves[0], view, names))
            return f"**{text}**." + why(_lifts(view, seat, regions))
        case move:
            text = describe_choice(move, view, names)
            workers = preview.workers_to_come(view, seat, move)
            return f"**{capital(text)}**. {capital(previews.votes_now(view, seat, workers, names))}."


def _lifts(view: TanglewoodView, seat: Seat, regions: Sequence[Region]) -> list[str]:
    """Return the kept ballots' standings, or why none are kept."""
    lifts = []
    for region in dict.fromkeys(regions):
        workers = view.workers[region]
        now, then = (standing(one, seat) for one in (workers, more(workers, seat, SCORING.ballot_markers)))
        if then != now:
            lifts.append(f"{region} would make you {nouns.standing_word(then)}")
    return lifts if regions else ["new ballots can help you more"]


async def picture(app: App, perspective: Perspective, made: Sequence[moves.Move]) -> Shown | None:
    """Return the map after the moves; None if it doesn't change."""
    table, view, move = perspective.table, perspective.view, made[0]
    match move:
        case moves.TanglewoodPlace(region, count):
            return await draw_placement(
                app, perspective, region, preview.placement_preview(view, perspective.me, region, count)
            )
        case _:
            hopped, brought = hops(move, view.active), markers_added(move)
            if not hopped and not brought:
                return None
            return await app.pictures.special(table, "preview", view, hopped, brought)


def applicable_notes(view: TanglewoodView, seat: Seat) -> list[str]:
    """Return the notes for a seat to move, the most urgent first."""
    texts = ["start"]
    if view.phase != "turn":
        texts.append(str(view.phase))
        return texts
    if view.scoring_round is not None and not view.over:
        texts.append("poll" if view.round < view.scoring_round else "poll_now")
    texts.append("place")
    counts = [view.workers[region] for region in REGIONS]
    if any(one[seat] == max(one) > 0 and one.count(one[seat]) == 2 for one in counts):
        texts.append("tie")
    return texts
