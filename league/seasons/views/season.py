"""A season: its standings, its evenings, and its opening."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.db.models import Exists, OuterRef, Subquery
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.actions import seasons
from league.actions.refusals import WrongState
from league.evenings.queries.evening_ranking import held
from league.models import Due, Evening, RulesDraft, Season
from league.models.club import role_of
from league.models.evening import NOT_OVER, EveningState
from league.models.season import SeasonState
from league.seasons.queries.honours import champions_of, with_champions
from league.seasons.queries.rules_summary import summary_of
from league.seasons.queries.season_history import history_of, with_history
from league.seasons.queries.season_standings import standings, standings_on
from league.seasons.tables import PastStandingTable, StandingTable
from league.web.board_filter import BoardFilter
from league.web.board_tags import board_of
from league.web.due_notice import due_at
from league.web.exports import shown_files, spreadsheet
from league.web.finding import frame, managed, name_people, seen
from league.web.tables import paged, sorted_as_asked

if TYPE_CHECKING:
    from collections.abc import Iterable

    from league.models.season import SeasonQuerySet
    from players.models.person import Reader

ROWS = 50
COMING = 3  # planned ones
EVENINGS = 10  # closed ones, with their winners; the others are a link away


@board_of(Season, club="club")
def season(request: HttpRequest, pk: int) -> HttpResponse:
    """Standings, and the evenings that they are made of."""
    season: Any = seen(_for_reader(request.user), request.user, pk=pk)
    framed = frame(season.club, request.user, season.own_role)
    player = getattr(request.user, "player", None)
    form = _filter(request, season)
    table = _table(season, form)
    table.own = player.pk if player else None
    paged(table, request, ROWS, own=table.own)
    evenings = _tonight_first(season.evenings.all())
    closed = [evening for evening in evenings if evening.state == EveningState.CLOSED]
    planned = [evening for evening in evenings if evening.state == EveningState.PLANNED]
    left_out = [] if request.GET.get("evenings") == "all" else [*planned[COMING:], *closed[EVENINGS:]]
    now = timezone.now()
    context = {
        **framed,
        "season": season,
        "rules": summary_of(season, evenings),
        "history": history_of(season),
        "drafts": season.has_drafts,
        "champions": champions_of(season),
        "table": table,
        "past": form,
        "files": shown_files(request, "season", season.pk),
        "due_notice": "" if form.day or season.state == SeasonState.CLOSED else due_at(season.due_at, now=now),
        "evenings": held([evening for evening in evenings if evening not in left_out]),
        "every": len(evenings) if left_out else 0,
        "provisional": [each for each in evenings if each.is_provisional(now)],
    }
    return render(request, "league/seasons/season.html", context, status=422 if form.errors else 200)


def _tonight_first(evenings: Iterable[Evening]) -> list[Evening]:
    """Return open evenings, then planned ones from the next on, then those that are over, the latest first."""
    latest = sorted(evenings, key=lambda evening: (evening.date, evening.pk), reverse=True)
    now = [evening for evening in latest if evening.state == EveningState.OPEN]
    coming = [evening for evening in reversed(latest) if evening.state == EveningState.PLANNED]
    return [*now, *coming, *(evening for evening in latest if evening.state not in NOT_OVER)]


def _for_reader(reader: Reader) -> SeasonQuerySet:
    """Return seasons with what the page says of them besides.

    The reader's role, drafts that he sees, what waits, the champions, and what was changed with a reason.
    """
    drafts = RulesDraft.objects.visible_to(reader).filter(season=OuterRef("pk"))
    waits = Due.objects.filter(season=OuterRef("pk")).order_by("not_before").values("not_before")[:1]
    rows: SeasonQuerySet = Season.objects.with_club().annotate(
        own_role=role_of(reader, "club"), has_drafts=Exists(drafts), due_at=Subquery(waits)
    )
    return with_history(with_champions(rows))


def standings_file(request: HttpRequest, pk: int, extension: str) -> HttpResponse:
    """The standings as a file: all rows of what the page shows at the same address."""
    own_role = role_of(request.user, "club")
    season: Any = seen(Season.objects.with_club().annotate(own_role=own_role), request.user, pk=pk)
    name_people(request.user, season.own_role)
    form = _filter(request, season)
    if form.errors:
        raise BadRequest
    table = _table(season, form)
    sorted_as_asked(table, request)
    title = _("Standings")
    return spreadsheet(table.as_values(), extension, title, f"{season.club} {season} {title} {form.day or ''}".strip())


def _table(season: Season, form: BoardFilter) -> StandingTable:
    if form.day:
        rows, found = standings_on(season, form.day), form.found
        if found is not None:
            players = set(found.filter(pk__in=[row.player_id for row in rows]).values_list("pk", flat=True))
            rows = [row for row in rows if row.player_id in players]
        return PastStandingTable(rows)
    rows_now = standings(season)
    return StandingTable(rows_now if form.found is None else rows_now.filter(player__in=form.found))


def _filter(request: HttpRequest, season: Season) -> BoardFilter:
    return BoardFilter(request.GET, today=timezone.localdate(timezone=season.club.zone))


@login_required
@require_POST
def open_season(request: HttpRequest, pk: int) -> HttpResponse:
    """Open a draft."""
    season = managed(Season.objects.with_club(), request.user, pk=pk)
    try:
        seasons.open(season.pk)
    except WrongState as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, _("The season is open: its evenings can be opened now."))
    return redirect(season)
