"""Moves of Tanglewood by name."""

from collections.abc import Sequence
from typing import assert_never

from engines.marks import with_icon
from engines.tanglewood import moves
from engines.tanglewood.pieces.board import Colour
from engines.tanglewood.view import TanglewoodView
from engines.tanglewood.words.nouns import ballots, place, track_name
from engines.words import Names, join_words, plural, possessive


def move_name(move: moves.Move, view: TanglewoodView, names: Names) -> str:
    """Return a legal move's name; see `engines.words.MoveNames`."""
    match move:
        case moves.TanglewoodDraw(track):
            return "draw markers" if track is None else f"draw markers and step on {track_name(track)}"
        case moves.TanglewoodPlace(region, count):
            return f"place {plural(count, 'marker')} in {place(region)}"
        case moves.TanglewoodStep(track):
            return f"step on {track_name(track)}"
        case moves.TanglewoodPlant(region) | moves.TanglewoodPlaceAdjacent(region):
            return f"add a marker to {place(region)}"
        case moves.TanglewoodNudge(region, colour, to):
            return _going(view, names, [(colour, f"from {region} to {to}")])
        case moves.Gather(workers):
            return _going(view, names, [(one.colour, f"from {one.region}") for one in workers], "bring")
        case moves.Scatter(sent):
            return _going(view, names, [(one.colour, f"to {one.to}") for one in sent])
        case moves.MoveAdjacent(region, crossings):
            ways = {"in": f"from {region} to {view.active}", "out": f"from {view.active} to {region}"}
            return _going(view, names, [(one.colour, ways[one.way]) for one in crossings])
        case moves.Export(to, colours):
            return _going(view, names, [(colour, f"to {to}") for colour in colours])
        case moves.PlayBallots(regions):
            return f"play {ballots(regions)}"
        case moves.KeepBallots(regions):
            return f"keep {ballots(regions)}"
        case _:
            assert_never(move)


def unseen_name(move: moves.Move) -> str:
    """Return what a move would be without the ballots in it."""
    match move:
        case moves.PlayBallots():
            return "play ballots"
        case moves.KeepBallots():
            return "keep ballots"
        case _:
            return ""


def _going(view: TanglewoodView, names: Names, ways: Sequence[tuple[Colour, str]], verb: str = "move") -> str:
    """Return the ways of workers, short enough for two long names."""
    texts: list[str] = []
    shared = ways[0][1] if len({way for _, way in ways}) == 1 else ""
    if len(ways) > 1 and len({colour for colour, _ in ways}) == 1:
        where = f" {shared}" if shared else f", {join_words(f'one {way}' for _, way in ways)}"
        colour = ways[0][0]
        if isinstance(colour, str):
            return f"{verb} {with_icon('tanglewood_neutral', f'{len(ways)} neutral workers')}{where}"
        whose = possessive(names, colour, view.viewer)
        return f"{verb} {with_icon(f'seat_{colour + 1}', f'{len(ways)} of {whose} workers')}{where}"
    for number, (colour, way) in enumerate(ways):
        noun = "" if texts else " worker"
        if number and ways[number - 1][0] == colour:
            text = "another neutral one" if isinstance(colour, str) else "another"
        elif isinstance(colour, str):
            text = with_icon("tanglewood_neutral", f"the neutral{noun or ' one'}")
        elif colour == view.viewer and texts:
            text = with_icon(f"seat_{colour + 1}", "yours")
        else:
            text = with_icon(f"seat_{colour + 1}", possessive(names, colour, view.viewer)) + noun
        texts.append(text if shared else f"{text} {way}")
    return f"{verb} {join_words(texts) or 'nobody'} {shared}".rstrip()
