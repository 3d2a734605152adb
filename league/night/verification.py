"""Derives every stored number again from the facts, and tells each difference by name.

Standings and ratings that are due are left to the next run: they are said to wait, not to be wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.db.models import Prefetch, QuerySet
from django.utils import timezone

from league.models import Deal, Due, Score, Season, Seat, Standing, Table
from league.models.check import CheckKind
from league.monitoring.check_notes import note
from league.results import game_ratings
from league.results.deal_scores import derived_deal
from league.results.game_ratings import compute, stretches
from league.results.season_evenings import UnreadableRules
from league.results.season_places import ARITHMETIC, season_places
from league.results.table_sums import derived_sums, derived_table, score_sums
from players.derived_rows import Difference, differences, rows_of
from players.models import Met, Player, Rating, RatingDay, RatingStep
from players.rating.reference import START
from players.rating.state import NOBODY
from scoring.rules.errors import IllegalDeal

CHUNK = 500
NAMED = 5  # differences that the note of a verification names


def look_through() -> list[Difference]:
    """Return every difference between what is stored and what follows from the facts; how many there are is noted.

    A deal recorded, or a run done, while we look can seem a difference: only what a second look finds too is one.
    """
    found = list(verify())
    if found:
        again = {str(difference) for difference in verify()}
        found = [difference for difference in found if str(difference) in again]
    named = "\n".join(map(str, found[:NAMED]))
    # Its end, which may be minutes after whoever asked said "now".
    note(CheckKind.VERIFY, now=timezone.now(), ok=not found, found=len(found), summary=named)
    return found


def verify() -> Iterator[Difference]:
    """Every difference between what is stored and what follows from the facts."""
    yield from _names()
    for season in Season.objects.order_by("pk").iterator():
        yield from _tables(season)
    yield from _standings()
    yield from _ratings()


def waiting() -> QuerySet[Due]:
    """Return what the next run will bring up to date, and this therefore didn't look at."""
    return Due.objects.order_by("pk")


def _names() -> Iterator[Difference]:
    for player in Player.objects.order_by("pk").iterator(CHUNK):
        derived = player.derived_sort_key()
        if player.sort_key != derived:
            yield Difference("Player", f"id {player.pk}", "sort_key", player.sort_key, derived)


def _tables(season: Season) -> Iterator[Difference]:
    dealt = Prefetch("dealt", Deal.objects.prefetch_related("scores"))
    tables = Table.objects.filter(round__evening__season=season).with_club().prefetch_related("seats", dealt)
    for table in tables.order_by("pk").iterator(CHUNK):
        seats = list(table.seats.all())
        deals = list(table.dealt.all())
        yield from _numbers(table, deals)
        standing = sorted((deal for deal in deals if deal.number is not None), key=lambda deal: deal.number or 0)
        for deal in deals:
            deal.table = table
            earlier = [before.facts for before in standing if (before.number or 0) < (deal.number or 0)]
            yield from _scores(deal, seats, earlier)
        yield from _seats(table, seats)


def _numbers(table: Table, deals: list[Deal]) -> Iterator[Difference]:
    numbers = sorted(deal.number for deal in deals if deal.number is not None)
    if numbers != list(range(1, len(numbers) + 1)):
        yield Difference("Table", f"id {table.pk}", "numbers of its deals", numbers, list(range(1, len(numbers) + 1)))


def _scores(deal: Deal, seats: list[Seat], earlier: list[Mapping[str, Any]]) -> Iterator[Difference]:
    """Compare a deal's scores with what its facts give after the table's deals with the `earlier` facts."""
    if deal.voided_at is not None:
        yield from differences(deal.scores.all(), [], Score.KEY, Score.DERIVED)
        return
    try:
        derived = derived_deal(deal, seats, earlier)
    except IllegalDeal as illegal:
        yield Difference("Deal", f"id {deal.pk}", f"facts ({illegal.field})", deal.facts, "a legal deal")
        return
    if deal.doubted != derived.doubted:
        yield Difference("Deal", f"id {deal.pk}", "doubted", deal.doubted, derived.doubted)
    yield from differences(deal.scores.all(), derived.scores, Score.KEY, Score.DERIVED)


def _seats(table: Table, seats: list[Seat]) -> Iterator[Difference]:
    scored, recorded = score_sums(table)
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


def _standings() -> Iterator[Difference]:
    later = Due.objects.filter(season__isnull=False).values("season")
    for season in Season.objects.exclude(pk__in=later).order_by("pk"):
        try:
            fresh = [Standing.of(season.pk, place, ARITHMETIC) for place in season_places(season)]
        except UnreadableRules as why:
            yield Difference("Season", f"id {season.pk}", "standings_rules", season.standings_rules, str(why))
            continue
        yield from differences(season.standings.all(), fresh, Standing.KEY, Standing.DERIVED)


def _ratings() -> Iterator[Difference]:
    stored = Rating.objects.order_by().values_list("game", flat=True).distinct()
    played = Season.objects.order_by().values_list("game", flat=True).distinct()
    later = set(Due.objects.exclude(game="").values_list("game", flat=True))
    for game in sorted({*stored, *played} - later):
        yield from _game(game)


def _game(game: str) -> Iterator[Difference]:
    """A game's ratings again from its first table on, stretch by stretch."""
    state, changed = NOBODY, False
    for stretch in stretches(game):
        part = compute(game, stretch, state)
        state = part.state
        dates = {"game": game, "date__range": stretch}
        steps = rows_of(RatingStep, RatingStep.columns(game, part.history))
        yield from differences(RatingStep.objects.filter(**dates), steps, RatingStep.KEY, RatingStep.DERIVED)
        met = rows_of(Met, Met.columns(game, part.history))
        yield from differences(Met.objects.filter(**dates), met, Met.KEY, Met.DERIVED)
        days = [
            RatingDay(game=game, date=day, digest=digest, arithmetic=game_ratings.ENGINE)
            for day, digest in part.digests.items()
        ]
        for difference in differences(RatingDay.objects.filter(**dates), days, RatingDay.KEY, RatingDay.DERIVED):
            if not changed:  # each date's digest is made of the one before: the first that differs says it all
                yield difference
            changed = True
    ratings = list(Rating.objects.filter(game=game))
    fresh = rows_of(Rating, Rating.columns(game, state))
    yield from differences(ratings, fresh, Rating.KEY, Rating.DERIVED)
    total = sum(rating.micro for rating in ratings)
    if total != START * len(ratings):
        yield Difference("Rating", f"game {game}", "sum of micro", total, START * len(ratings))
