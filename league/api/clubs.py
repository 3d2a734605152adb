from __future__ import annotations

from datetime import date
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext_noop as _
from ninja import Field, Query, Router, Schema

from league.api.authentication import ApiRequest
from league.api.evenings import EveningOut
from league.api.honours import HonoursOut, honours_out
from league.api.paging import PageOfItems, PageParameters, page_of
from league.api.people import PlayerOut
from league.api.seasons import SeasonOut
from league.api.tournaments import WinnerOut
from league.models import Club, Evening, Membership, visible
from league.models.evening import EveningQuerySet
from league.models.rights import Right
from league.seasons.queries.honours import hall_of_fame
from league.tournaments.queries.tournament_results import winners_in_club
from league.web.lookups import visible_or_404
from players.naming import name_sort_field

router = Router(tags=["clubs"])


class ClubOut(Schema):
    """A club. URLs contain its slug. `page` is the path of its page on this site."""

    slug: str
    name: str
    public: bool
    language: str
    time_zone: str
    page: str = Field(validation_alias="get_absolute_url")


class ClubEveningsOut(ClubOut):
    """A club with its open evenings and its next announced evening."""

    tonight: list[EveningOut]
    next_evening: EveningOut | None

    @staticmethod
    def resolve_tonight(club: Club) -> EveningQuerySet:
        return Evening.objects.filter(season__club=club).with_season().in_progress()

    @staticmethod
    def resolve_next_evening(club: Club) -> Evening | None:
        today = timezone.localdate(timezone=club.zone)
        return Evening.objects.filter(season__club=club).with_season().announced(today).first()


class MemberOut(Schema):
    """A person of a club. For users who are not members of the club, `role` is null and guests are left out."""

    player: PlayerOut
    role: str | None


class ChampionsOut(Schema):
    """The winners of a closed season."""

    season: SeasonOut
    players: list[PlayerOut]


class TournamentWinnersOut(Schema):
    """The winners of a finished tournament; `tournament` is its id."""

    tournament: int
    name: str
    date: date
    winners: list[WinnerOut]


class HallOfFameOut(HonoursOut):
    """The champions of a club's closed seasons of one game, the records, and the winners of the club's tournaments.

    `games` are the slugs of the games that the club has played, `game` is the slug of the shown game.
    """

    games: list[str]
    game: str
    champions: list[ChampionsOut]
    tournaments: list[TournamentWinnersOut]


class HallOfFameParameters(Schema):
    """`game` is the slug of the game to show.

    Without it, or if the club does not play this game, it is the club's first game.
    """

    game: str = Field("", max_length=40)


@router.get("/clubs", response=PageOfItems[ClubOut], summary=_("The clubs that the reader may see"), url_name="clubs")
def clubs(request: ApiRequest, parameters: Query[PageParameters]) -> dict[str, Any]:
    return page_of(request, Club.objects.visible_to(request.auth), parameters)


@router.get("/clubs/{slug:slug}", response=ClubEveningsOut, summary=_("A club, tonight and next time"), url_name="club")
def club(request: ApiRequest, slug: str) -> Club:
    club_row: Club = visible_or_404(Club.objects, request.auth, slug=slug)
    return club_row


@router.get(
    "/clubs/{slug:slug}/seasons",
    response=PageOfItems[SeasonOut],
    summary=_("A club’s seasons, the latest first"),
    url_name="club-seasons",
)
def club_seasons(request: ApiRequest, slug: str, parameters: Query[PageParameters]) -> dict[str, Any]:
    club_row = visible_or_404(Club.objects, request.auth, slug=slug)
    return page_of(request, club_row.seasons.without_tournaments().with_club(), parameters)


@router.get(
    "/clubs/{slug:slug}/members",
    response=PageOfItems[MemberOut],
    summary=_("A club’s people, by their names"),
    url_name="club-members",
)
def club_members(request: ApiRequest, slug: str, parameters: Query[PageParameters]) -> dict[str, Any]:
    club_row = visible_or_404(Club.objects, request.auth, slug=slug)
    is_member = Right.READ in club_row.rights_of(request.auth)
    people = visible.memberships_of(club_row, with_guests=is_member).order_by(f"player__{name_sort_field()}", "pk")

    def member(row: Membership) -> dict[str, Any]:
        return {"player": row.player, "role": row.role if is_member else None}

    return page_of(request, people, parameters, member)


@router.get(
    "/clubs/{slug:slug}/hall-of-fame",
    response=HallOfFameOut,
    summary=_("A club’s champions and records"),
    url_name="hall-of-fame",
)
def club_hall_of_fame(request: ApiRequest, slug: str, parameters: Query[HallOfFameParameters]) -> dict[str, Any]:
    club_row = visible_or_404(Club.objects, request.auth, slug=slug)
    hall = hall_of_fame(club_row, parameters.game)
    for season, _places in hall.champions:
        season.club = club_row
    return {
        **honours_out(hall.game, hall.seasons, request.auth),
        "games": list(hall.games),
        "game": hall.game,
        "champions": [
            {"season": season, "players": [place.player for place in places]} for season, places in hall.champions
        ],
        "tournaments": [
            {"tournament": row.pk, "name": row.name, "date": row.date, "winners": ranks}
            for ranks in winners_in_club(club_row, request.auth)
            for row in [ranks[0].tournament]
        ],
    }
