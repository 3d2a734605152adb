"""Boards that are read again: a 304 while nothing changed, and never an old number after a write."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from typing import Any
from uuid import uuid4

import pytest
import time_machine
from allauth.mfa.models import Authenticator
from django.apps import apps
from django.core.cache import cache
from django.db import connection, transaction
from django.db.models import F
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league.actions import (
    adjustments,
    attendance,
    club_appearance,
    clubs,
    contests,
    deals,
    erasure,
    evenings,
    merging,
    people,
    player_names,
    rating_rules,
    roles,
    rounds,
    rules_drafts,
    season_closing,
    seating,
    tables,
    totals,
    tournament_play,
)
from league.models import Club, ClubChange, Contest, Evening, Run, Table, Tournament, TournamentUnit
from league.models.club_change import ALL_CLUBS_ID, version_of_club
from league.models.rights import Role
from league.models.season import SeasonState
from league.recompute.work import runs
from league.sheets.queries.table_sums import PointsAndDeals
from league.standings.rules import StandingsRules
from league.web import page_etags
from players.models import Player
from players.naming import NameStyle
from tests.build import (
    NOW,
    TAKE,
    TODAY,
    a_club,
    a_deal,
    a_drawn_round,
    a_member,
    a_picture,
    a_player,
    a_running_tournament,
    a_season,
    a_table,
    a_user,
    an_evening,
    written_totals,
)
from tests.readers import set_up_second_factor, signed_in, user_of
from tests.test_access import ROLES
from tests.test_hidden_names import a_hidden_world, addresses

pytestmark = pytest.mark.django_db(transaction=True)

# Tables that no board shows; a person's login is in the tag itself.
ON_NO_BOARD = {
    *(
        "league_auditentry",
        "league_apart",
        "league_apitoken",
        "league_apiwrite",
        "league_check",
        "league_clubchange",
        "league_demoinstallation",
        "league_hallcopy",
        "league_letter",
        "league_letterchoice",
        "league_job",
        "league_listcolumns",
    ),
    *("league_ending", "league_merge", "league_movement"),
    "league_tournamentpreset",
    *("league_webhook", "league_webhookdelivery"),
    *("league_prize", "league_prizeplan", "league_prizecategory", "league_prizecategorymember"),
    *("league_prizelot", "league_prizereceipt"),
    *("league_team", "league_teammember"),
    *("league_finalsunit", "league_finalsgame"),
    *("players_user", "players_met", "players_ratingday"),
}
MINIMUM_OF_BOARDS = 20  # pages with a version in the access matrix
MASK = re.compile(rb'csrfmiddlewaretoken" value="\w+"|/live/[^"]+')  # another one at each answer


@pytest.fixture
def now() -> Iterator[None]:
    with time_machine.travel(NOW):
        yield


class Reader:
    """A browser that has boards, and asks whether they are still so."""

    def __init__(self, client: Client, addresses: list[str]) -> None:
        self.client = client
        self.boards = {address: self._read(address) for address in addresses}

    def _read(self, address: str, tag: str = "") -> Any:
        return self.client.get(address, headers={"if-none-match": tag} if tag else {})

    def changed(self) -> set[str]:
        """Return the boards that came anew; each of the others is, read without a tag, what the browser has."""
        changed_addresses = set()
        for address, had in self.boards.items():
            answer = self._read(address, had.headers.get("ETag", ""))
            if answer.status_code == 304:
                cache.delete_all_keys()  # type: ignore[attr-defined]
                full_page = self._read(address)
                assert MASK.sub(b"", full_page.content) == MASK.sub(b"", had.content), address
            else:
                changed_addresses.add(address)
                self.boards[address] = answer
        return changed_addresses


def boards(club: Club) -> list[str]:
    season = club.seasons.earliest("pk")
    player, second_player = club.memberships.order_by("pk").values_list("player_id", flat=True)[:2]
    return [
        "/",
        "/clubs/",
        f"/clubs/{club.slug}/",
        f"/clubs/{club.slug}/year",
        f"/clubs/{club.slug}/hall-of-fame",
        *(f"/seasons/{season_row.pk}/" for season_row in club.seasons.all()),
        f"/seasons/{season.pk}/records",
        "/games/tarot/records",
        *(f"/evenings/{season_row.pk}/" for season_row in Evening.objects.filter(season__club=club)),
        *(f"/seasons/{season.pk}/standings/{row.player_id}" for row in season.standings.all()[:1]),
        f"/players/{player}/",
        f"/players/{player}/statistics/tarot",
        f"/players/{player}/compare/{second_player}",
        f"/players/{player}/ratings/tarot",
        "/games/tarot/leaderboard",
    ]


@pytest.fixture
def club(now: None) -> Club:
    """A club with a closed evening, computed, and one that is open."""
    founder = a_user().player
    club = a_club(founder=founder, public=True, table_entry=True)
    season = a_season(club, end_number=1)
    players = [founder, *(a_member(club) for _ in range(5))]
    first = an_evening(season, on=TODAY - timedelta(days=7))
    a_deal(a_table(first, players[:4]))
    evenings.close(first.pk, now=NOW)
    tonight = an_evening(season)
    a_deal(a_table(tonight, players[:4]))
    a_table(tonight, [a_player() for _ in range(4)])
    runs.run(Run.Trigger.COMMAND, now=NOW, everything=True)
    return club


@pytest.mark.faults
def test_nothing_changed_nothing_is_sent(club: Club, client: Client) -> None:
    for browser in (client, signed_in(Client(), club.memberships.earliest("pk").player)):
        reader = Reader(browser, boards(club))
        reader.changed()  # the first answer may have brought the cookie that a form is sent with
        assert reader.changed() == set()
        second_response = browser.get(
            f"/clubs/{club.slug}/", headers={"if-none-match": reader.boards[f"/clubs/{club.slug}/"]["ETag"]}
        )
        assert (second_response.status_code, second_response.content) == (304, b"")
        assert second_response.headers["Cache-Control"] == "private, no-cache"


def test_a_change_of_another_club_changes_nothing_here(club: Club, client: Client) -> None:
    foreign_table = a_table(an_evening(a_season(a_club())))
    reader = Reader(client, boards(club))
    reader.changed()
    a_deal(foreign_table)
    of_all = ("/players/", "/games/")
    assert {address for address in reader.changed() if not address.startswith(of_all)} == {"/", "/clubs/"}


Write = tuple[str, Callable[[], object], str]


def tonight_of(club: Club) -> Iterator[Write]:
    """Yield an evening's writes, each with a board that it changes."""
    evening = Evening.objects.in_progress().get(season__club=club)
    filled, waiting = Table.objects.filter(round__evening=evening).order_by("number")
    deal = filled.dealt.get()
    late = a_member(club, login=False)
    there = evening.attendances.filter(player=deal.table.seats.earliest("number").player).get()
    board = f"/evenings/{evening.pk}/"

    def key() -> dict[str, Any]:
        return {"client_key": uuid4(), "now": NOW}

    def raised() -> Contest:
        return contests.record_contest(deal.pk, player_id=there.player_id, reason="Was 45", now=NOW)

    yield "record", lambda: deals.record(waiting.pk, TAKE, **key()), board
    yield "revise", lambda: deals.revise(deal.pk, {**TAKE, "points": 45}, seen_version=1, **key()), board
    yield "contest", raised, "/"
    admin = user_of(club_admin(club))
    yield "answer", lambda: contests.answer_contest(raised().pk, answer="So", by=admin, now=NOW), "/"
    yield "void", lambda: deals.void(deal.pk, seen_version=2, **key()), board
    sums = {0: PointsAndDeals(30, 1), 1: PointsAndDeals(-10, 1), 2: PointsAndDeals(-10, 1), 3: PointsAndDeals(-10, 1)}
    yield "totals", lambda: totals.record(filled.pk, sums, seen_version=0, **key()), board
    yield "finish", lambda: tables.finish(filled.pk, finished=True, now=NOW), board
    yield "check in", lambda: attendance.check_in(evening.pk, [late.pk]), board
    yield "leave", lambda: attendance.set_leaving(there.pk, leaves=True), ""
    players_seated = [seat.player_id for seat in filled.seats.all()]
    yield (
        "swap",
        lambda: rounds.swap_players(
            filled.round_id, players_seated[0], waiting.seats.all()[0].player_id, now=NOW, reason="Wrong sheet"
        ),
        board,
    )
    yield (
        "a second round",
        lambda: seating.add_table(evening.pk, 2, players_seated[1:], with_resting_player=False),
        board,
    )
    yield "change", lambda: change(evening, name="The great night"), board
    yield "close", lambda: evenings.close(evening.pk, now=NOW), f"/clubs/{club.slug}/"


