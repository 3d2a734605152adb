"""Results of past evenings from a list: seen table by table first, whole or not at all, and twice changes nothing."""

from __future__ import annotations

import csv
import re
from datetime import date, timedelta
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils.formats import date_format
from hypothesis import given
from hypothesis import strategies as st

from league.actions import hall, imports
from league.actions.refusals import WrongState
from league.actions.result_import import AnswersMissing, import_results
from league.actions.tests.test_rules_meanwhile import meanwhile
from league.evenings.queries.checkin import cash_box
from league.imports.queries.import_plan import ImportPlan, ListedSeat, TableOutcome, group_by_table
from league.imports.queries.list_file import UnreadableList, read_rows
from league.imports.views.preview import TABLES_ON_PAGE
from league.imports.views.results import MAX_IMMEDIATE_LINES
from league.imports.work.cells import MAX_LINES
from league.imports.work.result_list import guess_columns, read_results
from league.models import Attendance, Club, Evening, Membership, PendingRecompute, Round, Run, Season, Seat, Table
from league.models.evening import EveningState
from league.models.rights import Role
from league.models.season import SeasonState, TableEnd
from league.operations.work import jobs
from league.operations.work.verification import verify
from league.recompute.work import runs
from tests.build import (
    NOW,
    TODAY,
    a_club,
    a_club_game,
    a_deal,
    a_member,
    a_player,
    a_running_tournament,
    a_season,
    a_table,
    an_evening,
)
from tests.readers import signed_in, user_of

HEAD = "Date;Table;Joueur;Points\n"
PEOPLE = ("Anne Roy", "Bob Gros", "Cy Mince", "Dan Fort")
DAY = date(2026, 3, 6)


def lines(day: str = "06/03/2026", table: str = "1", points: tuple[int, ...] = (120, -40, -40, -40)) -> str:
    return "".join(f"{day};{table};{name};{total}\n" for name, total in zip(PEOPLE, points, strict=True))


LIST = HEAD + lines() + lines("13.03.2026", points=(-60, 180, -60, -60))


@pytest.fixture
def season(db: None) -> Season:
    club = a_club(founder=a_player("Founder", "Adam"))
    for name in PEOPLE:
        given_name, family = name.split()
        club.memberships.create(player=a_player(given_name, family))
    return a_season(club)


def read_list(text: str) -> list[ListedSeat]:
    rows = read_rows(text, MAX_LINES)
    return read_results(rows, guess_columns(rows[0][1]))


def import_list(season: Season, text: str, answers: dict[int, str] | None = None) -> ImportPlan:
    tables = group_by_table(read_list(text))
    return import_results(season, lambda _season: tables, answers or {}, now=NOW)


def outcomes(plan: ImportPlan) -> list[TableOutcome]:
    return [table.outcome for table in plan.tables]


def everything() -> list[list[Any]]:
    models = (Evening, Round, Table, Seat, Attendance, Membership)
    return [list(model.objects.order_by("pk").values()) for model in models]


def test_evenings_come_in_closed_and_count(season: Season) -> None:
    assert outcomes(import_list(season, LIST)) == [TableOutcome.NEW] * 2
    evening = season.evenings.get(date=DAY)
    assert (evening.state, evening.is_final(NOW)) == (EveningState.CLOSED, True)
    [table] = Table.objects.filter(round__evening=evening)
    assert (table.deals, table.complete, table.recorded) == (4, True, 0)
    assert [(str(seat.player), seat.written, seat.deals) for seat in table.seats.all()] == [
        ("Anne Roy", 120, 4),
        ("Bob Gros", -40, 4),
        ("Cy Mince", -40, 4),
        ("Dan Fort", -40, 4),
    ]
    assert evening.attendances.count() == 4
    assert {(due.season_id, due.date) for due in PendingRecompute.objects.all()} == {(season.pk, None), (None, DAY)}
    runs.run(Run.Trigger.NIGHT, now=NOW)
    totals = {str(row.player): row.total for row in season.standings.select_related("player")}
    assert totals == {"Anne Roy": 60, "Bob Gros": 140, "Cy Mince": -100, "Dan Fort": -100}
    assert list(verify()) == []


