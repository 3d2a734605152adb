"""An evening: planning it, its page, and the steps of its life."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import NamedTuple

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from league.actions import evenings
from league.actions.refusals import WrongState
from league.evenings.forms import EveningForm, EveningsForm, ReasonForm
from league.live import fragments, ranking_columns
from league.live.fragments import Watched
from league.live.parts import evening_part
from league.models import Evening, Season
from league.results.evening_board import incomplete, sat_rounds
from league.results.evening_ranking import ranking
from league.seasons.house_rules_history import kept_rules
from league.web.exports import spreadsheet
from league.web.finding import frame, recordable, seen

asked_and_posted = require_http_methods(["GET", "HEAD", "POST"])


def evening(request: HttpRequest, pk: int) -> HttpResponse:
    """Where the evening stands: its ranking, and every round's tables."""
    now = timezone.now()
    evening = seen(Evening.objects.with_season(), request.user, pk=pk)
    rounds = sat_rounds(evening)
    shown = evening_part(evening, rounds)
    context = {
        **frame(evening.season.club, request.user),
        "evening": evening,
        "final": evening.is_final(now),
        "rounds": rounds,
        "shown": shown,
        "watch": None if shown.over else _watched(evening),
        "present": evening.attendances.count(),
        "incomplete": incomplete(rounds),
        "kept_rules": kept_rules(evening),
    }
    return render(request, "league/evenings/evening.html", context)


def _watched(evening: Evening) -> str:
    """Where the page asks for what has changed since."""
    return reverse(
        "league:live-evening", args=[fragments.token(Watched(evening.pk, get_language() or settings.LANGUAGE_CODE))]
    )


def ranking_file(request: HttpRequest, pk: int, extension: str) -> HttpResponse:
    """The ranking as a file."""
    evening = seen(Evening.objects.with_season(), request.user, pk=pk)
    title = _("Ranking")
    rows = ranking_columns.written(evening, ranking(evening))
    return spreadsheet(rows, extension, title, f"{evening.season} {evening.date.isoformat()} {title}")


@login_required
@asked_and_posted
def plan_many(request: HttpRequest, pk: int) -> HttpResponse:
    """Evenings of a season by a pattern: their dates are shown, and those that stay ticked are planned."""
    season = recordable(Season.objects.with_club(), request.user, pk=pk)
    form = EveningsForm(request.POST if request.method == "POST" else None)
    dates = form.dates if form.is_valid() else []
    if dates and "plan" in request.POST:
        try:
            new = evenings.plan_many(season.pk, form.ticked)
        except WrongState as refusal:
            form.add_error(None, str(refusal))
        else:
            said = ngettext("%(count)s evening is planned.", "%(count)s evenings are planned.", new)
            messages.success(request, said % {"count": new})
            return redirect(season)
    context = {
        **frame(season.club, request.user),
        "season": season,
        "form": form,
        "dates": _with_planned(season, form) if dates else [],
    }
    wrong = form.is_bound and not form.is_valid()
    return render(request, "league/evenings/plan_many.html", context, status=422 if wrong else 200)


class OfferedDate(NamedTuple):
    """A date of a season's plan; `held` if it has an evening already, else `ticked` unless the tick was taken out."""

    day: date
    held: bool
    ticked: bool


def _with_planned(season: Season, form: EveningsForm) -> list[OfferedDate]:
    """Return the dates of a valid form with those between them that have an evening, in order."""
    between = (form.cleaned_data["first"], form.cleaned_data["last"])
    held = set(season.evenings.not_cancelled().filter(date__range=between).values_list("date", flat=True))
    return [OfferedDate(day, day in held, day not in form.unticked) for day in sorted(held.union(form.dates))]


@login_required
@asked_and_posted
def plan(request: HttpRequest, pk: int) -> HttpResponse:
    """A new evening of a season."""
    season = recordable(Season.objects.with_club(), request.user, pk=pk)
    today = timezone.localdate(timezone=season.club.zone)
    form = EveningForm(request.POST or None, initial={"date": today}, club=season.club)
    if request.method == "POST" and form.is_valid():
        try:
            evening, new = evenings.plan(season.pk, **form.cleaned_data)
        except WrongState as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("The evening is planned.") if new else _("This evening was planned already."))
            return redirect(evening)
    context = {"form": form, "season": season, **frame(season.club, request.user)}
    return render(request, "league/evenings/evening_plan.html", context)


@login_required
@asked_and_posted
def edit(request: HttpRequest, pk: int) -> HttpResponse:
    """Change a planned evening, or the name of any."""
    evening = recordable(Evening.objects.with_season(), request.user, pk=pk)
    form = EveningForm(request.POST or None, instance=evening, club=evening.season.club)
    if request.method == "POST" and form.is_valid():
        try:
            evenings.change(evening, [name for name, field in form.fields.items() if not field.disabled])
        except WrongState as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("The evening is changed."))
            return redirect(evening)
    return render(request, "league/evenings/evening_edit.html", _page(request, evening, form=form))


@login_required
@require_POST
def open_evening(request: HttpRequest, pk: int) -> HttpResponse:
    """From now on its results can be recorded."""
    evening = recordable(Evening.objects.with_season(), request.user, pk=pk)
    now = timezone.now()
    return _step(request, evening, lambda: evenings.open(pk, now=now), _("The evening is open."))


@login_required
@asked_and_posted
def cancel(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask, then cancel; what was entered is kept."""
    evening = recordable(Evening.objects.with_season(), request.user, pk=pk)
    if request.method == "POST":
        return _step(request, evening, lambda: evenings.cancel(pk), _("The evening is cancelled."))
    return render(request, "league/evenings/evening_cancel.html", _page(request, evening))


@login_required
@asked_and_posted
def reopen(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask for the reason, then open again; nothing of it counts until it is closed."""
    evening = recordable(Evening.objects.with_season(), request.user, pk=pk)
    form = ReasonForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        now = timezone.now()
        done = _("The evening is open again. It counts once it is closed.")
        reason = form.cleaned_data["reason"]
        return _step(request, evening, lambda: evenings.reopen(pk, now=now, reason=reason), done)
    return render(request, "league/closing/evening_reopen.html", _page(request, evening, form=form))


def _step(request: HttpRequest, evening: Evening, action: Callable[[], Evening], done: str) -> HttpResponse:
    """Take a step of the evening's life, and say how it went."""
    try:
        action()
    except WrongState as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, done)
    return redirect(evening)


def _page(request: HttpRequest, evening: Evening, **more: object) -> dict[str, object]:
    return {**frame(evening.season.club, request.user), "evening": evening, **more}