def change(evening: Evening, **fields: object) -> None:
    for name, value in fields.items():
        setattr(evening, name, value)
    evenings.change(evening, list(fields))


def club_admin(club: Club) -> Player:
    return club.memberships.filter(role=Role.ADMIN).earliest("pk").player


def season_of(club: Club) -> Iterator[Write]:
    """Yield the writes around evenings, each with a board that it changes."""
    season = club.seasons.get()
    board, home = f"/seasons/{season.pk}/", f"/clubs/{club.slug}/"
    one, two, third = club.memberships.filter(role=Role.MEMBER).order_by("pk")[:3]
    twin = a_player("Twin", "Record")
    club.memberships.create(player=twin, role=Role.MEMBER)
    names = {"number": "", "email": "", "phone": ""}

    def run() -> None:
        runs.run(Run.Trigger.COMMAND, now=timezone.now(), everything=True)

    yield "run", run, board
    yield "adjust", lambda: adjustments.add_adjustment(season.pk, one.player_id, -50, reason="Late", now=NOW), board
    yield "run again", run, board
    yield "take back", lambda: adjustments.remove_adjustment(season.adjustments.get(), now=NOW), board
    yield "and run", run, board
    yield "rename", lambda: people.change_details(one.pk, names=("Zoé", "Blanc"), **names), board
    yield "plan", lambda: evenings.plan(season.pk, date=TODAY + timedelta(days=7)), home
    yield (
        "intention",
        lambda: attendance.record_intention(Evening.objects.planned()[0].pk, one.player_id, comes=True),
        "/",
    )
    yield "draft", lambda: rules_drafts.save_draft(season.pk, "Sum", StandingsRules()), board
    yield "rating rules", lambda: rating_rules.choose_rules("tarot", "published", now=NOW), ""
    yield "with other ratings", run, ""
    yield "merge", lambda: merging.merge(third.player_id, twin.pk, by=None, now=NOW), ""
    yield "cancel", lambda: evenings.cancel(Evening.objects.planned()[0].pk), home
    yield "close", lambda: season_closing.close(season.pk, now=NOW), board
    yield "reopen", lambda: season_closing.reopen(season.pk, reason="A sheet", now=NOW), board
    yield "new name", lambda: rename(club), home
    yield "a colour", lambda: club_appearance.change(club, colour="#1f3f6e", mark_alt=""), home
    yield "a mark", lambda: club_appearance.store_logo(club, a_picture()), home
    yield "no mark", lambda: club_appearance.delete_logo(club), home
    yield "French", lambda: change_club(club, language="fr"), home
    yield "names of the club", lambda: change_club(club, member_names=NameStyle.INITIAL), home
    yield (
        "a pseudonym",
        lambda: player_names.choose_naming(one.player_id, public="", members=NameStyle.PSEUDONYM, pseudonym="The Dog"),
        board,
    )
    yield "erase", lambda: erasure.erase(two.player_id), board
    yield "private", lambda: hide(club), home


