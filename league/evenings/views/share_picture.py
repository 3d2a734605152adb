"""Pictures that other programs show beside a link to an evening: its podium, or its date and place."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils.translation import ngettext
from django.views.decorators.http import conditional_page, require_safe

from league.evenings.queries.evening_ranking import podium, ranking
from league.evenings.queries.story_text import title
from league.models import Evening
from league.models.evening import EveningState
from league.web.lookups import visible_or_404
from league.web.share_picture import CARD_SIZE, MAX_CARD_ROWS, PictureTexts, PodiumRow
from league.web.share_picture_response import picture_response
from players.dates import date_format
from scoring.numbers import localise


@require_safe
@conditional_page
def evening_link_picture(request: HttpRequest, pk: int) -> HttpResponse:
    evening = visible_or_404(Evening.objects.with_season(), request.user, pk=pk)
    club = evening.season.club
    return picture_response(request, club, lambda: _texts(evening))


@require_safe
@conditional_page
def evening_chat_picture(request: HttpRequest, pk: int) -> HttpResponse:
    """Respond with a portrait picture of the first ten players, to forward in a chat."""
    evening = visible_or_404(Evening.objects.with_season(), request.user, pk=pk)
    return picture_response(request, evening.season.club, lambda: _texts(evening, MAX_CARD_ROWS), CARD_SIZE)


def _texts(evening: Evening, max_ranking_rows: int | None = None) -> PictureTexts:
    """Return the texts of the picture. `max_ranking_rows` limits the rows of the ranking; None: only the podium."""
    season = str(evening.season)
    if evening.state != EveningState.CLOSED:
        hour = [date_format(evening.begins, "TIME_FORMAT")] if evening.begins else []
        subtitle = " · ".join([season, *hour, *filter(None, [evening.where])])
        return PictureTexts(str(evening.season.club), title(evening), subtitle)
    rows = ranking(evening)
    players = ngettext("%(count)s player", "%(count)s players", len(rows)) % {"count": len(rows)}
    first = podium(rows) if max_ranking_rows is None else [row for row in rows if row.tables][:max_ranking_rows]
    podium_rows = tuple(PodiumRow(row.rank, str(row.name), localise(row.points)) for row in first)
    return PictureTexts(str(evening.season.club), title(evening), f"{season} · {players}", podium_rows)
