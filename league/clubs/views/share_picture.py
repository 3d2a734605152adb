"""The picture that other programs show beside a link to a club: its games and its next evening."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import conditional_page, require_safe

from league.models import Club, Evening
from league.models.season import SeasonState
from league.web.lookups import visible_or_404
from league.web.share_picture import PictureTexts
from league.web.share_picture_response import picture_response
from players.dates import date_format


@require_safe
@conditional_page
def club_picture(request: HttpRequest, slug: str) -> HttpResponse:
    club = visible_or_404(Club.objects, request.user, slug=slug)
    return picture_response(request, club, lambda: _picture_texts(club))


def _picture_texts(club: Club) -> PictureTexts:
    seasons = club.seasons.without_tournaments().filter(state=SeasonState.OPEN).select_related("club_game")
    games = dict.fromkeys(season.game_title for season in seasons)
    evening = next(iter(Evening.objects.next_of_each_club([club], timezone.localdate())), None)
    coming = [_("next evening: %(date)s") % {"date": date_format(evening.date, "DATE_FORMAT")}] if evening else []
    return PictureTexts(club.place, club.name, " · ".join([*games, *coming]))