def rename(club: Club) -> None:
    change_club(club, name="Another name")


def hide(club: Club) -> None:
    change_club(club, public=False)


def change_club(club: Club, **fields: object) -> None:
    for name, value in fields.items():
        setattr(club, name, value)
    clubs.change(club, list(fields))


def test_each_write_changes_its_board(club: Club) -> None:
    """`make test-faults` reads every board after each write."""
    admin = signed_in(Client(), club_admin(club))
    for writes in (tonight_of, season_of):
        for name, write, board in writes(club):
            tag = admin.get(board).headers["ETag"] if board else ""
            write()
            if board:
                assert admin.get(board, headers={"if-none-match": tag}).status_code == 200, name


@pytest.mark.faults
def test_no_board_is_old_after_any_write(club: Club, client: Client) -> None:
    """Whether a visitor reads or an admin."""
    of_club = ("/clubs/", "/seasons/", "/evenings/")
    readers = [
        Reader(client, [address for address in boards(club) if address.startswith(of_club)]),
        Reader(signed_in(Client(), club_admin(club)), boards(club)),
    ]
    for reader in readers:
        reader.changed()
    for writes in (tonight_of, season_of):
        for name, write, board in writes(club):
            write()
            [_visitor, admin] = [reader.changed() for reader in readers]
            assert not board or board in admin, name


