"""Data for the home page of a club: open evenings, last and next evening, first ranks of the open seasons."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date
from typing import Any, Final, NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q

from league.clubs.queries.member_cards import UpcomingEvening, with_intentions
from league.evenings.queries.evening_ranking import RankingRow, find_player_row, podium, ranking
from league.evenings.queries.evening_story import RankGain, annotate_rank_gain, read_rank_gain
from league.models import Club, Evening, Season, Standing
from league.models.evening import EveningState
from players.models import Player

TOP_RANKS: Final = 5


class ClosedEvening(NamedTuple):
    """A closed evening with its podium.

    `own_row` is the viewer's row of the ranking; None if the viewer did not play. `players` is the number of ranked
    players. `jump` is the largest gain of ranks in the season's standings by this evening.
    """

    evening: Evening
    podium: tuple[RankingRow, ...]
    own_row: RankingRow | None
    is_shared: bool  # another player has the rank of `own_row`
    players: int
    jump: RankGain | None


class ClubEvenings(NamedTuple):
    """The evenings on a club's home page: all open ones, the last closed one, and the next announced one."""

    tonight: tuple[Evening, ...]
    last: ClosedEvening | None
    next: UpcomingEvening | None


class LeadingRow(NamedTuple):
    """A row of the standings. `tie_break` is the name of the rule that decided between rows of equal total, or ""."""

    row: Standing
    tie_break: str


def club_evenings(club: Club, player: Player | None, today: date) -> ClubEvenings:
    """Return the evenings for the club's home page. `player` is the viewer's player."""
    evenings = Evening.objects.filter(season__club=club)
    last = evenings.closed().order_by("-date", "-pk").values("pk")[:1]
    upcoming = evenings.announced(today).values("pk")[:1]
    rows_of_club = Evening.objects.filter(
        Q(season__club=club, state=EveningState.OPEN) | Q(pk__in=last) | Q(pk__in=upcoming)
    ).with_season()
    rows: list[Any] = list(annotate_rank_gain(with_intentions(rows_of_club, player)))
    closed = next((evening for evening in rows if evening.state == EveningState.CLOSED), None)
    upcoming_row = next((evening for evening in rows if evening.state == EveningState.PLANNED), None)
    return ClubEvenings(
        tuple(evening for evening in rows if evening.state == EveningState.OPEN),
        _closed_evening(closed, player) if closed else None,
        UpcomingEvening(upcoming_row, upcoming_row.comes, upcoming_row.coming or 0) if upcoming_row else None,
    )


class PublicExample(NamedTuple):
    """An example of results for visitors: the newest closed evening of a public club, and the first rows of the
    standings of its season.
    """

    last: ClosedEvening
    season: Season
    rows: Sequence[LeadingRow]


def example_for_visitors() -> PublicExample | None:
    """Return an example of results for the home page of visitors; None if no public club has a closed evening.

    One query without an example, else four.
    """
    visible = Evening.objects.visible_to(AnonymousUser()).closed().filter(season__tournament=None)
    newest = annotate_rank_gain(visible.with_season().order_by("-date", "-pk")).first()
    if newest is None:
        return None
    [(season, rows)] = leaders([newest.season], None)
    return PublicExample(_closed_evening(newest, None), season, rows)


def _closed_evening(evening: Evening, player: Player | None) -> ClosedEvening:
    rows = [row for row in ranking(evening) if row.tables]
    return ClosedEvening(evening, podium(rows), *find_player_row(rows, player), len(rows), read_rank_gain(evening))


def leaders(seasons: Collection[Season], player: Player | None) -> list[tuple[Season, list[LeadingRow]]]:
    """Return for each season the rows of its first ranks, and the row of `player`."""
    top_or_own = Q(rank__lte=TOP_RANKS) | Q(player=player) if player else Q(rank__lte=TOP_RANKS)
    rows = Standing.objects.filter(top_or_own, season__in=seasons).select_related("player")
    standings = list(rows.defer("counted", "dropped", "worth", "extras"))
    return [(season, _add_tie_breaks([row for row in standings if row.season_id == season.pk])) for season in seasons]


def _add_tie_breaks(rows: Sequence[Standing]) -> list[LeadingRow]:
    totals = [row.total for row in rows]
    return [LeadingRow(row, row.tie_break if totals.count(row.total) > 1 else "") for row in rows]
