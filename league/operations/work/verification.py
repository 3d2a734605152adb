"""Verification: compute every stored number again from the facts, and yield each difference.

Standings and ratings with pending work are skipped, since a worker is about to compute them.
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

from league.evenings.queries.rest_points import compute_rest_points
from league.imports.queries.club_file.parts import PARTS
from league.models import (
    Deal,
    PendingRecompute,
    PlayerStatistics,
    Rest,
    Score,
    Season,
    SeasonRecord,
    Seat,
    Standing,
    Table,
    Tournament,
    TournamentRank,
    versions,
)
from league.models.check import CheckKind
from league.models.date_bounds import FIRST_DATE, last_date
from league.models.standing import rows_digest
from league.operations.queries.snapshot import consistent_snapshot
from league.operations.work.check_records import record_check
from league.ratings.queries import game_ratings
from league.ratings.queries.game_ratings import compute_date_range, date_ranges, state_before
from league.seasons.queries.season_evenings import UnreadableRules, standings_rules_of
from league.seasons.queries.season_rankings import rank_season
from league.sheets.queries.deal_scores import results_of_deal, score_deals
from league.sheets.queries.table_sums import PointsAndDeals, compute_seat_sums, compute_table_state, has_playable_seats
from league.statistics.queries.counted_deals import counted_deals
from league.statistics.queries.deal_statistics import statistics_columns, statistics_of
from league.statistics.queries.season_records import season_records
from league.tournaments.queries.final_ranks import unsaved_final_ranks
from players import columns
from players.columns import Columns
from players.derived_rows import Difference, differences, unsaved_rows
from players.models import FirstMeeting, Player, Rating, RatingDay, RatingStep
from players.rating.reference import START_RATING
from players.rating.state import StateArrays
from scoring import registry
from scoring.rules.errors import DoubtfulTotals, IllegalDeal
from scoring.rules.interface import ScoredDeal

ROWS_PER_QUERY = 500  # rows read at once
TABLES_PER_SLICE = 200  # tables that a slice scores again
A_DAY: Final = timedelta(days=1)
DETAIL_LIMIT = 5  # differences that are stored with the outcome


class VerificationSlice(NamedTuple):
    """A part of the verification: names and dates of all rows, a part of a season, or a game in a range of dates.

    The first slices of a season are its card tables. Such a slice has the tables with ids above `table`, at most
    TABLES_PER_SLICE of them with deals. Then each of SEASON_CHECKS is a slice; `check` is its name. So an error in one
    slice does not hide the other errors. A slice of a game begins with the date `since`.
    """

    season: int = 0
    table: int = 0
    check: str = ""
    game: str = ""
    since: date = date.min


def verify_and_record() -> list[Difference]:
    differences = list(verify())
    record_outcome([str(difference) for difference in differences[:DETAIL_LIMIT]], len(differences), timezone.now())
    return differences


def record_outcome(first_differences: Sequence[str], number: int, now: datetime) -> None:
    record_check(CheckKind.VERIFY, now=now, ok=not number, problems=number, summary="\n".join(first_differences))


def verify() -> Iterator[Difference]:
    current: VerificationSlice | None = VerificationSlice()
    before: StateArrays | None = None
    while current:
        differences, before = check_slice(current, before)
        yield from differences
        current = next_slice(current)


def check_slice(
    current: VerificationSlice, before: StateArrays | None = None
) -> tuple[list[Difference], StateArrays | None]:
    """Return the differences in a slice and, for a game, the ratings at its end, which are `before` of the next slice.

    `before` are the ratings at the beginning of a slice of a game; if it is None, stored ratings are used. A difference
    counts only if a second check finds it too, since a worker may have changed rows during the first check.
    """
    with consistent_snapshot():
        differences, after = _check_slice(current, before)
    if differences:
        with consistent_snapshot():
            repeated, after = _check_slice(current, None)
        confirmed = {str(difference) for difference in repeated}
        differences = [difference for difference in differences if str(difference) in confirmed]
    return differences, after


def next_slice(current: VerificationSlice) -> VerificationSlice | None:
    if not current.game:
        if current.season and not current.check and (table := _last_table_of_slice(current)):
            return current._replace(table=table)
        if current.season and (check := next(iter(_NEXT_CHECKS[current.check]), None)):
            return VerificationSlice(season=current.season, check=check)
        season = Season.objects.filter(pk__gt=current.season).order_by("pk").values_list("pk", flat=True).first()
        if season:
            return VerificationSlice(season=season)
    elif later_ranges := date_ranges(current.game, current.since)[1:]:
        return current._replace(since=later_ranges[0].first)
    game = next((game for game in _game_keys() if game > current.game), None)
    return None if game is None else VerificationSlice(game=game)


def _check_slice(current: VerificationSlice, before: StateArrays | None) -> tuple[list[Difference], StateArrays | None]:
    if current.game:
        return _game_differences(current, before)
    if current.season:
        return list(
            SEASON_CHECKS[current.check](current.season) if current.check else _table_differences(current)
        ), None
    return [*_name_differences(), *_date_differences()], None


def all_pending_recomputes() -> QuerySet[PendingRecompute]:
    return PendingRecompute.objects.order_by("pk")


def _name_differences() -> Iterator[Difference]:
    for player in Player.objects.order_by("pk").iterator(ROWS_PER_QUERY):
        for field, derived in player.derived_names().items():
            if (stored := getattr(player, field)) != derived:
                yield Difference("Player", f"id {player.pk}", field, stored, derived)


def _date_differences() -> Iterator[Difference]:
    """Yield a difference for each stored date that a form would refuse: before 1900, or more than ten years ahead."""
    last = last_date()
    bounds = f"a date from {FIRST_DATE} to {last}"
    begin, end = (datetime.combine(day, time(), UTC) for day in (FIRST_DATE, last + 2 * A_DAY))  # in any time zone
    for part in PARTS:
        for field in part.model._meta.concrete_fields:
            if isinstance(field, DateField):
                first_and_last = (begin, end) if isinstance(field, DateTimeField) else (FIRST_DATE, last)
                outside = Q(**{f"{field.name}__lt": first_and_last[0]}) | Q(**{f"{field.name}__gt": first_and_last[1]})
                rows = part.model._default_manager.filter(outside).order_by("pk").values_list("pk", field.name)
                for pk, stored in rows.iterator(ROWS_PER_QUERY):
                    yield Difference(part.model.__name__, f"id {pk}", field.name, stored.isoformat(), bounds)


def _table_differences(current: VerificationSlice) -> Iterator[Difference]:
    season = Season.objects.select_related("club_game").get(pk=current.season)
    game, tables = _known_game(season), _tables_of_slice(current)
    if season.club_game and season.house_rules != season.club_game.options:
        yield Difference("Season", f"id {season.pk}", "house_rules", season.house_rules, season.club_game.options)
    if game:
        yield from _total_differences(tables, season)
    dealt = Prefetch("dealt", Deal.objects.prefetch_related(Prefetch("scores", Score.objects.order_by())))
    suspects = list(_suspect_tables(tables, game, low_wins=season.low_wins).values_list("pk", flat=True))
    for table in Table.objects.filter(pk__in=suspects).with_club().prefetch_related("seats", dealt).order_by("pk"):
        seats = list(table.seats.all())
        deals = list(table.dealt.all())
        if not has_playable_seats(table, seats):
            numbers = [seat.number for seat in seats]
            yield Difference("Table", f"id {table.pk}", "seats (it counts nowhere)", numbers, "seats of its game")
            continue
        yield from _deal_number_differences(table, deals)
        standing = sorted((deal for deal in deals if deal.number is not None), key=lambda deal: deal.number or 0)
        try:
            played = {deal.pk: result for deal, result in score_deals(table, standing)}
        except IllegalDeal as illegal:  # an error in the house rules
            played = dict.fromkeys((deal.pk for deal in standing), illegal)
        for deal in deals:
            yield from _score_differences(deal, seats, played.get(deal.pk))
        yield from _seat_differences(table, seats, deals)


def _last_table_of_slice(current: VerificationSlice) -> int | None:
    """Return the id of the last card table in this slice; None if the slice is the season's last one.

    The ids are sorted in Python: with ORDER BY id LIMIT, PostgreSQL may read the card tables of all clubs.
    """
    tables = Table.objects.filter(round__evening__season=current.season, recorded__gt=0).order_by()
    later_tables = sorted(pk for pk in tables.values_list("pk", flat=True) if pk > current.table)
    return later_tables[TABLES_PER_SLICE - 1] if len(later_tables) > TABLES_PER_SLICE else None


def _known_game(season: Season) -> str | None:
    """Return the slug of the season's game; None if the program no longer has the game."""
    return season.game if season.game in (*registry.slugs(), registry.TOTALS) else None