def tournament_of(tournament: Tournament) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield writes that each change the tournament's ranking."""
    first, last = (tournament.units.get(number=number) for number in (1, 6))

    def write(unit: TournamentUnit, **fields: object) -> None:
        TournamentUnit.objects.filter(pk=unit.pk).update(**fields)

    yield "not there", lambda: tournament_play.check_out(last.pk)
    tables = list(a_drawn_round(tournament).tables.order_by("number"))
    yield "totals", lambda: written_totals(tables[0], [1000, 944] * 2, deals=12)
    yield "forfeit", lambda: tournament_play.set_forfeits(tables[1].pk, [unit_at(tables[1]).pk])
    yield "no forfeit", lambda: tournament_play.set_forfeits(tables[1].pk, [])
    yield "totals of the other table", lambda: written_totals(tables[1], [1010, 934] * 2, deals=12)
    yield "leaves", lambda: tournament_play.set_leaving(first.pk, leaves=True)
    yield "comes back", lambda: tournament_play.set_leaving(first.pk, leaves=False)
    yield "agrees to be named", lambda: write(first, names_public=True)
    yield "another name", lambda: write(first, name="The Aces")
    yield "another player", lambda: first.players.filter(position=1).update(name="Zoé Blanc", player=None)
    yield "late", lambda: tournament_play.check_in(tournament.pk, [last.pk])
    yield "second round", lambda: a_drawn_round(tournament)


def unit_at(table: Table) -> TournamentUnit:
    player = table.seats.earliest("number").player_id
    unit: TournamentUnit = TournamentUnit.objects.get(players__player=player)
    return unit


@pytest.mark.faults
def test_no_ranking_of_a_tournament_is_old(now: None) -> None:
    """The ranking is cached for all readers with the same rights: each write shows, and each reader sees their own."""
    club = a_club(public=True)
    tournament = a_running_tournament(club, units=6, rounds=3)
    address = f"/tournaments/{tournament.pk}/ranking"
    readers = [signed_in(Client(), a_member(club, Role.ADMIN)), signed_in(Client(), a_member(club)), Client()]

    def pages() -> list[bytes]:
        return [MASK.sub(b"", reader.get(address).content) for reader in readers]

    before = pages()
    for name, write in tournament_of(tournament):
        write()
        after = pages()
        assert after != before, name
        assert len(set(after)) == len(readers), name
        cache.delete_all_keys()  # type: ignore[attr-defined]
        assert pages() == after, name
        before = after


@pytest.mark.parametrize("first", ["member", "visitor"])
def test_a_cached_page_shows_no_name_to_another_reader(club: Club, first: str) -> None:
    """Whoever reads first: members see the whole name, visitors the first name and an initial."""
    player = club.memberships.filter(role=Role.MEMBER).earliest("pk").player
    change_club(club, public_names=NameStyle.INITIAL)
    membership = club.memberships.get(player=player)
    people.change_details(membership.pk, names=("Zoé", "Delacroix"), number="", email="", phone="")
    runs.run(Run.Trigger.COMMAND, now=timezone.now(), everything=True)
    readers = {"member": signed_in(Client(), a_member(club)), "visitor": Client()}
    season, evening = club.seasons.get(), Evening.objects.closed().get(season__club=club)
    for page in (f"/seasons/{season.pk}/", f"/evenings/{evening.pk}/", f"/players/{player.pk}/"):
        for reader in sorted(readers, key=lambda name: name != first):
            for _ in range(2):
                text = readers[reader].get(page).content.decode()
                assert ("Delacroix" in text) == (reader == "member"), (page, reader)


def test_a_cached_leaderboard_ends_with_the_right_to_see_all_clubs(club: Club) -> None:
    """The table of users is not watched: the flag is in the key."""
    change_club(club, public=False)
    user = a_user(is_superuser=True)
    browser = Client()
    browser.force_login(user)
    rules = "/games/tarot/rating-rules"
    assert rules in browser.get("/games/tarot/leaderboard").content.decode()
    type(user).objects.filter(pk=user.pk).update(is_superuser=False)
    assert rules not in browser.get("/games/tarot/leaderboard").content.decode()


