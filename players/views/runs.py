"""What the nights did: each club's admin sees the club's part, the installation's admin all of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from league.models import Club
from league.tables import paged
from league.views.finding import managed
from players.asking import ask_for_club
from players.models import Run
from players.tables import RunsTable, duration

if TYPE_CHECKING:
    from league.models.club import Reader

PAGE = 25
WHY = {
    "closed": gettext_lazy("an evening was closed"),
    "reopened": gettext_lazy("an evening was opened again"),
    "recorded": gettext_lazy("a deal was recorded late"),
    "revised": gettext_lazy("a deal was revised"),
    "voided": gettext_lazy("a deal was voided"),
    "totals": gettext_lazy("totals were recorded"),
    "finished": gettext_lazy("a table was completed or reopened by hand"),
    "seats": gettext_lazy("players of a table were changed"),
    "rules changed": gettext_lazy("the season's rules were changed"),
    "rating rules": gettext_lazy("the game's rating rules were changed"),
    "merged": gettext_lazy("two records of one person were joined"),
    "button": gettext_lazy("an admin asked for it"),
}


class Reason(NamedTuple):
    """Why a season, or a game from a date on, was due, and how often it was marked so."""

    what: str
    why: str
    times: int


@dataclass(frozen=True)
class Part:
    """As much of a run as the reader may see. Rows are dictionaries as the run keeps them; `games` name all clubs'."""

    due: list[Reason]
    seasons: list[dict[str, Any]]
    games: list[dict[str, Any]]
    whole: bool


@login_required
def runs(request: HttpRequest, slug: str) -> HttpResponse:
    """The runs that computed one of the club's seasons."""
    club = managed(Club.objects, request.user, slug=slug)
    table = RunsTable(Run.objects.of_club(club), club=club.pk)
    paged(table, request, PAGE)
    return render(request, "players/runs.html", {"club": club, "can_manage": True, "table": table})


@login_required
@require_POST
def start(request: HttpRequest, slug: str) -> HttpResponse:
    """Have the club's standings and ratings computed now."""
    club = managed(Club.objects, request.user, slug=slug)
    ask_for_club(club, now=timezone.now())
    messages.success(request, _("Asked for. The run starts within a minute; look at this page again then."))
    return redirect("players:runs", club.slug)


@login_required
def run(request: HttpRequest, pk: int) -> HttpResponse:
    """What one run did, and how long it took."""
    found = get_object_or_404(Run, pk=pk)
    part = part_of(found, request.user)
    club = Club.objects.managed_by(request.user).filter(pk__in={row["club"] for row in part.seasons}).first()
    context = {
        "run": found,
        "part": part,
        "took": duration(found),
        "club": None if part.whole else club,
        "can_manage": True,
        "zone": club.time_zone if club else None,
    }
    return render(request, "players/run.html", context)


def part_of(found: Run, user: Reader) -> Part:
    """What the reader may see of a run; 404 without a season of a club that he manages."""
    if user.is_superuser:
        return Part(reasons(found.due), found.seasons, found.games, whole=True)
    own = set(Club.objects.managed_by(user).values_list("pk", flat=True))
    seasons = [row for row in found.seasons if row["club"] in own]
    if not seasons:
        raise Http404
    return Part(reasons([row for row in found.due if row["club"] in own]), seasons, [], whole=False)


def reasons(due: list[dict[str, Any]]) -> list[Reason]:
    """What was due, each reason once; a date belongs to a game, whose ratings are due from then on."""
    counted = Counter((_what(row), str(WHY.get(row["why"], row["why"]))) for row in due)
    return [Reason(what, why, times) for (what, why), times in counted.items()]


def _what(row: dict[str, Any]) -> str:
    return str(row["name"] or " ".join(filter(None, (row["game"], row["date"]))))
