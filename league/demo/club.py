"""Create the demo club with people, seasons, evenings and tournaments.

The content depends only on the date. The deals are simulated by playing cards, and recorded by the normal actions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, timedelta
from io import BytesIO
from random import Random
from uuid import UUID
from zoneinfo import ZoneInfo

from allauth.account.models import EmailAddress
from django.db import transaction
from django.utils import translation
from PIL import Image, ImageDraw

from league.actions import attendance as attending
from league.actions import club_appearance, clubs, evenings, season_closing, seating
from league.actions import deals as deals_actions
from league.actions import totals as totals_actions
from league.actions.player_names import apply_club_name_defaults
from league.demo import members
from league.demo.own_game import play_jass
from league.demo.people import LOGINS, PASSWORD, PEOPLE
from league.demo.played_tables import play_table
from league.demo.played_tournaments import play_tournaments
from league.demo.seasons import EVENING_COUNT, LAST_YEAR_EVENING_COUNT, PLANNED_EVENING_COUNT, SeasonPlan, season_plans
from league.demo.tournament import make_open_tournament
from league.models import Club, Evening, Season, Table
from league.models.rights import Role
from league.models.season import SeasonState
from league.sheets.queries.table_sums import PointsAndDeals
from players.accounts import add_player
from players.models import Player, User

RANDOM_SEED = 1778  # any fixed number
# A table that must lack its last deal is simulated again until it has MIN_DEALS_OF_SHEET deals, at most
# MAX_SIMULATIONS times.
MIN_DEALS_OF_SHEET, MAX_SIMULATIONS = 4, 20
# Last year's season: weeks between its first evening and tonight, and between two of its evenings.
LAST_YEAR_WEEKS_AGO, LAST_YEAR_WEEKS_APART = 60, 4
CLUB_COLOUR = "#1f3f6e"
ANSWER_COUNT = 14  # players who answer whether they come to the next evening of each season
BEGIN_TIME, END_TIME = time(20, 30), time(23, 30)  # of each evening


def make_demo_club(today: date, password: str | None = PASSWORD) -> Club:
    """Create the demo club with all its content, in several transactions, for example one for each evening.

    All users get `password`. If it is None, nobody can sign in with a password.
    """
    rng = Random(RANDOM_SEED)
    club, players = _create_club_and_people(password)
    skills = {player.pk: person.skill for player, person in zip(players, PEOPLE, strict=True)}
    _play_last_years_season(Random(RANDOM_SEED - 1), club, today, skills)
    for plan in season_plans():
        season = Season.objects.create(club=club, state=SeasonState.OPEN, **plan.fields())
        for number in range(EVENING_COUNT):
            _play_evening(rng, season, plan, number, today, skills)
        for week in range(1, PLANNED_EVENING_COUNT + 1):
            next_evening, _new = evenings.plan(season.pk, date=today + timedelta(days=7 * week - plan.days_before))
            if week == 1:
                members.announce_attendance(
                    next_evening, [player for player in players if player.user is None][:ANSWER_COUNT]
                )
    play_jass(Random(RANDOM_SEED + 2), club, today, skills)
    make_open_tournament(club, today)
    play_tournaments(Random(RANDOM_SEED + 3), club, today, skills)
    logins = {email: players[number] for email, number in LOGINS.items()}
    secretary = logins["secretary@demo.example"].user
    assert secretary is not None
    for season in club.seasons.filter(state=SeasonState.OPEN, game=season_plans()[0].game.slug):
        with translation.override(season.club.language):
            members.contest_deals(Random(RANDOM_SEED + 1), season, logins["member@demo.example"], secretary)
    return club


@transaction.atomic
def _create_club_and_people(password: str | None) -> tuple[Club, list[Player]]:
    players = [add_player(person.given, person.family) for person in PEOPLE]
    for email, number in LOGINS.items():
        user = User.objects.create_user(email, password)
        players[number].user = user
        players[number].save(update_fields=["user"])
        EmailAddress.objects.create(user=user, email=email, verified=True, primary=True)
    admin = next(player for player, person in zip(players, PEOPLE, strict=True) if person.role == Role.ADMIN)
    defaults = {"place": "Salle des fêtes", "begins_at": BEGIN_TIME, "colour": CLUB_COLOUR}
    club = clubs.create_club(admin, name="Le Petit au bout", public=True, fee_member=300, fee_guest=500, **defaults)
    club_appearance.store_logo(club, _playing_card_picture())
    for player, person in zip(players, PEOPLE, strict=True):
        if player != admin:
            club.memberships.create(player=player, role=person.role)
    apply_club_name_defaults([player.pk for player in players])
    members.choose_names(players)
    return club, players


def _playing_card_picture() -> bytes:
    picture = Image.new("RGBA", (180, 260))
    draw = ImageDraw.Draw(picture)
    draw.rounded_rectangle((0, 0, 179, 259), 24, fill="#fffdf8")
    draw.polygon([(90, 50), (145, 130), (90, 210), (35, 130)], fill="#b3263f")
    file = BytesIO()
    picture.save(file, "PNG")
    return file.getvalue()


@transaction.atomic
def _play_last_years_season(rng: Random, club: Club, today: date, skills: Mapping[int, float]) -> None:
    plan = season_plans()[0]
    season = Season.objects.create(club=club, state=SeasonState.OPEN, **plan.last_years_fields())
    zone = ZoneInfo(club.time_zone)
    for number in range(LAST_YEAR_EVENING_COUNT):
        day = today - timedelta(weeks=LAST_YEAR_WEEKS_AGO - LAST_YEAR_WEEKS_APART * number)
        begin = datetime.combine(day, BEGIN_TIME, zone)
        evening = evenings.open(evenings.plan(season.pk, date=day)[0].pk, now=begin)
        sizes = plan.table_sizes(number)
        present = _present_player_ids(skills, number, sizes)
        attending.check_in(evening.pk, present)
        rng.shuffle(present)
        for table in _seat_players(evening, plan, 1, sizes, present):
            seats = list(table.seats.all())
            played = play_table(rng, season, table, [skills[seat.player_id] for seat in seats])
            if table.number == 1:
                for deal_facts in played.facts:
                    deals_actions.record(table.pk, deal_facts, client_key=_random_key(rng), now=begin)
            else:
                sums = {
                    seat.number: PointsAndDeals(played.points[seat.number], played.deals[seat.number]) for seat in seats
                }
                totals_actions.record(table.pk, sums, client_key=_random_key(rng), seen_version=0, now=begin)
        evenings.close(evening.pk, now=datetime.combine(day, END_TIME, zone))
    season_closing.close(season.pk, now=datetime.combine(day + timedelta(days=7), END_TIME, zone))


def _present_player_ids(skills: Mapping[int, float], number: int, sizes: Sequence[int]) -> list[int]:
    player_ids, absent = sorted(skills), len(skills) - sum(sizes)
    away = {player_ids[(number * absent + turn) % len(player_ids)] for turn in range(absent)}
    return [player for player in player_ids if player not in away]


@transaction.atomic
def _play_evening(
    rng: Random, season: Season, plan: SeasonPlan, number: int, today: date, skills: Mapping[int, float]
) -> None:
    """Play one evening of a season. `number` is its index, from 0.

    The last evening is tonight's: it stays open, and the last tables of its last round lack one deal.
    """
    tonight = number == EVENING_COUNT - 1
    day = today - timedelta(days=0 if tonight else 7 * (EVENING_COUNT - 1 - number) + plan.days_before)
    zone = ZoneInfo(season.club.time_zone)
    begin = datetime.combine(day, BEGIN_TIME, zone)
    evening = Evening.objects.create(season=season, date=day)
    evenings.open(evening.pk, now=begin)
    sizes = plan.table_sizes(number)
    present = _present_player_ids(skills, number, sizes)
    attending.check_in(evening.pk, present)
    for round_number in range(1, plan.rounds + 1):
        rng.shuffle(present)
        tables = _seat_players(evening, plan, round_number, sizes, present)
        short = plan.short_tables if tonight and round_number == plan.rounds else 0
        for index, table in enumerate(tables):
            is_short = index >= len(tables) - short
            levels = [skills[seat.player_id] for seat in table.seats.all()]
            facts = play_table(rng, season, table, levels).facts
            for _ in range(MAX_SIMULATIONS):
                if is_short and len(facts) < MIN_DEALS_OF_SHEET:
                    facts = play_table(rng, season, table, levels).facts
            for deal_facts in facts[:-1] if is_short else facts:
                deals_actions.record(table.pk, deal_facts, client_key=_random_key(rng), now=begin)
    if not tonight:
        evenings.close(evening.pk, now=datetime.combine(day, END_TIME, zone))


def _seat_players(
    evening: Evening, plan: SeasonPlan, number: int, sizes: Sequence[int], present: Sequence[int]
) -> list[Table]:
    tables, begin = [], 0
    for index, size in enumerate(sizes):
        seated = present[begin : begin + size]
        one_rests = plan.game.may_rest and size == 5 and index == sizes.index(5)
        tables.append(seating.add_table(evening.pk, number, seated, with_resting_player=one_rests))
        begin += size
    return tables


def _random_key(rng: Random) -> UUID:
    return UUID(int=rng.getrandbits(128), version=4)
