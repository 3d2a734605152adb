"""The address of an evening's picture for link previews; cached until its texts change."""

from __future__ import annotations

from hashlib import sha256
from typing import Final

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation
from django.utils.translation import ngettext
from django.views.decorators.http import conditional_page, require_safe

from league.evenings.queries.evening_ranking import podium, ranking
from league.evenings.queries.story_text import title
from league.evenings.views.preview_picture import PictureTexts, PodiumRow, picture
from league.models import Evening
from league.models.evening import EveningState
from league.web.finding import seen
from players.dates import date_format
from players.naming import Audience, names_shown_to
from scoring.numbers import localise

MAX_AGE: Final = 600  # seconds
CACHE_SECONDS: Final = 7 * 24 * 3600
CACHE_VERSION: Final = 1  # raised with each change of the drawing


@require_safe
@conditional_page
def evening_picture(request: HttpRequest, pk: int) -> HttpResponse:
    evening = seen(Evening.objects.with_season(), request.user, pk=pk)
    club = evening.season.club
    # One cached picture for all viewers, which is forwarded: public names.
    with translation.override(club.language), timezone.override(club.zone), names_shown_to(Audience.PUBLIC):
        words = _texts(evening)
    answer = HttpResponse(_cached_picture(words), content_type="image/png")
    answer.headers["Cache-Control"] = f"{'public' if club.public else 'private'}, max-age={MAX_AGE}"
    return answer


def _texts(evening: Evening) -> PictureTexts:
    season = str(evening.season)
    if evening.state != EveningState.CLOSED:
        hour = [date_format(evening.begins, "TIME_FORMAT")] if evening.begins else []
        under = " · ".join([season, *hour, *filter(None, [evening.where])])
        return PictureTexts(str(evening.season.club), title(evening), under)
    rows = ranking(evening)
    players = ngettext("%(count)s player", "%(count)s players", len(rows)) % {"count": len(rows)}
    podium_rows = tuple(PodiumRow(row.rank, str(row.name), localise(row.points)) for row in podium(rows))
    return PictureTexts(str(evening.season.club), title(evening), f"{season} · {players}", podium_rows)


def _cached_picture(words: PictureTexts) -> bytes:
    key = f"picture:{sha256(repr((CACHE_VERSION, words)).encode()).hexdigest()[:24]}"
    png = cache.get(key)
    if not isinstance(png, bytes):
        png = picture(words)
        cache.set(key, png, CACHE_SECONDS)
    return png
