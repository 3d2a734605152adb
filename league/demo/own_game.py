"""The demo club's own game, jass: only totals are entered. It has a season of some evenings."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from random import Random
from typing import Final
from uuid import UUID
from zoneinfo import ZoneInfo

from league.actions import attendance, club_games, evenings, seating
from league.actions import totals as totals_actions
from league.models import Club, ClubGame, Season
from league.models.season import SeasonState, TableEnd
from league.sheets.queries.table_sums import PointsAndDeals

JASS_EVENING_COUNT: Final = 3
TABLE_COUNT: Final = 3
DEALS_PER_TABLE: Final = 8
POINTS_OF_DEAL: Final = 157  # of both sides together
LAST_EVENING_DAYS_AGO: Final = 10  # the other evenings are each a week earlier
BEGIN_TIME, END_TIME = time(20), time(22, 30)  # of each evening


def play_jass(rng: Random, club: Club, today: date, skills: Mapping[int, float]) -> Season:
    """Create the game jass and a season with closed evenings; return the season.

    The more skilled side usually gets more points.
    """
    game = club_games.add_game(
        club,
        ClubGame(
            name="Jass",
            min_seats=4,
            max_seats=4,
            two_sides=True,
            check_sum=POINTS_OF_DEAL,
            check_per_deal=True,
        ),
    )
    season: Season = Season.objects.create(
        club=club,
        name="Jass 2026–2027",
        game="totals",
        club_game=game,
        house_rules=game.options,
        state=SeasonState.OPEN,
        table_sizes=list(game.sizes),
        end=TableEnd.DEALS,
        end_number=DEALS_PER_TABLE,
    )
    zone = ZoneInfo(club.time_zone)
    for number in range(JASS_EVENING_COUNT):
        day = today - timedelta(days=LAST_EVENING_DAYS_AGO + 7 * number)
        begin = datetime.combine(day, BEGIN_TIME, zone)
        evening = evenings.open(evenings.plan(season.pk, date=day)[0].pk, now=begin)
        present = rng.sample(sorted(skills), 4 * TABLE_COUNT)
        attendance.check_in(evening.pk, present)
        for first in range(0, len(present), 4):
            table = seating.add_table(evening.pk, 1, present[first : first + 4], with_resting_player=False)
            seats = list(table.seats.all())
            edge = sum(skills[seat.player_id] * (1 if seat.number % 2 == 0 else -1) for seat in seats)
            points = round(DEALS_PER_TABLE * (POINTS_OF_DEAL / 2 + 20 * edge + rng.gauss(0, 12)))
            totals = (points, DEALS_PER_TABLE * POINTS_OF_DEAL - points)
            sums = {seat.number: PointsAndDeals(totals[seat.number % 2], DEALS_PER_TABLE) for seat in seats}
            key = UUID(int=rng.getrandbits(128), version=4)
            totals_actions.record(table.pk, sums, client_key=key, seen_version=0, now=begin)
        evenings.close(evening.pk, now=datetime.combine(day, END_TIME, zone))
    return season
