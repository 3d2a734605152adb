"""The comparison of two players: ranks by season, ratings, evenings that both attended and tables that they shared."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import reduce
from operator import or_
from typing import NamedTuple

from django.db.models import Q

from league.evenings.queries.evening_ranking import RankingRow
from league.models import Season, Standing
from league.ratings.queries.rating_steps import visible_step_filter
from league.statistics.queries.tables_played import (
    SharedTables,
    TablesPlayed,
    compare_opponents,
    compare_partners,
    evening_sums,
)
from players.models import Player, RatingStep
from players.models.person import Viewer
from scoring import registry


class ComparedSeason(NamedTuple):
    """A season, and the standings of the two players; None for a player without a standing."""

    season: Season
    first: Standing | None
    second: Standing | None


class SharedEvening(NamedTuple):
    """An evening that both players attended: their rows in its ranking, the number of ranked players, and whether they
    shared a table.
    """

    evening: int
    date: date
    together: bool
    first: RankingRow | None = None
    second: RankingRow | None = None
    players: int = 0


@dataclass(frozen=True)
class SharedTableComparisons:
    """The number of tables that two players shared, and their comparisons as opponents (`against`) and as partners
    (`together`).

    A comparison is None if there are fewer than MIN_SHARED_TABLES tables for it.
    """

    tables: int
    against: SharedTables | None
    together: SharedTables | None


def compared_seasons(first: Player, second: Player, viewer: Viewer) -> list[ComparedSeason]:
    """Return the seasons that the viewer may see and where one or both players have a standing, newest first."""
    rows = Standing.objects.filter(player__in=[first, second], season__in=Season.objects.visible_to(viewer))
    rows = rows.select_related("season__club", "season__club_game").defer("counted", "dropped", "worth", "extras")
    rows_by_season: dict[Season, dict[int, Standing]] = {}
    for row in rows.order_by("-season_id"):
        rows_by_season.setdefault(row.season, {})[row.player_id] = row
    return [
        ComparedSeason(season, places.get(first.pk), places.get(second.pk)) for season, places in rows_by_season.items()
    ]


def count_shared_seasons(seasons: Iterable[ComparedSeason]) -> dict[str, int]:
    """Return {game: number of seasons in which both players have a standing}.

    The number is 0 for a game in which each season has a standing of only one of them. Built-in games come first.
    """
    shared = dict.fromkeys(registry.slugs(), -1)
    for season, *rows in seasons:
        shared[season.game_key] = max(shared.get(season.game_key, -1), 0) + all(rows)
    return {game: number for game, number in shared.items() if number >= 0}


def compare_shared_tables(tables: TablesPlayed, opponent: Player) -> SharedTableComparisons:
    names = {opponent.pk: opponent.names}
    against, together = (
        next(iter(list_shared(tables, names)), None) for list_shared in (compare_opponents, compare_partners)
    )
    return SharedTableComparisons(int((tables.co_players.player == opponent.pk).sum()), against, together)


def shared_evenings(first: TablesPlayed, second: TablesPlayed, opponent: Player) -> list[SharedEvening]:
    second_evenings = set(second.evening.tolist())
    together = set(first.evening[first.co_players.table[first.co_players.player == opponent.pk]].tolist())
    shared = [evening for evening in evening_sums(first) if evening.evening in second_evenings]
    return [SharedEvening(evening.evening, evening.date, evening.evening in together) for evening in reversed(shared)]


def add_ranks(
    evenings: Iterable[SharedEvening], rankings: Mapping[int, Sequence[RankingRow]], first: Player, second: Player
) -> list[SharedEvening]:
    ranked = []
    for evening in evenings:
        places = {place.player: place for place in rankings[evening.evening]}
        ranked.append(
            evening._replace(
                first=places.get(first.pk), second=places.get(second.pk), players=len(rankings[evening.evening])
            )
        )
    return ranked


def rating_histories(players: Collection[Player], game: str, viewer: Viewer) -> dict[int, list[RatingStep]]:
    histories: dict[int, list[RatingStep]] = {player.pk: [] for player in players}
    either = reduce(or_, (visible_step_filter(player, game, viewer) for player in players), Q(pk__in=[]))
    for step in RatingStep.objects.filter(either).order_by("date"):
        histories[step.player_id].append(step)
    return histories
