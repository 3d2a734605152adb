from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from league.actions import imports
from league.actions.refusals import WrongState
from league.actions.result_import import AnswersMissing, remember_columns
from league.imports.forms.results import ColumnsForm, ResultListForm, make_columns_form
from league.imports.queries.import_plan import ImportPlan, TableOutcome
from league.imports.queries.list_file import MAX_UPLOADED
from league.imports.views.deal_file import deal_rows
from league.imports.views.preview import ImportPreview, outcome_rows
from league.imports.work.list_kinds import DealsList, ListKind, TotalsList
from league.imports.work.progress import stored_progress
from league.models import Club, Evening, Job, Season
from league.models.club import rights_with_role, role_expression
from league.models.rights import Right
from league.seasons.queries.season_game import game_of_season
from league.web.exports import spreadsheet_response
from league.web.list_form import answers_by_line
from league.web.lookups import club_context, managed_or_403, show_names_by_role, visible_or_404
from league.web.request_body import accept_file
from league.web.second_factor import lacks_second_factor
from players.models import User
from players.naming import Audience, show_names_to

MAX_IMMEDIATE_LINES: Final = 500  # lines; a worker imports a longer list
NOTHING_IMPORTED_MESSAGE = _("Nothing was imported yet: some lines ask who is meant.")


@login_required
@accept_file(MAX_UPLOADED)
def import_totals(request: HttpRequest, pk: int) -> HttpResponse:
    season = managed_or_403(Season.objects.without_tournaments().with_club(), request.user, pk=pk)
    return _import_page(request, season, TotalsList(season), {"has_deals": game_of_season(season).has_deals})


@login_required
@accept_file(MAX_UPLOADED)
def import_deals(request: HttpRequest, pk: int) -> HttpResponse:
    season = managed_or_403(Season.objects.without_tournaments().with_club(), request.user, pk=pk)
    if not game_of_season(season).has_deals:
        raise Http404
    kind = DealsList(season)
    codes = [kind.game.row.legend(seats) for seats in sorted(kind.playing)]
    legend = dict.fromkeys(line for lines in codes for line in lines)
    return _import_page(
        request, season, kind, {"by_deals": True, "game": kind.game, "legend": [gettext(line) for line in legend]}
    )


def _import_page(
    request: HttpRequest, season: Season, kind: ListKind, extra_context: Mapping[str, object]
) -> HttpResponse:
    form = ResultListForm(request.POST, request.FILES) if request.method == "POST" else ResultListForm()
    columns: ColumnsForm | None = None
    plan: ImportPlan | None = None
    accept_other_points = "as_counted" in request.POST
    today = timezone.localdate(timezone=season.club.zone)
    if request.method == "POST" and form.is_valid():
        columns = _make_columns_form(request, season.club, form, kind)
        if columns.is_valid():
            _remember_columns(season.club, form, columns, kind)
            answers, selection = answers_by_line(request.POST), columns.chosen_columns
            if "store" not in request.POST:
                plan = kind.plan(form.rows, selection, answers, today, accept_other_points=accept_other_points)
            else:
                try:
                    if len(form.rows) > MAX_IMMEDIATE_LINES:
                        plan = kind.plan(form.rows, selection, answers, today, accept_other_points=accept_other_points)
                        if plan.with_outcome(TableOutcome.UNANSWERED):
                            raise AnswersMissing(plan)
                        job = _enqueue_import(
                            request, season, kind, form, columns, answers, accept_other_points=accept_other_points
                        )
                        return redirect("league:results-import", job.pk)
                    imported = kind.import_rows(
                        form.rows, selection, answers, timezone.now(), accept_other_points=accept_other_points
                    )
                except AnswersMissing as unanswered:
                    plan = unanswered.plan
                    messages.error(request, NOTHING_IMPORTED_MESSAGE)
                except WrongState as refused:
                    messages.error(request, str(refused))
                else:
                    messages.success(request, _summary_text(**imported.summary()))
                    return redirect("league:season", season.pk)
    if plan and "fates" in request.POST:
        return spreadsheet_response(outcome_rows(plan), "csv", "", f"{season} {gettext('What becomes of each table')}")
    context = {
        **extra_context,
        "club": season.club,
        "can_manage": True,
        "season": season,
        "form": form,
        "columns": columns,
        "head": "\t".join(form.rows[0][1]) if columns else "",
        "plan": plan,
        "preview": ImportPreview.from_plan(plan) if plan else None,
        "counts": {outcome.value: len(plan.with_outcome(outcome)) for outcome in TableOutcome} if plan else {},
        "comes_in": bool(plan and (plan.with_outcome(TableOutcome.NEW) or plan.with_outcome(TableOutcome.UNANSWERED))),
        "differs": bool(plan and any(deal.differences for table in plan.tables for deal in table.parsed_deals)),
        "accept_other_points": accept_other_points,
        "waiting": imports.open_import_jobs(season),
    }
    wrong = form.errors or (columns is not None and columns.errors)
    return render(request, "league/imports/import_results.html", context, status=422 if wrong else 200)


