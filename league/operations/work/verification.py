"""Derives every stored number again from the facts, and tells each difference by name.

Standings and ratings that are due are left to the next run: they are said to wait, not to be wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from itertools import groupby
from typing import Final, NamedTuple

import numpy as np
from django.contrib.postgres.aggregates import BoolAnd, BoolOr
from django.db.models import (
    Case,
    Count,
    DateField,
    DateTimeField,
    Exists,
    F,
    Max,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Sum,
    When,
)
from django.db.models.functions import Coalesce
from django.utils import timezone

from league.imports.queries.club_file.parts import PARTS
from league.models import Deal, Due, PlayerStatistics, Score, Season, SeasonRecord, Seat, Standing, Table, versions
from league.models.check import CheckKind
from league.models.date_bounds import FIRST_DATE, last_date
from league.models.standing import rows_digest
from league.operations.queries.snapshot import snapshot
from league.operations.work.check_notes import note
from league.ratings.queries import game_ratings
from league.ratings.queries.game_ratings import compute, state_before, stretches
from league.seasons.queries.season_evenings import UnreadableRules, rules_of
from league.seasons.queries.season_rankings import rank_season
from league.sheets.queries.deal_scores import derived_deal, play_deals
from league.sheets.queries.table_sums import Sums, derived_sums, derived_table, has_playable_seats
from league.statistics.queries.counted_deals import counted_deals
from league.statistics.queries.deal_statistics import columns as statistics_columns
from league.statistics.queries.deal_statistics import statistics_of
from league.statistics.queries.season_records import season_records
from players import columns
from players.columns import Columns
from players.derived_rows import Difference, differences, unsaved_rows
from players.models import Met, Player, Rating, RatingDay, RatingStep
from players.rating.reference import START
from players.rating.state import StateArrays
from scoring import registry
from scoring.rules.errors import IllegalDeal
from scoring.rules.interface import Played

CHUNK = 500  # names read at once
TABLES = 200  # that are scored again in a slice
A_DAY: Final = timedelta(days=1)
NAMED = 5  # differences that the note of a verification names


class Slice(NamedTuple):
    """What is looked at in one go: the names, then season after season, then game after game in stretches of dates.

    Of a season its tables first, in several slices where many are scored again, each after `table`; then each of
    BOARDS by itself, so that what can't be told of one hides nothing of another.
    """

    season: int = 0
    table: int = 0
    board: str = ""
    game: str = ""
    since: date = date.min


def look_through() -> list[Difference]:
    """Return every difference between what is stored and what follows from the facts; how many there are is noted."""
    found = list(verify())
    note_end([str(difference) for difference in found[:NAMED]], len(found), timezone.now())
    return found


def note_end(named: Sequence[str], number: int, now: datetime) -> None:
    """Note how many differences were found, and the first few of them."""
    note(CheckKind.VERIFY, now=now, ok=not number, found=number, summary="\n".join(named))


def verify() -> Iterator[Difference]:
    """Every difference between what is stored and what follows from the facts."""
    at: Slice | None = Slice()
    before: StateArrays | None = None
    while at:
        found, before = look_at(at, before)
        yield from found
        at = following(at)


def look_at(at: Slice, before: StateArrays | None = None) -> tuple[list[Difference], StateArrays | None]:
    """Return a slice's differences, and of a game what everybody holds after it: the `before` of the next slice.

    Without that a slice goes by the checkpoints that are stored, and so does a second look: only what both find is a
    difference, for a run may have come between two slices.
    """
    with snapshot():
        found, after = _look_at(at, before)
    if found:
        with snapshot():
            again, after = _look_at(at, None)
        known = {str(difference) for difference in again}
        found = [difference for difference in found if str(difference) in known]
    return found, after


def following(at: Slice) -> Slice | None:
    """Return the slice after this one, None after the last."""
    if not at.game:
        if at.season and not at.board and (table := _end(at)):
            return at._replace(table=table)
        if at.season and (board := next(iter(_BOARDS_AFTER[at.board]), None)):
            return Slice(season=at.season, board=board)
        season = Season.objects.filter(pk__gt=at.season).order_by("pk").values_list("pk", flat=True).first()
        if season:
            return Slice(season=season)
    elif ahead := stretches(at.game, at.since)[1:]:
        return at._replace(since=ahead[0].first)
    game = next((game for game in _games() if game > at.game), None)
    return None if game is None else Slice(game=game)


def _look_at(at: Slice, before: StateArrays | None) -> tuple[list[Difference], StateArrays | None]:
    if at.game:
        return _game(at, before)
    if at.season:
        return list(BOARDS[at.board](at.season) if at.board else _tables(at)), None
    return [*_names(), *_dates()], None


def waiting() -> QuerySet[Due]:
    """Return what the next run will bring up to date, and this therefore didn't look at."""
    return Due.objects.order_by("pk")


