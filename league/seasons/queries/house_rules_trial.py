"""What a season's deals would have given by other house rules, and its tables by another end. Nothing is saved."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from league.models import Deal, Evening, Season, Seat, Table
from league.models.evening import EveningState
from league.models.season import Leavers
from league.sheets.queries.table_sums import derived_table
from scoring import registry
from scoring.rules.errors import IllegalDeal

HouseRules = Mapping[str, Any]
SeatPoints = Mapping[tuple[int, int], int]  # by round and player, who sits once in a round
_Dealt = tuple[int, Any, list[int]]  # a deal's table, its facts, and who rested


class TableTrial(NamedTuple):
    """What else than points a season's fields decide: which seats are at tables that lack a deal, by round and player.

    `leavers_last` says whether those who left early are placed after those who stayed.
    """

    incomplete: frozenset[tuple[int, int]]
    leavers_last: bool


class SeasonTrial(NamedTuple):
    """What the seats of a season would have, and what would count of it."""

    seat_points: SeatPoints
    tables: TableTrial


def seat_points(season: Season, house_rules: HouseRules) -> SeatPoints:
    """Return what each seat of the season's tables with deals would have. Two queries. Raises IllegalDeal.

    Complete tables of closed evenings alone, as in the standings; a table that is complete stays so.
    """
    counted = {
        "table__round__evening__season": season,
        "table__round__evening__state": EveningState.CLOSED,
        "table__complete": True,
    }
    seats: dict[int, dict[int, tuple[int, int]]] = defaultdict(dict)
    names = ("table_id", "number", "round_id", "player_id")
    for table, number, sitting, player in Seat.objects.filter(**counted).values_list(*names):
        seats[table][number] = (sitting, player)
    deals = Deal.objects.standing().filter(**counted).order_by("table_id", "number")
    dealt = deals.values_list("table_id", "facts", "rests")
    found: dict[tuple[int, int], int] = {}
    for table, points in _points(season.game, dealt, dict.fromkeys(seats, house_rules), seats):
        found |= {seats[table][number]: given for number, given in points.items()}
    return found


def season_trial(
    season: Season, before: HouseRules, since: Evening | None = None, *, later_only: bool = False
) -> SeasonTrial:
    """Return what a change to the season's fields, as they stand in memory, would make of it. Raises IllegalDeal.

    It is what `actions.seasons.change_rules` would do: every deal is scored by the house rules that its evening would
    have, those of `season` or what it keeps; `before` are the season's that stand.
    """
    kept = kept_house_rules(season, before, since, later_only=later_only)
    tables = list(Table.objects.filter(round__evening__season=season).select_related("round__evening"))
    seats: dict[int, list[Seat]] = defaultdict(list)
    for seat in Seat.objects.filter(table__round__evening__season=season).order_by("table_id", "number"):
        seats[seat.table_id].append(seat)
    deals = Deal.objects.standing().filter(table__round__evening__season=season).order_by("table_id", "number")
    dealt = list(deals.values_list("table_id", "facts", "rests"))
    by_evening = {pk: season.house_rules if rules is None else rules for pk, rules in kept.items()}
    house_rules = {table.pk: by_evening[table.round.evening_id] for table in tables}
    points = dict(_points(season.game, dealt, house_rules, {pk: range(len(each)) for pk, each in seats.items()}))
    recorded = Counter(table for table, *_more in dealt)
    found: dict[tuple[int, int], int] = {}
    incomplete = set()
    for table in tables:
        table.round.evening.season = season
        for seat in seats[table.pk]:
            seat.points = points.get(table.pk, {}).get(seat.number, seat.points)
            found[seat.round_id, seat.player_id] = seat.points
        *_sums, complete = derived_table(table, seats[table.pk], recorded[table.pk])
        if not complete and table.round.evening.state == EveningState.CLOSED:
            incomplete |= {(seat.round_id, seat.player_id) for seat in seats[table.pk]}
    return SeasonTrial(found, TableTrial(frozenset(incomplete), season.leavers == Leavers.LAST))


def kept_house_rules(
    season: Season, before: HouseRules, since: Evening | None, *, later_only: bool
) -> dict[int, HouseRules | None]:
    """Return the house rules that each evening keeps once the season has those in memory instead of `before`.

    None for an evening that goes by the season's. With `since`, evenings before it keep what they had; with
    `later_only` all do.
    """
    read_options = registry.rules(season.game).read_options
    same = read_options(before) == read_options(season.house_rules)
    kept: dict[int, HouseRules | None] = {}
    for evening in season.evenings.all():
        keeps = later_only or (since is not None and (evening.date, evening.pk) < (since.date, since.pk))
        stands = evening.kept_house_rules
        kept[evening.pk] = stands if same or (keeps and stands is not None) else before if keeps else None
    return kept


def _points(
    game: str,
    dealt: Iterable[_Dealt],
    house_rules: Mapping[int, HouseRules],
    seats: Mapping[int, Iterable[int]],
) -> Iterator[tuple[int, dict[int, int]]]:
    """Yield each table with deals and what its seats would have by their numbers; deals come in order of table."""
    rules = registry.rules(game)
    for table, of_table in groupby(dealt, key=itemgetter(0)):
        options = rules.read_options(house_rules[table])
        numbers = sorted(seats[table])
        points = dict.fromkeys(numbers, 0)
        deals = [(facts, rests) for _table, facts, rests in of_table]
        players = [[number for number in numbers if number not in rests] for _facts, rests in deals]
        facts_of_players = [(len(playing), facts) for playing, (facts, _rests) in zip(players, deals, strict=True)]
        for playing, played in zip(players, rules.play_table(facts_of_players, options), strict=True):
            if isinstance(played, IllegalDeal):
                raise played
            for number, gained in zip(playing, played.points, strict=True):
                points[number] += gained
        yield table, points
