"""Deals of past evenings from a list: read by the rules of their game, compared with the list's own points."""

from __future__ import annotations

import re
from datetime import date
from functools import partial
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from league.actions.result_import import import_results, remember_columns
from league.imports.forms.results import make_columns_form
from league.imports.queries.import_plan import ImportPlan, PointsDifference, TableOutcome
from league.imports.queries.list_file import UnreadableList, read_rows
from league.imports.queries.listed_deals import ListedDeal, group_and_parse_deals
from league.imports.work.cells import MAX_LINES
from league.imports.work.list_kinds import DealsList
from league.models import (
    Attendance,
    Deal,
    Evening,
    Membership,
    PendingRecompute,
    Round,
    Run,
    Score,
    Season,
    Seat,
    Table,
)
from league.models.evening import EveningState
from league.models.rights import Role
from league.models.table_limits import MAX_TABLE_DEALS
from league.operations.work.verification import verify
from league.recompute.work import runs
from tests.build import NOW, a_club, a_member, a_player, a_season, a_table, an_evening
from tests.readers import signed_in

DAY = date(2026, 3, 6)
PEOPLE = ("Anne Roy", "Bob Gros", "Cy Mince", "Dan Fort")
PLAYED = "Date;Table;Donne;Preneur;Contrat;Bouts;Points;Petit au bout;Poignée;Chelem;"
HEAD = PLAYED + "Anne Roy;Bob Gros;Cy Mince;Dan Fort\n"
# By 001 each defender pays (25 + difference) x rate; with 2, 1 and 3 oudlers 41, 51 and 36 points are needed.
LIST = HEAD + (
    "06/03/2026;1;1;Anne;Petite;2;43;;;;81;-27;-27;-27\n"  # 25 + 2 = 27
    ";;2;Bob;Garde;1;56;;;;-90;270;-90;-90\n"  # wrong: (25 + 5) x 2 is 60
    ";;3;;Passe;;;;;;0;0;0;0\n"
    ";;4;Dan;garde sans;3;36;;;;-100;-100;-100;300\n"  # 25 x 4
)
RIGHT = LIST.replace("-90;270;-90;-90", "-60;180;-60;-60")


@pytest.fixture
def season(db: None) -> Season:
    club = a_club(founder=a_player("Founder", "Adam"))
    for name in PEOPLE:
        given_name, family = name.split()
        club.memberships.create(player=a_player(given_name, family))
    return a_season(club)


def read_list(season: Season, text: str) -> list[ListedDeal]:
    kind, rows = DealsList(season), read_rows(text, MAX_LINES)
    form = make_columns_form(kind, kind.guess_columns(rows, {}), rows)
    assert form.is_valid(), form.errors
    return kind.read_deals(rows, form.chosen_columns)


def import_list(season: Season, text: str, *, accept_other_points: bool = False) -> ImportPlan:
    tables = partial(group_and_parse_deals, lines=read_list(season, text))
    return import_results(season, tables, {}, now=NOW, accept_other_points=accept_other_points)


def outcomes(plan: ImportPlan) -> list[TableOutcome]:
    return [table.outcome for table in plan.tables]


def everything() -> list[list[Any]]:
    models = (Evening, Round, Table, Seat, Deal, Score, Attendance, Membership)
    return [list(model.objects.order_by("pk").values()) for model in models]


def test_deals_come_in_with_their_points(season: Season) -> None:
    assert outcomes(import_list(season, RIGHT)) == [TableOutcome.NEW]
    evening = season.evenings.get()
    assert (evening.date, evening.state, evening.is_final(NOW)) == (DAY, EveningState.CLOSED, True)
    [table] = Table.objects.all()
    assert (table.recorded, table.deals, table.complete, table.finished) == (4, 4, True, False)
    totals = [(str(seat.player), seat.points, seat.deals, seat.written) for seat in table.seats.all()]
    assert totals == [
        ("Anne Roy", -79, 4, None),
        ("Bob Gros", 53, 4, None),
        ("Cy Mince", -187, 4, None),
        ("Dan Fort", 213, 4, None),
    ]
    facts = list(table.dealt.values_list("number", "facts"))
    assert facts[:2] == [
        (1, {"contract": "take", "taker": 0, "oudlers": 2, "points": 43}),
        (2, {"contract": "guard", "taker": 1, "oudlers": 1, "points": 56}),
    ]
    runs.run(Run.Trigger.NIGHT, now=NOW)
    assert season.standings.count() == 4
    assert list(verify()) == []


