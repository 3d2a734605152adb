"""Nobody reads more of a name than its person chose: every address, and all that they lead to, as somebody hostile.

Everyone whom the club's pages could name is called Zéphyrine Quatrevaux here, so that a place which was forgotten names
one of them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from html import unescape
from http.cookies import SimpleCookie
from io import BytesIO
from typing import Any
from urllib.parse import unquote
from zipfile import ZipFile, is_zipfile

import pytest
from django.core.cache import cache
from django.db import transaction
from django.db.models import F, Value
from django.db.models.functions import Concat
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoDbBlocker

from league.actions import evenings, player_names
from league.evenings.views.live import fragments
from league.models import Club, Evening, Run
from league.models.evening import EveningState
from league.models.rights import Role
from league.recompute.work import runs
from players.models import Player, RatingStep, User
from players.names import plain
from players.naming import Naming
from tests.build import (
    NOW,
    TAKE,
    a_club,
    a_deal,
    a_member,
    a_player,
    a_season,
    a_table,
    a_user,
    an_evening,
    sign_in,
    watched,
)
from tests.test_access import ROLES, ROWS, places

pytestmark = [pytest.mark.django_db, pytest.mark.xdist_group("hidden names")]

GIVEN, FAMILY = "Zéphyrine", "Quatrevaux"
OUTSIDE = ("anonymous", "stranger", "guest", "other_admin")
LINK = re.compile(r"""(?:href|src|action|hx-get|content)=["'](/[^"']*)["']""")
NEVER = ("/static/", "/account/", "/language")


@dataclass(frozen=True)
class HiddenWorld:
    """A public club whose people all have the hidden name; what stands in its addresses, and each role's browser."""

    club: Club
    places: dict[str, object]
    clients: dict[str, Client]


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[HiddenWorld]:
    with django_db_blocker.unblock(), transaction.atomic():
        yield a_hidden_world()
        transaction.set_rollback(True)
        cache.clear()


def a_hidden_world() -> HiddenWorld:
    club = a_club(public=True)
    readers = {str(role): a_member(club, role) for role in Role}
    readers |= {"stranger": a_user().player, "other_admin": a_user().player}
    a_club(public=True, founder=readers["other_admin"])
    clients = {role: Client() for role in ROLES}
    for role, player in readers.items():
        sign_in(clients[role], player)
    guest = a_player()
    club.memberships.create(player=guest, role=Role.GUEST)
    season = a_season(club, "belote", table_sizes=[4], end_number=1)
    found = {**places(club, guest), "belote": season.pk}
    told = a_told_evening(club)
    found |= {"told": told, "told_live": fragments.token(watched(Evening.objects.get(pk=told)))}
    Player.objects.update(given_name=GIVEN, family_name=FAMILY, display_name="")
    named = {player.pk for player in readers.values()}
    for player in Player.objects.exclude(pk__in=named):
        player.update_names()
        player.save()
        if player.user is None:
            player.user = User.objects.create_user(f"{player.pk}@club.example")
            player.save()
        alias = f"Known{player.pk}"
        player_names.choose(player.pk, public=Naming.PSEUDONYM, members=Naming.INITIAL, pseudonym=alias)
    Player.objects.filter(pk__in=named).update(
        given_name="Reader", family_name="", display_name=Concat(Value("Reader"), F("pk"))
    )
    for player in Player.objects.filter(pk__in=named):
        player.update_names()
        player.save()
    RatingStep.objects.all().delete()  # the night makes its own
    runs.run(Run.Trigger.NIGHT, now=NOW, everything=True)
    found["rated"] = RatingStep.objects.filter(game="tarot").latest("date").date
    return HiddenWorld(club, found, clients)


def a_told_evening(club: Club) -> int:
    """Return a closed evening of a season that goes on, with a story: a best deal, a jump, remarkable deals."""
    season = a_season(club)
    people = [a_player() for _ in range(4)]
    for week in (2, 1):
        evening = an_evening(season, on=NOW.date() - timedelta(weeks=week))
        table = a_table(evening, people)
        for _ in range(3):
            a_deal(table)
        a_deal(table, {**TAKE, "contract": "guard", "points": 82, "oudlers": 3})
        evening = evenings.close(evening.pk, now=NOW)
        people.reverse()
    assert evening.state == EveningState.CLOSED
    return evening.pk


