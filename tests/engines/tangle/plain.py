"""Bordering, distance and groups by their plain definitions, to hold the quick ones against."""

from collections.abc import Collection

from engines.tangle.pieces.components import AREAS, SPACES, AreaCode, SpaceCode


def in_play(seats: int) -> list[AreaCode]:
    return [code for code, area in AREAS.items() if area.section <= seats]


def edges(code: AreaCode) -> set[frozenset[tuple[int, int]]]:
    """Return the three sides of a triangle, each as its two ends."""
    area = AREAS[code]
    if area.up:
        corners = [(area.x, area.y), (area.x - 1, area.y + 1), (area.x + 1, area.y + 1)]
    else:
        corners = [(area.x - 1, area.y), (area.x + 1, area.y), (area.x, area.y + 1)]
    return {
        frozenset(side)
        for side in ((corners[0], corners[1]), (corners[1], corners[2]), (corners[0], corners[2]))
    }


def plain_borders(code: AreaCode, seats: int) -> list[AreaCode]:
    return [other for other in in_play(seats) if other != code and edges(code) & edges(other)]


def plain_corners(code: AreaCode, seats: int) -> list[SpaceCode]:
    points = {point for edge in edges(code) for point in edge}
    return [
        space.code for space in SPACES.values() if space.section <= seats and (space.x, space.y) in points
    ]


def plain_distance(start: AreaCode, goals: Collection[AreaCode], seats: int) -> int:
    reached, steps = {start}, 0
    while not reached & set(goals):
        reached |= {near for code in reached for near in plain_borders(code, seats)}
        steps += 1
    return steps


def plain_group(own: Collection[AreaCode], seats: int) -> int:
    """Return the most connected areas, by growing groups."""
    most = 0
    for start in own:
        group = {start}
        while True:
            grown = group | {near for code in group for near in plain_borders(code, seats) if near in own}
            if grown == group:
                break
            group = grown
        most = max(most, len(group))
    return most