def _tables_of_slice(current: VerificationSlice) -> QuerySet[Table]:
    tables = Table.objects.filter(round__evening__season=current.season).order_by()
    if current.table:
        tables = tables.filter(pk__gt=current.table)
    return tables.filter(pk__lte=last) if (last := _last_table_of_slice(current)) else tables


def _suspect_tables(tables: QuerySet[Table], game: str | None, *, low_wins: bool) -> QuerySet[Table]:
    """Return the card tables that must be checked in detail.

    They have a deal, or stored numbers that differ from the written totals, or a size or seats that the game does not
    allow. `game` is the slug of the season's game, or None if it is unknown. `low_wins`: the lowest total wins.
    """
    total, total_deals = Coalesce("seats__written", 0) * (-1 if low_wins else 1), Coalesce("seats__written_deals", 0)
    playing = F("size") - Case(When(one_rests=True, then=1), default=0)
    minimum, maximum = registry.rules(game).seats if game else (2, None)
    too_large = Q() if maximum is None else Q(size__gt=maximum)
    return tables.annotate(
        dealt_here=Exists(Deal.objects.filter(table=OuterRef("pk"))),
        off=BoolOr(~Q(seats__points=total) | ~Q(seats__deals=total_deals)),
        played=Coalesce(Sum("seats__written_deals"), 0),
        seated=Count("seats"),
        last=Max("seats__number"),
        by_totals=BoolAnd(Q(seats__written__isnull=False)),
    ).filter(
        Q(dealt_here=True)
        | Q(off__isnull=True)  # no seats
        | Q(off=True)
        | Q(size__lt=minimum)
        | too_large
        | ~Q(seated=F("size"))
        | ~Q(last=F("size") - 1)
        | ~Q(recorded=0)
        | ~Q(deals=(F("played") + playing - 1) / playing)
        | ~Q(complete=F("by_totals"))
    )