def _names() -> Iterator[Difference]:
    for player in Player.objects.order_by("pk").iterator(CHUNK):
        for field, derived in player.derived_names().items():
            if (stored := getattr(player, field)) != derived:
                yield Difference("Player", f"id {player.pk}", field, stored, derived)


def _dates() -> Iterator[Difference]:
    """List the dates of clubs' rows that could not be written today: before 1900, or more than ten years ahead."""
    last = last_date()
    bounds = f"a date from {FIRST_DATE} to {last}"
    begin, end = (datetime.combine(day, time(), UTC) for day in (FIRST_DATE, last + 2 * A_DAY))  # in any time zone
    for part in PARTS:
        for field in part.model._meta.concrete_fields:
            if isinstance(field, DateField):
                first_and_last = (begin, end) if isinstance(field, DateTimeField) else (FIRST_DATE, last)
                outside = Q(**{f"{field.name}__lt": first_and_last[0]}) | Q(**{f"{field.name}__gt": first_and_last[1]})
                rows = part.model._default_manager.filter(outside).order_by("pk").values_list("pk", field.name)
                for pk, stored in rows.iterator(CHUNK):
                    yield Difference(part.model.__name__, f"id {pk}", field.name, stored.isoformat(), bounds)


def _tables(at: Slice) -> Iterator[Difference]:
    """A slice of the season's tables: those with deals, and those without in which the database finds a difference."""
    game, tables = _known_game(at.season), _of_slice(at)
    if game:
        yield from _totals(tables, game)
    dealt = Prefetch("dealt", Deal.objects.prefetch_related(Prefetch("scores", Score.objects.order_by())))
    wanted = list(_to_look_at(tables, game).values_list("pk", flat=True))
    for table in Table.objects.filter(pk__in=wanted).with_club().prefetch_related("seats", dealt).order_by("pk"):
        seats = list(table.seats.all())
        deals = list(table.dealt.all())
        if not has_playable_seats(table, seats):
            numbers = [seat.number for seat in seats]
            yield Difference("Table", f"id {table.pk}", "seats (it counts nowhere)", numbers, "seats of its game")
            continue
        yield from _numbers(table, deals)
        standing = sorted((deal for deal in deals if deal.number is not None), key=lambda deal: deal.number or 0)
        try:
            played = {deal.pk: result for deal, result in play_deals(table, standing)}
        except IllegalDeal as illegal:  # in the house rules
            played = dict.fromkeys((deal.pk for deal in standing), illegal)
        for deal in deals:
            yield from _scores(deal, seats, played.get(deal.pk))
        yield from _seats(table, seats, deals)


def _end(at: Slice) -> int | None:
    """Return the last table of a slice of a season, None where it has all that are left.

    The database doesn't sort: it would rather walk through all tables of the installation in their order.
    """
    tables = Table.objects.filter(round__evening__season=at.season, recorded__gt=0).order_by()
    ahead = sorted(pk for pk in tables.values_list("pk", flat=True) if pk > at.table)
    return ahead[TABLES - 1] if len(ahead) > TABLES else None


def _known_game(season: int) -> str | None:
    """Return the season's game if it is installed."""
    found = Season.objects.filter(pk=season, game__in=registry.slugs()).values_list("game", flat=True)
    return found.first()


def _of_slice(at: Slice) -> QuerySet[Table]:
    tables = Table.objects.filter(round__evening__season=at.season).order_by()
    if at.table:
        tables = tables.filter(pk__gt=at.table)
    return tables.filter(pk__lte=end) if (end := _end(at)) else tables


def _to_look_at(tables: QuerySet[Table], game: str | None) -> QuerySet[Table]:
    """Tables that have a deal, or whose sums aren't those of the totals that were handed in (`results.table_sums`).

    Also those whose seats, or whose size, the game cannot have.
    """
    written, written_deals = Coalesce("seats__written", 0), Coalesce("seats__written_deals", 0)
    playing = F("size") - Case(When(one_rests=True, then=1), default=0)
    least, most = registry.rules(game).seats if game else (2, None)
    too_large = Q() if most is None else Q(size__gt=most)
    return tables.annotate(
        dealt_here=Exists(Deal.objects.filter(table=OuterRef("pk"))),
        off=BoolOr(~Q(seats__points=written) | ~Q(seats__deals=written_deals)),
        played=Coalesce(Sum("seats__written_deals"), 0),
        seated=Count("seats"),
        last=Max("seats__number"),
        by_totals=BoolAnd(Q(seats__written__isnull=False)),
    ).filter(
        Q(dealt_here=True)
        | Q(off__isnull=True)  # nobody sits there
        | Q(off=True)
        | Q(size__lt=least)
        | too_large
        | ~Q(seated=F("size"))
        | ~Q(last=F("size") - 1)
        | ~Q(recorded=0)
        | ~Q(deals=(F("played") + playing - 1) / playing)
        | ~Q(complete=F("by_totals"))
    )


