"""The totals on the paper: a difference is shown until it is corrected, or accepted with a reason."""

from __future__ import annotations

import re
from uuid import uuid4

import pytest
from django.apps import apps
from django.test import Client
from django.urls import reverse
from django.utils import translation

from league.actions import deals, evenings, paper_totals, season_closing
from league.actions.refusals import StaleVersion, WrongState
from league.evenings.queries.closing_checklist import checklist
from league.evenings.queries.errata import errata
from league.models import Evening, Seat, Table
from league.models.evening import EveningState
from league.models.rights import Role
from league.sheets.queries.paper_check import check_paper
from league.sheets.queries.score_sheet import read_sheet
from scoring.game import find_game
from tests.build import (
    NOW,
    TAKE,
    a_club,
    a_deal,
    a_member,
    a_player,
    a_season,
    a_table,
    an_evening,
    sign_in,
    written_totals,
)

AGREES = (81, -27, -27, -27)
WRONG = (81, -27, -27, -72)
GUARD = {**TAKE, "contract": "guard", "small_last": "attack"}


@pytest.fixture
def table(db: None) -> Table:
    evening = an_evening(a_season(a_club(), end_number=1))
    table = a_table(evening, [a_player(name, "") for name in ("Ann", "Bob", "Cid", "Dee")])
    a_deal(table)
    return table


@pytest.fixture
def desk(client: Client, table: Table) -> Client:
    return sign_in(client, a_member(table.round.evening.season.club, Role.SECRETARY))


def url(name: str, pk: int) -> str:
    return reverse(f"league:{name}", args=[pk])


def typed(totals: tuple[object, ...]) -> dict[str, str]:
    return {f"written_{seat}": str(total) for seat, total in enumerate(totals)}


def compare(desk: Client, table: Table, totals: tuple[object, ...] = WRONG) -> str:
    return desk.post(url("table-paper", table.pk), typed(totals), follow=True).content.decode()


def accept(desk: Client, table: Table, reason: str, totals: tuple[int, ...] = WRONG) -> str:
    differences = [f"{paper}:{points}" for paper, points in zip(totals, AGREES, strict=True)]
    answer = desk.post(url("table-paper-accept", table.pk), {"seen": differences, "reason": reason}, follow=True)
    return answer.content.decode()


def sums_point(table: Table) -> str:
    evening = Evening.objects.with_season().get(pk=table.round.evening_id)
    [text] = [point.text for point in checklist(evening) if "sums" in point.text]
    return text


def sums_are_right(table: Table) -> bool:
    return sums_point(table) == "The sums are right."


def test_a_difference_is_kept_and_in_sight_everywhere(desk: Client, table: Table) -> None:
    assert "two digits of Dee’s total are exchanged" in compare(desk, table)

    assert [seat.paper for seat in table.seats.all()] == list(WRONG)
    assert [seat.points for seat in table.seats.all()] == list(AGREES)
    second_desk = sign_in(Client(), a_member(table.round.evening.season.club, Role.SECRETARY))
    assert "two digits of Dee’s total" in second_desk.get(url("grid", table.pk)).content.decode()
    sheet = second_desk.get(table.get_absolute_url()).content.decode()
    assert "differs" in sheet
    assert 'value="-72"' in sheet
    assert "1 written total differs" in second_desk.get(url("sheets", table.round.evening_id)).content.decode()
    assert "Dee has −72 on paper" in second_desk.get(url("evening-close", table.round.evening_id)).content.decode()
    assert not sums_are_right(table)


def test_what_agrees_is_nothing_to_look_at(desk: Client, table: Table) -> None:
    assert "agree with the rows" in compare(desk, table, AGREES)
    assert sums_are_right(table)
    assert "The paper differs from the deals" not in desk.get(table.get_absolute_url()).content.decode()


