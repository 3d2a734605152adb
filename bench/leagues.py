"""Fill an empty, migrated database with a league of any size: ten years in two minutes.

Each club has ten seasons, one per year, of 36 evenings with 5 rounds. A club of 40 players plays at 10 tables of four.
1,000,000 tables are 55 clubs, a tenth of this is five and a half clubs, and a hundredth is one club with 6 tables. All
clubs are public and play on one of five days of the week: most play tarot, one in ten belote, one in ten Two Way
Street. All players come to every evening and have random seats. All seasons but one have totals only, computed from
skill and luck. The newest season of the first club has at least 20,000 deals, which reuse some hundreds of simulated
deals (bench.dealt).

Ids increase with time, as in a league that grew. All computed numbers follow from the facts (`manage.py verify`),
except standings and ratings, which the nightly run computes. The history tables have the deals and the changes of
seasons, but no totals and seats.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple

import numpy as np
from django.db import connection
from numpy.typing import NDArray

from bench.copying import copy_in, reset_id_sequences
from bench.dealt import SeasonDeals, choose_random_deals, record
from bench.totals import GAMES, totals
from league.demo.people import PEOPLE
from league.models import Attendance, Club, Evening, Membership, Round, Season, Seat, Table
from league.models.evening import EveningState
from league.models.rights import Role
from league.models.season import SeasonState, TableEnd
from players.models import Player, User

Ints = NDArray[np.int64]

YEARS, EVENINGS, ROUNDS, SIZE = 10, 36, 5, 4
ROOMS = 10  # tables per round in a club of full size
ROUND_TABLES_OF_A_MILLION = 550  # tables per round in all clubs together, in a league of a million tables
WEEKDAYS = 5  # clubs don't all play on the same day
DEALS = 20_000  # minimum in the season with deals
MAX_DEALS = 24  # of a table with totals only; ratings distinguish three lengths up to 20 deals
SEED = 20
LOGINS = {
    "admin@league.example": Role.ADMIN,
    "secretary@league.example": Role.SECRETARY,
}  # the first two members of the first club


class Shape(NamedTuple):
    """How large a league is: the tables of each club in a round, seasons, evenings of a season, and how many deals end
    a table. The first club's newest season has all its deals.
    """

    rooms: list[int]
    years: int
    evenings: int
    deals: int


class League(NamedTuple):
    """The numbers of created rows. `last` is the date of the newest evening."""

    clubs: int
    players: int
    tables: int
    seats: int
    deals: int
    last: date


class Group(NamedTuple):
    """Clubs of one size. `rooms` is the number of tables per round.

    `games` are indexes of GAMES by club, `players` are player ids by club.
    """

    rooms: int
    games: Ints
    players: Ints


@dataclass
class Copied:
    """The numbers of rows copied so far, which give the next ids."""

    rounds: int = 0
    tables: int = 0
    seats: int = 0
    attendances: int = 0
    dealt: list[SeasonDeals] = field(default_factory=list)


def tables_per_round(tables: int) -> list[int]:
    """Return the number of tables per round of each club, for about `tables` tables in ten years."""
    rooms = math.ceil(tables * ROUND_TABLES_OF_A_MILLION / 1_000_000)
    full, remaining = divmod(rooms, ROOMS)
    return [ROOMS] * full + [remaining] * bool(remaining)


def build(tables: int, *, today: date) -> League:
    """Fill the database with a league of ten years."""
    rooms = tables_per_round(tables)
    return build_shape(Shape(rooms, YEARS, EVENINGS, math.ceil(DEALS / (EVENINGS * ROUNDS * rooms[0]))), today=today)


def build_shape(shape: Shape, *, today: date) -> League:
    """Fill the database; the newest evenings were on the days before `today`. Ends with VACUUM ANALYZE.

    Clubs with more tables come before clubs with fewer.
    """
    assert not Club.objects.exists(), "the database is not empty"
    rng = np.random.default_rng(SEED)
    rooms = shape.rooms
    clubs, people = _clubs(rooms)
    skill = np.zeros(people[-1][-1].pk + 1)
    skill[1:] = rng.normal(size=len(skill) - 1)
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")  # neither history nor foreign keys, row by row
        evenings = _calendar(clubs, today, shape)
        groups = _groups(rooms, people)
        copied = Copied()
        for week, row in enumerate(evenings):
            _week(rng, groups, row, skill, copied, shape.deals if week >= (shape.years - 1) * shape.evenings else 0)
        reset_id_sequences(Round, Table, Seat, Attendance)
        cursor.execute("RESET session_replication_role")
        deals = record(copied.dealt)
        cursor.execute("VACUUM ANALYZE")
    return League(
        clubs=len(clubs),
        players=sum(map(len, people)),
        tables=copied.tables,
        seats=copied.seats,
        deals=deals,
        last=today - timedelta(days=1),
    )


def _clubs(rooms: list[int]) -> tuple[list[Club], list[list[Player]]]:
    """Create clubs with their members. The first club has an admin and a secretary with logins."""
    players = []
    for number in range(SIZE * sum(rooms)):
        given_name, family = PEOPLE[number % len(PEOPLE)], PEOPLE[number // len(PEOPLE) % len(PEOPLE)]
        player = Player(given_name=given_name.given, family_name=family.family)
        player.update_names()
        players.append(player)
    for player, email in zip(players, LOGINS, strict=False):
        player.user = User.objects.create_user(email)
    Player.objects.bulk_create(players, batch_size=1000)
    clubs = Club.objects.bulk_create(
        Club(name=f"Club {number}", slug=f"club-{number}", public=True) for number in range(1, len(rooms) + 1)
    )
    remaining = iter(players)
    people = [[next(remaining) for _ in range(SIZE * tables)] for tables in rooms]
    Membership.objects.bulk_create(
        (
            Membership(club=club, player=player, role=role)
            for club, members in zip(clubs, people, strict=True)
            for player, role in zip(members, [*LOGINS.values(), *[Role.MEMBER] * len(members)], strict=False)
        ),
        batch_size=1000,
    )
    return clubs, people


def _game(club: int) -> int:
    """Return the index of a club's game in GAMES: eight of ten clubs play the first."""
    return {4: 1, 9: 2}.get(club % 10, 0)


