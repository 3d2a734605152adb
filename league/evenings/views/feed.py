"""A club's results as an Atom feed: its last closed evenings and finished tournaments."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape
from django.utils.translation import gettext as _
from django.views.decorators.http import conditional_page, require_safe

from league.evenings.queries.evening_ranking import rankings
from league.evenings.queries.story_text import title, winner_sentence
from league.models import Club, Evening, Tournament
from league.models.tournament import TournamentState
from league.tournaments.queries.tournament_results import winners
from league.web.calendar_file import REFRESH_INTERVAL, tournaments_with_changes
from league.web.lookups import visible_or_404
from players.dates import date_format
from players.naming import Audience, names_shown_to

MAX_ENTRIES: Final = 20


class FeedEntry(NamedTuple):
    path: str
    title: str
    text: str
    published: datetime


@require_safe
@conditional_page
def results_feed(request: HttpRequest, slug: str) -> HttpResponse:
    """Respond with the Atom feed. It shows names as the public may see them, because feed readers store and forward
    them.
    """
    club = visible_or_404(Club.objects, request.user, slug=slug)
    with translation.override(club.language), names_shown_to(Audience.PUBLIC):
        entries = sorted([*_evenings(club), *_tournaments(club)], key=lambda entry: entry.published, reverse=True)
        content = _render(request, club, entries[:MAX_ENTRIES])
    answer = HttpResponse(content, content_type="application/atom+xml; charset=utf-8")
    answer.headers["Cache-Control"] = f"{'public' if club.public else 'private'}, max-age={REFRESH_INTERVAL.seconds}"
    return answer


def _evenings(club: Club) -> Iterator[FeedEntry]:
    closed = Evening.objects.with_season().closed().filter(season__club=club, season__tournament=None)
    evenings = list(closed.order_by("-closed_at", "-pk")[:MAX_ENTRIES])
    ranked = rankings(evenings)
    for evening in evenings:
        assert evening.closed_at is not None  # closed evenings only
        text = f"{evening.season}. {winner_sentence(ranked[evening.pk])}"
        yield FeedEntry(evening.get_absolute_url(), title(evening), text, evening.closed_at)


def _tournaments(club: Club) -> Iterator[FeedEntry]:
    finished = tournaments_with_changes(Tournament.objects.filter(club=club, state=TournamentState.FINISHED))
    tournaments: list[Any] = list(finished.order_by("-date", "-pk")[:MAX_ENTRIES])
    winners_of = winners([tournament.pk for tournament in tournaments], AnonymousUser())
    for tournament in tournaments:
        names = ", ".join(row.visible_title for row in winners_of.get(tournament.pk, ()))
        heading = f"{tournament.name}, {date_format(tournament.date, 'DATE_FORMAT')}"
        text = _("Winner: %(name)s.") % {"name": names} if names else ""
        yield FeedEntry(tournament.get_absolute_url(), heading, text, tournament.changed_at)


def _render(request: HttpRequest, club: Club, entries: list[FeedEntry]) -> str:
    site = request.build_absolute_uri("/").rstrip("/")
    feed = Atom1Feed(
        title=_("Results of %(club)s") % {"club": club},
        link=site + club.get_absolute_url(),
        description="",
        language=club.language,
        feed_url=request.build_absolute_uri(request.path),
    )
    for entry in entries:
        feed.add_item(
            title=entry.title,
            link=site + entry.path,
            unique_id=site + entry.path,
            description=escape(entry.text),  # Django declares it as HTML
            pubdate=entry.published,
            updateddate=entry.published,
        )
    return str(feed.writeString("utf-8"))
