"""A season's house rules by a preset of its game."""

from __future__ import annotations

from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from league.actions import evenings
from league.models import Club, Season
from league.models.rights import Role
from league.seasons.queries.season_rankings import rank_season
from scoring import registry
from tests.build import NOW, a_club, a_deal, a_member, a_player, a_season, a_table, an_evening, sign_in
from tests.page_forms import sent_by

RULES = registry.rules("contree")
FFB: Any = next(preset.options for preset in RULES.presets if preset.name == "ffb-2016")
# 112 card points and the last trick: 122 + 100 = 222 and 40; rounded 220 and 40.
MADE_WITH_122 = {"taker": 0, "contract": 100, "trump": "spades", "points": 112, "last_trick": "attack"}
TYPED: Any = {"name": "Winter", "table_sizes": ["4"], "end": "target", "end_number": "2001", "exempt_points": "0"}


@pytest.fixture
def club(db: None) -> Club:
    return a_club()


@pytest.fixture
def admin(client: Client, club: Club) -> Client:
    return sign_in(client, a_member(club, Role.ADMIN))


def new_season(club: Club) -> str:
    return reverse("league:season-found", args=[club.slug]) + "?game=contree"


def test_form_offers_every_preset_with_its_sentence(admin: Client, club: Club) -> None:
    page = unescape(admin.get(new_season(club)).content.decode())
    assert [preset.title in page and preset.words.split(";")[0] in page for preset in RULES.presets] == [True] * 6


@pytest.mark.parametrize("name", [preset.name for preset in RULES.presets])
def test_season_is_set_up_by_a_preset(admin: Client, club: Club, name: str) -> None:
    form = admin.get(new_season(club))
    chosen = admin.post(f"{new_season(club)}&preset={name}", sent_by(form))
    assert chosen.status_code == 200
    assert not Season.objects.exists()
    assert admin.post(new_season(club), sent_by(chosen, **TYPED)).status_code == 302
    season = Season.objects.get()
    preset = RULES.preset_of(RULES.read_options(season.house_rules))
    assert preset is not None
    assert preset.name == name
    assert (season.end, season.end_number) == ("target", 2001)


@pytest.mark.parametrize("name", ["", "Winter"])
def test_a_preset_keeps_everything_else_that_was_typed(admin: Client, club: Club, name: str) -> None:
    typed = {**TYPED, "name": name, "rounds": "3", "contest_hours": "x", "house-capot": "270"}
    chosen = admin.post(f"{new_season(club)}&preset=ffb-2016", sent_by(admin.get(new_season(club)), **typed))
    form = chosen.context["form"]
    assert {field: form[field].value() for field in ("name", "rounds", "contest_hours", "end_number")} == {
        "name": name,
        "rounds": "3",
        "contest_hours": "x",
        "end_number": "2001",
    }
    assert form.errors.keys() == {"contest_hours"}, "empty fields are no errors yet"
    assert chosen.context["house_rules"]["capot"].value() == "500"
    assert "Nothing is saved yet." in chosen.content.decode()


def test_a_preset_does_not_hide_what_somebody_else_changed(admin: Client, club: Club) -> None:
    season = a_season(club, "contree", table_sizes=[4], rounds=2)
    address = reverse("league:season-rules", args=[season.pk])
    form = admin.get(address)
    Season.objects.filter(pk=season.pk).update(rounds=4)
    chosen = admin.post(f"{address}?preset=ffb-2016", sent_by(form, rounds="3"))
    assert "Somebody else changed this meanwhile. Now stands: 4." in chosen.content.decode()


def test_a_preset_is_chosen_on_the_page_and_saved_after_it(admin: Client, club: Club) -> None:
    season = a_season(club, "contree", table_sizes=[4], house_rules={"capot": 270})
    address = reverse("league:season-rules", args=[season.pk])
    form = admin.get(address)
    assert form.context["house_rules"]["capot"].value() == "270"
    preset_form = admin.post(f"{address}?preset=ffb-2016", sent_by(form))
    assert preset_form.context["house_rules"]["capot"].value() == "500"
    season.refresh_from_db()
    assert season.house_rules == {"capot": 270}, "a look changes nothing"
    assert admin.post(address, sent_by(preset_form)).status_code == 302
    season.refresh_from_db()
    assert RULES.read_options(season.house_rules) == RULES.read_options(FFB)


def test_readers_see_the_preset_of_a_season(client: Client, club: Club) -> None:
    season = a_season(club, "contree", table_sizes=[4], house_rules=FFB)
    reader = sign_in(client, a_member(club))
    address = reverse("league:season-rules", args=[season.pk])
    page = reader.get(address).content.decode()
    assert "FFB 2016: Points made and contract, rounded to the nearest ten, 5 up; a capot counts 500" in page
    season.house_rules = {**FFB, "generale": 1000, "rounding": "six_up"}
    season.save()
    page = unescape(reader.get(address).content.decode())
    differences = (
        "Value of a générale: 1000; Each side's points of a deal: Are rounded to the nearest ten, 5 down and 6 up"
    )
    assert f"Like FFB 2016, except: {differences}." in page
    season.house_rules = {"capot": 252}
    season.save()
    assert "Like FFB" not in reader.get(address).content.decode()


def test_house_rules_that_exclude_each_other_are_refused(admin: Client, club: Club) -> None:
    form = admin.get(new_season(club))
    typed: Any = {**TYPED, "house-scoring": "points", "house-doubled_base": "none"}
    answer = admin.post(new_season(club), sent_by(form, **typed))
    assert answer.status_code == 422
    assert answer.context["house_rules"].errors.keys() == {"doubled_base"}
    assert not Season.objects.exists()


def test_announcements_that_were_recorded_prevent_their_abolition(admin: Client, club: Club) -> None:
    season = a_season(club, "contree", table_sizes=[4], house_rules={"announcements": True})
    a_deal(a_table(an_evening(season)), {**MADE_WITH_122, "announcements": {"attack": 50}})
    address = reverse("league:season-rules", args=[season.pk])
    typed: Any = {"house-announcements": "False", "reason": "voted", "since": ""}
    answer = admin.post(address, sent_by(admin.get(address), **typed))
    assert answer.status_code == 422
    assert "Announcements are not played by these house rules" in answer.content.decode()
    season.refresh_from_db()
    assert season.house_rules == {"announcements": True}


def test_season_by_a_preset_has_its_champions(club: Club) -> None:
    season = a_season(club, "contree", table_sizes=[4], end_number=4, house_rules=FFB)
    evening = an_evening(season)
    players = [club.memberships.create(player=a_player(name, "")).player for name in ("Ann", "Bob", "Cid", "Dee")]
    table = a_table(evening, players)
    for _deal in range(4):
        a_deal(table, MADE_WITH_122)
    evenings.close(evening.pk, now=NOW)
    ranking = rank_season(season)
    assert sorted(row.player for row in ranking if row.rank == 1) == [players[0].pk, players[2].pk]
    assert {row.total for row in ranking} == {880, 160}