def test_same_list_twice_changes_nothing(season: Season) -> None:
    import_list(season, RIGHT)
    before = everything()
    PendingRecompute.objects.all().delete()
    assert outcomes(import_list(season, RIGHT)) == [TableOutcome.SAME]
    assert everything() == before
    assert not PendingRecompute.objects.exists()


def test_other_deals_of_a_table_are_left_alone(season: Season) -> None:
    import_list(season, RIGHT)
    before = everything()
    changed_list = RIGHT.replace("Petite;2;43", "Petite;2;44").replace("81;-27;-27;-27", ";;;")
    plan = import_list(season, changed_list.replace(";;;\n", "x;x;x;x\n", 1))
    assert outcomes(plan) == [TableOutcome.WRONG]
    assert everything() == before


def test_difference_is_told_on_its_line_and_holds_the_table_back(season: Season) -> None:
    plan = import_list(season, LIST)
    assert outcomes(plan) == [TableOutcome.DIFFERENT]
    [deal] = plan.tables[0].deals_to_review
    assert deal.line == 3
    assert deal.differences[1] == PointsDifference("Bob Gros", 270, 180)
    assert not Evening.objects.exists()
    assert outcomes(import_list(season, LIST, accept_other_points=True)) == [TableOutcome.NEW]
    assert Seat.objects.get(player__given_name="Bob").points == 53
    assert outcomes(import_list(season, LIST)) == [TableOutcome.SAME]


def test_lines_below_one_that_cannot_be_read_are_not_of_the_evening_above(season: Season) -> None:
    """They would come in on its date, or in its round."""
    deal = "Anne;Petite;2;43;;;;81;-27;-27;-27\n"
    broken = HEAD + f"06/03/2026;1;1;{deal}31/02/2026;1;1;{deal};2;1;{deal};3;1;{deal}13/03/2026;1;1;{deal}"
    plan = import_list(season, broken)
    assert outcomes(plan) == [TableOutcome.WRONG, TableOutcome.WRONG]  # the line is of one of those around it
    assert {deal.line for deal in plan.tables[0].deals_to_review} >= {3, 4, 5}
    assert not Evening.objects.exists()
    unplaced = HEAD + f"06/03/2026;one;1;{deal};;2;{deal}"
    [table] = import_list(season, HEAD + f"06/03/2026;one;1;{deal}").tables
    assert (table.day, table.round) == (DAY, 0)
    assert {table.outcome for table in import_list(season, unplaced).tables} == {TableOutcome.WRONG}


def test_broken_line_is_named_and_other_tables_come_in(season: Season) -> None:
    second_table = "13/03/2026;1;1;Anne;Petite;2;43;;;;81;-27;-27;-27\n"
    plan = import_list(season, RIGHT.replace("Garde;1;56", "Garde;1;lots") + second_table)
    assert outcomes(plan) == [TableOutcome.WRONG, TableOutcome.NEW]
    assert plan.tables[0].problem == "Line 3: Points: lots is not understood here. Write a number."
    [evening] = Evening.objects.all()
    assert evening.date == date(2026, 3, 13)
    table = Table.objects.get()
    assert (table.complete, table.finished) == (True, True)  # one deal where four are usual: it is over
    runs.run(Run.Trigger.NIGHT, now=NOW)
    assert list(verify()) == []


