from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.db.models import Exists, OuterRef, Subquery
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.actions import seasons
from league.evenings.queries.evening_ranking import evenings_with_winners
from league.models import Evening, PendingRecompute, RulesDraft, Season
from league.models.club import role_expression
from league.models.evening import UNFINISHED_STATES, EveningState
from league.models.season import SeasonQuerySet, SeasonState
from league.seasons.queries.honours import champions_of, with_champions
from league.seasons.queries.rules_summary import rules_or_default, season_rules_sentence
from league.seasons.queries.rules_warnings import absence_warnings
from league.seasons.queries.season_history import history_of, with_history
from league.seasons.queries.season_race import with_standings_digest
from league.seasons.queries.season_results import matrix_evenings
from league.seasons.queries.season_standings import standings_on, stored_standings
from league.seasons.tables import MAX_RECENT_EVENINGS, PastStandingTable, StandingTable
from league.seasons.views.race_panel import race_panel
from league.web.action_messages import run_action
from league.web.board_filter import NameAndDateFilter
from league.web.exports import export_addresses, spreadsheet_response
from league.web.lookups import club_context, managed_or_403, show_names_by_role, visible_or_404
from league.web.page_cache import cached_template, club_viewer_kind
from league.web.page_etags import conditional_club_page
from league.web.printing import render_for_paper
from league.web.recompute_notice import recompute_time_text
from league.web.tables import paginate, sort_by_request
from players.models.person import Viewer

ROWS_PER_PAGE = 50
MAX_PLANNED_EVENINGS = 3  # planned evenings on the page
MAX_CLOSED_EVENINGS = 10  # closed evenings on the page; a link shows all


@conditional_club_page(Season, club="club")
def season(request: HttpRequest, pk: int) -> HttpResponse:
    own_role = role_expression(request.user, "club")
    season: Any = visible_or_404(Season.objects.with_club().annotate(own_role=own_role), request.user, pk=pk)
    if season.tournament_id is not None:
        return redirect(season)
    context = club_context(season.club, request.user, season.own_role) | {"season": season}
    form = _name_and_date_filter(request, season)

    def rows() -> dict[str, Any]:
        full_season = _seasons_with_history_and_champions(request.user).get(pk=pk)
        return context | {"season": full_season} | _season_context(request, full_season, form)

    content = cached_template(request, "league/seasons/_season.html", club_viewer_kind(request, context), rows)
    return render(
        request, "league/seasons/season.html", context | {"content": content}, status=422 if form.errors else 200
    )


def _season_context(request: HttpRequest, season: Any, form: NameAndDateFilter) -> dict[str, Any]:
    evenings = _sort_open_evenings_first(season.evenings.all())
    columns = matrix_evenings(evenings, form.day)
    closed = [evening for evening in evenings if evening.state == EveningState.CLOSED]
    planned_evenings = [evening for evening in evenings if evening.state == EveningState.PLANNED]
    hidden = (
        []
        if request.GET.get("evenings") == "all"
        else [*planned_evenings[MAX_PLANNED_EVENINGS:], *closed[MAX_CLOSED_EVENINGS:]]
    )
    listed_evenings = [evening for evening in evenings if evening not in hidden]
    last_columns = [evening for evening in columns[-MAX_RECENT_EVENINGS:] if evening in hidden]
    with_winners = {row.evening: row for row in evenings_with_winners([*listed_evenings, *last_columns])}
    winners = {evening.pk: {winner.player for winner in row.winners} for evening, row in with_winners.items()}
    table = _standings_table(season, form, columns, winners)
    paginate(table, request, ROWS_PER_PAGE)
    now = timezone.now()
    return {
        "rules": season_rules_sentence(season, evenings),
        "rules_doubts": list(
            absence_warnings(
                rules_or_default(season.standings_rules), season.planned_evenings, low_wins=season.low_wins
            )
        ),
        "history": history_of(season),
        "drafts": season.has_drafts,
        "champions": champions_of(season),
        "table": table,
        "past": form,
        "files": export_addresses(request, "season", season.pk),
        "race": None if form.is_narrowed else race_panel(season, table.headings, table.own),
        "recompute_notice": ""
        if form.day or season.state == SeasonState.CLOSED
        else recompute_time_text(season.due_at, now=now),
        "evenings": [with_winners[evening] for evening in listed_evenings],
        "every": len(evenings) if hidden else 0,
        "provisional": [evening for evening in evenings if evening.is_provisional(now)],
    }


