"""Two tournaments of the demo, both for pairs: one after its second round, one finished with finals and prizes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, timedelta
from random import Random
from typing import Any, Final
from uuid import UUID

from django.db import transaction

from league.actions import finals, prizes, registrations, rounds, totals, tournament_play, tournaments
from league.actions.prizes import PrizeLine
from league.actions.registrations import PlayerEntry, Registration
from league.demo.played_tables import play_table
from league.models import Club, Round, Tournament
from league.models.finals import FinalsKind
from league.models.prize import WHOLE_UNIT, TiedPrizes
from league.sheets.queries.table_sums import PointsAndDeals
from league.tournaments.queries import round_draw
from league.tournaments.queries.finals import read_finals
from league.tournaments.queries.finals_plan import FinalsPlan
from league.tournaments.queries.playing_units import evening_of, playing_units, rounds_of
from league.tournaments.queries.presets import presets
from league.tournaments.queries.prizes import compute_awards, prize_lines
from players.models import Player

RUNNING_TOURNAMENT_NAME: Final = "Concours de l’après-midi"
FINISHED_TOURNAMENT_NAME: Final = "Concours d’automne"
PAIR_COUNT: Final = 12
FINISHED_DAYS_AGO: Final = 35  # less than the time after which personal data are deleted
PLAYED_ROUND_COUNT: Final = 2  # in the running tournament
ROUND_COUNT: Final = 3  # in the finished tournament, before the finals
DEALS_PER_ROUND: Final = 4  # few, so that the demo is created quickly
FEE_CENTS: Final = 800
FINALIST_COUNT: Final = 4
USUAL_SKILL: Final = 0.5  # skill of registered visitors, from 0 to 1
BEGIN_TIME, END_TIME = time(14), time(19)  # of each tournament
VISITOR_NAMES: Final = (
    ("Arlette Bazin", "Claude Bazin"),
    ("Josette Cornu", "Marcel Drouet"),
    ("Denise Evrard", "Raymond Faivre"),
    ("Yvette Guyot", "Bernard Huet"),
)
PRIZES: Final = (
    PrizeLine("", False, 1, 1, 7_000, "", 0),
    PrizeLine("", False, 2, 2, 4_000, "", 0),
    PrizeLine("", False, 3, 3, 2_500, "", 0),
    PrizeLine("", False, 4, 5, 0, "Panier garni", 2_000),
    PrizeLine("", True, 1, 1, 0, "Poireaux pour la soupe", 200),
)


def play_tournaments(rng: Random, club: Club, today: date, skills: Mapping[int, float]) -> None:
    """Create and play the tournaments by the normal actions.

    Create none if no game has a preset for pairs who sit at one table and play a number of deals.
    """
    values = [row.values for row in presets() if row.game and row.values["unit_size"] == 2]
    of_pairs = [row for row in values if not row.get("plays_apart") and row.get("deals")]
    if not of_pairs:
        return
    fields = {**of_pairs[0], "deals": DEALS_PER_ROUND, "exempt_points": None, "places": PAIR_COUNT, "fee": FEE_CENTS}
    players = list(Player.objects.filter(pk__in=skills).order_by("pk"))
    _play_running_tournament(rng, club, today, skills, players, fields)
    finished_fields = {**fields, "rounds": ROUND_COUNT}
    _play_finished_tournament(rng, club, today - timedelta(days=FINISHED_DAYS_AGO), skills, players, finished_fields)


@transaction.atomic
def _play_running_tournament(
    rng: Random,
    club: Club,
    today: date,
    skills: Mapping[int, float],
    players: Sequence[Player],
    fields: Mapping[str, Any],
) -> None:
    pairs = _draw_pairs(rng, players, PAIR_COUNT - len(VISITOR_NAMES))
    pairs += [[PlayerEntry(name) for name in names] for names in VISITOR_NAMES]
    tournament, begin = _start_tournament(club, RUNNING_TOURNAMENT_NAME, today, fields, pairs)
    for _number in range(PLAYED_ROUND_COUNT):
        _play_round(rng, tournament, skills, begin)


@transaction.atomic
def _play_finished_tournament(
    rng: Random,
    club: Club,
    day: date,
    skills: Mapping[int, float],
    players: Sequence[Player],
    fields: Mapping[str, Any],
) -> None:
    tournament, begin = _start_tournament(
        club, FINISHED_TOURNAMENT_NAME, day, fields, _draw_pairs(rng, players, PAIR_COUNT)
    )
    prizes.store_prizes(tournament.pk, PRIZES, ties=TiedPrizes.SHARED, seen_version=0)
    for _number in range(ROUND_COUNT):
        _play_round(rng, tournament, skills, begin)
    finals.start(tournament.pk, FinalsPlan(FinalsKind.KNOCKOUT, FINALIST_COUNT, third_place=True))
    while _read_finals(tournament).can_draw:
        _record_totals(rng, finals.draw_next_round(tournament.pk), skills, begin)
        for game in _read_finals(tournament).ties:
            finals.decide_tie(game.row.pk, game.leaders[0])
    end = datetime.combine(day, END_TIME, club.zone)
    tournament_play.finish(tournament.pk, now=end)
    tournament.refresh_from_db()
    for group in compute_awards(tournament, prize_lines(tournament)).open_lots:
        competitors = [ranked.key for ranked in group]
        prizes.draw_lot(tournament.pk, competitors, seed=rng.randrange(100_000), now=end)
    prizes.print_receipts(tournament.pk, now=end)
    for winner in compute_awards(tournament, prize_lines(tournament)).winners:
        prizes.hand_over(tournament.pk, winner.competitor.unit.pk, WHOLE_UNIT, handed=True, now=end)


def _read_finals(tournament: Tournament) -> Any:
    return read_finals(tournament, evening_of(tournament).season)


def _draw_pairs(rng: Random, players: Sequence[Player], number: int) -> list[list[PlayerEntry]]:
    drawn = rng.sample(players, 2 * number)
    entries = [PlayerEntry(f"{player.given_name} {player.family_name}", player_id=player.pk) for player in drawn]
    return [entries[first : first + 2] for first in range(0, len(entries), 2)]


def _start_tournament(
    club: Club, name: str, day: date, fields: Mapping[str, Any], pairs: Sequence[Sequence[PlayerEntry]]
) -> tuple[Tournament, datetime]:
    """Create a tournament and start it; return it and its start time. All pairs are checked in and have paid."""
    begin = datetime.combine(day, BEGIN_TIME, club.zone)
    tournament, _is_new = tournaments.create(
        club, {**fields, "name": name, "date": day, "begins_at": BEGIN_TIME, "closes_at": begin}
    )
    tournaments.open_registration(tournament.pk, now=begin - timedelta(days=10))
    units = [
        registrations.register_at_desk(
            tournament.pk, Registration(list(pair), names_public=True), now=begin - timedelta(days=1)
        )
        for pair in pairs
    ]
    for unit in units:
        registrations.record_cash_payment(unit.pk, paid=True)
    tournament_play.start(tournament.pk, now=begin)
    tournament_play.check_in(tournament.pk, [unit.pk for unit in units])
    tournament.refresh_from_db()
    return tournament, begin


def _play_round(rng: Random, tournament: Tournament, skills: Mapping[int, float], begin: datetime) -> None:
    evening, seed = evening_of(tournament), rng.randrange(1_000_000)
    drawn_attendances = tournament_play.attendances_for_draw(evening)
    playing, played = playing_units(tournament, evening), rounds_of(evening)
    seating = round_draw.draw_next_round(tournament, evening, playing, played, seed=seed)
    _record_totals(
        rng,
        rounds.accept(
            tournament_play.store_round(tournament.pk, seating, seed=seed, drawn_attendances=drawn_attendances).pk
        ),
        skills,
        begin,
    )


def _record_totals(rng: Random, round_: Round, skills: Mapping[int, float], begin: datetime) -> None:
    season = round_.evening.season
    season.count_passed = False  # not stored: at a tournament a passed deal is dealt again
    for table in round_.tables.with_seats().order_by("number"):
        seats = list(table.seats.all())
        played = play_table(rng, season, table, [skills.get(seat.player_id, USUAL_SKILL) for seat in seats])
        sums = {seat.number: PointsAndDeals(played.points[seat.number], DEALS_PER_ROUND) for seat in seats}
        key = UUID(int=rng.getrandbits(128), version=4)
        totals.record(table.pk, sums, client_key=key, seen_version=0, now=begin)
