"""No page shows more of a name than its person chose: every address, and the pages they link to, for each role.

Every person whom the club's pages could name is called Zéphyrine Quatrevaux here. A page that forgets to hide a name
therefore shows this one. Two people outside the club changed and contested a deal: only members may read who they are.
`make test` walks as a visitor, `make test-faults` as every other role.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from html import unescape
from http.cookies import SimpleCookie
from io import BytesIO
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit
from uuid import uuid4
from zipfile import ZipFile, is_zipfile

import pghistory
import pytest
from django.core.cache import cache
from django.db import transaction
from django.db.models import F, Value
from django.db.models.functions import Concat
from django.test import Client
from django.urls import Resolver404, resolve, reverse
from pytest_django import DjangoDbBlocker

from league.actions import api_tokens, deals, evenings, player_names
from league.evenings.views.live import fragments
from league.models import Club, Contest, Deal, Evening, Run, Standing
from league.models.evening import EveningState
from league.models.rights import Role
from league.recompute.work import runs
from players.models import Player, RatingStep, User
from players.names import without_accents
from players.naming import NameStyle
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
    settle,
    sign_in,
    watched,
)
from tests.readers import user_of
from tests.test_access import ROLES, ROWS, places

pytestmark = [pytest.mark.django_db, pytest.mark.xdist_group("hidden names")]

GIVEN_NAME, FAMILY_NAME = "Zéphyrine", "Quatrevaux"
AUTHOR, RAISER = "Rédactrice", "Plaignante"  # first names of the author of a change and of a player who contests a deal
SIGNED_IN_OUTSIDERS = [pytest.param(role, marks=pytest.mark.faults) for role in ("stranger", "guest", "other_admin")]
LINK = re.compile(r"""(?:href|src|action|hx-get|content)=["'](/[^"']*)["']""")
NEVER = ("/static/", "/account/", "/language")
PAGES_OF_A_VIEW = 2  # opened through links, for each set of parameters


@dataclass(frozen=True)
class HiddenWorld:
    """A public club whose people all have the hidden name, and the values in its addresses."""

    club: Club
    places: dict[str, object]
    clients: dict[str, Client]
    tokens: dict[str, str]


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[HiddenWorld]:
    with django_db_blocker.unblock(), transaction.atomic():
        built = a_hidden_world()
        settle()
        yield built
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
    words = {**places(club, guest), "belote": season.pk}
    story = an_evening_with_a_story(club)
    words |= {"story": story, "story_live": fragments.sign_live_token(watched(Evening.objects.get(pk=story)))}
    author, raiser = deals_changed_and_contested(words)
    Player.objects.update(given_name=GIVEN_NAME, family_name=FAMILY_NAME, display_name="")
    Player.objects.filter(pk=author.pk).update(given_name=AUTHOR)
    Player.objects.filter(pk=raiser.pk).update(given_name=RAISER)
    reader_ids = {player.pk for player in readers.values()}
    for player in Player.objects.exclude(pk__in=reader_ids):
        player.update_names()
        player.save()
        if player.user is None:
            player.user = User.objects.create_user(f"{player.pk}@club.example")
            player.save()
        alias = {author.pk: AUTHOR, raiser.pk: RAISER}.get(player.pk, f"Known{player.pk}")
        player_names.choose_naming(player.pk, public=NameStyle.PSEUDONYM, members=NameStyle.INITIAL, pseudonym=alias)
    Player.objects.filter(pk__in=reader_ids).update(
        given_name="Reader", family_name="", display_name=Concat(Value("Reader"), F("pk"))
    )
    for player in Player.objects.filter(pk__in=reader_ids):
        player.update_names()
        player.save()
    RatingStep.objects.all().delete()  # the night makes its own
    runs.run(Run.Trigger.NIGHT, now=NOW, everything=True)
    words["rated"] = RatingStep.objects.filter(game="tarot").latest("date").date
    tokens = {
        role: api_tokens.create_token(user_of(player), "Program", None, now=NOW) for role, player in readers.items()
    }
    return HiddenWorld(club, words, clients, tokens)


def deals_changed_and_contested(words: dict[str, object]) -> tuple[Player, Player]:
    """Revise a deal, void another, contest one; return the author of the changes and the player who contests.

    Neither is in the club, so no list of its people names them.
    """
    author, raiser = a_user(is_superuser=True).player, a_player()
    deal, deal_of_guest = (Deal.objects.get(pk=str(words[name])) for name in ("deal", "guests_deal"))
    with pghistory.context(user=author.user_id, reason="The paper says 52"):
        deals.revise(deal.pk, {**TAKE, "points": 52}, client_key=uuid4(), seen_version=deal.version, now=NOW)
        deals.void(deal_of_guest.pk, client_key=uuid4(), seen_version=deal_of_guest.version, now=NOW)
    Contest.objects.filter(pk=str(words["contest"])).update(player=raiser)
    return author, raiser


def an_evening_with_a_story(club: Club) -> int:
    """Return a closed evening of an open season, whose story has a best deal, a jump and remarkable deals."""
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
    """Return the text of an answer in lower case without accents, with its headers and the parts of a zip file."""
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content
    parts = [body]
    if is_zipfile(BytesIO(body)):
        with ZipFile(BytesIO(body)) as packed:
            parts += [packed.read(name) for name in packed.namelist()]
    text = " ".join([str(answer.headers), *(part.decode("utf-8", "ignore") for part in parts)])
    text = re.sub(r"\\u[0-9a-fA-F]{4}", lambda code: json.loads(f'"{code[0]}"'), text)
    # players.names.without_accents goes character by character, which is slow for whole pages.
    return unicodedata.normalize("NFKD", unescape(unquote(text)).casefold()).encode("ascii", "ignore").decode()


def request(world: HiddenWorld, role: str, method: str, address: str) -> Any:
    client = world.clients[role]
    cookies = SimpleCookie(client.cookies.output(header="", sep=";"))
    by_token = address.startswith("/api/v1/") and role in world.tokens
    headers = {"Authorization": f"Bearer {world.tokens[role]}"} if by_token else {}
    with transaction.atomic():  # changes of one request must not reach the next
        answer = (client.get if method == "GET" else client.post)(address, headers=headers)
        transaction.set_rollback(True)
    client.cookies = cookies
    return answer


def addresses(world: HiddenWorld) -> Iterator[tuple[str, str]]:
    """Yield every address of the matrix, and more addresses of a closed evening."""
    for row in ROWS:
        if not row.address.startswith(NEVER):
            yield row.method, row.address.format(**world.places)
    for game in ("tarot", "belote"):
        for ending in ("", ".csv", ".xlsx"):
            yield "GET", f"/games/{game}/leaderboard{ending}?inactive=on"
    story = world.places["story"]
    yield from (
        ("GET", f"/evenings/{story}/{page}")
        for page in ("", "ranking.csv", "ranking.xlsx", "deals.csv", "deals.xlsx", "errata")
    )
    yield "GET", f"/live/{world.places['story_live']}/evening.html"


def hidden_in(world: HiddenWorld, role: str, names: tuple[str, ...]) -> list[str]:
    """Return the addresses that show one of the names to a role: the matrix, and a sample of the pages it links to.

    Pages of one view show names by the same code. So each view is opened twice for each set of parameters.
    """
    wrong, links = [], {"/", world.club.get_absolute_url()}
    opened: Counter[object] = Counter()
    requests = dict.fromkeys(addresses(world))
    requested = {address for method, address in requests if method == "GET"}
    waiting = list(requests)
    while waiting or links:
        if not waiting:
            fresh = sorted(link for link in links - requested if not link.startswith(NEVER) and "logout" not in link)
            requested |= links
            links = set()
            for link in fresh:
                opened[kind_of_page(link)] += 1
                if opened[kind_of_page(link)] <= PAGES_OF_A_VIEW:
                    waiting.append(("GET", link))
            continue
        method, address = waiting.pop()
        answer = request(world, role, method, address)
        text = read(answer)
        if any(name in text for name in names):
            wrong.append(f"{role}: {method} {address}")
        if method == "GET" and answer.headers.get("Content-Type", "").startswith("text/html"):
            links |= {unescape(link).partition("#")[0] for link in LINK.findall(answer.content.decode())}
    assert len(opened) > 20, f"no links for {role}"
    return wrong


def kind_of_page(address: str) -> object:
    """Return the view's name with the names of the parameters."""
    parts = urlsplit(address)
    try:
        view = resolve(parts.path).view_name
    except Resolver404:
        return address
    return view, frozenset(name for name, _value in parse_qsl(parts.query, keep_blank_values=True))


