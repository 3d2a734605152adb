"""Pages of a season's teams: their ranking, the results of a team, and the forms for admins."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.actions import teams as team_actions
from league.actions.refusals import WrongState
from league.models import Season, Team
from league.seasons.forms.teams import PLAYER_FIELD_NAMES, TeamForm
from league.seasons.queries.team_standings import team_standings
from league.web.action_messages import run_action
from league.web.http_methods import allow_get_and_post
from league.web.lookups import club_context, managed_or_403, visible_or_404


def teams(request: HttpRequest, pk: int) -> HttpResponse:
    season = visible_or_404(Season.objects.with_club(), request.user, pk=pk)
    context = {**club_context(season.club, request.user), "season": season, "rows": team_standings(season)}
    return render(request, "league/seasons/teams.html", context)


def team(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the results of a team's members on each evening, and which of them count for the team."""
    team = visible_or_404(Team.objects.with_season(), request.user, pk=pk)
    season = team.season
    framed = club_context(season.club, request.user)
    rows = team_standings(season)
    row = next(row for row in rows if row.team == team)
    evenings = season.evenings.in_bulk([evening.evening for evening in row.evenings])
    by_date = sorted(row.evenings, key=lambda result: (evenings[result.evening].date, result.evening))
    members = [member.player for member in row.team.members.all()]
    results = [
        (
            evenings[result.evening],
            [(result.values.get(player.pk), player.pk in result.counted) for player in members],
            result.total,
        )
        for result in by_date
    ]
    context = {
        **framed,
        "season": season,
        "team": team,
        "row": row,
        "members": members,
        "members_with_results": {player for evening in row.evenings for player in evening.values},
        "results": results,
    }
    return render(request, "league/seasons/team.html", context)


@login_required
@allow_get_and_post
def add_team(request: HttpRequest, pk: int) -> HttpResponse:
    season = managed_or_403(Season.objects.with_club(), request.user, pk=pk)
    return _edit_team_page(request, season, None)


@login_required
@allow_get_and_post
def edit_team(request: HttpRequest, pk: int) -> HttpResponse:
    team = managed_or_403(Team.objects.with_season().with_members(), request.user, pk=pk)
    return _edit_team_page(request, team.season, team)


def _edit_team_page(request: HttpRequest, season: Season, team: Team | None) -> HttpResponse:
    form = TeamForm(request.POST if request.method == "POST" else None, season=season, team=team)
    if form.is_valid() and _store_team(form, season, team):
        messages.success(request, _("The team is saved."))
        return redirect("league:teams", season.pk)
    context = {**club_context(season.club, request.user), "season": season, "team": team, "form": form}
    return render(request, "league/seasons/team_edit.html", context, status=422 if form.errors else 200)


def _store_team(form: TeamForm, season: Season, team: Team | None) -> bool:
    players = [player.pk for player in form.players]
    try:
        team_actions.store_team(season.pk, form.cleaned_data["name"], players, team_id=team.pk if team else None)
    except WrongState as refusal:
        form.add_error(None, str(refusal))
    except team_actions.TeamNameTaken:
        form.add_error("name", _("The season has a team of that name already."))
    except team_actions.PlayerInOtherTeam as refusal:
        field_name = next(
            name for name in PLAYER_FIELD_NAMES if getattr(form.cleaned_data[name], "pk", None) == refusal.player
        )
        form.add_error(field_name, _("This player is in another team."))
    return not form.errors


@login_required
@require_POST
def delete_team(request: HttpRequest, pk: int) -> HttpResponse:
    team = managed_or_403(Team.objects.with_season(), request.user, pk=pk)
    run_action(request, lambda: team_actions.delete_team(team.season_id, pk), _("The team is deleted."))
    return redirect("league:teams", team.season_id)