def _total_differences(tables: QuerySet[Table], season: Season) -> Iterator[Difference]:
    # Two queries: in one, a wrong estimate of the planner can take minutes.
    without_deals = list(tables.filter(recorded=0).order_by().values_list("pk", flat=True))
    seats = Seat.objects.filter(table__in=without_deals).order_by("table_id", "number")
    rows = seats.values_list("table_id", "table__size", "table__deals", "written")
    rules = registry.rules(season.game)
    options = rules.read_options(season.house_rules)
    for (pk, size, deals), of_table in groupby(rows.iterator(ROWS_PER_QUERY), key=lambda row: row[:3]):
        totals = [total for *_table, total in of_table if total is not None]
        try:
            if len(totals) == size:
                rules.check_totals(totals, max(deals, 1), options)
        except DoubtfulTotals:
            continue  # a user confirmed these totals when they were entered
        except IllegalDeal as illegal:
            yield Difference("Table", f"id {pk}", f"written totals ({illegal.field})", totals, "possible totals")


def _deal_number_differences(table: Table, deals: list[Deal]) -> Iterator[Difference]:
    numbers = sorted(deal.number for deal in deals if deal.number is not None)
    if numbers != list(range(1, len(numbers) + 1)):
        yield Difference("Table", f"id {table.pk}", "numbers of its deals", numbers, list(range(1, len(numbers) + 1)))


def _score_differences(deal: Deal, seats: list[Seat], played: ScoredDeal | IllegalDeal | None) -> Iterator[Difference]:
    if played is None:
        yield from differences(deal.scores.all(), [], Score.KEY, Score.DERIVED)
        return
    if isinstance(played, IllegalDeal):
        yield Difference("Deal", f"id {deal.pk}", f"facts ({played.field})", deal.facts, "a legal deal")
        return
    derived = results_of_deal(deal, seats, played)
    if deal.doubted != derived.doubted:
        yield Difference("Deal", f"id {deal.pk}", "doubted", deal.doubted, derived.doubted)
    yield from differences(deal.scores.all(), derived.scores, Score.KEY, Score.DERIVED)


