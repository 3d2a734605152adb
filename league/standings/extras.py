"""Extra points of a season: points in addition to the worth of the evenings, and points for rests (rounds without a
seat).

An extra is a function. It gets the evenings that a player attended and a number from the season's rules, and returns
points. Its key in `EXTRAS` is its key in the rules. To add an extra, write a function, its description and an example
in examples.toml. docs/standings.md contains the function's docstring.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from league.standings.season import PlayerEvening
from scoring.rules.words import gettext_noop as _


class Extra(NamedTuple):
    description: str
    points: Callable[[Sequence[PlayerEvening], int], int]


def attendance(attended: Sequence[PlayerEvening], points: int) -> int:
    """Return points for each evening that the player attended, whether it counts or not."""
    return points * len(attended)


def compensate_rests(results: Sequence[PlayerEvening], points: int) -> Sequence[PlayerEvening]:
    """Return an evening's results with `points` more for each rest (round without a seat) of a player."""
    if not points:
        return results
    return [result._replace(points=result.points + points * result.rests) for result in results]


EXTRAS: Mapping[str, Extra] = {
    "attendance": Extra(_("points for each evening attended"), attendance),
}