def test_nobody_owes_todays_fee_for_an_imported_evening(season: Season) -> None:
    Club.objects.filter(pk=season.club_id).update(fee_member=500, fee_guest=800)
    season.club.refresh_from_db()
    season.club.memberships.filter(player__given_name="Dan").update(role=Role.GUEST)
    import_list(season, HEAD + lines())
    box = cash_box(season.evenings.get())
    assert (box.present_count, box.unpaid_count, box.owed_cents) == (4, 0, 0)


def test_same_list_twice_changes_nothing(season: Season) -> None:
    import_list(season, LIST)
    before = everything()
    PendingRecompute.objects.all().delete()
    assert outcomes(import_list(season, LIST)) == [TableOutcome.SAME] * 2
    assert everything() == before
    assert not PendingRecompute.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_same_list_twice_at_once_comes_in_once(season: Season) -> None:
    with transaction.atomic():
        assert outcomes(import_list(season, LIST)) == [TableOutcome.NEW] * 2
        second_import = meanwhile(lambda: import_list(season, LIST))
    assert outcomes(second_import.result()) == [TableOutcome.SAME] * 2
    assert season.evenings.count() == Table.objects.count() == 2


def test_longer_list_adds_what_is_missing(season: Season) -> None:
    import_list(season, HEAD + lines())
    longer_list = LIST + "06/03/2026;2;Eve Lent;30\n06/03/2026;2;Flo Vif;-10\n06/03/2026;2;Guy Bas;-20\n"
    assert outcomes(import_list(season, longer_list)) == [TableOutcome.SAME, TableOutcome.NEW, TableOutcome.NEW]
    assert season.evenings.count() == 2
    assert Table.objects.filter(round__evening__date=DAY).count() == 2
    assert {
        membership.role for membership in season.club.memberships.filter(player__family_name__in=["Lent", "Vif", "Bas"])
    } == {Role.MEMBER}
    runs.run(Run.Trigger.NIGHT, now=NOW)
    assert list(verify()) == []


def test_planned_evening_of_the_date_is_filled(season: Season) -> None:
    plan = an_evening(season, EveningState.PLANNED, DAY)
    import_list(season, HEAD + lines())
    assert season.evenings.get() == plan
    assert season.evenings.get().state == EveningState.CLOSED


def wrong(season: Season, text: str) -> str:
    """Return why the only table of the list is wrong; nothing is written."""
    before = everything()
    plan = import_list(season, text)
    [table] = plan.with_outcome(TableOutcome.WRONG)
    assert everything() == before
    return str(table.problem)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (lines(points=(120, -40, -40, -30)), "10"),
        (lines(day="31/02/2026").splitlines()[0], "“31/02/2026” is no date"),
        ("06/03/2026;1;Anne Roy;a lot\n", "“a lot” is no whole number"),
        ("06/03/2026;none;Anne Roy;1\n", "“none” is no whole number"),
        ("06/03/2026;1;;1\n", "The name is missing"),
        ("06/03/2026;1;Anne Roy;10\n06/03/2026;1;Bob Gros;-10\n", "2 players: a table of this game has 3, 4, 5, 6."),
        ("06/03/2026;1;Anne Roy;0\n", "1 player: a table of this game has 3, 4, 5, 6."),
        (lines(day=(TODAY + timedelta(days=1)).isoformat()), "still to come"),
        (lines().replace("Bob Gros", "Anne Roy"), "Lines 2 and 3 are one player"),
    ],
)
def test_wrong_table_says_why_and_is_left_out(season: Season, text: str, words: str) -> None:
    assert words in wrong(season, HEAD + text)


