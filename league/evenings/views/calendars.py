"""Calendar subscriptions: evenings and tournaments of a public club, or of a user's clubs."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.http import conditional_page, require_POST, require_safe

from league.models import Club, Evening, Tournament
from league.models.season import SeasonState
from league.web.calendar_file import REFRESH_INTERVAL, evenings_with_changes, render_calendar, tournaments_with_changes
from league.web.lookups import visible_or_404
from players.accounts import delete_calendar_key, renew_calendar_key
from players.models import User

MAX_AGE_OF_EVENINGS = timedelta(days=100)  # older evenings and tournaments are left out


@require_safe
@conditional_page
def club_calendar(request: HttpRequest, slug: str) -> HttpResponse:
    """Respond with the calendar of a public club.

    Calendar programs do not sign in. Members of a private club use the calendar of their account.
    """
    club = visible_or_404(Club.objects, request.user, slug=slug)
    with translation.override(club.language):
        answer = _calendar_response(request, str(club), [club])
    answer.headers["Cache-Control"] = f"{'public' if club.public else 'private'}, max-age={REFRESH_INTERVAL.seconds}"
    return answer


@require_safe
@conditional_page
def person_calendar(request: HttpRequest, key: UUID) -> HttpResponse:
    user = get_object_or_404(User, calendar_key=key, is_active=True)
    clubs = list(Club.objects.joined_by(user).visible_to(user))
    language = user.language or next((club.language for club in clubs), translation.get_language())
    with translation.override(language):
        answer = _calendar_response(request, _("My evenings"), clubs)
    answer.headers["Cache-Control"] = f"private, max-age={REFRESH_INTERVAL.seconds}"
    return answer


def _calendar_response(request: HttpRequest, name: str, clubs: list[Club]) -> HttpResponse:
    since = timezone.localdate() - MAX_AGE_OF_EVENINGS
    begun = Evening.objects.with_season().exclude(season__state=SeasonState.DRAFT)
    # The evening of a tournament is left out, because the tournament has an entry of its own.
    begun = begun.filter(season__tournament=None)
    evenings = begun.filter(season__club__in=clubs, date__gte=since).within_bounds().order_by("date", "pk")
    announced = Tournament.objects.announced().with_club().filter(club__in=clubs, date__gte=since)
    tournaments = tournaments_with_changes(announced).order_by("date", "pk")
    site = request.build_absolute_uri("/").rstrip("/")
    content = render_calendar(name, evenings_with_changes(evenings), site, tournaments)
    return HttpResponse(content, content_type="text/calendar; charset=utf-8")


@login_required
def calendar(request: HttpRequest) -> HttpResponse:
    assert isinstance(request.user, User)
    key = request.user.calendar_key
    clubs = Club.objects.joined_by(request.user).visible_to(request.user)
    public = [(club, _absolute_address(request, "club-calendar", club.slug)) for club in clubs if club.public]
    context = {"address": _absolute_address(request, "person-calendar", key) if key else "", "public": public}
    return render(request, "league/evenings/calendar.html", context)


def _absolute_address(request: HttpRequest, name: str, argument: str | UUID) -> str:
    return request.build_absolute_uri(reverse(f"league:{name}", args=[argument]))


@login_required
@require_POST
def renew_calendar_address(request: HttpRequest) -> HttpResponse:
    assert isinstance(request.user, User)
    had_one = request.user.calendar_key is not None
    renew_calendar_key(request.user)
    message = (
        _("This is the new address; the old one has ended.") if had_one else _("Your calendar has an address now.")
    )
    messages.success(request, message)
    return redirect("league:calendar")


@login_required
@require_POST
def end_calendar_address(request: HttpRequest) -> HttpResponse:
    assert isinstance(request.user, User)
    delete_calendar_key(request.user)
    messages.success(request, _("The address has ended: nobody reads your calendar any more."))
    return redirect("league:calendar")