@pytest.mark.parametrize("role", ["anonymous", *SIGNED_IN_OUTSIDERS])
def test_visitors_outside_the_club_read_neither_name_anywhere(world: HiddenWorld, role: str) -> None:
    names = (
        without_accents(GIVEN_NAME),
        without_accents(FAMILY_NAME),
        without_accents(AUTHOR),
        without_accents(RAISER),
    )
    assert hidden_in(world, role, names) == []


def test_members_read_who_changed_and_contested_a_deal(world: HiddenWorld) -> None:
    for address in ("/deals/{deal}/", "/api/v1/deals/{deal}"):
        text = read(request(world, "member", "GET", address.format(**world.places)))
        assert without_accents(AUTHOR) in text or without_accents(RAISER) in text, address


@pytest.mark.faults
def test_members_read_the_first_name_and_never_the_family_name(world: HiddenWorld) -> None:
    assert hidden_in(world, "member", (without_accents(FAMILY_NAME),)) == []
    page = read(request(world, "member", "GET", f"/evenings/{world.places['story']}/"))
    assert f"{without_accents(GIVEN_NAME)} q." in page


def test_secretary_reads_whole_names_on_pages_of_work_and_members_names_elsewhere(world: HiddenWorld) -> None:
    """Secretaries read boards aloud. So boards show them the names that members read."""
    whole_name = without_accents(f"{FAMILY_NAME} (Known")
    works = ("/evenings/{evening}/players", "/tables/{table}/grid", "/clubs/{club}/members", "/clubs/{club}/apart")
    for address in works:
        assert whole_name in read(request(world, "secretary", "GET", address.format(**world.places))), address
    for address in ("/evenings/{evening}/", "/seasons/{season}/", "/tables/{table}/", "/players/{player}/"):
        assert without_accents(FAMILY_NAME) not in read(
            request(world, "secretary", "GET", address.format(**world.places))
        ), address