def test_line_that_cannot_be_read_is_of_its_table_and_of_its_date(season: Season) -> None:
    text = HEAD + lines(points=(120, -40, -40, -40)).replace("120", "much") + lines("13/03/2026", "one")
    plan = import_list(season, text)
    first, *other_tables = plan.tables
    assert (first.day, first.round, first.number, len(first.seats)) == (DAY, 1, 1, 4)
    assert str(first.problem).startswith("Line 2: Points: “much”")
    assert {(table.day, table.round, table.lines) for table in other_tables} == {
        (date(2026, 3, 13), 0, str(line)) for line in range(6, 10)
    }
    assert set(outcomes(plan)) == {TableOutcome.WRONG}
    assert not Evening.objects.exists()


def test_nobody_sits_at_two_tables_of_a_round(season: Season) -> None:
    plan = import_list(season, HEAD + lines() + lines(table="2"))
    assert outcomes(plan) == [TableOutcome.NEW, TableOutcome.WRONG]
    assert "sits at another table" in wrong(season, HEAD + lines(table="2"))


def test_other_results_of_a_table_are_left_alone(season: Season) -> None:
    import_list(season, HEAD + lines())
    assert "other results" in wrong(season, HEAD + lines(points=(90, -30, -30, -30)))
    assert Seat.objects.get(player__given_name="Anne").points == 120


def test_open_evening_and_two_of_a_date_are_left_to_the_desk(season: Season) -> None:
    table = a_table(an_evening(season, on=DAY))
    a_deal(table)
    assert "enter its results there" in wrong(season, HEAD + lines(table="7"))
    an_evening(season, EveningState.PLANNED, DAY)
    assert "two evenings" in wrong(season, HEAD + lines(table="7"))


def test_evening_that_is_played_in_the_hall_is_left_to_its_file(season: Season) -> None:
    """A closed evening would refuse the file with what was played."""
    evening = an_evening(season, EveningState.PLANNED, DAY)
    hall.mark_taken_to_hall(evening.pk, now=NOW)
    assert "hall server" in wrong(season, HEAD + lines())
    hall.withdraw_from_hall(evening.pk)
    assert outcomes(import_list(season, HEAD + lines())) == [TableOutcome.NEW]


@pytest.mark.parametrize("page", ["results-bring-in", "deals-bring-in"])
def test_tournament_gets_no_second_evening_from_a_list(client: Client, season: Season, page: str) -> None:
    admin = signed_in(client, a_member(season.club, Role.ADMIN))
    tournament_season = Season.objects.get(tournament=a_running_tournament(season.club))
    sent = {"text": HEAD + lines(), "store": "1"}
    assert admin.post(reverse(f"league:{page}", args=[tournament_season.pk]), sent).status_code == 404
    with pytest.raises(WrongState):  # a job of the previous release
        import_list(tournament_season, LIST)
    assert tournament_season.evenings.count() == 1


def test_closed_or_draft_season_refuses(season: Season) -> None:
    for state in (SeasonState.DRAFT, SeasonState.CLOSED):
        Season.objects.filter(pk=season.pk).update(state=state)
        with pytest.raises(WrongState):
            import_list(season, LIST)
    assert not Evening.objects.exists()


def test_similar_name_is_asked_about_and_may_be_a_slip(season: Season) -> None:
    text = HEAD + lines() + lines("13/03/2026").replace("Anne Roy", "Anna Roy")
    before = everything()
    with pytest.raises(AnswersMissing) as unanswered:
        import_list(season, text)
    assert everything() == before
    [line] = unanswered.value.plan.questions
    [similar] = line.similar
    assert outcomes(import_list(season, text, {line.person.line: str(similar.pk)})) == [TableOutcome.NEW] * 2
    assert Seat.objects.filter(player=similar.player).count() == 2


