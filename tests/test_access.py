"""Every address for every role: tests/access.txt says by hand what each of them is to get. No other site may frame it.

`make test` asks as the roles at the limits of each answer; `make test-faults` asks as all others.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit
from uuid import UUID

import pytest
from django.conf import settings
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, resolve, reverse
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from league.actions import (
    api_tokens,
    club_appearance,
    contests,
    evenings,
    imports,
    rules_drafts,
    season_closing,
    separations,
    teams,
)
from league.actions.merging import merge
from league.evenings.views.live import fragments
from league.models import Adjustment, ApiToken, Club, Job, RulesDraft, Run, Season, Standing, table_codes, versions
from league.models.api_token import Scope
from league.models.evening import EveningState
from league.models.notification import NotificationKind
from league.models.rights import Role
from league.notifications.work import unsubscribe_links
from league.notifications.work.unsubscribe_links import UnsubscribeLink
from league.people.queries.invitation_links import Invitation, sign_invitation
from league.standings.rules import StandingsRules
from league.tournaments.queries import registration_links
from players.accounts import renew_calendar_key
from players.models import Player, RatingStep, User
from players.rating.reference import START_RATING
from tests.build import (
    NOW,
    TAKE,
    a_club,
    a_club_game,
    a_club_unit,
    a_deal,
    a_drawn_round,
    a_member,
    a_picture,
    a_player,
    a_running_tournament,
    a_season,
    a_table,
    a_tournament,
    a_tournament_in_finals,
    a_tournament_preset,
    a_unit,
    a_user,
    a_webhook,
    an_evening,
    an_invitation,
    settle,
    sign_in,
    some_prizes,
    watched,
)
from tests.readers import user_of

pytestmark = [pytest.mark.django_db, pytest.mark.xdist_group("access")]  # one world, built once

ROLES = ("anonymous", "stranger", "guest", "member", "treasurer", "secretary", "admin", "other_admin")
# What programs send, so that each role which may write does.
BODIES: dict[str, dict[str, object]] = {
    "/api/v1/tables/{table}/deals": {"facts": {**TAKE, "taker": 1}},
    "/api/v1/tables/{table}/totals": {"totals": [3, -1, -1, -1], "deals": 1, "version": 0},
    "/api/v1/deals/{deal}/revise": {"facts": {**TAKE, "taker": 1}, "version": 1},
    "/api/v1/deals/{deal}/void": {"version": 1},
    "/api/v1/tournaments/{tournament}/units": {"players": [{"name": "Zoé Autre"}, {"name": "Luc Autre"}]},
    "/api/v1/units/{unit}/cancel": {},
    "/api/v1/units/{checked_in}/check-in": {},
}
REFUSALS = ("login", "403", "404")
ACCOUNT_PAGES = {
    *("account_login", "account_signup", "account_logout", "account_inactive", "account_email_verification_sent"),
    *("account_email", "account_change_password", "account_set_password", "account_reset_password"),
    *("account_reset_password_done", "account_reauthenticate", "mfa_index", "usersessions_list"),
    *("openid_connect_login", "openid_connect_callback"),
}


class Row(NamedTuple):
    """A line of the matrix; `expected` holds a status, or "login", for each role."""

    method: str
    address: str
    club: str
    expected: dict[str, str]


def rows() -> Iterator[Row]:
    for line in Path(__file__).with_name("access.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            method, address, club, *expected = line.split()
            yield Row(method, address, club, dict(zip(ROLES, expected, strict=True)))


ROWS = list(rows())


@dataclass(frozen=True)
class World:
    """A club: what stands for each {word} in its addresses, and each role's browser, session and token."""

    places: dict[str, object]
    clients: dict[str, Client]
    sessions: dict[str, str]
    tokens: dict[str, str]


