"""The address of the picture that a message shows beside an evening's: drawn once, kept until its words change."""

from __future__ import annotations

from hashlib import sha256
from typing import Final

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation
from django.utils.translation import ngettext
from django.views.decorators.http import conditional_page, require_safe

from league.evenings.queries.evening_ranking import ranking
from league.evenings.queries.story import podium, title
from league.evenings.views.preview_picture import PicturePlace, PictureWords, picture
from league.models import Evening
from league.models.evening import EveningState
from league.web.finding import seen
from players.dates import date_format
from players.naming import Audience, names_shown_to
from scoring.numbers import localised

FRESH: Final = 600  # seconds: so long an answer is shown again without asking
KEPT: Final = 7 * 24 * 3600  # seconds that a drawn picture is kept
WAY: Final = 1  # one more when it is drawn in another way


@require_safe
@conditional_page
def evening_picture(request: HttpRequest, pk: int) -> HttpResponse:
    """Return a PNG in the club's language: the podium of a closed evening, hour and place of another."""
    evening = seen(Evening.objects.with_season(), request.user, pk=pk)
    club = evening.season.club
    # It is kept for all, and sent on: names are those for everyone.
    with translation.override(club.language), timezone.override(club.zone), names_shown_to(Audience.PUBLIC):
        words = _words(evening)
    answer = HttpResponse(_drawn(words), content_type="image/png")
    answer.headers["Cache-Control"] = f"{'public' if club.public else 'private'}, max-age={FRESH}"
    return answer


def _words(evening: Evening) -> PictureWords:
    season = str(evening.season)
    if evening.state != EveningState.CLOSED:
        hour = [date_format(evening.begins, "TIME_FORMAT")] if evening.begins else []
        under = " · ".join([season, *hour, *filter(None, [evening.where])])
        return PictureWords(str(evening.season.club), title(evening), under)
    places = ranking(evening)
    players = ngettext("%(count)s player", "%(count)s players", len(places)) % {"count": len(places)}
    first = tuple(PicturePlace(place.rank, str(place.name), localised(place.points)) for place in podium(places))
    return PictureWords(str(evening.season.club), title(evening), f"{season} · {players}", first)


def _drawn(words: PictureWords) -> bytes:
    key = f"picture:{sha256(repr((WAY, words)).encode()).hexdigest()[:24]}"
    found = cache.get(key)
    if not isinstance(found, bytes):
        found = picture(words)
        cache.set(key, found, KEPT)
    return found