def test_namesake_of_a_table_left_out_becomes_the_person_of_the_preview(season: Season) -> None:
    """The two have numbers, and no member has one yet. The first gets the member; the second was answered to be new."""
    wrong_sum = (
        "06/03/2026;1;Anne Roy;1;9\n06/03/2026;1;Bob Gros;;0\n06/03/2026;1;Cy Mince;;0\n06/03/2026;1;Dan Fort;;0\n"
    )
    right = (
        "06/03/2026;2;Anne Roy;2;80\n06/03/2026;2;Eve Lent;;-80\n06/03/2026;2;Flo Vif;;40\n06/03/2026;2;Guy Bas;;-40\n"
    )
    text = "Date;Table;Joueur;Licence;Points\n" + wrong_sum + right
    assert outcomes(import_list(season, text, {6: "new"})) == [TableOutcome.WRONG, TableOutcome.NEW]
    namesakes = season.club.memberships.filter(player__given_name="Anne").order_by("pk")
    assert [membership.number for membership in namesakes] == ["", "2"]
    assert Seat.objects.get(points=80).player_id == namesakes[1].player_id


BY_NUMBER = "Date;Table;Licence;Points\n06/03/2026;1;11;60\n06/03/2026;1;12;-60\n06/03/2026;1;13;0\n06/03/2026;1;{};0\n"


def test_members_are_found_by_their_numbers_alone(season: Season) -> None:
    for number, membership in enumerate(season.club.memberships.order_by("pk")):
        membership.number = f"{number + 10}"
        membership.save()
    assert wrong(season, BY_NUMBER.format(99)) == "Line 5: No member has the number 99."
    assert outcomes(import_list(season, BY_NUMBER.format(14))) == [TableOutcome.NEW]
    assert [str(seat.player) for seat in Seat.objects.order_by("number")] == list(PEOPLE)


def test_family_name_with_an_unknown_number_makes_no_member_without_a_given_name(season: Season) -> None:
    text = "Date;Table;Prénom;Nom;Licence;Points\n06/03/2026;1;;Lent;99;0\n"
    assert wrong(season, text) == "Line 2: The name is missing."


def test_two_spellings_of_a_numbered_member_are_one_player(season: Season) -> None:
    season.club.memberships.filter(player__given_name="Anne").update(number="1")
    text = HEAD.replace("Points", "Licence;Points") + (lines() + lines("13/03/2026")).replace(";-40", ";;-40")
    text = text.replace("Anne Roy;", "Anne Roy;1;", 1).replace("Anne Roy;120", "Anna Roy;1;120")
    assert outcomes(import_list(season, text)) == [TableOutcome.NEW] * 2
    assert Seat.objects.filter(player__given_name="Anne").count() == 2


def test_member_gets_no_second_number_by_another_spelling(season: Season) -> None:
    anne = season.club.memberships.get(player__given_name="Anne")
    text = HEAD.replace("Points", "Licence;Points") + (lines() + lines("13/03/2026")).replace(";-40", ";;-40")
    text = text.replace("Anne Roy;", "Anne Roy;1;", 1).replace("Anne Roy;120", "Anna Roy;2;120")
    plan = import_list(season, text, {6: str(anne.pk)})
    assert outcomes(plan) == [TableOutcome.NEW, TableOutcome.WRONG]
    assert plan.tables[1].problem == "Line 6: An earlier line gives Anne Roy the number 1."
    anne.refresh_from_db()
    assert anne.number == "1"


def test_new_person_with_a_number_on_one_line_only_is_not_made_twice(season: Season) -> None:
    text = HEAD.replace("Points", "Licence;Points") + (lines() + lines("13/03/2026")).replace(";-40", ";;-40")
    text = text.replace("Anne Roy;", "Eve Lent;7;", 1).replace("Anne Roy;", "Eve Lent;;")
    assert outcomes(import_list(season, text)) == [TableOutcome.NEW, TableOutcome.WRONG]
    assert season.club.memberships.filter(player__given_name="Eve").count() == 1


def test_table_of_somebody_left_out_is_left_out(season: Season) -> None:
    text = HEAD + lines().replace("Anne Roy", "Anna Roy") + lines("13/03/2026")
    assert outcomes(import_list(season, text, {2: "skip"})) == [TableOutcome.SKIPPED, TableOutcome.NEW]