@pytest.fixture(scope="module")
def worlds(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[dict[str, World]]:
    """A private and a public club, built once; every test takes back what it did."""
    with django_db_blocker.unblock(), transaction.atomic():
        built = {"private": a_world(public=False), "public": a_world(public=True)}
        settle()
        yield built
        transaction.set_rollback(True)


def a_world(*, public: bool) -> World:
    club = a_club(public=public)
    people = {str(role): a_member(club, role) for role in Role}
    outsiders = {"stranger": a_user().player, "other_admin": a_member(a_club(), Role.ADMIN)}
    clients = {role: Client() for role in ROLES}
    for role, player in {**people, **outsiders}.items():
        sign_in(clients[role], player)
    keys = {
        role: client.cookies[settings.SESSION_COOKIE_NAME].value for role, client in clients.items() if client.cookies
    }
    tokens = {
        role: api_tokens.create_token(user_of(player), "Program", None, now=NOW, scopes=Scope.values)
        for role, player in {**people, **outsiders}.items()
    }
    return World(places(club, people["guest"]), clients, keys, tokens)


def places(club: Club, guest: Player) -> dict[str, object]:
    season = a_season(club)
    Club.objects.filter(pk=club.pk).update(table_entry=True)
    evening = an_evening(season)
    table, guests_table = a_table(evening), a_table(evening, [guest, a_player(), a_player()])
    player: Player = table.seats.get(number=0).player
    tournament = a_tournament(club)
    some_prizes(running := a_running_tournament(club))
    return {
        "tournament": tournament.pk,
        "running": running.pk,
        "checked_in": running.units.all()[0].pk,
        "tournament_round": a_drawn_round(running).pk,
        "in_finals": a_tournament_in_finals(club).pk,
        "tournament_preset": a_tournament_preset(club).pk,
        "invitation": (invitation := an_invitation(club)).pk,
        "club_unit": a_club_unit(invitation).pk,
        "unit": (unit := a_unit(tournament)).pk,
        "registration": registration_links.registration_token(unit),
        "club": club.slug,
        "game": season.game,
        "club_game": a_club_game(club).pk,
        "webhook": a_webhook(club).pk,
        "mark": a_mark(club),
        "season": season.pk,
        "finished": a_finished_season(club).pk,
        "import": an_import(season),
        "club_import": a_club_import(club),
        "draft": rules_drafts.save_draft(season.pk, "Sum", StandingsRules()).pk,
        "shown_draft": a_shown_draft(season).pk,
        "evening": evening.pk,
        "planned": an_evening(season, EveningState.PLANNED).pk,
        "live": fragments.sign_live_token(watched(evening)),
        "screen_code": fragments.hall_screen_code(evening.pk, evening.entry_key),
        "round": evening.rounds.get(number=1).pk,
        "attendance": evening.attendances.get(player=player).pk,
        "merge": merge(player.pk, a_member(club, login=False).pk, by=None, now=NOW).pk,
        "apart": separations.add_separation(club, player.pk, guest.pk).pk,
        "table": table.pk,
        "at": table_codes.code_of_table(table),
        "deal": (deal := a_deal(table)).pk,
        "contest": contests.record_contest(deal.pk, player_id=player.pk, reason="Was 34", now=NOW).pk,
        "guests_table": guests_table.pk,
        "guests_deal": a_deal(guests_table, {**TAKE, "points": 42}).pk,
        "membership": club.memberships.get(player=player).pk,
        "player": player.pk,
        "guest": guest.pk,
        "team": teams.store_team(season.pk, "Reds", [player.pk, guest.pk]).pk,
        "adjustment": Adjustment.objects.create(season=season, player=player, points=-5, reason="Late").pk,
        "standing": a_standing(season, player).player_id,
        "run": a_run(season).pk,
        "rated": a_rating_step(player, season.game).date,
        "job": Job.objects.create(kind="verification", key=club.slug, created_at=NOW, due_at=NOW).pk,
        "api_token": api_tokens.create_token(a_user(), "Program", None, now=NOW) and ApiToken.objects.latest("pk").pk,
        "calendar_key": renew_calendar_key(a_user()),
        "stop": unsubscribe_links.sign_link(UnsubscribeLink(a_user().pk, NotificationKind.PLANNED)),
        "token": sign_invitation(Invitation(club=club.pk, key=club.invite_key, invited_by=None)),
    }


def a_shown_draft(season: Season) -> RulesDraft:
    draft = rules_drafts.save_draft(season.pk, "Median", StandingsRules())
    rules_drafts.set_visible(draft, to_members=True)
    return draft


def a_finished_season(club: Club) -> Season:
    """Return a closed season of one evening, with one table."""
    evening = an_evening(a_season(club, end_number=1))
    a_deal(a_table(evening))
    evenings.close(evening.pk, now=NOW)
    return season_closing.close(evening.season_id, now=NOW)


def an_import(season: Season) -> int:
    """Return a list that waits for a worker."""
    job = imports.request_result_import(
        season, user=a_user(), deals=False, text="", columns={}, answers={}, accept_other_points=False, now=NOW
    )
    return int(job.pk)


def a_club_import(club: Club) -> int:
    """Return a club file of an admin that waits for a worker."""
    admins = club.memberships.filter(role=Role.ADMIN, player__user__isnull=False).order_by("pk")
    admin = user_of(admins[0].player) if admins else a_user()
    return int(imports.request_club_import(admin, {}, b"", allow_copy=False, now=NOW).pk)


def a_mark(club: Club) -> str:
    """Return the digest of the club's mark."""
    club_appearance.store_logo(club, a_picture())
    return str(club.mark)


def a_run(season: Season) -> Run:
    row = {"season": season.pk, "club": season.club_id, "name": season.name, "places": 4, "changed": 1}
    run: Run = Run.objects.create(
        state=Run.State.DONE, trigger=Run.Trigger.NIGHT, started_at=NOW, finished_at=timezone.now(), seasons=[row]
    )
    return run


def a_standing(season: Season, player: Player) -> Standing:
    return Standing.objects.create(
        season=season, player=player, rank=1, numerator=34, evenings=1, deals=1, arithmetic=versions.STANDINGS
    )


def a_rating_step(player: Player, game: str) -> RatingStep:
    return RatingStep.objects.create(
        player=player, game=game, date=NOW.date(), micro=START_RATING, weight=1000, tables=1, dates=1, opponents=3
    )


def answer(world: World, row: Row, role: str) -> str:
    """Return the status that the role gets, or "login" when it is sent to sign in."""
    client = world.clients[role]
    client.cookies = SimpleCookie()  # nothing is left of the row before, which may have signed out
    if role in world.sessions:
        client.cookies[settings.SESSION_COOKIE_NAME] = world.sessions[role]
    by_token = row.address.startswith("/api/v1/") and role in world.tokens  # where no session counts
    headers = {"Authorization": f"Bearer {world.tokens[role]}"} if by_token else {}
    address = row.address.format(**world.places)
    with transaction.atomic():  # what one role did, the next does not see
        if row.method == "GET":
            response = client.get(address, headers=headers)
        elif row.address.startswith("/api/v1/"):
            headers["Idempotency-Key"] = "1"
            body = BODIES[row.address]
            response = client.post(address, body, content_type="application/json", headers=headers)
        else:
            response = client.post(address, headers=headers)
        transaction.set_rollback(True)
    check_framing(row, response)
    sent_to = urlsplit(response.get("Location", "")).path
    return "login" if sent_to in (reverse("account_login"), reverse("admin:login")) else str(response.status_code)


def check_framing(row: Row, response: Any) -> None:
    """Check that another site can show no page in a frame, except the embedded ones."""
    if response.get("Content-Type", "").startswith("text/html"):
        policy = response.get("Content-Security-Policy", "")
        assert "frame-ancestors 'none'" in policy or view_name(row.address).startswith("league:embed"), row.address


def roles_at_limits(row: Row) -> list[str]:
    """Return the roles for which a wrong right shows first: the weakest that may, the strongest that may not.

    The other club's admin has no role in this club, so it limits nothing.
    """
    limits: dict[str, str] = {}
    for role in ROLES[:-1]:
        expected = row.expected[role]
        if expected in REFUSALS or expected not in limits:
            limits[expected] = role
    return [*limits.values(), *(["other_admin"] if row.expected["other_admin"] in REFUSALS else [])]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.method} {row.address} {row.club}")