def read(answer: Any) -> str:
    """Return all that an answer says, its headers and its compressed parts too, without accents in small letters."""
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content
    parts = [body]
    if is_zipfile(BytesIO(body)):
        with ZipFile(BytesIO(body)) as packed:
            parts += [packed.read(name) for name in packed.namelist()]
    text = " ".join([str(answer.headers), *(part.decode("utf-8", "ignore") for part in parts)])
    text = re.sub(r"\\u[0-9a-fA-F]{4}", lambda code: json.loads(f'"{code[0]}"'), text)
    return plain(unescape(unquote(text)))


def asked(world: HiddenWorld, role: str, method: str, address: str) -> Any:
    client = world.clients[role]
    cookies = SimpleCookie(client.cookies.output(header="", sep=";"))
    with transaction.atomic():  # what one asked for, the next does not see
        answer = client.get(address) if method == "GET" else client.post(address)
        transaction.set_rollback(True)
    client.cookies = cookies
    return answer


def addresses(world: HiddenWorld) -> Iterator[tuple[str, str]]:
    """Every address of the matrix, and those that have more to tell where an evening is over."""
    for row in ROWS:
        if not row.address.startswith(NEVER):
            yield row.method, row.address.format(**world.places)
    for game in ("tarot", "belote"):
        for ending in ("", ".csv", ".xlsx"):
            yield "GET", f"/games/{game}/leaderboard{ending}?inactive=on"
    told = world.places["told"]
    yield from (
        ("GET", f"/evenings/{told}/{each}")
        for each in ("", "ranking.csv", "ranking.xlsx", "deals.csv", "deals.xlsx", "errata")
    )
    yield "GET", f"/live/{world.places['told_live']}/evening.html"


def hidden_in(world: HiddenWorld, role: str, names: tuple[str, ...]) -> list[str]:
    """Return the addresses that tell one of the names to a role, by the matrix and by every link from there on."""
    wrong = []
    for method, address in dict.fromkeys(addresses(world)):
        if any(name in read(asked(world, role, method, address)) for name in names):
            wrong.append(f"{role}: {method} {address}")
    seen, left = set[str](), ["/", world.club.get_absolute_url()]
    while left:
        address = left.pop()
        if address in seen or address.startswith(NEVER) or "logout" in address:
            continue
        seen.add(address)
        answer = asked(world, role, "GET", address)
        said = read(answer)
        if any(name in said for name in names):
            wrong.append(f"{role}: led to {address}")
        if answer.headers.get("Content-Type", "").startswith("text/html"):
            found = {unescape(link).partition("#")[0] for link in LINK.findall(answer.content.decode())}
            left += sorted(found - seen)
    assert len(seen) > 40, f"{role} was led nowhere"
    return wrong


@pytest.mark.parametrize("role", OUTSIDE)
def test_whoever_is_no_member_reads_neither_name_anywhere(world: HiddenWorld, role: str) -> None:
    names = (plain(GIVEN), plain(FAMILY))
    assert hidden_in(world, role, names) == []


def test_members_read_the_first_name_and_never_the_family_name(world: HiddenWorld) -> None:
    assert hidden_in(world, "member", (plain(FAMILY),)) == []
    page = read(asked(world, "member", "GET", f"/evenings/{world.places['told']}/"))
    assert f"{plain(GIVEN)} q." in page


def test_secretary_reads_whole_names_where_he_works_and_others_names_elsewhere(world: HiddenWorld) -> None:
    """He gives out what is shown on boards: there he reads what members read."""
    whole = plain(f"{FAMILY} (Known")
    works = ("/evenings/{evening}/players", "/tables/{table}/grid", "/clubs/{club}/members", "/clubs/{club}/apart")
    for address in works:
        assert whole in read(asked(world, "secretary", "GET", address.format(**world.places))), address
    for address in ("/evenings/{evening}/", "/seasons/{season}/", "/tables/{table}/", "/players/{player}/"):
        assert plain(FAMILY) not in read(asked(world, "secretary", "GET", address.format(**world.places))), address