def test_seats_and_deals_are_read_where_they_are(season: Season) -> None:
    text = "Date;Round;Table;Seat;Name;Points;Deals\n" + "".join(
        f"2026-03-06;2;3;{4 - index};{name};{points};5\n"
        for index, (name, points) in enumerate(zip(PEOPLE, (120, -40, -40, -40), strict=True))
    )
    import_list(season, text)
    table = Table.objects.get()
    assert (table.round.number, table.number, table.deals) == (2, 3, 5)
    assert [str(seat.player) for seat in table.seats.all()] == list(reversed(PEOPLE))


def test_another_clubs_people_are_nobody_here(season: Season) -> None:
    second_club = a_club(founder=a_player("Eve", "Lent"))
    foreign = second_club.memberships.get()
    text = HEAD + lines().replace("Anne Roy", "Eve Lent")
    import_list(season, text, {2: str(foreign.pk)})
    assert not Seat.objects.filter(player=foreign.player).exists()
    assert Seat.objects.filter(player__family_name="Lent").count() == 1


def test_column_of_family_names_alone_has_whole_names() -> None:
    assert guess_columns(["Date", "Nom"]) == {"day": 0, "name": 1}
    assert guess_columns(["Nom", "Prénom"]) == {"family_name": 0, "given_name": 1}


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        rows = read_rows(text, MAX_LINES)
    except UnreadableList:
        return
    columns = {meaning: place for place, meaning in enumerate(("day", "table", "name", "points"))}
    assert all(seat.problem or seat.day for seat in read_results(rows, columns))


def address(season: Season) -> str:
    return reverse("league:results-bring-in", args=[season.pk])


def form_data(text: str, **places: int) -> dict[str, str]:
    head = "\t".join(read_rows(text, MAX_LINES)[0][1])
    return {"text": text, "head": head, **{f"column-{meaning}": str(place) for meaning, place in places.items()}}


def test_tables_are_shown_before_anything_is_written(client: Client, season: Season) -> None:
    admin = signed_in(client, a_member(season.club, Role.ADMIN))
    page = admin.post(address(season), {"text": LIST}).content.decode()
    assert date_format(DAY) in page
    assert page.count("Comes in") == 2
    assert not Evening.objects.exists()
    places = {"day": 0, "table": 1, "name": 2, "points": 3}
    answer = admin.post(address(season), {**form_data(LIST, **places), "store": "1"}, follow=True)
    assert "2 tables came in." in answer.content.decode()
    assert Table.objects.count() == 2


def test_who_becomes_a_member_is_told_at_the_table(client: Client, season: Season) -> None:
    admin = signed_in(client, a_member(season.club, Role.ADMIN))
    text = HEAD + lines().replace("Bob Gros", "Zoé Fin") + lines("13/03/2026").replace("Bob Gros", "Zoé Fin")
    page = admin.post(address(season), {"text": text}).content.decode()
    assert "1 person is new, and becomes a member" in page
    assert len(re.findall(r"Zoé Fin\s*<span[^>]*>\(new\)</span>", page)) == 2
    assert page.count("(new)") == 2


def test_long_list_is_a_light_page_and_a_whole_file(client: Client, season: Season) -> None:
    admin = signed_in(client, a_member(season.club, Role.ADMIN))
    days = [date(2024, 1, 5) + timedelta(days=number) for number in range(300)]
    text = HEAD + "".join(lines(day.isoformat(), points=(120, -40, -40, -40)) for day in days)
    late = text + lines("2025-01-05", points=(1, 1, 1, 1))
    page = admin.post(address(season), {"text": late}).content.decode()
    preview = page.partition("<textarea")[0]
    assert preview.count("Comes in") == TABLES_ON_PAGE - 1
    assert preview.index(">Wrong</span>") < preview.index("Comes in")
    assert len(preview) < 4 * len(text)
    assert re.search(r"<textarea[^>]* hidden>\s*Date;Table;", page)  # a browser would take minutes to lay it out
    assert page.count(text[-100:]) == 1
    assert all(date_format(day) in preview for day in days)
    file = admin.post(address(season), {"text": late, "fates": "csv"})
    rows = list(csv.reader(file.content.decode("utf-8-sig").splitlines()))
    assert len(rows) == len(days) + 2
    assert rows[1][:5] == ["2, 3, 4, 5", "2024-01-05", "1", "1", "Comes in"]
    assert rows[-1][4] == "Wrong"
    assert rows[-1][5]
    assert not Evening.objects.exists()
    doubtful = HEAD + "".join(lines(day.isoformat(), points=(1, 1, 1, 1)) for day in days)
    page = admin.post(address(season), {"text": doubtful}).content.decode()
    assert f"And {len(days) - TABLES_ON_PAGE} tables more" in page