def export_deals(request: HttpRequest, pk: int, extension: str) -> HttpResponse:
    """Export the deals of an evening as a spreadsheet. Users who may record results get complete names."""
    own_role = role_expression(request.user, "season__club")
    evening: Any = visible_or_404(Evening.objects.with_season().annotate(own_role=own_role), request.user, pk=pk)
    show_names_by_role(request.user, evening.own_role)
    rights = rights_with_role(request.user, evening.own_role)
    if Right.RECORD in rights and not lacks_second_factor(request.user, evening.season.club, rights):
        show_names_to(Audience.COMMITTEE)
    title = _("Deals")
    return spreadsheet_response(
        deal_rows(evening), extension, str(title), f"{evening.season} {evening.date.isoformat()} {title}"
    )


@login_required
def result_import_progress(request: HttpRequest, pk: int) -> HttpResponse:
    job = get_object_or_404(Job, kind=imports.RESULTS_JOB_KIND, pk=pk)
    season = managed_or_403(Season.objects.with_club(), request.user, pk=imports.season_id_of(job))
    result = job.result
    context = {
        **club_context(season.club, request.user),
        "season": season,
        "job": job,
        "progress": stored_progress(job.pk),
        "summary": _summary_text(result["new"], result["same"], result["left_out"]) if "new" in result else "",
    }
    return render(request, "league/imports/result_import.html", context)


def _enqueue_import(
    request: HttpRequest,
    season: Season,
    kind: ListKind,
    form: ResultListForm,
    columns: ColumnsForm,
    answers: Mapping[int, str],
    *,
    accept_other_points: bool,
) -> Job:
    assert isinstance(request.user, User)  # login_required
    return imports.request_result_import(
        season,
        user=request.user,
        deals=isinstance(kind, DealsList),
        text=form.data["text"],
        columns=columns.chosen_columns.as_form_data(),
        answers=answers,
        accept_other_points=accept_other_points,
        now=timezone.now(),
    )


def _make_columns_form(request: HttpRequest, club: Club, form: ResultListForm, kind: ListKind) -> ColumnsForm:
    if request.POST.get("head") == "\t".join(form.rows[0][1]):
        return make_columns_form(kind, request.POST, form.rows)
    remembered = club.list_columns.filter(kind=kind.name).values_list("columns", flat=True).first()
    return make_columns_form(kind, kind.guess_columns(form.rows, remembered or {}), form.rows)


def _remember_columns(club: Club, form: ResultListForm, columns: ColumnsForm, kind: ListKind) -> None:
    head = form.rows[0][1]
    meanings = dict.fromkeys(head, "") | {
        head[index]: meaning for index, meaning in columns.chosen_columns.meanings.items()
    }
    remember_columns(club, kind.name, meanings)


def _summary_text(new: int, same: int, left_out: int) -> str:
    sentences = [ngettext("%(count)s table came in.", "%(count)s tables came in.", new) % {"count": new}]
    if same:
        sentences.append(
            ngettext("%(count)s was there already.", "%(count)s were there already.", same) % {"count": same}
        )
    if left_out:
        sentences.append(
            ngettext("%(count)s was left out.", "%(count)s were left out.", left_out) % {"count": left_out}
        )
    return " ".join(sentences)
