"""A season's teams of two or four players."""

from __future__ import annotations

from collections.abc import Collection

from django.db import transaction

from league.actions import audit
from league.actions.seasons import lock_editable_season
from league.models import Team, TeamMember
from league.models.audit_entry import AuditEvent
from league.models.team import TEAM_SIZES


class WrongTeamSize(ValueError):
    """The number of players is wrong: a team has two or four."""


class TeamNameTaken(ValueError):
    """The season has another team of that name."""


class PlayerInOtherTeam(ValueError):
    """A player is in another team of the season; `player` is the id."""

    def __init__(self, player: int) -> None:
        super().__init__(player)
        self.player = player


@transaction.atomic
def store_team(season_id: int, name: str, players: Collection[int], *, team_id: int | None = None) -> Team:
    """Create the team, or change the team of that id.

    Raise WrongState in a closed season, WrongTeamSize, TeamNameTaken or PlayerInOtherTeam.
    """
    season = lock_editable_season(season_id)
    if len(set(players)) not in TEAM_SIZES or len(set(players)) != len(players):
        raise WrongTeamSize
    this_team = [] if team_id is None else [team_id]
    if season.teams.filter(name=name).exclude(pk__in=this_team).exists():
        raise TeamNameTaken
    member = TeamMember.objects.filter(season=season, player__in=players).exclude(team__in=this_team).first()
    if member is not None:
        raise PlayerInOtherTeam(member.player_id)
    team = Team(season=season) if team_id is None else season.teams.get(pk=team_id)
    team.name = name
    team.save()
    team.members.exclude(player__in=players).delete()
    present = set(team.members.values_list("player_id", flat=True))
    TeamMember.objects.bulk_create(
        TeamMember(team=team, season=season, player_id=player) for player in players if player not in present
    )
    audit.log(AuditEvent.TEAM_STORED, season)
    return team


@transaction.atomic
def delete_team(season_id: int, team_id: int) -> None:
    """Delete a team if it exists. Raise WrongState in a closed season."""
    season = lock_editable_season(season_id)
    if season.teams.filter(pk=team_id).delete()[0]:
        audit.log(AuditEvent.TEAM_DELETED, season)
