"""Presets (named sets of standings rules) from clubs' regulations, as a start for a season. Each has an example in
examples.toml.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from scoring.rules.words import gettext_noop as _


class Preset(NamedTuple):
    name: str
    title: str
    description: str
    rules: Mapping[str, Any]


PRESETS = (
    Preset("sum", _("Sum of all evenings"), _("All points of all evenings are added up."), {}),
    Preset(
        "best",
        _("Best 4 of 6"),
        _("The best 4 evenings count. Between equals the next best evening decides."),
        {"counts": {"which": "best", "n": 4}, "ties": ["next_best"]},
    ),
    Preset(
        "final",
        _("Best 3 of 4, with a final"),
        _(
            "The best 3 evenings count, and the final is always one of them: give it the weight 2. "
            "The first ten places give 25, 18, 15, 12, 10, 8, 6, 4, 2 and 1 points, every other place 1."
        ),
        {
            "worth": {"by": "places", "points": [25, 18, 15, 12, 10, 8, 6, 4, 2, 1], "rest": 1},
            "counts": {"which": "best", "n": 3, "final": True},
        },
    ),
    Preset(
        "average",
        _("Average, from 8 evenings on"),
        _("The mean of all evenings counts. Only those who came to 8 evenings are ranked."),
        {"counts": {"which": "average"}, "minimum": {"evenings": 8}},
    ),
    Preset(
        "best_average",
        _("Average of the best 24"),
        _("The mean of the best 24 evenings counts. Only those who came to 8 of 12 evenings so far are ranked."),
        {"counts": {"which": "average", "n": 24}, "minimum": {"share": [8, 12]}},
    ),
    Preset(
        "drop",
        _("The worst are dropped"),
        _("For each two evenings beyond the fourth, the worst one is dropped."),
        {"counts": {"which": "drop", "each": 2, "after": 4}},
    ),
    Preset(
        "podium",
        _("3-2-1 for the first three"),
        _("The first three places give 3, 2 and 1 points. The mean of the evenings attended counts."),
        {"worth": {"by": "places", "points": [3, 2, 1], "rest": 0}, "counts": {"which": "average"}},
    ),
    Preset(
        "wins",
        _("Points for tables won and lost"),
        _(
            "A table won gives 4 points, a table lost 2, an exempt round 3. Only those who came to 4 evenings are "
            "ranked. Between equals the tables won decide, then the points of all evenings."
        ),
        {
            "worth": {"by": "wins", "win": 4, "loss": 2, "exempt": 3, "plus_points": False},
            "minimum": {"evenings": 4},
            "ties": ["wins", "total_points"],
        },
    ),
)