@pytest.mark.faults
@pytest.mark.parametrize("role", ["secretary", "admin"])
def test_committee_without_the_required_second_factor_reads_no_family_name_anywhere(
    world: HiddenWorld, role: str
) -> None:
    """Pages, files, prints: they read what members read until they have the factor that the club asks for."""
    with transaction.atomic():
        Club.objects.filter(pk=world.club.pk).update(asks_second_factor=True)
        hidden = hidden_in(world, role, (without_accents(FAMILY_NAME),))
        transaction.set_rollback(True)
    assert hidden == []


def test_what_hangs_and_runs_in_the_hall_says_what_everyone_may_read(world: HiddenWorld) -> None:
    screens = ("/live/{live}", "/live/{live}/screen.html", "/screen/{screen_code}")
    for address in ("/rounds/{round}/poster", "/rounds/{round}/sheets", *screens):
        text = read(request(world, "secretary", "GET", address.format(**world.places)))
        assert "known" in text, address
        assert without_accents(GIVEN_NAME) not in text, address


def test_picture_of_an_evening_says_what_everyone_may_read(world: HiddenWorld) -> None:
    evening_id = int(str(world.places["story"]))
    address = f"/evenings/{evening_id}/picture.png"
    with transaction.atomic():
        pictures = [world.clients[role].get(address).content for role in ("anonymous", "member", "secretary")]
        for player in Player.objects.filter(seats__round__evening=evening_id):
            player_names.choose_naming(player.pk, public="pseudonym", members="initial", pseudonym=f"Other{player.pk}")
        renamed = world.clients["member"].get(address).content
        for player in Player.objects.filter(seats__round__evening=evening_id):
            player_names.choose_naming(player.pk, public="pseudonym", members="full", pseudonym=f"Other{player.pk}")
        known_in_full = world.clients["member"].get(address).content
        transaction.set_rollback(True)
    assert pictures[0] == pictures[1] == pictures[2]
    assert renamed != pictures[0], "it draws the pseudonyms"
    assert known_in_full == renamed


