"""An evening's deals as a file: an import reads the same deals again."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from league.actions import deals, evenings
from league.imports.forms.results import make_columns_form
from league.imports.queries.import_plan import ImportPlan, TableOutcome
from league.imports.queries.list_file import read_rows, read_sheets
from league.imports.work.cells import MAX_LINES
from league.imports.work.list_kinds import DealsList
from league.models import Deal, Evening, Season, Seat
from league.models.rights import Role
from players.naming import NameStyle
from scoring import registry
from tests.build import NOW, a_club, a_deal, a_member, a_season, a_table, an_evening
from tests.readers import signed_in

pytestmark = pytest.mark.django_db

SIZES = {"tarot": (3, 4, 5), "belote": (4,), "two-way-street": (2, 3, 5)}


def played(game: str, **fields: Any) -> Evening:
    """Return a closed evening with a table of each size, each with random deals."""
    club = a_club(language="fr")
    random = Random(game)
    evening = an_evening(a_season(club, game, table_sizes=list(SIZES[game]), **fields))
    for size in SIZES[game]:
        rests = evening.season.resting_size == size
        table = a_table(evening, [a_member(club, login=False) for _ in range(size)], one_rests=rests)
        for _ in range(6):
            a_deal(table, dict(registry.play(game)(random, size - rests, [0.5] * (size - rests)).facts))
    return evenings.close(evening.pk, now=NOW)


def file_of(evening: Evening, extension: str, language: str) -> str:
    admin = signed_in(Client(headers={"accept-language": language}), a_member(evening.season.club, Role.ADMIN))
    [sheet] = read_sheets(admin.get(reverse(f"league:deals-{extension}", args=[evening.pk])).content, MAX_LINES)
    return sheet.text


def import_list(season: Season, text: str) -> ImportPlan:
    kind, rows = DealsList(season), read_rows(text, MAX_LINES)
    form = make_columns_form(kind, kind.guess_columns(rows, {}), rows)
    assert form.is_valid(), form.errors
    return kind.import_rows(rows, form.chosen_columns, {}, NOW, accept_other_points=False)


def outcomes(plan: ImportPlan) -> set[TableOutcome]:
    return {table.outcome for table in plan.tables}


def stored_deals(evening: Evening) -> list[tuple[Any, ...]]:
    """Return the evening's deals, with facts as the rules read them."""
    dealt = Deal.objects.filter(table__round__evening=evening).order_by("table__number", "number")
    rules = registry.rules(evening.season.game)
    return [
        (
            deal.table.number,
            deal.number,
            rules.read_earlier(deal.table.players_of_deal, [deal.facts]),
            deal.rests,
            list(deal.scores.order_by("seat__number").values_list("seat__player", "points", "role")),
        )
        for deal in dealt.select_related("table")
    ]


@pytest.mark.parametrize("language", ["en-gb", "fr"])
@pytest.mark.parametrize("extension", ["csv", "xlsx"])
@pytest.mark.parametrize("game", SIZES)
def test_what_goes_out_comes_in(game: str, extension: str, language: str) -> None:
    evening = played(game)
    text = file_of(evening, extension, language)
    assert outcomes(import_list(evening.season, text)) == {TableOutcome.SAME}
    second_season = a_season(evening.season.club, game, table_sizes=list(SIZES[game]))
    assert outcomes(import_list(second_season, text)) == {TableOutcome.NEW}
    assert stored_deals(second_season.evenings.get()) == stored_deals(evening)
    assert stored_deals(evening)


def test_who_rests_goes_out_and_comes_in() -> None:
    evening = played("tarot", fifth_rests=True)
    text = file_of(evening, "csv", "en-gb")
    assert outcomes(import_list(evening.season, text)) == {TableOutcome.SAME}


def test_who_is_shown_by_another_name_goes_out_to_the_desk_whole_and_comes_in() -> None:
    evening = played("tarot")
    player = Seat.objects.filter(table__round__evening=evening).earliest("pk").player
    player.member_choice = player.public_choice = NameStyle.INITIAL
    player.save()
    text = file_of(evening, "csv", "en-gb")
    assert f"{player.given_name} {player.family_name}" in text
    assert outcomes(import_list(evening.season, text)) == {TableOutcome.SAME}


def test_voided_deals_stay_at_home() -> None:
    evening = played("belote")
    deal = Deal.objects.latest("pk")
    deals.void(deal.pk, client_key=deal.client_key, seen_version=1, now=NOW, reason="Twice")
    assert len(read_rows(file_of(evening, "csv", "en-gb"), MAX_LINES)) == 6
    assert Seat.objects.exists()