@pytest.mark.faults
def test_a_warm_cache_shows_each_reader_what_an_empty_one_does(now: None) -> None:
    """Every page with a version, in both orders of the readers: no name, row or right of another reader."""
    world = a_hidden_world()
    requested = dict.fromkeys(address for method, address in addresses(world) if method == "GET")
    answers = {page: world.clients["member"].get(page) for page in requested if not page.startswith("/api/")}
    pages = [page for page, answer in answers.items() if answer.status_code == 200 and "ETag" in answer.headers]
    assert len(pages) > MINIMUM_OF_BOARDS, pages

    def text(role: str, page: str) -> bytes:
        return MASK.sub(b"", world.clients[role].get(page).content)

    text("member", "/")  # shows the messages of the requests above
    for page in pages:
        alone = {}
        for role in ROLES:
            cache.delete_all_keys()  # type: ignore[attr-defined]
            alone[role] = text(role, page)
        for order in (ROLES, ROLES[::-1]):
            cache.delete_all_keys()  # type: ignore[attr-defined]
            for role in (*order, *order):
                assert text(role, page) == alone[role], (page, role, order)


def test_a_cached_form_has_the_token_of_the_browser_that_asks(club: Club) -> None:
    """Two browsers of an admin share a cached part, but no cookie. No other test sends a form of a cached part."""
    draft = a_season(club, state=SeasonState.DRAFT)
    admin, page = club_admin(club), f"/seasons/{draft.pk}/"
    address = f"{page}open"
    form = re.compile(rf'action="{address}">\s*<input type="hidden" name="csrfmiddlewaretoken" value="(\w+)"')
    browsers = [signed_in(Client(enforce_csrf_checks=True), admin) for _ in range(2)]
    with CaptureQueriesContext(connection) as captured:
        first, second = (form.findall(browser.get(page).content.decode())[0] for browser in browsers)
    version_season_and_user = 3
    assert len(captured) > 2 * version_season_and_user
    with CaptureQueriesContext(connection) as captured:
        assert browsers[1].get(page).status_code == 200
    assert len(captured) == version_season_and_user
    assert browsers[1].post(address, {"csrfmiddlewaretoken": first}).status_code == 403
    assert browsers[1].post(address, {"csrfmiddlewaretoken": second}).status_code == 302


def test_a_cached_page_needs_no_query_for_its_content(club: Club) -> None:
    """Queries of a page that is read again; tests/test_budgets.py counts those of a page that is rendered."""
    season, player = club.seasons.get(), club.memberships.earliest("pk").player
    evening = Evening.objects.closed().get(season__club=club)
    pages = [
        *(f"/seasons/{season.pk}/", f"/evenings/{evening.pk}/", f"/clubs/{club.slug}/", f"/players/{player.pk}/"),
        *(f"/players/{player.pk}/statistics/tarot", "/games/tarot/leaderboard"),
    ]
    version, row, user = 1, 1, 1
    of_visitor = [version + row] * 5 + [version]
    of_user = [queries + user for queries in of_visitor]
    budgets = {"visitor": of_visitor, "member": of_user, "secretary": of_user, "admin": of_user}
    browsers = {"visitor": Client()} | {
        role.value: signed_in(Client(), a_member(club, role)) for role in (Role.MEMBER, Role.SECRETARY, Role.ADMIN)
    }
    for reader, browser in browsers.items():
        for page in pages:
            browser.get(page)
        queries = []
        for page in pages:
            with CaptureQueriesContext(connection) as captured:
                assert browser.get(page).status_code == 200
            queries.append(len(captured))
        assert queries == budgets[reader], reader


def test_another_role_is_another_board(club: Club) -> None:
    member = club.memberships.filter(role=Role.MEMBER).earliest("pk")
    home = f"/clubs/{club.slug}/"
    reader = Reader(signed_in(Client(), member.player), ["/", home])
    reader.changed()
    writes: list[Callable[[], object]] = [
        *(partial(roles.change_role, member.pk, role) for role in (Role.SECRETARY, Role.GUEST)),
        partial(roles.end_membership, member.pk),
    ]
    for write in writes:
        write()
        assert reader.changed() == {"/", home}


def test_a_second_factor_that_is_asked_for_is_another_board(club: Club) -> None:
    """The notice goes when it is set up, and comes back when it is taken away."""
    Club.objects.filter(pk=club.pk).update(asks_second_factor=True)
    secretary = a_member(club, Role.SECRETARY)
    home_and_season = {f"/clubs/{club.slug}/", f"/seasons/{club.seasons.get().pk}/"}
    reader = Reader(signed_in(Client(), secretary), sorted(home_and_season))
    reader.changed()
    set_up_second_factor(user_of(secretary))
    assert reader.changed() == home_and_season
    assert reader.changed() == set()
    Authenticator.objects.filter(user=user_of(secretary)).delete()
    assert f"/clubs/{club.slug}/" in reader.changed()


