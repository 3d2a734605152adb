"""An admin sets a season up, and changes its rules later, with a reason, before everyone's eyes."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from league.actions import evenings, seasons
from league.models import AuditEntry, Club, Deal, PendingRecompute, Season
from league.models.audit_entry import AuditEvent
from league.models.evening import EveningState
from league.models.rights import Role
from scoring import registry
from tests.build import NOW, TAKE, a_club, a_deal, a_member, a_season, a_table, an_evening, sign_in
from tests.page_forms import sent_by


@pytest.fixture
def club(db: None) -> Club:
    return a_club()


@pytest.fixture
def admin(client: Client, club: Club) -> Client:
    return sign_in(client, a_member(club, Role.ADMIN))


def typed(**more: Any) -> dict[str, Any]:
    return {
        "name": "Winter",
        "table_sizes": ["4", "5"],
        "end": "deals",
        "end_number": "5",
        "contest_hours": "24",
        "rounds": "5",
        "draw": "meet",
        "leavers": "last",
        "rest_score": "none",
        "house-half_point_short": "void",
        **more,
    }


def test_a_season_is_set_up_with_own_house_rules(admin: Client, club: Club) -> None:
    answer = admin.post(reverse("league:season-found", args=[club.slug]) + "?game=tarot", typed())

    season = Season.objects.get()
    assert answer.status_code == 302
    assert (season.game, season.state, season.table_sizes, season.end_number) == ("tarot", "draft", [4, 5], 5)
    assert registry.rules("tarot").read_options(season.house_rules).half_point_short == "void"


def test_how_an_evening_goes_is_set_up_with_the_season(admin: Client, club: Club) -> None:
    admin.post(reverse("league:season-found", args=[club.slug]) + "?game=tarot", typed(draw="ranking"))
    season = Season.objects.get()
    assert (season.rounds, season.draw, season.leavers, season.contest_hours) == (5, "ranking", "last", 24)


def test_a_game_of_pairs_asks_for_partners_and_exempt_points(admin: Client, club: Club) -> None:
    address = reverse("league:season-found", args=[club.slug])
    fields_by_game = {
        game: set(admin.get(f"{address}?game={game}").context["form"].fields) for game in ("tarot", "belote")
    }
    assert fields_by_game["belote"] - fields_by_game["tarot"] == {"partners", "exempt_points", "typing"}

    pairs = {"partners": "evening", "exempt_points": "1000", "table_sizes": ["4"], "end_number": "12"}
    assert admin.post(f"{address}?game=belote", typed(**pairs)).status_code == 302
    season = Season.objects.get()
    assert (season.partners, season.exempt_points) == ("evening", 1000)


def test_number_of_points_is_stored_for_a_fixed_score_of_a_rest_only(admin: Client, club: Club) -> None:
    address = reverse("league:season-found", args=[club.slug]) + "?game=tarot"
    for name, setting in (("Winter", "fixed"), ("Spring", "mean")):
        admin.post(address, typed(name=name, rest_score=setting, rest_points="-15"))
    stored = Season.objects.order_by("pk").values_list("rest_score", "rest_points")
    assert list(stored) == [("fixed", -15), ("mean", None)]


@pytest.mark.parametrize("slug", registry.slugs())
def test_every_game_has_its_form(admin: Client, club: Club, slug: str) -> None:
    assert admin.get(reverse("league:season-found", args=[club.slug]) + f"?game={slug}").status_code == 200


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"name": ""}, "name"),
        ({"table_sizes": ["7"]}, "table_sizes"),
        ({"table_sizes": []}, "table_sizes"),
        ({"end_number": ""}, "end_number"),
        ({"end": "sunrise"}, "end"),
        ({"rounds": "0"}, "rounds"),
        ({"draw": "by guess"}, "draw"),
        ({"leavers": ""}, "leavers"),
        ({"rest_score": "half"}, "rest_score"),
        ({"rest_score": "fixed"}, "rest_points"),
        ({"rest_score": "fixed", "rest_points": "100000"}, "rest_points"),
        ({"table_sizes": ["3"], "fifth_rests": "on"}, "fifth_rests"),
    ],
)
def test_what_is_wrong_stands_on_its_field(admin: Client, club: Club, wrong: dict[str, Any], field: str) -> None:
    answer = admin.post(reverse("league:season-found", args=[club.slug]) + "?game=tarot", typed(**wrong))

    assert answer.status_code == 422
    assert field in answer.context["form"].errors
    assert not Season.objects.exists()


def test_two_seasons_of_one_name_are_told_apart(admin: Client, club: Club) -> None:
    a_season(club, name="Winter")
    answer = admin.post(reverse("league:season-found", args=[club.slug]) + "?game=tarot", typed())
    assert "name" in answer.context["form"].errors


def test_rules_under_which_deals_were_recorded_change_with_a_reason(admin: Client, club: Club) -> None:
    season = a_season(club)
    table = a_table(an_evening(season))
    a_deal(table, {**TAKE, "points": 40.5})
    address = reverse("league:season-rules", args=[season.pk])
    refused = admin.post(address, typed())
    assert "reason" in refused.context["change"].errors
    assert [seat.points for seat in table.seats.all()] == [-78, 26, 26, 26]

    admin.post(address, typed(reason="voted at the annual meeting"))
    assert [seat.points for seat in table.seats.all()] == [0, 0, 0, 0]


@pytest.mark.parametrize(
    "field", sorted(seasons.FIELDS_WITHOUT_EFFECT - {"exempt_points", "partners", "rest_points", "typing"})
)
def test_a_setting_without_effect_on_scores_changes_without_a_reason(admin: Client, club: Club, field: str) -> None:
    season = a_season(club)
    a_deal(a_table(an_evening(season)))
    PendingRecompute.objects.all().delete()
    address = reverse("league:season-rules", args=[season.pk])
    settings = {"name": "Spring", "contest_hours": "12", "rounds": "7", "draw": "ranking", "rest_score": "mean"}
    setting = {**settings, "team_best": "2"}[field]
    sent = sent_by(admin.get(address), **{field: setting})
    del sent["preview"]
    with CaptureQueriesContext(connection) as queries:
        assert admin.post(address, sent).status_code == 302
    assert str(getattr(Season.objects.get(), field)) == setting
    assert not PendingRecompute.objects.exists()
    assert AuditEntry.objects.latest("pk").event == AuditEvent.SEASON_CHANGED
    assert not [query for query in queries if '"league_deal"."facts"' in query["sql"]]


def test_table_sizes_that_were_played_keep_their_deals(admin: Client, club: Club) -> None:
    season = a_season(club)
    a_deal(a_table(an_evening(season), size=3), {**TAKE, "points": 43})
    admin.post(reverse("league:season-rules", args=[season.pk]), typed(reason="threes no more"))
    assert Season.objects.get().table_sizes == [4, 5]


def test_members_read_the_rules_and_cannot_change_them(client: Client, club: Club) -> None:
    season = a_season(club, house_rules={"half_point_short": "won"})
    sign_in(client, a_member(club))
    address = reverse("league:season-rules", args=[season.pk])

    html = client.get(address).content.decode()
    assert "House rules" in html
    assert "Everyone meets as many others as possible" in html
    assert "Partners" not in html
    assert client.post(address, typed()).status_code == 403


def test_belote_is_asked_how_its_sheets_give_points(admin: Client, club: Club) -> None:
    sent = typed(table_sizes=["4"], partners="round", exempt_points="0", typing="with_ten", **{"house-dispute": "held"})
    admin.post(reverse("league:season-found", args=[club.slug]) + "?game=belote", sent)
    season = Season.objects.get()
    assert (season.typing, season.house_rules["dispute"]) == ("with_ten", "held")
    reader = sign_in(Client(), a_member(club))
    page = reader.get(reverse("league:season-rules", args=[season.pk])).content.decode()
    assert "with the ten of the last trick" in page
    refused = admin.post(
        reverse("league:season-found", args=[club.slug]) + "?game=belote", {**sent, "name": "B", "typing": "backwards"}
    )
    assert refused.status_code == 422


def test_a_rule_of_other_table_sizes_is_not_told(club: Club) -> None:
    reader = sign_in(Client(), a_member(club))
    pages = [
        reader.get(reverse("league:season-rules", args=[a_season(club, table_sizes=sizes).pk])).content.decode()
        for sizes in ([4, 5], [5, 6])
    ]
    assert ["Six players" in page for page in pages] == [False, True]


def test_house_rules_change_from_an_evening_on_before_everyones_eyes(admin: Client, club: Club) -> None:
    season = a_season(club)
    tables = [a_table(an_evening(season, on=date(2026, 10, day))) for day in (1, 8)]
    for table in tables:
        a_deal(table, {**TAKE, "points": 40.5})
    since = tables[1].round.evening
    address = reverse("league:season-rules", args=[season.pk])
    admin.post(address, typed(since=str(since.pk), reason="voted at the annual meeting"))
    assert [[seat.points for seat in table.seats.all()] for table in tables] == [[-78, 26, 26, 26], [0, 0, 0, 0]]
    page = sign_in(Client(), a_member(club)).get(address).content.decode()
    assert "voted at the annual meeting" in page
    assert f'From <a href="{since.get_absolute_url()}">' in page
    assert "before: The deal is lost" in page
    assert "voted at the annual meeting" in admin.get(address).content.decode()


def test_a_deal_that_the_rules_refuse_is_named_and_nothing_changes(admin: Client, club: Club) -> None:
    season = a_season(club)
    deal = a_deal(a_table(an_evening(season, on=date(2026, 10, 1))))
    Deal.objects.filter(pk=deal.pk).update(facts={**TAKE, "points": 99})
    page = admin.post(reverse("league:season-rules", args=[season.pk]), typed(reason="voted")).content.decode()
    place = "Deal 1 of table 1, round 1, 1 Oct 2026"
    assert f'<a href="{deal.get_absolute_url()}">{place}</a>: 99 points are not possible with ' in page
    assert Season.objects.get().house_rules == {}


def test_house_rules_usually_change_from_the_next_evening_on(admin: Client, club: Club) -> None:
    season = a_season(club)
    a_deal(a_table(an_evening(season, on=date(2026, 10, 1))))
    address = reverse("league:season-rules", args=[season.pk])
    assert admin.get(address).context["change"]["since"].value() == "later"
    later, sooner = (an_evening(season, EveningState.PLANNED, on=date(2026, 10, day)) for day in (15, 8))
    assert admin.get(address).context["change"]["since"].value() == str(sooner.pk)
    assert later.pk != sooner.pk


def test_house_rules_change_for_evenings_that_are_not_planned_yet(admin: Client, club: Club) -> None:
    season = a_season(club)
    table = a_table(an_evening(season, on=date(2026, 10, 1)))
    a_deal(table, {**TAKE, "points": 40.5})
    address = reverse("league:season-rules", args=[season.pk])
    admin.post(address, typed(since="later", reason="voted"))
    next_table = a_table(an_evening(Season.objects.get(), on=date(2026, 10, 8)))
    a_deal(next_table, {**TAKE, "points": 40.5})
    assert [[seat.points for seat in some_table.seats.all()] for some_table in (table, next_table)] == [
        [-78, 26, 26, 26],
        [0] * 4,
    ]
    assert "For evenings planned later" in admin.get(address).content.decode()


@pytest.mark.parametrize("whose", ["other season", "cancelled", "nonsense"])
def test_house_rules_can_not_change_from_another_evening_on(admin: Client, club: Club, whose: str) -> None:
    season = a_season(club)
    table = a_table(an_evening(season))
    a_deal(table, {**TAKE, "points": 40.5})
    cancelled = evenings.cancel(an_evening(season, EveningState.PLANNED, on=date(2026, 10, 8)).pk)
    foreign_evenings = {
        "other season": str(an_evening(a_season(a_club())).pk),
        "cancelled": str(cancelled.pk),
        "nonsense": "x",
    }
    address = reverse("league:season-rules", args=[season.pk])
    answer = admin.post(address, typed(since=foreign_evenings[whose], reason="voted"))
    assert answer.status_code == 422
    assert "since" in answer.context["change"].errors
    assert [seat.points for seat in table.seats.all()] == [-78, 26, 26, 26]


def test_a_change_shows_who_would_move_before_it_is_saved(admin: Client, club: Club) -> None:
    season = a_season(club, end_number=1)
    table = a_table(an_evening(season))
    a_deal(table, {**TAKE, "points": 40.5})
    evenings.close(table.round.evening_id, now=NOW)
    address = reverse("league:season-rules", args=[season.pk])
    sent = typed(
        name=season.name, end_number="1", reason="voted at the annual meeting", **{"house-half_point_short": "won"}
    )
    page = admin.post(address, {**sent, "preview": "1"})
    assert page.status_code == 200
    totals = {
        changed.player.pk: [row.total.numerator for row in changed.rows] for changed in page.context["changed_rows"]
    }
    assert totals == {seat.player_id: list(each) for seat, each in zip(table.seats.all(), THEN, strict=True)}
    assert "Nothing is saved yet" in page.content.decode()
    assert Season.objects.get().house_rules == {}
    assert [seat.points for seat in table.seats.all()] == [-78, 26, 26, 26]
    assert not season.house_rules_changes.exists()
    admin.post(address, sent)
    assert [seat.points for seat in table.seats.all()] == [75, -25, -25, -25]


def test_who_drops_out_of_the_standings_is_told_too(admin: Client, club: Club) -> None:
    """With five deals to be played, a table with one is not complete, and counts for nothing."""
    season = a_season(club, end_number=1)
    table = a_table(an_evening(season))
    a_deal(table)
    evenings.close(table.round.evening_id, now=NOW)
    page = admin.post(reverse("league:season-rules", args=[season.pk]), typed(reason="longer", preview="1"))
    assert [row.rows[1] for row in page.context["changed_rows"]] == [None] * 4


def test_a_change_that_moves_nobody_says_so(admin: Client, club: Club) -> None:
    season = a_season(club)
    a_deal(a_table(an_evening(season)))
    address = reverse("league:season-rules", args=[season.pk])
    page = admin.post(address, typed(reason="a better name", preview="1")).content.decode()
    assert "Nobody’s rank or total changes." in page


THEN = [(-78, 75), (26, -25), (26, -25), (26, -25)]  # lost by 1, and won by 0


def test_rules_saved_from_two_pages_keep_what_each_changed(admin: Client, club: Club) -> None:
    season = a_season(club)
    address = reverse("league:season-rules", args=[season.pk])
    first, second = admin.get(address), admin.get(address)
    first_typed: Any = {"table_sizes": ["3", "4", "5"], "house-half_point_short": "won"}
    assert admin.post(address, sent_by(first, **first_typed)).status_code == 302
    assert admin.post(address, sent_by(second, rounds="7", **{"house-one_for_one_small_last": "10"})).status_code == 302
    season.refresh_from_db()
    assert (season.table_sizes, season.rounds) == ([3, 4, 5], 7)
    assert (season.house_rules["half_point_short"], season.house_rules["one_for_one_small_last"]) == ("won", 10)


def test_a_rule_that_another_page_changed_is_refused_once(admin: Client, club: Club) -> None:
    season = a_season(club)
    address = reverse("league:season-rules", args=[season.pk])
    first, second = admin.get(address), admin.get(address)
    admin.post(address, sent_by(first, table_sizes=["4"], **{"house-half_point_short": "won"}))
    data: Any = {"table_sizes": ["5"], "house-half_point_short": "void"}
    refused = admin.post(address, sent_by(second, **data))
    assert refused.status_code == 422
    assert refused.context["form"].errors.keys() == {"table_sizes"}
    assert refused.context["house_rules"].errors.keys() == {"half_point_short"}
    assert "Now stands: 4 players." in refused.content.decode()
    assert admin.post(address, sent_by(refused)).status_code == 302
    season.refresh_from_db()
    assert (season.table_sizes, season.house_rules["half_point_short"]) == ([5], "void")


def test_the_form_begins_with_the_house_rules_of_a_preset(admin: Client, club: Club) -> None:
    address = reverse("league:season-found", args=[club.slug]) + "?game=belote"
    page = admin.get(address).content.decode()
    assert "?game=belote&amp;preset=village" in page
    assert "A dispute is held for the next deal, a capot makes 252" in page
    chosen = admin.post(address + "&preset=village", sent_by(admin.get(address)))
    assert chosen.context["house_rules"]["dispute"].value() == "held"
    assert "Nothing is saved yet." in chosen.content.decode()
    belote = typed(table_sizes=["4"], partners="round", exempt_points="0")
    belote.pop("house-half_point_short")
    sent = {**belote, "house-dispute": "held", "house-slam": "90", "house-rounding": "none"}
    assert admin.post(address, sent).status_code == 302
    season = Season.objects.get()
    rules = registry.rules("belote")
    assert rules.read_options(season.house_rules) == rules.read_options({"dispute": "held", "slam": 90})
    member = sign_in(Client(), a_member(club))
    assert (
        "Village tournament: A dispute is held"
        in member.get(reverse("league:season-rules", args=[season.pk])).content.decode()
    )


def test_an_existing_season_takes_over_the_house_rules_of_a_preset(admin: Client, club: Club) -> None:
    season = a_season(club, "belote", table_sizes=[4], house_rules={"rounding": 10})
    address = reverse("league:season-rules", args=[season.pk])
    chosen = admin.post(address + "?preset=lost", sent_by(admin.get(address)))
    assert admin.post(address, sent_by(chosen)).status_code == 302
    season.refresh_from_db()
    rules = registry.rules("belote")
    options = rules.read_options(season.house_rules)
    assert rules.preset_of(options) == next(preset for preset in rules.presets if preset.name == "lost")
    assert admin.get(address + "?preset=unknown").status_code == 200


def test_passed_deals_are_dealt_again_by_the_form(admin: Client, club: Club) -> None:
    address = reverse("league:season-found", args=[club.slug]) + "?game=tarot"
    assert admin.post(address, typed(count_passed="False")).status_code == 302
    season = Season.objects.get()
    assert not season.count_passed
    page = admin.get(reverse("league:season-rules", args=[season.pk]))
    assert page.context["form"]["count_passed"].value() == "False"
    assert "count_passed" not in admin.get(address.replace("tarot", "two-way-street")).context["form"].fields


def test_the_preview_of_a_change_says_that_the_standings_rules_are_unreadable(admin: Client, club: Club) -> None:
    """An older release or a repair may have stored them; the preview was an error 500, the change itself works."""
    season = a_season(club, end_number=1, standings_rules={"counts": {"which": "some"}})
    a_deal(a_table(an_evening(season)), {**TAKE, "points": 40.5})
    address, sent = reverse("league:season-rules", args=[season.pk]), typed(end_number="1", reason="voted")
    page = admin.post(address, sent | {"preview": "1"})
    assert page.status_code == 422
    assert page.context["form"].non_field_errors() == [
        "The season's standings rules can't be read. Its admin can set them again."
    ]
    assert admin.post(address, sent).status_code == 302
