"""The content of an evening's page: the ranking with a cell per round, and the tables of one round, both by pages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.contrib.postgres.expressions import ArraySubquery
from django.core.paginator import Page, Paginator
from django.db.models import BooleanField, Count, ExpressionWrapper, F, OuterRef, Q, QuerySet, Sum
from django.db.models.functions import JSONObject

from league.evenings.queries.evening_ranking import RankingRow
from league.evenings.queries.played_rounds import PlayedRound, PlayerRoundCell, RankingRowWithRounds, TableWithSeats
from league.models import Evening, Rest, Round, Seat, Table
from league.models.evening import EveningState
from league.sheets.queries.missing_deals import missing_text
from players.models import Player
from players.naming import Names

RANKING_ROWS_PER_PAGE = 50
TABLES_PER_PAGE = 24


class SelectedParts(NamedTuple):
    """The parts of an evening's page that the URL selects. They are numbers; `round` is None for the latest round."""

    ranking_page: int = 1
    round: int | None = None
    tables_page: int = 1


class RoundSummary(NamedTuple):
    """A round with its rests (players who sat out).

    `writes` is the sum of the versions of the round's tables: it grows with each write.
    """

    round: Round
    table_count: int
    incomplete_table_count: int
    writes: int
    rests: tuple[Rest, ...]

    @property
    def has_catch_up_game(self) -> bool:
        return any(rest.is_catch_up for rest in self.rests)

    @property
    def lacks_catch_up_points(self) -> bool:
        return any(rest.lacks_points for rest in self.rests)


@dataclass(frozen=True, kw_only=True)
class EveningPage:
    """The data of an evening's page. `rows` are the ranking rows of `ranking_page`, with one cell per round.

    `played_round` is the selected round with the tables of `tables_page`, whose items are indexes of tables.
    """

    ranking_page: Page[RankingRow]
    rows: tuple[RankingRowWithRounds, ...]
    rounds: tuple[RoundSummary, ...]
    played_round: PlayedRound | None
    tables_page: Page[int] | None

    @property
    def incomplete_table_count(self) -> int:
        return sum(round_.incomplete_table_count for round_ in self.rounds)


def evening_page(evening: Evening, ranking: Sequence[RankingRow], parts: SelectedParts) -> EveningPage:
    """Read the selected parts of the evening's page. `ranking` is the whole ranking of the evening."""
    summaries = tuple(_round_summaries(evening))
    current = next(
        (summary for summary in summaries if summary.round.number == parts.round), summaries[-1] if summaries else None
    )
    ranking_page = Paginator(ranking, RANKING_ROWS_PER_PAGE).get_page(parts.ranking_page)
    tables_page = (
        Paginator(range(current.table_count), TABLES_PER_PAGE).get_page(parts.tables_page) if current else None
    )
    seats = _seats(summaries, ranking_page.object_list, current, tables_page) if current and tables_page else []
    return EveningPage(
        ranking_page=ranking_page,
        rows=_rows_with_rounds(evening, ranking_page.object_list, summaries, seats),
        rounds=summaries,
        played_round=_played_round(current, seats, evening) if current else None,
        tables_page=tables_page,
    )


def _round_summaries(evening: Evening) -> Iterable[RoundSummary]:
    rests = Rest.objects.filter(round=OuterRef("pk")).order_by("player__sort_key")
    fields = ("player", "kind", "score", "written", "points", "deals")
    rest_json = JSONObject(name="player__names", **{field: field for field in fields})
    rows: QuerySet[Any, Any] = evening.rounds.accepted().annotate(
        count=Count("tables"),
        lacking=Count("tables", filter=Q(tables__complete=False)),
        writes=Sum("tables__version", default=0),
        rests_json=ArraySubquery(rests.values(row=rest_json)),
    )
    for row in rows.order_by("number"):
        yield RoundSummary(
            row, row.count, row.lacking, row.writes, tuple(_rest_from_json(row, rest) for rest in row.rests_json)
        )


def _rest_from_json(round_: Round, row: Mapping[str, Any]) -> Rest:
    player = Player(pk=row["player"], names=Names(*row["name"]))
    values = {field: row[field] for field in ("kind", "score", "written", "points", "deals")}
    return Rest(round=round_, player=player, **values)


def _seats(
    summaries: Sequence[RoundSummary],
    ranking_rows: Iterable[RankingRow],
    current: RoundSummary,
    tables_page: Page[int],
) -> list[Any]:
    """Return the seats of the shown ranking rows and of the shown tables, with their tables.

    Annotations: `names` of the player; `on_page` is True if the page shows the table.
    """
    first = tables_page.start_index() - 1
    tables = Table.objects.filter(round=current.round).order_by("number").values("pk")[first : first + TABLES_PER_PAGE]
    on_page = ExpressionWrapper(Q(table__in=tables), output_field=BooleanField())
    rows = Seat.objects.filter(round__in=[summary.round for summary in summaries])
    rows = rows.annotate(on_page=on_page, names=F("player__names")).select_related("table")
    visible_rows = rows.filter(Q(player__in=[row.player for row in ranking_rows]) | Q(on_page=True))
    return list(visible_rows.order_by("table__number", "number"))


def _rows_with_rounds(
    evening: Evening, rows: Iterable[RankingRow], summaries: Sequence[RoundSummary], seats: Iterable[Seat]
) -> tuple[RankingRowWithRounds, ...]:
    closed, convert_points = evening.state == EveningState.CLOSED, evening.season.convert_points
    cells: dict[tuple[int, int], PlayerRoundCell] = {}
    addresses: dict[int, str] = {}  # by table, which has several seats
    for seat in seats:
        counts = seat.table.complete or not closed
        address = addresses.get(seat.table_id) or addresses.setdefault(seat.table_id, seat.table.get_absolute_url())
        cell = PlayerRoundCell(seat=seat, points=convert_points(seat.points), address=address, counts=counts)
        cells[seat.round_id, seat.player_id] = cell
    for summary in summaries:
        for rest in summary.rests:
            cells[summary.round.pk, rest.player_id] = PlayerRoundCell(rest=rest, points=convert_points(rest.points))
    return tuple(
        RankingRowWithRounds(
            row, tuple(cells.get((summary.round.pk, row.player), PlayerRoundCell()) for summary in summaries)
        )
        for row in rows
    )


def _played_round(current: RoundSummary, seats: Iterable[Any], evening: Evening) -> PlayedRound:
    tables: dict[int, list[Any]] = defaultdict(list)
    for seat in seats:
        if seat.on_page:
            tables[seat.table_id].append(seat)
    return PlayedRound(
        round=current.round,
        tables_with_seats=tuple(
            TableWithSeats(table_seats[0].table, missing_text(table_seats[0].table, evening.season), tuple(table_seats))
            for table_seats in tables.values()
        ),
        rests=current.rests,
    )
