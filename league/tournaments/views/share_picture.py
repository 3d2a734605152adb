"""The preview picture of a tournament for links on other sites: date, place, and later the first ranks."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import conditional_page, require_safe

from league.models import Tournament
from league.tournaments.queries.announcement import date_and_place
from league.tournaments.queries.tournament_results import podium
from league.web.lookups import visible_or_404
from league.web.share_picture import PictureTexts, PodiumRow
from league.web.share_picture_response import picture_response
from scoring.numbers import localise


@require_safe
@conditional_page
def tournament_picture(request: HttpRequest, pk: int) -> HttpResponse:
    tournament = visible_or_404(Tournament.objects.with_club(), request.user, pk=pk)
    return picture_response(request, tournament.club, lambda: _texts(tournament))


def _texts(tournament: Tournament) -> PictureTexts:
    ranks = podium(tournament, AnonymousUser())  # the names that visitors may see: anybody may forward the picture
    rows = tuple(PodiumRow(row.rank, row.visible_title, localise(row.score)) for row in ranks)
    return PictureTexts(str(tournament.club), tournament.name, date_and_place(tournament), rows)
