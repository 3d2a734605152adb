"""The ranking of an evening and its winners, by the points at its tables. It does not depend on the game."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from django.db.models import BigIntegerField, Count, F, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce, JSONArray

from league.evenings.queries.json_rows import json_rows
from league.models import Attendance, Evening, Rest, Round, Seat
from league.models.evening import AttendanceRole, EveningQuerySet, EveningState
from league.models.season import EarlyLeaverRanking
from league.standings.podium import MAX_PODIUM_ROWS, PODIUM_RANKS
from league.standings.season_ranking import shared_ranks
from players.models import Player
from players.naming import Names


class RankingRow(NamedTuple):
    """A player's row in the ranking of an evening. `player` is an id."""

    rank: int
    player: int
    name: Names
    guest: bool
    points: int  # sum of all tables and counted rests, with the sign of the score sheet
    deals: int
    tables: int
    left_early: bool = False  # left before the last round, and the season ranks such players after all others
    rested: bool = False  # sat out all rounds; ranked with 0 points after the first counted table of the evening


class EveningWinners(NamedTuple):
    evening: Evening
    winners: tuple[RankingRow, ...]


def ranking(evening: Evening) -> list[RankingRow]:
    """Return the ranking of the evening, sorted by rank.

    The counted tables are the complete tables; in an open evening, all tables with points.
    """
    return rankings([evening])[evening.pk]


def rankings(evenings: Iterable[Evening]) -> dict[int, list[RankingRow]]:
    """Return the rankings of the evenings as {evening id: ranking}. One query."""
    return rankings_by_id(evening.pk for evening in evenings)


def rankings_by_id(ids: Iterable[int]) -> dict[int, list[RankingRow]]:
    """Return {evening id: ranking} for the evenings with these ids. One query."""
    rows = Evening.objects.filter(pk__in=ids).order_by().values_list("pk", *_ranking_expressions().values())
    return {pk: _rank_players(_RankingColumns.read(*facts)) for pk, *facts in rows}


def annotate_ranking_columns(evenings: EveningQuerySet) -> EveningQuerySet:
    """Annotate the evenings with the columns that `ranking_from_annotations` needs."""
    return evenings.annotate(**_ranking_expressions())


def ranking_from_annotations(evening: Any) -> list[RankingRow]:
    """Return the ranking of an evening that was fetched by `annotate_ranking_columns`, without a query."""
    facts = (evening.at_tables, evening.rests, evening.rested, evening.attendance_rows, evening.low_wins)
    return _rank_players(_RankingColumns.read(*facts))


def evenings_with_winners(evenings: Sequence[Evening]) -> list[EveningWinners]:
    rankings_by_evening = rankings(evenings)
    return [EveningWinners(evening, tuple(winners(rankings_by_evening[evening.pk]))) for evening in evenings]


def podium(ranking: Sequence[RankingRow]) -> tuple[RankingRow, ...]:
    """Return the rows of ranks 1 to 3, at most five rows. Players who sat at no table are left out."""
    return tuple(row for row in ranking if row.rank <= PODIUM_RANKS and row.tables)[:MAX_PODIUM_ROWS]


def find_player_row(ranking: Sequence[RankingRow], player: Player | None) -> tuple[RankingRow | None, bool]:
    """Return the player's row (None if the player is not ranked), and whether another player has the same rank."""
    own_row = next((row for row in ranking if player and row.player == player.pk), None)
    return own_row, own_row is not None and sum(row.rank == own_row.rank for row in ranking) > 1


def winners(ranking: Sequence[RankingRow]) -> list[RankingRow]:
    """Return the rows of rank 1, without players who sat out all rounds. Return [] before the first counted table."""
    if not any(row.tables for row in ranking):
        return []
    return [row for row in ranking if row.rank == 1 and not row.rested]


class _PlayerSums(NamedTuple):
    player: int
    name: Names
    points: int
    deals: int = 0
    tables: int = 0