def test_line_without_a_place_holds_back_the_tables_around_it(season: Season) -> None:
    lines = RIGHT.splitlines(keepends=True)
    lines.insert(5, "the 13th of March" + ";1;1;Anne;Petite;2;43;;;;81;-27;-27;-27\n")
    later = "20/03/2026;1;1;Anne;Petite;2;43;;;;81;-27;-27;-27\n27/03/2026;1;1;Anne;Petite;2;43;;;;81;-27;-27;-27\n"
    plan = import_list(season, "".join(lines) + later)
    assert outcomes(plan) == [TableOutcome.WRONG, TableOutcome.WRONG, TableOutcome.NEW]
    assert [str(table.problem).startswith("Line 6: “the 13th of March” is no date") for table in plan.tables[:2]]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (";;2;Bob", ";;3;Bob", "Line 3: Deal 2 is missing before this one."),
        (";;2;Bob", ";;1;Bob", "Line 3: Deal 1 is on line 2 too."),
        ("Petite;2;43", "Petite;4;43", "Line 2: Oudlers: 4 is not understood here."),
        ("Petite;2;43", "Petite;2;143", "Line 2: "),
        ("Petite;2;43;", "Petite;2;43;who knows", "Line 2: Small in the last trick: “who knows” is not understood."),
        ("1;Anne;Petite", "1;Eve;Petite", "Line 2: Taker: eve does not play this deal."),
        ("-60;180;-60;-60", "-60;180;-60;", "Line 3: This line has 3 of the table’s 4 players; 4 play each deal."),
        ("-60;180;-60;-60", ";;;", "Line 3: Nobody has points on this line."),
        ("06/03/2026;", "06/03/2036;", "This date is still to come."),
    ],
)
def test_wrong_line_says_why(season: Season, old: str, new: str, words: str) -> None:
    assert old in RIGHT
    plan = import_list(season, RIGHT.replace(old, new, 1))
    assert [str(table.problem)[: len(words)] for table in plan.with_outcome(TableOutcome.WRONG)] == [words]
    assert not Evening.objects.exists()


@pytest.mark.parametrize(
    ("second_line", "words"),
    [
        ("Bob Gros;Anne Roy;Cy Mince;Dan Fort", "Line 3: Bob Gros sits where Anne Roy sits on line 2."),
        ("Anne Roy;Bob Gros;Cy Mince;Cy Mince", "Line 3: Cy Mince sits where Dan Fort sits on line 2."),
    ],
)
def test_players_who_change_places_in_a_table_are_named(season: Season, second_line: str, words: str) -> None:
    head = "Date;Player 1;Player 2;Player 3;Player 4;Taker;Contract;Oudlers;Points\n"
    first_line = "2026-03-06;Anne Roy;Bob Gros;Cy Mince;Dan Fort;1;Take;2;43\n"
    assert str(import_list(season, f"{head}{first_line};{second_line};1;Take;2;43\n").tables[0].problem) == words


def test_player_who_sits_twice_at_a_table_is_named(season: Season) -> None:
    text = "Date;Player 1;Player 2;Player 3;Player 4;Taker;Contract;Oudlers;Points\n"
    text += "2026-03-06;Anne Roy;Bob Gros;Anne Roy;Dan Fort;1;Take;2;43\n"
    assert import_list(season, text).tables[0].problem == "Line 2: Anne Roy sits at this table twice."


def test_list_without_tables_asks_for_them_when_it_has_more_deals_than_a_table(season: Season) -> None:
    deal = ";;;Anne;Petite;2;43;;;;x;x;x;x\n"
    text = HEAD + deal.replace(";", "06/03/2026;", 1) + MAX_TABLE_DEALS * deal
    plan = import_list(season, text)
    assert outcomes(plan) == [TableOutcome.WRONG]
    last_line = MAX_TABLE_DEALS + 2
    words = f"Line {last_line}: A table has at most {MAX_TABLE_DEALS} deals. Which table and which round is it?"
    assert plan.tables[0].problem == words


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("Partner: Leave this empty in such a deal.", "Slam announced: “maybe” is not understood. Write: x.")),
        ("fr", ("Appelé : Laissez ceci vide dans une telle donne.", "Chelem annoncé : « maybe » n’est pas compris. ")),
    ],
)
def test_cell_that_a_table_has_not_or_that_has_no_such_word_is_named(
    season: Season, language: str, words: tuple[str, str]
) -> None:
    head = "Date;Preneur;Appelé;Contrat;Bouts;Points;Chelem annoncé;Anne Roy;Bob Gros;Cy Mince;Dan Fort\n"
    lines = ("2026-03-06;Anne;Bob;Take;2;43;;x;x;x;x\n", "2026-03-06;Anne;;Take;2;43;maybe;x;x;x;x\n")
    with translation.override(language):
        problems = [str(import_list(season, head + line).tables[0].problem) for line in lines]
    for problem, message in zip(problems, words, strict=True):
        assert message in problem.replace("\N{NARROW NO-BREAK SPACE}", " ")


