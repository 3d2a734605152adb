"""Two players side by side: their places season by season, their ratings, the evenings and tables that they shared."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, NamedTuple

from django.db.models import Q

from league.evenings.queries.evening_ranking import RankingRow
from league.models import Season, Standing
from league.ratings.queries.rating_steps import visible_step_filter
from league.statistics.queries.tables_played import Shared, TablesPlayed, evening_sums, opponents, partners
from players.models import Player, RatingStep
from scoring import registry

if TYPE_CHECKING:
    from players.models.person import Reader


class SeasonOfTwo(NamedTuple):
    """A season with both rows of its standings; None for one who did not play in it."""

    season: Season
    first: Standing | None
    second: Standing | None


class EveningOfTwo(NamedTuple):
    """An evening at which both sat: where each was placed among how many, and whether at one table."""

    evening: int
    date: date
    together: bool
    first: RankingRow | None = None
    second: RankingRow | None = None
    players: int = 0


@dataclass(frozen=True)
class Meetings:
    """What tables that both played say: as opponents and as partners, each from LEAST tables on, else None."""

    tables: int
    against: Shared | None
    together: Shared | None


def seasons_of_two(first: Player, second: Player, reader: Reader) -> list[SeasonOfTwo]:
    """Return the seasons that either played in, of clubs that the reader may see, the newest first; one query."""
    rows = Standing.objects.filter(player__in=[first, second], season__in=Season.objects.visible_to(reader))
    rows = rows.select_related("season__club").defer("counted", "dropped", "worth", "extras")
    found: dict[Season, dict[int, Standing]] = {}
    for row in rows.order_by("-season_id"):
        found.setdefault(row.season, {})[row.player_id] = row
    return [SeasonOfTwo(season, places.get(first.pk), places.get(second.pk)) for season, places in found.items()]


def games_of(seasons: Iterable[SeasonOfTwo]) -> dict[str, int]:
    """Return the games of the seasons in menu order, each with how many of its seasons both played in."""
    shared = dict.fromkeys(registry.slugs(), -1)
    for season, *rows in seasons:
        if season.game in shared:
            shared[season.game] = max(shared[season.game], 0) + all(rows)
    return {game: number for game, number in shared.items() if number >= 0}


def meetings(tables: TablesPlayed, other: Player) -> Meetings:
    """Return what the tables of one player say of another."""
    names = {other.pk: other.names}
    against, together = (next(iter(found(tables, names)), None) for found in (opponents, partners))
    return Meetings(int((tables.others.player == other.pk).sum()), against, together)


def shared_evenings(first: TablesPlayed, second: TablesPlayed, other: Player) -> list[EveningOfTwo]:
    """Return the evenings at which both sat, the newest first; nobody is placed yet."""
    there = set(second.evening.tolist())
    together = set(first.evening[first.others.at[first.others.player == other.pk]].tolist())
    found = [each for each in evening_sums(first) if each.evening in there]
    return [EveningOfTwo(each.evening, each.date, each.evening in together) for each in reversed(found)]


def with_places(
    evenings: Iterable[EveningOfTwo], rankings: Mapping[int, Sequence[RankingRow]], first: Player, second: Player
) -> list[EveningOfTwo]:
    """Return the evenings with both players' places in their rankings."""
    found = []
    for each in evenings:
        places = {place.player: place for place in rankings[each.evening]}
        found.append(
            each._replace(first=places.get(first.pk), second=places.get(second.pk), players=len(rankings[each.evening]))
        )
    return found


def rating_histories(players: Collection[Player], game: str, reader: Reader) -> dict[int, list[RatingStep]]:
    """Return each player's dates that the reader may know with his rating after each, in order; one query."""
    found: dict[int, list[RatingStep]] = {player.pk: [] for player in players}
    either = reduce(or_, (visible_step_filter(player, game, reader) for player in players), Q(pk__in=[]))
    for step in RatingStep.objects.filter(either).order_by("date"):
        found[step.player_id].append(step)
    return found