def test_roles_at_limits_get_what_the_matrix_says(worlds: dict[str, World], row: Row) -> None:
    world = worlds["public" if row.club == "public" else "private"]
    roles = roles_at_limits(row)
    assert {role: answer(world, row, role) for role in roles} == {role: row.expected[role] for role in roles}


@pytest.mark.faults
@pytest.mark.parametrize("role", ROLES)
def test_all_other_roles_get_what_the_matrix_says(worlds: dict[str, World], role: str) -> None:
    answers = {
        (row.method, row.address, row.club): (row.expected[role], answer(world, row, role))
        for row in ROWS
        for world in [worlds["public" if row.club == "public" else "private"]]
        if role not in roles_at_limits(row)
    }
    assert {address: pair for address, pair in answers.items() if pair[0] != pair[1]} == {}


def test_a_secretary_who_may_not_is_asked_with_the_admin_who_may() -> None:
    expected = ("login", "404", "404", "403", "403", "403", "200", "404")
    row = Row("GET", "", "private", dict(zip(ROLES, expected, strict=True)))
    assert roles_at_limits(row) == ["anonymous", "guest", "secretary", "admin", "other_admin"]


def names(patterns: list[URLPattern | URLResolver], namespace: str = "") -> Iterator[str]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from names(pattern.url_patterns, f"{pattern.namespace}:" if pattern.namespace else namespace)
        else:
            yield f"{namespace}{pattern.name}"


def view_name(address: str) -> str:
    """Return the name of a row's address; one that no view answers is an error."""
    address = address.replace("{calendar_key}", str(UUID(int=1)))
    return resolve(urlsplit(re.sub(r"{\w+}", "1", address)).path).view_name


def test_every_address_has_its_row() -> None:
    ours = {name for name in names(get_resolver().url_patterns) if name.startswith(("league:", "api:"))}
    assert {view_name(row.address) for row in ROWS} == ours | ACCOUNT_PAGES | {"admin:index"}


def test_what_differs_between_private_and_public_has_both_rows() -> None:
    """Only addresses that hold a table or a deal at which the guest sat, or a link, may do with the private row."""
    clubs: dict[tuple[str, str], set[str]] = {}
    for row in ROWS:
        clubs.setdefault((row.method, view_name(row.address)), set()).add(row.club)
    alone = {name for (_, name), club_kinds in clubs.items() if club_kinds not in ({"any"}, {"private", "public"})}
    assert alone == {"league:join"}


def test_the_installations_admin_enters_the_repair_pages(client: Client) -> None:
    client.force_login(User.objects.create_superuser("root@club.example", "a-long-enough-password"))
    assert client.get(reverse("admin:index")).status_code == 200
    assert client.get(reverse("league:watch")).status_code == 200
