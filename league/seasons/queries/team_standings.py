"""The ranking of a season's teams, from the stored standings of their members.

On each evening the best `team_best` results of the members count (or all results); the total is the sum over all
evenings. A result also counts for the team if it is dropped in the member's own standing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import NamedTuple

from league.models import Season, Standing, Team
from league.standings.best_results import sum_of_best
from league.standings.season import ExactNumber
from league.standings.season_ranking import shared_ranks

WorthsByPlayer = Mapping[int, Mapping[int, ExactNumber]]  # worth of evenings, by player id and evening id


class TeamEvening(NamedTuple):
    """A team's result of an evening: the results of its members by player id, and the ids of the members who count.

    `evening` is an id.
    """

    evening: int
    values: dict[int, ExactNumber]
    counted: frozenset[int]
    total: ExactNumber


class TeamRow(NamedTuple):
    """A row in the ranking of teams. A team without an evening has no rank.

    In `total`, more is better; `written_total` has the sign on score sheets.
    """

    rank: int | None
    team: Team
    total: ExactNumber
    evenings: tuple[TeamEvening, ...]

    @property
    def written_total(self) -> ExactNumber:
        return self.team.season.convert_total(self.total)


def team_standings(season: Season) -> list[TeamRow]:
    """Rank the teams of a season by total. Teams of equal total share a rank, and are ordered by name."""
    teams = list(season.teams.with_members())
    players = {member.player_id for team in teams for member in team.members.all()}
    rows = Standing.objects.filter(season=season, player__in=players).only("player_id", "worth").order_by()
    worths = {row.player_id: row.worths for row in rows}
    for team in teams:
        team.season = season
    return rank_teams({team: team_evenings(team, worths, season.team_best) for team in teams})


def team_evenings(team: Team, worths: WorthsByPlayer, best_count: int | None) -> tuple[TeamEvening, ...]:
    by_evening: dict[int, dict[int, ExactNumber]] = defaultdict(dict)
    for member in team.members.all():
        for evening, value in worths.get(member.player_id, {}).items():
            by_evening[evening][member.player_id] = value
    return tuple(_team_evening(evening, values, best_count) for evening, values in sorted(by_evening.items()))


def _team_evening(evening: int, values: dict[int, ExactNumber], best_count: int | None) -> TeamEvening:
    (total,), counted = sum_of_best({player: (value,) for player, value in values.items()}, best_count)
    return TeamEvening(evening, values, frozenset(counted), total)


def rank_teams(evenings_by_team: Mapping[Team, tuple[TeamEvening, ...]]) -> list[TeamRow]:
    rows = [
        TeamRow(None, team, sum((evening.total for evening in evenings), start=0), evenings)
        for team, evenings in evenings_by_team.items()
    ]
    played = sorted((row for row in rows if row.evenings), key=lambda row: (-row.total, row.team.name))
    ranks = shared_ranks([row.total for row in played])
    unranked = sorted((row for row in rows if not row.evenings), key=lambda row: row.team.name)
    return [*(row._replace(rank=rank) for rank, row in zip(ranks, played, strict=True)), *unranked]
