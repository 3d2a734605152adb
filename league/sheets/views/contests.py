"""Contests: players' objections to deals, and the answers of secretaries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from league.actions import contests as contests_actions
from league.actions.refusals import WrongState
from league.models import Club, Contest, Deal, Evening
from league.sheets.forms.contests import AnswerForm, ContestForm
from league.sheets.queries.score_sheet import deal_summary
from league.web.htmx import HtmxRequest
from league.web.lookups import club_context, recordable_or_403, visible_or_404
from players.models.person import Viewer


def may_contest(deal: Deal, contests: Sequence[Contest], user: Viewer) -> bool:
    """Return whether the user may contest the deal now. `contests` are all contests of the deal."""
    in_time = deal.voided_at is None and deal.table.round.evening.is_contestable(timezone.now())
    has_open_contest = any(contest.answered_at is None and contest.player.user_id == user.pk for contest in contests)
    return in_time and not has_open_contest and Deal.objects.contestable_by(user).filter(pk=deal.pk).exists()


@login_required
def contests(request: HtmxRequest, pk: int) -> HttpResponse:
    evening = visible_or_404(Evening.objects.with_season(), request.user, pk=pk)
    club = club_context(evening.season.club, request.user)
    contests = Contest.objects.in_evening(evening).with_deal()
    may_answer = club["can_record"] and not club["lacks_second_factor"]
    if not may_answer:
        contests = contests.raised_by(request.user)
    return _render_list(request, contests, {**club, "evening": evening, "can_record": may_answer})


@login_required
def open_contests(request: HtmxRequest, slug: str) -> HttpResponse:
    club = recordable_or_403(Club.objects, request.user, slug=slug)
    contests = Contest.objects.unanswered().filter(deal__table__round__evening__season__club=club).with_deal()
    return _render_list(
        request, contests.select_related("deal__table__round__evening__season"), club_context(club, request.user)
    )


def _render_list(request: HtmxRequest, contests: QuerySet[Contest], context: Mapping[str, object]) -> HttpResponse:
    part = bool(request.htmx)
    template = "league/sheets/_contests.html" if part else "league/sheets/contests.html"
    return render(request, template, {**context, "contests": list(contests), "part": part})


@login_required
def contest_deal(request: HtmxRequest, pk: int) -> HttpResponse:
    deal = visible_or_404(Deal.objects.with_table(), request.user, pk=pk)
    if not Deal.objects.contestable_by(request.user).filter(pk=pk).exists():
        raise PermissionDenied
    form = ContestForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        assert request.user.is_authenticated  # login_required
        player_id, reason = request.user.player.pk, form.cleaned_data["reason"]
        try:
            raised = contests_actions.record_contest(pk, player_id=player_id, reason=reason, now=timezone.now())
        except WrongState as refusal:
            form.add_error(None, str(refusal))
        else:
            is_duplicate = raised.reason != reason
            repeated = _("You have contested this deal already; it waits for an answer.")
            messages.success(
                request, repeated if is_duplicate else _("The deal is contested. You find the answer on this page.")
            )
            return redirect(deal)
    return _render(request, "league/sheets/deal_contest.html", deal, form)


@login_required
def answer_contest(request: HtmxRequest, pk: int) -> HttpResponse:
    contest = get_object_or_404(Contest.objects.with_deal(), pk=pk)
    deal = recordable_or_403(Deal.objects.with_table(), request.user, pk=contest.deal_id)
    form = AnswerForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        assert request.user.is_authenticated  # login_required
        try:
            contests_actions.answer_contest(pk, answer=form.cleaned_data["answer"], by=request.user, now=timezone.now())
        except WrongState as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("The contest is answered."))
            return redirect(deal)
    return _render(request, "league/sheets/contest_answer.html", deal, form, contest=contest)


def _render(
    request: HtmxRequest, template: str, deal: Deal, form: ContestForm | AnswerForm, **extra: object
) -> HttpResponse:
    evening = deal.table.round.evening
    context = {
        **club_context(evening.season.club, request.user),
        "evening": evening,
        "deal": deal,
        "table": deal.table,
        "summary": deal_summary(deal.table, deal, list(deal.table.seats.select_related("player"))),
        "form": form,
        "contestable": evening.is_contestable(timezone.now()),
        **extra,
    }
    return render(request, template, context, status=422 if form.errors else 200)