@pytest.mark.parametrize("role", ["secretary", "admin"])
def test_committee_without_the_required_second_factor_reads_no_family_name_anywhere(
    world: HiddenWorld, role: str
) -> None:
    """Pages, files, prints: they read what members read until they have the factor that the club asks for."""
    with transaction.atomic():
        Club.objects.filter(pk=world.club.pk).update(asks_second_factor=True)
        hidden = hidden_in(world, role, (plain(FAMILY),))
        transaction.set_rollback(True)
    assert hidden == []


def test_what_hangs_and_runs_in_the_hall_says_what_everyone_may_read(world: HiddenWorld) -> None:
    screens = ("/live/{live}", "/live/{live}/screen.html", "/screen/{screen_code}")
    for address in ("/rounds/{round}/poster", "/rounds/{round}/sheets", *screens):
        said = read(asked(world, "secretary", "GET", address.format(**world.places)))
        assert "known" in said, address
        assert plain(GIVEN) not in said, address


def test_picture_of_an_evening_says_what_everyone_may_read(world: HiddenWorld) -> None:
    told = int(str(world.places["told"]))
    address = f"/evenings/{told}/picture.png"
    with transaction.atomic():
        shown = [world.clients[role].get(address).content for role in ("anonymous", "member", "secretary")]
        for player in Player.objects.filter(seats__round__evening=told):
            player_names.choose(player.pk, public="pseudonym", members="initial", pseudonym=f"Other{player.pk}")
        renamed = world.clients["member"].get(address).content
        for player in Player.objects.filter(seats__round__evening=told):
            player_names.choose(player.pk, public="pseudonym", members="full", pseudonym=f"Other{player.pk}")
        known_in_full = world.clients["member"].get(address).content
        transaction.set_rollback(True)
    assert shown[0] == shown[1] == shown[2]
    assert renamed != shown[0], "it draws the pseudonyms"
    assert known_in_full == renamed


def test_text_to_send_on_says_what_everyone_may_read(world: HiddenWorld) -> None:
    page = asked(world, "member", "GET", f"/evenings/{world.places['told']}/").content.decode()
    message = re.search(r"<textarea[^>]*>(.*?)</textarea>", page, re.DOTALL)
    assert message
    assert "Known" in message[1]
    assert GIVEN not in unescape(message[1])


def searched(client: Client, address: str, typed: str) -> str:
    """Return a board on which a name is looked for, without the name that was typed."""
    page: str = client.get(address, {"q": typed, "inactive": "on"}).content.decode()
    return page.replace(typed, "")


def test_visitor_searches_and_sorts_by_what_he_reads(world: HiddenWorld) -> None:
    anonymous, member = world.clients["anonymous"], world.clients["member"]
    members = reverse("league:members", args=[world.club.slug])
    season = reverse("league:season", args=[world.places["finished"]])
    board, given, family = "/games/tarot/leaderboard", plain(GIVEN), plain(FAMILY)
    for address in (members, season, board):
        nobody = searched(anonymous, address, "xyzxyz")
        assert [searched(anonymous, address, typed) for typed in (given, family)] == [nobody, nobody], address
        assert searched(anonymous, address, "known") != nobody, address
        assert searched(member, address, given) != searched(member, address, "xyzxyz"), address
        assert searched(member, address, family) == searched(member, address, "xyzxyz"), address
    # Whole names would stand in one order, pseudonyms in another.
    late = Player.objects.filter(memberships__club=world.club, pseudonym__startswith="Known").order_by("pk").first()
    assert late
    with transaction.atomic():
        player_names.choose(late.pk, public="pseudonym", members="initial", pseudonym="Zzz")
        Player.objects.filter(pk=late.pk).update(family_name="Aaa", work_key="aaa")
        page = anonymous.get(members).content.decode()
        transaction.set_rollback(True)
    assert page.index("Zzz") > page.rindex("Known")


def test_fragments_are_kept_apart_for_members_and_everyone(world: HiddenWorld) -> None:
    evening = Evening.objects.get(pk=int(str(world.places["told"])))
    asked = [watched(evening, members=members) for members in (True, False, True)]
    said = [read(world.clients["anonymous"].get(f"/live/{fragments.token(each)}/evening.html")) for each in asked]
    assert [plain(GIVEN) in each for each in said] == [True, False, True]
