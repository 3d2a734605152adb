"""Live pages: rights, costs and delays."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest
import time_machine
from django.core import signing
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, DjangoCaptureOnCommitCallbacks, Settings

from league.actions import clubs, erasure, evenings, roles
from league.evenings.queries.played_rounds import played_rounds
from league.evenings.views.live import fragments
from league.evenings.views.live.parts import render_screen_fragment
from league.messages import announce_evening_change
from league.models import Evening, Rest, Round
from league.models.rights import Role
from league.models.round import RoundState
from league.tournaments.queries.hall import ROWS_PER_COLUMN
from tests.build import NOW, a_club, a_deal, a_member, a_player, a_season, a_table, an_evening, sign_in, watched
from tests.markup import unbroken

pytestmark = pytest.mark.django_db

LATER = NOW + timedelta(minutes=5)


@pytest.fixture
def evening() -> Evening:
    """Return an open evening of a private club with a table that has one deal."""
    evening = an_evening(a_season(a_club(name="House"), end_number=2))
    a_deal(a_table(evening, [a_player(name, "") for name in ("Ann", "Bob", "Cy", "Dan")]))
    return evening


def address(evening: Evening, part: str = "live-evening", language: str = "en-gb") -> str:
    return reverse(f"league:{part}", args=[fragments.sign_live_token(watched(evening, language))])


def travel_to(moment: datetime) -> time_machine.travel:
    return time_machine.travel(moment, tick=False)


PARTS = {
    "live-evening": 5,  # right, evening with its season and club, ranking, rounds, seats
    # right, evening with its season and club, rounds, tables, seats, rests, ranking, new deals with their scores
    "live-screen": 9,
}


@pytest.mark.parametrize("part", PARTS)
def test_the_first_watcher_asks_for_all_and_the_others_ask_nothing(
    evening: Evening, part: str, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    url = address(evening, part)
    with travel_to(NOW), django_assert_num_queries(PARTS[part]):
        first = Client().get(url)
    with travel_to(NOW), django_assert_num_queries(0):
        later_responses = [Client().get(url), Client().get(url, headers={"Cookie": "sessionid=made-up"})]
    assert [later_response.content for later_response in later_responses] == [first.content] * 2
    assert "Ann" in first.content.decode()


def test_a_signed_in_watcher_costs_no_session(
    evening: Evening, client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    sign_in(client, a_member(evening.season.club))
    asked = address(evening)
    with travel_to(NOW):
        client.get(asked)
        with django_assert_num_queries(0):
            answer = client.get(asked)
    assert "Vary" not in answer.headers
    assert not answer.cookies


def test_the_same_again_is_not_sent_again(evening: Evening, client: Client) -> None:
    with travel_to(NOW):
        first = client.get(address(evening))
        second = client.get(address(evening), headers={"If-None-Match": first["ETag"]})
    assert (first.status_code, second.status_code, second.content) == (200, 304, b"")
    assert second["ETag"] == first["ETag"]


def test_a_recorded_deal_is_seen_by_the_next_question(
    evening: Evening, client: Client, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    with travel_to(NOW):
        first = client.get(address(evening))
        with django_capture_on_commit_callbacks(execute=True):
            a_deal(evening.rounds.get().tables.get())
        next_one = client.get(address(evening), headers={"If-None-Match": first["ETag"]})
    assert next_one.status_code == 200
    assert 'value="81"' in first.content.decode()
    assert 'value="162"' in next_one.content.decode()  # twice 001's first example


def test_what_nobody_told_is_seen_a_few_seconds_later(evening: Evening, client: Client) -> None:
    with travel_to(NOW):
        client.get(address(evening))
        a_deal(evening.rounds.get().tables.get())  # its transaction is the test's, and is not committed
        assert 'value="162"' not in client.get(address(evening)).content.decode()
    with travel_to(NOW + timedelta(seconds=fragments.MAX_FRAGMENT_AGE_SECONDS)):
        assert 'value="162"' in client.get(address(evening)).content.decode()


def test_while_one_builds_the_others_get_the_one_before(
    evening: Evening, client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    asked = address(evening)
    with travel_to(NOW):
        before = client.get(asked)
    cache.add(f"live:{evening.pk}:en-gb:0:evening:turn", 1, fragments.RENDER_LOCK_SECONDS)
    with travel_to(NOW + timedelta(seconds=fragments.MAX_FRAGMENT_AGE_SECONDS)), django_assert_num_queries(0):
        assert client.get(asked).content == before.content


def test_a_change_during_the_building_is_not_lost(
    evening: Evening, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    asked = watched(evening)

    def built_while_a_deal_is_recorded() -> fragments.Fragment:
        shown = render_screen_fragment(evening)
        with django_capture_on_commit_callbacks(execute=True):
            announce_evening_change(evening.pk)
        return shown

    with travel_to(NOW):
        fragments.cached_fragment(asked, "screen", built_while_a_deal_is_recorded)
        stands = render_screen_fragment(evening)
        assert fragments.cached_fragment(asked, "screen", lambda: stands) is stands


def test_without_a_cache_it_is_slower_and_right(
    evening: Evening, client: Client, settings: Settings, tmp_path: Path
) -> None:
    server = {**settings.CACHES["default"], "LOCATION": f"unix://{tmp_path}/nobody-listens"}
    settings.CACHES = {"default": server}
    assert 'value="81"' in client.get(address(evening)).content.decode()
    a_deal(evening.rounds.get().tables.get())
    assert 'value="162"' in client.get(address(evening)).content.decode()


def test_only_the_signed_address_shows_a_private_evening(evening: Evening, client: Client) -> None:
    other_evening = an_evening(a_season(a_club(name="Other")))
    a_deal(a_table(other_evening, [a_player("Zoe", ""), a_player(), a_player()]))
    assert client.get(evening.get_absolute_url()).status_code == 404
    assert "Zoe" not in client.get(address(evening, "live")).content.decode()
    assert "Zoe" in client.get(address(other_evening, "live")).content.decode()


@pytest.mark.parametrize("part", ["live", *PARTS])
def test_made_up_and_old_addresses_lead_nowhere(evening: Evening, client: Client, part: str) -> None:
    with travel_to(NOW):
        good = address(evening, part)
    forged = reverse(f"league:{part}", args=[signing.dumps([evening.pk, "en-gb"], salt="another")])
    gone = address(Evening(pk=evening.pk + 999), part)
    with travel_to(LATER):
        assert client.get(good).status_code == 200
        for wrong in (good.replace("/live/", "/live/x"), forged, reverse(f"league:{part}", args=["x"])):
            answer = client.get(wrong)
            assert answer.status_code == 404
            assert "This page isn't here" in answer.content.decode()
    with travel_to(NOW + fragments.TOKEN_LIFETIME + timedelta(seconds=1)):
        assert client.get(good).status_code == 404
    assert client.get(gone).status_code == 404


def test_a_closed_evening_shows_its_results_and_ends_the_polling(evening: Evening, client: Client) -> None:
    a_deal(evening.rounds.get().tables.get())
    page, screen = address(evening), address(evening, "live-screen")
    evenings.close(evening.pk, now=NOW)
    for url in (page, screen):
        answer = client.get(url)
        assert answer.status_code == 286
        assert 'value="162"' in answer.content.decode()
        assert "so far" not in answer.content.decode()
    assert "hx-get" not in client.get(address(evening, "live")).content.decode()


def test_the_evenings_page_asks_only_while_it_is_open(evening: Evening, client: Client) -> None:
    sign_in(client, a_member(evening.season.club))
    assert "every 4s" in client.get(evening.get_absolute_url()).content.decode()
    evenings.cancel(evening.pk)
    assert "every 4s" not in client.get(evening.get_absolute_url()).content.decode()


def test_the_screen_tells_where_to_sit_in_a_round_without_a_deal(evening: Evening, client: Client) -> None:
    a_table(evening, [a_player("Eva", ""), a_player(), a_player()], round_number=2)
    Rest.objects.create(round=evening.rounds.get(number=2), player=a_player("Rita", ""))
    Round.objects.create(evening=evening, number=3, state=RoundState.PLANNED)
    shown = unbroken(client.get(address(evening, "live")))
    assert "round-2-1" in shown
    assert "round-1-1" not in shown  # it is being played
    assert "round-3" not in shown
    assert "Resting: Rita" in shown
    assert shown.index("Eva") < shown.index("Ann")


def test_a_long_ranking_has_several_pages(evening: Evening) -> None:
    for _table in range(6):
        a_deal(a_table(evening))
    shown = str(render_screen_fragment(evening).html)
    assert shown.count("data-page=") == 2
    assert shown.count("<table") == 4  # two columns on each page
    assert "1 of 2" in shown
    assert 2 * ROWS_PER_COLUMN < len(played_rounds(evening)[0].tables_with_seats) * 4 <= 4 * ROWS_PER_COLUMN


def test_the_screen_speaks_the_clubs_language(client: Client) -> None:
    evening = an_evening(a_season(a_club(language="fr")))
    sign_in(client, a_member(evening.season.club, Role.SECRETARY))
    page = client.get(reverse("league:screen-addresses", args=[evening.pk]))
    answer = client.get(page.context["address"])
    assert answer["Content-Language"] == "fr"
    assert '<html lang="fr">' in answer.content.decode()
    assert client.get(evening.get_absolute_url())["Content-Language"] == "en-gb"


@pytest.mark.parametrize("part", ["live", "live-evening", "live-screen"])
def test_no_cache_and_no_search_engine_keeps_what_watchers_see(client: Client, evening: Evening, part: str) -> None:
    answer = client.get(address(evening, part))
    assert answer.status_code == 200
    assert (answer["Cache-Control"], answer["X-Robots-Tag"]) == ("private, no-cache", "noindex")


def test_short_code_opens_the_screen_while_the_evening_is_open(client: Client, evening: Evening) -> None:
    secretary = sign_in(Client(), a_member(evening.season.club, Role.SECRETARY))
    page = secretary.get(reverse("league:screen-addresses", args=[evening.pk])).content.decode()
    code = fragments.hall_screen_code(evening.pk, evening.entry_key)
    typed = reverse("league:screen", args=[code])
    assert f"http://testserver/<wbr>{typed.removeprefix('/').removesuffix(code)}<wbr>" in page
    assert f"{code}</span>" in page
    assert "<svg" in page
    for address in (typed, typed.lower()):
        assert "Ann" in client.get(address).content.decode()
    wrong = client.get(reverse("league:screen", args=["AAAAAAAA"]))
    assert wrong.status_code == 404
    assert "“AAAAAAAA” is mistyped, or its evening is over" in wrong.content.decode()
    assert client.get(reverse("league:screen", args=["é"])).status_code == 404

    opened_at = evening.opened_at
    Evening.objects.filter(pk=evening.pk).update(opened_at=timezone.now() - timedelta(days=1))
    assert client.get(typed).status_code == 404
    Evening.objects.filter(pk=evening.pk).update(opened_at=opened_at)
    evenings.close(evening.pk, now=NOW)
    evenings.reopen(evening.pk, now=NOW, reason="forgotten sheet")
    assert client.get(typed).status_code == 404  # closing ends the code


def test_address_given_by_a_member_ends_with_his_membership(evening: Evening, client: Client) -> None:
    club = evening.season.club
    member = a_member(club)
    asked = sign_in(Client(), member).get(evening.get_absolute_url()).context["watch"]
    assert client.get(asked).status_code == 200
    roles.end_membership(club.memberships.get(player=member).pk)
    with travel_to(timezone.now() + timedelta(seconds=fragments.RIGHTS_CACHE_SECONDS + 1)):
        cache.clear()  # its clock is its own
        assert client.get(asked).status_code == 404


def test_address_for_the_hall_ends_with_the_right_to_record(evening: Evening, client: Client) -> None:
    club = evening.season.club
    secretary = a_member(club, Role.SECRETARY)
    sent = sign_in(Client(), secretary).get(reverse("league:screen-addresses", args=[evening.pk])).context["address"]
    assert client.get(sent).status_code == 200
    roles.change_role(club.memberships.get(player=secretary).pk, Role.MEMBER)
    cache.clear()
    assert client.get(sent).status_code == 404


def test_address_given_by_a_public_page_ends_when_the_club_is_private(client: Client) -> None:
    club = a_club(public=True)
    evening = an_evening(a_season(club))
    asked = client.get(evening.get_absolute_url()).context["watch"]
    assert client.get(asked).status_code == 200
    club.public = False
    clubs.change(club, ["public"])
    cache.clear()
    assert client.get(asked).status_code == 404


def test_address_ends_with_its_givers_login(evening: Evening, client: Client) -> None:
    member = a_member(evening.season.club)
    asked = sign_in(Client(), member).get(evening.get_absolute_url()).context["watch"]
    erasure.erase(member.pk)
    assert client.get(asked).status_code == 404


def test_secretary_ends_all_addresses_of_an_evening_at_once(evening: Evening, client: Client) -> None:
    club = evening.season.club
    secretary = sign_in(Client(), a_member(club, Role.SECRETARY))
    projector = reverse("league:screen-addresses", args=[evening.pk])
    page = secretary.get(projector)
    member = sign_in(Client(), a_member(club))
    addresses = [
        page.context["address"],
        page.context["site"] + page.context["screens"] + page.context["screen_code"],
        member.get(evening.get_absolute_url()).context["watch"],
    ]
    assert [client.get(each).status_code for each in addresses] == [200, 200, 200]
    assert secretary.post(reverse("league:screen-addresses-end", args=[evening.pk])).status_code == 302
    cache.clear()
    assert [client.get(each).status_code for each in addresses] == [404, 404, 404]
    page = secretary.get(projector)
    addresses = [
        page.context["address"],
        page.context["site"] + page.context["screens"] + page.context["screen_code"],
        member.get(evening.get_absolute_url()).context["watch"],
    ]
    assert [client.get(each).status_code for each in addresses] == [200, 200, 200]


def test_screen_hands_on_the_address_that_opened_it_and_no_younger_one(evening: Evening, client: Client) -> None:
    """Else whoever reloads it would watch for ever."""
    sent = address(evening, "live")
    with travel_to(NOW + fragments.TOKEN_LIFETIME / 2):
        assert sent.rpartition("/")[2] in client.get(sent).content.decode()