def test_pictures_of_season_and_rank_say_what_everyone_may_read(world: HiddenWorld) -> None:
    ranked = Standing.objects.filter(season__club=world.club, season__tournament=None, rank=1)
    season, player = ranked.values_list("season", "player").earliest("season")
    for address in (f"/seasons/{season}/picture.png", f"/seasons/{season}/standings/{player}/picture.png"):
        with transaction.atomic():
            pictures = [world.clients[role].get(address).content for role in ("anonymous", "member", "secretary")]
            player_names.choose_naming(player, public="pseudonym", members="full", pseudonym="Other")
            renamed = [world.clients[role].get(address).content for role in ("anonymous", "member")]
            transaction.set_rollback(True)
        assert pictures[0] == pictures[1] == pictures[2], address
        assert renamed[0] == renamed[1] != pictures[0], address


def test_text_to_send_on_says_what_everyone_may_read(world: HiddenWorld) -> None:
    page = request(world, "member", "GET", f"/evenings/{world.places['story']}/").content.decode()
    message = re.search(r"<textarea[^>]*>(.*?)</textarea>", page, re.DOTALL)
    assert message
    assert "Known" in message[1]
    assert GIVEN_NAME not in unescape(message[1])


def searched(client: Client, address: str, typed: str) -> str:
    """Search a board for a name; return the page without the typed name."""
    page: str = client.get(address, {"q": typed, "inactive": "on"}).content.decode()
    return page.replace(typed, "")


def test_visitor_searches_and_sorts_by_what_he_reads(world: HiddenWorld) -> None:
    anonymous, member = world.clients["anonymous"], world.clients["member"]
    members = reverse("league:members", args=[world.club.slug])
    season = reverse("league:season", args=[world.places["finished"]])
    board, given, family = "/games/tarot/leaderboard", without_accents(GIVEN_NAME), without_accents(FAMILY_NAME)
    for address in (members, season, board):
        empty = searched(anonymous, address, "xyzxyz")
        assert [searched(anonymous, address, typed) for typed in (given, family)] == [empty, empty], address
        assert searched(anonymous, address, "known") != empty, address
        assert searched(member, address, given) != searched(member, address, "xyzxyz"), address
        assert searched(member, address, family) == searched(member, address, "xyzxyz"), address
    # Whole names would stand in one order, pseudonyms in another.
    late = Player.objects.filter(memberships__club=world.club, pseudonym__startswith="Known").order_by("pk").first()
    assert late
    with transaction.atomic():
        player_names.choose_naming(late.pk, public="pseudonym", members="initial", pseudonym="Zzz")
        Player.objects.filter(pk=late.pk).update(family_name="Aaa", committee_key="aaa")
        page = anonymous.get(members).content.decode()
        transaction.set_rollback(True)
    assert page.index("Zzz") > page.rindex("Known")


def test_fragments_are_kept_apart_for_members_and_everyone(world: HiddenWorld) -> None:
    evening = Evening.objects.get(pk=int(str(world.places["story"])))
    screens = [watched(evening, members=members) for members in (True, False, True)]
    texts = [
        read(world.clients["anonymous"].get(f"/live/{fragments.sign_live_token(screen)}/evening.html"))
        for screen in screens
    ]
    assert [without_accents(GIVEN_NAME) in text for text in texts] == [True, False, True]