def _sort_open_evenings_first(evenings: Iterable[Evening]) -> list[Evening]:
    latest = sorted(evenings, key=lambda evening: (evening.date, evening.pk), reverse=True)
    open_evenings = [evening for evening in latest if evening.state == EveningState.OPEN]
    planned_evenings = [evening for evening in reversed(latest) if evening.state == EveningState.PLANNED]
    return [
        *open_evenings,
        *planned_evenings,
        *(evening for evening in latest if evening.state not in UNFINISHED_STATES),
    ]


def _seasons_with_history_and_champions(viewer: Viewer) -> SeasonQuerySet:
    drafts = RulesDraft.objects.visible_to(viewer).filter(season=OuterRef("pk"))
    waits = PendingRecompute.objects.filter(season=OuterRef("pk")).order_by("not_before").values("not_before")[:1]
    rows: SeasonQuerySet = Season.objects.with_club().annotate(has_drafts=Exists(drafts), due_at=Subquery(waits))
    return with_standings_digest(with_history(with_champions(rows)))


def standings_file(request: HttpRequest, pk: int, extension: str) -> HttpResponse:
    own_role = role_expression(request.user, "club")
    season: Any = visible_or_404(Season.objects.with_club().annotate(own_role=own_role), request.user, pk=pk)
    show_names_by_role(request.user, season.own_role)
    form = _name_and_date_filter(request, season)
    if form.errors:
        raise BadRequest
    table = _standings_table(season, form, matrix_evenings(season.evenings.all(), form.day))
    sort_by_request(table, request)
    title = _("Standings")
    return spreadsheet_response(
        table.file_rows(), extension, title, f"{season.club} {season} {title} {form.day or ''}".strip()
    )


def standings_for_paper(request: HttpRequest, pk: int) -> HttpResponse:
    season: Any = visible_or_404(Season.objects.with_club(), request.user, pk=pk)

    def context() -> dict[str, object]:
        form = _name_and_date_filter(request, season)
        if form.errors:
            raise BadRequest
        evenings = list(season.evenings.all())
        table = _standings_table(season, form, matrix_evenings(evenings, form.day))
        sort_by_request(table, request)
        day = form.day or timezone.localdate(timezone=season.club.zone)
        return {"season": season, "table": table, "rules": season_rules_sentence(season, evenings), "day": day}

    return render_for_paper(request, season.club, "league/seasons/standings_paper.html", context, in_hall=True)


def _standings_table(
    season: Season,
    form: NameAndDateFilter,
    evenings: Sequence[Evening],
    winners: Mapping[int, Collection[int]] | None = None,
) -> StandingTable:
    matrix: Any = {"season": season, "matrix_evenings": evenings, "winners": winners}
    if form.day:
        rows = standings_on(season, form.day)
        if form.matching_players is not None:
            matching = form.matching_players.filter(pk__in=[row.player_id for row in rows])
            players = set(matching.values_list("pk", flat=True))
            rows = [row for row in rows if row.player_id in players]
        return PastStandingTable(rows, **matrix)
    rows_now = stored_standings(season, with_results=True)
    matching_players = form.matching_players
    rows_now = rows_now if matching_players is None else rows_now.filter(player__in=matching_players)
    return StandingTable(rows_now, **matrix)


def _name_and_date_filter(request: HttpRequest, season: Season) -> NameAndDateFilter:
    return NameAndDateFilter(request.GET, today=timezone.localdate(timezone=season.club.zone))


@login_required
@require_POST
def open_season(request: HttpRequest, pk: int) -> HttpResponse:
    season = managed_or_403(Season.objects.with_club(), request.user, pk=pk)
    run_action(request, lambda: seasons.open(season.pk), _("The season is open: its evenings can be opened now."))
    return redirect(season)