class _RankingColumns(NamedTuple):
    """The columns of one evening from the database: sums per player, and sets of player ids."""

    sums: list[_PlayerSums]
    members: set[int]  # players who attended as members; all others are guests
    left_early: set[int]  # players who left before the last accepted round, if the season ranks them last
    rested: set[int]  # players who sat out all rounds and were exempt from none
    low_wins: bool

    @classmethod
    def read(
        cls, at_tables: list[Any], rests: list[Any], rested: list[Any], present: list[Any], low_wins: bool | None
    ) -> _RankingColumns:
        sums = [_PlayerSums(player, Names(*names), *sums) for player, names, *sums in (*at_tables, *rests)]
        names_of = {player: Names(*names) for player, names in rested} if at_tables else {}
        return cls(
            sums=[*sums, *(_PlayerSums(player, name, 0) for player, name in names_of.items())],
            members={player for player, standing, _left_early in present if standing == AttendanceRole.MEMBER},
            left_early={player for player, _standing, left_early in present if left_early},
            rested=set(names_of),
            low_wins=bool(low_wins),
        )


_PLAYER_FIELDS = ("player", "player__names")


def _ranking_expressions() -> dict[str, Any]:
    counts = Q(table__complete=True) | ~Q(round__evening__state=EveningState.CLOSED)
    seats = Seat.objects.filter(counts, round__evening=OuterRef("pk"), table__deals__gt=0).values(*_PLAYER_FIELDS)
    rests = Rest.objects.counted().filter(round__evening=OuterRef("pk")).values(*_PLAYER_FIELDS)
    rested = Rest.objects.sat_out_evening().filter(round__evening=OuterRef("pk"))
    last = Round.objects.accepted().filter(evening=OuterRef("evening")).order_by("-number").values("number")[:1]
    left_early = Q(evening__season__leavers=EarlyLeaverRanking.LAST, to_round__lt=Subquery(last))
    present = Attendance.objects.filter(evening=OuterRef("pk")).order_by()
    rows: dict[str, QuerySet[Any, Any]] = {
        "at_tables": seats.annotate(row=JSONArray(*_PLAYER_FIELDS, _sum("points"), _sum("deals"), Count("pk"))),
        "rests": rests.annotate(row=JSONArray(*_PLAYER_FIELDS, _sum("points"), _sum("deals"))),
        "rested": rested.annotate(row=JSONArray(*_PLAYER_FIELDS)),
    }
    rows = {name: queryset.order_by("player__sort_key") for name, queryset in rows.items()}
    rows["attendance_rows"] = present.annotate(row=JSONArray("player", "standing", Coalesce(left_early, False)))
    low_wins = F("season__house_rules__low_wins")  # only games by totals have it
    return {name: json_rows(queryset) for name, queryset in rows.items()} | {"low_wins": low_wins}


def _sum(name: str) -> Sum:
    """Sum as bigint, so that integer points and smallint deals give one type."""
    return Sum(name, output_field=BigIntegerField())


def _rank_players(columns: _RankingColumns) -> list[RankingRow]:
    players: dict[int, list[_PlayerSums]] = defaultdict(list)
    for sums in columns.sums:
        players[sums.player].append(sums)
    stayed = [parts for player, parts in players.items() if player not in columns.left_early]
    left_early = [parts for player, parts in players.items() if player in columns.left_early]
    return [*_rank_by_points(stayed, 0, columns), *_rank_by_points(left_early, len(stayed), columns)]


def _rank_by_points(players: list[list[_PlayerSums]], ranked_before: int, columns: _RankingColumns) -> list[RankingRow]:
    totals = [sum(part.points for part in parts) for parts in players]
    rows = [
        RankingRow(
            rank=ranked_before + rank,
            player=parts[0].player,
            name=parts[0].name,
            guest=parts[0].player not in columns.members,
            points=-points if columns.low_wins else points,
            deals=sum(part.deals for part in parts),
            tables=sum(part.tables for part in parts),
            left_early=parts[0].player in columns.left_early,
            rested=parts[0].player in columns.rested,
        )
        for rank, points, parts in zip(shared_ranks(totals), totals, players, strict=True)
    ]
    return sorted(rows, key=lambda row: row.rank)  # stable sort: equal ranks stay in the order of names