def _seat_differences(table: Table, seats: list[Seat], deals: list[Deal]) -> Iterator[Difference]:
    scored: dict[int, PointsAndDeals] = {}
    for score in (score for deal in deals for score in deal.scores.all()):
        points, played = scored.get(score.seat_id, PointsAndDeals(0, 0))
        scored[score.seat_id] = PointsAndDeals(points + score.points, played + 1)
    recorded = sum(sums.deals for sums in scored.values()) // table.players_of_deal  # a deal has a score of each player
    for seat in seats:
        derived = compute_seat_sums(seat, scored, recorded, table.round.evening.season)
        for field, value in derived._asdict().items():
            if getattr(seat, field) != value:
                yield Difference("Seat", f"id {seat.pk}", field, getattr(seat, field), value)
        seat.points, seat.deals = derived
    fields = ("recorded", "deals", "complete")
    for field, value in zip(fields, compute_table_state(table, seats, recorded), strict=True):
        if getattr(table, field) != value:
            yield Difference("Table", f"id {table.pk}", field, getattr(table, field), value)


def _rest_differences(pk: int) -> Iterator[Difference]:
    rests = (
        Rest.objects.with_computed_points().filter(round__evening__season=pk).select_related("round__evening__season")
    )
    for rest, sums in compute_rest_points(rests.order_by("pk")):
        for field, value in sums._asdict().items():
            if getattr(rest, field) != value:
                yield Difference("Rest", f"id {rest.pk}", field, getattr(rest, field), value)


def _standing_differences(pk: int) -> Iterator[Difference]:
    """Yield the differences in the stored standings of a season (id).

    The digest of a closed season's standings is compared even if the season has pending work.
    """
    season = Season.objects.filter(pk=pk).select_related("closing").first()
    if season is None:
        return
    rows = list(season.standings.all())
    if hasattr(season, "closing") and (digest := rows_digest(rows)) != season.closing.digest:
        yield Difference("SeasonClosing", f"season {pk}", "digest", season.closing.digest, digest)
    if _is_comparable(season, rows):
        try:
            fresh = [Standing.from_row(season.pk, row, versions.STANDINGS) for row in rank_season(season)]
        except UnreadableRules as error:
            yield Difference("Season", f"id {season.pk}", "standings_rules", season.standings_rules, str(error))
            return
        yield from differences(rows, fresh, Standing.KEY, Standing.DERIVED)


def _is_comparable(season: Season, rows: Sequence[Standing]) -> bool:
    if hasattr(season, "closing"):
        return all(row.arithmetic == versions.STANDINGS for row in rows)
    return not _has_pending_recomputes(season)


def _statistics_differences(pk: int) -> Iterator[Difference]:
    season = _season_with_statistics(pk)
    if season is None:
        return
    derived = unsaved_rows(PlayerStatistics, statistics_columns(statistics_of([season])))
    stored = season.player_statistics.all()
    yield from differences(stored, derived, PlayerStatistics.KEY, PlayerStatistics.DERIVED)


def _record_differences(pk: int) -> Iterator[Difference]:
    season = _season_with_statistics(pk)
    if season is None:
        return
    fresh = unsaved_rows(SeasonRecord, season_records([season], counted_deals([season])))
    yield from differences(season.records.all(), fresh, SeasonRecord.KEY, SeasonRecord.DERIVED)


def _tournament_rank_differences(pk: int) -> Iterator[Difference]:
    tournament: Tournament | None = Tournament.objects.filter(season=pk).first()
    if tournament is None or PendingRecompute.objects.filter(season=pk).exists():
        return
    stored = tournament.ranks.all()
    yield from differences(stored, unsaved_final_ranks(tournament), TournamentRank.KEY, TournamentRank.DERIVED)


def _season_with_statistics(pk: int) -> Season | None:
    """Return the season if its statistics and records can be compared.

    Return None if its game is unknown, it has pending work, or it has no statistics.
    """
    game_keys = [*registry.slugs(), registry.TOTALS]
    season = Season.objects.filter(pk=pk, game__in=game_keys).select_related("closing").first()
    return None if season is None or _has_pending_recomputes(season) or not _has_statistics(season) else season


