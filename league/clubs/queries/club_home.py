"""What a club's page tells first: what is on tonight, how the last evening went, when they play next, and who leads."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date
from typing import Any, Final, NamedTuple

from django.db.models import Q

from league.clubs.queries.member_cards import EveningToCome, with_intentions
from league.evenings.queries.evening_ranking import Ranked, ranking
from league.evenings.queries.evening_story import Jump, jump_of, with_jump
from league.models import Club, Evening, Season, Standing
from league.models.evening import EveningState
from players.models import Player

TOP: Final = 5  # ranks of a season
PODIUM: Final = 3  # ranks of an evening
ON_PODIUM: Final = 5  # players, where many share a rank


class ClosedEvening(NamedTuple):
    """The newest closed evening: its first, the reader's own place, and who won most places in the season by it."""

    evening: Evening
    podium: tuple[Ranked, ...]
    own: Ranked | None
    players: int
    jump: Jump | None


class ClubEvenings(NamedTuple):
    """The evenings that are open, the last one and the next."""

    tonight: tuple[Evening, ...]
    last: ClosedEvening | None
    next: EveningToCome | None


class TopPlace(NamedTuple):
    """A row of the standings; `tie_break` names what put it before or behind another shown one with the same total."""

    row: Standing
    tie_break: str


def club_evenings(club: Club, player: Player | None, today: date) -> ClubEvenings:
    """Return the club's evenings as the player sees them, if the reader is one; two queries."""
    of_club = Evening.objects.filter(season__club=club)
    last = of_club.closed().order_by("-date", "-pk").values("pk")[:1]
    coming = of_club.announced(today).values("pk")[:1]
    rows = Evening.objects.filter(
        Q(season__club=club, state=EveningState.OPEN) | Q(pk__in=last) | Q(pk__in=coming)
    ).with_season()
    found: list[Any] = list(with_jump(with_intentions(rows, player)))
    closed = next((each for each in found if each.state == EveningState.CLOSED), None)
    to_come = next((each for each in found if each.state == EveningState.PLANNED), None)
    return ClubEvenings(
        tuple(each for each in found if each.state == EveningState.OPEN),
        _closed(closed, player) if closed else None,
        EveningToCome(to_come, to_come.comes, to_come.coming or 0) if to_come else None,
    )


def _closed(evening: Evening, player: Player | None) -> ClosedEvening:
    places = [place for place in ranking(evening) if place.tables]
    podium = [place for place in places if place.rank <= PODIUM][:ON_PODIUM]
    own = next((place for place in places if player and place.player == player.pk), None)
    return ClosedEvening(evening, tuple(podium), own, len(places), jump_of(evening))


def tops(seasons: Collection[Season], player: Player | None) -> list[tuple[Season, list[TopPlace]]]:
    """Return each season with the first of its standings, and the player's own row; one query.

    Those who share the last of the ranks are all in.
    """
    wanted = Q(rank__lte=TOP) | Q(player=player) if player else Q(rank__lte=TOP)
    rows = Standing.objects.filter(wanted, season__in=seasons).select_related("player")
    shown = list(rows.defer("counted", "dropped", "worth", "extras"))
    return [(season, _with_ties([row for row in shown if row.season_id == season.pk])) for season in seasons]


def _with_ties(rows: Sequence[Standing]) -> list[TopPlace]:
    totals = [row.total for row in rows]
    return [TopPlace(row, row.tie_break if totals.count(row.total) > 1 else "") for row in rows]