def _calendar(clubs: list[Club], today: date, shape: Shape) -> Ints:
    """Make seasons and closed evenings; return the ids of the evenings by week, the oldest first, and club."""
    seasons = Season.objects.bulk_create(
        (
            Season(
                club=club,
                name=f"{today.year - shape.years + year}–{today.year - shape.years + year + 1}",
                game=GAMES[_game(number)],
                state=SeasonState.OPEN if year == shape.years - 1 else SeasonState.CLOSED,
                table_sizes=[SIZE],
                rounds=ROUNDS,
                end=TableEnd.DEALS,
                end_number=shape.deals,
            )
            for year in range(shape.years)
            for number, club in enumerate(clubs)
        ),
        batch_size=1000,
    )
    evenings = []
    for week in range(shape.years * shape.evenings):
        year, in_season = divmod(week, shape.evenings)
        ago = (shape.years - 1 - year) * 52 + shape.evenings - 1 - in_season
        for number in range(len(clubs)):
            day = today - timedelta(days=7 * ago + 1 + number % WEEKDAYS)
            begin = datetime.combine(day, time(19), UTC)
            evenings.append(
                Evening(
                    season=seasons[year * len(clubs) + number],
                    date=day,
                    state=EveningState.CLOSED,
                    opened_at=begin,
                    closed_at=begin + timedelta(hours=4),
                    final_at=begin + timedelta(hours=52),
                )
            )
    Evening.objects.bulk_create(evenings, batch_size=1000)
    return np.array([evening.pk for evening in evenings]).reshape(-1, len(clubs))


