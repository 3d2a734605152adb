"""Builds what a test needs through the project's own doors; each function is one thing with sensible defaults."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from io import BytesIO
from itertools import count
from typing import Any
from uuid import uuid4

from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import make_password
from django.db import connection
from django.test import Client
from django.utils import timezone
from PIL import Image

from league.actions import (
    club_games,
    clubs,
    deals,
    evenings,
    finals,
    prizes,
    registrations,
    tournament_play,
    tournament_presets,
    tournaments,
    webhooks,
)
from league.actions import rounds as round_actions
from league.actions import totals as totals_actions
from league.actions.prizes import PrizeLine
from league.actions.registrations import PlayerEntry, Registration
from league.evenings.views.live.fragments import LiveTokenContent
from league.models import (
    Attendance,
    Club,
    ClubGame,
    Deal,
    Evening,
    Membership,
    Round,
    Season,
    Seat,
    Table,
    Tournament,
    TournamentClub,
    TournamentPreset,
    TournamentUnit,
    Webhook,
)
from league.models.evening import EveningState
from league.models.finals import FinalsKind
from league.models.prize import WHOLE_UNIT, TiedPrizes
from league.models.rights import Role
from league.models.season import SeasonState, TableEnd
from league.models.webhook import WebhookEvent
from league.sheets.queries.table_sums import PointsAndDeals
from league.tournaments.queries import round_draw
from league.tournaments.queries.finals_plan import FinalsPlan
from league.tournaments.queries.playing_units import evening_of, playing_units, rounds_of
from players.accounts import add_player
from players.models import Player, User

NOW = datetime(2026, 10, 2, 21, 0, tzinfo=UTC)
TODAY = NOW.date()
PASSWORD = "a-long-enough-password"
TAKE = {"contract": "take", "taker": 0, "points": 43, "oudlers": 2}  # 001's first example: 81, -27, -27, -27

_number = count(1)


def analyze() -> None:
    """Let PostgreSQL count the rows, as it does by itself some time after a commit.

    It plans queries by these counts. Without them a query about many uncommitted rows can take seconds. Only our
    tables: ANALYZE alone locks those that all databases of the server share, until the transaction ends.
    """
    with connection.cursor() as cursor:
        cursor.execute(f"ANALYZE {', '.join(connection.introspection.django_table_names(only_existing=True))}")


def settle() -> None:
    """Finish rows that several tests share in one open transaction.

    Deferred constraints are checked once: else the end of each test checks those of all these rows again.
    """
    connection.check_constraints()
    analyze()


def a_user(email: str | None = None, **fields: Any) -> User:
    """Return a login with its own player."""
    user = User.objects.create(
        email=email or f"user{next(_number)}@club.example", password=make_password(PASSWORD), **fields
    )
    a_player(user=user)
    return user


def confirm_address(player: Player) -> Player:
    """Confirm the address of the player's login, and return the player."""
    assert player.user is not None
    EmailAddress.objects.create(user=player.user, email=player.user.email, primary=True, verified=True)
    return player


def a_player(given_name: str | None = None, family: str = "Martin", **fields: Any) -> Player:
    """Return a person."""
    return add_player(given_name or f"Given{next(_number)}", family, **fields)


def some_players(count: int) -> list[Player]:
    """Return people, stored by one query."""
    players = [Player(given_name=f"Given{next(_number)}", family_name="Martin") for _ in range(count)]
    for player in players:
        player.update_names()
    return Player.objects.bulk_create(players)


def a_club(*, founder: Player | None = None, **fields: Any) -> Club:
    """Return a club, private unless said otherwise."""
    return clubs.create_club(founder or a_player(), **{"name": f"Club {next(_number)}", **fields})


