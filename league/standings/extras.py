"""Points on top of what the evenings that count are worth, and points for rounds sat out.

An extra is a function of the evenings attended and the number that the season says. `EXTRAS` has them by name, which is
their key of the rules: the next one is a function, its words and an example in examples.toml.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from league.standings.season import PlayerEvening
from scoring.rules.words import gettext_noop as _


class Extra(NamedTuple):
    """An extra: its words and its function."""

    words: str
    points: Callable[[Sequence[PlayerEvening], int], int]


def attendance(attended: Sequence[PlayerEvening], each: int) -> int:
    """Return points for each evening attended, counted or not."""
    return each * len(attended)


def compensated(results: Sequence[PlayerEvening], each: int) -> Sequence[PlayerEvening]:
    """Return an evening's results with points for each round that a player rested."""
    if not each:
        return results
    return [result._replace(points=result.points + each * result.rests) for result in results]


EXTRAS: Mapping[str, Extra] = {
    "attendance": Extra(_("points for each evening attended"), attendance),
}
