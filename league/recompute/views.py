"""The pages about recompute runs. Admins of a club see the parts about their club, superusers see everything."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Page, Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.actions.pending_recomputes import mark_club
from league.models import Club, Run
from league.recompute.queries.run_leaderboards import LeaderboardKey, VisibleRun, rank_change_row
from league.recompute.work.rank_changes import RETENTION
from league.web.lookups import managed_or_403
from league.web.run_tables import RunsTable, run_duration
from league.web.second_factor import check_second_factor
from league.web.tables import paginate
from players.naming import Audience, show_names_to

PAGE_ROWS = 25
LEADERBOARDS_PER_PAGE = 10  # leaderboards of a run on a page


class RankChangeCounts(NamedTuple):
    leaderboards: int
    rank_changes: int


@login_required
def runs_page(request: HttpRequest, slug: str) -> HttpResponse:
    club = managed_or_403(Club.objects, request.user, slug=slug)
    table = RunsTable(Run.objects.for_club(club), club=club.pk)
    paginate(table, request, PAGE_ROWS)
    return render(request, "league/recompute/runs.html", {"club": club, "can_manage": True, "table": table})


@login_required
@require_POST
def request_run(request: HttpRequest, slug: str) -> HttpResponse:
    club = managed_or_403(Club.objects, request.user, slug=slug)
    mark_club(club, now=timezone.now())
    messages.success(request, _("Asked for. The run starts within a minute; look at this page again then."))
    return redirect("league:runs", club.slug)


@login_required
def run_page(request: HttpRequest, pk: int) -> HttpResponse:
    """Show reasons and first rank changes of each leaderboard of the run.

    With `board` in the query string, show all rank changes of this leaderboard.
    """
    viewed_run = get_object_or_404(Run, pk=pk)
    visible = VisibleRun(viewed_run, request.user)
    if not visible.is_visible:
        raise Http404
    for managed_club in visible.clubs:
        check_second_factor(request.user, managed_club)
    show_names_to(Audience.COMMITTEE)  # the viewer manages all of its clubs
    counts = visible.rank_change_counts()
    alone = next((key for key in counts if str(key) == request.GET.get("board")), None)
    page: Page[Any]
    if alone is None:
        page = Paginator(list(counts), LEADERBOARDS_PER_PAGE).get_page(request.GET.get("page"))
        boards = visible.leaderboards(list(page), counts)
    else:
        page = Paginator(visible.rank_changes_of(alone), PAGE_ROWS).get_page(request.GET.get("page"))
        boards = visible.leaderboards([alone], counts, {alone: [rank_change_row(change) for change in page]})
    club = visible.clubs[0] if visible.clubs else None
    context = {
        "run": viewed_run,
        "whole": visible.sees_everything,
        "boards": boards,
        "page": page,
        "alone": alone is not None,
        "standings": _rank_change_counts(counts, int),
        "ratings": _rank_change_counts(counts, str),
        "took": run_duration(viewed_run),
        "forgotten": viewed_run.started_at < timezone.now() - RETENTION,
        "club": club,
        "can_manage": True,
        "zone": club.time_zone if club else None,
    }
    return render(request, "league/recompute/run.html", context)


def _rank_change_counts(counts: Mapping[LeaderboardKey, int], kind: type) -> RankChangeCounts:
    some = [number for key, number in counts.items() if isinstance(key, kind)]
    return RankChangeCounts(len(some), sum(some))
