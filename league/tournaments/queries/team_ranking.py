"""The rankings of teams whose players are ranked one by one, and of clubs: sums of the scores of their best members.

Rounds of the finals do not count.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Generic, NamedTuple, TypeVar

from django.utils.translation import gettext as _

from league.models import Season, Tournament, TournamentClub, TournamentUnit
from league.standings.best_results import rank_groups
from league.tournaments.queries.ranking import RankedUnit, convert_score, written_score

Group = TypeVar("Group")


class GroupMember(NamedTuple):
    """A row of the ranking that belongs to a team or club. `counts`: the row is one of the best, which are added up."""

    row: RankedUnit
    counts: bool


class RankedGroup(NamedTuple, Generic[Group]):
    """A row of a ranking of teams or clubs. `score` and `points` are sums over its best members; they have the sign on
    score sheets.
    """

    rank: int
    group: Group
    score: int | Fraction
    points: int
    members: Sequence[GroupMember]

    @property
    def counted(self) -> int:
        """The number of members whose scores are added up. The API has this name."""
        return sum(member.counts for member in self.members)

    @property
    def written_score(self) -> str:
        return written_score(self.score)


class NamedMember(NamedTuple):
    """A player of a team with the name, as a viewer may see it. `counts`: the score is part of the team's sum."""

    name: str
    row: RankedUnit
    counts: bool

    @property
    def score(self) -> str:
        return written_score(self.row.score)


class NamedTeam(NamedTuple):
    """A team as a viewer may see it. `players` are ordered from the best; () if the team did not agree to be named."""

    team: RankedGroup[TournamentUnit]
    name: str
    players: Sequence[NamedMember]


def team_for_viewer(team: RankedGroup[TournamentUnit], *, shows_all_names: bool) -> NamedTeam:
    """Return the team with the names that the viewer may see.

    With `shows_all_names`, the viewer also sees the names of teams that did not agree to be named in public.
    """
    unit = team.group
    number = _("Number %(number)s") % {"number": unit.number}
    if not shows_all_names and not unit.names_public:
        return NamedTeam(team, number, ())
    players = [NamedMember(str(row.unit_player), row, counts) for row, counts in team.members]
    return NamedTeam(team, unit.name or number, players)


def rank_teams(tournament: Tournament, season: Season, rows: Sequence[RankedUnit]) -> list[RankedGroup[TournamentUnit]]:
    """Rank the teams by their best players; `rows` is the ranking of the players.

    Return [] unless team mates play at different tables.
    """
    if not tournament.plays_apart:
        return []
    return rank_by_best_rows(tournament, season, [(row.unit, row) for row in rows], tournament.team_best)


def rank_clubs(tournament: Tournament, season: Season, rows: Sequence[RankedUnit]) -> list[RankedGroup[TournamentClub]]:
    """Rank the participating clubs by their best rows in `rows`, the ranking of players, pairs or teams."""
    club_rows = [(row.unit.plays_for, row) for row in rows if row.unit.plays_for is not None]
    return rank_by_best_rows(tournament, season, club_rows, tournament.club_best)


def rank_by_best_rows(
    tournament: Tournament, season: Season, group_rows: Sequence[tuple[Group, RankedUnit]], best_count: int | None
) -> list[RankedGroup[Group]]:
    """Rank teams or clubs by the sum of the scores of their `best_count` best rows, or of all rows if None.

    `group_rows` has the rows of the ranking in order, each with its team or club. Equal sums are separated by points;
    if these are equal too, the groups share a rank, in the order of their best rows.
    """
    groups: list[Group] = list(dict.fromkeys(group for group, _row in group_rows))
    members: dict[int, dict[int, RankedUnit]] = {index: {} for index in range(len(groups))}
    indexes = {group: index for index, group in enumerate(groups)}
    for position, (group, row) in enumerate(group_rows):
        members[indexes[group]][position] = row
    values = {
        index: {
            position: (convert_score(tournament, season, row.score), season.convert_points(row.points))
            for position, row in rows.items()
        }
        for index, rows in members.items()
    }
    ranked_groups = []
    for group_rank in rank_groups(values, best_count):
        score, points = group_rank.best.totals
        ranked_groups.append(
            RankedGroup(
                group_rank.rank,
                groups[group_rank.group],
                convert_score(tournament, season, score),
                int(season.convert_points(points)),
                [
                    GroupMember(row, position in group_rank.best.counted)
                    for position, row in members[group_rank.group].items()
                ],
            )
        )
    return ranked_groups