def _totals(tables: QuerySet[Table], game: str) -> Iterator[Difference]:
    """Compare totals that were handed in with what the game can have: only numbers are read."""
    by_totals = tables.filter(recorded=0).exclude(seats__written=None).values("pk")
    seats = Seat.objects.filter(table__in=by_totals).order_by("table_id", "number")
    rows = seats.values_list("table_id", "table__size", "table__deals", "written")
    for (pk, size, deals), of_table in groupby(rows.iterator(CHUNK), key=lambda row: row[:3]):
        totals = [written for *_table, written in of_table if written is not None]
        try:
            if len(totals) == size:
                registry.rules(game).check_totals(totals, max(deals, 1))
        except IllegalDeal as illegal:
            yield Difference("Table", f"id {pk}", f"written totals ({illegal.field})", totals, "possible totals")


def _numbers(table: Table, deals: list[Deal]) -> Iterator[Difference]:
    numbers = sorted(deal.number for deal in deals if deal.number is not None)
    if numbers != list(range(1, len(numbers) + 1)):
        yield Difference("Table", f"id {table.pk}", "numbers of its deals", numbers, list(range(1, len(numbers) + 1)))


def _scores(deal: Deal, seats: list[Seat], played: Played | IllegalDeal | None) -> Iterator[Difference]:
    """Compare a deal's stored scores with the result of its facts, None for a voided deal."""
    if played is None:
        yield from differences(deal.scores.all(), [], Score.KEY, Score.DERIVED)
        return
    if isinstance(played, IllegalDeal):
        yield Difference("Deal", f"id {deal.pk}", f"facts ({played.field})", deal.facts, "a legal deal")
        return
    derived = derived_deal(deal, seats, played)
    if deal.doubted != derived.doubted:
        yield Difference("Deal", f"id {deal.pk}", "doubted", deal.doubted, derived.doubted)
    yield from differences(deal.scores.all(), derived.scores, Score.KEY, Score.DERIVED)


def _seats(table: Table, seats: list[Seat], deals: list[Deal]) -> Iterator[Difference]:
    scored: dict[int, Sums] = {}
    for score in (score for deal in deals for score in deal.scores.all()):
        points, played = scored.get(score.seat_id, Sums(0, 0))
        scored[score.seat_id] = Sums(points + score.points, played + 1)
    recorded = sum(each.deals for each in scored.values()) // table.playing  # each deal has a score for each who plays
    for seat in seats:
        derived = derived_sums(seat, scored, recorded)
        for field, value in derived._asdict().items():
            if getattr(seat, field) != value:
                yield Difference("Seat", f"id {seat.pk}", field, getattr(seat, field), value)
        seat.points, seat.deals = derived
    fields = ("recorded", "deals", "complete")
    for field, value in zip(fields, derived_table(table, seats, recorded), strict=True):
        if getattr(table, field) != value:
            yield Difference("Table", f"id {table.pk}", field, getattr(table, field), value)


def _standings(pk: int) -> Iterator[Difference]:
    """A season's standings; frozen ones also while the season is due."""
    season = Season.objects.filter(pk=pk).select_related("closing").first()
    if season is None:
        return
    rows = list(season.standings.all())
    if hasattr(season, "closing") and (digest := rows_digest(rows)) != season.closing.digest:
        yield Difference("SeasonClosing", f"season {pk}", "digest", season.closing.digest, digest)
    if _follows_from_the_facts(season, rows):
        try:
            fresh = [Standing.from_row(season.pk, row, versions.STANDINGS) for row in rank_season(season)]
        except UnreadableRules as why:
            yield Difference("Season", f"id {season.pk}", "standings_rules", season.standings_rules, str(why))
            return
        yield from differences(rows, fresh, Standing.KEY, Standing.DERIVED)


def _follows_from_the_facts(season: Season, rows: Sequence[Standing]) -> bool:
    """Return whether the rows have to be what the facts give now: frozen ones if they are by the same arithmetic."""
    if hasattr(season, "closing"):
        return all(row.arithmetic == versions.STANDINGS for row in rows)
    return not _is_due(season)