def test_irregularity_of_an_unknown_player_names_the_players_of_the_table(season: Season) -> None:
    belote = a_season(season.club, "belote", table_sizes=[4])
    head = "Date;Player 1;Player 2;Player 3;Player 4;Taker;Irregularity;Points;Last trick\n"
    plan = import_list(belote, f"{head}2026-03-06;Anne Roy;Bob Gros;Cy Mince;Dan Fort;1;Zoe;75;+\n")
    words = "Line 2: Irregularity: “Zoe” is not understood. Write: Anne Roy, Bob Gros, Cy Mince, Dan Fort."
    assert plan.tables[0].problem == words


def one_deal(season: Season, cells: str, head: str = HEAD) -> dict[str, Any]:
    assert outcomes(import_list(season, f"{head}{cells}\n")) == [TableOutcome.NEW]
    facts: dict[str, Any] = Deal.objects.get().facts
    return facts


def test_words_of_a_tarot_deal(season: Season) -> None:
    facts = one_deal(season, "2026-03-06;1;1;Dan Fort;Garde contre;3;91;attaque;double Bob;annoncé réussi;x;x;x;x")
    assert facts == {
        "contract": "guard_against",
        "taker": 3,
        "oudlers": 3,
        "points": 91,
        "small_last": "attack",
        "handfuls": [{"seat": 1, "size": "double"}],
        "slam": "attack",
        "slam_announced": True,
    }


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "Contract: “garde tout” is not understood. Write: T take, G guard, W without, A against, O one for one"),
        (
            "fr",
            "Contrat : « garde tout » n’est pas compris. Écrivez : P prise, G garde, S garde sans, C garde contre, ",
        ),
    ],
)
def test_contract_that_is_none_names_letters_with_their_words(season: Season, language: str, words: str) -> None:
    with translation.override(language):
        plan = import_list(season, RIGHT.replace("Petite", "garde tout", 1))
    assert words in str(plan.tables[0].problem).replace("\N{NARROW NO-BREAK SPACE}", " ")


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize(
    ("word", "contract"),
    [
        ("Prise", "take"),
        ("petite", "take"),
        ("Garde", "guard"),
        ("GARDE SANS", "guard_without"),
        ("Guard against", "guard_against"),
        ("garde contre", "guard_against"),
    ],
)
def test_contracts_are_read_in_words_of_both_languages(season: Season, language: str, word: str, contract: str) -> None:
    with translation.override(language):
        assert one_deal(season, f"2026-03-06;1;1;Anne;{word};2;43;;;;x;x;x;x")["contract"] == contract


def test_words_of_the_other_games_are_read_in_both_languages(season: Season) -> None:
    people = "Date;Player 1;Player 2;Player 3;Player 4;"
    names = "2026-03-06;Anne Roy;Bob Gros;Cy Mince;Dan Fort;"
    belote = a_season(season.club, "belote", table_sizes=[4])
    head = f"{people}Taker;Points;Last trick;Belote\n"
    for day, side in enumerate(("the taker’s side", "Le camp du preneur", "attaque"), 1):
        import_list(belote, head + names.replace("06", f"{day:02}") + f"Cy;75;{side};La defense\n")
    facts = {"taker": 2, "points": 75, "last_trick": "attack", "belote": "defence"}
    assert [deal.facts for deal in Deal.objects.all()] == [facts] * 3
    plan = import_list(belote, f"{head}{names}Cy;75;nobody;\n")
    assert "Last trick: “nobody” is not understood. Write: + the taker’s side" in str(plan.tables[0].problem)
    street = a_season(season.club, "two-way-street", table_sizes=[2, 3])
    duel = "Date;Player 1;Player 2;Dealer;Direction;Seat 1;Seat 2\n2026-03-06;Anne Roy;Bob Gros;Anne;"
    problems = [
        str(import_list(street, f"{duel}{direction};6;4\n").tables[0].problem) for direction in ("Haut", "high", "up")
    ]
    assert problems[:2] == ["", ""]
    assert "Direction: “up” is not understood. Write: Dealer: seat number; direction" in problems[2]
    hands = f"{people}Seat 1;Seat 2;Seat 3;Seat 4\n{names}h3;q1;l3;l2\n"
    street = a_season(season.club, "two-way-street", table_sizes=[4])
    problem = str(import_list(street, hands).tables[0].problem)
    assert "Seat 2: “q1” is not understood. Write: The call and the tricks: h3 high with 3" in problem


