"""What a season's deals would have given by other house rules. Nothing is saved."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from itertools import groupby
from operator import itemgetter
from typing import Any

from league.models import Deal, Season, Seat
from league.models.evening import EveningState
from scoring import registry

SeatPoints = Mapping[tuple[int, int], int]  # by round and player, who sits once in a round


def seat_points(season: Season, house_rules: Mapping[str, Any]) -> SeatPoints:
    """Return what each seat of the season's tables with deals would have. Two queries. Raises IllegalDeal.

    Complete tables of closed evenings alone, as in the standings; a table that is complete stays so.
    """
    rules = registry.rules(season.game)
    options = rules.read_options(house_rules)
    carries = rules.carries(options)
    counted = {
        "table__round__evening__season": season,
        "table__round__evening__state": EveningState.CLOSED,
        "table__complete": True,
    }
    seats: dict[int, dict[int, tuple[int, int]]] = defaultdict(dict)
    names = ("table_id", "number", "round_id", "player_id")
    for table, number, sitting, player in Seat.objects.filter(**counted).values_list(*names):
        seats[table][number] = (sitting, player)
    found: dict[tuple[int, int], int] = {}
    deals = Deal.objects.standing().filter(**counted).order_by("table_id", "number")
    for table, dealt in groupby(deals.values_list("table_id", "facts", "rests"), key=itemgetter(0)):
        found |= dict.fromkeys(seats[table].values(), 0)
        earlier: list[Any] = []
        for _table, facts, rests in dealt:
            playing = [seat for number, seat in sorted(seats[table].items()) if number not in rests]
            deal = rules.read(len(playing), facts)
            score = rules.score(deal, options, *rules.carried(tuple(earlier) if carries else (), options))
            for seat, points in zip(playing, score.points, strict=True):
                found[seat] += points
            earlier.append(deal)
    return found
