"""What the nights did: each club's admin sees the club's part, the installation's admin all of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Page, Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.actions.runs import ask_for_club
from league.models import Club, Run
from league.recompute.queries.run_boards import Key, Sight, move
from league.recompute.work.movements import KEPT
from league.web.finding import managed
from league.web.run_tables import RunsTable, duration
from league.web.second_factor import check_second_factor
from league.web.tables import paged
from players.naming import Audience, show_names_to

PAGE = 25
BOARDS = 10  # of a run on a page


class Counted(NamedTuple):
    """How many boards of a kind a run was about, and how many rows moved on them."""

    boards: int
    moved: int


@login_required
def runs(request: HttpRequest, slug: str) -> HttpResponse:
    """The runs that computed one of the club's seasons."""
    club = managed(Club.objects, request.user, slug=slug)
    table = RunsTable(Run.objects.of_club(club), club=club.pk)
    paged(table, request, PAGE)
    return render(request, "league/recompute/runs.html", {"club": club, "can_manage": True, "table": table})


@login_required
@require_POST
def start(request: HttpRequest, slug: str) -> HttpResponse:
    """Have the club's standings and ratings computed now."""
    club = managed(Club.objects, request.user, slug=slug)
    ask_for_club(club, now=timezone.now())
    messages.success(request, _("Asked for. The run starts within a minute; look at this page again then."))
    return redirect("league:runs", club.slug)


@login_required
def run(request: HttpRequest, pk: int) -> HttpResponse:
    """What one run did: what was due for each board beside who moved there; or everyone who moved on one board."""
    found = get_object_or_404(Run, pk=pk)
    sight = Sight(found, request.user)
    if not sight.anything:
        raise Http404
    for own in sight.clubs:
        check_second_factor(request.user, own)
    show_names_to(Audience.WORK)  # all of it is about clubs that the reader runs
    moved = sight.moved()
    alone = next((key for key in moved if str(key) == request.GET.get("board")), None)
    page: Page[Any]
    if alone is None:
        page = Paginator(list(moved), BOARDS).get_page(request.GET.get("page"))
        boards = sight.boards(list(page), moved)
    else:
        page = Paginator(sight.movements_on(alone), PAGE).get_page(request.GET.get("page"))
        boards = [replace(board, moves=[move(each) for each in page]) for board in sight.boards([alone], moved)]
    club = sight.clubs[0] if sight.clubs else None
    context = {
        "run": found,
        "whole": sight.whole,
        "boards": boards,
        "page": page,
        "alone": alone is not None,
        "standings": _counted(moved, int),
        "ratings": _counted(moved, str),
        "took": duration(found),
        "forgotten": found.started_at < timezone.now() - KEPT,
        "club": club,
        "can_manage": True,
        "zone": club.time_zone if club else None,
    }
    return render(request, "league/recompute/run.html", context)


def _counted(moved: Mapping[Key, int], kind: type) -> Counted:
    some = [number for key, number in moved.items() if isinstance(key, kind)]
    return Counted(len(some), sum(some))