def test_a_corrected_deal_ends_it(desk: Client, table: Table) -> None:
    compare(desk, table, (-99, 33, 33, 33))
    assert not sums_are_right(table)
    deals.revise(table.dealt.get().pk, {**TAKE, "oudlers": 1}, client_key=uuid4(), seen_version=1, now=NOW)
    assert sums_are_right(table)


def test_an_accepted_difference_keeps_its_reason(desk: Client, table: Table) -> None:
    compare(desk, table)
    assert "The difference is accepted." in accept(desk, table, "Added up wrongly, the players agree")

    assert "difference from the paper that was accepted: Round 1, Table 1." in sums_point(table)
    assert "Added up wrongly, the players agree" in desk.get(table.get_absolute_url()).content.decode()
    assert "differs" not in desk.get(url("sheets", table.round.evening_id)).content.decode()
    history = apps.get_model("league", "TableEvent")
    last = history._default_manager.select_related("pgh_context").latest("pgh_id")
    assert (last.paper_accepted, last.pgh_context.metadata["reason"]) == ("Added up wrongly, the players agree",) * 2


def test_another_difference_has_to_be_accepted_anew(desk: Client, table: Table) -> None:
    for change in ("paper", "deal"):
        compare(desk, table)
        accept(desk, table, "Added up wrongly")
        if change == "paper":
            compare(desk, table, (81, -27, -27, -30))
        else:
            deals.revise(table.dealt.get().pk, GUARD, client_key=uuid4(), seen_version=1, now=NOW)
        assert sums_point(table) == "Some sums are not right."


def test_corrected_totals_that_were_entered_without_deals_have_to_be_accepted_anew(table: Table) -> None:
    """The totals form stores the totals on the paper too, if deals follow: another test uses only the grid's form."""
    written_totals(table, WRONG, deals=1)
    paper_totals.accept(table.pk, list(zip(WRONG, AGREES, strict=True)), reason="the paper is torn")
    written_totals(table, (81, -27, -27, -270), deals=1)

    assert Table.objects.get().paper_accepted == ""
    assert not sums_are_right(table)


def test_only_what_was_seen_is_accepted(desk: Client, table: Table) -> None:
    compare(desk, table, (81, -27, -27, -30))
    assert "changed meanwhile" in accept(desk, table, "Added up wrongly")
    assert "Say why" in accept(desk, table, " ")
    with pytest.raises(StaleVersion):
        paper_totals.accept(table.pk, [], reason="x")
    compare(desk, table, AGREES)
    with pytest.raises(WrongState, match="nothing to accept"):
        paper_totals.accept(table.pk, [(points, points) for points in AGREES], reason="x")


def test_without_scripts_the_other_totals_stay_typed_beside_one_that_is_no_number(desk: Client, table: Table) -> None:
    """The script keeps them in the browser; the redirect after the error lost them."""
    answer = desk.post(url("table-paper", table.pk), typed((81, "x", -27, "")), follow=True)
    assert [field.value() for field in answer.context["written"]] == ["81", "x", "-27", ""]


def test_a_refused_total_of_any_length_makes_no_long_address(desk: Client, table: Table) -> None:
    """A proxy refuses a long address, and the page of the grid would be lost."""
    answer = desk.post(url("table-paper", table.pk), typed(("9" * 10_000,) * 4))
    assert len(answer["Location"]) < 300


def test_no_number_is_refused_and_nothing_kept(desk: Client, table: Table) -> None:
    page = compare(desk, table, ("81", "x", "", "9" * 30))
    assert "Bob: total on the paper" in page
    assert not Seat.objects.exclude(paper=None).exists()


def test_after_closing_the_paper_is_no_erratum_and_wants_no_reason(desk: Client, table: Table) -> None:
    evenings.close(table.round.evening_id, now=NOW)
    compare(desk, table)
    assert Seat.objects.filter(paper=-72).exists()
    assert errata(Evening.objects.with_season().get()) == []

    season_closing.close(table.round.evening.season_id, now=NOW)
    assert "The season is closed" in compare(desk, table, AGREES)
    assert Seat.objects.filter(paper=-72).exists()


