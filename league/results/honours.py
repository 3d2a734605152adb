"""Who did what best in some evenings: of a season's page of honours, and of a club's hall of fame."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from django.db.models import F, Sum, Window
from django.db.models.functions import Lag

from league.models import Deal, Evening, Score, Season, Standing, visible
from league.results.evening_ranking import rankings
from players.models import RatingStep
from players.models.person import Reader

NAMED: Final = 5  # of those who share a record


class Holder(NamedTuple):
    """Who holds a record, and in which evening and deal it was."""

    player: int
    name: str
    evening: Evening | None = None
    deal: Deal | None = None


class Record(NamedTuple):
    """The best there is, and who holds it, the earliest first; `others` hold it too and are not named."""

    value: int
    holders: list[Holder]
    others: int = 0


class RatingGain(NamedTuple):
    """The largest gain of a rating in one evening, in micro-points."""

    step: RatingStep
    gain: int


class Honours(NamedTuple):
    """Records of some evenings; None where nothing was played."""

    most_evenings: Record | None
    most_wins: Record | None
    best_evening: Record | None
    best_deal: Record | None


def honours(seasons: Collection[Season], evenings: Sequence[Evening]) -> Honours:
    """Return the records of closed evenings of seasons, all of one game. Three queries."""
    wins: Counter[int] = Counter()
    best: dict[int, list[Holder]] = defaultdict(list)
    names: dict[int, str] = {}
    found = rankings(evenings)
    for evening in evenings:
        for place in found[evening.pk]:
            if place.tables:
                names[place.player] = place.name
                wins[place.player] += place.rank == 1
                best[place.points].append(Holder(place.player, place.name, evening))
    by_wins = {number: [Holder(each, names[each]) for each in some] for number, some in _by_number(wins).items()}
    return Honours(_most_evenings(seasons), _highest(by_wins), _highest(best), _best_deal(evenings))


def champions(seasons: Iterable[Season]) -> dict[int, list[Standing]]:
    """Return the first of each of these seasons by its id, one or more; one query."""
    rows = Standing.objects.filter(season__in=[season.pk for season in seasons], rank=1).select_related("player")
    found: dict[int, list[Standing]] = defaultdict(list)
    for row in rows.order_by("season", "player__sort_key"):
        found[row.season_id].append(row)
    return found


def biggest_jump(season: Season, evenings: Iterable[Evening], reader: Reader) -> RatingGain | None:
    """Return who gained most in rating on one of the season's dates, of those whom the reader may see; one query.

    Where somebody was rated first there is nothing to gain from.
    """
    dates = {evening.date for evening in evenings}
    if not dates:
        return None
    steps = visible.rating_steps(reader).filter(
        game=season.game, player__in=season.standings.values("player"), date__lte=max(dates)
    )
    before = Window(Lag("micro"), partition_by="player", order_by="date")
    rows = steps.annotate(gain=F("micro") - before).select_related("player").order_by("date", "player__sort_key")
    gains = [(row.gain, row) for row in rows if row.date in dates and row.gain is not None]
    gain, step = max(gains, key=lambda each: each[0], default=(0, None))
    return RatingGain(step, gain) if step is not None and gain > 0 else None


def _by_number(counts: Mapping[int, int]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = defaultdict(list)
    for player, number in counts.items():
        if number:
            found[number].append(player)
    return found


def _highest(found: Mapping[int, Sequence[Holder]]) -> Record | None:
    if not found:
        return None
    value = max(found)
    return Record(value, list(found[value][:NAMED]), max(len(found[value]) - NAMED, 0))


def _most_evenings(seasons: Collection[Season]) -> Record | None:
    rows = Standing.objects.filter(season__in=[season.pk for season in seasons]).order_by()
    counts: dict[int, list[Holder]] = defaultdict(list)
    of_player = rows.values_list("player", "player__display_name").annotate(Sum("evenings"))
    for player, name, number in of_player.order_by("player__sort_key"):
        counts[number].append(Holder(player, name))
    return _highest(counts)


def _best_deal(evenings: Sequence[Evening]) -> Record | None:
    """Return the most points that anyone got in one deal of a table that counts."""
    scores = Score.objects.filter(
        deal__table__round__evening__in=[evening.pk for evening in evenings], deal__table__complete=True
    )
    rows = scores.select_related("seat__player", "deal__table__round__evening").order_by(
        "-points", "deal__table__round__evening__date", "deal", "seat__number"
    )[:NAMED]
    best = [row for row in rows if row.points == rows[0].points]
    if not best:
        return None
    holders = [Holder(row.seat.player_id, str(row.seat.player), row.deal.table.round.evening, row.deal) for row in best]
    return Record(best[0].points, holders)