def test_every_table_is_watched_or_on_no_board() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT DISTINCT event_object_table FROM information_schema.triggers WHERE trigger_name LIKE %s",
            ["note\\_%"],
        )
        watched = {table for (table,) in cursor.fetchall()}
    ours = {
        model._meta.db_table
        for app in ("league", "players", "scoring")
        for model in apps.get_app_config(app).get_models()
        if not model.__name__.endswith("Event")  # history
    }
    assert watched | ON_NO_BOARD == ours
    assert not watched & ON_NO_BOARD


def test_a_version_is_seen_with_its_change_and_not_before(club: Club, client: Client) -> None:
    board = f"/clubs/{club.slug}/"
    reader = Reader(client, [board])
    reader.changed()
    with transaction.atomic():
        rename(club)
        transaction.set_rollback(True)
    assert reader.changed() == set()


def test_a_message_is_shown_and_a_form_has_its_token(club: Club, client: Client) -> None:
    admin = signed_in(client, club_admin(club))
    board = f"/seasons/{club.seasons.get().pk}/"
    reader = Reader(admin, [board])
    reader.changed()
    admin.post(f"{board}open")  # refused, in words on the next page: nothing is written
    answer = admin.get(board, headers={"if-none-match": reader.boards[board]["ETag"]})
    assert answer.status_code == 200
    assert 'class="alert' in answer.content.decode()
    assert "ETag" not in answer.headers
    admin.cookies["csrftoken"] = "x" * 32
    assert admin.get(board, headers={"if-none-match": reader.boards[board]["ETag"]}).status_code == 200


def test_another_reader_language_day_and_release_is_another_board(
    club: Club, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = f"/clubs/{club.slug}/"
    tag = client.get(board)["ETag"]

    def status(browser: Client, **headers: str) -> int:
        return browser.get(board, headers={"if-none-match": tag, **headers}).status_code

    assert status(client) == 304
    assert status(signed_in(Client(), club_admin(club))) == 200
    french = Client()
    french.cookies["django_language"] = "fr"
    assert status(french) == 200
    assert status(client, **{"hx-request": "true"}) == 200
    with time_machine.travel(NOW + timedelta(days=1)):
        assert status(client) == 200
    monkeypatch.setattr(page_etags, "release_hash", lambda: "another")
    assert status(client) == 200


def test_results_become_final_without_a_write(club: Club, client: Client) -> None:
    with time_machine.travel(NOW + timedelta(hours=47, minutes=58), tick=False) as clock:
        board = f"/seasons/{club.seasons.get().pk}/"
        tag = client.get(board)["ETag"]
        clock.shift(60)
        assert client.get(board, headers={"if-none-match": tag}).status_code == 304
        clock.shift(61)
        assert client.get(board, headers={"if-none-match": tag}).status_code == 200


def test_a_refusal_has_no_tag(club: Club, client: Client) -> None:
    hide(club)
    for address in boards(club)[2:7]:
        answer = client.get(address)
        assert answer.status_code == 404
        assert "ETag" not in answer.headers


def test_any_tag_finds_nothing_out(club: Club, client: Client) -> None:
    assert client.get(f"/clubs/{club.slug}/", headers={"if-none-match": "*"}).status_code == 200
    hide(club)
    for address in boards(club)[2:7]:
        assert client.get(address, headers={"if-none-match": "*"}).status_code == 404


def test_club_changes_are_forgotten_and_no_version_comes_again(club: Club) -> None:
    def version() -> object:
        return version_of_club(Club.objects.filter(pk=club.pk).values("pk"), NOW)

    ClubChange.objects.all().delete()
    versions = []
    for name in "abc":
        Club.objects.filter(pk=club.pk).update(name=name)
        versions.append(version())
    first, second, _third = ClubChange.objects.order_by("at")
    # The second transaction began last and was committed first: its boards were shown without the third's change.
    ClubChange.objects.filter(pk=second.pk).update(at=F("at") + timedelta(minutes=1))
    ClubChange.objects.exclude(stamp=second.stamp).delete()
    current_version = version()
    ClubChange.objects.create(club=first.club, transaction=first.transaction, at=first.at, stamp=uuid4())
    last = ClubChange.objects.latest("at").at  # by the database's clock
    runs.delete_outdated_changes(last + timedelta(hours=2))
    stored_changes = list(ClubChange.objects.values_list("club", flat=True))
    assert sorted(stored_changes) == [ALL_CLUBS_ID, club.pk]
    assert version() not in [*versions, current_version]