def test_players_in_places_and_a_called_partner(season: Season) -> None:
    head = "Date;Player 1;Player 2;Player 3;Player 4;Player 5;Taker;Contract;Called;Oudlers;Points;Points 1;Points 2\n"
    line = "2026-03-06;Anne Roy;Bob Gros;Cy Mince;Dan Fort;Eve Lent;Bob;Guard;Eve;2;52,5;-72;144"
    plan = import_list(season, head + line)
    assert outcomes(plan) == [TableOutcome.DIFFERENT]
    assert plan.tables[0].deals_to_review[0].differences[0] == PointsDifference("Anne Roy", -72, -74)
    assert outcomes(import_list(season, head + line, accept_other_points=True)) == [TableOutcome.NEW]
    assert Deal.objects.get().facts == {"contract": "guard", "taker": 1, "partner": 4, "oudlers": 2, "points": 52.5}
    assert season.club.memberships.get(player__family_name="Lent").role == Role.MEMBER


def test_who_has_nothing_on_a_line_rests(season: Season) -> None:
    Season.objects.filter(pk=season.pk).update(fifth_rests=True)
    season.refresh_from_db()
    head = "Date;Taker;Contract;Oudlers;Points;Anne Roy;Bob Gros;Cy Mince;Dan Fort;Eve Lent\n"
    text = head + "2026-03-06;Anne;Take;2;43;81;-27;;-27;-27\n;Eve;Take;2;43;-27;-27;-27;;81\n"
    assert outcomes(import_list(season, text)) == [TableOutcome.NEW]
    assert list(Deal.objects.order_by("number").values_list("rests", flat=True)) == [[2], [3]]
    assert [deal.facts["taker"] for deal in Deal.objects.order_by("number")] == [0, 3]
    assert [(seat.points, seat.deals) for seat in Seat.objects.order_by("number")] == [
        (54, 2),
        (-54, 2),
        (-27, 1),
        (-27, 1),
        (54, 2),
    ]
    runs.run(Run.Trigger.NIGHT, now=NOW)
    assert list(verify()) == []


FIVE = "Date;Taker;Contract;Oudlers;Points;Anne Roy;Bob Gros;Cy Mince;Dan Fort;Eve Lent\n"
WITH_REST = "Mort;" + FIVE.replace("Eve Lent", "Eve")


@pytest.mark.parametrize("dash", ["-", "–"])
def test_dash_in_the_column_of_who_rests_names_nobody(season: Season, dash: str) -> None:
    """It was taken for the only player without a family name."""
    Season.objects.filter(pk=season.pk).update(fifth_rests=True)
    season.refresh_from_db()
    deals = "{0};2026-03-06;Anne;Take;2;43;x;x;;x;x\n{0};;Anne;Take;2;43;x;x;x;;x\n"
    assert outcomes(import_list(season, WITH_REST + deals.format(dash))) == [TableOutcome.NEW]
    assert list(Deal.objects.order_by("number").values_list("rests", flat=True)) == [[2], [3]]


def test_mark_without_a_letter_is_not_the_player_without_a_family_name(season: Season) -> None:
    Season.objects.filter(pk=season.pk).update(fifth_rests=True)
    season.refresh_from_db()
    deals = "{};2026-03-06;{};Take;2;43;x;x;;x;x\n;;Anne;Take;2;43;x;x;x;;x\n"
    rests, taker = (
        import_list(season, WITH_REST + deals.format(*cells)).tables[0] for cells in (("—", "Anne"), ("", "—"))
    )
    assert rests.problem == "Line 2: “—” is nobody at this table."
    assert str(taker.problem).startswith("Line 2: Taker: — does not play this deal.")


RULE = (
    "this season has no table of 5 at which one does. Its house rules need 5 as the largest table size, and “one rests "
    "at the largest tables”. Change them, then bring the list in again."
)


@pytest.mark.parametrize("sizes", [[3, 4, 5], [3, 4]])
def test_who_rests_where_all_play_is_told_what_the_season_would_have_to_say(season: Season, sizes: list[int]) -> None:
    Season.objects.filter(pk=season.pk).update(table_sizes=sizes)
    season.refresh_from_db()
    headed = FIVE + "2026-03-06;Anne;Take;2;43;81;-27;;-27;-27\n;Eve;Take;2;43;-27;-27;-27;;81\n"
    places = "Date;Player 1;Player 2;Player 3;Player 4;Player 5;{}Taker;Contract;Oudlers;Points\n"
    played = "2026-03-06;Anne Roy;Bob Gros;Cy Mince;Dan Fort;Eve Lent;{}Anne;Take;2;43\n"
    lists = (headed, places.format("Mort;") + played.format("Cy;"), places.format("") + played.format(""))
    problems = [str(import_list(season, text).tables[0].problem) for text in lists]
    message = "Line 2: This line has 4 of the table’s 5 players; 5 play each deal. If Cy Mince rests: "
    assert problems[:2] == [message + RULE] * 2
    assert problems[2] == f"Line 2: Partner: This is needed. If one of the 5 rests: {RULE}"
    assert not Evening.objects.exists()