def a_picture(size: tuple[int, int] = (40, 20), kind: str = "PNG", **fields: Any) -> bytes:
    """Return a picture's file, half red and half blue."""
    picture = Image.new("RGB", size, "#cc0000")
    picture.paste("#0000cc", (size[0] // 2, 0, *size))
    buffer = BytesIO()
    picture.save(buffer, kind, **fields)
    return buffer.getvalue()


def a_member(club: Club, role: Role = Role.MEMBER, *, login: bool = True) -> Player:
    """Someone in the club with that role."""
    player = a_user().player if login else a_player()
    club.memberships.create(player=player, role=role)
    return player


def watched(evening: Evening, language: str = "en-gb", *, members: bool = False) -> LiveTokenContent:
    """Return what an address says at which the evening is watched, given by the installation's admin."""
    root = User.objects.filter(is_superuser=True).first() or a_user(is_superuser=True)
    return LiveTokenContent(evening.pk, language, members, root.pk, evening.live_version)


def sign_in(client: Client, player: Player) -> Client:
    """Make it the browser of a player who has a login."""
    assert player.user is not None
    client.force_login(player.user)
    return client


def a_season(club: Club, game: str = "tarot", **fields: Any) -> Season:
    """Return an open season of tables of 3 to 5, complete after 4 deals."""
    if game == "totals":
        club_game = fields.get("club_game") or a_club_game(club)
        fields = {
            "table_sizes": list(club_game.sizes),
            "house_rules": club_game.options,
            **fields,
            "club_game": club_game,
        }
    return Season.objects.create(
        club=club,
        game=game,
        **{
            "name": f"Season {next(_number)}",
            "state": SeasonState.OPEN,
            "table_sizes": [3, 4, 5],
            "end": TableEnd.DEALS,
            "end_number": 4,
            **fields,
        },
    )


def a_club_game(club: Club | None = None, **fields: Any) -> ClubGame:
    """Return a club's game by totals: jass, unless said otherwise."""
    jass = {"name": "Jass", "min_seats": 4, "max_seats": 4, "two_sides": True, "check_sum": 157, "check_per_deal": True}
    return club_games.add_game(club or a_club(), ClubGame(**{**jass, **fields}))


def written_totals(table: Table, totals: Sequence[int], *, deals: int) -> Table:
    """Record the written totals of a table's seats."""
    table.refresh_from_db()
    sums = {number: PointsAndDeals(total, deals) for number, total in enumerate(totals)}
    return totals_actions.record(table.pk, sums, client_key=uuid4(), seen_version=table.version, now=NOW)


def an_evening(season: Season, state: EveningState = EveningState.OPEN, on: date = TODAY) -> Evening:
    """Return an evening, open unless said otherwise.

    Whatever its date, it was opened just now: the codes of its tables end a day after that.
    """
    evening = Evening.objects.create(season=season, date=on)
    if state != EveningState.PLANNED:
        evening = evenings.open(evening.pk, now=timezone.now())
    if state == EveningState.CLOSED:
        evening = evenings.close(evening.pk, now=NOW)
    return evening


def a_table(
    evening: Evening,
    players: Sequence[Player] | None = None,
    *,
    size: int = 4,
    one_rests: bool = False,
    round_number: int = 1,
) -> Table:
    """Return a table of a round with its seats taken, and its players present."""
    seated = players or some_players(size)
    sitting, _created = Round.objects.get_or_create(evening=evening, number=round_number)
    table = Table.objects.create(
        round=sitting, number=sitting.tables.count() + 1, size=len(seated), one_rests=one_rests
    )
    club = evening.season.club
    Seat.objects.bulk_create(
        Seat(table=table, round=sitting, number=number, player=player) for number, player in enumerate(seated)
    )
    Attendance.objects.bulk_create(
        [Attendance(evening=evening, player=player) for player in seated], ignore_conflicts=True
    )
    Membership.objects.bulk_create([Membership(club=club, player=player) for player in seated], ignore_conflicts=True)
    return table


def a_deal(table: Table, facts: dict[str, Any] | None = None, **more: Any) -> Deal:
    """Return a recorded deal: a take won by 2 unless said otherwise."""
    return deals.record(table.pk, facts or TAKE, client_key=uuid4(), now=NOW, **more)


def a_tournament(club: Club, *, is_open: bool = True, **fields: Any) -> Tournament:
    """Return a tournament of pairs in thirty days, for the club's readers only; its registration is open."""
    now = timezone.now()
    values = {
        "name": f"Tournament {next(_number)}",
        "date": now.astimezone(club.zone).date() + timedelta(days=30),
        "closes_at": now + timedelta(days=29),
        "places": 2,
        "fee": 800,
        "public": False,
    }
    tournament, _is_new = tournaments.create(club, values | fields)
    return tournaments.open_registration(tournament.pk, now=now) if is_open else tournament


def a_running_tournament(club: Club, *, units: int = 4, **fields: Any) -> Tournament:
    """Return a belote contest of today that has started, with this number of pairs checked in."""
    now = timezone.now()
    today = now.astimezone(club.zone).date()
    values: dict[str, Any] = {"game": "belote", "places": 100, "deals": 12, "exempt_points": 972, "date": today}
    tournament = a_tournament(club, **values | fields)
    pairs = [[PlayerEntry(f"Visitor {next(_number)}") for _ in range(tournament.unit_size)] for _ in range(units)]
    registrations.register_list(tournament.pk, [Registration(pair) for pair in pairs], now=now)
    tournament_play.start(tournament.pk, now=now)
    tournament_play.check_in(tournament.pk, list(tournament.units.values_list("pk", flat=True)))
    running: Tournament = Tournament.objects.with_club().get(pk=tournament.pk)
    return running


def a_drawn_round(tournament: Tournament, seed: int = 1) -> Round:
    """Draw and begin the next round of a running tournament."""
    evening = evening_of(tournament)
    drawn_attendances = tournament_play.attendances_for_draw(evening)
    seating = round_draw.draw_next_round(
        tournament, evening, playing_units(tournament, evening), rounds_of(evening), seed=seed
    )
    return round_actions.accept(
        tournament_play.store_round(tournament.pk, seating, seed=seed, drawn_attendances=drawn_attendances).pk
    )


def a_tournament_in_finals(club: Club, *, units: int = 4, **fields: Any) -> Tournament:
    """Return a belote contest whose round is played; the first tables of its knock-out are drawn."""
    tournament = a_running_tournament(club, units=units, rounds=1, **fields)
    for number, table in enumerate(a_drawn_round(tournament).tables.all()):
        written_totals(table, [1000 + number, 944 - number] * 2, deals=12)
    finals.start(tournament.pk, FinalsPlan(FinalsKind.KNOCKOUT, min(units, 4), third_place=units > 3))
    finals.draw_next_round(tournament.pk)
    return tournament


def some_prizes(tournament: Tournament) -> None:
    """Store prizes in money, in kind, for a category and from the last; mark the first unit as of the category."""
    lines = [
        PrizeLine("", False, 1, 1, 5_000, "", 0),
        PrizeLine("", False, 2, 4, 0, "Wine", 800),
        PrizeLine("Best woman", False, 1, 1, 2_000, "", 0),
        PrizeLine("", True, 1, 1, 0, "Leeks", 200),
    ]
    prizes.store_prizes(tournament.pk, lines, ties=TiedPrizes.SHARED, seen_version=0)
    mark = (tournament.prize_categories.get().pk, tournament.units.all()[0].pk, WHOLE_UNIT)
    prizes.change_category_members(tournament.pk, added=[mark], removed=[])


def an_invitation(club: Club, **fields: Any) -> TournamentClub:
    """Return the invitation of the club to a tournament of pairs of another, private club."""
    return tournaments.invite_club(a_tournament(a_club(), **fields).pk, club)


def a_club_unit(invitation: TournamentClub) -> TournamentUnit:
    """Return a unit of new members that the invited club registers."""
    assert invitation.club is not None
    members = [a_member(invitation.club, login=False) for _ in range(invitation.tournament.unit_size)]
    registration = Registration([PlayerEntry(str(player), player_id=player.pk) for player in members])
    return registrations.register_by_club(invitation.pk, registration, client_key=uuid4(), now=timezone.now())


def a_tournament_preset(club: Club) -> TournamentPreset:
    """Return a preset of the club, saved from a new tournament."""
    return tournament_presets.save_preset(a_tournament(club), f"Preset {next(_number)}")


def a_webhook(club: Club, address: str = "https://hook.club.example/") -> Webhook:
    """Return an address that gets all events of the club."""
    return webhooks.add_webhook(club, address, WebhookEvent.values, now=NOW)


def a_unit(tournament: Tournament, *names: str, **fields: Any) -> TournamentUnit:
    """Return a unit that a visitor registered, with the address of its first player."""
    names = names or tuple(f"Visitor {next(_number)}" for _ in range(tournament.unit_size))
    addresses = [f"visitor{next(_number)}@club.example", *[""] * (len(names) - 1)]
    entries = [PlayerEntry(name, email) for name, email in zip(names, addresses, strict=True)]
    registration = Registration(entries, **fields)
    return registrations.register(tournament.pk, registration, client_key=uuid4(), now=timezone.now())