def _groups(rooms: list[int], people: list[list[Player]]) -> list[Group]:
    """Return the clubs of full size, and the smaller club, if there is one."""
    groups = []
    for tables in sorted(set(rooms), reverse=True):
        numbers = [number for number, table_count in enumerate(rooms) if table_count == tables]
        players = np.array([[player.pk for player in people[number]] for number in numbers])
        groups.append(Group(tables, np.array([_game(number) for number in numbers]), players))
    return groups


def _seated(rng: np.random.Generator, groups: list[Group]) -> Iterator[tuple[Ints, Ints, Ints, Ints]]:
    """Yield for each group four arrays by table: index of the round in the group, number, game, and random players."""
    for rooms, games, players in groups:
        rounds = len(games) * ROUNDS
        by_lot = rng.permuted(np.repeat(players, ROUNDS, axis=0), axis=1).reshape(-1, SIZE)
        number = np.tile(np.arange(1, rooms + 1), rounds)
        yield np.repeat(np.arange(rounds), rooms), number, np.repeat(games, ROUNDS * rooms), by_lot


def _week(
    rng: np.random.Generator,
    groups: list[Group],
    evenings: Ints,
    skill: NDArray[np.float64],
    copied: Copied,
    deals: int,
) -> None:
    """Create one evening of every club.

    With `deals`, the first club's tables have this number of deals and no totals.
    """
    parts = list(_seated(rng, groups))
    for group, part in zip(groups[1:], parts[1:], strict=True):
        part[0][:] += (len(evenings) - len(group.games)) * ROUNDS
    in_round, number, game, player = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    rounds = copied.rounds + 1 + np.arange(len(evenings) * ROUNDS)
    in_week = {
        "id": rounds,
        "evening_id": np.repeat(evenings, ROUNDS),
        "number": np.tile(range(1, ROUNDS + 1), len(evenings)),
    }
    copy_in(Round, len(rounds), in_week)
    _attendances(groups, evenings, copied)
    table = copied.tables + 1 + np.arange(len(game))
    seat = copied.seats + 1 + np.arange(player.size).reshape(player.shape)
    played = rng.integers(4, MAX_DEALS + 1, len(game))
    points = totals(rng, game, skill[player], played)
    of_first = groups[0].rooms * ROUNDS if deals else 0
    if deals:
        copied.dealt.append(choose_random_deals(rng, table[:of_first], seat[:of_first], deals))
        played[:of_first], points[:of_first] = deals, copied.dealt[-1].points
    for rows, by_totals in ((slice(of_first), False), (slice(of_first, None), True)):
        at_table = {"id": table, "round_id": rounds[in_round], "number": number, "deals": played}
        by_table = {name: column[rows] for name, column in at_table.items()}
        recorded = 0 if by_totals else deals
        rest = {"size": SIZE, "complete": True, "version": int(by_totals), "recorded": recorded}
        copy_in(Table, len(by_table["id"]), {**by_table, **rest})
        by_seat = {
            "id": seat[rows].ravel(),
            "table_id": np.repeat(table[rows], SIZE),
            "round_id": np.repeat(rounds[in_round][rows], SIZE),
            "number": np.tile(range(SIZE), len(table[rows])),
            "player_id": player[rows].ravel(),
            "points": points[rows].ravel(),
            "deals": np.repeat(played[rows], SIZE),
        }
        totals_written = {"written": by_seat["points"], "written_deals": by_seat["deals"]} if by_totals else {}
        copy_in(Seat, len(by_seat["id"]), {**by_seat, **totals_written})
    copied.rounds += len(rounds)
    copied.tables += len(table)
    copied.seats += seat.size


def _attendances(groups: list[Group], evenings: Ints, copied: Copied) -> None:
    """Create an attendance for every player."""
    many = np.concatenate([np.full(len(group.games), group.rooms * SIZE) for group in groups])
    players = np.concatenate([group.players.ravel() for group in groups])
    ids = copied.attendances + 1 + np.arange(len(players))
    copy_in(Attendance, len(ids), {"id": ids, "evening_id": np.repeat(evenings, many), "player_id": players})
    copied.attendances += len(ids)
