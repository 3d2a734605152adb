"""The points of a season's deals and tables by other house rules. Nothing is stored.

This module only scores the deals again. `rules_comparison` and `rules_consequences` rank the season by the new points.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from django.db.models import QuerySet

from league.evenings.queries.rest_points import SUMS_WITHOUT_TABLES, SeatResult, points_of_rest, sum_rounds
from league.models import Deal, Evening, Rest, Season, Seat, Table
from league.models.evening import EveningState
from league.models.season import EarlyLeaverRanking, TableEnd
from league.sheets.queries.table_end import deals_needed
from league.sheets.queries.table_sums import PointsAndDeals, compute_table_state
from scoring import registry
from scoring.rules.errors import IllegalDeal

HouseRules = Mapping[str, Any]
SeatPoints = Mapping[tuple[int, int], int]  # points by (round id, player id); also for rounds that players sat out
_DealRow = tuple[int, Any, list[int]]  # table id, facts, numbers of resting seats


class TableTrial(NamedTuple):
    """The effects of a change of a season's rules on its tables, besides the points.

    Each tuple is (round id, player id).
    """

    incomplete: frozenset[tuple[int, int]]  # seats of tables that would be incomplete by the new rules
    rest_deals: Mapping[tuple[int, int], int]  # numbers of deals for rounds that players sat out
    leavers_last: bool  # players who left early are ranked after the others


class SeasonTrial(NamedTuple):
    seat_points: SeatPoints
    tables: TableTrial


def seat_points(season: Season, house_rules: HouseRules) -> SeatPoints:
    """Return the points, by other house rules, of all seats and rests that count in the standings.

    These are the seats of complete tables of closed evenings, and rests whose points are computed from the points of
    such tables. Raise IllegalDeal if the rules refuse a deal.
    """
    counted_tables = {
        "table__round__evening__season": season,
        "table__round__evening__state": EveningState.CLOSED,
        "table__complete": True,
    }
    seats: dict[int, dict[int, tuple[int, int]]] = defaultdict(dict)  # (round, player) by table id and seat number
    stored: dict[tuple[int, int], SeatResult] = {}
    names = ("table_id", "number", "round_id", "player_id", "points", "deals", "table__deals")
    rows = Seat.objects.filter(**counted_tables).values_list(*names)
    for table, number, round_id, player, points_stored, played, table_deals in rows:
        seats[table][number] = (round_id, player)
        stored[round_id, player] = SeatResult(round_id, player, points_stored, played, table_deals > 0, may_count=False)
    deals = Deal.objects.not_voided().filter(**counted_tables).order_by("table_id", "number")
    deal_rows = deals.values_list("table_id", "facts", "rests")
    points_by_seat: dict[tuple[int, int], int] = {}
    for table, points in _points_by_table(season, deal_rows, dict.fromkeys(seats, house_rules), seats):
        points_by_seat |= {seats[table][number]: total for number, total in points.items()}
    results = [seat._replace(points=points_by_seat.get(key, seat.points)) for key, seat in stored.items()]
    scored = Rest.objects.with_computed_points().filter(deals__gt=0)  # other house rules do not make a round incomplete
    return points_by_seat | {key: sums.points for key, sums in _rest_sums(season, scored, results).items()}


def try_house_rules(
    season: Season, before: HouseRules, since: Evening | None = None, *, later_only: bool = False
) -> SeasonTrial:
    """Return the points and tables that a change of the house rules would give. Nothing is stored.

    `season` has the new rules in memory; `before` are the stored house rules. `since` and `later_only` mean the same as
    in `actions.seasons.change_rules`. Raise IllegalDeal if the new rules refuse a deal.
    """
    rules_by_evening = kept_house_rules(season, before, since, later_only=later_only)
    tables = list(Table.objects.filter(round__evening__season=season).select_related("round__evening"))
    seats: dict[int, list[Seat]] = defaultdict(list)
    for seat in Seat.objects.filter(table__round__evening__season=season).order_by("table_id", "number"):
        seats[seat.table_id].append(seat)
    deals = Deal.objects.not_voided().filter(table__round__evening__season=season).order_by("table_id", "number")
    deal_rows = list(deals.values_list("table_id", "facts", "rests"))
    by_evening = {pk: season.house_rules if rules is None else rules for pk, rules in rules_by_evening.items()}
    house_rules = {table.pk: by_evening[table.round.evening_id] for table in tables}
    points = dict(
        _points_by_table(
            season, deal_rows, house_rules, {pk: range(len(table_seats)) for pk, table_seats in seats.items()}
        )
    )
    recorded = Counter(table for table, *_rest in deal_rows)
    points_by_seat: dict[tuple[int, int], int] = {}
    incomplete = set()
    results: list[SeatResult] = []
    for table in tables:
        table.round.evening.season = season
        table.round.evening.kept_house_rules = rules_by_evening[table.round.evening_id]
        for seat in seats[table.pk]:
            seat.points = points.get(table.pk, {}).get(seat.number, seat.points)
            points_by_seat[seat.round_id, seat.player_id] = seat.points
        _recorded, table_deals, complete = compute_table_state(table, seats[table.pk], recorded[table.pk])
        closed = table.round.evening.state == EveningState.CLOSED
        if not complete and closed:
            incomplete |= {(seat.round_id, seat.player_id) for seat in seats[table.pk]}
        results += [
            SeatResult(
                seat.round_id,
                seat.player_id,
                seat.points,
                seat.deals,
                counts=complete and table_deals > 0,
                may_count=not complete and not closed,
            )
            for seat in seats[table.pk]
        ]
    rests = _rest_sums(season, Rest.objects.with_computed_points(), results)
    rest_points = {key: sums.points for key, sums in rests.items()}
    rest_deals = {key: sums.deals for key, sums in rests.items()}
    trial = TableTrial(frozenset(incomplete), rest_deals, season.leavers == EarlyLeaverRanking.LAST)
    return SeasonTrial(points_by_seat | rest_points, trial)


def _rest_sums(
    season: Season, rests: QuerySet[Rest], seats: Iterable[SeatResult]
) -> dict[tuple[int, int], PointsAndDeals]:
    sums_by_round = sum_rounds(seats)
    return {
        (rest.round_id, rest.player_id): points_of_rest(
            rest, season, sums_by_round.get(rest.round_id, SUMS_WITHOUT_TABLES)
        )
        for rest in rests.filter(round__evening__season=season)
    }


def kept_house_rules(
    season: Season, before: HouseRules, since: Evening | None, *, later_only: bool
) -> dict[int, HouseRules | None]:
    """Return, by evening id, the house rules of each evening after a change of the season's house rules.

    None means the season's new rules. `before` are the former rules; `season` has the new rules in memory. Evenings
    before `since` keep the former rules, or their own stored rules; with `later_only` all existing evenings keep them.
    If the new rules have the same effect as the former rules, every evening keeps its stored value.
    """
    read_options = registry.rules(season.game).read_options
    is_unchanged = read_options(before) == read_options(season.house_rules)
    kept_rules: dict[int, HouseRules | None] = {}
    for evening in season.evenings.all():
        keeps = later_only or (since is not None and (evening.date, evening.pk) < (since.date, since.pk))
        stored = evening.kept_house_rules
        kept_rules[evening.pk] = stored if is_unchanged or (keeps and stored is not None) else before if keeps else None
    return kept_rules


def _points_by_table(
    season: Season,
    deal_rows: Iterable[_DealRow],
    house_rules: Mapping[int, HouseRules],
    seats: Mapping[int, Iterable[int]],
) -> Iterator[tuple[int, dict[int, int]]]:
    """Yield the id of each table, and the points of its seats by number. `deal_rows` must be ordered by table.

    `house_rules` and `seats` (seat numbers) are by table id.
    """
    rules = registry.rules(season.game)
    for table, rows in groupby(deal_rows, key=itemgetter(0)):
        options = rules.read_options(house_rules[table])
        numbers = sorted(seats[table])
        points = dict.fromkeys(numbers, 0)
        deals = [(facts, rests) for _table, facts, rests in rows]
        players = [[number for number in numbers if number not in rests] for _facts, rests in deals]
        facts_of_players = [(len(playing), facts) for playing, (facts, _rests) in zip(players, deals, strict=True)]
        remaining = None
        if season.end == TableEnd.DEALS and season.end_number is not None and rules.depends_on_last_deal(options):
            one_player_rests = any(rests for _facts, rests in deals)
            remaining = deals_needed(season.end_number, len(numbers), one_player_rests=one_player_rests)
        results = rules.play_table(facts_of_players, options, remaining=remaining, count_passed=season.count_passed)
        for playing, played in zip(players, results, strict=True):
            if isinstance(played, IllegalDeal):
                raise played
            for number, gained in zip(playing, played.points, strict=True):
                points[number] += gained
        yield table, points
