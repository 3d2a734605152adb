"""The preview picture of a tournament for links on other sites: date, place, and later the first ranks."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import conditional_page, require_safe

from league.models import Tournament, TournamentRank
from league.models.tournament import TournamentState
from league.tournaments.queries.announcement import date_and_place
from league.web.lookups import visible_or_404
from league.web.share_picture import MAX_PODIUM_ROWS, PODIUM_RANKS, PictureTexts, PodiumRow
from league.web.share_picture_response import picture_response
from scoring.numbers import localise


@require_safe
@conditional_page
def tournament_picture(request: HttpRequest, pk: int) -> HttpResponse:
    tournament = visible_or_404(Tournament.objects.with_club(), request.user, pk=pk)
    return picture_response(request, tournament.club, lambda: _texts(tournament))


def _texts(tournament: Tournament) -> PictureTexts:
    podium = _podium(tournament) if tournament.state == TournamentState.FINISHED else ()
    return PictureTexts(str(tournament.club), tournament.name, date_and_place(tournament), podium)


def _podium(tournament: Tournament) -> tuple[PodiumRow, ...]:
    """Return the first ranks, with the names that visitors may see, since anybody may forward the picture."""
    ranks = TournamentRank.objects.filter(tournament=tournament, rank__lte=PODIUM_RANKS).with_is_named(AnonymousUser())
    rows = ranks.order_by("rank", "unit__number", "position").with_units()[:MAX_PODIUM_ROWS]
    return tuple(PodiumRow(row.rank, row.visible_title, localise(row.score)) for row in rows)
