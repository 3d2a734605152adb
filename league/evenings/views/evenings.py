"""An evening: planning it, its page, and the steps of its life."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any, NamedTuple

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
from league.clubs.queries.member_cards import UpcomingEvening, with_intentions
from league.evenings.forms.evenings import EveningForm, EveningsForm, NewEveningForm
from league.evenings.queries.evening_page import PLACES, EveningPage, evening_page
from league.evenings.queries.evening_ranking import Ranked, ranking
from league.evenings.queries.evening_story import evening_story, jump_of, with_jump
from league.evenings.queries.story import ToldStory, title, told
from league.evenings.views.live import fragments, ranking_columns
from league.evenings.views.live.fragments import Watched
from league.evenings.views.live.parts import evening_part
from league.evenings.views.live.screens import asked_for
from league.models import Evening, Season, Table
from league.models.club import role_of
from league.models.evening import EveningState
from league.models.season import SeasonState
from league.seasons.queries.house_rules_history import kept_rules
from league.sheets.queries.missing_deals import missing
from league.web.board_tags import board_of
from league.web.exports import spreadsheet
from league.web.finding import frame, name_people, recordable, seen
from league.web.reason_form import ReasonForm
from players.dates import date_format
from players.models import Player

LACKING = 12  # incomplete tables that are named; the list of sheets has the others
asked_and_posted = require_http_methods(["GET", "HEAD", "POST"])


@board_of(Evening, club="season__club")
def evening(request: HttpRequest, pk: int) -> HttpResponse:
    """Its story once it is closed, its ranking, and the tables of one round."""
    now = timezone.now()
    player = getattr(request.user, "player", None)
    own_role = role_of(request.user, "season__club")
    found = with_jump(Evening.objects.with_season().with_present()).annotate(own_role=own_role)
    evening: Any = seen(found, request.user, pk=pk)
    club = frame(evening.season.club, request.user, evening.own_role)
    places = ranking(evening)
    page = evening_page(evening, places, asked_for(request.GET))
    shown = evening_part(evening, page)
    lacking = club["can_record"] and evening.state == EveningState.OPEN and page.incomplete
    context = {
        **club,
        "evening": evening,
        "today": timezone.localdate(now, evening.season.club.zone),
        "final": evening.is_final(now),
        "rounds": page.rounds,
        "page": page,
        "shown": shown,
        "story": _story(request, evening, places, page) if evening.state == EveningState.CLOSED else None,
        "own": next((place for place in places if player and place.player == player.pk), None),
        "own_page": _page_of(places, player.pk) if player else 1,
        "title": title(evening),
        "watch": None if shown.over else _watched(request, evening, members=bool(club["can_read"])),
        "present": evening.present,
        "invited": _invited(evening, player) if evening.state == EveningState.PLANNED else None,
        "may_answer": _may_answer(evening) and bool(player) and club["can_read"],
        "incomplete": _incomplete(evening) if lacking else [],
        "others_incomplete": max(page.incomplete - LACKING, 0) if lacking else 0,
        "kept_rules": kept_rules(evening),
    }
    return render(request, "league/evenings/evening.html", context)


def _invited(evening: Evening, player: Player | None) -> UpcomingEvening:
    """Return what the player said of it, and how many mean to come: asked until it begins."""
    asked: Any = with_intentions(Evening.objects.filter(pk=evening.pk), player).get()
    return UpcomingEvening(evening, asked.comes, asked.coming or 0)


def _may_answer(evening: Evening) -> bool:
    """Whether members may say whether they come: to an evening ahead, of a season that has begun."""
    return evening.state == EveningState.PLANNED and evening.season.state != SeasonState.DRAFT


def _story(request: HttpRequest, evening: Evening, places: list[Ranked], page: EveningPage) -> ToldStory:
    found = evening_story(evening, places, sum(each.written for each in page.rounds))
    return told(evening, places, found, jump_of(evening), request.build_absolute_uri(evening.get_absolute_url()))


def _page_of(places: list[Ranked], player: int) -> int:
    """Return the page of the ranking on which the player stands."""
    return next((number // PLACES + 1 for number, place in enumerate(places) if place.player == player), 1)


def _incomplete(evening: Evening) -> list[tuple[Table, str]]:
    """Return the first tables of which something is still expected, and what."""
    tables = Table.objects.of_evenings([evening]).incomplete()[:LACKING]
    return [(table, missing(table, evening.season)) for table in tables]


def _watched(request: HttpRequest, evening: Evening, *, members: bool) -> str:
    """Where the page asks for what has changed since, of the same parts."""
    language, reader = get_language() or settings.LANGUAGE_CODE, request.user.pk if members else None
    watched = Watched(evening.pk, language, members, reader, evening.live_version)
    query = request.GET.urlencode()
    return reverse("league:live-evening", args=[fragments.token(watched)]) + (f"?{query}" if query else "")


def ranking_file(request: HttpRequest, pk: int, extension: str) -> HttpResponse:
    """The ranking as a file."""
    own_role = role_of(request.user, "season__club")
    evening: Any = seen(Evening.objects.with_season().annotate(own_role=own_role), request.user, pk=pk)
    name_people(request.user, evening.own_role)
    title = _("Ranking")
    rows = ranking_columns.written(evening, ranking(evening))
    return spreadsheet(rows, extension, title, f"{evening.season} {evening.date.isoformat()} {title}")


@login_required
@asked_and_posted
def plan_many(request: HttpRequest, pk: int) -> HttpResponse:
    """Evenings of a season by a pattern: their dates are shown, and those that stay ticked are planned."""
    season = recordable(Season.objects.with_club(), request.user, pk=pk)
    form = EveningsForm(request.POST if request.method == "POST" else None, club=season.club)
    dates = form.dates if form.is_valid() else []
    if dates and "plan" in request.POST:
        try:
            own = {name: form.cleaned_data[name] for name in ("begins_at", "place")}
            new = evenings.plan_many(season.pk, form.ticked, **own)
        except WrongState as refusal:
            form.add_error(None, str(refusal))
        else:
            said = ngettext("%(count)s evening is planned.", "%(count)s evenings are planned.", new)
            messages.success(request, said % {"count": new})
            return redirect(season)
    offered = _with_planned(season, form) if dates else []
    context = {
        **frame(season.club, request.user),
        "season": season,
        "form": form,
        "dates": offered,
        "past": any(each.past and not each.held for each in offered),
    }
    wrong = form.is_bound and not form.is_valid()
    return render(request, "league/evenings/plan_many.html", context, status=422 if wrong else 200)


class OfferedDate(NamedTuple):
    """A date of a season's plan; `held` if it has an evening already, else `ticked` unless the tick was taken out."""

    day: date
    held: bool
    ticked: bool
    past: bool