def _statistics(pk: int) -> Iterator[Difference]:
    """What a season's deals count."""
    season = _counted_season(pk)
    if season is None:
        return
    counted = unsaved_rows(PlayerStatistics, statistics_columns(statistics_of([season])))
    stored = season.player_statistics.all()
    yield from differences(stored, counted, PlayerStatistics.KEY, PlayerStatistics.DERIVED)


def _records(pk: int) -> Iterator[Difference]:
    """The records of a season's deals, tables and evenings."""
    season = _counted_season(pk)
    if season is None:
        return
    fresh = unsaved_rows(SeasonRecord, season_records([season], counted_deals([season])))
    yield from differences(season.records.all(), fresh, SeasonRecord.KEY, SeasonRecord.DERIVED)


def _counted_season(pk: int) -> Season | None:
    """Return a season whose statistics and records have to be what its facts give now."""
    season = Season.objects.filter(pk=pk, game__in=registry.slugs()).select_related("closing").first()
    return None if season is None or _is_due(season) or not _is_counted(season) else season


def _is_counted(season: Season) -> bool:
    """Return whether a season's task comes to its deals: where its rules can't be read, its standings fail before."""
    if hasattr(season, "closing"):
        return True
    try:
        rules_of(season)
    except UnreadableRules:
        return False
    return True


def _is_due(season: Season) -> bool:
    return Due.objects.filter(season=season).exists()


# What is derived of a season as a whole, in the order in which it is looked at.
BOARDS: Final[dict[str, Callable[[int], Iterator[Difference]]]] = {
    "standings": _standings,
    "statistics": _statistics,
    "records": _records,
}
_BOARDS_AFTER: Final = {board: list(BOARDS)[number:] for number, board in enumerate(["", *BOARDS])}


def _games() -> list[str]:
    stored = Rating.objects.order_by().values_list("game", flat=True).distinct()
    played = Season.objects.order_by().values_list("game", flat=True).distinct()
    return sorted({*stored, *played})


def _game(at: Slice, before: StateArrays | None) -> tuple[list[Difference], StateArrays | None]:
    """A stretch of a game's ratings again; with the last one what everybody holds now."""
    game = at.game
    if Due.objects.filter(game=game).exists():
        return [], None
    stretch, *ahead = stretches(game, at.since)
    part = compute(game, stretch, state_before(game, at.since) if before is None else before)
    dates = {"game": game, "date__range": stretch}
    found = list(_history(RatingStep, game, stretch, RatingStep.columns(game, part.history)))
    found += _history(Met, game, stretch, Met.columns(game, part.history))
    days = [
        RatingDay(game=game, date=day, digest=digest, arithmetic=versions.RATINGS)
        for day, digest in part.digests.items()
    ]
    digests = list(differences(RatingDay.objects.filter(**dates), days, RatingDay.KEY, RatingDay.DERIVED))
    found += digests[:1]  # each is made of the one before: the first that differs says it all
    if not ahead:
        found += _board(game, part.state)
    return found, part.state


def _history(
    model: type[RatingStep | Met], game: str, stretch: game_ratings.Stretch, fresh: Columns
) -> Iterator[Difference]:
    """A stretch's rows, whole columns at a time; row by row where these differ."""
    names, arrays = zip(*((name, column) for name, column in fresh.items() if not isinstance(column, str)), strict=True)
    key = [name for name in model.KEY if name in names]
    query = f"""
        SELECT {", ".join(names)} FROM {model._meta.db_table} WHERE game = %s AND date BETWEEN %s AND %s
        ORDER BY {", ".join(key)}
    """  # noqa: S608
    types = ["date" if array.dtype.kind == "M" else "bigint" for array in arrays]
    stored = columns.read(query, [game, *stretch], types)
    order = np.lexsort([arrays[names.index(name)] for name in reversed(key)])
    if all(np.array_equal(column, array[order]) for column, array in zip(stored, arrays, strict=True)):
        return
    rows = model.objects.filter(game=game, date__range=stretch)
    yield from differences(rows, unsaved_rows(model, fresh), model.KEY, model.DERIVED)


def _board(game: str, state: StateArrays) -> Iterator[Difference]:
    """What everybody holds in a game after its last table."""
    ratings = list(Rating.objects.filter(game=game))
    fresh = unsaved_rows(Rating, Rating.columns(game, state))
    yield from differences(ratings, fresh, Rating.KEY, Rating.DERIVED)
    total = sum(rating.micro for rating in ratings)
    if total != START * len(ratings):
        yield Difference("Rating", f"game {game}", "sum of micro", total, START * len(ratings))