def test_unknown_columns_are_chosen_and_remembered(client: Client, season: Season) -> None:
    admin = signed_in(client, a_member(season.club, Role.ADMIN))
    strange = LIST.replace(HEAD, "Quand;Où;Qui;Combien\n")
    answer = admin.post(address(season), {"text": strange})
    assert answer.status_code == 422
    assert answer.content.decode().count("Choose the column that has it.") == 2
    assert "Choose a column that tells who it is" in answer.content.decode()
    page = admin.post(address(season), form_data(strange, day=0, table=1, name=2, points=3)).content.decode()
    assert page.count("Comes in") == 2
    next_page = admin.post(address(season), {"text": strange}).content.decode()  # another day, the same spreadsheet
    assert next_page.count("Comes in") == 2
    twice = admin.post(address(season), form_data(strange, day=0, table=0, name=2, points=3))
    assert "This column is “Date” already." in twice.content.decode()


def undated(table: int = 1) -> str:
    return "".join(line.partition(";")[2] for line in lines(table=str(table)).splitlines(keepends=True))


UNDATED = HEAD.removeprefix("Date;") + undated()


def test_list_without_dates_asks_for_one(client: Client, season: Season) -> None:
    admin = signed_in(client, a_member(season.club, Role.ADMIN))
    places = {"table": 0, "name": 1, "points": 2}
    answer = admin.post(address(season), form_data(UNDATED, **places))
    assert answer.status_code == 422
    page = answer.content.decode()
    assert page.count("Choose the column that has the date, or give one date for all lines.") == 1
    assert 'name="column-on"' in page
    sent = {**form_data(UNDATED, **places), "column-on": DAY.isoformat(), "store": "1"}
    assert "1 table came in." in admin.post(address(season), sent, follow=True).content.decode()
    assert season.evenings.get().date == DAY


def test_column_of_dates_wins_over_the_date_of_all_lines(client: Client, season: Season) -> None:
    admin = signed_in(client, a_member(season.club, Role.ADMIN))
    text = HEAD + lines() + lines(day="", table="2")
    sent = {**form_data(text, day=0, table=1, name=2, points=3), "column-on": "2026-03-20"}
    page = admin.post(address(season), sent).content.decode()
    assert "Line 6: The date is missing." in page
    admin.post(address(season), {**sent, "store": "1"})
    assert [evening.date for evening in season.evenings.all()] == [DAY]


def test_long_list_without_dates_comes_in_by_a_worker_on_the_date_asked(client: Client, season: Season) -> None:
    admin = signed_in(client, a_member(season.club, Role.ADMIN))
    text = UNDATED + "".join(map(undated, range(2, MAX_IMMEDIATE_LINES)))
    sent = {**form_data(text, table=0, name=1, points=2), "column-on": DAY.isoformat(), "store": "1"}
    admin.post(address(season), sent)
    [job] = imports.open_import_jobs(season)
    assert job.payload["chosen"]["column-on"] == DAY.isoformat()
    jobs.work_on_job(job.pk, now=NOW)
    assert season.evenings.get().date == DAY


