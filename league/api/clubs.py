"""Clubs, their seasons and members, and the hall of fame."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from django.utils.translation import gettext_noop as _
from ninja import Field, Query, Router, Schema

from league.api.evenings import EveningOut, evening_out
from league.api.honours import HonoursOut, honours_out
from league.api.paging import PageOfItems, PageParameters, page_of
from league.api.people import PlayerOut, player_out
from league.api.reader import ApiRequest
from league.api.seasons import SeasonOut, season_out
from league.models import Club, Evening, Membership, visible
from league.models.rights import Right
from league.seasons.queries.hall_of_fame import hall_of_fame
from league.web.finding import seen
from players.naming import name_sort_field

router = Router(tags=["clubs"])


class ClubOut(Schema):
    """A club; the slug is its name in addresses."""

    slug: str
    name: str
    public: bool
    language: str
    time_zone: str
    page: str


class ClubEveningsOut(ClubOut):
    """A club with its open evenings, and the next one that is announced."""

    tonight: list[EveningOut]
    next_evening: EveningOut | None


class MemberOut(Schema):
    """Somebody of a club. Roles are told to its own readers, and guests to them alone."""

    player: PlayerOut
    role: str | None


class ChampionsOut(Schema):
    """Who won a closed season."""

    season: SeasonOut
    players: list[PlayerOut]


class HallOfFameOut(HonoursOut):
    """A game's champions, and the records of all its closed evenings in the club."""

    games: list[str]
    game: str
    champions: list[ChampionsOut]


class HallParameters(Schema):
    """Which game's; without one, or by one that the club doesn't play, the first."""

    game: str = Field("", max_length=40)


def _club(club: Club) -> dict[str, Any]:
    return {
        "slug": club.slug,
        "name": club.name,
        "public": club.public,
        "language": club.language,
        "time_zone": club.time_zone,
        "page": club.get_absolute_url(),
    }


@router.get("/clubs", response=PageOfItems[ClubOut], summary=_("The clubs that the reader may see"), url_name="clubs")
def clubs(request: ApiRequest, parameters: Query[PageParameters]) -> dict[str, Any]:
    return page_of(request, Club.objects.visible_to(request.auth), parameters, _club)


@router.get("/clubs/{slug:slug}", response=ClubEveningsOut, summary=_("A club, tonight and next time"), url_name="club")
def club(request: ApiRequest, slug: str) -> dict[str, Any]:
    club_row = seen(Club.objects, request.auth, slug=slug)
    now = timezone.now()
    evenings = Evening.objects.filter(season__club=club_row).with_season()
    coming = evenings.announced(timezone.localdate(now, club_row.zone)).first()
    return {
        **_club(club_row),
        "tonight": [evening_out(evening, now) for evening in evenings.tonight()],
        "next_evening": evening_out(coming, now) if coming else None,
    }


@router.get(
    "/clubs/{slug:slug}/seasons",
    response=PageOfItems[SeasonOut],
    summary=_("A club’s seasons, the latest first"),
    url_name="club-seasons",
)
def club_seasons(request: ApiRequest, slug: str, parameters: Query[PageParameters]) -> dict[str, Any]:
    club_row = seen(Club.objects, request.auth, slug=slug)
    return page_of(request, club_row.seasons.with_club(), parameters, season_out)


@router.get(
    "/clubs/{slug:slug}/members",
    response=PageOfItems[MemberOut],
    summary=_("A club’s people, by their names"),
    url_name="club-members",
)
def club_members(request: ApiRequest, slug: str, parameters: Query[PageParameters]) -> dict[str, Any]:
    club_row = seen(Club.objects, request.auth, slug=slug)
    inside = Right.READ in club_row.rights_of(request.auth)
    people = visible.memberships_of(club_row, inside=inside).order_by(f"player__{name_sort_field()}", "pk")

    def member(row: Membership) -> dict[str, Any]:
        return {"player": player_out(row.player), "role": row.role if inside else None}

    return page_of(request, people, parameters, member)


@router.get(
    "/clubs/{slug:slug}/hall-of-fame",
    response=HallOfFameOut,
    summary=_("A club’s champions and records"),
    url_name="hall-of-fame",
)
def club_hall_of_fame(request: ApiRequest, slug: str, parameters: Query[HallParameters]) -> dict[str, Any]:
    club_row = seen(Club.objects, request.auth, slug=slug)
    hall = hall_of_fame(club_row, parameters.game)
    for season, _places in hall.champions:
        season.club = club_row
    return {
        **honours_out(hall.game, hall.seasons, request.auth),
        "games": list(hall.games),
        "game": hall.game,
        "champions": [
            {"season": season_out(season), "players": [player_out(place.player) for place in places]}
            for season, places in hall.champions
        ],
    }
