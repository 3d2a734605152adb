from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext_noop as _
from ninja import Field, Query, Router, Schema

from league.api.paging import ClubSlug, PageOfItems, PageParameters, page_of
from league.api.reader import ApiRequest
from league.models import Tournament, TournamentRank
from league.tournaments.queries.tournament_results import winners
from league.tournaments.queries.units import count_units_of
from league.web.finding import seen

router = Router(tags=["tournaments"])


class WinnerOut(Schema):
    """A unit of rank 1, or a player of it; the name is a number if the reader may not see it."""

    number: int = Field(validation_alias="unit.number")
    name: str = Field(validation_alias="visible_title")


class TournamentOut(Schema):
    """A tournament. Places, `registered` and `waiting` are numbers of units: players, pairs or teams of `unit_size`.

    `winners` are there once it is finished. `fee` is for each player, in cents of the club's currency. `open`: visitors
    can register on `page`.
    """

    id: int = Field(validation_alias="pk")
    club: str = Field(validation_alias="club.slug")
    organiser: str = Field(validation_alias="club.name")
    name: str
    game: str
    date: date
    begins: datetime | None
    place: str = Field(validation_alias="where")
    state: str
    open: bool
    unit_size: int
    places: int
    registered: int = Field(validation_alias="counts.registered")
    waiting: int = Field(validation_alias="counts.waiting")
    fee: int
    currency: str = Field(validation_alias="club.currency")
    closes_at: datetime
    winners: list[WinnerOut]
    page: str = Field(validation_alias="get_absolute_url")

    @staticmethod
    def resolve_open(tournament: Tournament) -> bool:
        return tournament.accepts(timezone.now())


class TournamentParameters(PageParameters):
    """`club` is the slug of a club; the default is all clubs."""

    club: ClubSlug | None = None


@router.get(
    "/tournaments",
    response=PageOfItems[TournamentOut],
    summary=_("The tournaments that the reader may see, the latest first"),
    url_name="tournaments",
)
def tournaments(request: ApiRequest, parameters: Query[TournamentParameters]) -> dict[str, Any]:
    rows = Tournament.objects.visible_to(request.auth)
    if parameters.club is not None:
        rows = rows.filter(club__slug=parameters.club)
    page = page_of(request, rows.with_club(), parameters)
    return {**page, "items": _with_counts(request, page["items"])}


@router.get(
    "/tournaments/{int:tournament_id}",
    response=TournamentOut,
    summary=_("A tournament with its places"),
    url_name="tournament",
)
def tournament(request: ApiRequest, tournament_id: int) -> Any:
    tournament_row: Tournament = seen(Tournament.objects.with_club(), request.auth, pk=tournament_id)
    return _with_counts(request, [tournament_row])[0]


def _with_counts(request: ApiRequest, tournament_rows: Iterable[Tournament]) -> list[Any]:
    """Add `counts` and `winners` to the rows; two queries, or three."""
    rows: list[Any] = list(tournament_rows)
    counts = count_units_of(rows)
    first = winners([row.pk for row in rows], request.auth)
    for row in rows:
        row.counts, row.winners = counts[row.pk], first.get(row.pk, list[TournamentRank]())
    return rows
