"""The share picture of a tournament: its date, place and format."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import conditional_page, require_safe

from league.models import Tournament
from league.tournaments.queries.announcement import date_and_place
from league.web.finding import seen
from league.web.share_picture import PictureTexts
from league.web.share_picture_response import picture_response


@require_safe
@conditional_page
def tournament_picture(request: HttpRequest, pk: int) -> HttpResponse:
    tournament = seen(Tournament.objects.with_club(), request.user, pk=pk)
    club = tournament.club
    return picture_response(request, club, lambda: PictureTexts(str(club), tournament.name, date_and_place(tournament)))