def test_name_without_points_rests(season: Season) -> None:
    Season.objects.filter(pk=season.pk).update(fifth_rests=True)
    season.refresh_from_db()
    head = "Date;Player 1;Player 2;Player 3;Player 4;Player 5;Taker;Contract;Oudlers;Points;"
    head += "Points 1;Points 2;Points 3;Points 4;Points 5\n"
    people = "2026-03-06;Anne Roy;Bob Gros;Cy Mince;Dan Fort;Eve Lent;"
    assert outcomes(import_list(season, f"{head}{people}Anne;Take;2;43;81;-27;;-27;-27\n")) == [TableOutcome.NEW]
    assert Deal.objects.get().rests == [2]


def test_dealer_of_a_table_at_which_all_play_does_not_rest(season: Season) -> None:
    facts = one_deal(season, "2026-03-06;1;1;Anne;Petite;2;43;;;;x;x;x;x;Bob", HEAD.replace("\n", ";Donneur\n"))
    assert facts["taker"] == 0


def test_belote_in_words_and_with_the_ten_as_the_sheets_have_it(season: Season) -> None:
    head = "Date;Player 1;Player 2;Player 3;Player 4;Preneur;Points;Dix de der;Belote;Capot\n"
    line = "2026-03-06;Anne Roy;Bob Gros;Cy Mince;Dan Fort;Cy;110;preneur;défense;\n"
    belote = a_season(season.club, "belote", table_sizes=[4], typing="with_ten")
    assert one_deal(belote, line.strip(), head) == {
        "taker": 2,
        "points": 100,
        "last_trick": "attack",
        "belote": "defence",
    }


def test_two_way_street_by_its_row(season: Season) -> None:
    street = a_season(season.club, "two-way-street", table_sizes=[2, 3])
    head = "Date;Player 1;Player 2;Player 3;Seat 1;Seat 2;Seat 3\n"
    facts = one_deal(street, "2026-03-06;Anne Roy;Bob Gros;Cy Mince;h6;L1;l3", head)
    assert facts["hands"] == [
        {"call": "high", "tricks": 6},
        {"call": "low", "tricks": 1, "forced": True},
        {"call": "low", "tricks": 3},
    ]
    assert list(verify()) == []


def test_litige_is_handed_on_within_the_list(season: Season) -> None:
    belote = a_season(season.club, "belote", table_sizes=[4])
    head = "Date;Player 1;Player 2;Player 3;Player 4;Taker;Points;Last trick\n"
    people = "2026-03-06;Anne Roy;Bob Gros;Cy Mince;Dan Fort"
    assert outcomes(import_list(belote, f"{head}{people};1;71;+\n;;;;;2;100;+\n")) == [TableOutcome.NEW]
    runs.run(Run.Trigger.NIGHT, now=NOW)
    assert list(verify()) == []


def test_the_last_deal_of_a_list_is_scored_as_the_last(season: Season) -> None:
    house_rules = {"rounding": 10, "last_deal_exact": True}
    belote = a_season(season.club, "belote", table_sizes=[4], end_number=2, house_rules=house_rules)
    head = "Date;Player 1;Player 2;Player 3;Player 4;Taker;Points;Last trick;Points 1;Points 2;Points 3;Points 4\n"
    first = "2026-03-06;Anne Roy;Bob Gros;Cy Mince;Dan Fort;2;90;+"
    plan = import_list(belote, f"{head}{first};60;100;60;100\n;;;;;2;90;+;62;100;62;100\n")
    assert outcomes(plan) == [TableOutcome.NEW]
    points = [list(deal.scores.order_by("seat__number").values_list("points", flat=True)) for deal in dealt(belote)]
    assert points == [[60, 100, 60, 100], [62, 100, 62, 100]]
    runs.run(Run.Trigger.NIGHT, now=NOW)
    assert list(verify()) == []


