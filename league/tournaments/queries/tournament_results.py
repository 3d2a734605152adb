"""Results of finished tournaments: the ranks of a player, and the winners of each tournament."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from django.db.models import Q

from league.models import Club, Tournament, TournamentRank
from league.models.club import club_ids_hidden_from
from league.models.tournament import TournamentState
from league.models.tournament_rank import TournamentRankQuerySet
from league.standings.podium import MAX_PODIUM_ROWS, PODIUM_RANKS
from players.models import Player, User
from players.models.person import Viewer


def player_tournament_ranks(player: Player, viewer: Viewer) -> TournamentRankQuerySet:
    """Return the player's ranks in tournaments, as far as the viewer may see them, the latest first.

    A viewer sees ranks of units (players, pairs or teams) whose names the viewer may see in the ranking. Players see
    all ranks of their own, without those in clubs that have not confirmed the player's login.
    """
    rows = TournamentRank.objects.of_player(player).visible_to(viewer).with_is_named(viewer)
    is_visible = Q(is_named=True)
    if isinstance(viewer, User) and player.user_id == viewer.pk:
        is_visible |= ~Q(tournament__club__in=club_ids_hidden_from(viewer))
    results: TournamentRankQuerySet = rows.filter(is_visible).latest_first().with_units()
    return results


def podium(tournament: Tournament, viewer: Viewer) -> list[TournamentRank]:
    """Return the rows of the first three ranks; [] before the end of the tournament.

    At most MAX_PODIUM_ROWS rows are returned. A rank whose rows do not all fit is left out, and so are the ranks below
    it: to show only some of its units would be unfair.
    `is_named` of a row is whether the viewer may see the names. Two queries if the tournament is finished.
    """
    if tournament.state != TournamentState.FINISHED:
        return []
    ranks = TournamentRank.objects.filter(tournament=tournament, rank__lte=PODIUM_RANKS).with_is_named(viewer)
    rows = list(ranks.order_by("rank", "unit__number", "position").with_units()[: MAX_PODIUM_ROWS + 1])
    return rows if len(rows) <= MAX_PODIUM_ROWS else [row for row in rows if row.rank != rows[-1].rank]


def winners(tournaments: Any, viewer: Viewer) -> dict[int, list[TournamentRank]]:
    """Return the rows of rank 1, by the id of the tournament; `tournaments` are ids, or a query of ids.

    `is_named` of a row is whether the viewer may see the winner's name. One query, or two.
    """
    rows = TournamentRank.objects.filter(tournament__in=tournaments, rank=1)
    ranks = rows.with_is_named(viewer).latest_first().with_units()
    return {pk: list(group) for pk, group in groupby(ranks, key=lambda rank: rank.tournament_id)}


def winners_in_club(club: Club, viewer: Viewer) -> list[list[TournamentRank]]:
    """Return a list of winners for each finished tournament of the club, the latest first; one query, or two.

    Winners whose names the viewer may not see are left out.
    """
    tournaments = Tournament.objects.visible_to(viewer).filter(club=club).order_by()
    named_ranks = [
        [rank for rank in ranks if rank.is_named] for ranks in winners(tournaments.values("pk"), viewer).values()
    ]
    return [ranks for ranks in named_ranks if ranks]