def _with_planned(season: Season, form: EveningsForm) -> list[OfferedDate]:
    """Return the dates of a valid form with those between them that have an evening, in order."""
    between = (form.cleaned_data["first"], form.cleaned_data["last"])
    held = set(season.evenings.not_cancelled().filter(date__range=between).values_list("date", flat=True))
    today = timezone.localdate(timezone=season.club.zone)
    days = sorted(held.union(form.dates))
    return [OfferedDate(day, day in held, day not in form.unticked, day < today) for day in days]


@login_required
@asked_and_posted
def plan(request: HttpRequest, pk: int) -> HttpResponse:
    """A new evening of a season."""
    season = recordable(Season.objects.with_club(), request.user, pk=pk)
    today = timezone.localdate(timezone=season.club.zone)
    form = NewEveningForm(request.POST or None, club=season.club, today=today)
    if request.method == "POST" and form.is_valid():
        try:
            evening, new = evenings.plan(season.pk, **form.cleaned_data)
        except WrongState as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("The evening is planned.") if new else _("This evening was planned already."))
            _tell_past(request, evening, today)
            return redirect(evening)
    context = {"form": form, "season": season, **frame(season.club, request.user)}
    return render(request, "league/evenings/evening_plan.html", context)


def _tell_past(request: HttpRequest, evening: Evening, today: date) -> None:
    """Warn of a date that is past: a year or a month is soon mistyped, and an old evening may be meant."""
    if evening.date < today:
        said = _("Its date, %(date)s, is past. If that is a slip, change it.")
        messages.warning(request, said % {"date": date_format(evening.date, "DATE_FORMAT")})


@login_required
@asked_and_posted
def edit(request: HttpRequest, pk: int) -> HttpResponse:
    """Change a planned evening, or the name of any."""
    evening = recordable(Evening.objects.with_season(), request.user, pk=pk)
    form = EveningForm(instance=evening)
    if request.method == "POST":
        with evenings.locked(pk) as now:
            form = EveningForm(request.POST, instance=now)
            if form.is_valid():
                evenings.change(now, form.changed_data)
        if form.is_valid():
            messages.success(request, _("The evening is changed."))
            if "date" in form.changed_data:
                _tell_past(request, form.instance, timezone.localdate(timezone=evening.season.club.zone))
            return redirect(evening)
    return render(request, "league/evenings/evening_edit.html", _page(request, evening, form=form))


@login_required
@require_POST
def open_evening(request: HttpRequest, pk: int) -> HttpResponse:
    """From now on its results can be recorded; if it is asked for, an evening of another day begins today."""
    evening = recordable(Evening.objects.with_season(), request.user, pk=pk)
    now = timezone.now()
    on = timezone.localdate(now, evening.season.club.zone) if "today" in request.POST else None
    return _step(request, evening, lambda: evenings.open(pk, now=now, earlier_date=on), _("The evening is open."))


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
    return render(request, "league/evenings/evening_reopen.html", _page(request, evening, form=form))


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
