"""An evening as its page shows it, however large: some places with each round's points, and some tables of a round.

Adds nothing up.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.contrib.postgres.expressions import ArraySubquery
from django.core.paginator import Page, Paginator
from django.db.models import BooleanField, Count, ExpressionWrapper, F, OuterRef, Q, QuerySet, Sum
from django.db.models.functions import JSONObject

from league.evenings.queries.evening_board import BoardCell, BoardRow, SatRound, TableState
from league.evenings.queries.evening_ranking import Ranked
from league.models import Evening, Rest, Round, Seat, Table
from league.models.evening import EveningState
from league.sheets.queries.missing_deals import missing
from players.models import Player
from players.naming import Names

PLACES = 50  # a page of the ranking
TABLES = 24  # of a round at once


class ShownParts(NamedTuple):
    """What is asked for: which page of the ranking, which round (None: the latest), and which page of its tables."""

    page: int = 1
    round: int | None = None
    tables: int = 1


class RoundSum(NamedTuple):
    """A round: its tables, how many of them lack something, how often they were written, and who sat out."""

    round: Round
    tables: int
    incomplete: int
    written: int
    rests: tuple[Rest, ...]


@dataclass(frozen=True, kw_only=True)
class EveningPage:
    """What is shown of an evening; `sitting` is the round whose tables are, `more` the page of them."""

    places: Page[Ranked]
    rows: tuple[BoardRow, ...]
    rounds: tuple[RoundSum, ...]
    sitting: SatRound | None
    more: Page[int] | None

    @property
    def incomplete(self) -> int:
        """How many tables of all rounds lack something."""
        return sum(each.incomplete for each in self.rounds)


def evening_page(evening: Evening, ranking: Sequence[Ranked], shown: ShownParts) -> EveningPage:
    """Return what the page shows of a ranking and its rounds; two queries."""
    rounds = tuple(_rounds(evening))
    current = next((each for each in rounds if each.round.number == shown.round), rounds[-1] if rounds else None)
    places = Paginator(ranking, PLACES).get_page(shown.page)
    more = Paginator(range(current.tables), TABLES).get_page(shown.tables) if current else None
    seats = _seats(rounds, places.object_list, current, more) if current and more else []
    return EveningPage(
        places=places,
        rows=_rows(places.object_list, rounds, seats, closed=evening.state == EveningState.CLOSED),
        rounds=rounds,
        sitting=_sitting(current, seats, evening) if current else None,
        more=more,
    )


def _rounds(evening: Evening) -> Iterable[RoundSum]:
    out = Rest.objects.filter(round=OuterRef("pk")).order_by("player__sort_key")
    rests = JSONObject(player="player", name="player__names", kind="kind", points="points")
    rows: QuerySet[Any, Any] = evening.rounds.accepted().annotate(
        count=Count("tables"),
        lacking=Count("tables", filter=Q(tables__complete=False)),
        written=Sum("tables__version", default=0),
        rests_json=ArraySubquery(out.values(row=rests)),
    )
    for row in rows.order_by("number"):
        yield RoundSum(row, row.count, row.lacking, row.written, tuple(_rest(row, each) for each in row.rests_json))


def _rest(sat_out: Round, row: Mapping[str, Any]) -> Rest:
    player = Player(pk=row["player"], names=Names(*row["name"]))
    return Rest(round=sat_out, player=player, kind=row["kind"], points=row["points"])


def _seats(rounds: Sequence[RoundSum], places: Iterable[Ranked], current: RoundSum, more: Page[int]) -> list[Any]:
    """Return the seats of these players in all rounds, and of all players at the tables that are `listed`.

    Each with its table and its player's `names`.
    """
    first = more.start_index() - 1
    tables = Table.objects.filter(round=current.round).order_by("number").values("pk")[first : first + TABLES]
    listed = ExpressionWrapper(Q(table__in=tables), output_field=BooleanField())
    rows = Seat.objects.filter(round__in=[each.round for each in rounds])
    rows = rows.annotate(listed=listed, names=F("player__names")).select_related("table")
    asked = rows.filter(Q(player__in=[place.player for place in places]) | Q(listed=True))
    return list(asked.order_by("table__number", "number"))


def _rows(
    places: Iterable[Ranked], rounds: Sequence[RoundSum], seats: Iterable[Seat], *, closed: bool
) -> tuple[BoardRow, ...]:
    cells: dict[tuple[int, int], BoardCell] = {}
    addresses: dict[int, str] = {}  # each is asked for by all who sat there
    for seat in seats:
        counts = seat.table.complete or not closed
        address = addresses.get(seat.table_id) or addresses.setdefault(seat.table_id, seat.table.get_absolute_url())
        cells[seat.round_id, seat.player_id] = BoardCell(seat=seat, address=address, counts=counts)
    for each in rounds:
        cells |= {(each.round.pk, rest.player_id): BoardCell(rest=rest) for rest in each.rests}
    return tuple(
        BoardRow(place, tuple(cells.get((each.round.pk, place.player), BoardCell()) for each in rounds))
        for place in places
    )


def _sitting(current: RoundSum, seats: Iterable[Any], evening: Evening) -> SatRound:
    tables: dict[int, list[Any]] = defaultdict(list)
    for seat in seats:
        if seat.listed:
            tables[seat.table_id].append(seat)
    return SatRound(
        round=current.round,
        sheets=tuple(
            TableState(taken[0].table, missing(taken[0].table, evening.season), tuple(taken))
            for taken in tables.values()
        ),
        rests=current.rests,
    )