def test_an_irregularity_has_the_name_of_its_player(season: Season) -> None:
    belote = a_season(season.club, "belote", table_sizes=[4])
    head = "Date;Player 1;Player 2;Player 3;Player 4;Taker;Points;Last trick;Irregularity\n"
    people = "2026-03-06;Anne Roy;Bob Gros;Cy Mince;Dan Fort"
    plan = import_list(belote, f"{head}{people};;;;Bob\n;;;;;i3;;;\n;;;;;2;100;+;\n")
    assert outcomes(plan) == [TableOutcome.NEW]
    assert [deal.facts for deal in dealt(belote)][:2] == [{"penalty": 1}, {"penalty": 2}]


def test_a_slam_without_the_excuse_comes_in(season: Season) -> None:
    facts = one_deal(season, "2026-03-06;1;1;Dan Fort;Garde;2;87;attaque;simple Dan;annoncé réussi;x;x;x;x")
    assert (facts["points"], facts["oudlers"], facts["slam"]) == (87, 2, "attack")
    assert list(Deal.objects.get().scores.order_by("seat__number").values_list("points", flat=True)) == [
        -582,
        -582,
        -582,
        1746,
    ]


def dealt(season: Season) -> list[Deal]:
    return list(Deal.objects.filter(table__round__evening__season=season).order_by("number"))


def test_house_rules_of_a_planned_evening_count(season: Season) -> None:
    an_evening(season, EveningState.PLANNED, DAY)
    assert outcomes(import_list(season, RIGHT)) == [TableOutcome.NEW]
    assert season.evenings.get().state == EveningState.CLOSED


def test_open_evening_is_left_to_the_desk(season: Season) -> None:
    a_table(an_evening(season, on=DAY))
    plan = import_list(season, RIGHT)
    assert plan.tables[0].problem == "The evening is open: enter its results there."


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    season = Season(game="tarot", table_sizes=[3, 4, 5])
    kind = DealsList(season)
    try:
        rows = read_rows(text, MAX_LINES)
    except UnreadableList:
        return
    columns = {"player.1": "0", "player.2": "1", "taker": "2", "contract": "3"}
    data = {f"column-{name}": place for name, place in columns.items()} | {"column-on": "2026-03-06"}
    form = make_columns_form(kind, kind.guess_columns(rows, {}) | data, rows)
    if form.is_valid():
        assert all(deal.problem or deal.day for deal in kind.read_deals(rows, form.chosen_columns))


@pytest.mark.parametrize("game", ["tarot", "belote", "contree", "two-way-street"])
def test_example_of_the_page_for_admins_comes_in(season: Season, game: str) -> None:
    page = (settings.BASE_DIR / "docs" / "importing-results.md").read_text("utf-8")
    [text] = re.findall(rf"<!-- {game} -->\n+```text\n(.*?)```", page, re.DOTALL)
    game_season = season if game == "tarot" else a_season(season.club, game, table_sizes=[4])
    assert outcomes(import_list(game_season, text)) == [TableOutcome.NEW]
    runs.run(Run.Trigger.NIGHT, now=NOW)
    assert list(verify()) == []


def address(season: Season) -> str:
    return reverse("league:deals-bring-in", args=[season.pk])


def test_lines_are_shown_before_anything_is_written(client: Client, season: Season) -> None:
    admin = signed_in(client, a_member(season.club, Role.ADMIN))
    page = admin.post(address(season), {"text": LIST}).content.decode()
    assert "Other points" in page
    assert ">+270</data> in the list" in page
    assert not Evening.objects.exists()
    kind, rows = DealsList(season), read_rows(LIST, MAX_LINES)
    sent = {"text": LIST, "head": "\t".join(rows[0][1]), **kind.guess_columns(rows, {}), "store": "1"}
    assert "0 tables came in." in admin.post(address(season), sent, follow=True).content.decode()
    assert not Evening.objects.exists()
    answer = admin.post(address(season), {**sent, "as_counted": "1"}, follow=True)
    assert "1 table came in." in answer.content.decode()
    assert Deal.objects.count() == 4


