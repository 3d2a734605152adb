"""Pages of an evening: planning, the evening's page, and its steps from planned to closed."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from functools import cache
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
from django.views.decorators.http import require_POST

from league.actions import evenings
from league.actions.refusals import WrongState
from league.clubs.queries.member_cards import UpcomingEvening, with_intentions
from league.evenings.forms.evenings import EveningForm, EveningSeriesForm, NewEveningForm
from league.evenings.queries.evening_page import RANKING_ROWS_PER_PAGE, EveningPage, evening_page
from league.evenings.queries.evening_ranking import RankingRow, find_player_row, ranking
from league.evenings.queries.evening_story import annotate_rank_gain, read_highlights, read_rank_gain
from league.evenings.queries.own_seats import own_seats
from league.evenings.queries.story_text import HighlightTexts, describe_highlights, title
from league.evenings.views.live import fragments, ranking_columns
from league.evenings.views.live.fragments import LiveTokenContent
from league.evenings.views.live.parts import render_evening_fragment
from league.evenings.views.live.screens import parse_selected_parts
from league.models import Evening, Season, Table
from league.models.club import role_expression
from league.models.evening import EveningState
from league.models.season import SeasonState
from league.seasons.queries.house_rules_history import differing_house_rules
from league.sheets.queries.missing_deals import missing_text
from league.web.action_messages import run_action
from league.web.exports import spreadsheet_response
from league.web.forms import ReasonForm
from league.web.http_methods import allow_get_and_post
from league.web.lookups import club_context, recordable_or_403, show_names_by_role, visible_or_404
from league.web.page_cache import cached_template, club_viewer_kind
from league.web.page_etags import conditional_club_page
from players.dates import date_format
from players.models import Player

MAX_INCOMPLETE_TABLES = 12  # tables named on the page; the list of sheets has all


@conditional_club_page(Evening, club="season__club")
def evening(request: HttpRequest, pk: int) -> HttpResponse:
    own_role = role_expression(request.user, "season__club")
    evening: Any = visible_or_404(Evening.objects.with_season().annotate(own_role=own_role), request.user, pk=pk)
    if evening.season.tournament_id is not None:
        return redirect("league:tournament-ranking", evening.season.tournament_id)
    club = club_context(evening.season.club, request.user, evening.own_role)
    kind = club_viewer_kind(request, club) if evening.state == EveningState.CLOSED else None

    @cache
    def context() -> dict[str, Any]:
        full_evening = annotate_rank_gain(Evening.objects.with_season().with_attendance_count()).get(pk=pk)
        return {**club, **_evening_context(request, full_evening, club)}

    parts = {
        "head": cached_template(request, "league/evenings/_evening_head.html", kind, context),
        "content": cached_template(request, "league/evenings/_evening_page.html", kind, context),
    }
    return render(request, "league/evenings/evening.html", {**club, "evening": evening, **parts})


def _evening_context(request: HttpRequest, evening: Any, club: Mapping[str, Any]) -> dict[str, Any]:
    now = timezone.now()
    player = getattr(request.user, "player", None)
    rows = ranking(evening)
    page = evening_page(evening, rows, parse_selected_parts(request.GET))
    fragment = render_evening_fragment(evening, page)
    own_row, own_is_shared = find_player_row(rows, player)
    is_planned = evening.state == EveningState.PLANNED
    shows_incomplete = club["can_record"] and evening.state == EveningState.OPEN and page.incomplete_table_count
    incomplete = Table.objects.in_evenings([evening]).incomplete()[:MAX_INCOMPLETE_TABLES] if shows_incomplete else []
    return {
        "evening": evening,
        "today": timezone.localdate(now, evening.season.club.zone),
        "final": evening.is_final(now),
        "rounds": page.rounds,
        "page": page,
        "shown": fragment,
        "story": _story(request, evening, rows, page) if evening.state == EveningState.CLOSED else None,
        "own_seats": own_seats([evening], player) if evening.state == EveningState.OPEN else [],
        "own": own_row,
        "own_is_shared": own_is_shared,
        "own_page": rows.index(own_row) // RANKING_ROWS_PER_PAGE + 1 if own_row else 1,
        "title": title(evening),
        "watch": None if fragment.is_over else _live_url(request, evening, members=bool(club["can_read"])),
        "present": evening.present,
        "upcoming": _upcoming_evening(evening, player) if is_planned else None,
        "may_answer": is_planned and evening.season.state != SeasonState.DRAFT and player and club["can_read"],
        "incomplete": [(table, missing_text(table, evening.season)) for table in incomplete],
        "others_incomplete": max(page.incomplete_table_count - MAX_INCOMPLETE_TABLES, 0) if shows_incomplete else 0,
        "catch_up": [summary for summary in page.rounds if summary.has_catch_up_game] if club["can_record"] else [],
        "differing_house_rules": differing_house_rules(evening),
    }


def _upcoming_evening(evening: Evening, player: Player | None) -> UpcomingEvening:
    annotated: Any = with_intentions(Evening.objects.filter(pk=evening.pk), player).get()
    return UpcomingEvening(evening, annotated.comes, annotated.coming or 0)


def _story(request: HttpRequest, evening: Evening, rows: list[RankingRow], page: EveningPage) -> HighlightTexts:
    story = read_highlights(evening, rows, sum(round_.writes for round_ in page.rounds))
    return describe_highlights(
        evening, rows, story, read_rank_gain(evening), request.build_absolute_uri(evening.get_absolute_url())
    )


def _live_url(request: HttpRequest, evening: Evening, *, members: bool) -> str:
    language, user_id = get_language() or settings.LANGUAGE_CODE, request.user.pk if members else None
    token_content = LiveTokenContent(evening.pk, language, members, user_id, evening.live_version)
    query = request.GET.urlencode()
    return reverse("league:live-evening", args=[fragments.sign_live_token(token_content)]) + (
        f"?{query}" if query else ""
    )


def ranking_file(request: HttpRequest, pk: int, extension: str) -> HttpResponse:
    own_role = role_expression(request.user, "season__club")
    evening: Any = visible_or_404(Evening.objects.with_season().annotate(own_role=own_role), request.user, pk=pk)
    show_names_by_role(request.user, evening.own_role)
    title = _("Ranking")
    rows = ranking_columns.ranking_cells(evening, ranking(evening))
    return spreadsheet_response(rows, extension, title, f"{evening.season} {evening.date.isoformat()} {title}")


@login_required
@allow_get_and_post
def plan_evenings(request: HttpRequest, pk: int) -> HttpResponse:
    season = recordable_or_403(Season.objects.with_club(), request.user, pk=pk)
    form = EveningSeriesForm(request.POST if request.method == "POST" else None, club=season.club)
    dates = form.dates if form.is_valid() else []
    if dates and "plan" in request.POST:
        try:
            defaults = {name: form.cleaned_data[name] for name in ("begins_at", "place")}
            new = evenings.plan_many(season.pk, form.selected_dates, **defaults)
        except WrongState as refusal:
            form.add_error(None, str(refusal))
        else:
            message = ngettext("%(count)s evening is planned.", "%(count)s evenings are planned.", new)
            messages.success(request, message % {"count": new})
            return redirect(season)
    offered = _offered_dates(season, form) if dates else []
    context = {
        **club_context(season.club, request.user),
        "season": season,
        "form": form,
        "dates": offered,
        "past": any(offer.past and not offer.is_planned for offer in offered),
    }
    wrong = form.is_bound and not form.is_valid()
    return render(request, "league/evenings/plan_many.html", context, status=422 if wrong else 200)


class OfferedDate(NamedTuple):
    """A date in the form that plans several evenings.

    `is_planned`: the season has an evening on this date. `ticked`: the checkbox is selected. `past`: the date is before
    today.
    """

    day: date
    is_planned: bool
    ticked: bool
    past: bool


def _offered_dates(season: Season, form: EveningSeriesForm) -> list[OfferedDate]:
    between = (form.cleaned_data["first"], form.cleaned_data["last"])
    dates = set(season.evenings.not_cancelled().filter(date__range=between).values_list("date", flat=True))
    today = timezone.localdate(timezone=season.club.zone)
    days = sorted(dates.union(form.dates))
    return [OfferedDate(day, day in dates, day not in form.deselected_dates, day < today) for day in days]


@login_required
@allow_get_and_post
def plan_evening(request: HttpRequest, pk: int) -> HttpResponse:
    season = recordable_or_403(Season.objects.with_club(), request.user, pk=pk)
    today = timezone.localdate(timezone=season.club.zone)
    form = NewEveningForm(request.POST or None, club=season.club, today=today)
    if request.method == "POST" and form.is_valid():
        try:
            evening, new = evenings.plan(season.pk, **form.cleaned_data)
        except WrongState as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("The evening is planned.") if new else _("This evening was planned already."))
            _warn_of_past_date(request, evening, today)
            return redirect(evening)
    context = {"form": form, "season": season, **club_context(season.club, request.user)}
    return render(request, "league/evenings/evening_plan.html", context, status=422 if form.errors else 200)


def _warn_of_past_date(request: HttpRequest, evening: Evening, today: date) -> None:
    """Warn if the date is past. The date is allowed, because old evenings can be planned too."""
    if evening.date < today:
        message = _("Its date, %(date)s, is past. If that is a slip, change it.")
        messages.warning(request, message % {"date": date_format(evening.date, "DATE_FORMAT")})


@login_required
@allow_get_and_post
def edit_evening(request: HttpRequest, pk: int) -> HttpResponse:
    evening = recordable_or_403(Evening.objects.with_season(), request.user, pk=pk)
    form = EveningForm(instance=evening)
    if request.method == "POST":
        with evenings.lock_evening(pk) as now:
            form = EveningForm(request.POST, instance=now)
            if form.is_valid():
                try:
                    evenings.change(now, form.changed_data)
                except WrongState as refusal:
                    form.add_error(None, str(refusal))
        if form.is_valid():
            messages.success(request, _("The evening is changed."))
            if "date" in form.changed_data:
                _warn_of_past_date(request, form.instance, timezone.localdate(timezone=evening.season.club.zone))
            return redirect(evening)
    context = _context(request, evening, form=form)
    return render(request, "league/evenings/evening_edit.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def open_evening(request: HttpRequest, pk: int) -> HttpResponse:
    evening = recordable_or_403(Evening.objects.with_season(), request.user, pk=pk)
    now = timezone.now()
    new_date = timezone.localdate(now, evening.season.club.zone) if "today" in request.POST else None
    run_action(request, lambda: evenings.open(pk, now=now, earlier_date=new_date), _("The evening is open."))
    return redirect(evening)


@login_required
@allow_get_and_post
def cancel_evening(request: HttpRequest, pk: int) -> HttpResponse:
    evening = recordable_or_403(Evening.objects.with_season(), request.user, pk=pk)
    if request.method == "POST":
        run_action(request, lambda: evenings.cancel(pk), _("The evening is cancelled."))
        return redirect(evening)
    return render(request, "league/evenings/evening_cancel.html", _context(request, evening))


@login_required
@allow_get_and_post
def reopen_evening(request: HttpRequest, pk: int) -> HttpResponse:
    evening = recordable_or_403(Evening.objects.with_season(), request.user, pk=pk)
    form = ReasonForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        now = timezone.now()
        message = _("The evening is open again. It counts once it is closed.")
        if evening.can_be_planned_again:
            message = _("The evening is planned again.")
        reason = form.cleaned_data["reason"]
        run_action(request, lambda: evenings.reopen(pk, now=now, reason=reason), message)
        return redirect(evening)
    context = _context(request, evening, form=form)
    return render(request, "league/evenings/evening_reopen.html", context, status=422 if form.errors else 200)


def _context(request: HttpRequest, evening: Evening, **extra: object) -> dict[str, object]:
    return {**club_context(evening.season.club, request.user), "evening": evening, **extra}
