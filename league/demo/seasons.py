"""The demo's three seasons: what is played, at which tables, on which evenings."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

from league.models.season import End
from scoring.games.belote import play as belote
from scoring.games.tarot import play as tarot
from scoring.games.two_way_street import play as two_way_street

EVENINGS = 12  # a season, tonight's included

# How a deal of each game is played with real cards: seats and their skills to facts.
PLAY: Mapping[str, Callable[[Random, int, Sequence[float]], dict[str, Any]]] = {
    "tarot": lambda rng, seats, skills: dict(tarot.play(rng, seats, skills).facts),
    "belote": lambda rng, seats, skills: dict(belote.play(rng, seats, skills).facts),
    "two-way-street": lambda rng, seats, skills: dict(two_way_street.play(rng, seats, skills).facts),
}


class SeasonPlan(NamedTuple):
    """A season: its row's fields, and its evenings' rounds.

    `sizes` are the tables of a round, evening after evening in turn; `days_before` how many days earlier in the week
    than tonight the past evenings were; `short` how many of tonight's last tables lack one deal.
    """

    fields: Mapping[str, Any]
    rounds: int
    sizes: tuple[tuple[int, ...], ...]
    days_before: int
    short: int = 1
    fifth_rests: bool = False


PLANS = (
    SeasonPlan(
        {"name": "Tarot 2026–2027", "game": "tarot", "table_sizes": [4, 5], "end": End.DEALS, "end_number": 4},
        rounds=2,
        sizes=((4, 4, 4, 4, 5, 5, 4), (5, 5, 5, 5, 5, 5), (4, 4, 4, 5, 5, 4, 4)),
        days_before=0,
        short=2,  # one waits for a deal with a taker, one for a deal one for one
        fifth_rests=True,
    ),
    SeasonPlan(
        {"name": "Belote 2026–2027", "game": "belote", "table_sizes": [4], "end": End.DEALS, "end_number": 4},
        rounds=1,
        sizes=((4, 4, 4, 4, 4, 4, 4),),
        days_before=2,
    ),
    SeasonPlan(
        {
            "name": "Two Way Street 2026–2027",
            "game": "two-way-street",
            "table_sizes": [2, 3, 4, 5, 6, 7, 8],
            "end": End.TARGET,
            "end_number": 12,
        },
        rounds=1,
        sizes=((8, 6, 5, 4, 3, 2, 2), (7, 7, 6, 4, 4, 2), (8, 5, 5, 4, 4, 2, 2)),
        days_before=4,
    ),
)
