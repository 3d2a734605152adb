"""An evening's pages through its life."""

import csv
import re
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries
from tablib.core import Dataset

from league.actions import evenings
from league.models import AuditEntry, Evening, PendingRecompute
from league.models.audit_entry import AuditEvent
from league.models.evening import EveningState
from league.models.rights import Role
from league.models.season import SeasonState
from tests.build import a_club, a_deal, a_member, a_player, a_running_tournament, a_season, a_table, a_user, an_evening
from tests.logins import a_login
from tests.markup import unbroken
from tests.page_forms import page_forms, sent_by
from tests.readers import signed_in

pytestmark = pytest.mark.django_db


def url(step: str, evening: Evening) -> str:
    return reverse(f"league:evening-{step}", args=[evening.pk])


@pytest.fixture
def evening() -> Evening:
    """Return an open evening of a season whose tables end after one deal."""
    return an_evening(a_season(a_club(name="House"), end_number=1))


@pytest.fixture
def secretary(client: Client, evening: Evening) -> Client:
    client.force_login(a_login(evening.season.club, Role.SECRETARY))
    return client


def page(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


PLANNED, OPENED, CLOSED, CANCELLED = (
    EveningState.PLANNED,
    EveningState.OPEN,
    EveningState.CLOSED,
    EveningState.CANCELLED,
)


def test_no_evening_is_planned_or_renamed_in_the_season_of_a_tournament(client: Client) -> None:
    """A second evening has no round of the tournament; the other actions on its evening are tested with its pages."""
    season = a_running_tournament(a_club()).season
    [evening] = season.evenings.all()
    signed_in(client, a_member(season.club, Role.SECRETARY))
    day = "2026-12-04"
    series = {"first": day, "last": day, "every": "1", "shown": day, "date": day, "plan": "1"}
    answers = [
        client.post(reverse("league:evening-plan", args=[season.pk]), {"date": day, "weight": "1"}),
        client.post(reverse("league:evenings-plan", args=[season.pk]), series),
        client.post(url("edit", evening), {"name": "Another name"}),
    ]
    of_season, of_evening = (
        (422, [f"This {what} belongs to a tournament: use the tournament’s pages."]) for what in ("season", "evening")
    )
    given = [(answer.status_code, answer.context["form"].non_field_errors()) for answer in answers]
    assert given == [of_season, of_season, of_evening]
    assert [other.name for other in season.evenings.all()] == [evening.name]


@pytest.mark.parametrize("step", ["edit", "cancel", "reopen", "open"])
def test_steps_are_for_secretaries(client: Client, evening: Evening, step: str) -> None:
    address, club = url(step, evening), evening.season.club
    assert client.post(address)["Location"].startswith(reverse("account_login"))
    for user, status in (
        (a_user(), 404),
        (a_login(club, Role.GUEST), 404),
        (a_login(club), 403),
        (a_login(a_club(), Role.ADMIN), 404),
    ):
        client.force_login(user)
        assert client.post(address, {"reason": "x"}).status_code == status
    evening.refresh_from_db()
    assert evening.state == OPENED


def test_strangers_do_not_find_it_and_members_may_only_look(client: Client, evening: Evening) -> None:
    assert client.get(evening.get_absolute_url()).status_code == 404
    assert client.get(url("csv", evening)).status_code == 404
    client.force_login(a_login(evening.season.club))
    assert "Close the evening" not in page(client, evening.get_absolute_url())


@time_machine.travel(datetime(2026, 10, 2, 22, 30, tzinfo=UTC), tick=False)
def test_planning_offers_the_clubs_own_date(client: Client) -> None:
    season = a_season(a_club(time_zone="Europe/Paris"))
    client.force_login(a_login(season.club, Role.SECRETARY))
    assert 'value="2026-10-03"' in page(client, reverse("league:evening-plan", args=[season.pk]))


def test_planning_an_evening_once_though_sent_twice(secretary: Client, evening: Evening) -> None:
    address = reverse("league:evening-plan", args=[evening.season_id])
    typed = {"date": "2026-12-04", "name": "Final", "weight": "2"}
    first, second = secretary.post(address, typed), secretary.post(address, typed)
    planned = Evening.objects.get(state=PLANNED)
    assert first["Location"] == second["Location"] == planned.get_absolute_url()
    assert (planned.date, planned.name, planned.weight) == (date(2026, 12, 4), "Final", 2)


@time_machine.travel(datetime(2026, 11, 23, 12, tzinfo=UTC), tick=False)
def test_planning_on_a_date_that_is_past_warns_and_asks_where_it_is_long_past(client: Client) -> None:
    season = a_season(a_club())
    secretary = signed_in(client, a_member(season.club, Role.SECRETARY))
    address = reverse("league:evening-plan", args=[season.pk])
    near = secretary.post(address, {"date": "2026-11-20", "weight": "1"}, follow=True).content.decode()
    assert "Its date, 20 Nov 2026, is past." in near
    typed = {"date": "2025-11-24", "weight": "1"}
    form_page = secretary.post(address, typed)
    assert form_page.context["form"].errors.keys() == {"past"}
    assert "24 Nov 2025 is long past." in form_page.content.decode()
    assert not Evening.objects.filter(date="2025-11-24").exists()
    made_up = secretary.post(address, {**typed, "initial-date": "2026-11-22"})  # a hidden field that no page has
    assert made_up.context["form"].errors.keys() == {"date"}
    secretary.post(address, {**typed, "past": "on"}, follow=True)
    assert Evening.objects.filter(date="2025-11-24").count() == 1
    tonight = secretary.post(address, {"date": "2026-11-23", "weight": "1"}, follow=True)
    assert "Its date" not in tonight.content.decode()


@pytest.mark.parametrize(("field", "typed"), [("date", "31/31/2026"), ("weight", "0"), ("weight", "11"), ("date", "")])
def test_wrong_plans_are_refused_on_their_field(secretary: Client, evening: Evening, field: str, typed: str) -> None:
    address = reverse("league:evening-plan", args=[evening.season_id])
    response = secretary.post(address, {"date": "2026-12-04", "name": "Final", "weight": "1", field: typed})
    assert response.status_code == 422
    assert response.context["form"].errors.keys() == {field}
    assert response.context["form"]["name"].value() == "Final"
    assert Evening.objects.count() == 1


def test_nothing_is_planned_in_a_closed_season(secretary: Client, evening: Evening) -> None:
    evenings.cancel(evening.pk)
    evening.season.state = SeasonState.CLOSED
    evening.season.save()
    address = reverse("league:evening-plan", args=[evening.season_id])
    response = secretary.post(address, {"date": "2026-12-04", "weight": "1"})
    assert "The season is closed" in response.content.decode()


def test_a_planned_evening_can_be_moved_and_a_begun_one_only_renamed(secretary: Client, evening: Evening) -> None:
    planned = an_evening(evening.season, PLANNED)
    typed = {"date": "2026-12-11", "name": "Moved", "weight": "3"}
    for changed_evening in (planned, evening):
        secretary.post(url("edit", changed_evening), typed)
        changed_evening.refresh_from_db()
    assert (planned.date, planned.name, planned.weight) == (date(2026, 12, 11), "Moved", 3)
    assert (evening.date, evening.name, evening.weight) == (date(2026, 10, 2), "Moved", 1)


def test_opening(secretary: Client, evening: Evening) -> None:
    planned = an_evening(evening.season, PLANNED)
    assert secretary.get(url("open", planned)).status_code == 405
    assert "The evening is open." in secretary.post(url("open", planned), follow=True).content.decode()
    second_page = secretary.post(url("open", planned), follow=True).content.decode()
    assert "can&#x27;t be done now" in second_page


def test_an_evening_of_another_day_is_asked_about(secretary: Client, evening: Evening) -> None:
    """By the club's clock."""
    future_evening = an_evening(evening.season, PLANNED, on=date(2026, 11, 26))
    tonight = an_evening(evening.season, PLANNED, on=date(2026, 11, 24))
    with time_machine.travel(datetime(2026, 11, 23, 23, 30, tzinfo=UTC), tick=False):  # past midnight in Paris
        asks = page(secretary, future_evening.get_absolute_url())
        assert "It is planned for 26 Nov 2026, and today is 24 Nov 2026." in asks
        assert "and today is" not in page(secretary, tonight.get_absolute_url())
    for each in (asks, page(secretary, tonight.get_absolute_url())):
        assert "Open the evening" in each


@time_machine.travel(datetime(2026, 11, 23, 23, 30, tzinfo=UTC), tick=False)  # past midnight in Paris
@pytest.mark.parametrize(("planned", "begins"), [(26, 24), (22, 22)], ids=["earlier", "late sheets"])
def test_an_evening_that_begins_earlier_is_dated_today(
    secretary: Client, evening: Evening, planned: int, begins: int
) -> None:
    """Sheets of an evening that was forgotten keep its date."""
    other_evening = an_evening(evening.season, PLANNED, on=date(2026, 11, planned))
    [form] = [
        each
        for each in page_forms(page(secretary, other_evening.get_absolute_url()), "/")
        if each.path == url("open", other_evening)
    ]
    secretary.post(url("open", other_evening), dict(form.sent()))
    other_evening.refresh_from_db()
    assert (other_evening.state, other_evening.date) == (OPENED, date(2026, 11, begins))


def test_two_evenings_of_today_need_names(secretary: Client, evening: Evening) -> None:
    other = an_evening(evening.season, PLANNED, on=evening.date + timedelta(days=1))
    with time_machine.travel(datetime.combine(evening.date, time(19), tzinfo=UTC), tick=False):
        answer = secretary.post(url("open", other), {"today": "1"}, follow=True)
    assert "has an evening of today already" in answer.content.decode()
    other.refresh_from_db()
    assert other.state == PLANNED


def test_cancelling_asks_first(secretary: Client, evening: Evening) -> None:
    assert "What was entered is kept" in page(secretary, url("cancel", evening))
    evening.refresh_from_db()
    assert evening.state == OPENED
    assert "The evening is cancelled." in secretary.post(url("cancel", evening), follow=True).content.decode()
    evening.refresh_from_db()
    assert evening.state == CANCELLED


def test_reopening_wants_a_reason_and_keeps_it(secretary: Client, evening: Evening) -> None:
    evenings.close(evening.pk, now=datetime.now(UTC))
    refused = secretary.post(url("reopen", evening), {"reason": "  "})
    assert refused.status_code == 422
    assert refused.context["form"].errors.keys() == {"reason"}
    evening.refresh_from_db()
    assert evening.state == CLOSED
    secretary.post(url("reopen", evening), {"reason": "A sheet was found"})
    evening.refresh_from_db()
    assert evening.state == OPENED
    history: Any = evening.events.latest("pgh_id")  # type: ignore[attr-defined]  # pghistory adds it
    assert history.pgh_context.metadata["reason"] == "A sheet was found"
    assert history.pgh_context.metadata["user"] == int(secretary.session["_auth_user_id"])


def test_a_cancelled_evening_of_a_draft_season_is_planned_again_and_not_opened(client: Client) -> None:
    """It was opened in a season that had not begun; a second plan of its date leads to the cancelled evening."""
    evening = an_evening(a_season(a_club(), state=SeasonState.DRAFT), PLANNED)
    secretary = signed_in(client, a_member(evening.season.club, Role.SECRETARY))
    evenings.cancel(evening.pk)
    assert "Plan it again" in page(secretary, evening.get_absolute_url())
    assert "Plan the evening again?" in page(secretary, url("reopen", evening))
    answer = secretary.post(url("reopen", evening), {"reason": "The hall is free again"}, follow=True)
    assert "The evening is planned again." in answer.content.decode()
    evening.refresh_from_db()
    assert (evening.state, evening.opened_at) == (PLANNED, None)
    assert not PendingRecompute.objects.exists()
    entry = AuditEntry.objects.latest("pk")
    assert (entry.event, entry.reason) == (AuditEvent.EVENING_PLANNED, "The hall is free again")


def test_the_page_shows_the_ranking_and_what_each_table_lacks(secretary: Client, evening: Evening) -> None:
    table = a_table(evening, [a_player(name, "") for name in ("Ann", "Bob", "Cy", "Dan")])
    a_deal(table)
    a_table(evening)
    html = page(secretary, evening.get_absolute_url())
    assert "Ranking so far" in html
    assert html.index("Ann") < html.index("Bob")
    assert 'value="81"' in html
    assert "nothing recorded yet" in html
    assert table.get_absolute_url() in html


def test_the_page_says_what_to_do_next(secretary: Client, evening: Evening) -> None:
    assert "Note who is there" in page(secretary, evening.get_absolute_url())
    evening.attendances.create(player=a_player())
    assert "Draw the tables" in page(secretary, evening.get_absolute_url())


def test_check_in_says_how_many_are_there_once_tables_are_seated(secretary: Client, evening: Evening) -> None:
    there = len(a_table(evening).seats.all())
    assert f"{there} here" in unbroken(page(secretary, evening.get_absolute_url()))
    evening.attendances.create(player=a_player())
    assert f"{there + 1} here" in unbroken(page(secretary, evening.get_absolute_url()))


def test_only_the_next_step_is_filled_once_tables_are_seated(secretary: Client, evening: Evening) -> None:
    evening.attendances.create(player=a_player())
    a_table(evening)
    bar = unbroken(page(secretary, evening.get_absolute_url())).partition("task-bar")[2].partition("</header>")[0]
    assert re.findall(r'btn btn-primary"[^>]*>([^<]*)', bar) == ["Sheets"]


def test_a_closed_evening_tells_until_when_it_can_be_contested_in_the_clubs_time(client: Client) -> None:
    evening = an_evening(a_season(a_club(time_zone="Asia/Tokyo", public=True)), CLOSED)
    with time_machine.travel(evening.closed_at, tick=False):
        shown = page(client, evening.get_absolute_url())
    assert "Closed on 3 Oct 2026, 6 a.m." in shown  # 21:00 in London, 6:00 in Tokyo
    assert "until 5 Oct 2026, 6 a.m." in shown
    with time_machine.travel(evening.final_at, tick=False):
        shown = page(client, evening.get_absolute_url())
    assert ">Final<" in shown
    assert "may object" not in shown


def test_the_page_costs_the_same_for_a_large_evening(
    secretary: Client, evening: Evening, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(2):
        for number in (1, 2, 3):
            a_deal(a_table(evening, round_number=number))
        # user with player, version, evening twice, ranking, the user's seat, rounds, seats
        with django_assert_num_queries(8):
            secretary.get(evening.get_absolute_url())


def test_the_ranking_as_a_file(secretary: Client, evening: Evening) -> None:
    a_deal(a_table(evening, [a_player(name, "") for name in ("Ann", "@Bob", "Cy")]))
    response = secretary.get(url("csv", evening))
    rows = list(csv.reader(response.content.decode("utf-8-sig").splitlines()))
    assert rows[:2] == [["Rank", "Player", "Guest", "Points", "Deals", "Tables"], ["1", "Ann", "", "54", "1", "1"]]
    assert ["2", "'@Bob", "", "-27", "1", "1"] in rows
    sheet = Dataset().load(secretary.get(url("xlsx", evening)).content, format="xlsx")
    assert (sheet.title, sheet.headers) == ("Ranking", rows[0])
    assert sheet[0] == (1, "Ann", None, 54, 1, 1)
    assert (2, "'@Bob", None, -27, 1, 1) in sheet[:]


def test_evening_says_which_house_rules_it_kept(client: Client) -> None:
    season = a_season(a_club(public=True))
    evening = an_evening(season)
    sentence = "Scored by the house rules that stood then:"
    for rules, is_said in ((None, False), ({}, True), ({"half_point_short": "void"}, False)):
        season.house_rules = {"half_point_short": "void"}
        season.save()
        Evening.objects.filter(pk=evening.pk).update(kept_house_rules=rules)
        page = client.get(evening.get_absolute_url()).content.decode()
        assert (sentence in page) == is_said, rules
        assert page.count(reverse("league:season-rules", args=[season.pk])) == is_said


def test_an_evening_saved_from_two_pages_keeps_what_each_changed(secretary: Client, evening: Evening) -> None:
    first, second = secretary.get(url("edit", evening)), secretary.get(url("edit", evening))
    assert secretary.post(url("edit", evening), sent_by(first, begins_at="20:30", name="Final")).status_code == 302
    assert secretary.post(url("edit", evening), sent_by(second, place="Salle Brassens")).status_code == 302
    evening.refresh_from_db()
    assert (str(evening.begins_at), evening.name, evening.place) == ("20:30:00", "Final", "Salle Brassens")
    refused = secretary.post(url("edit", evening), sent_by(second, name="Last"))
    assert refused.context["form"].errors == {
        "name": ["Somebody else changed this meanwhile. Now stands: Final. Save again to replace it."]
    }
    assert secretary.post(url("edit", evening), sent_by(refused)).status_code == 302
    evening.refresh_from_db()
    assert evening.name == "Last"