def _has_statistics(season: Season) -> bool:
    """Return whether the season has statistics: it is closed, or its standings rules are valid."""
    if hasattr(season, "closing"):
        return True
    try:
        standings_rules_of(season)
    except UnreadableRules:
        return False
    return True


def _has_pending_recomputes(season: Season) -> bool:
    return PendingRecompute.objects.filter(season=season).exists()


# Checks of the computed rows of a whole season, by name, in the order of verification.
SEASON_CHECKS: Final[dict[str, Callable[[int], Iterator[Difference]]]] = {
    "rests": _rest_differences,
    "standings": _standing_differences,
    "statistics": _statistics_differences,
    "records": _record_differences,
    "tournament ranks": _tournament_rank_differences,
}
# The later checks by the name of a check. "" stands for the slices of card tables, which come before all checks.
_NEXT_CHECKS: Final = {check: list(SEASON_CHECKS)[number:] for number, check in enumerate(["", *SEASON_CHECKS])}


def _game_keys() -> list[str]:
    stored = Rating.objects.order_by().values_list("game", flat=True).distinct()
    played = Season.objects.order_by().values_list("game_key", flat=True).distinct()
    return sorted({*stored, *played})


def _game_differences(
    current: VerificationSlice, before: StateArrays | None
) -> tuple[list[Difference], StateArrays | None]:
    game = current.game
    if PendingRecompute.objects.filter(game=game).exists():
        return [], None
    date_range, *later_ranges = date_ranges(game, current.since)
    part = compute_date_range(game, date_range, state_before(game, current.since) if before is None else before)
    dates = {"game": game, "date__range": date_range}
    found_differences = list(_history_differences(RatingStep, game, date_range, RatingStep.columns(game, part.history)))
    found_differences += _history_differences(FirstMeeting, game, date_range, FirstMeeting.columns(game, part.history))
    days = [
        RatingDay(game=game, date=day, digest=digest, arithmetic=versions.RATINGS)
        for day, digest in part.digests.items()
    ]
    digests = list(differences(RatingDay.objects.filter(**dates), days, RatingDay.KEY, RatingDay.DERIVED))
    found_differences += digests[:1]  # a digest depends on the digest of the previous day: later ones differ too
    if not later_ranges:
        found_differences += _rating_differences(game, part.state)
    return found_differences, part.state


def _history_differences(
    model: type[RatingStep | FirstMeeting], game: str, date_range: game_ratings.DateRange, fresh: Columns
) -> Iterator[Difference]:
    """Yield the differences of stored rows of a game from the computed columns `fresh`, in a range of dates.

    Whole columns are compared first; rows are compared only if a column differs.
    """
    names, arrays = zip(*((name, column) for name, column in fresh.items() if not isinstance(column, str)), strict=True)
    key = [name for name in model.KEY if name in names]
    query = f"""
        SELECT {", ".join(names)} FROM {model._meta.db_table} WHERE game = %s AND date BETWEEN %s AND %s
        ORDER BY {", ".join(key)}
    """  # noqa: S608
    types = ["date" if array.dtype.kind == "M" else "bigint" for array in arrays]
    stored = columns.read_columns(query, [game, *date_range], types)
    order = np.lexsort([arrays[names.index(name)] for name in reversed(key)])
    if all(np.array_equal(column, array[order]) for column, array in zip(stored, arrays, strict=True)):
        return
    rows = model.objects.filter(game=game, date__range=date_range)
    yield from differences(rows, unsaved_rows(model, fresh), model.KEY, model.DERIVED)


def _rating_differences(game: str, state: StateArrays) -> Iterator[Difference]:
    ratings = list(Rating.objects.filter(game=game))
    fresh = unsaved_rows(Rating, Rating.columns(game, state))
    yield from differences(ratings, fresh, Rating.KEY, Rating.DERIVED)
    total = sum(rating.micro for rating in ratings)
    if total != START_RATING * len(ratings):
        yield Difference("Rating", f"game {game}", "sum of micro", total, START_RATING * len(ratings))