def test_title_above_the_list_is_left_out_and_lines_keep_their_numbers(client: Client, season: Season) -> None:
    admin = signed_in(client, a_member(season.club, Role.ADMIN))
    text = "Championship, spring;;;\n\n" + HEAD + lines() + lines("13/03/2026").replace("120", "much")
    page = admin.post(address(season), {"text": text}).content.decode()
    assert "Line 8: Points: “much” is no whole number" in page
    sent = {**form_data(HEAD, day=0, table=1, name=2, points=3), "text": text, "store": "1"}
    admin.post(address(season), sent)
    job = imports.request_result_import(
        season,
        user=user_of(season.club.memberships.get(role=Role.ADMIN, player__user__isnull=False).player),
        deals=False,
        text=text.replace("06/03", "07/03"),
        columns={"column-day": "0", "column-table": "1", "column-name": "2", "column-points": "3"},
        answers={},
        accept_other_points=False,
        now=NOW,
    )
    jobs.work_on_job(job.pk, now=NOW)
    assert [evening.date for evening in season.evenings.order_by("date")] == [DAY, DAY + timedelta(days=1)]


def test_unreadable_list_keeps_what_was_typed(client: Client, season: Season) -> None:
    admin = signed_in(client, a_member(season.club, Role.ADMIN))
    answer = admin.post(address(season), {"text": 'Date;"Table <b>'})
    assert answer.status_code == 422
    assert "Table &lt;b&gt;" in answer.content.decode()


@pytest.mark.parametrize("role", [Role.SECRETARY, Role.MEMBER])
def test_only_admins_bring_results_in(client: Client, season: Season, role: Role) -> None:
    reader = signed_in(client, a_member(season.club, role))
    assert reader.post(address(season), {"text": LIST, "store": "1"}).status_code in (403, 404)
    assert not Evening.objects.exists()


def test_club_of_another_admin_is_not_found(client: Client, season: Season) -> None:
    stranger: Club = a_club()
    admin = signed_in(client, a_member(stranger, Role.ADMIN))
    assert admin.get(address(season)).status_code == 404


@pytest.mark.parametrize("day", ["31/12/1899", "0001-01-01", "9999-12-31"])
def test_date_out_of_bounds_is_refused_on_its_line(season: Season, day: str) -> None:
    """The page names the line and the allowed values, and nothing is written."""
    before = everything()
    problems = [seat.problem for seat in read_list(HEAD + lines(day))]
    assert all("is not a date from 1900-01-01 to" in str(problem) for problem in problems)
    assert set(outcomes(import_list(season, HEAD + lines(day)))) == {TableOutcome.WRONG}
    assert everything() == before


def test_number_of_deals_is_asked_where_neither_the_list_nor_the_season_says_it(season: Season) -> None:
    """The number of deals counts in averages: a guess would change the standings."""
    Season.objects.update(end=TableEnd.TARGET, end_number=500)
    season.refresh_from_db()
    assert "The number of deals is missing" in wrong(season, HEAD + lines())
    head, *rows = (HEAD.replace("\n", ";Donnes\n") + lines()).splitlines()
    different = [f"{row};{deals}\n" for row, deals in zip(rows, (4, 4, 4, 5), strict=True)]
    assert "its lines say different ones" in wrong(season, f"{head}\n" + "".join(different))
    assert outcomes(import_list(season, f"{head}\n" + "".join(f"{row};4\n" for row in rows))) == [TableOutcome.NEW]


def test_totals_that_are_probably_wrong_come_in_with_a_warning(season: Season) -> None:
    """In a club's own game the sum is only a check: the table is shown with the doubt, and nothing holds it back."""
    season = a_season(season.club, "totals", club_game=a_club_game(season.club))  # jass: 157 per deal
    plan = import_list(season, HEAD.replace("\n", ";Donnes\n") + lines(points=(100, 50, 100, 50)).replace("\n", ";1\n"))
    [table] = plan.tables
    assert table.outcome == TableOutcome.NEW
    assert "157" in table.doubt
    assert list(Seat.objects.order_by("written").values_list("written", flat=True)) == [50, 50, 100, 100]
