from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext_noop as _
from ninja import Field, Query, Router, Schema

from league.api.authentication import ApiRequest
from league.api.paging import ClubSlug, PageOfItems, PageParameters, page_of
from league.models import Season, Tournament, TournamentClub, TournamentRank
from league.models.rights import Right
from league.tournaments.queries.ranking import RankedUnit, current_ranking
from league.tournaments.queries.team_ranking import (
    Group,
    NamedMember,
    NamedTeam,
    RankedGroup,
    rank_clubs,
    rank_teams,
    team_for_viewer,
)
from league.tournaments.queries.tournament_results import winners
from league.tournaments.queries.units import count_units_of
from league.web.lookups import visible_or_404

router = Router(tags=["tournaments"])
RankGroups = Callable[[Tournament, Season, Sequence[RankedUnit]], list[RankedGroup[Group]]]


class WinnerOut(Schema):
    """A unit (player, pair or team) of rank 1. If the user may not see the name, `name` contains the unit's number."""

    number: int = Field(validation_alias="unit.number")
    name: str = Field(validation_alias="visible_title")


class TournamentOut(Schema):
    """A tournament. `places`, `registered` and `waiting` count units, which are players, pairs or teams of `unit_size`
    players.

    `winners` is empty until the tournament is finished. `fee` is for each player, in cents of `currency`. `open`:
    visitors can register on `page`.
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
        return tournament.accepts_registrations(timezone.now())


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
    return {**page, "items": _add_counts_and_winners(request, page["items"])}


@router.get(
    "/tournaments/{int:tournament_id}",
    response=TournamentOut,
    summary=_("A tournament with its places"),
    url_name="tournament",
)
def tournament(request: ApiRequest, tournament_id: int) -> Any:
    tournament_row: Tournament = visible_or_404(Tournament.objects.with_club(), request.auth, pk=tournament_id)
    return _add_counts_and_winners(request, [tournament_row])[0]


class TeamPlayerOut(Schema):
    """A player of a team. If `counts`, the player is one of the best of the team, whose results are added."""

    name: str
    score: float
    points: int = Field(validation_alias="row.points")
    counts: bool

    @staticmethod
    def resolve_score(player: NamedMember) -> float:
        return float(player.row.score)


class TeamOut(Schema):
    """A team of a tournament in which the players of a team sit at different tables.

    `score` is the sum of the values by which the tournament ranks. If a team does not allow its name to be public,
    `name` is its number and `players` is empty; members of the organising club see both.
    """

    rank: int = Field(validation_alias="team.rank")
    number: int = Field(validation_alias="team.group.number")
    name: str
    score: float
    points: int = Field(validation_alias="team.points")
    players: list[TeamPlayerOut]

    @staticmethod
    def resolve_score(row: NamedTeam) -> float:
        return float(row.team.score)


@router.get(
    "/tournaments/{int:tournament_id}/teams",
    response=PageOfItems[TeamOut],
    summary=_("The ranking of a tournament’s teams, the best first"),
    url_name="tournament-teams",
)
def teams(request: ApiRequest, tournament_id: int, parameters: Query[PageParameters]) -> dict[str, Any]:
    """Return the ranking of teams.

    The list is empty before the tournament starts, and if the tournament has no ranking of teams.
    """
    tournament_row: Tournament = visible_or_404(Tournament.objects.with_club(), request.auth, pk=tournament_id)
    shows_all_names = Right.READ in tournament_row.club.rights_of(request.auth)
    return page_of(
        request,
        _ranked_groups(tournament_row, rank_teams),
        parameters,
        lambda team: team_for_viewer(team, shows_all_names=shows_all_names),
    )


class ClubRankOut(Schema):
    """A club in the ranking of clubs.

    `score` and `points` are the sums of its best results. `counted` is the number of these results, `results` the
    number of all its results.
    """

    rank: int
    club: str = Field(validation_alias="group.name")
    score: float
    points: int
    counted: int
    results: int

    @staticmethod
    def resolve_score(row: RankedGroup[TournamentClub]) -> float:
        return float(row.score)

    @staticmethod
    def resolve_results(row: RankedGroup[TournamentClub]) -> int:
        return len(row.members)


@router.get(
    "/tournaments/{int:tournament_id}/clubs",
    response=PageOfItems[ClubRankOut],
    summary=_("The ranking of a tournament’s clubs, the best first"),
    url_name="tournament-clubs",
)
def clubs(request: ApiRequest, tournament_id: int, parameters: Query[PageParameters]) -> dict[str, Any]:
    """Return the ranking of clubs.

    The list is empty before the tournament starts, and if no other club is invited.
    """
    tournament_row: Tournament = visible_or_404(Tournament.objects.with_club(), request.auth, pk=tournament_id)
    return page_of(request, _ranked_groups(tournament_row, rank_clubs), parameters)


def _ranked_groups(tournament_row: Tournament, rank_groups: RankGroups[Group]) -> list[RankedGroup[Group]]:
    return rank_groups(tournament_row, *current_ranking(tournament_row)) if tournament_row.has_started else []


def _add_counts_and_winners(request: ApiRequest, tournament_rows: Iterable[Tournament]) -> list[Any]:
    """Add the attributes `counts` and `winners` to the rows. Two or three queries."""
    rows: list[Any] = list(tournament_rows)
    counts = count_units_of(rows)
    first = winners([row.pk for row in rows], request.auth)
    for row in rows:
        row.counts, row.winners = counts[row.pk], first.get(row.pk, list[TournamentRank]())
    return rows
