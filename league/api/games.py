from __future__ import annotations

from datetime import date
from typing import Any

from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext_noop as _
from ninja import Field, Query, Router, Schema

from league.api.authentication import ApiRequest
from league.api.honours import RecordsOut, records_out
from league.api.paging import BoundedDate, ClubSlug, PageOfItems, PageParameters, page_of
from league.api.people import PlayerOut
from league.models import Club, Season
from league.ratings.queries.leaderboard import LeaderboardScope, leaderboard, past_leaderboard
from league.web.game import game_or_404
from players.models import Player
from players.names import MAX_SEARCH_LENGTH, MAX_SEARCH_WORDS
from scoring.game import all_games

router = Router(tags=["games"])


class GameOut(Schema):
    """A game. URLs contain its slug."""

    slug: str
    name: str


class LeaderOut(Schema):
    """A player on a leaderboard, with the rating in points. The rank is counted among the players of this list."""

    rank: int
    player: PlayerOut
    rating: float = Field(validation_alias="points")
    tables: int
    provisional: bool
    last_date: date


class LeaderboardParameters(PageParameters):
    """Filters of a leaderboard.

    `on`: the leaderboard as of a past date. `club`: players of the club with this slug. `inactive`: include inactive
    players. `established`: exclude provisional ratings. `q`: words of the name, or their first letters.
    """

    on: BoundedDate | None = None
    club: ClubSlug | None = None
    inactive: bool = False
    established: bool = False
    q: str = Field("", max_length=MAX_SEARCH_LENGTH, pattern=rf"^\s*([^\s\x00]+(\s+|$)){{0,{MAX_SEARCH_WORDS}}}$")


@router.get("/games", response=list[GameOut], summary=_("The games that are scored"), url_name="games")
def games(request: ApiRequest) -> list[dict[str, Any]]:
    return [{"slug": game.slug, "name": str(game.name)} for game in all_games()]


@router.get(
    "/games/{slug:game}/leaderboard",
    response=PageOfItems[LeaderOut],
    summary=_("A game’s leaderboard, today’s or as of a past date"),
    url_name="leaderboard",
)
def game_leaderboard(request: ApiRequest, game: str, parameters: Query[LeaderboardParameters]) -> dict[str, Any]:
    game_or_404(game, request.auth)
    club = get_object_or_404(Club.objects.visible_to(request.auth), slug=parameters.club) if parameters.club else None
    typed = parameters.q.strip()
    scope = LeaderboardScope(
        include_inactive=parameters.inactive,
        club=club,
        only_established=parameters.established,
        searched_players=Player.objects.search(typed) if typed else None,
    )
    today = timezone.localdate()
    if parameters.on is not None and parameters.on < today:
        return page_of(request, past_leaderboard(request.auth, game, day=parameters.on, scope=scope), parameters)
    return page_of(request, leaderboard(request.auth, game, today=today, scope=scope), parameters)


@router.get(
    "/games/{slug:game}/records",
    response=RecordsOut,
    summary=_("A game’s records in all clubs that the reader may see"),
    url_name="game-records",
)
def game_records(request: ApiRequest, game: str) -> dict[str, Any]:
    game_or_404(game, request.auth)
    seasons = Season.objects.visible_to(request.auth).filter(game_key=game)
    return records_out(game, list(seasons.values_list("pk", flat=True)))
