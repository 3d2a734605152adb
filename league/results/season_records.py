"""The records of seasons, month by month, as they follow from deals, tables and the rankings of closed evenings."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import date
from typing import Any, Final, NamedTuple

from django.db.models import Max, Min

from league.models import Evening, Season, SeasonRecord, Seat
from league.models.round import RoundState
from league.results.counted_deals import COUNTING, CountedDeal
from league.results.evening_ranking import Ranked, rankings
from players.columns import Columns, of_rows
from scoring.game import find_game

NAMED: Final = 5  # of those who share a record
HIGHEST_DEAL, LOWEST_DEAL = "highest_deal", "lowest_deal"
BIGGEST_EVENING, WINS = "biggest_evening", "wins"
RUN_OF_WINS, RUN_OF_EVENINGS = "run_of_wins", "run_of_evenings"
CLOSEST_TABLE: Final = "closest_table"
LOWEST: Final = (LOWEST_DEAL, CLOSEST_TABLE)  # of which the least is the record
FEAT: Final = "feat:"  # before the name of a game's own


class RecordPlace(NamedTuple):
    """Who holds a record, and where it was; in the order in which records were made."""

    day: date
    evening: int
    table: int | None = None
    deal: int | None = None
    seat: int = 0
    player: int | None = None
    since: int | None = None


class MonthRecord(NamedTuple):
    """A value, and its holders, the earliest first, one more for each of `others`."""

    value: int
    held: list[RecordPlace]


class SeasonRecords:
    """A season's records while its deals are added; each month by itself."""

    def __init__(self, season: Season) -> None:
        self.feats = find_game(season.game).records.feats
        self.found: dict[tuple[str, date], MonthRecord] = {}
        self.extremes: dict[int, tuple[int, int]] = {}  # of each evening's deals so far, lowest and highest
        self.wins = Counter[tuple[date, int]]()  # by month and player

    def offer(self, name: str, value: int, held: RecordPlace) -> None:
        """Note a value if it is the best of its month so far, or as good."""
        key = (name, _month(held.day))
        best = self.found.get(key)
        if best is None or (value != best.value and (value < best.value) == (name in LOWEST)):
            self.found[key] = MonthRecord(value, [held])
        elif value == best.value:
            best.held.append(held)

    def add(self, deal: CountedDeal) -> None:
        """Add a deal: its highest and lowest points, and what its game finds worth a record."""
        points = [gained for _player, gained in deal.given]
        low, high = self.extremes.get(deal.evening.pk, (points[0], points[0] - 1))
        if max(points) >= high or min(points) <= low:  # nearly all deals are within those before
            self.extremes[deal.evening.pk] = min(low, *points), max(high, *points)
            for seat, gained in enumerate(points):
                held = _at(deal, seat)
                self.offer(HIGHEST_DEAL, gained, held)
                self.offer(LOWEST_DEAL, gained, held)
        if deal.read is not None:
            for name, seat in self.feats(deal.read, deal.options):
                self.offer(f"{FEAT}{name}", points[seat], _at(deal, seat))

    def add_evenings(self, evenings: Iterable[tuple[Evening, Iterable[Ranked]]]) -> None:
        """Add the season's evenings with their rankings, in the order of play."""
        runs = defaultdict[int, _Runs](_Runs)
        for evening, ranking in evenings:
            there: set[int] = set()
            for place in ranking:
                if place.tables:
                    there.add(place.player)
                    held = RecordPlace(evening.date, evening.pk, player=place.player)
                    self.offer(BIGGEST_EVENING, place.points, held)
                    runs[place.player].play(held, won=place.rank == 1)
                    self.wins[_month(evening.date), place.player] += place.rank == 1
            for player, run in runs.items():
                if player not in there:
                    run.miss()
                    continue
                held = RecordPlace(evening.date, evening.pk, player=player)
                if run.number > 1:
                    self.offer(RUN_OF_EVENINGS, run.number, held._replace(since=run.first))
                if run.wins > 1:
                    self.offer(RUN_OF_WINS, run.wins, held._replace(since=run.first_win))

    def add_table(self, table: int, evening: Evening, spread: int) -> None:
        """Add a table with how far apart its first and its last were."""
        self.offer(CLOSEST_TABLE, spread, RecordPlace(evening.date, evening.pk, table))


def _at(deal: CountedDeal, seat: int) -> RecordPlace:
    return RecordPlace(deal.evening.date, deal.evening.pk, deal.table, deal.pk, seat, deal.given[seat][0])


class _Runs:
    """A player's evenings in a row up to now: played, and won."""

    def __init__(self) -> None:
        self.number = self.wins = 0
        self.first = self.first_win = 0

    def play(self, held: RecordPlace, *, won: bool) -> None:
        self.first = self.first if self.number else held.evening
        self.number += 1
        self.first_win = self.first_win if self.wins else held.evening
        self.wins = self.wins + 1 if won else 0

    def miss(self) -> None:
        self.number = 0


def _month(day: date) -> date:
    return day.replace(day=1)


def records_of(seasons: Collection[Season], deals: Iterable[CountedDeal]) -> dict[int, SeasonRecords]:
    """Return the seasons' records by their ids, of these deals of theirs; three queries more."""
    found = {season.pk: SeasonRecords(season) for season in seasons}
    for deal in deals:
        found[deal.evening.season_id].add(deal)
    evenings = Evening.objects.closed().filter(season__in=seasons).order_by("date", "pk").in_bulk()
    ranked = rankings(evenings.values())
    of_season: dict[int, list[Evening]] = defaultdict(list)
    for evening in evenings.values():
        of_season[evening.season_id].append(evening)
    for season, some in of_season.items():
        found[season].add_evenings((evening, ranked[evening.pk]) for evening in some)
    for table, pk, spread in _spreads(evenings):
        found[evenings[pk].season_id].add_table(table, evenings[pk], spread)
    return found


def _spreads(evenings: Collection[int]) -> Iterable[tuple[int, int, int]]:
    """Return table, evening and how far apart its first and last were, of each table of these evenings that counts."""
    seats = Seat.objects.counted().filter(
        round__evening__in=evenings, round__state=RoundState.ACCEPTED, table__deals__gt=0
    )
    rows = seats.order_by().values("table", "round__evening").annotate(spread=Max("points") - Min("points"))
    return rows.values_list("table", "round__evening", "spread")


def columns(found: Mapping[int, SeasonRecords]) -> Columns:
    """Return the rows of seasons' records, by the seasons' ids, column by column."""
    rows = [row for season, records in found.items() for row in _rows(season, records)]
    return of_rows((*SeasonRecord.KEY, *SeasonRecord.DERIVED), rows)


def _rows(season: int, records: SeasonRecords) -> Iterator[tuple[Any, ...]]:
    """Yield the values of `KEY` and `DERIVED`."""
    for (name, month), best in records.found.items():
        held = sorted(best.held, key=lambda each: (each.day, each.evening, each.deal or each.table or 0, each[4:6]))
        for place, each in enumerate(held[:NAMED], 1):
            where = (each.player, each.evening, each.since, each.table, each.deal)
            yield (season, name, month, place, best.value, len(held), *where, COUNTING)
    places = Counter[date]()
    for (month, player), number in sorted(records.wins.items()):
        if number:
            places[month] += 1
            yield (season, WINS, month, places[month], number, 1, player, None, None, None, None, COUNTING)