def test_unknown_columns_are_chosen_and_remembered(client: Client, season: Season) -> None:
    admin = signed_in(client, a_member(season.club, Role.ADMIN))
    strange = RIGHT.replace("Date;Table;Donne;Preneur;Contrat;", "Quand;Où;Laquelle;Qui;Quoi;")
    answer = admin.post(address(season), {"text": strange})
    assert answer.status_code == 422
    assert answer.content.decode().count("Choose the column that has ") == 2
    rows = read_rows(strange, MAX_LINES)
    guessed = DealsList(season).guess_columns(rows, {})
    places = {"column-day": "0", "column-deal": "2", "column-taker": "3", "column-contract": "4"}
    guessed["column-headed"] = ["10", "11", "12", "13"]
    sent = {"text": strange, "head": "\t".join(rows[0][1]), **guessed, **places}
    assert "4 deals" in admin.post(address(season), sent).content.decode()
    next_page = admin.post(address(season), {"text": strange})  # another day, the same spreadsheet
    assert next_page.status_code == 200
    assert "4 deals" in next_page.content.decode()


def test_columns_are_remembered_for_the_club_alone(client: Client, season: Season) -> None:
    strange = RIGHT.replace("Contrat", "Quoi")
    rows = read_rows(strange, MAX_LINES)
    form_data = {
        **DealsList(season).guess_columns(rows, {}),
        "column-contract": "4",
        "head": "\t".join(rows[0][1]),
        "text": strange,
    }
    signed_in(client, a_member(season.club, Role.ADMIN)).post(address(season), form_data)
    for club, status in ((season.club, 200), (a_club(), 422)):
        admin = signed_in(Client(), a_member(club, Role.ADMIN))
        assert admin.post(address(a_season(club)), {"text": strange}).status_code == status


def test_columns_that_are_too_many_to_remember_make_place_for_the_latest(season: Season) -> None:
    for number in range(3):
        remember_columns(season.club, "totals", {f"{number} {place}": "" for place in range(90)})
    assert len(season.club.list_columns.get().columns) == 90
    remember_columns(season.club, "totals", {"Date": "day"})
    remember_columns(season.club, "deals tarot", {"Date": "deal"})
    assert season.club.list_columns.get(kind="totals").columns["Date"] == "day"


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ({"column-taker": "0"}, "This column is “Date” already."),
        ({"column-headed": ["9"]}, "Choose the columns that tell who played"),
        ({"column-headed": ["0", "10"]}, "This column is “Date” already."),
        ({"column-player.1": "3", "column-player.2": "10"}, "choose one or the other"),
        ({"column-day": ""}, "Choose the column that has the date, or give one date for all lines."),
        ({"column-headed": ["99", "10"]}, "is not one of the available choices"),
    ],
)
def test_columns_that_can_not_be_are_refused(season: Season, columns: dict[str, Any], words: str) -> None:
    kind, rows = DealsList(season), read_rows(RIGHT, MAX_LINES)
    form = make_columns_form(kind, kind.guess_columns(rows, {}) | columns, rows)
    assert not form.is_valid()
    assert words in str(form.errors)


@pytest.mark.parametrize("role", [Role.SECRETARY, Role.MEMBER])
def test_only_admins_bring_deals_in(client: Client, season: Season, role: Role) -> None:
    reader = signed_in(client, a_member(season.club, role))
    assert reader.post(address(season), {"text": RIGHT, "store": "1"}).status_code in (403, 404)
    assert not Evening.objects.exists()


def test_club_of_another_admin_is_not_found(client: Client, season: Season) -> None:
    admin = signed_in(client, a_member(a_club(), Role.ADMIN))
    assert admin.get(address(season)).status_code == 404


@pytest.mark.parametrize("taker", ["Jean-Pierre O'Neil", "O’Neil Jean Pierre", "jean pierre", "oneil", "Jean‑Pierre O"])
def test_taker_is_known_whatever_separates_the_parts_of_the_name(season: Season, taker: str) -> None:
    season.club.memberships.create(player=a_player("Jean-Pierre", "O'Neil"))
    head = "Date;Player 1;Player 2;Player 3;Player 4;Taker;Contract;Oudlers;Points;"
    head += "Points 1;Points 2;Points 3;Points 4\n"
    people = "2026-03-06;Anne Roy;Jean-Pierre O'Neil;Cy Mince;Dan Fort;"
    assert outcomes(import_list(season, f"{head}{people}{taker};Take;2;43;-27;81;-27;-27\n")) == [TableOutcome.NEW]
    assert Deal.objects.get().facts["taker"] == 1