def test_a_suspected_row_leads_to_its_deal(desk: Client, table: Table) -> None:
    """Also where the deal's id has a thousands separator, and an empty cell is no sign that looks like a code."""
    deal = a_deal(table, GUARD)
    page = compare(desk, table, (81 + 162, -27 - 54, -27 - 54, -27 - 54))
    link = re.search(r'<a href="([^"]*\?deal=[^"]*)">([^<]*)</a>', page.partition('class="suspects"')[2])
    assert link
    assert desk.get(link[1]).context["deal_request"].deal == deal
    assert "empty instead of" in page


@pytest.mark.django_db
def test_a_missing_belote_is_named_with_its_deal(client: Client) -> None:
    won = {"taker": 1, "points": 90, "last_trick": "attack"}  # 62 and 100
    lost = {"taker": 0, "points": 60, "last_trick": "attack"}  # 0 and 162
    season = a_season(a_club(), "belote", table_sizes=[4], end_number=2)
    table = a_table(an_evening(season), [a_player(name, "") for name in ("Ann", "Bob", "Cid", "Dee")])
    a_deal(table, won)
    a_deal(table, lost)
    desk = sign_in(client, a_member(season.club, Role.SECRETARY))
    assert "Deal 1: a belote is missing." in compare(desk, table, (82, 262, 82, 262))
    assert "162 off: a deal is missing." in compare(desk, table, (152, 334, 152, 334))


@pytest.mark.django_db
def test_a_cause_has_the_letters_of_the_language_and_is_shown_once(client: Client) -> None:
    # 262 and 0; 162 without the slam.
    slam = {"taker": 0, "points": 152, "last_trick": "attack", "all_tricks": "attack"}
    season = a_season(a_club(), "belote", table_sizes=[4], end_number=2)
    table = a_table(an_evening(season), [a_player(name, "") for name in ("Ann", "Bob", "Cid", "Dee")])
    a_deal(table, slam)
    sheet = read_sheet(table)
    with translation.override("fr"):
        check = check_paper(find_game("belote"), sheet, {}, (162, 0, 162, 0))
        assert check
        assert [text for text, _deal in check.suspects] == ["Donne 1\u202f: ce capot n’est pas sur le papier."]
        check = check_paper(find_game("belote"), sheet, {}, (182, 0, 182, 0))  # a belote and no slam
        assert check
        assert [text for text, _deal in check.suspects] == ["Donne 1, Primes\u202f: b+ au lieu de c+."]


@pytest.mark.django_db
def test_plus_and_minus_are_exchanged_only_where_points_may_be_negative(client: Client, table: Table) -> None:
    desk = sign_in(client, a_member(table.round.evening.season.club, Role.SECRETARY))
    assert "plus and minus are exchanged" in compare(desk, table, (-81, 27, 27, 27))
    season = a_season(a_club(), "belote", table_sizes=[4], end_number=2)
    of_belote = a_table(an_evening(season), [a_player(name, "") for name in ("Eve", "Fay", "Guy", "Hal")])
    a_deal(of_belote, {"taker": 0, "points": 60, "last_trick": "attack"})  # 0 and 162
    belote_desk = sign_in(Client(), a_member(season.club, Role.SECRETARY))
    assert "plus and minus are exchanged" not in compare(belote_desk, of_belote, (0, -162, 0, -162))
    assert [seat.paper for seat in of_belote.seats.all()] == [0, -162, 0, -162]


@pytest.mark.django_db
def test_paper_of_an_evening_that_is_only_planned_is_refused(client: Client) -> None:
    season = a_season(a_club())
    table = a_table(
        an_evening(season, EveningState.PLANNED), [a_player(name, "") for name in ("Ann", "Bob", "Cid", "Dee")]
    )
    assert "The evening is not open." in compare(sign_in(client, a_member(season.club, Role.SECRETARY)), table)
    assert all(seat.paper is None for seat in table.seats.all())
