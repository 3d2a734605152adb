"""The contents of printed sheets."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from league.models import Club, Evening, Season, Table, table_codes
from league.models.rights import Role
from league.models.season import TableEnd
from league.sheets.views.printed_sheets import PrintedSheet, blank_sheet, sheets_of_tables
from league.web.qr_code import qr_code_svg
from scoring.game import find_game
from tests.build import a_club, a_member, a_player, a_season, a_table, an_evening, sign_in

NAMES = ("Ann", "Bob", "Cid", "Dee", "Eve", "Fay", "Gus", "Hal", "Ida", "Jon")


def printed_sheet(table: Table, season: Season) -> PrintedSheet:
    [paper] = sheets_of_tables([Table.objects.with_seats().get(pk=table.pk)], season, None)
    return paper


def a_tables_paper(game: str, size: int, *, one_rests: bool = False, **season: Any) -> PrintedSheet:
    season_ = a_season(a_club(), game, table_sizes=[size], **season)
    people = [a_player(name, "") for name in NAMES[:size]]
    return printed_sheet(a_table(an_evening(season_), people, one_rests=one_rests), season_)


def test_a_sheet_has_the_grids_columns_in_the_grids_order(db: None) -> None:
    paper = a_tables_paper("tarot", 5)
    assert paper.columns == ["Taker", "Contract", "Partner", "Oudlers", "Points", "Extras"]
    assert [(place.number, place.name) for place in paper.seats] == list(enumerate(NAMES[:5], start=1))
    assert paper.sides == ["1", "2", "3", "4", "5"]
    assert any("Contract: T take" in text for text in paper.legend)


def test_partners_have_one_running_total(db: None) -> None:
    assert a_tables_paper("belote", 4).sides == ["1 + 3", "2 + 4"]


def test_ten_seats_lie_on_their_side(db: None) -> None:
    paper = a_tables_paper("two-way-street", 10, end=TableEnd.TARGET, end_number=25)
    assert paper.is_wide
    assert len(paper.columns) == len(paper.sides) == 10


def test_there_is_a_row_for_each_deal_and_two_to_spare(db: None) -> None:
    assert [row.number for row in a_tables_paper("tarot", 4).rows] == [1, 2, 3, 4, None, None]
    assert len(a_tables_paper("tarot", 4, end=TableEnd.MANUAL, end_number=None).rows) == 14


def test_who_rests_stands_there_already(db: None) -> None:
    paper = a_tables_paper("tarot", 5, one_rests=True)
    assert paper.columns[0] == "Rests"
    # Everyone plays 4 deals, so five are dealt; the dealer's turn goes from seat to seat.
    assert [row.cells[0] for row in paper.rows] == ["1", "2", "3", "4", "5", "1", "2"]
    assert {cell for row in paper.rows for cell in row.cells[1:]} == {""}


def test_a_blank_sheet_has_numbers_without_names(db: None) -> None:
    paper = blank_sheet(a_season(a_club(), table_sizes=[4, 5], fifth_rests=True), 5)
    assert [(place.number, place.name) for place in paper.seats] == [(number, "") for number in range(1, 6)]
    assert paper.columns[0] == "Rests"
    assert paper.qr_code is None


def test_a_blank_sheet_is_one_of_the_seasons(client: Client, db: None) -> None:
    club = a_club()
    season = a_season(club, table_sizes=[4, 5])
    sign_in(client, a_member(club, Role.SECRETARY))
    sizes = {
        query: client.get(reverse("league:blank-sheet", args=[season.pk]) + query).context["size"]
        for query in ("", "?size=5", "?size=3", "?size=x", "?size=" + "9" * 40)
    }
    assert sizes == {"": 4, "?size=5": 5, "?size=3": 4, "?size=x": 4, "?size=" + "9" * 40: 4}


def sheets(client: Client, evening: Evening) -> str:
    sign_in(client, a_member(evening.season.club, Role.SECRETARY))
    return client.get(reverse("league:round-sheets", args=[evening.rounds.get().pk])).content.decode()


def test_codes_are_printed_where_they_will_work(client: Client, db: None) -> None:
    club = a_club(table_entry=True)
    evening = an_evening(a_season(club))
    table = a_table(evening)
    address = "http://testserver" + reverse("league:at-table", args=[table_codes.code_of_table(table)])
    assert qr_code_svg(address) in sheets(client, evening)

    Club.objects.filter(pk=club.pk).update(table_entry=False)
    assert "<svg" not in sheets(client, evening)


def test_a_sheet_explains_the_codes_of_its_evenings_house_rules(db: None) -> None:
    """The season's rules have changed for later evenings; the grid of this one goes by the old rules, too."""
    season = a_season(a_club(), "contree", table_sizes=[4])
    table = a_table(an_evening(season))
    Evening.objects.update(kept_house_rules={"announcements": True})
    legend = printed_sheet(table, season).legend
    assert legend == list(find_game("contree").with_house_rules({"announcements": True}).row.legend(4))
    assert legend != blank_sheet(season, 4).legend


def test_a_code_is_drawn_as_its_modules() -> None:
    """A square of at least version 1, 21 modules, with its white border; the finder's top edge is 7 dark modules."""
    drawn = qr_code_svg("x")
    assert f'viewBox="0 0 {21 + 2 * 4} {21 + 2 * 4}"' in drawn
    assert 'stroke="#000" d="M4 4.5h7M' in drawn
    assert "style" not in drawn  # the content policy refuses it


@pytest.mark.parametrize(
    ("name", "kind", "says"),
    [
        ("league:round-sheets", "round", "Preneur"),
        ("league:blank-sheet", "season", "Preneur"),
        ("league:poster", "round", "Table"),
        ("league:attendance-list", "evening", "Liste de présence"),
    ],
)
def test_paper_speaks_the_clubs_language(db: None, client: Client, name: str, kind: str, says: str) -> None:
    """The paper is for everyone at the evening; the page around it is for the viewer."""
    club = a_club(language="fr")
    table = a_table(an_evening(a_season(club)))
    sign_in(client, a_member(club, Role.SECRETARY))
    target = {"round": table.round, "season": table.round.evening.season, "evening": table.round.evening}[kind]
    answer = client.get(reverse(name, args=[target.pk]), headers={"Accept-Language": "en"})
    around, _start, paper = answer.text.partition(' lang="fr"')
    assert says in paper
    assert "Printed in the club’s language." in around
    assert "Sign out" in around
    assert answer.headers["Content-Language"] == "en-gb"


def test_paper_in_the_readers_language_is_not_told_of(db: None, client: Client) -> None:
    table = a_table(an_evening(a_season(a_club(language="fr"))))
    sign_in(client, a_member(table.round.evening.season.club, Role.SECRETARY))
    with translation.override("fr"):  # and back: the page leaves its language behind
        answer = client.get(reverse("league:poster", args=[table.round.pk]), headers={"Accept-Language": "fr"})
    assert "imprimé dans la langue" not in answer.text.lower()
    assert answer.headers["Content-Language"] == "fr"
